/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * black_box_file.c: finds the files of black boxes, and reads one.
 */
#include "config.h"

#include "feed/viewer/stream/black_box.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "feed/shared/black_box_place.h"

/* Returns the bytes of the file, which the caller frees; NULL, with a sentence in `why`. */
static void *read_file(int fd, size_t *size, char *why, size_t capacity)
{
    struct stat st;
    if (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode)) {
        snprintf(why, capacity, "is not a file");
        return NULL;
    }
    if (st.st_size > SHARED_BOX_MAX) {
        snprintf(why, capacity, "is larger than a black box can be");
        return NULL;
    }
    *size = (size_t)st.st_size;
    char *bytes = malloc(*size + 1); /* also of an empty file */
    if (bytes == NULL)
        snprintf(why, capacity, "is larger than the memory that is left");
    for (size_t at = 0; bytes != NULL && at < *size;) {
        const ssize_t got = pread(fd, bytes + at, *size - at, (off_t)at);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0) {
            snprintf(why, capacity, "%s",
                     got < 0 ? strerror(errno) : "was cut off while it was read");
            free(bytes);
            return NULL;
        }
        at += (size_t)got;
    }
    return bytes;
}

struct model_job *viewer_black_box_read(const char *path, char *why, size_t capacity)
{
    const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    struct model_job *job = NULL;
    size_t size = 0;
    if (fd < 0) {
        snprintf(why, capacity, "%s", strerror(errno));
        return NULL;
    }
    void *bytes = read_file(fd, &size, why, capacity);
    if (bytes != NULL)
        job = viewer_black_box_parse(bytes, size, why, capacity);
    free(bytes);
    close(fd);
    return job;
}

static bool read_head(const char *path, struct shared_box_head *head)
{
    const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    const bool whole = fd >= 0 && pread(fd, head, sizeof *head, 0) == (ssize_t)sizeof *head;
    if (fd >= 0)
        close(fd);
    return whole && shared_box_is(head);
}

bool viewer_black_box_is(const char *path)
{
    struct shared_box_head head;
    struct stat st;
    return stat(path, &st) == 0 && S_ISREG(st.st_mode) && read_head(path, &head);
}

static int last_first(const void *a, const void *b)
{
    const struct viewer_black_box *x = a, *y = b;
    return (x->seen_ns < y->seen_ns) - (x->seen_ns > y->seen_ns);
}

static void safe(const char *from, size_t size, char *to, size_t capacity)
{
    model_text_safe(from, strnlen(from, size), to, capacity);
}

/* Adds the files of one directory. */
static void list(const char *place, struct viewer_black_box **box, size_t *n)
{
    struct shared_box_file *file;
    const size_t count = shared_box_files(place, &file);
    struct viewer_black_box *grown =
        count == 0 ? NULL : realloc(*box, (*n + count) * sizeof *grown);
    if (grown != NULL)
        *box = grown;
    for (size_t i = 0; grown != NULL && i < count; i++) {
        struct shared_box_head head;
        if (!read_head(file[i].path, &head))
            continue;
        struct viewer_black_box *to = &grown[(*n)++];
        snprintf(to->path, sizeof to->path, "%s", file[i].path);
        to->pid = head.job.pid;
        to->start = head.job.start;
        to->since_ns = head.job.since_ns;
        to->seen_ns = head.wall_ns;
        to->runs = shared_box_runs(to->pid, to->start);
        safe(head.job.program, sizeof head.job.program, to->program, sizeof to->program);
        safe(head.job.framework, sizeof head.job.framework, to->framework, sizeof to->framework);
    }
    free(file);
}

size_t viewer_black_boxes(struct viewer_black_box **box)
{
    char place[SHARED_BOX_PLACES][SHARED_PATH_MAX], why[512];
    size_t n = 0;
    *box = NULL;
    const size_t places = shared_box_places(place);
    for (size_t i = 0; i < places; i++)
        if (registry_dir_usable(place[i], false, why, sizeof why))
            list(place[i], box, &n);
    if (n > 1)
        qsort(*box, n, sizeof **box, last_first);
    return n;
}

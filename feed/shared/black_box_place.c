/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * black_box_place.c: lists the files of black boxes.
 */
#include "config.h"

#include "feed/shared/black_box_place.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

size_t shared_box_places(char place[SHARED_BOX_PLACES][SHARED_PATH_MAX])
{
    size_t n = registry_dirs(place);
    snprintf(place[n], SHARED_PATH_MAX, "/dev/shm/proftop-%lu", (unsigned long)geteuid());
    for (size_t i = 0; i < n; i++)
        if (strcmp(place[i], place[n]) == 0)
            return n;
    return n + 1;
}

bool shared_box_runs(uint64_t pid, uint64_t start)
{
    return shared_process_start(pid) == start;
}

/* Reads "<pid>-<start>-<n>.box". Returns false for other names. */
static bool read_name(const char *name, struct shared_box_file *file)
{
    char *end;
    file->pid = strtoull(name, &end, 10);
    if (end == name || *end != '-')
        return false;
    const char *next = end + 1;
    file->start = strtoull(next, &end, 10);
    if (end == next || *end != '-')
        return false;
    next = end + 1;
    strtoull(next, &end, 10);
    return end != next && strcmp(end, SHARED_BOX_END) == 0;
}

static bool find(const char *place, const char *name, struct shared_box_file *file)
{
    struct stat st;
    if (!read_name(name, file))
        return false;
    const int size = snprintf(file->path, sizeof file->path, "%s/%s", place, name);
    if (size < 0 || (size_t)size >= sizeof file->path || lstat(file->path, &st) != 0 ||
        !S_ISREG(st.st_mode) || st.st_uid != geteuid())
        return false;
    file->made_ns = (uint64_t)st.st_mtim.tv_sec * 1000000000 + (uint64_t)st.st_mtim.tv_nsec;
    return true;
}

static int newest_first(const void *a, const void *b)
{
    const struct shared_box_file *x = a, *y = b;
    return (x->made_ns < y->made_ns) - (x->made_ns > y->made_ns);
}

size_t shared_box_files(const char *place, struct shared_box_file **file)
{
    size_t n = 0, capacity = 0;
    *file = NULL;
    DIR *dir = opendir(place);
    for (struct dirent *entry; dir != NULL && (entry = readdir(dir)) != NULL;) {
        if (n == capacity) {
            struct shared_box_file *grown = realloc(*file, (2 * capacity + 8) * sizeof *grown);
            if (grown == NULL)
                break;
            *file = grown;
            capacity = 2 * capacity + 8;
        }
        n += find(place, entry->d_name, &(*file)[n]);
    }
    if (dir != NULL)
        closedir(dir);
    if (n > 1)
        qsort(*file, n, sizeof **file, newest_first);
    return n;
}

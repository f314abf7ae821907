/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * file.c: files that are written whole.
 */
#include "config.h"

#include "file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PIECE = 1 << 20 }; /* bytes that are written without a look at who would have us stop */

static bool write_all(int fd, const char *data, size_t size, const _Atomic bool *stop)
{
    while (size > 0) {
        errno = ECANCELED;
        if (stop != NULL && *stop)
            return false;
        ssize_t written = write(fd, data, size < PIECE ? size : PIECE);
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0)
            return false;
        data += written;
        size -= (size_t)written;
    }
    return true;
}

/* What lies under the name of a draft was left by a process that is no more, since the name has our
 * id: it makes way, and nothing that others put there is followed. */
static bool write_draft(const char *draft, const char *data, size_t size,
                        const _Atomic bool *stop)
{
    unlink(draft);
    int fd = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
    if (fd < 0)
        return false;
    bool good = write_all(fd, data, size, stop);
    int error = errno;
    if (close(fd) != 0 && good) { /* some file systems say then that there is no room */
        error = errno;
        good = false;
    }
    if (!good)
        unlink(draft);
    errno = error;
    return good;
}

/* A link takes nobody's place, whoever was quicker. */
static bool give_name(const char *draft, const char *name, bool over)
{
    bool good = (over ? rename(draft, name) : link(draft, name)) == 0;
    int error = errno;
    if (!good || !over)
        unlink(draft);
    errno = error;
    return good;
}

/* Of what is no file a file would take the place: of a device for good. */
static bool is_special(const char *name)
{
    struct stat found;
    return stat(name, &found) == 0 && !S_ISREG(found.st_mode) && !S_ISDIR(found.st_mode);
}

bool feed_file_write(const char *name, const char *data, size_t size, bool over,
                     const _Atomic bool *stop, char *why, size_t capacity)
{
    char draft[4096];
    if (is_special(name)) {
        snprintf(why, capacity, "%.512s can't be written: it is a device, a pipe or a socket",
                 name);
        return false;
    }
    int length = snprintf(draft, sizeof draft, "%s.%ld.part", name, (long)getpid());
    errno = ENAMETOOLONG;
    bool good = length < (int)sizeof draft && write_draft(draft, data, size, stop) &&
                give_name(draft, name, over);
    if (!good && errno == EEXIST)
        snprintf(why, capacity, "%.512s is there already; --force replaces it", name);
    else if (!good)
        snprintf(why, capacity, "%.512s can't be written: %s", name, strerror(errno));
    return good;
}

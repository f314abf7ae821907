/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * atomic_file.c: writes files atomically.
 */
#include "config.h"

#include "feed/shared/atomic_file.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "feed/shared/text_buffer.h"

enum {
    PIECE = 1 << 20,    /* bytes written between two checks of `stop` */
    PATIENCE_MS = 1000, /* with a slow reader */
};

/* Waits until a non-blocking pipe or terminal takes data. False after PATIENCE_MS. */
static bool wait_for_room(int fd)
{
    struct pollfd end = {.fd = fd, .events = POLLOUT};
    int ready = poll(&end, 1, PATIENCE_MS);
    errno = EAGAIN;
    return ready > 0;
}

static bool write_all(int fd, const char *data, size_t size, const _Atomic bool *stop)
{
    while (size > 0) {
        errno = ECANCELED;
        if (stop != NULL && *stop)
            return false;
        ssize_t written = write(fd, data, size < PIECE ? size : PIECE);
        if (written < 0 && (errno == EINTR || (errno == EAGAIN && wait_for_room(fd))))
            continue;
        if (written <= 0)
            return false;
        data += written;
        size -= (size_t)written;
    }
    return true;
}

/* Writes the draft. A file under the draft's name was left by a dead process, because the name
 * contains our pid. It is removed; O_EXCL and O_NOFOLLOW refuse a file or link made by another user
 * since. */
static bool write_draft(const char *draft, const char *data, size_t size,
                        const _Atomic bool *stop)
{
    unlink(draft);
    int fd = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
    if (fd < 0)
        return false;
    bool good = write_all(fd, data, size, stop);
    int error = errno;
    if (close(fd) != 0 && good) { /* some file systems report a full disk only here */
        error = errno;
        good = false;
    }
    if (!good)
        unlink(draft);
    errno = error;
    return good;
}

/* Renames the draft. Without `over` it uses a link, which never replaces an existing file. */
static bool give_name(const char *draft, const char *name, bool over)
{
    bool good = (over ? rename(draft, name) : link(draft, name)) == 0;
    int error = errno;
    if (!good || !over)
        unlink(draft);
    errno = error;
    return good;
}

/* ------------------------------------------------------------------------------ names and links */

enum { LINKS = 40, PATH = 4096 };

/* The target of a chain of links. */
struct target {
    char path[PATH]; /* the file itself; for a descriptor, its link in /proc */
    bool special;    /* no regular file: written to in place */
    bool regular;    /* a descriptor of a regular file; `special` too */
    int own;         /* the descriptor's number in this process; else -1 */
};

/* Copies the directory of a path, with a trailing slash. */
static void folder_of(const char *path, char folder[PATH])
{
    const char *slash = strrchr(path, '/');
    snprintf(folder, PATH, "%.*s", slash ? (int)(slash - path + 1) : 2, slash ? path : "./");
}

/* Links in /proc stand for descriptors, whatever their text says. */
static bool is_descriptor(const char *path, const char *folder)
{
    struct statfs system;
    return statfs(folder, &system) == 0 && system.f_type == PROC_SUPER_MAGIC &&
           strstr(path, "fd/") != NULL;
}

/* Number of a descriptor of this process; -1: of another process. */
static int own_descriptor(const char *path, const char *folder)
{
    char whole[PATH], ours[64];
    const char *name = strrchr(path, '/');
    snprintf(ours, sizeof ours, "/proc/%ld/", (long)getpid());
    return name != NULL && realpath(folder, whole) != NULL &&
                   strncmp(whole, ours, strlen(ours)) == 0
               ? atoi(name + 1)
               : -1;
}

/* True if another user made the link, and so chooses the file to be written. */
static bool is_foreign(const struct stat *link, const char *folder)
{
    struct stat in;
    if (stat(folder, &in) != 0 || (in.st_mode & (S_IWOTH | S_IWGRP)) == 0)
        return false;
    return link->st_uid != geteuid() && link->st_uid != in.st_uid;
}

/* Replaces the name of a link by its text. */
static bool follow_link(char path[PATH], char folder[PATH])
{
    char text[PATH];
    ssize_t size = readlink(path, text, sizeof text - 1);
    if (size <= 0)
        return false;
    text[size] = 0;
    int length = text[0] == '/' ? snprintf(path, PATH, "%s", text)
                                : snprintf(path, PATH, "%s%s", folder, text);
    errno = ENAMETOOLONG;
    return length < PATH;
}

/* Returns NULL, or why the name can't be written. */
static const char *find_target(const char *name, struct target *target)
{
    char folder[PATH];
    struct stat found;
    *target = (struct target){.own = -1};
    if (snprintf(target->path, PATH, "%s", name) >= PATH)
        return strerror(ENAMETOOLONG);
    for (int i = 0; i < LINKS; i++) {
        if (lstat(target->path, &found) != 0)
            return NULL;
        if (!S_ISLNK(found.st_mode)) {
            target->special = !S_ISREG(found.st_mode) && !S_ISDIR(found.st_mode);
            return NULL;
        }
        folder_of(target->path, folder);
        if (is_descriptor(target->path, folder)) {
            target->special = true;
            target->regular = stat(target->path, &found) == 0 && S_ISREG(found.st_mode);
            target->own = own_descriptor(target->path, folder);
            return NULL;
        }
        if (is_foreign(&found, folder))
            return "it is a link of another user in a folder that others can write to";
        if (!follow_link(target->path, folder))
            return strerror(errno);
    }
    return strerror(ELOOP);
}

/* Opens a device, a pipe or a descriptor. A descriptor of this process is duplicated, because it
 * shares its position with others. A thread with a `stop` flag must not block, so it opens a pipe
 * or a terminal anew. */
static int open_special(const struct target *target, bool may_block)
{
    if (target->own >= 0 && (may_block || target->regular))
        return fcntl(target->own, F_DUPFD_CLOEXEC, 0);
    return open(target->path, O_WRONLY | O_APPEND | O_NOCTTY | O_CLOEXEC |
                                  (may_block ? 0 : O_NONBLOCK));
}

static bool write_special(const struct target *target, const char *data, size_t size,
                          const _Atomic bool *stop)
{
    int fd = open_special(target, stop == NULL);
    if (fd < 0)
        return false;
    bool good = write_all(fd, data, size, stop);
    int error = errno;
    if (close(fd) != 0 && good) {
        error = errno;
        good = false;
    }
    errno = error;
    return good;
}

bool shared_file_write(const char *name, const char *data, size_t size, bool over,
                       const _Atomic bool *stop, char *why, size_t capacity)
{
    char draft[PATH];
    struct target target;
    const char *wrong = find_target(name, &target);
    if (wrong != NULL) {
        snprintf(why, capacity, "%.512s can't be written: %s", name, wrong);
        shared_make_plain(why);
        return false;
    }
    bool good;
    if (target.special) {
        good = write_special(&target, data, size, stop);
    } else {
        int length = snprintf(draft, sizeof draft, "%s.%ld.part", target.path, (long)getpid());
        errno = ENAMETOOLONG;
        good = length < (int)sizeof draft && write_draft(draft, data, size, stop) &&
               give_name(draft, target.path, over);
    }
    if (!good && errno == EEXIST)
        snprintf(why, capacity, "%.512s is there already; --force replaces it", name);
    else if (!good && target.special && errno == ENXIO)
        snprintf(why, capacity, "%.512s can't be written: nobody reads from it", name);
    else if (!good && errno == EAGAIN)
        snprintf(why, capacity, "%.512s can't be written: who reads from it is too slow", name);
    else if (!good)
        snprintf(why, capacity, "%.512s can't be written: %s", name, strerror(errno));
    if (!good)
        shared_make_plain(why);
    return good;
}

bool shared_file_head(const char *path, char *text, size_t capacity)
{
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    const ssize_t size = fd < 0 ? -1 : read(fd, text, capacity - 1);
    if (fd >= 0)
        close(fd);
    text[size > 0 ? size : 0] = 0;
    return size > 0;
}

/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * keygen.c: makes a key pair.
 */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zmq.h>

#include "feed/shared/keys.h"
#include "feed/shared/system_calls.h"

enum { TEXT_SIZE = 512 };

/* Makes the missing directories of a path, accessible to this user alone. */
static bool make_folders(const char *path, char *why, size_t capacity)
{
    char part[SHARED_PATH_MAX];
    struct stat st;
    for (const char *slash = path; (slash = strchr(slash + 1, '/')) != NULL;) {
        snprintf(part, sizeof part, "%.*s", (int)(slash - path), path);
        mkdir(part, 0700);
    }
    if (mkdir(path, 0700) != 0 && errno != EEXIST) {
        snprintf(why, capacity, "%.200s can't be made: %s", path, strerror(errno));
        return false;
    }
    if (stat(path, &st) == 0 && S_ISDIR(st.st_mode) && st.st_uid == geteuid() &&
        (st.st_mode & 022) == 0)
        return true;
    snprintf(why, capacity, "%.200s is not a directory that this user alone can write", path);
    return false;
}

static bool write_new(const char *path, mode_t mode, const char *text, char *why, size_t capacity)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode);
    size_t size = strlen(text);
    bool written = fd >= 0 && fchmod(fd, mode) == 0 && write(fd, text, size) == (ssize_t)size &&
                   fsync(fd) == 0;
    int error = errno;
    if (fd >= 0)
        close(fd);
    if (written)
        return true;
    if (fd >= 0)
        unlink(path);
    if (error == EEXIST)
        snprintf(why, capacity, "%.200s is there already: choose another name, or remove it", path);
    else
        snprintf(why, capacity, "%.200s can't be written: %s", path, strerror(error));
    return false;
}

/* True if the name has plain characters alone: it is typed into `authorized` and shown on a
 * screen. */
static bool is_plain(const char *name)
{
    size_t size = strlen(name);
    return size > 0 && size < SHARED_KEY_NAME && name[0] != '.' &&
           strspn(name, "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-_.") ==
               size;
}

bool shared_key_make(const char *place, const char *name, char public[SHARED_KEY_SIZE], char *why,
                     size_t capacity)
{
    char secret[SHARED_KEY_SIZE], text[TEXT_SIZE], path[SHARED_PATH_MAX + 64];
    if (!is_plain(name)) {
        snprintf(why, capacity, "the name of a key is 1 to %d letters, digits, - and _, and .",
                 SHARED_KEY_NAME - 1);
        return false;
    }
    if (zmq_curve_keypair(public, secret) != 0) {
        snprintf(why, capacity, "this libzmq has no CURVE, so it can make no keys");
        return false;
    }
    if (!make_folders(place, why, capacity))
        return false;
    snprintf(path, sizeof path, "%s/%s.key", place, name);
    snprintf(text, sizeof text,
             "# Whoever can read this file can pass for you. proftop keygen made it.\n"
             "public = %s\nsecret = %s\n",
             public, secret);
    bool done = write_new(path, 0600, text, why, capacity);
    shared_erase(secret, sizeof secret);
    shared_erase(text, sizeof text);
    if (!done)
        return false;
    snprintf(path, sizeof path, "%s/%s.pub", place, name);
    snprintf(text, sizeof text, "# For those who shall know that it is you.\npublic = %s\n",
             public);
    struct stat found;
    if (lstat(path, &found) == 0 && S_ISREG(found.st_mode))
        unlink(path); /* left from a pair whose secret key is gone */
    return write_new(path, 0644, text, why, capacity);
}

/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * entrance.c: lets viewers in, few at a time.
 */
#include "config.h"

#include "entrance.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>
#include <zmq.h>

enum { BELL_WAITS = 1 };

bool feed_file_is_ours(const struct feed_file *file)
{
    struct stat st;
    return lstat(file->path, &st) == 0 && st.st_dev == file->device && st.st_ino == file->inode;
}

void feed_file_note(struct feed_file *file)
{
    struct stat st;
    bool there = lstat(file->path, &st) == 0;
    file->device = there ? st.st_dev : 0;
    file->inode = there ? st.st_ino : 0;
}

void feed_file_remove(struct feed_file *file)
{
    if (file->path[0] != 0 && feed_file_is_ours(file))
        unlink(file->path);
}

static void address(struct sockaddr_un *at, const char *path)
{
    *at = (struct sockaddr_un){.sun_family = AF_UNIX};
    snprintf(at->sun_path, sizeof at->sun_path, "%s", path);
}

static int socket_at(struct sockaddr_un *at, const char *path)
{
    address(at, path);
    return socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
}

/* Comes and goes; who waits is there until he is taken, even if he has gone. False: nobody listens
 * there. EAGAIN: others come as well. */
static bool knock(const char *path)
{
    struct sockaddr_un at;
    int fd = socket_at(&at, path);
    bool heard =
        fd >= 0 && (connect(fd, (struct sockaddr *)&at, sizeof at) == 0 || errno == EAGAIN);
    if (fd >= 0)
        close(fd);
    return heard;
}

static void end_close(int *end)
{
    if (*end >= 0)
        close(*end);
    *end = -1;
}

static bool somebody_waits(int at)
{
    struct pollfd door = {.fd = at, .events = POLLIN};
    return poll(&door, 1, 0) > 0;
}

/* What listens at a path where nothing is; -1, with errno: nothing. */
static int listen_at(const char *path, int waits)
{
    struct sockaddr_un at;
    int fd = socket_at(&at, path);
    unlink(path);
    if (fd >= 0 && (bind(fd, (struct sockaddr *)&at, sizeof at) != 0 || listen(fd, waits) != 0)) {
        int error = errno;
        end_close(&fd);
        errno = error;
    }
    return fd;
}

/* Puts a new listener in the place of what is at the path, in one step: nobody finds none. False
 * with errno: all is as it was. */
static bool replace(struct feed_entrance *l)
{
    int next = listen_at(l->draft, l->waits);
    if (next >= 0 && rename(l->draft, l->file.path) == 0) {
        l->open = next;
        feed_file_note(&l->file);
        return true;
    }
    int error = errno;
    end_close(&next);
    unlink(l->draft);
    errno = error;
    return false;
}

/* Those who wait at the path now are libzmq's, and those who come later wait at another. */
static bool hand_over(struct feed_entrance *l)
{
    int full = l->open;
    if (!replace(l))
        return false;
    dup2(full, l->given);
    close(full);
    return true;
}

static bool ring(struct feed_entrance *l)
{
    return l->rings = knock(l->bell_path);
}

/* Also where somebody else has rung, but whoever does it all the time is not waited for. */
static void silence(struct feed_entrance *l)
{
    enum { WAITS = 1 + BELL_WAITS };
    for (int i = 0, fd = 0; i < WAITS && fd >= 0 && l->bell >= 0; i++) {
        fd = accept(l->bell, NULL, NULL);
        if (fd >= 0)
            close(fd);
    }
    l->rings = false;
}

void feed_entrance_endpoint(char out[FEED_ENDPOINT_SIZE], const char *path)
{
    snprintf(out, FEED_ENDPOINT_SIZE, "ipc://%s", path);
}

/* With `fd`, which is at the path, as what listens; -1: libzmq makes that itself. */
static bool bind_to(struct feed_entrance *l, const char *path, int fd)
{
    char at[FEED_ENDPOINT_SIZE];
    const int none = -1;
    feed_entrance_endpoint(at, path);
    zmq_setsockopt(l->socket, ZMQ_USE_FD, &fd, sizeof fd);
    const bool done = zmq_bind(l->socket, at) == 0;
    zmq_setsockopt(l->socket, ZMQ_USE_FD, &none, sizeof none);
    return done;
}

static void unbind_from(struct feed_entrance *l, const char *path)
{
    char at[FEED_ENDPOINT_SIZE];
    feed_entrance_endpoint(at, path);
    zmq_unbind(l->socket, at);
}

static bool bind_bell(struct feed_entrance *l)
{
    l->bell = listen_at(l->bell_path, BELL_WAITS);
    l->given = l->bell < 0 ? -1 : fcntl(l->bell, F_DUPFD_CLOEXEC, 0);
    l->bound = l->given >= 0 && bind_to(l, l->bell_path, l->given);
    return l->bound;
}

/* Only once the bell is in libzmq's epoll may another file get its number, by which it is put
 * there: by another thread, which does what it is told in order. So it is told, behind the bell, of
 * one end of a pair, and to close that: then the other end hears it. */
static bool ask_for_proof(struct feed_entrance *l)
{
    struct sockaddr_un at;
    int pair[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, pair) != 0)
        return false;
    address(&at, l->draft);
    unlink(l->draft);
    const bool asked =
        bind(pair[0], (struct sockaddr *)&at, sizeof at) == 0 && bind_to(l, l->draft, pair[0]);
    l->proof = pair[1];
    if (asked)
        unbind_from(l, l->draft);
    else
        end_close(&pair[0]);
    return asked;
}

static bool bind_plain(struct feed_entrance *l)
{
    l->bound = bind_to(l, l->file.path, -1);
    feed_file_note(&l->file);
    return l->bound;
}

bool feed_entrance_open(struct feed_entrance *l)
{
    l->open = l->given = l->bell = l->proof = -1;
    l->bound = l->rings = false;
    errno = EADDRINUSE;
    if (knock(l->file.path)) /* his place would be taken without a word */
        return false;
    if (l->waits == 0 ? bind_plain(l) : bind_bell(l) && ask_for_proof(l) && replace(l))
        return true;
    int error = errno;
    feed_entrance_close(l);
    errno = error;
    return false;
}

bool feed_entrance_admit(struct feed_entrance *l)
{
    if (l->open < 0 || (l->rings && somebody_waits(l->given)) ||
        (l->proof >= 0 && !somebody_waits(l->proof)))
        return true;
    silence(l);
    if (l->proof >= 0 || somebody_waits(l->open)) {
        if (!hand_over(l))
            return false;
        end_close(&l->proof);
    }
    return !somebody_waits(l->given) || ring(l);
}

void feed_entrance_close(struct feed_entrance *l)
{
    silence(l);
    if (l->bell >= 0 && l->given >= 0) /* libzmq's epoll forgets it by the number */
        dup2(l->bell, l->given);
    if (l->bound)
        unbind_from(l, l->waits == 0 ? l->file.path : l->bell_path); /* and it is closed there */
    else
        end_close(&l->given);
    l->bound = false;
    l->given = -1;
    if (l->bell >= 0)
        unlink(l->bell_path);
    end_close(&l->bell);
    end_close(&l->proof);
    end_close(&l->open);
    feed_file_remove(&l->file);
}

void feed_entrance_doors(const struct feed_entrance *l, int door[FEED_ENTRANCE_DOORS])
{
    const bool ready = l->proof < 0 && !l->rings;
    door[0] = ready ? l->open : l->proof;
    door[1] = ready ? l->bell : -1;
    door[2] = ready ? l->given : -1;
}

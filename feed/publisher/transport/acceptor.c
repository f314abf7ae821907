/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * acceptor.c: lets viewers in, few at a time.
 */
#include "config.h"

#include "feed/publisher/record/clock.h"
#include "feed/publisher/transport/acceptor.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>
#include <zmq.h>

enum {
    NUMBERS = 1024, /* of descriptors that are looked at for connections */
    TAKES_MS = 1,   /* libzmq is asked again after it whether it has taken all */
    PACE_MS = 20,   /* a crowd is let in so often: a listener takes some 50 us, on a disk more */
};

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

/* EAGAIN: others come as well. */
static bool somebody_listens(const char *path)
{
    struct sockaddr_un at;
    int fd = socket_at(&at, path);
    bool heard =
        fd >= 0 && (connect(fd, (struct sockaddr *)&at, sizeof at) == 0 || errno == EAGAIN);
    if (fd >= 0)
        close(fd);
    return heard;
}

/* Leaves errno, which says why it has to be closed. */
static void end_close(int *end)
{
    int error = errno;
    if (*end >= 0)
        close(*end);
    *end = -1;
    errno = error;
}

/* The same of what is not to be, and its file. */
static void discard(const char *path, int *fd)
{
    int error = errno;
    end_close(fd);
    unlink(path);
    errno = error;
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
    unlink(path);
    int fd = socket_at(&at, path);
    if (fd >= 0 && (bind(fd, (struct sockaddr *)&at, sizeof at) != 0 || listen(fd, waits) != 0))
        end_close(&fd);
    return fd;
}

/* Puts a new listener in the place of what is at the path, in one step: nobody finds none. False
 * with errno: all is as it was. */
static bool replace(struct publisher_acceptor *l)
{
    int next = listen_at(l->draft, l->waits);
    if (next >= 0 && rename(l->draft, l->file.path) == 0) {
        l->open = next;
        publisher_own_file_note(&l->file);
        return true;
    }
    discard(l->draft, &next);
    return false;
}

/* Whether libzmq is told of those who wait at its listener. */
static bool ring(const struct publisher_acceptor *l, int operation, uint32_t events)
{
    struct epoll_event event = {.events = events};
    return epoll_ctl(l->bell, operation, l->given, &event) == 0;
}

/* Those who wait at the path now are libzmq's, and those who come later wait at another. The last
 * listener, which nobody waits at, goes from the bell as it is closed. */
static bool hand_over(struct publisher_acceptor *l)
{
    int next = l->open;
    if (!replace(l))
        return false;
    dup2(next, l->given);
    close(next);
    l->handed = true;
    l->rings = ring(l, EPOLL_CTL_ADD, EPOLLIN);
    return true;
}

void publisher_acceptor_endpoint(char out[SHARED_ENDPOINT_SIZE], const char *path)
{
    snprintf(out, SHARED_ENDPOINT_SIZE, "ipc://%s", path);
}

/* With `fd`, which is at the path, as what listens; -1: libzmq makes that itself. */
static bool bind_to(struct publisher_acceptor *l, const char *path, int fd)
{
    char at[SHARED_ENDPOINT_SIZE];
    const int none = -1;
    publisher_acceptor_endpoint(at, path);
    zmq_setsockopt(l->socket, ZMQ_USE_FD, &fd, sizeof fd);
    const bool done = zmq_bind(l->socket, at) == 0;
    zmq_setsockopt(l->socket, ZMQ_USE_FD, &none, sizeof none);
    return done;
}

static void unbind_from(struct publisher_acceptor *l, const char *path)
{
    char at[SHARED_ENDPOINT_SIZE];
    publisher_acceptor_endpoint(at, path);
    zmq_unbind(l->socket, at);
}

/* The bell has no name, so what is bound stays so until the socket is closed. */
static bool bind_bell(struct publisher_acceptor *l)
{
    l->bell = epoll_create1(EPOLL_CLOEXEC);
    l->given = l->bell < 0 ? -1 : fcntl(l->bell, F_DUPFD_CLOEXEC, 0);
    return l->given >= 0 && bind_to(l, l->file.path, l->given);
}

/* Only once the bell is in libzmq's epoll may a listener get its number, by which it is put there:
 * by another thread, which does what it is told in order. So it is told, behind the bell, of
 * one end of a pair, and to close that: then the other end hears it. */
static bool ask_for_proof(struct publisher_acceptor *l)
{
    struct sockaddr_un at;
    int pair[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, pair) != 0)
        return false;
    address(&at, l->draft);
    unlink(l->draft);
    l->proves =
        bind(pair[0], (struct sockaddr *)&at, sizeof at) == 0 && bind_to(l, l->draft, pair[0]);
    if (l->proves) {
        unbind_from(l, l->draft);
        l->proof = pair[1];
        return true;
    }
    discard(l->draft, &pair[0]);
    end_close(&pair[1]);
    return false;
}

/* Gives libzmq its number back as it knows it, for its epoll forgets it by that. It must not accept
 * from the bell, which is no socket. It does only if it has heard of somebody who still waits: so
 * where nobody waits once it hears of nobody, it will not. */
static bool take_back(struct publisher_acceptor *l)
{
    while (ring(l, EPOLL_CTL_MOD, 0) && somebody_waits(l->given)) {
        ring(l, EPOLL_CTL_MOD, EPOLLIN);
        poll(NULL, 0, TAKES_MS);
    }
    return dup2(l->bell, l->given) >= 0;
}

static bool bind_plain(struct publisher_acceptor *l)
{
    l->bound = bind_to(l, l->file.path, -1);
    if (l->bound)
        publisher_own_file_note(&l->file);
    return l->bound;
}

static bool bind_once(struct publisher_acceptor *l)
{
    if (l->bound)
        return true;
    l->proves = l->handed = l->rings = false;
    l->given = l->bell = l->proof = -1;
    l->bound = bind_bell(l);
    if (!l->bound) {
        end_close(&l->given);
        end_close(&l->bell);
    }
    return l->bound;
}

bool publisher_acceptor_open(struct publisher_acceptor *l)
{
    l->open = -1;
    l->full = false;
    if (somebody_listens(l->file.path)) { /* his place would be taken without a word */
        errno = EADDRINUSE;
        return false;
    }
    return l->waits == 0 ? bind_plain(l)
                         : bind_once(l) && (l->proves || ask_for_proof(l)) && replace(l);
}

/* Whether libzmq still has some to take, of whom it may not even hear: the kernel had no memory. */
static bool is_taking(struct publisher_acceptor *l)
{
    if (l->handed && !l->rings)
        l->rings = ring(l, EPOLL_CTL_ADD, EPOLLIN);
    return l->handed && somebody_waits(l->given);
}

bool publisher_acceptor_requested(struct publisher_acceptor *l, uint64_t now_ns)
{
    if (l->open < 0 || (l->proof >= 0 && !somebody_waits(l->proof)))
        return false;
    end_close(&l->proof);
    const bool asked = somebody_waits(l->open), heard = !l->handed || l->rings;
    l->full = (asked || !heard) && (now_ns < l->again_ns || is_taking(l));
    if (l->full && now_ns >= l->again_ns)
        l->again_ns = now_ns + TAKES_MS * PUBLISHER_MS_NS;
    return asked && !l->full;
}

bool publisher_acceptor_admit(struct publisher_acceptor *l, uint64_t now_ns)
{
    if (!hand_over(l))
        return false;
    l->again_ns = now_ns + PACE_MS * PUBLISHER_MS_NS;
    l->full = !l->rings;
    return true;
}

static bool came_by(const struct publisher_acceptor *l, int fd)
{
    struct sockaddr_un at = {0};
    int listens = 1;
    socklen_t size = sizeof at - 1, one = sizeof listens;
    const char *own = strrchr(l->draft, '/'), *name;
    return getsockname(fd, (struct sockaddr *)&at, &size) == 0 && at.sun_family == AF_UNIX &&
           (name = strrchr(at.sun_path, '/')) != NULL && strcmp(name, own) == 0 &&
           getsockopt(fd, SOL_SOCKET, SO_ACCEPTCONN, &listens, &one) == 0 && !listens;
}

void publisher_acceptor_shed(struct publisher_acceptor *l)
{
    const bool begun = l->bound && l->waits > 0 && l->proof < 0;
    for (int fd = 0; fd < NUMBERS && begun; fd++)
        if (came_by(l, fd))
            shutdown(fd, SHUT_RDWR);
}

void publisher_acceptor_close(struct publisher_acceptor *l)
{
    publisher_own_file_remove(&l->file);
    if (!l->bound)
        return;
    if (l->waits == 0) {
        unbind_from(l, l->file.path);
        l->bound = false;
        return;
    }
    end_close(&l->open);
    l->full = false;
}

bool publisher_acceptor_release(struct publisher_acceptor *l)
{
    publisher_acceptor_close(l);
    if (!l->bound)
        return true;
    if (l->handed && !take_back(l))
        return false;
    end_close(&l->bell);
    end_close(&l->proof);
    l->bound = false;
    return true;
}

int publisher_acceptor_path(const struct publisher_acceptor *l)
{
    if (!l->bound || l->open < 0)
        return -1;
    return l->proof >= 0 ? l->proof : l->full ? -1 : l->open;
}

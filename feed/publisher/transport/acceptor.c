/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * acceptor.c: admits viewers, few at a time.
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
    NUMBERS = 1024, /* descriptors that are searched for connections */
    TAKES_MS = 1,   /* pause before libzmq is checked again for untaken connections */
    PACE_MS = 20,   /* between admissions: a new listener takes some 50 us, on a disk more */
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

/* EAGAIN: the path has a listener, but its queue is full. */
static bool somebody_listens(const char *path)
{
    struct sockaddr_un at;
    int fd = socket_at(&at, path);
    bool listens =
        fd >= 0 && (connect(fd, (struct sockaddr *)&at, sizeof at) == 0 || errno == EAGAIN);
    if (fd >= 0)
        close(fd);
    return listens;
}

/* Preserves errno, the reason for the close. */
static void end_close(int *end)
{
    int error = errno;
    if (*end >= 0)
        close(*end);
    *end = -1;
    errno = error;
}

/* Closes a failed listener and removes its file. Preserves errno. */
static void discard(const char *path, int *fd)
{
    int error = errno;
    end_close(fd);
    unlink(path);
    errno = error;
}

static bool somebody_waits(int at)
{
    struct pollfd item = {.fd = at, .events = POLLIN};
    return poll(&item, 1, 0) > 0;
}

/* Makes a listener at a path, removing any file there. -1 with errno on failure. */
static int listen_at(const char *path, int waits)
{
    struct sockaddr_un at;
    unlink(path);
    int fd = socket_at(&at, path);
    if (fd >= 0 && (bind(fd, (struct sockaddr *)&at, sizeof at) != 0 || listen(fd, waits) != 0))
        end_close(&fd);
    return fd;
}

/* Replaces the listener at the path by a new one. The rename is atomic: a client always finds a
 * listener. False with errno: nothing has changed. */
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

/* Sets whether the bell reports connections that wait at libzmq's listener. False if that fails. */
static bool ring(const struct publisher_acceptor *l, int operation, uint32_t events)
{
    struct epoll_event event = {.events = events};
    return epoll_ctl(l->bell, operation, l->given, &event) == 0;
}

/* Gives libzmq the connections that wait at the path now; later ones wait at a new listener. The
 * dup2() closes libzmq's last listener, whose queue is empty, and so removes it from the bell. */
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

/* Binds the socket to `path`. `fd` is the listener at the path; -1: libzmq makes it itself. */
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

/* Binds to the bell. The bell has no name, so the binding lasts until the socket is closed. */
static bool bind_bell(struct publisher_acceptor *l)
{
    l->bell = epoll_create1(EPOLL_CLOEXEC);
    l->given = l->bell < 0 ? -1 : fcntl(l->bell, F_DUPFD_CLOEXEC, 0);
    return l->given >= 0 && bind_to(l, l->file.path, l->given);
}

/* A listener may get the bell's number only after another thread of libzmq has put that number into
 * its epoll. That thread works through its commands in order. So it is told, after the bell, to
 * bind one end of a socket pair and to close it. The other end then sees the close. */
static bool request_proof(struct publisher_acceptor *l)
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

/* Puts the bell back under libzmq's number, because libzmq's epoll removes the bell by that number.
 * libzmq must not accept from the bell, which is no socket. It accepts only after it was notified
 * of a waiting connection. So the notification is switched off; once no connection waits, libzmq
 * will not accept. */
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
    if (somebody_listens(l->file.path)) { /* another listener is there; a rename would silently
                                             replace it */
        errno = EADDRINUSE;
        return false;
    }
    return l->waits == 0 ? bind_plain(l)
                         : bind_once(l) && (l->proves || request_proof(l)) && replace(l);
}

/* True if libzmq still has connections to take. libzmq may not even have been notified of them, if
 * the kernel had no memory for the bell; then that is tried again. */
static bool is_taking(struct publisher_acceptor *l)
{
    if (l->handed && !l->rings)
        l->rings = ring(l, EPOLL_CTL_ADD, EPOLLIN);
    return l->handed && somebody_waits(l->given);
}

bool publisher_acceptor_can_admit(struct publisher_acceptor *l, uint64_t now_ns)
{
    if (l->open < 0 || (l->proof >= 0 && !somebody_waits(l->proof)))
        return false;
    end_close(&l->proof);
    const bool waits = somebody_waits(l->open), rung = !l->handed || l->rings;
    l->full = (waits || !rung) && (now_ns < l->again_ns || is_taking(l));
    if (l->full && now_ns >= l->again_ns)
        l->again_ns = now_ns + TAKES_MS * PUBLISHER_MS_NS;
    return waits && !l->full;
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

void publisher_acceptor_drop(struct publisher_acceptor *l)
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

int publisher_acceptor_descriptor(const struct publisher_acceptor *l)
{
    if (!l->bound || l->open < 0)
        return -1;
    return l->proof >= 0 ? l->proof : l->full ? -1 : l->open;
}

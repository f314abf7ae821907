/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * headroom.c: checks resources before libzmq needs them, and catches its aborts.
 */
#include "config.h"

#include "feed/viewer/stream/headroom.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include <zmq.h>

#include "feed/shared/resource_probe.h"

enum {
    CONTEXT = 6, /* descriptors of a context: for the epoll and the wake-up of each thread */
    JOB = 8,     /* of a job: two sockets, both ends of their monitors, two connections */
    OTHER = 8,   /* opened for a short time: the registry, a report */
    THREADS = 2, /* threads that libzmq starts */
    MEMORY = 8 * 1024 * 1024, /* more than libzmq takes at once */
};

/* Global because the limit belongs to the process. */
static struct {
    struct rlimit before;
    bool raised;
    void (*rescue)(void);
    int code;
    struct sigaction abort_before;
} all;

static void raise_limit(void)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= limit.rlim_max)
        return;
    if (!all.raised)
        all.before = limit;
    limit.rlim_cur = limit.rlim_max;
    all.raised = setrlimit(RLIMIT_NOFILE, &limit) == 0 || all.raised;
}

void viewer_headroom_restore(void)
{
    if (all.raised)
        setrlimit(RLIMIT_NOFILE, &all.before);
}

static bool has_descriptors(int wanted, char *why, size_t capacity)
{
    if (shared_probe_descriptors(wanted))
        return true;
    raise_limit();
    if (shared_probe_descriptors(wanted))
        return true;
    snprintf(why, capacity,
             "fewer than %d file descriptors are free, of %d: raise the hard limit (ulimit -Hn)",
             wanted, shared_probe_limit());
    return false;
}

static bool has_memory(void)
{
    return shared_probe_memory(MEMORY);
}

static bool refuse_memory(char *why, size_t capacity)
{
    snprintf(why, capacity, "there is too little memory for ZeroMQ: raise `ulimit -v`, or free "
                            "some");
    return false;
}

static bool has_threads(char *why, size_t capacity)
{
    const enum shared_lack lack = shared_probe_threads(THREADS, MEMORY);
    if (lack == SHARED_LACKS_MEMORY)
        return refuse_memory(why, capacity);
    if (lack == SHARED_LACKS_THREADS)
        snprintf(why, capacity,
                 "no thread can be started for ZeroMQ: raise `ulimit -u` or `ulimit -v`");
    return lack == SHARED_LACKS_NOTHING;
}

void *viewer_headroom_context(char *why, size_t capacity)
{
    struct rlimit limit;
    if (!has_descriptors(CONTEXT + JOB + OTHER, why, capacity) || !has_threads(why, capacity))
        return NULL;
    void *zmq = zmq_ctx_new();
    if (!zmq) {
        snprintf(why, capacity, "ZeroMQ could not start: %s", zmq_strerror(zmq_errno()));
        return NULL;
    }
    /* Each socket takes at least one descriptor. */
    rlim_t most = (rlim_t)zmq_ctx_get(zmq, ZMQ_SOCKET_LIMIT);
    if (getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_max < most)
        most = limit.rlim_max;
    zmq_ctx_set(zmq, ZMQ_MAX_SOCKETS, (int)most);
    /* libzmq starts its threads with the first socket. Do it while the resources are there. */
    void *first = zmq_socket(zmq, ZMQ_PAIR);
    if (first) {
        zmq_close(first);
        return zmq;
    }
    snprintf(why, capacity, "ZeroMQ could not start: %s", zmq_strerror(zmq_errno()));
    zmq_ctx_term(zmq);
    return NULL;
}

bool viewer_headroom_job(int connecting, char *why, size_t capacity)
{
    if (!has_descriptors(JOB + OTHER + connecting, why, capacity))
        return false;
    return has_memory() || refuse_memory(why, capacity);
}

void *viewer_headroom_socket(void *zmq, int type)
{
    if (!shared_probe_descriptors(JOB / 2))
        raise_limit();
    const bool free = shared_probe_descriptors(JOB / 2);
    if (free && has_memory())
        return zmq_socket(zmq, type);
    errno = free ? ENOMEM : EMFILE;
    return NULL;
}

void viewer_headroom_why(void *zmq, int error, char *why, size_t capacity)
{
    if (error == EMFILE && shared_probe_descriptors(JOB))
        snprintf(why, capacity, "all %d sockets that libzmq has are in use",
                 zmq_ctx_get(zmq, ZMQ_MAX_SOCKETS));
    else
        snprintf(why, capacity, "%s", zmq_strerror(error));
}

/* ----------------------------------------------------------------------------------- the net */

static const char *what_lacks(void)
{
    int fd[3], n = 0;
    while (n < 3 && (fd[n] = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3)) >= 0)
        n++;
    const bool full = n < 3 && errno == EMFILE;
    while (n > 0)
        close(fd[--n]);
    if (full)
        return "proftop: ZeroMQ gave up: it got no file descriptor; raise `ulimit -n`\n";
    if (!has_memory())
        return "proftop: ZeroMQ gave up: it got no memory; raise `ulimit -v`, or free some\n";
    return NULL;
}

/* Runs in any thread. An abort that is not due to a lack of resources proceeds as usual. */
static void on_abort(int number)
{
    const char *lack = what_lacks();
    if (lack) {
        all.rescue();
        ssize_t ignored = write(STDERR_FILENO, lack, strlen(lack));
        (void)ignored;
        _exit(all.code);
    }
    sigaction(number, &all.abort_before, NULL);
    raise(number);
}

void viewer_headroom_guard(void (*rescue)(void), int code)
{
    const struct sigaction action = {.sa_handler = on_abort};
    if (!all.rescue)
        sigaction(SIGABRT, &action, &all.abort_before);
    all.rescue = rescue;
    all.code = code;
}

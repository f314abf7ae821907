/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * state.h: the state of the Python extension, which all adapters share.
 *
 * Every function here runs with the GIL held and releases the GIL only to wait. Exceptions: the two
 * functions that compiled code calls (marks.c), and the function that opens a feed for them in a
 * forked child. So the state below stays consistent. The limited API, which the extension uses,
 * does not exist for builds of Python without a GIL. */
#ifndef PROFTOP_STATE_H
#define PROFTOP_STATE_H

#define PY_SSIZE_T_CLEAN
#define Py_LIMITED_API 0x03080000
#include <Python.h>
#include <stdint.h>
#include <sys/types.h>
#include <time.h>

#include "proftop.h"

/* CLOCK_MONOTONIC. Needs neither a feed nor the GIL. */
static inline uint64_t clock_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/* Thread-local variable at a fixed offset from the thread pointer: access needs no call. */
#define PER_THREAD _Thread_local __attribute__((tls_model("initial-exec")))

/* Saves reading a clock. Returns 1 if some milliseconds may have passed since the last call with
 * this `seen` that returned 1. `stamp` is the start of a libproftop token; 0 means unknown. */
static inline int may_be_later(uint64_t stamp, uint64_t *seen)
{
    if (stamp == PROFTOP_UNTIMED || (stamp != 0 && stamp >> 23 == *seen))
        return 0;
    *seen = stamp >> 23;
    return 1;
}

/* State of this process. It is mutable and global because the C VM passes a node only the node's
 * data, and because there is one interpreter with one feed. Changes need the GIL. */
enum { STATE_ADOPTED = 4 }; /* adapters that want to know of forked children */
struct state {
    struct proftop *feed;      /* NULL: closed, or in a forked child */
    struct proftop *inherited; /* the parent's feed, in a forked child that has counted nothing */
    unsigned feeds;     /* feeds opened so far: code begun under one must not end under another */
    pid_t opened_by;    /* the process that opened the feed. Guarded by the GIL */
    unsigned adoptions; /* forks between the process of the first feed and this one */
    void (*adopted[STATE_ADOPTED])(void); /* called after a forked child has opened its own feed */
    PyTypeObject *graph_type;
    PyTypeObject *thunk_type;
    PyTypeObject *wrap_type;
    PyObject *method_type;              /* types.MethodType */
    PyObject *no_args;                  /* () */
    PyObject *array_type, *scalar_type; /* numpy's types, or NULL */
};
extern struct state proftop_py;

/* Has `adopted` called after a forked child has opened its own feed. Again: no change. */
void proftop_py_on_adopt(void (*adopted)(void));

/* Returns the feed, or NULL. A forked child opens its own feed here when it first runs a function.
 * Until then it publishes nothing, like a child that only executes another program. Any thread may
 * call this; no GIL needed. */
struct proftop *proftop_py_adopt(void);
static inline struct proftop *proftop_py_feed(void)
{
    struct proftop *feed = __atomic_load_n(&proftop_py.feed, __ATOMIC_ACQUIRE);
    return feed || !__atomic_load_n(&proftop_py.inherited, __ATOMIC_ACQUIRE) ? feed
                                                                             : proftop_py_adopt();
}

/* The feed, without opening one in a forked child. Any thread. */
static inline struct proftop *proftop_py_feed_here(void)
{
    return __atomic_load_n(&proftop_py.feed, __ATOMIC_ACQUIRE);
}

/* Changes whenever the ids of counters, spans and memory become invalid: with each feed, and in a
 * forked child. Not 0 once there is a feed. Any thread. */
static inline unsigned proftop_py_objects(void)
{
    return __atomic_load_n(&proftop_py.feeds, __ATOMIC_RELAXED) +
           (__atomic_load_n(&proftop_py.adoptions, __ATOMIC_RELAXED) << 16);
}

/* Called in a forked child that has one thread now: marks the feed as the parent's. A feed that the
 * parent had closed, or had inherited and never used, stays as it is. */
void proftop_py_forked(void);

/* The apply of the Python node that this thread runs, plus 1; 0: none. A function called inside
 * becomes a child of that apply. */
extern PER_THREAD uint32_t proftop_py_open;
/* Calls of functions that this thread began, including calls counted by marks. */
extern PER_THREAD uint64_t proftop_py_calls;

/* Clears an error of the adapter's code. An error that is no Exception is the job's: SystemExit
 * from a signal handler that ran meanwhile, or from another thread that ends this one. It is raised
 * again later, in this thread. */
void clear_error(void);

#endif

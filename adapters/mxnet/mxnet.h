/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * mxnet.h: publishes the operators that MXNet's engine runs, by replacing functions inside
 * libmxnet.so.
 *
 * MXNet's own profiler is left alone. Known builds: 1.9.1 and 2.0.0b1 for x86-64 Linux. One thread
 * at a time may call mxnet_find() to mxnet_function_name() (the adapter holds the GIL). */
#ifndef PROFTOP_MXNET_H
#define PROFTOP_MXNET_H

#include <stdint.h>

#include "proftop.h"

/* Groups of replaced functions, one bit each. */
enum mxnet_feature {
    MXNET_ENGINE = 1, /* begin and end of each operator of the engine */
    MXNET_PUSH = 2,   /* operators inside ImperativeBulk, their nodes, shapes and functions */
    MXNET_NODES = 4,  /* nodes inside the segments of executors */
    MXNET_QUEUE = 8,  /* number of operators that wait for a thread, and their waiting time */
    MXNET_MEMORY = 16,
    MXNET_WAITS = 32, /* waitall(), asnumpy() and similar calls, on the caller's thread */
    MXNET_API = 64,   /* calls of the C interface */
    MXNET_ALL = 127,
    MXNET_STATS = 128 /* the sums of MXNet's own profiler, for unknown builds */
};

/* Defined by the module that links these files: the feed, or NULL while nothing is published; and
 * the number of feeds opened so far, since the ids of one feed are invalid in the next. Any thread
 * may call them at any time. */
struct proftop *mxnet_feed(void);
unsigned mxnet_feeds(void);
/* Changes whenever the ids of counters and memory become invalid: with each feed, and in a forked
 * child. The child's other ids are the parent's. */
unsigned mxnet_objects(void);
/* As mxnet_feed(), but opens no feed: for use during a fork(), and where nothing is counted. */
struct proftop *mxnet_feed_here(void);

/* Checks the libmxnet.so of this process and changes nothing. Returns NULL, or a static message if
 * its engine cannot be watched: it is not loaded, its functions are not where known builds have
 * them, or another program has replaced them. */
const char *mxnet_find(void);

/* The same check for the sums of MXNet's own profiler, whose layout has been the same since 1.5. An
 * unknown build can show only these. The profiler must run. */
const char *mxnet_find_stats(void);

/* Version of the library, static: "1.9.1" or "2.0.0b1"; "" for an unknown build. */
const char *mxnet_build(void);

/* Replaces the functions of these features (bits of enum mxnet_feature), after mxnet_find()
 * returned NULL. Returns NULL, or a message as above. Leaves out features that this build lacks. */
const char *mxnet_attach(unsigned features);
unsigned mxnet_attached(void); /* the active features */

/* Sets the calls and time of an operator since its profiler was started: for builds without even
 * the hook for the sums. */
void mxnet_set(const char *op, uint64_t calls, uint64_t ns);

/* Restores the library's own functions. Operators that run meanwhile end as usual. The code stays,
 * since queued operators still call it. */
void mxnet_detach(void);

/* Publishes the function of this CachedOp or Executor (an address inside MXNet) under a name.
 * Forgets an older object with the same address and another name. */
void mxnet_function_name(const void *object, const char *name);

/* Sets the Gluon scope ("net:dense0:") of a node of this CachedOp, and of its gradient. Must be
 * called before the node runs for the first time. */
void mxnet_node_scope(const void *object, const char *node, const char *scope);

/* Begin and end of a custom operator's Python code on this thread. `name`: its registered name. */
void mxnet_custom_begin(const char *name);
void mxnet_custom_end(void);

/* Publishes the sums of the queue. The adapter's thread does it ten times a second; call it before
 * a feed is closed. */
void mxnet_publish_queue(void);
/* Restarts that thread in a forked child, once the child has a feed. */
void mxnet_forked(void);

/* For tests: the number of replaced slots, and the number that hold the library's own function. */
struct mxnet_slots {
    unsigned all, original;
};
struct mxnet_slots mxnet_slots(void);

#endif

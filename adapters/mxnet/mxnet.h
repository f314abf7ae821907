/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * mxnet.h: publishes what MXNet's engine runs, by replacing functions inside libmxnet.so.
 *
 * MXNet's own profiler stays as the job has it. Known builds: 1.9.1 and 2.0.0b1 for x86-64 Linux.
 * mxnet_find() to mxnet_function_name() are for one thread at a time (the adapter holds the GIL).
 */
#ifndef PROFTOP_MXNET_H
#define PROFTOP_MXNET_H

#include <stdint.h>

#include "proftop.h"

/* Groups of replaced functions, one bit each. */
enum mxnet_feature {
    MXNET_ENGINE = 1, /* begin and end of each operator of the engine */
    MXNET_PUSH = 2,   /* operators inside ImperativeBulk, their nodes, shapes and functions */
    MXNET_NODES = 4,  /* nodes inside the segments of executors */
    MXNET_QUEUE = 8,  /* how many operators wait for a thread, and how long */
    MXNET_MEMORY = 16,
    MXNET_WAITS = 32, /* waitall(), asnumpy() and the like, on the caller's thread */
    MXNET_API = 64,   /* calls of the C interface */
    MXNET_ALL = 127,
    MXNET_STATS = 128 /* the sums of MXNet's own profiler, for unknown builds */
};

/* Defined by the module that links this. The feed, or NULL while nothing is published; and how many
 * feeds were opened, since ids of one mean nothing to the next. On any thread, at any time. */
struct proftop *mxnet_feed(void);
unsigned mxnet_feeds(void);
/* Changes whenever ids of counters and memory mean nothing any more: with each feed, and in a
 * forked child, which has its parent's other ids. */
unsigned mxnet_objects(void);
/* As mxnet_feed(), but opens none: in the middle of a fork(), or where nothing is counted. */
struct proftop *mxnet_feed_here(void);

/* Looks at the libmxnet.so of this process and changes nothing. Gives NULL, or a sentence that says
 * why its engine can't be watched: it isn't loaded, its functions are not where they are in known
 * builds, or another program has replaced them. The sentence is static. */
const char *mxnet_find(void);

/* The same for the sums of MXNet's own profiler alone, which has had one layout since 1.5: all that
 * can be seen of a build that isn't known. The profiler must run. */
const char *mxnet_find_stats(void);

/* Words about the library that was found, static: "1.9.1" or "2.0.0b1" if the build is known, else
 * "". */
const char *mxnet_build(void);

/* Replaces the functions of these features (bits of enum mxnet_feature) after mxnet_find() gave
 * NULL. Gives NULL, or a sentence as above. Features that this build lacks are left out. */
const char *mxnet_attach(unsigned features);
unsigned mxnet_attached(void); /* the features in force */

/* An operator that ran so often, and for so long, since its profiler was started: for builds in
 * which not even that is found. */
void mxnet_set(const char *op, uint64_t calls, uint64_t ns);

/* Writes the library's own functions back. Operators that run meanwhile end as they would have;
 * the code stays, since queued operators still come by. */
void mxnet_detach(void);

/* Has the function of this CachedOp or Executor (an address inside MXNet) published under a name.
 * An older object with the same address and another name is forgotten. */
void mxnet_function_name(const void *object, const char *name);

/* A node of this CachedOp belongs to a scope of Gluon ("net:dense0:"), as does its gradient. To be
 * told before the node runs for the first time. */
void mxnet_node_scope(const void *object, const char *node, const char *scope);

/* The Python code of a custom operator, registered by this name, begins and ends on this thread. */
void mxnet_custom_begin(const char *name);
void mxnet_custom_end(void);

/* Publishes the sums of the queue. A thread of ours does it ten times a second; here before
 * a feed is closed. */
void mxnet_publish(void);
/* In a forked child, once it has a feed: it has not that thread. */
void mxnet_forked(void);

/* Of tests: slots that are replaced; and how many of these hold the library's own function. */
struct mxnet_slots {
    unsigned all, original;
};
struct mxnet_slots mxnet_slots(void);

#endif

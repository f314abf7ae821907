/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * nested.h: counts runs that nest on a thread and are known by a name: the ops that PyTorch
 * records, the tasks of ITT, the ranges of NVTX.
 *
 * The rows follow from the names. An op is a name of one class. An apply is an op in one function,
 * inside one calling op. Its time is its own: runs inside it are left out. The time with them is
 * the metric "incl", counted for the outermost run of an op alone.
 *
 * A call of a function is a stretch: runs of it on one thread, with at most 1 ms between them, and
 * no run of another function.
 *
 * Rows are bounded (enum nested_limits). Names that differ in digits alone become one op once there
 * are many of them, and what exceeds a limit is counted in "(other)".
 *
 * Every call may be made on any thread. A begin allocates when it meets a new row; otherwise
 * neither call allocates or takes a lock. */
#ifndef PROFTOP_NESTED_H
#define PROFTOP_NESTED_H

#include <stddef.h>
#include <stdint.h>

#include "proftop.h"

enum nested_limits {
    NESTED_CLASSES = 64,
    NESTED_FUNCTIONS = 16,
    NESTED_OPS = 4096,
    NESTED_APPLIES = 16384,
    NESTED_ALIKE = 32,  /* names that differ in digits alone and keep rows of their own */
    NESTED_DEPTH = 256, /* open runs of a thread; deeper ones are counted as skipped */
    NESTED_NAME = 255,  /* bytes of a name; longer ones are cut */
    NESTED_VALUES = 8,  /* inputs of an apply that are told */
    NESTED_RANK = 12,   /* dimensions of one; of a value with more the shape is unknown */
};

/* What follows from a name. The texts are static, or parts of the name. */
struct nested_about {
    const char *op_class;
    unsigned class_size;  /* its length; 0: up to its end */
    const char *function; /* of this op and of those inside it; NULL: that of the caller */
    uint32_t waits;       /* enum proftop_waits */
    const char *short_for; /* on screens, stands for the first `begin` bytes of the name; or NULL */
    unsigned begin;
};

/* The adapter that counts. Borrowed for good. */
struct nested_host {
    /* The feed to count for, NULL: none; and the number of feeds opened so far: the ids of one feed
     * are invalid in the next. Read at any time, on any thread. */
    struct proftop *const *feed;
    const unsigned *feeds;
    /* Called by a begin while there is no feed: opens one, as in a forked child, or returns NULL.
     */
    struct proftop *(*open)(void);
    /* Describes a name, once for each op. `kind`: as given to nested_begin(). Any thread, under a
     * lock of this file. */
    struct nested_about (*describe)(unsigned kind, const char *name);
    const char *root;  /* name of the function of runs that are in no other */
    uint32_t distinct; /* kinds, one bit each below 32, whose names never become one op */
};

/* Counts for this host from now on. The same one each time. Holds the locks of this file during
 * each fork: an adapter that holds locks around calls of this file has its own handlers installed
 * after. */
void nested_start(const struct nested_host *host);

/* A run begins. `key` tells it from the other open runs of this thread. `kind`: below 256; equal
 * names of different kinds are different ops. */
void nested_begin(unsigned kind, const char *name, const void *key);

/* A run begins that may end on another thread, at any time: runs that follow are not inside it, and
 * its time is a part of no other's. Of those that wait for other jobs and are open at once, the
 * oldest has the time: their times together are the time in which any is open. The metric "incl"
 * has the whole time of each. */
void nested_begin_apart(unsigned kind, const char *name, const void *key);

/* Shows the oldest open run apart that waits for other jobs as a run of this thread, which gets
 * this name. Call it ten times a second, always on the same thread: a run is shown from its second
 * call on, so some 0.2 s late. */
void nested_show(const char *name);
/* How often a run apart that waits for other jobs has begun or ended. */
uint64_t nested_waits(void);
/* Shows none any more. Any thread, before the feed closes. */
void nested_hide(void);

/* The run of this key ends, and is counted. Runs inside it that are still open go on, without it.
 * Returns the depth that is left, or -1: no run of this thread has the key. Then a run apart ends,
 * or else a run of another thread is dropped, once that thread begins another run. */
int nested_end(const void *key);

/* The same for a run that may not have been counted, which is no fault. */
int nested_end_if_open(const void *key);

/* Ends the innermost run of a key that several runs of a thread share. Runs inside it end with it,
 * and are counted. Returns the depth that is left, or -1: no run of this thread has the key. */
int nested_end_inner(const void *key);

/* Writes the name with each run of digits as `*`. Returns 0 if there are no digits. The name has at
 * most NESTED_NAME bytes. */
int nested_fold(const char *name, char folded[NESTED_NAME + 1]);

/* A row as a thread knows it: an apply. Valid as long as the process. */
struct nested_row;
/* The row of the innermost run of this thread; NULL: there is none. */
const struct nested_row *nested_innermost_row(void);

/* Sums of a row beside its time, each a metric. */
enum nested_metric {
    NESTED_ALLOCATED,        /* "alloc", bytes */
    NESTED_FREED,            /* "freed", bytes */
    NESTED_DEVICE_NS,        /* "device", ns: what its runs made a device do */
    NESTED_DEVICE_ALLOCATED, /* "dev alloc", bytes */
    NESTED_DEVICE_FREED,     /* "dev freed", bytes */
    NESTED_METRICS
};
/* Adds to the row of the innermost run of this thread. Without a run nothing is counted. */
void nested_add(enum nested_metric metric, uint64_t more);
/* Adds to a row. Any thread. */
void nested_add_to(const struct nested_row *row, enum nested_metric metric, uint64_t more);

/* Counts a run on a device, in a row inside the op of `caller` (NULL: none). It took no time of a
 * thread, so its row has none. Any thread. */
void nested_on_device(unsigned kind, const char *name, const struct nested_row *caller,
                      uint64_t ns);

/* Writes the name of a row, "op in calling op". */
void nested_row_name(const struct nested_row *row, char *text, size_t size);
/* Name of the innermost run of this thread; NULL: there is none. Valid as long as the process. */
const char *nested_innermost(void);

/* Counting goes on after it was off: no stretch of a function, which is what its calls are, goes
 * across this moment. */
void nested_cut(void);

/* How often outermost runs of this thread came to be in this function, after another one: what was
 * counted. */
unsigned nested_turns(const char *function);

/* Asks the host anew whether each known name waits. A name whose answer is another one has new rows
 * from its next run on. Publishes first, so it keeps the rules of nested_publish(). */
void nested_describe_again(void);

/* How many runs are open on the process's first thread. Any thread. */
unsigned nested_first_runs(void);
/* Gives the rows that run on the process's first thread now this source line, "model.py:12", unless
 * their usual line is another one. Any thread, one at a time, while the first thread cannot leave
 * that line. NULL: the line is not known. */
void nested_line(const char *line);

/* A value that a run gets. */
struct nested_value {
    char dtype[16]; /* "float32"; "": unknown */
    uint32_t rank;  /* PROFTOP_NONE: the shape is unknown */
    uint64_t shape[NESTED_RANK];
    uint64_t bytes; /* PROFTOP_UNKNOWN: unknown */
};
/* 1 if the inputs of this thread's innermost run, which has this key, are to be told: the first
 * run of its row on this thread, and later runs in turns with other rows, ten a second in all. */
int nested_inputs_due(const void *key);
/* The inputs of this thread's innermost run. Its row has those that were told last. */
void nested_inputs(const struct nested_value *value, unsigned count);

/* Number of runs that began since the process started, over all threads. */
uint64_t nested_events(void);

/* Sums that are no rows. */
struct nested_stats {
    uint64_t orphans; /* ends without a begin, on this thread */
    uint64_t dropped; /* runs that ended on another thread, uncounted */
    uint64_t skipped; /* runs deeper than NESTED_DEPTH */
};
struct nested_stats nested_stats(void);

/* Time of each function so far, in units of the feed's clock (proftop_interval_ns()), by its
 * number. Returns how many there are. Functions beyond the limit are left out. */
unsigned nested_functions(uint64_t time[NESTED_FUNCTIONS + 1]);
/* Name of a function, or NULL. Valid as long as the process. */
const char *nested_function(unsigned number);

/* Publishes inclusive times. The adapter calls it ten times a second, and before the feed closes.
 * One thread at a time. */
void nested_publish(void);

#endif

/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * objects.h: the values behind proftop_objects.h. Their memory is shared by the core of a feed and
 * by every thread that has used it, since a thread may be amid an update when the feed is closed.
 *
 * Values are written by any number of threads with atomic operations, and read by the feed's thread
 * alone, which widens the extremes of a span to hold the last run that it saw. Each row counts the
 * updates that were begun and ended: with equal numbers around a reading nobody was amid one, so
 * what was read belongs together.
 */
#ifndef FEED_PUBLISHER_RECORD_OBJECTS_H
#define FEED_PUBLISHER_RECORD_OBJECTS_H

#include "feed/publisher/core.h"

enum {
    PUBLISHER_RUNS_MAX = 1 << 16,  /* open runs of one thread */
    PUBLISHER_RUNNERS_MAX = 4096,  /* threads that have runs at one time */
    PUBLISHER_RUN_CHUNK = 256,     /* runs that are allocated at once */
    PUBLISHER_SPAN_THREADS = 16,   /* threads that a span names; the others are summed up */
    PUBLISHER_FRAMES_KEPT = 256,   /* among which the slowest are looked for */
    PUBLISHER_MARKS = 4096,        /* instants that are kept */
    PUBLISHER_ENDED_OWN = 1 << 13, /* runs that have ended and are kept of one thread, */
    PUBLISHER_ENDED_ALL = 1 << 15, /* and of all; */
    PUBLISHER_ENDED_LATE = 256,    /* and those of a thread that comes when these have their room */
    PUBLISHER_SCOPES_DEEP = 64,    /* scopes of one thread, one in the other */
    PUBLISHER_OBJECT_CHUNK = 1024, /* rows of values that are allocated at once */
    PUBLISHER_OBJECT_CHUNKS = WIRE_OTHERS_MAX / PUBLISHER_OBJECT_CHUNK,
};

/* The scope of what is in none, as MXNet calls it. */
#define PUBLISHER_NO_SCOPE "<unk>:"

/* Kinds of what is found again by name. The first three are the `kind` of counters on the wire,
 * the three from PUBLISHER_TASK on, less PUBLISHER_TASK, that of spans. */
enum publisher_object_kind {
    PUBLISHER_COUNTER_I64,
    PUBLISHER_COUNTER_F64,
    PUBLISHER_MEMORY,
    PUBLISHER_TASK,
    PUBLISHER_FRAME,
    PUBLISHER_EVENT,
    PUBLISHER_MARKER,
    PUBLISHER_DOMAIN,
    PUBLISHER_SCOPE,
};

/* In front of each row of values. */
struct publisher_turn {
    _Atomic uint32_t begun, ended;
};

/* Numbers read around an update that is under way do not fit each other exactly. */
struct publisher_counter_view {
    bool known;
    uint64_t value, min, max, updates; /* min and max only where there are updates */
    double mean;
    uint64_t limit; /* of memory; PROFTOP_UNKNOWN */
};
struct publisher_span_view {
    uint64_t calls, total, self;
    uint64_t min, max, last, first, until; /* PROFTOP_UNKNOWN without calls */
};

/* Each update adds its value to the sum of one side and then counts there. */
struct publisher_counter_side {
    _Atomic uint64_t sum; /* since it was taken last: bits of a double, in PUBLISHER_SUM_UNIT */
    _Atomic uint64_t updates;
    uint64_t taken; /* of the updates: those whose values were taken out of the sum */
};

/* A counter, or memory: bytes now, the peak, and the limit. What is noted, what is kept or taken
 * and the bases are the feed's thread's own, here and below. */
struct publisher_counter {
    struct publisher_turn turn;
    uint8_t kind;
    _Atomic bool known;     /* it has a value */
    uint32_t pool_plus_1;   /* of memory in a scope: the row of its whole pool */
    _Atomic uint64_t value; /* bits of an int64_t or double; bytes */
    _Atomic uint64_t min, max;
    struct publisher_counter_side side[2];
    _Atomic uint32_t now; /* the side that updates are added to; a scan takes the other one */
    _Atomic uint64_t limit; /* of memory, plus 1; 0: not known */
    _Atomic uint64_t outside; /* of a pool: bytes in no scope, signed: who frees them without the
                                 scope that they are in makes it less */
    uint64_t base_updates;  /* at the last reset */
    struct publisher_counter_view noted; /* at the last scan */
    uint64_t noted_updates;
    double kept_sum; /* from the last reset to the last scan, which took it out of the sides */
};

struct publisher_span_thread {
    _Atomic uint32_t thread_plus_1; /* 0: free; in the last entry: all others */
    _Atomic uint64_t calls, total;
    uint64_t base_calls, base_total;   /* at the last reset */
    uint64_t noted_calls, noted_total; /* at the last scan */
};

struct publisher_frame_pass {
    uint64_t number, ns;
};

/* The last frames of a span. */
struct publisher_frames {
    pthread_mutex_t lock;
    uint64_t ended;
    struct publisher_frame_pass pass[PUBLISHER_FRAMES_KEPT];
};

struct publisher_span {
    struct publisher_turn turn;
    uint8_t kind;
    _Atomic uint64_t calls, total, self, min, max, last;
    _Atomic uint64_t first, until; /* begin of the first run, end of the last */
    _Atomic uint64_t started;      /* frames: the last number given */
    struct publisher_span_thread *thread;       /* PUBLISHER_SPAN_THREADS + 1 */
    struct publisher_frames *frames;            /* NULL but for frames */
    uint64_t base_calls, base_total, base_self; /* at the last reset */
    struct publisher_span_view noted;           /* at the last scan */
};

/* A run that is open, or a free place for one. Under the lock of its runner but for what the
 * feed's thread reads. */
struct publisher_run {
    _Atomic uint64_t start; /* 0: free, or not counted */
    _Atomic uint32_t span;
    uint32_t below, above; /* places plus 1 in the order of starting; free: `below` is the next */
    uint64_t number;       /* 0: free */
    uint64_t from;         /* its time is taken off the run below from here on */
    uint64_t inside;       /* time that belongs to runs inside it */
    uint64_t frame;        /* its number, of frames */
    uint32_t thread;       /* whose it is, plus 1; 0: not known */
    bool counted;
};

/* A run that was counted, as a trace shows it. */
struct publisher_ended {
    uint64_t start, ns, frame;
    uint32_t span, thread_plus_1;
};

/* The open runs of one thread at a time, and the last that have ended. */
struct publisher_runner {
    pthread_mutex_t lock;
    struct publisher_ended *ended; /* a ring, or NULL; */
    uint32_t places, next;    /* its size, and the place that is used next */
    uint64_t ends;            /* runs that have ended, ever */
    uint32_t top, free; /* places plus 1 */
    _Atomic uint32_t used; /* places ever used */
    uint64_t started;
    _Atomic(struct publisher_run *) chunk[PUBLISHER_RUNS_MAX / PUBLISHER_RUN_CHUNK];
};

struct publisher_mark {
    uint64_t mono_ns;
    uint32_t marker, thread_plus_1, task_plus_1;
    uint32_t scope;
};

/* By their numbers, in the order of the wire. */
enum { PUBLISHER_MARK_SCOPES = 5 };
extern const char *const publisher_mark_scopes[PUBLISHER_MARK_SCOPES];

struct publisher_index;

/* Memory of all rows; freed with the last reference. Tables only grow; their counts are below the
 * lock of the feed, or acquired. */
struct publisher_objects {
    _Atomic uint32_t references;
    _Atomic uint32_t counters, spans;
    _Atomic(void *)
        counter[PUBLISHER_OBJECT_CHUNKS]; /* PUBLISHER_OBJECT_CHUNK struct publisher_counter */
    _Atomic(void *) span[PUBLISHER_OBJECT_CHUNKS]; /* the same of struct publisher_span */
    _Atomic uint32_t runners;
    _Atomic(struct publisher_runner *) runner[PUBLISHER_RUNNERS_MAX];
    /* Under the lock of the feed: */
    uint32_t places; /* for runs that have ended, of threads that came in time */
    struct publisher_index *index;
    char **domain, **scope;
    uint32_t domains, scopes, domain_capacity, scope_capacity;
    struct publisher_mark *mark; /* PUBLISHER_MARKS of them, or NULL */
    uint64_t marks;         /* ever made */
};

/* What a thread has of its own; in its block, and mapped as that is, so that whoever looks for
 * leaks finds either both or none. */
struct publisher_thread_objects {
    struct publisher_objects *objects; /* one reference */
    struct publisher_runner *runner;   /* NULL until its first run */
    uint32_t runner_plus_1;
    uint32_t thread; /* serial number of the thread that the rest belongs to */
    uint32_t deep;   /* scopes that are open, those beyond PUBLISHER_SCOPES_DEEP included */
    const char *scope[PUBLISHER_SCOPES_DEEP];
    char error[160];
};

/* The calling thread's, found or made; with its block. NULL: the feed is off, nothing was ever
 * defined, or memory is short. */
struct publisher_thread_objects *publisher_thread_objects(struct proftop *feed,
                                                          struct publisher_block **block);
/* The same, made if need be for the first use of the feed's objects. */
struct publisher_thread_objects *publisher_thread_objects_first(struct proftop *feed,
                                                                struct publisher_block **block);
void publisher_thread_objects_free(struct publisher_thread_objects *own);

/* Full name of the scope that the calling thread is in; NULL: in none. It takes no lock. */
const char *publisher_scope_of(const struct proftop *feed);

/* Those of a core, made if need be; NULL when out of memory. Under the feed's lock. */
struct publisher_objects *publisher_objects_of(struct publisher_core *core);
void publisher_objects_release(struct publisher_objects *objects);

/* A row of values; NULL: there is none of that id. */
struct publisher_counter *publisher_counter_at(struct publisher_objects *objects, uint32_t id);
struct publisher_span *publisher_span_at(struct publisher_objects *objects, uint32_t id);

/* What something is found again by. Texts are borrowed; NULL is empty. */
struct publisher_object_key {
    enum publisher_object_kind kind;
    const char *domain, *name, *scope;
};

/* Each finds a row or makes it, under the feed's lock; PROFTOP_NONE, counted. `domain` is the id
 * of one. */
uint32_t publisher_define_counter(struct publisher_core *core,
                                  const struct publisher_object_key *key, const char *unit);
uint32_t publisher_define_span(struct publisher_core *core, const struct publisher_object_key *key);
uint32_t publisher_define_marker(struct publisher_core *core,
                                 const struct publisher_object_key *key);
uint32_t publisher_define_scope(struct publisher_core *core, const char *full);
/* Name of a domain, or NULL, counted as misuse. */
const char *publisher_domain_name(struct publisher_core *core, uint32_t domain);

/* Finds the id of a key. PROFTOP_NONE: there is none. */
uint32_t publisher_index_find(const struct publisher_index *index,
                              const struct publisher_object_key *key);

static inline void publisher_turn_begin(struct publisher_turn *turn)
{
    atomic_fetch_add_explicit(&turn->begun, 1, memory_order_acq_rel);
}

static inline void publisher_turn_end(struct publisher_turn *turn)
{
    atomic_fetch_add_explicit(&turn->ended, 1, memory_order_acq_rel);
}

/* Since ever. */
static inline uint64_t publisher_counter_updates(const struct publisher_counter *counter)
{
    return atomic_load_explicit(&counter->side[0].updates, memory_order_acquire) +
           atomic_load_explicit(&counter->side[1].updates, memory_order_acquire);
}

/* Raises to at least `value`, or lowers to at most. */
static inline void publisher_raise(_Atomic uint64_t *what, uint64_t value)
{
    uint64_t was = atomic_load_explicit(what, memory_order_relaxed);
    while (was < value && !atomic_compare_exchange_weak_explicit(
                              what, &was, value, memory_order_acq_rel, memory_order_relaxed))
        continue;
}

static inline void publisher_lower(_Atomic uint64_t *what, uint64_t value)
{
    uint64_t was = atomic_load_explicit(what, memory_order_relaxed);
    while (was > value && !atomic_compare_exchange_weak_explicit(
                              what, &was, value, memory_order_acq_rel, memory_order_relaxed))
        continue;
}

static inline double publisher_double(uint64_t bits)
{
    double value;
    __builtin_memcpy(&value, &bits, sizeof value);
    return value;
}

static inline uint64_t publisher_bits(double value)
{
    uint64_t bits;
    __builtin_memcpy(&bits, &value, sizeof bits);
    return bits;
}

/* Sums of values are kept in units of so much, a power of two, so that those of 2^53 values are
 * finite whatever these are. It rounds values below 1e-291 alone, and the mean of such by at most
 * twice DBL_MIN. */
#define PUBLISHER_SUM_UNIT 0x1p53

/* An int64_t in an order that unsigned comparison keeps: so smallest and largest move by one
 * operation for both kinds. */
static inline uint64_t publisher_order_i64(uint64_t bits)
{
    return bits ^ UINT64_C(1) << 63;
}

/* The same of a double: negative ones the other way round. */
static inline uint64_t publisher_order_f64(uint64_t bits)
{
    return bits >> 63 ? ~bits : bits | UINT64_C(1) << 63;
}

/* The run at a place plus 1. */
static inline struct publisher_run *publisher_run_at(struct publisher_runner *runner,
                                                     uint32_t place)
{
    struct publisher_run *chunk = atomic_load_explicit(
        &runner->chunk[(place - 1) / PUBLISHER_RUN_CHUNK], memory_order_acquire);
    return &chunk[(place - 1) % PUBLISHER_RUN_CHUNK];
}

/* --------------------------------------------------- read_objects.c, by the feed's thread alone */

void publisher_counter_read(const struct publisher_counter *counter,
                            struct publisher_counter_view *view);

/* It also widens the extremes of the row to hold its last run. */
void publisher_span_read(struct publisher_span *span, struct publisher_span_view *view);

/* Notes all rows as they are now, for a report and for a reset after it. */
void publisher_objects_note(struct publisher_objects *objects);
void publisher_counter_note(struct publisher_counter *counter);
void publisher_span_note(struct publisher_span *span);

/* A reset: the statistics begin anew, with what came after the note, so nothing is lost or counted
 * twice; smallest and largest are of what comes from here on, and of what came between may hold the
 * last alone. Values stay. */
void publisher_objects_reset(struct publisher_objects *objects);
void publisher_counter_reset(struct publisher_counter *counter);
void publisher_span_reset(struct publisher_span *span);

/* Counts one update that left `value`, whose place in the order of all values is `order`. */
void publisher_counter_count(struct publisher_counter *counter, double value, uint64_t order);

/* Calls and time of a thread in a span since then. */
void publisher_span_thread_read(const struct publisher_span_thread *by, uint64_t *calls,
                                uint64_t *total);

/* Begin of the oldest open run of each of n spans, PROFTOP_UNKNOWN where none is open. */
void publisher_runs_open(struct publisher_objects *objects, uint32_t n, uint64_t *since);

/* The slowest of the last frames, slowest first; how many there are, at most `most`. One that took
 * more than `longest` ns has ended since that was read, and is passed over. */
uint32_t publisher_frames_slowest(struct publisher_span *span, uint64_t longest,
                                  struct publisher_frame_pass *slowest, uint32_t most);

#endif

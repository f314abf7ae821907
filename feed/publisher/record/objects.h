/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * objects.h: the values of counters, memory, spans and markers (proftop_objects.h). The feed's core
 * and every thread that has used the objects share their memory, with a reference count: a thread
 * may be in an update when the feed is closed.
 *
 * Any number of threads write values, with atomic operations. Only the feed's thread reads them; it
 * also widens the extremes of a span to include the last run that it saw. Each row counts the
 * updates that began and ended. If the count of begins after a reading equals the count of ends
 * before it, no update was under way, and the values read are consistent.
 */
#ifndef FEED_PUBLISHER_RECORD_OBJECTS_H
#define FEED_PUBLISHER_RECORD_OBJECTS_H

#include "feed/publisher/record/core.h"
#include "feed/publisher/record/index.h"

enum {
    PUBLISHER_RUNS_MAX = 1 << 16,  /* open runs of one thread */
    PUBLISHER_RUNNERS_MAX = 4096,  /* threads that have runs at one time */
    PUBLISHER_RUN_CHUNK = 256,     /* runs that are allocated at once */
    PUBLISHER_SPAN_THREADS = 16,   /* threads that a span lists; the others are summed up */
    PUBLISHER_FRAMES_KEPT = 256,   /* last frames of a span, from which the slowest are chosen */
    PUBLISHER_MARKS = 4096,        /* instants that are kept */
    PUBLISHER_ENDED_OWN = 1 << 13, /* places of one thread for ended runs */
    PUBLISHER_ENDED_ALL = 1 << 15, /* limit of the sum of those places over all threads */
    PUBLISHER_ENDED_LATE = 256,    /* places of a thread that comes after the limit is reached */
    PUBLISHER_SCOPES_DEEP = 64,    /* nested scopes of one thread */
    PUBLISHER_OBJECT_CHUNK = 1024, /* rows of values that are allocated at once */
    PUBLISHER_OBJECT_CHUNKS = WIRE_OTHERS_MAX / PUBLISHER_OBJECT_CHUNK,
};

/* MXNet's name for "in no scope". */
#define PUBLISHER_NO_SCOPE "<unk>:"

/* Kinds of objects that are found by name. On the wire, the `kind` of a counter is one of the first
 * three. The `kind` of a span is one of the three from PUBLISHER_TASK on, less PUBLISHER_TASK. */
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

/* Update counts, at the start of each row of values. */
struct publisher_update_count {
    _Atomic uint32_t begun, ended;
};

/* Values of a row as read. If an update was under way, they are not exactly consistent. */
struct publisher_counter_view {
    bool known;
    uint64_t value, min, max, updates; /* min and max: valid if there are updates */
    double mean;
    uint64_t limit; /* of memory, or PROFTOP_UNKNOWN */
};
struct publisher_span_view {
    uint64_t calls, total, self;
    uint64_t min, max, last, first, until; /* PROFTOP_UNKNOWN without calls */
};

/* Each update adds its value to `sum` of one side, and then 1 to `updates` of the same side. */
struct publisher_counter_side {
    _Atomic uint64_t sum;     /* since last taken: bits of a double, unit PUBLISHER_SUM_UNIT */
    _Atomic uint64_t updates; /* since the counter was made */
    uint64_t taken;           /* `updates` when the sum was last taken */
};

/* A counter, or memory: bytes now, the peak, and the limit. Here and below, only the feed's thread
 * uses the fields base_*, noted*, kept_sum and `taken`. */
struct publisher_counter {
    struct publisher_update_count turn;
    uint8_t kind;
    _Atomic bool known;        /* it has a value */
    uint32_t pool_plus_1;      /* memory in a scope: the row of its whole pool; else 0 */
    _Atomic uint64_t value;    /* bits of an int64_t or double; memory: bytes */
    _Atomic uint64_t min, max; /* as orders (publisher_order_); min complemented; 0: no update */
    struct publisher_counter_side side[2];
    _Atomic uint32_t now;     /* the side that updates use; an aggregation takes the other one */
    _Atomic uint64_t limit;   /* memory: the limit plus 1; 0: not known */
    _Atomic uint64_t outside; /* pool: bytes in no scope, signed: a free that does not name the
                                 scope of its bytes subtracts them here */
    uint64_t base_updates;    /* at the last reset */
    struct publisher_counter_view noted; /* at the last aggregation */
    uint64_t noted_updates;
    double kept_sum; /* from the last reset to the last aggregation, taken out of the sides */
};

struct publisher_span_thread {
    _Atomic uint32_t thread_plus_1; /* 0: free; the last entry is for all other threads */
    _Atomic uint64_t calls, total;
    uint64_t base_calls, base_total;   /* at the last reset */
    uint64_t noted_calls, noted_total; /* at the last aggregation */
};

struct publisher_frame_pass {
    uint64_t number, ns;
};

/* Ring of the last frames of a span. */
struct publisher_frames {
    pthread_mutex_t lock;
    uint64_t ended;
    struct publisher_frame_pass pass[PUBLISHER_FRAMES_KEPT];
};

struct publisher_span {
    struct publisher_update_count turn;
    uint8_t kind;
    _Atomic uint64_t calls, total, self, min, max, last;
    _Atomic uint64_t first, until;              /* begin of the first run, end of the last */
    _Atomic uint64_t started;                   /* frames: the last number given */
    struct publisher_span_thread *thread;       /* PUBLISHER_SPAN_THREADS + 1 */
    struct publisher_frames *frames;            /* NULL except for frames */
    uint64_t base_calls, base_total, base_self; /* at the last reset */
    struct publisher_span_view noted;           /* at the last aggregation */
};

/* An open run, or a free place for one. Under the lock of its runner, except for the atomic fields,
 * which the feed's thread reads. */
struct publisher_run {
    _Atomic uint64_t start; /* 0: free, or not counted */
    _Atomic uint32_t span;
    uint32_t below, above; /* places plus 1 of the runs started before and after; 0: none. In a
                              free place, `below` is the next free place */
    uint64_t number;       /* 0: free */
    uint64_t from;         /* time from here on is still to be subtracted from the run below */
    uint64_t inside;       /* time that belongs to runs inside it */
    uint64_t frame;        /* frames: number of the frame */
    uint32_t thread;       /* id of its thread plus 1; 0: not known */
    bool counted;          /* spans were counted when it started */
};

/* A run that was counted, for a trace. */
struct publisher_ended {
    uint64_t start, ns, frame;
    uint32_t span, thread_plus_1;
};

/* The open runs of one thread, and its last ended runs. */
struct publisher_runner {
    pthread_mutex_t lock;
    struct publisher_ended *ended; /* a ring, or NULL */
    uint32_t places, next;         /* size of the ring; its next place */
    uint64_t ends;                 /* runs ever ended */
    uint64_t traced;               /* thereof read for a trace; the feed's thread's own */
    uint32_t top, free;            /* innermost open run; first free place; both plus 1 */
    _Atomic uint32_t used;         /* places ever used */
    uint64_t started;              /* runs ever started */
    _Atomic(struct publisher_run *) chunk[PUBLISHER_RUNS_MAX / PUBLISHER_RUN_CHUNK];
};

struct publisher_mark {
    uint64_t mono_ns;
    uint32_t marker, thread_plus_1, task_plus_1;
    uint32_t scope;
};

/* Names of the scopes of marks, by their numbers on the wire. */
enum { PUBLISHER_MARK_SCOPES = 5 };
extern const char *const publisher_mark_scopes[PUBLISHER_MARK_SCOPES];

/* Memory of all rows, freed with the last reference. Tables only grow. Their counts are read under
 * the feed's lock, or with memory_order_acquire. */
struct publisher_objects {
    _Atomic uint32_t references;
    _Atomic uint32_t counters, spans;
    _Atomic(void *)
        counter[PUBLISHER_OBJECT_CHUNKS]; /* PUBLISHER_OBJECT_CHUNK struct publisher_counter */
    _Atomic(void *) span[PUBLISHER_OBJECT_CHUNKS]; /* PUBLISHER_OBJECT_CHUNK publisher_span each */
    _Atomic uint32_t runners;
    _Atomic(struct publisher_runner *) runner[PUBLISHER_RUNNERS_MAX];
    /* Under the feed's lock: */
    uint32_t places; /* given out of the PUBLISHER_ENDED_ALL places for ended runs */
    struct publisher_index index;
    char **domain, **scope;
    uint32_t domains, scopes, domain_capacity, scope_capacity;
    struct publisher_mark *mark; /* ring of PUBLISHER_MARKS, or NULL */
    uint64_t marks;              /* ever made */
};

/* Objects' data of one thread, which its block points to. Mapped like the block, so that a leak
 * checker finds both or neither. */
struct publisher_thread_objects {
    struct publisher_objects *objects; /* one reference */
    struct publisher_runner *runner;   /* NULL until its first run */
    uint32_t runner_plus_1;
    uint32_t thread; /* serial number of the thread that the fields below belong to */
    uint32_t deep;   /* open scopes, including those beyond PUBLISHER_SCOPES_DEEP */
    const char *scope[PUBLISHER_SCOPES_DEEP];
    char error[160]; /* text that proftop_mark() returns */
};

/* Releases the objects that a thread uses, and unmaps its data. NULL: does nothing. */
void publisher_thread_objects_free(struct publisher_thread_objects *own);

/* Finds or makes the objects of a core. Returns NULL if out of memory. Under the feed's lock. */
struct publisher_objects *publisher_objects_of(struct publisher_core *core);
void publisher_objects_release(struct publisher_objects *objects);

/* Each returns the row of values of an id, or NULL if there is none. */
struct publisher_counter *publisher_counter_at(struct publisher_objects *objects, uint32_t id);
struct publisher_span *publisher_span_at(struct publisher_objects *objects, uint32_t id);

/* Key by which an object is found. Texts are borrowed; NULL means empty. */
struct publisher_object_key {
    enum publisher_object_kind kind;
    const char *domain, *name, *scope;
};

/* Each finds or makes an object, and returns its id. Returns PROFTOP_NONE, and counts the object as
 * lost, if it cannot be kept. Under the feed's lock. */
uint32_t publisher_define_counter(struct publisher_core *core,
                                  const struct publisher_object_key *key, const char *unit);
uint32_t publisher_define_span(struct publisher_core *core, const struct publisher_object_key *key);
uint32_t publisher_define_marker(struct publisher_core *core,
                                 const struct publisher_object_key *key);
uint32_t publisher_define_scope(struct publisher_core *core, const char *full);
uint32_t publisher_define_domain(struct publisher_core *core, const char *name);
/* Returns the name of a domain by its id; or NULL, counted as misuse, if there is none. Under the
 * feed's lock. */
const char *publisher_domain_name(struct publisher_core *core, uint32_t domain);

static inline void publisher_update_begin(struct publisher_update_count *turn)
{
    atomic_fetch_add_explicit(&turn->begun, 1, memory_order_acq_rel);
}

static inline void publisher_update_end(struct publisher_update_count *turn)
{
    atomic_fetch_add_explicit(&turn->ended, 1, memory_order_acq_rel);
}

/* Returns the updates since the counter was made. */
static inline uint64_t publisher_counter_updates(const struct publisher_counter *counter)
{
    return atomic_load_explicit(&counter->side[0].updates, memory_order_acquire) +
           atomic_load_explicit(&counter->side[1].updates, memory_order_acquire);
}

/* Raise `*what` to at least `value`, or lower it to at most `value`. */
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

/* Unit of the sums of values: a power of two, so large that the sum of 2^53 finite values is always
 * finite. Only values below 1e-291 are rounded; their mean is off by at most twice DBL_MIN. */
#define PUBLISHER_SUM_UNIT 0x1p53

/* Maps the bits of an int64_t so that unsigned comparison keeps the order. So the same atomic
 * operations update the extremes of both kinds of counters. */
static inline uint64_t publisher_order_i64(uint64_t bits)
{
    return bits ^ UINT64_C(1) << 63;
}

/* Does the same for a double. The order of negative ones is reversed, so all bits are inverted. */
static inline uint64_t publisher_order_f64(uint64_t bits)
{
    return bits >> 63 ? ~bits : bits | UINT64_C(1) << 63;
}

/* Counts one update, after which the counter has `value`. `order` is the value mapped by
 * publisher_order_i64() or publisher_order_f64(); memory: the value itself. */
void publisher_counter_count(struct publisher_counter *counter, double value, uint64_t order);

/* Returns the run at `place`, a place plus 1. */
static inline struct publisher_run *publisher_run_at(struct publisher_runner *runner,
                                                     uint32_t place)
{
    struct publisher_run *chunk = atomic_load_explicit(
        &runner->chunk[(place - 1) / PUBLISHER_RUN_CHUNK], memory_order_acquire);
    return &chunk[(place - 1) % PUBLISHER_RUN_CHUNK];
}

#endif

/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * core.h: one feed as its own parts see it. The handle that programs hold stays valid after the
 * feed is closed; what is behind it, the core, goes.
 *
 * Two locks: that of all feeds (handles, owners of blocks), taken first, and that of one feed (its
 * core, its definitions, its texts). Both are held for short: never over a call of libzmq.
 */
#ifndef FEED_PUBLISHER_CORE_H
#define FEED_PUBLISHER_CORE_H

#include <pthread.h>

#include "feed/publisher/control.h"
#include "feed/publisher/identity.h"
#include "feed/publisher/no_inline_api.h"
#include "feed/publisher/record/compile_phases.h"
#include "feed/publisher/record/count_filter.h"
#include "feed/publisher/record/definitions.h"
#include "feed/publisher/record/node_detail.h"
#include "feed/publisher/record/slot.h"
#include "feed/publisher/record/ticks.h"

enum {
    PUBLISHER_NOTICES = 64,
    PUBLISHER_NOTICE_SIZE = 1024,
    PUBLISHER_ROUTE_SIZE = 1024,
    PUBLISHER_WHY_SIZE = 512,
    PUBLISHER_FACTS_SIZE = 4096
};

struct publisher_notice {
    uint64_t wall_ns;
    uint32_t level;
    uint32_t size;
    char text[PUBLISHER_NOTICE_SIZE];
};

/* So many compilations are known by their threads. Of more at once only the number is known, in the
 * rows of their functions: there the end of each has to come. */
enum { PUBLISHER_OPENED = 64 };

struct publisher_opened {
    pthread_t thread;
    uint64_t since_ns;
    uint32_t function;
};

/* In the order in which they began. Under the feed's lock. */
struct publisher_compiling {
    struct publisher_opened open[PUBLISHER_OPENED];
    uint32_t count;
};

/* How the thread of a feed and those who open and close it talk. Under the feed's lock. */
struct publisher_life {
    pthread_t thread;
    pthread_cond_t changed;
    bool started; /* it listens; or `failed`, with the reason in the handle */
    bool failed;
    bool greeted;      /* a viewer has said hello */
    _Atomic bool stop; /* it is asked to say goodbye until `deadline_ns`, and to end */
    bool awaited;      /* somebody waits until it has ended, and takes it down */
    bool ended;        /* it touches nothing any more */
    bool abandoned;    /* nobody waits for it: it frees the core itself */
    uint64_t deadline_ns;
    bool alone;    /* the thread has a table of descriptors of its own */
    int wake[2];   /* pipe in the thread's table: what it waits for, what wakes it */
    char door[64]; /* where others open its second end; "": nowhere */
    void *held; /* what the thread works with; here so that a forked child still knows it */
};

/* The loop of a feed's thread (thread.c): gives true when the feed was asked to stop, or false with
 * the reason why it has not begun. `size` is that of a core, as the caller knows it.
 *
 * A program has this in a library of its own, which is loaded when a feed is opened
 * (plugin_loader.c): what links libproftop has neither that code nor libzmq in it while its feeds
 * are off. Tests have all in one (static.c). */
struct publisher_core;
typedef bool publisher_loop(struct publisher_core *core, size_t size, char why[PUBLISHER_WHY_SIZE]);

struct publisher_core {
    struct proftop *handle;
    struct publisher_definitions book;
    _Atomic(struct publisher_block *) blocks; /* pushed in front, removed only at the end */
    _Atomic(struct publisher_block *) set;    /* the block of all PROFTOP_SET rows, or NULL */
    struct publisher_ticks ticks;             /* written by the feed's thread, once it runs */
    _Atomic bool tsc;                    /* timed intervals are in ticks; else in ns; same */
    uint32_t threads;                    /* serial numbers given */
    uint32_t number;                     /* lowest free number of a feed in this process, from 1 */
    struct publisher_notice notice[PUBLISHER_NOTICES];
    struct publisher_objects *objects; /* objects.h; NULL until something of them is defined */
    uint64_t notices;                  /* ever made; the last PUBLISHER_NOTICES are kept */
    char route[PUBLISHER_ROUTE_SIZE];
    char facts[PUBLISHER_FACTS_SIZE]; /* lines of `name=value` */
    struct publisher_compiling compiling;
    struct publisher_phases phases;
    struct publisher_details details;
    _Atomic uint64_t spent_ns; /* by the program, to find out what it tells */
    uint64_t sets;             /* values that were set, ever. Under the feed's lock */
    struct publisher_metrics metrics;
    struct publisher_identity me;
    uint64_t rank, size; /* as the program tells them later; PROFTOP_UNKNOWN: it did not */
    struct publisher_life life;
    struct publisher_control control;
    struct publisher_count_filter wanted;
    const struct publisher_side *side;
    publisher_loop *loop; /* found by the one who opens; NULL: the feed's thread looks for it */
};

/* What the loop calls of the program's side. It may be in another library, which has its own copy
 * of what else it calls, but not of what is one for all feeds: their lock, and their list. */
struct publisher_side {
    void (*leave_tsc)(struct publisher_core *core); /* publisher_leave_tsc() */
    void (*close_all)(void);                   /* all feeds, at the end of the program */
};

/* What a feed can't keep, for want of memory or beyond a limit. Viewers are told by these names
 * (encode_hello.c). */
enum publisher_lost {
    PUBLISHER_LOST_DEFINITIONS, /* classes, ops, functions, applies */
    PUBLISHER_LOST_OBJECTS,     /* counters, spans, markers, memory, domains, scopes */
    PUBLISHER_LOST_PHASES,      /* calls that tell of a phase of a compilation */
    PUBLISHER_LOST_DETAILS,     /* of an apply */
    PUBLISHER_LOST_METRICS,     /* definitions and values */
    PUBLISHER_LOST_CALLS,    /* of applies and functions, and all that a thread without room does */
    PUBLISHER_LOST_RUNS,     /* of spans */
    PUBLISHER_LOST_SCOPES,   /* pushes deeper than are kept */
    PUBLISHER_LOST_INSTANTS, /* of markers, passed over before they were told */
    PUBLISHER_LOSTS
};

struct proftop {
    struct proftop_front front; /* what inlined code reads; off while nothing is counted */
    _Atomic uint64_t serial;    /* number of the feed; 0: it is off */
    uint32_t counts_memory;     /* what happens to memory is counted */
    uint32_t counts_calls;      /* calls of functions are counted; `front.on`: applies are */
    _Atomic(const char *) reason;
    uint64_t lost[PUBLISHER_LOSTS];     /* what was not kept */
    uint64_t invalid, misuse, restarts; /* of those who have no block at hand */
    pthread_mutex_t lock;
    struct publisher_core *core; /* NULL when closed or never opened */
    struct proftop *next;   /* all handles ever made */
    uint64_t closed;        /* closing number; 0: in use */
    uint32_t number;        /* of its core, see there; 0: none. Under the lock of all feeds, as */
    uint64_t pid;           /* the process that it is a number in */
    bool lent;              /* its thread did not end in time: never used again */
    char why[PUBLISHER_WHY_SIZE];
};

/* The lock of all feeds; and their handles, under it. */
extern pthread_mutex_t publisher_all_lock;
extern struct proftop *publisher_all;

/* Turns a feed off for good. `text` is copied. Under the feed's lock. */
void publisher_off(struct proftop *feed, const char *text);

/* Its place in a distributed job, as it is known now. Takes the feed's lock. */
struct shared_rank publisher_registry_dir_now(struct publisher_core *core);

/* As proftop_notice(). Under the feed's lock, or before anybody else has the core. */
void publisher_add_notice(struct publisher_core *core, int level, const char *text);

/* Takes the core of a feed that has no thread any more. */
void publisher_core_free(struct publisher_core *core);

/* start.c: what the feed's thread begins with, and how it ends. */
void *publisher_thread(void *core);

publisher_loop proftop_feed_loop;
/* NULL: it cannot be loaded, and why. */
publisher_loop *publisher_find_loop(char why[PUBLISHER_WHY_SIZE]);

/* Opens what wakes that thread, where it has descriptors of its own: the caller closes it. -1: it
 * can't be, for want of a descriptor, or as another user or in another root than those of the feed.
 */
int publisher_life_paths(const struct publisher_life *life);
/* Wakes that thread. False: it can't; the thread looks when it wakes by itself. Under the feed's
 * lock. */
bool publisher_life_wake(const struct publisher_life *life);

/* Whether events are counted now: it is on, and nobody has stopped or paused the collection. Those
 * of applies may be wanted only while somebody watches. */
static inline bool publisher_counts(const struct proftop *feed)
{
    return __atomic_load_n(&feed->front.on, __ATOMIC_RELAXED) != 0;
}

static inline bool publisher_counts_calls(const struct proftop *feed)
{
    return __atomic_load_n(&feed->counts_calls, __ATOMIC_RELAXED) != 0;
}

static inline bool publisher_counts_memory(const struct proftop *feed)
{
    return __atomic_load_n(&feed->counts_memory, __ATOMIC_RELAXED) != 0;
}

/* Memory that looks like a feed, on which the price of counting is measured, has such a number. */
#define PUBLISHER_SAMPLE (UINT64_MAX - 3)
static inline bool publisher_is_sample(const struct proftop *feed)
{
    return __atomic_load_n(&feed->front.on, __ATOMIC_RELAXED) >= PUBLISHER_SAMPLE;
}

/* Number of the feed; 0 while it is off. */
static inline uint64_t publisher_on(const struct proftop *feed)
{
    return atomic_load_explicit(&feed->serial, memory_order_acquire);
}

/* Turns it on, or gives it another number; what is counted follows publisher_control_apply(). */
static inline void publisher_set_on(struct proftop *feed, uint64_t on)
{
    atomic_store_explicit(&feed->serial, on, memory_order_release);
}

/* Leaves the time stamps for the system's clock: threads get new blocks, and what the old ones hold
 * stays as it is. For the feed's thread. */
void publisher_leave_tsc(struct publisher_core *core);

#endif

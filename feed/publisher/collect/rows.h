/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * rows.h: the sums of all applies and functions, and which of them are to be sent. Used by the
 * feed's thread alone.
 */
#ifndef FEED_PUBLISHER_COLLECT_ROWS_H
#define FEED_PUBLISHER_COLLECT_ROWS_H

#include "feed/publisher/collect/calibrate.h"
#include "feed/publisher/collect/estimate.h"
#include "feed/publisher/collect/run_queue.h"
#include "feed/publisher/collect/sampling.h"
#include "feed/publisher/record/core.h"

/* Kinds of data that keys of set_config can leave out, each with its part of the overhead: applies
 * by kind (enum proftop_kind), and memory. */
enum { PUBLISHER_CHOICE_MEMORY = 3, PUBLISHER_CHOICES };

/* Sums of an apply, in ns. Within an epoch only `last` and `min` ever fall. One cache line. */
struct publisher_row {
    uint64_t calls, total;          /* total: of all calls; an estimate if some were not timed */
    uint64_t last, min, max, timed; /* last, min, max: PROFTOP_UNKNOWN if no call was timed */
    uint64_t open;                  /* time of its open calls so far, over all threads */
    uint8_t source;                 /* copied from its definition */
    struct publisher_sampling sampling;
    bool is_open; /* some call is open */
    uint8_t kind; /* copied from its definition */
    bool nests;   /* likewise: each call is timed, since the calls around it need its time */
    uint8_t unused[1];
};
_Static_assert(sizeof(struct publisher_row) == 64, "a row is one cache line");

/* One bit for each row of a chunk. */
struct publisher_bits {
    uint64_t word[PUBLISHER_CHUNK / 64];
};

/* The rows of one chunk. Flags of rows are kept in bits apart from the values: the flags of a chunk
 * share a few cache lines, while each row's values take a line of their own. */
struct publisher_rows {
    struct publisher_row row[PUBLISHER_CHUNK];
    struct publisher_bits known;         /* some thread has touched the row */
    struct publisher_bits waits;         /* dirty: to be sent, */
    struct publisher_bits extremes;      /* and group x with it, if it has data for the row */
    uint32_t rolled;                     /* next row to repeat though it may not have changed */
    uint32_t lone_plus_1;                /* function of all known rows, plus 1; 0: no row is known;
                                          * PUBLISHER_MIXED: several functions */
    uint32_t function[PUBLISHER_CHUNK];  /* copied from the definition */
    uint32_t op_plus_1[PUBLISHER_CHUNK]; /* likewise; 0: nothing is known of the row */
    uint32_t waits_since[PUBLISHER_CHUNK]; /* tick at which a dirty row became dirty */
    struct publisher_estimate
        *estimate;               /* PUBLISHER_CHUNK of them, once a row needs one; else NULL */
    struct publisher_base *base; /* PUBLISHER_CHUNK of them, after the first reset; else NULL */
};
#define PUBLISHER_MIXED UINT32_MAX

/* Values of a function; PROFTOP_UNKNOWN where there is none. */
struct publisher_call_row {
    uint64_t calls, ns, vm, open;
    uint64_t timed, half; /* timed calls; half: error of `ns` if not all calls were timed */
    uint64_t part[PUBLISHER_PARTS];
    uint64_t compile_open;
    uint64_t base_calls, base_ns, base_vm, base_timed; /* at the last reset */
    struct publisher_estimate *estimate;               /* once some call was not timed; else NULL */
    double in_vm; /* fraction of the time of its timed calls that was counted as virtual-machine
                   * time */
    uint32_t waits_since;
    struct publisher_sampling sampling;
};

/* Number of timed calls on the wire. PROFTOP_UNKNOWN while every call is timed: it equals the
 * number of calls. */
static inline uint64_t publisher_sent_timed(uint64_t calls, uint64_t timed)
{
    return timed == calls ? PROFTOP_UNKNOWN : timed;
}

/* An apply that was open on a thread when open applies were listed (open_calls.c). */
struct publisher_open {
    uint64_t began; /* proftop_now(); 0: it was open and has ended, which its row has yet to
                     * report */
    const struct publisher_block *block;
    uint32_t apply;
};

struct publisher_aggregate {
    struct publisher_core *core;
    struct publisher_rows *applies[WIRE_APPLIES_MAX / PUBLISHER_CHUNK];
    uint16_t waiting[WIRE_APPLIES_MAX / PUBLISHER_CHUNK]; /* number of dirty rows in each chunk */
    struct publisher_call_row *functions[WIRE_FUNCTIONS_MAX / PUBLISHER_CHUNK];
    struct publisher_sum *sum;         /* PUBLISHER_CHUNK of them: scratch */
    struct publisher_block **moved;    /* PUBLISHER_CHUNK: block whose slot changed last; scratch */
    uint64_t events[PUBLISHER_EVENTS]; /* of all rows, in all epochs */
    uint64_t of[PUBLISHER_CHOICES][PUBLISHER_EVENT_CALL]; /* the same by kind of apply; of
                                                           * PUBLISHER_CHOICE_MEMORY the first is
                                                           * the number of its updates */
    uint64_t calls;                                       /* of all rows, in this epoch */
    uint64_t untimed, spared; /* calls that were not timed: of applies, and of functions */
    uint64_t always;          /* calls of functions outside applies: each is timed */
    uint64_t *timed;          /* timed calls by op, in all epochs */
    uint32_t ops;             /* capacity of `timed` */
    struct publisher_budget budget;
    struct publisher_run_queue runqueue;
    uint32_t snapshots;                                  /* snapshots ever requested */
    uint32_t summed[WIRE_APPLIES_MAX / PUBLISHER_CHUNK]; /* value of `snapshots` when the chunk was
                                                          * last summed */
    uint32_t tick;                                       /* from 1 on */
    uint32_t parts;              /* ticks of a round, which sums each row once */
    struct publisher_open *open; /* sorted by apply */
    size_t opens, open_room;
    bool misses;    /* out of memory for some rows since publisher_aggregate_all() last began */
    bool estimates; /* some row is or was an estimate: otherwise no row has an error */
};

/* Returns false if out of memory; then nothing is held. */
bool publisher_aggregate_init(struct publisher_aggregate *aggregate, struct publisher_core *core);
void publisher_aggregate_release(struct publisher_aggregate *aggregate);

/* Grows the tables to hold `ops` ops. Ops beyond the capacity have no percentiles. */
void publisher_aggregate_ops(struct publisher_aggregate *aggregate, uint32_t ops);

/* True if chunk `at` was not summed since snapshot `snapshot` was requested. */
static inline bool publisher_aggregate_is_old(const struct publisher_aggregate *aggregate,
                                              uint32_t at, uint32_t snapshot)
{
    return aggregate->summed[at] < snapshot;
}
/* True if a round ends in this tick. */
static inline bool publisher_aggregate_is_round(const struct publisher_aggregate *aggregate)
{
    return aggregate->parts <= 1 || aggregate->tick % aggregate->parts == 0;
}
/* Restarts the rows at 0: from here on they hold only counts beyond the present sums. No count is
 * lost or counted twice. Compile times stay. Returns false if out of memory, or if earlier sums
 * missed rows for want of memory: the values of these rows are not known. Then nothing has
 * changed. */
bool publisher_aggregate_reset(struct publisher_aggregate *aggregate);

/* The tick at which a dirty row became dirty, and the function of a row. */
static inline uint32_t publisher_aggregate_dirty_since(const struct publisher_aggregate *aggregate,
                                                       uint32_t id)
{
    return aggregate->applies[id >> PUBLISHER_CHUNK_SHIFT]->waits_since[id % PUBLISHER_CHUNK];
}

static inline uint32_t publisher_aggregate_function_of(const struct publisher_aggregate *aggregate,
                                                       uint32_t id)
{
    const struct publisher_rows *rows = aggregate->applies[id >> PUBLISHER_CHUNK_SHIFT];
    return rows->lone_plus_1 != PUBLISHER_MIXED ? rows->lone_plus_1 - 1
                                                : rows->function[id % PUBLISHER_CHUNK];
}

static inline bool publisher_bit(const struct publisher_bits *bits, uint32_t i)
{
    return bits->word[i / 64] >> i % 64 & 1;
}

static inline void publisher_bit_set(struct publisher_bits *bits, uint32_t i)
{
    bits->word[i / 64] |= UINT64_C(1) << i % 64;
}

/* Returns the address of a row if its chunk exists, else NULL. */
static inline const struct publisher_row *
publisher_aggregate_apply_at(const struct publisher_aggregate *aggregate, uint32_t id)
{
    const struct publisher_rows *rows = aggregate->applies[id >> PUBLISHER_CHUNK_SHIFT];
    return rows == NULL ? NULL : &rows->row[id % PUBLISHER_CHUNK];
}

/* Returns the counts of row i at the last reset. */
static inline struct publisher_base publisher_base_of(const struct publisher_rows *rows, uint32_t i)
{
    return rows->base == NULL ? (struct publisher_base){0} : rows->base[i];
}

/* Returns the errors of an estimate for rows of a kind. */
static inline struct publisher_estimate_errors
publisher_aggregate_errors(const struct publisher_aggregate *aggregate, enum publisher_kind kind)
{
    return (struct publisher_estimate_errors){.stamp_ns = aggregate->budget.hot[kind].most_ns,
                                              .waited = aggregate->runqueue.waited,
                                              .square = aggregate->runqueue.square};
}

/* Returns how many rows of chunk `at` are below `count`, which must not be below the chunk. */
static inline uint32_t publisher_rows_in(uint32_t at, uint32_t count)
{
    uint32_t left = count - at * PUBLISHER_CHUNK;
    return left < PUBLISHER_CHUNK ? left : PUBLISHER_CHUNK;
}

/* Returns a row, or NULL if nothing is known of it. */
struct publisher_row *publisher_aggregate_apply(const struct publisher_aggregate *aggregate,
                                                uint32_t id);
struct publisher_call_row *publisher_aggregate_function(const struct publisher_aggregate *aggregate,
                                                        uint32_t id);

/* Allocates tables for the slots in use, a few in each tick that no viewer watches. So a viewer
 * that connects takes no memory: jobs run close to their limits. `count`: number of applies. */
void publisher_aggregate_prefetch(struct publisher_aggregate *aggregate, uint32_t count);
/* Allocate one such table: the slots of a chunk as last seen in a block; the rows of a chunk. NULL
 * if out of memory. */
struct publisher_seen *publisher_seen_of(struct publisher_block *block, uint32_t at);
struct publisher_rows *publisher_rows_new(void);

/* Lists the dirty rows of chunk `at` below `count`, in order. Returns how many. */
uint32_t publisher_aggregate_dirty_rows(const struct publisher_aggregate *aggregate, uint32_t at,
                                        uint32_t count, uint32_t id[PUBLISHER_CHUNK]);
/* Clears the dirty flags of these n rows: they were sent. */
void publisher_aggregate_mark_sent(struct publisher_aggregate *aggregate, const uint32_t *id,
                                   size_t n);

#endif

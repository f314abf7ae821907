/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * aggregate.h: sums what all threads have counted, and knows which rows wait to be sent. Used by
 * the feed's thread alone.
 */
#ifndef FEED_PUBLISHER_COLLECT_AGGREGATE_H
#define FEED_PUBLISHER_COLLECT_AGGREGATE_H

#include "feed/publisher/collect/overhead.h"
#include "feed/publisher/collect/sampling.h"
#include "feed/publisher/core.h"

/* Values of an apply as last summed, in ns. They never fall but for `last` and `min`. One cache
 * line. */
struct publisher_row {
    uint64_t calls, total;         /* total: of all calls; if some were not timed, an estimate */
    uint64_t last, min, max, timed; /* last, min, max: PROFTOP_UNKNOWN if untimed */
    uint64_t open;  /* how long its calls that are open have taken so far, all threads together */
    uint8_t source; /* of its definition */
    struct publisher_sampling sampling;
    bool is_open; /* some call of it is open */
    uint8_t kind; /* of its definition */
    uint8_t unused[2];
};
_Static_assert(sizeof(struct publisher_row) == 64, "a row is one cache line");

/* What had been counted at the last reset; `total` as it was estimated, and with the time until
 * then of calls that were open. */
struct publisher_base {
    uint64_t calls, total, timed;
};

/* A bit for each row of a chunk. */
struct publisher_bits {
    uint64_t word[PUBLISHER_CHUNK / 64];
};

/* The rows of one chunk. What can be said of many at once stands in bits apart from their values:
 * these come from far, each by itself. */
struct publisher_rows {
    struct publisher_row row[PUBLISHER_CHUNK];
    struct publisher_bits known;    /* some thread has touched it */
    struct publisher_bits waits;    /* it waits to be sent, */
    struct publisher_bits extremes; /* and group x with it, if that has something to say */
    uint32_t rolled;           /* the row that is next to be sent though it may not have changed */
    uint32_t lone_plus_1; /* the function that all known rows are of; or 0 or PUBLISHER_MIXED */
    uint32_t function[PUBLISHER_CHUNK];    /* of its definition */
    uint32_t op_plus_1[PUBLISHER_CHUNK];   /* same; 0: nothing is known of the row */
    uint32_t waits_since[PUBLISHER_CHUNK]; /* tick since when, of rows that wait */
    struct publisher_estimate
        *estimate;               /* PUBLISHER_CHUNK of them, once a row needs one; else NULL */
    struct publisher_base *base; /* PUBLISHER_CHUNK of them, once there was a reset; else NULL */
};
#define PUBLISHER_MIXED UINT32_MAX

/* Values of a function; PROFTOP_UNKNOWN where nobody knows. */
struct publisher_call_row {
    uint64_t calls, ns, vm, open;
    uint64_t timed, half; /* calls that were timed; if not all were, how far off `ns` may be */
    uint64_t part[PUBLISHER_PARTS];
    uint64_t compile_open;
    uint64_t base_calls, base_ns, base_vm, base_timed; /* at the last reset */
    struct publisher_estimate *estimate;               /* once not all were timed; else NULL */
    double in_vm; /* part of the time of its timed calls that was counted in the vm as such */
    uint32_t waits_since;
    struct publisher_sampling sampling;
};

/* What the wire says of the timed calls: while every call is, their number says nothing new. */
static inline uint64_t publisher_said_timed(uint64_t calls, uint64_t timed)
{
    return timed == calls ? PROFTOP_UNKNOWN : timed;
}

struct publisher_sum;

/* An apply that was open on a thread when they were listed: open_calls.c. */
struct publisher_open {
    uint64_t began; /* proftop_now(); 0: it was open, and is no more, which its row shall tell */
    const struct publisher_block *block;
    uint32_t apply;
};

struct publisher_aggregate {
    struct publisher_core *core;
    struct publisher_rows *applies[WIRE_APPLIES_MAX / PUBLISHER_CHUNK];
    uint16_t waiting[WIRE_APPLIES_MAX / PUBLISHER_CHUNK]; /* how many rows of each chunk wait */
    struct publisher_call_row *functions[WIRE_FUNCTIONS_MAX / PUBLISHER_CHUNK];
    struct publisher_sum *sum;         /* PUBLISHER_CHUNK of them: scratch */
    struct publisher_block **moved;    /* PUBLISHER_CHUNK: whose slot moved; scratch */
    uint64_t events[PUBLISHER_EVENTS]; /* of all rows, in all epochs */
    uint64_t of[PUBLISHER_CHOICES][PUBLISHER_EVENT_CALL]; /* by kind of applies, those of them; of
                                                           * memory the first: its updates */
    uint64_t calls;               /* of all rows, in this epoch */
    uint64_t untimed, spared;     /* calls that were not timed, of applies and of functions */
    uint64_t always;              /* calls of functions that are in no apply: each is timed */
    uint64_t *timed;              /* by op: calls that were timed, in all epochs */
    uint32_t ops;                 /* room there */
    struct publisher_sampler budget;
    struct publisher_run_queue runqueue;
    uint32_t asked;                                  /* snapshots, ever; and how many had been */
    uint32_t summed[WIRE_APPLIES_MAX / PUBLISHER_CHUNK]; /* when a chunk was summed last */
    uint32_t tick;                                   /* from 1 on */
    uint32_t parts; /* ticks of a round, in which each row is summed */
    struct publisher_open *open; /* by apply */
    size_t opens, open_room;
    bool misses;    /* since all were summed, then included, there was no memory for some rows */
    bool estimates; /* some row is one, or was: else none need be asked for its error */
};

/* False when out of memory; then nothing is held. */
bool publisher_aggregate_init(struct publisher_aggregate *scan, struct publisher_core *core);
void publisher_aggregate_release(struct publisher_aggregate *scan);

/* Makes room for so many ops. Without it nothing is known of the percentiles of the others. */
void publisher_aggregate_ops(struct publisher_aggregate *scan, uint32_t ops);

/* Sums the rows below `count`. Those that changed, and those whose turn it is, wait from then on.
 */
void publisher_aggregate_applies(struct publisher_aggregate *scan, uint32_t count);
/* The same from chunk `at` on, until more than `most` rows wait, but of many rows sums only those
 * whose part of the round this tick is, of so many in a second. Gives the chunk to go on with. */
uint32_t publisher_aggregate_part(struct publisher_aggregate *scan, uint32_t at, uint32_t count,
                                  uint32_t ticks, uint32_t most);
/* The same for chunk `at` alone; only rows that changed wait from then on. */
void publisher_aggregate_chunk(struct publisher_aggregate *scan, uint32_t at, uint32_t count);
/* Whether chunk `at` was not summed since snapshot `asked` was asked for. */
static inline bool publisher_aggregate_is_old(const struct publisher_aggregate *scan, uint32_t at,
                                              uint32_t asked)
{
    return scan->summed[at] < asked;
}
/* Whether a round ends in this tick. */
static inline bool publisher_aggregate_is_round(const struct publisher_aggregate *scan)
{
    return scan->parts <= 1 || scan->tick % scan->parts == 0;
}
/* Sums functions: those below `count`, or those of chunk `at` alone. */
void publisher_aggregate_functions(struct publisher_aggregate *scan, uint32_t count);
void publisher_aggregate_calls(struct publisher_aggregate *scan, uint32_t at, uint32_t count);
/* Sums all functions and applies below these counts. */
void publisher_aggregate_all(struct publisher_aggregate *scan, uint32_t functions,
                             uint32_t applies);

/* From here on, rows hold what is counted beyond what they hold now: nothing is lost between, and
 * nothing counted twice. Compile times stay. False when out of memory, also if rows were missed for
 * want of it: what they would hold is not known. Then nothing has changed. */
bool publisher_aggregate_reset(struct publisher_aggregate *scan);

/* open_calls.c: lists what is open on all threads. Rows of it are summed anew with their chunks,
 * moved or not. */
void publisher_aggregate_list_open(struct publisher_aggregate *scan);
/* The first in the list of the applies from this one on. */
size_t publisher_aggregate_open_from(const struct publisher_aggregate *scan, uint32_t apply);
/* Of the listed calls of an apply, those that are open still, and those that are not. */
struct publisher_open_count {
    uint32_t open, ended;
};
/* How long the calls of an apply that are open still have taken at `now`, ns. To be called when its
 * slots have been read, after `now`. If more have ended than before that, the slots may lack
 * one. */
uint64_t publisher_aggregate_open_ns(const struct publisher_aggregate *scan, uint32_t apply,
                                     struct publisher_instant now,
                                     struct publisher_open_count *count);

/* Tick since when a row waits that was listed as waiting, and its function. */
static inline uint32_t publisher_aggregate_dirty_since(const struct publisher_aggregate *scan,
                                                       uint32_t id)
{
    return scan->applies[id >> PUBLISHER_CHUNK_SHIFT]->waits_since[id % PUBLISHER_CHUNK];
}

static inline uint32_t publisher_aggregate_function_of(const struct publisher_aggregate *scan,
                                                       uint32_t id)
{
    const struct publisher_rows *rows = scan->applies[id >> PUBLISHER_CHUNK_SHIFT];
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

/* Where a row lies, if its chunk is there; else NULL. */
static inline const struct publisher_row *
publisher_aggregate_apply_at(const struct publisher_aggregate *scan, uint32_t id)
{
    const struct publisher_rows *rows = scan->applies[id >> PUBLISHER_CHUNK_SHIFT];
    return rows == NULL ? NULL : &rows->row[id % PUBLISHER_CHUNK];
}

/* How many rows of chunk `at` are below `count`, which lies in it or beyond. */
static inline uint32_t publisher_rows_in(uint32_t at, uint32_t count)
{
    uint32_t left = count - at * PUBLISHER_CHUNK;
    return left < PUBLISHER_CHUNK ? left : PUBLISHER_CHUNK;
}

/* A row, or NULL if nothing of it is known. */
struct publisher_row *publisher_aggregate_apply(const struct publisher_aggregate *scan,
                                                uint32_t id);
/* How far off the total of a row may be, ns; PROFTOP_UNKNOWN: it is not an estimate. */
uint64_t publisher_aggregate_error(const struct publisher_aggregate *scan, uint32_t id);
struct publisher_call_row *publisher_aggregate_function(const struct publisher_aggregate *scan,
                                                        uint32_t id);

/* Makes the tables that a scan of what has been counted so far will want, some in each tick. So the
 * memory of a job is what its graph takes, and does not grow when somebody looks at it: jobs run
 * close to the memory that they were given. */
void publisher_aggregate_prefetch(struct publisher_aggregate *scan, uint32_t count);
/* One of them; NULL when out of memory. What was seen of a chunk of a block; the rows of one. */
struct publisher_seen *publisher_seen_of(struct publisher_block *block, uint32_t at);
struct publisher_rows *publisher_rows_new(void);

/* Lists the rows below `count` of chunk `at` that wait, in order. Gives how many. */
uint32_t publisher_aggregate_dirty_rows(const struct publisher_aggregate *scan, uint32_t at,
                                        uint32_t count, uint32_t id[PUBLISHER_CHUNK]);
/* These n rows, which waited, were sent: they wait no more. */
void publisher_aggregate_mark_sent(struct publisher_aggregate *scan, const uint32_t *id, size_t n);

#endif

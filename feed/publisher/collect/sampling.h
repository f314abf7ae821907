/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * sampling.h: finds what is worth sampling: hot tiny applies, and hot functions inside applies.
 * Used by the feed's thread alone.
 */
#ifndef FEED_PUBLISHER_COLLECT_SAMPLING_H
#define FEED_PUBLISHER_COLLECT_SAMPLING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "feed/publisher/record/slot.h"

enum { PUBLISHER_SAMPLING_RATE_MAX = 7 }; /* one in 1 << 7 calls is timed, at least */

/* A list of ids. */
struct publisher_ids {
    uint32_t *id;
    size_t count, capacity;
};

/* Grows the list to hold `count` ids in all. Returns false if out of memory. */
bool publisher_ids_reserve(struct publisher_ids *ids, size_t count);
/* Appends an id. Returns false if out of memory. */
bool publisher_ids_add(struct publisher_ids *ids, uint32_t id);

/* Sampling of an apply or a function. Rates are powers of 2: one in 1 << rate. */
struct publisher_sampling {
    uint8_t hot;    /* had many short calls in this tick: the highest suitable rate; otherwise 0 */
    uint8_t rate;   /* one in 1 << rate of the calls that arrive one by one is timed */
    uint8_t passes; /* one in 1 << passes of all calls arrives one by one, when last seen hot */
};

/* Hot applies, or hot functions. */
struct publisher_hot {
    double least_ns;      /* calls shorter than that may be sampled; 0: none */
    uint64_t least_calls; /* fewest calls between two looks at a row for it to be hot */
    uint64_t most_ns;     /* largest overhead of timing a call */
    struct publisher_ids now, before;
};
enum { PUBLISHER_HOT_KINDS = PUBLISHER_CALLS + 1 };

struct publisher_budget {
    double limit;  /* overhead per run time; 0: every call is timed, whatever the overhead */
    unsigned rate; /* one in 1 << rate of the calls is timed */
    unsigned calm; /* successive ticks of low overhead */
    struct publisher_hot hot[PUBLISHER_HOT_KINDS];
    double seen_ns; /* at the last tick: the largest possible overhead of calls, */
    uint64_t seen_at;
    uint32_t seen_tick;
    struct shared_schedstat seen_turns;
    uint64_t seen_untimed, seen_spared; /* likewise: calls that were not timed */
};

void publisher_sampling_release(struct publisher_budget *budget);

/* Reports a timed apply or function whose counts changed: by `calls` calls, `timed` of them timed,
 * all of them taking `ns`. Returns how many of the calls arrived one by one: in untimed calls of a
 * function, the program may count the calls of its applies in bulk, which costs nothing. The result
 * is exact while the row's rate is 0; the rate falls to 0 where calls come in bulk. */
uint64_t publisher_sampling_see(struct publisher_budget *budget, enum publisher_kind kind,
                                struct publisher_sampling *sampling, uint32_t id, uint64_t calls,
                                uint64_t timed, uint64_t ns);

#endif

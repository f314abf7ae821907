/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * cost.h: what the feed itself costs the job: how often something was counted times what that
 * costs once, and the time of the feed's own thread. Used by that thread alone.
 */
#ifndef FEED_COST_H
#define FEED_COST_H

#include <stdbool.h>
#include <stdint.h>

#include "wire.h"

/* What is counted, each at a price of its own. */
enum feed_event {
    FEED_E_TIMED,   /* a call of an apply that is timed each time */
    FEED_E_SAMPLED, /* a timed call of one of which some are not */
    FEED_E_UNTIMED, /* a call whose time is not taken */
    FEED_E_GIVEN,   /* a duration that the program gives */
    FEED_E_CALL,    /* a call of a function */
    FEED_EVENTS
};

enum { FEED_TIDS = 8 };

struct feed_core;
struct feed_scan;

struct feed_cost {
    double price_ns[FEED_EVENTS];
    bool priced;                /* the prices were measured */
    bool ticks;                 /* with time stamps */
    uint64_t seen[FEED_EVENTS]; /* events that are in `events_ns` */
    double events_ns;           /* what they cost, ever */
    uint64_t spent_ns;          /* by the program, to find out what it tells */
    uint64_t thread_ns;         /* CPU time of the feed's thread and of libzmq's for it, ever */
    int tid[FEED_TIDS];         /* of libzmq's */
    uint32_t tids;
    double fraction;    /* own time per run time in the last stretch; below 0: unknown */
    bool watched;       /* a stretch has begun, */
    uint64_t from_ns;   /* then, */
    double from_own_ns; /* with so much own time, */
    uint32_t from_tick; /* in this tick */
};

void feed_cost_init(struct feed_cost *cost);

/* The threads that libzmq has in this process, as far as there is room for; 0: nobody can say. */
uint32_t feed_cost_list(int tid[], uint32_t room);
/* Those that libzmq has now and had not then are the feed's. */
void feed_cost_adopt(struct feed_cost *cost, const int then[], uint32_t count);

/* Measures the prices on memory of its own: a few thousand events, less than a millisecond. */
void feed_cost_measure(struct feed_cost *cost, bool ticks);

/* Once a tick, after the scan. `watched` false: nothing was scanned. `last`: there is no more. */
void feed_cost_tick(struct feed_cost *cost, const struct feed_scan *scan, uint64_t now_ns,
                    bool watched, bool last);

/* Own time since the feed was opened, ns; PROFTOP_UNKNOWN: nobody has watched yet. */
uint64_t feed_cost_own_ns(const struct feed_cost *cost);

/* What is known of it, into a hello. */
void feed_cost_put(const struct feed_cost *cost, struct wire_writer *w);

#endif

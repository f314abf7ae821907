/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * overhead.h: what the feed itself costs the job: how often something was counted times what that
 * costs once, and the time of the feed's own thread. Used by that thread alone.
 */
#ifndef FEED_COST_H
#define FEED_COST_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#include "feed/protocol/frame.h"
#include "feed/publisher/collect/run_queue.h"

/* What is counted, each at a price of its own. */
enum feed_event {
    FEED_E_TIMED,   /* a call of an apply that is timed each time */
    FEED_E_SAMPLED, /* a timed call of one of which some are not */
    FEED_E_UNTIMED, /* a call whose time is not taken */
    FEED_E_GIVEN,   /* a duration that the program gives */
    FEED_E_CALL,    /* a call of a function */
    FEED_E_UPDATE,  /* of a counter or of memory; a value set, a mark. From here on: no calls */
    FEED_E_RUN,     /* of a task, a frame or an event, from its start to its stop */
    FEED_EVENTS
};

/* What keys of set_config can leave out, each with a part of the cost: applies by their kind, which
 * is enum proftop_kind, and memory. */
enum { FEED_C_MEMORY = 3, FEED_CHOICES };

enum { FEED_TIDS = 2 }; /* libzmq starts so many threads for one feed */

struct feed_core;
struct feed_scan;

struct feed_cost {
    /* Of each kind of event: what one is charged, and the most that it may have cost. */
    double price_ns[FEED_EVENTS], peak_ns[FEED_EVENTS];
    uint32_t rounds;            /* of measurements */
    bool priced;                /* there was one when somebody watched */
    bool ticks;                 /* with time stamps */
    uint64_t seen[FEED_EVENTS]; /* events that are in `events_ns` */
    uint64_t seen_of[FEED_CHOICES][FEED_E_CALL]; /* the same of scan->of; of memory its updates */
    double choice_ns[FEED_CHOICES];              /* what these cost, ever */
    double events_ns;           /* what they cost, ever, */
    double events_doubt_ns;     /* and how far off that may be */
    double calls_most_ns;       /* the most that calls may have cost, which sampling can lower */
    double least_ns;            /* what events cost that no sampling lowers */
    uint64_t seen_always;       /* of scan->always, those that are in it */
    uint64_t spent_ns;          /* by the program, to find out what it tells */
    uint64_t thread_ns;         /* CPU time of the feed's thread and of those beside it, ever */
    int tid[FEED_TIDS];         /* of libzmq's */
    uint32_t tids;
    clockid_t sentry;   /* CPU time of the sentry; 0: there is none */
    double fraction;    /* own time per run time in the last stretch; below 0: unknown; */
    double least;       /* the part of it that no sampling lowers; likewise */
    double choice[FEED_CHOICES]; /* the parts of it that are told apart; likewise */
    bool watched;       /* a stretch has begun, */
    uint64_t from_ns;   /* then, */
    double from_own_ns, from_least_ns; /* with so much own time, */
    double from_choice_ns[FEED_CHOICES];
    uint32_t from_tick; /* in this tick */
    struct feed_turns from_turns; /* of the program's threads, until then */
    uint32_t stretches; /* since the prices were measured last */
};

void feed_cost_init(struct feed_cost *cost);

/* The threads that libzmq has in this process, as far as there is room for; 0: nobody can say. */
uint32_t feed_cost_list(int tid[], uint32_t room);
/* Those that libzmq has now and had not then are the feed's, as far as they have taken their names
 * already: to be called again while some are missing. */
void feed_cost_adopt(struct feed_cost *cost, const int then[], uint32_t count);

/* calibrate.c: measures what events cost on memory of its own: some 12,000 of them, about a
 * millisecond. What it finds depends on what else the machine does, so it is done again from time
 * to time. */
void feed_cost_measure(struct feed_cost *cost, bool ticks);

/* Takes in one round: what each event cost beside usual work, on average, and beside the work that
 * it cost most beside. */
void feed_cost_learn(struct feed_cost *cost, const double usual_ns[FEED_EVENTS],
                     const double most_ns[FEED_EVENTS]);

/* How far off the price of an event is. */
double feed_cost_price_error_ns(const struct feed_cost *cost, enum feed_event event);

/* How long the threads that counted something since a tick, run_ns ago, worked in that time,
 * without their waits for a processor: time that something else had is none of the program's. */
double feed_cost_worked_ns(const struct feed_scan *scan, uint64_t run_ns, uint32_t since,
                           const struct feed_turns *from);

/* Once a tick, after the scan, whose updates it counts itself. `watched` false: nothing was
 * scanned. `last`: there is no more. */
void feed_cost_tick(struct feed_cost *cost, struct feed_scan *scan, uint64_t now_ns,
                    bool watched, bool last);

/* Own time since the feed was opened, ns; PROFTOP_UNKNOWN: nobody has watched yet. */
uint64_t feed_cost_own_ns(const struct feed_cost *cost);

/* How far off that may be, to either side; PROFTOP_UNKNOWN likewise. */
uint64_t feed_cost_doubt_ns(const struct feed_cost *cost);

/* What is known of it, and the budget (0: none), into a hello. */
void feed_cost_put(const struct feed_cost *cost, double budget, struct wire_writer *w);

#endif

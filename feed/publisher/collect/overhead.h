/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * overhead.h: what the feed itself costs the job: how often something was counted times what that
 * costs once, and the time of the feed's own thread. Used by that thread alone.
 */
#ifndef FEED_PUBLISHER_COLLECT_OVERHEAD_H
#define FEED_PUBLISHER_COLLECT_OVERHEAD_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#include "feed/protocol/frame.h"
#include "feed/publisher/collect/run_queue.h"

/* What is counted, each at a price of its own. */
enum publisher_event {
    PUBLISHER_EVENT_TIMED,   /* a call of an apply that is timed each time */
    PUBLISHER_EVENT_SAMPLED, /* a timed call of one of which some are not */
    PUBLISHER_EVENT_UNTIMED, /* a call whose time is not taken */
    PUBLISHER_EVENT_GIVEN,   /* a duration that the program gives */
    PUBLISHER_EVENT_CALL,    /* a call of a function */
    PUBLISHER_EVENT_UPDATE,  /* of a counter or of memory; a value set, a mark. From here on: no
                                calls */
    PUBLISHER_EVENT_RUN,     /* of a task, a frame or an event, from its start to its stop */
    PUBLISHER_EVENTS
};

/* What keys of set_config can leave out, each with a part of the cost: applies by their kind, which
 * is enum proftop_kind, and memory. */
enum { PUBLISHER_CHOICE_MEMORY = 3, PUBLISHER_CHOICES };

enum { PUBLISHER_TIDS = 2 }; /* libzmq starts so many threads for one feed */

struct publisher_core;
struct publisher_aggregate;

struct publisher_overhead {
    /* Of each kind of event: what one is charged, and the most that it may have cost. */
    double price_ns[PUBLISHER_EVENTS], peak_ns[PUBLISHER_EVENTS];
    uint32_t rounds;            /* of measurements */
    bool priced;                /* there was one when somebody watched */
    bool ticks;                 /* with time stamps */
    uint64_t seen[PUBLISHER_EVENTS]; /* events that are in `events_ns` */
    uint64_t seen_of[PUBLISHER_CHOICES]
                    [PUBLISHER_EVENT_CALL]; /* the same of scan->of; of memory its updates */
    double choice_ns[PUBLISHER_CHOICES];    /* what these cost, ever */
    double events_ns;           /* what they cost, ever, */
    double events_doubt_ns;     /* and how far off that may be */
    double calls_most_ns;       /* the most that calls may have cost, which sampling can lower */
    double least_ns;            /* what events cost that no sampling lowers */
    uint64_t seen_always;       /* of scan->always, those that are in it */
    uint64_t spent_ns;          /* by the program, to find out what it tells */
    uint64_t thread_ns;         /* CPU time of the feed's thread and of those beside it, ever */
    int tid[PUBLISHER_TIDS];    /* of libzmq's */
    uint32_t tids;
    clockid_t sentry;   /* CPU time of the sentry; 0: there is none */
    double fraction;    /* own time per run time in the last stretch; below 0: unknown; */
    double least;       /* the part of it that no sampling lowers; likewise */
    double choice[PUBLISHER_CHOICES]; /* the parts of it that are told apart; likewise */
    bool watched;       /* a stretch has begun, */
    uint64_t from_ns;   /* then, */
    double from_own_ns, from_least_ns; /* with so much own time, */
    double from_choice_ns[PUBLISHER_CHOICES];
    uint32_t from_tick; /* in this tick */
    struct shared_schedstat from_turns; /* of the program's threads, until then */
    uint32_t stretches; /* since the prices were measured last */
};

void publisher_overhead_init(struct publisher_overhead *cost);

/* The threads that libzmq has in this process, as far as there is room for; 0: nobody can say. */
uint32_t publisher_overhead_list(int tid[], uint32_t room);
/* Those that libzmq has now and had not then are the feed's, as far as they have taken their names
 * already: to be called again while some are missing. */
void publisher_overhead_adopt(struct publisher_overhead *cost, const int then[], uint32_t count);

/* calibrate.c: measures what events cost on memory of its own: some 12,000 of them, about a
 * millisecond. What it finds depends on what else the machine does, so it is done again from time
 * to time. */
void publisher_overhead_calibrate(struct publisher_overhead *cost, bool ticks);

/* Takes in one round: what each event cost beside usual work, on average, and beside the work that
 * it cost most beside. */
void publisher_overhead_learn(struct publisher_overhead *cost,
                              const double usual_ns[PUBLISHER_EVENTS],
                              const double most_ns[PUBLISHER_EVENTS]);

/* How far off the price of an event is. */
double publisher_overhead_unit_error_ns(const struct publisher_overhead *cost,
                                        enum publisher_event event);

/* How long the threads that counted something since a tick, run_ns ago, worked in that time,
 * without their waits for a processor: time that something else had is none of the program's. */
double publisher_overhead_worked_ns(const struct publisher_aggregate *scan, uint64_t run_ns,
                                    uint32_t since, const struct shared_schedstat *from);

/* Once a tick, after the scan, whose updates it counts itself. `watched` false: nothing was
 * scanned. `last`: there is no more. */
void publisher_overhead_tick(struct publisher_overhead *cost, struct publisher_aggregate *scan,
                             uint64_t now_ns, bool watched, bool last);

/* Own time since the feed was opened, ns; PROFTOP_UNKNOWN: nobody has watched yet. */
uint64_t publisher_overhead_own_ns(const struct publisher_overhead *cost);

/* How far off that may be, to either side; PROFTOP_UNKNOWN likewise. */
uint64_t publisher_overhead_doubt_ns(const struct publisher_overhead *cost);

/* What is known of it, and the budget (0: none), into a hello. */
void publisher_overhead_put(const struct publisher_overhead *cost, double budget,
                            struct wire_writer *w);

#endif

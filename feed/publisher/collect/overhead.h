/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * overhead.h: the overhead of the feed in the job: the number of events times the calibrated
 * overhead of one, and the CPU time of the feed's threads. Used by the feed's thread alone.
 */
#ifndef FEED_PUBLISHER_COLLECT_OVERHEAD_H
#define FEED_PUBLISHER_COLLECT_OVERHEAD_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#include "feed/protocol/frame.h"
#include "feed/publisher/collect/rows.h"

enum { PUBLISHER_TIDS = 2 }; /* threads that libzmq starts for one feed */

struct publisher_overhead {
    /* For each kind of event: the overhead that is charged, and the largest possible one. */
    double price_ns[PUBLISHER_EVENTS], peak_ns[PUBLISHER_EVENTS];
    uint32_t rounds;                 /* of calibration */
    bool priced;                     /* calibrated, and a viewer has watched */
    bool ticks;                      /* calibrated with time stamps */
    uint64_t seen[PUBLISHER_EVENTS]; /* events included in `events_ns` */
    uint64_t seen_of[PUBLISHER_CHOICES]
                    [PUBLISHER_EVENT_CALL]; /* events of scan->of included in `choice_ns`; of memory
                                             * the updates */
    double choice_ns[PUBLISHER_CHOICES];    /* overhead by kind of data, ever */
    double events_ns;                       /* overhead of all events, ever, */
    double events_doubt_ns;                 /* and its error */
    double calls_most_ns;    /* largest possible overhead of calls, which sampling can lower */
    double least_ns;         /* overhead of events that sampling cannot lower */
    uint64_t seen_always;    /* calls of scan->always included in `least_ns` */
    uint64_t spent_ns;       /* time that the program's threads spent on finding out details for
                              * the feed */
    uint64_t thread_ns;      /* CPU time of the feed's thread and its helper threads, ever */
    int tid[PUBLISHER_TIDS]; /* libzmq's threads */
    uint32_t tids;
    clockid_t guard;  /* CPU clock of the flood guard; 0: there is none */
    double fraction;  /* overhead per run time in the last stretch; below 0: unknown; */
    double least;     /* the part of it that sampling cannot lower; likewise */
    double choice[PUBLISHER_CHOICES];  /* the parts of it by kind of data; likewise */
    bool watched;                      /* a stretch has begun, */
    uint64_t from_ns;                  /* at this time, */
    double from_own_ns, from_least_ns; /* with this overhead, */
    double from_choice_ns[PUBLISHER_CHOICES];
    uint32_t from_tick;                 /* in this tick, */
    struct shared_schedstat from_turns; /* with these turns of the program's threads */
    uint32_t stretches;                 /* since the last calibration */
};

void publisher_overhead_init(struct publisher_overhead *cost);

/* Lists the threads of libzmq in this process, at most `room`. Returns how many; 0 if they cannot
 * be listed. */
uint32_t publisher_overhead_list(int tid[], uint32_t room);
/* Adopts the feed's threads: the threads of libzmq that exist now and are not in `then`. Threads
 * that have not set their names yet are missed: call again while some are missing. */
void publisher_overhead_adopt(struct publisher_overhead *cost, const int then[], uint32_t count);

/* Calibrates the overhead of events (calibrate.h). The result depends on the other load of the
 * machine, so this is repeated from time to time. */
void publisher_overhead_calibrate(struct publisher_overhead *cost, bool ticks);

/* Takes in one round of calibration: the overhead of each event beside usual work, on average, and
 * beside the work that makes it largest. */
void publisher_overhead_learn(struct publisher_overhead *cost,
                              const double usual_ns[PUBLISHER_EVENTS],
                              const double most_ns[PUBLISHER_EVENTS]);

/* Returns the error of an event's overhead. */
double publisher_overhead_unit_error_ns(const struct publisher_overhead *cost,
                                        enum publisher_event event);

/* Returns how long the threads that counted something since tick `since`, run_ns ago, worked in
 * that time. Leaves out their waits for a processor: that time belongs to other programs. */
double publisher_overhead_worked_ns(const struct publisher_aggregate *aggregate, uint64_t run_ns,
                                    uint32_t since, const struct shared_schedstat *from);

/* Call it once a tick, after the aggregation; it counts updates itself. `watched` false: there was
 * no aggregation. `last`: this is the last call. */
void publisher_overhead_tick(struct publisher_overhead *cost, struct publisher_aggregate *aggregate,
                             uint64_t now_ns, bool watched, bool last);

/* Returns the overhead since the feed was opened, ns; PROFTOP_UNKNOWN: no viewer has watched
 * yet. */
uint64_t publisher_overhead_own_ns(const struct publisher_overhead *cost);

/* Returns the error of the overhead, to either side; PROFTOP_UNKNOWN likewise. */
uint64_t publisher_overhead_doubt_ns(const struct publisher_overhead *cost);

/* Puts the overhead, and the sampling budget (0: none), into a hello. */
void publisher_overhead_put(const struct publisher_overhead *cost, double budget,
                            struct wire_writer *w);

#endif

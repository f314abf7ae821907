/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * calibrate.h: measures the overhead of one event of each kind. Used by the feed's thread alone.
 */
#ifndef FEED_PUBLISHER_COLLECT_CALIBRATE_H
#define FEED_PUBLISHER_COLLECT_CALIBRATE_H

#include <stdbool.h>

/* Counted events, each kind with its own overhead. */
enum publisher_event {
    PUBLISHER_EVENT_TIMED,   /* a call of an apply whose calls are all timed */
    PUBLISHER_EVENT_SAMPLED, /* a timed call of a sampled apply */
    PUBLISHER_EVENT_UNTIMED, /* a call that is not timed */
    PUBLISHER_EVENT_GIVEN,   /* a duration that the program gives */
    PUBLISHER_EVENT_CALL,    /* a timed call of a function */
    PUBLISHER_EVENT_UPDATE,  /* of a counter or of memory; a value that is set, a mark. This event
                              * and the next are no calls */
    PUBLISHER_EVENT_RUN,     /* of a task, a frame or an event, from its start to its stop */
    PUBLISHER_EVENTS
};

/* Measures on memory of its own: some 12,000 events, about a millisecond. Gives the overhead of
 * each event beside usual work, on average, and beside the work that makes it largest. `ticks`:
 * with time stamps. Returns false if out of memory. */
bool publisher_calibrate(bool ticks, double usual_ns[PUBLISHER_EVENTS],
                         double most_ns[PUBLISHER_EVENTS]);

#endif

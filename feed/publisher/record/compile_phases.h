/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * compile_phases.h: the phases of compilations that a feed knows, and which of them wait to be
 * sent. All of it is under the feed's lock.
 */
#ifndef FEED_PUBLISHER_RECORD_COMPILE_PHASES_H
#define FEED_PUBLISHER_RECORD_COMPILE_PHASES_H

#include <stdbool.h>
#include <stdint.h>

#include "feed/publisher/publish/queue.h"
#include "feed/publisher/record/definitions.h"

/* Unknown is PROFTOP_UNKNOWN; places of other phases are their number plus 1, or 0. */
struct publisher_phase {
    struct wire_text name;
    uint32_t function, parent_plus_1, kind;
    uint32_t first_inside, next_beside; /* the tree: phases inside, and with the same parent */
    struct publisher_queued queued;
    uint32_t open; /* begins without their end */
    uint64_t rev;  /* how often it has changed */
    uint64_t calls, total_ns, validate_ns, before, after;
    uint64_t since_ns; /* the first of the open begins */
};

struct publisher_phases {
    struct publisher_phase *row;
    uint32_t count, capacity;
    uint32_t first_root;             /* phases without a parent, of all functions */
    uint32_t rest_plus_1;            /* function of those that are summed up by name; or 0 */
    struct publisher_queue waiting;
};

void publisher_phases_release(struct publisher_phases *phases);

/* Takes the phase that has waited longest out of the list of those that wait. */
void publisher_phase_sent(struct publisher_phases *phases);
/* The phase at a place plus 1. */
static inline struct publisher_phase *publisher_phase_at(const struct publisher_phases *phases,
                                                         uint32_t plus_1)
{
    return &phases->row[plus_1 - 1];
}

#endif

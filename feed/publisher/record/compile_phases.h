/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * compile_phases.h: the phases of compilations, and the queue of phases to be sent. All of it is
 * under the feed's lock.
 */
#ifndef FEED_PUBLISHER_RECORD_COMPILE_PHASES_H
#define FEED_PUBLISHER_RECORD_COMPILE_PHASES_H

#include <stdbool.h>
#include <stdint.h>

#include "feed/publisher/publish/queue.h"
#include "feed/publisher/record/definitions.h"

/* A phase. Unknown values are PROFTOP_UNKNOWN. Links to other phases are their id plus 1, or 0. */
struct publisher_phase {
    struct wire_text name;
    uint32_t function, parent_plus_1, kind;
    uint32_t first_inside, next_beside; /* the tree: first child, next phase of the same parent */
    struct publisher_queued queued;
    uint32_t open; /* begins without an end yet */
    uint64_t rev;  /* number of changes */
    uint64_t calls, total_ns, validate_ns, before, after;
    uint64_t since_ns; /* time of the first open begin */
};

struct publisher_phases {
    struct publisher_phase *row;
    uint32_t count, capacity;
    uint32_t first_root;            /* list of phases without a parent, of all functions */
    uint32_t rest_plus_1;           /* function of the phases that are summed up by name, or 0 */
    struct publisher_queue waiting; /* phases to be sent */
};

void publisher_phases_release(struct publisher_phases *phases);

/* Removes the first phase, which has waited longest, from the queue. */
void publisher_phase_sent(struct publisher_phases *phases);
/* Returns a phase by its id plus 1. */
static inline struct publisher_phase *publisher_phase_at(const struct publisher_phases *phases,
                                                         uint32_t plus_1)
{
    return &phases->row[plus_1 - 1];
}

#endif

/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * open_calls.h: applies that are open on some thread. Used by the feed's thread alone.
 */
#ifndef FEED_PUBLISHER_COLLECT_OPEN_CALLS_H
#define FEED_PUBLISHER_COLLECT_OPEN_CALLS_H

#include "feed/publisher/collect/rows.h"

/* Lists the open applies of all threads. Their rows are summed with their chunks,
 * whether or not a slot changed. */
void publisher_aggregate_list_open(struct publisher_aggregate *aggregate);
/* Returns the index of the first list entry with an apply id of at least `apply`. */
size_t publisher_aggregate_open_from(const struct publisher_aggregate *aggregate, uint32_t apply);
/* Of the listed calls of an apply: still open, and ended since. */
struct publisher_open_count {
    uint32_t open, ended;
};
/* Returns how long the open calls of an apply have taken at `now`, ns. The caller takes `now`, then
 * reads the slots of the apply, then calls this. If `count` shows more ended calls than before, the
 * slots as read may lack a call: read them again. */
uint64_t publisher_aggregate_open_ns(const struct publisher_aggregate *aggregate, uint32_t apply,
                                     struct publisher_instant now,
                                     struct publisher_open_count *count);

#endif

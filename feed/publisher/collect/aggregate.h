/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * aggregate.h: sums the counts of all threads. Used by the feed's thread alone.
 */
#ifndef FEED_PUBLISHER_COLLECT_AGGREGATE_H
#define FEED_PUBLISHER_COLLECT_AGGREGATE_H

#include "feed/publisher/collect/rows.h"

/* Sums the rows below `count`. Marks changed rows as dirty, and the rows whose turn it is to be
 * repeated. */
void publisher_aggregate_applies(struct publisher_aggregate *aggregate, uint32_t count);
/* The same from chunk `at` on, until more than `most` rows are dirty. If there are many rows, sums
 * only the part of them that belongs to this tick of the round; `ticks`: ticks in a second. Returns
 * the chunk to go on with. */
uint32_t publisher_aggregate_part(struct publisher_aggregate *aggregate, uint32_t at,
                                  uint32_t count, uint32_t ticks, uint32_t most);
/* The same for chunk `at` alone; marks only changed rows as dirty. */
void publisher_aggregate_chunk(struct publisher_aggregate *aggregate, uint32_t at, uint32_t count);
/* Sums all functions and applies below these counts. */
void publisher_aggregate_all(struct publisher_aggregate *aggregate, uint32_t functions,
                             uint32_t applies);

/* Returns the error of a row's total, ns; PROFTOP_UNKNOWN if the total is not an estimate. */
uint64_t publisher_aggregate_error(const struct publisher_aggregate *aggregate, uint32_t id);

#endif

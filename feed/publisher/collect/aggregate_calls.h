/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * aggregate_calls.h: sums the counts of functions. Used by the feed's thread alone.
 */
#ifndef FEED_PUBLISHER_COLLECT_AGGREGATE_CALLS_H
#define FEED_PUBLISHER_COLLECT_AGGREGATE_CALLS_H

#include "feed/publisher/collect/rows.h"

/* Sum functions: all below `count`, or only the ones in chunk `at`. */
void publisher_aggregate_functions(struct publisher_aggregate *aggregate, uint32_t count);
void publisher_aggregate_calls(struct publisher_aggregate *aggregate, uint32_t at, uint32_t count);

#endif

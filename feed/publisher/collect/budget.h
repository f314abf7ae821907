/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * budget.h: limits the overhead of counting to the sampling budget. Hot rows have one in several
 * calls timed, as far as the budget requires, and their totals are sent with an error. Used by the
 * feed's thread alone.
 */
#ifndef FEED_PUBLISHER_COLLECT_BUDGET_H
#define FEED_PUBLISHER_COLLECT_BUDGET_H

#include "feed/publisher/collect/overhead.h"
#include "feed/publisher/collect/rows.h"

/* Call it once a tick, after publisher_overhead_tick(). */
void publisher_budget_tick(struct publisher_aggregate *aggregate,
                           const struct publisher_overhead *cost, uint64_t now_ns);
/* No viewer watches: every call is timed again. */
void publisher_budget_idle(struct publisher_aggregate *aggregate);

#endif

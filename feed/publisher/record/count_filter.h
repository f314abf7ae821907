/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * count_filter.h: what of a feed is counted at all: functions by their names, applies by their
 * kinds, and with PROFTOP_ON_DEMAND=1 applies only while somebody watches. What is left out costs a
 * test.
 */
#ifndef FEED_PUBLISHER_RECORD_COUNT_FILTER_H
#define FEED_PUBLISHER_RECORD_COUNT_FILTER_H

#include <stdbool.h>
#include <stdint.h>

#include "feed/publisher/record/slot.h"
#include "feed/shared/pattern.h"

struct publisher_core;

/* Part of a core; under the feed's lock. */
struct publisher_count_filter {
    char functions[SHARED_PATTERNS_SIZE]; /* patterns of names; "": all */
    bool on_demand, watched;
    double budget; /* own time per run time that is allowed; 0: any */
};

/* Reads PROFTOP_FUNCTIONS, PROFTOP_ON_DEMAND and PROFTOP_BUDGET, so it is called by the thread
 * that opens. What can't be taken is a notice. */
void publisher_count_filter_init(struct publisher_core *core);

/* Takes the patterns of functions, borrowed; "": all. False, and nothing is changed: they are not
 * what PUBLISHER_PATTERNS says. Under the lock. */
bool publisher_count_filter_take_functions(struct publisher_count_filter *wanted,
                                           const char *patterns);
#define PUBLISHER_PATTERNS "patterns, not blanks alone, in less than 1024 bytes"

/* The budget that a text sets: percent from 0 to 100, with or without the sign. False: it is no
 * such number; then it is PUBLISHER_SAMPLER_PERCENT. */
bool publisher_count_filter_budget(const char *text, double *budget);
#define PUBLISHER_SAMPLER_PERCENT 2.0

/* Whether a function is left out: no pattern matches its name, and it does not run inside an apply
 * (`parent_plus_1`) of a function that is counted. Under the lock. */
bool publisher_count_filter_leaves_out(struct publisher_core *core, uint32_t parent_plus_1,
                                       const char *name);

/* The kinds of applies that the settings leave out, as a set of 1 << kind. Under the lock. */
unsigned publisher_count_filter_mute(const struct publisher_core *core);

/* Whether this row of applies or functions is counted. Under the lock. */
bool publisher_is_counted(struct publisher_core *core, enum publisher_kind kind, uint32_t id);

/* The settings have changed: all slots that there are follow. Under the lock. */
void publisher_count_filter_spread(struct publisher_core *core);

/* -------------------------------------------------- subscriptions.c, by the feed's thread alone */

/* Chooses functions by other patterns from now on. False: these can't be taken. */
bool publisher_count_filter_functions(struct publisher_core *core, const char *patterns);

/* Somebody watches, or nobody does any more. Takes the lock if that is news. */
void publisher_count_filter_watch(struct publisher_core *core, bool watched);

#endif

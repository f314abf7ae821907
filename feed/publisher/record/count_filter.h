/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * count_filter.h: selects the rows that are counted: functions by name, applies by kind, and with
 * PROFTOP_ON_DEMAND=1 applies only while a viewer watches. A call that is left out costs one test.
 */
#ifndef FEED_PUBLISHER_RECORD_COUNT_FILTER_H
#define FEED_PUBLISHER_RECORD_COUNT_FILTER_H

#include <stdbool.h>
#include <stdint.h>

#include "feed/publisher/record/core.h"

/* Reads PROFTOP_CONTROL. Zeroes the rest. */
void publisher_control_init(struct publisher_control *control);

/* Starts or stops the counting as the settings of a feed say. Under the feed's lock. */
void publisher_control_apply(struct publisher_core *core);

/* Reads PROFTOP_FUNCTIONS, PROFTOP_ON_DEMAND and PROFTOP_BUDGET. So the thread that opens the feed
 * calls it. Adds a notice for each wrong value. */
void publisher_count_filter_init(struct publisher_core *core);

/* Sets the patterns of functions (borrowed); "" means all. Returns false, and changes nothing, if
 * they break the rule of PUBLISHER_PATTERNS. Under the feed's lock. */
bool publisher_count_filter_take_functions(struct publisher_count_filter *wanted,
                                           const char *patterns);
#define PUBLISHER_PATTERNS "patterns, not blanks alone, in less than 1024 bytes"

/* Reads the sampling budget from a text: percent from 0 to 100, with or without "%". Returns false,
 * and gives PUBLISHER_SAMPLER_PERCENT, if the text is no such number. */
bool publisher_count_filter_budget(const char *text, double *budget);
#define PUBLISHER_BUDGET_PERCENT 2.0

/* True if a function is left out: no pattern matches its name, and it does not run inside an apply
 * (`parent_plus_1`) of a function that is counted. Under the feed's lock. */
bool publisher_count_filter_leaves_out(struct publisher_core *core, uint32_t parent_plus_1,
                                       const char *name);

/* Returns the kinds of applies that the settings leave out, as a set of 1 << kind. Under the feed's
 * lock. */
unsigned publisher_count_filter_mute(const struct publisher_core *core);

/* True if this row of applies or functions is counted. Under the feed's lock. */
bool publisher_is_counted(struct publisher_core *core, enum publisher_kind kind, uint32_t id);

/* Applies changed settings to all slots that exist. Under the feed's lock. */
void publisher_count_filter_apply(struct publisher_core *core);

/* Changes the patterns of functions. Returns false if the patterns are wrong. Takes the lock. For
 * the feed's thread. */
bool publisher_count_filter_functions(struct publisher_core *core, const char *patterns);

/* Records whether a viewer watches. Takes the lock if that has changed. For the feed's thread. */
void publisher_count_filter_watch(struct publisher_core *core, bool watched);

#endif

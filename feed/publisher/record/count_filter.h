/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * count_filter.h: what of a feed is counted at all: functions by their names, applies by their
 * kinds, and with PROFTOP_ON_DEMAND=1 applies only while somebody watches. What is left out costs a
 * test.
 */
#ifndef FEED_WANTED_H
#define FEED_WANTED_H

#include <stdbool.h>
#include <stdint.h>

#include "feed/publisher/record/slot.h"
#include "feed/shared/pattern.h"

struct feed_core;

/* Part of a core; under the feed's lock. */
struct feed_wanted {
    char functions[FEED_PATTERNS_SIZE]; /* patterns of names; "": all */
    bool on_demand, watched;
    double budget; /* own time per run time that is allowed; 0: any */
};

/* Reads PROFTOP_FUNCTIONS, PROFTOP_ON_DEMAND and PROFTOP_BUDGET, so it is called by the thread
 * that opens. What can't be taken is a notice. */
void feed_wanted_init(struct feed_core *core);

/* Takes the patterns of functions, borrowed; "": all. False, and nothing is changed: they are not
 * what FEED_PATTERNS says. Under the lock. */
bool feed_wanted_take_functions(struct feed_wanted *wanted, const char *patterns);
#define FEED_PATTERNS "patterns, not blanks alone, in less than 1024 bytes"

/* The budget that a text sets: percent from 0 to 100, with or without the sign. False: it is no
 * such number; then it is FEED_BUDGET_PERCENT. */
bool feed_wanted_budget(const char *text, double *budget);
#define FEED_BUDGET_PERCENT 2.0

/* Whether a function is left out: no pattern matches its name, and it does not run inside an apply
 * (`parent_plus_1`) of a function that is counted. Under the lock. */
bool feed_wanted_lacks(struct feed_core *core, uint32_t parent_plus_1, const char *name);

/* The kinds of applies that the settings leave out, as a set of 1 << kind. Under the lock. */
unsigned feed_wanted_mute(const struct feed_core *core);

/* Whether this row of applies or functions is counted. Under the lock. */
bool feed_is_wanted(struct feed_core *core, enum feed_kind kind, uint32_t id);

/* The settings have changed: all slots that there are follow. Under the lock. */
void feed_wanted_spread(struct feed_core *core);

/* -------------------------------------------------- subscriptions.c, by the feed's thread alone */

/* Chooses functions by other patterns from now on. False: these can't be taken. */
bool feed_wanted_functions(struct feed_core *core, const char *patterns);

/* Somebody watches, or nobody does any more. Takes the lock if that is news. */
void feed_wanted_watch(struct feed_core *core, bool watched);

#endif

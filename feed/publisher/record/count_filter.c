/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * count_filter.c: decides what is counted at all.
 */
#include "config.h"

#include "feed/publisher/core.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool feed_wanted_take_functions(struct feed_wanted *wanted, const char *patterns)
{
    const size_t size = strlen(patterns) + 1;
    const bool some = patterns[0] == 0 || patterns[strspn(patterns, ", \t")] != 0;
    const bool fits = some && size <= sizeof wanted->functions;
    if (fits)
        memcpy(wanted->functions, patterns, size);
    return fits;
}

/* Each takes a value of the environment; "": it is not set. False: it can't be taken. */
static bool take_demand(struct feed_wanted *wanted, const char *value)
{
    wanted->on_demand = strcmp(value, "1") == 0;
    return wanted->on_demand || value[0] == 0 || strcmp(value, "0") == 0;
}

bool feed_wanted_budget(const char *text, double *budget)
{
    uint64_t percent;
    const char *end = feed_read_decimal(text, 100, &percent);
    bool good = end != NULL && strcmp(end, *end == '%' ? "%" : "") == 0;
    *budget = good ? (double)percent / 1e11 : FEED_BUDGET_PERCENT / 100.0;
    return good;
}

static bool take_budget(struct feed_wanted *wanted, const char *value)
{
    return feed_wanted_budget(value, &wanted->budget) || value[0] == 0;
}

static const struct {
    const char *name;
    bool (*take)(struct feed_wanted *wanted, const char *value);
    const char *instead; /* what it must be, and what is done when it isn't */
} variables[] = {
    {"PROFTOP_FUNCTIONS", feed_wanted_take_functions,
     FEED_PATTERNS "; all functions are counted"},
    {"PROFTOP_ON_DEMAND", take_demand, "0 or 1; applies are counted all the time"},
    {"PROFTOP_BUDGET", take_budget, "a percentage from 0 to 100; 2 is kept to"},
};

void feed_wanted_init(struct feed_core *core)
{
    for (size_t i = 0; i < sizeof variables / sizeof variables[0]; i++) {
        char text[256];
        const char *value = secure_getenv(variables[i].name);
        if (variables[i].take(&core->wanted, value == NULL ? "" : value))
            continue;
        snprintf(text, sizeof text, "%s can't be '%.64s': it must be %s", variables[i].name, value,
                 variables[i].instead);
        feed_note(core, 1, text);
    }
}

static bool kind_counts(const struct feed_core *core, uint32_t kind)
{
    static const enum feed_key keys[] = {
        [PROFTOP_SYMBOLIC] = FEED_KEY_SYMBOLIC,
        [PROFTOP_IMPERATIVE] = FEED_KEY_IMPERATIVE,
        [PROFTOP_CALL] = FEED_KEY_API,
    };
    return core->control.settings.on[keys[kind]];
}

unsigned feed_wanted_mute(const struct feed_core *core)
{
    unsigned mute = 0;
    for (uint32_t kind = PROFTOP_SYMBOLIC; kind <= PROFTOP_CALL; kind++)
        mute |= (unsigned)!kind_counts(core, kind) << kind;
    return mute;
}

static bool function_counts(struct feed_core *core, uint32_t id)
{
    const struct feed_function_row *row = feed_book_row(&core->book, FEED_T_FUNCTION, id);
    return !row->left_out;
}

bool feed_is_wanted(struct feed_core *core, enum feed_kind kind, uint32_t id)
{
    if (kind != FEED_APPLIES)
        return function_counts(core, id);
    const struct feed_apply_row *row = feed_book_row(&core->book, FEED_T_APPLY, id);
    return kind_counts(core, row->kind) && function_counts(core, row->function);
}

static void spread_chunk(struct feed_core *core, struct feed_block *block, enum feed_kind kind,
                         uint32_t at)
{
    enum feed_table table = kind == FEED_APPLIES ? FEED_T_APPLY : FEED_T_FUNCTION;
    uint32_t count = feed_book_count(&core->book, table);
    struct proftop_slot **place = feed_block_place(block, kind, at);
    struct proftop_slot *slot = __atomic_load_n(place, __ATOMIC_ACQUIRE);
    for (uint32_t i = 0, id; slot != NULL && i < FEED_CHUNK && at * FEED_CHUNK + i < count; i++)
        if (feed_slot_kind(&slot[i]) != 0) {
            id = at * FEED_CHUNK + i;
            feed_slot_choose(&slot[i], feed_block_ready(block, kind, id),
                             feed_is_wanted(core, kind, id));
        }
}

void feed_wanted_spread(struct feed_core *core)
{
    struct feed_block *block = atomic_load_explicit(&core->blocks, memory_order_acquire);
    for (; block != NULL; block = block->next)
        for (int kind = 0; kind < FEED_KINDS; kind++)
            for (uint32_t at = 0; feed_block_place(block, kind, at) != NULL; at++)
                spread_chunk(core, block, kind, at);
}

bool feed_wanted_lacks(struct feed_core *core, uint32_t parent_plus_1, const char *name)
{
    if (!feed_pattern_leaves_out(core->wanted.functions, name))
        return false;
    if (parent_plus_1 == 0)
        return true;
    const struct feed_apply_row *parent =
        feed_book_row(&core->book, FEED_T_APPLY, parent_plus_1 - 1);
    return !function_counts(core, parent->function);
}

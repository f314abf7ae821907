/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * count_filter.c: decides whether a feed counts, and which functions and applies.
 */
#include "config.h"

#include "feed/publisher/record/count_filter.h"
#include "feed/publisher/record/lock.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool publisher_count_filter_take_functions(struct publisher_count_filter *filter,
                                           const char *patterns)
{
    const size_t size = strlen(patterns) + 1;
    const bool some = patterns[0] == 0 || patterns[strspn(patterns, ", \t")] != 0;
    const bool fits = some && size <= sizeof filter->functions;
    if (fits)
        memcpy(filter->functions, patterns, size);
    return fits;
}

/* The take functions set a value from the environment; "" means not set. Each returns false if the
 * value is wrong. */
static bool take_demand(struct publisher_count_filter *filter, const char *value)
{
    filter->on_demand = strcmp(value, "1") == 0;
    return filter->on_demand || value[0] == 0 || strcmp(value, "0") == 0;
}

bool publisher_count_filter_budget(const char *text, double *budget)
{
    uint64_t percent;
    const char *end = publisher_read_decimal(text, 100, &percent);
    bool good = end != NULL && strcmp(end, *end == '%' ? "%" : "") == 0;
    *budget = good ? (double)percent / 1e11 : PUBLISHER_BUDGET_PERCENT / 100.0;
    return good;
}

static bool take_budget(struct publisher_count_filter *filter, const char *value)
{
    return publisher_count_filter_budget(value, &filter->budget) || value[0] == 0;
}

static const struct {
    const char *name;
    bool (*take)(struct publisher_count_filter *filter, const char *value);
    const char *instead; /* allowed values, and the effect of a wrong one */
} variables[] = {
    {"PROFTOP_FUNCTIONS", publisher_count_filter_take_functions,
     PUBLISHER_PATTERNS "; all functions are counted"},
    {"PROFTOP_ON_DEMAND", take_demand, "0 or 1; applies are counted all the time"},
    {"PROFTOP_BUDGET", take_budget, "a percentage from 0 to 100; 2 is kept to"},
};

void publisher_count_filter_init(struct publisher_core *core)
{
    for (size_t i = 0; i < sizeof variables / sizeof variables[0]; i++) {
        char text[256];
        const char *value = secure_getenv(variables[i].name);
        if (variables[i].take(&core->count_filter, value == NULL ? "" : value))
            continue;
        snprintf(text, sizeof text, "%s can't be '%.64s': it must be %s", variables[i].name, value,
                 variables[i].instead);
        publisher_add_notice(core, 1, text);
    }
}

void publisher_control_init(struct publisher_control *control)
{
    memset(control, 0, sizeof *control);
    publisher_settings_init(&control->settings);
    publisher_authorization_init(&control->grants, secure_getenv("PROFTOP_CONTROL"));
}

void publisher_control_apply(struct publisher_core *core)
{
    struct proftop *feed = core->handle;
    bool counts = !core->control.stopped && !core->control.paused;
    bool watched = !core->count_filter.on_demand || core->count_filter.watched;
    __atomic_store_n(&feed->front.on, counts && watched ? publisher_on(feed) : 0, __ATOMIC_RELEASE);
    __atomic_store_n(&feed->counts_calls, counts, __ATOMIC_RELEASE);
    bool memory = counts && core->control.settings.on[PUBLISHER_KEY_MEMORY];
    __atomic_store_n(&feed->counts_memory, memory, __ATOMIC_RELEASE);
}

static bool kind_counts(const struct publisher_core *core, uint32_t kind)
{
    static const enum publisher_key keys[] = {
        [PROFTOP_SYMBOLIC] = PUBLISHER_KEY_SYMBOLIC,
        [PROFTOP_IMPERATIVE] = PUBLISHER_KEY_IMPERATIVE,
        [PROFTOP_CALL] = PUBLISHER_KEY_API,
    };
    return core->control.settings.on[keys[kind]];
}

unsigned publisher_count_filter_mute(const struct publisher_core *core)
{
    unsigned mute = 0;
    for (uint32_t kind = PROFTOP_SYMBOLIC; kind <= PROFTOP_CALL; kind++)
        mute |= (unsigned)!kind_counts(core, kind) << kind;
    return mute;
}

static bool function_counts(struct publisher_core *core, uint32_t id)
{
    const struct publisher_function_row *row =
        publisher_definitions_row(&core->definitions, PUBLISHER_DEF_FUNCTION, id);
    return !row->left_out;
}

bool publisher_is_counted(struct publisher_core *core, enum publisher_kind kind, uint32_t id)
{
    if (kind != PUBLISHER_APPLIES)
        return function_counts(core, id);
    const struct publisher_apply_row *row =
        publisher_definitions_row(&core->definitions, PUBLISHER_DEF_APPLY, id);
    return kind_counts(core, row->kind) && function_counts(core, row->function);
}

static void spread_chunk(struct publisher_core *core, struct publisher_block *block,
                         enum publisher_kind kind, uint32_t at)
{
    enum publisher_table table =
        kind == PUBLISHER_APPLIES ? PUBLISHER_DEF_APPLY : PUBLISHER_DEF_FUNCTION;
    uint32_t count = publisher_definitions_count(&core->definitions, table);
    struct proftop_slot **place = publisher_block_place(block, kind, at);
    struct proftop_slot *slot = __atomic_load_n(place, __ATOMIC_ACQUIRE);
    for (uint32_t i = 0, id;
         slot != NULL && i < PUBLISHER_CHUNK && at * PUBLISHER_CHUNK + i < count; i++)
        if (publisher_slot_kind(&slot[i]) != 0) {
            id = at * PUBLISHER_CHUNK + i;
            publisher_slot_choose(&slot[i], publisher_block_ready(block, kind, id),
                                  publisher_is_counted(core, kind, id));
        }
}

void publisher_count_filter_apply(struct publisher_core *core)
{
    struct publisher_block *block = atomic_load_explicit(&core->blocks, memory_order_acquire);
    for (; block != NULL; block = block->next)
        for (int kind = 0; kind < PUBLISHER_KINDS; kind++)
            for (uint32_t at = 0; publisher_block_place(block, kind, at) != NULL; at++)
                spread_chunk(core, block, kind, at);
}

bool publisher_count_filter_leaves_out(struct publisher_core *core, uint32_t parent_plus_1,
                                       const char *name)
{
    if (!shared_pattern_leaves_out(core->count_filter.functions, name))
        return false;
    if (parent_plus_1 == 0)
        return true;
    const struct publisher_apply_row *parent =
        publisher_definitions_row(&core->definitions, PUBLISHER_DEF_APPLY, parent_plus_1 - 1);
    return !function_counts(core, parent->function);
}

/* A function inside an apply follows its parent function. */
bool publisher_count_filter_functions(struct publisher_core *core, const char *patterns)
{
    char name[WIRE_TEXT_MAX + 1];
    pthread_mutex_lock(&core->handle->lock);
    const bool taken = publisher_count_filter_take_functions(&core->count_filter, patterns);
    for (uint32_t id = 0;
         taken && id < publisher_definitions_count(&core->definitions, PUBLISHER_DEF_FUNCTION);
         id++) {
        struct publisher_function_row *row =
            publisher_definitions_row(&core->definitions, PUBLISHER_DEF_FUNCTION, id);
        snprintf(name, sizeof name, "%.*s", (int)row->name.size, row->name.data);
        row->left_out = publisher_count_filter_leaves_out(core, row->parent_plus_1, name);
    }
    if (taken)
        publisher_count_filter_apply(core);
    pthread_mutex_unlock(&core->handle->lock);
    return taken;
}

void publisher_count_filter_watch(struct publisher_core *core, bool watched)
{
    /* Only the feed's thread writes `watched`, and it is the caller here. */
    if (!core->count_filter.on_demand || core->count_filter.watched == watched)
        return;
    pthread_mutex_lock(&core->handle->lock);
    core->count_filter.watched = watched;
    publisher_control_apply(core);
    pthread_mutex_unlock(&core->handle->lock);
}

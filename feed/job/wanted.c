/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * wanted.c: decides what is counted at all.
 */
#include "config.h"

#include "budget.h"
#include "core.h"

#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void feed_wanted_init(struct feed_wanted *wanted)
{
    const char *functions = getenv("PROFTOP_FUNCTIONS"), *demand = getenv("PROFTOP_ON_DEMAND");
    memset(wanted, 0, sizeof *wanted);
    if (functions != NULL && strlen(functions) < sizeof wanted->functions)
        snprintf(wanted->functions, sizeof wanted->functions, "%s", functions);
    wanted->budget = feed_budget_read();
    wanted->on_demand = demand != NULL && strcmp(demand, "1") == 0;
}

bool feed_wanted_leaves_out(const struct feed_wanted *wanted, const char *name)
{
    char patterns[sizeof wanted->functions], *rest = NULL;
    if (wanted->functions[0] == 0)
        return false;
    memcpy(patterns, wanted->functions, sizeof patterns);
    char *pattern = strtok_r(patterns, ",", &rest);
    while (pattern != NULL && fnmatch(pattern, name == NULL ? "" : name, 0) != 0)
        pattern = strtok_r(NULL, ",", &rest);
    return pattern == NULL;
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
    if (parent_plus_1 == 0)
        return feed_wanted_leaves_out(&core->wanted, name);
    const struct feed_apply_row *parent =
        feed_book_row(&core->book, FEED_T_APPLY, parent_plus_1 - 1);
    return !function_counts(core, parent->function);
}

/* A function inside an apply stands behind the one that it goes with. */
bool feed_wanted_functions(struct feed_core *core, const char *patterns)
{
    char name[WIRE_TEXT_MAX + 1];
    if (strlen(patterns) >= sizeof core->wanted.functions)
        return false;
    pthread_mutex_lock(&core->handle->lock);
    strcpy(core->wanted.functions, patterns);
    for (uint32_t id = 0; id < feed_book_count(&core->book, FEED_T_FUNCTION); id++) {
        struct feed_function_row *row = feed_book_row(&core->book, FEED_T_FUNCTION, id);
        snprintf(name, sizeof name, "%.*s", (int)row->name.size, row->name.data);
        row->left_out = feed_wanted_lacks(core, row->parent_plus_1, name);
    }
    feed_wanted_spread(core);
    pthread_mutex_unlock(&core->handle->lock);
    return true;
}

void feed_wanted_watch(struct feed_core *core, bool watched)
{
    /* The feed's thread alone writes it, and asks here. */
    if (!core->wanted.on_demand || core->wanted.watched == watched)
        return;
    pthread_mutex_lock(&core->handle->lock);
    core->wanted.watched = watched;
    feed_control_apply(core);
    pthread_mutex_unlock(&core->handle->lock);
}

/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * subscriptions.c: keeps the topics that viewers subscribe to, and applies to the counting what
 * viewers ask for: which functions are counted, and whether any viewer watches.
 */
#include "config.h"

#include "feed/publisher/publish/publisher.h"

#include <stdio.h>
#include <string.h>

void publisher_subscriptions_change(struct publisher_subscriptions *s, bool on, const char *prefix,
                                    size_t size)
{
    uint32_t at = 0;
    s->came += on;
    while (at < s->count &&
           (s->entry[at].size != size || memcmp(s->entry[at].prefix, prefix, size) != 0))
        at++;
    bool known = at < s->count;
    bool room = s->count < PUBLISHER_SUBSCRIPTIONS_MAX && size <= WIRE_TOPIC_MAX;
    if (on && !known && room) {
        memcpy(s->entry[at].prefix, prefix, size);
        s->entry[at].size = (uint8_t)size;
        s->count++;
    } else if (on && !known) {
        s->more++;
    } else if (!on && known) {
        s->entry[at] = s->entry[--s->count];
    } else if (!on && s->more > 0) {
        s->more--;
    }
}

bool publisher_subscriptions_match(const struct publisher_subscriptions *s, const char *topic)
{
    size_t size = strlen(topic);
    bool match = s->more > 0;
    for (uint32_t at = 0; at < s->count && !match; at++)
        match =
            s->entry[at].size <= size && memcmp(s->entry[at].prefix, topic, s->entry[at].size) == 0;
    return match;
}

/* A function inside an apply follows its parent function. */
bool publisher_count_filter_functions(struct publisher_core *core, const char *patterns)
{
    char name[WIRE_TEXT_MAX + 1];
    pthread_mutex_lock(&core->handle->lock);
    const bool taken = publisher_count_filter_take_functions(&core->wanted, patterns);
    for (uint32_t id = 0;
         taken && id < publisher_definitions_count(&core->book, PUBLISHER_DEF_FUNCTION); id++) {
        struct publisher_function_row *row =
            publisher_definitions_row(&core->book, PUBLISHER_DEF_FUNCTION, id);
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
    if (!core->wanted.on_demand || core->wanted.watched == watched)
        return;
    pthread_mutex_lock(&core->handle->lock);
    core->wanted.watched = watched;
    publisher_control_apply(core);
    pthread_mutex_unlock(&core->handle->lock);
}

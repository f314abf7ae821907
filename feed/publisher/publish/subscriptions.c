/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * subscriptions.c: what viewers wish: which topics they have subscribed to, which functions are
 * counted from now on, and whether anybody watches at all.
 */
#include "config.h"

#include "feed/publisher/publish/publisher.h"

#include <stdio.h>
#include <string.h>

void feed_subscriptions_change(struct feed_subscriptions *s, bool on, const char *prefix,
                               size_t size)
{
    uint32_t at = 0;
    s->came += on;
    while (at < s->count &&
           (s->entry[at].size != size || memcmp(s->entry[at].prefix, prefix, size) != 0))
        at++;
    bool known = at < s->count;
    bool room = s->count < FEED_SUBSCRIPTIONS_MAX && size <= WIRE_TOPIC_MAX;
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

bool feed_subscriptions_match(const struct feed_subscriptions *s, const char *topic)
{
    size_t size = strlen(topic);
    bool match = s->more > 0;
    for (uint32_t at = 0; at < s->count && !match; at++)
        match =
            s->entry[at].size <= size && memcmp(s->entry[at].prefix, topic, s->entry[at].size) == 0;
    return match;
}

/* A function inside an apply stands behind the one that it goes with. */
bool feed_wanted_functions(struct feed_core *core, const char *patterns)
{
    char name[WIRE_TEXT_MAX + 1];
    pthread_mutex_lock(&core->handle->lock);
    const bool taken = feed_wanted_take_functions(&core->wanted, patterns);
    for (uint32_t id = 0; taken && id < feed_book_count(&core->book, FEED_T_FUNCTION); id++) {
        struct feed_function_row *row = feed_book_row(&core->book, FEED_T_FUNCTION, id);
        snprintf(name, sizeof name, "%.*s", (int)row->name.size, row->name.data);
        row->left_out = feed_wanted_lacks(core, row->parent_plus_1, name);
    }
    if (taken)
        feed_wanted_spread(core);
    pthread_mutex_unlock(&core->handle->lock);
    return taken;
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

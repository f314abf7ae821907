/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * wish.c: which topics somebody has subscribed to.
 */
#include "config.h"

#include "publish.h"

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

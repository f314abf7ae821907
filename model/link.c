/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * link.c: the words for the states of a link, and several links as one.
 */
#include "link.h"

#include <stddef.h>

const char *model_link_word(enum model_link_state state)
{
    static const char *const word[MODEL_LINK_STATES] = {
        [MODEL_CONNECTING] = "connecting", [MODEL_SYNCING] = "syncing", [MODEL_LIVE] = "live",
        [MODEL_LAGGING] = "lagging",       [MODEL_STALE] = "stale",     [MODEL_GONE] = "gone",
    };
    return (unsigned)state < MODEL_LINK_STATES ? word[state] : "connecting";
}

bool model_link_ended(const struct model_link *link)
{
    return link->state == MODEL_GONE && link->said_bye;
}

const char *model_link_says(const struct model_link *link)
{
    return model_link_ended(link) ? "ended" : model_link_word(link->state);
}

/* Counters of struct model_link, which stand together. */
enum { COUNTERS = (sizeof(struct model_link) - offsetof(struct model_link, frames)) / 8 };

void model_link_add(struct model_link *to, const struct model_link *link)
{
    uint64_t *sum = &to->frames;
    const uint64_t *more = &link->frames;
    for (unsigned i = 0; i < COUNTERS; i++)
        sum[i] += more[i];
    to->said_bye = to->said_bye && link->said_bye;
    to->insecure |= link->insecure;
    if (link->last_frame_ns > to->last_frame_ns)
        to->last_frame_ns = link->last_frame_ns;
    if (link->state == MODEL_GONE)
        return;
    to->healing |= link->healing;
    if (link->lag_ns > to->lag_ns)
        to->lag_ns = link->lag_ns;
}

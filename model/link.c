/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * link.c: words for the states of a link, and adding several links.
 */
#include "model/link.h"

#include <stddef.h>

const char *model_link_word(unsigned standing)
{
    static const char *const word[MODEL_LINK_WORDS] = {
        [MODEL_CONNECTING] = "connecting",
        [MODEL_SYNCING] = "syncing",
        [MODEL_LIVE] = "live",
        [MODEL_LAGGING] = "lagging",
        [MODEL_STALE] = "stale",
        [MODEL_GONE] = "gone",
        [MODEL_LINK_ENDED] = "ended",
        [MODEL_LINK_DETACHED] = "detached",
    };
    return standing < MODEL_LINK_WORDS ? word[standing] : "connecting";
}

bool model_link_ended(const struct model_link *link)
{
    return link->state == MODEL_GONE && link->said_bye;
}

unsigned model_link_standing(const struct model_link *link)
{
    if (!model_link_ended(link))
        return link->state;
    if (link->killed)
        return MODEL_GONE;
    return link->detached ? MODEL_LINK_DETACHED : MODEL_LINK_ENDED;
}

const char *model_link_text(const struct model_link *link)
{
    return link->replay ? "replay" : model_link_word(model_link_standing(link));
}

/* Number of counters at the end of struct model_link. */
enum { COUNTERS = (sizeof(struct model_link) - offsetof(struct model_link, frames)) / 8 };

void model_link_add(struct model_link *to, const struct model_link *link)
{
    uint64_t *sum = &to->frames;
    const uint64_t *more = &link->frames;
    for (unsigned i = 0; i < COUNTERS; i++)
        sum[i] += more[i];
    to->said_bye = to->said_bye && link->said_bye;
    to->detached = to->detached && link->detached;
    to->insecure |= link->insecure;
    to->replay |= link->replay;
    if (link->last_frame_ns > to->last_frame_ns)
        to->last_frame_ns = link->last_frame_ns;
    if (link->state == MODEL_GONE)
        return;
    to->healing |= link->healing;
    if (link->lag_ns > to->lag_ns)
        to->lag_ns = link->lag_ns;
}

/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * link.c: the words for the states of a link.
 */
#include "link.h"

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

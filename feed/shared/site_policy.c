/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * site_policy.c: reads the site's file.
 */
#include "config.h"

#include "feed/shared/site_policy.h"

#include <string.h>

#include "feed/shared/config_file.h"

static const struct {
    const char *key;
    size_t at;
} rules[] = {
    {"control", offsetof(struct feed_site, control)},
    {"inject", offsetof(struct feed_site, inject)},
    {"tcp", offsetof(struct feed_site, tcp)},
};

static const char *take_rule(void *site, const char *key, const char *value)
{
    bool yes = strcmp(value, "yes") == 0;
    if (!yes && strcmp(value, "no") != 0)
        return "says neither yes nor no";
    for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++)
        if (strcmp(rules[i].key, key) == 0) {
            *(bool *)((char *)site + rules[i].at) = yes;
            return NULL;
        }
    return "has a key that is none of control, inject, tcp";
}

bool feed_site_read(struct feed_site *site, char *why, size_t capacity)
{
    *site = (struct feed_site){true, true, true};
    if (feed_entries_read(feed_site_path(), false, take_rule, site, why, capacity) !=
        FEED_ENTRIES_BAD)
        return true;
    *site = (struct feed_site){0};
    return false;
}

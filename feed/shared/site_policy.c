/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * site_policy.c: reads the site's file.
 */
#include "config.h"

#include "feed/shared/site_policy.h"

#include <string.h>

#include "feed/shared/config_file.h"
#include "feed/shared/site_policy_path.h"

static const struct {
    const char *key;
    size_t at;
} rules[] = {
    {"control", offsetof(struct shared_site, control)},
    {"inject", offsetof(struct shared_site, inject)},
    {"tcp", offsetof(struct shared_site, tcp)},
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

bool shared_site_read(struct shared_site *site, char *why, size_t capacity)
{
    *site = (struct shared_site){true, true, true};
    if (shared_config_read(shared_site_path(), false, take_rule, site, why, capacity) !=
        SHARED_CONFIG_BAD)
        return true;
    *site = (struct shared_site){0};
    return false;
}

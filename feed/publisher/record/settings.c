/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * settings.c: parses and prints the settings of the collection.
 */
#include "config.h"

#include "feed/publisher/record/clock.h"
#include "feed/publisher/record/settings.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum kind { SWITCH, SECONDS, FILE_NAME, PROCESS };

static const struct {
    const char *name;
    enum kind kind;
    const char *first; /* default value */
} keys[PUBLISHER_KEYS] = {
    [PUBLISHER_KEY_FILENAME] = {"filename", FILE_NAME, "profile.json"},
    [PUBLISHER_KEY_MEMORY_PREFIX] = {"gpu_memory_profile_filename_prefix", FILE_NAME,
                                     "gpu_memory_profile"},
    [PUBLISHER_KEY_ALL] = {"profile_all", SWITCH, "0"},
    [PUBLISHER_KEY_SYMBOLIC] = {"profile_symbolic", SWITCH, "1"},
    [PUBLISHER_KEY_IMPERATIVE] = {"profile_imperative", SWITCH, "1"},
    [PUBLISHER_KEY_MEMORY] = {"profile_memory", SWITCH, "1"},
    [PUBLISHER_KEY_API] = {"profile_api", SWITCH, "1"},
    [PUBLISHER_KEY_CONTINUOUS] = {"continuous_dump", SWITCH, "0"},
    [PUBLISHER_KEY_PERIOD] = {"dump_period", SECONDS, "1"},
    [PUBLISHER_KEY_AGGREGATE] = {"aggregate_stats", SWITCH, "0"},
    [PUBLISHER_KEY_PROCESS] = {"profile_process", PROCESS, "worker"},
};

/* The allowed values of each kind, for error messages. */
static const char *const allowed[] = {
    [SWITCH] = "0, 1, true or false",
    [SECONDS] = "seconds above 0 and at most 1000000",
    [FILE_NAME] = "a file name of less than 1024 bytes",
    [PROCESS] = "worker or server",
};

enum { LONGEST_S = 1000000, BILLION = 1000000000 };

static bool read_switch(const char *value, bool *on)
{
    static const char *const words[][2] = {{"0", "1"}, {"false", "true"}, {"False", "True"}};
    for (size_t row = 0; row < sizeof words / sizeof words[0]; row++)
        for (int word = 0; word < 2; word++)
            if (strcmp(value, words[row][word]) == 0) {
                *on = word == 1;
                return true;
            }
    return false;
}

/* Uses integers only, so that the decimal point of the program's locale does not matter. */
const char *publisher_read_decimal(const char *text, uint64_t most, uint64_t *billionths)
{
    uint64_t whole = 0, part = 0, unit = BILLION;
    const char *at = text;
    for (; isdigit((unsigned char)*at) && whole <= most; at++)
        whole = whole * 10 + (uint64_t)(*at - '0');
    bool digits = at != text;
    if (*at == '.')
        for (at++; isdigit((unsigned char)*at); at++, unit /= 10) {
            part += (uint64_t)(*at - '0') * (unit / 10);
            digits = true;
        }
    *billionths = whole * BILLION + part;
    return digits && whole <= most && *billionths <= most * BILLION ? at : NULL;
}

static bool read_seconds(const char *value, uint64_t *ns)
{
    const char *end = publisher_read_decimal(value, LONGEST_S, ns);
    return end != NULL && *end == 0 && *ns > 0;
}

static bool read_file(const char *value, char *file)
{
    size_t size = strlen(value);
    if (size >= PUBLISHER_FILE_MAX)
        return false;
    memcpy(file, value, size + 1);
    return true;
}

static bool read_process(const char *value, bool *server)
{
    *server = strcmp(value, "server") == 0;
    return *server || strcmp(value, "worker") == 0;
}

static bool read_value(struct publisher_settings *settings, enum publisher_key key,
                       const char *value)
{
    switch (keys[key].kind) {
    case SWITCH:
        return read_switch(value, &settings->on[key]);
    case SECONDS:
        return read_seconds(value, &settings->period_ns);
    case FILE_NAME:
        return read_file(value, key == PUBLISHER_KEY_FILENAME ? settings->filename
                                                              : settings->memory_prefix);
    case PROCESS:
        return read_process(value, &settings->server);
    }
    return false;
}

static enum publisher_key find_key(const char *name)
{
    int key = 0;
    while (key < PUBLISHER_KEYS && strcmp(keys[key].name, name) != 0)
        key++;
    return (enum publisher_key)key;
}

void publisher_settings_init(struct publisher_settings *settings)
{
    memset(settings, 0, sizeof *settings);
    for (int key = 0; key < PUBLISHER_KEYS; key++)
        read_value(settings, (enum publisher_key)key, keys[key].first);
}

static void describe_unknown(const char *name, char *why)
{
    int size = snprintf(why, PUBLISHER_ERROR_SIZE, "there is no key '%.64s'; the keys are", name);
    for (int key = 0; key < PUBLISHER_KEYS && size < PUBLISHER_ERROR_SIZE; key++)
        size += snprintf(why + size, (size_t)(PUBLISHER_ERROR_SIZE - size), "%s %s",
                         key == 0 ? "" : ",", keys[key].name);
}

/* profile_all=1 turns on its parts, except those that the same call sets. */
static void spread_all(struct publisher_settings *settings, const bool given[PUBLISHER_KEYS])
{
    static const enum publisher_key parts[] = {PUBLISHER_KEY_SYMBOLIC, PUBLISHER_KEY_IMPERATIVE,
                                               PUBLISHER_KEY_MEMORY, PUBLISHER_KEY_API};
    if (!given[PUBLISHER_KEY_ALL] || !settings->on[PUBLISHER_KEY_ALL])
        return;
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
        if (!given[parts[i]])
            settings->on[parts[i]] = true;
}

static void describe_wrong(enum publisher_key key, const char *value, char *why)
{
    const char *must = allowed[keys[key].kind];
    if (value == NULL)
        snprintf(why, PUBLISHER_ERROR_SIZE, "%s has no value: it must be %s", keys[key].name, must);
    else
        snprintf(why, PUBLISHER_ERROR_SIZE, "%s can't be '%.64s': it must be %s", keys[key].name,
                 value, must);
}

bool publisher_settings_set(struct publisher_settings *settings, const char *role,
                            const char *const *pairs, char *why)
{
    struct publisher_settings next = *settings;
    bool given[PUBLISHER_KEYS + 1] = {false};
    for (; pairs != NULL && pairs[0] != NULL; pairs += 2) {
        enum publisher_key key = find_key(pairs[0]);
        if (key == PUBLISHER_KEYS) {
            describe_unknown(pairs[0], why);
            return false;
        }
        if (pairs[1] == NULL || !read_value(&next, key, pairs[1])) {
            describe_wrong(key, pairs[1], why);
            return false;
        }
        given[key] = true;
    }
    if (!publisher_settings_is_here(next.server ? "server" : NULL, role, why))
        return false;
    spread_all(&next, given);
    *settings = next;
    return true;
}

bool publisher_settings_get(const struct publisher_settings *settings, const char *name,
                            char *value, size_t capacity)
{
    enum publisher_key key = find_key(name);
    if (key == PUBLISHER_KEYS)
        return false;
    switch (keys[key].kind) {
    case SWITCH:
        snprintf(value, capacity, "%d", settings->on[key]);
        break;
    case SECONDS:
        snprintf(value, capacity, "%" PRIu64 ".%09" PRIu64,
                 settings->period_ns / PUBLISHER_SECOND_NS,
                 settings->period_ns % PUBLISHER_SECOND_NS);
        break;
    case FILE_NAME:
        snprintf(value, capacity, "%s",
                 key == PUBLISHER_KEY_FILENAME ? settings->filename : settings->memory_prefix);
        break;
    case PROCESS:
        snprintf(value, capacity, "%s", settings->server ? "server" : "worker");
        break;
    }
    return true;
}

bool publisher_settings_names_file(const char *name)
{
    enum publisher_key key = find_key(name);
    return key != PUBLISHER_KEYS && keys[key].kind == FILE_NAME;
}

bool publisher_settings_is_here(const char *process, const char *role, char *why)
{
    bool server = false;
    if (process != NULL && !read_process(process, &server)) {
        snprintf(why, PUBLISHER_ERROR_SIZE, "profile_process can't be '%.64s': it must be %s",
                 process, allowed[PROCESS]);
        return false;
    }
    if (!server || strcmp(role, "server") == 0)
        return true;
    snprintf(why, PUBLISHER_ERROR_SIZE,
             "this process is no server (its role is %s): ask the servers themselves",
             role[0] == 0 ? "not known" : role);
    return false;
}

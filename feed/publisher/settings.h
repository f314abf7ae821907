/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * settings.h: the settings of a feed's collection, by the names that MXNet's profiler gave them.
 * One table holds every key; parsing, errors and the manual are derived from it.
 */
#ifndef FEED_PUBLISHER_SETTINGS_H
#define FEED_PUBLISHER_SETTINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    PUBLISHER_FILE_MAX = 1024,
    PUBLISHER_VALUE_SIZE = PUBLISHER_FILE_MAX,
    PUBLISHER_ERROR_SIZE = 1536
};

enum publisher_key {
    PUBLISHER_KEY_FILENAME,
    PUBLISHER_KEY_MEMORY_PREFIX,
    PUBLISHER_KEY_ALL,
    PUBLISHER_KEY_SYMBOLIC,
    PUBLISHER_KEY_IMPERATIVE,
    PUBLISHER_KEY_MEMORY,
    PUBLISHER_KEY_API,
    PUBLISHER_KEY_CONTINUOUS,
    PUBLISHER_KEY_PERIOD,
    PUBLISHER_KEY_AGGREGATE,
    PUBLISHER_KEY_PROCESS,
    PUBLISHER_KEYS
};

struct publisher_settings {
    char filename[PUBLISHER_FILE_MAX];      /* of dump; empty: none is written */
    char memory_prefix[PUBLISHER_FILE_MAX]; /* of the file of device memory beside it */
    bool on[PUBLISHER_KEYS];                /* values of the keys that are switches */
    bool server;                       /* profile_process */
    uint64_t period_ns;                /* of continuous dumps */
};

void publisher_settings_init(struct publisher_settings *settings);

/* Sets keys from `pairs`: key, value, ..., NULL. All or nothing: false, with a sentence in `why`
 * of PUBLISHER_ERROR_SIZE bytes, if one of them can't be taken, or if they are for servers and
 * `role`, that of this process, is another. Keys that are not named stay. */
bool publisher_settings_set(struct publisher_settings *settings, const char *role,
                            const char *const *pairs, char *why);

/* The value of a key as text, which publisher_settings_set() takes again. False: no such key. */
bool publisher_settings_get(const struct publisher_settings *settings, const char *key, char *value,
                            size_t capacity);

/* Reads digits, perhaps with a decimal point, in billionths: a number that is at most `most`. Gives
 * where it ends; NULL: it is none. */
const char *publisher_read_decimal(const char *text, uint64_t most, uint64_t *billionths);

/* Whether the value of this key is the name of a file. */
bool publisher_settings_names_file(const char *key);

/* Whether `process` means the process itself, whose role in a distributed job is `role` (may be
 * empty). NULL means "worker". False, with a sentence. */
bool publisher_settings_is_here(const char *process, const char *role, char *why);

#endif

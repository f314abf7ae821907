/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * settings.h: the settings of a feed's collection, by the names that MXNet's profiler gave them.
 * One table holds every key; parsing, errors and the manual are derived from it.
 */
#ifndef FEED_SETTING_H
#define FEED_SETTING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { FEED_FILE_MAX = 1024, FEED_VALUE_SIZE = FEED_FILE_MAX, FEED_ERROR_SIZE = 1536 };

enum feed_key {
    FEED_KEY_FILENAME,
    FEED_KEY_MEMORY_PREFIX,
    FEED_KEY_ALL,
    FEED_KEY_SYMBOLIC,
    FEED_KEY_IMPERATIVE,
    FEED_KEY_MEMORY,
    FEED_KEY_API,
    FEED_KEY_CONTINUOUS,
    FEED_KEY_PERIOD,
    FEED_KEY_AGGREGATE,
    FEED_KEY_PROCESS,
    FEED_KEYS
};

struct feed_settings {
    char filename[FEED_FILE_MAX];      /* of dump; empty: none is written */
    char memory_prefix[FEED_FILE_MAX]; /* of the file of device memory beside it */
    bool on[FEED_KEYS];                /* values of the keys that are switches */
    bool server;                       /* profile_process */
    uint64_t period_ns;                /* of continuous dumps */
};

void feed_settings_init(struct feed_settings *settings);

/* Sets keys from `pairs`: key, value, ..., NULL. All or nothing: false, with a sentence in `why`
 * of FEED_ERROR_SIZE bytes, if one of them can't be taken, or if they are for servers and `role`,
 * that of this process, is another. Keys that are not named stay. */
bool feed_settings_set(struct feed_settings *settings, const char *role, const char *const *pairs,
                       char *why);

/* The value of a key as text, which feed_settings_set() takes again. False: no such key. */
bool feed_settings_get(const struct feed_settings *settings, const char *key, char *value,
                       size_t capacity);

/* Reads digits, perhaps with a decimal point, in billionths: a number that is at most `most`. Gives
 * where it ends; NULL: it is none. */
const char *feed_read_decimal(const char *text, uint64_t most, uint64_t *billionths);

/* Whether the value of this key is the name of a file. */
bool feed_settings_names_file(const char *key);

/* Whether `process` means the process itself, whose role in a distributed job is `role` (may be
 * empty). NULL means "worker". False, with a sentence. */
bool feed_settings_is_here(const char *process, const char *role, char *why);

#endif

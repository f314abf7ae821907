/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * settings.h: the settings of a feed's collection, under the names of MXNet's profiler. One table
 * holds every key; parsing, errors and the manual are derived from it.
 */
#ifndef FEED_PUBLISHER_RECORD_SETTINGS_H
#define FEED_PUBLISHER_RECORD_SETTINGS_H

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
    char filename[PUBLISHER_FILE_MAX];      /* file of a dump; empty: none is written */
    char memory_prefix[PUBLISHER_FILE_MAX]; /* prefix of the file of device memory beside it */
    bool on[PUBLISHER_KEYS];                /* values of the keys that are switches */
    bool server;                            /* profile_process is "server" */
    uint64_t period_ns;                     /* period of continuous dumps */
};

void publisher_settings_init(struct publisher_settings *settings);

/* Sets keys from `pairs`: key, value, ..., NULL. Other keys stay. Sets all or nothing: returns
 * false, with a sentence in `why` of PUBLISHER_ERROR_SIZE bytes, if a key or value is wrong, or if
 * the settings are for servers and this process has another `role`. */
bool publisher_settings_set(struct publisher_settings *settings, const char *role,
                            const char *const *pairs, char *why);

/* Writes the value of a key as text, in the form that publisher_settings_set() reads. Returns false
 * if there is no such key. */
bool publisher_settings_get(const struct publisher_settings *settings, const char *key, char *value,
                            size_t capacity);

/* Reads a decimal number of at most `most`, in billionths. Returns the end of the number, or NULL
 * if there is no such number. */
const char *publisher_read_decimal(const char *text, uint64_t most, uint64_t *billionths);

/* True if the value of this key is the name of a file. */
bool publisher_settings_names_file(const char *key);

/* True if `process` ("worker", "server", or NULL for "worker") means this process. `role` is the
 * role of this process in a distributed job, which may be empty: "server" needs that role, and
 * "worker" always means this process. Returns false with a sentence in `why`. */
bool publisher_settings_is_here(const char *process, const char *role, char *why);

#endif

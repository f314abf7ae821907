/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * keys.h: the keys of tcp: pairs, public halves of others, and what these others may do. All stand
 * in one directory, in files of lines `key = value` (docs/security.md). Shared by job and viewer.
 */
#ifndef FEED_KEY_H
#define FEED_KEY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "feed/shared/registry_dir.h"

enum { FEED_KEY_SIZE = 41, FEED_KEY_NAME = 24, FEED_KEYS_MAX = 256 };

/* What a peer may do. */
enum {
    FEED_MAY_READ = 1 << 0,    /* see what a job publishes */
    FEED_MAY_CONTROL = 1 << 1, /* change what it collects */
    FEED_MAY_PUBLISH = 1 << 2, /* be a job of a viewer that listens */
};

/* Both halves in the form of Z85, 40 characters and NUL. */
struct feed_pair {
    char public[FEED_KEY_SIZE], secret[FEED_KEY_SIZE];
};

/* Who else may do what. */
struct feed_authorized {
    uint32_t count;
    struct feed_authorized_key {
        char public[FEED_KEY_SIZE];
        char name[FEED_KEY_NAME]; /* printable ASCII, for messages; may be empty */
        unsigned may;
    } key[FEED_KEYS_MAX];
};

/* The directory: $PROFTOP_KEYS, $XDG_CONFIG_HOME/proftop/keys, $HOME/.config/proftop/keys. False
 * with a sentence: the environment names none. */
bool feed_key_place(char place[FEED_PATH_MAX], char *why, size_t capacity);

/* Reads NAME.key, which nobody else may read; NAME.pub; `authorized`, which may be missing. False
 * with a sentence in `why`. */
bool feed_key_pair(const char *place, const char *name, struct feed_pair *pair, char *why,
                   size_t capacity);
bool feed_key_public(const char *place, const char *name, char public[FEED_KEY_SIZE], char *why,
                     size_t capacity);
bool feed_key_authorized(const char *place, struct feed_authorized *list, char *why,
                         size_t capacity);

/* What the list says of a key; NULL: nothing. */
const struct feed_authorized_key *feed_key_find(const struct feed_authorized *list,
                                                const char *public);

/* Makes a pair: NAME.key, which this user alone can read, and NAME.pub to hand out. None is
 * replaced. `public` is its public half. The viewer's: jobs make no keys. */
bool feed_key_make(const char *place, const char *name, char public[FEED_KEY_SIZE], char *why,
                   size_t capacity);

#endif

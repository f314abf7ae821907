/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * keys.h: the keys of tcp: own pairs, public keys of others, and their rights. All are in one
 * directory, in files of lines `key = value` (docs/security.md). Shared by job and viewer.
 */
#ifndef FEED_SHARED_KEYS_H
#define FEED_SHARED_KEYS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "feed/shared/registry_dir.h"

enum { SHARED_KEY_SIZE = 41, SHARED_KEY_NAME = 24, SHARED_KEYS_MAX = 256 };

/* Rights of a peer. */
enum {
    SHARED_MAY_READ = 1 << 0,    /* see what a job publishes */
    SHARED_MAY_CONTROL = 1 << 1, /* change what it collects */
    SHARED_MAY_PUBLISH = 1 << 2, /* be a job of a viewer that listens */
};

/* Both halves in Z85: 40 characters and NUL. */
struct shared_pair {
    char public[SHARED_KEY_SIZE], secret[SHARED_KEY_SIZE];
};

/* Other peers and their rights. */
struct shared_authorized {
    uint32_t count;
    struct shared_authorized_key {
        char public[SHARED_KEY_SIZE];
        char name[SHARED_KEY_NAME]; /* printable ASCII, for messages; may be empty */
        unsigned may;
    } key[SHARED_KEYS_MAX];
};

/* Finds the key directory: $PROFTOP_KEYS, $XDG_CONFIG_HOME/proftop/keys,
 * $HOME/.config/proftop/keys. False with a sentence: the environment names none. */
bool shared_key_place(char place[SHARED_PATH_MAX], char *why, size_t capacity);

/* Reads NAME.key, which only this user may read; NAME.pub; `authorized`, which may be missing.
 * False with a sentence in `why`. */
bool shared_key_pair(const char *place, const char *name, struct shared_pair *pair, char *why,
                     size_t capacity);
bool shared_key_public(const char *place, const char *name, char public[SHARED_KEY_SIZE], char *why,
                       size_t capacity);
bool shared_key_authorized(const char *place, struct shared_authorized *list, char *why,
                           size_t capacity);

/* Entry of a key in the list; NULL: none. */
const struct shared_authorized_key *shared_key_find(const struct shared_authorized *list,
                                                    const char *public);

/* Makes a pair: NAME.key, readable by this user alone, and NAME.pub to hand out. Never replaces
 * one. `public` is its public half. Only the viewer makes keys; jobs do not. */
bool shared_key_make(const char *place, const char *name, char public[SHARED_KEY_SIZE], char *why,
                     size_t capacity);

#endif

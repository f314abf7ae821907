/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * keys.c: reads the key files.
 */
#include "config.h"

#include "feed/shared/keys.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "feed/shared/config_file.h"

bool shared_key_place(char place[SHARED_PATH_MAX], char *why, size_t capacity)
{
    static const struct {
        const char *variable, *tail;
    } roots[] = {{"PROFTOP_KEYS", ""},
                 {"XDG_CONFIG_HOME", "/proftop/keys"},
                 {"HOME", "/.config/proftop/keys"}};
    for (size_t i = 0; i < sizeof roots / sizeof roots[0]; i++) {
        const char *root = secure_getenv(roots[i].variable);
        if (root == NULL || root[0] != '/')
            continue;
        int size = snprintf(place, SHARED_PATH_MAX, "%s%s", root, roots[i].tail);
        if (size > 0 && size < SHARED_PATH_MAX)
            return true;
    }
    snprintf(why, capacity, "there is no directory of keys: set PROFTOP_KEYS or HOME");
    return false;
}

/* The characters of Z85 are all printable, and no blanks. */
static bool is_key(const char *text)
{
    static const char letters[] = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                  ".-:+=^!/*?&<>()[]{}@%$#";
    return strlen(text) == SHARED_KEY_SIZE - 1 && strspn(text, letters) == SHARED_KEY_SIZE - 1;
}

static const char *take_half(void *to, const char *key, const char *value)
{
    struct shared_pair *pair = to;
    char *half = strcmp(key, "public") == 0   ? pair->public
                 : strcmp(key, "secret") == 0 ? pair->secret
                                              : NULL;
    if (half == NULL)
        return "has a key that is neither public nor secret";
    if (!is_key(value))
        return "holds no key of 40 characters";
    memcpy(half, value, SHARED_KEY_SIZE);
    return NULL;
}

/* Reads a file of the directory. `name` must not lead out of it. */
static bool read_halves(const char *place, const char *name, const char *end,
                        struct shared_pair *pair, char *why, size_t capacity)
{
    char path[SHARED_PATH_MAX + 64];
    memset(pair, 0, sizeof *pair);
    bool named = name[0] != 0 && name[0] != '.' && strchr(name, '/') == NULL;
    int size = snprintf(path, sizeof path, "%s/%s%s", place, name, end);
    if (!named || size < 0 || size >= (int)sizeof path) {
        snprintf(why, capacity, "'%.32s' can't be the name of a key", name);
        return false;
    }
    bool secret = strcmp(end, ".key") == 0;
    enum shared_config got = shared_config_read(path, secret, take_half, pair, why, capacity);
    if (got == SHARED_CONFIG_NONE)
        snprintf(why, capacity, "there is no key %s: `proftop keygen` makes one", path);
    else if (got == SHARED_CONFIG_READ && (pair->public[0] == 0 || (secret && !pair->secret[0])))
        snprintf(why, capacity, "%s does not hold a whole key: make another", path);
    else
        return got == SHARED_CONFIG_READ;
    return false;
}

bool shared_key_pair(const char *place, const char *name, struct shared_pair *pair, char *why,
                     size_t capacity)
{
    return read_halves(place, name, ".key", pair, why, capacity);
}

bool shared_key_public(const char *place, const char *name, char public[SHARED_KEY_SIZE], char *why,
                       size_t capacity)
{
    struct shared_pair pair;
    bool good = read_halves(place, name, ".pub", &pair, why, capacity);
    memcpy(public, pair.public, SHARED_KEY_SIZE);
    return good;
}

/* ------------------------------------------------------------------------------- authorized */

const struct shared_authorized_key *shared_key_find(const struct shared_authorized *list,
                                                    const char *public)
{
    for (uint32_t i = 0; i < list->count; i++)
        if (strcmp(list->key[i].public, public) == 0)
            return &list->key[i];
    return NULL;
}

/* The right to control a job includes the right to see it. */
static unsigned rights_of(const char *word)
{
    static const struct {
        const char *word;
        unsigned may;
    } words[] = {{"read", SHARED_MAY_READ},
                 {"control", SHARED_MAY_READ | SHARED_MAY_CONTROL},
                 {"publish", SHARED_MAY_PUBLISH}};
    for (unsigned i = 0; i < sizeof words / sizeof words[0]; i++)
        if (strcmp(words[i].word, word) == 0)
            return words[i].may;
    return 0;
}

/* Takes `read = KEY NAME`. Several lines of one key add up. */
static const char *take_grant(void *to, const char *word, const char *value)
{
    struct shared_authorized *list = to;
    struct shared_authorized_key next = {.may = rights_of(word)};
    size_t size = strcspn(value, " \t"), i = 0;
    if (next.may == 0)
        return "grants none of read, control, publish";
    if (size == SHARED_KEY_SIZE - 1)
        memcpy(next.public, value, size);
    if (!is_key(next.public))
        return "holds no key of 40 characters";
    for (value += size + strspn(value + size, " \t"); *value != 0 && i < SHARED_KEY_NAME - 1;
         value++)
        next.name[i++] = (char)(*value > 0x20 && *value < 0x7f ? *value : '_');
    struct shared_authorized_key *known =
        (struct shared_authorized_key *)shared_key_find(list, next.public);
    if (known != NULL)
        known->may |= next.may;
    else if (list->count == SHARED_KEYS_MAX)
        return "is the 257th key: 256 are possible";
    else
        list->key[list->count++] = next;
    return NULL;
}

bool shared_key_authorized(const char *place, struct shared_authorized *list, char *why,
                           size_t capacity)
{
    char path[SHARED_PATH_MAX + 16];
    memset(list, 0, sizeof *list);
    snprintf(path, sizeof path, "%s/authorized", place);
    if (shared_config_read(path, false, take_grant, list, why, capacity) != SHARED_CONFIG_BAD)
        return true;
    memset(list, 0, sizeof *list);
    return false;
}

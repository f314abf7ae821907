/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * index.h: finds the id of what was defined under a kind and up to three texts. Under the feed's
 * lock.
 */
#ifndef FEED_PUBLISHER_RECORD_INDEX_H
#define FEED_PUBLISHER_RECORD_INDEX_H

#include <stdbool.h>
#include <stdint.h>

#include "feed/protocol/frame.h"

enum { PUBLISHER_KEY_TEXTS = 3 };

struct publisher_entry {
    struct wire_text text[PUBLISHER_KEY_TEXTS];
    uint32_t hash, id;
    bool used;
    uint8_t kind;
};

/* Zero at first. */
struct publisher_index {
    struct publisher_entry *entry;
    uint32_t size, used; /* size: a power of two, or 0 */
};

void publisher_index_release(struct publisher_index *index);

/* Returns a text as a key has it: cut to WIRE_TEXT_MAX, borrowed; NULL is the empty text. */
struct wire_text publisher_key_text(const char *text);

/* Returns the id of a key, or PROFTOP_NONE if there is none. */
uint32_t publisher_index_find(const struct publisher_index *index, unsigned kind,
                              const struct wire_text text[PUBLISHER_KEY_TEXTS]);

/* Makes space for one more entry. Returns false if out of memory. */
bool publisher_index_reserve(struct publisher_index *index);

/* Adds a new key. Its texts must outlive the index, which must have space. */
void publisher_index_add(struct publisher_index *index, unsigned kind,
                         const struct wire_text text[PUBLISHER_KEY_TEXTS], uint32_t id);

#endif

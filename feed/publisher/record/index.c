/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * index.c: finds ids by texts: an open hash table.
 */
#include "config.h"

#include "feed/publisher/record/index.h"
#include "feed/publisher/record/definitions.h"
#include "feed/publisher/record/no_inline_api.h"

#include <stdlib.h>
#include <string.h>

enum { INDEX_FIRST = 64 };

struct wire_text publisher_key_text(const char *text)
{
    text = text == NULL ? "" : text;
    return (struct wire_text){.data = text,
                              .size = (uint32_t)publisher_text_cut(text, WIRE_TEXT_MAX)};
}

static uint32_t hash_of(unsigned kind, const struct wire_text text[PUBLISHER_KEY_TEXTS])
{
    uint32_t hash = 2166136261u ^ kind;
    for (int i = 0; i < PUBLISHER_KEY_TEXTS; i++) {
        for (uint32_t at = 0; at < text[i].size; at++)
            hash = (hash ^ (uint8_t)text[i].data[at]) * 16777619u;
        hash = (hash ^ 0x100u) * 16777619u; /* end of a text: a value that no byte has */
    }
    return hash ^ hash >> 15;
}

static bool is_same(const struct publisher_entry *entry, unsigned kind, uint32_t hash,
                    const struct wire_text text[PUBLISHER_KEY_TEXTS])
{
    bool same = entry->hash == hash && entry->kind == kind;
    for (int i = 0; same && i < PUBLISHER_KEY_TEXTS; i++)
        same = entry->text[i].size == text[i].size &&
               memcmp(entry->text[i].data, text[i].data, text[i].size) == 0;
    return same;
}

/* Returns the entry of a key, or the free entry where it belongs. The index must not be full. */
static struct publisher_entry *entry_of(const struct publisher_index *index, unsigned kind,
                                        uint32_t hash,
                                        const struct wire_text text[PUBLISHER_KEY_TEXTS])
{
    uint32_t at = hash & (index->size - 1);
    while (index->entry[at].used && !is_same(&index->entry[at], kind, hash, text))
        at = (at + 1) & (index->size - 1);
    return &index->entry[at];
}

uint32_t publisher_index_find(const struct publisher_index *index, unsigned kind,
                              const struct wire_text text[PUBLISHER_KEY_TEXTS])
{
    if (index->size == 0)
        return PROFTOP_NONE;
    const struct publisher_entry *entry = entry_of(index, kind, hash_of(kind, text), text);
    return entry->used ? entry->id : PROFTOP_NONE;
}

bool publisher_index_reserve(struct publisher_index *index)
{
    if (index->used * 2 < index->size)
        return true;
    struct publisher_index larger = {.size = index->size == 0 ? INDEX_FIRST : index->size * 2};
    larger.entry = calloc(larger.size, sizeof *larger.entry);
    if (larger.entry == NULL)
        return false;
    for (uint32_t at = 0; at < index->size; at++) {
        const struct publisher_entry *was = &index->entry[at];
        if (was->used)
            *entry_of(&larger, was->kind, was->hash, was->text) = *was;
    }
    larger.used = index->used;
    free(index->entry);
    *index = larger;
    return true;
}

void publisher_index_add(struct publisher_index *index, unsigned kind,
                         const struct wire_text text[PUBLISHER_KEY_TEXTS], uint32_t id)
{
    uint32_t hash = hash_of(kind, text);
    struct publisher_entry *entry = entry_of(index, kind, hash, text);
    *entry = (struct publisher_entry){.hash = hash, .id = id, .used = true, .kind = (uint8_t)kind};
    memcpy(entry->text, text, sizeof entry->text);
    index->used++;
}

void publisher_index_release(struct publisher_index *index)
{
    free(index->entry);
    *index = (struct publisher_index){0};
}

/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * index.c: a hash table with open addressing. It has more slots than rows, so searches are short.
 */
#include "model/index.h"

#include <stdlib.h>
#include <string.h>

enum { SLOTS_MIN = 64 };

static uint32_t hash_of(const char *bytes, size_t size)
{
    uint32_t hash = 2166136261u;
    for (size_t i = 0; i < size; i++)
        hash = (hash ^ (unsigned char)bytes[i]) * 16777619u;
    return hash ^ hash >> 15;
}

static bool is_equal(struct model_bytes a, const char *bytes, size_t size)
{
    return a.size == size && (size == 0 || memcmp(a.data, bytes, size) == 0);
}

uint32_t *model_index_slot(const struct model_index *index, const struct model_job *job,
                           model_index_text *text, const char *bytes, size_t size)
{
    uint32_t at = hash_of(bytes, size) & (index->slots - 1);
    while (index->slot[at] && !is_equal(text(job, index->slot[at] - 1), bytes, size))
        at = (at + 1) & (index->slots - 1);
    return &index->slot[at];
}

bool model_index_fit(struct model_index *index, const struct model_job *job,
                     model_index_text *text, uint32_t rows)
{
    struct model_index grown = {.slots = SLOTS_MIN};
    if (2 * (rows + 1) <= index->slots)
        return true;
    while (grown.slots < 4 * (rows + 1))
        grown.slots *= 2;
    grown.slot = calloc(grown.slots, sizeof(*grown.slot));
    if (!grown.slot)
        return false;
    free(index->slot);
    *index = grown;
    for (uint32_t i = 0; i < rows; i++) {
        const struct model_bytes of = text(job, i);
        *model_index_slot(index, job, text, of.data, of.size) = i + 1;
    }
    return true;
}

/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * sort.c: a radix sort from the lowest digit up, which is stable; and the ranks of strings by it.
 */
#include "sort.h"

#include <stdlib.h>
#include <string.h>

enum {
    DIGIT_BITS = 11,
    DIGITS = (64 + DIGIT_BITS - 1) / DIGIT_BITS,
    BUCKETS = 1 << DIGIT_BITS,
    FEW = 48, /* so few pairs are sorted faster by insertion than by counting digits */
};

static void insertion_sort(struct model_pair *pairs, size_t n)
{
    for (size_t i = 1; i < n; i++) {
        struct model_pair pair = pairs[i];
        size_t at = i;
        for (; at > 0 && pairs[at - 1].key > pair.key; at--)
            pairs[at] = pairs[at - 1];
        pairs[at] = pair;
    }
}

/* Moves the pairs in the order of one digit. */
static void scatter(const struct model_pair *from, struct model_pair *to, size_t n, unsigned shift,
                    uint32_t count[BUCKETS])
{
    uint32_t sum = 0;
    for (unsigned b = 0; b < BUCKETS; b++) {
        uint32_t here = count[b];
        count[b] = sum;
        sum += here;
    }
    for (size_t i = 0; i < n; i++)
        to[count[from[i].key >> shift & (BUCKETS - 1)]++] = from[i];
}

void model_sort(struct model_pair *pairs, struct model_pair *spare, size_t n)
{
    if (n <= FEW) {
        insertion_sort(pairs, n);
        return;
    }
    uint64_t any = 0, all = UINT64_MAX;
    for (size_t i = 0; i < n; i++) {
        any |= pairs[i].key;
        all &= pairs[i].key;
    }
    struct model_pair *from = pairs, *to = spare;
    for (unsigned digit = 0; digit < DIGITS; digit++) {
        unsigned shift = digit * DIGIT_BITS;
        /* A digit that is the same in all keys moves nothing. */
        if (((any ^ all) >> shift & (BUCKETS - 1)) == 0)
            continue;
        uint32_t count[BUCKETS] = {0};
        for (size_t i = 0; i < n; i++)
            count[from[i].key >> shift & (BUCKETS - 1)]++;
        scatter(from, to, n, shift, count);
        struct model_pair *swap = from;
        from = to;
        to = swap;
    }
    if (from != pairs)
        memcpy(pairs, from, n * sizeof(*pairs));
}

/* ------------------------------------------------------------------------------------ ranks */

/* Strings that are equal in their first `depth` bytes and stand side by side. */
struct tie {
    uint32_t first, count, depth;
};

struct ranking {
    const char *bytes;
    const size_t *offset;
    struct model_pair *pairs, *spare;
    struct tie *tie;
    size_t ties, capacity;
};

enum { STEP = 7 }; /* bytes of a string in one key; the lowest byte says how many there were */

static uint64_t key_at(const struct ranking *r, uint32_t id, uint32_t depth)
{
    size_t size = r->offset[id + 1] - r->offset[id];
    size_t left = size > depth ? size - depth : 0;
    const uint8_t *at = (const uint8_t *)r->bytes + r->offset[id] + depth;
    uint64_t key = 0;
    for (unsigned i = 0; i < STEP; i++)
        key = key << 8 | (i < left ? at[i] : 0);
    return key << 8 | (left > STEP ? STEP + 1 : left);
}

static bool push_tie(struct ranking *r, uint32_t first, uint32_t count, uint32_t depth)
{
    if (r->ties == r->capacity) {
        size_t capacity = r->capacity ? r->capacity * 2 : 64;
        struct tie *grown = realloc(r->tie, capacity * sizeof(*grown));
        if (!grown)
            return false;
        r->tie = grown;
        r->capacity = capacity;
    }
    r->tie[r->ties++] = (struct tie){first, count, depth};
    return true;
}

/* Sorts one tie by its next bytes; what is still tied and goes on is left for later. */
static bool break_tie(struct ranking *r, struct tie tie)
{
    struct model_pair *pairs = r->pairs + tie.first;
    for (uint32_t i = 0; i < tie.count; i++)
        pairs[i].key = key_at(r, pairs[i].id, tie.depth);
    model_sort(pairs, r->spare, tie.count);
    for (uint32_t i = 0, next; i < tie.count; i = next) {
        next = i + 1;
        while (next < tie.count && pairs[next].key == pairs[i].key)
            next++;
        bool goes_on = (pairs[i].key & 0xFF) > STEP;
        if (next - i > 1 && goes_on && !push_tie(r, tie.first + i, next - i, tie.depth + STEP))
            return false;
    }
    return true;
}

static bool same(const struct ranking *r, uint32_t a, uint32_t b)
{
    size_t size = r->offset[a + 1] - r->offset[a];
    return size == r->offset[b + 1] - r->offset[b] &&
           !memcmp(r->bytes + r->offset[a], r->bytes + r->offset[b], size);
}

bool model_sort_ranks(const char *bytes, const size_t *offset, uint32_t n, uint32_t *rank)
{
    if (n == 0)
        return true;
    struct ranking r = {.bytes = bytes, .offset = offset};
    r.pairs = malloc(n * sizeof(*r.pairs));
    r.spare = malloc(n * sizeof(*r.spare));
    bool fine = r.pairs && r.spare && push_tie(&r, 0, n, 0);
    for (uint32_t i = 0; fine && i < n; i++)
        r.pairs[i].id = i;
    while (fine && r.ties > 0)
        fine = break_tie(&r, r.tie[--r.ties]);
    for (uint32_t i = 0, at = 0; fine && i < n; i++) {
        if (i > 0 && !same(&r, r.pairs[i - 1].id, r.pairs[i].id))
            at = i;
        rank[r.pairs[i].id] = at;
    }
    free(r.pairs);
    free(r.spare);
    free(r.tie);
    return fine;
}

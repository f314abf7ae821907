/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * sort.c: a stable radix sort from the lowest digit up; a lazy sort from the highest digit down, as
 * far as requested; and the ranks of strings.
 */
#include "model/sort.h"

#include <stdlib.h>
#include <string.h>

enum {
    DIGIT_BITS = 11,
    DIGITS = (64 + DIGIT_BITS - 1) / DIGIT_BITS,
    BUCKETS = 1 << DIGIT_BITS,
    FEW = 48,    /* up to this many pairs, insertion sort is faster than counting digits */
    PART = 4096, /* up to this many pairs are sorted fully, not split by one more digit */
    WORD = 64,   /* border bits in a word */
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

/* Moves the pairs into the order of one digit. */
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
        /* Skip a digit that is the same in all keys. */
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

/* ------------------------------------------------------------------------------- as asked for */

bool model_sorting_fit(struct model_sorting *sorting, uint32_t n)
{
    if (sorting->capacity >= n && sorting->capacity > 0)
        return true;
    model_sorting_release(sorting);
    size_t capacity = (size_t)n + n / 8 + WORD;
    capacity = capacity < UINT32_MAX ? capacity : UINT32_MAX;
    sorting->pairs = malloc(capacity * sizeof(*sorting->pairs));
    sorting->spare = malloc(capacity * sizeof(*sorting->spare));
    sorting->border = malloc((capacity / WORD + 1) * sizeof(*sorting->border));
    if (sorting->pairs && sorting->spare && sorting->border)
        sorting->capacity = (uint32_t)capacity;
    return sorting->capacity > 0;
}

void model_sorting_release(struct model_sorting *sorting)
{
    free(sorting->pairs);
    free(sorting->spare);
    free(sorting->border);
    *sorting = (struct model_sorting){0};
}

static bool is_border(const struct model_sorting *sorting, uint32_t at)
{
    return at >= sorting->count || (sorting->border[at / WORD] >> at % WORD & 1);
}

static void set_border(struct model_sorting *sorting, uint32_t at)
{
    if (at < sorting->count)
        sorting->border[at / WORD] |= UINT64_C(1) << at % WORD;
}

void model_sorting_begin(struct model_sorting *sorting, uint32_t n)
{
    sorting->count = n;
    sorting->found = 0;
    memset(sorting->border, 0, (n / WORD + 1) * sizeof(*sorting->border));
    set_border(sorting, 0);
}

/* The part that contains a position: from the border at or before it to the next border. */
static uint32_t part_first(const struct model_sorting *sorting, uint32_t at)
{
    uint32_t word = at / WORD;
    uint64_t bits = sorting->border[word] & UINT64_MAX >> (WORD - 1 - at % WORD);
    while (!bits)
        bits = sorting->border[--word]; /* position 0 is always a border */
    return word * WORD + (WORD - 1) - (uint32_t)__builtin_clzll(bits);
}

static uint32_t part_end(const struct model_sorting *sorting, uint32_t at)
{
    uint32_t word = at / WORD, words = sorting->count / WORD + 1;
    uint64_t bits = sorting->border[word] & UINT64_MAX << at % WORD << 1;
    while (!bits && ++word < words)
        bits = sorting->border[word];
    return bits ? word * WORD + (uint32_t)__builtin_ctzll(bits) : sorting->count;
}

/* Returns the bits in which keys differ. Unknown values have the greatest key and sort last by any
 * digit, so their bits count only if all other keys are equal. */
static uint64_t difference(const struct model_pair *pairs, uint32_t n)
{
    uint64_t any = 0, all = UINT64_MAX;
    bool unknown = false;
    for (uint32_t i = 0; i < n; i++) {
        bool known = pairs[i].key != UINT64_MAX;
        any |= known ? pairs[i].key : 0;
        all &= pairs[i].key;
        unknown |= !known;
    }
    return any & ~all ? any & ~all : unknown ? ~all : 0;
}

/* Splits the pairs from `first` on by the highest digit in which they differ. */
static void part_by(struct model_sorting *sorting, uint32_t first, uint32_t n, uint64_t differ)
{
    unsigned bits = 64 - (unsigned)__builtin_clzll(differ);
    unsigned shift = bits > DIGIT_BITS ? bits - DIGIT_BITS : 0;
    struct model_pair *pairs = sorting->pairs + first, *to = sorting->spare + first;
    uint32_t count[BUCKETS] = {0};
    for (uint32_t i = 0; i < n; i++)
        count[pairs[i].key >> shift & (BUCKETS - 1)]++;
    scatter(pairs, to, n, shift, count);
    for (unsigned b = 0; b < BUCKETS; b++)
        set_border(sorting, first + count[b]); /* start of the next bucket */
    if (n < sorting->count) {
        memcpy(pairs, to, n * sizeof(*pairs));
        return;
    }
    sorting->spare = sorting->pairs;
    sorting->pairs = to;
}

/* Sorts a part one step further. */
static void refine(struct model_sorting *sorting, uint32_t first, uint32_t n)
{
    uint64_t differ = n > PART ? difference(sorting->pairs + first, n) : 0;
    if (differ) {
        part_by(sorting, first, n, differ);
        return;
    }
    if (n <= PART)
        model_sort(sorting->pairs + first, sorting->spare, n);
    for (uint32_t at = first; at < first + n; at++)
        set_border(sorting, at);
}

uint32_t model_sorting_at(struct model_sorting *sorting, uint32_t at)
{
    while (!is_border(sorting, at) || !is_border(sorting, at + 1)) {
        uint32_t first = part_first(sorting, at);
        refine(sorting, first, part_end(sorting, at) - first);
    }
    return sorting->pairs[at].id;
}

uint32_t model_sorting_find(struct model_sorting *sorting, uint32_t id)
{
    uint32_t at = sorting->found, first = 0, end = sorting->count;
    for (;;) {
        if (at >= end || sorting->pairs[at].id != id)
            for (at = first; at < end && sorting->pairs[at].id != id; at++)
                ;
        if (at >= end)
            return UINT32_MAX;
        sorting->found = at;
        if (is_border(sorting, at) && is_border(sorting, at + 1))
            return at;
        first = part_first(sorting, at);
        end = part_end(sorting, at);
        refine(sorting, first, end - first);
    }
}

/* ------------------------------------------------------------------------------------ ranks */

/* Adjacent strings with equal first `depth` bytes. */
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

enum { STEP = 7 }; /* bytes of a string in one key; the lowest byte of the key counts them */

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

/* Sorts one tie by its next bytes. Pushes the ties that remain. */
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

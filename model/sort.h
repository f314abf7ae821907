/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * sort.h: the one sorter. Every value is first mapped to a key of 64 bits.
 */
#ifndef MODEL_SORT_H
#define MODEL_SORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct model_text;

struct model_pair {
    uint64_t key;
    uint32_t id;
};

/* Sorts by ascending key. Equal keys keep their order. `spare` has space for n pairs. Linear in
 * n. */
void model_sort(struct model_pair *pairs, struct model_pair *spare, size_t n);

/* Pairs that are sorted lazily, as positions are requested: a screen shows few of very many. */
struct model_sorting {
    struct model_pair *pairs, *spare;
    uint64_t *border; /* by position, a bit: all pairs before it sort before the rest */
    uint32_t count, capacity;
    uint32_t found; /* the last position that was looked up */
};

/* Allocates space for n pairs and drops the contents. Returns false if out of memory; there is then
 * no space at all. */
bool model_sorting_fit(struct model_sorting *sorting, uint32_t n);
void model_sorting_release(struct model_sorting *sorting);
/* Starts sorting: the first n of `pairs` are filled. Equal keys keep this order. */
void model_sorting_begin(struct model_sorting *sorting, uint32_t n);
/* Returns the id at a position below the count. */
uint32_t model_sorting_at(struct model_sorting *sorting, uint32_t at);
/* Returns the position of an id; UINT32_MAX if there is none. Linear in the count. */
uint32_t model_sorting_find(struct model_sorting *sorting, uint32_t id);

/* Ranks n strings by their bytes, as memcmp() orders them, shorter first. String i begins at bytes
 * + offset[i] and ends before offset[i + 1]. Equal strings have equal ranks. Returns false if out
 * of memory. */
bool model_sort_ranks(const char *bytes, const size_t *offset, uint32_t n, uint32_t *rank);

#endif

/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * sort.h: the one sorter. Whatever is sorted becomes a key of 64 bits first.
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

/* Sorts by ascending key; equal keys stay in the order given. `spare` has room for n pairs.
 * Linear in n. */
void model_sort(struct model_pair *pairs, struct model_pair *spare, size_t n);

/* Pairs that are put into the same order bit by bit, as positions of it are asked for: a screen
 * shows few of very many. */
struct model_sorting {
    struct model_pair *pairs, *spare;
    uint64_t *border; /* by position, a bit: all before it are in front of all from it on */
    uint32_t count, capacity;
    uint32_t found; /* position that was found last */
};

/* Room for n pairs; what was in it is lost. False when out of memory: there is room for none. */
bool model_sorting_fit(struct model_sorting *sorting, uint32_t n);
void model_sorting_release(struct model_sorting *sorting);
/* Says that the first n of `pairs` have been filled, in the order that equal keys keep. */
void model_sorting_begin(struct model_sorting *sorting, uint32_t n);
/* The id at a position below the count. */
uint32_t model_sorting_at(struct model_sorting *sorting, uint32_t at);
/* The position of an id; UINT32_MAX if there is none. Linear in the count. */
uint32_t model_sorting_find(struct model_sorting *sorting, uint32_t id);

/* Ranks of n strings by their bytes, as memcmp() orders them, shorter first: string i begins at
 * bytes + offset[i] and ends before offset[i + 1]. Equal strings have equal ranks. False when out
 * of memory. */
bool model_sort_ranks(const char *bytes, const size_t *offset, uint32_t n, uint32_t *rank);

#endif

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

/* Ranks of n strings by their bytes, as memcmp() orders them, shorter first: string i begins at
 * bytes + offset[i] and ends before offset[i + 1]. Equal strings have equal ranks. False when out
 * of memory. */
bool model_sort_ranks(const char *bytes, const size_t *offset, uint32_t n, uint32_t *rank);

#endif

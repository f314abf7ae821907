/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * check_sort.c: pairs are sorted by key, equal ones as given, whichever positions are read first.
 */
#include "model/sort.h"

#include <stdlib.h>

#include "sample.h"

/* Ids of the sorted items. They differ from positions. */
static uint32_t id_of(uint32_t i)
{
    return 3 * i + 1;
}

/* Shapes of keys: uniform, few values, long-tailed, one value, high digits alone. Each includes
 * unknowns. */
static uint64_t draw(int shape, struct sample_random *r)
{
    uint64_t key = sample_next(r) >> 1;
    switch (shape / 2) {
    case 0:
        break;
    case 1:
        key = 5000 + key % 7;
        break;
    case 2:
        key >>= key % 50;
        break;
    case 3:
        key = UINT64_MAX - 1;
        break;
    default:
        key = UINT64_MAX - (key % 3000 << 51) - 1;
    }
    return shape % 2 && sample_below(r, 10) == 0 ? UINT64_MAX : key;
}
enum { SHAPES = 10 };

static int compare(const void *a, const void *b)
{
    const struct model_pair *x = a, *y = b;
    if (x->key != y->key)
        return x->key < y->key ? -1 : 1;
    return x->id < y->id ? -1 : x->id > y->id;
}

/* The same pairs sorted by qsort(). Ids grow in the order given. */
static struct model_pair *fill(struct model_sorting *sorting, uint32_t n, int shape,
                               struct sample_random *r)
{
    struct model_pair *expected = calloc(n + 1, sizeof(*expected));
    ck_assert_ptr_nonnull(expected);
    ck_assert(model_sorting_fit(sorting, n));
    for (uint32_t i = 0; i < n; i++)
        expected[i] = sorting->pairs[i] = (struct model_pair){draw(shape, r), id_of(i)};
    model_sorting_begin(sorting, n);
    qsort(expected, n, sizeof(*expected), compare);
    return expected;
}

static const uint32_t sizes[] = {1, 2, 47, 63, 64, 65, 128, 4096, 4097, 9000, 40000};

START_TEST(any_position_first)
{
    struct sample_random r = {UINT64_C(77) + (unsigned)_i};
    struct model_sorting sorting = {0};
    for (size_t s = 0; s < sizeof(sizes) / sizeof(sizes[0]); s++) {
        uint32_t n = sizes[s];
        struct model_pair *expected = fill(&sorting, n, _i, &r);
        for (int i = 0; i < 50; i++) {
            uint32_t at = (uint32_t)sample_below(&r, n);
            if (sample_below(&r, 2))
                ck_assert_uint_eq(model_sorting_at(&sorting, at), expected[at].id);
            else
                ck_assert_uint_eq(model_sorting_find(&sorting, expected[at].id), at);
        }
        ck_assert_uint_eq(model_sorting_find(&sorting, 0), UINT32_MAX);
        for (uint32_t at = 0; at < n; at++)
            ck_assert_uint_eq(model_sorting_at(&sorting, at), expected[at].id);
        for (uint32_t at = 0; at < n; at += 1 + n / 20) {
            ck_assert_uint_eq(model_sorting_find(&sorting, expected[at].id), at);
            ck_assert_uint_eq(model_sorting_find(&sorting, expected[at].id), at);
        }
        free(expected);
    }
    model_sorting_release(&sorting);
}
END_TEST

START_TEST(none_and_fewer_than_before)
{
    struct sample_random r = {5};
    struct model_sorting sorting = {0};
    free(fill(&sorting, 9000, 0, &r));
    model_sorting_at(&sorting, 8999);
    struct model_pair *expected = fill(&sorting, 100, 0, &r);
    for (uint32_t at = 100; at-- > 0;)
        ck_assert_uint_eq(model_sorting_at(&sorting, at), expected[at].id);
    free(expected);
    free(fill(&sorting, 0, 0, &r));
    ck_assert_uint_eq(model_sorting_find(&sorting, id_of(0)), UINT32_MAX);
    model_sorting_release(&sorting);
}
END_TEST

/* A screen of very many rows takes little more than one pass over them. */
START_TEST(few_of_many_are_not_all_sorted)
{
    enum { N = 200000, SHOWN = 40 };
    struct sample_random r = {9};
    struct model_sorting sorting = {0};
    struct model_pair *expected = fill(&sorting, N, 0, &r);
    for (uint32_t at = 0; at < SHOWN; at++)
        ck_assert_uint_eq(model_sorting_at(&sorting, at), expected[at].id);
    uint32_t borders = 0;
    for (uint32_t at = 0; at < N; at++)
        borders += (uint32_t)(sorting.border[at / 64] >> at % 64 & 1);
    ck_assert_uint_lt(borders, N / 20);
    free(expected);
    model_sorting_release(&sorting);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("sort");
    tap_add_loop(s, "any_position_first", any_position_first, SHAPES);
    tap_add(s, "none_and_fewer_than_before", none_and_fewer_than_before);
    tap_add(s, "few_of_many_are_not_all_sorted", few_of_many_are_not_all_sorted);
    return s;
}

TAP_MAIN(suite)

/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * check_large.c: arrays keep what is in them, however they grow, shrink and stand in each other's
 * way.
 */
#include "large.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#include "sample.h"
#include "../sanitized.h"

enum { SMALL = 4096, PAGE = 2 << 20, STEP = 1021 }; /* STEP: a prime, so that no page is spared */

static void fill(uint8_t *data, size_t from, size_t to, uint8_t seed)
{
    for (size_t i = (from + STEP - 1) / STEP * STEP; i < to; i += STEP)
        data[i] = (uint8_t)(i / STEP * 7 + seed);
}

static bool holds(const uint8_t *data, size_t to, uint8_t seed)
{
    for (size_t i = 0; i < to; i += STEP)
        if (data[i] != (uint8_t)(i / STEP * 7 + seed))
            return false;
    return true;
}

START_TEST(what_is_in_it_stays)
{
    static const size_t sizes[] = {
        1,           SMALL,           MODEL_LARGE - 1,    MODEL_LARGE,          MODEL_LARGE + 1,
        5 * PAGE,    5 * PAGE + 1,    9 * PAGE + SMALL,   MODEL_LARGE,          MODEL_LARGE - 1,
        SMALL,       7 * PAGE,        2 * SMALL,
    };
    uint8_t *data = NULL;
    size_t before = 0, filled = 0;
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        data = model_large_fit(data, before, sizes[i]);
        ck_assert_ptr_nonnull(data);
        filled = filled < sizes[i] ? filled : sizes[i];
        ck_assert(holds(data, filled, 1));
        fill(data, filled, sizes[i], 1);
        before = filled = sizes[i];
    }
    model_large_free(data, before);
    model_large_free(NULL, 0);
}
END_TEST

/* Two that grow in turns cannot both grow in their place. */
START_TEST(several_grow_in_turns)
{
    enum { ARRAYS = 3 };
    uint8_t *data[ARRAYS] = {NULL};
    size_t size = 0;
    for (size_t next = MODEL_LARGE / 4; next < 16 * (size_t)MODEL_LARGE; next += next / 2) {
        for (int i = 0; i < ARRAYS; i++) {
            data[i] = model_large_fit(data[i], size, next);
            ck_assert_ptr_nonnull(data[i]);
            fill(data[i], size, next, (uint8_t)i);
        }
        size = next;
        for (int i = 0; i < ARRAYS; i++)
            ck_assert(holds(data[i], size, (uint8_t)i));
    }
    for (int i = 0; i < ARRAYS; i++)
        model_large_free(data[i], size);
}
END_TEST

/* Pages of 2 MB need it, in whatever place an array has come to lie. */
START_TEST(large_ones_are_aligned)
{
    if (PROCESS_ASAN)
        return; /* all is malloc()'s there */
    void *data = NULL, *other = NULL;
    for (size_t size = MODEL_LARGE; size < 8 * (size_t)MODEL_LARGE; size *= 2) {
        size_t before = size == MODEL_LARGE ? 0 : size / 2;
        data = model_large_fit(data, before, size);
        other = model_large_fit(other, before, size);
        ck_assert_uint_eq((uintptr_t)data % PAGE, 0);
        ck_assert_uint_eq((uintptr_t)other % PAGE, 0);
    }
    model_large_free(data, 4 * (size_t)MODEL_LARGE);
    model_large_free(other, 4 * (size_t)MODEL_LARGE);
}
END_TEST

START_TEST(too_much_leaves_it_as_it_was)
{
    if (PROCESS_ASAN)
        return; /* what is absurd ends the program there */
    uint8_t *data = model_large_fit(NULL, 0, MODEL_LARGE);
    ck_assert_ptr_nonnull(data);
    fill(data, 0, MODEL_LARGE, 3);
    volatile size_t absurd = SIZE_MAX / 4;
    ck_assert_ptr_null(model_large_fit(data, MODEL_LARGE, absurd));
    ck_assert(holds(data, MODEL_LARGE, 3));
    model_large_free(data, MODEL_LARGE);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("large");
    tap_add(s, "what_is_in_it_stays", what_is_in_it_stays);
    tap_add(s, "several_grow_in_turns", several_grow_in_turns);
    tap_add(s, "large_ones_are_aligned", large_ones_are_aligned);
    tap_add(s, "too_much_leaves_it_as_it_was", too_much_leaves_it_as_it_was);
    return s;
}

TAP_MAIN(suite)

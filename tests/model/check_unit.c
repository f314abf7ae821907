/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * check_unit.c: numbers as characters, and as keys.
 */
#include "model/unit.h"

#include <math.h>
#include <string.h>

#include "sample.h"

#define SECOND 1000000000u

static const struct {
    enum model_unit unit;
    uint64_t u;
    unsigned width;
    const char *text;
} whole[] = {
    {MODEL_UNIT_NS, 0, 6, "0ns"},
    {MODEL_UNIT_NS, 7, 6, "7ns"},
    {MODEL_UNIT_NS, 999, 6, "999ns"},
    {MODEL_UNIT_NS, 1000, 6, "1.00us"},
    {MODEL_UNIT_NS, 1234, 6, "1.23us"},
    {MODEL_UNIT_NS, 9994, 6, "9.99us"},
    {MODEL_UNIT_NS, 9996, 6, "10.0us"},
    {MODEL_UNIT_NS, 99960, 6, "100us"},
    {MODEL_UNIT_NS, 320400, 6, "320us"},
    {MODEL_UNIT_NS, 999499, 6, "999us"},
    {MODEL_UNIT_NS, 999500, 6, "1.00ms"},
    {MODEL_UNIT_NS, 1960000, 6, "1.96ms"},
    {MODEL_UNIT_NS, 1960000, 5, "2.0ms"},
    {MODEL_UNIT_NS, 1960000, 4, "2ms"},
    {MODEL_UNIT_NS, 1960000, 3, "2ms"},
    {MODEL_UNIT_NS, 1960000, 2, "#"},
    {MODEL_UNIT_NS, 1960000, 0, ""},
    {MODEL_UNIT_NS, 141700000000, 6, "142s"},
    {MODEL_UNIT_NS, 999 * (uint64_t)SECOND, 6, "999s"},
    {MODEL_UNIT_NS, 1000 * (uint64_t)SECOND, 6, "16.7m"},
    {MODEL_UNIT_NS, 2 * 3600 * (uint64_t)SECOND, 6, "2.00h"},
    {MODEL_UNIT_NS, 240 * 3600 * (uint64_t)SECOND, 6, "10.0d"},
    {MODEL_UNIT_NS, UINT64_MAX - 1, 8, "213504d"},
    {MODEL_UNIT_COUNT, 0, 5, "0"},
    {MODEL_UNIT_COUNT, 999, 5, "999"},
    {MODEL_UNIT_COUNT, 1000, 5, "1.00k"},
    {MODEL_UNIT_COUNT, 55249, 5, "55.2k"},
    {MODEL_UNIT_COUNT, 442017, 5, "442k"},
    {MODEL_UNIT_COUNT, 999600, 5, "1.00M"},
    {MODEL_UNIT_COUNT, 1213000, 5, "1.21M"},
    {MODEL_UNIT_COUNT, UINT64_MAX - 1, 5, "18.4E"},
    {MODEL_UNIT_EXACT, 442017, 6, "442017"},
    {MODEL_UNIT_EXACT, 442017, 5, "#"},
    {MODEL_UNIT_BYTES, 512, 8, "512 B"},
    {MODEL_UNIT_BYTES, 1299227607, 8, "1.21 GiB"},
    {MODEL_UNIT_BYTES, 1299227607, 7, "1.2G"},
    {MODEL_UNIT_BYTES, 1299227607, 3, "1G"},
    {MODEL_UNIT_BYTES, 1048575, 8, "1.00 MiB"},
};

START_TEST(whole_numbers)
{
    struct model_cell cell = {.known = true, .u = whole[_i].u};
    char out[64];
    size_t size = model_unit_format(whole[_i].unit, &cell, whole[_i].width, out, sizeof(out));
    ck_assert_str_eq(out, whole[_i].text);
    ck_assert_uint_eq(size, strlen(out));
}
END_TEST

static const struct {
    enum model_unit unit;
    double d;
    unsigned width;
    const char *text;
} real[] = {
    {MODEL_UNIT_PERCENT, 0, 5, "0.0"},       {MODEL_UNIT_PERCENT, 38.24, 5, "38.2"},
    {MODEL_UNIT_PERCENT, 0.049, 5, "0.0"},   {MODEL_UNIT_PERCENT, 0.05, 5, "0.1"},
    {MODEL_UNIT_PERCENT, 99.96, 5, "100.0"}, {MODEL_UNIT_PERCENT, 100, 3, "100"},
    {MODEL_UNIT_PERCENT, 100, 2, "#"},       {MODEL_UNIT_PERCENT, NAN, 5, "-"},
    {MODEL_UNIT_RATE, 24, 8, "+24.0/s"},     {MODEL_UNIT_RATE, 0, 8, "+0.00/s"},
    {MODEL_UNIT_RATE, 1.5, 8, "+1.50/s"},    {MODEL_UNIT_RATE, 1213000, 8, "+1.21M/s"},
    {MODEL_UNIT_RATE, 18402, 8, "+18.4k/s"}, {MODEL_UNIT_RATE, 24, 5, "+24/s"},
    {MODEL_UNIT_RATE, -2, 8, "-2.00/s"},     {MODEL_UNIT_MEAN, 1234.56, 6, "1.23us"},
    {MODEL_UNIT_MEAN, 1234.999, 6, "1.23us"}, {MODEL_UNIT_MEAN, 1235, 6, "1.24us"},
    {MODEL_UNIT_MEAN, 999499.9, 6, "999us"}, {MODEL_UNIT_MEAN, 999500, 6, "1.00ms"},
    {MODEL_UNIT_MEAN, 0, 6, "0.00ns"},       {MODEL_UNIT_MEAN, 0.25, 6, "0.25ns"},
    {MODEL_UNIT_MEAN, 73.53, 6, "73.5ns"},   {MODEL_UNIT_MEAN, 560.4, 6, "560ns"},
    {MODEL_UNIT_MEAN, 73.53, 4, "74ns"},     {MODEL_UNIT_MEAN, 7.2e12, 6, "2.00h"},
    {MODEL_UNIT_MEAN, 1e16, 6, "116d"},      {MODEL_UNIT_MEAN, 0x1p65, 8, "213504d"},
    {MODEL_UNIT_MEAN, NAN, 6, "-"},
};

START_TEST(real_numbers)
{
    struct model_cell cell = {.known = true, .d = real[_i].d};
    char out[64];
    model_unit_format(real[_i].unit, &cell, real[_i].width, out, sizeof(out));
    ck_assert_str_eq(out, real[_i].text);
}
END_TEST

START_TEST(unknown_and_about)
{
    char out[64];
    struct model_cell unknown = {.known = false, .u = 5};
    for (unsigned unit = 0; unit < MODEL_UNITS; unit++) {
        model_unit_format(unit, &unknown, 5, out, sizeof(out));
        ck_assert_str_eq(out, "-");
    }
    struct model_cell about = {.known = true, .approx = true, .u = 1960000};
    model_unit_format(MODEL_UNIT_NS, &about, 7, out, sizeof(out));
    ck_assert_str_eq(out, "~1.96ms");
    model_unit_format(MODEL_UNIT_NS, &about, 6, out, sizeof(out));
    ck_assert_str_eq(out, "~2.0ms");
    struct model_text name = {.raw = "x", .shown = "層x", .raw_size = 1, .shown_size = 4};
    struct model_cell text = {.known = true, .text = &name};
    ck_assert_uint_eq(model_unit_format(MODEL_UNIT_TEXT, &text, 1, out, sizeof(out)), 4);
    ck_assert_str_eq(out, "層x");
    ck_assert_uint_eq(model_unit_format(MODEL_UNIT_TEXT, &text, 1, out, 3), 0);
    ck_assert_uint_eq(model_unit_format(MODEL_UNIT_NS, &about, 7, out, 3), 2);
    ck_assert_str_eq(out, "~1");
}
END_TEST

/* A figure is never wider than its cell. In a cell of at least three digits no figure becomes
 * `#`. */
START_TEST(never_too_wide)
{
    static const unsigned room[MODEL_UNITS] = {
        [MODEL_UNIT_COUNT] = 5,    [MODEL_UNIT_EXACT] = 20, [MODEL_UNIT_NS] = 7,
        [MODEL_UNIT_PERCENT] = 14, [MODEL_UNIT_RATE] = 12,  [MODEL_UNIT_BYTES] = 9,
        [MODEL_UNIT_MEAN] = 7};
    struct sample_random r = {(uint64_t)_i * 7919 + 1};
    for (unsigned round = 0; round < 2000; round += tap_stride()) {
        uint64_t u = sample_next(&r) >> sample_below(&r, 64);
        struct model_cell cell = {.known = true, .u = u, .d = (double)u / 1e12};
        for (unsigned unit = 0; unit < MODEL_UNIT_TEXT; unit++) {
            char out[64];
            for (unsigned width = 1; width < 22; width++) {
                model_unit_format(unit, &cell, width, out, sizeof(out));
                ck_assert_uint_le(strlen(out), width);
                if (width >= room[unit])
                    ck_assert_str_ne(out, "#");
            }
        }
    }
}
END_TEST

START_TEST(keys_sort_as_values)
{
    struct sample_random r = {(uint64_t)_i * 104729 + 3};
    struct model_cell unknown = {.known = false};
    for (unsigned round = 0; round < 2000; round += tap_stride()) {
        uint64_t u[2] = {sample_next(&r) >> sample_below(&r, 64),
                         sample_next(&r) >> sample_below(&r, 64)};
        struct model_cell cell[2];
        for (unsigned i = 0; i < 2; i++)
            cell[i] = (struct model_cell){
                .known = true, .u = u[i], .d = (u[i] & 1 ? -1 : 1) * (double)u[i] / 1e6};
        uint64_t key[2];
        for (unsigned i = 0; i < 2; i++)
            key[i] = model_unit_key(MODEL_UNIT_NS, &cell[i]);
        ck_assert_int_eq(key[0] < key[1], u[0] < u[1]);
        for (unsigned i = 0; i < 2; i++)
            key[i] = model_unit_key(MODEL_UNIT_RATE, &cell[i]);
        ck_assert_int_eq(key[0] < key[1], cell[0].d < cell[1].d);
        ck_assert_uint_lt(model_unit_key(MODEL_UNIT_RATE, &unknown), key[0]);
        ck_assert_uint_lt(model_unit_key(MODEL_UNIT_NS, &unknown), 1);
    }
    struct model_cell zero = {.known = true, .d = 0.0}, minus = {.known = true, .d = -0.0};
    ck_assert_uint_eq(model_unit_key(MODEL_UNIT_RATE, &zero),
                      model_unit_key(MODEL_UNIT_RATE, &minus));
    ck_assert_uint_gt(model_unit_key(MODEL_UNIT_NS, &zero),
                      model_unit_key(MODEL_UNIT_NS, &unknown));
}
END_TEST

START_TEST(clock)
{
    char out[16];
    model_unit_clock(37 * (uint64_t)SECOND, out, sizeof(out));
    ck_assert_str_eq(out, "0:37");
    model_unit_clock(6127 * (uint64_t)SECOND, out, sizeof(out));
    ck_assert_str_eq(out, "1:42:07");
    model_unit_clock(59 * 60 * (uint64_t)SECOND, out, sizeof(out));
    ck_assert_str_eq(out, "59:00");
}
END_TEST

static const struct {
    uint64_t part, whole;
    bool known;
    double percent;
} shares[] = {
    {0, 10, true, 0},         {5, 10, true, 50},        {10, 10, true, 100},
    {11, 10, false, 0},       {0, 0, false, 0},         {1, 0, false, 0},
    {MODEL_UNKNOWN, 10, false, 0}, {1, MODEL_UNKNOWN, false, 0},
    {MODEL_UNKNOWN - 1, MODEL_UNKNOWN - 1, true, 100},
};

START_TEST(shares_are_of_a_whole)
{
    const struct model_cell cell = model_share(shares[_i].part, shares[_i].whole);
    ck_assert_int_eq(cell.known, shares[_i].known);
    ck_assert_double_eq(cell.d, shares[_i].percent);
}
END_TEST

START_TEST(an_excess_is_finite)
{
    ck_assert_double_eq(model_excess(30, 10).d, 200);
    ck_assert_double_eq(model_excess(10, 10).d, 0);
    ck_assert(!model_excess(10, 0).known && !model_excess(MODEL_UNKNOWN, 1).known);
    ck_assert(!model_excess(9, 10).known && !model_excess(1, MODEL_UNKNOWN).known);
    ck_assert(model_excess(MODEL_UNKNOWN - 1, 1).d < 1e22);
}
END_TEST

/* A letter marks a figure with rows left out. It has a place in the width. A word marks a cell
 * where no row remains. */
START_TEST(cells_mark_left_out_rows)
{
    struct model_cell cell = {.known = true, .left_out = MODEL_LEFT_WAITING, .d = 43.61};
    char out[64];
    model_unit_format(MODEL_UNIT_PERCENT, &cell, 5, out, sizeof(out));
    ck_assert_str_eq(out, "43.6w");
    cell.approx = true;
    model_unit_format(MODEL_UNIT_PERCENT, &cell, 5, out, sizeof(out));
    ck_assert_str_eq(out, "~44w");
    cell = (struct model_cell){.known = true, .left_out = MODEL_LEFT_WAITING, .d = 100};
    model_unit_format(MODEL_UNIT_PERCENT, &cell, 5, out, sizeof(out));
    ck_assert_str_eq(out, "100w");
    cell.left_out = MODEL_LEFT_ASIDE;
    model_unit_format(MODEL_UNIT_PERCENT, &cell, 5, out, sizeof(out));
    ck_assert_str_eq(out, "100a");
    static const char *const words[] = {"-", "wait", "aside"};
    for (uint8_t i = 0; i < TAP_ROWS(words); i++) {
        cell = (struct model_cell){.left_out = i};
        model_unit_format(MODEL_UNIT_PERCENT, &cell, 5, out, sizeof(out));
        ck_assert_str_eq(out, words[i]);
    }
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("unit");
    tap_add(s, "cells_mark_left_out_rows", cells_mark_left_out_rows);
    tap_add_loop(s, "whole_numbers", whole_numbers, TAP_ROWS(whole));
    tap_add_loop(s, "real_numbers", real_numbers, TAP_ROWS(real));
    tap_add(s, "unknown_and_about", unknown_and_about);
    tap_add_loop(s, "never_too_wide", never_too_wide, 5);
    tap_add_loop(s, "keys_sort_as_values", keys_sort_as_values, 5);
    tap_add(s, "clock", clock);
    tap_add_loop(s, "shares", shares_are_of_a_whole, TAP_ROWS(shares));
    tap_add(s, "excess", an_excess_is_finite);
    return s;
}
TAP_MAIN(suite)

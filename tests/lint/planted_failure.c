/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * planted_failure.c: a test that fails on purpose, for harness.py to see that it would be noticed.
 */
#include "tap.h"

START_TEST(planted_to_pass)
{
    ck_assert_int_eq(1 + 1, 2);
}
END_TEST

START_TEST(planted_to_fail)
{
    ck_assert_int_eq(1 + 1, 3);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("planted");
    TCase *cases = tcase_create("planted");
    tcase_add_test(cases, planted_to_pass);
    tcase_add_test(cases, planted_to_fail);
    suite_add_tcase(s, cases);
    return s;
}

TAP_MAIN(suite)

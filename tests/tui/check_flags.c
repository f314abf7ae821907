/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * check_flags.c: the flags that are added to those of a command of Theano's family.
 */
#include "config.h"

#include "tui/cli/framework_flags.h"

#include <stdlib.h>

#include "../tap.h"

START_TEST(existing_framework_flags_are_kept)
{
    setenv("THEANO_FLAGS", "floatX=float32", 1);
    setenv("AESARA_FLAGS", "", 1);
    unsetenv("PYTENSOR_FLAGS");
    ck_assert(tui_flags_add("linker", "c|py"));
    ck_assert(tui_flags_add("optimizer", NULL));
    ck_assert_str_eq(getenv("THEANO_FLAGS"), "floatX=float32,linker=c|py");
    ck_assert_str_eq(getenv("AESARA_FLAGS"), "linker=c|py");
    ck_assert_str_eq(getenv("PYTENSOR_FLAGS"), "linker=c|py");
    ck_assert(tui_flags_add("linker", "py")); /* the last one counts */
    ck_assert_str_eq(getenv("THEANO_FLAGS"), "floatX=float32,linker=c|py,linker=py");
}
END_TEST

START_TEST(values_stand_among_others)
{
    static const struct {
        const char *value;
        bool good;
    } row[] = {
        {"c|py", true},       {"fast_run", true}, {"", false},        {"py,floatX=float16", false},
        {"py floatX", false}, {"py\n", false},    {"\tpy", false},    {"JAX", true},
    };
    for (int i = 0; i < TAP_ROWS(row); i++)
        ck_assert_msg(tui_flags_value(row[i].value) == row[i].good, "'%s'", row[i].value);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("flags");
    tap_add(s, "existing_framework_flags_are_kept", existing_framework_flags_are_kept);
    tap_add(s, "values_stand_among_others", values_stand_among_others);
    return s;
}

TAP_MAIN(suite)

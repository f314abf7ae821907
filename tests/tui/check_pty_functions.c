/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * check_pty_functions.c: the list of functions on the screen.
 */
#include "config.h"

#include "pty_fixture.h"

/* A group is chosen in one step. Other sets are chosen by marks. */
START_TEST(several_functions_are_shown_as_one)
{
    start_told();
    attach(24, 100, NULL);
    pty_see(&pty, "LIVE");
    tell('g', 1);
    pty_see(&pty, "all 3 functions");
    pty_send(&pty, "3f");
    pty_see(&pty, "first + second (a group)");
    pty_see(&pty, "*Mark");
    pty_send(&pty, "j\r");
    pty_see(&pty, "  first + second  ");
    pty_see(&pty, "[3 Apply 2]");
    pty_see(&pty, "calls 3 ");
    pty_miss(&pty, "mul");
    pty_send(&pty, "fGk*"); /* last but one: the second least time */
    pty_send(&pty, "gjj*\r");
    pty_see(&pty, "told + second");
    pty_see(&pty, "[3 Apply 4]");
    pty_miss(&pty, "first");
    quit(0);
}
END_TEST

START_TEST(a_function_is_called_otherwise)
{
    start_told();
    attach(24, 80, NULL);
    pty_see(&pty, "LIVE");
    tell('g', 1);
    pty_see(&pty, "all 3 functions");
    pty_send(&pty, "f");
    pty_see(&pty, "rRename");
    pty_send(&pty, "Gr");
    pty_see(&pty, " Name:");
    ck_assert(pty.cursor);
    pty_send(&pty, "validation\r");
    pty_miss(&pty, " Name:");
    pty_see(&pty, "  validation");
    pty_send(&pty, "\r");
    pty_see(&pty, "calls 1 ");
    pty_see(&pty, "  validation (2/3)");
    quit(0);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("pty_functions");
    add(s, "functions", several_functions_are_shown_as_one, 1);
    add(s, "alias", a_function_is_called_otherwise, 1);
    return s;
}

TAP_MAIN(suite)

/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * check_pty_compile.c: the Compile pane of the real program, with a real job that is compiling.
 */
#include "config.h"

#include "pty_fixture.h"

#include <stdio.h>
#include <string.h>

/* The row of the pane that ends in `name`, or "". */
static const char *phase_row(const struct pty *p, const char *name)
{
    for (int at = 0; *list_row(p, at); at++)
        if (strcmp(name_of(list_row(p, at)), name) == 0)
            return list_row(p, at);
    return "";
}

static bool goes_on_for_seconds(const struct pty *p, const void *name)
{
    const char *row = phase_row(p, name);
    return strstr(row, "\u25c6") && !strstr(row, "ms") && strstr(row, "s ");
}

static bool has_ended(const struct pty *p, const void *name)
{
    const char *row = phase_row(p, name);
    return *row && !strstr(row, "\u25c6") && strstr(row, " 42    17 ");
}

/* A compilation appears while it runs, grows, can be frozen, and stays. */
START_TEST(a_compilation_is_seen_while_it_runs)
{
    start_told();
    attach(24, 90, NULL);
    pty_see(&pty, "LIVE");
    pty_send(&pty, "6");
    pty_see(&pty, "Nothing is known of how this was compiled.");
    tell('b', 1);
    pty_see(&pty, "[6 Compile]");
    pty_see(&pty, "    \u25c6 fuse");
    pty_see(&pty, "  \u25c6 rewrite");
    ck_assert_msg(pty_wait(&pty, goes_on_for_seconds, "fuse"), "%s", pty_dump(&pty));
    pty_send(&pty, " ");
    pty_see(&pty, "PAUSED");
    char before[PTY_LINE_MAX];
    snprintf(before, sizeof before, "%s", phase_row(&pty, "fuse"));
    tell('e', 1);
    unsigned long some = 3;
    ck_assert_msg(pty_wait(&pty, has_held, &some), "%s", pty_dump(&pty));
    ck_assert_str_eq(phase_row(&pty, "fuse"), before);
    pty_send(&pty, "\\COMP\r");
    pty_miss(&pty, "\u25c6 fuse");
    pty_see(&pty, "remaining 2 phases took ");
    pty_send(&pty, "\033");
    pty_see(&pty, "\u25c6 fuse");
    pty_send(&pty, "\\I\r");
    pty_see(&pty, "remaining 1 phase took ");
    pty_send(&pty, "\033");
    pty_see(&pty, "\u25c6 fuse");
    pty_send(&pty, " ");
    ck_assert_msg(pty_wait(&pty, has_ended, "fuse"), "%s", pty_dump(&pty));
    ck_assert_msg(pty_wait(&pty, has_ended, "rewrite"), "%s", pty_dump(&pty));
    pty_send(&pty, "S");
    ck_assert(pty_wait(&pty, first_is, "compile"));
    pty_send(&pty, "S");
    ck_assert(pty_wait(&pty, first_is, "rewrite"));
    quit(0);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("pty_compile");
    add(s, "compile", a_compilation_is_seen_while_it_runs, 1);
    return s;
}

TAP_MAIN(suite)

/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * check_pty_control.c: the screen asks its job to pause, and shows the requests of others.
 */
#include "config.h"

#include "pty_fixture.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static void ctl(const char *verb)
{
    char command[128];
    snprintf(command, sizeof command, "./proftop ctl %s -p %d >/dev/null", verb, (int)job);
    ck_assert_int_eq(system(command), 0);
}

/* The list asks for confirmation. Space is another kind of pause. */
START_TEST(the_job_is_paused_from_the_screen)
{
    start_job((const char *const[]){"examples/synthetic", "--applies", "20", NULL});
    attach(30, 140, NULL);
    pty_see(&pty, "LIVE");
    pty_send(&pty, "c");
    pty_see(&pty, "every viewer of it will see this");
    pty_see(&pty, "The job counts. Space pauses this view alone.");
    pty_send(&pty, "\r");
    pty_miss(&pty, "every viewer of it will see this");
    ck_assert_int_lt(pty_find(&pty, "collection paused"), 0);
    pty_send(&pty, "cj\r");
    pty_see(&pty, "control: pause (asked by ");
    pty_see(&pty, "collection paused  by ");
    ck_assert_int_lt(pty_find(&pty, "PAUSED"), 0);
    pty_send(&pty, "L"); /* the log keeps the message that the last line shows once */
    pty_see(&pty, "control: pause (asked by ");
    pty_send(&pty, "L");
    ctl("resume");
    pty_see(&pty, "control: resume (asked by ");
    pty_miss(&pty, "collection paused");
    quit(0);
}
END_TEST

START_TEST(a_refusal_is_shown)
{
    setenv("PROFTOP_CONTROL", "0", 1);
    start_job((const char *const[]){"examples/synthetic", "--applies", "20", NULL});
    attach(30, 140, NULL);
    pty_see(&pty, "LIVE");
    pty_send(&pty, "cj\r");
    pty_see(&pty, "pause: refused: PROFTOP_CONTROL=0");
    ck_assert_int_lt(pty_find(&pty, "collection paused"), 0);
    quit(0);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("pty_control");
    add(s, "the job is paused from the screen", the_job_is_paused_from_the_screen, 1);
    add(s, "a refusal is shown", a_refusal_is_shown, 1);
    return s;
}

TAP_MAIN(suite)

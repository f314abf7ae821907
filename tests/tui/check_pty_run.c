/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * check_pty_run.c: `proftop run` in a real pseudo-terminal: who gets the terminal, the output, the
 * exit code.
 */
#include "config.h"

#include "pty_fixture.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ----------------------------------------------------------------------------------------- run */

START_TEST(run_passes_output_and_code_on)
{
    run((const char *const[]){"/bin/sh", "-c",
                              "printf 'one\\ttwo\\001three'; printf 'bad\\n' >&2; exit 7", NULL});
    ck_assert_int_eq(pty_exit(&pty), 7);
    pty_restored(&pty);
    ck_assert_ptr_nonnull(memmem(pty.raw, pty.bytes, "one\ttwo\001three", 13));
    ck_assert_ptr_nonnull(memmem(pty.raw, pty.bytes, "bad\r\n", 5));
    ck_assert_int_ge(pty_find(&pty, "ended without publishing"), 0);
}
END_TEST

START_TEST(run_that_cannot_start)
{
    run((const char *const[]){"./no-such-command", NULL});
    ck_assert_int_eq(pty_exit(&pty), 127);
    ck_assert_int_ge(pty_find(&pty, "no-such-command"), 0);
    pty_restored(&pty);
}
END_TEST

START_TEST(run_says_what_it_waits_for)
{
    run((const char *const[]){"sleep", "60", NULL});
    pty_see(&pty, "WAITING");
    pty_see(&pty, "Waiting for sleep (");
    pty_see(&pty, "to publish. o shows what it prints.");
    pty_send(&pty, "qj\r");
    ck_assert_int_eq(pty_exit(&pty), 128 + SIGTERM);
    pty_restored(&pty);
    ck_assert_ptr_nonnull(memmem(pty.raw, pty.bytes, "adapters were looked for in ", 28));
}
END_TEST

START_TEST(run_shows_a_job_to_its_end)
{
    run((const char *const[]){"examples/synthetic", "--seconds", "1", "--applies", "20", NULL});
    pty_see(&pty, "LIVE");
    pty_see(&pty, "ENDED");
    pty_send(&pty, "o");
    pty_see(&pty, "ready: process");
    pty_send(&pty, "o");
    quit(0);
    ck_assert_ptr_nonnull(memmem(pty.raw, pty.bytes, "ready: process", 14));
}
END_TEST

START_TEST(run_asks_before_it_leaves)
{
    run((const char *const[]){"examples/synthetic", "--applies", "20", NULL});
    pty_see(&pty, "LIVE");
    pty_send(&pty, "q");
    pty_see(&pty, "leave the job running");
    pty_send(&pty, "\033");
    pty_see(&pty, "[2 Ops");
    pty_send(&pty, "qj\r");
    int code = pty_exit(&pty);
    ck_assert_msg(code == 0 || code == 128 + SIGTERM, "%d", code);
    pty_restored(&pty);
}
END_TEST

START_TEST(run_leaves_the_job_running)
{
    static const char said[] = "the job goes on as process ";
    run((const char *const[]){"examples/synthetic", "--applies", "20", NULL});
    pty_see(&pty, "LIVE");
    pty_send(&pty, "q\r");
    ck_assert_int_eq(pty_exit(&pty), 0);
    pty_restored(&pty);
    const char *at = memmem(pty.raw, pty.bytes, said, sizeof said - 1);
    ck_assert_ptr_nonnull(at);
    pid_t left = (pid_t)strtol(at + sizeof said - 1, NULL, 10);
    ck_assert_int_gt(left, 1);
    ck_assert_int_eq(kill(left, SIGTERM), 0);
}
END_TEST

/* --------------------------------------------------------------------------------------- suite */

static Suite *suite(void)
{
    Suite *s = suite_create("pty_run");
    add(s, "run_output", run_passes_output_and_code_on, 1);
    add(s, "run_nothing", run_that_cannot_start, 1);
    add(s, "run_waits", run_says_what_it_waits_for, 1);
    add(s, "run_job", run_shows_a_job_to_its_end, 1);
    add(s, "run_asks", run_asks_before_it_leaves, 1);
    add(s, "run_leaves", run_leaves_the_job_running, 1);
    return s;
}

TAP_MAIN(suite)

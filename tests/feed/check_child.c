/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * check_child.c: commands that answer, fail, hang, write too much, or are not there.
 */
#include "config.h"

#include "feed/viewer/launch/child.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../tap.h"

static const struct {
    const char *script;
    int ms;
    const char *out, *why; /* `why` NULL: the command answers */
} asked[] = {
    {"echo one; echo two", 20000, "one\ntwo\n", NULL},
    {":", 20000, "", NULL},
    {"read x || echo empty", 20000, "empty\n", NULL},
    {"echo not so >&2", 20000, "", NULL},
    {"echo first >&2; printf 'no, \\033[2Jwait\\r\\n\\r\\n' >&2; exit 3", 20000, NULL, "no, "},
    {"exit 3", 20000, NULL, "sh ended with code 3"},
    {"echo; echo >&2; exit 1", 20000, NULL, "sh ended with code 1"},
    {"sleep 60", 50, NULL, "no answer within 0 s"},
    {"while :; do echo flood; done", 20000, NULL, "or too long a one"},
    {"trap '' TERM; echo; exec 2>&- >&-; exit 4", 20000, NULL, "sh ended with code 4"},
};

START_TEST(command_returns_its_output_or_an_error)
{
    const char *const argv[] = {"sh", "-c", asked[_i].script, NULL};
    char out[64], why[256] = "";
    bool good = viewer_child_run(argv, asked[_i].ms, out, sizeof out, why, sizeof why);
    ck_assert_msg(good == !asked[_i].why, "%s", why);
    if (asked[_i].out)
        ck_assert_str_eq(out, asked[_i].out);
    if (asked[_i].why)
        ck_assert_msg(strstr(why, asked[_i].why) != NULL, "%s", why);
    ck_assert_ptr_null(strchr(why, '\033'));
    /* No child is left to wait for. */
    ck_assert_int_eq(waitpid(-1, NULL, WNOHANG), -1);
    ck_assert_int_eq(errno, ECHILD);
}
END_TEST

START_TEST(a_command_that_there_is_not)
{
    const char *const argv[] = {"/no/such/command", NULL};
    char out[64], why[256] = "";
    ck_assert(!viewer_child_run(argv, 20000, out, sizeof out, why, sizeof why));
    ck_assert_str_eq(why, "/no/such/command cannot be started: No such file or directory");
    ck_assert_int_eq(waitpid(-1, NULL, WNOHANG), -1);
}
END_TEST

static int told = -1;

static void tell(int number)
{
    if (write(told, &number, sizeof number) < 0)
        _exit(3);
}

/* However early the signal arrives, the child never runs our handler. */
START_TEST(a_copy_of_us_has_no_handler_of_ours)
{
    int pair[2], status, number;
    sigset_t mask;
    ck_assert_int_eq(pipe(pair), 0);
    told = pair[1];
    sigaction(SIGTERM, &(struct sigaction){.sa_handler = tell}, NULL);
    for (int i = 0; i < 200; i++) {
        pid_t pid = viewer_child_fork();
        if (pid == 0)
            for (;;)
                pause();
        ck_assert_int_eq(kill(pid, SIGTERM), 0);
        ck_assert_int_eq(waitpid(pid, &status, 0), pid);
        ck_assert(WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM);
    }
    sigprocmask(SIG_BLOCK, NULL, &mask);
    ck_assert_int_eq(sigismember(&mask, SIGTERM), 0);
    ck_assert_int_eq(raise(SIGTERM), 0);
    ck_assert_int_eq(read(pair[0], &number, sizeof number), sizeof number);
    ck_assert_int_eq(number, SIGTERM);
    close(pair[1]);
    ck_assert_int_eq(read(pair[0], &number, sizeof number), 0); /* only that signal was handled */
    close(pair[0]);
}
END_TEST

/* If our own streams are closed, the command does not get other descriptors in their place. */
START_TEST(closed_streams_of_ours_do_no_harm)
{
    const char *const argv[] = {"sh", "-c", "echo out; echo err >&2", NULL};
    pid_t pid = fork();
    if (pid == 0) {
        char out[64], why[256];
        for (int i = 0; i < 3; i++)
            close(i);
        bool good = viewer_child_run(argv, 20000, out, sizeof out, why, sizeof why);
        _exit(good && strcmp(out, "out\n") == 0 ? 0 : 1);
    }
    int status;
    ck_assert_int_eq(waitpid(pid, &status, 0), pid);
    ck_assert_int_eq(status, 0);
}
END_TEST

START_TEST(a_command_is_spoken_with_and_ended)
{
    static const char *const scripts[] = {"cat", "trap '' TERM; cat; while :; do sleep 0.01; done"};
    const char *const argv[] = {"sh", "-c", scripts[_i], NULL};
    struct viewer_child child;
    char why[256] = "", out[8] = "";
    ck_assert_msg(viewer_child_start(&child, argv, true, why, sizeof why), "%s", why);
    ck_assert_int_eq(write(child.in, "x", 1), 1);
    struct pollfd item = {.fd = child.out, .events = POLLIN};
    ck_assert_int_eq(poll(&item, 1, 20000), 1);
    ck_assert_int_eq(viewer_child_read(child.out, out, sizeof out), 1);
    ck_assert_int_eq(viewer_child_read(child.out, out, sizeof out), 0);
    pid_t pid = child.pid;
    int code = viewer_child_end(&child);
    ck_assert_msg(code == (_i ? 128 + SIGKILL : 128 + SIGTERM) || code == 0, "%d", code);
    ck_assert_int_eq(kill(pid, 0), -1);
    ck_assert_int_eq(viewer_child_end(&child), 0);
}
END_TEST

static const struct {
    const char *pieces[4], *line;
} kept[] = {
    {{"one\ntwo\n"}, "two\n"},
    {{"one\r\n", "two\r\n", "\r\n"}, "two\n"},
    {{"on", "e\nt", "wo"}, "two"},
    {{"\n\n"}, ""},
    {{"0123456789abcdefghij\n"}, "0123456789abcde"},
};

START_TEST(the_last_line_is_kept)
{
    char line[16] = "";
    for (unsigned i = 0; i < 4 && kept[_i].pieces[i]; i++)
        viewer_child_keep_line(line, sizeof line, kept[_i].pieces[i], strlen(kept[_i].pieces[i]));
    ck_assert_str_eq(line, kept[_i].line);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("child");
    tap_add_loop(s, "asked", command_returns_its_output_or_an_error, TAP_ROWS(asked));
    tap_add(s, "missing", a_command_that_there_is_not);
    tap_add(s, "handlers", a_copy_of_us_has_no_handler_of_ours);
    tap_add(s, "closed", closed_streams_of_ours_do_no_harm);
    tap_add_loop(s, "spoken", a_command_is_spoken_with_and_ended, 2);
    tap_add_loop(s, "line", the_last_line_is_kept, TAP_ROWS(kept));
    return s;
}

TAP_MAIN(suite)

/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * check_attach_running.c: selects processes to attach to and to detach from. The attach itself is a
 * stub here. tests/adapters/check_late.py runs the real one.
 */
#include "config.h"

#include "tui/app/attach_running.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../tap.h"
#include "tui/app/app.h"
#include "feed/viewer/launch/inject.h"
#include "tui/app/picker.h"

enum { PUBLISHES = 4711, TAKES_NS = 1000 };

static struct tui_options options;
static struct tui_session session;
static struct registry_info job[3];
static char asked[256]; /* the requests, in order */
static bool refuses, hides;
static uint64_t now_ns;

bool viewer_inject(const char *verb, uint64_t pid, unsigned seconds, char *said,
                   size_t answer_capacity, char *why, size_t capacity)
{
    size_t used = strlen(asked);
    snprintf(asked + used, sizeof asked - used, "%s %s %us;", verb,
             pid == (uint64_t)getpid() ? "us"
             : pid == PUBLISHES        ? "job"
                                       : "other",
             seconds);
    now_ns += TAKES_NS;
    snprintf(said, answer_capacity, "it is done");
    snprintf(why, capacity, "it is not wanted");
    if (refuses)
        return false;
    if (!hides)
        job[session.jobs.count++].pid = pid;
    return true;
}

bool tui_session_look(struct tui_session *of)
{
    of->jobs.job = job;
    return true;
}

const struct registry_info *tui_session_find_job(const struct tui_session *of)
{
    return of->jobs.count == 1 ? &of->jobs.job[0] : NULL;
}

void tui_pick_why(const struct tui_session *of, uint64_t pid, char *why, size_t capacity)
{
    ck_assert_uint_eq(pid, 0);
    snprintf(why, capacity, "there are %zu jobs", of->jobs.count);
}

uint64_t tui_session_now(void)
{
    return now_ns;
}

static void setup(void)
{
    options = (struct tui_options){.wait_ns = 7 * (uint64_t)TUI_NS_PER_S};
    session = (struct tui_session){.options = &options};
    job[0] = (struct registry_info){.pid = PUBLISHES};
    session.jobs.count = 1;
    asked[0] = '\0';
    refuses = hides = false;
}

static void name(uint64_t pid)
{
    if (options.pid_count == 0)
        options.pid = pid;
    options.pids[options.pid_count++] = pid;
}

/* A pid that no process has any more. */
static uint64_t gone(void)
{
    pid_t pid = fork();
    if (pid == 0)
        _exit(0);
    ck_assert_int_eq(waitpid(pid, NULL, 0), pid);
    return (uint64_t)pid;
}

START_TEST(those_that_publish_nothing_are_attached_to)
{
    char said[TUI_ATTACH_RUNNING_MESSAGE], why[256] = "", want[64];
    name(PUBLISHES);
    name(gone());
    name((uint64_t)getpid());
    ck_assert(tui_attach_running_named(&session, NULL, said, why, sizeof why));
    ck_assert_str_eq(asked, "attach us 7s;");
    snprintf(want, sizeof want, "process %d: it is done", (int)getpid());
    ck_assert_str_eq(said, want);
    ck_assert_ptr_nonnull(viewer_jobs_pid(&session.jobs, (uint64_t)getpid()));
}
END_TEST

/* The time that this takes does not count in --wait. */
START_TEST(of_several_each_is_named)
{
    char said[TUI_ATTACH_RUNNING_MESSAGE], why[256] = "", text[256], want[256];
    FILE *file = tmpfile();
    ck_assert_ptr_nonnull(file);
    name((uint64_t)getpid());
    name((uint64_t)getppid());
    ck_assert(tui_attach_running_named(&session, file, said, why, sizeof why));
    ck_assert_str_eq(asked, "attach us 7s;attach other 7s;");
    rewind(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    snprintf(want, sizeof want,
             "proftop: process %d: it is done\nproftop: process %d: it is done\n", (int)getpid(),
             (int)getppid());
    ck_assert_str_eq(text, want);
    ck_assert_str_eq(said, "");
    ck_assert_uint_eq(session.entered_ns, 2 * TAKES_NS);
}
END_TEST

START_TEST(failed_attach_returns_the_reason)
{
    char said[TUI_ATTACH_RUNNING_MESSAGE], why[256] = "";
    name((uint64_t)getpid());
    refuses = true;
    ck_assert(!tui_attach_running_named(&session, NULL, said, why, sizeof why));
    ck_assert_str_eq(why, "it is not wanted");
    refuses = false;
    hides = true;
    ck_assert(!tui_attach_running_named(&session, NULL, said, why, sizeof why));
    ck_assert_msg(strstr(why, "its feed is not found here") != NULL, "%s", why);
    ck_assert_str_eq(asked, "attach us 7s;attach us 7s;");
}
END_TEST

START_TEST(nobody_is_attached_to_unasked)
{
    char said[TUI_ATTACH_RUNNING_MESSAGE], why[256] = "";
    ck_assert(
        tui_attach_running_named(&session, NULL, said, why, sizeof why)); /* no pid was given */
    name((uint64_t)getpid());
    session.remote = (struct viewer_machines *)&session; /* a pid on another machine */
    ck_assert(tui_attach_running_named(&session, NULL, said, why, sizeof why));
    ck_assert_str_eq(asked, "");
    ck_assert_str_eq(said, "");
}
END_TEST

static const struct {
    uint64_t wait_ns;
    const char *asked;
} waits[] = {
    {0, "attach us 1s;"},
    {TUI_NS_PER_S / 4, "attach us 1s;"},
    {90 * (uint64_t)TUI_NS_PER_S, "attach us 90s;"},
    {86400 * (uint64_t)TUI_NS_PER_S, "attach us 3600s;"},
};

START_TEST(attach_waits_the_requested_time)
{
    char said[TUI_ATTACH_RUNNING_MESSAGE], why[256] = "";
    options.wait_ns = waits[_i].wait_ns;
    ck_assert(tui_attach_running_attach(&session, (uint64_t)getpid(), said, why, sizeof why));
    ck_assert_str_eq(asked, waits[_i].asked);
}
END_TEST

/* The output of a detach, on either stream. */
static int detach(char *text, size_t capacity)
{
    int saved[2] = {dup(1), dup(2)};
    FILE *file = tmpfile();
    ck_assert_ptr_nonnull(file);
    fflush(stdout);
    dup2(fileno(file), 1);
    dup2(fileno(file), 2);
    int code = tui_attach_running_detach(&session);
    for (int i = 0; i < 2; i++) {
        dup2(saved[i], i + 1);
        close(saved[i]);
    }
    rewind(file);
    text[fread(text, 1, capacity - 1, file)] = '\0';
    fclose(file);
    return code;
}

START_TEST(those_that_are_named_are_left)
{
    char text[512], want[128];
    name(PUBLISHES);
    name((uint64_t)getpid());
    hides = true;
    ck_assert_int_eq(detach(text, sizeof text), TUI_EXIT_FINE);
    ck_assert_str_eq(asked, "detach job 7s;detach us 7s;");
    snprintf(want, sizeof want, "process %d: it is done.\nprocess %d: it is done.\n", PUBLISHES,
             (int)getpid());
    ck_assert_str_eq(text, want);
    refuses = true;
    ck_assert_int_eq(detach(text, sizeof text), TUI_EXIT_NO_JOB);
    ck_assert_str_eq(text, "proftop: it is not wanted\nproftop: it is not wanted\n");
}
END_TEST

START_TEST(the_only_job_is_left)
{
    char text[512];
    hides = true;
    ck_assert_int_eq(detach(text, sizeof text), TUI_EXIT_FINE);
    ck_assert_str_eq(asked, "detach job 7s;");
    session.jobs.count = 2;
    ck_assert_int_eq(detach(text, sizeof text), TUI_EXIT_NO_JOB);
    ck_assert_str_eq(text, "proftop: there are 2 jobs\n");
    ck_assert_str_eq(asked, "detach job 7s;");
}
END_TEST

START_TEST(only_processes_of_this_machine_are_left)
{
    char text[512];
    options.endpoint = "tcp://elsewhere:5555";
    ck_assert_int_eq(detach(text, sizeof text), TUI_EXIT_USAGE);
    options.endpoint = NULL;
    options.role = "worker";
    ck_assert_int_eq(detach(text, sizeof text), TUI_EXIT_USAGE);
    options.role = NULL;
    session.remote = (struct viewer_machines *)&session;
    ck_assert_int_eq(detach(text, sizeof text), TUI_EXIT_USAGE);
    ck_assert_ptr_nonnull(strstr(text, "proftop ctl detach -p PID"));
    ck_assert_str_eq(asked, "");
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("late");
    TAP_ADD_BETWEEN(s, those_that_publish_nothing_are_attached_to, 1, setup, NULL);
    TAP_ADD_BETWEEN(s, of_several_each_is_named, 1, setup, NULL);
    TAP_ADD_BETWEEN(s, failed_attach_returns_the_reason, 1, setup, NULL);
    TAP_ADD_BETWEEN(s, nobody_is_attached_to_unasked, 1, setup, NULL);
    TAP_ADD_BETWEEN(s, attach_waits_the_requested_time, TAP_ROWS(waits), setup, NULL);
    TAP_ADD_BETWEEN(s, those_that_are_named_are_left, 1, setup, NULL);
    TAP_ADD_BETWEEN(s, the_only_job_is_left, 1, setup, NULL);
    TAP_ADD_BETWEEN(s, only_processes_of_this_machine_are_left, 1, setup, NULL);
    return s;
}

TAP_MAIN(suite)

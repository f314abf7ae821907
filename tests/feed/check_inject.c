/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * check_inject.c: which running processes can be attached to, and the error sentence for the
 * others. Uses the program of the build tree on processes of this test. For Python see
 * tests/adapters/check_late.py.
 */
#include "config.h"

#include "feed/viewer/launch/inject.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../tap.h"
#include "feed/shared/site_policy.h"
#include "feed/shared/site_policy_path.h"

static char folder[64], site[96];
static pid_t child;

const char *shared_site_path(void)
{
    return site;
}

#define ADAPTERS "libexec/proftop/python" /* libproftop is expected three folders above */

/* Starts a sleeping process, with adapters that look usable. */
static void setup(void)
{
    char line[256];
    tap_folder(folder, sizeof folder, "inject");
    snprintf(site, sizeof site, "%s/proftop.conf", folder);
    snprintf(line, sizeof line, "cd %s && mkdir -p " ADAPTERS "/start && : >" ADAPTERS "/start/%s",
             folder, "sitecustomize.py");
    ck_assert_int_eq(system(line), 0);
    snprintf(line, sizeof line, "%s/" ADAPTERS, folder);
    setenv("PROFTOP_ADAPTERS", line, 1);
    child = fork();
    if (child == 0)
        for (;;)
            pause();
    ck_assert_int_gt(child, 0);
}

static void end_child(void)
{
    kill(child, SIGKILL);
    ck_assert_int_eq(waitpid(child, NULL, 0), child);
}

static void teardown(void)
{
    if (child > 0)
        end_child();
    tap_remove(folder);
}

static void write_site(const char *text)
{
    FILE *file = fopen(site, "we");
    ck_assert_ptr_nonnull(file);
    fputs(text, file);
    fclose(file);
}

/* Returns the program's sentence about the child; it prints nothing else. */
static const char *refusal(const char *verb)
{
    static char why[512];
    char said[128] = "";
    why[0] = '\0';
    ck_assert(!viewer_inject(verb, (uint64_t)child, 1, said, sizeof said, why, sizeof why));
    ck_assert_str_eq(said, "");
    ck_assert_ptr_null(strchr(why, '\n'));
    return why;
}

static const struct {
    const char *site, *adapters, *why; /* NULL: unchanged */
} forbidden[] = {
    {"inject = no\n", NULL, "/proftop.conf says inject = no: start the job with: proftop run"},
    {"inject = maybe\n", NULL, "nothing may be attached to late"},
    {NULL, "/no/adapters", "was looked for in /no/adapters, and is not there"},
    {"inject = no\n", "/no/adapters", "says inject = no"},
};

START_TEST(not_here)
{
    static const char *const verbs[] = {"attach", "detach"};
    if (forbidden[_i].site)
        write_site(forbidden[_i].site);
    if (forbidden[_i].adapters)
        setenv("PROFTOP_ADAPTERS", forbidden[_i].adapters, 1);
    for (unsigned i = 0; i < 2; i++) {
        const char *why = refusal(verbs[i]);
        ck_assert_msg(strstr(why, forbidden[_i].why) != NULL, "%s", why);
    }
}
END_TEST

static void leave_alone(void)
{
}

static void stop_it(void)
{
    int status;
    kill(child, SIGSTOP);
    ck_assert_int_eq(waitpid(child, &status, WUNTRACED), child);
    ck_assert(WIFSTOPPED(status));
}

static void hold_it(void)
{
    int status;
    ck_assert_int_eq(ptrace(PTRACE_ATTACH, child, NULL, NULL), 0);
    ck_assert_int_eq(waitpid(child, &status, __WALL), child);
}

/* Ends the child without reaping it. */
static void end_it(void)
{
    siginfo_t info;
    kill(child, SIGKILL);
    ck_assert_int_eq(waitid(P_PID, (id_t)child, &info, WEXITED | WNOWAIT), 0);
}

static const struct {
    void (*bring)(void);
    const char *why, *next;
} states[] = {
    {leave_alone, "runs no Python", "all that can be attached to late"},
    {stop_it, "is stopped by a signal", "kill -CONT"},
    {hold_it, "is held by process", "end that first"},
    {end_it, "has ended", ""},
    {end_child, "there is no process", ""},
};

/* If the kernel denies access, the sentence says so in place of the finding. */
static bool cannot_look(const char *why)
{
    return strstr(why, "kernel.yama.ptrace_scope is") || strstr(why, "the kernel forbids to look");
}

START_TEST(not_that_one)
{
    char number[32];
    states[_i].bring();
    const char *why = refusal("attach");
    snprintf(number, sizeof number, "process %d", (int)child);
    ck_assert_msg(strstr(why, number) != NULL, "%s", why);
    bool as_expected = strstr(why, states[_i].why) && strstr(why, states[_i].next);
    ck_assert_msg(as_expected || (states[_i].bring == leave_alone && cannot_look(why)), "%s", why);
    if (states[_i].bring == end_child)
        child = 0;
}
END_TEST

/* The error of `detach` must not say which processes could be attached to. */
START_TEST(nothing_was_attached)
{
    const char *why = refusal("detach");
    ck_assert_msg(strstr(why, "there is nothing to detach") || cannot_look(why), "%s", why);
    ck_assert_ptr_null(strstr(why, "attached to late"));
}
END_TEST

/* Writes pending and blocked signals, the current system call, and all mappings. */
static void describe(char *out, size_t capacity)
{
    char line[160];
    size_t size = 0;
    snprintf(line, sizeof line,
             "cd /proc/%d && grep -E '^(State|Sig[PBIC]|Shd|Thr)' status && cat syscall maps",
             (int)child);
    FILE *file = popen(line, "r");
    ck_assert_ptr_nonnull(file);
    size = fread(out, 1, capacity - 1, file);
    out[size] = '\0';
    pclose(file);
    ck_assert_uint_gt(size, 100);
}

/* A refusal has changed nothing in the process. */
START_TEST(it_is_as_it_was)
{
    static char before[64 * 1024], after[64 * 1024];
    /* Once the process sleeps, its state is constant. */
    do {
        describe(after, sizeof after);
        describe(before, sizeof before);
    } while (!strstr(before, "(sleeping)") || strcmp(before, after) != 0);
    refusal("attach");
    describe(after, sizeof after);
    ck_assert(strcmp(before, after) == 0);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("inject");
    TAP_ADD_BETWEEN(s, not_here, TAP_ROWS(forbidden), setup, teardown);
    TAP_ADD_BETWEEN(s, not_that_one, TAP_ROWS(states), setup, teardown);
    TAP_ADD_BETWEEN(s, nothing_was_attached, 1, setup, teardown);
    TAP_ADD_BETWEEN(s, it_is_as_it_was, 1, setup, teardown);
    return s;
}

TAP_MAIN(suite)

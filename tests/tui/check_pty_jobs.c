/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * check_pty_jobs.c: several jobs on the screen, one of them restarted.
 */
#include "config.h"

#include "pty_fixture.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* A job beside the fixture's job. */
struct beside {
    pid_t pid;
    int to, from;
};

/* Moves the fixture's job to the side, so that another can be started. */
static struct beside put_beside(void)
{
    struct beside one = {job, to_job, from_job};
    job = 0;
    return one;
}

/* A job of another program, beside the fixture's job. */
static struct beside start_other(void)
{
    start_job((const char *const[]){"./pty_job", "other", NULL});
    return put_beside();
}

/* Starts the fixture's job and attaches to both. */
static void attach_both(int rows, int cols, const struct beside *one)
{
    char pid[24];
    start_told();
    snprintf(pid, sizeof pid, "%d", (int)one->pid);
    attach(rows, cols, (const char *const[]){"-p", pid, NULL});
}

static void end_beside(const struct beside *one)
{
    kill(one->pid, SIGKILL);
    waitpid(one->pid, NULL, 0);
    close(one->to);
    close(one->from);
}

/* Two jobs of different programs: the restarted one is followed, the other one stays. */
START_TEST(the_one_that_runs_again_is_followed)
{
    char text[80], other[24], was[24];
    const struct beside stays = start_other();
    attach_both(24, 100, &stays);
    snprintf(other, sizeof other, "%d", (int)stays.pid);
    snprintf(was, sizeof was, "%d", (int)job);
    pty_see(&pty, "2 jobs");
    pty_see(&pty, "LIVE");
    end_job(SIGKILL);
    start_told();
    snprintf(text, sizeof text, "runs as process %d: a attaches", (int)job);
    pty_see(&pty, text);
    pty_send(&pty, "a");
    snprintf(text, sizeof text, "attached to process %d (was %s)", (int)job, was);
    pty_see(&pty, text);
    pty_send(&pty, "J");
    snprintf(text, sizeof text, " %d ", (int)job);
    pty_see(&pty, text);
    snprintf(text, sizeof text, " %s ", other);
    pty_see(&pty, text);
    snprintf(text, sizeof text, " %s ", was);
    ck_assert_int_lt(pty_find(&pty, text), 0);
    pty_send(&pty, "\033");
    pty_miss(&pty, "Choose");
    end_beside(&stays);
    quit(0);
}
END_TEST

/* Two jobs are gone, and a new one may replace either: the key lists the jobs. */
START_TEST(the_user_chooses_where_it_is_not_plain)
{
    char text[80];
    start_told();
    const struct beside first = put_beside();
    attach_both(24, 100, &first);
    pty_see(&pty, "2 jobs");
    pty_see(&pty, "LIVE");
    end_beside(&first);
    end_job(SIGKILL);
    pty_see(&pty, "GONE");
    start_told();
    pty_send(&pty, "a");
    snprintf(text, sizeof text, " %d ", (int)job);
    pty_see(&pty, text);
    ck_assert_int_lt(pty_find(&pty, "attached to process"), 0);
    ck_assert_int_lt(pty_find(&pty, "a attaches to it"), 0);
    pty_send(&pty, "\033");
    pty_miss(&pty, "Choose");
    quit(0);
}
END_TEST

/* x releases the dead jobs. The remaining one is shown, whichever was on the screen before. */
START_TEST(the_dead_are_let_go)
{
    char left[24];
    const struct beside first = start_other();
    attach_both(24, 100, &first);
    pty_see(&pty, "2 live");
    pty_send(&pty, "))");
    pty_see(&pty, "job 2 of 2");
    pty_send(&pty, ")");
    pty_see(&pty, "2 live");
    if (_i == 0)
        end_beside(&first);
    else
        end_job(SIGKILL);
    pty_see(&pty, "1 live");
    pty_send(&pty, "x");
    pty_see(&pty, "1 job was let go");
    pty_see(&pty, "LIVE");
    ck_assert_int_lt(pty_find(&pty, "NO JOB"), 0);
    snprintf(left, sizeof left, " %d@", _i == 0 ? (int)job : (int)first.pid);
    pty_see(&pty, left);
    if (_i == 1)
        end_beside(&first);
    quit(0);
}
END_TEST

/* The text names the keys that show the page of one job. */
START_TEST(a_page_of_one_job_goes_to_the_next)
{
    static const struct {
        const char *key, *of_all;
    } pages[] = {{"e", "The jobs have no spans, counters, memory or markers."},
                 {"i", "This page is of one job: ) and ( choose which."}};
    const struct beside first = start_other();
    attach_both(24, 100, &first);
    pty_see(&pty, "2 live");
    pty_send(&pty, pages[_i].key);
    pty_see(&pty, pages[_i].of_all);
    static const char *const steps[][2] = {
        {")", "job 1 of 2"}, {")", "job 2 of 2"}, {"(", "job 1 of 2"}};
    for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++) {
        pty_send(&pty, steps[i][0]);
        pty_see(&pty, steps[i][1]);
        pty_miss(&pty, pages[_i].of_all);
    }
    pty_send(&pty, "(");
    pty_see(&pty, pages[_i].of_all);
    pty_send(&pty, pages[_i].key);
    pty_miss(&pty, pages[_i].of_all);
    end_beside(&first);
    quit(0);
}
END_TEST

/* With the sum on the screen all jobs are asked, and the screen counts those that complied. */
START_TEST(control_requests_go_to_the_jobs_shown)
{
    if (_i == 1)
        setenv("PROFTOP_CONTROL", "0", 1);
    const struct beside first = start_other();
    unsetenv("PROFTOP_CONTROL");
    attach_both(30, 140, &first);
    pty_see(&pty, "2 live");
    pty_send(&pty, "c");
    pty_see(&pty, "All jobs attached to are asked. ) shows one alone.");
    pty_send(&pty, "j\r");
    pty_see(&pty, _i == 0 ? "each of 2 jobs is paused" : "pause: done by 1 of 2 jobs; refused");
    end_beside(&first);
    quit(0);
}
END_TEST

/* True if the line of a job has this word for its state. */
struct standing {
    pid_t pid;
    const char *word;
};

static bool stands(const struct pty *p, const void *what)
{
    const struct standing *of = what;
    char text[48];
    snprintf(text, sizeof text, " %d ", (int)of->pid);
    const int row = pty_find(p, text);
    snprintf(text, sizeof text, " %s ", of->word);
    return row >= 0 && strstr(pty_row(p, row), text) != NULL;
}

/* A job that has run nothing is idle in the list, as it is alone. It is live from its first call
 * on. */
START_TEST(each_is_in_its_own_state)
{
    char letter = 'c', pid[24];
    start_job((const char *const[]){"./pty_job", "other", "idle", NULL});
    const struct beside idle = put_beside();
    attach_both(24, 100, &idle);
    pty_see(&pty, "2 live");
    pty_send(&pty, "J");
    const struct standing all[] = {{job, "live"}, {idle.pid, "idle"}, {idle.pid, "live"}};
    ck_assert_msg(pty_wait(&pty, stands, &all[0]), "%s", pty_dump(&pty));
    ck_assert_msg(pty_wait(&pty, stands, &all[1]), "%s", pty_dump(&pty));
    pty_send(&pty, "\033");
    pty_miss(&pty, "Choose");
    pty_send(&pty, ")");
    pty_see(&pty, "job 1 of 2");
    snprintf(pid, sizeof pid, " %d@", (int)idle.pid);
    if (pty_find(&pty, pid) < 0)
        pty_send(&pty, ")");
    pty_see(&pty, pid);
    pty_see(&pty, "IDLE");
    ck_assert_int_eq(write(idle.to, &letter, 1), 1);
    ck_assert_int_eq(read(idle.from, &letter, 1), 1);
    pty_see(&pty, "LIVE");
    pty_send(&pty, "J");
    ck_assert_msg(pty_wait(&pty, stands, &all[2]), "%s", pty_dump(&pty));
    pty_send(&pty, "\033");
    pty_miss(&pty, "Choose");
    end_beside(&idle);
    quit(0);
}
END_TEST

/* True if so many lines of the list are marked. */
static bool are_marked(const struct pty *p, const void *count)
{
    int marked = 0;
    for (int row = 2; row < 24; row++)
        marked += strstr(pty_row(p, row), "\xe2\x97\x8f") != NULL;
    return marked == *(const int *)count;
}

/* Two keys attach to all jobs of the list, also from one that is attached to. */
START_TEST(all_of_the_list_are_attached_to)
{
    const struct beside other = start_other();
    start_told();
    pty_start(&pty, 24, 100, "xterm-256color", (const char *const[]){"./proftop", NULL});
    pty_see(&pty, "Choose a job");
    pty_see(&pty, " other");
    for (int n = 0; n < 3; n++) {
        static const int marked[] = {2, 0, 2};
        pty_send(&pty, "&");
        ck_assert_msg(pty_wait(&pty, are_marked, &marked[n]), "%d: %s", n, pty_dump(&pty));
    }
    pty_send(&pty, "\r");
    pty_see(&pty, "sum of 2 jobs");
    pty_see(&pty, "2 live");
    pty_send(&pty, "a&\r"); /* those that are attached to are no marks of the user */
    pty_miss(&pty, "Choose a job");
    pty_see(&pty, "sum of 2 jobs");
    end_beside(&other);
    quit(0);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("pty_jobs");
    add(s, "followed", the_one_that_runs_again_is_followed, 1);
    add(s, "not_plain", the_user_chooses_where_it_is_not_plain, 1);
    add(s, "pages", a_page_of_one_job_goes_to_the_next, 2);
    add(s, "let_go", the_dead_are_let_go, 2);
    add(s, "asked", control_requests_go_to_the_jobs_shown, 2);
    add(s, "all", all_of_the_list_are_attached_to, 1);
    add(s, "states", each_is_in_its_own_state, 1);
    return s;
}

TAP_MAIN(suite)

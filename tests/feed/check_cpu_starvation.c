/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * check_cpu_starvation.c: CPU starvation of threads: from made-up kernel figures, and of real
 * threads.
 */
#define _GNU_SOURCE
#include "feed/viewer/stream/cpu_starvation.h"

#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "../model/sample.h"
#include "feed/viewer/stream/link_state.h"

#define MS VIEWER_NS_PER_MS

static const struct {
    struct viewer_turns_at first, now;
    enum viewer_cpu_starvation_state hunger;
} rows[] = {
    /* runs without a break; sleeps after some turns */
    {{100 * MS, {50 * MS, 10 * MS, 5}}, {1100 * MS, {1050 * MS, 10 * MS, 5}}, VIEWER_FED},
    {{100 * MS, {50 * MS, 10 * MS, 5}}, {1100 * MS, {51 * MS, 11 * MS, 9}}, VIEWER_FED},
    /* no turn at all: sleeps, or waits */
    {{100 * MS, {50 * MS, 10 * MS, 5}},
     {1100 * MS, {50 * MS, 10 * MS, 5}},
     VIEWER_STARVED_IF_READY},
    /* on a busy machine: half of the time, and a little less */
    {{100 * MS, {50 * MS, 10 * MS, 5}}, {1100 * MS, {549 * MS, 511 * MS, 90}}, VIEWER_STARVED},
    {{100 * MS, {50 * MS, 10 * MS, 5}}, {1100 * MS, {551 * MS, 509 * MS, 90}}, VIEWER_FED},
    /* hardly any time, in turns; the last is not over */
    {{100 * MS, {50 * MS, 10 * MS, 5}}, {1100 * MS, {52 * MS, 710 * MS, 7}}, VIEWER_STARVED},
};

START_TEST(verdicts)
{
    ck_assert_int_eq(viewer_cpu_starvation_judge(&rows[_i].first, &rows[_i].now), rows[_i].hunger);
}
END_TEST

static uint64_t clock_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

/* Starts a process on one CPU. It works with this policy, or sleeps if `policy` is below 0. */
static pid_t start(int cpu, int policy)
{
    const struct sched_param none = {0};
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(cpu, &one);
    pid_t pid = fork();
    ck_assert_int_ge(pid, 0);
    if (pid > 0)
        return pid;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    bool fine = sched_setaffinity(0, sizeof one, &one) == 0 &&
                (policy < 0 || sched_setscheduler(0, policy, &none) == 0);
    while (fine)
        if (policy < 0)
            pause();
    _exit(1);
}

static void end(pid_t pid)
{
    kill(pid, SIGKILL);
    waitpid(pid, NULL, 0);
}

/* A job with that process as its only thread, in an op for this long. */
static struct model_job *job_of(pid_t pid, uint64_t ms)
{
    struct model_job *job = sample_job();
    struct model_now now = {.apply = 2, .since_ns = 1000 * MS};
    ck_assert(model_job_add_thread(job, "main", 4, (uint64_t)pid));
    ck_assert(model_job_set_now(job, 1, &now, (1000 + ms) * MS));
    return job;
}

static enum model_starved look(struct viewer_cpu_starvation *starved, pid_t pid,
                               const struct model_job *job)
{
    return viewer_cpu_starvation_sample(starved, (uint64_t)pid, job, clock_ns());
}

/* An idle-priority process beside a busy one on the same processor; and a sleeping one. */
START_TEST(starved_process_is_distinguished_from_a_sleeping_one)
{
    const struct timespec nap = {.tv_nsec = 50 * MS};
    const int cpu = sched_getcpu();
    struct viewer_cpu_starvation starved = {0}, asleep = {0};
    pid_t busy = start(cpu, SCHED_OTHER), idle = start(cpu, SCHED_IDLE), sleeper = start(cpu, -1);
    struct model_job *starves = job_of(idle, 2000), *sleeps = job_of(sleeper, 2000);
    while (look(&starved, idle, starves) != MODEL_STARVED_YES)
        nanosleep(&nap, NULL); /* the test runner's time limit ends a hanging test */
    ck_assert_uint_eq(starved.tid, (uint64_t)idle);
    /* On a busy machine it may wait for a processor before it can sleep. */
    while (look(&asleep, sleeper, sleeps) != MODEL_STARVED_NO) {
        nanosleep(&nap, NULL);
        asleep = (struct viewer_cpu_starvation){0};
    }
    for (int i = 0; i < 3; i++) {
        uint64_t at_ns = asleep.look_ns;
        while (asleep.look_ns == at_ns) {
            ck_assert_int_eq(look(&asleep, sleeper, sleeps), MODEL_STARVED_NO);
            nanosleep(&nap, NULL);
        }
    }
    end(busy);
    end(idle);
    end(sleeper);
    model_job_release(&starves);
    model_job_release(&sleeps);
}
END_TEST

/* Ops that are open only briefly, remote jobs and ended threads give no result, and the kernel is
 * not asked. */
START_TEST(starvation_is_unknown_without_evidence)
{
    struct viewer_cpu_starvation starved = {0};
    struct model_job *brief = job_of(getpid(), 1999), *lasts = job_of(getpid(), 2000);
    struct model_job *gone = job_of(1 << 30, 2000);
    ck_assert_int_eq(look(&starved, getpid(), brief), MODEL_STARVED_UNKNOWN);
    ck_assert_int_eq(look(&starved, 0, lasts), MODEL_STARVED_UNKNOWN);
    ck_assert_int_eq(look(&starved, getpid(), NULL), MODEL_STARVED_UNKNOWN);
    ck_assert_uint_eq(starved.look_ns, 0);
    ck_assert_int_eq(look(&starved, getpid(), gone), MODEL_STARVED_UNKNOWN);
    ck_assert_uint_gt(starved.look_ns, 0);
    ck_assert_int_eq(look(&starved, getpid(), brief), MODEL_STARVED_UNKNOWN);
    ck_assert_uint_eq(starved.tid, 0);
    model_job_release(&brief);
    model_job_release(&lasts);
    model_job_release(&gone);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("starved");
    tap_add_loop(s, "verdicts", verdicts, sizeof(rows) / sizeof(rows[0]));
    tap_add(s, "starved_process_is_distinguished_from_a_sleeping_one",
            starved_process_is_distinguished_from_a_sleeping_one);
    tap_add(s, "starvation_is_unknown_without_evidence", starvation_is_unknown_without_evidence);
    return s;
}

int main(void)
{
    return tap_run(suite());
}

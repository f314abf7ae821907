/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * process.h: tests that need a process of their own, and what they watch of it.
 */
#ifndef TESTS_FEED_PROCESS_H
#define TESTS_FEED_PROCESS_H

#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>

#include "../fork.h"
#include "client.h"
#include "job/clock.h"

static inline uint64_t process_now_ms(void)
{
    return feed_clock_ns() / FEED_MS_NS;
}

/* How often a test does what it repeats: `most` where PROFTOP_TEST_LONG=1 asks for it, a fifth of
 * `some` where all is slow. */
static inline int process_rounds(int some, int most)
{
    const char *wanted = getenv("PROFTOP_TEST_LONG"), *slow = getenv("CK_TIMEOUT_MULTIPLIER");
    if (wanted != NULL && wanted[0] == '1')
        return most;
    return slow != NULL && slow[0] != '1' ? some / 5 : some;
}

/* What fork() gave: in the child, runs what it is to do. */
static inline pid_t process_become(pid_t pid, void (*child)(int), int argument)
{
    if (pid == 0) { /* without a word to Check, whose lock another thread may have held */
        child(argument);
        _exit(0);
    }
    ck_assert_int_gt(pid, 0);
    return pid;
}

static inline pid_t process_start(void (*child)(int), int argument)
{
    return process_become(fork_beside_threads(), child, argument);
}

/* Waits for a process that has to end with 0. */
static inline void process_join(pid_t pid)
{
    int status;
    ck_assert_int_eq(waitpid(pid, &status, 0), pid);
    ck_assert_msg(WIFEXITED(status) && WEXITSTATUS(status) == 0, "status %#x", status);
}

/* Runs `child` in a process of its own; it has to end with 0. */
static inline void process_run(void (*child)(int), int argument)
{
    process_join(process_start(child, argument));
}

#define CHILD_NEEDS(condition)                                                                     \
    do                                                                                             \
        if (!(condition)) {                                                                        \
            fprintf(stderr, "# line %d: %s\n", __LINE__, #condition);                              \
            _exit(1);                                                                              \
        }                                                                                          \
    while (0)

static inline int process_count(const char *path)
{
    DIR *dir = opendir(path);
    int n = dir != NULL ? -2 : 0; /* . and ..; of a thread that has ended there is nothing */
    while (dir != NULL && readdir(dir) != NULL)
        n++;
    if (dir != NULL)
        closedir(dir);
    return n;
}

static inline int process_threads(void)
{
    return process_count("/proc/self/task");
}

/* Of the calling thread: those of the feed are elsewhere. The one that reads the directory is not
 * counted. */
static inline int process_descriptors(void)
{
    return process_count("/proc/thread-self/fd") - 1;
}

#endif

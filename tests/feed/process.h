/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * process.h: runs test code in separate processes and measures them.
 */
#ifndef TESTS_FEED_PROCESS_H
#define TESTS_FEED_PROCESS_H

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>

#include "../fork.h"
#include "client.h"
#include "clock.h"

static inline uint64_t process_now_ms(void)
{
    return test_clock_ns() / TEST_MS_NS;
}

/* Number of repetitions: `most` if PROFTOP_TEST_LONG=1, a fifth of `some` in slow builds. */
static inline int process_rounds(int some, int most)
{
    const char *wanted = getenv("PROFTOP_TEST_LONG"), *slow = getenv("CK_TIMEOUT_MULTIPLIER");
    if (wanted != NULL && wanted[0] == '1')
        return most;
    return slow != NULL && slow[0] != '1' ? some / 5 : some;
}

/* Takes the result of fork(). In the child, runs `child` and exits. */
static inline pid_t process_become(pid_t pid, void (*child)(int), int argument)
{
    if (pid == 0) { /* bypass Check: another thread may have held its lock */
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

/* Waits for a process, which must exit with 0. */
static inline void process_join(pid_t pid)
{
    int status;
    ck_assert_int_eq(waitpid(pid, &status, 0), pid);
    ck_assert_msg(WIFEXITED(status) && WEXITSTATUS(status) == 0, "status %#x", status);
}

/* Runs `child` in a new process, which must exit with 0. */
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

/* Memory of a process in kB, from the line of /proc with this name, such as "VmRSS". */
static inline long process_memory_kb(pid_t pid, const char *name)
{
    char path[64], line[256];
    long kb = -1;
    snprintf(path, sizeof path, "/proc/%d/status", (int)pid);
    FILE *file = fopen(path, "re");
    ck_assert_ptr_nonnull(file);
    while (kb < 0 && fgets(line, sizeof line, file) != NULL)
        if (strncmp(line, name, strlen(name)) == 0)
            kb = atol(line + strlen(name) + 1);
    fclose(file);
    return kb;
}

static inline int process_count(const char *path)
{
    DIR *dir = opendir(path);
    int n = dir != NULL ? -2 : 0; /* . and ..; the folder of an ended thread is empty */
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

/* Number of descriptors of the calling thread. The feed's descriptors are in another table. The
 * descriptor that reads the directory is not counted. */
static inline int process_descriptors(void)
{
    return process_count("/proc/thread-self/fd") - 1;
}

/* Starts a job in a new process and waits until it is registered; ends a running job. */
static inline pid_t process_start_job(void (*job)(int))
{
    struct registry_info info;
    client_place();
    pid_t pid = process_start(job, 0);
    for (uint64_t until = process_now_ms() + CLIENT_PATIENCE_MS;
         !client_info(client_place(), pid, &info);)
        ck_assert_uint_lt(process_now_ms(), until);
    return pid;
}

static inline void process_end_job(pid_t pid)
{
    ck_assert_int_eq(waitpid(pid, NULL, WNOHANG), 0);
    kill(pid, SIGKILL);
    waitpid(pid, NULL, 0);
}

#endif

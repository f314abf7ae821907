/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * fork.h: a fork in a program that has threads, where the child does more than to exec.
 */
#ifndef TESTS_FORK_H
#define TESTS_FORK_H

#include <ctype.h>
#include <dirent.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "sanitized.h"

#if PROCESS_ASAN
#include <sanitizer/lsan_interface.h>

/* LeakSanitizer asks at the end. In a child it would look for what belongs to threads that are not
 * there, and call that a leak. */
static bool fork_is_child;

__attribute__((weak)) int __lsan_is_turned_off(void)
{
    return fork_is_child;
}
#endif

/* Of a child that was forked from a program without other threads, and has ended its own. */
static inline bool fork_leaks(void)
{
#if PROCESS_ASAN
    fork_is_child = false;
    return __lsan_do_recoverable_leak_check() != 0;
#else
    return false;
#endif
}

/* Of a thread of this process: whether it waits for something. One that has ended does, too. */
static inline bool fork_sleeps(const char *thread)
{
    char path[64], said[512] = "";
    snprintf(path, sizeof path, "/proc/self/task/%.20s/stat", thread);
    FILE *file = fopen(path, "re");
    size_t size = file ? fread(said, 1, sizeof said - 1, file) : 0;
    if (file)
        fclose(file);
    said[size] = '\0';
    const char *state = strrchr(said, ')'); /* its name may have any other character */
    return !state || !strchr("RD", state[2]);
}

static inline bool fork_others_sleep(void)
{
    bool sleep = true;
    DIR *threads = opendir("/proc/self/task");
    const struct dirent *entry;
    while (sleep && threads && (entry = readdir(threads)))
        sleep = !isdigit((unsigned char)entry->d_name[0]) ||
                strtol(entry->d_name, NULL, 10) == syscall(SYS_gettid) ||
                fork_sleeps(entry->d_name);
    if (threads)
        closedir(threads);
    return sleep;
}

/* As fork(). The allocator of gcc 12's AddressSanitizer does not hold its locks meanwhile, as that
 * of the C library does: a child that was forked while another thread had one stands still when it
 * next allocates. So there it is forked while the other threads sleep, or after a second in which
 * they never all did. */
static inline pid_t fork_beside_threads(void)
{
#if PROCESS_ASAN
    const time_t until = time(NULL) + 2;
    while (!fork_others_sleep() && time(NULL) < until)
        sched_yield();
    pid_t pid = fork();
    fork_is_child |= pid == 0;
    return pid;
#else
    return fork();
#endif
}

#endif

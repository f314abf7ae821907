/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * fork.h: fork() in a program with threads, for a child that does more than exec.
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
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "sanitized.h"

#if PROCESS_ASAN
#include <sanitizer/lsan_interface.h>

/* LeakSanitizer checks at exit. In a forked child it would report memory of threads that do not
 * exist there. */
static bool fork_is_child;

__attribute__((weak)) int __lsan_is_turned_off(void)
{
    return fork_is_child;
}
#endif

/* True if LeakSanitizer finds leaks in the child. The child was forked from a program without other
 * threads and has ended its own threads. */
static inline bool fork_leaks(void)
{
#if PROCESS_ASAN
    fork_is_child = false;
    return __lsan_do_recoverable_leak_check() != 0;
#else
    return false;
#endif
}

/* True if a thread of this process is blocked or has ended. Adds the thread's context switches to a
 * sum: the sum changes if the thread runs meanwhile. */
static inline bool fork_sleeps(const char *thread, unsigned long long *switches)
{
    static const char *const counted[] = {"\nvoluntary_ctxt_switches:",
                                          "\nnonvoluntary_ctxt_switches:"};
    char path[64], said[4096] = "";
    snprintf(path, sizeof path, "/proc/self/task/%.20s/status", thread);
    FILE *file = fopen(path, "re");
    size_t size = file ? fread(said, 1, sizeof said - 1, file) : 0;
    if (file)
        fclose(file);
    said[size] = '\0';
    for (int i = 0; i < 2; i++) {
        const char *at = strstr(said, counted[i]);
        *switches += at ? strtoull(at + strlen(counted[i]), NULL, 10) : 0;
    }
    const char *state = strstr(said, "\nState:\t");
    return !state || !strchr("RD", state[strlen("\nState:\t")]);
}

static inline bool fork_others_sleep(unsigned long long *switches)
{
    bool sleep = true;
    DIR *threads = opendir("/proc/self/task");
    const struct dirent *entry;
    *switches = 0;
    while (sleep && threads && (entry = readdir(threads)))
        sleep = !isdigit((unsigned char)entry->d_name[0]) ||
                strtol(entry->d_name, NULL, 10) == syscall(SYS_gettid) ||
                fork_sleeps(entry->d_name, switches);
    if (threads)
        closedir(threads);
    return sleep;
}

#if PROCESS_ASAN
/* In a child: waits until its parent writes to the pipe. Ends the child if the pipe closes
 * first. */
static inline void fork_wait(const int go[2])
{
    char byte;
    close(go[1]);
    if (read(go[0], &byte, 1) != 1)
        _exit(1);
    close(go[0]);
    fork_is_child = true;
}

/* Forks while the other threads sleep. Returns 0 in the child. Returns -1 without a child if a
 * thread ran meanwhile, unless `anyway` is set. */
static inline pid_t fork_once(bool anyway)
{
    unsigned long long before, after;
    int go[2];
    if (!(fork_others_sleep(&before) || anyway) || pipe(go) != 0)
        return -1;
    pid_t pid = fork();
    if (pid == 0)
        fork_wait(go);
    if (pid == 0)
        return 0;
    const bool slept = fork_others_sleep(&after) && after == before;
    const bool good = pid > 0 && (slept || anyway) && write(go[1], "", 1) == 1;
    close(go[0]);
    close(go[1]);
    if (pid > 0 && !good)
        waitpid(pid, NULL, 0);
    return good ? pid : -1;
}
#endif

/* Like fork(). The allocator of gcc 12's AddressSanitizer does not take its locks around fork(), as
 * the C library does. If another thread holds such a lock, the child hangs at its next allocation.
 * So with that sanitizer, this forks while the other threads sleep, or after two seconds in which
 * they never all slept. */
static inline pid_t fork_beside_threads(void)
{
#if PROCESS_ASAN
    const time_t until = time(NULL) + 2;
    pid_t pid;
    while ((pid = fork_once(false)) < 0 && time(NULL) < until)
        sched_yield();
    return pid < 0 ? fork_once(true) : pid;
#else
    return fork();
#endif
}

#endif

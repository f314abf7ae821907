/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * fault_job.c: a job that brings harm on itself when told to. It counts calls of 40 applies without
 * a pause of more than a millisecond, and takes one word a line on stdin:
 *   fill            opens files until none can be opened     free    closes them
 *   fork KIND N     N children one after the other: exit, _exit, exec, or count (on its own feed)
 *   orphan          a child that lives on when we do not
 *   calls           says how many calls were counted
 *   close           ends the counting and closes the feed    quit    ends as programs do
 * Each is answered with one line.
 */
#include <fcntl.h>
#include <proftop.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "../../fork.h"

enum { APPLIES = 40, FILES_MAX = 1024, PAUSE_US = 1000 };

static struct proftop *feed;
static proftop_id function, apply[APPLIES];
static _Atomic unsigned long long calls;
static _Atomic int stop;
static int file[FILES_MAX], files;

static void define(struct proftop *to)
{
    struct proftop_function_info f = {.size = sizeof f, .name = "train"};
    proftop_id op = proftop_op(to, proftop_class(to, "Elemwise"), "mul");
    function = proftop_function(to, &f);
    for (int i = 0; i < APPLIES; i++) {
        struct proftop_apply_info a = {.size = sizeof a,
                                       .function = function,
                                       .op = op,
                                       .index = (uint32_t)i,
                                       .text = "mul(x, y)",
                                       .source = PROFTOP_TIMED};
        apply[i] = proftop_apply(to, &a);
    }
}

static void count_once(struct proftop *to)
{
    struct proftop_token call = proftop_call_begin(to, function);
    for (int i = 0; i < APPLIES; i++)
        proftop_end(to, apply[i], proftop_begin(to, apply[i]));
    proftop_call_end(to, function, call);
}

static void *work(void *unused)
{
    while (!stop) {
        count_once(feed);
        calls += APPLIES;
        usleep(PAUSE_US);
    }
    return unused;
}

static void fill(void)
{
    struct rlimit limit = {.rlim_cur = FILES_MAX, .rlim_max = FILES_MAX};
    setrlimit(RLIMIT_NOFILE, &limit);
    while (files < FILES_MAX && (file[files] = open("/dev/null", O_RDONLY | O_CLOEXEC)) >= 0)
        files++;
    printf("filled %d\n", files);
}

static void let_go(void)
{
    while (files > 0)
        close(file[--files]);
    printf("freed\n");
}

/* What becomes of a child. */
static void meet_fate(const char *kind)
{
    count_once(feed); /* on the parent's feed: it is not ours any more, and nothing comes of it */
    if (strcmp(kind, "exit") == 0)
        exit(0);
    if (strcmp(kind, "exec") == 0)
        execlp("true", "true", (char *)NULL);
    if (strcmp(kind, "count") == 0) {
        struct proftop *own = proftop_open(NULL);
        define(own);
        count_once(own);
        proftop_close(own);
    }
    _exit(0);
}

static void fork_some(const char *kind, int count)
{
    int failed = 0, status;
    for (int i = 0; i < count; i++) {
        pid_t child = fork_beside_threads();
        if (child == 0)
            meet_fate(kind);
        failed += child < 0 || waitpid(child, &status, 0) != child || status != 0;
    }
    printf("forked %d, failed %d\n", count, failed);
}

static void orphan(void)
{
    pid_t child = fork();
    if (child == 0)
        for (;;)
            pause();
    printf("orphan %d\n", (int)child);
}

static void end_feed(pthread_t worker)
{
    struct timespec from, to;
    stop = 1;
    pthread_join(worker, NULL);
    clock_gettime(CLOCK_MONOTONIC, &from);
    proftop_close(feed);
    clock_gettime(CLOCK_MONOTONIC, &to);
    printf("closed %.3f ms, calls %llu\n",
           (double)(to.tv_sec - from.tv_sec) * 1e3 + (double)(to.tv_nsec - from.tv_nsec) / 1e6,
           (unsigned long long)calls);
}

int main(void)
{
    char line[64], kind[16];
    int count;
    pthread_t worker;
    setvbuf(stdout, NULL, _IOLBF, 0);
    feed = proftop_open(NULL);
    define(feed);
    pthread_create(&worker, NULL, work, NULL);
    printf("ready %d %s\n", proftop_is_on(feed), proftop_reason(feed));
    while (fgets(line, sizeof line, stdin) != NULL) {
        if (sscanf(line, "fork %15s %d", kind, &count) == 2)
            fork_some(kind, count);
        else if (strcmp(line, "fill\n") == 0)
            fill();
        else if (strcmp(line, "free\n") == 0)
            let_go();
        else if (strcmp(line, "orphan\n") == 0)
            orphan();
        else if (strcmp(line, "calls\n") == 0)
            printf("calls %llu\n", (unsigned long long)calls);
        else if (strcmp(line, "close\n") == 0)
            end_feed(worker);
        else if (strcmp(line, "quit\n") == 0)
            break;
    }
    return 0;
}

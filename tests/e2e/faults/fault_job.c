/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * fault_job.c [APPLIES]: a job that injects faults into itself on command. It counts calls of 40
 * applies with pauses of about a millisecond at most, and one call of each further apply. It reads
 * one command per line from stdin:
 *   work MS         counts in a second thread for MS without a pause, and prints the median time of
 *                   a fixed piece of this work, in ns of that thread's CPU time
 *   fill            opens files until no more can be opened     free    closes them
 *   fork KIND N     N children one after the other: exit, _exit, exec, or count (on its own feed)
 *   orphan          starts a child that outlives the job
 *   calls           prints the number of counted calls
 *   close           stops counting and closes the feed    quit    exits normally
 * Each command is answered with one line.
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

enum {
    APPLIES = 40,
    OP_APPLIES = 200, /* of one op */
    FILES_MAX = 1024,
    PAUSE_US = 1000,
    PIECES_MAX = 4096,
    PIECE_CALLS = 100, /* a piece is about 1 ms */
    OP_STEPS = 100,    /* an op is about 200 ns */
};

static struct proftop *feed;
static proftop_id function, apply[APPLIES];
static uint32_t applies = APPLIES;
static _Atomic unsigned long long calls;
static _Atomic int stop;
static int file[FILES_MAX], files;

static void define(struct proftop *to)
{
    struct proftop_function_info f = {.size = sizeof f, .name = "train"};
    proftop_id op = 0, elemwise = proftop_class(to, "Elemwise");
    char text[32];
    function = proftop_function(to, &f);
    for (uint32_t i = 0; i < applies; i++) {
        if (i % OP_APPLIES == 0) {
            snprintf(text, sizeof text, "mul%u", (unsigned)(i / OP_APPLIES));
            op = proftop_op(to, elemwise, text);
        }
        struct proftop_apply_info a = {.size = sizeof a,
                                       .function = function,
                                       .op = op,
                                       .index = i,
                                       .text = "mul(x, y)",
                                       .source = PROFTOP_TIMED};
        proftop_id id = proftop_apply(to, &a);
        proftop_end(to, id, proftop_begin(to, id));
        if (i < APPLIES)
            apply[i] = id;
    }
    calls += applies;
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

/* An op with real work. */
static uint64_t toil(uint64_t x)
{
    for (int i = 0; i < OP_STEPS; i++)
        x = x * 6364136223846793005u + 1442695040888963407u;
    return x;
}

static uint64_t ns_of(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

/* Time of a fixed piece of work in this thread, independent of other load. */
static uint64_t piece(void)
{
    static volatile uint64_t result;
    uint64_t began = ns_of(CLOCK_THREAD_CPUTIME_ID);
    for (int c = 0; c < PIECE_CALLS; c++)
        for (int i = 0; i < APPLIES; i++) {
            struct proftop_token token = proftop_begin(feed, apply[i]);
            result = toil(result);
            proftop_end(feed, apply[i], token);
        }
    calls += PIECE_CALLS * APPLIES;
    return ns_of(CLOCK_THREAD_CPUTIME_ID) - began;
}

static int by_size(const void *a, const void *b)
{
    const uint64_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

static void work_for(int ms)
{
    static uint64_t took[PIECES_MAX];
    size_t n = 0;
    for (uint64_t until = ns_of(CLOCK_MONOTONIC) + (uint64_t)ms * 1000000;
         n < PIECES_MAX && ns_of(CLOCK_MONOTONIC) < until;)
        took[n++] = piece();
    qsort(took, n, sizeof took[0], by_size);
    printf("piece %llu\n", (unsigned long long)took[n / 2]);
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

/* The fate of a child. */
static void meet_fate(const char *kind)
{
    count_once(feed); /* on the parent's feed: it is not the child's, so the call has no effect */
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
    stop = 1;
    pthread_join(worker, NULL);
    uint64_t from = ns_of(CLOCK_MONOTONIC);
    proftop_close(feed);
    printf("closed %.3f ms, calls %llu\n", (double)(ns_of(CLOCK_MONOTONIC) - from) / 1e6,
           (unsigned long long)calls);
}

int main(int argc, char **argv)
{
    char line[64], kind[16];
    int count;
    pthread_t worker;
    if (argc > 1)
        applies = (uint32_t)atoi(argv[1]);
    setvbuf(stdout, NULL, _IOLBF, 0);
    feed = proftop_open(NULL);
    define(feed);
    pthread_create(&worker, NULL, work, NULL);
    printf("ready %d %s\n", proftop_is_on(feed), proftop_reason(feed));
    while (fgets(line, sizeof line, stdin) != NULL) {
        if (sscanf(line, "fork %15s %d", kind, &count) == 2)
            fork_some(kind, count);
        else if (sscanf(line, "work %d", &count) == 1)
            work_for(count);
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

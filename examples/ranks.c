/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * ranks.c: a distributed job on one machine: processes work a step each, then wait for each other
 * at a barrier. One of them may be slow, or hang. The work is a sleep, so it uses no CPU. */
#include "example_options.h"

#include <inttypes.h>
#include <proftop.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { RANKS_MAX = 1024, NS_PER_MS = 1000000 };

struct settings {
    uint64_t ranks, work_ms, slow, percent, hang, after, seconds, nodes;
};

/* State shared by all processes. */
struct shared {
    pthread_barrier_t barrier;
};

struct job {
    struct proftop *feed;
    proftop_id function, load, dot, reduce;
};

static void fail(const char *what)
{
    perror(what);
    exit(1);
}

static proftop_id apply(struct job *job, const char *kind, const char *text, uint32_t index)
{
    proftop_id of = proftop_class(job->feed, kind);
    struct proftop_apply_info info = {.size = sizeof info,
                                      .function = job->function,
                                      .op = proftop_op(job->feed, of, kind),
                                      .text = text,
                                      .index = index};
    return proftop_apply(job->feed, &info);
}

static void define(struct job *job, uint64_t nodes)
{
    struct proftop_function_info step = {.size = sizeof step, .name = "step"};
    job->function = proftop_function(job->feed, &step);
    job->load = apply(job, "Load", "Load(batch)", 0);
    job->dot = apply(job, "Dot", "Dot(x, w)", 1);
    job->reduce = apply(job, "AllReduce", "AllReduce(g)", 2);
    /* More applies, which exist and do not run. */
    for (uint64_t i = 0; i < nodes; i++) {
        char text[32];
        snprintf(text, sizeof text, "Elemwise(%" PRIu64 ")", i);
        apply(job, "Elemwise", text, 3 + (uint32_t)i);
    }
}

static void sleep_ns(uint64_t ns)
{
    struct timespec left = {(time_t)(ns / 1000000000), (long)(ns % 1000000000)};
    while (nanosleep(&left, &left) != 0)
        ;
}

static void run(struct job *job, const struct settings *settings, struct shared *shared,
                uint64_t rank)
{
    const uint64_t work_ns = settings->work_ms * NS_PER_MS;
    for (uint64_t step = 0; !settings->seconds || step * work_ns < settings->seconds * 1000000000;
         step++) {
        struct proftop_token call = proftop_call_begin(job->feed, job->function);
        struct proftop_token token = proftop_begin(job->feed, job->load);
        sleep_ns(work_ns / 10);
        proftop_end(job->feed, job->load, token);
        token = proftop_begin(job->feed, job->dot);
        sleep_ns(rank == settings->slow ? work_ns * settings->percent / 100 : work_ns);
        while (rank == settings->hang && step >= settings->after)
            pause();
        proftop_end(job->feed, job->dot, token);
        token = proftop_begin(job->feed, job->reduce);
        pthread_barrier_wait(&shared->barrier);
        proftop_end(job->feed, job->reduce, token);
        proftop_call_end(job->feed, job->function, call);
    }
}

static void be_rank(const struct settings *settings, struct shared *shared, uint64_t rank)
{
    char number[24], size[24];
    struct job job;
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    snprintf(number, sizeof number, "%" PRIu64, rank);
    snprintf(size, sizeof size, "%" PRIu64, settings->ranks);
    setenv("RANK", number, 1);
    setenv("LOCAL_RANK", number, 1);
    setenv("WORLD_SIZE", size, 1);
    job.feed = proftop_open(NULL);
    define(&job, settings->nodes);
    printf("rank %" PRIu64 ": process %ld\n", rank, (long)getpid());
    fflush(stdout);
    run(&job, settings, shared, rank);
    proftop_close(job.feed);
    exit(0);
}

static struct shared *share(uint64_t ranks)
{
    struct shared *shared =
        mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    pthread_barrierattr_t attributes;
    if (shared == MAP_FAILED)
        fail("no memory to share");
    pthread_barrierattr_init(&attributes);
    pthread_barrierattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED);
    pthread_barrier_init(&shared->barrier, &attributes, (unsigned)ranks);
    pthread_barrierattr_destroy(&attributes);
    return shared;
}

int main(int count, char **words)
{
    struct settings settings = {.ranks = 4,
                                .work_ms = 20,
                                .slow = UINT64_MAX,
                                .percent = 150,
                                .hang = UINT64_MAX,
                                .seconds = 0};
    const struct option_row rows[] = {
        {"ranks", "N", OPTION_NUMBER, &settings.ranks, 1, RANKS_MAX, "processes"},
        {"work", "MS", OPTION_NUMBER, &settings.work_ms, 1, 60000, "of each in a step"},
        {"slow", "RANK", OPTION_NUMBER, &settings.slow, 0, RANKS_MAX, "takes longer"},
        {"percent", "N", OPTION_NUMBER, &settings.percent, 1, 100000, "as long as the others"},
        {"hang", "RANK", OPTION_NUMBER, &settings.hang, 0, RANKS_MAX, "never ends an op"},
        {"after", "N", OPTION_NUMBER, &settings.after, 0, UINT64_MAX, "steps it hangs"},
        {"nodes", "N", OPTION_NUMBER, &settings.nodes, 0, 100000, "more, which never run"},
        {"seconds", "S", OPTION_NUMBER, &settings.seconds, 0, 1000000, "end after; 0: never"},
        {0},
    };
    options_read(rows, "processes that work and wait for each other", count, words);
    struct shared *shared = share(settings.ranks);
    for (uint64_t rank = 0; rank < settings.ranks; rank++) {
        pid_t pid = fork();
        if (pid < 0)
            fail("no process can be started");
        if (pid == 0)
            be_rank(&settings, shared, rank);
    }
    while (wait(NULL) > 0)
        ;
    return 0;
}

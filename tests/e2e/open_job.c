/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * open_job.c: a loop, i.e. one node with a function inside it, on one thread or two, until standard
 * input ends. `open_job DEPTH THREADS STEPS [MS]`: loops are nested DEPTH deep, and each node of a
 * loop runs the inner function STEPS times. A step has one node of MS ms, and the same time between
 * two nodes. With the word `fails`, calls of the outermost loop fail in the end.
 */
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "proftop.h"

enum { DEPTH_MAX = 8, THREADS_MAX = 8 };

static struct proftop *feed;
static proftop_id function[DEPTH_MAX + 1], node[DEPTH_MAX + 1];
static int depth, steps, step_ms, fails;
static int over; /* atomic */

static void work(void)
{
    struct timespec ts = {0, step_ms * 1000000L};
    nanosleep(&ts, NULL);
}

static int is_over(void)
{
    return __atomic_load_n(&over, __ATOMIC_RELAXED);
}

/* A call of the function at a depth: it has one node, a loop unless it is the innermost. */
static void call(int at)
{
    struct proftop_token whole = proftop_call_begin(feed, function[at]);
    struct proftop_token token = proftop_begin(feed, node[at]);
    if (at == depth)
        work();
    for (int i = 0; at < depth && i < steps && !is_over(); i++)
        call(at + 1);
    if (at == 0 && fails)
        proftop_fail(feed, node[at], token);
    else
        proftop_end(feed, node[at], token);
    if (at == depth)
        work();
    proftop_call_end(feed, function[at], whole);
}

static void define(void)
{
    proftop_id loop = proftop_class(feed, "Loop"), leaf = proftop_class(feed, "Leaf");
    for (int at = 0; at <= depth; at++) {
        char name[32];
        snprintf(name, sizeof name, "level %d", at);
        struct proftop_function_info info = {.size = sizeof info, .name = name};
        info.parent_plus_1 = at == 0 ? 0 : node[at - 1] + 1;
        function[at] = proftop_function(feed, &info);
        snprintf(name, sizeof name, "%s %d", at == depth ? "leaf" : "loop", at);
        struct proftop_apply_info apply = {.size = sizeof apply, .function = function[at]};
        apply.op = proftop_op(feed, at == depth ? leaf : loop, name);
        node[at] = proftop_apply(feed, &apply);
    }
}

static void *run(void *unused)
{
    (void)unused;
    while (!is_over())
        call(0);
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t thread[THREADS_MAX];
    int threads = argc > 3 ? atoi(argv[2]) : 0;
    depth = argc > 3 ? atoi(argv[1]) : 0;
    steps = argc > 3 ? atoi(argv[3]) : 0;
    step_ms = argc > 4 ? atoi(argv[4]) : 10;
    fails = argc > 5 && strcmp(argv[5], "fails") == 0;
    feed = proftop_open(NULL);
    if (!proftop_is_on(feed) || depth < 1 || depth > DEPTH_MAX || threads < 1 ||
        threads > THREADS_MAX) {
        fprintf(stderr, "open_job: no feed (%s), or no such loops\n", proftop_reason(feed));
        return 1;
    }
    define();
    for (int i = 0; i < threads; i++)
        if (pthread_create(&thread[i], NULL, run, NULL) != 0)
            return 1;
    puts("published");
    fflush(stdout);
    struct pollfd end = {.fd = 0, .events = POLLIN};
    while (poll(&end, 1, -1) < 0)
        continue;
    __atomic_store_n(&over, 1, __ATOMIC_RELAXED);
    for (int i = 0; i < threads; i++)
        pthread_join(thread[i], NULL);
    proftop_close(feed);
    return 0;
}

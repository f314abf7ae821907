/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * trace_job.c: a job whose events are known. For each line of its standard input it does what the
 * line says, and prints what it has done as a line of JSON, by its own clock. It ends with its
 * input.
 *
 *   work     WORK steps: two nested applies in a function, a task, a frame, an instant, two
 * counters events   EVENTS events of 1, 2, ... ms
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "proftop_adapter.h"
#include "proftop_objects.h"

enum { WORK = 200, EVENTS = 10, INNER = 3 };

static struct proftop *feed;
static proftop_id step, outer, inner, given, hostile;
static proftop_id task, frame, event, marker, rows, load;
static uint64_t number;

static uint64_t now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static void spin(uint64_t ns)
{
    const uint64_t until = now_ns() + ns;
    while (now_ns() < until)
        continue;
}

static void define(void)
{
    struct proftop_function_info function = {
        .size = sizeof function, .name = "step", .file = "job.c"};
    step = proftop_function(feed, &function);
    const proftop_id op = proftop_op(feed, proftop_class(feed, "loop.Scan"), "scan");
    const proftop_id add = proftop_op(feed, proftop_class(feed, "elemwise.Add"), "add");
    /* Not UTF-8, a quote, a line feed, a terminal's escape. */
    const proftop_id odd = proftop_op(feed, proftop_class(feed, "odd\xff\"\n"), "\x1b[31m\xc3\"\\");
    struct proftop_apply_info apply = {.size = sizeof apply, .function = step};
    apply.op = op;
    apply.location = "job.c:40";
    outer = proftop_apply(feed, &apply);
    apply.op = add;
    inner = proftop_apply(feed, &apply);
    apply.op = odd;
    hostile = proftop_apply(feed, &apply);
    apply.op = add;
    apply.source = PROFTOP_GIVEN;
    given = proftop_apply(feed, &apply);
    const proftop_id io = proftop_domain(feed, "io"), net = proftop_domain(feed, "net");
    task = proftop_task(feed, io, "read");
    frame = proftop_frame(feed, net, "pass");
    event = proftop_event(feed, "save");
    marker = proftop_marker(feed, io, "here");
    rows = proftop_counter(feed, io, "rows", "rows");
    load = proftop_counter_f64(feed, net, "load", "");
    proftop_counter_set(feed, rows, 0);
}

static void work(void)
{
    uint64_t outer_ns = 0, inner_ns = 0;
    for (unsigned i = 0; i < WORK; i++) {
        const struct proftop_run pass = proftop_frame_start(feed, frame);
        const struct proftop_token call = proftop_call_begin(feed, step);
        const uint64_t began = now_ns();
        const struct proftop_token around = proftop_begin(feed, outer);
        for (unsigned k = 0; k < INNER; k++) {
            const uint64_t start = now_ns();
            const struct proftop_token token = proftop_begin(feed, inner);
            spin(2000);
            proftop_end(feed, inner, token);
            inner_ns += now_ns() - start;
        }
        proftop_end(feed, outer, around);
        outer_ns += now_ns() - began;
        proftop_end(feed, hostile, proftop_begin(feed, hostile));
        spin(5000);
        proftop_record(feed, given, 1000 + i);
        proftop_call_end(feed, step, call);
        proftop_task_stop(feed, proftop_task_start(feed, task));
        proftop_counter_add(feed, rows, 2);
        proftop_counter_set_f64(feed, load, i / 4.0);
        proftop_mark(feed, marker, i % 2 ? "thread" : "process");
        proftop_frame_stop(feed, pass);
        number++;
    }
    printf("{\"steps\": %d, \"inner\": %d, \"outer_ns\": %" PRIu64 ", \"inner_ns\": %" PRIu64
           ", \"number\": %" PRIu64 "}\n",
           WORK, WORK * INNER, outer_ns, inner_ns, number);
}

static void events(void)
{
    printf("{\"began\": [");
    for (unsigned i = 0; i < EVENTS; i++) {
        printf("%s%" PRIu64, i ? ", " : "", now_ns());
        const struct proftop_run run = proftop_event_start(feed, event);
        spin((i + 1) * UINT64_C(1000000));
        proftop_event_stop(feed, run);
    }
    printf("], \"ended\": %" PRIu64 "}\n", now_ns());
}

int main(void)
{
    char line[64];
    struct proftop_options options = {.size = sizeof options, .program = "trace_job"};
    feed = proftop_open(&options);
    define();
    printf("%d\n", (int)getpid());
    fflush(stdout);
    while (fgets(line, sizeof line, stdin) != NULL) {
        if (strcmp(line, "work\n") == 0)
            work();
        else if (strcmp(line, "events\n") == 0)
            events();
        fflush(stdout);
    }
    proftop_close(feed);
    return EXIT_SUCCESS;
}

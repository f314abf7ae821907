/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * ported.c: a program that used MXNet's C profiling calls, ported to proftop's. docs/mxnet.md shows
 * both. cc ported.c -lproftop */
#include <proftop.h>
#include <proftop_control.h>
#include <proftop_objects.h>
#include <stdio.h>
#include <stdlib.h>

static void check(const char *wrong)
{
    if (wrong != NULL)
        fprintf(stderr, "ported: %s\n", wrong);
}

/* Stands for the program's work. */
static double work(long rounds)
{
    volatile double sum = 0;
    for (long i = 1; i <= rounds; i++)
        sum += 1.0 / (double)i;
    return sum;
}

int main(int count, char **words)
{
    long steps = count > 1 ? atol(words[1]) : 100;
    struct proftop *feed = proftop_open(NULL);
    const char *const settings[] = {"filename", "", "profile_memory", "0", NULL};
    check(proftop_set_config(feed, settings));
    check(proftop_set_state(feed, "run", "worker"));

    proftop_id domain = proftop_domain(feed, "training");
    proftop_id load = proftop_task(feed, domain, "load data");
    proftop_id step = proftop_frame(feed, domain, "step");
    proftop_id update = proftop_event(feed, "update");
    proftop_id rows = proftop_counter_from(feed, domain, "rows", NULL, 0);
    proftop_id epoch = proftop_marker(feed, domain, "epoch");

    for (long i = 0; i < steps; i++) {
        struct proftop_run stepping = proftop_frame_start(feed, step);
        struct proftop_run loading = proftop_task_start(feed, load);
        work(1000);
        proftop_counter_add(feed, rows, 64);
        proftop_task_stop(feed, loading);
        struct proftop_run updating = proftop_event_start(feed, update);
        work(3000);
        proftop_event_stop(feed, updating);
        proftop_frame_stop(feed, stepping);
    }
    check(proftop_mark(feed, epoch, "process"));

    char *text;
    check(proftop_dumps(feed, NULL, &text));
    printf("%s", text == NULL ? "" : text);
    free(text);
    proftop_close(feed);
    return 0;
}

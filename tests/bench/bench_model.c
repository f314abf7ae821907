/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * bench_model.c: measures a refresh before anything is drawn: renewing a state, sorting as many
 * rows as a screen shows, filtering. It uses 10,000 and 100,000 applies that all changed. The floor
 * is a copy of the rows.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "model/json.h"
#include "model/view.h"

enum { OPS_SHARE = 20, SHOWN = 40 };

struct load {
    struct model_job *job;
    uint32_t n;
    uint64_t *id, *calls, *total, *last;
    struct model_state *state;
    struct model_view view;
    struct model_row *rows, *copy;
    size_t written;
};

static uint64_t random_state = 88172645463325252u;

static uint64_t next(void)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return random_state;
}

static void define(struct load *l)
{
    static const uint8_t instance[16] = {1};
    char text[160];
    l->job = model_job_new(instance);
    for (unsigned i = 0; i < 40; i++)
        model_job_add_class(l->job, text, (size_t)snprintf(text, sizeof text, "tensor.C%u", i));
    for (uint32_t i = 0; i < l->n / OPS_SHARE; i++)
        model_job_add_op(l->job, i % 40, text,
                         (size_t)snprintf(text, sizeof text, "Elemwise{Composite{%u}}", i));
    struct model_function_raw f = {.name = {"train", 5}, .parent = MODEL_NONE};
    model_job_add_function(l->job, &f);
    for (uint32_t i = 0; i < l->n; i++) {
        int size = snprintf(text, sizeof text,
                            "Elemwise{Composite{(i0 + i1 * sigmoid(i%u))}}(Dot22.%u, "
                            "InplaceDimShuffle{x,0}.0, TensorConstant{%u})",
                            i % 7, (unsigned)(next() % 1000), i);
        struct model_apply_raw a = {.text = {text, (size_t)size},
                                    .op = (uint32_t)(next() % (l->n / OPS_SHARE)),
                                    .index = i,
                                    .impl = MODEL_IMPL_C};
        model_job_add_apply(l->job, &a);
    }
    model_job_set_epoch(l->job, 1);
    model_job_set_complete(l->job);
}

static void init(struct load *l, uint32_t n)
{
    memset(l, 0, sizeof *l);
    l->n = n;
    define(l);
    l->id = calloc(n, sizeof *l->id);
    l->calls = calloc(n, sizeof *l->calls);
    l->total = calloc(n, sizeof *l->total);
    l->last = calloc(n, sizeof *l->last);
    l->rows = calloc(n, sizeof *l->rows);
    l->copy = calloc(n, sizeof *l->copy);
    for (uint32_t i = 0; i < n; i++)
        l->id[i] = i;
    model_view_init(&l->view, MODEL_APPLY);
}

static void finish(struct load *l)
{
    model_view_release(&l->view);
    model_state_free(&l->state);
    model_job_release(&l->job);
    free(l->id);
    free(l->calls);
    free(l->total);
    free(l->last);
    free(l->rows);
    free(l->copy);
}

static void apply_values(struct load *l)
{
    model_job_set_values(l->job, l->n, l->id, l->calls, l->total, l->last, NULL, false);
}

static void take_state(struct load *l)
{
    model_view_clear(&l->view, false);
    if (l->state)
        model_state_renew(l->state, MODEL_ALL);
    else
        l->state = model_state_take(l->job, MODEL_ALL, NULL);
}

static void sort_by(struct load *l, const char *column)
{
    l->view.column = (unsigned)model_column_find(column, MODEL_APPLY);
    model_view_update(&l->view, l->state);
    for (uint32_t at = 0; at < SHOWN && at < l->view.count; at++)
        model_view_sum(&l->view, at);
}

static void sort_time(struct load *l)
{
    sort_by(l, "time");
}

static void sort_per_call(struct load *l)
{
    sort_by(l, "per-call");
}

static void sort_interval(struct load *l)
{
    sort_by(l, "interval-percent");
}

static void sort_name(struct load *l)
{
    sort_by(l, "name");
}

/* Ranks are kept for one column. Alternating between two columns rebuilds the ranks of both. */
static void sort_names_anew(struct load *l)
{
    sort_by(l, "function");
    sort_by(l, "name");
}

static void key_of_filter(struct load *l)
{
    model_view_filter(&l->view, "dot22.77");
    sort_by(l, "time");
    model_view_filter(&l->view, "");
}

static void discard(void *to, const char *bytes, size_t size)
{
    (void)bytes;
    *(size_t *)to += size;
}

static void write_json(struct load *l)
{
    struct model_link link = {0};
    struct model_report report = {.state = l->state, .link = &link, .word = "live"};
    struct model_sink sink = {discard, &l->written};
    model_json_write(&report, &sink);
}

static void copy_rows(struct load *l)
{
    memcpy(l->copy, l->rows, l->n * sizeof *l->rows);
    __asm__ volatile("" ::"r"(l->copy) : "memory");
}

static const struct {
    const char *what;
    void (*run)(struct load *l);
    const char *target;
} steps[] = {
    {"copy of the rows (floor)", copy_rows, ""},
    {"values applied, all changed", apply_values, ""},
    {"state taken", take_state, ""},
    {"applies by time", sort_time, "a few ms at 100k"},
    {"applies by time per call", sort_per_call, ""},
    {"applies by interval %time", sort_interval, ""},
    {"applies by name", sort_name, ""},
    {"applies by name, ranks of two columns made anew", sort_names_anew, ""},
    {"a key of the filter", key_of_filter, ""},
    {"one line of JSON", write_json, ""},
};
enum { STEPS = sizeof steps / sizeof steps[0] };

static void measure(uint32_t n)
{
    static struct load load;
    static double time[STEPS][BENCH_ROUNDS];
    init(&load, n);
    uint64_t stamp = 0;
    for (unsigned round = 0; round < BENCH_ROUNDS; round++) {
        for (uint32_t i = 0; i < n; i++) {
            load.calls[i] += 1 + next() % 10;
            load.total[i] += next() % 1000000;
        }
        model_job_set_stamp(load.job, stamp += 100000000, 1);
        model_job_set_values_stamp(load.job, stamp);
        for (unsigned step = 0; step < STEPS; step++) {
            uint64_t start = bench_cpu_ns();
            steps[step].run(&load);
            time[step][round] = (double)(bench_cpu_ns() - start) / 1e6;
        }
    }
    double floor = bench_median(time[0], BENCH_ROUNDS);
    for (unsigned step = 0; step < STEPS; step++) {
        char what[80];
        snprintf(what, sizeof what, "%u: %s", (unsigned)n, steps[step].what);
        double median = bench_median(time[step], BENCH_ROUNDS);
        bench_row(what, median, "ms", median / floor, steps[step].target);
    }
    printf("%u: %zu bytes of job, %zu of JSON\n", (unsigned)n, model_job_bytes(load.job),
           load.written / BENCH_ROUNDS);
    finish(&load);
}

int main(void)
{
    measure(10000);
    measure(100000);
    return 0;
}

/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * bench_history.c: what keeping the past costs a viewer: time and bytes of a changed row, how far
 * back single ticks reach, and the time to show a moment of the past. All nodes change in each
 * tick. The floor is storing the values of a tick without a history.
 */
#include "bench.h"
#include "model/history.h"

enum { RATE = 10, MIB = 1 << 20, LIMIT = 64 * MIB };
static const uint64_t TICK_NS = UINT64_C(1000000000) / RATE;

struct load {
    struct model_job *job;
    uint32_t n;
    uint64_t tick, *id, *calls, *total, *last;
};

static uint64_t random_state = 88172645463325252u;

static uint64_t next(void)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return random_state;
}

static void init(struct load *l, uint32_t n)
{
    static const uint8_t instance[16] = {1};
    const struct model_function_raw f = {.name = {"train", 5}, .parent = MODEL_NONE};
    *l = (struct load){.job = model_job_new(instance), .n = n};
    l->id = calloc(n, sizeof *l->id);
    l->calls = calloc(n, sizeof *l->calls);
    l->total = calloc(n, sizeof *l->total);
    l->last = calloc(n, sizeof *l->last);
    model_job_add_class(l->job, "C", 1);
    model_job_add_function(l->job, &f);
    for (uint32_t i = 0; i < n; i++) {
        char text[32];
        const size_t size = (size_t)snprintf(text, sizeof text, "Op%u", i / 20);
        if (i % 20 == 0)
            model_job_add_op(l->job, 0, text, size);
        const struct model_apply_raw a = {.text = {text, size}, .op = i / 20, .index = i};
        model_job_add_apply(l->job, &a);
        l->id[i] = i;
    }
    model_job_set_epoch(l->job, 1);
    model_job_set_complete(l->job);
}

static void finish(struct load *l)
{
    model_job_release(&l->job);
    free(l->id);
    free(l->calls);
    free(l->total);
    free(l->last);
}

/* Each node runs 24 times in a tick, for some 50 to 150 us: a training step of 4 ms. */
static void change(struct load *l)
{
    for (uint32_t i = 0; i < l->n; i++) {
        const uint64_t calls = 24, ns = 50000 + next() % 100000;
        l->calls[i] += calls;
        l->total[i] += calls * ns;
        l->last[i] = ns;
    }
    l->tick++;
}

static void store(struct load *l)
{
    model_job_set_values(l->job, l->n, l->id, l->calls, l->total, l->last, NULL, false);
    model_job_set_stamp(l->job, l->tick * TICK_NS, l->tick * TICK_NS);
    model_job_set_values_stamp(l->job, l->tick * TICK_NS);
}

/* Medians of ns a row: storing a tick without a history, and with one. */
static void measure_ticks(struct load *bare, struct load *kept, struct model_history *history)
{
    enum { TICKS = 51 };
    double without[TICKS], with[TICKS];
    for (unsigned i = 0; i < TICKS; i++) {
        change(bare);
        uint64_t begin_ns = bench_cpu_ns();
        store(bare);
        without[i] = (double)(bench_cpu_ns() - begin_ns) / bare->n;
        change(kept);
        begin_ns = bench_cpu_ns();
        store(kept);
        model_history_commit(history);
        with[i] = (double)(bench_cpu_ns() - begin_ns) / kept->n;
    }
    const double a = bench_median(without, TICKS), b = bench_median(with, TICKS);
    char what[80];
    snprintf(what, sizeof what, "history, %u rows: a changed row, stored and kept", kept->n);
    bench_row(what, b, "ns", b / a, "");
}

/* How many ticks stay single in 64 MiB, once it is full. */
static void measure_reach(struct load *l, struct model_history *history)
{
    char what[80];
    while (model_history_count(history) == l->tick && l->tick < 20000) {
        change(l);
        store(l);
        model_history_commit(history);
    }
    snprintf(what, sizeof what, "%u rows at 10 Hz: bytes of a changed row", l->n);
    bench_row(what, (double)model_history_bytes(history) / (double)l->tick / l->n, "B", 0, "");
    snprintf(what, sizeof what, "%u rows at 10 Hz: single ticks in 64 MiB", l->n);
    bench_row(what, (double)l->tick / RATE / 60, "min", 0, l->n == 500 ? ">= 10 min" : "");
    double aging[21];
    for (unsigned i = 0; i < 21; i++) {
        change(l);
        store(l);
        const uint64_t begin_ns = bench_cpu_ns();
        model_history_commit(history);
        aging[i] = (double)(bench_cpu_ns() - begin_ns) / l->n;
    }
    snprintf(what, sizeof what, "%u rows: a moment, with older ones added up, a row", l->n);
    bench_row(what, bench_median(aging, 21), "ns", 0, "");
}

static void measure_seek(const struct load *l, struct model_history *history)
{
    char what[80];
    uint64_t begin_ns = bench_cpu_ns();
    struct model_past *past = model_past_new(history);
    const uint32_t count = model_history_count(history), back = count > 100 ? count - 101 : 0;
    model_past_seek(past, back);
    struct model_state *state = model_past_take(past, MODEL_ALL, NULL);
    snprintf(what, sizeof what, "%u rows: the state of ten seconds ago", l->n);
    bench_row(what, (double)(bench_cpu_ns() - begin_ns) / 1e6, "ms", 0, "");
    model_state_free(&state);
    begin_ns = bench_cpu_ns();
    model_past_seek(past, 0);
    snprintf(what, sizeof what, "%u rows: from there to the oldest of %u moments", l->n, count);
    bench_row(what, (double)(bench_cpu_ns() - begin_ns) / 1e6, "ms", 0, "");
    model_past_free(&past);
}

static void measure(uint32_t n)
{
    struct load bare, kept;
    init(&bare, n);
    init(&kept, n);
    struct model_history *history = model_history_new(kept.job, LIMIT);
    measure_ticks(&bare, &kept, history);
    measure_reach(&kept, history);
    measure_seek(&kept, history);
    model_history_free(&history);
    finish(&bare);
    finish(&kept);
}

int main(void)
{
    measure(500);
    measure(5000);
    measure(100000);
    return 0;
}

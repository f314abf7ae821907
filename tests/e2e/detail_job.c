/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * detail_job.c: a job with known details. Its compilation lasts until two lines have come on
 * standard input. It then publishes all details of its applies, with known figures, and runs until
 * standard input ends. It prints a word at each of these points.
 */
#include <stdio.h>

#include "proftop_adapter.h"
#include "proftop_objects.h"

enum { CALLS = 10, CALL_NS = 1000000 };

/* Prints the progress, and waits for a line. */
static void reached(const char *word)
{
    char line[64];
    puts(word);
    fflush(stdout);
    if (fgets(line, sizeof line, stdin) == NULL)
        return;
}

static void compile(struct proftop *feed, proftop_id function)
{
    proftop_compile_begin(feed, function);
    proftop_id all =
        proftop_phase_begin(feed, function, PROFTOP_NONE, PROFTOP_PHASE_REWRITE, "rewrite", 10);
    proftop_id merge =
        proftop_phase_begin(feed, function, all, PROFTOP_PHASE_REWRITE, "merge", 10);
    reached("merging");
    proftop_phase_end(feed, merge, 5, 8);
    merge = proftop_phase_begin(feed, function, all, PROFTOP_PHASE_REWRITE, "merge", 8);
    proftop_phase_end(feed, merge, 6, 7);
    reached("merged");
    proftop_phase_end(feed, all, 11, 7);
    const struct proftop_phase_times link = {sizeof link, 1, 4000, PROFTOP_UNKNOWN, 7, 7};
    proftop_id linking =
        proftop_phase(feed, function, PROFTOP_NONE, PROFTOP_PHASE_LINK, "link", &link);
    const struct proftop_phase_times thunks = {sizeof thunks, 7, 3000, 0, PROFTOP_UNKNOWN,
                                               PROFTOP_UNKNOWN};
    proftop_phase(feed, function, linking, PROFTOP_PHASE_THUNKS, "make thunks", &thunks);
    proftop_compile_end(feed, function, NULL);
}

static proftop_id define(struct proftop *feed, proftop_id function, proftop_id op, uint32_t index)
{
    struct proftop_apply_info info = {.size = sizeof info, .index = index};
    info.function = function;
    info.op = op;
    info.source = PROFTOP_GIVEN;
    info.impl = PROFTOP_IMPL_PY;
    proftop_id apply = proftop_apply(feed, &info);
    for (int i = 0; i < CALLS; i++)
        proftop_record(feed, apply, CALL_NS);
    return apply;
}

/* The second apply reads the first one's output and overwrites it. */
static void describe(struct proftop *feed, const proftop_id apply[2])
{
    const uint64_t shape[] = {3, 4};
    const int64_t strides[] = {8, 24};
    struct proftop_value_info in[] = {{"float64", NULL, 0, 0, 0, 0, 8, 0, NULL},
                                      {.rank = PROFTOP_NONE, .bytes = PROFTOP_UNKNOWN}};
    struct proftop_value_info out[] = {{"float64", shape, 2, 0, 0, PROFTOP_OWN, 96, 0, strides},
                                       {"bool", shape, 1, 0, 0, PROFTOP_VIEW_OF(1), 3, 0, NULL}};
    struct proftop_apply_detail_info info = PROFTOP_APPLY_DETAIL;
    info.flops = 2000000;
    info.thunk_ns = 700;
    info.device = "cuda:0";
    info.location = "model.py:12";
    info.rewrite = "fusion";
    info.library = "lib.py:7";
    info.impl = PROFTOP_IMPL_JIT;
    info.one_in = 100;
    info.input = in;
    info.inputs = 2;
    info.output = out;
    info.outputs = 2;
    proftop_apply_detail(feed, apply[0], &info);
    in[0].source_plus_1 = apply[0] + 1;
    in[0].shape = shape;
    in[0].rank = 2;
    in[0].bytes = 96;
    out[0].alias = PROFTOP_OVERWRITES(0);
    out[0].result_plus_1 = 1;
    info.flops = PROFTOP_UNKNOWN;
    info.library = NULL;
    info.outputs = info.inputs = 1;
    proftop_apply_detail(feed, apply[1], &info);
}

static void measure(struct proftop *feed, const proftop_id apply[2])
{
    proftop_id misses = proftop_metric(feed, "misses", "", PROFTOP_SUM);
    proftop_id peak = proftop_metric(feed, "peak", "bytes", PROFTOP_MAX);
    proftop_id wait = proftop_metric(feed, "wait", "ns", PROFTOP_LAST);
    const uint64_t values[] = {7, 4096, 1024};
    for (int i = 0; i < 3; i++) {
        proftop_metric_add(feed, misses, apply[0], values[i]);
        proftop_metric_add(feed, peak, apply[0], values[i]);
        proftop_metric_add(feed, wait, apply[0], values[i]);
    }
    proftop_metric_add(feed, misses, apply[1], 3);
    proftop_metric_add(feed, peak, apply[1], 5000);
}

int main(void)
{
    struct proftop *feed = proftop_open(NULL);
    struct proftop_function_info info = {.size = sizeof info, .name = "slow"};
    proftop_id op = proftop_op(feed, proftop_class(feed, "Class"), "op");
    proftop_id function = proftop_function(feed, &info);
    compile(feed, function);
    proftop_id apply[3] = {define(feed, function, op, 0), define(feed, function, op, 1)};
    proftop_scope_push(feed, "net", 1);
    proftop_scope_push(feed, "layer1", 1);
    apply[2] = define(feed, function, op, 2);
    proftop_scope_pop(feed);
    proftop_scope_pop(feed);
    describe(feed, apply);
    measure(feed, apply);
    reached("told");
    proftop_close(feed);
    return 0;
}

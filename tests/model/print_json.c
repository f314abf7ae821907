/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * print_json.c: prints five lines of JSON for schema.py: no job; an empty job; a full job with
 * hostile texts and the largest integers; the same with its second state; two jobs. With an
 * argument, prints the same reports as CSV, or only one section of them; or, with `prom` or `md`,
 * in these formats, each behind a line of dashes. For tables.py.
 */
#include "model/node_detail.h"
#include "model/rewrite.h"
#include "model/multi_job.h"
#include "model/csv.h"
#include "model/json.h"
#include "model/markdown.h"
#include "model/prom.h"

#include <stdio.h>
#include <string.h>

static void write_out(void *to, const char *bytes, size_t size)
{
    fwrite(bytes, 1, size, to);
}

static struct model_csv *csv; /* NULL: another format */
static struct model_prom *prom;
static bool markdown;

static void print_report(const struct model_report *report)
{
    const struct model_sink sink = {write_out, stdout};
    bool good = true;
    if (prom || markdown)
        puts("----------");
    if (prom)
        good = model_prom_write(prom, report, &sink);
    else if (markdown)
        good = model_markdown_write(report, &sink);
    else if (csv)
        good = model_csv_write(csv, report, &sink);
    else
        model_json_write(report, &sink);
    if (!good)
        fputs("out of memory\n", stderr);
}

static void print(const struct model_state *state, const struct model_link *link, bool final)
{
    struct model_report report = {.state = state,
                                  .link = link,
                                  .word = final ? "ended" : "live",
                                  .time_ns = 1700000000000000000u,
                                  .final = final};
    print_report(&report);
}

static struct model_bytes text(const char *bytes)
{
    return (struct model_bytes){bytes, strlen(bytes)};
}

static void define(struct model_job *job)
{
    struct model_bytes hostile = text("\"\\\033]0;\x9b\xff 層\u202E\177");
    model_job_add_class(job, hostile.data, hostile.size);
    model_job_set_display(job, 0, hostile.data, hostile.size);
    model_job_add_op(job, 0, hostile.data, hostile.size);
    struct model_function_raw f = {
        .name = hostile, .file = text("train.py"), .line = 7, .parent = MODEL_NONE, .group = 2};
    model_job_add_function(job, &f);
    struct model_apply_raw a = {.text = hostile,
                                .function = 0,
                                .op = 0,
                                .source = MODEL_GIVEN,
                                .kind = 2,
                                .impl = MODEL_IMPL_C};
    model_job_add_apply(job, &a);
    f = (struct model_function_raw){.parent = 0, .source = MODEL_ABSENT};
    model_job_add_function(job, &f);
    a = (struct model_apply_raw){
        .function = 1, .source = MODEL_SET, .kind = 1, .impl = MODEL_IMPL_PY, .index = 9};
    model_job_add_apply(job, &a);
    model_job_add_thread(job, "main", 4, 11);
    model_job_add_thread(job, "", 0, 12);
    model_job_add_notice(job, 4, 2, hostile.data, hostile.size);
    model_job_add_notice(job, 5, 2, hostile.data, hostile.size);
    struct model_identity *who = model_job_identity_mutable(job);
    who->pid = 4711;
    who->rank = 3;
    who->local_rank = 1;
    who->size = 8;
    model_job_set_text(job, &who->role, "worker", 6);
    model_job_set_text(job, &who->batch, "815", 3);
    who->parent[0] = 1;
    who->collecting = false;
    model_job_set_text(job, &who->asker, "anna, process 12 on gpu01", 25);
    who->refused = 2;
    who->insecure = 1;
    model_job_set_text(job, &who->host, "gpu01", 5);
}

static void run(struct model_job *job, uint64_t calls, uint64_t total_ns)
{
    uint64_t id[] = {0, 1}, c[] = {calls, calls}, t[] = {total_ns, total_ns / 2};
    uint64_t last[] = {1, MODEL_UNKNOWN};
    model_job_set_values(job, 2, id, c, t, last, NULL, false);
    model_job_set_extremes(job, 2, id, id, t, c, false);
    struct model_now now[] = {{0, 0, 4, 0}, {1, 1, 5, 0}};
    model_job_set_now(job, 2, now, calls);
    model_job_set_stamp(job, calls, 1);
    model_job_set_values_stamp(job, calls);
}

/* Adds data that few jobs send, with hostile texts, and with the least possible. */
static void describe(struct model_job *job)
{
    struct model_bytes hostile = text("\"\\\033]0;\x9b\xff \u5c64\u202E\177");
    const struct model_value_raw value[] = {
        {hostile, text("[2,3]"), 6, MODEL_NONE, 0, 0, 0, text("[12,-4]")},
        {text(""), hostile, MODEL_UNKNOWN, 1, 4, 0, 0, hostile},
        {text("f4"), text("[]"), 4, MODEL_NONE, 0, 1, 0, text("[]")},
        {text("f4"), text("[18446744073709551615]"), 4, MODEL_NONE, 0, 4, 0, text("[]")},
    };
    const struct model_about_raw about = {
        1, 7, 8, 9, hostile, hostile, hostile, hostile, 2, 2, 100, MODEL_IMPL_JIT, value};
    const struct model_about_raw little = {
        .rev = 1, .flops = MODEL_UNKNOWN, .bytes = MODEL_UNKNOWN, .thunk_ns = MODEL_UNKNOWN};
    const struct model_phase open = {.rev = 1,
                                     .total_ns = MODEL_UNKNOWN,
                                     .validate_ns = MODEL_UNKNOWN,
                                     .nodes_before = 3,
                                     .nodes_after = MODEL_UNKNOWN,
                                     .open_since_ns = 5,
                                     .parent = MODEL_NONE};
    const struct model_phase done = {.rev = 1, .calls = 2, .parent = 0, .kind = MODEL_PHASE_LINK};
    model_job_set_about(job, 0, &about);
    model_job_set_about(job, 1, &little);
    model_job_set_phase(job, 0, &open, hostile.data, hostile.size);
    model_job_set_phase(job, 2, &done, "", 0);
    model_job_set_metric(job, 0, hostile, hostile, MODEL_SUM);
    model_job_set_metric(job, 1, text(""), text("ns"), MODEL_LAST);
    model_job_set_metric_value(job, 0, 1, 1, UINT64_MAX - 1);
    const uint64_t id = 1, calls = 20, ns = UINT64_MAX - 1, timed = 3, none = MODEL_UNKNOWN;
    model_job_set_calls(job, 1, &id, &calls, &ns, &none, &none, false);
    model_job_set_sampled(job, 1, &id, &timed, &ns, false);
    model_job_set_compile(job, 1, &id, &none, &none, &none, &none, &ns, false);
}

/* Adds counters, memory, a span and a marker, with hostile texts and extreme values. */
static void count(struct model_job *job)
{
    const struct model_bytes hostile = text("=1+1,\"|`\\\033\n");
    static const enum model_counter_kind kinds[] = {MODEL_I64, MODEL_F64, MODEL_MEMORY, MODEL_I64};
    const struct model_counter_value values[] = {
        {.known = true, .value.i = INT64_MIN, .min.i = INT64_MIN, .max.i = 7, .updates = 2},
        {.known = true, .value.d = 0.1, .min.d = -1e300, .max.d = 1e300, .updates = 3, .mean = 0.3},
        {.known = true, .value.u = 1 << 20, .max.u = UINT64_MAX - 1, .limit = MODEL_UNKNOWN},
    };
    for (uint32_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        const struct model_counter_raw raw = {hostile, hostile, text(""), text(i == 1 ? "s" : ""),
                                              (uint8_t)kinds[i]};
        model_job_add_counter(job, &raw);
        if (i < sizeof values / sizeof values[0])
            model_job_set_counter(job, i, kinds[i], &values[i]);
    }
    const struct model_span_raw span = {hostile, hostile, MODEL_FRAME};
    const struct model_span_value run = {.known = true,
                                         .calls = 3,
                                         .total_ns = 70,
                                         .self_ns = 50,
                                         .last_ns = 20,
                                         .open_since_ns = MODEL_UNKNOWN};
    const struct model_pass slow = {2, 40};
    const struct model_mark mark = {
        .number = 1, .mono_ns = 5, .thread = MODEL_NONE, .task = MODEL_NONE};
    model_job_add_span(job, &span);
    model_job_set_span(job, 0, &run);
    model_job_add_span_pass(job, 0, &slow);
    model_job_add_marker(job, hostile, hostile);
    model_job_add_mark(job, &mark);
}

/* Prints the job twice, once as a hanging one. */
static void print_several(struct model_job *job, const struct model_link *link)
{
    struct model_multi_job *multi_job = model_multi_job_new();
    struct model_multi_job_member member[2] = {{job, link}, {job, link}};
    struct model_state *ranks =
        model_multi_job_take(multi_job, MODEL_MULTI_JOB_RANKS, MODEL_ALL, member, 2);
    struct model_report_job jobs[2] = {{model_multi_job_one(multi_job, 0), link},
                                       {model_multi_job_one(multi_job, 1), link}};
    struct model_report report = {
        .word = "live", .time_ns = 1700000000000000000u, .job = jobs, .jobs = 2, .ranks = ranks};
    ranks->multi_job->hung.job = 1;
    ranks->multi_job->slow = (struct model_slow){.job = 0, .waits = 0.5, .others = 1};
    print_report(&report);
    model_state_free(&ranks);
    model_multi_job_free(&multi_job);
}

int main(int argc, char **argv)
{
    const char *only = NULL;
    for (unsigned at = 0; argc > 1 && (only = model_json_section(at, NULL, NULL)) != NULL; at++)
        if (strcmp(only, argv[1]) == 0)
            break;
    if (argc > 1 && strcmp(argv[1], "prom") == 0)
        prom = model_prom_new(0);
    else if (argc > 1 && strcmp(argv[1], "md") == 0)
        markdown = true;
    else if (argc > 1)
        csv = model_csv_new(only);
    struct model_link link = {.state = MODEL_CONNECTING, .frames = UINT64_MAX - 1};
    print(NULL, &link, false);
    static const uint8_t instance[16] = {0xfe, 0xdc};
    struct model_job *job = model_job_new(instance);
    struct model_state *first = model_state_take(job, MODEL_ALL, NULL);
    link.state = MODEL_LIVE;
    print(first, &link, false);
    define(job);
    model_job_set_complete(job);
    run(job, 10, (uint64_t)1 << 62);
    struct model_state *second = model_state_take(job, MODEL_ALL, first);
    print(second, &link, false);
    describe(job);
    count(job);
    run(job, 20, UINT64_MAX - 1);
    struct model_state *third = model_state_take(job, MODEL_ALL, second);
    print(third, &link, true);
    print_several(job, &link);
    model_state_free(&first);
    model_state_free(&second);
    model_state_free(&third);
    model_job_release(&job);
    model_csv_free(&csv);
    model_prom_free(&prom);
    return 0;
}

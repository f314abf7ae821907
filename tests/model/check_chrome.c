/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * check_chrome.c: reports in Chrome's trace format: which bars there are, how long they are, and
 * that they lie inside each other.
 */
#include "model/chrome.h"

#include <stdlib.h>

#include "sample.h"

enum { SEEDS = 16, TRACKS = 64, DEEP = 128 };

static char *text;
static const char *last; /* line of the bar that next() read */

#define UNKNOWN (~0ull) /* null */

struct bar {
    unsigned long long tid, at_ns, ns, time_ns, id;
    bool is_function, longer, estimated;
};

static void keep(void *to, const char *bytes, size_t size)
{
    fwrite(bytes, 1, size, to);
}

static void print(const struct model_report *report)
{
    size_t size;
    FILE *file = open_memstream(&text, &size);
    const struct model_sink sink = {keep, file};
    ck_assert(model_chrome_write(report, &sink));
    fclose(file);
}

static void print_job(struct model_job *job)
{
    struct model_state *state = model_state_take(job, MODEL_ALL, NULL);
    print(&(struct model_report){.state = state, .word = "live"});
    model_state_free(&state);
}

/* UNKNOWN: null. The key must be there. */
static unsigned long long number_of(const char *line, const char *key)
{
    const char *found = strstr(line, key);
    ck_assert_msg(found != NULL, "no %s: %.300s", key, line);
    found += strlen(key);
    return strncmp(found, "null", 4) == 0 ? UNKNOWN : strtoull(found, NULL, 10);
}

/* Microseconds with three decimals, in ns. */
static unsigned long long ns_of(const char *line, const char *key)
{
    char *end;
    const char *found = strstr(line, key);
    ck_assert_ptr_nonnull(found);
    const unsigned long long us = strtoull(found + strlen(key), &end, 10);
    ck_assert_int_eq(*end, '.');
    return 1000 * us + strtoull(end + 1, NULL, 10);
}

/* Reads the next bar behind `*at`, and sets that to the end of its line: each event has one. */
static bool next(const char **at, struct bar *bar)
{
    static char line[4096];
    const char *found = strstr(*at, "\"ph\":\"X\",");
    if (!found)
        return false;
    const char *end = strchr(found, '\n');
    while (found > text && found[-1] != '\n')
        found--;
    ck_assert_ptr_nonnull(end);
    ck_assert_uint_lt((size_t)(end - found), sizeof line);
    memcpy(line, found, (size_t)(end - found));
    line[end - found] = '\0';
    *at = end;
    last = line;
    *bar = (struct bar){.tid = number_of(line, "\"tid\":"),
                        .at_ns = ns_of(line, "\"ts\":"),
                        .ns = ns_of(line, "\"dur\":"),
                        .time_ns = number_of(line, "\"time_ns\":"),
                        .is_function = strstr(line, "\"cat\":\"function\"") != NULL,
                        .longer = strstr(line, "\"longer_than_its_time\":true") != NULL,
                        .estimated = strstr(line, "\"estimated\":true") != NULL};
    bar->id = number_of(line, bar->is_function ? "\"function\":" : "\"apply\":");
    return true;
}

static bool is_named(const char *name)
{
    char words[64];
    snprintf(words, sizeof words, "{\"name\":\"%s\",", name);
    return strncmp(last, words, strlen(words)) == 0;
}

static void see(const char **at, const char *name, struct bar expected)
{
    struct bar bar;
    ck_assert_msg(next(at, &bar), "no %s", name);
    ck_assert_msg(is_named(name), "no %s: %s", name, last);
    ck_assert_uint_eq(bar.tid, expected.tid);
    ck_assert_uint_eq(bar.at_ns, expected.at_ns);
    ck_assert_uint_eq(bar.ns, expected.ns);
    ck_assert_uint_eq(bar.time_ns, expected.time_ns);
    ck_assert_int_eq(bar.longer, expected.longer);
    ck_assert_int_eq(bar.estimated, expected.estimated);
}

/* Two functions; one has a third inside an apply whose own time is less than that, or, unless it is
 * counted, unknown. */
static struct model_job *job_with_inner(bool counted)
{
    struct model_job *job = sample_empty();
    sample_class(job, "Elemwise");
    sample_op(job, 0, "add");
    sample_op(job, 0, "scan");
    sample_op(job, 0, "mul");
    sample_function(job, "train", MODEL_NONE);
    sample_apply(job, 0, 0, 0, "add(x)", MODEL_IMPL_C);
    sample_apply(job, 0, 1, 1, "scan(y)", MODEL_IMPL_C);
    sample_function(job, "steps", 1);
    sample_apply(job, 1, 2, 2, "mul(z)", MODEL_IMPL_C);
    sample_function(job, "test", MODEL_NONE);
    sample_apply(job, 2, 2, 3, "mul(w)", MODEL_IMPL_C);
    sample_apply(job, 2, 2, 4, "mul(v)", MODEL_IMPL_C); /* never runs */
    sample_value(job, 0, 4, 2500);
    if (counted)
        sample_value(job, 1, 4, 1000);
    else
        model_job_set_left_out(job, MODEL_APPLY, 1, true);
    sample_value(job, 2, 40, 1200);
    sample_value(job, 3, 1, 1);
    sample_calls(job, 0, 50, 50, MODEL_UNKNOWN);
    return job;
}

START_TEST(bars_lie_end_to_end)
{
    struct model_job *job = job_with_inner(true);
    print_job(job);
    const char *at = text;
    see(&at, "train", (struct bar){.tid = 1, .at_ns = 0, .ns = 5000, .time_ns = 5000});
    see(&at, "add", (struct bar){.tid = 1, .at_ns = 0, .ns = 2500, .time_ns = 2500});
    see(&at, "scan",
        (struct bar){.tid = 1, .at_ns = 2500, .ns = 1200, .time_ns = 1000, .longer = true});
    see(&at, "steps", (struct bar){.tid = 1, .at_ns = 2500, .ns = 1200, .longer = true});
    see(&at, "mul", (struct bar){.tid = 1, .at_ns = 2500, .ns = 1200, .time_ns = 1200});
    see(&at, "test", (struct bar){.tid = 5, .at_ns = 0, .ns = 1, .longer = true});
    see(&at, "mul", (struct bar){.tid = 5, .at_ns = 0, .ns = 1, .time_ns = 1});
    struct bar bar;
    ck_assert(!next(&at, &bar));
    ck_assert_ptr_nonnull(strstr(text, "\"applies_without_time\":1,"));
    ck_assert_ptr_nonnull(strstr(text, "\"applies_of_unknown_time\":0,"));
    ck_assert_ptr_nonnull(strstr(text, "\"calls\":40,\"time_ns\":1200,\"apply\":2,"));
    free(text);
    model_job_release(&job);
}
END_TEST

/* Of a job that counts in a part of the time, each bar is an estimate. Of one with a sampled op,
 * those are that are as long as it. */
START_TEST(estimates_are_marked)
{
    struct model_job *job = job_with_inner(true);
    struct bar bar;
    sample_timed(job, 2, 10);
    print_job(job);
    const char *at = text;
    for (unsigned i = 0; next(&at, &bar); i++)
        ck_assert_int_eq(bar.estimated,
                         is_named("scan") || is_named("steps") || (is_named("mul") && bar.id == 2));
    free(text);
    model_job_identity_mutable(job)->share = 0.5;
    print_job(job);
    for (at = text; next(&at, &bar);)
        ck_assert(bar.estimated);
    free(text);
    model_job_release(&job);
}
END_TEST

/* An apply of unknown time has a bar if a function inside it has a known time. */
START_TEST(what_is_inside_the_unknown_is_there)
{
    struct model_job *job = job_with_inner(false);
    print_job(job);
    const char *at = text;
    see(&at, "train", (struct bar){.tid = 1, .at_ns = 0, .ns = 5000, .time_ns = 5000});
    see(&at, "add", (struct bar){.tid = 1, .at_ns = 0, .ns = 2500, .time_ns = 2500});
    see(&at, "scan", (struct bar){.tid = 1, .at_ns = 2500, .ns = 1200, .time_ns = UNKNOWN});
    see(&at, "steps", (struct bar){.tid = 1, .at_ns = 2500, .ns = 1200, .longer = true});
    see(&at, "mul", (struct bar){.tid = 1, .at_ns = 2500, .ns = 1200, .time_ns = 1200});
    ck_assert_ptr_nonnull(strstr(text, "\"applies_of_unknown_time\":0,"));
    free(text);
    model_job_release(&job);
}
END_TEST

/* What others count has a track of its own. */
START_TEST(time_aside_is_aside)
{
    struct model_job *job = sample_aside();
    struct model_state *state = model_state_take(job, MODEL_ALL, NULL);
    print(&(struct model_report){.state = state, .word = "live"});
    const char *at = text;
    struct bar bar;
    unsigned aside = 0;
    while (next(&at, &bar))
        if (!bar.is_function) {
            const bool is = state->row[MODEL_APPLY][bar.id].does & MODEL_DOES_ASIDE;
            ck_assert_uint_eq(bar.tid % 2, is ? 0 : 1);
            aside += is;
        }
    ck_assert_uint_gt(aside, 0);
    ck_assert_ptr_nonnull(strstr(text, "\"args\":{\"name\":\"train (aside)\"}"));
    free(text);
    model_state_free(&state);
    model_job_release(&job);
}
END_TEST

/* The bars around a place on a track, outermost first. The first is the track itself. */
struct around {
    struct {
        unsigned long long end_ns, next_ns; /* next_ns: where the next bar in it begins */
        unsigned long long function;        /* or UNKNOWN: of an apply, and of the track */
    } bar[DEEP];
    unsigned deep;
};

/* Adds a bar: behind the one before it, and inside the one around it. Returns the function whose
 * bar is around it, or UNKNOWN. */
static unsigned long long add_bar(struct around *around, const struct bar *bar)
{
    if (around->deep == 0)
        around->bar[around->deep++].end_ns = around->bar[0].function = UNKNOWN;
    while (bar->at_ns >= around->bar[around->deep - 1].end_ns)
        around->deep--;
    const unsigned d = around->deep++;
    ck_assert_uint_lt(d, DEEP);
    ck_assert_uint_eq(bar->at_ns, around->bar[d - 1].next_ns);
    ck_assert_uint_le(bar->at_ns + bar->ns, around->bar[d - 1].end_ns);
    around->bar[d - 1].next_ns = around->bar[d].end_ns = bar->at_ns + bar->ns;
    around->bar[d].next_ns = bar->at_ns;
    around->bar[d].function = bar->is_function ? bar->id : UNKNOWN;
    return around->bar[d - 1].function;
}

/* Of any job: each apply with time has one bar, with the time of its row, in the bar of its
 * function if it is not aside. Bars of a track lie inside each other, or end to end. */
START_TEST(bars_of_any_job_nest)
{
    struct sample_random random = {(uint64_t)_i + 1};
    struct model_job *job = sample_random_job(&random, true);
    for (unsigned i = 0; i < 3; i++)
        sample_run(job, &random, 1000000);
    struct model_state *state = model_state_take(job, MODEL_ALL, NULL);
    print(&(struct model_report){.state = state, .word = "live"});
    const uint32_t applies = state->count[MODEL_APPLY];
    unsigned *seen = calloc(applies, sizeof *seen);
    struct around *track = calloc(TRACKS, sizeof *track);
    const char *at = text;
    for (struct bar bar; next(&at, &bar);) {
        ck_assert_uint_lt(bar.tid, TRACKS);
        const unsigned long long around = add_bar(&track[bar.tid], &bar);
        if (bar.is_function)
            continue;
        ck_assert_uint_lt(bar.id, applies);
        const struct model_row *row = &state->row[MODEL_APPLY][bar.id];
        ck_assert_uint_eq(bar.time_ns, row->total_ns);
        ck_assert_uint_ge(bar.ns, bar.time_ns);
        ck_assert_int_eq(bar.longer, bar.ns > bar.time_ns);
        if (!(row->does & MODEL_DOES_ASIDE))
            ck_assert_uint_eq(around, model_job_apply(job, (uint32_t)bar.id)->function);
        seen[bar.id]++;
    }
    free(track);
    for (uint32_t id = 0; id < applies; id++)
        if (state->row[MODEL_APPLY][id].total_ns > 0)
            ck_assert_uint_eq(seen[id], 1);
    free(seen);
    free(text);
    model_state_free(&state);
    model_job_release(&job);
}
END_TEST

START_TEST(each_job_is_a_process)
{
    struct model_job *job[] = {job_with_inner(true), job_with_inner(true)};
    struct model_report_job jobs[2];
    for (unsigned i = 0; i < 2; i++) {
        model_job_identity_mutable(job[i])->pid = 4711; /* on two machines */
        jobs[i] = (struct model_report_job){.state = model_state_take(job[i], MODEL_ALL, NULL)};
    }
    print(&(struct model_report){.word = "live", .job = jobs, .jobs = 2});
    ck_assert_ptr_nonnull(strstr(text, "\"jobs\":2,"));
    ck_assert_ptr_nonnull(strstr(text, "\"ph\":\"X\",\"pid\":1,"));
    ck_assert_ptr_nonnull(strstr(text, "\"ph\":\"X\",\"pid\":2,"));
    ck_assert_ptr_null(strstr(text, "\"pid\":4711"));
    free(text);
    for (unsigned i = 0; i < 2; i++) {
        struct model_state *state = (struct model_state *)(uintptr_t)jobs[i].state;
        model_state_free(&state);
        model_job_release(&job[i]);
    }
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("chrome");
    tap_add(s, "bars_lie_end_to_end", bars_lie_end_to_end);
    tap_add(s, "estimates_are_marked", estimates_are_marked);
    tap_add(s, "what_is_inside_the_unknown_is_there", what_is_inside_the_unknown_is_there);
    tap_add(s, "time_aside_is_aside", time_aside_is_aside);
    tap_add_loop(s, "bars_of_any_job_nest", bars_of_any_job_nest, SEEDS);
    tap_add(s, "each_job_is_a_process", each_job_is_a_process);
    return s;
}

TAP_MAIN(suite)

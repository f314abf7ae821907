/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * check_peak.c: memory peaks of graphs with known answers, and of random graphs against a count
 * over all values at each step.
 */
#include "model/peak.h"

#include "sample.h"

enum { NODES_MAX = 40, INPUTS_MAX = 4 };

/* An apply with one output. `in` lists applies, from 1 on; 0 ends the list. */
struct plain {
    uint64_t bytes;
    uint32_t in[INPUTS_MAX + 1];
    uint32_t alias, result;
};

static struct model_job *graph_of(const struct plain *plain, uint32_t count)
{
    struct model_job *job = sample_empty();
    sample_class(job, "Elemwise");
    sample_op(job, 0, "Op");
    sample_function(job, "f", MODEL_NONE);
    for (uint32_t i = 0; i < count; i++)
        sample_apply(job, 0, 0, i, "Op(x)", MODEL_IMPL_C);
    for (uint32_t i = 0; i < count; i++) {
        struct model_value_raw value[INPUTS_MAX + 1] = {{.output = 0}};
        uint32_t n = 0;
        for (; plain[i].in[n] > 0; n++)
            value[n] = (struct model_value_raw){.source = plain[i].in[n] - 1, .bytes = 1};
        value[n] = (struct model_value_raw){.bytes = plain[i].bytes,
                                            .source = MODEL_NONE,
                                            .alias = plain[i].alias,
                                            .result = plain[i].result};
        const struct model_about_raw raw = {.rev = 1, .bytes = MODEL_UNKNOWN, .inputs = n,
                                            .outputs = 1, .value = value};
        ck_assert(model_job_set_about(job, i, &raw));
    }
    return job;
}

static struct model_peaks peaks_of(const struct plain *plain, uint32_t count, bool printed)
{
    struct model_job *job = graph_of(plain, count);
    struct model_peaks peaks;
    uint32_t id[NODES_MAX];
    for (uint32_t i = 0; i < count; i++)
        id[i] = i;
    ck_assert(model_peaks_of(job, id, count, printed, &peaks));
    model_job_release(&job);
    return peaks;
}

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))
enum { VIEW = 1, OVER = 2, ROW = 4096, SQUARE = 1024 * ROW, KB = 1024 };

/* The graph with which the frameworks test their memory profile: 4112KB (4104KB), 8204KB (8196KB),
 * 8208KB. Two outer products are summed, and two rows are added. */
static const struct plain outer[] = {
    {8, {0}, 0, 0},          {8, {0}, 0, 0},      {SQUARE, {1, 2}, 0, 0}, {SQUARE, {3}, OVER, 0},
    {ROW, {4}, 0, 1},        {8, {0}, 0, 0},      {SQUARE, {2, 6}, 0, 0}, {SQUARE, {7}, OVER, 0},
    {ROW, {8}, 0, 2},        {ROW, {0}, 0, 3},    {ROW, {0}, 0, 4},
};

START_TEST(the_frameworks_own_graph)
{
    for (int printed = 0; printed < 2; printed++) {
        struct model_peaks peaks = peaks_of(outer, COUNT(outer), printed);
        ck_assert(peaks.lazy);
        ck_assert_uint_eq(peaks.peak[MODEL_PEAK_INDEX].bytes, 4104 * KB);
        ck_assert_uint_eq(peaks.peak[MODEL_PEAK_INDEX].apply, 8);
        ck_assert_uint_eq(peaks.peak[MODEL_PEAK_LAZY].bytes, 4112 * KB);
        ck_assert_uint_eq(peaks.peak[MODEL_PEAK_LAZY].apply, 4);
        ck_assert_uint_eq(peaks.no_inplace[MODEL_PEAK_INDEX].bytes / KB, 8196);
        ck_assert_uint_eq(peaks.no_inplace[MODEL_PEAK_LAZY].bytes / KB, 8204);
        ck_assert_uint_eq(peaks.created, 8208 * KB + 24);
        ck_assert_uint_eq(peaks.outputs, 4 * SQUARE + 4 * ROW + 24);
        ck_assert_uint_eq(peaks.values, COUNT(outer));
        ck_assert_uint_eq(peaks.unknown, 0);
    }
}
END_TEST

/* A view dies before the value itself does. The frameworks free the memory when both are dead. */
START_TEST(a_view_that_dies_first)
{
    const struct plain graph[] = {
        {100, {0}, 0, 0}, {100, {1}, VIEW, 0}, {10, {2}, 0, 0}, {1000, {1, 3}, 0, 1}};
    struct model_peaks peaks = peaks_of(graph, COUNT(graph), false);
    ck_assert_uint_eq(peaks.peak[MODEL_PEAK_INDEX].bytes, 1110);
    ck_assert_uint_eq(peaks.created, 1110);
    peaks = peaks_of(graph, COUNT(graph), true);
    ck_assert_uint_eq(peaks.peak[MODEL_PEAK_INDEX].bytes, 1010);
}
END_TEST

/* The apply that overwrites a value runs after all others that read the value or a view of it. */
START_TEST(peak_runs_the_overwriting_apply_last)
{
    const struct plain graph[] = {{100, {0}, 0, 0},
                                  {100, {1}, VIEW, 0},
                                  {7, {2}, 0, 1},
                                  {5000, {0}, 0, 0},
                                  {100, {1, 4}, OVER, 2}};
    struct model_peaks peaks = peaks_of(graph, COUNT(graph), false);
    ck_assert(peaks.lazy);
    ck_assert_uint_eq(peaks.peak[MODEL_PEAK_LAZY].bytes, 5107);
    ck_assert_uint_eq(peaks.peak[MODEL_PEAK_LAZY].apply, 3);
    ck_assert_uint_eq(peaks.no_inplace[MODEL_PEAK_LAZY].bytes, 5207);
}
END_TEST

/* Finds the function with the largest peak. A function with unknown sizes does not count. */
START_TEST(of_several_functions_the_one_that_takes_most)
{
    struct model_job *job = graph_of(outer, COUNT(outer));
    sample_function(job, "untold", MODEL_NONE);
    sample_function(job, "large", MODEL_NONE);
    sample_apply(job, 1, 0, 0, "Op(x)", MODEL_IMPL_C);
    const uint32_t large = COUNT(outer) + 1;
    sample_apply(job, 2, 0, 0, "Op(x)", MODEL_IMPL_C);
    struct model_value_raw value = {.bytes = 2 * SQUARE, .source = MODEL_NONE};
    const struct model_about_raw raw = {.rev = 1, .outputs = 1, .value = &value};
    struct model_peaks peaks;
    uint32_t function;
    for (int told = 0; told < 2; told++) {
        struct model_state *state = model_state_take(job, MODEL_ALL, NULL);
        ck_assert(model_peaks_most(state, &peaks, &function));
        ck_assert_uint_eq(function, told ? 2 : 0);
        ck_assert_uint_eq(peaks.peak[MODEL_PEAK_LAZY].bytes, told ? 2 * SQUARE : 4112 * KB);
        model_state_free(&state);
        state = model_state_take(job, told ? 1 : 0, NULL);
        ck_assert(model_peaks_most(state, &peaks, &function));
        ck_assert_uint_eq(function, told ? MODEL_NONE : 0);
        model_state_free(&state);
        ck_assert(model_job_set_about(job, large, &raw));
    }
    model_job_release(&job);
}
END_TEST

START_TEST(peak_counts_unknown_sizes)
{
    const struct plain graph[] = {{100, {0}, 0, 0}, {MODEL_UNKNOWN, {1}, 0, 0}, {10, {2}, 0, 0}};
    struct model_peaks peaks = peaks_of(graph, COUNT(graph), false);
    ck_assert(!peaks.lazy); /* no result was received */
    ck_assert_uint_eq(peaks.peak[MODEL_PEAK_LAZY].bytes, 100);
    ck_assert_uint_eq(peaks.unknown, 1);
    ck_assert_uint_eq(peaks.values, 3);
    ck_assert_uint_eq(peaks.untold, 0);
    peaks = peaks_of(graph, 0, false);
    ck_assert_uint_eq(peaks.values, 0);
    ck_assert_uint_eq(peaks.peak[MODEL_PEAK_INDEX].apply, MODEL_NONE);
}
END_TEST

/* The job sends the total bytes of the first and the last apply, without outputs. The last apply
 * reads the first. */
START_TEST(bytes_without_outputs_are_held_as_one)
{
    const struct model_value_raw input = {.source = 0, .bytes = 1};
    const struct model_about_raw first = {.rev = 2, .bytes = 4096},
                                 last = {.rev = 2, .bytes = 100, .inputs = 1, .value = &input};
    const struct plain graph[] = {{1, {0}, 0, 0}, {10, {0}, 0, 1}, {1, {1}, 0, 0}};
    struct model_job *job = graph_of(graph, COUNT(graph));
    const uint32_t id[] = {0, 1, 2};
    struct model_peaks peaks;
    ck_assert(model_job_set_about(job, 0, &first));
    ck_assert(model_job_set_about(job, 2, &last));
    ck_assert(model_peaks_of(job, id, COUNT(id), false, &peaks));
    ck_assert_uint_eq(peaks.peak[MODEL_PEAK_INDEX].bytes, 4206);
    ck_assert_uint_eq(peaks.created, 4206);
    ck_assert_uint_eq(peaks.values, 3);
    ck_assert_uint_eq(peaks.unknown + peaks.untold, 0);
    model_job_release(&job);
}
END_TEST

/* A job may send a cyclic graph. */
START_TEST(circles_end)
{
    const struct plain graph[] = {{1, {3}, VIEW, 1}, {1, {1}, OVER, 0}, {1, {2}, VIEW, 2},
                                  {1, {4}, VIEW, 3}, {8, {5, 4}, OVER, 4}};
    struct model_peaks peaks = peaks_of(graph, COUNT(graph), false);
    ck_assert(!peaks.lazy);
    peaks_of(graph, COUNT(graph), true);
}
END_TEST

/* ------------------------------------------------------------------------------- random graphs */

static uint32_t origin(const struct plain *graph, uint32_t i, bool inplace)
{
    while (graph[i].alias == VIEW || (graph[i].alias == OVER && inplace)) {
        if (graph[i].in[0] == 0)
            return MODEL_NONE;
        i = graph[i].in[0] - 1;
    }
    return i;
}

static bool is_read_from(const struct plain *graph, uint32_t count, uint32_t value, uint32_t from,
                         bool ever)
{
    bool read = false;
    for (uint32_t i = ever ? 0 : from; i < count; i++)
        for (uint32_t n = 0; graph[i].in[n] > 0; n++)
            read |= graph[i].in[n] - 1 == value;
    return read;
}

/* At each step, the memory of the values that exist and may still be read. */
static uint64_t counted_over(const struct plain *graph, uint32_t count, bool inplace)
{
    uint64_t most = 0;
    for (uint32_t now = 0; now < count; now++) {
        bool held[NODES_MAX] = {false};
        uint64_t sum = 0;
        for (uint32_t v = 0; v <= now; v++) {
            uint32_t of = origin(graph, v, inplace);
            bool lives = graph[v].result > 0 || is_read_from(graph, count, v, now, false) ||
                         !is_read_from(graph, count, v, 0, true);
            if (of != MODEL_NONE && lives)
                held[of] = true;
        }
        for (uint32_t v = 0; v <= now; v++)
            sum += held[v] ? graph[v].bytes : 0;
        most = sum > most ? sum : most;
    }
    return most;
}

START_TEST(random_graphs)
{
    struct sample_random r = {UINT64_C(0x9e3779b97f4a7c15) * ((uint64_t)_i + 1)};
    for (unsigned round = 0; round < 40; round++) {
        struct plain graph[NODES_MAX] = {{0}};
        uint32_t count = 1 + (uint32_t)sample_below(&r, NODES_MAX), results = 0;
        for (uint32_t i = 0; i < count; i++) {
            uint32_t inputs = (uint32_t)sample_below(&r, INPUTS_MAX);
            for (uint32_t n = 0; n < inputs && i > 0; n++)
                graph[i].in[n] = 1 + (uint32_t)sample_below(&r, i);
            graph[i].bytes = sample_below(&r, 1000);
            graph[i].alias = graph[i].in[0] > 0 ? (uint32_t)sample_below(&r, 3) : 0;
            graph[i].result = sample_below(&r, 4) == 0 ? ++results : 0;
        }
        struct model_peaks peaks = peaks_of(graph, count, false);
        ck_assert_uint_eq(peaks.peak[MODEL_PEAK_INDEX].bytes, counted_over(graph, count, true));
        ck_assert_uint_eq(peaks.no_inplace[MODEL_PEAK_INDEX].bytes,
                          counted_over(graph, count, false));
        ck_assert_uint_le(peaks.peak[MODEL_PEAK_LAZY].bytes, peaks.created);
        ck_assert_uint_le(peaks.peak[MODEL_PEAK_INDEX].bytes, peaks.created);
    }
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("peak");
    tap_add(s, "the frameworks own graph", the_frameworks_own_graph);
    tap_add(s, "a view that dies first", a_view_that_dies_first);
    tap_add(s, "who overwrites waits", peak_runs_the_overwriting_apply_last);
    tap_add(s, "of several functions", of_several_functions_the_one_that_takes_most);
    tap_add(s, "what is unknown is said", peak_counts_unknown_sizes);
    tap_add(s, "bytes without outputs are held as one", bytes_without_outputs_are_held_as_one);
    tap_add(s, "circles end", circles_end);
    tap_add_loop(s, "random graphs", random_graphs, 10);
    return s;
}

TAP_MAIN(suite)

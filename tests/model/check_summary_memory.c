/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * check_summary_memory.c: the memory section of a profile, from sizes that a job sent.
 */
#include "printed.h"

#include "model/node_detail.h"

/* Sets the size of an apply with one output. */
static void sized(struct model_job *job, uint32_t apply, const char *shape, uint64_t bytes,
                  uint32_t source)
{
    const struct model_value_raw values[] = {
        {.source = source, .bytes = 8},
        {.shape = sample_bytes(shape), .bytes = bytes, .source = MODEL_NONE, .alias = apply % 3}};
    const struct model_about_raw raw = {
        .rev = 1, .thunk_ns = MODEL_UNKNOWN, .inputs = 1, .outputs = 1, .value = values};
    ck_assert(model_job_set_about(job, apply, &raw));
}

/* Title of the list of sizes, up to its first row. */
#define MARKS "<Apply outputs shape> <created/inplace/view> <Apply node>\n\n"

static const struct {
    struct model_summary_rows rows;
    const char *text;
} listed[] = {
    {{MODEL_SUMMARY_USUAL, MODEL_SUMMARY_USUAL, 1024},
     MARKS "          6144B  [(256, 3)] c Elemwise{add}(x, y)\n"
           "   ... (remaining 2 Apply account for 1031B/7175B ((14.37%)) of the Apply with dense "
           "outputs sizes)\n\n    <created"},
    {{MODEL_SUMMARY_USUAL, MODEL_SUMMARY_USUAL, 1023},
     "          1023B  [1023] i Dot(x, w)\n   ... (remaining 1 Apply account for    8B/"},
    {{MODEL_SUMMARY_USUAL, MODEL_SUMMARY_USUAL, 0},
     "             8B  [(8,)] v Elemwise{mul}(x, y)\n   ... (remaining 0 Apply account for    0B/"},
    {{1, MODEL_SUMMARY_USUAL, 0},
     "Elemwise{add}(x, y)\n   ... (remaining 2 Apply account for 1031B/7175B"},
    {{MODEL_SUMMARY_USUAL, MODEL_SUMMARY_USUAL, 10000},
     MARKS "   ... (remaining 3 Apply account for 7175B/7175B ((100.00%)) of the Apply with dense "
           "outputs sizes)\n\n    All Apply nodes have output sizes that take less than 10000B.\n"},
};

START_TEST(memory_list_keeps_the_requested_limits)
{
    struct model_job *job = sample_job();
    struct printed text;
    printed_of(&text, job, "pytensor", 0, printed_usual);
    has_not(&text, "Memory Profile");
    sized(job, 0, "[256,3]", 6144, MODEL_NONE);
    sized(job, 1, "[8]", 8, 0);
    sized(job, 2, "", 1023, 0);
    printed_of(&text, job, "pytensor", 0, listed[_i].rows);
    has(&text, listed[_i].text);
    has(&text, "        CPU: 6KB (6KB)\n");
    has(&text, "and PyTensor flag optimizer_excluding=inplace\n        CPU: 7KB (7KB)\n");
    has_not(&text, "all functions in");
    model_job_release(&job);
}
END_TEST

/* For 20 nodes the job sends the total bytes but no outputs. For one more node it also sends one
 * output of two. */
START_TEST(bytes_without_outputs_are_listed)
{
    const struct model_value_raw two[] = {{.bytes = 1024, .source = MODEL_NONE},
                                          {.bytes = MODEL_UNKNOWN, .source = MODEL_NONE}};
    struct model_job *job = sample_empty();
    struct printed text;
    sample_class(job, "Dot");
    sample_op(job, 0, "dot");
    sample_function(job, "f", MODEL_NONE);
    for (uint32_t i = 0; i < 21; i++) {
        const struct model_about_raw raw = {.rev = 1, .thunk_ns = MODEL_UNKNOWN,
                                            .outputs = i == 20 ? 2 : 0, .bytes = 4096,
                                            .value = two};
        sample_apply(job, 0, 0, i, i == 20 ? "two(x)" : "dot(x, y)", MODEL_IMPL_C);
        ck_assert(model_job_set_about(job, i, &raw));
        sample_value(job, i, 1, 1000);
    }
    printed_of(&text, job, "pytensor", 0, printed_usual);
    has(&text, "          4096B  [] dot(x, y)\n");
    has(&text, "(remaining 1 Apply account for 4096B/86016B ((4.76%))");
    has_not(&text, "less than");
    /* No known reader: each value stays as long as the function runs. */
    has(&text, "        CPU: 84KB (84KB)\n");
    printed_of(&text, job, "pytensor", 0, (struct model_summary_rows){21, 20, 4096});
    has(&text, "          4096B  [1024, 'no shape'] c c two(x)\n");
    printed_of(&text, job, "pytensor", 0, (struct model_summary_rows){21, 20, 4097});
    has(&text, "    All Apply nodes have output sizes that take less than 4097B.\n");
    /* No row is requested: the sizes are printed all the same. */
    printed_of(&text, job, "pytensor", 0, (struct model_summary_rows){0, 20, 1024});
    has_not(&text, "less than");
    model_job_release(&job);
}
END_TEST

/* One output has more bytes than the total: the total is ignored. */
START_TEST(a_whole_below_its_parts_is_not_taken)
{
    const struct model_value_raw two[] = {{.bytes = 4097, .source = MODEL_NONE},
                                          {.bytes = MODEL_UNKNOWN, .source = MODEL_NONE}};
    const struct model_about_raw raw = {.rev = 1, .thunk_ns = MODEL_UNKNOWN, .outputs = 2,
                                        .bytes = 4096, .value = two};
    struct model_job *job = sample_job();
    ck_assert(model_job_set_about(job, 0, &raw));
    const struct model_about *about = model_job_about(job, 0);
    ck_assert_uint_eq(model_about_bytes(about), MODEL_UNKNOWN);
    ck_assert_uint_eq(model_about_rest(about), MODEL_UNKNOWN);
    struct printed text;
    printed_of(&text, job, "pytensor", 0, printed_usual);
    has(&text, "        Unknown  [4097, 'no shape'] c c Elemwise{add}(x, y)\n");
    model_job_release(&job);
}
END_TEST

/* Sizes belong to a graph. A function without calls uses no memory. */
START_TEST(uncalled_function_has_no_memory_profile)
{
    static const uint64_t ids[] = {0, 1}, none[] = {0, 0}, one[] = {1, 1};
    static const uint64_t open[] = {MODEL_UNKNOWN, MODEL_UNKNOWN};
    struct model_job *job = sample_empty();
    struct printed text;
    sample_class(job, "Dot");
    sample_op(job, 0, "dot");
    for (uint32_t function = 0; function < 2; function++) {
        sample_function(job, function ? "idle" : "f", MODEL_NONE);
        sample_apply(job, function, 0, 0, "dot(x, y)", MODEL_IMPL_C);
        sized(job, function, "[8]", 4096, MODEL_NONE);
    }
    ck_assert_uint_eq(model_job_set_calls(job, 2, ids, none, none, none, open, false), 0);
    printed_of(&text, job, "pytensor", 1, printed_usual);
    has_not(&text, "Memory Profile");
    sample_value(job, 0, 1, 4000);
    ck_assert_uint_eq(model_job_set_calls(job, 1, ids, one, one, one, open, false), 0);
    printed_of(&text, job, "pytensor", 0, printed_usual);
    has(&text, "        CPU: 4KB (4KB)\n");
    /* It is not in the sum either: the op has one node of two there. */
    const uint64_t compiled = 2000000000, rest = 0, since = MODEL_UNKNOWN;
    ck_assert_uint_eq(model_job_set_compile(job, 1, &ids[1], &compiled, &rest, &rest, &rest,
                                            &since, false), 0);
    printed_of(&text, job, "pytensor", MODEL_ALL, printed_usual);
    ck_assert_ptr_nonnull(strstr(text.bytes, "Sum of all(2)"));
    has_not(&text, "all functions in");
    has(&text, "(remaining 0 Apply account for    0B/4096B");
    has(&text, " C        1        1   dot\n");
    has_not(&text, " C        1        2   dot\n");
    has(&text, "   ... (remaining 0 Apply instances account for");
    ck_assert_ptr_nonnull(strstr(strstr(text.bytes, "Sum of all"),
                                 "    Number of Apply nodes: 2\n"));
    printed_of(&text, job, "profilemode", MODEL_ALL, (struct model_summary_rows){0});
    has(&text, "... (remaining 1 Apply instances account for");
    model_job_release(&job);
}
END_TEST

/* The calls of a function inside a node are not counted. Its nodes show that it did not run. */
START_TEST(inner_function_that_did_not_run_has_no_profile)
{
    const uint64_t ids[] = {0, 1}, calls[] = {1, MODEL_UNKNOWN}, ns[] = {9000, MODEL_UNKNOWN};
    const uint64_t open[] = {MODEL_UNKNOWN, MODEL_UNKNOWN};
    struct model_job *job = sample_empty();
    struct printed text;
    sample_class(job, "Dot");
    sample_op(job, 0, "dot");
    sample_function(job, "f", MODEL_NONE);
    sample_apply(job, 0, 0, 0, "box(x)", MODEL_IMPL_C);
    sample_function(job, "inside", 0);
    sample_apply(job, 1, 0, 0, "dot(x, y)", MODEL_IMPL_C);
    sized(job, 1, "[8]", 4096, MODEL_NONE);
    sample_value(job, 0, 1, 4000);
    sample_value(job, 1, 0, 0);
    ck_assert_uint_eq(model_job_set_calls(job, 2, ids, calls, ns, ns, open, false), 0);
    printed_of(&text, job, "pytensor", MODEL_ALL, printed_usual);
    has(&text, "  Message: f\n");
    has_not(&text, "  Message: inside\n");
    printed_of(&text, job, "pytensor", 1, printed_usual);
    has(&text, "  Message: inside\n");
    has_not(&text, "No execution time");
    has_not(&text, "Memory Profile");
    sample_value(job, 1, 1, 2000);
    printed_of(&text, job, "pytensor", MODEL_ALL, printed_usual);
    has(&text, "  Message: inside\n");
    has(&text, "          4096B  [(8,)] v dot(x, y)\n");
    model_job_release(&job);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("summary_memory");
    tap_add_loop(s, "memory_list_keeps_the_requested_limits",
                 memory_list_keeps_the_requested_limits, 5);
    tap_add(s, "bytes_without_outputs_are_listed", bytes_without_outputs_are_listed);
    tap_add(s, "a_whole_below_its_parts_is_not_taken", a_whole_below_its_parts_is_not_taken);
    tap_add(s, "uncalled_function_has_no_memory_profile", uncalled_function_has_no_memory_profile);
    tap_add(s, "inner_function_that_did_not_run_has_no_profile",
            inner_function_that_did_not_run_has_no_profile);
    return s;
}
TAP_MAIN(suite)

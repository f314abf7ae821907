/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * check_summary.c: the functions and nodes that a profile covers, and those that it lists.
 */
#include "printed.h"

static struct model_job *job;
static uint32_t functions; /* of two nodes each */
static struct printed text;

static void add_function(const char *name)
{
    sample_function(job, name, MODEL_NONE);
    sample_apply(job, functions, 0, 0, "Dot(x, y)", MODEL_IMPL_C);
    sample_apply(job, functions, 1, 1, "Sum(Dot.0)", MODEL_IMPL_C);
    functions++;
}

static void setup(void)
{
    job = sample_empty();
    functions = 0;
    sample_class(job, "tensor.Dot");
    sample_class(job, "tensor.Sum");
    sample_op(job, 0, "Dot");
    sample_op(job, 1, "Sum");
}

static void teardown(void)
{
    model_job_release(&job);
}

static void called(uint64_t function, uint64_t calls, uint64_t ns)
{
    const uint64_t open_ns = MODEL_UNKNOWN;
    ck_assert_uint_eq(model_job_set_calls(job, 1, &function, &calls, &ns, &ns, &open_ns, false), 0);
}

static void compiled(uint64_t function, uint64_t ns)
{
    const uint64_t none = 0, since_ns = MODEL_UNKNOWN;
    ck_assert_uint_eq(model_job_set_compile(job, 1, &function, &ns, &none, &none, &none, &since_ns,
                                            false),
                      0);
}

/* The profile of a function, or of MODEL_ALL. */
static const char *profile(const char *word, uint32_t scope)
{
    printed_of(&text, job, word, scope, printed_usual);
    return text.bytes;
}

/* A function without calls is listed if it took more than a second to compile. */
START_TEST(a_function_that_was_not_called_is_left_out)
{
    add_function("first");
    add_function("second");
    add_function("idle");
    called(0, 3, 6000);
    called(1, 3, 8000);
    called(2, 0, 0);
    sample_value(job, 0, 3, 4000);
    sample_value(job, 2, 3, 5000);
    compiled(0, 10);
    compiled(1, 10);
    compiled(2, 1000000000);
    const char *sum = strstr(profile("theano", MODEL_ALL), "  Message: Sum of all(2) printed ");
    ck_assert_ptr_nonnull(sum);
    ck_assert_ptr_nonnull(strstr(sum, "\n  Time in 6 calls to Function.__call__: 1.400000e-05s\n"));
    ck_assert_ptr_null(strstr(text.bytes, "  Message: idle\n"));
    /* Requested by itself, it is there in any case. */
    ck_assert_ptr_nonnull(strstr(profile("theano", 2), "  Message: idle\n"));
    compiled(2, 1000000001);
    sum = strstr(profile("theano", MODEL_ALL), "  Message: Sum of all(3) printed ");
    ck_assert_ptr_nonnull(sum);
    ck_assert_ptr_nonnull(strstr(sum, "\n  Time in 6 calls to Function.__call__: 1.400000e-05s\n"));
    ck_assert_ptr_nonnull(strstr(text.bytes, "  Message: idle\n"));
}
END_TEST

/* A program may count its nodes only. The calls that it does not count are unknown, not 0. */
START_TEST(a_function_of_which_only_nodes_are_counted_is_there)
{
    add_function("bare");
    sample_value(job, 0, 3, 4000);
    ck_assert_ptr_nonnull(strstr(profile("theano", MODEL_ALL), "  Message: bare\n"));
    has(&text, "  Time in - calls to Function.__call__: -\n");
    has(&text, "  Dot(x, y)\n");
    /* Its first call has not ended: no call has. */
    const uint64_t function = 0, none = 0, since_ns = 1;
    ck_assert_uint_eq(
        model_job_set_calls(job, 1, &function, &none, &none, &none, &since_ns, false), 0);
    profile("theano", MODEL_ALL);
    has(&text, "  Time in 0 calls to Function.__call__: 0.000000e+00s\n");
    called(0, 1, 5000);
    profile("theano", MODEL_ALL);
    has(&text, "  Time in 1 calls to Function.__call__: 5.000000e-06s\n");
    /* Together with another function the sum is unknown, too. */
    add_function("other");
    called(1, 0, 0);
    sample_value(job, 2, 1, 7000);
    profile("theano", MODEL_ALL);
    ck_assert_ptr_nonnull(strstr(strstr(text.bytes, "Sum of all(2)"), "  Time in - calls"));
}
END_TEST

/* Like the branch that an ifelse does not run. */
START_TEST(a_node_that_never_ran_takes_a_place_and_no_line)
{
    add_function("lazy");
    called(0, 2, 6000);
    sample_value(job, 0, 2, 4000);
    sample_value(job, 1, 0, 0);
    const char *nodes = strstr(profile("theano", MODEL_ALL), "\nApply\n");
    ck_assert_ptr_nonnull(nodes);
    ck_assert_ptr_nonnull(strstr(nodes, "  Dot(x, y)\n   ... (remaining 0 Apply instances account "
                                        "for 0.00%(0.00s) of the runtime)\n"));
    ck_assert_ptr_null(strstr(text.bytes, "Sum(Dot.0)"));
    ck_assert_ptr_nonnull(strstr(text.bytes, " Dot\n   ... (remaining 0 Ops account for"));
    /* With a limit of one row, this node is the remaining one. */
    printed_of(&text, job, "theano", MODEL_ALL, (struct model_summary_rows){.applies = 1});
    ck_assert_ptr_nonnull(strstr(text.bytes, "  Dot(x, y)\n   ... (remaining 1 Apply instances"));
}
END_TEST

static const struct {
    const char *word, *hint;
} hints[] = {{"theano", "try config profiling.time_thunks=1"},
             {"aesara", "try config profiling__time_thunks=1"},
             {"pytensor", "try config profiling__time_thunks=1"}};

/* Only calls are counted, as where the framework runs no nodes of its own. */
START_TEST(without_times_of_nodes_there_is_a_hint)
{
    char line[128];
    add_function("whole");
    called(0, 2, 6000);
    snprintf(line, sizeof(line), "\n  No execution time accumulated (hint: %s)\n", hints[_i].hint);
    ck_assert_ptr_nonnull(strstr(profile(hints[_i].word, 0), line));
    ck_assert_ptr_null(strstr(text.bytes, "<% time>"));
    sample_value(job, 0, 2, 4000);
    ck_assert_ptr_null(strstr(profile(hints[_i].word, 0), "No execution time"));
    ck_assert_ptr_nonnull(strstr(text.bytes, "<% time>"));
}
END_TEST

/* The layout stays the same. The notice has a line of its own above the tables. An estimated time
 * of 0 is an estimate, too. */
START_TEST(estimates_are_noted_above_the_tables)
{
    static const char *const word[] = {"theano", "aesara", "pytensor", "profilemode"};
    static const char said[] = "~ Not every call of 1 of 2 Apply nodes was timed: their times are "
                               "estimates, and a rare long call may be missing.\n\n";
    char exact[sizeof(text.bytes)];
    const uint64_t id = 1, ns = 0, timed = 1;
    add_function("f");
    called(0, 8, 6000);
    sample_value(job, 0, 8, 4000);
    sample_value(job, 1, 8, 0);
    strcpy(exact, profile(word[_i], MODEL_ALL));
    ck_assert_ptr_null(strchr(exact, '~'));
    model_job_set_extremes(job, 1, &id, &ns, &ns, &timed, false);
    const char *line = strstr(profile(word[_i], MODEL_ALL), said);
    ck_assert_ptr_nonnull(line);
    const size_t before = (size_t)(line - text.bytes);
    ck_assert_mem_eq(text.bytes, exact, before);
    ck_assert_str_eq(line + strlen(said), exact + before);
    exact[before] = '\0';
    ck_assert(!strstr(exact, "<% time>") && !strstr(exact, "-wise summary"));
}
END_TEST

/* Waiting rows have time and calls, but no share. 100 % is the work of the others. */
START_TEST(waiting_has_no_share_of_a_profile)
{
    struct model_job *waits = sample_waiting();
    const uint64_t train = 0, calls = 10, ns = 200000, vm_ns = 150000, none = MODEL_UNKNOWN;
    model_job_set_calls(waits, 1, &train, &calls, &ns, &vm_ns, &none, false);
    printed_of(&text, waits, "theano", 0, printed_usual);
    has(&text, "  Time in thunks: 1.015000e-04s (50.750%)\n");
    has(&text, "wait: 2 of 5 Apply nodes wait: their 0.000s are no work, and no part of the "
               "100%.\n");
    has(&text, "  85.0%    85.0%       0.000s       2.83e-07s     Py      30       1   tensor.Dot\n"
               "  15.0%   100.0%       0.000s       8.82e-08s     C       34       3   "
               "tensor.Elemwise\n"
               "   wait        -       0.000s       9.00e-05s              1       1   Engine\n"
               "   ... (remaining 0 Classes account for   0.00%(0.00s) of the runtime)\n");
    has(&text, "  10.0%    95.0%       0.000s       1.00e-07s     C       10        1   "
               "Elemwise{add}\n"
               "   5.0%   100.0%       0.000s       8.33e-08s     C       24        2   "
               "Elemwise{mul}\n");
    has(&text, "  85.0%    85.0%       0.000s       2.83e-07s     30     2   Dot(x, w)\n"
               "  10.0%    95.0%       0.000s       1.00e-07s     10     0   Elemwise{add}(x, y)\n"
               "   5.0%   100.0%       0.000s       2.50e-08s     20     1   Elemwise{mul}(x, y)\n"
               "   wait        -       0.000s       9.00e-05s      1     4   WaitForAll()\n"
               "   wait        -       0.000s       3.75e-07s      4     3   "
               "Elemwise{mul}(queue)\n"
               "   ... (remaining 0 Apply instances account for 0.00%(0.00s) of the runtime)\n");
    printed_of(&text, waits, "profilemode", 0, printed_usual);
    has(&text, "0.850 2 Dot\n0.100 0 Elemwise{add}\n0.050 1 Elemwise{mul}\nwait 4 WaitForAll\n");
    has(&text, "0.050 * Elemwise{mul}\n");
    printed_of(&text, waits, "theano", 1, printed_usual);
    has_not(&text, "wait");
    model_job_release(&waits);
}
END_TEST

/* Time aside has no share either, and is in no sum: other rows count it. */
START_TEST(aside_rows_have_no_share_of_a_profile)
{
    struct model_job *aside = sample_aside();
    const uint64_t train = 0, calls = 10, ns = 200000, vm_ns = 150000, none = MODEL_UNKNOWN;
    model_job_set_calls(aside, 1, &train, &calls, &ns, &vm_ns, &none, false);
    printed_of(&text, aside, "theano", 0, printed_usual);
    has(&text, "  Time in thunks: 1.015000e-04s (50.750%)\n");
    has(&text, "aside: other nodes count the 0.000s of 2 of 7 Apply nodes: they are no part of the "
               "100%.\n");
    has(&text, "  85.0%    85.0%       0.000s       2.83e-07s     30     2   Dot(x, w)\n"
               "  10.0%    95.0%       0.000s       1.00e-07s     10     0   Elemwise{add}(x, y)\n"
               "   5.0%   100.0%       0.000s       2.50e-08s     20     1   Elemwise{mul}(x, y)\n"
               "   wait        -       0.000s       9.00e-05s      1     4   WaitForAll()\n"
               "  aside        -       0.000s       5.00e-05s      1     6   invoke()\n"
               "   wait        -       0.000s       3.75e-07s      4     3   "
               "Elemwise{mul}(queue)\n"
               "  aside        -       0.000s       1.75e-07s      4     5   "
               "Elemwise{mul}(all)\n");
    printed_of(&text, aside, "profilemode", 0, printed_usual);
    has(&text, "local_time 0.0001015 ");
    has(&text, "0.850 2 Dot\n0.100 0 Elemwise{add}\n0.050 1 Elemwise{mul}\nwait 4 WaitForAll\n"
               "aside 6 invoke\n");
    model_job_release(&aside);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("summary");
    TAP_ADD_BETWEEN(s, waiting_has_no_share_of_a_profile, 1, setup, teardown);
    TAP_ADD_BETWEEN(s, aside_rows_have_no_share_of_a_profile, 1, setup, teardown);
    TAP_ADD_BETWEEN(s, a_function_that_was_not_called_is_left_out, 1, setup, teardown);
    TAP_ADD_BETWEEN(s, a_function_of_which_only_nodes_are_counted_is_there, 1, setup, teardown);
    TAP_ADD_BETWEEN(s, a_node_that_never_ran_takes_a_place_and_no_line, 1, setup, teardown);
    TAP_ADD_BETWEEN(s, without_times_of_nodes_there_is_a_hint, TAP_ROWS(hints), setup, teardown);
    TAP_ADD_BETWEEN(s, estimates_are_noted_above_the_tables, 4, setup, teardown);
    return s;
}

TAP_MAIN(suite)

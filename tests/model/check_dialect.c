/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * check_dialect.c: profiles in the words of each framework, byte for byte. The example is from the
 * frameworks' own manual: 13, 9 and 4 ticks of 2^-22 s.
 */
#include "printed.h"

#include "model/node_detail.h"
#include "model/rewrite.h"

static void value(struct model_job *job, uint64_t id, uint64_t calls, uint64_t call_ns,
                  uint64_t vm_ns)
{
    uint64_t open = MODEL_UNKNOWN;
    ck_assert_uint_eq(
        model_job_set_calls(job, 1, &id, &calls, &call_ns, &vm_ns, &open, false), 0);
}

static void compile(struct model_job *job, uint64_t id, uint64_t all, uint64_t rewrite,
                    uint64_t validate, uint64_t link)
{
    uint64_t since = MODEL_UNKNOWN;
    ck_assert_uint_eq(model_job_set_compile(job, 1, &id, &all, &rewrite, &validate, &link,
                                            &since, false),
                      0);
}

static struct model_job *example(void)
{
    struct model_job *job = sample_empty();
    sample_class(job, "aesara.tensor.elemwise.Elemwise");
    sample_op(job, 0, "Elemwise{add,no_inplace}");
    sample_op(job, 0, "Elemwise{mul,no_inplace}");
    sample_function(job, "", MODEL_NONE);
    sample_apply(job, 0, 0, 0, "Elemwise{add,no_inplace}(x, y)", MODEL_IMPL_C);
    sample_apply(job, 0, 0, 1, "Elemwise{add,no_inplace}(Elemwise{add,no_inplace}.0, z)",
                 MODEL_IMPL_C);
    sample_apply(job, 0, 1, 2,
                 "Elemwise{mul,no_inplace}(TensorConstant{(1,) of 2.0}, "
                 "Elemwise{add,no_inplace}.0)",
                 MODEL_IMPL_C);
    sample_value(job, 0, 1, 3099);
    sample_value(job, 1, 1, 954);
    sample_value(job, 2, 1, 2146);
    value(job, 0, 1, 56982, 11921);
    compile(job, 0, 3642474000u, 73265080, 371218, 958492000);
    return job;
}

/* ------------------------------------------------------------------------------------- example */

#define TABLES(sign)                                                                               \
    "\n"                                                                                           \
    "Class\n"                                                                                      \
    "---\n"                                                                                        \
    "<% time> <sum %> <apply time> <time per call> <type> <#call> <#apply> <Class name>\n"         \
    "  100.0%   100.0%       0.000s       2.07e-06s     C        3       3   "                     \
    "aesara.tensor.elemwise.Elemwise\n"                                                            \
    "   ... (remaining 0 Classes account for   0.00%(0.00s) of the runtime)\n"                     \
    "\n"                                                                                           \
    "Ops\n"                                                                                        \
    "---\n"                                                                                        \
    "<% time> <sum %> <apply time> <time per call> <type> <#call> <#apply> <Op name>\n"            \
    "  65.4%    65.4%       0.000s       2.03e-06s     C        2        2   "                     \
    "Elemwise{add,no_inplace}\n"                                                                   \
    "  34.6%   100.0%       0.000s       2.15e-06s     C        1        1   "                     \
    "Elemwise{mul,no_inplace}\n"                                                                   \
    "   ... (remaining 0 Ops account for   0.00%(0.00s) of the runtime)\n"                         \
    "\n"                                                                                           \
    "Apply\n"                                                                                      \
    "------\n"                                                                                     \
    "<% time> <sum %> <apply time> <time per call> <#call> <id> <Apply name>\n"                    \
    "  50.0%    50.0%       0.000s       3.10e-06s      1     0   "                                \
    "Elemwise{add,no_inplace}(x, y)\n"                                                             \
    "  34.6%    84.6%       0.000s       2.15e-06s      1     2   "                                \
    "Elemwise{mul,no_inplace}(TensorConstant{(1,) of 2.0}, Elemwise{add,no_inplace}.0)\n"          \
    "  15.4%   100.0%       0.000s       9.54e-07s      1     1   "                                \
    "Elemwise{add,no_inplace}(Elemwise{add,no_inplace}.0, z)\n"                                    \
    "   ... (remaining 0 Apply instances account for 0.00" sign "(0.00s) of the runtime)\n"        \
    "\n"

#define TITLE "Function profiling\n==================\n"
#define CALLS "  Message: None\n  Time in 1 calls to Function.__call__: 5.698200e-05s\n"

static const struct {
    const char *word, *text;
} printed[] = {
    {"theano", TITLE CALLS
     "  Time in Function.fn.__call__: 1.192100e-05s (20.921%)\n"
     "  Time in thunks: 6.199000e-06s (10.879%)\n"
     "  Total compile time: 3.642474e+00s\n"
     "    Theano Optimizer time: 7.326508e-02s\n"
     "       Theano validate time: 3.712180e-04s\n"
     "    Theano Linker time (includes C, CUDA code generation/compiling): 9.584920e-01s\n"
     TABLES("%")},
    {"aesara", TITLE CALLS
     "  Time in Function.vm.__call__: 1.192100e-05s (20.921%)\n"
     "  Time in thunks: 6.199000e-06s (10.879%)\n"
     "  Total compile time: 3.642474e+00s\n"
     "    Aesara rewrite time: 7.326508e-02s\n"
     "       Aesara validate time: 3.712180e-04s\n"
     "    Aesara Linker time (includes C, CUDA code generation/compiling): 9.584920e-01s\n"
     TABLES("%")},
    {"PyTensor", TITLE CALLS
     "  Time in Function.vm.__call__: 1.1921e-05s (20.921%)\n"
     "  Time in thunks: 6.199e-06s (10.879%)\n"
     "  Total compilation time: 3.642474e+00s\n"
     "    Number of Apply nodes: 3\n"
     "    PyTensor rewrite time: 7.326508e-02s\n"
     "       PyTensor validate time: 3.712180e-04s\n"
     "    PyTensor Linker time (includes C, CUDA code generation/compiling): 0.958492s\n"
     TABLES("%%")},
    {"profilemode",
     "ProfileMode.print_summary()\n"
     "---------------------------\n"
     "local_time 6.199e-06 (Time spent running thunks)\n"
     "Apply-wise summary: <fraction of local_time spent at this position> (<Apply position>, "
     "<Apply Op name>)\n"
     "0.500 0 Elemwise{add,no_inplace}\n"
     "0.346 2 Elemwise{mul,no_inplace}\n"
     "0.154 1 Elemwise{add,no_inplace}\n"
     "... (remaining 0 Apply instances account for 0.00 of the runtime)\n"
     "Op-wise summary: <fraction of local_time spent on this kind of Op> <Op name>\n"
     "0.654 * Elemwise{add,no_inplace}\n"
     "0.346 * Elemwise{mul,no_inplace}\n"
     "... (remaining 0 Ops account for 0.00 of the runtime)\n"
     "(*) Op is running a c implementation\n"
     "type-Op-wise summary: <fraction of local_time spent on this type of Op> <type of Op>\n"
     "1.000 * aesara.tensor.elemwise.Elemwise\n"
     "... (remaining 0 types of Op account for 0.00 of the runtime)\n"
     "(*) Op is running a c implementation\n"},
};

START_TEST(example_is_printed_as_in_the_manual)
{
    struct model_job *job = example();
    struct printed text;
    printed_of(&text, job, printed[_i].word, MODEL_ALL, printed_usual);
    ck_assert_str_eq(text.bytes, printed[_i].text);
    model_job_release(&job);
}
END_TEST

/* ---------------------------------------------------------------------------------- the others */

START_TEST(rows_beyond_the_limit_are_folded)
{
    struct model_job *job = example();
    struct printed text;
    printed_of(&text, job, "theano", MODEL_ALL,
               (struct model_summary_rows){.applies = 2, .ops = 1});
    has(&text, "   ... (remaining 1 Ops account for  34.62%(0.00s) of the runtime)\n");
    has(&text, "   ... (remaining 1 Apply instances account for 15.39%(0.00s) of the runtime)\n");
    has_not(&text, "   Elemwise{mul,no_inplace}\n");
    printed_of(&text, job, "profilemode", MODEL_ALL, (struct model_summary_rows){0});
    has(&text, "... (remaining 3 Apply instances account for 1.00 of the runtime)\n");
    model_job_release(&job);
}
END_TEST

/* Texts that a release prints and the documents lack. */
static const struct {
    const char *word, *framework, *version;
    const char *lines[4];
} released[] = {
    {"theano", "Theano", "1.0.5",
     {"    Number of Apply nodes: 3\n    Theano Optimizer time: 7.326508e-02s\n",
      "Function.fn.__call__: 1.192100e-05s", "Ops account for   0.00%(", "account for 0.00%("}},
    {"theano", "Theano-PyMC", "1.1.2",
     {"    Number of Apply nodes: 3\n    Theano Optimizer time: 7.326508e-02s\n",
      "Function.fn.__call__: 1.1921e-05s", "compiling): 0.958492s\n", "account for 0.00%("}},
    {"aesara", "Aesara", "2.9.4",
     {"  Total compilation time: 3.642474e+00s\n    Number of Apply nodes: 3\n",
      "Function.vm.__call__: 1.1921e-05s", "Ops account for   0.00%(", "account for 0.00%("}},
    {"pytensor", "PyTensor", "2.31.7",
     {"Classes account for   0.00%(", "Ops account for   0.00%(", "account for 0.00%%("}},
    {"pytensor", "PyTensor", "2.35.0",
     {"Classes account for   0.00%%(", "Ops account for   0.00%%(", "account for 0.00%%("}},
    {"pytensor", "PyTensor", "", {"Classes account for   0.00%(", "Ops account for   0.00%("}},
    {"theano", "Aesara", "2.9.4",
     {"  Total compile time: 3.642474e+00s\n    Theano Optimizer time: 7.326508e-02s\n"}},
};

START_TEST(releases_print_as_they_do)
{
    struct model_job *job = example();
    struct model_identity *who = model_job_identity_mutable(job);
    struct printed text;
    who->framework.raw = released[_i].framework;
    who->framework_version.raw = released[_i].version;
    printed_of(&text, job, released[_i].word, MODEL_ALL, printed_usual);
    for (unsigned i = 0; i < 4 && released[_i].lines[i]; i++)
        has(&text, released[_i].lines[i]);
    const struct model_dialect *own = model_dialect_of(who);
    ck_assert(own == model_dialect_find(released[_i].word) || strcmp(own->word, "aesara") == 0);
    who->framework.raw = "MXNet";
    ck_assert_ptr_null(model_dialect_of(who));
    ck_assert_ptr_eq(model_dialect_in(own, who), own);
    model_job_release(&job);
}
END_TEST

/* 30 nodes and ops of 1 us: more rows than the dialect prints by default. */
START_TEST(limits_are_the_dialects)
{
    static const struct {
        const char *word, *applies, *ops;
    } wanted[] = {{"theano", "remaining 10 Apply", "remaining 10 Ops"},
                  {"aesara", "remaining 10 Apply", "remaining 10 Ops"},
                  {"pytensor", "remaining 10 Apply", "remaining 10 Ops"},
                  {"profilemode", "remaining 15 Apply", "remaining 10 Ops"}};
    struct model_job *job = sample_empty();
    struct printed text;
    sample_class(job, "C");
    sample_function(job, "f", MODEL_NONE);
    for (uint32_t i = 0; i < 30; i++) {
        char name[8];
        snprintf(name, sizeof(name), "op%u", i);
        sample_op(job, 0, name);
        sample_apply(job, 0, i, i, name, MODEL_IMPL_C);
        sample_value(job, i, 1, 1000);
    }
    value(job, 0, 1, 50000, MODEL_UNKNOWN);
    printed_of(&text, job, wanted[_i].word, MODEL_ALL, printed_usual);
    has(&text, wanted[_i].applies);
    has(&text, wanted[_i].ops);
    model_job_release(&job);
}
END_TEST

/* The job sets the number of rows. The viewer's own number overrides it. */
START_TEST(job_settings_set_the_number_of_rows)
{
    struct model_job *job = example();
    struct model_identity *who = model_job_identity_mutable(job);
    struct printed text;
    static const char facts[] = "profiling.n_ops=1\nprofiling.n_apply=2\n"
                                "ProfileMode.n_apply_to_print=0\nProfileMode.n_ops_to_print=many";
    ck_assert(model_job_set_text(job, &who->facts, facts, sizeof(facts) - 1));
    printed_of(&text, job, "theano", MODEL_ALL, printed_usual);
    has(&text, "(remaining 1 Ops account");
    has(&text, "(remaining 1 Apply instances account");
    printed_of(&text, job, "profilemode", MODEL_ALL, printed_usual);
    has(&text, "(remaining 3 Apply instances account");
    has(&text, "(remaining 0 Ops account");
    printed_of(&text, job, "theano", MODEL_ALL, (struct model_summary_rows){3, 2, 0});
    has(&text, "(remaining 0 Ops account");
    has(&text, "(remaining 0 Apply instances account");
    model_job_release(&job);
}
END_TEST

START_TEST(job_setting_limits_the_line_width)
{
    struct model_job *job = example();
    struct model_text *facts = &model_job_identity_mutable(job)->facts;
    struct printed text;
    static const char some[] = "profiling.output_line_width=80";
    static const char none[] = "profiling.output_line_width=59";
    ck_assert(model_job_set_text(job, facts, some, sizeof(some) - 1));
    printed_of(&text, job, "theano", MODEL_ALL, printed_usual);
    has(&text, " C        2        2   Elemwise{a\n");
    has(&text, "      1     0   Elemwise{add,no_inpla\n");
    ck_assert(model_job_set_text(job, facts, none, sizeof(none) - 1));
    printed_of(&text, job, "theano", MODEL_ALL, printed_usual);
    has(&text, "      1     0   \n");
    model_job_release(&job);
}
END_TEST

START_TEST(nodes_that_nobody_sees_are_not_counted)
{
    struct model_job *job = sample_job();
    struct printed text;
    value(job, 0, 3, 20000, 15000);
    sample_function(job, "unseen", MODEL_NONE);
    value(job, 2, 4, 30000, 3000);
    printed_of(&text, job, "pytensor", MODEL_ALL, printed_usual);
    has(&text, "    Number of Apply nodes: 3\n");
    ck_assert_ptr_nonnull(strstr(strstr(text.bytes, "  Message: unseen\n"), " nodes: -\n"));
    ck_assert_ptr_nonnull(strstr(strstr(text.bytes, "  Message: Sum of all"), " nodes: -\n"));
    model_job_release(&job);
}
END_TEST

START_TEST(each_function_then_the_sum)
{
    struct model_job *job = sample_job(); /* train 10000 ns, test 2000 ns */
    struct printed text;
    value(job, 0, 3, 20000, 15000);
    value(job, 1, 4, 30000, 3000);
    compile(job, 0, 1000, 500, 100, 200);
    compile(job, 1, 2000, 600, 200, 300);
    sample_function(job, "inner", 0);
    value(job, 2, 9, 400, 300);
    printed_of(&text, job, "theano", MODEL_ALL, printed_usual);
    const char *test = strstr(text.bytes, "  Message: test\n");
    const char *train = strstr(text.bytes, "  Message: train\n");
    const char *sum = strstr(text.bytes, "  Message: Sum of all(2) printed profiles at exit "
                                         "excluding Scan op profile.\n"
                                         "  Time in 7 calls to Function.__call__: 5.000000e-05s\n"
                                         "  Time in Function.fn.__call__: 1.800000e-05s (36.000%)\n"
                                         "  Time in thunks: 1.200000e-05s (24.000%)\n"
                                         "  Total compile time: 3.000000e-06s\n"
                                         "    Theano Optimizer time: 1.100000e-06s\n"
                                         "       Theano validate time: 3.000000e-07s\n");
    ck_assert(test && train && sum && test < train && train < sum);
    /* Dot runs C in one function and Python in the other: a class has both, an op its last. */
    ck_assert_ptr_nonnull(strstr(sum, "  C Py      35       2   tensor.Dot\n"));
    ck_assert_ptr_nonnull(strstr(sum, "  Py      35        2   Dot\n"));
    has(&text, "  Message: inner\n");
    printed_of(&text, job, "theano", 1, printed_usual);
    has(&text, "  Message: test\n");
    has_not(&text, "train");
    has_not(&text, "Sum of all");
    model_job_release(&job);
}
END_TEST

START_TEST(unknown_has_no_line)
{
    struct model_job *job = sample_job();
    struct printed text;
    value(job, 0, 3, MODEL_UNKNOWN, MODEL_UNKNOWN);
    printed_of(&text, job, "aesara", 0, printed_usual);
    has(&text, TITLE "  Message: train\n  Time in 3 calls to Function.__call__: -\n\nClass\n");
    model_job_release(&job);
}
END_TEST

static void made(struct model_job *job, uint32_t apply, uint64_t rev, uint64_t ns)
{
    const struct model_about_raw raw = {.rev = rev, .thunk_ns = ns};
    ck_assert(model_job_set_about(job, apply, &raw));
}

START_TEST(nodes_that_took_most_to_be_made_are_named)
{
    struct model_job *job = sample_job();
    struct printed text;
    made(job, 0, 1, 1500000);
    made(job, 1, 1, 2000000000);
    printed_of(&text, job, "theano", 0, printed_usual);
    has_not(&text, "make_thunk"); /* the third compilation lacks this time */
    made(job, 2, 1, 0);
    printed_of(&text, job, "theano", 0, printed_usual);
    has(&text, "       Node make_thunk time 2.001500e+00s\n"
               "           Node Elemwise{mul}(x, y) time 2.000000e+00s\n"
               "           Node Elemwise{add}(x, y) time 1.500000e-03s\n"
               "           Node Dot(x, w) time 0.000000e+00s\n\n");
    made(job, 1, 2, MODEL_UNKNOWN);
    printed_of(&text, job, "theano", 0, printed_usual);
    has_not(&text, "make_thunk");
    model_job_release(&job);
}
END_TEST

START_TEST(five_are_named)
{
    static const uint64_t took[] = {3, 1, 700, 4, 1, 600, 5, 9000, 9, 500, 2, 8000};
    struct model_job *job = sample_empty();
    struct printed text;
    sample_class(job, "tensor.Elemwise");
    sample_op(job, 0, "add");
    sample_function(job, "train", MODEL_NONE);
    for (uint32_t i = 0; i < sizeof(took) / sizeof(took[0]); i++) {
        char node[16];
        snprintf(node, sizeof(node), "n%u", i);
        sample_apply(job, 0, 0, i, node, MODEL_IMPL_C);
        sample_value(job, i, 1, 1000 * i);
        made(job, i, 1, took[i]);
    }
    printed_of(&text, job, "aesara", 0, printed_usual);
    has(&text, "       Node make_thunk time 1.882500e-05s\n"
               "           Node n7 time 9.000000e-06s\n"
               "           Node n11 time 8.000000e-06s\n"
               "           Node n2 time 7.000000e-07s\n"
               "           Node n5 time 6.000000e-07s\n"
               "           Node n9 time 5.000000e-07s\n\n");
    model_job_release(&job);
}
END_TEST

static void linked(struct model_job *job, uint32_t number, uint32_t function, const char *name,
                   uint64_t ns)
{
    const struct model_phase phase = {.rev = 1,
                                      .calls = 1,
                                      .total_ns = ns,
                                      .open_since_ns = MODEL_UNKNOWN,
                                      .parent = MODEL_NONE,
                                      .function = function,
                                      .kind = MODEL_PHASE_LINK};
    ck_assert(model_job_set_phase(job, number, &phase, name, strlen(name)));
}

/* A time that no phase reports has no line. A time of 0 has a line. */
START_TEST(printed_load_times_come_from_phases)
{
    struct model_job *job = sample_job();
    struct printed text;
    linked(job, 0, 0, "cache", 7000000);
    linked(job, 1, 0, "other", 1);
    printed_of(&text, job, "pytensor", 0, printed_usual);
    has_not(&text, "C-cache");
    has_not(&text, "Import");
    linked(job, 2, 0, "import", 0);
    printed_of(&text, job, "pytensor", 0, printed_usual);
    has(&text, "       C-cache preloading 7.000000e-03s\n       Import time 0.000000e+00s\n\n");
    printed_of(&text, job, "theano", 0, printed_usual);
    has(&text, "       Import time 0.000000e+00s\n\n");
    has_not(&text, "C-cache");
    value(job, 0, 1, 10, 5);
    value(job, 1, 1, 10, 5);
    printed_of(&text, job, "pytensor", MODEL_ALL, printed_usual);
    ck_assert_ptr_null(strstr(strstr(text.bytes, "Message: Sum of all"), "Import"));
    linked(job, 3, 1, "import", 2000);
    printed_of(&text, job, "pytensor", MODEL_ALL, printed_usual);
    ck_assert_ptr_nonnull(strstr(strstr(text.bytes, "Message: Sum of all"),
                                 "       C-cache preloading 7.000000e-03s\n"
                                 "       Import time 2.000000e-06s\n\n"));
    model_job_release(&job);
}
END_TEST

START_TEST(clocks_of_the_job_are_printed)
{
    static const char facts[] = "grad_ns=62651390\nimported_ns=1500000000";
    struct model_job *job = sample_job();
    struct model_identity *who = model_job_identity_mutable(job);
    struct printed text;
    ck_assert(model_job_set_text(job, &who->facts, facts, sizeof(facts) - 1));
    model_job_set_stamp(job, 1500000000, 1);
    printed_of(&text, job, "aesara", 0, printed_usual);
    has(&text, "\nTime in all call to aesara.grad() 6.265139e-02s\nClass\n");
    model_job_set_stamp(job, 64000400000, 1);
    printed_of(&text, job, "theano", 0, printed_usual);
    has(&text, "\nTime in all call to theano.grad() 6.265139e-02s\n"
               "Time since theano import 62.500s\nClass\n");
    model_job_release(&job);
}
END_TEST

/* Two loops. Nothing is known of the inside of the second. */
START_TEST(scan_loops_are_printed_separately)
{
    struct model_job *job = sample_empty();
    struct printed text;
    sample_class(job, "theano.scan_module.scan_op.Scan");
    sample_class(job, "theano.tensor.elemwise.Elemwise");
    sample_op(job, 0, "for{cpu}");
    sample_op(job, 1, "exp");
    sample_function(job, "train", MODEL_NONE);
    sample_apply(job, 0, 0, 0, "for{cpu}(x)", MODEL_IMPL_PY);
    sample_apply(job, 0, 0, 1, "for{cpu}(y)", MODEL_IMPL_PY);
    sample_function(job, "steps", 0);
    sample_apply(job, 1, 1, 0, "exp(x)", MODEL_IMPL_C);
    value(job, 0, 2, 9000000000, 8000000000);
    value(job, 1, 100, 3000000000, MODEL_UNKNOWN);
    sample_value(job, 0, 2, 4000000000);
    sample_value(job, 2, 100, 1000000000);
    printed_of(&text, job, "aesara", MODEL_ALL, printed_usual);
    has(&text, "  Total time spent in calling the VM -\n  Total overhead (computing slices..) -\n");
    value(job, 1, 100, 3000000000, 3000000000);
    printed_of(&text, job, "theano", MODEL_ALL, printed_usual);
    has(&text, "\nScan overhead:\n<Scan op time(s)> <sub scan fct time(s)> <sub scan op time(s)> "
               "<sub scan fct time(% scan op time)> <sub scan op time(% scan op time)> <node>\n"
               "        4.0s    4.0s    1.0s  100.0%   25.0% for{cpu}(x)\n"
               " The node took 0s, so we can not compute the overhead for{cpu}(y)\n"
               "total   4.0s    4.0s      -   100.0%      - \n");
    has(&text, "\nScan Op profiling ( steps )\n==================\n  Message: None\n"
               "  Time in 2 calls of the op (for a total of 100 steps) 4.000000e+00s\n\n"
               "  Total time spent in calling the VM 3.000000e+00s (75.000%)\n"
               "  Total overhead (computing slices..) 1.000000e+00s (25.000%)\n\nClass\n");
    sample_value(job, 1, 1, 1000000000);
    printed_of(&text, job, "aesara", MODEL_ALL, printed_usual);
    has(&text, "        1.0s    1.0s      -   100.0%      -  for{cpu}(y)\n");
    model_job_release(&job);
}
END_TEST

/* The advice has the job's words and order. There is none if one word is unknown. */
START_TEST(advice_is_the_jobs)
{
    static const char facts[] = "tip.1=*0-1,3:Here\nfloatX=float64\ntip.2=0:  - a\ntip.3=x:  - b\n"
                                "tip.4=0,1-1:  - c \033[2J: d\ntip.5=!2,1:  none\ntip.6=0\n"
                                "tip.7=9-99999999999999999999:  - e\ntip.8=~0,3:  - idle";
    struct model_job *job = sample_job();
    struct model_identity *who = model_job_identity_mutable(job);
    struct printed text;
    sample_function(job, "other", MODEL_NONE);
    for (uint32_t function = 0; function < 3; function++)
        value(job, function, 1, 10, 5);
    ck_assert(model_job_set_text(job, &who->facts, facts, sizeof(facts) - 1));
    printed_of(&text, job, "theano", 0, printed_usual);
    has(&text, "of the runtime)\n\nHere\n  - a\n  - c \uFFFD[2J: d\n");
    has_not(&text, "none");
    printed_of(&text, job, "theano", 1, printed_usual);
    has(&text, "\nHere\n  - c ");
    has_not(&text, "  - a");
    printed_of(&text, job, "theano", 2, printed_usual);
    has(&text, "\n  none\n");
    printed_of(&text, job, "theano", MODEL_ALL, printed_usual);
    ck_assert_ptr_nonnull(strstr(strstr(text.bytes, "Sum of all(3)"), "\nHere\n  - a\n  - c "));
    ck_assert_ptr_null(strstr(strstr(text.bytes, "Sum of all(3)"), "none"));
    has_not(&text, "idle");
    sample_function(job, "idle", MODEL_NONE);
    value(job, 3, 0, 0, 0);
    printed_of(&text, job, "theano", 3, printed_usual);
    has(&text, "\nHere\n  - idle\n");
    has_not(&text, "  - a");
    sample_function(job, "unknown", MODEL_NONE);
    value(job, 4, 1, 10, 5);
    printed_of(&text, job, "theano", MODEL_ALL, printed_usual);
    ck_assert_ptr_null(strstr(strstr(text.bytes, "Sum of all(4)"), "Here"));
    model_job_release(&job);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("dialect");
    tap_add_loop(s, "example_is_printed_as_in_the_manual", example_is_printed_as_in_the_manual, 4);
    tap_add_loop(s, "releases_print_as_they_do", releases_print_as_they_do, 7);
    tap_add(s, "rows_beyond_the_limit_are_folded", rows_beyond_the_limit_are_folded);
    tap_add_loop(s, "limits_are_the_dialects", limits_are_the_dialects, 4);
    tap_add(s, "job_settings_set_the_number_of_rows", job_settings_set_the_number_of_rows);
    tap_add(s, "each_function_then_the_sum", each_function_then_the_sum);
    tap_add(s, "job_setting_limits_the_line_width", job_setting_limits_the_line_width);
    tap_add(s, "nodes_that_nobody_sees_are_not_counted", nodes_that_nobody_sees_are_not_counted);
    tap_add(s, "unknown_has_no_line", unknown_has_no_line);
    tap_add(s, "nodes_that_took_most_to_be_made_are_named",
            nodes_that_took_most_to_be_made_are_named);
    tap_add(s, "five_are_named", five_are_named);
    tap_add(s, "printed_load_times_come_from_phases", printed_load_times_come_from_phases);
    tap_add(s, "scan_loops_are_printed_separately", scan_loops_are_printed_separately);
    tap_add(s, "advice_is_the_jobs", advice_is_the_jobs);
    tap_add(s, "clocks_of_the_job_are_printed", clocks_of_the_job_are_printed);
    return s;
}
TAP_MAIN(suite)

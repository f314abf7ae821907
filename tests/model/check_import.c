/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * check_import.c: profiles of the Theano family and of ProfileMode become the job that they are of.
 * The first text is the example of the frameworks' manuals, whose figures are known.
 */
#include "imported.h"

#include "model/node_detail.h"
#include "printed.h"

/* ---------------------------------------------------------------------------------- the example */

#define HEAD(vm, compile, own, rewrite)                                                            \
    "Function profiling\n"                                                                         \
    "==================\n"                                                                         \
    "  Message: None\n"                                                                            \
    "  Time in 1 calls to Function.__call__: 5.698204e-05s\n"                                      \
    "  Time in Function." vm ".__call__: 1.192093e-05s (20.921%)\n"                                \
    "  Time in thunks: 6.198883e-06s (10.879%)\n"                                                  \
    "  " compile " time: 3.642474e+00s\n"                                                          \
    "    Number of Apply nodes: 3\n"                                                               \
    "    " own " " rewrite " time: 7.326508e-02s\n"                                                \
    "       " own " validate time: 3.712177e-04s\n"                                                \
    "    " own " Linker time (includes C, CUDA code generation/compiling): 9.584920e-01s"

#define CLASS_ROWS                                                                                 \
    "<% time> <sum %> <apply time> <time per call> <type> <#call> <#apply> <Class name>\n"         \
    "  100.0%   100.0%       0.000s       2.07e-06s     C        3        3   "                    \
    "<class 'x.tensor.elemwise.Elemwise'>\n"
#define OP_ROWS                                                                                    \
    "<% time> <sum %> <apply time> <time per call> <type> <#call> <#apply> <Op name>\n"            \
    "  65.4%    65.4%       0.000s       2.03e-06s     C        2        2   "                     \
    "Elemwise{add,no_inplace}\n"                                                                   \
    "  34.6%   100.0%       0.000s       2.15e-06s     C        1        1   "                     \
    "Elemwise{mul,no_inplace}\n"
#define APPLY_ROWS                                                                                 \
    "<% time> <sum %> <apply time> <time per call> <#call> <id> <Apply name>\n"                    \
    "  50.0%    50.0%       0.000s       3.10e-06s      1     0   Elemwise{add,no_inplace}(x, "    \
    "y)\n"                                                                                         \
    "  34.6%    84.6%       0.000s       2.15e-06s      1     2   "                                \
    "Elemwise{mul,no_inplace}(TensorConstant{(1,) of 2.0}, Elemwise{add,no_inplace}.0)\n"          \
    "  15.4%   100.0%       0.000s       9.54e-07s      1     1   "                                \
    "Elemwise{add,no_inplace}(Elemwise{add,no_inplace}.0, z)\n"
#define REST(rows, sign)                                                                           \
    "   ... (remaining 0 " rows " account for 0.00" sign "(0.00s) of the runtime)"

#define TABLES(sum_sign, sign)                                                                     \
    "\n\nClass\n---\n" CLASS_ROWS REST("Classes", sum_sign) "\n\nOps\n---\n" OP_ROWS REST(         \
        "Ops", sum_sign) "\n\nApply\n------\n" APPLY_ROWS REST("Apply instances", sign) "\n"

static const struct {
    const char *framework, *text;
} examples[] = {
    {"Theano", HEAD("fn", "Total compile", "Theano", "Optimizer") TABLES("%", "%")},
    {"Aesara", HEAD("vm", "Total compilation", "Aesara", "rewrite") TABLES("%", "%")},
    {"PyTensor", HEAD("vm", "Total compilation", "PyTensor", "rewrite") TABLES("%", "%%")},
    {"PyTensor", HEAD("vm", "Total compilation", "PyTensor", "rewrite") TABLES("%%", "%%")},
    /* A copy of a web page, as one of the seeds: titles stand behind other lines. */
    {"Theano", HEAD("fn", "Total compile", "Theano", "Optimizer") " Class\n---\n" CLASS_ROWS
                   REST("Classes", "%") " Ops\n---\n" OP_ROWS REST(
                       "Ops", "%") " Apply\n------\n" APPLY_ROWS REST("Apply instances", "%") "\n"},
};
enum { EXAMPLES = sizeof(examples) / sizeof(examples[0]) };

/* Removes the indent of each line, and runs of blanks. */
static char *squeezed(const char *text)
{
    char *out = malloc(strlen(text) + 1), *to = out;
    ck_assert_ptr_nonnull(out);
    for (; *text; text++)
        if (*text != ' ' || (to > out && to[-1] != ' ' && to[-1] != '\n'))
            *to++ = *text;
    *to = '\0';
    return out;
}

static void is_example(const struct imported *in)
{
    const struct model_function_value *value = in->state->function;
    ck_assert_uint_eq(import_rows(in, MODEL_CLASS), 1);
    ck_assert_uint_eq(import_rows(in, MODEL_OP), 2);
    ck_assert_uint_eq(import_rows(in, MODEL_APPLY), 3);
    ck_assert_uint_eq(in->state->count[MODEL_FUNCTION], 1);
    ck_assert_uint_eq(value->calls, 1);
    ck_assert_uint_eq(value->call_ns, 56982);
    ck_assert_uint_eq(value->vm_ns, 11921);
    ck_assert_uint_eq(value->compile_ns, 3642474000);
    ck_assert_uint_eq(value->rewrite_ns, 73265080);
    ck_assert_uint_eq(value->validate_ns, 371218);
    ck_assert_uint_eq(value->link_ns, 958492000);
    import_is(in, MODEL_CLASS, "<class 'x.tensor.elemwise.Elemwise'>", 3, 3, 6199, 15);
    import_is(in, MODEL_OP, "Elemwise{add,no_inplace}", 2, 2, 4053, 10);
    import_is(in, MODEL_OP, "Elemwise{mul,no_inplace}", 1, 1, 2146, 5);
    import_is(in, MODEL_APPLY, "Elemwise{add,no_inplace}(x, y)", 1, 1, 3099, 5);
    import_is(in, MODEL_APPLY, "Elemwise{add,no_inplace}(Elemwise{add,no_inplace}.0, z)", 1, 1, 954,
              1);
    const struct model_row *mul = import_row(
        in, MODEL_APPLY,
        "Elemwise{mul,no_inplace}(TensorConstant{(1,) of 2.0}, Elemwise{add,no_inplace}.0)");
    ck_assert_uint_eq(model_job_apply(in->state->job, mul->id)->index, 2);
    ck_assert_uint_eq(model_job_apply(in->state->job, mul->id)->impl, MODEL_IMPL_C);
    ck_assert_uint_eq(in->file.unread, 0);
    ck_assert(!import_tells(in, "Line "));
}

START_TEST(each_dialect_is_read)
{
    struct imported in = import_text(examples[_i].text);
    is_example(&in);
    ck_assert_str_eq(model_job_identity(in.state->job)->framework.raw, examples[_i].framework);
    ck_assert_str_eq(in.file.format, "profile of Theano, Aesara or PyTensor");
    ck_assert(import_tells(&in, "Times of rows are rounded"));
    import_release(&in);
}
END_TEST

START_TEST(indents_and_ends_of_lines_do_not_count)
{
    char *text = squeezed(examples[_i].text), *windows = malloc(2 * strlen(text) + 1),
         *to = windows;
    struct imported in = import_text(text);
    is_example(&in);
    import_release(&in);
    for (const char *at = text; *at; at++) {
        if (*at == '\n')
            *to++ = '\r';
        *to++ = *at;
    }
    in = import_bytes(windows, (size_t)(to - windows), 1); /* byte by byte */
    ck_assert(in.good);
    is_example(&in);
    import_release(&in);
    free(text);
    free(windows);
}
END_TEST

START_TEST(a_profile_stands_among_other_lines)
{
    char text[8192];
    snprintf(text, sizeof(text),
             "INFO start\n- a list\n\n---- ---- ----\nname size time\n---- ---- "
             "----\n%sDone.\nloss 0.25\n",
             examples[0].text);
    struct imported in = import_text(text);
    is_example(&in);
    ck_assert(import_tells(&in, "Lines outside of profiles: "));
    ck_assert_str_eq(in.file.format, "profile of Theano, Aesara or PyTensor");
    import_release(&in);
}
END_TEST

/* --------------------------------------------------------------------------------------- tables */

#define TITLE(class_rows, op_rows, apply_rows)                                                     \
    "Function profiling\n==================\n  Message: f\n"                                       \
    "  Time in 10 calls to Function.__call__: 2.000000e+00s\n"                                     \
    "  Time in thunks: 1.000000e+00s (50.000%)\n\n"                                                \
    "Class\n---\n<% time> <sum %> <apply time> <time per call> <type> <#call> <#apply> "           \
    "<Class name>\n" class_rows                                                                    \
    "\nOps\n---\n<% time> <sum %> <apply time> <time per call> <type> <#call> <#apply> "           \
    "<Op name>\n" op_rows "\nApply\n------\n<% time> <sum %> <apply time> <time per call> "        \
    "<#call> <id> <Apply name>\n" apply_rows

/* 2 of 4 nodes, 1 of 3 ops, 1 of 2 classes: all sums are still the printed ones. */
START_TEST(rows_that_are_not_printed_have_a_row)
{
    struct imported in = import_text(
        TITLE("  80.0%  80.0%  0.800s  1.60e-02s  C  50  5  a.Dot\n"
              "   ... (remaining 1 Classes account for  20.00%(0.20s) of the runtime)\n",
              "  70.0%  70.0%  0.700s  1.75e-02s  C  40  4  Dot{big}\n"
              "   ... (remaining 2 Ops account for  30.00%(0.30s) of the runtime)\n",
              "  30.0%  30.0%  0.300s  3.00e-02s  10  7  Dot{big}(x, y)\n"
              "  20.0%  50.0%  0.200s  2.00e-02s  10  8  Dot{big}(y, z)\n"
              "   ... (remaining 4 Apply instances account for 50.00%(0.50s) of the runtime)\n"));
    import_is(&in, MODEL_OP, "Dot{big}", 40, 4, 700000000, 500000);
    import_is(&in, MODEL_CLASS, "a.Dot", 50, 5, 800000000, 500000);
    import_is(&in, MODEL_APPLY, "Dot{big}(x, y)", 10, 1, 300000000, 500000);
    import_is(&in, MODEL_APPLY, "(2 nodes not printed)", 20, 1, 200000000, 500000);
    import_is(&in, MODEL_OP, "(ops that are not printed)", 10, 1, 100000000, 500000);
    ck_assert_uint_eq(import_rows(&in, MODEL_CLASS), 2);
    const struct model_row *rest = import_row(&in, MODEL_CLASS, "(classes that are not printed)");
    ck_assert_uint_eq(rest->calls, MODEL_UNKNOWN); /* the print does not tell */
    ck_assert_uint_eq(rest->total_ns / 1000000, 200);
    ck_assert_uint_eq(in.state->totals.thunk_ns / 1000, 1000000);
    import_release(&in);
}
END_TEST

/* No name tells the class of any op, but only one way adds up. */
START_TEST(figures_tell_the_class_of_an_op)
{
    struct imported in =
        import_text(TITLE("  60.0%  60.0%  0.600s  2.00e-02s  C  30  3  a.Elemwise\n"
                          "  40.0% 100.0%  0.400s  4.00e-02s  Py 10  1  a.CAReduce\n"
                          "   ... (remaining 0 Classes account for  0.00%(0.00s) of the runtime)\n",
                          "  40.0%  40.0%  0.400s  4.00e-02s  Py 10  1  max\n"
                          "  40.0%  80.0%  0.400s  2.00e-02s  C  20  2  Add\n"
                          "  20.0% 100.0%  0.200s  2.00e-02s  C  10  1  Mul\n"
                          "   ... (remaining 0 Ops account for  0.00%(0.00s) of the runtime)\n",
                          ""));
    const struct model_job *job = in.state->job;
    static const char *const of[][2] = {
        {"max", "a.CAReduce"}, {"Add", "a.Elemwise"}, {"Mul", "a.Elemwise"}};
    for (unsigned i = 0; i < 3; i++) {
        const uint32_t op = import_row(&in, MODEL_OP, of[i][0])->id;
        ck_assert_str_eq(model_job_class(job, model_job_op(job, op)->op_class)->name.raw, of[i][1]);
    }
    import_is(&in, MODEL_CLASS, "a.Elemwise", 30, 3, 600000000, 500000);
    ck_assert(!import_tells(&in, "does not tell the class"));
    import_release(&in);
}
END_TEST

/* Two ways add up, or none: the ops stay without a class, and the sums stay the printed ones. */
START_TEST(an_op_may_have_no_known_class)
{
    struct imported in =
        import_text(TITLE("  60.0%  60.0%  0.600s  2.00e-02s  C  30  3  a.Elemwise\n"
                          "   ... (remaining 0 Classes account for  0.00%(0.00s) of the runtime)\n",
                          "  60.0%  60.0%  0.600s  2.00e-02s  C  31  3  max\n"
                          "   ... (remaining 0 Ops account for  0.00%(0.00s) of the runtime)\n",
                          ""));
    ck_assert(import_tells(&in, "does not tell the class of 1 op of `f`"));
    import_is(&in, MODEL_CLASS, "(not printed)", 31, 3, 600000000, 20000000);
    import_release(&in);
}
END_TEST

/* Two ops of one name are two rows, each with its applies. */
START_TEST(equal_names_are_not_one_op)
{
    struct imported in =
        import_text(TITLE("  90.0%  90.0%  0.900s  4.50e-02s  C  20  2  a.Elemwise\n",
                          "  60.0%  60.0%  0.600s  6.00e-02s  C  10  1  Composite{...}\n"
                          "  30.0%  90.0%  0.300s  3.00e-02s  C  10  1  Composite{...}\n",
                          "  60.0%  60.0%  0.600s  6.00e-02s  10  1  Composite{...}(x)\n"
                          "  30.0%  90.0%  0.300s  3.00e-02s  10  2  Composite{...}(y)\n"));
    uint64_t ns[2] = {0};
    unsigned found = 0;
    for (uint32_t i = 0; i < in.state->count[MODEL_OP]; i++)
        if (strcmp(import_name(in.state->job, MODEL_OP, i), "Composite{...}") == 0)
            ns[found++] = in.state->row[MODEL_OP][i].total_ns / 1000000;
    ck_assert_uint_eq(found, 2);
    ck_assert_uint_eq(ns[0], 600);
    ck_assert_uint_eq(ns[1], 300);
    import_release(&in);
}
END_TEST

/* Theano 0.5 has no table of classes. Flops stand in some rows. A name is cut at its table's
 * width. */
START_TEST(columns_are_those_of_the_heading)
{
    char cut[160];
    memset(cut, 'q', sizeof(cut) - 1);
    cut[sizeof(cut) - 1] = '\0';
    char text[2048];
    snprintf(text, sizeof(text),
             "Function profiling\n"
             "  Message: old.py:12\n"
             "  Time in thunks: 5.000000e-01s (50.000%%)\n"
             "<%% time> <sum %%> <apply time> <time per call> <type> <#call> <#apply> <Op name>\n"
             "  80.0%%  80.0%%  0.400s  4.00e-02s  *  10  1  %.120s\n"
             "  80.0%%  80.0%%  0.400s  4.00e-02s  C  10  1  %.120s\n"
             "<%% time> <sum %%> <apply time> <time per call> <#call> <id> <Mflops> <Gflops/s> "
             "<Apply name>\n"
             "  80.0%%  80.0%%  0.400s  4.00e-02s  10  3   2.0   5.0  %s\n"
             "  20.0%% 100.0%%  0.100s  1.00e-02s  10  4                    Alloc(x)\n"
             "    input 0: dtype=float32, shape=(2,), strides=c\n",
             cut, cut, cut);
    struct imported in = import_text(text);
    ck_assert(import_tells(&in, "Line 5 is no row of a profile"));
    ck_assert_uint_eq(in.file.unread, 1);
    ck_assert(import_tells(&in, "1 line of this file was not read."));
    import_is(&in, MODEL_APPLY, cut, 10, 1, 400000000, 500000);
    import_is(&in, MODEL_APPLY, "Alloc(x)", 10, 1, 100000000, 500000);
    import_is(&in, MODEL_OP, "Alloc", 10, 1, 100000000, 500000);
    ck_assert_uint_eq(import_rows(&in, MODEL_OP), 2);
    const struct model_function_def *function = model_job_function(in.state->job, 0);
    ck_assert_str_eq(function->file.raw, "old.py");
    ck_assert_uint_eq(function->line, 12);
    import_release(&in);
}
END_TEST

START_TEST(contradictions_are_named)
{
    struct imported in =
        import_text(TITLE("  50.0%  50.0%  0.600s  6.00e-02s  C  10  1  a.Dot\n", "",
                          "  60.0%  60.0%  0.600s  1.00e-02s  10  1  Dot(x)\n"));
    ck_assert(import_tells(&in,
                           "Rows whose share is not the share of their time, which is taken: 2, "
                           "the first in line 10."));
    ck_assert(import_tells(&in, "Rows whose time is not the calls by the time per call, which is "
                                "taken: 1, the first in line 19."));
    import_is(&in, MODEL_APPLY, "Dot(x)", 10, 1, 100000000, 500000);
    import_release(&in);
}
END_TEST

/* Nothing that is not printed is 0. */
START_TEST(missing_figures_stay_unknown)
{
    struct imported in = import_text(
        TITLE("", "",
              "      -        -           -               -      10     1   Dot(x)\n"
              "   wait        -       0.500s       5.00e-02s     10     2   Wait(x)\n"));
    const struct model_row *row = import_row(&in, MODEL_APPLY, "Dot(x)");
    ck_assert_uint_eq(row->calls, 10);
    ck_assert_uint_eq(row->total_ns, MODEL_UNKNOWN);
    ck_assert_uint_eq(row->min_ns, MODEL_UNKNOWN);
    ck_assert_uint_eq(
        model_job_apply(in.state->job, import_row(&in, MODEL_APPLY, "Wait(x)")->id)->waits,
        MODEL_WAITS);
    ck_assert_uint_eq(in.state->function[0].vm_ns, MODEL_UNKNOWN);
    ck_assert_uint_eq(in.state->function[0].compile_ns, MODEL_UNKNOWN);
    ck_assert_uint_eq(model_job_identity(in.state->job)->pid, 0);
    import_release(&in);
}
END_TEST

static const char scan[] =
    "\nScan Op profiling ( loop )\n==================\n  Message: None\n"
    "  Time in 10 calls of the op (for a total of 500 steps) 9.000000e-01s\n\n"
    "  Total time spent in calling the VM 3.000000e-01s (33.333%)\n"
    "  Total overhead (computing slices..) 6.000000e-01s (66.667%)\n\n"
    "<% time> <sum %> <apply time> <time per call> <#call> <id> <Apply name>\n"
    " 100.0% 100.0%  0.200s  4.00e-04s  500  0  Add(x)\n";

/* The function inside is a part of its node, whichever of the two profiles comes first. */
START_TEST(a_scan_has_its_function_inside)
{
    static const char outer[] = TITLE(" 100.0% 100.0%  1.000s  1.00e-01s Py 10 1 a.scan.Scan\n", "",
                                      " 100.0% 100.0%  1.000s  1.00e-01s 10 3 for{cpu,loop}(n)\n");
    char text[4096];
    snprintf(text, sizeof(text), "%s%s", _i ? scan : outer, _i ? outer : scan);
    struct imported in = import_text(text);
    import_is(&in, MODEL_APPLY, "for{cpu,loop}(n)", 10, 1, 1000000000, 500000);
    ck_assert_uint_eq(import_row(&in, MODEL_APPLY, "for{cpu,loop}(n)")->self_ns / 1000000, 800);
    import_is(&in, MODEL_APPLY, "Add(x)", 500, 1, 200000000, 500000);
    ck_assert_uint_eq(in.state->totals.time_ns / 1000000, 1000); /* counted once */
    const uint32_t loop = import_row(&in, MODEL_FUNCTION, "loop")->id;
    ck_assert_uint_eq(in.state->function[loop].calls, 500);
    ck_assert_uint_eq(in.state->function[loop].vm_ns, 300000000);
    import_release(&in);
}
END_TEST

START_TEST(a_scan_without_a_node_is_aside)
{
    struct imported in = import_text(scan);
    ck_assert(import_tells(&in, "No printed node runs the Scan `loop`"));
    ck_assert_uint_eq(in.state->totals.time_ns, 0);
    ck_assert_uint_eq(in.state->totals.aside_ns / 1000000, 200);
    import_release(&in);
}
END_TEST

START_TEST(a_sum_is_read_only_alone)
{
    static const char one[] = TITLE("", "", " 100.0% 100.0%  1.000s  1.00e-01s 10 3 Dot(x)\n");
    static const char sum[] = "\nFunction profiling\n==================\n"
                              "  Message: Sum of all(2) printed profiles at exit.\n"
                              "  Time in 10 calls to Function.__call__: 2.000000e+00s\n";
    char text[4096];
    snprintf(text, sizeof(text), "%s%s", one, sum);
    struct imported in = import_text(text);
    ck_assert_uint_eq(in.state->count[MODEL_FUNCTION], 1);
    ck_assert_uint_eq(in.state->totals.calls, 10);
    import_release(&in);
    in = import_text(sum);
    ck_assert_uint_eq(in.state->totals.calls, 10);
    import_release(&in);
}
END_TEST

START_TEST(sizes_of_outputs_are_read)
{
    struct imported in = import_text(TITLE(
        "", "",
        " 100.0% 100.0%  1.000s  1.00e-01s 10 3 Alloc(x)\n") "\n"
                                                             "Memory Profile\n(Sparse variables "
                                                             "are ignored)\n---\n"
                                                             "    Max peak memory with current "
                                                             "setting\n        CPU: 4112KB "
                                                             "(4104KB)\n"
                                                             "    <Sum apply outputs (bytes)> "
                                                             "<Apply outputs shape> "
                                                             "<created/inplace/view> <Apply node>\n"
                                                             "\n        4194304B  [(1024, 1024)] c "
                                                             "Alloc(x)\n"
                                                             "   ... (remaining 0 Apply account "
                                                             "for    0B/4194304B ((0.00%)) of the "
                                                             "Apply with dense "
                                                             "outputs sizes)\n");
    const struct model_about *about =
        model_job_about(in.state->job, import_row(&in, MODEL_APPLY, "Alloc(x)")->id);
    ck_assert_ptr_nonnull(about);
    ck_assert_uint_eq(model_about_bytes(about), 4194304);
    ck_assert_uint_eq(in.file.unread, 0);
    import_release(&in);
}
END_TEST

/* ---------------------------------------------------------------------------------- ProfileMode */

START_TEST(profilemode_has_times_without_calls)
{
    struct imported in = import_text(
        "\"\"\"\nProfileMode.print_summary()\n---------------------------\n"
        "local_time 0.0749197006226 (Time spent running thunks)\n"
        "Apply-wise summary: <fraction of local_time spent at this position> (<Apply position>, "
        "<Apply Op name>)\n"
        "0.069 15 _dot22\n0.064 1 _dot22\n0.047 7 sub\n0.045 8 Elemwise{sub}\n"
        "... (remaining 6 Apply instances account for 0.25 of the runtime)\n"
        "Op-wise summary: <fraction of local_time spent on this kind of Op> <Op name>\n"
        "0.139 * mul\n0.134 * _dot22\n0.092   sub\n"
        "... (remaining 0 Ops account for 0.00 of the runtime)\n"
        "(*) Op is running a c implementation\n\"\"\"\n");
    import_is(&in, MODEL_APPLY, "Elemwise{sub}", MODEL_UNKNOWN, 1, 3371386, 1);
    /* Both of its rows are in it, though one has another name. */
    import_is(&in, MODEL_OP, "sub", MODEL_UNKNOWN, 2, 6892612, 80000);
    import_is(&in, MODEL_OP, "_dot22", MODEL_UNKNOWN, 2, 10039240, 80000);
    import_is(&in, MODEL_OP, "mul", MODEL_UNKNOWN, 1, 10413838, 80000);
    const struct model_job *job = in.state->job;
    for (uint32_t id = 0; id < model_job_count(job, MODEL_APPLY); id++)
        if (strcmp(import_name(job, MODEL_APPLY, id), "_dot22") == 0)
            ck_assert(model_job_apply(job, id)->index == 15 ||
                      model_job_apply(job, id)->index == 1);
    ck_assert_str_eq(in.file.format, "summary of ProfileMode");
    ck_assert_uint_ne(in.state->totals.thunk_ns, MODEL_UNKNOWN);
    import_release(&in);
}
END_TEST

START_TEST(profilemode_of_later_releases_has_calls)
{
    struct imported in = import_text(
        "ProfileMode.print_summary(None)\n---------------------------\n\n"
        "Time since import 9.000s\n"
        "Theano compile time: 1.500s (16.7% since import)\n"
        "    Optimization time: 0.500s\n    Linker time: 0.750s\n"
        "Theano fct call 2.000s (22.2% since import)\n"
        "   Theano Op time 1.000s 11.1%(since import) 50.0%(of fct call)\n"
        "10 Theano fct call, 0.200s per call\n\n"
        "Theano fct summary:\n"
        "<% total fct time> <total time> <time per call> <nb call> <fct name>\n"
        "   100.0% 2.000s 2.00e-01s 10 train\n\n"
        "Single Op-wise summary:\n"
        "<% of local_time spent on this kind of Op> <cumulative %> <self seconds> "
        "<cumulative seconds> <time per call> [*] <nb_call> <nb_op> <nb_apply> <Op name>\n"
        "   75.0%   75.0%  0.750s  0.750s  3.75e-02s *    20  1  2 <class 'theano.Dot'>\n"
        "   25.0%  100.0%  0.250s  1.000s  2.50e-02s      10  1  1 <class 'theano.Sum'>\n"
        "   ... (remaining 0 single Op account for   0.00%(0.00s) of the runtime)\n"
        "(*) Op is running a c implementation\n\n"
        "Op-wise summary:\n"
        "<% of local_time spent on this kind of Op> <cumulative %> <self seconds> "
        "<cumulative seconds> <time per call> [*]  <nb_call> <nb_apply> <Op name>\n"
        "   75.0%   75.0%  0.750s  0.750s  3.75e-02s *    20  2 Dot\n"
        "   25.0%  100.0%  0.250s  1.000s  2.50e-02s      10  1 Sum{0}\n"
        "   ... (remaining 0 Op account for   0.00%(0.00s) of the runtime)\n\n"
        "Apply-wise summary:\n"
        "<% of local_time spent at this position> <cumulative %%> <apply time> "
        "<cumulative seconds> <time per call> [*] <nb_call> <Apply position> <Apply Op name>\n"
        "   50.0%   50.0%  0.500s  0.500s 5.00e-02s  * 10   4 Dot(x, y)\n"
        "   ... (remaining 2 Apply instances account for 50.00%(0.50s) of the runtime)\n");
    const struct model_function_value *value = in.state->function;
    ck_assert_uint_eq(value->calls, 10);
    ck_assert_uint_eq(value->call_ns, 2000000000);
    ck_assert_uint_eq(value->compile_ns, 1500000000);
    import_is(&in, MODEL_CLASS, "<class 'theano.Dot'>", 20, 2, 750000000, 500000);
    import_is(&in, MODEL_CLASS, "<class 'theano.Sum'>", 10, 1, 250000000, 500000);
    import_is(&in, MODEL_OP, "Dot", 20, 2, 750000000, 500000);
    import_is(&in, MODEL_APPLY, "Dot(x, y)", 10, 1, 500000000, 500000);
    ck_assert_uint_eq(in.file.unread, 0);
    import_release(&in);
}
END_TEST

/* ---------------------------------------------------------------------------------- round trips */

static uint64_t apart(uint64_t a, uint64_t b)
{
    return a > b ? a - b : b - a;
}

/* Prints a random job, reads it, and compares the rows that have calls. Names are unique there. */
START_TEST(our_own_print_is_the_job_again)
{
    static const char *const words[] = {"theano", "aesara", "pytensor"};
    static struct printed text;
    const struct model_summary_rows rows = {5000, 5000, MODEL_SUMMARY_USUAL_BYTES};
    struct sample_random random = {(uint64_t)_i + 1};
    struct model_job *job = sample_empty();
    for (uint32_t i = 0; i < 4; i++) {
        char name[32];
        snprintf(name, sizeof(name), "package.Kind%u", i);
        sample_class(job, name);
    }
    for (uint32_t i = 0; i < 9; i++) {
        char name[32];
        snprintf(name, sizeof(name), "Kind%u{%u}", i % 4, i);
        sample_op(job, i % 4, name);
    }
    sample_function(job, "train", MODEL_NONE);
    for (uint32_t i = 0; i < 30; i++) {
        char name[48];
        snprintf(name, sizeof(name), "Kind%u{%u}(x%u)", i % 9 % 4, i % 9, i);
        sample_apply(job, 0, i % 9, i, name, i % 9 % 2 ? MODEL_IMPL_C : MODEL_IMPL_PY);
        sample_value(job, i, 1 + sample_below(&random, 1000), sample_below(&random, 1 << 30));
    }
    const uint64_t id = 0, calls = 77, ns = UINT64_C(900000000000), unknown = MODEL_UNKNOWN;
    model_job_set_calls(job, 1, &id, &calls, &ns, &unknown, &unknown, false);
    printed_of(&text, job, words[_i % 3], MODEL_ALL, rows);
    struct imported in = import_text(text.bytes);
    struct model_state *before = model_state_take(job, MODEL_ALL, NULL);
    static const enum model_table tables[] = {MODEL_CLASS, MODEL_OP, MODEL_APPLY};
    for (unsigned t = 0; t < 3; t++)
        for (uint32_t i = 0; i < before->count[tables[t]]; i++) {
            const struct model_row *was = &before->row[tables[t]][i];
            const struct model_row *is = import_row(&in, tables[t], import_name(job, tables[t], i));
            ck_assert_uint_eq(is->calls, was->calls);
            ck_assert_uint_eq(is->applies, was->applies);
            /* %.2e rounds by half a unit of its third digit, of each apply. */
            ck_assert_uint_le(apart(is->total_ns, was->total_ns), was->total_ns / 190 + was->calls);
        }
    ck_assert_uint_eq(in.state->function[0].calls, calls);
    ck_assert_uint_eq(in.state->function[0].call_ns, ns);
    ck_assert_uint_eq(in.file.unread, 0);
    ck_assert(!import_tells(&in, "Rows whose"));
    model_state_free(&before);
    model_job_release(&job);
    import_release(&in);
}
END_TEST

/* -------------------------------------------------------------------------------- hostile input */

static const char *const hostile[] = {
    "Function profiling\n<% time> <Op name>\n nan% x\n inf% y\n -1.0% z\n 1e999% q\n",
    TITLE(
        "  1e99%  1e99%  1e99s  1e99s  C  99999999999999999999  99999999999  a.B\n",
        "  -5.0%  nan%  -1.0s  -1e-3s  C  -1  -1  B{x}\n",
        "  1.0%  1.0%  18446744073709551615s  1e300s  18446744073709551615  4294967296  B{x}(y)\n"),
    "Scan Op profiling (\n<% time> <apply time> <#call> <Apply name>\n1.0% 1.0s 5 a\n",
    "<% time> <apply time> <#call> <#apply> <Class name>\n1.0% 1.0s 5 4000000000 a\n",
    "ProfileMode.print_summary()\nlocal_time 1e300\nOp-wise summary: <fraction of local_time spent "
    "on this kind of Op> <Op name>\n1e300 x\n0.5 y\n",
    "Function profiling\n  Message: \xff\xfe\x01\n  Time in 1 calls to Function.__call__: 1e-9s\n"
    "<% time> <apply time> <#call> <Apply name>\n1.0% 1.0s 5 \xc3\x28(\xf0\x28\n",
    "Function profiling\nFunction profiling\nMessage: a:99999999999999999999\n"
    "Time in thunks: 0.0s (\n<% time> <apply time> <#call> <Apply name>\n0.0% 0.0s 0 a\n"
    "0.0% 0.0s 0 a\n",
};
enum { HOSTILE = sizeof(hostile) / sizeof(hostile[0]) };

START_TEST(hostile_figures_are_refused_or_bounded)
{
    struct imported in = import_bytes(hostile[_i], strlen(hostile[_i]), 0);
    if (in.good)
        for (unsigned table = 0; table < MODEL_ROW_TABLES; table++)
            for (uint32_t i = 0; i < in.state->count[table]; i++)
                ck_assert_uint_lt(in.state->row[table][i].id, UINT32_MAX);
    import_release(&in);
}
END_TEST

START_TEST(a_cut_file_is_read_as_far_as_it_goes)
{
    const char *text = _i < EXAMPLES ? examples[_i].text : hostile[_i - EXAMPLES];
    for (size_t size = 0; size <= strlen(text); size++) {
        struct imported in = import_bytes(text, size, 7);
        if (in.good)
            ck_assert_uint_le(import_rows(&in, MODEL_APPLY), 8300);
        import_release(&in);
    }
}
END_TEST

/* Each byte is once replaced by a NUL, by 0xFF, and by a digit. */
START_TEST(a_damaged_file_harms_nobody)
{
    static const char bytes[] = {'\0', '\xff', '9', '\n', ' '};
    char *text = strdup(examples[2].text);
    const size_t size = strlen(text);
    for (size_t at = 0; at < size; at++) {
        const char was = text[at];
        text[at] = bytes[(unsigned)_i];
        struct imported in = import_bytes(text, size, 0);
        import_release(&in);
        text[at] = was;
    }
    free(text);
}
END_TEST

struct endless {
    uint64_t left;
    char byte;
    uint64_t read;
};

static size_t read_endless(void *from, char *bytes, size_t size)
{
    struct endless *source = from;
    size = size < source->left ? size : (size_t)source->left;
    memset(bytes, source->byte, size);
    source->left -= size;
    source->read += size;
    return size;
}

START_TEST(one_line_without_end_is_given_up)
{
    static const char bytes[] = {'x', '\0', '[', '<'};
    struct endless source = {UINT64_C(10) << 30, bytes[_i], 0};
    const struct model_reader reader = {read_endless, &source};
    struct model_imported file;
    char why[256];
    ck_assert(!model_import(&reader, &file, why, sizeof(why)));
    ck_assert_str_eq(why, "has a line of more than 64 MiB");
    ck_assert_uint_lt(source.read, UINT64_C(100) << 20);
}
END_TEST

START_TEST(a_long_line_is_cut_and_counted)
{
    enum { LONG = 200000 };
    char *text = malloc(LONG + 4096);
    ck_assert_ptr_nonnull(text);
    memset(text, 'x', LONG);
    snprintf(text + LONG, 4096, "\n%s", examples[0].text);
    struct imported in = import_text(text);
    is_example(&in);
    ck_assert(import_tells(&in, "Lines of more than 65536 bytes, whose ends were not read: 1."));
    import_release(&in);
    free(text);
}
END_TEST

/* Names do not tell the format: those of a report may be the words of others. */
START_TEST(a_report_is_told_by_its_schema)
{
    struct imported in = import_text(
        " {\"schema\":\"proftop-1\",\"state\":\"live\",\"jobs\":[{\"id\":0}],\"classes\":[{\"id\":"
        "0,"
        "\"name\":\"traceEvents\"}],\"ops\":[{\"id\":0,\"class\":0,\"name\":\"Function "
        "profiling\"}],"
        "\"functions\":[{\"id\":0,\"name\":\"f\",\"calls\":4}],\"applies\":[{\"id\":0,\"function\":"
        "0,"
        "\"op\":0,\"name\":\"a\",\"calls\":2,\"total_ns\":5},{\"id\":1,\"function\":0,\"op\":0,"
        "\"name\":\"b\",\"calls\":null,\"total_ns\":7}]}\n");
    ck_assert_str_eq(in.file.format, "report of proftop");
    ck_assert_str_eq(in.file.saved.state, "live");
    import_is(&in, MODEL_APPLY, "a", 2, 1, 5, 0);
    /* Calls that are null with a time are unknown, and so is their sum. */
    import_is(&in, MODEL_APPLY, "b", MODEL_UNKNOWN, 1, 7, 0);
    import_is(&in, MODEL_CLASS, "traceEvents", MODEL_UNKNOWN, 2, 12, 0);
    import_release(&in);
}
END_TEST

START_TEST(a_file_without_a_profile_says_so)
{
    static const struct {
        const char *text, *why;
    } files[] = {
        {"", "is empty"},
        {"hello\nworld\n", "is no profile that proftop knows: none of its 2 lines begins one"},
        {"Function profiling\n", "has no row that can be read; it looks like a profile of Theano, "
                                 "Aesara or PyTensor"},
        {"{\"otherData\":{\"proftop_bars\":\"sums\"},\"traceEvents\":[]}",
         "is a report of proftop as chrome, which is for viewers of traces: --format json saves "
         "one that can be read"},
        {"{}", "is no report of proftop -b --format json (at byte 2)"},
    };
    struct imported in = import_bytes(files[_i].text, strlen(files[_i].text), 0);
    ck_assert(!in.good);
    ck_assert_str_eq(in.why, files[_i].why);
    import_release(&in);
}
END_TEST

#define ADD(name)         tap_add(s, #name, name)
#define ADD_LOOP(name, n) tap_add_loop(s, #name, name, n)

static Suite *suite(void)
{
    Suite *s = suite_create("import");
    ADD_LOOP(each_dialect_is_read, EXAMPLES);
    ADD_LOOP(indents_and_ends_of_lines_do_not_count, EXAMPLES);
    ADD(a_profile_stands_among_other_lines);
    ADD(rows_that_are_not_printed_have_a_row);
    ADD(figures_tell_the_class_of_an_op);
    ADD(an_op_may_have_no_known_class);
    ADD(equal_names_are_not_one_op);
    ADD(columns_are_those_of_the_heading);
    ADD(contradictions_are_named);
    ADD(missing_figures_stay_unknown);
    ADD_LOOP(a_scan_has_its_function_inside, 2);
    ADD(a_scan_without_a_node_is_aside);
    ADD(a_sum_is_read_only_alone);
    ADD(sizes_of_outputs_are_read);
    ADD(profilemode_has_times_without_calls);
    ADD(profilemode_of_later_releases_has_calls);
    ADD_LOOP(our_own_print_is_the_job_again, 30);
    ADD_LOOP(hostile_figures_are_refused_or_bounded, HOSTILE);
    ADD_LOOP(a_cut_file_is_read_as_far_as_it_goes, EXAMPLES + HOSTILE);
    ADD_LOOP(a_damaged_file_harms_nobody, 5);
    ADD_LOOP(one_line_without_end_is_given_up, 4);
    ADD(a_long_line_is_cut_and_counted);
    ADD(a_report_is_told_by_its_schema);
    ADD_LOOP(a_file_without_a_profile_says_so, 5);
    return s;
}
TAP_MAIN(suite)

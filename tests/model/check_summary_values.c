/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * check_summary_values.c: the lines below the row of an apply that a framework prints with
 * profile_memory.
 */
#include "printed.h"

#include "model/node_detail.h"

static struct model_job *job;
static struct printed text;

/* The section of applies, from its title to its trailer. */
static char *applies(void)
{
    printed_of(&text, job, "theano", MODEL_ALL, printed_usual);
    char *begin = strstr(text.bytes, "Apply\n------\n");
    ck_assert_ptr_nonnull(begin);
    char *end = strstr(begin, "   ... (remaining");
    ck_assert_ptr_nonnull(end);
    *end = '\0';
    return begin;
}

/* Two nodes of one function: 4 s and 1 s in 2 calls each. */
static void setup(void)
{
    static const char facts[] = "profile_memory=True";
    const uint64_t id = 0, calls = 2, call_ns = 6000000000, open_ns = MODEL_UNKNOWN;
    job = sample_empty();
    sample_class(job, "Dot");
    sample_op(job, 0, "dot");
    sample_function(job, "f", MODEL_NONE);
    sample_apply(job, 0, 0, 0, "dot(x, y)", MODEL_IMPL_C);
    sample_apply(job, 0, 0, 1, "dot(z, 2)", MODEL_IMPL_PY);
    sample_value(job, 0, 2, 4000000000u);
    sample_value(job, 1, 2, 1000000000u);
    ck_assert_uint_eq(
        model_job_set_calls(job, 1, &id, &calls, &call_ns, &call_ns, &open_ns, false), 0);
    ck_assert(model_job_set_text(job, &model_job_identity_mutable(job)->facts, facts,
                                 sizeof(facts) - 1));
}

static void teardown(void)
{
    model_job_release(&job);
}

static struct model_value_raw array(const char *shape, const char *strides, uint64_t bytes)
{
    return (struct model_value_raw){.dtype = sample_bytes("float32"),
                                    .shape = sample_bytes(shape),
                                    .strides = sample_bytes(strides),
                                    .bytes = bytes,
                                    .source = MODEL_NONE};
}

static void tell(uint32_t apply, uint64_t flops, const struct model_value_raw value[3])
{
    const struct model_about_raw raw = {.rev = 1,
                                        .flops = flops,
                                        .bytes = MODEL_UNKNOWN,
                                        .thunk_ns = MODEL_UNKNOWN,
                                        .inputs = 2,
                                        .outputs = 1,
                                        .value = value};
    ck_assert(model_job_set_about(job, apply, &raw));
}

static void tell_both(void)
{
    struct model_value_raw first[] = {array("[64,3]", "[12,4]", 768), array("[3]", "[-4]", 12),
                                      array("[64]", "[4]", 256)};
    struct model_value_raw second[] = {array("[]", "[]", 4), array("", "", 8),
                                       array("", "", MODEL_UNKNOWN)};
    second[2].dtype = sample_bytes("");
    tell(0, 3 * 1024 * 1024, first);
    tell(1, MODEL_UNKNOWN, second);
}

START_TEST(values_stand_below_their_row)
{
    tell_both();
    ck_assert_str_eq(
        applies(),
        "Apply\n------\n"
        "<% time> <sum %> <apply time> <time per call> <#call> <id> <Mflops> <Gflops/s> "
        "<Apply name>\n"
        /* 3 / 1024 per call; two calls in 4 s */
        "  80.0%    80.0%       4.000s       2.00e+00s      2     0      3.0        0.0 "
        "dot(x, y)\n"
        "    input 0: dtype=float32, shape=(64, 3), strides=c\n"
        "    input 1: dtype=float32, shape=(3,), strides=(-4,)\n"
        "    output 0: dtype=float32, shape=(64,), strides=c\n"
        "  20.0%   100.0%       1.000s       5.00e-01s      2     1                     "
        "dot(z, 2)\n"
        "    input 0: dtype=float32, shape=(), strides=c\n"
        "    input 1: dtype=float32, shape=8, strides=c\n"
        "    output 0: dtype=no dtype, shape=no shape, strides=no strides\n");
}
END_TEST

START_TEST(rate_is_of_all_calls)
{
    struct model_value_raw value[] = {array("[8]", "[4]", 32), array("[8]", "[4]", 32),
                                      array("[]", "[]", 4)};
    tell(0, UINT64_C(20) << 30, value);
    ck_assert_ptr_nonnull(strstr(applies(), "  20480.0       10.0 dot(x, y)\n"));
}
END_TEST

/* Like the frameworks: without the flag, and without known values of any node. */
START_TEST(plain_rows_stay_plain)
{
    static const char row[] = "      2     0   dot(x, y)\n";
    static const char facts[] = "profile_memory=False";
    ck_assert_ptr_nonnull(strstr(applies(), row));
    tell_both();
    ck_assert(model_job_set_text(job, &model_job_identity_mutable(job)->facts, facts,
                                 sizeof(facts) - 1));
    char *section = applies();
    ck_assert_ptr_nonnull(strstr(section, row));
    ck_assert_ptr_null(strstr(section, "input"));
    ck_assert_ptr_null(strstr(section, "flops"));
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("summary_values");
    tap_add_between(s, "values_stand_below_their_row", values_stand_below_their_row, 1, setup,
                    teardown);
    tap_add_between(s, "rate_is_of_all_calls", rate_is_of_all_calls, 1, setup, teardown);
    tap_add_between(s, "plain_rows_stay_plain", plain_rows_stay_plain, 1, setup, teardown);
    return s;
}
TAP_MAIN(suite)

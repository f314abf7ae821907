/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * check_fact.c: facts are found by their whole names; what is no fact is nobody's concern.
 */
#include "fact.h"

#include "sample.h"

static const char text[] = "linker=cvm\n"
                           "\n"
                           "profiling.n_ops=3\n"
                           "profiling.n_apply=7x\n"
                           "empty=\n"
                           "no fact\n"
                           "large=1000000000000000000\n"
                           "fits=999999999999999999\n"
                           "minus=-1\n"
                           "odd=a=b\n"
                           "profiling.n_ops=4";

static struct model_job *told(const char *facts)
{
    struct model_job *job = sample_empty();
    struct model_identity *who = model_job_identity_mutable(job);
    ck_assert(model_job_set_text(job, &who->facts, facts, strlen(facts)));
    return job;
}

static const struct {
    const char *name, *value;
    uint64_t number;
} facts[] = {
    {"linker", "cvm", MODEL_UNKNOWN},
    {"profiling.n_ops", "4", 4},
    {"profiling.n_apply", "7x", MODEL_UNKNOWN},
    {"empty", "", MODEL_UNKNOWN},
    {"large", "1000000000000000000", MODEL_UNKNOWN},
    {"fits", "999999999999999999", 999999999999999999u},
    {"minus", "-1", MODEL_UNKNOWN},
    {"odd", "a=b", MODEL_UNKNOWN},
    {"no fact", NULL, MODEL_UNKNOWN},
    {"n_ops", NULL, MODEL_UNKNOWN},
    {"profiling", NULL, MODEL_UNKNOWN},
    {"", NULL, MODEL_UNKNOWN},
};

START_TEST(facts_are_found_by_name)
{
    struct model_job *job = told(text);
    const struct model_identity *who = model_job_identity(job);
    size_t size = 0;
    const char *value = model_fact(who, facts[_i].name, &size);
    if (facts[_i].value) {
        ck_assert_ptr_nonnull(value);
        ck_assert_uint_eq(size, strlen(facts[_i].value));
        ck_assert_mem_eq(value, facts[_i].value, size);
    } else {
        ck_assert_ptr_null(value);
    }
    ck_assert_uint_eq(model_fact_number(who, facts[_i].name), facts[_i].number);
    model_job_release(&job);
}
END_TEST

START_TEST(lines_are_walked)
{
    static const char *const said[] = {"", "\n\n", "one", "one\n", "\none\n\ntwo\n"};
    static const unsigned lines[] = {0, 0, 1, 1, 2};
    struct model_job *job = told(said[_i]);
    const struct model_identity *who = model_job_identity(job);
    unsigned found = 0;
    size_t from = 0, size = 0;
    for (const char *line; (line = model_fact_line(who, &from, &size)) != NULL; found++) {
        ck_assert_uint_eq(size, 3);
        ck_assert_mem_eq(line, found ? "two" : "one", 3);
    }
    ck_assert_uint_eq(found, lines[_i]);
    model_job_release(&job);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("fact");
    tap_add_loop(s, "facts_are_found_by_name", facts_are_found_by_name,
                 sizeof facts / sizeof facts[0]);
    tap_add_loop(s, "lines_are_walked", lines_are_walked, 5);
    return s;
}
TAP_MAIN(suite)

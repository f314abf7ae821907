/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * check_job_info.c: facts are found by their full names. Other texts are ignored.
 */
#include "model/job_info.h"

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

static const struct {
    const char *line;
    bool is_setting;
} settings[] = {
    {"linker=cvm", true},     {"profiling.n_ops=3", true},
    {"mode=Mode", true},      {"tips.a=b", true},
    {"empty=", true},         {"no fact", false},
    {"mode.1=0:Mode", false}, {"tip.4=0: - Try", false},
    {"at=a.py:3", false},     {"collective.0:g=7", false},
    {"grad_ns=5", false},     {"imported_ns=7", false},
    {"tip", false},           {"", false},
};

START_TEST(settings_are_distinguished_from_other_facts)
{
    const char *line = settings[_i].line;
    ck_assert_int_eq(model_fact_is_setting(line, strlen(line)), settings[_i].is_setting);
}
END_TEST

/* The first fact about the function, or NULL. */
static const struct {
    const char *facts;
    uint32_t function;
    const char *says;
} abouts[] = {
    {"mode.1=0-3,7:a b\nmode.2=4:c", 0, "a b"},
    {"mode.1=0-3,7:a b\nmode.2=4:c", 3, "a b"},
    {"mode.1=0-3,7:a b\nmode.2=4:c", 4, "c"},
    {"mode.1=0-3,7:a b\nmode.2=4:c", 5, NULL},
    {"mode.1=0-3,7:a b\nmode.2=4:c", 7, "a b"},
    {"mode.1=1:a:b=c", 1, "a:b=c"},
    {"mode.1=1:", 1, ""},
    {"mode.1=1:a\nmode.2=1:b", 1, "a"},
    {"mode=1:a\nmodes.1=1:b\nmod.1=1:c", 1, NULL},
    {"mode.1=1", 1, NULL},
    {"mode.1:1=2", 1, NULL},
    {"mode.1=:a", 0, NULL},
    {"mode.1=-1:a", 1, NULL},
    {"mode.1=3-1:a", 2, NULL},
    {"mode.1=2-:a", 2, NULL},
    {"mode.1=x,1:a", 1, NULL},
    {"mode.1=1x2:a", 2, NULL},
    {"mode.1=0-99999999999999999999999999:a", UINT32_MAX, "a"},
    {"mode.1=4294967296:a", 0, NULL},
    {"mode.1=18446744073709551617:a", 1, NULL},
};

/* Accepts counters from a later version of the job. Ignores an entry without a name and number. */
START_TEST(losses_are_counted_by_name)
{
    static const char lines[] = "phases=10482\n\nno number=\nCalls=1\n=2\nx\nrows=-1\n"
                                "abcdefghijklmnopqrstuvwxy=3\nabcdefghijklmnopqrstuvwx=4\n"
                                "fits=999999999999999999\nlarge=1000000000000000000\nruns=7";
    static const struct {
        const char *name;
        uint64_t count;
    } want[] = {{"phases", 10482},
                {"abcdefghijklmnopqrstuvwx", 4},
                {"fits", 999999999999999999u},
                {"runs", 7}};
    struct model_job *job = sample_empty();
    struct model_identity *who = model_job_identity_mutable(job);
    struct model_lost lost;
    size_t from = 0;
    ck_assert(!model_lost_next(who, &from, &lost));
    ck_assert(model_job_set_text(job, &who->lost, lines, strlen(lines)));
    for (int i = 0; i < TAP_ROWS(want); i++) {
        ck_assert(model_lost_next(who, &from, &lost));
        ck_assert_uint_eq(lost.size, strlen(want[i].name));
        ck_assert_int_eq(memcmp(lost.name, want[i].name, lost.size), 0);
        ck_assert_uint_eq(lost.count, want[i].count);
    }
    ck_assert(!model_lost_next(who, &from, &lost));
    model_job_release(&job);
}
END_TEST

START_TEST(facts_are_about_functions)
{
    struct model_job *job = told(abouts[_i].facts);
    size_t size = 99;
    const char *says = model_fact_of(model_job_identity(job), "mode", abouts[_i].function, &size);
    if (abouts[_i].says) {
        ck_assert_msg(says != NULL, "%s: %u", abouts[_i].facts, abouts[_i].function);
        ck_assert_uint_eq(size, strlen(abouts[_i].says));
        ck_assert_mem_eq(says, abouts[_i].says, size);
    } else {
        ck_assert_msg(says == NULL, "%s: %u", abouts[_i].facts, abouts[_i].function);
    }
    model_job_release(&job);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("fact");
    tap_add_loop(s, "facts_are_found_by_name", facts_are_found_by_name,
                 sizeof facts / sizeof facts[0]);
    tap_add_loop(s, "lines_are_walked", lines_are_walked, 5);
    tap_add_loop(s, "settings_are_distinguished_from_other_facts",
                 settings_are_distinguished_from_other_facts, sizeof settings / sizeof settings[0]);
    tap_add(s, "losses_are_counted_by_name", losses_are_counted_by_name);
    tap_add_loop(s, "facts_are_about_functions", facts_are_about_functions,
                 sizeof abouts / sizeof abouts[0]);
    return s;
}
TAP_MAIN(suite)

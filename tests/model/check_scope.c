/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * check_scope.c: scopes of several functions: groups, sets, and the functions inside them.
 */
#include "model/scope.h"

#include "sample.h"

static void in_group(struct model_job *job, const char *name, uint32_t parent, uint32_t group)
{
    struct model_function_raw raw = {
        .name = sample_bytes(name), .parent = parent, .group = group};
    ck_assert(model_job_add_function(job, &raw));
}

static void called(struct model_job *job, uint64_t id, uint64_t calls, uint64_t ns)
{
    uint64_t none = MODEL_UNKNOWN;
    ck_assert_uint_eq(model_job_set_calls(job, 1, &id, &calls, &ns, &none, &none, false), 0);
}

/* f (group 7) runs a Scan of 100 ns with 60 inside, in h; g (7) takes 30 in an Exp, k (8) 5:
 * applies 0 Scan of f, 1 Exp of g, 2 Exp of h, 3 Exp of k. */
static struct model_job *grouped_job(void)
{
    struct model_job *job = sample_empty();
    sample_class(job, "Scan");
    sample_class(job, "Elemwise");
    sample_op(job, 0, "Scan");
    sample_op(job, 1, "Exp");
    in_group(job, "f", MODEL_NONE, 7);
    in_group(job, "g", MODEL_NONE, 7);
    sample_apply(job, 0, 0, 0, "Scan(x)", MODEL_IMPL_C);
    sample_apply(job, 1, 1, 0, "Exp(x)", MODEL_IMPL_C);
    in_group(job, "h", 0, 0);
    in_group(job, "k", MODEL_NONE, 8);
    sample_apply(job, 2, 1, 0, "Exp(y)", MODEL_IMPL_C);
    sample_apply(job, 3, 1, 0, "Exp(z)", MODEL_IMPL_C);
    sample_value(job, 0, 1, 100);
    sample_value(job, 1, 2, 30);
    sample_value(job, 2, 10, 60);
    sample_value(job, 3, 4, 5);
    called(job, 0, 1, 110);
    called(job, 1, 2, 40);
    called(job, 2, 10, 70);
    called(job, 3, 4, 9);
    return job;
}

static uint32_t choose(struct model_job *job, uint32_t a, uint32_t b)
{
    uint32_t scope = MODEL_ALL;
    ck_assert(model_scope_choose(job, (uint32_t[]){a, b}, 2, &scope));
    return scope;
}

START_TEST(numbers_stand_for_scopes)
{
    struct model_job *job = grouped_job();
    uint32_t scope = 99;
    ck_assert(!model_scope_choose(job, NULL, 0, &scope));
    ck_assert_uint_eq(scope, 99);
    ck_assert_uint_eq(choose(job, 3, 3), 3); /* a single function is itself */
    ck_assert_uint_eq(choose(job, 3, 0), choose(job, 0, 3));
    ck_assert_uint_ne(choose(job, 0, 3), choose(job, 0, 1));
    ck_assert_uint_eq(model_scope_group(job, 0), model_scope_group(job, 1));
    ck_assert_uint_ne(model_scope_group(job, 0), model_scope_group(job, 3));
    ck_assert(model_scope_several(choose(job, 0, 3)));
    ck_assert(model_scope_several(model_scope_group(job, 1)));
    ck_assert(model_scope_several(MODEL_ALL));
    ck_assert(!model_scope_several(3));
    ck_assert(model_scope_is_group(model_scope_group(job, 1)));
    ck_assert(!model_scope_is_group(choose(job, 0, 3)) && !model_scope_is_group(MODEL_ALL));
    /* Equal sets are kept once, and their number is limited. */
    struct model_job *many = sample_empty();
    for (unsigned i = 0; i < MODEL_SCOPE_SETS_MAX + 2; i++)
        sample_function(many, "f", MODEL_NONE);
    for (unsigned i = 0; i < MODEL_SCOPE_SETS_MAX; i++)
        for (unsigned again = 0; again < 2; again++)
            ck_assert(model_scope_names(many, choose(many, 0, i + 1), i + 1));
    ck_assert(!model_scope_choose(many, (uint32_t[]){0, MODEL_SCOPE_SETS_MAX + 1}, 2, &scope));
    model_job_release(&many);
    model_job_release(&job);
}
END_TEST

/* Scope; part of f, g, h and k; calls, time; rows and calls of Exp, self time of Scan. */
enum { OUT = MODEL_PART_OUT, IN = MODEL_PART_INSIDE, OUTER = MODEL_PART_OUTER };
static const struct {
    uint32_t a, b;
    uint8_t part[4];
    uint64_t calls, time_ns, call_ns, exp_calls, exp_ns;
    uint32_t exp_applies, applies;
} sums[] = {
    {MODEL_ALL, 0, {OUTER, OUTER, IN, OUTER}, 7, 135, 159, 16, 95, 3, 4},
    {0, 0, {OUTER, OUT, OUT, OUT}, 1, 100, 110, 0, 0, 0, 1},
    {2, 2, {OUT, OUT, OUTER, OUT}, 10, 60, 70, 10, 60, 1, 1},
    {1, 3, {OUT, OUTER, OUT, OUTER}, 6, 35, 49, 6, 35, 2, 2},
    {0, 1, {OUTER, OUTER, IN, OUT}, 3, 130, 150, 12, 90, 2, 3},
    {0, 2, {OUTER, OUT, IN, OUT}, 1, 100, 110, 10, 60, 1, 2}, /* no time twice */
    {2, 3, {OUT, OUT, OUTER, OUTER}, 14, 65, 79, 14, 65, 2, 2},
};

static void check_sums(struct model_job *job, uint32_t scope, int at)
{
    struct model_state *state = model_state_take(job, scope, NULL);
    ck_assert_mem_eq(state->part, sums[at].part, 4);
    ck_assert_uint_eq(state->totals.calls, sums[at].calls);
    ck_assert_uint_eq(state->totals.call_ns, sums[at].call_ns);
    ck_assert_uint_eq(state->totals.time_ns, sums[at].time_ns);
    ck_assert_uint_eq(state->totals.rows[MODEL_APPLY], sums[at].applies);
    const struct model_row *row = &state->row[MODEL_OP][1];
    ck_assert_uint_eq(row->calls, sums[at].exp_calls);
    ck_assert_uint_eq(row->self_ns, sums[at].exp_ns);
    ck_assert_uint_eq(row->applies, sums[at].exp_applies);
    for (uint32_t f = 0; f < 4; f++)
        ck_assert_int_eq(state->row[MODEL_FUNCTION][f].in_scope, sums[at].part[f] != OUT);
    model_state_free(&state);
}

START_TEST(several_are_summed_up)
{
    struct model_job *job = grouped_job();
    check_sums(job, sums[_i].a == MODEL_ALL ? MODEL_ALL : choose(job, sums[_i].a, sums[_i].b), _i);
    model_job_release(&job);
}
END_TEST

START_TEST(a_group_takes_in_who_comes_later)
{
    struct model_job *job = grouped_job();
    uint32_t scope = model_scope_group(job, 1);
    check_sums(job, scope, 4);
    struct model_state *state = model_state_take(job, scope, NULL);
    in_group(job, "late", MODEL_NONE, 7);
    called(job, 4, 5, 50);
    model_job_set_stamp(job, 2000, 3000);
    model_job_set_values_stamp(job, 2000);
    ck_assert(model_state_renew(state, scope));
    ck_assert_uint_eq(state->totals.calls, 8);
    ck_assert_uint_eq(state->totals.interval_calls, 5);
    model_state_free(&state);
    /* A function without a group: alone, labelled as it is among several. */
    state = model_state_take(job, model_scope_group(job, 2), NULL);
    ck_assert_uint_eq(state->totals.calls, 10);
    ck_assert_uint_eq(state->totals.time_ns, 60);
    model_state_free(&state);
    model_job_release(&job);
}
END_TEST

START_TEST(labels_name_some)
{
    char label[MODEL_SCOPE_LABEL];
    struct model_job *job = grouped_job();
    ck_assert_str_eq(model_scope_label(job, MODEL_ALL, label), "all functions");
    ck_assert_str_eq(model_scope_label(job, 3, label), "k");
    ck_assert_str_eq(model_scope_label(job, choose(job, 3, 0), label), "f + k");
    ck_assert_str_eq(model_scope_label(job, model_scope_group(job, 1), label), "f + g");
    struct model_function_raw raw = {.file = sample_bytes("train.py"), .line = 12,
                                     .parent = MODEL_NONE, .group = 7};
    ck_assert(model_job_add_function(job, &raw));
    ck_assert_str_eq(model_scope_label(job, 4, label), "train.py:12");
    sample_function(job, "", MODEL_NONE);
    ck_assert_str_eq(model_scope_label(job, 5, label), "function #5");
    in_group(job, "late", MODEL_NONE, 7);
    ck_assert_str_eq(model_scope_label(job, model_scope_group(job, 1), label),
                     "f + g + train.py:12 + 1 more");
    char name[401];
    for (unsigned i = 0; i < 200; i++)
        memcpy(name + 2 * i, "\xc3\xa9", 3);
    for (unsigned i = 0; i < 4; i++)
        sample_function(job, name + i, MODEL_NONE); /* cut between characters, or repaired */
    uint32_t long_ones[] = {7, 8, 9, 10}, scope;
    ck_assert(model_scope_choose(job, long_ones, 4, &scope));
    ck_assert_uint_lt(strlen(model_scope_label(job, scope, label)), MODEL_SCOPE_LABEL);
    ck_assert_mem_eq(label + strlen(label) - 9, " + 1 more", 9);
    for (uint32_t f = 7; f < 11; f++) {
        ck_assert_uint_lt(strlen(model_scope_label(job, f, label)), MODEL_SCOPE_LABEL);
        ck_assert_uint_eq(label[strlen(label) - 4] & 0xC0, 0x80); /* whole, then "..." */
    }
    model_job_release(&job);
}
END_TEST

START_TEST(aliases_are_shown)
{
    char label[MODEL_SCOPE_LABEL];
    struct model_job *job = grouped_job();
    const struct model_function_def *def = model_job_function(job, 1);
    ck_assert(!model_job_set_alias(job, 4, "loss", 4));
    ck_assert(model_job_set_alias(job, 1, "loss\x1b", 5));
    ck_assert_str_eq(def->name.raw, "g");
    ck_assert_str_eq(def->name.shown, "loss\xef\xbf\xbd"); /* safe for the screen */
    ck_assert_uint_eq(def->alias.raw_size, 5);
    ck_assert_str_eq(model_scope_label(job, 1, label), def->name.shown);
    const char *kept = def->name.shown;
    ck_assert(model_job_set_alias(job, 1, "loss\x1b", 5)); /* the same name again takes no memory */
    ck_assert_ptr_eq(def->name.shown, kept);
    ck_assert(model_job_set_alias(job, 1, "", 0));
    ck_assert_str_eq(def->name.shown, "g");
    ck_assert_uint_eq(def->alias.raw_size, 0);
    ck_assert_uint_eq(model_job_function(job, 0)->alias.raw_size, 0);
    model_job_release(&job);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("model/scope");
    tap_add(s, "numbers", numbers_stand_for_scopes);
    tap_add_loop(s, "sums", several_are_summed_up, TAP_ROWS(sums));
    tap_add(s, "groups", a_group_takes_in_who_comes_later);
    tap_add(s, "labels", labels_name_some);
    tap_add(s, "aliases", aliases_are_shown);
    return s;
}
TAP_MAIN(suite)

/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * check_state.c: sums, self times, scopes and intervals, checked against figures worked out by
 * hand.
 */
#include "model/state.h"

#include "sample.h"

static const struct model_row *row_of(const struct model_state *state, enum model_table table,
                                      uint32_t id)
{
    ck_assert_uint_lt(id, state->count[table]);
    ck_assert_uint_eq(state->row[table][id].id, id);
    return &state->row[table][id];
}

static void check_row(const struct model_state *state, enum model_table table, uint32_t id,
                      uint64_t calls, uint64_t total_ns, uint64_t self_ns, uint32_t applies)
{
    const struct model_row *row = row_of(state, table, id);
    ck_assert_uint_eq(row->calls, calls);
    ck_assert_uint_eq(row->total_ns, total_ns);
    ck_assert_uint_eq(row->self_ns, self_ns);
    ck_assert_uint_eq(row->applies, applies);
}

START_TEST(all_functions)
{
    struct model_job *job = sample_job();
    struct model_state *state = model_state_take(job, MODEL_ALL, NULL);
    check_row(state, MODEL_APPLY, 2, 30, 8500, 8500, 1);
    check_row(state, MODEL_OP, 0, 10, 1000, 1000, 1);
    check_row(state, MODEL_OP, 2, 35, 10500, 10500, 2);
    check_row(state, MODEL_CLASS, 0, 30, 1500, 1500, 2);
    check_row(state, MODEL_CLASS, 1, 35, 10500, 10500, 2);
    check_row(state, MODEL_FUNCTION, 0, 0, 10000, 10000, 3);
    check_row(state, MODEL_FUNCTION, 1, 0, 2000, 2000, 1);
    ck_assert_uint_eq(row_of(state, MODEL_OP, 2)->impls, 1 << MODEL_IMPL_C | 1 << MODEL_IMPL_PY);
    ck_assert_uint_eq(row_of(state, MODEL_CLASS, 0)->impls, 1 << MODEL_IMPL_C);
    const struct model_totals *totals = &state->totals;
    ck_assert_uint_eq(totals->time_ns, 12000);
    ck_assert_uint_eq(totals->thunk_ns, 12000);
    ck_assert_uint_eq(totals->apply_calls, 65);
    ck_assert_uint_eq(totals->calls, 0);
    ck_assert_uint_eq(totals->vm_ns, MODEL_UNKNOWN);
    ck_assert_uint_eq(totals->rows[MODEL_CLASS], 2);
    ck_assert_uint_eq(totals->rows[MODEL_APPLY], 4);
    ck_assert_uint_eq(state->interval_ns, 0);
    ck_assert_uint_eq(row_of(state, MODEL_OP, 0)->interval_calls, MODEL_UNKNOWN);
    ck_assert_uint_eq(totals->interval_time_ns, MODEL_UNKNOWN);
    model_state_free(&state);
    ck_assert_ptr_null(state);
    model_job_release(&job);
}
END_TEST

START_TEST(one_function)
{
    struct model_job *job = sample_job();
    uint64_t id[] = {0, 1}, calls[] = {3, 4}, ns[] = {20000, 3000}, none[] = {MODEL_UNKNOWN, 1};
    model_job_set_calls(job, 2, id, calls, ns, none, none, false);
    model_job_set_sampled(job, 1, &id[1], &calls[0], ns, false);
    struct model_state *state = model_state_take(job, 1, NULL);
    ck_assert(state->totals.estimated); /* 3 of 4 calls were timed */
    check_row(state, MODEL_OP, 2, 5, 2000, 2000, 1);
    ck_assert(!row_of(state, MODEL_OP, 0)->in_scope);
    ck_assert(!row_of(state, MODEL_CLASS, 0)->in_scope);
    ck_assert(!row_of(state, MODEL_APPLY, 2)->in_scope);
    ck_assert(!row_of(state, MODEL_FUNCTION, 0)->in_scope);
    ck_assert(row_of(state, MODEL_FUNCTION, 1)->in_scope);
    ck_assert_uint_eq(state->totals.time_ns, 2000);
    ck_assert_uint_eq(state->totals.calls, 4);
    ck_assert_uint_eq(state->totals.call_ns, 3000);
    ck_assert_uint_eq(state->totals.rows[MODEL_APPLY], 1);
    model_state_free(&state);
    state = model_state_take(job, MODEL_ALL, NULL);
    ck_assert_uint_eq(state->totals.calls, 7);
    ck_assert_uint_eq(state->totals.call_ns, 23000);
    ck_assert_uint_eq(state->totals.vm_ns, MODEL_UNKNOWN); /* one of the two does not know it */
    model_state_free(&state);
    state = model_state_take(job, 0, NULL);
    ck_assert(!state->totals.estimated);
    model_state_free(&state);
    model_job_release(&job);
}
END_TEST

#define NOT MODEL_UNKNOWN

/* Two root functions: calls, call_ns, vm_ns of both, and the sums. */
static const struct {
    uint64_t calls[2], call_ns[2], vm_ns[2], sum_calls, sum_call, sum_vm;
    bool uncalled;
} call_sums[] = {
    {{3, 4}, {70, 80}, {60, 50}, 7, 150, 110, false},
    {{3, 4}, {70, 80}, {60, NOT}, 7, 150, NOT, false},
    {{3, 4}, {70, NOT}, {60, 50}, 7, NOT, 110, true},
    {{3, 0}, {70, NOT}, {60, NOT}, 3, 70, 60, true}, /* its ops ran all the same */
    {{3, 0}, {70, 0}, {60, NOT}, 3, 70, 60, false},
    {{3, NOT}, {70, NOT}, {60, NOT}, 3, 70, 60, true},
    {{NOT, NOT}, {NOT, NOT}, {NOT, NOT}, NOT, NOT, NOT, true},
};

START_TEST(sums_of_calls_are_whole)
{
    struct model_job *job = sample_job();
    uint64_t id[] = {0, 1}, none[] = {NOT, NOT};
    ck_assert_uint_eq(model_job_set_calls(job, 2, id, call_sums[_i].calls, call_sums[_i].call_ns,
                                          call_sums[_i].vm_ns, none, false),
                      0);
    struct model_state *state = model_state_take(job, MODEL_ALL, NULL);
    ck_assert_uint_eq(state->totals.calls, call_sums[_i].sum_calls);
    ck_assert_uint_eq(state->totals.call_ns, call_sums[_i].sum_call);
    ck_assert_uint_eq(state->totals.vm_ns, call_sums[_i].sum_vm);
    ck_assert_int_eq(state->totals.uncalled, call_sums[_i].uncalled);
    model_state_free(&state);
    model_job_release(&job);
}
END_TEST

/* A third function, without applies: its calls, the time of its VM, and whether its contents are
 * unknown. */
static const struct {
    uint64_t calls, vm_ns;
    bool unseen;
} empty[] = {{5, NOT, true}, {NOT, NOT, true}, {5, 9, false}, {0, NOT, false}};

START_TEST(no_ops_are_no_time_where_that_is_known)
{
    struct model_job *job = sample_job();
    const struct model_function_raw raw = {
        .name = sample_bytes("whole"), .parent = MODEL_NONE, .source = MODEL_ABSENT};
    ck_assert(model_job_add_function(job, &raw));
    uint64_t id = model_job_count(job, MODEL_FUNCTION) - 1, ns = 70, none = NOT;
    ck_assert_uint_eq(
        model_job_set_calls(job, 1, &id, &empty[_i].calls, &ns, &empty[_i].vm_ns, &none, false), 0);
    struct model_state *state = model_state_take(job, MODEL_ALL, NULL);
    ck_assert_uint_eq(row_of(state, MODEL_FUNCTION, (uint32_t)id)->total_ns,
                      empty[_i].unseen ? NOT : 0);
    ck_assert_int_eq(state->totals.unseen, empty[_i].unseen);
    ck_assert_uint_eq(state->totals.thunk_ns, state->totals.time_ns); /* of the others */
    model_state_free(&state);
    state = model_state_take(job, (uint32_t)id, NULL);
    ck_assert_uint_eq(state->totals.thunk_ns, empty[_i].unseen ? NOT : 0);
    model_state_free(&state);
    model_job_release(&job);
}
END_TEST

/* The same with compile, rewrite, validate, link. */
static const struct {
    uint64_t of[2][4], sum[4];
} compile_sums[] = {
    {{{90, 40, 5, 30}, {9, 4, 1, 3}}, {99, 44, 6, 33}},
    {{{90, 40, 5, 30}, {9, 4, NOT, 3}}, {99, 44, NOT, 33}},
    {{{90, 40, 5, 30}, {NOT, NOT, NOT, NOT}}, {90, 40, 5, 30}},
    {{{90, 40, 5, 30}, {NOT, 4, 1, 3}}, {90, 40, 5, 30}}, /* parts without a whole */
    {{{NOT, NOT, NOT, NOT}, {NOT, NOT, NOT, NOT}}, {NOT, NOT, NOT, NOT}},
};

START_TEST(sums_of_compilations_are_whole)
{
    struct model_job *job = sample_job();
    uint64_t none = NOT;
    for (uint64_t id = 0; id < 2; id++) {
        const uint64_t *of = compile_sums[_i].of[id];
        model_job_set_compile(job, 1, &id, &of[0], &of[1], &of[2], &of[3], &none, false);
    }
    struct model_state *state = model_state_take(job, MODEL_ALL, NULL);
    ck_assert_uint_eq(state->totals.compile_ns, compile_sums[_i].sum[0]);
    ck_assert_uint_eq(state->totals.rewrite_ns, compile_sums[_i].sum[1]);
    ck_assert_uint_eq(state->totals.validate_ns, compile_sums[_i].sum[2]);
    ck_assert_uint_eq(state->totals.link_ns, compile_sums[_i].sum[3]);
    model_state_free(&state);
    model_job_release(&job);
}
END_TEST

/* train's dot (apply 2) runs the function `inner`, whose one node (apply 4) took inner_ns. */
static struct model_job *nested_job(bool exclusive, uint64_t inner_ns)
{
    struct model_job *job = sample_empty();
    sample_class(job, "Scan");
    sample_op(job, 0, "Scan{inner}");
    sample_op(job, 0, "tanh");
    sample_function(job, "train", MODEL_NONE);
    struct model_apply_raw scan = {.exclusive = exclusive};
    ck_assert(model_job_add_apply(job, &scan));
    sample_apply(job, 0, 1, 1, "tanh(x)", MODEL_IMPL_C);
    sample_function(job, "inner", 0);
    sample_apply(job, 1, 1, 0, "tanh(s)", MODEL_IMPL_C);
    sample_value(job, 0, 1, 1000);
    sample_value(job, 1, 1, 100);
    sample_value(job, 2, 50, inner_ns);
    return job;
}

START_TEST(inclusive_time)
{
    struct model_job *job = nested_job(false, 600);
    struct model_state *state = model_state_take(job, MODEL_ALL, NULL);
    check_row(state, MODEL_APPLY, 0, 1, 1000, 400, 1);
    ck_assert(!row_of(state, MODEL_APPLY, 0)->clipped);
    check_row(state, MODEL_OP, 1, 51, 700, 700, 2);
    check_row(state, MODEL_FUNCTION, 0, 0, 1100, 500, 2);
    check_row(state, MODEL_FUNCTION, 1, 0, 600, 600, 1);
    ck_assert_uint_eq(state->totals.time_ns, 1100); /* the inclusive time of the root function */
    ck_assert_uint_eq(model_state_time(state, row_of(state, MODEL_OP, 0)), 400);
    model_state_free(&state);
    state = model_state_take(job, 0, NULL);
    ck_assert_uint_eq(model_state_time(state, row_of(state, MODEL_OP, 0)), 1000);
    ck_assert_uint_eq(state->totals.time_ns, 1100);
    model_state_free(&state);
    model_job_release(&job);
}
END_TEST

START_TEST(exclusive_time)
{
    struct model_job *job = nested_job(true, 600);
    struct model_state *state = model_state_take(job, MODEL_ALL, NULL);
    check_row(state, MODEL_APPLY, 0, 1, 1600, 1000, 1);
    check_row(state, MODEL_FUNCTION, 0, 0, 1700, 1100, 2);
    ck_assert_uint_eq(state->totals.time_ns, 1700);
    model_state_free(&state);
    state = model_state_take(job, 0, NULL);
    ck_assert_uint_eq(model_state_time(state, row_of(state, MODEL_OP, 0)), 1600);
    ck_assert_uint_eq(state->totals.time_ns, 1700);
    model_state_free(&state);
    /* A second function inside it: the inside time counts once. */
    sample_function(job, "other", 0);
    sample_apply(job, 2, 1, 0, "tanh(t)", MODEL_IMPL_C);
    sample_value(job, 3, 1, 30);
    state = model_state_take(job, MODEL_ALL, NULL);
    check_row(state, MODEL_APPLY, 0, 1, 1630, 1000, 1);
    model_state_free(&state);
    model_job_release(&job);
}
END_TEST

START_TEST(inner_time_that_is_not_ended)
{
    struct model_job *job = nested_job(false, 1500);
    struct model_state *before = model_state_take(job, MODEL_ALL, NULL);
    check_row(before, MODEL_APPLY, 0, 1, 1000, 0, 1);
    ck_assert(row_of(before, MODEL_APPLY, 0)->clipped);
    ck_assert(row_of(before, MODEL_OP, 0)->clipped);
    ck_assert_uint_eq(before->totals.time_ns, 1600);
    /* The scan ends: 900 ns more in total, 100 ns more inside. */
    sample_value(job, 0, 2, 1900);
    sample_value(job, 2, 60, 1600);
    model_job_set_stamp(job, 5000, 5000);
    model_job_set_values_stamp(job, 5000);
    struct model_state *state = model_state_take(job, MODEL_ALL, before);
    check_row(state, MODEL_APPLY, 0, 2, 1900, 300, 1);
    ck_assert_uint_eq(row_of(state, MODEL_APPLY, 0)->interval_ns, 300);
    /* The inside runs on, in an uncounted call. The own time does not fall. */
    sample_value(job, 2, 70, 1700);
    model_job_set_stamp(job, 6000, 6000);
    model_job_set_values_stamp(job, 6000);
    struct model_state *after = model_state_take(job, MODEL_ALL, state);
    ck_assert_uint_eq(row_of(after, MODEL_APPLY, 0)->self_ns, 300);
    ck_assert_uint_eq(row_of(after, MODEL_APPLY, 0)->interval_ns, 0);
    ck_assert_uint_eq(after->totals.time_ns, 2100); /* the sum of counted time does not change */
    ck_assert_uint_eq(row_of(after, MODEL_APPLY, 2)->interval_ns, 100);
    model_state_free(&before);
    model_state_free(&state);
    model_state_free(&after);
    model_job_release(&job);
}
END_TEST

/* train runs mid in apply 0, mid runs inner in apply 1. inner has counted more time than mid's
 * apply. */
START_TEST(unended_time_two_deep)
{
    struct model_job *job = sample_empty();
    sample_class(job, "Scan");
    sample_op(job, 0, "Scan{}");
    sample_function(job, "train", MODEL_NONE);
    sample_apply(job, 0, 0, 0, "outer", MODEL_IMPL_C);
    sample_function(job, "mid", 0);
    sample_apply(job, 1, 0, 0, "scan", MODEL_IMPL_C);
    sample_function(job, "inner", 1);
    sample_apply(job, 2, 0, 0, "node", MODEL_IMPL_C);
    sample_value(job, 0, 1, 1000);
    sample_value(job, 1, 1, 100);
    sample_value(job, 2, 1, 300);
    struct model_state *state = model_state_take(job, MODEL_ALL, NULL);
    check_row(state, MODEL_APPLY, 0, 1, 1000, 700, 1); /* all 300 ns of mid are inside it */
    check_row(state, MODEL_APPLY, 1, 1, 100, 0, 1);
    check_row(state, MODEL_APPLY, 2, 1, 300, 300, 1);
    ck_assert_uint_eq(state->totals.time_ns, 1000);
    model_state_free(&state);
    model_job_release(&job);
}
END_TEST

START_TEST(intervals)
{
    struct model_job *job = sample_job();
    struct model_state *before = model_state_take(job, MODEL_ALL, NULL);
    sample_value(job, 0, 14, 1700);
    sample_apply(job, 0, 0, 3, "Elemwise{add}(z)", MODEL_IMPL_PY);
    sample_value(job, 4, 2, 300);
    model_job_set_stamp(job, 3500, 9000);
    model_job_set_values_stamp(job, 3500);
    struct model_state *state = model_state_take(job, MODEL_ALL, before);
    ck_assert_uint_eq(state->interval_ns, 2500);
    ck_assert_uint_eq(row_of(state, MODEL_APPLY, 0)->interval_calls, 4);
    ck_assert_uint_eq(row_of(state, MODEL_APPLY, 0)->interval_ns, 700);
    ck_assert_uint_eq(row_of(state, MODEL_APPLY, 1)->interval_calls, 0);
    ck_assert_uint_eq(row_of(state, MODEL_APPLY, 4)->interval_ns, 300); /* new since then */
    ck_assert_uint_eq(row_of(state, MODEL_APPLY, 4)->interval_calls, 2);
    ck_assert_uint_eq(row_of(state, MODEL_OP, 0)->interval_calls, 6);
    ck_assert_uint_eq(row_of(state, MODEL_CLASS, 0)->interval_ns, 1000);
    ck_assert_uint_eq(state->totals.interval_time_ns, 1000);
    ck_assert_uint_eq(state->totals.apply_interval_calls, 6);
    /* The state before has not changed. */
    ck_assert_uint_eq(row_of(before, MODEL_APPLY, 0)->total_ns, 1000);
    ck_assert_uint_eq(before->count[MODEL_APPLY], 4);
    model_state_free(&before);
    model_state_free(&state);
    model_job_release(&job);
}
END_TEST

/* A job sends its first values an hour after its machine started. No interval is that long. */
START_TEST(the_first_values_begin_no_interval_at_zero)
{
    const uint64_t hour = 3600000000000, second = 1000000000;
    struct model_job *job = model_job_new((const uint8_t[16]){7});
    model_job_set_epoch(job, 1);
    model_job_set_stamp(job, hour, hour);
    model_job_set_complete(job);
    struct model_state *state = model_state_take(job, MODEL_ALL, NULL);
    model_job_set_stamp(job, hour + 2 * second, hour + 2 * second);
    model_job_set_values_stamp(job, hour + 2 * second);
    ck_assert(model_state_renew(state, MODEL_ALL));
    ck_assert_uint_eq(state->interval_ns, 2 * second);
    model_state_free(&state);
    model_job_release(&job);
}
END_TEST

static void go_to(struct model_job *job, uint64_t mono_ns, uint64_t calls, uint64_t total_ns)
{
    sample_value(job, 0, calls, total_ns);
    model_job_set_stamp(job, mono_ns, mono_ns);
    model_job_set_values_stamp(job, mono_ns);
}

/* From a given state on, each interval begins where that state's interval began, with its length
 * and content. */
START_TEST(an_interval_goes_on)
{
    struct model_job *job = sample_job();
    struct model_state *state = model_state_take(job, MODEL_ALL, NULL);
    go_to(job, 7000, 14, 1700); /* 6000 later */
    ck_assert(model_state_renew(state, MODEL_ALL));
    for (uint64_t step = 0; step < 4; step++) {
        ck_assert_uint_eq(state->interval_ns, 6000 + step * 1000);
        for (unsigned table = 0; table < MODEL_ROW_TABLES; table++) {
            ck_assert_uint_eq(row_of(state, table, 0)->interval_ns, 700 + step * 50);
            ck_assert_uint_eq(row_of(state, table, 0)->interval_closed_ns, 700 + step * 50);
        }
        ck_assert_uint_eq(row_of(state, MODEL_APPLY, 0)->interval_calls, 4 + step);
        ck_assert_uint_eq(state->totals.apply_interval_calls, 4 + step);
        ck_assert_uint_eq(state->totals.interval_time_ns, 700 + step * 50);
        state->extends = true;
        go_to(job, 8000 + step * 1000, 15 + step, 1750 + step * 50);
        ck_assert(model_state_renew(state, MODEL_ALL));
    }
    state->extends = false;
    go_to(job, 12000, 20, 1950);
    ck_assert(model_state_renew(state, MODEL_ALL));
    ck_assert_uint_eq(state->interval_ns, 1000);
    ck_assert_uint_eq(row_of(state, MODEL_APPLY, 0)->interval_calls, 2);
    ck_assert_uint_eq(state->totals.interval_time_ns, 50);
    model_state_free(&state);
    model_job_release(&job);
}
END_TEST

/* Values arrive at 1000 and 2000 ms. States are taken at 1500 and 2000. The second state's values
 * cover a whole second. Frames without values neither end the rate nor begin an interval. If no
 * values arrive for long, an interval without calls begins. */
START_TEST(intervals_go_by_the_values)
{
    const uint64_t ms = 1000000;
    struct model_job *job = sample_job();
    struct model_state *state[4];
    model_job_identity_mutable(job)->tick_ms = 500;
    model_job_set_values_stamp(job, 1000 * ms);
    model_job_set_stamp(job, 1500 * ms, 1);
    state[0] = model_state_take(job, MODEL_ALL, NULL);
    sample_value(job, 0, 14, 1700);
    model_job_set_values_stamp(job, 2000 * ms);
    model_job_set_stamp(job, 2000 * ms, 1);
    state[1] = model_state_take(job, MODEL_ALL, state[0]);
    ck_assert_uint_eq(state[1]->mono_ns, 2000 * ms);
    ck_assert_uint_eq(state[1]->interval_ns, 1000 * ms);
    model_job_set_stamp(job, 2400 * ms, 1);
    state[2] = model_state_take(job, MODEL_ALL, state[1]);
    ck_assert_uint_eq(state[2]->interval_ns, 1000 * ms);
    ck_assert_uint_eq(state[2]->totals.apply_interval_calls, 4);
    ck_assert_uint_eq(state[2]->totals.interval_time_ns, 700);
    ck_assert_uint_eq(row_of(state[2], MODEL_APPLY, 0)->interval_calls, 4);
    ck_assert_uint_eq(row_of(state[2], MODEL_CLASS, 0)->interval_ns, 700);
    model_job_set_stamp(job, 3600 * ms, 1);
    state[3] = model_state_take(job, MODEL_ALL, state[2]);
    ck_assert_uint_eq(state[3]->interval_ns, 1200 * ms);
    ck_assert_uint_eq(state[3]->totals.apply_interval_calls, 0);
    ck_assert_uint_eq(row_of(state[3], MODEL_APPLY, 0)->interval_calls, 0);
    for (unsigned i = 0; i < 4; i++)
        model_state_free(&state[i]);
    model_job_release(&job);
}
END_TEST

static void add_a_call(struct model_job *job, uint64_t calls, uint64_t values_ns)
{
    const uint64_t id = 0, ns = 100 * calls, none = MODEL_UNKNOWN;
    ck_assert_uint_eq(model_job_set_calls(job, 1, &id, &calls, &ns, &none, &none, false), 0);
    model_job_set_values_stamp(job, values_ns);
    model_job_set_stamp(job, values_ns, 1);
}

/* The call rate is unknown for an interval in which the collection was stopped or restarted. */
START_TEST(there_is_no_rate_of_what_is_not_counted)
{
    static const bool counts[] = {true, true, false, false, true, true};
    struct model_job *job = sample_job();
    struct model_state *before = NULL;
    for (unsigned i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        model_job_identity_mutable(job)->collecting = counts[i];
        add_a_call(job, 10 + i, (i + 1) * UINT64_C(1000000000));
        struct model_state *state = model_state_take(job, MODEL_ALL, before);
        const bool known = i > 0 && counts[i - 1] && counts[i];
        ck_assert_uint_eq(state->totals.interval_calls, known ? 1 : MODEL_UNKNOWN);
        ck_assert_uint_eq(state->interval_ns, i ? 1000000000 : 0);
        model_state_free(&before);
        before = state;
    }
    model_job_identity_mutable(job)->collecting = false; /* no more values arrive */
    model_job_set_stamp(job, UINT64_C(6000000001), 1);
    struct model_state *state = model_state_take(job, MODEL_ALL, before);
    ck_assert_uint_eq(state->totals.interval_calls, MODEL_UNKNOWN);
    model_state_free(&state);
    model_state_free(&before);
    model_job_release(&job);
}
END_TEST

enum { OTHER_SCOPE, OTHER_EPOCH, OTHER_JOB, NOT_COMPLETE, SAME_STAMP, NO_INTERVAL_ROWS };

START_TEST(no_interval)
{
    struct model_job *job =
        _i == NOT_COMPLETE ? model_job_new((const uint8_t[16]){0}) : sample_job();
    struct model_state *before = model_state_take(job, MODEL_ALL, NULL);
    if (_i == OTHER_EPOCH)
        model_job_set_epoch(job, 2);
    if (_i == OTHER_JOB) {
        model_job_release(&job);
        job = sample_job();
    }
    if (_i != SAME_STAMP)
        model_job_set_stamp(job, 100000, 100000);
    struct model_state *state = model_state_take(job, _i == OTHER_SCOPE ? 0 : MODEL_ALL, before);
    ck_assert_uint_eq(state->interval_ns, 0);
    ck_assert_uint_eq(state->totals.interval_time_ns, MODEL_UNKNOWN);
    for (uint32_t i = 0; i < state->count[MODEL_APPLY]; i++)
        ck_assert_uint_eq(row_of(state, MODEL_APPLY, i)->interval_calls, MODEL_UNKNOWN);
    model_state_free(&before);
    model_state_free(&state);
    model_job_release(&job);
}
END_TEST

/* A job that is over does not keep the rate of its last tick. A running job does. */
START_TEST(no_interval_after_the_end)
{
    struct model_job *job = sample_job();
    struct model_state *state[3];
    state[0] = model_state_take(job, MODEL_ALL, NULL);
    ck_assert_uint_eq(sample_value(job, 0, 14, 2000), 0);
    model_job_set_stamp(job, 100000, 100000);
    model_job_set_values_stamp(job, 100000);
    state[1] = model_state_take(job, MODEL_ALL, state[0]);
    ck_assert_uint_eq(state[1]->totals.interval_time_ns, 1000);
    model_job_set_stamp(job, 100001, 100001);
    model_job_set_ended(job, _i);
    state[2] = model_state_take(job, MODEL_ALL, state[1]);
    ck_assert_int_eq(state[2]->ended, _i);
    ck_assert_uint_eq(state[2]->interval_ns, _i ? 0 : 99000);
    ck_assert_uint_eq(state[2]->totals.interval_time_ns, _i ? MODEL_UNKNOWN : 1000);
    ck_assert_uint_eq(row_of(state[2], MODEL_APPLY, 0)->interval_calls, _i ? MODEL_UNKNOWN : 4);
    ck_assert_uint_eq(row_of(state[2], MODEL_CLASS, 0)->interval_ns, _i ? MODEL_UNKNOWN : 1000);
    ck_assert_uint_eq(row_of(state[2], MODEL_APPLY, 0)->calls, 14);
    for (unsigned i = 0; i < 3; i++)
        model_state_free(&state[i]);
    model_job_release(&job);
}
END_TEST

/* A job that counts in windows sends what it counted: every row is a part. */
START_TEST(windows_make_estimates)
{
    struct model_job *job = sample_job();
    model_job_identity_mutable(job)->share = 0.25;
    struct model_state *state = model_state_take(job, MODEL_ALL, NULL);
    check_row(state, MODEL_APPLY, 0, 10, 1000, 1000, 1);
    for (unsigned table = 0; table < MODEL_ROW_TABLES; table++)
        ck_assert(row_of(state, table, 0)->estimated);
    ck_assert(state->totals.ops_estimated);
    model_state_free(&state);
    model_job_release(&job);
}
END_TEST

START_TEST(estimates)
{
    struct model_job *job = sample_job();
    uint64_t id[] = {0, 1, 2}, min[] = {10, 5, 7}, max[] = {90, 6, MODEL_UNKNOWN};
    uint64_t timed[] = {4, 20, 30};
    model_job_set_extremes(job, 3, id, min, max, timed, false);
    struct model_state *state = model_state_take(job, MODEL_ALL, NULL);
    check_row(state, MODEL_APPLY, 0, 10, 1000, 1000, 1); /* the publisher's estimate */
    ck_assert(row_of(state, MODEL_APPLY, 0)->estimated);
    ck_assert(!row_of(state, MODEL_APPLY, 1)->estimated);
    ck_assert(row_of(state, MODEL_CLASS, 0)->estimated);
    ck_assert(!row_of(state, MODEL_CLASS, 1)->estimated);
    ck_assert_uint_eq(row_of(state, MODEL_CLASS, 0)->min_ns, 5);
    ck_assert_uint_eq(row_of(state, MODEL_CLASS, 0)->max_ns, 90);
    ck_assert_uint_eq(row_of(state, MODEL_CLASS, 1)->min_ns, 7);
    ck_assert_uint_eq(row_of(state, MODEL_CLASS, 1)->max_ns, MODEL_UNKNOWN);
    ck_assert(state->totals.time_ns == 12000 && state->totals.ops_estimated);
    model_state_free(&state);
    model_job_release(&job);
}
END_TEST

START_TEST(ran_but_never_timed)
{
    struct model_job *job = sample_empty();
    sample_class(job, "c");
    sample_op(job, 0, "o");
    sample_function(job, "f", MODEL_NONE);
    sample_apply(job, 0, 0, 0, "a", 0);
    sample_apply(job, 0, 0, 1, "b", 0);
    uint64_t id = 0, none = MODEL_UNKNOWN, timed = 0;
    sample_value(job, 0, 5, 0);
    model_job_set_extremes(job, 1, &id, &none, &none, &timed, false);
    struct model_state *state = model_state_take(job, MODEL_ALL, NULL);
    ck_assert_uint_eq(row_of(state, MODEL_APPLY, 0)->total_ns, MODEL_UNKNOWN);
    ck_assert_uint_eq(row_of(state, MODEL_APPLY, 1)->total_ns, 0);
    ck_assert_uint_eq(row_of(state, MODEL_OP, 0)->total_ns, MODEL_UNKNOWN);
    ck_assert_uint_eq(row_of(state, MODEL_CLASS, 0)->self_ns, MODEL_UNKNOWN);
    ck_assert_uint_eq(state->totals.time_ns, 0);
    model_state_free(&state);
    sample_value(job, 1, 1, 30);
    state = model_state_take(job, MODEL_ALL, NULL);
    ck_assert_uint_eq(row_of(state, MODEL_CLASS, 0)->self_ns, 30);
    ck_assert(row_of(state, MODEL_CLASS, 0)->estimated);
    model_state_free(&state);
    model_job_release(&job);
}
END_TEST

static const struct {
    uint8_t source;
    uint64_t total_ns;
} untimed[] = {
    {MODEL_TIMED, MODEL_UNKNOWN}, {MODEL_GIVEN, MODEL_UNKNOWN}, {MODEL_SET, 0}};

/* Values given by the program are exact. Other calls have no time without a timed one. */
START_TEST(untimed_by_source)
{
    struct model_job *job = sample_empty();
    struct model_apply_raw raw = {.source = untimed[_i].source};
    sample_class(job, "c");
    sample_op(job, 0, "o");
    sample_function(job, "f", MODEL_NONE);
    ck_assert(model_job_add_apply(job, &raw));
    uint64_t id = 0, none = MODEL_UNKNOWN, timed = 0;
    sample_value(job, 0, 5, 0);
    model_job_set_extremes(job, 1, &id, &none, &none, &timed, false);
    struct model_state *state = model_state_take(job, MODEL_ALL, NULL);
    ck_assert_uint_eq(row_of(state, MODEL_APPLY, 0)->total_ns, untimed[_i].total_ns);
    ck_assert_uint_eq(row_of(state, MODEL_CLASS, 0)->self_ns, untimed[_i].total_ns);
    model_state_free(&state);
    model_job_release(&job);
}
END_TEST

/* If some applies of an op are not counted, the op's sum is the sum of the others, in any order. A
 * counted apply that never ran has 0 calls. */
START_TEST(left_out_applies_are_in_no_sum)
{
    for (uint32_t out = 0; out <= 2; out += 2) {
        struct model_job *job = sample_empty();
        sample_class(job, "Dot");
        sample_class(job, "Idle");
        sample_op(job, 0, "dot");
        sample_op(job, 1, "idle");
        sample_function(job, "f", MODEL_NONE);
        for (uint32_t id = 0; id < 4; id++)
            sample_apply(job, 0, id < 3 ? 0 : 1, id, "x", MODEL_IMPL_C);
        model_job_set_left_out(job, MODEL_APPLY, out, true);
        model_job_set_left_out(job, MODEL_APPLY, 3, true);
        struct model_state *state = model_state_take(job, MODEL_ALL, NULL);
        check_row(state, MODEL_OP, 0, 0, 0, 0, 3);
        check_row(state, MODEL_OP, 1, MODEL_UNKNOWN, MODEL_UNKNOWN, MODEL_UNKNOWN, 1);
        check_row(state, MODEL_CLASS, 1, MODEL_UNKNOWN, MODEL_UNKNOWN, MODEL_UNKNOWN, 1);
        ck_assert_uint_eq(row_of(state, MODEL_APPLY, 3)->timed, MODEL_UNKNOWN);
        ck_assert_uint_eq(state->totals.apply_calls, 0);
        ck_assert_uint_eq(state->totals.thunk_ns, 0); /* of the counted ones */
        model_state_free(&state);
        sample_value(job, 1, 10, 1000);
        state = model_state_take(job, MODEL_ALL, NULL);
        check_row(state, MODEL_OP, 0, 10, 1000, 1000, 3);
        check_row(state, MODEL_FUNCTION, 0, 0, 1000, 1000, 4);
        check_row(state, MODEL_LINE, 0, 10, 1000, 1000, 4);
        ck_assert_uint_eq(state->totals.time_ns, 1000);
        model_state_free(&state);
        /* If all are left out, nothing is known. */
        struct model_job *all = sample_empty();
        sample_class(all, "Dot");
        sample_op(all, 0, "dot");
        sample_function(all, "f", MODEL_NONE);
        sample_apply(all, 0, 0, 0, "x", MODEL_IMPL_C);
        model_job_set_left_out(all, MODEL_APPLY, 0, true);
        state = model_state_take(all, MODEL_ALL, NULL);
        ck_assert_uint_eq(state->totals.thunk_ns, MODEL_UNKNOWN);
        model_state_free(&state);
        model_job_release(&all);
        /* The calls counted before it was left out are known. */
        sample_value(job, 3, 5, 500);
        state = model_state_take(job, MODEL_ALL, NULL);
        check_row(state, MODEL_CLASS, 1, 5, 500, 500, 1);
        ck_assert_uint_eq(state->totals.apply_calls, 15);
        model_state_free(&state);
        model_job_release(&job);
    }
}
END_TEST

START_TEST(absurd_values_do_not_wrap)
{
    struct model_job *job = sample_job();
    for (uint64_t i = 0; i < 4; i++)
        ck_assert_uint_eq(sample_value(job, i, UINT64_MAX - 1, UINT64_MAX - 1), 0);
    struct model_state *state = model_state_take(job, MODEL_ALL, NULL);
    ck_assert_uint_eq(row_of(state, MODEL_CLASS, 0)->total_ns, UINT64_MAX - 1);
    ck_assert_uint_eq(row_of(state, MODEL_FUNCTION, 0)->self_ns, UINT64_MAX - 1);
    ck_assert_uint_eq(state->totals.time_ns, UINT64_MAX - 1);
    model_state_free(&state);
    model_job_release(&job);
}
END_TEST

START_TEST(open_calls_are_reported)
{
    struct model_job *job = sample_job();
    model_job_add_thread(job, "main", 4, 1);
    model_job_add_thread(job, "other", 5, 2);
    struct model_now now[] = {{0, 2, 900, 0}, {1, 3, 700, 0}};
    model_job_set_now(job, 2, now, 1000);
    uint64_t id[] = {1}, ns[] = {MODEL_UNKNOWN}, since[] = {444};
    model_job_set_compile(job, 1, id, ns, ns, ns, ns, since, false);
    struct model_state *state = model_state_take(job, MODEL_ALL, NULL);
    model_job_set_now(job, 0, NULL, 1100);
    ck_assert_uint_eq(state->now_count, 2);
    ck_assert_uint_eq(model_state_oldest_now(state)->apply, 3);
    ck_assert_uint_eq(model_state_compiling(state), 1);
    model_state_free(&state);
    state = model_state_take(job, 0, NULL);
    ck_assert_ptr_null(model_state_oldest_now(state));
    model_state_free(&state);
    model_job_release(&job);
}
END_TEST

START_TEST(nothing_yet)
{
    struct model_job *job = model_job_new((const uint8_t[16]){1});
    struct model_state *state = model_state_take(job, MODEL_ALL, NULL);
    model_job_release(&job); /* the state keeps a reference */
    ck_assert(!state->complete);
    ck_assert_uint_eq(state->totals.time_ns, 0);
    ck_assert_uint_eq(state->totals.calls, MODEL_UNKNOWN);
    ck_assert_uint_eq(model_state_compiling(state), MODEL_NONE);
    ck_assert_ptr_null(model_state_take(NULL, MODEL_ALL, state));
    model_state_free(&state);
}
END_TEST

/* A working apply is shown before a waiting one, and a waiting one before one that is aside,
 * whatever their durations. */
START_TEST(the_oldest_that_works_is_shown)
{
    struct model_job *job = sample_aside();
    ck_assert(model_job_add_thread(job, "main", 4, 1) && model_job_add_thread(job, "io", 2, 2));
    const struct model_now now[] = {{0, 5, 10, 0}, {1, 2, 500, 0}};
    struct model_state *state;
    for (size_t count = 0; count <= 2; count++) {
        ck_assert(model_job_set_now(job, count, now, 900 + count));
        state = model_state_take(job, MODEL_ALL, NULL);
        const struct model_now *oldest = model_state_oldest_now(state);
        ck_assert_uint_eq(oldest ? oldest->apply : 9, count == 0 ? 9 : count == 1 ? 5 : 2);
        model_state_free(&state);
    }
    const struct model_now both[] = {{0, 5, 10, 0}, {1, 4, 5, 0}};
    ck_assert(model_job_set_now(job, 2, both, 1000));
    state = model_state_take(job, MODEL_ALL, NULL);
    ck_assert_uint_eq(model_state_oldest_now(state)->apply, 4);
    model_state_free(&state);
    static const uint32_t beside[] = {6, 4, 2}; /* alone, with a waiting one, with a working one */
    for (size_t i = 0; i < TAP_ROWS(beside); i++) {
        const struct model_now with[] = {{0, 6, 10, 0}, {1, beside[i], 500 + i, 0}};
        ck_assert(model_job_set_now(job, i == 0 ? 1 : 2, with, 1100 + i));
        state = model_state_take(job, MODEL_ALL, NULL);
        ck_assert_uint_eq(model_state_oldest_now(state)->apply, beside[i]);
        model_state_free(&state);
    }
    model_job_release(&job);
}
END_TEST

/* Other rows count the time that is aside. It is no waiting, and in no sum. Its interval is its
 * row's interval, after a pause too. */
START_TEST(aside_time_is_in_no_sum)
{
    struct model_job *job = sample_aside();
    struct model_state *state = model_state_take(job, MODEL_ALL, NULL);
    ck_assert_uint_eq(state->totals.time_ns, 12000);
    ck_assert_uint_eq(state->totals.wait_ns, 91500);
    ck_assert_uint_eq(state->totals.aside_ns, 50700);
    ck_assert_uint_eq(state->totals.thunk_ns, 103500);
    const struct model_row *train = &state->row[MODEL_FUNCTION][0];
    ck_assert_uint_eq(train->total_ns, 10000 + 91500 + 50700);
    ck_assert_uint_eq(model_state_work(state, MODEL_FUNCTION, train), 10000);
    ck_assert_uint_eq(model_state_waited(state, MODEL_FUNCTION, train).ns, 91500);
    ck_assert_uint_eq(model_state_waited(state, MODEL_FUNCTION, train).aside_ns, 50700);
    for (uint64_t turn = 1; turn <= 3; turn++) {
        sample_value(job, 1, 20 + turn, 500 + turn * 100);
        sample_value(job, 6, 4 + turn, 700 + turn * 30);
        sample_value(job, 7, 1 + turn, 50000 + turn * 10);
        model_job_set_stamp(job, 1000 + turn * 1000, 0);
        model_job_set_values_stamp(job, 1000 + turn * 1000);
        struct model_state *next = model_state_take(job, MODEL_ALL, state);
        const struct model_row *mul = &next->row[MODEL_OP][1];
        const struct model_row *invoke = &next->row[MODEL_OP][4];
        const struct model_waited part = model_state_waited(next, MODEL_OP, mul);
        const uint64_t turns = turn == 3 ? 2 : 1; /* a pause began before the second one */
        ck_assert_uint_eq(mul->interval_ns, turns * 130);
        ck_assert_uint_eq(part.aside_interval_ns, turns * 30);
        ck_assert_uint_eq(part.interval_ns, 0);
        ck_assert_uint_eq(model_state_interval_work(next, MODEL_OP, mul), turns * 100);
        ck_assert_uint_eq(model_state_waited(next, MODEL_OP, invoke).aside_interval_ns, turns * 10);
        ck_assert_uint_eq(model_state_interval_work(next, MODEL_OP, invoke), MODEL_UNKNOWN);
        ck_assert_uint_eq(next->totals.interval_time_ns, turns * 100);
        next->extends = turn == 2;
        model_state_free(&state);
        state = next;
    }
    model_state_free(&state);
    model_job_release(&job);
}
END_TEST

/* The waiting of a row covers the row's own interval, after a pause too. */
START_TEST(waiting_is_of_the_interval_of_its_row)
{
    struct model_job *job = sample_waiting();
    struct model_state *state = model_state_take(job, MODEL_ALL, NULL);
    for (uint64_t turn = 1; turn <= 3; turn++) {
        sample_value(job, 1, 20 + turn, 500 + turn * 100);
        sample_value(job, 4, 4 + turn, 1500 + turn * 40);
        model_job_set_stamp(job, 1000 + turn * 1000, 0);
        model_job_set_values_stamp(job, 1000 + turn * 1000);
        struct model_state *next = model_state_take(job, MODEL_ALL, state);
        const struct model_row *row = &next->row[MODEL_OP][1];
        const uint64_t turns = turn == 3 ? 2 : 1; /* a pause began before the second one */
        ck_assert_uint_eq(row->interval_ns, turns * 140);
        ck_assert_uint_eq(model_state_waited(next, MODEL_OP, row).interval_ns, turns * 40);
        ck_assert_uint_eq(model_state_interval_work(next, MODEL_OP, row), turns * 100);
        ck_assert_uint_eq(next->totals.interval_time_ns, turns * 100);
        next->extends = turn == 2;
        model_state_free(&state);
        state = next;
    }
    model_state_free(&state);
    model_job_release(&job);
}
END_TEST

/* Within one function, the time of a waiting apply includes the functions inside it. Over all
 * functions, these functions' work is their own. If a row's work time is unknown, its waiting time
 * does not count as work. */
START_TEST(waiting_is_of_the_time_of_the_scope)
{
    struct model_job *job = sample_waiting();
    sample_function(job, "inside", 5);
    sample_apply(job, 2, 0, 0, "Elemwise{add}(inside)", MODEL_IMPL_C);
    ck_assert_uint_eq(sample_value(job, 6, 1, 30000), 0);
    struct model_state *all = model_state_take(job, MODEL_ALL, NULL);
    struct model_state *one = model_state_take(job, 0, NULL);
    ck_assert_uint_eq(model_state_waited(all, MODEL_APPLY, &all->row[MODEL_APPLY][5]).ns, 60000);
    ck_assert_uint_eq(all->totals.time_ns, 12000 + 30000);
    ck_assert_uint_eq(all->totals.wait_ns, 61500);
    ck_assert_uint_eq(model_state_waited(one, MODEL_APPLY, &one->row[MODEL_APPLY][5]).ns, 90000);
    ck_assert_uint_eq(one->totals.time_ns, 10000);
    ck_assert_uint_eq(one->totals.wait_ns, 91500);
    model_state_free(&all);
    model_state_free(&one);
    const uint64_t id = 1, none = 0, min = 1; /* the working one ran untimed */
    struct model_job *mixed = sample_empty();
    sample_class(mixed, "C");
    sample_op(mixed, 0, "op");
    sample_function(mixed, "f", MODEL_NONE);
    const struct model_apply_raw waits = {.waits = MODEL_WAITS};
    ck_assert(model_job_add_apply(mixed, &waits));
    sample_apply(mixed, 0, 0, 1, "works", MODEL_IMPL_C);
    ck_assert_uint_eq(sample_value(mixed, 0, 1, 700), 0);
    ck_assert_uint_eq(sample_value(mixed, 1, 3, 0), 0);
    ck_assert_uint_eq(model_job_set_extremes(mixed, 1, &id, &min, &min, &none, false), 0);
    one = model_state_take(mixed, MODEL_ALL, NULL);
    ck_assert_uint_eq(model_state_work(one, MODEL_OP, &one->row[MODEL_OP][0]), MODEL_UNKNOWN);
    ck_assert(!model_row_left_out(&one->row[MODEL_OP][0]));
    ck_assert_uint_eq(model_state_waited(one, MODEL_OP, &one->row[MODEL_OP][0]).ns, 700);
    model_state_free(&one);
    model_job_release(&mixed);
    model_job_release(&job);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("state");
    tap_add(s, "the_oldest_that_works_is_shown", the_oldest_that_works_is_shown);
    tap_add(s, "aside_time_is_in_no_sum", aside_time_is_in_no_sum);
    tap_add(s, "waiting_is_of_the_interval_of_its_row", waiting_is_of_the_interval_of_its_row);
    tap_add(s, "waiting_is_of_the_time_of_the_scope", waiting_is_of_the_time_of_the_scope);
    tap_add(s, "all_functions", all_functions);
    tap_add(s, "one_function", one_function);
    tap_add_loop(s, "call_sums", sums_of_calls_are_whole, TAP_ROWS(call_sums));
    tap_add_loop(s, "empty", no_ops_are_no_time_where_that_is_known, TAP_ROWS(empty));
    tap_add_loop(s, "compile_sums", sums_of_compilations_are_whole, TAP_ROWS(compile_sums));
    tap_add(s, "inclusive_time", inclusive_time);
    tap_add(s, "exclusive_time", exclusive_time);
    tap_add(s, "inner_time_that_is_not_ended", inner_time_that_is_not_ended);
    tap_add(s, "unended_time_two_deep", unended_time_two_deep);
    tap_add(s, "intervals", intervals);
    tap_add(s, "first_values", the_first_values_begin_no_interval_at_zero);
    tap_add(s, "goes_on", an_interval_goes_on);
    tap_add(s, "values", intervals_go_by_the_values);
    tap_add(s, "not_counted", there_is_no_rate_of_what_is_not_counted);
    tap_add_loop(s, "no_interval", no_interval, NO_INTERVAL_ROWS);
    tap_add_loop(s, "no_interval_after_the_end", no_interval_after_the_end, 2);
    tap_add(s, "estimates", estimates);
    tap_add(s, "windows_make_estimates", windows_make_estimates);
    tap_add(s, "ran_but_never_timed", ran_but_never_timed);
    tap_add_loop(s, "untimed_by_source", untimed_by_source, TAP_ROWS(untimed));
    tap_add(s, "left_out_applies_are_in_no_sum", left_out_applies_are_in_no_sum);
    tap_add(s, "absurd_values_do_not_wrap", absurd_values_do_not_wrap);
    tap_add(s, "open_calls_are_reported", open_calls_are_reported);
    tap_add(s, "nothing_yet", nothing_yet);
    return s;
}
TAP_MAIN(suite)

/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * totals.c: sums over the scope of a state.
 */
#include "model/state_private.h"

#include "model/dialect.h"

struct function_sums {
    struct model_sum calls, call, vm, compile, rewrite, validate, link;
};

/* Adds the figures of a function. A figure is not missing if there was nothing to measure: a
 * function that was never called has no call time, and a function without a timed compilation has
 * no parts of it. */
static void add_function(struct function_sums *sums, const struct model_function_value *value)
{
    if (value->calls != MODEL_UNKNOWN)
        model_sum_add(&sums->calls, value->calls);
    bool called = value->calls != MODEL_UNKNOWN && value->calls > 0;
    if (called || value->call_ns != MODEL_UNKNOWN)
        model_sum_add(&sums->call, value->call_ns);
    if (called || value->vm_ns != MODEL_UNKNOWN)
        model_sum_add(&sums->vm, value->vm_ns);
    if (value->compile_ns != MODEL_UNKNOWN) {
        model_sum_add(&sums->compile, value->compile_ns);
        model_sum_add(&sums->rewrite, value->rewrite_ns);
        model_sum_add(&sums->validate, value->validate_ns);
        model_sum_add(&sums->link, value->link_ns);
    }
}

/* True if an apply of this function runs in a known open call. A function inside an apply is part
 * of the call of the apply's function, and has a higher id. */
static bool is_in_open(const struct model_state *state, uint32_t function)
{
    while (state->part[function] != MODEL_PART_OUTER) {
        const uint32_t parent = model_job_function(state->job, function)->parent;
        const uint32_t outer =
            parent == MODEL_NONE ? function : model_job_apply(state->job, parent)->function;
        if (outer >= function)
            return false;
        function = outer;
    }
    return state->function[function].open_since_ns != MODEL_UNKNOWN;
}

/* Only the oldest open call of each function is known. If more threads are in applies of such
 * functions than there are functions, a function has a second open call. (Threads may also share
 * one call; this is unknown.) */
static bool has_more_open(const struct model_state *state, uint32_t open)
{
    uint32_t threads = 0;
    for (size_t i = 0; i < state->now_count; i++)
        threads += is_in_open(state, model_job_apply(state->job, state->now[i].apply)->function);
    return threads > open;
}

/* True if ops ran unobserved in calls of a function: the function has no applies, or all its
 * applies have fewer calls, because counting started late. Tolerates a hundredth, because calls
 * may end between the two readings. Only for the Theano family: in other programs a call may run
 * no op. */
static bool has_unseen(const struct model_taking *t, uint32_t function)
{
    const struct model_row *row = &t->state->row[MODEL_FUNCTION][function];
    const uint64_t calls = t->state->function[function].calls, most = t->most_calls[function];
    if (row->applies == 0)
        return row->total_ns == MODEL_UNKNOWN;
    return model_dialect_of(model_job_identity(t->state->job)) &&
           row->calls != MODEL_UNKNOWN && calls != MODEL_UNKNOWN && calls > most &&
           calls - most > calls / 100;
}

static void take_function_totals(const struct model_taking *t)
{
    const struct model_state *state = t->state;
    struct model_totals *totals = &t->state->totals;
    struct function_sums sums = {0};
    uint32_t open = 0;
    totals->estimated = state->share < 1;
    for (uint32_t f = 0; f < state->count[MODEL_FUNCTION]; f++) {
        if (state->part[f] != MODEL_PART_OUTER)
            continue;
        const struct model_function_value *value = &state->function[f];
        add_function(&sums, value);
        /* Functions with estimates run inside applies, and are outermost only if chosen alone. */
        totals->estimated |= model_function_estimated(value);
        totals->uncalled |= value->call_ns == MODEL_UNKNOWN && t->inclusive[f] > 0;
        const struct model_row *row = &state->row[MODEL_FUNCTION][f];
        /* The time of an apply with its inner functions is known as a whole, even if its parts are
         * estimates. */
        totals->ops_estimated |= t->vague ? t->vague[f] : row->estimated;
        totals->unseen |= has_unseen(t, f);
        totals->open_ns = model_state_plus(
            totals->open_ns, model_known_or_0(model_since(state->mono_ns, value->open_since_ns)));
        open += value->open_since_ns != MODEL_UNKNOWN;
    }
    totals->more_open = has_more_open(state, open);
    totals->calls = model_sum_of(&sums.calls);
    totals->call_ns = model_sum_of(&sums.call);
    totals->vm_ns = model_sum_of(&sums.vm);
    totals->compile_ns = model_sum_of(&sums.compile);
    totals->rewrite_ns = model_sum_of(&sums.rewrite);
    totals->validate_ns = model_sum_of(&sums.validate);
    totals->link_ns = model_sum_of(&sums.link);
}

uint64_t model_totals_thunks(const struct model_totals *totals)
{
    const uint64_t ns = model_state_plus(totals->time_ns, model_known_or_0(totals->wait_ns));
    const bool nothing = totals->rows[MODEL_CLASS] == 0 || ns == 0;
    return totals->unseen && nothing ? MODEL_UNKNOWN : ns;
}

/* True if the job's settings exclude all ops in scope: their time is unknown, not 0. */
static bool is_left_out(const struct model_state *state)
{
    bool any = false;
    for (uint32_t i = 0; i < state->count[MODEL_CLASS]; i++) {
        const struct model_row *row = &state->row[MODEL_CLASS][i];
        if (row->in_scope && (row->calls != MODEL_UNKNOWN || row->total_ns != MODEL_UNKNOWN))
            return false;
        any |= row->in_scope;
    }
    return any;
}

static void add_part(uint64_t *sum, uint64_t ns)
{
    *sum = model_state_plus(model_known_or_0(*sum), model_known_or_0(ns));
}

/* Adds a class row. The classes contain all applies of the scope, so their parts add up to the
 * totals. */
static void add_class(const struct model_state *state, const struct model_row *row,
                      struct model_totals *totals)
{
    totals->apply_calls = model_state_plus(totals->apply_calls, model_known_or_0(row->calls));
    totals->time_ns =
        model_state_plus(totals->time_ns,
                         model_known_or_0(model_state_work(state, MODEL_CLASS, row)));
    const struct model_waited part = model_state_waited(state, MODEL_CLASS, row);
    if (row->in_scope && (row->does & MODEL_DOES_WAIT))
        add_part(&totals->wait_ns, part.ns);
    if (row->in_scope && (row->does & MODEL_DOES_ASIDE))
        add_part(&totals->aside_ns, part.aside_ns);
}

void model_totals_take(const struct model_taking *t)
{
    const struct model_state *before = t->before;
    struct model_state *state = t->state;
    struct model_totals *totals = &state->totals;
    take_function_totals(t);
    for (unsigned table = 0; table < MODEL_APPLY; table++)
        for (uint32_t i = 0; i < state->count[table]; i++)
            totals->rows[table] += state->row[table][i].in_scope;
    totals->wait_ns = totals->aside_ns = MODEL_UNKNOWN;
    for (uint32_t i = 0; i < state->count[MODEL_CLASS]; i++)
        add_class(state, &state->row[MODEL_CLASS][i], totals);
    totals->thunk_ns = is_left_out(state) ? MODEL_UNKNOWN : model_totals_thunks(totals);
    totals->interval_calls = totals->apply_interval_calls = MODEL_UNKNOWN;
    totals->interval_time_ns = MODEL_UNKNOWN;
    if (!before)
        return;
    /* The call rate is unknown for an interval in which counting was stopped. */
    const bool counted = before->counts && state->counts;
    if (t->keeps) {
        totals->interval_calls = counted ? before->totals.interval_calls : MODEL_UNKNOWN;
        totals->apply_interval_calls = before->totals.apply_interval_calls;
        totals->interval_time_ns = before->totals.interval_time_ns;
        return;
    }
    const struct model_totals *was = &before->totals;
    if (counted)
        totals->interval_calls =
            model_since(totals->calls, model_began(before, was->calls, was->interval_calls));
    totals->apply_interval_calls = model_since(
        totals->apply_calls, model_began(before, was->apply_calls, was->apply_interval_calls));
    totals->interval_time_ns = model_since(
        totals->time_ns, model_began(before, was->time_ns, was->interval_time_ns));
}

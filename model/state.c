/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * state.c: copies the values of a job and derives all displayed figures. Linear in the rows.
 */
#include "model/state.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "model/compile.h"
#include "model/extra.h"
#include "model/inside.h"
#include "model/multi_job.h"
#include "model/state_private.h"

enum { NS_PER_MS = 1000000, MAX_TICK_MS = 1000, AHEAD = 12 };

uint64_t model_state_plus(uint64_t a, uint64_t b)
{
    uint64_t sum;
    if (__builtin_add_overflow(a, b, &sum) || sum == MODEL_UNKNOWN)
        return MODEL_UNKNOWN - 1;
    return sum;
}

/* -------------------------------------------------------------------------------- interval */

static bool has_interval(const struct model_state *state, const struct model_state *before)
{
    return before && !state->ended && before->job == state->job && before->epoch == state->epoch &&
           before->scope == state->scope && before->complete && state->mono_ns > before->mono_ns;
}

/* Values arrive with each tick in which anything happened. Frames between two ticks carry no values
 * and say nothing about the rate, so the rate stays. If no values arrive for longer, nothing
 * happens. */
static bool is_between_ticks(const struct model_state *state, const struct model_state *before)
{
    uint64_t tick_ms = model_job_identity(state->job)->tick_ms;
    uint64_t patience_ns =
        3 * (tick_ms > 0 && tick_ms < MAX_TICK_MS ? tick_ms : MAX_TICK_MS) * (uint64_t)NS_PER_MS;
    return state->values_ns == before->values_ns && state->mono_ns - state->values_ns < patience_ns;
}

static void begin_interval(struct model_taking *t, const struct model_state *before)
{
    struct model_state *state = t->state;
    if (!has_interval(state, before))
        return;
    t->before = before;
    t->keeps = is_between_ticks(state, before);
    if (t->keeps)
        state->interval_ns = before->interval_ns;
    else if (before->values_ns != 0 && state->values_ns > before->values_ns)
        state->interval_ns = state->values_ns - before->values_ns;
    else
        state->interval_ns = state->mono_ns - before->mono_ns;
    if (!t->keeps && before->extends)
        state->interval_ns = model_state_plus(state->interval_ns, before->interval_ns);
}

/* The values of a row at the start of the interval, or the finished interval values if they
 * stay. */
struct from {
    uint64_t calls, ns, closed_ns;
};

static struct from interval_from(const struct model_taking *t, enum model_table table, uint32_t id)
{
    const struct model_state *before = t->before;
    const struct from unknown = {MODEL_UNKNOWN, MODEL_UNKNOWN, MODEL_UNKNOWN};
    /* An apply that moved to another line took its past along. That past is not part of the
     * interval. */
    if (!before || (table == MODEL_LINE && t->state->lines_moved != before->lines_moved) ||
        (table == MODEL_APPLY && before->sums))
        return unknown;
    bool is_new = id >= before->count[table];
    const struct model_row *old = is_new ? NULL : &before->row[table][id];
    if (t->keeps)
        return is_new ? unknown
                      : (struct from){old->interval_calls, old->interval_ns,
                                      old->interval_closed_ns};
    /* A row that is new since then started at 0. */
    if (is_new)
        return (struct from){0, 0, 0};
    return (struct from){
        model_began(before, old->calls, old->interval_calls),
        model_began(before, model_state_time(before, old), old->interval_ns),
        model_began(before, model_state_closed(before, old), old->interval_closed_ns)};
}

/* Turns the values at the start of the interval into differences. */
static void end_interval(const struct model_taking *t, struct model_row *row)
{
    if (t->keeps)
        return;
    uint64_t time_ns = model_state_time(t->state, row);
    row->interval_calls =
        row->in_scope ? model_since(row->calls, row->interval_calls) : MODEL_UNKNOWN;
    row->interval_ns = row->in_scope ? model_since(time_ns, row->interval_ns) : MODEL_UNKNOWN;
    row->interval_closed_ns =
        row->in_scope ? model_since(model_state_closed(t->state, row), row->interval_closed_ns)
                      : MODEL_UNKNOWN;
}

static uint64_t part_interval(const struct model_taking *t, uint64_t ns, uint64_t old_ns,
                              uint64_t old_interval_ns)
{
    return !t->before ? MODEL_UNKNOWN
           : t->keeps ? old_interval_ns
                      : model_since(ns, model_began(t->before, old_ns, old_interval_ns));
}

/* Sets the interval of waiting and aside time. If no part of the row waited in the state before, it
 * started at 0. */
static void take_waited_interval(const struct model_taking *t, enum model_table table, uint32_t id)
{
    const struct model_state *before = t->before;
    struct model_waited *waited = &t->state->waited[table][id];
    const bool was = before && before->waited[table] && id < before->count[table];
    const struct model_waited old = was ? before->waited[table][id] : (struct model_waited){0};
    waited->interval_ns = part_interval(t, waited->ns, old.ns, old.interval_ns);
    waited->aside_interval_ns =
        part_interval(t, waited->aside_ns, old.aside_ns, old.aside_interval_ns);
}

static void take_interval(const struct model_taking *t, enum model_table table)
{
    for (uint32_t i = 0; i < t->state->count[table]; i++) {
        struct model_row *row = &t->state->row[table][i];
        struct from from = interval_from(t, table, i);
        row->interval_calls = from.calls;
        row->interval_ns = from.ns;
        row->interval_closed_ns = from.closed_ns;
        end_interval(t, row);
        if (t->state->waited[table])
            take_waited_interval(t, table, i);
    }
}

/* ------------------------------------------------------------------------------ apply rows */

/* Without kept apply rows, all applies share one row. */
static struct model_row *apply_row(const struct model_taking *t, uint32_t id)
{
    return &t->state->row[MODEL_APPLY][t->state->sums ? 0 : id];
}

/* Reads the old row before writing the new one: both may be in the same memory. */
static void take_apply(const struct model_taking *t, uint32_t id)
{
    const struct model_apply_def *def = &t->def[id];
    const struct model_apply_value *value = &t->value[id];
    const struct from from = interval_from(t, MODEL_APPLY, id);
    struct model_row *row = apply_row(t, id);
    *row = (struct model_row){
        .calls = value->calls,
        .total_ns = value->total_ns,
        .min_ns = value->min_ns,
        .max_ns = value->max_ns,
        .last_ns = value->last_ns,
        .timed = value->timed == MODEL_EVERY_CALL ? value->calls : value->timed,
        .interval_calls = from.calls,
        .interval_ns = from.ns,
        .interval_closed_ns = from.closed_ns,
        .id = id,
        .applies = 1,
        .impls = (uint8_t)(1u << def->impl),
        .in_scope = t->state->part[def->function] != MODEL_PART_OUT,
        .error_ns = value->timed < value->calls ? value->error_ns : MODEL_UNKNOWN,
        .estimated = value->timed < value->calls,
    };
    if (def->left_out && value->calls == 0 && value->total_ns == 0)
        row->calls = row->total_ns = row->timed = MODEL_UNKNOWN; /* not counted */
    if (row->estimated && value->timed == 0 && value->total_ns == 0 && def->source != MODEL_SET)
        row->total_ns = MODEL_UNKNOWN; /* it ran, but no run was timed */
    if (value->open_ns != MODEL_UNKNOWN && row->total_ns != MODEL_UNKNOWN && !def->exclusive) {
        row->open_ns = row->self_open_ns = value->open_ns;
        row->total_ns = model_state_plus(row->total_ns, row->open_ns);
    }
    row->estimated |= t->state->share < 1;
    row->self_ns = row->total_ns;
    row->self_estimated = row->estimated;
    if (t->vague && row->estimated)
        t->vague[def->function] = true;
    t->inclusive[def->function] =
        model_state_plus(t->inclusive[def->function], model_known_or_0(row->total_ns));
    if (row->calls != MODEL_UNKNOWN && row->calls > t->most_calls[def->function])
        t->most_calls[def->function] = row->calls;
}

/* Derives the missing time of an apply. Either the whole time or the own time was reported; the
 * other differs by the time inside, and is an estimate if the time inside is one. A second inner
 * function changes nothing more. */
static void derive_missing_time(const struct model_taking *t, uint32_t function)
{
    const uint32_t apply = t->function[function].parent;
    const uint64_t inner_ns = t->inner[apply];
    struct model_row *row = &t->state->row[MODEL_APPLY][apply];
    if (row->total_ns == MODEL_UNKNOWN)
        return;
    if (t->def[apply].exclusive) {
        row->total_ns = model_state_plus(row->self_ns, inner_ns);
        row->estimated |= t->vague[function];
        return;
    }
    row->self_estimated |= t->vague[function];
    row->clipped = row->total_ns < inner_ns;
    row->self_ns = model_inside_own(t->state->job, function,
                                    row->clipped ? 0 : row->total_ns - inner_ns);
    /* The part of the own time in the open call is unknown. Assume the same share as for the whole
     * time. */
    if (row->open_ns > 0)
        row->self_open_ns =
            (uint64_t)((double)row->self_ns * ((double)row->open_ns / (double)row->total_ns));
}

static void take_inner(const struct model_taking *t)
{
    struct model_job *job = t->state->job;
    model_inside_sum(job, t->inclusive, t->inner);
    for (uint32_t f = t->state->count[MODEL_FUNCTION]; f-- > 0;) {
        const uint32_t apply = t->function[f].parent;
        if (apply == MODEL_NONE)
            continue;
        /* The reported time of the apply counts, unless the time inside exceeds it, or is a part of
         * it. */
        const bool of_parts = t->def[apply].exclusive || model_inside_beside(job, f) > 0 ||
                              model_inside_whole(job, apply, t->inner[apply]) == t->inner[apply];
        t->vague[t->def[apply].function] |= t->vague[f] && of_parts;
    }
    for (uint32_t f = 0; f < t->state->count[MODEL_FUNCTION]; f++) {
        uint32_t apply = t->function[f].parent;
        if (apply != MODEL_NONE)
            derive_missing_time(t, f);
    }
}

/* ------------------------------------------------------------------------------------ sums */

void model_state_empty(struct model_state *state, enum model_table table)
{
    for (uint32_t i = 0; i < state->count[table]; i++)
        state->row[table][i] = (struct model_row){
            .id = i,
            .min_ns = MODEL_UNKNOWN,
            .max_ns = MODEL_UNKNOWN,
            .last_ns = MODEL_UNKNOWN,
            .interval_calls = MODEL_UNKNOWN,
            .interval_ns = MODEL_UNKNOWN,
            .interval_closed_ns = MODEL_UNKNOWN,
        };
}

static uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b; /* MODEL_UNKNOWN is the largest value */
}

static uint64_t most(uint64_t a, uint64_t b)
{
    if (a == MODEL_UNKNOWN || b == MODEL_UNKNOWN)
        return least(a, b);
    return a > b ? a : b;
}

/* Adds the time of a row to its merged row. An apply that never ran took a known time of 0, so a
 * sum is unknown only if the time of every apply that ran is unknown. */
static uint64_t plus_time(const struct model_row *to, uint64_t sum, const struct model_row *row,
                          uint64_t time)
{
    if (sum == MODEL_UNKNOWN)
        return row->calls == 0 && time == 0 ? sum : time;
    if (time == MODEL_UNKNOWN)
        return to->calls == 0 && sum == 0 ? time : sum;
    return model_state_plus(sum, time);
}

void model_row_finish_function(struct model_row *row, const struct model_function_value *value)
{
    row->calls = value->calls;
    row->timed = row->min_ns = row->max_ns = MODEL_UNKNOWN; /* those of nodes do not apply to
                                                             * calls */
    if (row->applies == 0 && value->calls != 0 && value->vm_ns == MODEL_UNKNOWN)
        row->total_ns = row->self_ns = MODEL_UNKNOWN;
}

/* True if the calls of the row are not counted. */
static bool is_uncounted(const struct model_row *row)
{
    return row->calls == MODEL_UNKNOWN && row->total_ns == MODEL_UNKNOWN;
}

static void add_figures(struct model_row *to, const struct model_row *row)
{
    to->total_ns = plus_time(to, to->total_ns, row, row->total_ns);
    to->self_ns = plus_time(to, to->self_ns, row, row->self_ns);
    to->open_ns = model_state_plus(to->open_ns, row->open_ns);
    to->self_open_ns = model_state_plus(to->self_open_ns, row->self_open_ns);
    to->calls = to->calls == MODEL_UNKNOWN || row->calls == MODEL_UNKNOWN
                    ? MODEL_UNKNOWN
                    : model_state_plus(to->calls, row->calls);
    to->timed = to->applies == 0 ? row->timed
                : to->timed == MODEL_UNKNOWN || row->timed == MODEL_UNKNOWN
                    ? MODEL_UNKNOWN
                    : model_state_plus(to->timed, row->timed);
    to->min_ns = least(to->min_ns, row->min_ns);
    to->max_ns = most(to->max_ns, row->max_ns);
}

/* The sum covers the counted rows. It is unknown if there are none. */
void model_row_merge(struct model_row *to, const struct model_row *row)
{
    const bool first = !to->in_scope;
    if (!first && !is_uncounted(row) && is_uncounted(to))
        to->calls = to->total_ns = to->self_ns = to->timed = 0;
    if (!is_uncounted(row))
        add_figures(to, row);
    else if (first)
        to->calls = to->total_ns = to->self_ns = to->timed = MODEL_UNKNOWN;
    to->applies += row->applies;
    to->impls |= row->impls;
    to->does |= row->does;
    to->in_scope = true;
    to->clipped |= row->clipped;
    to->estimated |= row->estimated;
    to->self_estimated |= row->self_estimated;
}

/* Returns the activity of an apply. Needs its final times. */
static uint8_t does(const struct model_apply_def *def, const struct model_row *row)
{
    if (def->waits != MODEL_WORKS)
        return def->waits == MODEL_ASIDE ? MODEL_DOES_ASIDE : MODEL_DOES_WAIT;
    const bool known = row->total_ns != MODEL_UNKNOWN || row->calls == 0;
    return MODEL_DOES_WORK | (known ? MODEL_DOES_KNOWN : 0);
}

void model_state_add_waited(struct model_state *state, enum model_table table, uint32_t id,
                            const struct model_waited *more)
{
    struct model_waited *to = &state->waited[table][id];
    to->ns = model_state_plus(to->ns, model_known_or_0(more->ns));
    to->aside_ns = model_state_plus(to->aside_ns, model_known_or_0(more->aside_ns));
}

/* Adds the time of an apply that does not work to all its merged rows. */
static void add_waited(struct model_state *state, const struct model_apply_def *def,
                       const struct model_row *row)
{
    const struct model_waited more = model_state_waited(state, MODEL_APPLY, row);
    model_state_add_waited(state, MODEL_OP, def->op, &more);
    model_state_add_waited(state, MODEL_CLASS, model_job_op(state->job, def->op)->op_class, &more);
    model_state_add_waited(state, MODEL_FUNCTION, def->function, &more);
    model_state_add_waited(state, MODEL_LINE, def->line, &more);
}

/* Merges an apply into its rows. Needs its final times. */
static void add_apply(const struct model_taking *t, uint32_t id)
{
    struct model_state *state = t->state;
    struct model_row *row = apply_row(t, id);
    const struct model_apply_def *def = &t->def[id];
    row->does = does(def, row);
    end_interval(t, row);
    if (!row->in_scope)
        return;
    if (row->does & MODEL_DOES_NO_WORK)
        add_waited(state, def, row);
    state->totals.rows[MODEL_APPLY]++;
    model_row_merge(&state->row[MODEL_OP][def->op], row);
    model_row_merge(&state->row[MODEL_FUNCTION][def->function], row);
    if (state->count[MODEL_LINE] > 1)
        model_row_merge(&state->row[MODEL_LINE][def->line], row);
}

/* One pass, unless some figures of the applies depend on other applies. */
static void take_applies(const struct model_taking *t)
{
    const uint32_t applies = model_job_count(t->state->job, MODEL_APPLY);
    const bool first = t->inner || t->state->extras > 0;
    for (uint32_t i = 0; i < applies; i++) {
        /* Adjacent applies have different ops, and the rows of ops may exceed the caches. */
        if (applies - i > AHEAD)
            __builtin_prefetch(&t->state->row[MODEL_OP][t->def[i + AHEAD].op], 1);
        take_apply(t, i);
        if (!first)
            add_apply(t, i);
    }
    if (!first)
        return;
    if (t->inner)
        take_inner(t);
    model_extra_take(t->state);
    for (uint32_t i = 0; i < applies; i++)
        add_apply(t, i);
}

static void sum_up(const struct model_taking *t)
{
    struct model_state *state = t->state;
    for (uint32_t i = 0; i < state->count[MODEL_OP]; i++)
        if (state->row[MODEL_OP][i].in_scope)
            model_row_merge(&state->row[MODEL_CLASS][t->op[i].op_class], &state->row[MODEL_OP][i]);
    /* If no line is known, all applies are in one row, which is the sum of the classes. */
    for (uint32_t i = 0; state->count[MODEL_LINE] == 1 && i < state->count[MODEL_CLASS]; i++)
        if (state->row[MODEL_CLASS][i].in_scope)
            model_row_merge(&state->row[MODEL_LINE][0], &state->row[MODEL_CLASS][i]);
    for (uint32_t i = 0; i < state->count[MODEL_FUNCTION]; i++) {
        struct model_row *row = &state->row[MODEL_FUNCTION][i];
        model_row_finish_function(row, &state->function[i]);
        row->in_scope = state->part[i] != MODEL_PART_OUT;
    }
}

/* ---------------------------------------------------------------------------------- states */

static bool copy_phases(struct model_state *state)
{
    const struct model_phase *phase = model_job_phases(state->job, &state->phases);
    if (state->phases == 0)
        return true;
    state->phase = malloc(state->phases * sizeof(*state->phase));
    if (!state->phase)
        return false;
    memcpy(state->phase, phase, state->phases * sizeof(*state->phase));
    return true;
}

bool model_state_fit_waited(struct model_state *state, enum model_table table, bool waits)
{
    if (waits)
        state->waited[table] = calloc(state->count[table] + 1u, sizeof(**state->waited));
    return state->waited[table] || !waits;
}

/* `applies`: apply rows reused from the state before, or NULL. */
static bool fit_rows(struct model_state *state, struct model_row *applies)
{
    state->row[MODEL_APPLY] = applies;
    for (unsigned table = 0; table < MODEL_ROW_TABLES; table++) {
        if (!state->row[table])
            state->row[table] = malloc((state->count[table] + 1) * sizeof(struct model_row));
        const bool merges = table != MODEL_APPLY && model_job_waits(state->job);
        if (!state->row[table] || !model_state_fit_waited(state, table, merges))
            return false;
    }
    return model_extra_fit(state);
}

/* Calls have no time if none was timed, as for nodes. */
static void take_untimed(struct model_function_value *value)
{
    if (value->timed != 0 || value->calls == 0 || value->call_ns != 0)
        return;
    value->call_ns = MODEL_UNKNOWN;
    if (value->vm_ns == 0)
        value->vm_ns = MODEL_UNKNOWN;
}

/* Excluded calls have no time either. Calls counted before the exclusion are known. */
static void take_left_out(const struct model_function_def *def, struct model_function_value *value)
{
    if (def->left_out && value->calls == 0 && value->open_since_ns == MODEL_UNKNOWN)
        value->calls = value->call_ns = value->vm_ns = MODEL_UNKNOWN;
}

static bool copy_in(struct model_state *state)
{
    const struct model_job *job = state->job;
    if (!copy_phases(state) || !model_objects_copy(&state->objects, model_job_objects(job)))
        return false;
    uint32_t functions = state->count[MODEL_FUNCTION];
    size_t now_size = 0;
    const struct model_now *now = model_job_now(job, &now_size);
    state->function = malloc((functions + 1) * sizeof(*state->function));
    state->now = malloc((now_size + 1) * sizeof(*state->now));
    state->part = malloc(functions + 1u);
    if (!state->function || !state->now || !state->part)
        return false;
    model_scope_parts(job, state->scope, state->part, functions);
    if (functions)
        memcpy(state->function, model_job_function_values(job),
               functions * sizeof(*state->function));
    for (uint32_t f = 0; f < functions; f++) {
        take_untimed(&state->function[f]);
        take_left_out(model_job_function(job, f), &state->function[f]);
    }
    if (!model_compile_take(state))
        return false;
    for (size_t i = 0; i < now_size; i++) {
        uint32_t function = model_job_apply(job, now[i].apply)->function;
        if (state->part[function] != MODEL_PART_OUT)
            state->now[state->now_count++] = now[i];
    }
    return true;
}

/* A quantile is accurate to a bucket. The extremes of the op's calls are exact, so they clip it. */
static uint64_t between(uint64_t ns, const struct model_row *row)
{
    if (ns == MODEL_UNKNOWN || row->min_ns == MODEL_UNKNOWN || row->max_ns == MODEL_UNKNOWN)
        return ns;
    ns = ns < row->min_ns ? row->min_ns : ns;
    return ns > row->max_ns ? row->max_ns : ns;
}

/* The buckets of an op cover all its applies, so a narrower scope has no quantiles. */
static bool fit_quantiles(struct model_state *state)
{
    uint32_t known = 0;
    model_job_quantiles(state->job, &known);
    if (known == 0 || state->scope != MODEL_ALL)
        return true;
    state->quantile = malloc((state->count[MODEL_OP] + 1) * sizeof *state->quantile);
    return state->quantile != NULL;
}

/* The longest call is known exactly. Replaces the middle of its bucket, if that is its bucket. */
static uint64_t long_of(const struct model_quantiles *q, const struct model_row *row)
{
    const uint64_t ns = q->ns[MODEL_LONG_NS], most = row->max_ns, middle = q->longest_ns;
    const bool exact = ns != MODEL_UNKNOWN && most != MODEL_UNKNOWN && middle > 0 &&
                       most < middle + middle / 8 && most > middle - middle / 8;
    return exact ? ns - middle + most : ns;
}

static void take_quantiles(struct model_state *state)
{
    uint32_t known = 0;
    const struct model_quantiles *from = model_job_quantiles(state->job, &known);
    for (uint32_t op = 0; state->quantile && op < state->count[MODEL_OP]; op++) {
        const struct model_row *row = &state->row[MODEL_OP][op];
        for (unsigned i = 0; i < MODEL_QUANTILES; i++)
            state->quantile[op][i] = op < known ? between(from[op].ns[i], row) : MODEL_UNKNOWN;
        state->quantile[op][MODEL_LONG_CALLS] =
            op < known ? from[op].ns[MODEL_LONG_CALLS] : MODEL_UNKNOWN;
        state->quantile[op][MODEL_LONG_NS] = op < known ? long_of(&from[op], row) : MODEL_UNKNOWN;
    }
}

/* Allocates the working data of model_state_take(). */
static bool fit_taking(struct model_taking *t)
{
    const struct model_state *state = t->state;
    t->def = model_job_apply(state->job, 0);
    t->value = model_job_apply_values(state->job);
    t->op = model_job_op(state->job, 0);
    t->function = model_job_function(state->job, 0);
    const bool nested = model_inside_any(state->job);
    t->inclusive = calloc(state->count[MODEL_FUNCTION] + 1, sizeof(*t->inclusive));
    t->most_calls = calloc(state->count[MODEL_FUNCTION] + 1, sizeof(*t->most_calls));
    t->inner = nested ? calloc(state->count[MODEL_APPLY], sizeof(*t->inner)) : NULL;
    t->vague = nested ? calloc(state->count[MODEL_FUNCTION], sizeof(*t->vague)) : NULL;
    return t->inclusive && t->most_calls && (!nested || (t->inner && t->vague));
}

static void derive(struct model_taking *t)
{
    struct model_state *state = t->state;
    for (unsigned table = 0; table < MODEL_APPLY; table++)
        model_state_empty(state, table);
    take_applies(t);
    sum_up(t);
    for (unsigned table = 0; table < MODEL_APPLY; table++)
        take_interval(t, table);
    take_quantiles(state);
    if (t->before)
        model_objects_interval(&state->objects, &t->before->objects,
                               state->mono_ns - t->before->mono_ns, t->before->extends);
    model_totals_take(t);
    model_pace_take(state, t->before);
}

static void release(struct model_state *state)
{
    for (unsigned table = 0; table < MODEL_ROW_TABLES; table++) {
        free(state->row[table]);
        free(state->waited[table]);
    }
    free(state->function);
    free(state->now);
    free(state->part);
    free(state->phase);
    model_compile_release(state);
    free(state->quantile);
    model_extra_release(state);
    model_objects_release(&state->objects);
    model_multi_job_state_free(&state->multi_job);
    model_job_release(&state->job);
}

/* Changes nothing in the state before until all memory is allocated. Returns false if out of
 * memory; `state` is then empty, and the caller still owns `applies`. */
static bool take(struct model_state *state, struct model_job *job, uint32_t scope, bool sums,
                 const struct model_state *before, struct model_row *applies)
{
    *state = (struct model_state){
        .job = model_job_retain(job),
        .mono_ns = model_job_mono_ns(job),
        .wall_ns = model_job_wall_ns(job),
        .values_ns = model_job_values_ns(job),
        .scope = scope,
        .epoch = model_job_epoch(job),
        .lines_moved = model_job_lines_moved(job),
        .complete = model_job_complete(job),
        .ended = model_job_ended(job),
        .counts = model_job_identity(job)->collecting,
        .share = model_job_identity(job)->share,
        .extends = before && before->extends,
        .sums = sums,
    };
    for (unsigned table = 0; table < MODEL_ROW_TABLES; table++)
        state->count[table] = sums && table == MODEL_APPLY ? 0 : model_job_count(job, table);
    struct model_taking t = {.state = state};
    bool fine = fit_rows(state, applies) && copy_in(state);
    fine = fine && fit_quantiles(state) && fit_taking(&t);
    if (fine) {
        begin_interval(&t, before);
        derive(&t);
    } else {
        if (applies)
            state->row[MODEL_APPLY] = NULL;
        release(state);
    }
    free(t.inclusive);
    free(t.most_calls);
    free(t.inner);
    free(t.vague);
    return fine;
}

static struct model_state *take_new(struct model_job *job, uint32_t scope, bool sums,
                                    const struct model_state *before)
{
    struct model_state *state = job ? malloc(sizeof(*state)) : NULL;
    if (state && !take(state, job, scope, sums, before, NULL)) {
        free(state);
        state = NULL;
    }
    return state;
}

struct model_state *model_state_take(struct model_job *job, uint32_t scope,
                                     const struct model_state *before)
{
    return take_new(job, scope, false, before);
}

/* True if the applies can be added up one by one. */
static bool is_plain(const struct model_job *job, uint32_t scope)
{
    return scope == MODEL_ALL && !model_inside_any(job) && !model_extra_any(job);
}

struct model_state *model_state_take_sums(struct model_job *job, uint32_t scope,
                                          const struct model_state *before)
{
    return take_new(job, scope, job && is_plain(job, scope), before);
}

bool model_state_renew(struct model_state *state, uint32_t scope)
{
    struct model_state next;
    const bool sums = state->sums && is_plain(state->job, scope);
    const uint32_t count = sums ? 0 : model_job_count(state->job, MODEL_APPLY);
    struct model_row *applies = state->row[MODEL_APPLY];
    if (count > state->count[MODEL_APPLY])
        applies = realloc(applies, (count + 1) * sizeof(*applies));
    if (!applies)
        return false;
    state->row[MODEL_APPLY] = applies;
    if (!take(&next, state->job, scope, sums, state, applies))
        return false;
    state->row[MODEL_APPLY] = NULL;
    release(state);
    *state = next;
    return true;
}

void model_state_free(struct model_state **state)
{
    if (!*state)
        return;
    release(*state);
    free(*state);
    *state = NULL;
}

bool model_state_by_function(const struct model_state *state, uint32_t **apply, uint32_t **first)
{
    const uint32_t functions = state->count[MODEL_FUNCTION], applies = state->count[MODEL_APPLY];
    *apply = calloc((size_t)applies + 1, sizeof(**apply));
    *first = calloc((size_t)functions + 2, sizeof(**first));
    if (!*apply || !*first)
        return false;
    uint32_t *next = *first + 1; /* next free place of each function; at the end, `first` */
    for (uint32_t id = 0; id < applies; id++)
        if (state->row[MODEL_APPLY][id].in_scope)
            next[model_job_apply(state->job, id)->function + 1]++;
    for (uint32_t f = 0; f < functions; f++)
        next[f + 1] += next[f];
    for (uint32_t id = 0; id < applies; id++)
        if (state->row[MODEL_APPLY][id].in_scope)
            (*apply)[next[model_job_apply(state->job, id)->function]++] = id;
    return true;
}

/* Rank of an open op: work first, then waiting, then aside, because other rows count aside time. */
static unsigned turn_of(const struct model_job *job, const struct model_now *now)
{
    static const uint8_t turn[] = {
        [MODEL_WORKS] = 0, [MODEL_WAITS] = 1, [MODEL_WAITS_FOR_JOBS] = 1, [MODEL_ASIDE] = 2};
    return turn[model_job_apply(job, now->apply)->waits];
}

const struct model_now *model_now_oldest(const struct model_job *job, const struct model_now *now,
                                         size_t count)
{
    const struct model_now *oldest = NULL;
    for (size_t i = 0; i < count; i++) {
        const unsigned turn = turn_of(job, &now[i]);
        const unsigned first = oldest ? turn_of(job, oldest) : UINT_MAX;
        if (turn < first || (turn == first && now[i].since_ns < oldest->since_ns))
            oldest = &now[i];
    }
    return oldest;
}

const struct model_now *model_state_oldest_now(const struct model_state *state)
{
    return model_now_oldest(state->job, state->now, state->now_count);
}

uint32_t model_state_compiling(const struct model_state *state)
{
    uint32_t found = MODEL_NONE;
    uint64_t since_ns = MODEL_UNKNOWN;
    for (uint32_t i = 0; i < state->count[MODEL_FUNCTION]; i++)
        if (state->function[i].compile_since_ns < since_ns) {
            since_ns = state->function[i].compile_since_ns;
            found = i;
        }
    return found;
}

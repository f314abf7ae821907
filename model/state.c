/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * state.c: copies the values of a job and derives all that is shown. Linear in the rows.
 */
#include "state.h"

#include <stdlib.h>
#include <string.h>

#include "extra.h"
#include "fleet.h"
#include "state_private.h"

enum { NS_PER_MS = 1000000, MAX_TICK_MS = 1000 };

/* What is needed while a state is taken. */
struct taking {
    struct model_state *state;
    const struct model_apply_def *def;
    const struct model_op_def *op;
    const struct model_function_def *function;
    uint64_t *inclusive; /* by function: time of its applies with all that ran inside */
    uint64_t *inner;     /* by apply: inclusive time of the functions that it runs; or NULL */
};

uint64_t model_state_plus(uint64_t a, uint64_t b)
{
    uint64_t sum;
    if (__builtin_add_overflow(a, b, &sum) || sum == MODEL_UNKNOWN)
        return MODEL_UNKNOWN - 1;
    return sum;
}

static uint64_t known_or_0(uint64_t value)
{
    return value == MODEL_UNKNOWN ? 0 : value;
}

/* What was added since; unknown if it became less (self time does, while a function inside an
 * apply that has not ended is counted already; estimates may). */
static uint64_t since(uint64_t now, uint64_t before)
{
    if (now == MODEL_UNKNOWN || before == MODEL_UNKNOWN || now < before)
        return MODEL_UNKNOWN;
    return now - before;
}

/* ------------------------------------------------------------------------------ apply rows */

static void take_apply(const struct taking *t, uint32_t id, const struct model_apply_value *value)
{
    const struct model_apply_def *def = &t->def[id];
    struct model_row *row = &t->state->row[MODEL_APPLY][id];
    uint32_t scope = t->state->scope;
    *row = (struct model_row){
        .calls = value->calls,
        .total_ns = value->total_ns,
        .min_ns = value->min_ns,
        .max_ns = value->max_ns,
        .last_ns = value->last_ns,
        .timed = value->timed == MODEL_EVERY_CALL ? value->calls : value->timed,
        .interval_calls = MODEL_UNKNOWN,
        .interval_ns = MODEL_UNKNOWN,
        .id = id,
        .applies = 1,
        .impls = (uint8_t)(1u << def->impl),
        .in_scope = scope == MODEL_ALL || def->function == scope,
        .error_ns = value->timed < value->calls ? value->error_ns : MODEL_UNKNOWN,
        .estimated = value->timed < value->calls,
    };
    if (row->estimated && value->timed == 0 && value->total_ns == 0 && def->source != MODEL_SET)
        row->total_ns = MODEL_UNKNOWN; /* it ran, but no run was timed */
    row->self_ns = row->total_ns;
    t->inclusive[def->function] =
        model_state_plus(t->inclusive[def->function], known_or_0(row->total_ns));
}

/* Time of an apply with all that ran inside it. Functions inside are counted while they run, the
 * apply itself when it has ended: until then what is inside is the better figure. */
static uint64_t inclusive_of(const struct taking *t, uint32_t apply)
{
    uint64_t total = known_or_0(t->state->row[MODEL_APPLY][apply].total_ns);
    uint64_t inner = t->inner[apply];
    if (t->def[apply].exclusive)
        return model_state_plus(total, inner);
    return total > inner ? total : inner;
}

/* An apply that runs a function is defined before that function, so its own function has a lower
 * id: going down the ids, the inclusive time of a function is whole before it is handed on. */
static void take_inner(const struct taking *t)
{
    for (uint32_t f = t->state->count[MODEL_FUNCTION]; f-- > 0;) {
        uint32_t apply = t->function[f].parent;
        if (apply == MODEL_NONE)
            continue;
        uint64_t *outer = &t->inclusive[t->def[apply].function];
        uint64_t before = inclusive_of(t, apply);
        t->inner[apply] = model_state_plus(t->inner[apply], t->inclusive[f]);
        *outer = model_state_plus(*outer, inclusive_of(t, apply) - before);
    }
    for (uint32_t f = 0; f < t->state->count[MODEL_FUNCTION]; f++) {
        uint32_t apply = t->function[f].parent;
        if (apply == MODEL_NONE || t->def[apply].exclusive)
            continue;
        struct model_row *row = &t->state->row[MODEL_APPLY][apply];
        if (row->total_ns == MODEL_UNKNOWN)
            continue;
        row->clipped = row->total_ns < t->inner[apply];
        row->self_ns = row->clipped ? 0 : row->total_ns - t->inner[apply];
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
        };
}

static uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b; /* unknown is the largest value */
}

static uint64_t most(uint64_t a, uint64_t b)
{
    if (a == MODEL_UNKNOWN || b == MODEL_UNKNOWN)
        return least(a, b);
    return a > b ? a : b;
}

/* Adds the time of a row to that of the row which merges it. What never ran took no time, which is
 * known; so a sum is unknown only if all that ran is. */
static uint64_t plus_time(const struct model_row *to, uint64_t sum, const struct model_row *row,
                          uint64_t time)
{
    if (sum == MODEL_UNKNOWN)
        return row->calls == 0 && time == 0 ? sum : time;
    if (time == MODEL_UNKNOWN)
        return to->calls == 0 && sum == 0 ? time : sum;
    return model_state_plus(sum, time);
}

void model_row_merge(struct model_row *to, const struct model_row *row)
{
    to->total_ns = plus_time(to, to->total_ns, row, row->total_ns);
    to->self_ns = plus_time(to, to->self_ns, row, row->self_ns);
    to->calls = model_state_plus(to->calls, row->calls);
    to->timed = to->applies == 0 ? row->timed
                : to->timed == MODEL_UNKNOWN || row->timed == MODEL_UNKNOWN
                    ? MODEL_UNKNOWN
                    : model_state_plus(to->timed, row->timed);
    to->min_ns = least(to->min_ns, row->min_ns);
    to->max_ns = most(to->max_ns, row->max_ns);
    to->applies += row->applies;
    to->impls |= row->impls;
    to->in_scope = true;
    to->clipped |= row->clipped;
    to->estimated |= row->estimated;
}

/* Without a line that is known all applies are in one row, which is the sum of the classes. */
static void sum_lines(const struct taking *t)
{
    struct model_state *state = t->state;
    bool one = state->count[MODEL_LINE] == 1;
    enum model_table from = one ? MODEL_CLASS : MODEL_APPLY;
    for (uint32_t i = 0; i < state->count[from]; i++)
        if (state->row[from][i].in_scope)
            model_row_merge(&state->row[MODEL_LINE][one ? 0 : t->def[i].line],
                            &state->row[from][i]);
}

static void sum_up(const struct taking *t)
{
    struct model_state *state = t->state;
    for (uint32_t i = 0; i < state->count[MODEL_APPLY]; i++) {
        const struct model_row *row = &state->row[MODEL_APPLY][i];
        if (!row->in_scope)
            continue;
        model_row_merge(&state->row[MODEL_OP][t->def[i].op], row);
        model_row_merge(&state->row[MODEL_FUNCTION][t->def[i].function], row);
    }
    for (uint32_t i = 0; i < state->count[MODEL_OP]; i++)
        if (state->row[MODEL_OP][i].in_scope)
            model_row_merge(&state->row[MODEL_CLASS][t->op[i].op_class], &state->row[MODEL_OP][i]);
    sum_lines(t);
    for (uint32_t i = 0; i < state->count[MODEL_FUNCTION]; i++) {
        struct model_row *row = &state->row[MODEL_FUNCTION][i];
        row->calls = state->function[i].calls;
        row->timed = row->min_ns = row->max_ns = MODEL_UNKNOWN; /* of calls, not of nodes */
        row->in_scope = state->scope == MODEL_ALL || state->scope == i;
    }
}

/* -------------------------------------------------------------------------------- interval */

static bool has_interval(const struct model_state *state, const struct model_state *before)
{
    return before && !state->ended && before->job == state->job && before->epoch == state->epoch &&
           before->scope == state->scope && before->complete && state->mono_ns > before->mono_ns;
}

/* Values come with every tick in which anything happened. Frames between two ticks bring none, and
 * say nothing about the rate: it stays. When no values come for longer, nothing happens. */
static bool is_between_ticks(const struct model_state *state, const struct model_state *before)
{
    uint64_t tick_ms = model_job_identity(state->job)->tick_ms;
    uint64_t patience_ns =
        3 * (tick_ms > 0 && tick_ms < MAX_TICK_MS ? tick_ms : MAX_TICK_MS) * (uint64_t)NS_PER_MS;
    return state->values_ns == before->values_ns && state->mono_ns - state->values_ns < patience_ns;
}

static uint64_t interval_between(const struct model_state *state, const struct model_state *before)
{
    if (state->values_ns > before->values_ns)
        return state->values_ns - before->values_ns;
    return state->mono_ns - before->mono_ns;
}

/* An apply that went to another line took its past along, which is none of the interval. */
static bool comparable(const struct model_state *state, const struct model_state *before,
                       enum model_table table)
{
    return table != MODEL_LINE || state->lines_moved == before->lines_moved;
}

static void keep_interval(struct model_state *state, const struct model_state *before)
{
    state->interval_ns = before->interval_ns;
    for (unsigned table = 0; table < MODEL_ROW_TABLES; table++) {
        if (!comparable(state, before, table))
            continue;
        for (uint32_t i = 0; i < state->count[table] && i < before->count[table]; i++) {
            state->row[table][i].interval_calls = before->row[table][i].interval_calls;
            state->row[table][i].interval_ns = before->row[table][i].interval_ns;
        }
    }
}

static void take_interval(struct model_state *state, const struct model_state *before,
                          enum model_table table)
{
    if (!comparable(state, before, table))
        return;
    for (uint32_t i = 0; i < state->count[table]; i++) {
        struct model_row *row = &state->row[table][i];
        if (!row->in_scope)
            continue;
        /* What is new since then began with nothing. */
        bool is_new = i >= before->count[table];
        const struct model_row *old = is_new ? NULL : &before->row[table][i];
        row->interval_calls = since(row->calls, is_new ? 0 : old->calls);
        row->interval_ns =
            since(model_state_time(state, row), is_new ? 0 : model_state_time(before, old));
    }
}

/* ---------------------------------------------------------------------------------- totals */

struct function_sums {
    struct model_sum calls, call, vm, compile, rewrite, validate, link;
};

/* What a function has not done it lacks no figure of: one that was never called has no time of
 * calls, one whose compilation nobody timed has no parts of it. */
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

static void take_function_totals(const struct taking *t)
{
    const struct model_state *state = t->state;
    struct model_totals *totals = &t->state->totals;
    struct function_sums sums = {0};
    for (uint32_t f = 0; f < state->count[MODEL_FUNCTION]; f++) {
        bool root = state->scope == MODEL_ALL && t->function[f].parent == MODEL_NONE;
        if (!root && state->scope != f)
            continue;
        const struct model_function_value *value = &state->function[f];
        add_function(&sums, value);
        totals->uncalled |= value->call_ns == MODEL_UNKNOWN && t->inclusive[f] > 0;
    }
    totals->calls = model_sum_of(&sums.calls);
    totals->call_ns = model_sum_of(&sums.call);
    totals->vm_ns = model_sum_of(&sums.vm);
    totals->compile_ns = model_sum_of(&sums.compile);
    totals->rewrite_ns = model_sum_of(&sums.rewrite);
    totals->validate_ns = model_sum_of(&sums.validate);
    totals->link_ns = model_sum_of(&sums.link);
}

static void take_totals(const struct taking *t, const struct model_state *before)
{
    struct model_state *state = t->state;
    struct model_totals *totals = &state->totals;
    take_function_totals(t);
    for (unsigned table = 0; table < MODEL_ROW_TABLES; table++)
        for (uint32_t i = 0; i < state->count[table]; i++)
            totals->rows[table] += state->row[table][i].in_scope;
    for (uint32_t i = 0; i < state->count[MODEL_CLASS]; i++) {
        const struct model_row *row = &state->row[MODEL_CLASS][i];
        totals->apply_calls = model_state_plus(totals->apply_calls, row->calls);
        totals->time_ns =
            model_state_plus(totals->time_ns, known_or_0(model_state_time(state, row)));
    }
    totals->thunk_ns = totals->time_ns;
    totals->interval_calls = totals->apply_interval_calls = MODEL_UNKNOWN;
    totals->interval_time_ns = MODEL_UNKNOWN;
    if (!before)
        return;
    if (is_between_ticks(state, before)) {
        totals->interval_calls = before->totals.interval_calls;
        totals->apply_interval_calls = before->totals.apply_interval_calls;
        totals->interval_time_ns = before->totals.interval_time_ns;
        return;
    }
    totals->interval_calls = since(totals->calls, before->totals.calls);
    totals->apply_interval_calls = since(totals->apply_calls, before->totals.apply_calls);
    totals->interval_time_ns = since(totals->time_ns, before->totals.time_ns);
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

static bool copy_in(struct model_state *state)
{
    const struct model_job *job = state->job;
    for (unsigned table = 0; table < MODEL_ROW_TABLES; table++) {
        state->count[table] = model_job_count(job, table);
        state->row[table] = malloc((state->count[table] + 1) * sizeof(struct model_row));
        if (!state->row[table])
            return false;
    }
    if (!copy_phases(state) || !model_objects_copy(&state->objects, model_job_objects(job)))
        return false;
    uint32_t functions = state->count[MODEL_FUNCTION];
    size_t now_size = 0;
    const struct model_now *now = model_job_now(job, &now_size);
    state->function = malloc((functions + 1) * sizeof(*state->function));
    state->now = malloc((now_size + 1) * sizeof(*state->now));
    if (!state->function || !state->now)
        return false;
    if (functions)
        memcpy(state->function, model_job_function_values(job),
               functions * sizeof(*state->function));
    for (size_t i = 0; i < now_size; i++) {
        uint32_t function = model_job_apply(job, now[i].apply)->function;
        if (state->scope == MODEL_ALL || state->scope == function)
            state->now[state->now_count++] = now[i];
    }
    return true;
}

/* A quantile is known to a bucket; the extremes of the op's calls are known exactly. */
static uint64_t between(uint64_t ns, const struct model_row *row)
{
    if (ns == MODEL_UNKNOWN || row->min_ns == MODEL_UNKNOWN || row->max_ns == MODEL_UNKNOWN)
        return ns;
    ns = ns < row->min_ns ? row->min_ns : ns;
    return ns > row->max_ns ? row->max_ns : ns;
}

/* The buckets of an op are of all its applies: of a part of them nothing can be said. */
static bool take_quantiles(struct model_state *state)
{
    uint32_t known = 0;
    const struct model_quantiles *from = model_job_quantiles(state->job, &known);
    if (known == 0 || state->scope != MODEL_ALL)
        return true;
    state->quantile = malloc((state->count[MODEL_OP] + 1) * sizeof *state->quantile);
    for (uint32_t op = 0; state->quantile && op < state->count[MODEL_OP]; op++)
        for (unsigned i = 0; i < MODEL_QUANTILES; i++)
            state->quantile[op][i] =
                op < known ? between(from[op].ns[i], &state->row[MODEL_OP][op]) : MODEL_UNKNOWN;
    return state->quantile != NULL;
}

static bool derive(struct taking *t)
{
    struct model_state *state = t->state;
    t->def = model_job_apply(state->job, 0);
    t->op = model_job_op(state->job, 0);
    t->function = model_job_function(state->job, 0);
    bool nested = false;
    for (uint32_t f = 0; f < state->count[MODEL_FUNCTION]; f++)
        nested |= t->function[f].parent != MODEL_NONE;
    t->inclusive = calloc(state->count[MODEL_FUNCTION] + 1, sizeof(*t->inclusive));
    t->inner = nested ? calloc(state->count[MODEL_APPLY], sizeof(*t->inner)) : NULL;
    if (!t->inclusive || (nested && !t->inner))
        return false;
    const struct model_apply_value *value = model_job_apply_values(state->job);
    for (uint32_t i = 0; i < state->count[MODEL_APPLY]; i++)
        take_apply(t, i, &value[i]);
    if (nested)
        take_inner(t);
    if (!model_extra_take(state))
        return false;
    model_state_empty(state, MODEL_CLASS);
    model_state_empty(state, MODEL_OP);
    model_state_empty(state, MODEL_FUNCTION);
    model_state_empty(state, MODEL_LINE);
    sum_up(t);
    return take_quantiles(state);
}

struct model_state *model_state_take(struct model_job *job, uint32_t scope,
                                     const struct model_state *before)
{
    if (!job)
        return NULL;
    struct model_state *state = calloc(1, sizeof(*state));
    if (!state)
        return NULL;
    state->job = model_job_retain(job);
    state->mono_ns = model_job_mono_ns(job);
    state->wall_ns = model_job_wall_ns(job);
    state->values_ns = model_job_values_ns(job);
    state->scope = scope;
    state->epoch = model_job_epoch(job);
    state->lines_moved = model_job_lines_moved(job);
    state->complete = model_job_complete(job);
    state->ended = model_job_ended(job);
    struct taking t = {.state = state};
    bool fine = copy_in(state) && derive(&t);
    if (fine && !has_interval(state, before))
        before = NULL;
    bool keeps = fine && before && is_between_ticks(state, before);
    if (keeps) {
        keep_interval(state, before);
    } else if (fine && before) {
        state->interval_ns = interval_between(state, before);
        for (unsigned table = 0; table < MODEL_ROW_TABLES; table++)
            take_interval(state, before, table);
    }
    if (fine && before)
        model_objects_interval(&state->objects, &before->objects,
                               state->mono_ns - before->mono_ns);
    if (fine)
        take_totals(&t, before);
    else
        model_state_free(&state);
    free(t.inclusive);
    free(t.inner);
    return state;
}

void model_state_free(struct model_state **state)
{
    if (!*state)
        return;
    for (unsigned table = 0; table < MODEL_ROW_TABLES; table++)
        free((*state)->row[table]);
    free((*state)->function);
    free((*state)->now);
    free((*state)->phase);
    free((*state)->quantile);
    model_extra_release(*state);
    model_objects_release(&(*state)->objects);
    model_fleet_state_free(&(*state)->fleet);
    model_job_release(&(*state)->job);
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
    uint32_t *next = *first + 1; /* where the next of each function goes: in the end, first */
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

uint64_t model_state_time(const struct model_state *state, const struct model_row *row)
{
    return state->scope == MODEL_ALL ? row->self_ns : row->total_ns;
}

const struct model_now *model_state_oldest_now(const struct model_state *state)
{
    const struct model_now *oldest = NULL;
    for (size_t i = 0; i < state->now_count; i++)
        if (!oldest || state->now[i].since_ns < oldest->since_ns)
            oldest = &state->now[i];
    return oldest;
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

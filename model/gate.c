/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * gate.c: takes the figures of each run, so that its state need not be kept.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/extra.h"
#include "model/gate_private.h"

const char *const model_gate_by_words[MODEL_GATE_BYS] = {
    [MODEL_BY_OP] = "op",         [MODEL_BY_CLASS] = "class",
    [MODEL_BY_APPLY] = "apply",   [MODEL_BY_FUNCTION] = "function",
    [MODEL_BY_MEMORY] = "memory",
};

const char *const model_verdict_words[MODEL_VERDICTS] = {
    [MODEL_SAME] = "same",
    [MODEL_CANNOT_TELL] = "cannot tell",
    [MODEL_SLOWER] = "slower",
};

const struct model_gate_reason_text model_gate_reasons[MODEL_GATE_REASONS] = {
    [MODEL_GATE_NO_REASON] = {NULL, ""},
    [MODEL_GATE_ONE_RUN] = {"one_run", "a run stands on both sides, and a run says nothing against "
                                       "itself: record others"},
    [MODEL_GATE_FEW_RUNS] = {"few_runs", "there are too few runs: record more of each side"},
    [MODEL_GATE_WIDE] = {"wide",
                         "the runs of one side differ too much: record more or longer runs, "
                         "on a quieter machine"},
    [MODEL_GATE_NO_TURNS] = {"no_turns", "the machine may have become slower between A and B: run "
                                         "them in turns, A B A B"},
    [MODEL_GATE_REST_FASTER] = {"rest_faster",
                                "slower only beside other rows, which became faster"},
    [MODEL_GATE_UNKNOWN] = {"unknown", "one side does not know the figure"},
    [MODEL_GATE_STRANGERS] = {"strangers", "A and B share no row"},
};

const char *const model_gate_basis_words[MODEL_BASES] = {
    [MODEL_BASIS_MEAN] = "mean",
    [MODEL_BASIS_MEDIAN] = "median",
    [MODEL_BASIS_LEAST] = "shortest",
};

const struct model_gate_figure_text model_gate_figures[MODEL_GATE_FIGURES] = {
    [MODEL_NS_PER_FUNCTION_CALL] = {"ns_per_function_call", "time per call of the function"},
    [MODEL_NS_PER_CALL] = {"ns_per_call", "time per call"},
    [MODEL_BYTES_PER_FUNCTION_CALL] = {"bytes_per_function_call",
                                       "bytes allocated per call of the function"},
    [MODEL_BYTES_PER_CALL] = {"bytes_per_call", "bytes allocated per call"},
    [MODEL_BYTES_OF_OUTPUTS] = {"bytes_of_outputs", "bytes of the outputs of all nodes"},
};

static const enum model_table tables[MODEL_GATE_BYS] = {
    [MODEL_BY_OP] = MODEL_OP,       [MODEL_BY_CLASS] = MODEL_CLASS,
    [MODEL_BY_APPLY] = MODEL_APPLY, [MODEL_BY_FUNCTION] = MODEL_FUNCTION,
    [MODEL_BY_MEMORY] = MODEL_OP,
};

struct model_gate *model_gate_new(const struct model_gate_rule *rule)
{
    struct model_gate *gate = calloc(1, sizeof(*gate));
    if (!gate)
        return NULL;
    gate->rule = *rule;
    gate->table = tables[rule->by];
    gate->merging = model_multi_job_rows_new(false);
    if (!gate->merging)
        model_gate_free(&gate);
    return gate;
}

void model_gate_free(struct model_gate **gate)
{
    if (!*gate)
        return;
    struct model_gate *g = *gate;
    for (unsigned i = 0; i < g->runs; i++) {
        free(g->run[i].cell);
        free(g->run[i].merged);
    }
    for (unsigned side = 0; side < MODEL_SIDES; side++) {
        model_state_free(&g->first[side]);
        model_multi_job_map_release(&g->map[side]);
    }
    if (g->merging)
        model_multi_job_rows_free(&g->merging);
    free(g->next);
    free(g->row_of);
    free(g->basis);
    free(g->cell);
    free(g->judged);
    free(g);
    *gate = NULL;
}

/* --------------------------------------------------------------------------------- typical time */

static double known(uint64_t value)
{
    return value == MODEL_UNKNOWN ? NAN : (double)value;
}

/* Returns the factor from the mean time of the calls of an op to the mean without its long calls.
 * 1 if its long calls are not known. */
static double typical(const struct model_state *state, uint32_t op)
{
    const struct model_row *row = &state->row[MODEL_OP][op];
    if (!state->quantile)
        return 1;
    const double long_calls = known(state->quantile[op][MODEL_LONG_CALLS]);
    const double long_ns = known(state->quantile[op][MODEL_LONG_NS]);
    const double mean = known(model_row_closed(row)) / known(row->calls);
    const double timed = model_row_sampled(row) ? known(row->timed) : known(row->calls);
    const double factor = (mean * timed - long_ns) / (timed - long_calls) / mean;
    return long_calls > 0 && long_calls < timed / 2 && factor > 0 && factor < 1 ? factor : 1;
}

static double *factors_of(const struct model_state *state)
{
    const uint32_t ops = state->count[MODEL_OP];
    double *factor = malloc((ops + 1u) * sizeof(*factor));
    for (uint32_t op = 0; factor && op < ops; op++)
        factor[op] = typical(state, op);
    return factor;
}

/* ----------------------------------------------------------------------------- figures of a run */

static double function_calls(const struct model_state *state, enum model_table table, uint32_t id)
{
    uint64_t calls = state->totals.calls;
    if (table == MODEL_APPLY)
        calls = state->function[model_job_apply(state->job, id)->function].calls;
    else if (table == MODEL_FUNCTION)
        calls = state->function[id].calls;
    return calls == 0 ? NAN : known(calls);
}

/* Fills the cells of a table with the whole time of each row. */
static void take_times(const struct model_state *state, enum model_table table,
                       struct gate_cell *cell)
{
    for (uint32_t id = 0; id < state->count[table]; id++) {
        const struct model_row *row = &state->row[table][id];
        if (!row->in_scope)
            continue;
        cell[id] = (struct gate_cell){.amount = known(model_state_closed(state, row)),
                                      .calls = known(row->calls),
                                      .function_calls = function_calls(state, table, id),
                                      .estimated = model_state_estimated(state, row),
                                      .works = model_row_left_out(row) == MODEL_LEFT_NOTHING};
        if (row->calls == 0 && !(cell[id].amount > 0))
            cell[id].amount = 0;
    }
}

/* A function that tells its calls has their time. Otherwise it has the time of its applies. */
static void take_calls(const struct model_state *state, struct gate_cell *cell)
{
    for (uint32_t id = 0; id < state->count[MODEL_FUNCTION]; id++) {
        const struct model_function_value *value = &state->function[id];
        if (!state->row[MODEL_FUNCTION][id].in_scope || value->calls == MODEL_UNKNOWN ||
            value->call_ns == MODEL_UNKNOWN || value->calls == 0)
            continue;
        cell[id].amount = (double)value->call_ns;
        cell[id].calls = (double)value->calls;
        cell[id].estimated = model_function_estimated(value);
        cell[id].works = true;
    }
}

/* Sets what the durations of an op say of the time of a row that has all its calls. */
static void take_durations(const struct model_state *state, uint32_t op, struct gate_cell *cell)
{
    const struct model_row *row = &state->row[MODEL_OP][op];
    const double mean = known(model_row_closed(row)) / known(row->calls);
    const double timed = model_row_sampled(row) ? known(row->timed) : known(row->calls);
    cell->median = cell->least = cell->interrupted = cell->above_median = NAN;
    if (!state->quantile)
        return;
    const uint64_t *figure = state->quantile[op];
    cell->interrupted = known(figure[MODEL_LONG_NS]) / (mean * timed);
    cell->above_median = known(figure[MODEL_P90]) / known(figure[MODEL_P50]);
    cell->median = cell->amount * known(figure[MODEL_P50]) / mean;
    cell->least = cell->amount * known(row->min_ns) / mean;
}

/* Takes the long calls of all ops out of the times of a table's rows. */
static void take_out_long(const struct model_state *state, enum model_table table,
                          const double *factor, struct gate_cell *cell)
{
    for (uint32_t id = 0; table == MODEL_OP && id < state->count[MODEL_OP]; id++) {
        take_durations(state, id, &cell[id]);
        cell[id].amount *= factor[id];
    }
    for (uint32_t id = 0; table == MODEL_CLASS && id < state->count[MODEL_OP]; id++) {
        const double ns = known(model_state_closed(state, &state->row[MODEL_OP][id]));
        if (ns == ns)
            cell[model_job_op(state->job, id)->op_class].amount -= ns * (1 - factor[id]);
    }
    for (uint32_t id = 0; table >= MODEL_FUNCTION && id < state->count[MODEL_APPLY]; id++) {
        const struct model_row *row = &state->row[MODEL_APPLY][id];
        const struct model_apply_def *def = model_job_apply(state->job, id);
        const double ns = row->in_scope ? known(model_state_closed(state, row)) : NAN;
        struct gate_cell *to = &cell[table == MODEL_APPLY ? id : def->function];
        if (table == MODEL_APPLY && state->row[MODEL_OP][def->op].applies == 1)
            take_durations(state, def->op, to);
        if (ns == ns && row->does != MODEL_DOES_ASIDE)
            to->amount -= ns * (1 - factor[def->op]);
    }
}

/* Bytes that the op allocated, on all devices. NAN: not known. */
static double allocated(const struct model_state *state, uint32_t op)
{
    static const char *const words[] = {"alloc", "dev alloc"};
    double sum = NAN;
    for (unsigned i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
        const uint32_t metric = model_job_metric_named(state->job, words[i]);
        const uint64_t bytes = metric == MODEL_NONE
                                   ? MODEL_UNKNOWN
                                   : model_extra(state, MODEL_OP, op, MODEL_EXTRA_METRIC + metric);
        if (bytes != MODEL_UNKNOWN)
            sum = (sum == sum ? sum : 0) + (double)bytes;
    }
    return sum;
}

static bool allocates(const struct model_state *state)
{
    for (uint32_t op = 0; op < state->count[MODEL_OP]; op++)
        if (allocated(state, op) > 0)
            return true;
    return false;
}

/* Ops of a job that tells what they allocate, and that allocated nothing, have 0 bytes. */
static void take_bytes(struct model_gate *gate, const struct model_state *state,
                       struct gate_cell *cell)
{
    const bool tells = allocates(state);
    const bool outputs = model_extra_there(state, MODEL_EXTRA_BYTES);
    gate->by_bytes |= tells;
    gate->by_outputs = !gate->by_bytes && (gate->by_outputs || outputs);
    for (uint32_t id = 0; id < state->count[MODEL_OP]; id++) {
        const struct model_row *row = &state->row[MODEL_OP][id];
        const double bytes = allocated(state, id);
        if (!row->in_scope)
            continue;
        cell[id].works = true;
        if (gate->by_outputs)
            cell[id].amount = known(model_extra(state, MODEL_OP, id, MODEL_EXTRA_BYTES));
        else
            cell[id].amount = bytes == bytes ? bytes : tells ? 0 : NAN;
        cell[id].estimated = !gate->by_outputs && state->share < 1;
    }
}

static bool take_figures(struct model_gate *gate, const struct model_state *state,
                         struct gate_run *run)
{
    const enum model_table table = gate->table;
    double *factor = factors_of(state);
    run->cells = state->count[table];
    run->cell = calloc(run->cells + 1u, sizeof(*run->cell));
    if (factor && run->cell) {
        take_times(state, table, run->cell);
        if (table == MODEL_FUNCTION)
            take_calls(state, run->cell);
        if (gate->rule.by == MODEL_BY_MEMORY)
            take_bytes(gate, state, run->cell);
        else
            take_out_long(state, table, factor, run->cell);
    }
    free(factor);
    return factor && run->cell;
}

/* ----------------------------------------------------------------------------------------- runs */

static bool is_same_run(const struct model_gate_run *a, const struct model_gate_run *b)
{
    static const uint8_t nobody[16];
    return memcmp(a->instance, b->instance, 16) == 0 && a->epoch == b->epoch &&
           memcmp(a->instance, nobody, 16) != 0;
}

static void name_run(struct model_gate *gate, struct model_gate_run *info)
{
    for (unsigned i = 0; i < gate->runs; i++) {
        if (!is_same_run(&gate->info[i], info))
            continue;
        info->again |= gate->info[i].side == info->side;
        gate->result.one_run |= gate->info[i].side != info->side;
    }
}

/* Keeps the merged row of each row, and drops the rest of the map, except for the first run of a
 * side. */
static bool match(struct model_gate *gate, const struct model_state *state, unsigned side,
                  struct gate_run *run)
{
    struct model_multi_job_map map = {0};
    bool good = model_multi_job_map_fit(gate->merging, state->job, &map) &&
                map.count[gate->table] >= run->cells;
    run->merged = good ? malloc((run->cells + 1u) * sizeof(*run->merged)) : NULL;
    if (run->merged)
        memcpy(run->merged, map.id[gate->table], run->cells * sizeof(*run->merged));
    if (run->merged && !gate->first[side]) {
        gate->map[side] = map;
        gate->first[side] = model_state_take(state->job, state->scope, NULL);
        return gate->first[side] != NULL;
    }
    model_multi_job_map_release(&map);
    return run->merged != NULL;
}

bool model_gate_add(struct model_gate *gate, unsigned side, const struct model_state *state,
                    const char *word, uint64_t time_ns, char *why, size_t capacity)
{
    unsigned runs = 0;
    for (unsigned i = 0; i < gate->runs; i++)
        runs += gate->info[i].side == side;
    if (runs == MODEL_GATE_RUNS) {
        snprintf(why, capacity, "at most %d runs of each side are compared", MODEL_GATE_RUNS);
        return false;
    }
    struct model_gate_run *info = &gate->info[gate->runs];
    struct gate_run *run = &gate->run[gate->runs];
    *info = (struct model_gate_run){
        .epoch = model_job_epoch(state->job), .time_ns = time_ns, .side = side};
    snprintf(info->word, sizeof(info->word), "%s", word);
    memcpy(info->instance, model_job_identity(state->job)->instance, sizeof(info->instance));
    name_run(gate, info);
    gate->runs++;
    if (take_figures(gate, state, run) && match(gate, state, side, run))
        return true;
    snprintf(why, capacity, "there is no memory left for the figures of a run");
    return false;
}

/* -------------------------------------------------------------------------------------- reading */

const struct model_gate_result *model_gate_result(const struct model_gate *gate)
{
    return &gate->result;
}

static const struct model_text *class_name(const struct model_job *job, uint32_t id)
{
    return &model_job_class(job, id)->name;
}

static const struct model_text *op_name(const struct model_job *job, uint32_t id)
{
    return &model_job_op(job, id)->label;
}

static const struct model_text *function_name(const struct model_job *job, uint32_t id)
{
    return &model_job_function(job, id)->name;
}

static const struct model_text *apply_name(const struct model_job *job, uint32_t id)
{
    return &model_job_apply(job, id)->label;
}

const struct model_text *model_gate_name(const struct model_gate *gate, uint32_t id)
{
    static const struct model_text *(*const name[])(const struct model_job *job, uint32_t id) = {
        [MODEL_CLASS] = class_name,
        [MODEL_OP] = op_name,
        [MODEL_FUNCTION] = function_name,
        [MODEL_APPLY] = apply_name,
    };
    return name[gate->table](model_multi_job_rows_job(gate->merging), id);
}

const struct model_text *model_gate_function(const struct model_gate *gate, uint32_t id)
{
    const struct model_job *job = model_multi_job_rows_job(gate->merging);
    return gate->table == MODEL_APPLY
               ? &model_job_function(job, model_job_apply(job, id)->function)->name
               : NULL;
}

uint32_t model_gate_next(const struct model_gate *gate, uint32_t id)
{
    return gate->next[id];
}

const char *model_gate_mark(const struct model_gate_row *row)
{
    if (row->reason == MODEL_GATE_UNKNOWN)
        return NULL;
    if (row->runs[MODEL_A] == 0 && row->runs[MODEL_B] > 0)
        return "new";
    return row->runs[MODEL_B] == 0 && row->runs[MODEL_A] > 0 ? "gone" : NULL;
}

/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * gate_judge.c: puts the figures of all runs side by side, takes out the pace of the runs, and
 * judges each row.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/gate_private.h"

/* Figures of one row, by run. */
struct sample {
    double value[MODEL_SIDES][MODEL_GATE_RUNS];
    unsigned count[MODEL_SIDES];
    unsigned unknown[MODEL_SIDES]; /* runs with the row that do not know its figure */
};

/* Everything that is judged together. */
struct judging {
    struct model_gate *gate;
    double *pace;               /* by run */
    double *whole;              /* by run: amounts of all rows that work */
    double *common;             /* by run: amounts of the rows that both sides have */
    double *fresh;              /* by run: amounts of new rows; of runs of A of gone rows */
    double allowed;             /* logarithm of 1 + fail_above */
    struct model_shift between; /* of the pace, from A to B */
    struct model_levels level;
    bool strangers; /* no row is on both sides */
};

static unsigned side_of(const struct model_gate *gate, unsigned run)
{
    return gate->info[run].side;
}

static bool counts(const struct model_gate *gate, unsigned run)
{
    return !gate->info[run].again;
}

static const struct gate_cell *cell_at(const struct model_gate *gate, unsigned run, uint32_t row)
{
    return &gate->cell[(size_t)run * gate->rows + row];
}

/* --------------------------------------------------------------------------------- rows of all */

static uint32_t root_of(uint32_t *parent, uint32_t id)
{
    while (parent[id] != id)
        id = parent[id] = parent[parent[id]];
    return id;
}

static void join(uint32_t *parent, uint32_t a, uint32_t b)
{
    a = root_of(parent, a);
    b = root_of(parent, b);
    parent[a > b ? a : b] = a < b ? a : b;
}

/* Joins the rows that diff.h pairs in the first run of each side. */
static bool join_pairs(struct model_gate *gate, uint32_t *parent)
{
    struct model_diff diff = {0};
    if (gate->table == MODEL_FUNCTION || !gate->first[MODEL_A] || !gate->first[MODEL_B])
        return true;
    const bool good = model_diff_take(&diff, gate->first[MODEL_A], gate->first[MODEL_B]);
    const struct model_diff_table *table = &diff.table[gate->table];
    for (uint32_t i = 0; good && i < table->count; i++) {
        uint32_t before = MODEL_NONE;
        for (unsigned side = 0; side < MODEL_SIDES; side++)
            for (uint32_t id = table->row[i].side[side].first; id != MODEL_NONE;
                 id = model_diff_next(table, side, id)) {
                const uint32_t merged = gate->map[side].id[gate->table][id];
                if (before != MODEL_NONE)
                    join(parent, before, merged);
                before = merged;
            }
    }
    model_diff_release(&diff);
    return good;
}

/* Numbers the rows, and chains the merged rows of each. */
static bool number_rows(struct model_gate *gate)
{
    gate->merged = model_job_count(model_multi_job_rows_job(gate->merging), gate->table);
    uint32_t *parent = malloc((gate->merged + 1u) * sizeof(*parent));
    uint32_t *last = malloc((gate->merged + 1u) * sizeof(*last));
    gate->next = malloc((gate->merged + 1u) * sizeof(*gate->next));
    gate->row_of = malloc((gate->merged + 1u) * sizeof(*gate->row_of));
    bool good = parent && last && gate->next && gate->row_of;
    for (uint32_t id = 0; good && id < gate->merged; id++)
        parent[id] = id;
    good = good && join_pairs(gate, parent);
    for (uint32_t id = 0; good && id < gate->merged; id++) {
        const uint32_t root = root_of(parent, id);
        gate->next[id] = MODEL_NONE;
        gate->row_of[id] = root == id ? gate->rows++ : gate->row_of[root];
        if (root != id)
            gate->next[last[gate->row_of[id]]] = id;
        last[gate->row_of[id]] = id;
    }
    free(parent);
    free(last);
    return good;
}

/* Durations of two ops do not add up. A part that was never called changes nothing. */
static void add_cell(struct gate_cell *to, const struct gate_cell *from)
{
    const bool only = to->amount == 0;
    to->calls += from->calls;
    if (from->function_calls > 0)
        to->function_calls = from->function_calls;
    to->estimated |= from->estimated;
    to->works |= from->works;
    if (from->amount <= 0)
        return;
    to->median = only ? from->median : NAN;
    to->least = only ? from->least : NAN;
    to->interrupted = from->interrupted;
    to->above_median = from->above_median;
    to->amount += from->amount;
}

/* Adds up the figures of all rows of the run that are in one row. */
static bool lay_out(struct model_gate *gate)
{
    gate->cell = calloc((size_t)gate->runs * gate->rows + 1, sizeof(*gate->cell));
    gate->judged = calloc(gate->rows + 1u, sizeof(*gate->judged));
    gate->basis = calloc(gate->rows + 1u, sizeof(*gate->basis));
    if (!gate->cell || !gate->judged || !gate->basis)
        return false;
    for (unsigned run = 0; run < gate->runs; run++) {
        struct gate_run *own = &gate->run[run];
        for (uint32_t id = 0; id < own->cells; id++)
            add_cell(&gate->cell[(size_t)run * gate->rows + gate->row_of[own->merged[id]]],
                     &own->cell[id]);
        free(own->cell);
        own->cell = NULL;
    }
    return true;
}

/* -------------------------------------------------------------------------------------- figures */

/* Times per call of the function need its calls in every run; otherwise they are per call. */
static enum model_gate_figure choose_figure(const struct model_gate *gate)
{
    const bool memory = gate->rule.by == MODEL_BY_MEMORY;
    bool functions = true;
    if (memory && gate->by_outputs)
        return MODEL_BYTES_OF_OUTPUTS;
    for (unsigned run = 0; run < gate->runs; run++)
        for (uint32_t row = 0; row < gate->rows; row++)
            functions = functions && (!(cell_at(gate, run, row)->amount > 0) ||
                                      cell_at(gate, run, row)->function_calls > 0);
    if (functions && !gate->rule.per_call)
        return memory ? MODEL_BYTES_PER_FUNCTION_CALL : MODEL_NS_PER_FUNCTION_CALL;
    return memory ? MODEL_BYTES_PER_CALL : MODEL_NS_PER_CALL;
}

/* Returns the figure of a row of a run; 0: the run lacks the row; NAN: unknown. */
static double figure_of(const struct model_gate *gate, unsigned run, uint32_t row)
{
    const enum model_gate_figure figure = gate->result.figure;
    const struct gate_cell *cell = cell_at(gate, run, row);
    const double amount[MODEL_BASES] = {cell->amount, cell->median, cell->least};
    double by = 1;
    if (cell->amount == 0)
        return 0;
    if (figure == MODEL_NS_PER_FUNCTION_CALL || figure == MODEL_BYTES_PER_FUNCTION_CALL)
        by = cell->function_calls;
    else if (figure != MODEL_BYTES_OF_OUTPUTS)
        by = cell->calls;
    return by > 0 ? amount[gate->basis[row]] / by : NAN;
}

/* Percentiles are accurate to a part of a bucket, unless nearly all calls are in one bucket. */
static const double much_interrupted = 0.05, narrow = 1.15, spread_out = 1.08;

/* Chooses for each row one basis for all runs. */
static void choose_bases(struct model_gate *gate)
{
    enum { INTERRUPTED, OVER_LEAST, OVER_MEDIAN, KINDS };
    double value[KINDS][MODEL_SIDES * MODEL_GATE_RUNS], middle[KINDS];
    for (uint32_t row = 0; gate->rule.by != MODEL_BY_MEMORY && row < gate->rows; row++) {
        unsigned count = 0;
        bool known = true;
        for (unsigned run = 0; run < gate->runs; run++) {
            const struct gate_cell *cell = cell_at(gate, run, row);
            if (!counts(gate, run) || cell->amount == 0)
                continue;
            known = known && cell->median > 0 && cell->least > 0 && cell->interrupted >= 0 &&
                    cell->above_median > 0;
            value[INTERRUPTED][count] = cell->interrupted;
            value[OVER_LEAST][count] = cell->median / cell->least;
            value[OVER_MEDIAN][count++] = cell->above_median;
        }
        for (unsigned kind = 0; known && kind < KINDS; kind++)
            middle[kind] = model_rank_median(value[kind], count);
        if (!known || count == 0 || middle[INTERRUPTED] < much_interrupted)
            continue;
        if (middle[OVER_LEAST] < narrow)
            gate->basis[row] = MODEL_BASIS_LEAST;
        else if (middle[OVER_MEDIAN] >= spread_out)
            gate->basis[row] = MODEL_BASIS_MEDIAN;
    }
}

static void collect(const struct judging *j, uint32_t row, bool paced, struct sample *sample)
{
    const struct model_gate *gate = j->gate;
    memset(sample->count, 0, sizeof(sample->count));
    memset(sample->unknown, 0, sizeof(sample->unknown));
    for (unsigned run = 0; run < gate->runs; run++) {
        const unsigned side = side_of(gate, run);
        const double figure = figure_of(gate, run, row);
        if (!counts(gate, run) || figure == 0)
            continue;
        if (figure > 0)
            sample->value[side][sample->count[side]++] = log(figure) - (paced ? j->pace[run] : 0);
        else
            sample->unknown[side]++;
    }
}

static double median_of(const double *value, unsigned count)
{
    double copy[MODEL_SIDES * MODEL_GATE_RUNS];
    memcpy(copy, value, count * sizeof(*value));
    return model_rank_median(copy, count);
}

/* Median over the runs of a side that have the row. NAN: none has it. */
static double median_amount(const struct model_gate *gate, uint32_t row, unsigned side,
                            const double *whole)
{
    double value[MODEL_GATE_RUNS];
    unsigned count = 0;
    for (unsigned run = 0; run < gate->runs; run++) {
        const double amount = cell_at(gate, run, row)->amount;
        if (counts(gate, run) && side_of(gate, run) == side && amount > 0)
            value[count++] = whole ? amount / whole[run] : amount;
    }
    return model_rank_median(value, count);
}

static double larger(double a, double b)
{
    return b != b || a > b ? a : b;
}

/* ------------------------------------------------------------------------------------- verdicts */

/* A little is left for figures that are exactly as much slower as allowed. */
static const double rounding = 1e-9;

static void judge(const struct judging *j, const struct model_shift *shift,
                  struct model_gate_row *row)
{
    const double allowed = j->allowed + rounding;
    row->ratio = (struct model_gate_ratio){exp(shift->low), exp(shift->mid), exp(shift->high)};
    if (shift->mid > allowed && shift->low > 0)
        row->verdict = MODEL_SLOWER;
    else if (shift->high <= allowed)
        row->verdict = MODEL_SAME;
    else {
        const double end = shift->mid > allowed ? shift->low : shift->high;
        row->verdict = MODEL_CANNOT_TELL;
        row->reason = isinf(end) ? MODEL_GATE_FEW_RUNS : MODEL_GATE_WIDE;
    }
}

static void doubt(struct model_gate_row *row, enum model_gate_reason reason)
{
    row->verdict = MODEL_CANNOT_TELL;
    row->reason = (uint8_t)reason;
}

static bool compare(const struct judging *j, const struct sample *sample, struct model_shift *shift)
{
    return model_rank_shift(sample->value[MODEL_A], sample->count[MODEL_A], sample->value[MODEL_B],
                            sample->count[MODEL_B], j->level, shift);
}

/* If B as a whole is faster, beyond doubt, a row that is slower beside it may be no slower than in
 * A. */
static void consider_rest(const struct judging *j, const struct model_shift *shift,
                          struct model_gate_row *row)
{
    const double allowed = j->allowed + rounding;
    if (j->between.high >= 0 || shift->mid + j->between.mid > allowed)
        return;
    if (j->gate->result.turns && shift->high + j->between.high <= allowed)
        row->verdict = MODEL_SAME;
    else
        doubt(row, MODEL_GATE_REST_FASTER);
}

/* A row that both sides have. */
static bool judge_both(const struct judging *j, uint32_t at, struct model_gate_row *row)
{
    const struct model_gate_result *result = &j->gate->result;
    struct sample sample;
    struct model_shift plain, paced;
    collect(j, at, false, &sample);
    bool good = compare(j, &sample, &plain);
    collect(j, at, result->paced, &sample);
    good = good && compare(j, &sample, &paced);
    if (!good)
        return false;
    row->plain_ratio = exp(plain.mid);
    judge(j, &paced, row);
    if (row->verdict == MODEL_SLOWER && result->paced)
        consider_rest(j, &paced, row);
    else if (row->verdict == MODEL_SLOWER && !result->turns && j->gate->rule.by != MODEL_BY_MEMORY)
        doubt(row, MODEL_GATE_NO_TURNS);
    return true;
}

/* By how much new rows make a run of B longer than its other rows do. `less`: the share of gone
 * rows. */
static bool lengthen(const struct judging *j, uint32_t at, double less, struct model_shift *shift)
{
    const struct model_gate *gate = j->gate;
    double value[MODEL_GATE_RUNS];
    unsigned count = 0;
    for (unsigned run = 0; run < gate->runs; run++) {
        if (!counts(gate, run) || side_of(gate, run) != MODEL_B)
            continue;
        const double amount = at == MODEL_NONE ? j->fresh[run] : cell_at(gate, run, at)->amount;
        const double share = amount / j->common[run] - less;
        value[count++] = log1p(share > -0.9 ? share : -0.9);
    }
    const struct model_levels level = {MODEL_GATE_MISSED, MODEL_GATE_MISSED};
    return model_rank_one(value, count, level, shift);
}

static double share_of_gone(const struct judging *j)
{
    double value[MODEL_GATE_RUNS];
    unsigned count = 0;
    for (unsigned run = 0; run < j->gate->runs; run++)
        if (counts(j->gate, run) && side_of(j->gate, run) == MODEL_A && j->common[run] > 0)
            value[count++] = j->fresh[run] / j->common[run];
    return count ? model_rank_median(value, count) : 0;
}

/* A new row fails if it is longer than allowed, and new rows are together, after what is gone. That
 * no run of A has it is no luck if the runs are enough to compare rows. */
static bool judge_new(const struct judging *j, uint32_t at, struct model_gate_row *row)
{
    struct model_gate_row all = {0};
    struct model_shift own, together;
    if (j->strangers) {
        doubt(row, MODEL_GATE_STRANGERS);
        return true;
    }
    if (!lengthen(j, at, 0, &own) || !lengthen(j, MODEL_NONE, share_of_gone(j), &together))
        return false;
    const unsigned *runs = j->gate->result.counted;
    judge(j, &own, row);
    judge(j, &together, &all);
    if (row->verdict == MODEL_SLOWER &&
        model_rank_tail(runs[MODEL_A], runs[MODEL_B], 0) > j->level.low * (1 + rounding))
        doubt(row, MODEL_GATE_FEW_RUNS);
    if (all.verdict < row->verdict) {
        row->verdict = all.verdict;
        row->reason = all.reason;
    }
    return true;
}

/* ----------------------------------------------------------------------------------------- pace */

/* The pace of a run is the median of its rows' distances from their medians over all runs. */
static void find_pace(struct judging *j, const uint32_t *place, uint32_t rows)
{
    struct model_gate *gate = j->gate;
    double *distance = calloc((size_t)rows * gate->runs + 1, sizeof(*distance));
    double value[MODEL_SIDES * MODEL_GATE_RUNS];
    uint32_t used = 0;
    for (uint32_t i = 0; distance && i < rows; i++) {
        unsigned count = 0, runs = 0;
        for (unsigned run = 0; run < gate->runs; run++) {
            const double figure = figure_of(gate, run, place[i]);
            runs += counts(gate, run);
            if (counts(gate, run) && figure > 0)
                value[count++] = log(figure);
        }
        if (count < runs || count == 0)
            continue;
        const double middle = median_of(value, count);
        for (unsigned run = 0; run < gate->runs; run++)
            distance[(size_t)run * rows + used] = log(figure_of(gate, run, place[i])) - middle;
        used++;
    }
    gate->result.paced = distance && used >= MODEL_GATE_PACED;
    for (unsigned run = 0; gate->result.paced && run < gate->runs; run++)
        j->pace[run] = model_rank_median(distance + (size_t)run * rows, used);
    free(distance);
}

static bool judge_pace(struct judging *j)
{
    struct model_gate *gate = j->gate;
    struct model_gate_row *row = &gate->result.pace;
    struct sample sample = {0};
    for (unsigned run = 0; run < gate->runs; run++)
        if (counts(gate, run)) {
            const unsigned side = side_of(gate, run);
            sample.value[side][sample.count[side]++] = j->pace[run];
        }
    if (!compare(j, &sample, &j->between))
        return false;
    *row = (struct model_gate_row){.first = MODEL_NONE,
                                   .runs = {sample.count[MODEL_A], sample.count[MODEL_B]},
                                   .figure = {NAN, NAN},
                                   .share = 1,
                                   .plain_ratio = exp(j->between.mid)};
    judge(j, &j->between, row);
    if (row->verdict == MODEL_SLOWER && !gate->result.turns)
        doubt(row, MODEL_GATE_NO_TURNS);
    return true;
}

/* The runs took turns if one of A and one of B came first about equally often. Runs that live all
 * ran together. */
static bool took_turns(const struct model_gate *gate)
{
    unsigned live = 0, runs = 0, first = 0, pairs = 0;
    for (unsigned i = 0; i < gate->runs; i++) {
        runs += counts(gate, i);
        live += counts(gate, i) && gate->info[i].time_ns == MODEL_UNKNOWN;
        for (unsigned k = 0; k < gate->runs; k++) {
            if (!counts(gate, i) || !counts(gate, k) || side_of(gate, i) != MODEL_A ||
                side_of(gate, k) != MODEL_B)
                continue;
            pairs++;
            first += gate->info[i].time_ns < gate->info[k].time_ns;
        }
    }
    return live == runs || (live == 0 && first * 4 >= pairs && first * 4 <= 3 * pairs);
}

/* ------------------------------------------------------------------------------------------ all */

/* Returns true if the row is judged, and sets what is known without a comparison. */
static bool describe(struct judging *j, uint32_t at, struct model_gate_row *row)
{
    struct model_gate *gate = j->gate;
    struct model_gate_result *result = &gate->result;
    struct sample sample;
    bool works = false;
    collect(j, at, false, &sample);
    for (unsigned run = 0; run < gate->runs; run++) {
        works |= cell_at(gate, run, at)->works;
        row->estimated |= cell_at(gate, run, at)->estimated;
    }
    double amount = NAN, share = NAN;
    for (unsigned side = 0; side < MODEL_SIDES; side++) {
        row->runs[side] = sample.count[side];
        row->figure[side] = exp(median_of(sample.value[side], sample.count[side]));
        amount = larger(median_amount(gate, at, side, NULL), amount);
        share = larger(median_amount(gate, at, side, j->whole), share);
    }
    row->share = share;
    row->basis = gate->basis[at];
    row->ratio = (struct model_gate_ratio){0, NAN, INFINITY};
    row->plain_ratio = NAN;
    const bool some = sample.count[MODEL_A] + sample.count[MODEL_B] > 0;
    const bool unknown = sample.unknown[MODEL_A] + sample.unknown[MODEL_B] > 0;
    const double least =
        (double)(gate->rule.by == MODEL_BY_MEMORY ? gate->rule.min_bytes : gate->rule.min_ns);
    const bool left_out = !some && !unknown;
    if (left_out)
        return false;
    result->waiting += !works;
    result->unknown += works && !some;
    result->small += works && some && !(amount >= least);
    if (!works || !some || !(amount >= least))
        return false;
    for (unsigned side = 0; side < MODEL_SIDES; side++)
        if (sample.count[side] == 0 && (sample.unknown[side] > 0 || sample.unknown[!side] > 0))
            doubt(row, MODEL_GATE_UNKNOWN);
    return true;
}

/* Adds up each run: all rows, the rows of both sides, and the rows of one side. */
static void add_up(struct judging *j)
{
    struct model_gate *gate = j->gate;
    j->strangers = true;
    for (uint32_t row = 0; row < gate->rows; row++) {
        bool has[MODEL_SIDES] = {false}, works = false;
        for (unsigned run = 0; run < gate->runs; run++) {
            /* An unknown amount is one, too. */
            has[side_of(gate, run)] |= counts(gate, run) && cell_at(gate, run, row)->amount != 0;
            works |= cell_at(gate, run, row)->works;
        }
        const bool both = has[MODEL_A] && has[MODEL_B];
        for (unsigned run = 0; works && run < gate->runs; run++) {
            const double amount = cell_at(gate, run, row)->amount;
            if (!(amount > 0))
                continue;
            j->whole[run] += amount;
            *(both ? &j->common[run] : &j->fresh[run]) += amount;
            j->strangers = j->strangers && !both;
        }
    }
}

static int by_verdict(const void *a, const void *b)
{
    const struct model_gate_row *x = a, *y = b;
    if (x->verdict != y->verdict)
        return x->verdict < y->verdict ? 1 : -1;
    if (x->share != y->share)
        return x->share < y->share ? 1 : -1;
    return x->first < y->first ? -1 : x->first > y->first;
}

static bool judge_row(struct judging *j, uint32_t at, struct model_gate_row *row)
{
    bool good = true;
    if (row->reason == MODEL_GATE_NO_REASON && row->runs[MODEL_A] > 0 && row->runs[MODEL_B] > 0)
        good = judge_both(j, at, row);
    else if (row->reason == MODEL_GATE_NO_REASON && row->runs[MODEL_B] > 0)
        good = judge_new(j, at, row);
    if (j->gate->result.one_run)
        doubt(row, MODEL_GATE_ONE_RUN);
    j->gate->result.of[row->verdict]++;
    return good;
}

/* The rows that are judged are known before the first verdict: its level depends on their number.
 */
static bool judge_rows(struct judging *j, uint32_t *place)
{
    struct model_gate *gate = j->gate;
    struct model_gate_result *result = &gate->result;
    bool good = true;
    for (uint32_t at = 0, id = 0; at < gate->rows; id++) {
        if (gate->row_of[id] != at)
            continue; /* a further merged row of a row before */
        struct model_gate_row *row = &gate->judged[result->rows];
        *row = (struct model_gate_row){.first = id};
        if (describe(j, at, row))
            place[result->rows++] = at;
        at++;
    }
    if (gate->rule.by != MODEL_BY_MEMORY)
        find_pace(j, place, result->rows);
    const double level =
        MODEL_GATE_FALSE_ALARM / (result->rows + (result->paced ? 1u : 0u) + 1e-12);
    j->level = (struct model_levels){level, MODEL_GATE_MISSED};
    result->least_runs = model_rank_least(level);
    if (result->paced) {
        good = judge_pace(j);
        if (result->one_run)
            doubt(&result->pace, MODEL_GATE_ONE_RUN);
        result->of[result->pace.verdict]++;
    }
    for (uint32_t i = 0; good && i < result->rows; i++)
        good = judge_row(j, place[i], &gate->judged[i]);
    if (result->rows)
        qsort(gate->judged, result->rows, sizeof(*gate->judged), by_verdict);
    return good;
}

static void conclude(struct model_gate *gate)
{
    struct model_gate_result *result = &gate->result;
    result->rule = &gate->rule;
    result->run = gate->info;
    result->runs = gate->runs;
    result->row = gate->judged;
    result->verdict = result->of[MODEL_SLOWER]                         ? MODEL_SLOWER
                      : result->of[MODEL_CANNOT_TELL] || !result->rows ? MODEL_CANNOT_TELL
                                                                       : MODEL_SAME;
}

bool model_gate_judge(struct model_gate *gate)
{
    const size_t runs = gate->runs + 1u;
    struct judging j = {.gate = gate, .allowed = log1p(gate->rule.fail_above)};
    double *by_run = calloc(4 * runs, sizeof(*by_run));
    uint32_t *place = NULL;
    bool good = by_run && number_rows(gate) && lay_out(gate);
    if (good)
        place = malloc((gate->rows + 1u) * sizeof(*place));
    good = good && place;
    if (good) {
        j.pace = by_run;
        j.whole = by_run + runs;
        j.common = by_run + 2 * runs;
        j.fresh = by_run + 3 * runs;
        for (unsigned run = 0; run < gate->runs; run++)
            gate->result.counted[side_of(gate, run)] += counts(gate, run);
        gate->result.figure = choose_figure(gate);
        gate->result.turns = took_turns(gate);
        choose_bases(gate);
        add_up(&j);
        good = judge_rows(&j, place);
        conclude(gate);
    }
    free(place);
    free(by_run);
    return good;
}

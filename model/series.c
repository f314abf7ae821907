/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * series.c: sums the changes of a row in bins of time.
 */
#include "model/series.h"

#include <math.h>
#include <string.h>

#include "model/delta.h"

/* Words of the rows of values. */
enum { APPLY_CALLS = 0, APPLY_TIME = 1, COUNTER_KNOWN = 0, COUNTER_VALUE = 1, SPAN_CALLS = 1 };
_Static_assert(offsetof(struct model_counter_value, value) == COUNTER_VALUE * sizeof(uint64_t) &&
                   offsetof(struct model_span_value, calls) == SPAN_CALLS * sizeof(uint64_t) &&
                   offsetof(struct model_apply_value, total_ns) == APPLY_TIME * sizeof(uint64_t),
               "words of the rows");

/* The row of a table that has an apply, or MODEL_NONE. */
static uint32_t row_of(const struct model_job *job, enum model_table table, uint32_t apply)
{
    const struct model_apply_def *def = model_job_apply(job, apply);
    switch (def ? table : MODEL_TABLES) {
    case MODEL_APPLY:
        return apply;
    case MODEL_OP:
        return def->op;
    case MODEL_CLASS:
        return model_job_op(job, def->op)->op_class;
    case MODEL_FUNCTION:
        return def->function;
    case MODEL_LINE:
        return def->line;
    default:
        return MODEL_NONE;
    }
}

static uint64_t change_of(const struct model_delta_row *row, unsigned word)
{
    for (unsigned i = 0; i < row->words && row->word[i] <= word; i++)
        if (row->word[i] == word)
            return row->change[i];
    return 0;
}

static struct model_series_bin read_moment(const struct model_history *history, uint32_t at,
                                           const struct model_series_key *key)
{
    const struct model_job *job = model_history_job(history);
    const unsigned table = key->of == MODEL_SERIES_RUNS ? MODEL_V_SPAN : MODEL_V_APPLY;
    struct model_series_bin sum = {0, 0};
    struct model_delta_in in;
    model_history_changes(history, at, &in);
    while (model_delta_next(&in) && in.row.table <= table) {
        const bool is_span = table == MODEL_V_SPAN;
        if (in.row.table != table ||
            key->id != (is_span ? in.row.id : row_of(job, key->table, in.row.id)))
            continue;
        sum.calls += (double)(int64_t)change_of(&in.row, is_span ? SPAN_CALLS : APPLY_CALLS);
        if (!is_span)
            sum.ns += (double)(int64_t)change_of(&in.row, APPLY_TIME);
    }
    return sum;
}

/* Bins of equal length. */
struct axis {
    uint64_t bin_ns, end_ns;
    unsigned bins;
};

static struct axis axis_of(const struct model_series *s)
{
    return (struct axis){s->bin_ns, s->end_ns, s->bins};
}

static uint64_t begin_of(const struct axis *axis, unsigned bin)
{
    return axis->end_ns - (axis->bins - bin) * axis->bin_ns;
}

/* Spreads what was added in a moment over its bins, from `least_ns` on. */
static void spread(const struct axis *axis, struct model_series_bin *to,
                   const struct model_history_moment *moment, uint64_t least_ns,
                   const struct model_series_bin *more)
{
    const uint64_t first_ns = begin_of(axis, 0), to_ns = moment->mono_ns;
    const double ns = (double)(to_ns - moment->from_ns);
    uint64_t from_ns = moment->from_ns > first_ns ? moment->from_ns : first_ns;
    from_ns = from_ns > least_ns ? from_ns : least_ns;
    if (to_ns <= from_ns || from_ns >= axis->end_ns || ns <= 0)
        return;
    for (unsigned at = (unsigned)((from_ns - first_ns) / axis->bin_ns);
         at < axis->bins && begin_of(axis, at) < to_ns; at++) {
        const uint64_t a = begin_of(axis, at) > from_ns ? begin_of(axis, at) : from_ns;
        const uint64_t b = begin_of(axis, at + 1) < to_ns ? begin_of(axis, at + 1) : to_ns;
        const double part = (double)(b - a) / ns;
        to[at].calls += more->calls * part;
        to[at].ns += more->ns * part;
    }
}

static double value_of(enum model_series_of of, uint64_t bin_ns, const struct model_series_bin *bin)
{
    const double a_second = 1e9 / (double)bin_ns;
    if (of == MODEL_SERIES_PER_CALL)
        return bin->calls > 0 ? bin->ns / bin->calls : NAN;
    return (of == MODEL_SERIES_TIME ? bin->ns : bin->calls) * a_second;
}

/* True if the bins that ended at `taken_end_ns` can be moved on: returns how far. */
static bool goes_on(const struct axis *axis, uint64_t taken_end_ns, unsigned *moved)
{
    const uint64_t ns = axis->end_ns - taken_end_ns;
    if (axis->end_ns < taken_end_ns || ns % axis->bin_ns != 0 || ns / axis->bin_ns >= axis->bins)
        return false;
    *moved = (unsigned)(ns / axis->bin_ns);
    return true;
}

static void move_on(struct model_series_bin *bin, unsigned bins, unsigned moved)
{
    memmove(bin, bin + moved, (bins - moved) * sizeof(*bin));
    memset(bin + bins - moved, 0, moved * sizeof(*bin));
}

/* What of the moments is in the bins by now. */
struct done {
    uint64_t known_ns; /* the bins hold all up to there, */
    uint64_t done_ns;  /* and this is the newest moment that was read */
};

static struct done done_of(const struct axis *axis, bool again, uint64_t taken_end_ns,
                           uint64_t done_ns)
{
    return (struct done){again ? taken_end_ns : begin_of(axis, 0), again ? done_ns : 0};
}

/* The first moment to read. */
static uint32_t first_of(const struct model_history *history, const struct done *done)
{
    const uint64_t oldest_ns =
        done->done_ns != 0 && done->done_ns < done->known_ns ? done->done_ns : done->known_ns;
    return model_history_find(history, oldest_ns) + 1;
}

/* From when on a moment is to be spread. */
static uint64_t least_of(const struct done *done, const struct model_history_moment *moment)
{
    return moment->mono_ns <= done->done_ns ? done->known_ns : 0;
}

/* Rows of ops and spans: what was added in each bin. Bins outside the past are unknown. The moments
 * up to `done_ns` have been spread up to `taken_end_ns`. */
static void take_rates(struct model_series *s, const struct model_history *history,
                       const struct model_series_key *key)
{
    const uint32_t count = model_history_count(history);
    const uint64_t first_ns = model_history_at(history, 0).mono_ns;
    const struct axis axis = axis_of(s);
    unsigned moved = s->bins;
    const bool again = s->taken_bins == s->bins && s->taken_bin_ns == s->bin_ns &&
                       memcmp(&s->key, key, sizeof(*key)) == 0 &&
                       goes_on(&axis, s->taken_end_ns, &moved);
    const struct done done = done_of(&axis, again, s->taken_end_ns, s->done_ns);
    s->done_ns = done.done_ns;
    move_on(s->bin, s->bins, moved);
    for (uint32_t at = first_of(history, &done); at < count; at++) {
        const struct model_history_moment moment = model_history_at(history, at);
        if (moment.from_ns >= s->end_ns)
            break;
        s->done_ns = moment.mono_ns;
        if (model_history_at(history, at - 1).epoch != moment.epoch)
            continue; /* a reset: the values fell */
        const struct model_series_bin more = read_moment(history, at, key);
        spread(&axis, s->bin, &moment, least_of(&done, &moment), &more);
    }
    for (unsigned i = 0; i < s->bins; i++)
        s->value[i] =
            begin_of(&axis, i) < first_ns ? NAN : value_of(key->of, s->bin_ns, &s->bin[i]);
    s->key = *key;
    s->taken_bins = s->bins;
    s->taken_bin_ns = s->bin_ns;
    s->taken_end_ns = s->end_ns;
}

static double number_of(const struct model_job *job, uint32_t id, const uint64_t *row)
{
    union model_number number;
    if (row[COUNTER_KNOWN] == 0)
        return NAN;
    memcpy(&number, &row[COUNTER_VALUE], sizeof(number));
    switch (model_job_counter(job, id)->kind) {
    case MODEL_F64:
        return number.d;
    case MODEL_MEMORY:
        return (double)number.u;
    default:
        return (double)number.i;
    }
}

/* A level holds from its moment on. The history is walked backwards from the newest moment. */
static void take_levels(struct model_series *s, const struct model_history *history,
                        const struct model_series_key *key)
{
    const struct model_job *job = model_history_job(history);
    const uint64_t *newest = model_history_row(history, MODEL_V_COUNTER, key->id);
    uint64_t row[2] = {0, 0};
    const struct axis axis = axis_of(s);
    unsigned bin = s->bins;
    if (newest)
        memcpy(row, newest, sizeof(row));
    for (uint32_t at = model_history_count(history); newest && at-- > 0 && bin > 0;) {
        struct model_delta_in in;
        const uint64_t since_ns = model_history_at(history, at).mono_ns;
        while (bin > 0 && begin_of(&axis, bin) > since_ns)
            s->value[--bin] = number_of(job, key->id, row);
        model_history_changes(history, at, &in);
        while (model_delta_next(&in) && in.row.table <= MODEL_V_COUNTER) {
            if (in.row.table != MODEL_V_COUNTER || in.row.id != key->id)
                continue;
            row[COUNTER_KNOWN] -= change_of(&in.row, COUNTER_KNOWN);
            row[COUNTER_VALUE] -= change_of(&in.row, COUNTER_VALUE);
        }
    }
    while (bin > 0)
        s->value[--bin] = NAN;
}

void model_series_take(struct model_series *s, const struct model_history *history,
                       const struct model_series_key *key)
{
    s->bins = s->bins > MODEL_SERIES_MAX ? MODEL_SERIES_MAX : s->bins;
    s->least = s->most = s->last = NAN;
    for (unsigned i = 0; i < s->bins; i++)
        s->value[i] = NAN;
    if (model_history_count(history) == 0 || s->end_ns < s->bins * s->bin_ns)
        return;
    if (key->of == MODEL_SERIES_COUNTER)
        take_levels(s, history, key);
    else
        take_rates(s, history, key);
    for (unsigned i = 0; i < s->bins; i++) {
        const double value = s->value[i];
        if (isnan(value))
            continue;
        s->least = isnan(s->least) || value < s->least ? value : s->least;
        s->most = isnan(s->most) || value > s->most ? value : s->most;
        s->last = value;
    }
}

/* --------------------------------------------------------------------------------- many rows */

enum { MOST_CHANGES = 2000000 }; /* of rows and moments, that are read at once */

/* Position of a row, or MODEL_NONE. */
static uint32_t strip_of(const uint32_t *id, uint32_t rows, uint32_t wanted)
{
    uint32_t from = 0, end = rows;
    while (from < end) {
        const uint32_t middle = from + (end - from) / 2;
        if (id[middle] < wanted)
            from = middle + 1;
        else
            end = middle;
    }
    return from < rows && id[from] == wanted ? from : MODEL_NONE;
}

/* Adds a moment to the bins of its rows. */
static void add_moment(struct model_strips *s, const struct axis *axis,
                       const struct model_history *history, uint32_t at, const struct done *done)
{
    const struct model_job *job = model_history_job(history);
    const struct model_history_moment moment = model_history_at(history, at);
    const bool spans = s->of == MODEL_SERIES_RUNS;
    const unsigned table = spans ? MODEL_V_SPAN : MODEL_V_APPLY;
    struct model_delta_in in;
    model_history_changes(history, at, &in);
    while (model_delta_next(&in) && in.row.table <= table) {
        if (in.row.table != table)
            continue;
        const uint32_t row =
            strip_of(s->id, s->rows, spans ? in.row.id : row_of(job, s->table, in.row.id));
        if (row == MODEL_NONE)
            continue;
        const struct model_series_bin more = {
            .calls = (double)(int64_t)change_of(&in.row, spans ? SPAN_CALLS : APPLY_CALLS),
            .ns = spans ? 0 : (double)(int64_t)change_of(&in.row, APPLY_TIME)};
        spread(axis, s->bin[row], &moment, least_of(done, &moment), &more);
    }
}

/* The values of counters at the ends of the bins: as take_levels(), of many. */
static void take_strip_levels(struct model_strips *s, const struct axis *axis,
                              const struct model_history *history)
{
    const struct model_job *job = model_history_job(history);
    uint64_t row[MODEL_STRIPS_MAX][2];
    unsigned bin = axis->bins;
    for (uint32_t i = 0; i < s->rows; i++) {
        const uint64_t *newest = model_history_row(history, MODEL_V_COUNTER, s->id[i]);
        memset(row[i], 0, sizeof(row[i]));
        if (newest)
            memcpy(row[i], newest, sizeof(row[i]));
        for (unsigned b = 0; b < axis->bins; b++)
            s->bin[i][b].calls = NAN;
    }
    for (uint32_t at = model_history_count(history); at-- > 0 && bin > 0;) {
        struct model_delta_in in;
        const uint64_t since_ns = model_history_at(history, at).mono_ns;
        for (; bin > 0 && begin_of(axis, bin) > since_ns; bin--)
            for (uint32_t i = 0; i < s->rows; i++)
                s->bin[i][bin - 1].calls = number_of(job, s->id[i], row[i]);
        model_history_changes(history, at, &in);
        while (model_delta_next(&in) && in.row.table <= MODEL_V_COUNTER) {
            const uint32_t i =
                in.row.table == MODEL_V_COUNTER ? strip_of(s->id, s->rows, in.row.id) : MODEL_NONE;
            if (i == MODEL_NONE)
                continue;
            row[i][COUNTER_KNOWN] -= change_of(&in.row, COUNTER_KNOWN);
            row[i][COUNTER_VALUE] -= change_of(&in.row, COUNTER_VALUE);
        }
    }
}

static bool is_same(const struct model_strips *s)
{
    return s->taken_of == s->of && s->taken_table == s->table && s->taken_rows == s->rows &&
           s->taken_bin_ns == s->bin_ns &&
           memcmp(s->taken_id, s->id, s->rows * sizeof(s->id[0])) == 0;
}

void model_strips_take(struct model_strips *s, const struct model_history *history)
{
    const struct axis axis = {s->bin_ns, s->end_ns, MODEL_STRIP_BINS};
    const uint32_t count = model_history_count(history);
    unsigned moved = MODEL_STRIP_BINS;
    if (count == 0 || s->end_ns < axis.bins * axis.bin_ns) {
        s->rows = s->taken_rows = 0;
        return;
    }
    const bool again = is_same(s) && goes_on(&axis, s->taken_end_ns, &moved);
    const struct done done = done_of(&axis, again, s->taken_end_ns, s->done_ns);
    const uint32_t from = first_of(history, &done);
    const uint64_t applies = model_job_count(model_history_job(history), MODEL_APPLY);
    if (from < count && (count - from) * applies > MOST_CHANGES) {
        s->rows = s->taken_rows = 0;
        return;
    }
    s->done_ns = done.done_ns;
    for (uint32_t row = 0; row < s->rows; row++)
        move_on(s->bin[row], axis.bins, moved);
    const bool levels = s->of == MODEL_SERIES_COUNTER;
    if (levels)
        take_strip_levels(s, &axis, history);
    for (uint32_t at = levels ? count : from;
         at < count && model_history_at(history, at).from_ns < s->end_ns; at++) {
        s->done_ns = model_history_at(history, at).mono_ns;
        if (model_history_at(history, at - 1).epoch == model_history_at(history, at).epoch)
            add_moment(s, &axis, history, at, &done);
    }
    s->first_ns = model_history_at(history, 0).mono_ns;
    s->taken_of = s->of;
    s->taken_table = s->table;
    s->taken_rows = s->rows;
    memcpy(s->taken_id, s->id, s->rows * sizeof(s->id[0]));
    s->taken_bin_ns = s->bin_ns;
    s->taken_end_ns = s->end_ns;
}

bool model_strips_levels(const struct model_strips *s, uint32_t id, double level[MODEL_STRIP_BINS])
{
    const struct axis axis = {s->bin_ns, s->end_ns, MODEL_STRIP_BINS};
    const uint32_t row = strip_of(s->id, s->rows, id);
    const bool counter = s->of == MODEL_SERIES_COUNTER;
    double least = NAN, most = 0;
    if (row == MODEL_NONE)
        return false;
    for (unsigned i = 0; i < MODEL_STRIP_BINS; i++) {
        const struct model_series_bin *bin = &s->bin[row][i];
        level[i] = counter                            ? bin->calls
                   : begin_of(&axis, i) < s->first_ns ? NAN
                                                      : value_of(s->of, s->bin_ns, bin);
        if (isnan(level[i]))
            continue;
        most = isnan(least) || level[i] > most ? level[i] : most;
        least = isnan(least) || level[i] < least ? level[i] : least;
    }
    const double from = counter ? least : 0, range = most - from;
    for (unsigned i = 0; i < MODEL_STRIP_BINS; i++)
        level[i] = range > 0 ? (level[i] - from) / range : counter ? level[i] * 0 + 0.5 : level[i];
    return true;
}

/* -------------------------------------------------------------------------------------- words */

enum model_unit model_series_unit(const struct model_job *job, const struct model_series_key *key)
{
    const struct model_counter_def *def =
        key->of == MODEL_SERIES_COUNTER ? model_job_counter(job, key->id) : NULL;
    if (key->of == MODEL_SERIES_TIME || key->of == MODEL_SERIES_PER_CALL)
        return MODEL_UNIT_MEAN;
    return def && def->kind == MODEL_MEMORY ? MODEL_UNIT_BYTES : MODEL_UNIT_COUNT;
}

const char *model_series_title(enum model_series_of of)
{
    static const char *const title[MODEL_SERIES_KINDS] = {[MODEL_SERIES_TIME] = "time a second",
                                                          [MODEL_SERIES_CALLS] = "calls a second",
                                                          [MODEL_SERIES_PER_CALL] = "time per call",
                                                          [MODEL_SERIES_COUNTER] = "value",
                                                          [MODEL_SERIES_RUNS] = "runs a second"};
    return title[of];
}

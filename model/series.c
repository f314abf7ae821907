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

static bool is_of(const struct model_job *job, const struct model_series_key *key, uint32_t apply)
{
    const struct model_apply_def *def = model_job_apply(job, apply);
    switch (def ? key->table : MODEL_TABLES) {
    case MODEL_APPLY:
        return apply == key->id;
    case MODEL_OP:
        return def->op == key->id;
    case MODEL_CLASS:
        return model_job_op(job, def->op)->op_class == key->id;
    case MODEL_FUNCTION:
        return def->function == key->id;
    case MODEL_LINE:
        return def->line == key->id;
    default:
        return false;
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
        if (in.row.table != table || (is_span ? in.row.id != key->id : !is_of(job, key, in.row.id)))
            continue;
        sum.calls += (double)(int64_t)change_of(&in.row, is_span ? SPAN_CALLS : APPLY_CALLS);
        if (!is_span)
            sum.ns += (double)(int64_t)change_of(&in.row, APPLY_TIME);
    }
    return sum;
}

static uint64_t begin_of(const struct model_series *s, unsigned bin)
{
    return s->end_ns - (s->bins - bin) * s->bin_ns;
}

/* Spreads what was added in a moment over its bins, from `least_ns` on. */
static void spread(struct model_series *s, const struct model_history_moment *moment,
                   uint64_t least_ns, const struct model_series_bin *more)
{
    const uint64_t first_ns = begin_of(s, 0), to_ns = moment->mono_ns;
    const double ns = (double)(to_ns - moment->from_ns);
    uint64_t from_ns = moment->from_ns > first_ns ? moment->from_ns : first_ns;
    from_ns = from_ns > least_ns ? from_ns : least_ns;
    if (to_ns <= from_ns || from_ns >= s->end_ns || ns <= 0)
        return;
    for (unsigned at = (unsigned)((from_ns - first_ns) / s->bin_ns);
         at < s->bins && begin_of(s, at) < to_ns; at++) {
        const uint64_t a = begin_of(s, at) > from_ns ? begin_of(s, at) : from_ns;
        const uint64_t b = begin_of(s, at + 1) < to_ns ? begin_of(s, at + 1) : to_ns;
        const double part = (double)(b - a) / ns;
        s->bin[at].calls += more->calls * part;
        s->bin[at].ns += more->ns * part;
    }
}

static double value_of(const struct model_series *s, enum model_series_of of,
                       const struct model_series_bin *bin)
{
    const double a_second = 1e9 / (double)s->bin_ns;
    if (of == MODEL_SERIES_PER_CALL)
        return bin->calls > 0 ? bin->ns / bin->calls : NAN;
    return (of == MODEL_SERIES_TIME ? bin->ns : bin->calls) * a_second;
}

/* True if the bins of the last time can be moved on: returns how far. */
static bool goes_on(const struct model_series *s, const struct model_series_key *key,
                    unsigned *moved)
{
    const uint64_t ns = s->end_ns - s->taken_end_ns;
    if (s->taken_bins != s->bins || s->taken_bin_ns != s->bin_ns || s->end_ns < s->taken_end_ns ||
        memcmp(&s->key, key, sizeof(*key)) != 0 || ns % s->bin_ns != 0 || ns / s->bin_ns >= s->bins)
        return false;
    *moved = (unsigned)(ns / s->bin_ns);
    return true;
}

/* Rows of ops and spans: what was added in each bin. Bins outside the past are unknown. The moments
 * up to `done_ns` have been spread up to `taken_end_ns`. */
static void take_rates(struct model_series *s, const struct model_history *history,
                       const struct model_series_key *key)
{
    const uint32_t count = model_history_count(history);
    const uint64_t first_ns = model_history_at(history, 0).mono_ns;
    unsigned moved = s->bins;
    const bool again = goes_on(s, key, &moved);
    memmove(s->bin, s->bin + moved, (s->bins - moved) * sizeof(s->bin[0]));
    memset(s->bin + s->bins - moved, 0, moved * sizeof(s->bin[0]));
    const uint64_t known_ns = again ? s->taken_end_ns : begin_of(s, 0);
    const uint64_t done_ns = again ? s->done_ns : 0;
    const uint64_t oldest_ns = again && done_ns < known_ns ? done_ns : known_ns;
    for (uint32_t at = model_history_find(history, oldest_ns) + 1; at < count; at++) {
        const struct model_history_moment moment = model_history_at(history, at);
        if (moment.from_ns >= s->end_ns)
            break;
        s->done_ns = moment.mono_ns;
        if (model_history_at(history, at - 1).epoch != moment.epoch)
            continue; /* a reset: the values fell */
        const struct model_series_bin more = read_moment(history, at, key);
        spread(s, &moment, moment.mono_ns <= done_ns ? known_ns : 0, &more);
    }
    for (unsigned i = 0; i < s->bins; i++)
        s->value[i] = begin_of(s, i) < first_ns ? NAN : value_of(s, key->of, &s->bin[i]);
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
    unsigned bin = s->bins;
    if (newest)
        memcpy(row, newest, sizeof(row));
    for (uint32_t at = model_history_count(history); newest && at-- > 0 && bin > 0;) {
        struct model_delta_in in;
        const uint64_t since_ns = model_history_at(history, at).mono_ns;
        while (bin > 0 && begin_of(s, bin) > since_ns)
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

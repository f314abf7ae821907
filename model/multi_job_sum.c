/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * multi_job_sum.c: rows, functions and totals of several states. Linear in the rows of all jobs.
 */
#include "model/multi_job_sum.h"

#include <stdlib.h>

#include "model/state_private.h"

/* Adds known values only. A job that is over, or has just started, has no interval and is
 * skipped. */
static uint64_t plus_known(uint64_t sum, uint64_t part)
{
    if (sum == MODEL_UNKNOWN || part == MODEL_UNKNOWN)
        return sum == MODEL_UNKNOWN ? part : sum;
    return model_state_plus(sum, part);
}

static uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b; /* MODEL_UNKNOWN is the largest value */
}

/* ----------------------------------------------------------------------------------------- rows */

static bool make_rows(struct model_state *to, const struct model_multi_job_part *part, size_t parts)
{
    bool waits = false;
    for (size_t i = 0; i < parts; i++)
        waits |= model_job_waits(part[i].state->job);
    for (unsigned table = 0; table < MODEL_ROW_TABLES; table++) {
        to->count[table] = model_job_count(to->job, table);
        to->row[table] = malloc((to->count[table] + 1u) * sizeof(struct model_row));
        if (!to->row[table] || !model_state_fit_waited(to, table, waits))
            return false;
        model_state_empty(to, table);
    }
    return true;
}

static void add_waited(struct model_state *to, const struct model_multi_job_part *part,
                       enum model_table table, uint32_t id)
{
    const struct model_state *from = part->state;
    const uint32_t sum = part->map->id[table][id];
    const struct model_waited more = model_state_waited(from, table, &from->row[table][id]);
    struct model_waited *all = &to->waited[table][sum];
    model_state_add_waited(to, table, sum, &more);
    if (!part->current)
        return;
    all->interval_ns = model_state_plus(all->interval_ns, model_known_or_0(more.interval_ns));
    all->aside_interval_ns =
        model_state_plus(all->aside_interval_ns, model_known_or_0(more.aside_interval_ns));
}

static void add_rows(struct model_state *to, const struct model_multi_job_part *part,
                     enum model_table table)
{
    const struct model_state *from = part->state;
    for (uint32_t i = 0; i < from->count[table] && i < part->map->count[table]; i++) {
        const struct model_row *row = &from->row[table][i];
        struct model_row *sum = &to->row[table][part->map->id[table][i]];
        if (!row->in_scope)
            continue;
        bool alone = sum->applies == 0 && !sum->in_scope;
        model_row_merge(sum, row);
        if (part->current) {
            sum->interval_calls = plus_known(sum->interval_calls, row->interval_calls);
            sum->interval_ns = plus_known(sum->interval_ns, row->interval_ns);
            sum->interval_closed_ns =
                plus_known(sum->interval_closed_ns, row->interval_closed_ns);
        }
        if (row->does & MODEL_DOES_NO_WORK)
            add_waited(to, part, table, i);
        /* Last call and error are valid for a single job only. */
        sum->last_ns = alone ? row->last_ns : MODEL_UNKNOWN;
        sum->error_ns = alone ? row->error_ns : MODEL_UNKNOWN;
    }
}

/* ------------------------------------------------------------------------------------ functions */

/* Converts an instant to the clock of the sum: equally long ago as by the job's own clock. */
static uint64_t since_of(const struct model_state *to, const struct model_state *from, uint64_t ns)
{
    if (ns == MODEL_UNKNOWN)
        return MODEL_UNKNOWN;
    uint64_t age = from->mono_ns > ns ? from->mono_ns - ns : 0;
    return to->mono_ns > age ? to->mono_ns - age : 0;
}

/* Members of struct model_function_value and struct model_totals to add up. */
#define AT(type, member) (offsetof(struct type, member) / sizeof(uint64_t))
static const size_t function_sums[] = {
    AT(model_function_value, calls),      AT(model_function_value, call_ns),
    AT(model_function_value, vm_ns),      AT(model_function_value, compile_ns),
    AT(model_function_value, rewrite_ns), AT(model_function_value, validate_ns),
    AT(model_function_value, link_ns),
};

static bool make_functions(struct model_state *to)
{
    to->function = malloc((to->count[MODEL_FUNCTION] + 1u) * sizeof(*to->function));
    for (uint32_t i = 0; to->function && i < to->count[MODEL_FUNCTION]; i++)
        to->function[i] = (struct model_function_value){
            MODEL_UNKNOWN, MODEL_UNKNOWN, MODEL_UNKNOWN, MODEL_UNKNOWN, MODEL_UNKNOWN,
            MODEL_UNKNOWN, MODEL_UNKNOWN, MODEL_UNKNOWN, MODEL_UNKNOWN, MODEL_UNKNOWN,
            MODEL_UNKNOWN,
        };
    return to->function != NULL;
}

/* Counts all calls as timed if every call was. The error is valid for a single job only. Call this
 * before the calls are added up. */
static void add_sampled(struct model_function_value *sum, const struct model_function_value *value)
{
    const bool alone = sum->calls == MODEL_UNKNOWN && sum->call_ns == MODEL_UNKNOWN;
    sum->timed =
        plus_known(sum->timed, model_function_estimated(value) ? value->timed : value->calls);
    sum->error_ns = alone ? value->error_ns : MODEL_UNKNOWN;
}

static void add_functions(struct model_state *to, const struct model_multi_job_part *part)
{
    const struct model_state *from = part->state;
    const size_t sums = sizeof(function_sums) / sizeof(function_sums[0]);
    for (uint32_t f = 0; f < from->count[MODEL_FUNCTION] && f < part->map->count[MODEL_FUNCTION];
         f++) {
        struct model_function_value *sum = &to->function[part->map->id[MODEL_FUNCTION][f]];
        const struct model_function_value *value = &from->function[f];
        add_sampled(sum, value);
        for (size_t i = 0; i < sums; i++) {
            uint64_t *figure = &((uint64_t *)sum)[function_sums[i]];
            *figure = plus_known(*figure, ((const uint64_t *)value)[function_sums[i]]);
        }
        sum->open_since_ns = least(sum->open_since_ns, since_of(to, from, value->open_since_ns));
        sum->compile_since_ns =
            least(sum->compile_since_ns, since_of(to, from, value->compile_since_ns));
    }
}

static void finish_functions(struct model_state *to)
{
    for (uint32_t i = 0; i < to->count[MODEL_FUNCTION]; i++)
        model_row_finish_function(&to->row[MODEL_FUNCTION][i], &to->function[i]);
}

/* --------------------------------------------------------------------------------------- totals */

struct total {
    size_t at;      /* offset in struct model_totals */
    size_t without; /* a job with 0 or unknown here does not make the sum unknown */
};
static const struct total total_sums[] = {
    {AT(model_totals, calls), AT(model_totals, calls)},
    {AT(model_totals, call_ns), AT(model_totals, calls)},
    {AT(model_totals, vm_ns), AT(model_totals, calls)},
    {AT(model_totals, compile_ns), AT(model_totals, compile_ns)},
    {AT(model_totals, rewrite_ns), AT(model_totals, compile_ns)},
    {AT(model_totals, validate_ns), AT(model_totals, compile_ns)},
    {AT(model_totals, link_ns), AT(model_totals, compile_ns)},
};

/* Returns a sum over the jobs. It is unknown if any job lacks the figure, so a part never looks
 * like the whole. */
static uint64_t total_of(const struct total *total, const struct model_multi_job_part *part,
                         size_t parts)
{
    struct model_sum sum = {0};
    for (size_t i = 0; i < parts; i++) {
        const uint64_t *figure = (const uint64_t *)&part[i].state->totals;
        bool none = figure[total->without] == MODEL_UNKNOWN || figure[total->without] == 0;
        if (!none || figure[total->at] != MODEL_UNKNOWN)
            model_sum_add(&sum, figure[total->at]);
    }
    return model_sum_of(&sum);
}

/* Returns the interval for which the rate of all calls is the sum of the jobs' rates. The jobs' own
 * intervals differ slightly. */
static uint64_t interval_of(const struct model_multi_job_part *part, size_t parts)
{
    double rate = 0, calls = 0, sum_ns = 0;
    size_t n = 0;
    for (size_t i = 0; i < parts; i++) {
        const struct model_state *state = part[i].state;
        uint64_t more = state->totals.interval_calls;
        if (!part[i].current || state->interval_ns == 0)
            continue;
        n++;
        sum_ns += (double)state->interval_ns;
        if (more == MODEL_UNKNOWN)
            continue;
        calls += (double)more;
        rate += (double)more / (double)state->interval_ns;
    }
    double ns = rate > 0 ? calls / rate : n > 0 ? sum_ns / (double)n : 0;
    return (uint64_t)(ns + 0.5);
}

static void add_pace(double *sum, double more)
{
    if (more >= 0)
        *sum = (*sum < 0 ? 0 : *sum) + more;
}

/* Jobs that train together take the same steps, but each has its own samples. */
static void add_paces(struct model_state *to, const struct model_multi_job_part *part, size_t parts)
{
    to->pace = model_pace_none;
    for (size_t i = 0; i < parts; i++) {
        const struct model_pace *pace = part[i].current ? &part[i].state->pace : &model_pace_none;
        add_pace(&to->pace.samples, pace->samples);
        add_pace(&to->pace.tokens, pace->tokens);
    }
}

static void add_totals(struct model_state *to, const struct model_multi_job_part *part,
                       size_t parts)
{
    struct model_totals *totals = &to->totals;
    for (size_t i = 0; i < sizeof(total_sums) / sizeof(total_sums[0]); i++)
        ((uint64_t *)totals)[total_sums[i].at] = total_of(&total_sums[i], part, parts);
    totals->interval_calls = totals->apply_interval_calls = MODEL_UNKNOWN;
    totals->interval_time_ns = totals->wait_ns = totals->aside_ns = MODEL_UNKNOWN;
    for (size_t i = 0; i < parts; i++) {
        const struct model_totals *more = &part[i].state->totals;
        totals->time_ns = model_state_plus(totals->time_ns, more->time_ns);
        totals->wait_ns = plus_known(totals->wait_ns, more->wait_ns);
        totals->aside_ns = plus_known(totals->aside_ns, more->aside_ns);
        totals->apply_calls = model_state_plus(totals->apply_calls, more->apply_calls);
        totals->estimated |= more->estimated;
        totals->ops_estimated |= more->ops_estimated;
        totals->uncalled |= more->uncalled;
        totals->unseen |= more->unseen;
        totals->more_open |= more->more_open;
        totals->open_ns = model_state_plus(totals->open_ns, more->open_ns);
        if (!part[i].current)
            continue;
        totals->interval_calls = plus_known(totals->interval_calls, more->interval_calls);
        totals->apply_interval_calls =
            plus_known(totals->apply_interval_calls, more->apply_interval_calls);
        totals->interval_time_ns = plus_known(totals->interval_time_ns, more->interval_time_ns);
    }
    for (unsigned table = 0; table < MODEL_ROW_TABLES; table++)
        for (uint32_t i = 0; i < to->count[table]; i++)
            totals->rows[table] += to->row[table][i].in_scope;
    totals->thunk_ns = model_totals_thunks(totals);
    to->interval_ns = interval_of(part, parts);
    add_paces(to, part, parts);
}

static void add_stamps(struct model_state *to, const struct model_multi_job_part *part,
                       size_t parts)
{
    to->ended = parts > 0;
    for (size_t i = 0; i < parts; i++) {
        const struct model_state *from = part[i].state;
        to->mono_ns = from->mono_ns > to->mono_ns ? from->mono_ns : to->mono_ns;
        to->wall_ns = from->wall_ns > to->wall_ns ? from->wall_ns : to->wall_ns;
        to->values_ns = from->values_ns > to->values_ns ? from->values_ns : to->values_ns;
        to->ended = to->ended && from->ended;
        to->complete |= from->complete;
    }
}

bool model_multi_job_sum(struct model_state *to, const struct model_multi_job_part *part,
                         size_t parts)
{
    if (!make_rows(to, part, parts) || !make_functions(to))
        return false;
    add_stamps(to, part, parts);
    for (size_t i = 0; i < parts; i++) {
        for (unsigned table = 0; table < MODEL_ROW_TABLES; table++)
            add_rows(to, &part[i], table);
        add_functions(to, &part[i]);
    }
    finish_functions(to);
    add_totals(to, part, parts);
    return true;
}

/* ------------------------------------------------------------------------------------- comparing
 */

/* The time of one row in one job. */
struct share {
    uint64_t ns;
    uint32_t place;
};

static int ascending(const void *a, const void *b)
{
    const struct share *x = a, *y = b;
    if (x->ns != y->ns)
        return x->ns < y->ns ? -1 : 1;
    return (x->place > y->place) - (x->place < y->place);
}

static struct model_ranks ranks_of(struct share *share, size_t n)
{
    if (n == 0)
        return (struct model_ranks){MODEL_UNKNOWN, MODEL_UNKNOWN, MODEL_UNKNOWN, MODEL_NONE, 0};
    qsort(share, n, sizeof(*share), ascending);
    uint64_t low = share[(n - 1) / 2].ns, high = share[n / 2].ns;
    return (struct model_ranks){.min_ns = share[0].ns,
                                .median_ns = low + (high - low) / 2,
                                .max_ns = share[n - 1].ns,
                                .most = share[n - 1].place,
                                .jobs = (uint32_t)n};
}

/* Groups the times of jobs' rows by merged row: begin[row] is the next free index of the row. */
static void gather(const struct model_multi_job_part *part, size_t parts, enum model_table table,
                   size_t *begin, struct share *share)
{
    for (size_t i = 0; i < parts; i++) {
        const struct model_state *state = part[i].state;
        for (uint32_t id = 0; id < state->count[table] && id < part[i].map->count[table]; id++) {
            const struct model_row *row = &state->row[table][id];
            uint64_t ns = model_state_time(state, row);
            if (!row->in_scope || ns == MODEL_UNKNOWN)
                continue;
            size_t *at = &begin[part[i].map->id[table][id]];
            if (share)
                share[*at] = (struct share){ns, part[i].place};
            ++*at;
        }
    }
}

static bool rank(struct model_state *to, const struct model_multi_job_part *part, size_t parts,
                 enum model_table table)
{
    uint32_t rows = to->count[table];
    size_t *end = calloc(rows + 1u, sizeof(*end));
    if (!end)
        return false;
    gather(part, parts, table, end, NULL);
    size_t sum = 0;
    for (uint32_t i = 0; i < rows; i++) {
        size_t count = end[i];
        end[i] = sum;
        sum += count;
    }
    struct share *share = malloc((sum + 1) * sizeof(*share));
    struct model_ranks *ranks = malloc((rows + 1u) * sizeof(*ranks));
    if (share && ranks)
        gather(part, parts, table, end, share);
    for (uint32_t i = 0; share && ranks && i < rows; i++) {
        size_t from = i ? end[i - 1] : 0;
        ranks[i] = ranks_of(&share[from], end[i] - from);
    }
    if (!share) {
        free(ranks);
        ranks = NULL;
    }
    free(share);
    free(end);
    to->multi_job->ranks[table] = ranks;
    return ranks != NULL;
}

static bool attribute(struct model_state *to, const struct model_multi_job_part *part, size_t parts,
                      enum model_table table)
{
    uint32_t *of = malloc((to->count[table] + 1u) * sizeof(*of));
    for (uint32_t i = 0; of && i < to->count[table]; i++)
        of[i] = MODEL_NONE;
    for (size_t i = 0; of && i < parts; i++)
        for (uint32_t id = 0; id < part[i].map->count[table]; id++)
            of[part[i].map->id[table][id]] = part[i].place;
    to->multi_job->of[table] = of;
    return of != NULL;
}

bool model_multi_job_compare(struct model_state *to, const struct model_multi_job_part *part,
                             size_t parts)
{
    for (unsigned table = 0; table < MODEL_ROW_TABLES; table++) {
        if (to->multi_job->view == MODEL_MULTI_JOB_RANKS && !rank(to, part, parts, table))
            return false;
        if (to->multi_job->view == MODEL_MULTI_JOB_EACH && !attribute(to, part, parts, table))
            return false;
    }
    return true;
}

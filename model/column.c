/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * column.c: THE column table, and the getters of its columns.
 */
#include "model/column.h"

#include <string.h>
#include <strings.h>

#include "model/column_extra.h"
#include "model/compile.h"
#include "model/extra.h"
#include "model/multi_job.h"
#include "model/noise.h"
#include "model/view.h"

#define GETTER(name)                                                                               \
    static struct model_cell name(const struct model_view *view, const struct model_row *row,      \
                                  uint32_t at)

static struct model_cell number(uint64_t u)
{
    return (struct model_cell){.known = u != MODEL_UNKNOWN, .u = u};
}

/* Not rounded. Unknown without a call. */
static struct model_cell per_call(uint64_t time_ns, uint64_t calls)
{
    const bool known = time_ns != MODEL_UNKNOWN && calls != MODEL_UNKNOWN && calls > 0;
    return (struct model_cell){.known = known, .d = known ? (double)time_ns / (double)calls : 0};
}

static struct model_cell mark(struct model_cell cell, bool estimated)
{
    cell.approx = cell.known && estimated;
    return cell;
}

static uint64_t time_of(const struct model_view *view, const struct model_row *row)
{
    return view->table == MODEL_COMPILE ? row->total_ns : model_state_time(view->state, row);
}

/* The work behind a row's share. A phase of a compilation is all work. */
static uint64_t work_of(const struct model_view *view, const struct model_row *row)
{
    return view->table == MODEL_COMPILE ? row->total_ns
                                        : model_state_work(view->state, view->table, row);
}

static struct model_waited waited(const struct model_view *view, const struct model_row *row)
{
    return model_state_waited(view->state, view->table, row);
}

/* A share of work, marked if it excludes a part of the row. A row that does not work has no
 * share. */
static struct model_cell share(const struct model_row *row, uint64_t part, uint64_t whole,
                               uint64_t wait_ns, uint64_t aside_ns)
{
    struct model_cell cell = model_share(part, whole);
    cell.left_out = (uint8_t)model_row_left_out(row);
    if (cell.known)
        cell.left_out = wait_ns > 0    ? MODEL_LEFT_WAITING
                        : aside_ns > 0 ? MODEL_LEFT_ASIDE
                                       : MODEL_LEFT_NOTHING;
    return cell;
}

/* Compresses a time to fewer than COARSE_END steps. A step is at most a thousandth of the time. */
enum { COARSE_BITS = 10, COARSE_END = (64 - COARSE_BITS + 1) << COARSE_BITS };
static uint64_t coarse(uint64_t ns)
{
    unsigned shift = 0;
    while (ns >> shift >= 2u << COARSE_BITS)
        shift++;
    return ((uint64_t)shift << COARSE_BITS) + (ns >> shift);
}

/* Sort key of shares and running sums. First come the rows by work, then the rows that do no work,
 * by their time, then the rows that took no time. Keys of work are small, which suits sort.c. */
static uint64_t by_share(const struct model_row *row, uint64_t work_ns, uint64_t ns)
{
    if (model_row_left_out(row))
        return ns == MODEL_UNKNOWN ? 0 : 2 + coarse(ns);
    if (work_ns == MODEL_UNKNOWN)
        return 0;
    return work_ns == 0 ? 1 : model_state_plus(work_ns, 2 + COARSE_END);
}

static uint64_t by_time(const struct model_view *view, const struct model_row *row)
{
    return by_share(row, work_of(view, row), model_state_time(view->state, row));
}

static uint64_t by_interval(const struct model_view *view, const struct model_row *row)
{
    return by_share(row, model_state_interval_work(view->state, view->table, row),
                    row->interval_ns);
}

static uint64_t by_impls(const struct model_view *view, const struct model_row *row)
{
    (void)view;
    return row->impls;
}

GETTER(get_percent)
{
    (void)at;
    const bool compile = view->table == MODEL_COMPILE;
    uint64_t whole = compile ? view->whole : view->state->totals.time_ns;
    const struct model_waited of = waited(view, row);
    return mark(share(row, work_of(view, row), whole, of.ns, of.aside_ns),
                model_state_estimated(view->state, row));
}

GETTER(get_sum)
{
    /* The running sum stays at the row above, so a row without a share shows none. */
    return model_share(model_row_left_out(row) ? MODEL_UNKNOWN : model_view_sum(view, at),
                       view->state->totals.time_ns);
}

GETTER(get_time)
{
    (void)at;
    return mark(number(time_of(view, row)), model_state_estimated(view->state, row));
}

GETTER(get_per_call)
{
    (void)at;
    return mark(per_call(model_state_closed(view->state, row), row->calls),
                model_state_estimated(view->state, row));
}

/* The same row at the mark, or NULL if it did not exist, or had no call. */
static const struct model_row *row_at_mark(const struct model_view *view,
                                           const struct model_row *row)
{
    const struct model_state *base = view->state->base;
    const unsigned table = model_table_rows(view->table);
    const bool there = base && table < MODEL_ROW_TABLES && row->id < base->count[table];
    const struct model_row *was = there ? &base->row[table][row->id] : NULL;
    return was && was->in_scope && was->calls > 0 && was->calls != MODEL_UNKNOWN ? was : NULL;
}

GETTER(get_was_per_call)
{
    (void)at;
    const struct model_row *was = row_at_mark(view, row);
    if (!was)
        return number(MODEL_UNKNOWN);
    return mark(per_call(model_state_closed(view->state->base, was), was->calls),
                model_state_estimated(view->state->base, was));
}

GETTER(get_more)
{
    const struct model_cell was = get_was_per_call(view, row, at);
    const struct model_cell now = get_per_call(view, row, at);
    struct model_cell more = {.known = was.known && now.known && was.d > 0};
    more.d = more.known ? (now.d / was.d - 1) * 100 : 0;
    return mark(more, was.approx || now.approx);
}

enum change { CHANGE_UNKNOWN, CHANGE_FASTER, CHANGE_SAME, CHANGE_NEW, CHANGE_SLOWER };

static enum change change_of(const struct model_view *view, const struct model_row *row)
{
    const struct model_cell more = get_more(view, row, 0);
    const double error = model_noise_of(view->state->noise, view->table, row->id);
    if (row->calls > 0 && row->calls != MODEL_UNKNOWN && view->state->base &&
        !row_at_mark(view, row))
        return CHANGE_NEW;
    if (!more.known || error < 0)
        return CHANGE_UNKNOWN;
    const double ratio = 1 + more.d / 100;
    if (!model_noise_exceeded(ratio, error))
        return CHANGE_SAME;
    return ratio > 1 ? CHANGE_SLOWER : CHANGE_FASTER;
}

static uint64_t by_change(const struct model_view *view, const struct model_row *row)
{
    return change_of(view, row);
}

GETTER(get_interval_percent)
{
    (void)at;
    const struct model_waited of = waited(view, row);
    return mark(share(row, model_state_interval_work(view->state, view->table, row),
                      view->state->totals.interval_time_ns, of.interval_ns, of.aside_interval_ns),
                model_state_estimated(view->state, row));
}

GETTER(get_interval_per_call)
{
    (void)at;
    return mark(per_call(row->interval_closed_ns, row->interval_calls),
                model_state_estimated(view->state, row));
}

GETTER(get_interval_time)
{
    (void)at;
    return mark(number(row->interval_ns), model_state_estimated(view->state, row));
}

GETTER(get_interval_calls)
{
    (void)view, (void)at;
    return number(row->interval_calls);
}

#define C   (1 << MODEL_IMPL_C)
#define PY  (1 << MODEL_IMPL_PY)
#define JIT (1 << MODEL_IMPL_JIT)
#define NOT_KNOWN (1 << MODEL_IMPL_UNKNOWN)
#define WORD(text)                                                                                 \
    {                                                                                              \
        text, text, sizeof(text) - 1, sizeof(text) - 1                                             \
    }

GETTER(get_impl)
{
    static const struct model_text word[] = {
        [C] = WORD("C"),
        [C | NOT_KNOWN] = WORD("C ?"),
        [PY] = WORD("Py"),
        [PY | NOT_KNOWN] = WORD("Py ?"),
        [C | PY] = WORD("C Py"),
        [C | PY | NOT_KNOWN] = WORD("C Py ?"),
        [JIT] = WORD("JIT"),
        [JIT | NOT_KNOWN] = WORD("JIT ?"),
        [C | JIT] = WORD("C JIT"),
        [C | JIT | NOT_KNOWN] = WORD("C JIT ?"),
        [PY | JIT] = WORD("Py JIT"),
        [PY | JIT | NOT_KNOWN] = WORD("Py JIT ?"),
        [C | PY | JIT] = WORD("C Py JIT"),
        [C | PY | JIT | NOT_KNOWN] = WORD("C Py JIT ?"),
    };
    (void)view, (void)at;
    unsigned set = row->impls & (C | PY | JIT | NOT_KNOWN);
    bool known = (set & (C | PY | JIT)) != 0;
    return (struct model_cell){.known = known, .u = set, .text = known ? &word[set] : NULL};
}

GETTER(get_change)
{
    static const struct model_text word[] = {
        [CHANGE_FASTER] = WORD("faster"),
        [CHANGE_SAME] = WORD("noise"),
        [CHANGE_NEW] = WORD("new"),
        [CHANGE_SLOWER] = WORD("slower"),
    };
    const enum change change = change_of(view, row);
    (void)at;
    return (struct model_cell){.known = change != CHANGE_UNKNOWN, .u = change,
                               .text = change == CHANGE_UNKNOWN ? NULL : &word[change]};
}

GETTER(get_calls)
{
    (void)at;
    return mark(number(row->calls), view->state && view->state->share < 1);
}

GETTER(get_applies)
{
    (void)view, (void)at;
    return number(row->applies);
}

GETTER(get_min)
{
    (void)view, (void)at;
    return mark(number(row->min_ns), model_row_sampled(row));
}

GETTER(get_max)
{
    (void)view, (void)at;
    return mark(number(row->max_ns), model_row_sampled(row));
}

static struct model_cell quantile(const struct model_view *view, const struct model_row *row,
                                  enum model_quantile which)
{
    const struct model_state *state = view->state;
    return mark(number(state->quantile ? state->quantile[row->id][which] : MODEL_UNKNOWN),
                model_row_sampled(row));
}

GETTER(get_p50)
{
    (void)at;
    return quantile(view, row, MODEL_P50);
}

GETTER(get_p90)
{
    (void)at;
    return quantile(view, row, MODEL_P90);
}

GETTER(get_p99)
{
    (void)at;
    return quantile(view, row, MODEL_P99);
}

GETTER(get_last)
{
    (void)view, (void)at;
    return mark(number(row->last_ns), model_row_sampled(row));
}

GETTER(get_waiting)
{
    (void)at;
    const uint64_t ns = waited(view, row).ns;
    return mark(number(ns), model_state_estimated(view->state, row) && ns > 0);
}

GETTER(get_aside)
{
    (void)at;
    const uint64_t ns = waited(view, row).aside_ns;
    return mark(number(ns), model_state_estimated(view->state, row) && ns > 0);
}

GETTER(get_timed)
{
    (void)view, (void)at;
    return number(row->timed);
}

GETTER(get_error)
{
    (void)view, (void)at;
    return number(row->error_ns);
}

GETTER(get_total)
{
    (void)view, (void)at;
    return mark(number(row->total_ns), row->estimated);
}

GETTER(get_self)
{
    (void)view, (void)at;
    return mark(number(row->self_ns), row->self_estimated);
}

GETTER(get_open)
{
    (void)view, (void)at;
    return number(row->open_ns);
}

GETTER(get_id)
{
    (void)view, (void)at;
    return number(row->id);
}

GETTER(get_index)
{
    (void)at;
    return number(model_job_apply(view->state->job, row->id)->index);
}

GETTER(get_function)
{
    (void)at;
    const struct model_job *job = view->state->job;
    uint32_t function = view->table == MODEL_COMPILE ? model_job_compile(job, row->id)->function
                                                     : model_job_apply(job, row->id)->function;
    const struct model_text *name = &model_job_function(job, function)->name;
    return (struct model_cell){.known = name->raw_size > 0, .text = name};
}

GETTER(get_name)
{
    (void)at;
    const struct model_text *name = model_view_name(view, row);
    return (struct model_cell){.known = name->raw_size > 0, .text = name};
}

/* --------------------------------------------------------------------------------- several jobs */

static const struct model_ranks *ranks_of(const struct model_view *view,
                                          const struct model_row *row)
{
    const struct model_multi_job_state *multi_job = view->state->multi_job;
    const enum model_table table = model_table_rows(view->table);
    return multi_job && multi_job->ranks[table] ? &multi_job->ranks[table][row->id] : NULL;
}

static uint32_t place_of(const struct model_view *view, const struct model_row *row)
{
    const struct model_multi_job_state *multi_job = view->state->multi_job;
    const enum model_table table = model_table_rows(view->table);
    return multi_job && multi_job->of[table] ? multi_job->of[table][row->id] : MODEL_NONE;
}

static uint32_t place_of_most(const struct model_view *view, const struct model_row *row)
{
    const struct model_ranks *ranks = ranks_of(view, row);
    return ranks ? ranks->most : MODEL_NONE;
}

static struct model_cell label(const struct model_view *view, uint32_t place)
{
    const struct model_multi_job_state *multi_job = view->state->multi_job;
    bool known = multi_job && place < multi_job->jobs;
    return (struct model_cell){.known = known, .text = known ? &multi_job->job[place].name : NULL};
}

static uint64_t by_job(const struct model_view *view, const struct model_row *row)
{
    return place_of(view, row);
}

static uint64_t by_most_in(const struct model_view *view, const struct model_row *row)
{
    return place_of_most(view, row);
}

GETTER(get_job)
{
    (void)at;
    return label(view, place_of(view, row));
}

GETTER(get_most_in)
{
    (void)at;
    return label(view, place_of_most(view, row));
}

GETTER(get_least)
{
    (void)at;
    return mark(number(ranks_of(view, row) ? ranks_of(view, row)->min_ns : MODEL_UNKNOWN),
                model_state_estimated(view->state, row));
}

GETTER(get_median)
{
    (void)at;
    return mark(number(ranks_of(view, row) ? ranks_of(view, row)->median_ns : MODEL_UNKNOWN),
                model_state_estimated(view->state, row));
}

GETTER(get_most)
{
    (void)at;
    return mark(number(ranks_of(view, row) ? ranks_of(view, row)->max_ns : MODEL_UNKNOWN),
                model_state_estimated(view->state, row));
}

GETTER(get_over)
{
    (void)at;
    const struct model_ranks *ranks = ranks_of(view, row);
    if (!ranks || ranks->jobs == 0)
        return number(MODEL_UNKNOWN);
    return model_excess(ranks->max_ns, ranks->median_ns);
}

GETTER(get_jobs)
{
    (void)at;
    return number(ranks_of(view, row) ? ranks_of(view, row)->jobs : MODEL_UNKNOWN);
}

#define GROUPED  (MODEL_IN_CLASS | MODEL_IN_OP | MODEL_IN_LINE)
#define MERGED   (GROUPED | MODEL_IN_FUNCTION)
#define PANES    (MERGED | MODEL_IN_APPLY)
#define OP_APPLY (MODEL_IN_OP | MODEL_IN_APPLY)
#define SIZES    MODEL_IN_SIZES
#define COMPILE  MODEL_IN_COMPILE
#define ALL      (PANES | SIZES)
#define APPLY    MODEL_IN_APPLY

/* The job's metric replaces the title and the unit. */
#define METRIC_ROW(word, head, n, which)                                                           \
    {                                                                                              \
        .id = (word), .title = (head), .unit = MODEL_UNIT_COUNT, .width = 8, .in = PANES,          \
        .rank = 19 + (n), .wide = true, .extra = MODEL_EXTRA_METRIC + (n),                         \
        .get = model_get_metric_##n,                                                               \
        .help = which " metric that the job declares; its title is the job's word"                 \
    }

/* A metric that several kinds of jobs declare, under this name. The job knows its number. */
#define NAMED_ROW(word, head, of_unit, n, getter, words)                                           \
    {                                                                                              \
        .id = (word), .title = (head), .unit = (of_unit), .width = 6, .in = PANES, .rank = (n),    \
        .wide = true, .metric = (word), .get = (getter), .help = words                             \
    }

/* In screen order. Narrow screens drop NUM, SUM%, IMPL, APPLY ... by `rank`. */
/* clang-format off */
const struct model_column model_columns[] = {
    {.id = "size", .title = "SIZE", .unit = MODEL_UNIT_BYTES, .width = 8, .in = SIZES, .rank = 0,
     .extra = MODEL_EXTRA_BYTES + 1, .get = model_get_bytes,
     .help = "memory of a call's outputs, as last seen, whosever it is"},
    {.id = "size-percent", .title = "%SIZE", .unit = MODEL_UNIT_PERCENT, .width = 5, .in = SIZES,
     .rank = 5, .bar = true, .order = "size", .extra = MODEL_EXTRA_BYTES + 1,
     .get = model_get_bytes_percent,
     .help = "share of the bytes of all rows, filtered or not"},
    {.id = "marks", .title = "C/I/V", .unit = MODEL_UNIT_TEXT, .width = 5, .in = SIZES, .rank = 3,
     .ascending = true, .extra = MODEL_EXTRA_BYTES + 1, .get = model_get_marks,
     .sort_key = model_marks_key,
     .help = "memory of outputs: c created, i in place of an input, v a view"},
    {.id = "outputs", .title = "OUTPUTS", .unit = MODEL_UNIT_TEXT, .width = 18, .in = SIZES,
     .rank = 2, .order = "size", .extra = MODEL_EXTRA_BYTES + 1, .get = model_get_outputs,
     .help = "types and shapes of the outputs, as last seen"},
    {.id = "nested", .title = "#", .unit = MODEL_UNIT_EXACT, .width = 4, .in = COMPILE,
     .rank = 9, .ascending = true, .get = model_get_nested,
     .help = "phases of compilations as nested, each before those inside it"},
    {.id = "percent", .title = "%TIME", .launch = "%LNCH", .unit = MODEL_UNIT_PERCENT, .width = 5,
     .in = PANES | COMPILE,
     .rank = 0, .when = MODEL_COLUMN_STAYS, .bar = true, .interval = "interval-percent",
     .key = '%', .get = get_percent, .sort_key = by_time,
     .help = "share of the work of all rows, filtered or not; waiting has none"},
    {.id = "sum", .title = "SUM%", .unit = MODEL_UNIT_PERCENT, .width = 5, .in = PANES, .rank = 9,
     .interval = "interval-percent", .order = "percent", .get = get_sum, .sort_key = by_time,
     .help = "running sum of the shares in the order shown"},
    {.id = "time", .title = "TIME", .launch = "LAUNCH", .unit = MODEL_UNIT_NS, .width = 6,
     .in = ALL | COMPILE, .rank = 1, .when = MODEL_COLUMN_STAYS, .interval = "interval-time",
     .key = 'T',
     .get = get_time,
     .help = "time since the reset; of several functions, without inner ones"},
    {.id = "device", .title = "DEVICE", .unit = MODEL_UNIT_NS, .width = 6, .in = PANES, .rank = 1,
     .metric = "device", .get = model_get_device,
     .help = "time of its kernels and copies on devices; LAUNCH is the host's"},
    NAMED_ROW("incl", "INCL", MODEL_UNIT_NS, 3, model_get_incl,
              "time with all that ran inside, as the ops of a module"),
    NAMED_ROW("alloc", "ALLOC", MODEL_UNIT_BYTES, 9, model_get_alloc,
              "bytes that it allocated on the CPU, without what ran inside"),
    {.id = "own", .title = "SELF", .unit = MODEL_UNIT_NS, .width = 6, .in = COMPILE, .rank = 6,
     .get = get_self,
     .help = "time without the phases inside"},
    {.id = "now", .title = "NOW", .unit = MODEL_UNIT_NS, .width = 6, .in = COMPILE, .rank = 2,
     .get = model_get_open,
     .help = "how long it has been going on, if it does now; TIME has it, too"},
    {.id = "interval-percent", .title = "+%TIME", .launch = "+%LNCH",
     .unit = MODEL_UNIT_PERCENT, .width = 6, .in = PANES, .rank = 11, .wide = true,
     .key = 'D', .get = get_interval_percent, .sort_key = by_interval,
     .help = "share of the time that was added since the state shown before"},
    {.id = "interval-time", .title = "+TIME", .launch = "+LNCH", .json = "interval_ns",
     .json_in = MODEL_IN_PANES,
     .unit = MODEL_UNIT_NS, .width = 6, .in = ALL, .rank = 15, .wide = true,
     .get = get_interval_time,
     .help = "time that was added since the state shown before"},
    {.id = "per-call", .title = "/CALL", .unit = MODEL_UNIT_MEAN, .width = 6, .in = PANES,
     .rank = 5, .interval = "interval-per-call", .key = 'A', .get = get_per_call,
     .help = "time per call, on average"},
    {.id = "interval-per-call", .title = "+/CALL", .unit = MODEL_UNIT_MEAN, .width = 6, .in = PANES,
     .rank = 12, .wide = true, .get = get_interval_per_call,
     .help = "time per call since the state shown before"},
    {.id = "was-per-call", .title = "WAS/C", .unit = MODEL_UNIT_MEAN, .width = 6, .in = PANES,
     .rank = 2, .when = MODEL_COLUMN_SINCE, .get = get_was_per_call,
     .help = "time per call before the mark; /CALL is that since the mark"},
    {.id = "more", .title = "MORE%", .unit = MODEL_UNIT_PERCENT, .width = 6, .in = PANES,
     .rank = 3, .when = MODEL_COLUMN_SINCE, .get = get_more,
     .help = "by how much the time per call since the mark exceeds that before"},
    {.id = "change", .title = "CHANGE", .unit = MODEL_UNIT_TEXT, .width = 6, .in = PANES,
     .rank = 4, .when = MODEL_COLUMN_SINCE, .get = get_change, .sort_key = by_change,
     .help = "slower, faster or new; noise: as much as it varies by itself"},
    {.id = "impl", .title = "IMPL", .json = "impl", .json_in = MODEL_IN_PANES,
     .unit = MODEL_UNIT_TEXT, .width = 6, .in = PANES, .rank = 8, .ascending = true,
     .telling = true,
     .get = get_impl, .sort_key = by_impls,
     .help = "what computes it: C, Py (Python), JIT; ?: of some not known"},
    {.id = "calls", .title = "CALLS", .json = "calls", .json_in = MODEL_IN_PANES,
     .unit = MODEL_UNIT_COUNT, .width = 5, .in = ALL | COMPILE, .rank = 4,
     .when = MODEL_COLUMN_STAYS, .interval = "interval-calls", .key = 'C', .counts = true,
     .get = get_calls,
     .help = "calls since the job's last reset"},
    {.id = "interval-calls", .title = "+CALLS", .json = "interval_calls",
     .json_in = MODEL_IN_PANES, .unit = MODEL_UNIT_COUNT, .width = 6, .in = ALL, .rank = 14,
     .wide = true, .get = get_interval_calls,
     .help = "calls since the state shown before"},
    {.id = "applies", .title = "APPLY", .json = "applies", .json_in = GROUPED,
     .unit = MODEL_UNIT_COUNT, .width = 5, .in = MERGED, .rank = 7, .get = get_applies,
     .help = "apply nodes merged in this row, those that never ran included"},
    {.id = "min", .title = "MIN", .json = "min_ns", .json_in = OP_APPLY, .unit = MODEL_UNIT_NS,
     .width = 6, .in = OP_APPLY, .rank = 17, .wide = true, .ascending = true, .get = get_min,
     .help = "shortest timed call, with the functions inside it"},
    {.id = "max", .title = "MAX", .json = "max_ns", .json_in = OP_APPLY, .unit = MODEL_UNIT_NS,
     .width = 6, .in = OP_APPLY, .rank = 13, .wide = true, .get = get_max,
     .help = "longest timed call, with the functions inside it"},
    {.id = "p50", .title = "P50", .json = "p50_ns", .json_in = MODEL_IN_OP, .unit = MODEL_UNIT_NS,
     .width = 6, .in = MODEL_IN_OP, .rank = 24, .wide = true, .get = get_p50,
     .help = "half of the timed calls took at most this long, within 20 %"},
    {.id = "p90", .title = "P90", .json = "p90_ns", .json_in = MODEL_IN_OP, .unit = MODEL_UNIT_NS,
     .width = 6, .in = MODEL_IN_OP, .rank = 23, .wide = true, .get = get_p90,
     .help = "9 of 10 timed calls took at most this long, within 20 %"},
    {.id = "p99", .title = "P99", .json = "p99_ns", .json_in = MODEL_IN_OP, .unit = MODEL_UNIT_NS,
     .width = 6, .in = MODEL_IN_OP, .rank = 18, .wide = true, .get = get_p99,
     .help = "99 of 100 timed calls took at most this long, within 20 %"},
    {.id = "last", .title = "LAST", .json = "last_ns", .json_in = APPLY, .unit = MODEL_UNIT_NS,
     .width = 6, .in = APPLY, .rank = 16, .wide = true, .get = get_last,
     .help = "latest timed call, with the functions inside it"},
    {.id = "number", .title = "NUM", .unit = MODEL_UNIT_EXACT, .width = 5, .in = MERGED, .rank = 25,
     .wide = true, .ascending = true, .get = get_id,
     .help = "number of the row, the id of JSON; each view of jobs has its own"},
    {.id = "bytes", .title = "BYTES", .json = "bytes", .json_in = APPLY, .unit = MODEL_UNIT_BYTES,
     .width = 8, .in = PANES, .rank = 18, .wide = true, .extra = MODEL_EXTRA_BYTES + 1,
     .get = model_get_bytes,
     .help = "memory of the outputs; shown if the job tells it"},
    {.id = "flops", .title = "FLOP/S", .unit = MODEL_UNIT_COUNT, .width = 6, .in = PANES,
     .rank = 19, .wide = true, .extra = MODEL_EXTRA_FLOPS + 1, .get = model_get_flops,
     .help = "floating-point operations a second, if the job tells how many"},
    METRIC_ROW("metric-1", "M1", 1, "first"),
    METRIC_ROW("metric-2", "M2", 2, "second"),
    METRIC_ROW("metric-3", "M3", 3, "third"),
    METRIC_ROW("metric-4", "M4", 4, "fourth"),
    METRIC_ROW("metric-5", "M5", 5, "fifth"),
    METRIC_ROW("metric-6", "M6", 6, "sixth"),
    {.id = "validate", .title = "VALID", .unit = MODEL_UNIT_NS, .width = 6, .in = COMPILE,
     .rank = 7, .get = model_get_validate,
     .help = "time of validation in it"},
    {.id = "nodes-before", .title = "NODES", .unit = MODEL_UNIT_EXACT, .width = 5,
     .in = COMPILE, .rank = 3, .get = model_get_nodes_before,
     .help = "nodes of the graph before its first call"},
    {.id = "nodes-after", .title = "AFTER", .unit = MODEL_UNIT_EXACT, .width = 5, .in = COMPILE,
     .rank = 3, .get = model_get_nodes_after,
     .help = "nodes of the graph after its last call"},
    {.id = "kind", .title = "KIND", .unit = MODEL_UNIT_TEXT, .width = 8, .in = COMPILE,
     .rank = 8, .wide = true, .ascending = true, .get = model_get_kind,
     .help = "kind of the phase"},
    {.id = "least", .title = "LEAST", .unit = MODEL_UNIT_NS, .width = 6, .in = PANES, .rank = 7,
     .when = MODEL_COLUMN_RANKS, .get = get_least,
     .help = "of jobs compared: time of the row in the job that has least"},
    {.id = "median", .title = "MEDIAN", .unit = MODEL_UNIT_NS, .width = 6, .in = PANES, .rank = 3,
     .when = MODEL_COLUMN_RANKS, .get = get_median,
     .help = "half of the jobs have at most this time"},
    {.id = "most", .title = "MOST", .unit = MODEL_UNIT_NS, .width = 6, .in = PANES, .rank = 2,
     .when = MODEL_COLUMN_RANKS, .get = get_most,
     .help = "time in the job that has most"},
    {.id = "over", .title = "OVER%", .unit = MODEL_UNIT_PERCENT, .width = 6, .in = PANES,
     .rank = 6, .when = MODEL_COLUMN_RANKS, .get = get_over,
     .help = "by how much that is above the median"},
    {.id = "most-in", .title = "MOST IN", .unit = MODEL_UNIT_TEXT, .width = 10, .in = PANES,
     .rank = 2, .when = MODEL_COLUMN_RANKS, .ascending = true, .get = get_most_in,
     .sort_key = by_most_in,
     .help = "which job that is"},
    {.id = "jobs", .title = "JOBS", .unit = MODEL_UNIT_COUNT, .width = 5, .in = PANES, .rank = 8,
     .wide = true, .when = MODEL_COLUMN_RANKS, .get = get_jobs,
     .help = "how many of the jobs have the row"},
    {.id = "job", .title = "JOB", .unit = MODEL_UNIT_TEXT, .width = 10, .in = PANES, .rank = 2,
     .when = MODEL_COLUMN_EACH, .ascending = true, .get = get_job, .sort_key = by_job,
     .help = "which of several jobs the row is of, where each has its own"},
    {.id = "id", .title = "ID", .json = "index", .json_in = APPLY, .unit = MODEL_UNIT_EXACT,
     .width = 5, .in = APPLY | SIZES, .rank = 6, .ascending = true, .get = get_index,
     .help = "place of the node in the order in which its function runs"},
    {.id = "function", .title = "FUNCTION", .unit = MODEL_UNIT_TEXT, .width = 16,
     .in = APPLY | SIZES | COMPILE, .rank = 3, .wide = true, .narrow = 10, .ascending = true,
     .telling = true,
     .get = get_function,
     .help = "function that the node or the compilation is of"},
    {.id = "name", .title = "NAME", .json = "name", .json_in = MODEL_IN_PANES,
     .unit = MODEL_UNIT_TEXT, .in = ALL | COMPILE, .when = MODEL_COLUMN_STAYS,
     .ascending = true, .key = 'S', .get = get_name,
     .help = "class, op, function, source line, phase, or op with its inputs"},
    {.id = "total", .title = "", .json = "total_ns", .json_in = MODEL_IN_PANES,
     .unit = MODEL_UNIT_NS, .in = PANES, .counts = true, .get = get_total,
     .help = "time as the framework counts it"},
    {.id = "self", .title = "", .json = "self_ns", .json_in = MODEL_IN_PANES,
     .unit = MODEL_UNIT_NS, .in = PANES, .counts = true, .get = get_self,
     .help = "time without the functions inside"},
    {.id = "open", .title = "", .json = "open_ns", .json_in = MODEL_IN_PANES,
     .unit = MODEL_UNIT_NS, .in = PANES, .get = get_open,
     .help = "of total_ns, the time of calls that have not ended yet"},
    {.id = "waiting", .title = "", .json = "wait_ns", .json_in = MODEL_IN_PANES,
     .unit = MODEL_UNIT_NS, .in = PANES, .counts = true, .get = get_waiting,
     .help = "of its time, what is waiting and no part of the 100 %"},
    {.id = "aside", .title = "", .json = "aside_ns", .json_in = MODEL_IN_PANES,
     .unit = MODEL_UNIT_NS, .in = PANES, .counts = true, .get = get_aside,
     .help = "of its time, what other rows count: no part of the 100 %"},
    {.id = "timed", .title = "", .json = "timed", .json_in = MODEL_IN_PANES,
     .unit = MODEL_UNIT_COUNT, .in = PANES, .counts = true, .get = get_timed,
     .help = "calls of which the time was taken"},
    {.id = "error", .title = "", .json = "total_error_ns", .json_in = APPLY,
     .unit = MODEL_UNIT_NS, .in = APPLY, .get = get_error,
     .help = "how far off an estimated total may be"},
};
/* clang-format on */
const unsigned model_columns_count = sizeof(model_columns) / sizeof(model_columns[0]);
_Static_assert(sizeof(model_columns) / sizeof(model_columns[0]) <= 64,
               "model_view.varied has a bit for each column");

bool model_column_in_view(const struct model_column *column, const struct model_state *state)
{
    const struct model_multi_job_state *multi_job = state ? state->multi_job : NULL;
    bool compared = multi_job && multi_job->view == MODEL_MULTI_JOB_RANKS;
    if (column->when == MODEL_COLUMN_EACH)
        return multi_job && multi_job->view == MODEL_MULTI_JOB_EACH;
    if (column->when == MODEL_COLUMN_RANKS)
        return compared;
    if (column->when == MODEL_COLUMN_SINCE)
        return state && state->base;
    return !compared || column->when == MODEL_COLUMN_STAYS || !column->title[0];
}

bool model_column_there(const struct model_column *column, const struct model_state *state)
{
    if (!model_column_in_view(column, state))
        return false;
    const uint32_t metric = model_column_metric(column, state);
    if (metric != MODEL_NONE)
        return model_extra_there(state, MODEL_EXTRA_METRIC + metric);
    return column->extra == 0 || model_extra_there(state, column->extra - 1u);
}

/* True if a metric has a column of its name. */
static bool has_column(const struct model_metric *metric)
{
    for (unsigned i = 0; metric && i < model_columns_count; i++)
        if (model_columns[i].metric && strcmp(model_columns[i].metric, metric->name.shown) == 0)
            return true;
    return false;
}

uint32_t model_column_metric(const struct model_column *column, const struct model_state *state)
{
    if (column->metric) {
        const uint32_t metric =
            state ? model_job_metric_named(state->job, column->metric) : MODEL_NONE;
        return metric == MODEL_NONE ? MODEL_METRICS_MAX : metric;
    }
    if (column->extra <= MODEL_EXTRA_METRIC)
        return MODEL_NONE;
    const uint32_t metric = column->extra - MODEL_EXTRA_METRIC - 1u;
    return state && has_column(model_job_metric(state->job, metric)) ? MODEL_METRICS_MAX : metric;
}

/* Returns the metric that a column shows, or NULL. */
static const struct model_metric *metric_of(const struct model_column *column,
                                            const struct model_state *state)
{
    const uint32_t metric = model_column_metric(column, state);
    return metric != MODEL_NONE && state && !column->metric
               ? model_job_metric(state->job, metric)
               : NULL;
}

const char *model_column_title(const struct model_column *column, enum model_table table,
                               const struct model_state *state)
{
    const struct model_metric *metric = metric_of(column, state);
    if (metric && metric->name.shown_size > 0)
        return metric->name.shown;
    const bool launches = column->launch && table != MODEL_COMPILE && state &&
                          model_job_device(state->job) != MODEL_NONE;
    return launches ? column->launch : column->title;
}

enum model_unit model_column_unit(const struct model_column *column,
                                  const struct model_state *state)
{
    const struct model_metric *metric = metric_of(column, state);
    return metric ? (enum model_unit)metric->unit : column->unit;
}

bool model_column_on_screen(const struct model_column *column, enum model_table table)
{
    return (column->in >> table & 1) && column->title[0] != '\0';
}

int model_column_find(const char *word, enum model_table table)
{
    for (unsigned i = 0; i < model_columns_count; i++) {
        const struct model_column *column = &model_columns[i];
        if (!(column->in >> table & 1))
            continue;
        if (!strcasecmp(word, column->id) ||
            (column->title[0] != '\0' && !strcasecmp(word, column->title)))
            return (int)i;
    }
    return -1;
}

unsigned model_column_order(unsigned column, enum model_table table)
{
    const char *id = model_columns[column].order;
    int found = id ? model_column_find(id, table) : -1;
    return found < 0 ? column : (unsigned)found;
}

unsigned model_column_interval(unsigned column, enum model_table table)
{
    const char *id = model_columns[column].interval;
    int found = id ? model_column_find(id, table) : -1;
    return found < 0 ? column : (unsigned)found;
}

unsigned model_column_total(unsigned column, enum model_table table)
{
    for (unsigned i = 0; i < model_columns_count; i++)
        if ((model_columns[i].in >> table & 1) && model_column_interval(i, table) == column)
            return i;
    return column;
}

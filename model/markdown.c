/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * markdown.c: the sections of the summary. THE column table defines the columns of its tables:
 * those that a narrow screen shows, and of the interval if there is one.
 */
#include "model/markdown.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "model/compile.h"
#include "model/job_info.h"
#include "model/multi_job.h"
#include "model/summary.h"
#include "model/view.h"

enum {
    CLOSING = 640, /* bytes kept for the end */
    LINE = 2048,
    CELL = 64,
    TIPS = 6,
    NOTICES = 3,
    WAITING = 3,
};
#define NS_PER_S UINT64_C(1000000000)

struct markdown {
    const struct model_report *report;
    const struct model_state *state;
    struct model_link link; /* of all jobs together */
    char text[MODEL_MARKDOWN_MOST];
    size_t size;
    char line[LINE]; /* lines that are written or left out together */
    size_t used;
    unsigned left_out; /* lines without room */
    bool failed;
};

/* ---------------------------------------------------------------------------------------- lines */

static void add_bytes(struct markdown *md, const char *bytes, size_t size)
{
    if (size < sizeof md->line - md->used) {
        memcpy(md->line + md->used, bytes, size);
        md->used += size;
    }
}

static void add(struct markdown *md, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void add(struct markdown *md, const char *format, ...)
{
    char text[512];
    va_list list;
    va_start(list, format);
    const int size = vsnprintf(text, sizeof text, format, list);
    va_end(list);
    add_bytes(md, text, size < (int)sizeof text ? (size_t)size : sizeof text - 1);
}

static void add_text(struct markdown *md, const char *shown, size_t size, bool cell)
{
    char span[MODEL_MARKDOWN_SPAN];
    add_bytes(md, span, model_markdown_span(shown, size, MODEL_MARKDOWN_NAME, cell, span));
}

static void add_sentence(struct markdown *md, const char *shown, size_t size)
{
    char span[MODEL_MARKDOWN_SPAN];
    add_bytes(md, span, model_markdown_span(shown, size, MODEL_MARKDOWN_TEXT, false, span));
}

static void add_name(struct markdown *md, const struct model_text *name)
{
    add_text(md, name->shown, name->shown_size, false);
}

/* Adds a figure. A tilde could strike text out. */
static void add_cell(struct markdown *md, enum model_unit unit, const struct model_cell *cell)
{
    char text[CELL];
    model_unit_format(unit, cell, 10, text, sizeof text);
    const char *at = text + strspn(text, " ");
    add(md, "%s%s", *at == '~' ? "\xE2\x89\x88" : "", at + (*at == '~'));
}

static void add_ns(struct markdown *md, uint64_t ns, bool approx)
{
    const struct model_cell cell = {.known = ns != MODEL_UNKNOWN, .approx = approx, .u = ns};
    add_cell(md, MODEL_UNIT_NS, &cell);
}

static void add_count(struct markdown *md, uint64_t count)
{
    const struct model_cell cell = {.known = count != MODEL_UNKNOWN, .u = count};
    add_cell(md, MODEL_UNIT_EXACT, &cell);
}

/* Ends the line. `most`: the bytes that the text may have then. */
static void end_line_at(struct markdown *md, size_t most)
{
    add(md, "\n");
    if (md->size + md->used <= most) {
        memcpy(md->text + md->size, md->line, md->used);
        md->size += md->used;
    } else {
        md->left_out++;
    }
    md->used = 0;
}

static void end_line(struct markdown *md)
{
    end_line_at(md, sizeof md->text - CLOSING);
}

/* ----------------------------------------------------------------------------------- the tables */

/* One table of rows. The first in the list is the most important. */
static const struct {
    enum model_table table;
    const char *title;
    uint32_t rows;
} tables[] = {
    {MODEL_OP, "Ops", 12},
    {MODEL_CLASS, "Classes", 6},
    {MODEL_LINE, "Lines", 6},
    {MODEL_FUNCTION, "Functions", 5},
    {MODEL_COMPILE, "Compilation", 5},
    {MODEL_SIZES, "Outputs by size", 5},
};

/* True if a table of the summary has the column. */
static bool is_shown(const struct model_view *view, unsigned at)
{
    const struct model_column *column = &model_columns[at];
    const bool interval = model_column_total(at, view->table) != at;
    if (!model_column_on_screen(column, view->table) || !model_column_there(column, view->state) ||
        strcmp(column->id, "name") == 0)
        return false;
    if (column->telling && !(view->varied >> at & 1))
        return false;
    if (interval)
        return view->state->interval_ns > 0 && view->table != MODEL_COMPILE;
    return !column->wide || column->narrow > 0;
}

/* The columns of a table; the name stands last. Returns their number. */
static unsigned list_columns(const struct model_view *view, unsigned list[64])
{
    unsigned count = 0;
    for (unsigned i = 0; i < model_columns_count; i++)
        if (is_shown(view, i))
            list[count++] = i;
    const int name = model_column_find("name", view->table);
    if (name >= 0)
        list[count++] = (unsigned)name;
    return count;
}

static void add_head(struct markdown *md, const struct model_view *view, const char *title,
                     uint32_t rows, const unsigned *list, unsigned count)
{
    add(md, "\n### %s", title);
    if (rows < view->count)
        add(md, " (%" PRIu32 " of %" PRIu32 ")", rows, view->count);
    add(md, "\n\n|");
    for (unsigned i = 0; i < count; i++) {
        const struct model_column *column = &model_columns[list[i]];
        const char *text = model_column_title(column, view->table, view->state);
        const bool of_job = strcmp(text, column->title) != 0 &&
                            (!column->launch || strcmp(text, column->launch) != 0);
        add(md, " ");
        if (of_job)
            add_text(md, text, strlen(text), true);
        else
            add(md, "%s", text);
        add(md, " |");
    }
    add(md, "\n|");
    for (unsigned i = 0; i < count; i++)
        add(md, model_columns[list[i]].unit == MODEL_UNIT_TEXT ? "---|" : "--:|");
    end_line(md);
}

static void add_row(struct markdown *md, const struct model_view *view, uint32_t at,
                    const unsigned *list, unsigned count)
{
    const struct model_row *row = model_view_row(view, at);
    add(md, "|");
    for (unsigned i = 0; row && i < count; i++) {
        const struct model_column *column = &model_columns[list[i]];
        const enum model_unit unit = model_column_unit(column, view->state);
        const struct model_cell cell = column->get(view, row, at);
        add(md, " ");
        if (unit == MODEL_UNIT_TEXT && cell.known)
            add_text(md, cell.text->shown, cell.text->shown_size, true);
        else if (unit == MODEL_UNIT_TEXT)
            add(md, "-");
        else
            add_cell(md, unit, &cell);
        add(md, " |");
    }
    end_line(md);
}

/* A row without calls or time says nothing. */
static bool is_telling(const struct model_view *view, const struct model_row *row)
{
    return view->table == MODEL_SIZES || view->table == MODEL_COMPILE || row->calls > 0;
}

static void put_table(struct markdown *md, unsigned which)
{
    struct model_view view;
    unsigned list[64];
    const enum model_table table = tables[which].table;
    if (!model_view_init(&view, table)) {
        md->failed = true;
        return;
    }
    md->failed |= !model_view_update(&view, md->state);
    uint32_t rows = 0;
    while (rows < view.count && rows < tables[which].rows &&
           is_telling(&view, model_view_row(&view, rows)))
        rows++;
    /* A single row of lines collects what has no line. */
    if (rows > (table == MODEL_LINE) && (table != MODEL_SIZES || view.whole != MODEL_UNKNOWN)) {
        const unsigned count = list_columns(&view, list);
        add_head(md, &view, tables[which].title, rows, list, count);
        for (uint32_t i = 0; i < rows; i++)
            add_row(md, &view, i, list, count);
    }
    model_view_release(&view);
}

/* -------------------------------------------------------------------------------------- the head
 */

static void put_title(struct markdown *md)
{
    const struct model_identity *who = model_job_identity(md->state->job);
    const struct tm *utc;
    struct tm memory;
    const time_t seconds = (time_t)(md->report->time_ns / NS_PER_S);
    char when[40] = "";
    if (md->report->jobs) {
        add(md, "## proftop: %zu jobs", md->report->jobs);
    } else {
        const size_t word = strcspn(who->program.shown, " ");
        add(md, "## proftop: ");
        add_text(md, who->program.shown, word, false);
        if (who->framework.shown_size > 0) {
            add(md, " with ");
            add_name(md, &who->framework);
        }
        if (who->framework_version.shown_size > 0) {
            add(md, " ");
            add_name(md, &who->framework_version);
        }
    }
    end_line(md);
    utc = gmtime_r(&seconds, &memory);
    if (utc)
        strftime(when, sizeof when, "%Y-%m-%d %H:%M UTC", utc);
    add(md, "\nState: %s. %s%sFigures are since the last reset of the counts%s.\n",
        md->report->word, when, when[0] ? ". " : "",
        md->state->interval_ns > 0 ? "; with + since the report before" : "");
    end_line(md);
}

static void add_rate(struct markdown *md, const char *what, double rate, bool *any)
{
    if (rate < 0)
        return;
    add(md, "%s%.3g %s/s", *any ? ", " : "- Pace: ", rate, what);
    *any = true;
}

static void put_pace(struct markdown *md)
{
    bool any = false;
    add_rate(md, "steps", md->state->pace.steps, &any);
    add_rate(md, "samples", md->state->pace.samples, &any);
    add_rate(md, "tokens", md->state->pace.tokens, &any);
    if (any)
        end_line(md);
}

static void put_totals(struct markdown *md)
{
    const struct model_totals *t = &md->state->totals;
    add(md, "- Functions: ");
    add_count(md, t->rows[MODEL_FUNCTION]);
    add(md, ", calls ");
    add_count(md, t->calls);
    add(md, ", in calls ");
    add_ns(md, t->call_ns, t->estimated);
    if (t->open_ns > 0 && t->open_ns != MODEL_UNKNOWN) {
        add(md, ", in calls that have not ended ");
        add_ns(md, t->open_ns, false);
    }
    end_line(md);
    add(md, "- Ops: ");
    add_count(md, t->rows[MODEL_OP]);
    add(md, ", nodes ");
    add_count(md, t->rows[MODEL_APPLY]);
    add(md, ", calls ");
    add_count(md, t->apply_calls);
    add(md, ", work (the 100 %%) ");
    add_ns(md, t->time_ns, t->ops_estimated);
    const struct model_cell share = model_share(t->time_ns, t->call_ns);
    if (share.known)
        add(md, ", %.1f %% of the time in calls", share.d);
    end_line(md);
    if (t->interval_time_ns != MODEL_UNKNOWN && md->state->interval_ns > 0) {
        add(md, "- Changed in the last ");
        add_ns(md, md->state->interval_ns, false);
        add(md, ": work +");
        add_ns(md, t->interval_time_ns, t->ops_estimated);
        add(md, ", calls of ops +");
        add_count(md, t->apply_interval_calls);
        end_line(md);
    }
    if (t->compile_ns != MODEL_UNKNOWN && t->compile_ns > 0) {
        add(md, "- Compilation: ");
        add_ns(md, t->compile_ns, false);
        add(md, ", rewriting ");
        add_ns(md, t->rewrite_ns, false);
        add(md, ", linking ");
        add_ns(md, t->link_ns, false);
        end_line(md);
    }
}

/* Says what waits: the ops with most of it. */
static void put_waiting(struct markdown *md)
{
    const struct model_state *state = md->state;
    uint32_t most[WAITING];
    unsigned count = 0;
    for (uint32_t id = 0; id < state->count[MODEL_OP]; id++) {
        const uint64_t ns = model_state_waited(state, MODEL_OP, &state->row[MODEL_OP][id]).ns;
        if (!state->row[MODEL_OP][id].in_scope || ns == 0 || ns == MODEL_UNKNOWN)
            continue;
        unsigned at = count < WAITING ? count++ : WAITING;
        for (; at > 0 &&
               ns > model_state_waited(state, MODEL_OP, &state->row[MODEL_OP][most[at - 1]]).ns;
             at--)
            if (at < WAITING)
                most[at] = most[at - 1];
        if (at < WAITING)
            most[at] = id;
    }
    if (state->totals.wait_ns != MODEL_UNKNOWN || count > 0) {
        add(md, "- Waits (no part of the 100 %%; w marks a share without it): ");
        add_ns(md, state->totals.wait_ns, state->totals.ops_estimated);
        for (unsigned i = 0; i < count; i++) {
            add(md, i ? ", " : ": ");
            add_name(md, &model_job_op(state->job, most[i])->label);
            add(md, " ");
            add_ns(md, model_state_waited(state, MODEL_OP, &state->row[MODEL_OP][most[i]]).ns,
                   model_state_estimated(state, &state->row[MODEL_OP][most[i]]));
        }
        end_line(md);
    }
    const struct model_now *now = model_state_oldest_now(state);
    if (now) {
        add(md, "- Open now: ");
        add_name(md, &model_job_op(state->job, model_job_apply(state->job, now->apply)->op)->label);
        if (now->since_ns <= state->mono_ns) {
            add(md, " for ");
            add_ns(md, state->mono_ns - now->since_ns, false);
        }
        end_line(md);
    }
}

/* Says how exact the figures are. */
static void put_sampling(struct markdown *md)
{
    const struct model_identity *who = model_job_identity(md->state->job);
    const struct model_totals *t = &md->state->totals;
    if (t->ops_estimated || t->estimated)
        add(md, "- Sampling: not every call was timed; times with \xE2\x89\x88 are estimates");
    else
        add(md, "- Sampling: none, every call that has a time was timed");
    if (md->state->share < 1)
        add(md, "; the job counts in %.1f %% of its run time", md->state->share * 100);
    if (!md->report->jobs && who->cost >= 0)
        add(md, "; counting costs %.1f %% of the run time", who->cost * 100);
    end_line(md);
}

static void add_loss(struct markdown *md, const char *what, uint64_t count, bool *any)
{
    if (count == 0 || count == MODEL_UNKNOWN)
        return;
    add(md, "%s%s ", *any ? ", " : "- Lost: ", what);
    add_count(md, count);
    *any = true;
}

/* Adds what a job says that it could not keep, or has not sent. */
static void count_lost(const struct model_state *state, uint64_t *dropped, uint64_t *missing)
{
    const uint64_t not_sent = state ? model_job_missing_calls(state->job) : 0;
    if (state)
        *dropped = model_state_plus(*dropped, model_job_identity(state->job)->dropped);
    if (not_sent != MODEL_UNKNOWN)
        *missing = model_state_plus(*missing, not_sent);
}

static void put_losses(struct markdown *md)
{
    const struct model_link *link = &md->link;
    uint64_t dropped = 0, missing = 0;
    bool any = false;
    for (size_t i = 0; i < md->report->jobs; i++)
        count_lost(md->report->job[i].state, &dropped, &missing);
    if (!md->report->jobs)
        count_lost(md->state, &dropped, &missing);
    add_loss(md, "frames", link->gaps, &any);
    add_loss(md, "malformed frames", link->malformed, &any);
    add_loss(md, "frames or rows over a limit", link->over_limit, &any);
    add_loss(md, "rows that fell", link->falls, &any);
    add_loss(md, "things that the job dropped", dropped, &any);
    add_loss(md, "calls not sent yet", missing, &any);
    if (link->healing)
        add(md, "%sa gap is open, figures may be behind", any ? "; " : "- Lost: ");
    if (!any && !link->healing)
        add(md, "- Lost: nothing");
    end_line(md);
}

/* Names the job that is slow or hangs, among several. */
static void put_jobs(struct markdown *md)
{
    const struct model_multi_job_state *jobs = md->state->multi_job;
    char text[512];
    if (!jobs)
        return;
    add(md, "- Jobs: %zu up to date, %zu stale, %zu over", jobs->live, jobs->old, jobs->over);
    end_line(md);
    model_multi_job_trouble(jobs, text, sizeof text);
    if (!text[0])
        return;
    add(md, "- Suspect: ");
    add_sentence(md, text, strlen(text));
    end_line(md);
}

/* ------------------------------------------------------------------------- spans, memory, advice
 */

static void put_spans(struct markdown *md)
{
    const struct model_state *state = md->state;
    bool head = true;
    for (uint32_t i = 0, rows = 0; i < state->objects.spans && rows < 5; i++) {
        const struct model_span_value *value = &state->objects.span[i];
        if (!value->known || value->calls == 0)
            continue;
        if (head) {
            add(md, "\n### Spans\n\n| RUNS | TIME | /RUN | NAME |\n|--:|--:|--:|---|");
            end_line(md);
        }
        head = false;
        rows++;
        add(md, "| ");
        add_count(md, value->calls);
        add(md, " | ");
        add_ns(md, value->total_ns, false);
        add(md, " | ");
        add_ns(md, value->total_ns / value->calls, false);
        add(md, " | ");
        const struct model_text *name = &model_job_span(state->job, i)->name;
        add_text(md, name->shown, name->shown_size, true);
        add(md, " |");
        end_line(md);
    }
}

static void add_bytes_cell(struct markdown *md, uint64_t bytes)
{
    const struct model_cell cell = {.known = bytes != MODEL_UNKNOWN, .u = bytes};
    add_cell(md, MODEL_UNIT_BYTES, &cell);
}

static void put_memory(struct markdown *md)
{
    const struct model_state *state = md->state;
    bool head = true;
    for (uint32_t i = 0, rows = 0; i < state->objects.counters && rows < 5; i++) {
        const struct model_counter_def *def = model_job_counter(state->job, i);
        const struct model_counter_value *value = &state->objects.counter[i];
        if (def->kind != MODEL_MEMORY || !value->known || def->scope.shown_size > 0)
            continue;
        if (head) {
            add(md,
                "\n### Memory\n\n| NOW | PEAK | LIMIT | DEVICE | POOL |\n|--:|--:|--:|---|---|");
            end_line(md);
        }
        head = false;
        rows++;
        add(md, "| ");
        add_bytes_cell(md, value->value.u);
        add(md, " | ");
        add_bytes_cell(md, value->updates > 0 ? value->max.u : MODEL_UNKNOWN);
        add(md, " | ");
        add_bytes_cell(md, value->limit);
        add(md, " | ");
        add_text(md, def->domain.shown, def->domain.shown_size, true);
        add(md, " | ");
        add_text(md, def->name.shown, def->name.shown_size, true);
        add(md, " |");
        end_line(md);
    }
}

/* Writes an item of a list in the job's words; `title` before the first. */
static void put_item(struct markdown *md, const char *title, unsigned number, const char *text,
                     size_t size)
{
    char shown[MODEL_TEXT_KEPT];
    while (size > 0 && (*text == ' ' || *text == '-')) {
        text++;
        size--;
    }
    if (number == 0)
        add(md, "\n### %s\n\n", title);
    add(md, "- ");
    add_sentence(md, shown, model_text_safe(text, size, shown, sizeof shown));
    end_line(md);
}

/* Writes the framework's own advice for functions that were called. */
static void put_advice(struct markdown *md)
{
    const struct model_identity *who = model_job_identity(md->state->job);
    struct model_fact_about tip;
    unsigned count = 0;
    char mark;
    for (size_t from = 0; model_summary_next_tip(who, &from, &tip, &mark) && count < TIPS;) {
        bool called = false;
        for (uint32_t f = 0; mark == 0 && !called && f < md->state->count[MODEL_FUNCTION]; f++)
            called = model_fact_is_about(&tip, f) && md->state->function[f].calls != 0;
        if (called)
            put_item(md, "Advice of the framework", count++, tip.text, tip.text_size);
    }
}

static void put_notices(struct markdown *md)
{
    unsigned count = 0;
    for (size_t i = model_job_notices(md->state->job); i-- > 0 && count < NOTICES;) {
        const struct model_notice *notice = model_job_notice(md->state->job, i);
        if (notice->level == 0 || model_job_notice_times(md->state->job, i) == 0)
            continue;
        put_item(md, "Warnings of the job", count++, notice->text.shown, notice->text.shown_size);
    }
}

static void put_end(struct markdown *md)
{
    if (md->left_out > 0)
        add(md, "\n%u more lines had no room: the summary has at most %d bytes.\n", md->left_out,
            (int)MODEL_MARKDOWN_MOST);
    add(md,
        "\nLeft out: host, user, process ids, arguments, settings and the folders of paths. Names "
        "of more than %d bytes are cut. Made by `proftop -b --format md`; `--format json` has all "
        "rows.",
        (int)MODEL_MARKDOWN_NAME);
    end_line_at(md, sizeof md->text);
}

static void put_job(struct markdown *md)
{
    put_title(md);
    put_jobs(md);
    put_totals(md);
    put_pace(md);
    put_waiting(md);
    put_sampling(md);
    put_losses(md);
    for (unsigned i = 0; i < sizeof tables / sizeof tables[0]; i++)
        put_table(md, i);
    put_spans(md);
    put_memory(md);
    put_advice(md);
    put_notices(md);
}

bool model_markdown_write(const struct model_report *report, const struct model_sink *sink)
{
    struct markdown md = {.report = report, .state = report->jobs ? report->ranks : report->state};
    for (size_t i = 0; i < report->jobs; i++)
        model_link_add(&md.link, report->job[i].link);
    if (!report->jobs)
        md.link = *report->link;
    if (md.state) {
        put_job(&md);
    } else {
        add(&md, "## proftop: the job has sent nothing yet");
        end_line(&md);
    }
    put_end(&md);
    sink->write(sink->to, md.text, md.size);
    return !md.failed;
}

/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * rewind_line.c: what the time line shows: the load of the job over time, what happened, and where
 * the screen is.
 */
#include "config.h"

#include "tui/app/rewind.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tui/app/app.h"
#include "tui/app/multi_job.h"
#include "tui/app/session.h"

/* The line is as long as the moment shown needs, in these steps; the last is the whole past. */
static const uint64_t lengths_s[] = {60, 600, 3600, 6 * 3600, 24 * 3600, 30 * 24 * 3600};
static const uint64_t STRIP_BIN_NS = TUI_NS_PER_S;
static const uint64_t GRAPH_BIN_NS = TUI_NS_PER_S / 2; /* a column of the graph is a second */
enum { LENGTHS = sizeof lengths_s / sizeof lengths_s[0], MARGIN_COLS = 2, MIB = 1024 * 1024 };

/* A stretch of time, in columns. */
struct stretch {
    uint64_t from_ns, to_ns;
    int cols;
};

static int col_of(const struct stretch *s, uint64_t at_ns)
{
    if (at_ns < s->from_ns || at_ns > s->to_ns)
        return -1;
    const double part = (double)(at_ns - s->from_ns) / (double)(s->to_ns - s->from_ns + 1);
    return (int)(part * s->cols);
}

static uint64_t begin_of(const struct stretch *s, int col)
{
    return s->from_ns + (uint64_t)((double)(s->to_ns - s->from_ns + 1) / s->cols * (double)col);
}

/* Chooses a length such that the moment shown is not at the very edge. */
static struct stretch stretch_of(uint64_t first_ns, uint64_t shown_ns, uint64_t last_ns, int cols)
{
    const uint64_t ago_ns = last_ns - shown_ns, kept_ns = last_ns - first_ns;
    uint64_t ns = kept_ns;
    for (unsigned i = LENGTHS; i-- > 0;)
        if (lengths_s[i] * TUI_NS_PER_S >= ago_ns + ago_ns / 4)
            ns = lengths_s[i] * TUI_NS_PER_S;
    return (struct stretch){last_ns > ns ? last_ns - ns : 0, last_ns, cols};
}

static void set_sign(struct tui_timeline *line, int col, char sign)
{
    if (col >= 0 && col < line->cols && line->sign[col] == ' ')
        line->sign[col] = sign;
}

/* Spreads the time of the ops in a moment over the columns that it covers. */
static void add_load(const struct stretch *s, const struct model_history_moment *moment,
                     double load[TUI_TIMELINE_COLS])
{
    const uint64_t from_ns = moment->from_ns > s->from_ns ? moment->from_ns : s->from_ns;
    const double ns = (double)(moment->mono_ns - moment->from_ns);
    const int last = col_of(s, moment->mono_ns);
    for (int col = col_of(s, from_ns); col >= 0 && col <= last; col++) {
        const uint64_t begin_ns = begin_of(s, col), end_ns = begin_of(s, col + 1);
        const uint64_t a = from_ns > begin_ns ? from_ns : begin_ns;
        const uint64_t b = moment->mono_ns < end_ns ? moment->mono_ns : end_ns;
        load[col] = (load[col] < 0 ? 0 : load[col]) +
                    (b > a && ns > 0 ? (double)moment->time_ns * (double)(b - a) / ns : 0);
    }
}

static void add_signs(struct tui_timeline *line, const struct stretch *s,
                      const struct model_history_moment *before,
                      const struct model_history_moment *moment)
{
    const int col = col_of(s, moment->mono_ns);
    if (before->epoch != moment->epoch)
        set_sign(line, col, '0');
    if (!moment->collecting)
        set_sign(line, col, 'p');
    if (moment->compiles > before->compiles)
        set_sign(line, col, 'c');
}

static void read_history(struct tui_timeline *line, const struct stretch *s,
                         const struct model_history *history)
{
    double load[TUI_TIMELINE_COLS], most = 0;
    const uint32_t count = model_history_count(history);
    for (int col = 0; col < line->cols; col++)
        load[col] = -1;
    struct model_history_moment before = model_history_at(history, 0);
    for (uint32_t at = model_history_find(history, s->from_ns); at < count; at++) {
        const struct model_history_moment moment = model_history_at(history, at);
        add_load(s, &moment, load);
        if (moment.mono_ns >= s->from_ns && at > 0)
            add_signs(line, s, &before, &moment);
        before = moment;
    }
    for (int col = 0; col < line->cols; col++)
        most = load[col] > most ? load[col] : most;
    for (int col = 0; col < line->cols; col++) {
        const bool kept = begin_of(s, col + 1) > model_history_at(history, 0).mono_ns;
        line->load[col] = !kept ? TUI_LOAD_NONE
                          : load[col] <= 0 || most <= 0
                              ? 0
                              : (uint8_t)(1 + load[col] / most * (TUI_LOAD_MAX - 1) + 0.5);
    }
}

/* The wall clock of another job, or of a mark, on the clock of the line. */
static uint64_t mono_of(const struct model_history *history, uint64_t wall_ns)
{
    const struct model_history_moment moment =
        model_history_at(history, model_history_find_wall(history, wall_ns));
    return wall_ns >= moment.wall_ns ? moment.mono_ns + (wall_ns - moment.wall_ns) : 0;
}

static void add_events(const struct tui_rewind *rewind, struct tui_timeline *line,
                       const struct stretch *s, const struct model_history *history)
{
    const struct model_job *job = model_history_job(history);
    const struct model_objects *objects = model_job_objects(job);
    for (unsigned i = 0; i < rewind->marks; i++)
        set_sign(line, col_of(s, mono_of(history, rewind->mark[i].wall_ns)),
                 rewind->mark[i].name[0]);
    for (size_t i = 0; i < rewind->lives; i++) {
        const struct model_history *other = rewind->life[i].history;
        const uint32_t count = model_history_count(other);
        if (other == history || count == 0)
            continue;
        set_sign(line, col_of(s, mono_of(history, model_history_at(other, 0).wall_ns)), '+');
        if (model_history_at(other, count - 1).ended || !rewind->life[i].attached)
            set_sign(line, col_of(s, mono_of(history, model_history_at(other, count - 1).wall_ns)),
                     '-');
    }
    for (uint32_t i = 0; i < objects->marks; i++)
        set_sign(line, col_of(s, objects->mark[i].mono_ns), '*');
    for (size_t i = 0; i < model_job_notices(job); i++)
        if (model_job_notice(job, i)->level > 0)
            set_sign(line, col_of(s, mono_of(history, model_job_notice(job, i)->wall_ns)), '!');
}

static void write_text(const struct tui_rewind_parts *p, struct tui_timeline *line,
                       const struct model_history *history, uint32_t at, int cols)
{
    const uint32_t count = model_history_count(history);
    const struct model_history_moment moment = model_history_at(history, at);
    const uint64_t last_ns = model_history_at(history, count - 1).mono_ns;
    const uint64_t kept_ns = last_ns - model_history_at(history, 0).mono_ns;
    const char *space = !p->session->replay ? "present" : p->app->screen.paused ? "plays" : "stops";
    char clock[16], ago[32], kept[32], moments[32];
    tui_clock(moment.wall_ns, clock, sizeof clock);
    model_unit_clock(kept_ns, kept, sizeof kept);
    snprintf(ago, sizeof ago, "%.1f s", (double)(last_ns - moment.mono_ns) / TUI_NS_PER_S);
    snprintf(moments, sizeof moments, "%" PRIu32 " moments of ", count);
    /* Where there is little room, the keys are needed more than the number of moments. */
    for (int i = 0; i < 2; i++) {
        const int size = snprintf(line->text, sizeof line->text,
                                  "%s  %s ago  %s%s in %zu of %zu MiB  [ ] { } step  Space %s",
                                  clock, ago, i == 0 ? moments : "kept ", kept,
                                  (model_history_bytes(history) + MIB - 1) / MIB,
                                  p->app->rewind.limit / MIB, space);
        if (size <= cols)
            break;
    }
}

bool tui_rewind_graph(const struct tui_rewind_parts *p, int cols)
{
    struct tui_graph *graph = &p->app->screen.graph;
    struct model_series *series = &graph->series;
    struct model_series_key key = {.id = 0};
    uint32_t at;
    const bool was = graph->on;
    const bool fits = p->app->screen.shape.graph_rows > 0;
    const struct model_history *history = fits ? tui_rewind_moment(p, &at) : NULL;
    const unsigned bins = cols > 0 ? 2 * (unsigned)tui_graph_cols(cols) : 0;
    graph->on = history && bins >= 2 && bins <= MODEL_SERIES_MAX &&
                tui_screen_follows(&p->app->screen, &key);
    if (!graph->on)
        return was;
    const struct model_job *job = model_history_job(history);
    if (graph->of != job)
        *series = (struct model_series){.bins = 0};
    graph->of = job;
    graph->past = p->app->rewind.on;
    graph->unit = model_series_unit(job, &key);
    snprintf(graph->title, sizeof graph->title, "%s of the chosen row", model_series_title(key.of));
    series->bins = bins;
    series->bin_ns = GRAPH_BIN_NS;
    series->end_ns = model_history_at(history, at).mono_ns / GRAPH_BIN_NS * GRAPH_BIN_NS;
    model_series_take(series, history, &key);
    return !was;
}

static bool wants_strips(const struct tui_screen *screen, unsigned which,
                         struct model_strips *strips, int cols)
{
    return which == TUI_STRIPS_OF_ROWS
               ? tui_screen_strips(screen, strips, cols)
               : tui_objects_strips(screen,
                                    which == TUI_STRIPS_OF_SPANS ? MODEL_SERIES_RUNS
                                                                 : MODEL_SERIES_COUNTER,
                                    strips, cols);
}

/* Takes one of the sets of curves, and returns it, or NULL if the screen wants none. */
static const struct model_strips *take_strips(const struct tui_rewind_parts *p, unsigned which,
                                              const struct model_history *history, uint32_t at,
                                              int cols)
{
    struct model_strips **strips = &p->app->rewind.strips[which];
    if (!*strips)
        *strips = calloc(1, sizeof(struct model_strips));
    if (!*strips || !wants_strips(&p->app->screen, which, *strips, cols))
        return NULL;
    (*strips)->bin_ns = STRIP_BIN_NS;
    (*strips)->end_ns = model_history_at(history, at).mono_ns / STRIP_BIN_NS * STRIP_BIN_NS;
    model_strips_take(*strips, history);
    return (*strips)->rows > 0 ? *strips : NULL;
}

void tui_rewind_strips(const struct tui_rewind_parts *p, int cols)
{
    struct tui_rewind *rewind = &p->app->rewind;
    struct tui_screen *screen = &p->app->screen;
    const struct model_strips **shown[TUI_STRIPS] = {&screen->strips, &screen->span_strips,
                                                     &screen->counter_strips};
    uint32_t at = 0;
    const struct model_history *history = tui_rewind_moment(p, &at);
    const struct model_job *job = history ? model_history_job(history) : NULL;
    for (unsigned i = 0; i < TUI_STRIPS && rewind->strips_of != job; i++)
        if (rewind->strips[i])
            rewind->strips[i]->taken_rows = 0; /* they were of another job */
    for (unsigned i = 0; i < TUI_STRIPS; i++)
        *shown[i] = history ? take_strips(p, i, history, at, cols) : NULL;
    rewind->strips_of = job;
}

static void write_since(const struct tui_rewind_parts *p, struct tui_timeline *line)
{
    const struct tui_rewind *rewind = &p->app->rewind;
    const struct model_state *state = p->app->state;
    line->since[0] = '\0';
    line->mark = NULL;
    if (!rewind->compares || !state)
        return;
    const struct tui_mark *mark = &rewind->mark[rewind->base];
    char clock[16];
    line->mark = mark->name;
    tui_clock(mark->wall_ns, clock, sizeof clock);
    const double ns = state->wall_ns > mark->wall_ns ? (double)(state->wall_ns - mark->wall_ns) : 0;
    snprintf(line->since, sizeof line->since, "since mark %s, %s, %.1f s: = shows totals",
             mark->name, clock, ns / TUI_NS_PER_S);
}

void tui_rewind_line(const struct tui_rewind_parts *p, int cols)
{
    struct tui_timeline *line = &p->app->screen.timeline;
    const struct tui_rewind *rewind = &p->app->rewind;
    uint32_t at;
    const struct model_history *history = tui_rewind_moment(p, &at);
    write_since(p, line);
    line->on = (p->app->screen.paused || p->session->replay) && history;
    if (!line->on)
        return;
    cols -= MARGIN_COLS;
    line->cols = cols < 1 ? 1 : cols > TUI_TIMELINE_COLS ? TUI_TIMELINE_COLS : cols;
    memset(line->sign, ' ', sizeof line->sign);
    const uint64_t shown_ns = model_history_at(history, at).mono_ns;
    const uint64_t last_ns = model_history_at(history, model_history_count(history) - 1).mono_ns;
    const struct stretch s =
        stretch_of(model_history_at(history, 0).mono_ns, shown_ns, last_ns, line->cols);
    line->at = col_of(&s, shown_ns);
    read_history(line, &s, history);
    add_events(rewind, line, &s, history);
    char length[32];
    model_unit_clock(s.to_ns - s.from_ns, length, sizeof length);
    snprintf(line->scale, sizeof line->scale, "the last %s", length);
    write_text(p, line, history, at, cols);
}

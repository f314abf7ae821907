/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * peak_line.c: the line above the Memory pane: the peak memory of a function's values.
 */
#include "tui/ui/draw.h"

#include <stdio.h>
#include <string.h>

#include "model/dialect.h"
#include "model/extra.h"

/* The computation takes some 0.7 us for each apply. For large jobs it is done less often, so that
 * the time is not noticeable. */
enum { LARGE = 20000, PAUSE_NS = 10000 };
enum { NAME_MOST = 24, AFTER_WIDE = 60, AFTER_MOST = 34, WIDE_COLS = 140 };

/* True if the job has sent nothing new since the computation. */
static bool is_new(const struct tui_memory *memory, const struct model_state *state)
{
    return memory->changes == model_job_about_changes(state->job) &&
           memory->applies == state->count[MODEL_APPLY];
}

/* True if the peaks need no new computation. A paused screen keeps its figures, whatever data
 * comes. */
static bool is_kept(const struct tui_screen *screen)
{
    const struct tui_memory *memory = &screen->memory;
    const struct model_state *state = screen->state;
    return memory->job == state->job && memory->scope == state->scope &&
           (screen->paused || screen->now_ns < memory->again_ns || is_new(memory, state));
}

bool tui_peaks_update(struct tui_screen *screen)
{
    const struct model_state *state = screen->state;
    if (!state || is_kept(screen))
        return true;
    const uint32_t applies = state->count[MODEL_APPLY];
    screen->memory = (struct tui_memory){
        .job = state->job,
        .scope = state->scope,
        .changes = model_job_about_changes(state->job),
        .again_ns = applies > LARGE ? screen->now_ns + (uint64_t)applies * PAUSE_NS : 0,
        .applies = applies,
        .function = MODEL_NONE};
    return !model_extra_there(state, MODEL_EXTRA_BYTES) ||
           model_peaks_most(state, &screen->memory.peaks, &screen->memory.function);
}

void tui_peaks_forget(struct tui_memory *memory)
{
    *memory = (struct tui_memory){.function = MODEL_NONE};
}

/* Adds the peak for lazy evaluation, and in brackets for evaluation in the order of indices, as in
 * the printed profiles. Memory counts as long as it is held, even where the printed profiles
 * release it too early (model/peak.h). */
static void add_peak(struct tui_line *line, unsigned rank, const char *word,
                     const struct model_peak peak[MODEL_PEAK_ORDERS], const char *least)
{
    char lazy[TUI_NUMBER_SIZE], index[TUI_NUMBER_SIZE];
    tui_line_add(line, TUI_TITLE, rank, "%s %s%s (%s%s)", word, least,
                 tui_bytes(lazy, peak[MODEL_PEAK_LAZY].bytes), least,
                 tui_bytes(index, peak[MODEL_PEAK_INDEX].bytes));
}

static void add_after(struct tui_line *line, const struct model_job *job, uint32_t apply, int cols)
{
    if (apply == MODEL_NONE)
        return;
    tui_line_add(line, TUI_DIM, 4, "after %s", model_job_apply(job, apply)->label.shown);
    line->field[line->fields - 1].most = cols < WIDE_COLS ? AFTER_MOST : AFTER_WIDE;
}

/* True if some functions of the job are compiled by Numba. */
static bool is_numba(const struct model_identity *who)
{
    return strstr(who->route.raw, "Numba") || strstr(who->facts.raw, "linker=numba");
}

static bool is_of_family(const struct model_identity *who)
{
    return model_dialect_of(who) != NULL;
}

/* Returns which code sends sizes, for a job without any: the first entry whose test holds, else the
 * program itself. */
static const char *why_no_sizes(const struct model_identity *who)
{
    static const struct {
        bool (*test)(const struct model_identity *who);
        const char *why;
    } reasons[] = {
        {is_numba, " (Numba's code tells those of fixed shapes alone)"},
        {is_of_family, ""},
    };
    for (unsigned i = 0; i < sizeof reasons / sizeof reasons[0]; i++)
        if (reasons[i].test(who))
            return reasons[i].why;
    return " (a program tells them by proftop_apply_detail())";
}

static void add_peaks(const struct tui_screen *screen, struct tui_line *line, int cols)
{
    const struct tui_memory *memory = &screen->memory;
    const struct model_state *state = screen->state;
    if (!state)
        return;
    if (state->multi_job) {
        tui_line_add(line, TUI_WARN, 0, "sizes are those of one job: ) shows one");
        return;
    }
    if (memory->job != state->job || memory->function == MODEL_NONE) {
        const bool allocates = model_job_metric_named(state->job, "alloc") != MODEL_NONE;
        tui_line_add(line, TUI_WARN, 0, "no sizes of values are known%s",
                     allocates ? "; ALLOC of other panes has what ops allocate, e the memory"
                               : why_no_sizes(model_job_identity(state->job)));
        return;
    }
    const struct model_peaks *peaks = &memory->peaks;
    const bool partial = peaks->unknown > 0 || peaks->untold > 0;
    const char *least = partial ? ">=" : is_new(memory, state) || screen->paused ? "" : "~";
    const struct model_text *name = &model_job_function(state->job, memory->function)->name;
    tui_line_add(line, TUI_TITLE, 1, "%s:", name->shown_size > 0 ? name->shown : "-");
    line->field[line->fields - 1].most = NAME_MOST;
    add_peak(line, 0, "peak", peaks->peak, least);
    add_peak(line, 2, "not in place", peaks->no_inplace, least);
    char created[TUI_NUMBER_SIZE];
    tui_line_add(line, TUI_TITLE, 3, "no gc %s%s", least, tui_bytes(created, peaks->created));
    add_after(line, state->job, peaks->peak[MODEL_PEAK_LAZY].apply, cols);
}

void tui_peaks_draw(const struct tui_screen *screen, struct tui_grid *grid, int row,
                    const char *title)
{
    struct tui_line line = {0};
    tui_line_add(&line, TUI_TITLE, 0, "%s", title);
    add_peaks(screen, &line, tui_grid_page(grid));
    tui_line_draw(&line, grid, row);
}

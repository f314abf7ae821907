/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * header_now.c: the header's text for what a job does now.
 */
#include "tui/ui/draw.h"

#include <stdio.h>
#include <string.h>

#include "model/extra.h"

enum { INSIDE_SIZE = 160, NESTED_MAX = 8 };

/* A step shorter than this is over before the user has read its number. */
static const uint64_t loop_ns = UINT64_C(50000000);

/* Returns the time since an instant, by the stamp of the state: what was open then may have ended
 * since. */
static uint64_t since(const struct tui_screen *screen, uint64_t from_ns)
{
    uint64_t now = screen->state->mono_ns;
    return now > from_ns ? now - from_ns : 0;
}

/* Returns the function with the longest open call. */
static uint32_t open_function(const struct model_state *state)
{
    uint32_t found = MODEL_NONE;
    for (uint32_t i = 0; i < state->count[MODEL_FUNCTION]; i++) {
        uint64_t open = state->function[i].open_since_ns;
        if (open != MODEL_UNKNOWN &&
            (found == MODEL_NONE || open < state->function[found].open_since_ns))
            found = i;
    }
    return found;
}

static void format_compiling(const struct tui_screen *screen, uint32_t function, char *out,
                             size_t capacity)
{
    const struct model_state *state = screen->state;
    const struct model_phase *phase = model_state_phase(state, function);
    char whole[TUI_NUMBER_SIZE], part[TUI_NUMBER_SIZE], inside[INSIDE_SIZE] = "";
    if (phase)
        snprintf(inside, sizeof(inside), ", in %.80s for %s", phase->name.shown,
                 tui_ns(part, since(screen, phase->open_since_ns)));
    snprintf(out, capacity, "compiling %.100s for %s%s",
             model_job_function(state->job, function)->name.shown,
             tui_ns(whole, since(screen, state->function[function].compile_since_ns)), inside);
}

/* Returns the value of a metric by its name, or unknown. */
static uint64_t metric(const struct model_state *state, const char *name, uint32_t apply)
{
    const uint32_t number = model_job_metric_named(state->job, name);
    return number == MODEL_NONE
               ? MODEL_UNKNOWN
               : model_extra(state, MODEL_APPLY, apply, MODEL_EXTRA_METRIC + number);
}

/* True if the step of a loop is worth showing: the step takes long, or its current op does. */
static bool takes_long(const struct model_state *state, uint32_t apply, uint64_t open_ns)
{
    const struct model_row *row = state->sums ? NULL : state->row[MODEL_APPLY];
    return open_ns >= loop_ns || !row || row[apply].calls == 0 ||
           row[apply].calls == MODEL_UNKNOWN || row[apply].total_ns / row[apply].calls >= loop_ns;
}

/* Writes the step of a loop: `apply` is the loop or an op inside it, and has been open for
 * `open_ns`. */
static void format_step(const struct model_state *state, uint32_t apply, uint64_t open_ns,
                        char *out, size_t capacity)
{
    const struct model_job *job = state->job;
    char k[TUI_NUMBER_SIZE], n[TUI_NUMBER_SIZE];
    uint64_t step = metric(state, "step", apply);
    for (int deep = 0; step == MODEL_UNKNOWN && deep < NESTED_MAX; deep++) {
        apply = model_job_function(job, model_job_apply(job, apply)->function)->parent;
        if (apply >= state->count[MODEL_APPLY])
            break;
        step = metric(state, "step", apply);
    }
    *out = '\0';
    if (step == MODEL_UNKNOWN || !takes_long(state, apply, open_ns))
        return;
    const uint64_t steps = metric(state, "steps", apply);
    if (steps != MODEL_UNKNOWN)
        snprintf(out, capacity, ", step %s of %s", tui_count(k, step), tui_count(n, steps));
    else
        snprintf(out, capacity, ", step %s", tui_count(k, step));
}

/* The time is known up to the job's last stamp. */
static void format_open(const struct tui_screen *screen, uint64_t since_ns, char *out,
                        size_t capacity)
{
    char ns[TUI_NUMBER_SIZE];
    *out = '\0';
    if (since(screen, since_ns) > 0)
        snprintf(out, capacity, " for %s or more", tui_ns(ns, since(screen, since_ns)));
}

void tui_header_last(const struct tui_screen *screen, char *out, size_t capacity)
{
    const struct model_state *state = screen->state;
    const struct model_job *job = state->job;
    const struct model_now *now = model_state_oldest_now(state);
    const uint32_t open = open_function(state);
    char how_long[TUI_NUMBER_SIZE + 24], more[TUI_NUMBER_SIZE] = "";
    if (now) {
        if (state->now_count > 1)
            snprintf(more, sizeof(more), ", %zu more", state->now_count - 1);
        format_open(screen, now->since_ns, how_long, sizeof(how_long));
        snprintf(out, capacity, "%.40s was in %.80s%s%s. %s",
                 model_job_thread(job, now->thread)->name.shown,
                 model_job_apply(job, now->apply)->label.shown, how_long, more,
                 screen->link->reason);
    } else if (open != MODEL_NONE) {
        format_open(screen, state->function[open].open_since_ns, how_long, sizeof(how_long));
        snprintf(out, capacity, "it was in a call of %.80s%s. %s",
                 model_job_function(job, open)->name.shown, how_long, screen->link->reason);
    } else
        snprintf(out, capacity, "no op was open. %s", screen->link->reason);
}

void tui_header_now(const struct tui_screen *screen, char *out, size_t capacity)
{
    const struct model_state *state = screen->state;
    const struct model_job *job = state->job;
    const struct model_now *now = model_state_oldest_now(state);
    uint32_t compiling = model_state_compiling(state), open = open_function(state);
    static const char *const waits[] = {[MODEL_WORKS] = "",
                                        [MODEL_WAITS] = "waits ",
                                        [MODEL_WAITS_FOR_JOBS] = "waits ",
                                        [MODEL_ASIDE] = ""};
    char ns[TUI_NUMBER_SIZE], more[TUI_NUMBER_SIZE] = "", step[2 * TUI_NUMBER_SIZE + 16];
    if (compiling != MODEL_NONE)
        format_compiling(screen, compiling, out, capacity);
    else if (now) {
        if (state->now_count > 1)
            snprintf(more, sizeof(more), ", %zu more", state->now_count - 1);
        bool named = now->thread < model_job_count(job, MODEL_THREAD);
        format_step(state, now->apply, since(screen, now->since_ns), step, sizeof(step));
        snprintf(out, capacity, "%.100s %sin %.100s for %s%s%s",
                 named ? model_job_thread(job, now->thread)->name.shown : "a thread",
                 waits[model_job_apply(job, now->apply)->waits],
                 model_job_apply(job, now->apply)->label.shown,
                 tui_ns(ns, since(screen, now->since_ns)), step, more);
    } else if (open != MODEL_NONE)
        snprintf(out, capacity, "in a call of %.150s for %s",
                 model_job_function(job, open)->name.shown,
                 tui_ns(ns, since(screen, state->function[open].open_since_ns)));
    else
        snprintf(out, capacity, "no op is open");
}

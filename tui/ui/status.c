/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * status.c: the condition of the job, as a badge and as a sentence.
 */
#include "tui/ui/draw.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

const struct tui_condition_row tui_conditions[TUI_CONDITIONS] = {
    [TUI_COND_NO_JOB] = {"NO JOB", TUI_SIGN_WAITING, TUI_WARN, true,
                         "no job is chosen; a lists those that there are"},
    [TUI_COND_WAITING] = {"WAITING", TUI_SIGN_WAITING, TUI_WARN, true,
                          "the command has been started and has not published yet"},
    [TUI_COND_CONNECTING] = {"CONNECTING", TUI_SIGN_WAITING, TUI_WARN, true,
                             "the job has not answered yet"},
    [TUI_COND_SYNCING] = {"SYNCING", TUI_SIGN_WAITING, TUI_WARN, true,
                          "the job answers, its first values are on their way"},
    [TUI_COND_IDLE] = {"IDLE", TUI_SIGN_WAITING, TUI_GOOD, false,
                       "the job is watched and has run nothing yet"},
    [TUI_COND_COMPILING] = {"COMPILING", TUI_SIGN_COMPILING, TUI_GOOD, false,
                            "a function is being compiled, and no op runs"},
    [TUI_COND_LIVE] = {"LIVE", TUI_SIGN_LIVE, TUI_GOOD, false, "the figures are of now"},
    [TUI_COND_LAGGING] = {"LAGGING", TUI_SIGN_LAGGING, TUI_WARN, false,
                          "the figures come later than they should"},
    [TUI_COND_STALE] = {"STALE", TUI_SIGN_STALE, TUI_WARN, true,
                        "the job has fallen silent: the figures are the last that came"},
    [TUI_COND_ENDED] = {"ENDED", TUI_SIGN_ENDED, TUI_TITLE, true,
                        "the job has ended in order: the figures are its last, and whole"},
    [TUI_COND_DETACHED] =
        {"DETACHED", TUI_SIGN_ENDED, TUI_TITLE, true,
         "the job goes on, but publishes no more: its figures are whole up to then"},
    [TUI_COND_FILE] = {"FILE", TUI_SIGN_ENDED, TUI_TITLE, true, "the figures are those of a file"},
    [TUI_COND_GONE] = {"GONE", TUI_SIGN_GONE, TUI_BAD, true,
                       "the job was ended before it could say so: its last figures may be missing"},
    [TUI_COND_PAUSED] = {"PAUSED", TUI_SIGN_PAUSED, TUI_PAUSE, false,
                         "the screen stands still, the job runs on; Space resumes"},
    [TUI_COND_REPLAY] = {"REPLAY", TUI_SIGN_PAUSED, TUI_PAUSE, false,
                         "a recording is shown; Space plays it, [ and ] step"},
    [TUI_COND_PLAYS] = {"PLAYS", TUI_SIGN_CURSOR, TUI_PAUSE, false,
                        "a recording goes on; Space stops it, + and - change its speed"},
};

/* True if an op of the job has ever run, in scope or not. */
static bool any_ran(const struct model_state *state)
{
    if (state->totals.apply_calls > 0 || state->now_count > 0)
        return true;
    for (uint32_t i = 0; state->scope != MODEL_ALL && i < state->count[MODEL_APPLY]; i++) {
        uint64_t calls = state->row[MODEL_APPLY][i].calls;
        if (calls > 0 && calls != MODEL_UNKNOWN)
            return true;
    }
    return false;
}

bool tui_scope_idle(const struct model_state *state)
{
    return state && state->scope != MODEL_ALL && state->totals.apply_calls == 0 &&
           state->now_count == 0;
}

/* True if the job has run nothing yet: no op, no call, and nothing that `e` shows. */
static bool is_idle(const struct model_state *state)
{
    const uint64_t calls = state->totals.calls;
    return !any_ran(state) && (calls == 0 || calls == MODEL_UNKNOWN) && !tui_objects_any(state);
}

/* Returns the condition of a job whose link is live. */
static enum tui_condition condition_of_job(const struct model_state *state)
{
    if (!state)
        return TUI_COND_SYNCING;
    bool quiet = state->totals.apply_interval_calls == 0 ||
                 state->totals.apply_interval_calls == MODEL_UNKNOWN;
    if (quiet && model_state_compiling(state) != MODEL_NONE)
        return TUI_COND_COMPILING;
    return is_idle(state) ? TUI_COND_IDLE : TUI_COND_LIVE;
}

/* Returns the condition of a job from its link and its state. `state` may be NULL. */
static enum tui_condition condition_by(const struct model_link *link,
                                       const struct model_state *state)
{
    static const enum tui_condition of_link[MODEL_LINK_STATES] = {
        [MODEL_CONNECTING] = TUI_COND_CONNECTING,
        [MODEL_SYNCING] = TUI_COND_SYNCING,
        [MODEL_LIVE] = TUI_COND_LIVE,
        [MODEL_LAGGING] = TUI_COND_LAGGING,
        [MODEL_STALE] = TUI_COND_STALE,
        [MODEL_GONE] = TUI_COND_GONE,
    };
    if (link->replay)
        return TUI_COND_REPLAY;
    if (model_link_ended(link) && !link->killed)
        return link->file ? TUI_COND_FILE : link->detached ? TUI_COND_DETACHED : TUI_COND_ENDED;
    enum tui_condition condition = of_link[link->state % MODEL_LINK_STATES];
    return condition == TUI_COND_LIVE ? condition_of_job(state) : condition;
}

bool tui_screen_replays(const struct tui_screen *screen)
{
    return screen->link && screen->link->replay;
}

enum tui_condition tui_condition_live(const struct tui_screen *screen)
{
    if (!screen->link)
        return screen->launched ? TUI_COND_WAITING : TUI_COND_NO_JOB;
    return condition_by(screen->link, screen->state);
}

enum tui_condition tui_condition_of(const struct tui_screen *screen)
{
    if (tui_screen_replays(screen))
        return screen->paused || screen->batch ? TUI_COND_REPLAY : TUI_COND_PLAYS;
    return screen->paused ? TUI_COND_PAUSED : tui_condition_live(screen);
}

const char *tui_state_word(const struct model_link *link, const struct model_state *state)
{
    static const char *const own[TUI_CONDITIONS] = {
        [TUI_COND_IDLE] = "idle",
        [TUI_COND_COMPILING] = "compiling",
    };
    const char *word = link ? own[condition_by(link, state)] : "waiting";
    return word ? word : model_link_text(link);
}

const char *tui_screen_state(const struct tui_screen *screen)
{
    return tui_state_word(screen->link, screen->state);
}

uint64_t tui_lost(const struct model_link *link)
{
    return link->gaps + link->over_limit + link->falls + link->malformed;
}

static const char *label_of(const struct tui_screen *screen)
{
    return screen->label && *screen->label ? screen->label : "the job";
}

/* Writes the reason while no state was ever received. */
static void reason_without_state(const struct tui_screen *screen, char *out, size_t capacity)
{
    static const struct {
        const char *before, *after;
    } words[TUI_CONDITIONS] = {
        [TUI_COND_WAITING] = {"Waiting for ", " to publish."},
        [TUI_COND_CONNECTING] = {"Connecting to ", "."},
        [TUI_COND_SYNCING] = {"Connected to ", "; its first values are on their way."},
        [TUI_COND_LAGGING] = {"Connected to ", "; its first values are on their way."},
        [TUI_COND_STALE] = {"No answer from ", "."},
        [TUI_COND_ENDED] = {"No values came from ", " before it ended."},
        [TUI_COND_FILE] = {"No values are in ", "."},
        [TUI_COND_DETACHED] = {"No values came from ", " before it was detached from."},
        [TUI_COND_GONE] = {"No values came from ", " before it was gone."},
    };
    enum tui_condition condition = tui_condition_live(screen);
    const char *more = screen->link    ? screen->link->reason
                       : screen->batch ? ""
                                       : "o shows what it prints.";
    if (words[condition].before)
        snprintf(out, capacity, "%s%s%s%s%s", words[condition].before, label_of(screen),
                 words[condition].after, *more ? " " : "", more);
    else
        snprintf(out, capacity, "No job is chosen.");
}

/* Returns the effect of Esc: it undoes the latest narrowing first. */
static const char *what_esc_does(const struct tui_screen *screen, const struct tui_pane *pane)
{
    if (screen->batch || screen->prompt.title)
        return "";
    return tui_pane_dug_last(pane) ? " Esc goes back." : " Esc clears it.";
}

bool tui_pane_dug_last(const struct tui_pane *pane)
{
    return pane->view.only != MODEL_NONE && !(pane->view.filter[0] && pane->filter_last);
}

void tui_waiting_reason(const struct tui_screen *screen, char *out, size_t capacity)
{
    const struct model_state *state = screen->state;
    const uint32_t function = state ? model_state_compiling(state) : MODEL_NONE;
    if (function == MODEL_NONE) {
        tui_empty_reason(screen, &screen->pane[0], out, capacity);
        return;
    }
    const uint64_t since = state->function[function].compile_since_ns;
    const uint64_t so_far = state->mono_ns > since ? state->mono_ns - since : 0;
    time_t from = (time_t)((screen->wall_ns > so_far ? screen->wall_ns - so_far : 0) / 1000000000u);
    struct tm at = {0};
    localtime_r(&from, &at);
    tui_header_now(screen, out, capacity);
    size_t used = strlen(out);
    snprintf(out + used, capacity - used, ", since %02d:%02d:%02d", at.tm_hour, at.tm_min,
             at.tm_sec);
}

void tui_empty_reason(const struct tui_screen *screen, const struct tui_pane *pane, char *out,
                      size_t capacity)
{
    const struct model_state *state = screen->state;
    char ns[TUI_NUMBER_SIZE], bytes[TUI_NUMBER_SIZE];
    if (!state) {
        reason_without_state(screen, out, capacity);
        return;
    }
    if (pane->view.small > 0) {
        snprintf(out, capacity, "All outputs of the %u %s take less than %s.", pane->view.small,
                 pane->row->plural, tui_bytes(bytes, pane->view.least_bytes));
        return;
    }
    uint32_t unmatched = pane->view.hidden - pane->view.outside;
    if (unmatched > 0) {
        snprintf(out, capacity, "None of the %u %s matches the filter \"%s\".%s", unmatched,
                 pane->row->plural, pane->view.typed, what_esc_does(screen, pane));
        return;
    }
    if (pane->view.table == MODEL_COMPILE && state->complete) {
        snprintf(out, capacity, "%s",
                 state->multi_job ? "Phases are those of one job: ) shows one."
                                  : "Nothing is known of how this was compiled.");
        return;
    }
    uint32_t function = model_state_compiling(state);
    if (function != MODEL_NONE) {
        uint64_t since = state->function[function].compile_since_ns;
        uint64_t now = state->mono_ns;
        snprintf(out, capacity, "%s is being compiled, for %s so far. Its ops come with its calls.",
                 model_job_function(state->job, function)->name.shown,
                 tui_ns(ns, now > since ? now - since : 0));
        return;
    }
    if (!state->complete) {
        snprintf(out, capacity, "The first values of %s are on their way.", label_of(screen));
        return;
    }
    if (tui_scope_idle(state)) {
        char name[MODEL_SCOPE_LABEL];
        snprintf(out, capacity, "%s %s not run yet.%s",
                 model_scope_label(state->job, state->scope, name),
                 model_scope_several(state->scope) ? "have" : "has",
                 screen->batch ? "" : " f chooses another function.");
        return;
    }
    snprintf(out, capacity, "%s %s attached; no op has been seen yet.%s", label_of(screen),
             state->multi_job && state->multi_job->jobs > 1 ? "are" : "is",
             !screen->batch && tui_objects_any(state) ? " e shows what else it tells." : "");
}

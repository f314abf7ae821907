/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * header.c: the lines above the panes: the job's identity, where its time goes, what it does now,
 * and the quality of the feed. Three sizes: one to four lines of text, and on large screens bars as
 * well.
 */
#include "tui/ui/draw.h"

#include "model/dialect.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "model/job_info.h"

enum {
    LABEL_WIDTH = 9,
    TEXT_SIZE = 256,
    WHOLE_WIDTH = 8,
    SHARES_COLS = 118,
    DOING_LEAST = 28, /* columns reserved for the current op, whatever the feed's fields need */
    /* Same, for compilations: their text also names the function and the phase. */
    COMPILING_LEAST = 50
};

/* ----------------------------------------------------------------------------------- identity */

static void add_badge(const struct tui_screen *screen, const struct tui_grid *grid,
                      struct tui_line *line)
{
    const struct tui_condition_row *row = &tui_conditions[tui_condition_of(screen)];
    char clock[TUI_NUMBER_SIZE] = "";
    if (screen->paused && !tui_screen_replays(screen))
        model_unit_clock(
            screen->now_ns > screen->paused_at_ns ? screen->now_ns - screen->paused_at_ns : 0,
            clock, sizeof(clock));
    if (tui_condition_of(screen) == TUI_COND_NO_JOB && screen->jobs > 0) {
        tui_line_add(line, TUI_TITLE, 0, "%zu job%s", screen->jobs, screen->jobs == 1 ? "" : "s");
        return;
    }
    tui_line_add(line, row->role, 0, "%s %s%s%s", tui_sign(grid, row->sign), row->word,
                 *clock ? " " : "", clock);
    if (screen->paused && tui_conditions[tui_condition_live(screen)].old)
        tui_line_add(line, TUI_BAD, 1, "job %s", tui_conditions[tui_condition_live(screen)].word);
}

/* Shows several functions when all are in scope, without functions of jobs that were detached
 * from. */
static void add_all_functions(const struct model_state *state, struct tui_line *line)
{
    uint32_t functions = state->totals.rows[MODEL_FUNCTION], first = 0;
    while (functions == 1 && !state->row[MODEL_FUNCTION][first].in_scope)
        first++;
    if (functions == 1)
        tui_line_add(line, TUI_TITLE, 4, "%s", model_job_function(state->job, first)->name.shown);
    else if (functions > 1)
        tui_line_add(line, TUI_TITLE, 4, "all %u functions", functions);
}

static void add_scope(const struct model_state *state, struct tui_line *line)
{
    uint32_t functions = model_job_count(state->job, MODEL_FUNCTION);
    char label[MODEL_SCOPE_LABEL];
    if (state->scope != MODEL_ALL && model_scope_several(state->scope))
        tui_line_add(line, TUI_TITLE, 4, "%s", model_scope_label(state->job, state->scope, label));
    else if (state->scope < functions)
        tui_line_add(line, TUI_TITLE, 4, "%s (%u/%u)",
                     model_job_function(state->job, state->scope)->name.shown, state->scope + 1,
                     functions);
    else
        add_all_functions(state, line);
}

/* Adds the place of a process in a distributed job: "worker rank 3/8". */
static void add_place(const struct model_identity *job, struct tui_line *line)
{
    char role[64] = "", size[TUI_NUMBER_SIZE] = "";
    if (job->role.shown_size > 0)
        snprintf(role, sizeof(role), "%.32s", job->role.shown);
    if (job->size != MODEL_UNKNOWN)
        snprintf(size, sizeof(size), "/%llu", (unsigned long long)job->size);
    if (job->rank != MODEL_UNKNOWN)
        tui_line_add(line, TUI_TITLE, 5, "%s%srank %llu%s", role, *role ? " " : "",
                     (unsigned long long)job->rank, size);
    else if (*role)
        tui_line_add(line, TUI_TITLE, 5, "%s", role);
}

/* The job's collection is paused, not the view: adds which viewer asked for it. */
static void add_stopped(const struct model_identity *job, struct tui_line *line)
{
    tui_line_add(line, TUI_WARN, 1, "collection paused");
    if (job->asker.shown_size > 0)
        tui_line_add(line, TUI_WARN, 3, "by %.120s", job->asker.shown);
}

static void add_job(const struct tui_screen *screen, struct tui_line *line)
{
    if (screen->state && screen->state->multi_job && screen->multi_job) {
        tui_header_jobs(screen, line);
        add_scope(screen->state, line);
        return;
    }
    tui_header_front(screen, line);
    if (!screen->state) {
        tui_line_add(line, TUI_PLAIN, 2, "%s", screen->label ? screen->label : "");
        return;
    }
    const struct model_identity *job = model_job_identity(screen->state->job);
    const char *program = job->program.shown ? job->program.shown : "";
    const char *slash = strrchr(program, '/');
    if (slash && slash[1])
        program = slash + 1;
    tui_line_add(line, TUI_PLAIN, 1, "%.60s", *program ? program : "job");
    char host[128] = "";
    if (job->host.shown_size > 0)
        snprintf(host, sizeof(host), "@%.100s", job->host.shown);
    char pid[TUI_NUMBER_SIZE] = "-";
    if (job->pid > 0)
        snprintf(pid, sizeof(pid), "%llu", (unsigned long long)job->pid);
    tui_line_add(line, TUI_PLAIN, 2, "%s%s", pid, host);
    add_place(job, line);
    add_scope(screen->state, line);
    /* For an ended job the pause is not shown: its goodbye ends the collection anyway. */
    bool ended = screen->state->ended || (screen->link && model_link_ended(screen->link));
    if (!job->collecting && !ended)
        add_stopped(job, line);
    else if (job->on_demand)
        tui_line_add(line, TUI_WARN, 1, "applies counted while watched");
    if (job->framework.shown_size > 0)
        tui_line_add(line, TUI_PLAIN, 7, "%.60s %.40s", job->framework.shown,
                     job->framework_version.shown ? job->framework_version.shown : "");
}

/* Returns the refresh interval, or the length of the shown interval if that is far longer, as after
 * a pause. An idle job sends at uneven intervals. These are shown only together with the clock:
 * without it, the screen of an idle job does not change. */
static uint64_t interval_ms(const struct tui_screen *screen)
{
    const struct model_state *state = screen->state;
    const bool idle = state && !state->extends && state->totals.interval_calls == 0 &&
                      state->totals.apply_interval_calls == 0 &&
                      state->totals.interval_time_ns == 0;
    if (!state || (idle && !screen->show_clock))
        return screen->refresh_ms;
    const uint64_t ms = state->interval_ns / 1000000;
    return ms > screen->refresh_ms + screen->refresh_ms / 2 ? ms : screen->refresh_ms;
}

void tui_header_first(const struct tui_screen *screen, struct tui_grid *grid, int row)
{
    struct tui_line line = {0};
    add_badge(screen, grid, &line);
    add_job(screen, &line);
    if (!screen->batch && screen->refresh_ms > 0)
        tui_line_right(&line, TUI_DIM, 6, "%s %u.%us%s", tui_sign(grid, TUI_SIGN_DELTA),
                       (unsigned)(interval_ms(screen) / 1000),
                       (unsigned)(interval_ms(screen) / 100 % 10),
                       screen->state && screen->state->extends ? " since the pause" : "");
    time_t seconds = (time_t)(screen->wall_ns / 1000000000u);
    struct tm now;
    if (screen->show_clock && localtime_r(&seconds, &now))
        tui_line_right(&line, TUI_PLAIN, 3, "%02d:%02d:%02d", now.tm_hour, now.tm_min, now.tm_sec);
    tui_line_draw(&line, grid, row);
    if (screen->paused)
        tui_paint(grid, row, 0, grid->cols, TUI_PAUSE);
}

/* ------------------------------------------------------------------------ parts of the time */

/* A whole and its parts. The remainder is `rest`, so that the parts add up to the whole. */
enum { PARTS = 4 };
struct budget {
    uint64_t whole_ns;
    struct {
        const char *name; /* NULL: there is no such part */
        uint64_t ns;
        bool estimated;
    } part[PARTS];
    bool known;     /* the whole is known and at least as large as its parts */
    bool estimated; /* the whole is an estimate */
};

static uint64_t minus(uint64_t whole, uint64_t part)
{
    bool known = whole != MODEL_UNKNOWN && part != MODEL_UNKNOWN && whole >= part;
    return known ? whole - part : MODEL_UNKNOWN;
}

/* Returns the time in calls, open ones included: open calls have run some of their thunks. */
static uint64_t in_calls(const struct model_totals *totals)
{
    return totals->call_ns == MODEL_UNKNOWN ? MODEL_UNKNOWN
                                            : model_state_plus(totals->call_ns, totals->open_ns);
}

/* The open part is shown from one hundredth on: with short calls, one call is open most of the
 * time. */
static bool shows_open(const struct model_totals *totals)
{
    return totals->call_ns != MODEL_UNKNOWN && totals->open_ns > 0 &&
           totals->open_ns >= in_calls(totals) / 100;
}

/* True if more time is open than the job has sent. */
static bool is_least(const struct model_totals *totals)
{
    return totals->more_open && shows_open(totals);
}

/* Returns the whole for the shares of vm and thunks. The job does not separate thunks of open calls
 * from others, so it includes the time in open calls, for both. */
static uint64_t vm_base(const struct model_totals *totals)
{
    return is_least(totals) ? MODEL_UNKNOWN : in_calls(totals);
}

/* Returns the same whole for thunks, if all of them are known and ran in calls. */
static uint64_t thunk_base(const struct model_totals *totals)
{
    return totals->uncalled || totals->unseen ? MODEL_UNKNOWN : vm_base(totals);
}

/* "Thunk" and "VM" are words of the Theano family. Other programs have ops, and a machine that runs
 * them only if they send its time. */
static bool is_of_family(const struct model_state *state)
{
    const struct model_multi_job_state *multi_job = state->multi_job;
    bool any = !multi_job && model_dialect_of(model_job_identity(state->job));
    for (size_t i = 0; multi_job && multi_job->job && i < multi_job->jobs && !any; i++)
        any = multi_job->job[i].job && model_dialect_of(model_job_identity(multi_job->job[i].job));
    return any;
}

static bool has_vm(const struct model_state *state)
{
    return is_of_family(state) || state->totals.vm_ns != MODEL_UNKNOWN;
}

static const char *word_for_ops(const struct model_state *state)
{
    return is_of_family(state) ? "thunks" : "ops";
}

/* The vm's time is sent when a call ends. While a call is open, the known time is a lower bound;
 * before the first call has ended, the time is shown as unknown. */
static void add_vm(const struct model_state *state, struct tui_line *line)
{
    const struct model_totals *totals = &state->totals;
    if (!has_vm(state))
        return;
    /* The nodes of an open call that is too short to be shown may exceed what has ended. */
    const bool behind = totals->open_ns > 0 && totals->thunk_ns != MODEL_UNKNOWN &&
                        totals->vm_ns < totals->thunk_ns;
    const bool least = (shows_open(totals) || behind) && totals->vm_ns != MODEL_UNKNOWN;
    const uint64_t ns = least && totals->vm_ns == 0 ? MODEL_UNKNOWN : totals->vm_ns;
    char a[TUI_NUMBER_SIZE], b[TUI_NUMBER_SIZE];
    tui_line_add(line, TUI_PLAIN, 3, "vm %s%s %s", least && ns != MODEL_UNKNOWN ? ">=" : "",
                 tui_ns_marked(a, ns, totals->estimated), tui_share(b, ns, vm_base(totals)));
}

/* Returns the time that thunks worked: the rest of their time is waiting. */
static uint64_t working(const struct model_totals *totals)
{
    return totals->thunk_ns == MODEL_UNKNOWN ? MODEL_UNKNOWN : totals->time_ns;
}

/* True if a difference of ended calls and of all nodes is off by a tenth or more, since a call is
 * open. */
static bool is_rough(uint64_t part_ns, const struct model_totals *totals)
{
    return part_ns != MODEL_UNKNOWN && totals->open_ns > part_ns / 10;
}

/* Splits calls into thunks, the vm without them, and the rest. If the vm's time is not known, it is
 * part of the rest. */
static struct budget call_budget(const struct model_state *state)
{
    const struct model_totals *totals = &state->totals;
    struct budget budget = {.whole_ns = in_calls(totals), .estimated = totals->estimated};
    uint64_t vm = shows_open(totals) ? MODEL_UNKNOWN : minus(totals->vm_ns, totals->thunk_ns);
    uint64_t rest = minus(thunk_base(totals), totals->thunk_ns);
    budget.part[0].name = word_for_ops(state);
    budget.part[0].ns = working(totals);
    budget.part[0].estimated = totals->ops_estimated;
    budget.part[1].name = totals->wait_ns != MODEL_UNKNOWN ? "waiting" : NULL;
    budget.part[1].ns = totals->wait_ns;
    budget.part[1].estimated = totals->ops_estimated;
    budget.part[2].name = has_vm(state) ? "vm alone" : NULL;
    budget.part[2].ns = vm;
    budget.part[2].estimated = totals->estimated || totals->ops_estimated || is_rough(vm, totals);
    budget.part[3].name = "rest";
    budget.part[3].ns = vm == MODEL_UNKNOWN ? rest : minus(rest, vm);
    /* If the vm's time is known, the rest contains no thunk. */
    budget.part[3].estimated = totals->estimated ||
                               (vm == MODEL_UNKNOWN && totals->ops_estimated) ||
                               (vm != MODEL_UNKNOWN && is_rough(vm, totals));
    budget.known = budget.part[3].ns != MODEL_UNKNOWN && budget.whole_ns > 0;
    /* The parts do not add up to the whole, for instance since ops ran outside calls. */
    if (!budget.known)
        budget.part[2].ns = budget.part[3].ns = MODEL_UNKNOWN;
    return budget;
}

static struct budget setup_budget(const struct model_totals *totals)
{
    struct budget budget = {.whole_ns = totals->compile_ns};
    uint64_t left = totals->compile_ns;
    budget.part[0].name = "rewrite";
    budget.part[0].ns = totals->rewrite_ns;
    budget.part[2].name = "link";
    budget.part[2].ns = totals->link_ns;
    for (unsigned i = 0; i <= 2; i++)
        if (budget.part[i].ns != MODEL_UNKNOWN)
            left = minus(left, budget.part[i].ns);
    budget.part[3].name = "other";
    /* If only one of both times is known, the remainder contains the other one. */
    if ((budget.part[0].ns == MODEL_UNKNOWN) != (budget.part[2].ns == MODEL_UNKNOWN))
        left = MODEL_UNKNOWN;
    budget.part[3].ns = left;
    budget.known = left != MODEL_UNKNOWN && totals->compile_ns > 0;
    return budget;
}

/* Returns a share in tenths of a percent. Rounded by tui_share() itself, since both appear in one
 * frame. */
static unsigned tenths(uint64_t part, uint64_t whole)
{
    char text[TUI_NUMBER_SIZE];
    unsigned ones = 0, tenth = 0;
    sscanf(tui_share(text, part, whole), "%u.%u", &ones, &tenth);
    return 10 * ones + tenth;
}

/* Computes shares in tenths of a percent that add up to 1000. It rounds each sum of the first
 * parts. So thunks, and the vm with its thunks, agree with the line of figures. */
static void budget_shares(const struct budget *budget, unsigned share[PARTS])
{
    uint64_t sum_ns = 0;
    unsigned before = 0;
    for (unsigned i = 0; i < PARTS - 1; i++) {
        sum_ns += budget->part[i].ns == MODEL_UNKNOWN ? 0 : budget->part[i].ns;
        unsigned upto = tenths(sum_ns, budget->whole_ns);
        upto = upto < 1000 ? upto : 1000;
        share[i] = upto - before;
        before = upto;
    }
    share[PARTS - 1] = 1000 - before;
}

static const enum tui_sign part_sign[PARTS] = {TUI_SIGN_FIRST, TUI_SIGN_FOURTH, TUI_SIGN_SECOND,
                                               TUI_SIGN_THIRD};
static const enum tui_role part_role[PARTS] = {TUI_TITLE, TUI_DIM, TUI_WARM, TUI_DIM};

/* Draws the legend of the bar. Without `shares` (on narrow screens) it has no percentages:
 * "█ thunks 371s 89.9%  ▓ vm alone 26.1s 6.3%  ▒ rest 15.7s 3.8%". */
static void draw_legend(const struct budget *budget, const char *inside, bool shares,
                        struct tui_grid *grid, int row, int col)
{
    unsigned share[PARTS] = {0};
    char ns[TUI_NUMBER_SIZE];
    shares = shares && budget->known;
    if (shares)
        budget_shares(budget, share);
    for (unsigned i = 0; i < PARTS; i++) {
        if (!budget->part[i].name)
            continue;
        col += tui_put(grid, row, col, 1, part_role[i], tui_sign(grid, part_sign[i])) + 1;
        col += tui_printf(grid, row, col, tui_grid_page(grid), TUI_PLAIN, "%s %s",
                          budget->part[i].name,
                          tui_ns_marked(ns, budget->part[i].ns, budget->part[i].estimated));
        if (shares && budget->part[i].ns != MODEL_UNKNOWN)
            col += tui_printf(grid, row, col, tui_grid_page(grid), TUI_PLAIN, " %u.%u%%",
                              share[i] / 10, share[i] % 10);
        if (i == 0 && inside)
            col += tui_printf(grid, row, col, tui_grid_page(grid), TUI_DIM, " (%s)", inside);
        col += 2;
    }
}

/* Draws the whole, the bar of its parts, and the legend. */
static void draw_budget(const struct budget *budget, const char *label, const char *inside,
                        struct tui_grid *grid, int row)
{
    unsigned share[PARTS], before = 0;
    char ns[TUI_NUMBER_SIZE];
    int width = budget->known ? tui_grid_page(grid) / 6 : 0, col = LABEL_WIDTH + WHOLE_WIDTH;
    tui_put(grid, row, 1, LABEL_WIDTH - 2, TUI_TITLE, label);
    tui_put(grid, row, LABEL_WIDTH, WHOLE_WIDTH - 1, TUI_PLAIN,
            tui_ns_marked(ns, budget->whole_ns, budget->estimated));
    if (budget->known)
        budget_shares(budget, share);
    for (unsigned i = 0; i < PARTS && budget->known; i++) {
        int from = (int)(before * (unsigned)width + 500) / 1000;
        before += share[i];
        int to = (int)(before * (unsigned)width + 500) / 1000;
        tui_fill(grid, row, col + from, to - from, part_role[i], part_sign[i]);
    }
    draw_legend(budget, inside, tui_grid_page(grid) >= SHARES_COLS, grid, row,
                col + (width ? width + 2 : 0));
}

static const char *rate_of(char *out, const struct model_state *state)
{
    bool known = state->interval_ns > 0 && state->totals.interval_calls != MODEL_UNKNOWN;
    struct model_cell cell = {.known = known};
    if (known)
        cell.d = 1e9 * (double)state->totals.interval_calls / (double)state->interval_ns;
    model_unit_format(MODEL_UNIT_RATE, &cell, 12, out, TUI_NUMBER_SIZE);
    return out;
}

/* Adds "12.3 steps/s", "3.90k samples/s", "499k tokens/s". Adds nothing if the pace is not known.
 */
static void add_pace(struct tui_line *line, unsigned rank, double pace, const char *word)
{
    const struct model_cell cell = {.known = true, .d = pace};
    char text[TUI_NUMBER_SIZE];
    if (pace < 0)
        return;
    model_unit_format(MODEL_UNIT_RATE, &cell, 12, text, sizeof(text));
    text[strcspn(text, "/")] = '\0';
    tui_line_add(line, TUI_PLAIN, rank, "%s %s/s", text + (text[0] == '+'), word);
}

/* Adds "device busy 61%: launch bound". */
static void add_device(const struct tui_screen *screen, struct tui_line *line)
{
    struct model_pace_device device;
    if (screen->state->multi_job || !model_pace_device(screen->state, &device))
        return;
    tui_line_add(line, device.busy_percent < 50 ? TUI_WARN : TUI_PLAIN, 1, "device busy %.0f%%%s%s",
                 device.busy_percent, *device.bound ? ": " : "", device.bound);
}

/* True if the job tells of its steps. */
static bool has_step(const struct tui_screen *screen)
{
    struct model_pace_step step;
    return screen->state && !screen->state->multi_job && model_pace_step(screen->state, &step);
}

/* Draws the figures of the printed profile's first section: each is a share of the whole call. */
static void draw_calls(const struct tui_screen *screen, struct tui_grid *grid, int row)
{
    const struct model_state *state = screen->state;
    const struct model_totals *totals = &state->totals;
    char a[TUI_NUMBER_SIZE], b[TUI_NUMBER_SIZE];
    struct tui_line line = {0};
    const bool steps = has_step(screen);
    const char *least = is_least(totals) ? ">=" : "";
    if (steps) {
        tui_line_add(&line, TUI_PLAIN, 1, "steps %s", tui_count(a, state->pace.now.calls));
    } else {
        tui_line_add(&line, TUI_PLAIN, 1, "calls %s%s", state->share < 1 ? "~" : "",
                     tui_count(a, totals->calls));
        tui_line_add(&line, TUI_PLAIN, 4, "%s", rate_of(a, state));
        tui_line_add(&line, TUI_PLAIN, 2, "in calls %s%s", least,
                     tui_ns_marked(a, in_calls(totals), totals->estimated));
    }
    if (!steps && shows_open(totals))
        tui_line_add(&line, TUI_DIM, 2, "(%s%s open)", least, tui_ns(a, totals->open_ns));
    add_vm(state, &line);
    tui_line_add(&line, TUI_PLAIN, 0, "%s %s %s", word_for_ops(state),
                 tui_ns_marked(a, working(totals), totals->ops_estimated),
                 steps ? "" : tui_share(b, working(totals), thunk_base(totals)));
    if (totals->wait_ns != MODEL_UNKNOWN)
        tui_line_add(&line, TUI_PLAIN, 1, "waiting %s",
                     tui_ns_marked(a, totals->wait_ns, totals->ops_estimated));
    if (!steps && tui_grid_page(grid) >= TUI_COLS_WIDE && totals->calls > 0 &&
        totals->call_ns != MODEL_UNKNOWN && totals->calls != MODEL_UNKNOWN)
        tui_line_add(&line, TUI_DIM, 5, "%s/call",
                     tui_ns_marked(a, totals->call_ns / totals->calls, totals->estimated));
    add_device(screen, &line);
    add_pace(&line, 1, state->pace.steps, "steps");
    add_pace(&line, 2, state->pace.samples, "samples");
    add_pace(&line, 2, state->pace.tokens, "tokens");
    tui_line_draw(&line, grid, row);
}

/* Draws the phases of a mean step, the longest first, with `other`, the time outside of them:
 * "step 388us: backward 158us forward 87us other 43us". The shortest ones go if there is no space.
 */
static void draw_step(const struct tui_screen *screen, struct tui_grid *grid, int row)
{
    const bool part = screen->state->share < 1;
    struct model_pace_step step;
    struct tui_line line = {0};
    char ns[TUI_NUMBER_SIZE];
    if (!model_pace_step(screen->state, &step))
        return;
    double other = step.ns;
    for (unsigned i = 0; i < step.phases; i++)
        other -= step.phase[i].ns;
    tui_line_add(&line, TUI_PLAIN, 0, "step %s:", tui_ns_marked(ns, (uint64_t)step.ns, part));
    for (unsigned i = 0; i <= step.phases; i++) {
        const double left = i < step.phases ? step.phase[i].ns : 0;
        if (other > left) {
            tui_line_add(&line, TUI_DIM, 1 + i, "other %s",
                         tui_ns_marked(ns, (uint64_t)other, part));
            other = 0;
        }
        if (i < step.phases)
            tui_line_add(&line, TUI_PLAIN, 1 + i, "%s %s", step.phase[i].name->shown,
                         tui_ns_marked(ns, (uint64_t)left, part));
    }
    tui_line_draw(&line, grid, row);
}

static void draw_setup(const struct tui_screen *screen, struct tui_grid *grid, int row)
{
    const struct model_totals *totals = &screen->state->totals;
    struct budget budget = setup_budget(totals);
    char ns[TUI_NUMBER_SIZE];
    struct tui_line line = {0};
    tui_line_add(&line, TUI_PLAIN, 0, "compile %s:", tui_ns(ns, totals->compile_ns));
    tui_line_add(&line, TUI_PLAIN, 1, "rewrite %s", tui_ns(ns, totals->rewrite_ns));
    tui_line_add(&line, TUI_DIM, 4, "(validate %s)", tui_ns(ns, totals->validate_ns));
    tui_line_add(&line, TUI_PLAIN, 2, "link %s", tui_ns(ns, totals->link_ns));
    tui_line_add(&line, TUI_PLAIN, 3, "other %s", tui_ns(ns, budget.part[3].ns));
    tui_line_draw(&line, grid, row);
}

/* ----------------------------------------------------------------------------------- right now */

/* While paused: writes what the running job does meanwhile, and how much of the feed is lost. */
static void format_paused(const struct tui_screen *screen, char *out, size_t capacity)
{
    char calls[TUI_NUMBER_SIZE] = "-", held[TUI_NUMBER_SIZE], lost[TUI_NUMBER_SIZE] = "none";
    uint64_t shown = screen->state->totals.calls;
    if (shown != MODEL_UNKNOWN && screen->live_calls != MODEL_UNKNOWN &&
        screen->live_calls >= shown)
        tui_count(calls, screen->live_calls - shown);
    if (screen->lost > 0)
        tui_count(lost, screen->lost);
    snprintf(out, capacity, "the job runs on: %s calls since, %s frames in, %s lost; Space resumes",
             calls, tui_count(held, screen->paused_frames), lost);
}

static enum tui_role format_doing(const struct tui_screen *screen, char *out, size_t capacity)
{
    const struct tui_condition_row *condition = &tui_conditions[tui_condition_live(screen)];
    if (screen->link && screen->link->killed && screen->state) {
        tui_header_last(screen, out, capacity);
        return condition->role;
    }
    if (screen->link && screen->link->reason[0] && condition->old) {
        snprintf(out, capacity, "%s", screen->link->reason);
        return condition->role;
    }
    if (!screen->state) {
        *out = '\0';
        return TUI_PLAIN;
    }
    if (screen->paused && !tui_screen_replays(screen)) {
        format_paused(screen, out, capacity);
        return TUI_WARN;
    }
    if (screen->multi_job) {
        bool hangs = model_multi_job_trouble(screen->multi_job, out, capacity);
        if (out[0])
            return hangs ? TUI_BAD : TUI_WARN;
    }
    tui_header_now(screen, out, capacity);
    return TUI_PLAIN;
}

/* ------------------------------------------------------------------------------------ the feed */

/* Adds "word number" if there is something to count. */
static void add_fault(struct tui_line *line, enum tui_fault fault, uint64_t count)
{
    if (count > 0 && count != MODEL_UNKNOWN)
        tui_line_right(line, TUI_WARN, 2, "%s %llu", tui_faults[fault].words,
                       (unsigned long long)count);
}

/* Adds how many records the job could not keep. An older job does not say which kind they are. */
static void add_lost(struct tui_line *line, const struct model_identity *job)
{
    struct model_lost lost;
    uint64_t named = 0;
    for (size_t from = 0; model_lost_next(job, &from, &lost); named += lost.count)
        tui_line_right(line, TUI_WARN, 2, "lost %llu %.*s", (unsigned long long)lost.count,
                       (int)lost.size, lost.name);
    if (job->dropped != MODEL_UNKNOWN && job->dropped > named)
        add_fault(line, TUI_FAULT_DROPPED, job->dropped - named);
}

static void format_percent(double part, char text[TUI_NUMBER_SIZE])
{
    struct model_cell cell = {.known = true, .d = 100 * (part < 1 ? part : 1)};
    model_unit_format(MODEL_UNIT_PERCENT, &cell, TUI_NUMBER_SIZE - 1, text, TUI_NUMBER_SIZE);
}

enum { BUDGET_SIZE = 40 + 2 * TUI_NUMBER_SIZE };

/* Writes the sampling budget if the job cannot keep it; otherwise "". */
static void format_budget(const struct model_identity *job, char text[BUDGET_SIZE])
{
    char least[TUI_NUMBER_SIZE], budget[TUI_NUMBER_SIZE];
    text[0] = 0;
    if (job->budget < 0 || job->least <= job->budget)
        return;
    format_percent(job->least, least);
    format_percent(job->budget, budget);
    snprintf(text, BUDGET_SIZE, " (at least %s%%, over the budget of %s%%)", least, budget);
}

/* Adds the part of the time in which the job counts, unless it counts always. */
static void add_share(const struct model_identity *job, struct tui_line *line)
{
    char percent[TUI_NUMBER_SIZE];
    if (job->share >= 1)
        return;
    format_percent(job->share, percent);
    tui_line_right(line, TUI_WARN, 1, "counts %s%% of the time", percent);
}

/* Adds the job's profiling overhead, as a range if its error is known. */
static void add_cost(const struct tui_screen *screen, const struct model_identity *job,
                     struct tui_line *line)
{
    enum { ABSURD = 100 }; /* an error this many times the value itself makes the value useless */
    const double much = 0.01, cost = job->cost;
    char least[TUI_NUMBER_SIZE], most[TUI_NUMBER_SIZE], budget[BUDGET_SIZE];
    /* Without the clock, an idle job must not change the screen. */
    if (cost < 0 || (cost < much && !screen->show_clock && !screen->batch))
        return;
    const bool known = job->own_error_ns != MODEL_UNKNOWN && job->own_ns != MODEL_UNKNOWN &&
                       job->own_error_ns / ABSURD <= job->own_ns && job->own_ns > 0;
    const double doubt = known ? (double)job->own_error_ns / (double)job->own_ns : 0;
    format_budget(job, budget);
    const enum tui_role role = cost < 5 * much && !budget[0] ? TUI_PLAIN : TUI_WARN;
    format_percent(doubt < 1 ? cost * (1 - doubt) : 0, least);
    format_percent(cost * (1 + doubt), most);
    if (strcmp(least, most) == 0)
        tui_line_right(line, role, 3, "profiling %s%s%%%s", known ? "" : "~", most, budget);
    else
        tui_line_right(line, role, 3, "profiling %s-%s%%%s", least, most, budget);
}

static void add_feed(const struct tui_screen *screen, struct tui_line *line)
{
    const struct model_link *link = screen->link;
    char frames[TUI_NUMBER_SIZE], lag[TUI_NUMBER_SIZE] = "-";
    if (!link || link->file)
        return;
    uint64_t lag_ms = link->frames > 0 ? link->lag_ns / 1000000 : 0;
    if (link->frames > 0)
        snprintf(lag, sizeof(lag), "%llums", (unsigned long long)lag_ms);
    /* Without the clock, no figure on the screen may change by itself. */
    if (screen->show_clock || screen->batch || lag_ms >= 100)
        tui_line_right(line, TUI_PLAIN, 1, "feed %s frames lag %s", tui_count(frames, link->frames),
                       lag);
    else
        tui_line_right(line, TUI_PLAIN, 1, "feed ok");
    if (screen->records)
        tui_line_right(line, TUI_TITLE, 1, "recording");
    if (link->insecure ||
        (screen->state && model_identity_insecure(model_job_identity(screen->state->job))))
        tui_line_right(line, TUI_WARN, 0, "%s", tui_faults[TUI_FAULT_INSECURE].words);
    if (link->healing && link->state != MODEL_GONE) /* nothing comes any more */
        tui_line_right(line, TUI_WARN, 1, "%s", tui_faults[TUI_FAULT_HEALING].words);
    add_fault(line, TUI_FAULT_GAPS, link->gaps);
    add_fault(line, TUI_FAULT_MALFORMED, link->malformed);
    add_fault(line, TUI_FAULT_FALLS, link->falls);
    add_fault(line, TUI_FAULT_NAMES, link->no_names);
    add_fault(line, TUI_FAULT_PHASES, link->no_phases);
    add_fault(line, TUI_FAULT_DETAILS, link->no_details);
    add_fault(line, TUI_FAULT_LIMIT,
              link->over_limit - link->no_names - link->no_phases - link->no_details);
    add_fault(line, TUI_FAULT_VERSION, link->other_version);
    add_fault(line, TUI_FAULT_RECONNECTS, link->reconnects);
    if (!screen->state)
        return;
    const struct model_identity *job = model_job_identity(screen->state->job);
    add_lost(line, job);
    add_fault(line, TUI_FAULT_MISUSE, job->misuse);
    add_fault(line, TUI_FAULT_INVALID, job->invalid);
    add_share(job, line);
    add_cost(screen, job, line);
}

/* --------------------------------------------------------------------------------------- lines */

/* False before the first function or apply: there is nothing to count. */
static bool has_figures(const struct tui_screen *screen)
{
    const struct model_state *state = screen->state;
    return state && (state->count[MODEL_FUNCTION] > 0 || state->count[MODEL_APPLY] > 0);
}

/* True if some time of a compilation is known. */
static bool has_setup(const struct tui_screen *screen)
{
    if (!screen->state)
        return false;
    const struct model_totals *totals = &screen->state->totals;
    const uint64_t part[] = {totals->compile_ns, totals->rewrite_ns, totals->validate_ns,
                             totals->link_ns};
    bool known = false;
    for (unsigned i = 0; i < sizeof part / sizeof part[0]; i++)
        known = known || part[i] != MODEL_UNKNOWN;
    return known;
}

static bool has_doing(const struct tui_screen *screen)
{
    char text[TEXT_SIZE];
    format_doing(screen, text, sizeof(text));
    return text[0] != '\0';
}

static bool has_link(const struct tui_screen *screen)
{
    return screen->link != NULL && !screen->link->file;
}

static bool has_doing_or_link(const struct tui_screen *screen)
{
    return has_link(screen) || has_doing(screen);
}

static void draw_doing(const struct tui_screen *screen, struct tui_grid *grid, int row)
{
    char text[TEXT_SIZE];
    struct tui_line line = {0};
    enum tui_role role = format_doing(screen, text, sizeof(text));
    if (text[0])
        tui_line_add(&line, role, 0, "%s", text);
    /* The current op changes in length; its minimum keeps the feed's fields in place. A trouble
     * text may push them out: it is more important. */
    if (line.fields > 0 && role == TUI_PLAIN)
        line.field[0].least =
            model_state_compiling(screen->state) == MODEL_NONE ? DOING_LEAST : COMPILING_LEAST;
    add_feed(screen, &line);
    tui_line_draw(&line, grid, row);
}

/* With little space, the reason for a standstill is more important than the figures. */
static void draw_figures_or_doing(const struct tui_screen *screen, struct tui_grid *grid, int row)
{
    bool trouble =
        screen->link && screen->link->reason[0] && tui_conditions[tui_condition_live(screen)].old;
    if (trouble || !screen->state)
        draw_doing(screen, grid, row);
    else
        draw_calls(screen, grid, row);
}

static void draw_label(struct tui_grid *grid, int row, const char *label)
{
    tui_put(grid, row, 1, LABEL_WIDTH - 2, TUI_TITLE, label);
}

static void draw_call_budget(const struct tui_screen *screen, struct tui_grid *grid, int row)
{
    struct budget call = call_budget(screen->state);
    draw_budget(&call, "Call", NULL, grid, row);
}

static void draw_setup_budget(const struct tui_screen *screen, struct tui_grid *grid, int row)
{
    const struct model_totals *totals = &screen->state->totals;
    struct budget setup = setup_budget(totals);
    char text[TEXT_SIZE], ns[TUI_NUMBER_SIZE];
    snprintf(text, sizeof(text), "validate %s", tui_ns(ns, totals->validate_ns));
    draw_budget(&setup, "Set-up", text, grid, row);
}

static void draw_now(const struct tui_screen *screen, struct tui_grid *grid, int row)
{
    char text[TEXT_SIZE];
    enum tui_role role = format_doing(screen, text, sizeof(text));
    draw_label(grid, row, "Now");
    tui_put_middle(grid, row, LABEL_WIDTH, tui_grid_page(grid) - LABEL_WIDTH, role, text, 0);
}

static void draw_feed(const struct tui_screen *screen, struct tui_grid *grid, int row)
{
    struct tui_line line = {0};
    draw_label(grid, row, "Feed");
    add_feed(screen, &line);
    int col = LABEL_WIDTH;
    for (unsigned i = 0; i < line.fields; i++) {
        const char *shown = line.field[i].text;
        /* The label already says "feed". */
        shown += !strncmp(shown, "feed ", 5) ? 5 : 0;
        col += tui_put(grid, row, col, tui_grid_page(grid) - col, line.field[i].role, shown) + 2;
    }
    const char *route = screen->state ? model_job_identity(screen->state->job)->route.shown : NULL;
    if (route && *route)
        tui_printf(grid, row, col, tui_grid_page(grid) - col - 1, TUI_DIM, "route: %s", route);
}

/* A line of the header. A line without content is left out. */
struct line {
    bool (*says)(const struct tui_screen *screen); /* NULL: always */
    void (*draw)(const struct tui_screen *screen, struct tui_grid *grid, int row); /* NULL: blank */
    bool figures; /* figures, dimmed if they are not current */
};
static const struct line tall[] = {
    {NULL, tui_header_first, false},
    {NULL, NULL, false},
    {has_figures, draw_calls, true},
    {has_figures, draw_call_budget, true},
    {has_step, draw_step, true},
    {has_setup, draw_setup_budget, true},
    {has_doing, draw_now, false},
    {has_link, draw_feed, false},
    {NULL, NULL, false},
};
static const struct line usual[] = {
    {NULL, tui_header_first, false},
    {has_figures, draw_calls, true},
    {has_step, draw_step, true},
    {has_setup, draw_setup, true},
    {has_doing_or_link, draw_doing, false},
};
static const struct line small[] = {
    {NULL, tui_header_first, false},
    {NULL, draw_figures_or_doing, false},
};
static const struct line least[] = {{NULL, tui_header_first, false}};

#define LAYOUT(lines)                                                                              \
    {                                                                                              \
        lines, sizeof(lines) / sizeof((lines)[0])                                                  \
    }
static const struct layout {
    const struct line *line;
    unsigned lines;
} layouts[] = {LAYOUT(tall), LAYOUT(usual), LAYOUT(small), LAYOUT(least)};

static const struct layout *layout_of(const struct tui_screen *screen, int rows, int cols)
{
    if (cols >= TUI_COLS_WIDE && (screen->batch || rows >= TUI_ROWS_TALL))
        return &layouts[0];
    if (screen->batch || rows >= 16)
        return &layouts[1];
    return &layouts[rows >= 10 ? 2 : 3];
}

int tui_header_rows(const struct tui_screen *screen, int rows, int cols)
{
    const struct layout *layout = layout_of(screen, rows, cols);
    int count = 0;
    for (unsigned i = 0; i < layout->lines; i++)
        count += !layout->line[i].says || layout->line[i].says(screen);
    return count;
}

void tui_header_draw(const struct tui_screen *screen, struct tui_grid *grid, int row)
{
    const struct layout *layout = layout_of(screen, grid->rows, tui_grid_page(grid));
    const bool old = screen->state && tui_conditions[tui_condition_live(screen)].old;
    for (unsigned i = 0; i < layout->lines; i++) {
        const struct line *line = &layout->line[i];
        if (line->says && !line->says(screen))
            continue;
        if (line->draw)
            line->draw(screen, grid, row);
        if (line->figures && old)
            tui_paint(grid, row, 0, grid->cols, TUI_DIM);
        row++;
    }
}

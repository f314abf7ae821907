/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * function_picker.c: the list of functions and of their groups: the user chooses one, or marks
 * several that are shown as one.
 */
#include "config.h"

#include "tui/app/action.h"

#include <stdlib.h>

enum { GROUPS_MAX = 32 };

/* Time of a function: of all its nodes, without inner functions. */
struct function_time {
    uint64_t ns;
    bool estimated;
    uint32_t id, group;
};

static int more_time(const void *a, const void *b)
{
    const struct function_time *x = a, *y = b;
    return x->ns != y->ns ? (x->ns < y->ns ? 1 : -1) : (x->id > y->id) - (x->id < y->id);
}

static int by_group(const void *a, const void *b)
{
    const struct function_time *x = a, *y = b;
    uint32_t p = x->group == y->group ? x->id : x->group;
    uint32_t q = x->group == y->group ? y->id : y->group;
    return (p > q) - (p < q);
}

/* Sums the times of nodes. Rows of functions only count what is in scope; nodes always have their
 * figures. Returns NULL if out of memory. */
static struct function_time *times_of(const struct model_state *state)
{
    uint32_t count = state->count[MODEL_FUNCTION];
    struct function_time *time = calloc(count + 1u, sizeof(*time));
    for (uint32_t i = 0; time && i < count; i++) {
        time[i].id = i;
        time[i].group = model_job_function(state->job, i)->group;
    }
    for (uint32_t i = 0; time && i < state->count[MODEL_APPLY]; i++) {
        const struct model_row *row = &state->row[MODEL_APPLY][i];
        struct function_time *sum = &time[model_job_apply(state->job, i)->function];
        sum->ns = model_state_plus(sum->ns, row->self_ns == MODEL_UNKNOWN ? 0 : row->self_ns);
        sum->estimated |= row->self_estimated;
    }
    return time;
}

static void add(struct tui_app *app, uint32_t scope, uint64_t calls,
                const struct function_time *time, const char *name, const char *what)
{
    char text[2][32];
    struct model_cell cell = {.known = calls != MODEL_UNKNOWN, .u = calls};
    model_unit_format(MODEL_UNIT_COUNT, &cell, 8, text[0], sizeof text[0]);
    cell = (struct model_cell){.known = true, .u = time->ns, .approx = time->estimated};
    model_unit_format(MODEL_UNIT_NS, &cell, 8, text[1], sizeof text[1]);
    bool shown = scope == app->scope;
    if (shown && app->screen.choices < TUI_CHOICES_MAX)
        app->screen.chosen = app->screen.choices;
    bool one = !model_scope_several(scope) && app->scope != MODEL_ALL &&
               !model_scope_is_group(app->scope);
    shown |= one && model_scope_names(app->state->job, app->scope, scope);
    tui_app_list_add(app, scope, shown, "%8s  %8s  %.*s%s", text[0], text[1], TUI_CHOICE_SIZE / 2,
                     name, what);
}

/* Adds a group, with all functions that run inside it. */
static void add_group(struct tui_app *app, uint32_t first, const struct function_time *time,
                      uint8_t *part)
{
    const struct model_state *state = app->state;
    const uint32_t count = state->count[MODEL_FUNCTION];
    uint32_t scope = model_scope_group(state->job, first);
    uint64_t calls = 0;
    struct function_time sum = {0};
    char label[MODEL_SCOPE_LABEL];
    model_scope_parts(state->job, scope, part, count);
    for (uint32_t f = 0; f < count; f++) {
        const uint64_t more = state->function[f].calls;
        if (part[f] != MODEL_PART_OUT) {
            sum.ns = model_state_plus(sum.ns, time[f].ns);
            sum.estimated |= time[f].estimated;
        }
        if (part[f] == MODEL_PART_OUTER && more != MODEL_UNKNOWN)
            calls = model_state_plus(calls, more);
    }
    add(app, scope, calls, &sum, model_scope_label(state->job, scope, label), " (a group)");
}

/* Adds the groups with more than one function. `time` is indexed by id. Returns false if out of
 * memory. */
static bool add_groups(struct tui_app *app, const struct function_time *time)
{
    const uint32_t count = app->state->count[MODEL_FUNCTION];
    struct function_time *sorted = calloc(count + 1u, sizeof(*sorted));
    uint8_t *part = malloc(count + 1u);
    bool good = sorted && part;
    for (uint32_t i = 0; good && i < count; i++)
        sorted[i] = time[i];
    if (good && count)
        qsort(sorted, count, sizeof(*sorted), by_group);
    for (uint32_t i = 1, groups = 0; good && i < count && groups < GROUPS_MAX; i++) {
        bool second = sorted[i].group != 0 && sorted[i].group == sorted[i - 1].group &&
                      (i < 2 || sorted[i - 2].group != sorted[i].group);
        if (second)
            add_group(app, sorted[i - 1].id, time, part);
        groups += second;
    }
    free(sorted);
    free(part);
    return good;
}

/* Returns the label of a function's job if each job has rows of its own; otherwise "". */
static const char *whose(const struct model_state *state, uint32_t function, char *out, size_t size)
{
    const uint32_t *of = state->multi_job ? state->multi_job->of[MODEL_FUNCTION] : NULL;
    const bool known = of && of[function] < state->multi_job->jobs;
    snprintf(out, size, "%s%s", known ? "  " : "",
             known ? state->multi_job->job[of[function]].label : "");
    return out;
}

void tui_app_list_functions(struct tui_app *app)
{
    const struct model_state *state = app->state;
    uint32_t count = state->count[MODEL_FUNCTION];
    char label[MODEL_LABEL_MAX + 2];
    struct function_time *time = times_of(state);
    tui_app_list_begin(app, TUI_LIST_FUNCTIONS, TUI_MODE_FUNCTIONS);
    app->marking = false;
    if (count >= TUI_CHOICES_MAX)
        app->screen.picker_note = "Those with the most time are listed; --function shows any.";
    app->screen.choice_head = "   CALLS      TIME  FUNCTION";
    tui_app_list_add(app, MODEL_ALL, app->scope == MODEL_ALL, "%18s  all functions", "");
    if (!time || !add_groups(app, time))
        tui_app_message(app, true, "there is no memory left to list the functions");
    if (time && count)
        qsort(time, count, sizeof(*time), more_time);
    for (uint32_t i = 0; time && i < count; i++) {
        /* These belong to jobs that were detached from. */
        if (state->scope == MODEL_ALL && !state->row[MODEL_FUNCTION][time[i].id].in_scope)
            continue;
        add(app, time[i].id, state->function[time[i].id].calls, &time[i],
            model_job_function(state->job, time[i].id)->name.shown,
            whose(state, time[i].id, label, sizeof label));
    }
    free(time);
}

void tui_app_list_renamed(struct tui_app *app)
{
    struct tui_screen *screen = &app->screen;
    uint32_t marked[TUI_CHOICES_MAX], marks = 0, chosen = app->choice_id[screen->chosen];
    const bool marking = app->marking;
    for (size_t i = 0; marking && i < screen->choices; i++)
        if (app->choice[i].marked)
            marked[marks++] = app->choice_id[i];
    tui_app_list_functions(app);
    app->marking = marking;
    for (size_t i = 0; i < screen->choices; i++) {
        screen->chosen = app->choice_id[i] == chosen ? i : screen->chosen;
        if (marking)
            app->choice[i].marked = false;
        for (uint32_t m = 0; m < marks; m++)
            app->choice[i].marked |= app->choice_id[i] == marked[m];
    }
}

uint32_t tui_app_chosen_function(const struct tui_app *app)
{
    uint32_t id = app->screen.choices ? app->choice_id[app->screen.chosen] : MODEL_NONE;
    return model_scope_several(id) || id >= app->state->count[MODEL_FUNCTION] ? MODEL_NONE : id;
}

unsigned tui_act_alias(struct tui_app *app, const struct tui_action *action)
{
    (void)action;
    if (tui_app_chosen_function(app) == MODEL_NONE)
        tui_app_message(app, true, "a name is given to a single function");
    else
        tui_prompt_open(app, TUI_ASKING_ALIAS);
    return 0;
}

/* Marks apply to functions: the first mark removes the mark of all functions, or of a group. */
unsigned tui_act_mark_function(struct tui_app *app, const struct tui_action *action)
{
    struct tui_screen *screen = &app->screen;
    (void)action;
    if (model_scope_several(app->choice_id[screen->chosen])) {
        tui_app_message(app, true,
                        "mark single functions; Enter shows those that are marked as one");
        return 0;
    }
    for (size_t i = 0; i < screen->choices; i++)
        app->choice[i].marked &= !model_scope_several(app->choice_id[i]);
    app->choice[screen->chosen].marked = !app->choice[screen->chosen].marked;
    app->marking = true;
    if (screen->chosen + 1 < screen->choices)
        screen->chosen++;
    return 0;
}

unsigned tui_act_choose_function(struct tui_app *app, uint32_t id)
{
    uint32_t marked[TUI_CHOICES_MAX], count = 0;
    for (size_t i = 0; app->marking && i < app->screen.choices; i++)
        if (app->choice[i].marked)
            marked[count++] = app->choice_id[i];
    if (count == 0)
        app->scope = id;
    else if (!model_scope_choose(app->state->job, marked, count, &app->scope))
        tui_app_message(app, true, "there is no memory left to choose these functions");
    return TUI_WANT_STATE;
}

/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * action.c: THE table of actions, and what they do.
 */
#include "config.h"

#include "tui/app/action.h"

#include "tui/ui/term.h"

static struct tui_pane *active(struct tui_app *app)
{
    return &app->screen.pane[app->screen.active];
}

/* ----------------------------------------------------------------------------------- moving */

static unsigned move_rows(struct tui_app *app, int64_t rows)
{
    struct tui_screen *screen = &app->screen;
    if (tui_in(app, TUI_IN_TABLE)) {
        tui_screen_move(screen, rows);
        return 0;
    }
    if (screen->mode == TUI_MODE_OBJECTS) {
        tui_objects_move(screen, rows);
        return 0;
    }
    int64_t at = tui_in(app, TUI_IN_LIST) ? (int64_t)screen->chosen : (int64_t)screen->scroll;
    int64_t last = tui_in(app, TUI_IN_LIST) ? (int64_t)screen->choices - 1
                                            : screen->shape.scroll_lines - screen->shape.list_rows;
    at = at > last ? last : at; /* the last page is shown then */
    at = at + rows > last ? last : at + rows;
    at = at < 0 ? 0 : at;
    if (tui_in(app, TUI_IN_LIST))
        screen->chosen = (size_t)at;
    else
        screen->scroll = (uint32_t)at;
    return 0;
}

static unsigned line(struct tui_app *app, const struct tui_action *action)
{
    return move_rows(app, action->amount);
}

static unsigned page(struct tui_app *app, const struct tui_action *action)
{
    int rows = app->screen.shape.list_rows;
    return move_rows(app, (int64_t)action->amount * (rows > 1 ? rows - 1 : 1));
}

static unsigned half_page(struct tui_app *app, const struct tui_action *action)
{
    int rows = app->screen.shape.list_rows / 2;
    return move_rows(app, (int64_t)action->amount * (rows > 1 ? rows : 1));
}

static unsigned far(struct tui_app *app, const struct tui_action *action)
{
    return move_rows(app, (int64_t)action->amount * INT32_MAX);
}

enum { SIDEWAYS = 8 };

static unsigned sideways(struct tui_app *app, const struct tui_action *action)
{
    struct tui_pane *pane = active(app);
    if (app->screen.mode == TUI_MODE_DETAIL) {
        tui_detail_explain(&app->screen, action->amount);
        return 0;
    }
    int skip = pane->skip + action->amount * SIDEWAYS;
    pane->skip = skip < 0 ? 0 : skip > MODEL_TEXT_KEPT ? MODEL_TEXT_KEPT : skip;
    return 0;
}

/* ------------------------------------------------------------------------------------- panes */

static void show_pane(struct tui_app *app, unsigned index)
{
    app->screen.active = index;
    tui_app_update(app);
}

static unsigned next_pane(struct tui_app *app, const struct tui_action *action)
{
    for (unsigned i = 0; i < TUI_PANES; i++)
        app->screen.pane[i].view.only = MODEL_NONE;
    unsigned next = app->screen.active;
    do {
        next = (next + TUI_PANES + (unsigned)action->amount) % TUI_PANES;
    } while (!tui_pane_there(&app->screen, next));
    show_pane(app, next);
    return 0;
}

/* Opens a text over the panes or over a list. A text replaces another text. */
static unsigned open_text(struct tui_app *app, enum tui_mode mode)
{
    struct tui_screen *screen = &app->screen;
    if (!tui_in(app, TUI_IN_TEXT))
        screen->under = screen->mode;
    screen->mode = screen->mode == mode ? screen->under : mode;
    screen->scroll = screen->found = 0;
    return 0;
}

/* Selects the row under the cursor, even if the cursor was never moved. */
static bool choose_row(struct tui_app *app)
{
    struct tui_pane *pane = active(app);
    const struct model_row *row = model_view_row(&pane->view, tui_pane_position(pane));
    if (row)
        pane->selected = row->id;
    return row != NULL;
}

static unsigned detail(struct tui_app *app, const struct tui_action *action)
{
    (void)action;
    if (!choose_row(app) && app->screen.mode == TUI_MODE_TABLE)
        tui_app_message(app, true, "there is no row to show");
    else
        open_text(app, TUI_MODE_DETAIL);
    return 0;
}

/* Goes from a class to its ops, from an op or line to its applies, from an apply to its detail. */
static void dig(struct tui_app *app)
{
    struct tui_pane *pane = active(app);
    unsigned next = tui_pane_of(pane->row->inner);
    if (!choose_row(app) || pane->row->inner == MODEL_TABLES) {
        detail(app, NULL);
        return;
    }
    struct tui_pane *inner = &app->screen.pane[next];
    inner->view.only_of = pane->view.table;
    inner->view.only = pane->selected;
    inner->filter_last = false;
    inner->selected = MODEL_NONE;
    inner->top = 0;
    show_pane(app, next);
    tui_app_message(app, false, "%s of the chosen %s; Esc goes back", inner->row->plural,
                    pane->row->title);
}

/* ------------------------------------------------------------------------------- sort and find */

static unsigned sort_next(struct tui_app *app, const struct tui_action *action)
{
    if (app->screen.mode == TUI_MODE_OBJECTS) {
        tui_objects_sort(&app->screen, action->amount);
        return 0;
    }
    const struct tui_pane *pane = active(app);
    int at = (int)pane->view.column;
    do {
        at += action->amount;
    } while (at >= 0 && at < (int)model_columns_count &&
             (!tui_screen_shows(&app->screen, pane, (unsigned)at) ||
              model_column_order((unsigned)at, pane->view.table) != (unsigned)at));
    if (at >= 0 && at < (int)model_columns_count)
        tui_app_sort(app, (unsigned)at);
    return 0;
}

/* True if the pane can be sorted by the column: it is on the screen, has figures, and has an order
 * of its own. Where an interval column replaces a total, only the interval column is sortable. */
static bool sortable(const struct tui_screen *screen, unsigned column, enum model_table table)
{
    return model_column_on_screen(&model_columns[column], table) &&
           model_column_there(&model_columns[column], screen->state) &&
           model_column_order(column, table) == column &&
           tui_screen_column(screen, table, column) == column;
}

static unsigned sort_list(struct tui_app *app, const struct tui_action *action)
{
    (void)action;
    const struct model_view *view = &active(app)->view;
    tui_app_list_begin(app, TUI_LIST_COLUMNS, TUI_MODE_SORT);
    /* A heading makes the list cut the end of a line, not the middle. */
    app->screen.choice_head = "  COLUMN   WHAT IT SAYS";
    for (unsigned i = 0; i < model_columns_count; i++) {
        const struct model_column *column = &model_columns[i];
        if (!sortable(&app->screen, i, view->table))
            continue;
        if (i == view->column)
            app->screen.chosen = app->screen.choices;
        tui_app_list_add(app, i, i == view->column, "%c %-8s %s", column->key ? column->key : ' ',
                         column->title, column->help);
    }
    return 0;
}

static unsigned reverse(struct tui_app *app, const struct tui_action *action)
{
    (void)action;
    if (app->screen.mode == TUI_MODE_OBJECTS)
        tui_objects_reverse(&app->screen);
    else
        tui_app_sort(app, active(app)->view.column);
    return 0;
}

static unsigned search(struct tui_app *app, const struct tui_action *action)
{
    (void)action;
    const bool help = app->screen.mode == TUI_MODE_HELP;
    tui_prompt_open(app, help ? TUI_ASKING_HELP : TUI_ASKING_SEARCH);
    return 0;
}

static unsigned search_on(struct tui_app *app, const struct tui_action *action)
{
    struct tui_pane *pane = active(app);
    uint32_t count = pane->view.count;
    if (app->screen.mode == TUI_MODE_HELP) {
        if (!tui_help_find(&app->screen, app->screen.search, app->screen.scroll + 1))
            tui_app_message(app, true, "the rest of the help does not contain that");
        return 0;
    }
    uint32_t at = model_view_find(&pane->view, pane->selected);
    if (at == MODEL_NONE)
        at = action->amount > 0 ? count - 1 : 0;
    if (!app->screen.search[0])
        tui_app_message(app, true, "nothing to search for yet: / begins a search");
    else if (count == 0 ||
             !tui_app_search(app, (at + count + (uint32_t)action->amount) % count, action->amount))
        tui_app_message(app, true, "no row of this pane contains that");
    return 0;
}

static unsigned filter(struct tui_app *app, const struct tui_action *action)
{
    (void)action;
    tui_prompt_open(app, TUI_ASKING_FILTER);
    return 0;
}

/* ----------------------------------------------------------------------- changing the view */

static unsigned pause_or_resume(struct tui_app *app, const struct tui_action *action)
{
    (void)action;
    tui_app_pause(app, !app->screen.paused);
    return app->screen.paused ? 0 : TUI_WANT_STATE;
}

static unsigned total_or_interval(struct tui_app *app, const struct tui_action *action)
{
    (void)action;
    if (app->screen.shape.cols >= TUI_COLS_WIDE) {
        tui_app_message(app, false, "both are shown: the columns with + are of the last interval");
        return 0;
    }
    app->screen.interval = !app->screen.interval;
    tui_app_group(app);
    return 0;
}

static unsigned save_or_name(struct tui_app *app, const struct tui_action *action)
{
    if (app->screen.mode == TUI_MODE_TABLE)
        return tui_act_time(app, action);
    return app->list == TUI_LIST_MARKS ? tui_act_rename_mark(app, action)
                                       : tui_act_alias(app, action);
}

static unsigned functions(struct tui_app *app, const struct tui_action *action)
{
    (void)action;
    const struct model_state *state = app->state;
    if (!state || (app->screen.paused && app->rewind.limit == 0)) {
        tui_app_message(app, true,
                        state ? "resume first (Space): no past is kept (--history 0)"
                              : "no function is known yet");
        return 0;
    }
    tui_app_list_functions(app);
    return 0;
}

static unsigned refresh(struct tui_app *app, const struct tui_action *action)
{
    if (app->screen.link && app->screen.link->replay) {
        app->time = (struct tui_time_request){.what = TUI_TIME_SPEED, .amount = -action->amount};
        return TUI_WANT_TIME;
    }
    static const uint64_t step_ms[] = {100, 200, 500, 1000, 2000, 5000, 10000};
    int last = (int)(sizeof step_ms / sizeof step_ms[0]) - 1, at = 0;
    while (at < last && step_ms[at] < app->screen.refresh_ms)
        at++;
    at += action->amount;
    at = at < 0 ? 0 : at > last ? last : at;
    app->screen.refresh_ms = step_ms[at];
    tui_app_message(app, false, "a new state every %g s", (double)step_ms[at] / 1000);
    return 0;
}

static unsigned text(struct tui_app *app, const struct tui_action *action)
{
    return open_text(app, (enum tui_mode)action->amount);
}

static unsigned output(struct tui_app *app, const struct tui_action *action)
{
    (void)action;
    if (!app->under_run) {
        tui_app_message(app, true, "what a job prints is kept only under proftop run");
        return 0;
    }
    open_text(app, TUI_MODE_OUTPUT);
    return TUI_WANT_OUTPUT;
}

static unsigned picker(struct tui_app *app, const struct tui_action *action)
{
    (void)action;
    if (app->under_run) {
        tui_app_message(app, true, "under run there is one job; start another proftop for others");
        return 0;
    }
    return TUI_WANT_PICKER;
}

/* ---------------------------------------------------------------------- choosing and leaving */

static unsigned choose(struct tui_app *app)
{
    struct tui_screen *screen = &app->screen;
    enum tui_list list = app->list;
    if (screen->choices == 0)
        return 0;
    uint32_t id = app->choice_id[screen->chosen];
    screen->mode = TUI_MODE_TABLE;
    app->list = TUI_LIST_NONE;
    if (list == TUI_LIST_JOBS) {
        app->page_chosen = false;
        for (unsigned i = 0; i < TUI_PANES; i++)
            screen->pane[i].view.only = MODEL_NONE;
        return TUI_WANT_ATTACH;
    }
    if (list == TUI_LIST_MARKS)
        return tui_act_choose_mark(app, id);
    if (list == TUI_LIST_CONTROL)
        return tui_act_choose_control(app, id);
    if (list == TUI_LIST_ATTACHED)
        return tui_act_choose_job(app, id);
    if (list == TUI_LIST_LEAVE)
        return screen->chosen == 0 ? TUI_WANT_QUIT : TUI_WANT_END;
    if (list == TUI_LIST_FUNCTIONS)
        return tui_act_choose_function(app, id);
    if (id != active(app)->view.column)
        tui_app_sort(app, id);
    return 0;
}

static unsigned enter(struct tui_app *app, const struct tui_action *action)
{
    if (tui_in(app, TUI_IN_LIST))
        return choose(app);
    if (app->screen.mode == TUI_MODE_OBJECTS)
        return tui_act_go_to_marker(app, action);
    dig(app);
    return 0;
}

/* Undoes the latest narrowing. */
static unsigned back(struct tui_app *app, const struct tui_action *action)
{
    (void)action;
    struct model_view *view = &active(app)->view;
    if (tui_in(app, TUI_IN_TEXT)) {
        app->screen.mode = app->screen.under;
    } else if (!tui_in(app, TUI_IN_TABLE)) {
        if (app->list == TUI_LIST_JOBS && !app->screen.link)
            return TUI_WANT_QUIT; /* nothing lies behind the first picker */
        app->screen.mode = TUI_MODE_TABLE;
        app->list = TUI_LIST_NONE;
    } else if (tui_pane_dug_last(active(app))) {
        view->only = MODEL_NONE;
        show_pane(app, tui_pane_of(view->only_of));
    } else if (view->filter[0]) {
        choose_row(app); /* the row found stays under the cursor */
        model_view_filter(view, "");
        tui_app_update(app);
    }
    return 0;
}

static unsigned redraw(struct tui_app *app, const struct tui_action *action)
{
    (void)app, (void)action;
    return TUI_WANT_REPAINT;
}

static unsigned suspend(struct tui_app *app, const struct tui_action *action)
{
    (void)app, (void)action;
    return TUI_WANT_SUSPEND;
}

static unsigned quit(struct tui_app *app, const struct tui_action *action)
{
    (void)action;
    if (!app->command_runs || app->screen.mode == TUI_MODE_LEAVE)
        return TUI_WANT_QUIT;
    if (app->is_demo)
        return TUI_WANT_END;
    tui_app_list_begin(app, TUI_LIST_LEAVE, TUI_MODE_LEAVE);
    tui_app_list_add(app, 0, true, "leave the job running");
    tui_app_list_add(app, 1, false, "end the job (TERM to its process group)");
    return 0;
}

/* ------------------------------------------------------------------------------------ the table */

/* Closes a text or list over the panes; if there is none, quits. */
static unsigned leave(struct tui_app *app, const struct tui_action *action)
{
    bool over = tui_in(app, TUI_IN_TEXT | 1 << TUI_MODE_SORT | 1 << TUI_MODE_FUNCTIONS |
                                1 << TUI_MODE_MARKS);
    return over ? back(app, action) : quit(app, action);
}

static const char PROGRAM[] = "Program", MOVE[] = "Move", ROWS[] = "Panes and rows",
                  SORT[] = "Sort", FIND[] = "Find", SHOW[] = "Show", JOBS[] = "Several jobs",
                  TIME[] = "The past";

const struct tui_action tui_actions[] = {
    {"help", PROGRAM, "F1 ? h", "these keys; in a list those of it", "Help", TUI_IN_ALL, text,
     TUI_MODE_HELP, "Help"},
    {"redraw", PROGRAM, "Ctrl-L", "paint the screen anew", NULL, TUI_IN_ALL, redraw, 0, NULL},
    {"suspend", PROGRAM, "Ctrl-Z", "suspend proftop", NULL, TUI_IN_ALL, suspend, 0, NULL},
    {"quit", PROGRAM, "F10 Ctrl-C", "quit; the job goes on", "Quit", TUI_IN_ALL, quit, 0, "Quit"},
    {"leave", PROGRAM, "q", "quit; in help, texts, lists of columns and functions: close", NULL,
     TUI_IN_ALL, leave, 0, NULL},

    {"up", MOVE, "Up k", "one row up", NULL, TUI_IN_ALL, line, -1, NULL},
    {"down", MOVE, "Down j", "one row down", NULL, TUI_IN_ALL, line, 1, NULL},
    {"page-up", MOVE, "PgUp", "one page up", NULL, TUI_IN_ALL, page, -1, NULL},
    {"page-down", MOVE, "PgDn", "one page down", NULL, TUI_IN_ALL, page, 1, "Page"},
    {"half-up", MOVE, "Ctrl-U", "half a page up", NULL, TUI_IN_ALL, half_page, -1, NULL},
    {"half-down", MOVE, "Ctrl-D", "half a page down", NULL, TUI_IN_ALL, half_page, 1, NULL},
    {"first", MOVE, "Home g", "first row", NULL, TUI_IN_ALL, far, -1, NULL},
    {"last", MOVE, "End G", "last row", NULL, TUI_IN_ALL, far, 1, NULL},
    {"left", MOVE, "Left",
     "show earlier parts of long names; in the detail: explain the figure before", NULL,
     TUI_IN_TABLE | 1 << TUI_MODE_DETAIL, sideways, -1, NULL},
    {"right", MOVE, "Right",
     "show later parts of long names; in the detail: explain the next figure", NULL,
     TUI_IN_TABLE | 1 << TUI_MODE_DETAIL, sideways, 1, "Explain"},

    {"next-pane", ROWS, "Tab", "next pane", NULL, TUI_IN_TABLE, next_pane, 1, NULL},
    {"previous-pane", ROWS, "Shift-Tab", "previous pane", NULL, TUI_IN_TABLE, next_pane, -1, NULL},
    {"enter", ROWS, "Enter",
     "class to its ops, op or line to its applies; in a list: choose; a marker in e: its moment",
     "Dig", TUI_IN_TABLE | TUI_IN_LIST | 1 << TUI_MODE_OBJECTS, enter, 0, "Choose"},
    {"back", ROWS, "Esc Backspace",
     "undo the latest narrowing: clear the filter, or back to the row dug from; close, as does, "
     "of a list, the key that opened it",
     NULL, TUI_IN_ALL, back, 0, "Close"},
    {"detail", ROWS, "d", "the chosen row in full", NULL, TUI_IN_TABLE | TUI_IN_TEXT, detail, 0,
     NULL},

    {"sort-list", SORT, "F6 ,", "choose the sort column from a list", "Sort", TUI_IN_TABLE,
     sort_list, 0, NULL},
    {"sort-left", SORT, "<", "sort by the column to the left", NULL,
     TUI_IN_TABLE | 1 << TUI_MODE_OBJECTS, sort_next, -1, NULL},
    {"sort-right", SORT, ">", "sort by the column to the right", NULL,
     TUI_IN_TABLE | 1 << TUI_MODE_OBJECTS, sort_next, 1, NULL},
    {"reverse", SORT, "I", "reverse the order", NULL, TUI_IN_TABLE | 1 << TUI_MODE_OBJECTS, reverse,
     0, NULL},

    {"search", FIND, "F3 /", "search a name while typing, or a word of this help", "Find",
     TUI_IN_TABLE | 1 << TUI_MODE_HELP, search, 0, NULL},
    {"search-next", FIND, "n", "next row found", NULL, TUI_IN_TABLE | 1 << TUI_MODE_HELP, search_on,
     1, NULL},
    {"search-previous", FIND, "N", "row found before", NULL, TUI_IN_TABLE, search_on, -1, NULL},
    {"filter", FIND, "F4 \\", "show only rows whose name contains a text", "Filter", TUI_IN_TABLE,
     filter, 0, NULL},

    {"pause", SHOW, "Space Z p", "pause the view, or resume; nothing is lost", "Pause",
     TUI_IN_TABLE | TUI_IN_TEXT, pause_or_resume, 0, "Pause"},
    {"interval", SHOW, "F7 t", "totals, or the last interval; wide screens show both", "Interval",
     TUI_IN_TABLE, total_or_interval, 0, NULL},
    {"function", SHOW, "F9 f", "choose the function that is shown, a group, or some of them", "Fn",
     TUI_IN_TABLE, functions, 0, NULL},
    {"faster", SHOW, "+", "refresh more often; of a recording: play it twice as fast", NULL,
     TUI_IN_TABLE | TUI_IN_TEXT, refresh, -1, NULL},
    {"slower", SHOW, "-", "refresh less often; of a recording: play it half as fast", NULL,
     TUI_IN_TABLE | TUI_IN_TEXT, refresh, 1, NULL},
    {"control", SHOW, "c", "pause, resume or reset what the job itself collects; asks first", NULL,
     TUI_IN_TABLE | TUI_IN_TEXT, tui_act_control, 0, NULL},
    {"attach", SHOW, "a", "choose another job, or several", NULL, TUI_IN_TABLE, picker, 0, NULL},
    {"objects", SHOW, "e",
     "spans and what of them runs, counters, memory, markers; < > I sort those with the cursor",
     NULL, TUI_IN_TABLE | TUI_IN_TEXT, text, TUI_MODE_OBJECTS, NULL},
    {"job", SHOW, "i", "the job itself: what it is set to, how each function was compiled", NULL,
     TUI_IN_TABLE | TUI_IN_TEXT, text, TUI_MODE_JOB, NULL},
    {"output", SHOW, "o", "what the job printed, under run", NULL, TUI_IN_TABLE | TUI_IN_TEXT,
     output, 0, NULL},
    {"log", SHOW, "L", "notices of the job", NULL, TUI_IN_TABLE | TUI_IN_TEXT, text, TUI_MODE_LOG,
     NULL},

    {"step-back", TIME, "[", "pause, and go back by one refresh, 1 s unless + or - was pressed",
     NULL, TUI_IN_TABLE | TUI_IN_TEXT, tui_act_step, -1, NULL},
    {"step-on", TIME, "]", "on by one refresh; Space shows the present again", NULL,
     TUI_IN_TABLE | TUI_IN_TEXT, tui_act_step, 1, NULL},
    {"steps-back", TIME, "{", "ten refreshes back: 10 s", NULL, TUI_IN_TABLE | TUI_IN_TEXT,
     tui_act_step, -10, NULL},
    {"steps-on", TIME, "}", "ten refreshes on", NULL, TUI_IN_TABLE | TUI_IN_TEXT, tui_act_step, 10,
     NULL},
    {"mark-moment", TIME, "m", "mark this moment", NULL, TUI_IN_TABLE | TUI_IN_TEXT, tui_act_time,
     TUI_TIME_MARK, NULL},
    {"name-moment", TIME, "M", "mark this moment under a name", NULL, TUI_IN_TABLE | TUI_IN_TEXT,
     tui_act_ask, TUI_ASKING_NEW_MARK, NULL},
    {"compare", TIME, "=",
     "show what was added since the newest mark before this moment, and the time per call before "
     "and since; again: totals",
     NULL, TUI_IN_TABLE | TUI_IN_TEXT, tui_act_time, TUI_TIME_COMPARE, NULL},
    {"zero", TIME, "z", "count from now on, on this screen alone: mark this moment, and compare",
     NULL, TUI_IN_TABLE | TUI_IN_TEXT, tui_act_time, TUI_TIME_ZERO, NULL},
    {"save", TIME, "r",
     "save what is kept of the past as a recording, PROGRAM-PID-TIME.ptrec in this folder; in the "
     "list of functions: call all of this name otherwise, here alone; empty: as it was; in the "
     "list of marks: name one",
     NULL, TUI_IN_TABLE | 1 << TUI_MODE_FUNCTIONS | 1 << TUI_MODE_MARKS, save_or_name,
     TUI_TIME_SAVE, "Rename"},
    {"time", TIME, "@",
     "go to a time: 14:07:30, 90 (seconds after what is kept begins), -10 (before it ends)", NULL,
     TUI_IN_TABLE | TUI_IN_TEXT, tui_act_ask, TUI_ASKING_TIME, NULL},
    {"loop", TIME, "l", "of a recording: play it again and again, or once", NULL,
     TUI_IN_TABLE | TUI_IN_TEXT, tui_act_time, TUI_TIME_LOOP, NULL},
    {"record", TIME, "w",
     "record what is kept of the past and all that follows, as r names it; again: end that", NULL,
     TUI_IN_TABLE | TUI_IN_TEXT, tui_act_time, TUI_TIME_RECORD, NULL},
    {"marks", TIME, "'", "list the marks; Enter shows the moment of one", NULL, TUI_IN_TABLE,
     tui_act_marks, 0, NULL},

    {"mark", JOBS, "*",
     "in the list to attach from: mark one of several; in that of functions: those shown as one",
     NULL, 1 << TUI_MODE_PICKER | 1 << TUI_MODE_FUNCTIONS, tui_act_mark, 0, "Mark"},
    {"mark-all", JOBS, "&", "in the list to attach from: mark all that publish, or none", NULL,
     1 << TUI_MODE_PICKER, tui_act_mark_all, 0, "All"},
    {"jobs", JOBS, "J", "list them with their states; choose one, or how all are shown", NULL,
     TUI_IN_TABLE, tui_act_jobs, 0, NULL},
    {"look", JOBS, "R", "their sum; least, median and most; each by itself", NULL, TUI_IN_TABLE,
     tui_act_look, 0, NULL},
    {"previous-job", JOBS, "(", "the one before alone", NULL, TUI_IN_TABLE | TUI_IN_JOB,
     tui_act_next_job, -1, NULL},
    {"next-job", JOBS, ")", "the next one alone", NULL, TUI_IN_TABLE | TUI_IN_JOB, tui_act_next_job,
     1, NULL},
    {"drop", JOBS, "x", "let go of those that are over", NULL, TUI_IN_TABLE, tui_act_drop, 0, NULL},
};
const unsigned tui_actions_count = sizeof tui_actions / sizeof tui_actions[0];

/* ------------------------------------------------------------------------------- lookup of keys */

const struct tui_action *tui_action_find(uint32_t key, enum tui_mode mode)
{
    for (unsigned i = 0; i < tui_actions_count; i++) {
        const struct tui_action *action = &tui_actions[i];
        const char *keys = action->keys;
        if (!(action->in >> mode & 1))
            continue;
        for (uint32_t code = tui_key_next(&keys); code; code = tui_key_next(&keys)) {
            if (code == key)
                return action;
        }
    }
    return NULL;
}

int tui_action_column(uint32_t key, enum model_table table)
{
    for (unsigned i = 0; i < model_columns_count; i++) {
        if (model_columns[i].key && (unsigned char)model_columns[i].key == key &&
            (table == MODEL_TABLES || model_columns[i].in >> table & 1))
            return (int)i;
    }
    return -1;
}

int tui_action_pane(uint32_t key)
{
    for (int i = 0; i < TUI_PANES; i++) {
        if ((unsigned char)tui_panes[i].key == key)
            return i;
    }
    return -1;
}

/* ----------------------------------------------------------------------------------------- help */

enum { HELP_MAX = sizeof tui_actions / sizeof tui_actions[0] };

size_t tui_help_rows(const struct tui_help_row **rows)
{
    /* Derived from the const table, the same at every call: holds no state. */
    static struct tui_help_row row[HELP_MAX];
    for (unsigned i = 0; i < HELP_MAX; i++) {
        const struct tui_action *action = &tui_actions[i];
        row[i] = (struct tui_help_row){action->group,  action->keys,  action->help,
                                       action->footer, action->other, action->in};
    }
    *rows = row;
    return HELP_MAX;
}

/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * screen.c: the content of the screen: its panes, its modes, its report.
 */
#include "tui/ui/draw.h"

#include "model/compile.h"
#include "model/extra.h"
#include "tui/ui/term.h"

#include <stdlib.h>
#include <string.h>

enum { BATCH_SLICE = 64, BATCH_ROWS_MAX = INT32_MAX / 2, WHOLE_MAX = 4096 };

const struct tui_pane_row tui_panes[TUI_PANES] = {
    {'1', "Class", "Classes", NULL, MODEL_CLASS, MODEL_OP, "percent",
     "types of ops: rows merge the most nodes", false},
    {'2', "Ops", "Ops", NULL, MODEL_OP, MODEL_APPLY, "percent",
     "operations: nodes whose ops are equal are one row", false},
    {'3', "Apply", "Apply instances", NULL, MODEL_APPLY, MODEL_TABLES, "percent",
     "the nodes of the graphs, one by one", false},
    {'4', "Line", "Lines", "Line", MODEL_LINE, MODEL_APPLY, "percent",
     "source lines or scopes that nodes come from; - is not known", false},
    {'5', "Memory", "Apply instances", NULL, MODEL_SIZES, MODEL_TABLES, "size",
     "the nodes by the bytes of their outputs, and the most that is held at once; in brackets, "
     "run in the order of ID",
     true},
    {'6', "Compile", "phases", "phase", MODEL_COMPILE, MODEL_TABLES, "nested",
     "the phases of compilations, one inside the other; the marked one goes on now", true},
};

unsigned tui_pane_of(enum model_table table)
{
    unsigned i = 0;
    while (i + 1 < TUI_PANES && tui_panes[i].table != table)
        i++;
    return i;
}

bool tui_pane_there(const struct tui_screen *screen, unsigned pane)
{
    const struct model_state *state = screen->state;
    if (tui_panes[pane].table == MODEL_SIZES)
        return model_extra_there(state, MODEL_EXTRA_BYTES);
    if (tui_panes[pane].table == MODEL_COMPILE)
        return model_compile_there(state);
    bool there = tui_panes[pane].table != MODEL_LINE;
    for (uint32_t i = 0; !there && state && i < state->count[MODEL_LINE]; i++)
        there =
            state->row[MODEL_LINE][i].in_scope && model_job_line(state->job, i)->text.raw_size > 0;
    return there;
}

bool tui_screen_init(struct tui_screen *screen)
{
    *screen = (struct tui_screen){.refresh_ms = 1000, .show_clock = true, .active = 1};
    tui_peaks_forget(&screen->memory);
    screen->live_calls = MODEL_UNKNOWN;
    for (unsigned i = 0; i < TUI_PANES; i++) {
        struct tui_pane *pane = &screen->pane[i];
        pane->row = &tui_panes[i];
        pane->selected = MODEL_NONE;
        pane->requested_sort = -1;
        if (!model_view_init(&pane->view, pane->row->table)) {
            tui_screen_release(screen);
            return false;
        }
        int column = model_column_find(pane->row->default_column, pane->row->table);
        if (column >= 0 && (unsigned)column != pane->view.column)
            model_view_sort(&pane->view, (unsigned)column);
    }
    return true;
}

void tui_screen_release(struct tui_screen *screen)
{
    for (unsigned i = 0; i < TUI_PANES; i++)
        model_view_release(&screen->pane[i].view);
    screen->state = NULL;
}

/* ------------------------------------------------------------------------------------ --sort */

/* True for figures that every job has, or will have when it runs: --sort accepts them before they
 * have values. */
static bool is_usual(unsigned column, enum model_table table)
{
    const struct model_column *row = &model_columns[column];
    bool any = row->when == MODEL_COLUMN_ALWAYS || row->when == MODEL_COLUMN_STAYS;
    return any && row->extra == 0 && model_column_total(column, table) == column;
}

static bool has_value(const struct model_state *state, enum model_table table, unsigned column)
{
    struct model_view view = {.table = table, .state = state};
    for (uint32_t i = 0; i < model_state_count(state, table); i++) {
        const struct model_row *row = &model_state_rows(state, table)[i];
        if (row->in_scope && model_columns[column].get(&view, row, 0).known)
            return true;
    }
    return false;
}

void tui_screen_sort_by(struct tui_screen *screen, const char *word)
{
    for (unsigned i = 0; i < TUI_PANES; i++) {
        struct tui_pane *pane = &screen->pane[i];
        int found = model_column_find(word, pane->view.table);
        unsigned column =
            found < 0 ? pane->view.column : model_column_order((unsigned)found, pane->view.table);
        if (column == pane->view.column)
            continue;
        if (is_usual(column, pane->view.table))
            model_view_sort(&pane->view, column);
        else
            pane->requested_sort = (int)column;
    }
}

/* Sorts a pane as --sort asks. Until a row has a value, the pane keeps its own order. */
static void sort_as_requested(struct tui_pane *pane, const struct model_state *state)
{
    if (pane->requested_sort < 0 ||
        !has_value(state, pane->view.table, (unsigned)pane->requested_sort))
        return;
    model_view_sort(&pane->view, (unsigned)pane->requested_sort);
    pane->requested_sort = -1;
}

bool tui_screen_unsorted(const struct tui_screen *screen, const char *word, unsigned panes,
                         char *why, size_t capacity)
{
    size_t size = 0;
    char safe[64];
    model_text_safe(word, strlen(word), safe, sizeof(safe));
    for (unsigned i = 0; i < TUI_PANES; i++) {
        const struct tui_pane *pane = &screen->pane[i];
        bool lacks = model_column_find(word, pane->view.table) < 0;
        if (!(panes >> i & 1) || (panes == TUI_ALL_PANES && pane->row->on_request) ||
            !tui_pane_there(screen, i) || (!lacks && pane->requested_sort < 0) || size >= capacity)
            continue;
        int more =
            snprintf(why + size, capacity - size, "%s%s %s '%s'", size ? ", " : "",
                     pane->row->title, lacks ? "has no column" : "has no value yet of", safe);
        size += more > 0 ? (size_t)more : 0;
    }
    if (size > 0 && size < capacity)
        snprintf(why + size, capacity - size, ": sorted by %%TIME");
    return size > 0;
}

static bool same(const struct model_text *a, const struct model_text *b)
{
    return a->raw_size == b->raw_size && memcmp(a->raw, b->raw, a->raw_size) == 0;
}

/* True if classes, ops or lines of two instances have the same names. */
static bool same_row(const struct model_job *job, enum model_table table, uint32_t id,
                     const struct model_job *other, uint32_t found)
{
    if (table == MODEL_LINE)
        return same(&model_job_line(job, id)->text, &model_job_line(other, found)->text);
    if (table == MODEL_CLASS)
        return same(&model_job_class(job, id)->name, &model_job_class(other, found)->name);
    const struct model_op_def *a = model_job_op(job, id), *b = model_job_op(other, found);
    return same(&a->text, &b->text) && same_row(job, MODEL_CLASS, a->op_class, other, b->op_class);
}

/* Returns the matching class, op or line of another instance, or MODEL_NONE. */
static uint32_t find_again(const struct model_job *job, enum model_table table, uint32_t id,
                           const struct model_job *other)
{
    for (uint32_t i = 0; i < model_job_count(other, table); i++)
        if (same_row(job, table, id, other, i))
            return i;
    return MODEL_NONE;
}

bool tui_ops_any(const struct model_state *state)
{
    return state->count[MODEL_APPLY] > 0 || state->count[MODEL_FUNCTION] > 0;
}

/* A report leaves out the panes of a job that has spans or counters alone. */
static bool pane_is_shown(const struct tui_screen *screen, unsigned pane)
{
    if (screen->batch_panes != 0)
        return (screen->batch_panes >> pane & 1) != 0;
    const struct model_state *state = screen->state;
    return tui_pane_there(screen, pane) && !tui_panes[pane].on_request &&
           !(state && !tui_ops_any(state) && tui_objects_any(state));
}

/* Sorts the rows of the visible panes, unless they are sorted. */
static bool order_rows(struct tui_screen *screen)
{
    bool whole = true;
    for (unsigned i = 0; i < TUI_PANES; i++) {
        struct model_view *view = &screen->pane[i].view;
        bool shown = screen->batch ? pane_is_shown(screen, i) : i == screen->active;
        if (shown && view->state != screen->state && !model_view_update(view, screen->state))
            whole = false;
        if (shown && view->table == MODEL_SIZES)
            whole = tui_peaks_update(screen) && whole;
    }
    return whole;
}

bool tui_screen_show(struct tui_screen *screen, const struct model_state *state)
{
    /* Ids are valid for one instance only: another instance has rows of its own. */
    bool other = screen->state && state && screen->state->job != state->job;
    const struct model_job *before = other ? screen->state->job : NULL;
    screen->state = state;
    if (other)
        tui_peaks_forget(&screen->memory);
    for (unsigned i = 0; i < TUI_PANES; i++) {
        struct tui_pane *pane = &screen->pane[i];
        if (other) {
            pane->selected = MODEL_NONE;
            if (pane->view.only != MODEL_NONE)
                pane->view.only =
                    find_again(before, pane->view.only_of, pane->view.only, state->job);
        }
        if (state)
            sort_as_requested(pane, state);
        model_view_clear(&pane->view, other); /* another state may have the same address */
    }
    return order_rows(screen);
}

uint32_t tui_pane_position(const struct tui_pane *pane)
{
    uint32_t at =
        pane->selected == MODEL_NONE ? MODEL_NONE : model_view_find(&pane->view, pane->selected);
    return at == MODEL_NONE ? 0 : at;
}

void tui_screen_move(struct tui_screen *screen, int64_t rows)
{
    struct tui_pane *pane = &screen->pane[screen->active];
    order_rows(screen);
    int64_t last = (int64_t)pane->view.count - 1;
    int64_t at = tui_pane_position(pane);
    if (last < 0)
        return;
    if (rows > last)
        rows = last;
    if (rows < -last)
        rows = -last;
    at += rows;
    at = at < 0 ? 0 : at > last ? last : at;
    const struct model_row *row = model_view_row(&pane->view, (uint32_t)at);
    pane->selected = row ? row->id : MODEL_NONE;
}

/* The figure that the rows are sorted by, as far as the history has it. */
static enum model_series_of series_of(const struct model_view *view)
{
    static const struct {
        const char *id;
        enum model_series_of of;
    } by[] = {{"calls", MODEL_SERIES_CALLS},           {"interval-calls", MODEL_SERIES_CALLS},
              {"per-call", MODEL_SERIES_PER_CALL},     {"interval-per-call", MODEL_SERIES_PER_CALL},
              {"was-per-call", MODEL_SERIES_PER_CALL}, {"more", MODEL_SERIES_PER_CALL},
              {"change", MODEL_SERIES_PER_CALL},       {"min", MODEL_SERIES_PER_CALL},
              {"max", MODEL_SERIES_PER_CALL},          {"p99", MODEL_SERIES_PER_CALL}};
    for (size_t i = 0; i < sizeof by / sizeof by[0]; i++)
        if (strcmp(model_columns[view->column].id, by[i].id) == 0)
            return by[i].of;
    return MODEL_SERIES_TIME;
}

bool tui_screen_follows(const struct tui_screen *screen, struct model_series_key *key)
{
    const struct tui_pane *pane = &screen->pane[screen->active];
    const struct model_view *view = &pane->view;
    if (!screen->state || screen->state->multi_job)
        return false;
    if (screen->mode == TUI_MODE_OBJECTS)
        return tui_objects_follows(screen, key);
    if ((screen->mode != TUI_MODE_TABLE && screen->mode != TUI_MODE_DETAIL) ||
        view->table == MODEL_COMPILE || view->state != screen->state)
        return false;
    const struct model_row *row = model_view_row(view, tui_pane_position(pane));
    if (!row)
        return false;
    *key = (struct model_series_key){series_of(view), model_table_rows(view->table), row->id};
    return true;
}

static int by_id(const void *a, const void *b)
{
    const uint32_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

bool tui_screen_strips(const struct tui_screen *screen, struct model_strips *strips, int cols)
{
    const struct tui_pane *pane = &screen->pane[screen->active];
    const struct model_view *view = &pane->view;
    const uint32_t rows = screen->shape.list_rows > 0 ? (uint32_t)screen->shape.list_rows : 1;
    if (!screen->state || screen->state->multi_job || screen->mode != TUI_MODE_TABLE ||
        view->table == MODEL_COMPILE || view->state != screen->state || cols < TUI_COLS_WIDE)
        return false;
    const uint32_t from = pane->top > rows ? pane->top - rows : 0;
    strips->rows = 0;
    for (uint32_t at = from; at < pane->top + 2 * rows && strips->rows < MODEL_STRIPS_MAX; at++) {
        const struct model_row *row = model_view_row(view, at);
        if (row)
            strips->id[strips->rows++] = row->id;
    }
    if (strips->rows > 1)
        qsort(strips->id, strips->rows, sizeof strips->id[0], by_id);
    strips->of = series_of(view);
    strips->table = model_table_rows(view->table);
    return strips->rows > 0;
}

void tui_screen_first(struct tui_screen *screen)
{
    struct tui_pane *pane = &screen->pane[screen->active];
    pane->selected = MODEL_NONE;
    pane->top = 0;
}

/* ------------------------------------------------------------------------------------- drawing */

typedef void draw_mode(struct tui_screen *screen, struct tui_grid *grid, struct tui_area area);

static draw_mode *const modes[] = {
    [TUI_MODE_TABLE] = tui_list_draw,       [TUI_MODE_HELP] = tui_help_draw,
    [TUI_MODE_PICKER] = tui_choice_draw,    [TUI_MODE_SORT] = tui_choice_draw,
    [TUI_MODE_FUNCTIONS] = tui_choice_draw, [TUI_MODE_DETAIL] = tui_detail_draw,
    [TUI_MODE_OUTPUT] = tui_output_draw,    [TUI_MODE_LOG] = tui_log_draw,
    [TUI_MODE_LEAVE] = tui_choice_draw,     [TUI_MODE_OBJECTS] = tui_objects_draw,
    [TUI_MODE_CONTROL] = tui_choice_draw,   [TUI_MODE_JOB] = tui_job_draw,
    [TUI_MODE_MARKS] = tui_choice_draw,
};

/* Draws as much of the message as fits. */
static void draw_too_small(struct tui_grid *grid)
{
    char needed[32], size[16];
    snprintf(needed, sizeof(needed), "proftop: %dx%d needed", TUI_COLS_MIN, TUI_ROWS_MIN);
    snprintf(size, sizeof(size), "need %dx%d", TUI_COLS_MIN, TUI_ROWS_MIN);
    const char *const forms[] = {needed, "too small", "small", "!"};
    unsigned form = 0;
    while (tui_text_width(forms[form]) > grid->cols)
        form++;
    tui_put(grid, 0, 0, grid->cols, TUI_PLAIN, forms[form]);
    if (form > 0)
        tui_put(grid, 1, 0, grid->cols, TUI_PLAIN,
                tui_text_width(size) > grid->cols ? size + strlen("need ") : size);
}

/* Draws the part of the report that begins at a line. */
static void draw_batch(struct tui_screen *screen, struct tui_grid *grid, int64_t from)
{
    const int header = tui_header_rows(screen, 0, tui_grid_page(grid));
    int64_t row = -from;
    if (row + header > 0)
        tui_header_draw(screen, grid, (int)row);
    row += header;
    for (unsigned i = 0; i < TUI_PANES; i++)
        if (pane_is_shown(screen, i))
            row += tui_list_batch(screen, &screen->pane[i], grid, row);
    if (screen->batch_panes == 0 && row < grid->rows)
        tui_objects_batch(screen, grid, tui_grid_page(grid), row, grid->rows, NULL);
}

void tui_screen_draw(struct tui_screen *screen, struct tui_grid *grid)
{
    tui_grid_clear(grid);
    screen->shape.prompt_row = screen->shape.prompt_col = -1;
    screen->shape.cols = grid->cols;
    screen->shape.list_rows = 1;
    screen->shape.scroll_lines = 0;
    screen->shape.graph_rows = 0;
    order_rows(screen);
    if (screen->batch) {
        draw_batch(screen, grid, 0);
        return;
    }
    if (grid->rows < TUI_ROWS_MIN || grid->cols < TUI_COLS_MIN) {
        draw_too_small(grid);
        return;
    }
    struct tui_area area = {0, tui_header_rows(screen, grid->rows, grid->cols)};
    bool footer = grid->rows >= 6 || screen->prompt.title || screen->message[0];
    tui_header_draw(screen, grid, 0);
    const int time = tui_timeline_rows(screen, grid->rows);
    area = (struct tui_area){area.rows, grid->rows - area.rows - footer - time};
    tui_timeline_draw(screen, grid, (struct tui_area){area.row + area.rows, time});
    modes[screen->mode % (sizeof(modes) / sizeof(modes[0]))](screen, grid, area);
    if (footer)
        tui_footer_draw(screen, grid, grid->rows - 1);
    grid->cursor_row = screen->shape.prompt_row;
    grid->cursor_col = screen->shape.prompt_col;
}

/* --------------------------------------------------------------------------------------- batch */

static int64_t batch_lines(const struct tui_screen *screen, int cols)
{
    int64_t rows = tui_header_rows(screen, 0, cols);
    for (unsigned i = 0; i < TUI_PANES; i++)
        if (pane_is_shown(screen, i))
            rows += tui_list_batch_rows(screen, &screen->pane[i]);
    return rows + (screen->batch_panes ? 0 : tui_objects_batch(screen, NULL, cols, 0, 0, NULL));
}

int tui_batch_rows(struct tui_screen *screen)
{
    order_rows(screen);
    /* The wide header has more lines. */
    int64_t rows = batch_lines(screen, TUI_COLS_WIDE);
    return rows < BATCH_ROWS_MAX ? (int)rows : BATCH_ROWS_MAX;
}

/* Returns the columns that rows in one part of the report need; a long name widens no other
 * part. */
static int whole_width(const struct tui_screen *screen, int cols, int64_t from, int rows)
{
    int64_t row = tui_header_rows(screen, 0, cols) - from;
    int width = cols;
    for (unsigned i = 0; i < TUI_PANES; i++) {
        if (!pane_is_shown(screen, i))
            continue;
        int wide = tui_list_batch_width(screen, &screen->pane[i], cols, row, rows);
        width = wide > width ? wide : width;
        row += tui_list_batch_rows(screen, &screen->pane[i]);
    }
    if (screen->batch_panes == 0 && row < rows)
        tui_objects_batch(screen, NULL, cols, row, rows, &width);
    return width < WHOLE_MAX ? width : WHOLE_MAX;
}

bool tui_batch_print(struct tui_screen *screen, int cols, bool ascii, FILE *file)
{
    struct tui_grid grid = {.ascii = ascii};
    if (cols < TUI_COLS_MIN)
        cols = TUI_COLS_MIN;
    order_rows(screen);
    int64_t lines = batch_lines(screen, cols);
    bool done = true;
    for (int64_t from = 0; from < lines && done; from += BATCH_SLICE) {
        int rows = lines - from < BATCH_SLICE ? (int)(lines - from) : BATCH_SLICE;
        int width = screen->batch_whole ? whole_width(screen, cols, from, rows) : cols;
        done = tui_grid_resize(&grid, rows, width);
        grid.page = cols;
        if (!done)
            break;
        grid.ascii = ascii;
        draw_batch(screen, &grid, from);
        tui_text_print(&grid, file);
    }
    tui_grid_release(&grid);
    return done;
}

bool tui_batch_print_waiting(struct tui_screen *screen, int cols, bool ascii, FILE *file)
{
    struct tui_grid grid = {.ascii = ascii};
    char why[TUI_FIELD_SIZE * 2];
    tui_waiting_reason(screen, why, sizeof(why));
    struct tui_page page = {.cols = cols < TUI_COLS_MIN ? TUI_COLS_MIN : cols};
    tui_page_wrap(&page, TUI_WARN, 1, NULL, why);
    const int lines = (int)page.line;
    bool done = tui_grid_resize(&grid, 1 + lines, page.cols);
    if (done) {
        grid.ascii = ascii;
        tui_header_first(screen, &grid, 0);
        page = (struct tui_page){.grid = &grid, .area = {1, lines}, .cols = page.cols};
        tui_page_wrap(&page, TUI_WARN, 1, NULL, why);
        tui_text_print(&grid, file);
    }
    tui_grid_release(&grid);
    return done;
}

/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * table.c: draws a pane of rows from THE column table. The model defines the columns and their
 * values. This file positions them; narrow screens lose the least important ones.
 */
#include "tui/ui/draw.h"

#include "model/compile.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
    WHOLE = 100, /* percent */
    COLUMNS_MAX = 32,
    NAME_MIN = 12,
    NAME_MAX = 60,
    UNTITLED_WIDTH = 8,
    CELL_SIZE = 64,
    MATCH_MAX = 512,
    /* Minimum width of the parent row's name; below it, other words are dropped first. */
    DUG_LEAST = 24,
    MARK_COLS = 30,  /* of the mark that is compared with, at most */
    BY_FROM = 60,    /* screen width from which the sort column is named beside the panes */
    STRIP_FROM = 15, /* lists of at least this many lines use some for the selected row */
    STRIP_ROWS = 2,
    CURVE_FROM = 24, /* names that keep so many columns leave room for curves */
};

/* Thresholds of the heat colours, in percent of the time. */
static const double hot = 20, warm = 5, cool = 0.5;

struct place {
    const struct model_column *column; /* column whose values are shown */
    unsigned index;                    /* its index */
    int col, width, bar;
    bool sorted; /* it is the sort column, which narrow screens keep */
    bool marked; /* it is one wider, for the sort mark */
};

struct layout {
    struct place place[COLUMNS_MAX];
    unsigned places;
    int margin;
    double full;     /* value that makes a full bar */
    bool old;        /* values are not current */
    uint32_t cursor; /* position of the cursor, or MODEL_NONE */
    int curve;       /* column where the curves of rows begin; 0: there are none */
};

/* ------------------------------------------------------------------------------------ columns */

static bool is_elastic(const struct model_column *column)
{
    return column->width == 0 && column->title[0] != '\0';
}

/* Columns that exist only for JSON have no title, but rows may be sorted by them: the id serves as
 * title. */
static const char *title_of(const struct model_column *column, const struct model_view *view)
{
    const char *title = model_column_title(column, view->table, view->state);
    return title[0] ? title : column->id;
}

static int name_width_least(int cols)
{
    int least = cols / 4;
    return least < NAME_MIN ? NAME_MIN : least > NAME_MAX ? NAME_MAX : least;
}

static int needed_width(const struct layout *layout, int cols)
{
    int width = layout->margin + name_width_least(cols), marks = 1;
    for (unsigned i = 0; i < layout->places; i++) {
        const struct place *place = &layout->place[i];
        if (is_elastic(place->column))
            continue;
        width += place->width + 1 + (place->bar ? place->bar + 1 : 0);
        marks -= place->marked;
    }
    /* Always reserves space for one sort mark, so that another order leaves the columns as they
     * are. */
    return width + marks;
}

/* Returns the rank at which a narrow screen drops the column; 0: never. */
static int rank_of(const struct place *place)
{
    return place->sorted ? 0 : place->column->rank;
}

/* Drops the least important column; false if none is left that may go. */
static bool drop_column(struct layout *layout)
{
    unsigned worst = 0;
    for (unsigned i = 1; i < layout->places; i++)
        if (rank_of(&layout->place[i]) >= rank_of(&layout->place[worst]))
            worst = i;
    if (layout->places == 0 || rank_of(&layout->place[worst]) == 0)
        return false;
    layout->places--;
    memmove(&layout->place[worst], &layout->place[worst + 1],
            (layout->places - worst) * sizeof(layout->place[0]));
    return true;
}

static void drop_bars(struct layout *layout)
{
    for (unsigned i = 0; i < layout->places; i++)
        layout->place[i].bar = 0;
}

static void place_columns(struct layout *layout, int cols)
{
    int col = layout->margin;
    for (unsigned i = 0; i < layout->places; i++) {
        struct place *place = &layout->place[i];
        place->col = col;
        if (is_elastic(place->column))
            place->width = cols - col > 0 ? cols - col : 0;
        col += place->width + 1 + (place->bar ? place->bar + 1 : 0);
    }
}

/* Takes room for curves in front of the names. */
static void place_curves(const struct tui_screen *screen, struct layout *layout)
{
    struct place *name = layout->places > 0 ? &layout->place[layout->places - 1] : NULL;
    const int width = MODEL_STRIP_BINS + 1;
    if (!screen->strips || screen->batch || !name || !is_elastic(name->column) ||
        name->width < CURVE_FROM + width)
        return;
    layout->curve = name->col;
    name->col += width;
    name->width -= width;
}

/* Returns the value of a full bar: the largest row of the pane, even if not visible. */
static double full_bar(const struct model_view *view, bool interval)
{
    if (view->table == MODEL_COMPILE)
        return WHOLE; /* a phase includes the phases inside it */
    interval = interval && view->table != MODEL_SIZES;
    uint64_t whole = interval ? view->state->totals.interval_time_ns : view->whole;
    uint64_t largest = interval ? view->largest_interval_ns : view->largest;
    return whole && whole != MODEL_UNKNOWN ? 100.0 * (double)largest / (double)whole : 0;
}

/* True if the interval replaces the total: on narrow screens, if the pane has an interval. */
static bool shows_interval(const struct tui_screen *screen, enum model_table table, int cols)
{
    return screen->interval && cols < TUI_COLS_WIDE && !screen->batch && table != MODEL_COMPILE;
}

static bool is_placed(const struct layout *layout, unsigned column)
{
    for (unsigned i = 0; i < layout->places; i++)
        if (layout->place[i].index == column)
            return true;
    return false;
}

/* Every refresh of a report has the same columns, whether or not their values are known yet. */
static bool fits_report(const struct tui_screen *screen, const struct tui_pane *pane,
                        const struct model_column *column)
{
    const unsigned index = (unsigned)(column - model_columns);
    const uint32_t metric = model_column_metric(column, screen->state);
    const bool interval = model_column_total(index, pane->row->table) != index;
    return model_column_in_view(column, screen->state) && (!interval || !screen->batch_once) &&
           (metric == MODEL_NONE || metric < screen->batch_metrics);
}

/* The screen leaves out columns without figures from the job, and some columns with one value for
 * all rows. */
static bool fits_screen(const struct tui_screen *screen, const struct tui_pane *pane,
                        const struct model_column *column)
{
    const unsigned index = (unsigned)(column - model_columns);
    return model_column_there(column, screen->state) &&
           (!column->telling || (pane->view.varied >> index & 1));
}

/* The sort column is always shown. A report has it from the beginning, even if no row has a value
 * of it yet. */
static unsigned sorted_column(const struct tui_screen *screen, const struct tui_pane *pane)
{
    return screen->batch && !screen->batch_once && pane->requested_sort >= 0
               ? (unsigned)pane->requested_sort
               : pane->view.column;
}

/* True if a pane could show the column at this width of the screen, if there is space. */
static bool fits(const struct tui_screen *screen, const struct tui_pane *pane,
                 const struct model_column *column, int cols)
{
    return model_column_on_screen(column, pane->row->table) &&
           (screen->batch ? fits_report(screen, pane, column)
                          : fits_screen(screen, pane, column)) &&
           (column->narrow > 0 || !column->wide || cols >= TUI_COLS_WIDE);
}

/* Makes a place as wide as its column. If the heading fills the width, the sort mark gets a column
 * of its own. So it touches neither the next heading nor this column's figures. */
static struct place make_place(const struct tui_pane *pane, unsigned index, int bar, int cols)
{
    const struct model_column *column = &model_columns[index];
    struct place place = {.column = column, .index = index, .width = column->width, .bar = bar};
    if (column->narrow > 0 && cols < TUI_COLS_WIDE)
        place.width = column->narrow;
    if (!column->title[0])
        place.width = UNTITLED_WIDTH;
    int title = tui_text_width(title_of(column, &pane->view));
    place.marked =
        index == pane->view.column && !is_elastic(column) && !bar && title >= place.width;
    place.width += place.marked;
    return place;
}

/* If names are not cut, names of functions are not cut either. */
static void widen_functions(struct layout *layout, const struct model_state *state)
{
    for (unsigned i = 0; state && i < layout->places; i++) {
        struct place *place = &layout->place[i];
        for (uint32_t f = 0; place->column->narrow && f < state->count[MODEL_FUNCTION]; f++) {
            int width = tui_text_width(model_job_function(state->job, f)->name.shown);
            place->width = width > place->width ? width : place->width;
        }
    }
}

/* Adds a place before the name column: the name is always last, since it takes the remaining
 * width. */
static void add_place(struct layout *layout, const struct place *place)
{
    unsigned at = layout->places++;
    if (at > 0 && is_elastic(layout->place[at - 1].column)) {
        layout->place[at] = layout->place[at - 1];
        at--;
    }
    layout->place[at] = *place;
}

static struct layout make_layout(const struct tui_screen *screen, const struct tui_pane *pane,
                                 int cols)
{
    struct layout layout = {.margin = screen->batch ? 1 : 2, .cursor = MODEL_NONE};
    bool interval = shows_interval(screen, pane->row->table, cols);
    int bar = cols >= 60 ? cols / 16 : 0;
    for (unsigned i = 0; i < model_columns_count && layout.places < COLUMNS_MAX; i++) {
        const struct model_column *column = &model_columns[i];
        const bool sorted = i == sorted_column(screen, pane);
        if (!sorted && !fits(screen, pane, column, cols))
            continue;
        unsigned index = interval && !sorted ? model_column_interval(i, pane->row->table) : i;
        /* One interval column may replace two total columns: a share has no running sum for the
         * interval. */
        if (is_placed(&layout, index))
            continue;
        struct place place = make_place(pane, index, column->bar ? bar : 0, cols);
        place.sorted = index == sorted_column(screen, pane);
        add_place(&layout, &place);
    }
    if (pane->view.state)
        layout.full = full_bar(&pane->view, interval);
    while (needed_width(&layout, cols) > cols && drop_column(&layout))
        ;
    if (needed_width(&layout, cols) > cols)
        drop_bars(&layout);
    if (screen->batch_whole)
        widen_functions(&layout, screen->state);
    place_columns(&layout, cols);
    place_curves(screen, &layout);
    layout.old = tui_conditions[tui_condition_live(screen)].old;
    return layout;
}

enum { COLS_USUAL = 80 };

bool tui_screen_shows(const struct tui_screen *screen, const struct tui_pane *pane, unsigned column)
{
    int cols = screen->shape.cols;
    struct layout layout = make_layout(screen, pane, cols > 0 ? cols : COLS_USUAL);
    return is_placed(&layout, column);
}

unsigned tui_screen_column(const struct tui_screen *screen, enum model_table table, unsigned column)
{
    return shows_interval(screen, table, screen->shape.cols) ? model_column_interval(column, table)
                                                             : column;
}

/* -------------------------------------------------------------------------------------- drawing */

const char *tui_column_word(const struct model_view *view)
{
    return title_of(&model_columns[view->column], view);
}

static const char *order_sign(const struct model_view *view, const struct tui_grid *grid)
{
    bool up = model_columns[view->column].ascending != view->reversed;
    return tui_sign(grid, up ? TUI_SIGN_UP : TUI_SIGN_DOWN);
}

static void draw_head(const struct tui_screen *screen, const struct layout *layout,
                      const struct model_view *view, struct tui_grid *grid, int row)
{
    tui_paint(grid, row, 0, grid->cols, TUI_HEAD);
    if (layout->curve)
        tui_printf(grid, row, layout->curve, MODEL_STRIP_BINS, TUI_HEAD, "%d s",
                   (int)(MODEL_STRIP_BINS * screen->strips->bin_ns / 1000000000));
    for (unsigned i = 0; i < layout->places; i++) {
        const struct place *place = &layout->place[i];
        const struct model_column *column = place->column;
        bool sorted = place->index == view->column, text = column->unit == MODEL_UNIT_TEXT;
        enum tui_role role = sorted ? TUI_SORTED : TUI_HEAD;
        const char *title = title_of(column, view);
        /* Figures: the mark replaces the last column of the heading. With a bar it stands before
         * the bar. */
        int mark = sorted && !text && !place->bar;
        int size = tui_text_width(title), at = place->col, width = place->width - mark;
        size = size < width ? size : width;
        if (!text)
            at += width - size;
        if (sorted)
            tui_paint(grid, row, text ? at : place->col, text ? size : place->width, role);
        at += tui_put(grid, row, at, size, role, title);
        if (sorted)
            tui_put(grid, row, at, 1, role, order_sign(view, grid));
    }
}

/* How a figure of the row went lately, as a part of its own largest value. */
static void draw_curve(const struct tui_screen *screen, const struct layout *layout, uint32_t id,
                       enum tui_role role, struct tui_grid *grid, int row)
{
    double level[MODEL_STRIP_BINS];
    if (!layout->curve || !model_strips_levels(screen->strips, id, level))
        return;
    for (int i = 0; i < MODEL_STRIP_BINS; i++) {
        if (!isnan(level[i]))
            tui_put(grid, row, layout->curve + i, 1, role, tui_part_sign(grid, level[i]));
    }
}

static enum tui_role heat_of(const struct model_view *view, const struct model_row *row)
{
    uint64_t whole = view->whole, weight = model_view_weight(view, row);
    if (model_row_left_out(row))
        return TUI_DIM;
    if (whole == 0 || whole == MODEL_UNKNOWN || weight == MODEL_UNKNOWN)
        return TUI_PLAIN;
    double percent = 100.0 * (double)weight / (double)whole;
    return percent >= hot    ? TUI_HOT
           : percent >= warm ? TUI_WARM
           : percent < cool  ? TUI_DIM
                             : TUI_PLAIN;
}

/* Highlights the search match, if the visible part of the name contains it. */
static void mark_match(const struct tui_screen *screen, const struct place *place, int used,
                       const char *name, struct tui_grid *grid, int row)
{
    char hay[MATCH_MAX], needle[TUI_PROMPT_MAX];
    size_t size = strlen(name);
    model_text_fold(screen->search, strlen(screen->search), needle, sizeof(needle));
    model_text_fold(name, size < MATCH_MAX ? size : MATCH_MAX - 1, hay, sizeof(hay));
    const char *hit = strstr(hay, needle);
    if (!*needle || !hit)
        return;
    /* Case folding changes the width of only a few letters; such a name loses its highlight, not
     * its row. */
    int before = (int)(tui_text_width(hay) - tui_text_width(hit));
    int width = tui_text_width(needle);
    bool whole = tui_text_width(name) <= used;
    if (before + width <= (whole ? used : used / 2))
        tui_paint(grid, row, place->col + before, width, TUI_MATCH);
}

/* Draws, before the name of a phase, an indent for its nesting (if rows are in nested order) and a
 * sign if the phase runs now. Returns the columns used. */
static int draw_nest(const struct tui_pane *pane, const struct place *place, uint32_t id,
                     enum tui_role role, struct tui_grid *grid, int row)
{
    const struct model_nest *nest = &pane->view.state->nest[id];
    const bool tree = !strcmp(model_columns[pane->view.column].id, "nested");
    int into = !tree                                      ? 0
               : nest->depth < (uint32_t)place->width / 4 ? 2 * (int)nest->depth
                                                          : place->width / 2;
    if (nest->open_ns == MODEL_UNKNOWN)
        return into;
    role = role == TUI_PLAIN ? TUI_GOOD : role;
    into += tui_put(grid, row, place->col + into, place->width - into, role,
                    tui_sign(grid, TUI_SIGN_COMPILING));
    return into + 1 < place->width ? into + 1 : into;
}

static void draw_text(const struct tui_screen *screen, const struct tui_pane *pane,
                      const struct place *place, const struct model_cell *cell, uint32_t id,
                      enum tui_role role, struct tui_grid *grid, int row)
{
    const char *text = cell->known && cell->text ? cell->text->shown : "-";
    if (!is_elastic(place->column)) {
        /* Highlights Python implementations: users look for them. */
        if (role != TUI_CURSOR && role != TUI_DIM && strstr(text, "Py"))
            role = TUI_PY;
        tui_put_middle(grid, row, place->col, place->width, role, text, 0);
        return;
    }
    int into = pane->view.table == MODEL_COMPILE ? draw_nest(pane, place, id, role, grid, row) : 0;
    const struct place rest = {.col = place->col + into, .width = place->width - into};
    /* The end of a path is the most useful part. */
    bool at_end = pane->view.table == MODEL_LINE && tui_text_width(text) > rest.width;
    int skip = at_end && pane->skip == 0 ? INT32_MAX : pane->skip;
    int used = screen->name_raw && pane->skip == 0
                   ? tui_put(grid, row, rest.col, rest.width, role, text)
                   : tui_put_middle(grid, row, rest.col, rest.width, role, text, skip);
    if (screen->search[0] && skip == 0)
        mark_match(screen, &rest, used, text, grid, row);
}

static void draw_row(const struct tui_screen *screen, const struct tui_pane *pane,
                     const struct layout *layout, uint32_t at, struct tui_grid *grid, int row)
{
    const struct model_view *view = &pane->view;
    const struct model_row *data = model_view_row(view, at);
    if (!data || row < 0 || row >= grid->rows)
        return;
    bool cursor = at == layout->cursor;
    enum tui_role heat = layout->old ? TUI_DIM : heat_of(view, data);
    enum tui_role plain = heat == TUI_DIM ? TUI_DIM : TUI_PLAIN;
    if (cursor) {
        heat = plain = TUI_CURSOR;
        tui_paint(grid, row, 0, grid->cols, TUI_CURSOR);
        tui_put(grid, row, 0, 1, TUI_CURSOR, tui_sign(grid, TUI_SIGN_CURSOR));
    }
    draw_curve(screen, layout, data->id, cursor ? TUI_CURSOR : heat, grid, row);
    for (unsigned i = 0; i < layout->places; i++) {
        const struct place *place = &layout->place[i];
        struct model_cell cell = place->column->get(view, data, at);
        char text[CELL_SIZE];
        if (place->column->unit == MODEL_UNIT_TEXT) {
            draw_text(screen, pane, place, &cell, data->id, plain, grid, row);
            continue;
        }
        bool heated = place->column->rank <= 1;
        enum model_unit unit = model_column_unit(place->column, view->state);
        model_unit_format(unit, &cell, (unsigned)place->width, text, sizeof(text));
        tui_put_right(grid, row, place->col, place->width, heated ? heat : plain, text);
        if (place->bar && cell.known && layout->full > 0)
            tui_bar(grid, row, place->col + place->width + 1, place->bar, heat,
                    cell.d / layout->full);
    }
}

/* Returns the row that was dug into, or NULL. */
static const char *dug_from(const struct model_view *view)
{
    if (view->only == MODEL_NONE || !view->state)
        return NULL;
    const struct model_job *job = view->state->job;
    if (view->only_of == MODEL_LINE) {
        const struct model_text *text = &model_job_line(job, view->only)->text;
        return text->shown_size > 0 ? text->shown : "-";
    }
    return view->only_of == MODEL_OP ? model_job_op(job, view->only)->label.shown
                                     : model_job_class(job, view->only)->name.shown;
}

static void draw_tabs(const struct tui_screen *screen, struct tui_grid *grid, int row)
{
    const struct tui_pane *active = &screen->pane[screen->active];
    struct tui_line line = {0};
    for (unsigned i = 0; i < TUI_PANES; i++) {
        const struct tui_pane_row *pane = screen->pane[i].row;
        bool shown = i == screen->active;
        if (!shown && !tui_pane_there(screen, i))
            continue;
        char count[CELL_SIZE] = "";
        if (screen->state && !pane->on_request)
            snprintf(count, sizeof(count), " %u", screen->state->totals.rows[pane->table]);
        tui_line_add(&line, shown ? TUI_SORTED : TUI_TITLE, shown ? 0 : 3,
                     shown ? "[%c %s%s]" : "%c %s%s", pane->key, pane->title, count);
    }
    const char *inside = dug_from(&active->view);
    unsigned dug = line.fields;
    if (inside)
        tui_line_add(&line, TUI_WARN, 1, "in: %s", inside);
    if (active->view.filter[0])
        tui_line_add(&line, TUI_WARN, 1, "filter: %s", active->view.typed);
    if (screen->timeline.mark)
        tui_line_right(&line, TUI_PAUSE, 3, "since mark %s", screen->timeline.mark);
    if (screen->timeline.mark && line.fields > 0)
        line.field[line.fields - 1].most = MARK_COLS;
    if (shows_interval(screen, active->row->table, grid->cols))
        tui_line_right(&line, TUI_TITLE, 1, "%s INTERVAL", tui_sign(grid, TUI_SIGN_DELTA));
    else
        tui_line_right(&line, TUI_TITLE, 4, "%sTOTAL", tui_sign(grid, TUI_SIGN_SIGMA));
    /* A filter first replaces the sum, then the names of other panes: the sort order stays
     * visible. */
    tui_line_right(&line, TUI_TITLE, grid->cols >= BY_FROM ? 2 : 4, "by %s%s",
                   tui_column_word(&active->view), order_sign(&active->view, grid));
    if (inside && tui_line_width(&line) > grid->cols) {
        int room = tui_text_width(line.field[dug].text) - (tui_line_width(&line) - grid->cols);
        line.field[dug].most = room > DUG_LEAST ? room : DUG_LEAST;
    }
    tui_line_draw(&line, grid, row);
}

/* Draws a sentence in place of the rows. */
static void draw_reason(const struct tui_screen *screen, const struct tui_pane *pane,
                        struct tui_grid *grid, struct tui_area area)
{
    char why[TUI_FIELD_SIZE * 2];
    tui_empty_reason(screen, pane, why, sizeof(why));
    struct tui_page page = {.grid = grid, .area = area, .cols = tui_grid_page(grid)};
    if (area.rows > 4)
        page.area.row += 1, page.area.rows -= 1;
    tui_page_wrap(&page, TUI_WARN, 2, NULL, why);
}

/* Scrolls so that the cursor is visible, and no space is left below the last row. */
static void scroll_to_cursor(struct tui_pane *pane, int rows)
{
    uint32_t at = tui_pane_position(pane), fit = rows > 0 ? (uint32_t)rows : 1;
    uint32_t last = pane->view.count > fit ? pane->view.count - fit : 0;
    if (pane->top > at)
        pane->top = at;
    if (at - pane->top >= fit)
        pane->top = at - fit + 1;
    if (pane->top > last)
        pane->top = last;
}

/* Draws the whole name of the selected row below the list, since rows cut it. */
static void draw_strip(const struct tui_pane *pane, struct tui_grid *grid, int row)
{
    const struct model_row *data = model_view_row(&pane->view, tui_pane_position(pane));
    tui_fill(grid, row, 0, grid->cols, TUI_TITLE, TUI_SIGN_RULE);
    if (data)
        tui_put_middle(grid, row + 1, 1, grid->cols - 2, TUI_PLAIN,
                       model_view_name(&pane->view, data)->shown, pane->skip);
}

/* True if the pane has a line below its rows, even if no rows remain. A pane without rows shows the
 * reason instead. */
static bool has_trailer(const struct tui_pane *pane)
{
    return pane->view.count > 0 || pane->view.hidden > 0;
}

void tui_list_draw(struct tui_screen *screen, struct tui_grid *grid, struct tui_area area)
{
    struct tui_pane *pane = &screen->pane[screen->active];
    if (area.rows >= STRIP_FROM) {
        area.rows -= STRIP_ROWS;
        draw_strip(pane, grid, area.row + area.rows);
    }
    bool tabs = area.rows >= 4, head = area.rows >= 2, trailer = area.rows >= 5;
    int row = area.row, rows = area.rows - tabs - head - trailer;
    /* Nodes that have not run have rows; a line above says that they have not run. */
    bool idle = rows > 1 && pane->view.count > 0 && pane->view.table != MODEL_COMPILE &&
                tui_scope_idle(screen->state);
    rows -= idle;
    bool peaks = rows > 1 && pane->view.table == MODEL_SIZES;
    rows -= peaks;
    screen->shape.list_rows = rows > 0 ? rows : 1;
    scroll_to_cursor(pane, rows);
    if (tabs)
        draw_tabs(screen, grid, row++);
    if (peaks)
        tui_peaks_draw(screen, grid, row++, "");
    struct layout layout = make_layout(screen, pane, grid->cols);
    layout.cursor = tui_pane_position(pane);
    if (head)
        draw_head(screen, &layout, &pane->view, grid, row++);
    if (pane->view.count == 0 || idle)
        draw_reason(screen, pane, grid, (struct tui_area){row, idle ? 1 : rows});
    row += idle;
    for (int i = 0; i < rows; i++)
        draw_row(screen, pane, &layout, pane->top + (uint32_t)i, grid, row + i);
    int filled = pane->view.count < (uint32_t)rows ? (int)pane->view.count : rows;
    if (trailer && has_trailer(pane))
        tui_rest_draw(pane, shows_interval(screen, pane->row->table, grid->cols), pane->top,
                      (uint32_t)rows, grid, row + (filled ? filled : rows));
    /* Rows that nothing fills, but for a blank one, have a graph of the chosen row. */
    const int spare = tui_graph_rows(screen, rows - filled - 1);
    tui_graph_draw(screen, grid, (struct tui_area){row + rows + trailer - spare, spare});
}

/* --------------------------------------------------------------------------------------- batch */

static uint32_t batch_count(const struct tui_screen *screen, const struct tui_pane *pane)
{
    uint32_t top = screen->batch_top;
    return top && top < pane->view.count ? top : pane->view.count;
}

/* Lines before the rows: a blank line, the title, the headings. Then come the rows or a reason, and
 * the trailer. */
enum { BATCH_BEFORE = 3 };

int tui_list_batch_rows(const struct tui_screen *screen, const struct tui_pane *pane)
{
    uint32_t rows = batch_count(screen, pane);
    return BATCH_BEFORE + (rows ? (int)rows : 1) + has_trailer(pane);
}

/* Draws the title, with the conditions that narrow the rows. */
static void draw_batch_title(const struct tui_screen *screen, const struct tui_pane *pane,
                             struct tui_grid *grid, int row)
{
    const struct model_view *view = &pane->view;
    if (view->table == MODEL_SIZES) {
        tui_peaks_draw(screen, grid, row, pane->row->title);
        return;
    }
    int col = 1 + tui_put(grid, row, 1, grid->cols, TUI_TITLE, pane->row->title);
    if (view->filter[0])
        col += tui_printf(grid, row, col, grid->cols, TUI_TITLE, " (filter: %s)", view->typed);
    char name[MODEL_SCOPE_LABEL];
    const struct model_state *state = screen->state;
    if (view->table != MODEL_COMPILE && tui_scope_idle(state))
        tui_printf(grid, row, col, grid->cols, TUI_TITLE, " (%s %s not run yet)",
                   model_scope_label(state->job, state->scope, name),
                   model_scope_several(state->scope) ? "have" : "has");
}

static struct place *elastic_place(struct layout *layout)
{
    struct place *last = layout->places > 0 ? &layout->place[layout->places - 1] : NULL;
    return last && is_elastic(last->column) ? last : NULL;
}

int tui_list_batch_width(const struct tui_screen *screen, const struct tui_pane *pane, int cols,
                         int64_t row, int rows)
{
    struct layout layout = make_layout(screen, pane, cols);
    const struct place *name = elastic_place(&layout);
    int64_t at = row + BATCH_BEFORE, count = batch_count(screen, pane);
    int width = 0;
    for (int64_t i = at < 0 ? -at : 0; name && i < count && at + i < rows; i++) {
        const struct model_row *data = model_view_row(&pane->view, (uint32_t)i);
        int wide = tui_text_width(model_view_name(&pane->view, data)->shown);
        width = wide > width ? wide : width;
    }
    return width > 0 ? name->col + width : 0;
}

int tui_list_batch(const struct tui_screen *screen, const struct tui_pane *pane,
                   struct tui_grid *grid, int64_t row)
{
    uint32_t rows = batch_count(screen, pane);
    int lines = tui_list_batch_rows(screen, pane);
    if (row >= grid->rows || row + lines <= 0)
        return lines;
    struct layout layout = make_layout(screen, pane, tui_grid_page(grid));
    struct place *name = elastic_place(&layout);
    if (name && screen->batch_whole)
        name->width = grid->cols - name->col;
    int at = (int)row;
    draw_batch_title(screen, pane, grid, at + 1);
    if (at + 2 >= 0 && at + 2 < grid->rows)
        draw_head(screen, &layout, &pane->view, grid, at + 2);
    if (rows == 0)
        draw_reason(screen, pane, grid, (struct tui_area){at + BATCH_BEFORE, 1});
    uint32_t first = at + BATCH_BEFORE < 0 ? (uint32_t) - (at + BATCH_BEFORE) : 0;
    for (uint32_t i = first; i < rows && at + BATCH_BEFORE + (int)i < grid->rows; i++)
        draw_row(screen, pane, &layout, i, grid, at + BATCH_BEFORE + (int)i);
    int last = at + lines - 1;
    if (has_trailer(pane) && last >= 0 && last < grid->rows)
        tui_rest_draw(pane, false, 0, rows, grid, last);
    return lines;
}

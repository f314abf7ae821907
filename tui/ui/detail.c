/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * detail.c: the selected row in full: its whole name, each figure, and an explanation of the chosen
 * figure.
 */
#include "tui/ui/draw.h"

#include <stdio.h>

#include "model/node_detail.h"

enum { INDENT = 12, VALUE_WIDTH = 20, TEXT_SIZE = 320, SHAPES_SIZE = 1024, COLUMNS_MAX = 64 };

/* Writes the figure of a column as text. */
static void format_value(const struct model_view *view, const struct model_row *row, uint32_t at,
                         const struct model_column *column, char value[TEXT_SIZE])
{
    struct model_cell cell = column->get(view, row, at);
    enum model_unit unit = model_column_unit(column, view->state);
    model_unit_format(unit, &cell, VALUE_WIDTH, value, TEXT_SIZE);
}

static void add_number(struct tui_page *page, const char *label, enum model_unit unit,
                       uint64_t value, const char *says)
{
    char number[TEXT_SIZE], text[TEXT_SIZE * 2];
    const struct model_cell cell = {.known = true, .u = value};
    if (value == MODEL_UNKNOWN)
        return;
    model_unit_format(unit, &cell, VALUE_WIDTH, number, sizeof(number));
    snprintf(text, sizeof(text), "%-*s%s", INDENT, number, says);
    tui_page_wrap(page, TUI_PLAIN, INDENT, label, text);
}

/* Adds the alias of an output: it is a view of an input, or overwrites one. */
static void add_alias(struct tui_page *page, const struct model_about *about, uint32_t output)
{
    static const char *const says[] = {[MODEL_VIEW] = "is a view of",
                                       [MODEL_OVERWRITES] = "overwrites"};
    const struct model_value *value = &about->value[about->inputs + output];
    char text[TEXT_SIZE];
    if (value->alias == MODEL_OWN)
        return;
    snprintf(text, sizeof(text), "output %u %s input %u", output, says[value->alias],
             value->input);
    tui_page_wrap(page, TUI_PLAIN, INDENT, "Memory", text);
}

/* Adds the data that the job sent about a node beside its definition. */
static void add_about(const struct model_about *about, struct tui_page *page)
{
    char shapes[SHAPES_SIZE], sampled[TEXT_SIZE];
    if (model_about_shapes(about, shapes, sizeof(shapes)) > 0)
        tui_page_wrap(page, TUI_PLAIN, INDENT, "Values", shapes);
    if (model_about_strides(about, shapes, sizeof(shapes)) > 0)
        tui_page_wrap(page, TUI_PLAIN, INDENT, "Strides", shapes);
    for (uint32_t i = 0; i < about->outputs; i++)
        add_alias(page, about, i);
    add_number(page, "Flops", MODEL_UNIT_COUNT, about->flops,
               "floating-point operations in a call");
    add_number(page, "Ready in", MODEL_UNIT_NS, about->thunk_ns, "to make it ready to run");
    if (about->device[0])
        tui_page_wrap(page, TUI_PLAIN, INDENT, "Device", about->device);
    if (about->location[0])
        tui_page_wrap(page, TUI_PLAIN, INDENT, "From", about->location);
    if (about->library[0])
        tui_page_wrap(page, TUI_PLAIN, INDENT, "Library", about->library);
    if (about->rewrite[0])
        tui_page_wrap(page, TUI_PLAIN, INDENT, "Made by", about->rewrite);
    snprintf(sampled, sizeof(sampled), "its values are those of 1 in %u calls", about->one_in);
    if (about->one_in > 1)
        tui_page_wrap(page, TUI_PLAIN, INDENT, "Sampled", sampled);
}

/* Adds the op and function of a node, its source line, and further data from the job. */
static void add_apply(const struct model_state *state, const struct model_row *row,
                      struct tui_page *page)
{
    const struct model_apply_def *apply = model_job_apply(state->job, row->id);
    if (!apply)
        return;
    const struct model_op_def *op = model_job_op(state->job, apply->op);
    tui_page_wrap(page, TUI_PLAIN, INDENT, "Op",
                  op->display.raw_size > 0 ? op->display.shown : op->text.shown);
    tui_page_wrap(page, TUI_PLAIN, INDENT, "Function",
                  model_job_function(state->job, apply->function)->name.shown);
    const struct model_text *made_at = &model_job_line(state->job, apply->made_at)->text;
    if (made_at->shown_size > 0)
        tui_page_wrap(page, TUI_PLAIN, INDENT, "Made at", made_at->shown);
    const struct model_about *about = model_job_about(state->job, row->id);
    if (about)
        add_about(about, page);
}

/* Lists the columns with a figure for the pane's rows. Returns their number. */
static unsigned list_columns(const struct tui_pane *pane, const struct model_state *state,
                             const struct model_column *column[COLUMNS_MAX])
{
    unsigned count = 0;
    for (unsigned i = 0; i < model_columns_count && count < COLUMNS_MAX; i++)
        if (model_column_on_screen(&model_columns[i], pane->row->table) &&
            model_columns[i].width > 0 && model_column_there(&model_columns[i], state))
            column[count++] = &model_columns[i];
    return count;
}

/* Adds the figures side by side if there is space, the first half at the left, and below them the
 * explanation of the chosen one. */
static void add_columns(const struct tui_screen *screen, const struct tui_pane *pane,
                        const struct model_row *row, uint32_t at, struct tui_page *page)
{
    const struct model_column *column[COLUMNS_MAX];
    const struct model_state *state = screen->state;
    const unsigned count = list_columns(pane, state, column);
    const unsigned sides = page->cols >= 2 * TUI_FIGURE_WIDTH ? 2 : 1;
    const unsigned lines = (count + sides - 1) / sides;
    const unsigned chosen = screen->explained < count ? screen->explained : count - 1;
    for (unsigned i = 0; i < lines; i++) {
        for (unsigned side = 0; side < sides && i + side * lines < count; side++) {
            const unsigned number = i + side * lines;
            char value[TEXT_SIZE];
            format_value(&pane->view, row, at, column[number], value);
            tui_page_figure(page, (int)side * page->cols / (int)sides, page->cols / (int)sides,
                            model_column_title(column[number], pane->view.table, state), value,
                            number == chosen);
        }
        tui_page_line(page, TUI_PLAIN, "");
    }
    if (count == 0)
        return;
    tui_page_line(page, TUI_PLAIN, "");
    tui_page_wrap(page, TUI_PLAIN, INDENT,
                  model_column_title(column[chosen], pane->view.table, state),
                  column[chosen]->help);
}

void tui_detail_explain(struct tui_screen *screen, int step)
{
    const struct model_column *column[COLUMNS_MAX];
    const struct tui_pane *pane = &screen->pane[screen->active];
    const int count = screen->state ? (int)list_columns(pane, screen->state, column) : 0;
    int at = (int)screen->explained < count ? (int)screen->explained : count - 1;
    at += step;
    screen->explained = (unsigned)(at < 0 ? 0 : at < count ? at : count > 0 ? count - 1 : 0);
}

static void add_left_out(struct tui_page *page, const char *title, bool all, uint64_t part_ns,
                         const char *what)
{
    char ns[TUI_NUMBER_SIZE], text[TEXT_SIZE];
    if (all)
        snprintf(text, sizeof(text), "Its time is %s: it has no part in the 100 %%.", what);
    else if (part_ns > 0)
        snprintf(text, sizeof(text), "%s of its time is %s, and has no part in the 100 %%.",
                 tui_ns(ns, part_ns), what);
    else
        return;
    tui_page_wrap(page, TUI_PLAIN, INDENT, title, text);
}

/* Adds the reason why a row has no share, or a smaller one than its time suggests. */
static void add_waiting(const struct model_view *view, const struct model_row *row,
                        struct tui_page *page)
{
    const struct model_waited waited = model_state_waited(view->state, view->table, row);
    add_left_out(page, "Waits", row->does == MODEL_DOES_WAIT, waited.ns, "waiting, not work");
    add_left_out(page, "Aside", row->does == MODEL_DOES_ASIDE, waited.aside_ns,
                 "counted by other rows");
}

static void detail_text(const struct tui_screen *screen, struct tui_page *page)
{
    const struct tui_pane *pane = &screen->pane[screen->active];
    const struct model_view *view = &pane->view;
    uint32_t at = tui_pane_position(pane);
    const struct model_row *row = screen->state ? model_view_row(view, at) : NULL;
    if (!row) {
        tui_page_line(page, TUI_WARN, "No row is selected.");
        return;
    }
    tui_page_wrap(page, TUI_TITLE, INDENT, pane->row->title, model_view_name(view, row)->shown);
    const bool applies = model_table_rows(pane->row->table) == MODEL_APPLY;
    if (applies)
        add_apply(screen->state, row, page);
    tui_page_line(page, TUI_PLAIN, "");
    add_columns(screen, pane, row, at, page);
    if (applies && row->estimated && row->error_ns != MODEL_UNKNOWN) {
        char total[TUI_NUMBER_SIZE], error[TUI_NUMBER_SIZE], text[4 * TUI_NUMBER_SIZE];
        snprintf(text, sizeof(text),
                 "time of all calls  ~%s \xc2\xb1 %s, by those that are timed",
                 tui_ns(total, row->total_ns), tui_ns(error, row->error_ns));
        tui_page_line(page, TUI_PLAIN, text);
    }
    add_waiting(view, row, page);
    if (row->clipped)
        tui_page_wrap(page, TUI_WARN, INDENT, NULL,
                      "The functions inside took longer than the node itself: its own time is "
                      "shown as 0.");
}

void tui_detail_draw(struct tui_screen *screen, struct tui_grid *grid, struct tui_area area)
{
    const int graph = tui_graph_rows(screen, (area.rows - GRAPH_FROM) / 2);
    area.rows -= graph;
    tui_graph_draw(screen, grid, (struct tui_area){area.row + area.rows, graph});
    tui_page_draw(screen, grid, area, detail_text);
}

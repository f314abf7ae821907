/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * graph.c: a figure over time, in dots of braille: two by four in a cell. In ASCII, a cell is one
 * column of '#'.
 */
#include "tui/ui/draw.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
    ROWS_LEAST = 6, /* a title, and at least five rows of graph */
    ROWS_MOST = 14,
    AXIS_COLS = 9,
    DOTS = 4, /* of a cell, one above the other */
};

int tui_graph_rows(struct tui_screen *screen, int rows)
{
    rows = rows < ROWS_LEAST ? 0 : rows < ROWS_MOST ? rows : ROWS_MOST;
    screen->shape.graph_rows = rows;
    return screen->graph.on ? rows : 0;
}

int tui_graph_cols(int cols)
{
    return cols - AXIS_COLS - 2;
}

static void format(const struct tui_graph *graph, double value, char out[TUI_FIELD_SIZE])
{
    struct model_cell cell = {.known = !isnan(value), .d = value};
    const bool is_real = model_unit_is_real(graph->unit);
    /* Figures of counters are numbers of their own kind. */
    if (!is_real && (value < 0 || value < 100) && !isnan(value) &&
        graph->unit == MODEL_UNIT_COUNT) {
        snprintf(out, TUI_FIELD_SIZE, "%.3g", value);
        return;
    }
    cell.u = !is_real && value > 0 && value < 1.8e19 ? (uint64_t)(value + 0.5) : 0;
    cell.known = cell.known && (is_real || value >= 0);
    model_unit_format(graph->unit, &cell, AXIS_COLS - 2, out, TUI_FIELD_SIZE);
}

static void draw_title(const struct tui_graph *graph, struct tui_grid *grid, int row)
{
    const struct model_series *s = &graph->series;
    char least[TUI_FIELD_SIZE], most[TUI_FIELD_SIZE], last[TUI_FIELD_SIZE], length[32];
    struct tui_line line = {.fields = 0};
    format(graph, s->least, least);
    format(graph, s->most, most);
    format(graph, s->last, last);
    model_unit_clock(s->bins * s->bin_ns, length, sizeof length);
    tui_line_add(&line, TUI_TITLE, 0, "%s", graph->title);
    tui_line_add(&line, TUI_PLAIN, 1, "%s %s", graph->past ? "then" : "now", last);
    tui_line_add(&line, TUI_PLAIN, 2, "min %s", least);
    tui_line_add(&line, TUI_PLAIN, 2, "max %s", most);
    tui_line_right(&line, TUI_DIM, 4, "a point is %.3g s", (double)s->bin_ns / 1e9);
    tui_line_right(&line, TUI_DIM, 3, "the last %s", length);
    tui_line_draw(&line, grid, row);
}

/* The range of the axis. It begins at 0, but for a counter that stays far from it. */
struct range {
    double low, high;
};

static struct range range_of(const struct model_series *s)
{
    const bool is_level = s->key.of == MODEL_SERIES_COUNTER;
    struct range range = {0, s->most};
    if (isnan(s->most))
        return (struct range){0, 1};
    if (is_level && (s->least < 0 || s->least > s->most / 2))
        range.low = s->least;
    if (range.high <= range.low)
        range = s->least > 0 ? (struct range){0, s->most} : (struct range){s->least, s->least + 1};
    return range;
}

/* Height of a value in dots, 1 to `dots`; 0: unknown. */
static int height(const struct range *range, double value, int dots)
{
    if (isnan(value))
        return 0;
    const double part = (value - range->low) / (range->high - range->low);
    const int dot = (int)(part * dots + 0.5);
    return dot < 1 ? 1 : dot > dots ? dots : dot;
}

/* Number of the dots that are set in one half of a cell, from below. */
static int within(int dots, int above)
{
    const int set = dots - above;
    return set < 0 ? 0 : set > DOTS ? DOTS : set;
}

static void put_braille(struct tui_grid *grid, int row, int col, int left, int right)
{
    static const unsigned char l[DOTS + 1] = {0, 0x40, 0x44, 0x46, 0x47},
                                        r[DOTS + 1] = {0, 0x80, 0xa0, 0xb0, 0xb8};
    const unsigned bits = l[left] | r[right];
    const char text[] = {(char)0xe2, (char)(0xa0 | bits >> 6), (char)(0x80 | (bits & 0x3f)), 0};
    if (bits)
        tui_put(grid, row, col, 1, TUI_TITLE, text);
}

static void draw_plot(const struct tui_graph *graph, struct tui_grid *grid, struct tui_area area)
{
    const struct model_series *s = &graph->series;
    const struct range range = range_of(s);
    const int dots = area.rows * DOTS;
    char high[TUI_FIELD_SIZE], low[TUI_FIELD_SIZE];
    format(graph, range.high, high);
    format(graph, range.low, low);
    tui_put_right(grid, area.row, 1, AXIS_COLS - 1, TUI_DIM, high);
    tui_put_right(grid, area.row + area.rows - 1, 1, AXIS_COLS - 1, TUI_DIM, low);
    for (unsigned cell = 0; 2 * cell + 1 < s->bins; cell++) {
        const int left = height(&range, s->value[2 * cell], dots);
        const int right = height(&range, s->value[2 * cell + 1], dots);
        const int col = AXIS_COLS + 1 + (int)cell;
        for (int row = 0; row < area.rows; row++) {
            const int above = (area.rows - 1 - row) * DOTS;
            const int a = within(left, above), b = within(right, above);
            if (!grid->ascii)
                put_braille(grid, area.row + row, col, a, b);
            else if (a + b >= DOTS)
                tui_put(grid, area.row + row, col, 1, TUI_TITLE, "#");
            else if (a + b > 0)
                tui_put(grid, area.row + row, col, 1, TUI_TITLE, ".");
        }
    }
}

void tui_graph_draw(const struct tui_screen *screen, struct tui_grid *grid, struct tui_area area)
{
    if (area.rows < ROWS_LEAST)
        return;
    draw_title(&screen->graph, grid, area.row);
    draw_plot(&screen->graph, grid, (struct tui_area){area.row + 1, area.rows - 1});
}

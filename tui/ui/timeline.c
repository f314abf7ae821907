/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * timeline.c: the time line above the footer: the load of the job, what happened, and where the
 * screen is.
 */
#include "tui/ui/draw.h"

enum { ROWS_SMALL = 20 }; /* smaller screens have its text alone */

const struct tui_timeline_sign tui_timeline_signs[] = {
    {'*', "a marker of the job"},
    {'!', "a warning of the job"},
    {'c', "a compilation"},
    {'p', "the job did not count"},
    {'0', "the job's counts were reset"},
    {'+', "a job came"},
    {'-', "a job went"},
};
const unsigned tui_timeline_signs_count = sizeof tui_timeline_signs / sizeof tui_timeline_signs[0];

int tui_timeline_rows(const struct tui_screen *screen, int rows)
{
    const struct tui_timeline *line = &screen->timeline;
    if (!line->on || rows < 8)
        return line->since[0] && rows >= 8;
    return (rows < ROWS_SMALL ? 1 : 3) + (line->since[0] != '\0');
}

static const char *load_sign(const struct tui_grid *grid, uint8_t load)
{
    return load == TUI_LOAD_NONE ? " " : tui_level_sign(grid, load);
}

static void draw_load(const struct tui_timeline *line, struct tui_grid *grid, int row)
{
    for (int col = 0; col < line->cols; col++) {
        tui_put(grid, row, 1 + col, 1, TUI_TITLE, load_sign(grid, line->load[col]));
        if (line->load[col] == 0)
            tui_put(grid, row, 1 + col, 1, TUI_DIM, grid->ascii ? "_" : "▁");
    }
    if (line->at >= 0 && line->at < line->cols)
        tui_paint(grid, row, 1 + line->at, 1, TUI_CURSOR);
}

/* The line below has the signs, and an arrow to the moment shown. */
static void draw_signs(const struct tui_timeline *line, struct tui_grid *grid, int row)
{
    const int width = tui_text_width(line->scale);
    for (int col = 0; col < line->cols; col++) {
        const char sign[2] = {line->sign[col], '\0'};
        if (sign[0] != ' ')
            tui_put(grid, row, 1 + col, 1, TUI_KEY, sign);
    }
    if (line->at < 0 || line->at >= line->cols)
        return;
    if (line->sign[line->at] == ' ')
        tui_put(grid, row, 1 + line->at, 1, TUI_KEY, tui_sign(grid, TUI_SIGN_UP));
    /* The length of the line stands where nothing else does. */
    bool is_free = line->at > width + 2;
    for (int col = 0; col <= width && col < line->cols; col++)
        is_free = is_free && line->sign[col] == ' ';
    if (is_free)
        tui_put(grid, row, 1, width, TUI_DIM, line->scale);
}

void tui_timeline_draw(const struct tui_screen *screen, struct tui_grid *grid, struct tui_area area)
{
    const struct tui_timeline *line = &screen->timeline;
    int row = area.row;
    if (area.rows <= 0)
        return;
    if (line->since[0])
        tui_put(grid, row++, 1, grid->cols - 2, TUI_PAUSE, line->since);
    if (area.row + area.rows - row >= 3) {
        draw_load(line, grid, row++);
        draw_signs(line, grid, row++);
    }
    if (row < area.row + area.rows)
        tui_put(grid, row, 1, grid->cols - 2, TUI_PLAIN, line->text);
}

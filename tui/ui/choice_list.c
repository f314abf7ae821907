/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * choice_list.c: a list to choose from: jobs, columns, functions, whether to leave a job running.
 */
#include "tui/ui/draw.h"

static const char *const titles[] = {
    [TUI_MODE_PICKER] = "Choose a job",
    [TUI_MODE_SORT] = "Choose",
    [TUI_MODE_FUNCTIONS] = "Choose what is shown",
    [TUI_MODE_CONTROL] = "Ask the job itself: every viewer of it will see this",
    [TUI_MODE_LEAVE] = "The command still runs",
};

/* `columns`: the line is a table row. Its columns must stay under their titles, so the end is cut,
 * not the middle. */
static void draw_choice(const struct tui_choice *choice, bool chosen, bool columns,
                        struct tui_grid *grid, int row)
{
    enum tui_role role = chosen ? TUI_CURSOR : TUI_PLAIN;
    if (chosen) {
        tui_paint(grid, row, 0, grid->cols, role);
        tui_put(grid, row, 0, 1, role, tui_sign(grid, TUI_SIGN_CURSOR));
    }
    if (choice->marked)
        tui_put(grid, row, 2, 1, role, tui_sign(grid, TUI_SIGN_LIVE));
    if (columns)
        tui_put(grid, row, TUI_CHOICE_COL, grid->cols - TUI_CHOICE_MARGIN, role, choice->text);
    else
        tui_put_middle(grid, row, TUI_CHOICE_COL, grid->cols - TUI_CHOICE_MARGIN, role,
                       choice->text, 0);
}

void tui_choice_draw(struct tui_screen *screen, struct tui_grid *grid, struct tui_area area)
{
    const char *title =
        screen->mode < sizeof(titles) / sizeof(titles[0]) ? titles[screen->mode] : NULL;
    if (area.rows >= 4 && title) {
        tui_put(grid, area.row, 1, grid->cols - 1, TUI_TITLE, title);
        tui_fill(grid, area.row + 1, 0, grid->cols, TUI_TITLE, TUI_SIGN_RULE);
        area = (struct tui_area){area.row + 2, area.rows - 2};
    }
    if (screen->picker_note && *screen->picker_note) {
        struct tui_page page = {.grid = grid, .area = area, .cols = grid->cols};
        tui_page_wrap(&page, TUI_WARN, 1, NULL, screen->picker_note);
        int used = (int)page.line + (screen->choices > 0);
        area = (struct tui_area){area.row + used, area.rows - used};
    }
    if (screen->choice_head && screen->choices > 0 && area.rows > 1) {
        tui_paint(grid, area.row, 0, grid->cols, TUI_HEAD);
        tui_put(grid, area.row, TUI_CHOICE_COL, grid->cols - TUI_CHOICE_MARGIN, TUI_HEAD,
                screen->choice_head);
        area = (struct tui_area){area.row + 1, area.rows - 1};
    }
    size_t rows = area.rows > 0 ? (size_t)area.rows : 0;
    screen->shape.list_rows = rows > 0 ? (int)rows : 1;
    size_t first = screen->chosen >= rows && rows > 0 ? screen->chosen - rows + 1 : 0;
    for (size_t i = 0; i < rows && first + i < screen->choices; i++)
        draw_choice(&screen->choice[first + i], first + i == screen->chosen,
                    screen->choice_head != NULL, grid, area.row + (int)i);
}

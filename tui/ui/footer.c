/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * footer.c: the last line: a prompt, a message, or the keys.
 */
#include "tui/ui/draw.h"

#include <string.h>

static void draw_prompt(struct tui_screen *screen, struct tui_grid *grid, int row)
{
    const struct tui_prompt *prompt = &screen->prompt;
    char before[TUI_PROMPT_MAX];
    size_t size = prompt->cursor < sizeof(before) ? prompt->cursor : sizeof(before) - 1;
    memcpy(before, prompt->text, size);
    before[size] = '\0';
    int col = 1 + tui_printf(grid, row, 1, grid->cols / 2, TUI_KEY, "%s: ", prompt->title);
    int room = grid->cols - col - 1, at = tui_text_width(before);
    const char *text = prompt->text;
    /* Keeps the cursor visible: the beginning moves out at the left. */
    while (at > room && *text) {
        size_t step = tui_text_fit(text, 2);
        step = step ? step : 1;
        char head[16] = "";
        memcpy(head, text, step < sizeof(head) ? step : sizeof(head) - 1);
        at -= tui_text_width(head);
        text += step;
    }
    tui_put(grid, row, col, room + 1, TUI_PLAIN, text);
    screen->shape.prompt_row = row;
    screen->shape.prompt_col = col + at < grid->cols ? col + at : grid->cols - 1;
}

/* Returns the length of the first of several key names. */
static int first_key(const char *keys)
{
    const char *end = strchr(keys, ' ');
    return end && end > keys ? (int)(end - keys) : (int)strlen(keys);
}

/* Draws the keys of this mode, each with its effect here. */
static void draw_keys(const struct tui_screen *screen, struct tui_grid *grid, int row)
{
    const struct tui_help_row *rows;
    size_t count = tui_help_rows(&rows);
    int col = 1;
    for (size_t i = 0; i < count; i++) {
        const char *word = rows[i].footer;
        if (screen->mode != TUI_MODE_TABLE)
            word = rows[i].other;
        if (!word || !(rows[i].in >> screen->mode & 1))
            continue;
        int key = first_key(rows[i].keys);
        if (col + key + tui_text_width(word) > grid->cols)
            break;
        col += tui_printf(grid, row, col, key, TUI_KEY, "%.*s", key, rows[i].keys);
        col += tui_put(grid, row, col, grid->cols - col, TUI_KEYTEXT, word) + 1;
    }
}

/* A message wider than the line also covers the lines above, while it is shown. */
static void draw_message(const struct tui_screen *screen, struct tui_grid *grid, int last)
{
    enum { INDENT = 1, ROWS_MOST = 4 };
    const enum tui_role role = screen->message_bad ? TUI_BAD : TUI_WARN;
    struct tui_page page = {.cols = grid->cols};
    /* Without a grid it only counts lines. */
    tui_page_wrap(&page, role, INDENT, NULL, screen->message);
    int rows = page.line < ROWS_MOST ? (int)page.line : ROWS_MOST;
    rows = rows <= last ? rows : last + 1;
    page = (struct tui_page){
        .grid = grid, .cols = grid->cols, .area = {last + 1 - rows, rows}};
    for (int row = page.area.row; row < last; row++)
        tui_printf(grid, row, 0, grid->cols, TUI_PLAIN, "%*s", grid->cols, "");
    tui_page_wrap(&page, role, INDENT, NULL, screen->message);
}

void tui_footer_draw(struct tui_screen *screen, struct tui_grid *grid, int row)
{
    if (screen->prompt.title)
        draw_prompt(screen, grid, row);
    else if (screen->message[0])
        draw_message(screen, grid, row);
    else
        draw_keys(screen, grid, row);
}

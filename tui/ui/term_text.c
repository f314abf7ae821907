/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * term_text.c: prints a grid as plain text, for `-b` and for the tests.
 */
#include "tui/ui/term.h"

static void print_char(uint32_t code, FILE *file)
{
    if (code < 0x80) {
        putc((int)code, file);
        return;
    }
    int more = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
    unsigned lead = more == 1 ? 0xC0u : more == 2 ? 0xE0u : 0xF0u;
    putc((int)(lead | code >> (6 * more)), file);
    while (more-- > 0)
        putc((int)(0x80u | (code >> (6 * more) & 0x3Fu)), file);
}

static void print_line(const struct tui_cell *cell, int cols, FILE *file)
{
    while (cols > 0 && cell[cols - 1].ch[0] == ' ')
        cols--;
    for (int col = 0; col < cols; col++)
        for (int i = 0; i < TUI_CELL_CHARS && cell[col].ch[i]; i++)
            print_char(cell[col].ch[i], file);
    putc('\n', file);
}

void tui_text_print(const struct tui_grid *grid, FILE *file)
{
    for (int row = 0; row < grid->rows; row++)
        print_line(grid->cell + (size_t)row * (size_t)grid->cols, grid->cols, file);
}

/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * grid.h: the screen as cells. Everything is drawn into a grid; one file passes it to curses,
 * another prints it as text.
 */
#ifndef TUI_UI_GRID_H
#define TUI_UI_GRID_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tui/ui/theme.h"

enum { TUI_CELL_CHARS = 3 }; /* a character and up to two combining marks */

struct tui_cell {
    uint32_t ch[TUI_CELL_CHARS]; /* 0: none; ch[0] == 0 in the right half of a wide character */
    uint8_t role;                /* enum tui_role */
};

struct tui_grid {
    int rows, cols;
    struct tui_cell *cell;      /* rows * cols */
    bool ascii;                 /* the terminal cannot show UTF-8: signs have ASCII forms */
    int page;                   /* layout width of lines that are not table rows; 0: all columns */
    int cursor_row, cursor_col; /* position of the terminal's cursor; -1: hidden */
};

/* proftop's own signs that have an ASCII form. */
enum tui_sign {
    TUI_SIGN_CURSOR, /* the selected row */
    TUI_SIGN_DOWN,   /* sorted, largest first */
    TUI_SIGN_UP,     /* sorted, smallest first */
    TUI_SIGN_CUT,    /* something was left out */
    TUI_SIGN_RULE,   /* a line across */
    TUI_SIGN_DELTA,  /* interval */
    TUI_SIGN_SIGMA,  /* total */
    TUI_SIGN_LIVE,
    TUI_SIGN_PAUSED,
    TUI_SIGN_WAITING, /* connecting, syncing, nothing seen yet */
    TUI_SIGN_COMPILING,
    TUI_SIGN_LAGGING,
    TUI_SIGN_STALE,
    TUI_SIGN_ENDED,
    TUI_SIGN_GONE,
    TUI_SIGN_FIRST, /* parts of a stacked bar */
    TUI_SIGN_SECOND,
    TUI_SIGN_THIRD,
    TUI_SIGN_FOURTH,
    TUI_SIGNS
};
/* Returns the layout width of lines that are not table rows. */
static inline int tui_grid_page(const struct tui_grid *grid)
{
    return grid->page > 0 ? grid->page : grid->cols;
}
const char *tui_sign(const struct tui_grid *grid, enum tui_sign sign);

/* Allocates or resizes the grid, all blank. Returns false if out of memory; the grid is then 0 x
 * 0. */
bool tui_grid_resize(struct tui_grid *grid, int rows, int cols);
void tui_grid_release(struct tui_grid *grid);
void tui_grid_clear(struct tui_grid *grid);

/* Writes UTF-8 at a position, cut at `width` columns and at the edge. Text must be in its screen
 * form (model_text.shown). A character of disputed width becomes U+FFFD. Returns the columns used.
 * Outside the grid it writes nothing. */
int tui_put(struct tui_grid *grid, int row, int col, int width, enum tui_role role,
            const char *text);
/* Writes right-aligned in `width`. */
int tui_put_right(struct tui_grid *grid, int row, int col, int width, enum tui_role role,
                  const char *text);
/* Writes a text that may be too long. With `skip` 0 it is cut in the middle, so that its head and
 * its tail are visible; otherwise it is shown from its column `skip` on. */
int tui_put_middle(struct tui_grid *grid, int row, int col, int width, enum tui_role role,
                   const char *text, int skip);
/* printf form of tui_put(). Pass text from the job only as %s argument. */
int tui_printf(struct tui_grid *grid, int row, int col, int width, enum tui_role role,
               const char *format, ...) __attribute__((format(printf, 6, 7)));
/* Changes the role of a part of a row; the characters stay. */
void tui_paint(struct tui_grid *grid, int row, int col, int width, enum tui_role role);
/* A vertical bar of one column: `level` eighths, 0 to 8. Static. */
const char *tui_level_sign(const struct tui_grid *grid, unsigned level);
/* The same for a part, 0 to 1: a part that is not 0 is seen, however small it is. */
const char *tui_part_sign(const struct tui_grid *grid, double part);
/* Draws a horizontal bar of `part` (0..1) in eighths of a column; ASCII: '#'. */
void tui_bar(struct tui_grid *grid, int row, int col, int width, enum tui_role role, double part);
/* Writes the same character `width` times. */
void tui_fill(struct tui_grid *grid, int row, int col, int width, enum tui_role role,
              enum tui_sign sign);
/* Returns the columns of a text. */
int tui_text_width(const char *text);
/* Returns the bytes of the longest prefix of whole characters that fits `width` columns. */
size_t tui_text_fit(const char *text, int width);

#endif

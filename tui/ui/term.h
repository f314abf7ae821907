/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * term.h: outputs for a grid. term_curses.c is the only file that uses curses; term_text.c prints
 * the same grid for `-b` and for tests.
 */
#ifndef TUI_UI_TERM_H
#define TUI_UI_TERM_H

#include "tui/ui/grid.h"

#include <stdio.h>

/* Keys: a character as its code point, or one of these. */
enum tui_key {
    TUI_KEY_NONE = 0, /* nothing is waiting */
    TUI_KEY_ESC = 27,
    TUI_KEY_FIRST = 0x110000, /* above all code points */
    TUI_KEY_UP,
    TUI_KEY_DOWN,
    TUI_KEY_LEFT,
    TUI_KEY_RIGHT,
    TUI_KEY_PGUP,
    TUI_KEY_PGDN,
    TUI_KEY_HOME,
    TUI_KEY_END,
    TUI_KEY_TAB,
    TUI_KEY_BACKTAB,
    TUI_KEY_ENTER,
    TUI_KEY_BACKSPACE,
    TUI_KEY_DELETE,
    TUI_KEY_F1,
    TUI_KEY_F2,
    TUI_KEY_F3,
    TUI_KEY_F4,
    TUI_KEY_F5,
    TUI_KEY_F6,
    TUI_KEY_F7,
    TUI_KEY_F8,
    TUI_KEY_F9,
    TUI_KEY_F10,
    TUI_KEY_IGNORE, /* an input without meaning */
};

struct tui_term_options {
    const char *color; /* "auto", "never", "8", "256" */
    bool sync;         /* bracket each frame with ?2026 */
};

struct tui_term;

/* Takes over the terminal on stdin and stdout. Returns NULL with a sentence in `why`: unknown TERM,
 * or not a terminal. Only one may be open. */
struct tui_term *tui_term_open(const struct tui_term_options *options, char *why, size_t capacity);
/* Restores the terminal. */
void tui_term_close(struct tui_term **term);
/* Restores the terminal when the program ends at once; does nothing if none is open. May be called
 * by a signal handler, or by another thread. */
void tui_term_rescue(void);
/* Asks the kernel for the size (after SIGWINCH) and resizes the grid to it. */
bool tui_term_fit(struct tui_term *term, struct tui_grid *grid);
/* Paints the difference to the shown frame: one write, none if nothing changed. */
void tui_term_flush(struct tui_term *term, const struct tui_grid *grid);
/* Paints everything anew (Ctrl-L). */
void tui_term_repaint(struct tui_term *term, const struct tui_grid *grid);
/* Returns the next waiting key, TUI_KEY_NONE if there is none. Pasted text gives TUI_KEY_IGNORE
 * unless `text` is set (a prompt is open). */
uint32_t tui_term_key(struct tui_term *term, bool text);
/* Restores the terminal, calls `stop` (which returns when the program is continued), and takes the
 * terminal over again. */
void tui_term_suspend(struct tui_term *term, void (*stop)(void));

/* Prints a grid as plain text, without trailing blanks. */
void tui_text_print(const struct tui_grid *grid, FILE *file);

#endif

/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * theme.h: roles of the parts of the screen, and THE colour table: the look of each role with 256
 * colours, with 8, and without (only bold, reverse, underline).
 */
#ifndef TUI_UI_THEME_H
#define TUI_UI_THEME_H

#include <stdbool.h>
#include <stdint.h>

enum tui_role {
    TUI_PLAIN,
    TUI_DIM,     /* less than 0.5 %, stale values, hints */
    TUI_TITLE,   /* pane tabs, frames */
    TUI_HEAD,    /* column headers */
    TUI_SORTED,  /* header of the sort column */
    TUI_CURSOR,  /* selected row */
    TUI_HOT,     /* at least 20 % */
    TUI_WARM,    /* at least 5 % */
    TUI_PY,      /* a Python implementation */
    TUI_GOOD,    /* state is live */
    TUI_PAUSE,   /* the whole first line while paused */
    TUI_WARN,    /* lagging, stale, gaps */
    TUI_BAD,     /* gone, errors */
    TUI_KEY,     /* key names in the footer */
    TUI_KEYTEXT, /* description of a key */
    TUI_MATCH,   /* text found by a search */
    TUI_ROLES
};

struct tui_look {
    int16_t fg, bg; /* -1: the terminal's own */
    bool bold, dim, reverse, underline;
};

struct tui_theme_row {
    const char *name;
    struct tui_look colours; /* for 8 colours and more */
    struct tui_look mono;
};
extern const struct tui_theme_row tui_theme[TUI_ROLES];

#endif

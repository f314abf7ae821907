/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * help.c: the help, made from the tables of panes, keys and columns, so that it cannot be wrong.
 */
#include "draw.h"

#include <stdio.h>
#include <string.h>

enum { KEYS_WIDTH = 18, KEYS_SIZE = 96 };

static void add_panes(struct tui_page *page)
{
    tui_page_line(page, TUI_TITLE, "Panes");
    for (unsigned i = 0; i < TUI_PANES; i++) {
        char head[KEYS_SIZE];
        snprintf(head, sizeof(head), "%c %s", tui_panes[i].key, tui_panes[i].title);
        tui_page_wrap(page, TUI_PLAIN, KEYS_WIDTH, head, tui_panes[i].help);
    }
}

/* Of the panes all, which are those of the other modes too; of a list those that work in it. */
static void add_keys(struct tui_page *page, enum tui_mode under)
{
    const struct tui_help_row *row;
    const char *group = "";
    size_t count = tui_help_rows(&row);
    for (size_t i = 0; i < count; i++) {
        if (under != TUI_MODE_TABLE && !(row[i].in >> under & 1))
            continue;
        if (row[i].group && strcmp(row[i].group, group)) {
            group = row[i].group;
            if (page->line > 0)
                tui_page_line(page, TUI_PLAIN, "");
            tui_page_line(page, TUI_TITLE, group);
        }
        tui_page_wrap(page, TUI_PLAIN, KEYS_WIDTH, row[i].keys, row[i].text);
    }
}

static void add_columns(struct tui_page *page)
{
    tui_page_line(page, TUI_PLAIN, "");
    tui_page_line(page, TUI_TITLE, "Columns, with the letter that sorts by them; again: reversed");
    for (unsigned i = 0; i < model_columns_count; i++) {
        const struct model_column *column = &model_columns[i];
        char head[KEYS_SIZE];
        if (!column->title[0])
            continue;
        snprintf(head, sizeof(head), "%c %s", column->key ? column->key : ' ', column->title);
        tui_page_wrap(page, TUI_PLAIN, KEYS_WIDTH, head, column->help);
    }
}

static void add_signs(struct tui_page *page)
{
    tui_page_line(page, TUI_PLAIN, "");
    tui_page_line(page, TUI_TITLE, "Signs");
    tui_page_wrap(page, TUI_PLAIN, KEYS_WIDTH, "-", "not known");
    tui_page_wrap(page, TUI_PLAIN, KEYS_WIDTH, "~", 
                  "not every call was timed: a time is an estimate, and MIN, MAX, LAST, P50, P90 "
                  "and P99 are of the timed calls alone");
    tui_page_wrap(page, TUI_PLAIN, KEYS_WIDTH, "#", "too large for its place; the detail has it");
}

static void help_text(const struct tui_screen *screen, struct tui_page *page)
{
    if (screen->under != TUI_MODE_TABLE) {
        add_keys(page, screen->under);
        return;
    }
    add_panes(page);
    add_keys(page, screen->under);
    add_columns(page);
    add_signs(page);
}

void tui_help_draw(struct tui_screen *screen, struct tui_grid *grid, struct tui_area area)
{
    tui_page_draw(screen, grid, area, help_text);
}

/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * rest_line.c: the line below a pane: how many rows it does not show, and what they come to.
 */
#include "draw.h"

#include <stdio.h>
#include <string.h>

enum { SHARE_SIZE = 64, SUM_SIZE = 192 };

/* Whether one of the rows that are not shown is an estimate. */
static bool rest_estimated(const struct model_view *view, uint32_t first, uint32_t end)
{
    uint32_t shown = 0;
    for (uint32_t at = first; at < end && shown < view->estimated; at++)
        shown += model_view_estimated(view, model_view_row(view, at));
    return shown < view->estimated;
}

/* What the rows that are not shown come to, in the words of the printed profiles. */
static void write_rest(const struct model_view *view, uint64_t rest, bool estimated,
                       const char *percent, bool interval, char *out, size_t capacity)
{
    const char *whole = view->table == MODEL_COMPILE ? "compilation"
                        : interval                   ? "total"
                                                     : "runtime";
    char part[TUI_NUMBER_SIZE], all[TUI_NUMBER_SIZE];
    if (view->whole == MODEL_UNKNOWN)
        snprintf(out, capacity, "-");
    else if (view->table == MODEL_SIZES)
        snprintf(out, capacity, "%s of %s (%s)", tui_bytes(part, rest),
                 tui_bytes(all, view->whole), percent);
    else
        snprintf(out, capacity, "%s(%s%.2fs) of the %s", percent, estimated ? "~" : "",
                 (double)rest / 1e9, whole);
}

void tui_rest_draw(const struct tui_pane *pane, bool interval, uint32_t first, uint32_t rows,
                   struct tui_grid *grid, int row)
{
    const struct model_view *view = &pane->view;
    interval = interval && view->table != MODEL_SIZES;
    if (!view->state)
        return;
    uint32_t end = first + rows < view->count ? first + rows : view->count;
    uint64_t shown =
        end > first ? model_view_sum(view, end - 1) - (first ? model_view_sum(view, first - 1) : 0)
                    : 0;
    uint64_t rest = view->shown - shown + view->hidden_sum, whole = view->whole;
    uint32_t left = view->count - (end > first ? end - first : 0) + view->hidden;
    /* What remains is below; of a list that is scrolled there is more above. */
    const char *before = first > 0 ? "" : "remaining ", *after = first > 0 ? " not shown" : "";
    char percent[SHARE_SIZE] = "-", sum[SUM_SIZE];
    /* Nothing is no share of the whole, whatever that is. */
    const bool estimated = rest_estimated(view, first, end);
    const bool marked = estimated || (rest > 0 && view->whole_estimated);
    if (rest == 0 && left == 0)
        strcpy(percent, "0.00%"); /* as the printed profile says it */
    else if (whole && whole != MODEL_UNKNOWN)
        snprintf(percent, sizeof(percent), "%s%.2f%%", marked ? "~" : "",
                 100.0 * (double)rest / (double)whole);
    write_rest(view, rest, estimated, percent, interval, sum, sizeof(sum));
    struct tui_line line = {0};
    char text[TUI_FIELD_SIZE];
    snprintf(text, sizeof(text), "  ... (%s%u %s%s account for %s)", before, left,
             pane->row->plural, after, sum);
    if (tui_text_width(text) >= grid->cols)
        snprintf(text, sizeof(text), "... (%u %s: %s%s)", left, pane->row->plural,
                 view->table == MODEL_SIZES ? sum : percent, interval ? " of the total" : "");
    tui_line_add(&line, TUI_DIM, 0, "%s", text);
    if (end > first)
        tui_line_right(&line, TUI_DIM, 1, "rows %u-%u of %u", first + 1, end, view->count);
    tui_line_draw(&line, grid, row);
}

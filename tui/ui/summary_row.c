/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * summary_row.c: the line below a pane: how many rows are not shown, and their sum.
 */
#include "tui/ui/draw.h"

#include <stdio.h>
#include <string.h>

enum { PERCENT_SIZE = 64, SHARE_SIZE = 192, SUM_SIZE = 256 };

/* The rows that are not shown, and their sum. The sum is of the interval if interval columns
 * replace those of the total. */
struct rest {
    const struct model_view *view;
    bool interval;
    uint64_t sum, whole;    /* MODEL_UNKNOWN: not known for any row */
    uint32_t left;          /* number of rows */
    bool one;               /* one row, and the pane has a word for the singular */
    bool estimated;         /* one of the rows is an estimate */
    char share[SHARE_SIZE]; /* share of the whole */
};

static bool rest_estimated(const struct model_view *view, uint32_t first, uint32_t end)
{
    uint32_t shown = 0;
    for (uint32_t at = first; at < end && shown < view->estimated; at++)
        shown += model_view_estimated(view, model_view_row(view, at));
    return shown < view->estimated;
}

static uint64_t sum_shown(const struct rest *rest, uint32_t first, uint32_t end)
{
    uint64_t sum = 0;
    for (uint32_t at = first; at < end; at++) {
        const struct model_row *row = model_view_row(rest->view, at);
        const struct model_view *view = rest->view;
        uint64_t part = rest->interval ? model_state_interval_work(view->state, view->table, row)
                                       : model_view_weight(view, row);
        sum = model_state_plus(sum, part == MODEL_UNKNOWN ? 0 : part);
    }
    return sum;
}

static void write_percent(const struct rest *rest, char *out, size_t capacity)
{
    /* A sum of zero is exact, even if the whole is an estimate. */
    const bool whole_estimated = rest->sum > 0 && rest->view->whole_estimated;
    if (rest->whole == 0 || rest->sum > rest->whole)
        snprintf(out, capacity, "-");
    else
        snprintf(out, capacity, "%s%.2f%%", rest->estimated || whole_estimated ? "~" : "",
                 100.0 * (double)rest->sum / (double)rest->whole);
}

static void write_share(struct rest *rest)
{
    char percent[PERCENT_SIZE], part[TUI_NUMBER_SIZE], all[TUI_NUMBER_SIZE];
    write_percent(rest, percent, sizeof(percent));
    if (rest->whole == MODEL_UNKNOWN)
        strcpy(rest->share, "-");
    else if (rest->view->table == MODEL_SIZES)
        snprintf(rest->share, sizeof(rest->share), "%s of %s (%s)", tui_bytes(part, rest->sum),
                 tui_bytes(all, rest->whole), percent);
    else
        strcpy(rest->share, percent);
}

static struct rest take_rest(const struct tui_pane *pane, bool interval, uint32_t first,
                             uint32_t end)
{
    const struct model_view *view = &pane->view;
    struct rest rest = {.view = view, .interval = interval, .whole = view->whole};
    uint64_t all = model_state_plus(view->shown, view->hidden_sum);
    if (interval) {
        const bool known = view->interval_ns != MODEL_UNKNOWN;
        all = known ? view->interval_ns : 0;
        rest.whole = known ? view->state->totals.interval_time_ns : MODEL_UNKNOWN;
    }
    rest.sum = all - sum_shown(&rest, first, end);
    rest.left = view->count - (end - first) + view->hidden;
    rest.one = rest.left == 1 && pane->row->one;
    rest.estimated = rest_estimated(view, first, end);
    write_share(&rest);
    return rest;
}

/* Uses the words of the printed profiles for the runtime. The time of a compilation phase includes
 * its inner phases, which may be rows on the screen. So this sum adds only the time of each phase
 * itself. */
static void write_rest(const struct rest *rest, char *out, size_t capacity)
{
    char part[TUI_NUMBER_SIZE];
    const char *account = rest->one ? "accounts for" : "account for";
    if (rest->view->table == MODEL_COMPILE)
        snprintf(out, capacity, "took %s %s, %s of the compilation", tui_ns(part, rest->sum),
                 rest->one ? "itself" : "themselves", rest->share);
    else if (rest->whole == MODEL_UNKNOWN || rest->view->table == MODEL_SIZES)
        snprintf(out, capacity, "%s %s", account, rest->share);
    else if (rest->interval)
        snprintf(out, capacity, "%s %s(%s) of the interval", account, rest->share,
                 tui_ns_marked(part, rest->sum, rest->estimated));
    else
        snprintf(out, capacity, "%s %s(%s%.2fs) of the runtime", account, rest->share,
                 rest->estimated ? "~" : "", (double)rest->sum / 1e9);
}

void tui_rest_draw(const struct tui_pane *pane, bool interval, uint32_t first, uint32_t rows,
                   struct tui_grid *grid, int row)
{
    const struct model_view *view = &pane->view;
    if (!view->state)
        return;
    uint32_t end = first + rows < view->count ? first + rows : view->count;
    end = end > first ? end : first;
    const struct rest rest = take_rest(pane, interval && view->table != MODEL_SIZES, first, end);
    char sum[SUM_SIZE], text[TUI_FIELD_SIZE];
    write_rest(&rest, sum, sizeof(sum));
    /* "remaining" rows are below. In a scrolled list there are also rows above. */
    const char *what = rest.one ? pane->row->one : pane->row->plural;
    snprintf(text, sizeof(text), "  ... (%s%u %s%s %s)", first > 0 ? "" : "remaining ", rest.left,
             what, first > 0 ? " not shown" : "", sum);
    if (tui_text_width(text) >= grid->cols)
        snprintf(text, sizeof(text), "... (%u %s: %s%s)", rest.left, what, rest.share,
                 view->table == MODEL_COMPILE ? " self" : "");
    struct tui_line line = {0};
    if (rest.left > 0)
        tui_line_add(&line, TUI_DIM, 0, "%s", text);
    if (end > first)
        tui_line_right(&line, TUI_DIM, 1, "rows %u-%u of %u", first + 1, end, view->count);
    tui_line_draw(&line, grid, row);
}

/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * check_detail.c: tests tui/ui/detail.c: figures stand in two columns, and one of them is
 * explained.
 */
#include "config.h"

#include "held.h"

#include "model/column.h"

/* The screen as one line, with one blank for each gap. The next call overwrites it. */
static const char *drawn(int lines, int cols)
{
    static char text[64 * 1024];
    size_t size = 0;
    for (const char *at = draw(lines, cols); *at; at++) {
        const char byte = *at == '\n' ? ' ' : *at;
        if (byte != ' ' || (size > 0 && text[size - 1] != ' '))
            text[size++] = byte;
    }
    text[size] = '\0';
    return text;
}

/* The explained column among those of the applies. -1: none or several. */
static int explained(int lines, int cols)
{
    int found = -1;
    const char *screen = drawn(lines, cols);
    for (unsigned i = 0; i < model_columns_count; i++) {
        char line[256];
        snprintf(line, sizeof line, " %s %s",
                 model_column_title(&model_columns[i], MODEL_APPLY, app.state),
                 model_columns[i].help);
        if (!model_column_on_screen(&model_columns[i], MODEL_APPLY) || !strstr(screen, line))
            continue;
        if (found >= 0)
            return -1;
        found = (int)i;
    }
    return found;
}

static const int sizes[][2] = {{24, 80}, {40, 120}, {60, 200}};

START_TEST(one_figure_at_a_time_is_explained)
{
    const int lines = sizes[_i][0], cols = sizes[_i][1];
    type("3d");
    int before = explained(lines, cols), first = before, count = 1;
    ck_assert_int_ge(first, 0);
    for (;; count++) {
        tui_app_key(&app, TUI_KEY_RIGHT);
        const int now = explained(lines, cols);
        if (now == before)
            break; /* the last one */
        ck_assert_int_gt(now, before);
        before = now;
    }
    unsigned there = 0;
    for (unsigned i = 0; i < model_columns_count; i++)
        there += model_column_on_screen(&model_columns[i], MODEL_APPLY) &&
                 model_columns[i].width > 0 && model_column_there(&model_columns[i], app.state);
    ck_assert_int_eq(count, (int)there);
    for (; count > 1; count--)
        tui_app_key(&app, TUI_KEY_LEFT);
    ck_assert_int_eq(explained(lines, cols), first);
}
END_TEST

START_TEST(figures_stand_in_two_columns)
{
    type("3d");
    const char *screen = draw(24, 80), *line = strstr(screen, "\n %TIME ");
    ck_assert_ptr_nonnull(line);
    const size_t size = strcspn(line + 1, "\n");
    ck_assert_uint_gt(size, 40);
    ck_assert_int_eq(line[1 + 40], ' ');
    ck_assert_int_ne(line[1 + 41], ' ');
    /* On a narrow screen they stand one below the other. */
    line = strstr(draw(40, 60), "\n %TIME ");
    ck_assert_ptr_nonnull(line);
    ck_assert_uint_lt(strcspn(line + 1, "\n"), 30);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("detail");
    add(s, "explained", one_figure_at_a_time_is_explained, TAP_ROWS(sizes));
    add(s, "columns", figures_stand_in_two_columns, 1);
    return s;
}

TAP_MAIN(suite)

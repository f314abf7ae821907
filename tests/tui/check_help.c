/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * check_help.c: help over the panes, and over lists.
 */
#include "config.h"

#include "held.h"

#include "tui/ui/draw.h"

static bool shows(const char *words)
{
    return strstr(draw(99, 100), words) != NULL;
}

static void list_jobs(void)
{
    tui_app_list_begin(&app, TUI_LIST_JOBS, TUI_MODE_PICKER);
    tui_app_list_add(&app, 7, false, "one");
}

/* The help of a list shows its keys alone, and returns to the same list. The list may be refilled
 * meanwhile. */
START_TEST(help_lies_over_lists)
{
    static const enum tui_mode modes[] = {TUI_MODE_SORT, TUI_MODE_FUNCTIONS, TUI_MODE_CONTROL};
    for (size_t i = 0; i < 3; i++) {
        type(i == 0 ? "," : i == 1 ? "f" : "c");
        const size_t choices = app.screen.choices;
        tui_app_key(&app, TUI_KEY_DOWN);
        const size_t chosen = app.screen.chosen;
        type(i % 2 ? "h" : "?");
        ck_assert(shows("in a list: choose") && !shows("sort by the column to the left"));
        ck_assert_int_eq(shows("mark one of several"), i == 1);
        tui_app_key(&app, i % 2 ? '?' : TUI_KEY_ESC);
        ck_assert_int_eq(app.screen.mode, modes[i]);
        ck_assert(app.screen.choices == choices && app.screen.chosen == chosen);
        tui_app_key(&app, TUI_KEY_ESC);
        ck_assert_int_eq(app.screen.mode, TUI_MODE_TABLE);
    }
    list_jobs();
    type("?L");
    list_jobs();
    ck_assert_int_eq(app.screen.mode, TUI_MODE_LOG);
    type("?q");
    ck_assert_int_eq(app.screen.mode, TUI_MODE_PICKER);
    ck_assert_uint_eq(tui_app_key(&app, '\r') & TUI_WANT_ATTACH, TUI_WANT_ATTACH);
    type("?");
    ck_assert(shows("sort by the column to the left"));
}
END_TEST

/* Both of its keys close it, and no other. The list of jobs needs its own key first. */
START_TEST(the_key_that_opened_a_list_closes_it)
{
    static const uint32_t opens[] = {',', TUI_KEY_F6, 'f', TUI_KEY_F9, 'c'};
    static const uint32_t closes[] = {TUI_KEY_F6, ',', TUI_KEY_F9, 'f', 'c'};
    for (size_t i = 0; i < sizeof opens / sizeof opens[0]; i++) {
        tui_app_key(&app, opens[i]);
        const enum tui_mode list = app.screen.mode;
        ck_assert_int_ne(list, TUI_MODE_TABLE);
        type(i < 2 ? "fJ" : ",J");
        ck_assert_int_eq(app.screen.mode, list);
        tui_app_key(&app, closes[i]);
        ck_assert(app.screen.mode == TUI_MODE_TABLE && app.list == TUI_LIST_NONE);
    }
    app.attached = 2;
    for (size_t i = 0; i < 2; i++) {
        ck_assert_uint_eq(type("J") & TUI_WANT_JOBS, TUI_WANT_JOBS);
        tui_app_list_begin(&app, TUI_LIST_ATTACHED, TUI_MODE_SORT);
        ck_assert_uint_eq(type("J") & TUI_WANT_JOBS, 0);
        ck_assert(app.screen.mode == TUI_MODE_TABLE && app.list == TUI_LIST_NONE);
    }
    type("a");
    list_jobs();
    type("a");
    ck_assert_int_eq(app.screen.mode, TUI_MODE_TABLE);
}
END_TEST

/* The key that opened a list closes that list, not a page over it. */
START_TEST(help_over_a_list_stays_at_the_key_of_the_list)
{
    static const uint32_t opens[] = {',', TUI_KEY_F6, 'f', TUI_KEY_F9, 'c'};
    for (size_t i = 0; i < sizeof opens / sizeof opens[0]; i++) {
        tui_app_key(&app, opens[i]);
        const enum tui_mode list = app.screen.mode;
        tui_app_key(&app, TUI_KEY_F1);
        tui_app_key(&app, opens[i]);
        ck_assert_int_eq(app.screen.mode, TUI_MODE_HELP);
        tui_app_key(&app, TUI_KEY_F1);
        ck_assert_int_eq(app.screen.mode, list);
        tui_app_key(&app, opens[i]);
        ck_assert(app.screen.mode == TUI_MODE_TABLE && app.list == TUI_LIST_NONE);
    }
}
END_TEST

/* For any words that the header can show. */
START_TEST(every_word_of_the_header_is_explained)
{
    static const char *const words[] = {"vm", "vm alone", "thunks", "ops", "lag"};
    char line[64];
    type("?");
    const char *help = draw(400, 100);
    for (size_t i = 0; i < TUI_CONDITIONS; i++) {
        snprintf(line, sizeof line, "\n %-16s ", tui_conditions[i].word);
        ck_assert_msg(strstr(help, line), "%s", tui_conditions[i].word);
        ck_assert_uint_gt(strlen(tui_conditions[i].help), 10);
    }
    for (size_t i = 0; i < TUI_FAULTS; i++) {
        snprintf(line, sizeof line, "\n %-16s ", tui_faults[i].words);
        ck_assert_msg(strstr(help, line), "%s", tui_faults[i].words);
        ck_assert_uint_gt(strlen(tui_faults[i].help), 10);
    }
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        ck_assert_msg(strstr(help, words[i]), "%s", words[i]);
}
END_TEST

/* Columns of e and of the list of jobs. Over the list only its own are shown. */
START_TEST(columns_of_lists_are_explained)
{
    static const char *const words[] = {"JOB", "RUNNING", "RATE", "+RATE", "AGO", "  16 s"};
    static const char *const of_jobs[] = {"CALLS/S", "HOTTEST OP", "FEED"};
    char line[64];
    type("?");
    const char *help = draw(400, 100);
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        snprintf(line, sizeof line, "\n %-16s ", words[i]);
        ck_assert_msg(strstr(help, line), "%s", words[i]);
    }
    for (int over = 0; over < 2; over++) {
        for (size_t i = 0; i < sizeof of_jobs / sizeof of_jobs[0]; i++) {
            snprintf(line, sizeof line, "\n %-16s ", of_jobs[i]);
            ck_assert_msg(strstr(help, line), "%s", of_jobs[i]);
        }
        app.screen.under = TUI_MODE_PICKER;
        help = draw(400, 100);
    }
    ck_assert_ptr_null(strstr(help, "\n RUNNING "));
}
END_TEST

/* A word of the help is found while the user types. n finds the next. */
START_TEST(a_word_of_the_help_is_found)
{
    draw(24, 80);
    type("?");
    ck_assert_ptr_null(strstr(draw(24, 80), "~healing"));
    type("/HEALI");
    ck_assert_ptr_nonnull(strstr(draw(24, 80), "~healing"));
    type("\r");
    ck_assert_ptr_nonnull(strstr(draw(24, 80), "~healing"));
    type("/zzzz");
    ck_assert_str_eq(app.screen.message, "the help does not contain that");
    tui_app_key(&app, TUI_KEY_ESC);
    ck_assert_int_eq(app.screen.mode, TUI_MODE_HELP);
    type("/frames\r");
    const uint32_t first = app.screen.scroll;
    type("n");
    ck_assert_uint_gt(app.screen.scroll, first);
    tui_app_key(&app, TUI_KEY_ESC);
    ck_assert_int_eq(app.screen.mode, TUI_MODE_TABLE);
}
END_TEST

/* The found word is marked, also on the last page, where its line is not the first. The sign marks
 * the line that n continues from. */
START_TEST(a_word_that_was_found_is_marked)
{
    draw(24, 80);
    type("?");
    ck_assert_ptr_null(strstr(draw(24, 80), "\xe2\x96\xb6"));
    type("/too large\r");
    const char *text = draw(24, 80);
    ck_assert_ptr_nonnull(strstr(text, "\n\xe2\x96\xb6#                too large for"));
    struct tui_grid grid = {0};
    ck_assert(tui_grid_resize(&grid, 24, 80));
    tui_screen_draw(&app.screen, &grid);
    size_t marked = 0;
    for (int i = 0; i < 24 * 80; i++)
        marked += grid.cell[i].role == TUI_CURSOR;
    tui_grid_release(&grid);
    ck_assert_uint_eq(marked, strlen("too large"));
    type("/nothing such");
    ck_assert_ptr_null(strstr(draw(24, 80), "\xe2\x96\xb6"));
    tui_app_key(&app, TUI_KEY_ESC);
    type("??");
    ck_assert_ptr_null(strstr(draw(24, 80), "\xe2\x96\xb6"));
}
END_TEST

/* In the help and in the manual. Both are made from the same table. */
START_TEST(words_of_samplers_are_explained)
{
    static const char *const words[] = {"tune", "draw", "evaluations per draw", "divergences",
                                        "draws left", "time left"};
    char *manual = NULL, line[64];
    size_t size = 0;
    FILE *file = open_memstream(&manual, &size);
    ck_assert_ptr_nonnull(file);
    tui_man_print(file);
    fclose(file);
    type("?");
    const char *help = draw(400, 100);
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        snprintf(line, sizeof line, "\n %s", words[i]);
        ck_assert_msg(strstr(help, line), "%s", words[i]);
        snprintf(line, sizeof line, "\n.It %s\n", words[i]);
        ck_assert_msg(strstr(manual, line), "%s", words[i]);
    }
    free(manual);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("help");
    add(s, "the_key_that_opened_a_list_closes_it", the_key_that_opened_a_list_closes_it, 1);
    add(s, "found", a_word_of_the_help_is_found, 1);
    add(s, "marked", a_word_that_was_found_is_marked, 1);
    add(s, "samplers", words_of_samplers_are_explained, 1);
    add(s, "words", every_word_of_the_header_is_explained, 1);
    add(s, "columns", columns_of_lists_are_explained, 1);
    add(s, "help_lies_over_lists", help_lies_over_lists, 1);
    add(s, "help_over_a_list_stays_at_the_key_of_the_list",
        help_over_a_list_stays_at_the_key_of_the_list, 1);
    return s;
}

TAP_MAIN(suite)

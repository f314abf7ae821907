/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * check_pty_past.c: the real program steps back in the past of a real job, marks moments, and
 * compares with them.
 */
#include "config.h"

#include "pty_fixture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CALLS = 6 }; /* of dot, before the first command */

/* The row of the op, or "". */
static const char *row_of(const struct pty *p, const char *name)
{
    for (int at = 0; *list_row(p, at); at++)
        if (strcmp(name_of(list_row(p, at)), name) == 0)
            return list_row(p, at);
    return "";
}

/* Reads a number of a row in the column under a heading; -1: there is none. */
static double number_under(const struct pty *p, const char *name, const char *title)
{
    for (int row = 0; row < p->rows; row++) {
        const char *head = pty_row(p, row), *at = strstr(head, title);
        if (!at || !strstr(head, "NAME"))
            continue;
        /* Numbers are right-aligned: the word that ends below the title's end. */
        const char *text = row_of(p, name);
        const size_t end = (size_t)(at - head) + strlen(title);
        char word[32];
        size_t from = end;
        if (strlen(text) < end)
            return -1;
        while (from > 0 && text[from - 1] != ' ')
            from--;
        snprintf(word, sizeof word, "%.*s", (int)(end - from), text + from);
        char *rest;
        const double number = strtod(word, &rest);
        return rest == word ? -1 : number;
    }
    return -1;
}

/* The line that says where in the past the screen is. */
static void place(const struct pty *p, char out[PTY_LINE_MAX])
{
    const int row = pty_find(p, " moments of ");
    snprintf(out, PTY_LINE_MAX, "%s", row < 0 ? "" : pty_row(p, row));
}

static bool has_moved(const struct pty *p, const void *from)
{
    char now[PTY_LINE_MAX];
    place(p, now);
    return *now && strcmp(now, from) != 0;
}

/* Sends a key that steps, and waits for the moment. */
static void step(const char *key)
{
    char from[PTY_LINE_MAX];
    place(&pty, from);
    pty_send(&pty, key);
    ck_assert_msg(pty_wait(&pty, has_moved, from), "%s", pty_dump(&pty));
}

/* In ASCII, so that a byte is a column. */
static void attach_wide(const char *const more[])
{
    const char *options[12] = {"--ascii", "--filter", "dot", "--refresh", "0.1"};
    for (int i = 0; more && more[i]; i++)
        options[5 + i] = more[i];
    attach(30, 140, options);
    pty_see(&pty, "LIVE");
    pty_see(&pty, "dot");
}

struct calls {
    double number;
};

static bool has_calls(const struct pty *p, const void *what)
{
    return number_under(p, "dot", "CALLS") == ((const struct calls *)what)->number;
}

static void see_calls(int number)
{
    const struct calls calls = {number};
    ck_assert_msg(pty_wait(&pty, has_calls, &calls), "not %d calls:\n%s", number, pty_dump(&pty));
}

/* One call after the other: each is seen, so each is in a moment of its own or a later one. */
static void run_to(int calls, int until)
{
    for (; calls < until; calls++) {
        tell('r', 1);
        see_calls(calls + 1);
    }
}

START_TEST(steps_go_back_and_on)
{
    start_told();
    attach_wide(NULL);
    run_to(CALLS, CALLS + 4);
    pty_send(&pty, "[");
    pty_see(&pty, "PAUSED");
    pty_see(&pty, " moments of ");
    for (int calls = CALLS + 3; calls >= CALLS; calls--) {
        /* A tick may bring a moment in which no call was added. */
        for (int n = 0; n < 20 && number_under(&pty, "dot", "CALLS") > calls; n++)
            step("[");
        see_calls(calls);
    }
    pty_send(&pty, "{{");
    pty_see(&pty, "the past that is kept begins here");
    see_calls(CALLS);
    tell('r', 3); /* the job runs on */
    for (int n = 0; n < 20; n++)
        pty_send(&pty, "]");
    pty_see(&pty, "this is the newest moment");
    pty_send(&pty, " ");
    pty_see(&pty, "LIVE");
    pty_miss(&pty, " moments of ");
    see_calls(CALLS + 7);
    quit(0);
}
END_TEST

/* The figures since a mark are those of the calls since then. The mark is older than what is
 * shown. */
START_TEST(what_was_added_since_a_mark)
{
    start_told();
    attach_wide(NULL);
    run_to(CALLS, CALLS + 2);
    pty_send(&pty, "=");
    pty_see(&pty, "nothing is marked yet");
    pty_send(&pty, "m");
    pty_see(&pty, "marked as A");
    run_to(CALLS + 2, CALLS + 5);
    pty_send(&pty, "=");
    pty_see(&pty, "since mark A,");
    pty_see(&pty, "since mark A  "); /* before TOTAL */
    see_calls(3);
    ck_assert(number_under(&pty, "dot", "/CALL") == 1.00);
    ck_assert(number_under(&pty, "dot", "WAS/C") == 1.00);
    ck_assert(number_under(&pty, "dot", "MORE%") == 0);
    tell('r', 2); /* it goes on, live */
    see_calls(5);
    pty_send(&pty, "=");
    pty_miss(&pty, "since mark A");
    see_calls(CALLS + 7);
    pty_send(&pty, "z");
    pty_see(&pty, "since mark B zero");
    pty_see(&pty, "calls 0");
    tell('r', 1);
    see_calls(1);
    quit(0);
}
END_TEST

/* A list has the marks. Enter shows the moment of one, and = compares it with the one before. */
START_TEST(marks_are_listed)
{
    start_told();
    attach_wide(NULL);
    run_to(CALLS, CALLS + 1);
    pty_send(&pty, "m");
    pty_see(&pty, "marked as A");
    run_to(CALLS + 1, CALLS + 3);
    pty_send(&pty, "m");
    pty_see(&pty, "marked as B");
    run_to(CALLS + 3, CALLS + 4);
    pty_send(&pty, "'");
    pty_see(&pty, "TIME      MARK");
    pty_send(&pty, "r");
    pty_see(&pty, "Name:");
    pty_send(&pty, "slower lr\r");
    pty_see(&pty, "B slower lr");
    pty_send(&pty, "\r");
    pty_see(&pty, "PAUSED");
    see_calls(CALLS + 3);
    pty_send(&pty, "=");
    pty_see(&pty, "since mark A");
    see_calls(2); /* the difference of the two marks */
    pty_send(&pty, "'g\r");
    pty_see(&pty, "no mark is older than this moment: totals are shown");
    see_calls(CALLS + 1);
    quit(0);
}
END_TEST

/* A mark is set under a name, and a typed time is gone to. */
START_TEST(names_and_times_are_typed)
{
    start_told();
    attach_wide(NULL);
    run_to(CALLS, CALLS + 1);
    pty_send(&pty, "M");
    pty_see(&pty, "Name:");
    pty_send(&pty, "warm\r");
    pty_see(&pty, "marked as A warm; = compares with it");
    run_to(CALLS + 1, CALLS + 3);
    pty_send(&pty, "@");
    pty_see(&pty, "Time:");
    pty_send(&pty, "0\r");
    pty_see(&pty, "PAUSED");
    see_calls(CALLS);
    pty_send(&pty, "@-0\r");
    see_calls(CALLS + 3);
    pty_send(&pty, "@-9999\r");
    pty_see(&pty, "the past that is kept begins here");
    see_calls(CALLS);
    pty_send(&pty, "@noon\r");
    pty_see(&pty, "'noon' is no time: 14:07:30, 90");
    pty_send(&pty, "l");
    pty_see(&pty, "only a recording is played again and again");
    quit(0);
}
END_TEST

/* A reset of the job begins a new epoch: what was added since the mark is what was added since the
 * reset. The moments before are still there. */
START_TEST(a_reset_cuts)
{
    start_told();
    attach_wide(NULL);
    run_to(CALLS, CALLS + 2);
    pty_send(&pty, "m");
    pty_see(&pty, "marked as A");
    pty_send(&pty, "=");
    pty_see(&pty, "since mark A");
    pty_send(&pty, "c");
    pty_see(&pty, "begin all counts anew");
    pty_send(&pty, "G\r");
    pty_see(&pty, "control: reset (asked by");
    tell('r', 2);
    see_calls(2);
    pty_send(&pty, "=");
    see_calls(2);
    for (int n = 0; n < 30 && number_under(&pty, "dot", "CALLS") < CALLS; n++)
        step("[");
    see_calls(CALLS + 2);
    quit(0);
}
END_TEST

/* Number of signs of markers on the line below the load. */
static int markers_on_line(const struct pty *p)
{
    const int row = pty_find(p, " moments of ");
    int count = 0;
    for (const char *at = row > 0 ? pty_row(p, row - 1) : ""; *at; at++)
        count += *at == '*';
    return count;
}

static bool has_three(const struct pty *p, const void *none)
{
    (void)none;
    return markers_on_line(p) == 3;
}

static bool has_other_row(const struct pty *p, const void *row)
{
    return strcmp(pty_row(p, 0), row) != 0;
}

/* Waits until the clock in the first line has changed `times` times. */
static void let_seconds_pass(int times)
{
    char row[PTY_LINE_MAX];
    for (; times > 0; times--) {
        snprintf(row, sizeof row, "%s", pty_row(&pty, 0));
        ck_assert(pty_wait(&pty, has_other_row, row));
    }
}

/* Three markers, a column of the time line apart, have three signs. Enter on one shows its moment.
 */
START_TEST(markers_are_signs_on_the_time_line)
{
    start_told();
    attach_wide(NULL);
    for (int calls = CALLS; calls < CALLS + 3; calls++) {
        tell('r', 1);
        see_calls(calls + 1);
        tell('k', 1);
        let_seconds_pass(2);
    }
    pty_send(&pty, "[");
    pty_see(&pty, "PAUSED");
    ck_assert_msg(pty_wait(&pty, has_three, NULL), "%s", pty_dump(&pty));
    pty_send(&pty, " ");
    pty_see(&pty, "LIVE");
    pty_send(&pty, "e");
    pty_see(&pty, "Markers, the newest first");
    pty_send(&pty, "j\r"); /* the second of the three */
    pty_see(&pty, "PAUSED");
    pty_send(&pty, "e");
    see_calls(CALLS + 2);
    quit(0);
}
END_TEST

/* Rows that nothing fills have a graph of the chosen row: of the figure that sorts them. */
START_TEST(a_graph_fills_the_screen)
{
    start_told();
    attach_wide(NULL);
    run_to(CALLS, CALLS + 3);
    pty_see(&pty, "time a second");
    pty_see(&pty, "the last 2:09");
    pty_send(&pty, "C");
    pty_see(&pty, "calls a second");
    pty_send(&pty, "A");
    pty_see(&pty, "time per call");
    pty_send(&pty, "d");
    pty_see(&pty, "time per call");
    pty_send(&pty, "d");
    pty_resize(&pty, 12, 140);
    pty_miss(&pty, "time per call");
    quit(0);
}
END_TEST

/* In front of the name there is a bin that is as high as can be. */
static bool has_curve(const struct pty *p, const void *what)
{
    (void)what;
    for (int row = 0; row < p->rows; row++) {
        const char *head = pty_row(p, row), *at = strstr(head, "16 s ");
        if (at && strstr(head, "NAME")) {
            const char *text = row_of(p, "dot");
            const size_t from = (size_t)(at - head);
            return strlen(text) > from && memchr(text + from, '#', 16) != NULL;
        }
    }
    return false;
}

START_TEST(rows_have_curves)
{
    start_told();
    attach_wide(NULL);
    run_to(CALLS, CALLS + 30); /* some seconds: bins are of whole ones */
    ck_assert_msg(pty_wait(&pty, has_curve, NULL), "%s", pty_dump(&pty));
    pty_resize(&pty, 30, 99);
    pty_miss(&pty, "16 s ");
    quit(0);
}
END_TEST

/* Without a history there is none, and the keys say so. */
START_TEST(no_past_is_kept)
{
    start_told();
    attach_wide((const char *const[]){"--history", "0", NULL});
    run_to(CALLS, CALLS + 1);
    pty_send(&pty, "[");
    pty_see(&pty, "no past is kept: --history 0");
    pty_send(&pty, "m");
    pty_see(&pty, "no past is kept: --history 0");
    see_calls(CALLS + 1);
    quit(0);
}
END_TEST

/* The function is chosen while the screen is paused: its figures are those of the moment. */
START_TEST(a_function_at_a_moment)
{
    start_told();
    attach(30, 140, (const char *const[]){"--ascii", NULL});
    pty_see(&pty, "LIVE");
    tell('g', 1);
    pty_see(&pty, "second");
    pty_send(&pty, "[");
    pty_see(&pty, "PAUSED");
    pty_send(&pty, "f");
    pty_see(&pty, "Choose what is shown");
    pty_send(&pty, "\033");
    pty_miss(&pty, "Choose what is shown");
    pty_send(&pty, " ");
    pty_see(&pty, "LIVE");
    quit(0);
}
END_TEST

/* Small screens have the text of the time line, or nothing, and stay alive. */
START_TEST(a_small_screen)
{
    static const int rows[] = {24, 20, 10, 7, 5, 4}, cols[] = {80, 20, 40, 80, 20, 20};
    start_told();
    attach(24, 80, NULL);
    pty_see(&pty, "LIVE");
    tell('r', 1);
    pty_see(&pty, "dot");
    pty_send(&pty, "m=[");
    pty_see(&pty, "PAUSED");
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        pty_resize(&pty, rows[i], cols[i]);
        pty_send(&pty, "[]{}=='\033");
    }
    pty_resize(&pty, 24, 80);
    pty_see(&pty, "Space present");
    pty_send(&pty, " ");
    pty_see(&pty, "LIVE");
    quit(0);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("pty_past");
    add(s, "steps", steps_go_back_and_on, 1);
    add(s, "since", what_was_added_since_a_mark, 1);
    add(s, "marks", marks_are_listed, 1);
    add(s, "marks", names_and_times_are_typed, 1);
    add(s, "reset", a_reset_cuts, 1);
    add(s, "markers", markers_are_signs_on_the_time_line, 1);
    add(s, "graph", a_graph_fills_the_screen, 1);
    add(s, "curves", rows_have_curves, 1);
    add(s, "none", no_past_is_kept, 1);
    add(s, "function", a_function_at_a_moment, 1);
    add(s, "small", a_small_screen, 1);
    return s;
}
TAP_MAIN(suite)

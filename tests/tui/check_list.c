/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * check_list.c: tests tui/ui/table.c: the rows of the printed profile, the trailer, columns by
 * width, roles, hostile names.
 */
#include "config.h"

#include "../tap.h"

#include "tui/ui/draw.h"
#include "stage.h"

#include <locale.h>

size_t tui_help_rows(const struct tui_help_row **rows)
{
    *rows = NULL;
    return 0;
}

static void start(struct stage *stage, const struct sample *sample)
{
    ck_assert_ptr_nonnull(setlocale(LC_ALL, "C.UTF-8"));
    stage_init(stage, sample);
}

/* The first line that contains a text, or -1. */
static int find_line(const struct tui_grid *grid, const char *part)
{
    int found = -1;
    for (int row = 0; row < grid->rows && found < 0; row++) {
        char *line = stage_line(grid, row);
        found = strstr(line, part) ? row : -1;
        free(line);
    }
    return found;
}

static void assert_line(const struct tui_grid *grid, const char *part)
{
    if (find_line(grid, part) < 0) {
        char *text = stage_text(grid);
        ck_abort_msg("\"%s\" is not in\n%s", part, text);
    }
}

/* The example of the printed profile: shares, running sums, calls, applies and ids. */
static const struct {
    unsigned pane;
    const char *rows, *line[4];
} profile[] = {
    {0, "  rows 1-1 of 1",
     {"100.0 ██████ 100.0 6.19us 2.06us     3     3 tensor.elemwise.Elemwise"}},
    {1, "  rows 1-2 of 2",
     {"65.4 ██████  65.4 4.05us 2.02us     2     2 Elemwise{add,no_inplace}",
      "34.6 ███▏   100.0 2.14us 2.14us     1     1 Elemwise{mul,no_inplace}"}},
    {2, "  rows 1-3 of 3",
     {"50.0 ██████  50.0 3.09us 3.09us     1     0 Elemwise{add,no_inplace}(x, y)",
      "34.6 ████▏   84.6 2.14us 2.14us     1     2 Elemwise{mul,no_inplace}(TensorConstan",
      "15.4 █▉     100.0  952ns  952ns     1     1 Elemwise{add,no_inplace}(Elemwise{add"}},
};

START_TEST(panes_show_the_printed_profile)
{
    struct stage stage;
    start(&stage, &sample_seed);
    stage.screen.active = profile[_i].pane;
    stage.screen.name_raw = true;
    stage_draw(&stage, 24, 99);
    for (unsigned i = 0; i < 4 && profile[_i].line[i]; i++)
        assert_line(&stage.grid, profile[_i].line[i]);
    /* All rows are shown, so there is no trailer. */
    ck_assert_int_lt(find_line(&stage.grid, "remaining"), 0);
    assert_line(&stage.grid, profile[_i].rows);
    stage_release(&stage);
}
END_TEST

/* Shares of the interval have no running sum of the total. The trailer sums the interval. */
START_TEST(the_interval_is_not_mixed_with_the_total)
{
    struct stage stage;
    start(&stage, &sample_seed);
    sample_set_applies(stage.job, &sample_seed, 2);
    stage_show(&stage);
    stage.screen.active = 2;
    stage_draw(&stage, 24, 99);
    assert_line(&stage.grid, "SUM%");
    stage.screen.interval = true;
    stage_draw(&stage, 24, 99);
    assert_line(&stage.grid, "+%TIME");
    ck_assert_int_lt(find_line(&stage.grid, "SUM%"), 0);
    ck_assert_int_lt(find_line(&stage.grid, "remaining"), 0);
    model_view_filter(&stage.screen.pane[2].view, "mul");
    sample_must(tui_screen_show(&stage.screen, stage.state));
    stage_draw(&stage, 24, 99);
    assert_line(&stage.grid, "account for 65.38%(4.05us) of the interval)");
    stage_release(&stage);
}
END_TEST

/* Rows without time have no share of it. */
START_TEST(nothing_has_no_share)
{
    struct sample_apply applies[] = {{"a(x)", 0, 0, MODEL_IMPL_C, 1, 0},
                                     {"b(x)", 0, 1, MODEL_IMPL_C, 1, 0}};
    struct sample sample = sample_seed;
    struct stage stage;
    sample.applies = applies;
    sample.apply_count = 2;
    start(&stage, &sample);
    stage.screen.active = 2;
    model_view_filter(&stage.screen.pane[2].view, "a");
    stage_show(&stage);
    stage_draw(&stage, 24, 99);
    assert_line(&stage.grid, "(remaining 1 Apply instances account for -(0.00s) of the runtime)");
    stage_release(&stage);
}
END_TEST

/* -------------------------------------------------------------------------------------- trailer */

/* 50 nodes of 1000, 999, 998 ... ns. */
enum { MANY = 50 };
static struct sample_apply many_applies[MANY];
static char many_names[MANY][32];

static struct sample many(void)
{
    struct sample sample = sample_seed;
    for (uint32_t i = 0; i < MANY; i++) {
        snprintf(many_names[i], sizeof(many_names[i]), "%s%02u(x)", i % 2 ? "Dot" : "Sum", i);
        many_applies[i] = (struct sample_apply){many_names[i], i % 2, i, MODEL_IMPL_C, 1, 1000 - i};
    }
    sample.applies = many_applies;
    sample.apply_count = MANY;
    return sample;
}

static const uint64_t many_total = 1000 * MANY - MANY * (MANY - 1) / 2;

/* Without scrolling, the trailer uses the words of the printed profiles. */
START_TEST(the_trailer_counts_all_that_is_not_shown)
{
    static const struct {
        int move;
        const char *filter, *search;
    } cases[] = {{0, "", ""}, {20, "", ""}, {MANY, "", ""}, {0, "dot", ""}, {12, "SUM", ""}};
    struct sample sample = many();
    struct stage stage;
    start(&stage, &sample);
    stage.screen.active = 2;
    model_view_filter(&stage.screen.pane[2].view, cases[_i].filter);
    stage_show(&stage);
    stage_draw(&stage, 14, 99);
    tui_screen_move(&stage.screen, cases[_i].move);
    stage_draw(&stage, 14, 99);
    /* Reads the rows from the screen. */
    uint64_t shown_ns = 0;
    unsigned rows = 0;
    for (unsigned i = 0; i < MANY; i++)
        if (find_line(&stage.grid, many_names[i]) >= 0) {
            shown_ns += 1000 - i;
            rows++;
        }
    ck_assert_uint_eq(rows, (unsigned)stage.screen.shape.list_rows);
    char trailer[160];
    double rest = (double)(many_total - shown_ns);
    uint32_t top = stage.screen.pane[2].top;
    ck_assert_int_eq(top > 0, cases[_i].move > 0);
    snprintf(trailer, sizeof(trailer),
             top ? "... (%u Apply instances not shown account for %.2f%%(%.2fs) of the runtime)"
                 : "... (remaining %u Apply instances account for %.2f%%(%.2fs) of the runtime)",
             MANY - rows, 100 * rest / (double)many_total, rest / 1e9);
    assert_line(&stage.grid, trailer);
    snprintf(trailer, sizeof(trailer), "rows %u-%u of %u", top + 1, top + rows,
             cases[_i].filter[0] ? MANY / 2 : MANY);
    assert_line(&stage.grid, trailer);
    stage_release(&stage);
}
END_TEST

/* The trailer's text if these rows had untimed calls: one id, or none. The share is of all rows,
 * including the rows on screen. */
static const struct {
    uint32_t id;
    const char *filter;
    int move, cols;
    const char *part;
} estimates[] = {
    {MANY, "", 0, 99, "(remaining 40 Apply instances account for 79.59%(0.04s) of the runtime)"},
    {0, "", 0, 99, "(remaining 40 Apply instances account for ~79.59%(0.04s) of the runtime)"},
    {9, "", 0, 99, "(remaining 40 Apply instances account for ~79.59%(0.04s) of the runtime)"},
    {10, "", 0, 99, "(remaining 40 Apply instances account for ~79.59%(~0.04s) of the runtime)"},
    {49, "", 0, 99, "(remaining 40 Apply instances account for ~79.59%(~0.04s) of the runtime)"},
    {0, "", MANY, 99, "(40 Apply instances not shown account for ~80.41%(~0.04s) of the runtime)"},
    {49, "", MANY, 99, "(40 Apply instances not shown account for ~80.41%(0.04s) of the runtime)"},
    {48, "dot", 0, 99, "(remaining 40 Apply instances account for ~79.70%(~0.04s) of the runtime)"},
    {1, "dot", 0, 99, "(remaining 40 Apply instances account for ~79.70%(0.04s) of the runtime)"},
    {MANY, "", 0, 50, "... (40 Apply instances: 79.59%)"},
    {0, "", 0, 50, "... (40 Apply instances: ~79.59%)"},
};

START_TEST(the_trailer_marks_estimates)
{
    struct sample sample = many();
    struct stage stage;
    for (uint32_t i = 0; i < MANY; i++) {
        many_applies[i].calls = 2;
        many_applies[i].total_ns *= 1000;
    }
    start(&stage, &sample);
    if (estimates[_i].id < MANY) {
        const uint64_t id = estimates[_i].id, ns = 400, timed = 1;
        model_job_set_extremes(stage.job, 1, &id, &ns, &ns, &timed, false);
    }
    stage.screen.active = 2;
    model_view_filter(&stage.screen.pane[2].view, estimates[_i].filter);
    stage_show(&stage);
    stage_draw(&stage, 18, estimates[_i].cols);
    ck_assert_int_eq(stage.screen.shape.list_rows, 10);
    tui_screen_move(&stage.screen, estimates[_i].move);
    stage_draw(&stage, 18, estimates[_i].cols);
    assert_line(&stage.grid, estimates[_i].part);
    stage_release(&stage);
}
END_TEST

/* Rows without time are no estimate, even if the total is one. */
START_TEST(nothing_is_no_estimate)
{
    struct sample_apply applies[] = {{"a(x)", 0, 0, MODEL_IMPL_C, 2, 4000},
                                     {"b(x)", 0, 1, MODEL_IMPL_C, 1, 0}};
    struct sample sample = sample_seed;
    struct stage stage;
    sample.applies = applies;
    sample.apply_count = 2;
    start(&stage, &sample);
    const uint64_t id = 0, ns = 400, timed = 1;
    model_job_set_extremes(stage.job, 1, &id, &ns, &ns, &timed, false);
    stage.screen.active = 2;
    model_view_filter(&stage.screen.pane[2].view, "a(");
    stage_show(&stage);
    stage_draw(&stage, 24, 99);
    assert_line(&stage.grid, "~");
    assert_line(&stage.grid, "(remaining 1 Apply instances account for 0.00%(0.00s) of the ");
    stage_release(&stage);
}
END_TEST

/* The order stays on the screen with a filter or a dig. The feed's state stays on the screen
 * whatever runs. */
START_TEST(changing_header_parts_hide_no_lasting_ones)
{
    static const char *const texts[] = {"f", "Composite{tanh(i0 + i1 * i2)}(x, W, dot(h, U), b)"};
    struct sample sample = sample_train;
    struct stage stage;
    start(&stage, &sample);
    stage.screen.show_clock = true;
    model_job_identity_mutable(stage.job)->cost = 0.02;
    for (unsigned i = 0; i < 2; i++) {
        const struct model_apply_raw raw = {.text = {texts[i], strlen(texts[i])}};
        const uint32_t id = model_job_count(stage.job, MODEL_APPLY);
        const struct model_now now = {.thread = 0, .apply = id, .since_ns = 1000000000};
        sample_must(model_job_add_apply(stage.job, &raw));
        sample_must(model_job_set_now(stage.job, 1, &now, UINT64_C(3500000000)));
        model_job_set_stamp(stage.job, UINT64_C(3500000000), 0);
        stage_show(&stage);
        stage_draw(&stage, 24, 80);
        assert_line(&stage.grid, i ? "worker-1 in Composite" : "worker-1 in f for 2.50s");
        assert_line(&stage.grid, "for 2.50s");
        assert_line(&stage.grid, "feed 1.23k frames lag 4ms  profiling ~2.0%");
    }
    model_view_filter(&stage.screen.pane[2].view, "o");
    stage.screen.active = 2;
    stage_show(&stage);
    for (unsigned dug = 0; dug < 2; dug++) {
        stage_draw(&stage, 24, 80);
        assert_line(&stage.grid, "by %TIME");
        assert_line(&stage.grid, dug ? "in: " : "filter: o");
        assert_line(&stage.grid, "[3 Apply ");
        stage.screen.pane[2].view.only_of = MODEL_OP;
        stage.screen.pane[2].view.only = 1;
        stage_show(&stage);
    }
    stage_release(&stage);
}
END_TEST

START_TEST(an_empty_filter_result_has_a_reason)
{
    struct sample sample = many();
    struct stage stage;
    start(&stage, &sample);
    stage.screen.active = 2;
    model_view_filter(&stage.screen.pane[2].view, "nothing like it");
    stage_show(&stage);
    stage_draw(&stage, 24, 99);
    assert_line(&stage.grid, "None of the 50 Apply instances matches the filter \"nothing like "
                             "it\". Esc clears it.");
    /* A dig after that: Esc would go back first. */
    stage.screen.pane[2].view.only_of = MODEL_OP;
    stage.screen.pane[2].view.only = 1;
    stage_show(&stage);
    stage_draw(&stage, 24, 99);
    assert_line(&stage.grid, "None of the 25 Apply instances matches the filter \"nothing like "
                             "it\". Esc goes back.");
    stage.screen.pane[2].filter_last = true;
    stage_draw(&stage, 24, 99);
    assert_line(&stage.grid, "Esc clears it.");
    stage.screen.pane[2].view.only = MODEL_NONE;
    stage_show(&stage);
    stage_draw(&stage, 24, 99);
    assert_line(&stage.grid, "filter: nothing like it");
    assert_line(&stage.grid, "(remaining 50 Apply instances account for 100.00%");
    stage_release(&stage);
}
END_TEST

START_TEST(a_report_is_cut_at_the_top_rows)
{
    struct sample sample = many();
    struct stage stage;
    start(&stage, &sample);
    stage.screen.batch = true;
    stage.screen.batch_top = 10;
    stage.screen.batch_panes = 1u << 2;
    stage_draw(&stage, tui_batch_rows(&stage.screen), 120);
    uint64_t rest = many_total - 1000 * 10 + 45;
    char trailer[160];
    snprintf(trailer, sizeof(trailer), "... (remaining 40 Apply instances account for %.2f%%",
             100.0 * (double)rest / (double)many_total);
    assert_line(&stage.grid, trailer);
    assert_line(&stage.grid, many_names[9]);
    ck_assert_int_lt(find_line(&stage.grid, many_names[10]), 0);
    ck_assert_int_lt(find_line(&stage.grid, "Classes"), 0);
    /* A report has no keys. */
    model_view_filter(&stage.screen.pane[2].view, "nothing like it");
    stage_show(&stage);
    stage_draw(&stage, 24, 120);
    assert_line(&stage.grid, "matches the filter \"nothing like it\".");
    ck_assert_int_lt(find_line(&stage.grid, "Esc"), 0);
    stage_release(&stage);
}
END_TEST

/* -------------------------------------------------------------------------------------- columns */

/* Each process tests several widths: memcheck takes longer to start a process than to draw a
 * screen. */
enum { NARROWEST = 20, WIDEST = 200, ROUNDS = 20 };

static void keeps_share_and_name(int cols)
{
    struct stage stage;
    start(&stage, &sample_train);
    sample_set_applies(stage.job, &sample_train, 2);
    stage_show(&stage);
    static const char *const share[] = {"54.5", "45.9", "32.6", "100.0"};
    for (unsigned pane = 0; pane < sizeof(share) / sizeof(share[0]); pane++) {
        stage.screen.active = pane;
        stage.screen.interval = cols % 2;
        stage_draw(&stage, 24, cols);
        /* The name has room, and the heading of the sorted column is marked. */
        ck_assert_msg(find_line(&stage.grid, "NAME") >= 0, "no NAME in %d columns", cols);
        bool interval = stage.screen.interval && cols < 100;
        stage.screen.pane[pane].view.column =
            tui_screen_column(&stage.screen, stage.screen.pane[pane].row->table,
                              model_column_total(stage.screen.pane[pane].view.column, MODEL_OP));
        sample_must(tui_screen_show(&stage.screen, stage.state));
        stage_draw(&stage, 24, cols);
        assert_line(&stage.grid, interval ? "+%TIME▼" : "%TIME▼");
        assert_line(&stage.grid, share[pane]);
    }
    stage_release(&stage);
}

START_TEST(every_width_keeps_share_and_name)
{
    for (int cols = NARROWEST + _i; cols <= WIDEST; cols += ROUNDS)
        keeps_share_and_name(cols);
}
END_TEST

START_TEST(important_columns_come_back_with_room)
{
    static const struct {
        int cols;
        const char *has, *lacks;
    } rows[] = {
        {40, "%TIME▼   TIME", "SUM%"},
        {80, "SUM%   TIME  /CALL IMPL   CALLS APPLY NAME", "+%TIME"},
        {120, "+%TIME", "MIN"},
        {200, "  MIN    MAX", NULL},
    };
    struct stage stage;
    start(&stage, &sample_train);
    stage_draw(&stage, 24, rows[_i].cols);
    assert_line(&stage.grid, rows[_i].has);
    if (rows[_i].lacks)
        ck_assert_int_lt(find_line(&stage.grid, rows[_i].lacks), 0);
    stage_release(&stage);
}
END_TEST

/* True if the head line has this column's title with the mark of the order. */
static bool has_sorted_head(const struct tui_grid *grid, const char *title)
{
    char head[64];
    bool found = false;
    snprintf(head, sizeof head, " %s▼", title);
    for (int row = 0; row < grid->rows && !found; row++) {
        char *line = stage_line(grid, row);
        found = !strstr(line, "by ") && strstr(line, " %TIME") && strstr(line, head);
        free(line);
    }
    return found;
}

/* The sorted column is there on narrow screens, in the interval and in reports, and is never
 * cut. */
START_TEST(the_column_of_the_order_is_always_there)
{
    static const int widths[] = {40, 79, 80, 99, 100, 120, 200};
    const unsigned pane = _i / 2 + 1u;
    struct stage stage;
    start(&stage, &sample_train);
    sample_set_applies(stage.job, &sample_train, 2);
    stage_show(&stage);
    stage.screen.active = pane;
    stage.screen.batch_panes = 1u << pane;
    struct model_view *view = &stage.screen.pane[pane].view;
    for (unsigned i = 0; i < model_columns_count; i++) {
        const struct model_column *column = &model_columns[i];
        if (!(column->in >> view->table & 1) || column->order || column->when)
            continue;
        view->column = i;
        view->reversed = column->ascending;
        stage_show(&stage);
        for (unsigned w = 0; w < sizeof widths / sizeof widths[0]; w++) {
            stage.screen.batch = _i % 2;
            stage_draw(&stage, 60, widths[w]);
            ck_assert_msg(has_sorted_head(&stage.grid, tui_column_word(view)),
                          "no %s in %d columns:\n%s", column->id, widths[w],
                          stage_text(&stage.grid));
            ck_assert_msg(find_line(&stage.grid, " NAME") >= 0, "no NAME beside %s in %d columns",
                          column->id, widths[w]);
        }
    }
    stage_release(&stage);
}
END_TEST

/* On the screen only. A report has the same columns for any content. */
START_TEST(column_equal_in_all_rows_is_hidden)
{
    struct sample_apply applies[] = {{"a(x)", 0, 0, MODEL_IMPL_C, 1, 3000},
                                     {"b(x)", 1, 1, MODEL_IMPL_C, 1, 1000}};
    const bool several = _i & 1, reported = _i & 2, sorted = _i & 4;
    struct sample sample = sample_seed;
    struct stage stage;
    applies[1].impl = several ? MODEL_IMPL_PY : MODEL_IMPL_C;
    sample.applies = applies;
    sample.apply_count = 2;
    start(&stage, &sample);
    stage.screen.batch = reported;
    for (unsigned pane = 1; pane <= 2; pane++) {
        stage.screen.active = pane;
        stage.screen.batch_panes = 1u << pane;
        struct model_view *view = &stage.screen.pane[pane].view;
        if (sorted)
            view->column = (unsigned)model_column_find("impl", view->table);
        /* All rows of the job decide: a filter removes no column. */
        model_view_filter(view, "mul");
        stage_show(&stage);
        stage_draw(&stage, 40, 120);
        ck_assert_msg((find_line(&stage.grid, " IMPL") >= 0) == (several || reported || sorted),
                      "%s", stage_text(&stage.grid));
    }
    stage_release(&stage);
}
END_TEST

/* The full bar is the largest row of the pane, not of the window. */
START_TEST(the_bar_has_one_scale)
{
    struct sample sample = many();
    struct stage stage;
    /* Three rows of 10, 5 and 1 parts, the last two below the window. */
    many_applies[0].total_ns = 100000;
    many_applies[48].total_ns = 50000;
    many_applies[49].total_ns = 50000;
    start(&stage, &sample);
    sample_set_applies(stage.job, &sample, 2);
    stage_show(&stage);
    stage.screen.active = 2;
    stage.screen.interval = _i;
    stage.screen.pane[2].view.column = (unsigned)model_column_find("name", MODEL_APPLY);
    sample_must(tui_screen_show(&stage.screen, stage.state));
    tui_screen_move(&stage.screen, 24);
    stage_draw(&stage, 14, 96);
    /* Dot49 is at the end of the window. Sum00 is outside it. */
    ck_assert_int_lt(find_line(&stage.grid, "Sum00"), 0);
    char *line = stage_line(&stage.grid, find_line(&stage.grid, "Dot49"));
    ck_assert_msg(strstr(line, " ███ ") != NULL, "%s", line);
    free(line);
    stage_release(&stage);
}
END_TEST

START_TEST(the_mark_follows_the_sort_column)
{
    struct stage stage;
    start(&stage, &sample_train);
    struct model_view *view = &stage.screen.pane[1].view;
    ck_assert(model_view_sort(view, (unsigned)model_column_find("calls", MODEL_OP)));
    stage_show(&stage);
    stage_draw(&stage, 24, 80);
    assert_line(&stage.grid, "CALLS▼");
    assert_line(&stage.grid, "by CALLS▼");
    ck_assert(model_view_sort(view, view->column));
    stage_show(&stage);
    stage_draw(&stage, 24, 80);
    assert_line(&stage.grid, "CALLS▲");
    ck_assert(model_view_sort(view, (unsigned)model_column_find("name", MODEL_OP)));
    stage_show(&stage);
    stage.grid.ascii = true;
    stage_draw(&stage, 24, 80);
    assert_line(&stage.grid, "NAME^");
    stage_release(&stage);
}
END_TEST

/* ---------------------------------------------------------------------------------------- roles */

static enum tui_role role_at(const struct tui_grid *grid, int row, int col)
{
    return (enum tui_role)grid->cell[row * grid->cols + col].role;
}

START_TEST(heat_python_and_cursor_have_roles)
{
    struct stage stage;
    start(&stage, &sample_train);
    tui_screen_move(&stage.screen, 6);
    stage_draw(&stage, 24, 80);
    int first = find_line(&stage.grid, "NAME") + 1;
    ck_assert_int_eq(role_at(&stage.grid, first, 4), TUI_HOT);       /* 45.9 % */
    ck_assert_int_eq(role_at(&stage.grid, first + 2, 4), TUI_WARM);  /* 11.7 % */
    ck_assert_int_eq(role_at(&stage.grid, first + 5, 4), TUI_PLAIN); /* 1.9 % */
    int python = find_line(&stage.grid, " Py ");
    ck_assert_int_eq(python, first + 2);
    char *line = stage_line(&stage.grid, python);
    line[strcspn(line, "P")] = '\0';
    ck_assert_int_eq(role_at(&stage.grid, python, tui_text_width(line)), TUI_PY);
    free(line);
    /* The cursor covers its whole line. A sign marks it without colours. */
    for (int col = 0; col < 80; col++)
        ck_assert_int_eq(role_at(&stage.grid, first + 6, col), TUI_CURSOR);
    ck_assert_uint_eq(stage.grid.cell[(first + 6) * 80].ch[0], 0x25B6);
    tui_screen_move(&stage.screen, -1);
    stage_draw(&stage, 24, 80);
    ck_assert_int_eq(role_at(&stage.grid, first + 6, 4), TUI_DIM); /* 0.3 % */
    stage_release(&stage);
}
END_TEST

START_TEST(search_match_is_marked)
{
    struct stage stage;
    start(&stage, &sample_train);
    strcpy(stage.screen.search, "22scal");
    tui_screen_move(&stage.screen, 6);
    stage_draw(&stage, 24, 80);
    int row = find_line(&stage.grid, "Dot22Scalar");
    int marked = 0;
    for (int col = 0; col < 80; col++)
        marked += role_at(&stage.grid, row, col) == TUI_MATCH;
    ck_assert_int_eq(marked, 6);
    stage_release(&stage);
}
END_TEST

/* -------------------------------------------------------------------------------- hostile names */

static const char *const hostile[] = {
    "a\033[2Jb",
    "\033]0;title\a",
    "x\xC2\x9B[31m",
    "\u202Eevil",
    "\u2066abc\u2069",
    "a\nb\rc\td",
    "\xFF\xFE\xC0\x80",
    "zero\u200Bwidth",
    "e\u0301\u0302\u0303\u0304\u0305",
    "層層層層層層層層層層層層層層層層層層層層層層",
    "👩‍👩‍👧‍👦👍🏽",
    "%s%n%d",
};

START_TEST(a_hostile_name_stays_in_its_place)
{
    struct sample sample = sample_seed;
    struct sample_apply apply[2] = {{hostile[_i], 0, 0, MODEL_IMPL_C, 1, 2000},
                                    {"plain", 0, 1, MODEL_IMPL_C, 1, 1000}};
    struct sample_op op = {hostile[_i], 0};
    const char *class = hostile[_i];
    sample.applies = apply;
    sample.apply_count = 2;
    sample.ops = &op;
    sample.op_count = 1;
    sample.classes = &class;
    sample.program = sample.function = hostile[_i];
    struct stage stage;
    start(&stage, &sample);
    static const enum tui_mode modes[] = {TUI_MODE_TABLE, TUI_MODE_DETAIL};
    for (unsigned i = 0; i < 2 * TUI_PANES; i++) {
        stage.screen.active = i % TUI_PANES;
        stage.screen.mode = modes[i / TUI_PANES];
        stage_draw(&stage, 24, 80);
        char *text = stage_text(&stage.grid);
        for (const char *at = text; *at; at++)
            ck_assert((unsigned char)*at >= 0x20 || *at == '\n');
        ck_assert_ptr_null(strstr(text, "\xC2\x9B"));
        ck_assert_ptr_null(strstr(text, "\u202E"));
        ck_assert_ptr_null(strstr(text, "\u200B"));
        free(text);
        for (int row = 0; row < 24; row++) {
            char *line = stage_line(&stage.grid, row);
            ck_assert_int_le(tui_text_width(line), 80);
            free(line);
        }
    }
    stage_release(&stage);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("list");
    tap_add(s, "interval_alone", the_interval_is_not_mixed_with_the_total);
    tap_add(s, "nothing", nothing_has_no_share);
    tap_add_loop(s, "profile", panes_show_the_printed_profile, TAP_ROWS(profile));
    tap_add_loop(s, "trailer", the_trailer_counts_all_that_is_not_shown, 5);
    tap_add_loop(s, "estimates", the_trailer_marks_estimates, TAP_ROWS(estimates));
    tap_add(s, "estimates", nothing_is_no_estimate);
    tap_add(s, "nothing", an_empty_filter_result_has_a_reason);
    tap_add(s, "stands", changing_header_parts_hide_no_lasting_ones);
    tap_add(s, "top", a_report_is_cut_at_the_top_rows);
    tap_add_loop(s, "widths", every_width_keeps_share_and_name, ROUNDS);
    tap_add_loop(s, "columns", important_columns_come_back_with_room, 4);
    tap_add_loop(s, "order", the_column_of_the_order_is_always_there, 4);
    tap_add_loop(s, "same", column_equal_in_all_rows_is_hidden, 8);
    tap_add_loop(s, "bar", the_bar_has_one_scale, 2);
    tap_add(s, "mark", the_mark_follows_the_sort_column);
    tap_add(s, "roles", heat_python_and_cursor_have_roles);
    tap_add(s, "match", search_match_is_marked);
    tap_add_loop(s, "hostile", a_hostile_name_stays_in_its_place, TAP_ROWS(hostile));
    return s;
}

TAP_MAIN(suite)

/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * check_summary_row.c: tests tui/ui/summary_row.c where the text differs from the printed profiles:
 * rows of the interval under any filter, and phases inside phases.
 */
#include "config.h"

#include "drawn.h"
#include "stage_compile.h"

enum { APPLY_PANE = 2, NODES = 4, MS = 1000000 };

/* In the interval the nodes have other shares than in the runtime. The last node has a function of
 * its own, and the op of the first two. */
static const uint64_t total_ms[NODES] = {60000, 10000, 30000, 50000},
                      more_ms[NODES] = {100, 150, 750, 500};

static void set_values(struct stage *stage, bool later)
{
    for (uint32_t i = 0; i < NODES; i++) {
        const uint64_t id = i, calls = later ? 20 : 10,
                       ns = (total_ms[i] - (later ? 0 : more_ms[i])) * MS;
        model_job_set_values(stage->job, 1, &id, &calls, &ns, &ns, NULL, false);
    }
    model_job_set_stamp(stage->job, (later ? 5 : 4) * UINT64_C(1000000000), 0);
    model_job_set_values_stamp(stage->job, (later ? 5 : 4) * UINT64_C(1000000000));
}

static void show(struct stage *stage, uint32_t scope)
{
    struct model_state *state = model_state_take(stage->job, scope, stage->state);
    sample_must(state && tui_screen_show(&stage->screen, state));
    model_state_free(&stage->state);
    stage->state = state;
}

static void start_interval(struct stage *stage)
{
    static const struct model_function_raw inner = {.name = {"g", 1}, .parent = MODEL_NONE};
    const struct model_apply_raw raw = {.text = sample_bytes("Elemwise{add,no_inplace}(u, v)"),
                                        .function = 1,
                                        .impl = MODEL_IMPL_C};
    start(stage, &sample_seed);
    sample_must(model_job_add_function(stage->job, &inner) &&
                model_job_add_apply(stage->job, &raw));
    stage->screen.active = APPLY_PANE;
    stage->screen.interval = true;
}

/* NULL: all rows are shown, and there is no rest line. */
static void assert_rest(struct stage *stage, int rows, int cols, const char *rest)
{
    if (rest) {
        assert_drawn(stage, rows, cols, rest);
        return;
    }
    stage_draw(stage, rows, cols);
    char *text = stage_text(&stage->grid);
    ck_assert_ptr_null(strstr(text, "... ("));
    ck_assert_ptr_nonnull(strstr(text, "  rows 1-"));
    free(text);
}

static const struct {
    uint32_t scope, op;
    const char *filter;
    int cols;
    const char *rest;
} narrowed[] = {
    {MODEL_ALL, MODEL_NONE, "", 90, NULL},
    {MODEL_ALL, 0, "", 90, "g 1 Apply instances account for 50.00%(750ms) of the interval)"},
    {0, 0, "", 90, "(remaining 1 Apply instances account for 75.00%(750ms) of the interval)"},
    {0, 0, "(x", 90, "(remaining 2 Apply instances account for 90.00%(900ms) of the interval)"},
    {0, MODEL_NONE, "mul", 90, "(remaining 2 Apply instances account for 25.00%(250ms) of the int"},
    {0, 0, "", 50, "... (1 Apply instances: 75.00%)"},
    /* Wide screens have the total, and the interval beside it. */
    {0, 0, "", 120, "(remaining 1 Apply instances account for 30.00%(30.00s) of the runtime)"},
};

START_TEST(the_interval_adds_up_whatever_it_is_narrowed_to)
{
    struct stage stage;
    start_interval(&stage);
    struct model_view *view = &stage.screen.pane[APPLY_PANE].view;
    view->only_of = MODEL_OP;
    view->only = narrowed[_i].op;
    model_view_filter(view, narrowed[_i].filter);
    set_values(&stage, false);
    show(&stage, narrowed[_i].scope);
    set_values(&stage, true);
    show(&stage, narrowed[_i].scope);
    assert_rest(&stage, 24, narrowed[_i].cols, narrowed[_i].rest);
    stage_release(&stage);
}
END_TEST

/* Rows of the window are in none of the sums, wherever the window is. */
START_TEST(the_interval_adds_up_where_rows_have_no_room)
{
    struct stage stage;
    start_interval(&stage);
    set_values(&stage, false);
    show(&stage, 0);
    const uint64_t id = 2, ns = 20, timed = 1;
    model_job_set_extremes(stage.job, 1, &id, &ns, &ns, &timed, false);
    set_values(&stage, true);
    sample_must(model_view_sort(&stage.screen.pane[APPLY_PANE].view,
                                (unsigned)model_column_find("interval-time", MODEL_APPLY)));
    show(&stage, 0);
    assert_drawn(&stage, 7, 90, "(remaining 1 Apply instances account for ~10.00%(100ms) of the ");
    ck_assert_int_eq(stage.screen.shape.list_rows, 2);
    tui_screen_move(&stage.screen, 2);
    assert_drawn(&stage, 7, 90, "(1 Apply instances not shown account for ~75.00%(~750ms) of the ");
    stage_release(&stage);
}
END_TEST

START_TEST(trailer_without_an_interval_shows_a_dash)
{
    struct stage stage;
    start_interval(&stage);
    model_view_filter(&stage.screen.pane[APPLY_PANE].view, "mul");
    struct model_state *before = stage.state;
    stage.state = NULL; /* the next is the first */
    show(&stage, 0);
    model_state_free(&before);
    assert_drawn(&stage, 24, 90, "(remaining 2 Apply instances account for -)");
    stage.screen.interval = false;
    assert_drawn(&stage, 24, 90, "of the runtime)");
    stage_release(&stage);
}
END_TEST

/* Of 15.1 s. The first two rows are nested and have only 200 and 120 ms of their own. Both
 * OPT_FAST_RUN rows have a phase inside: their own times are 2.13 s of 5.98 s, and 450 ms of 880
 * ms. The last row has 430 ms of its own. */
static const struct {
    const char *filter, *by;
    int rows, cols, move;
    const char *rest;
} phases[] = {
    {"", "nested", 24, 90, 0, NULL},
    {"", "nested", 7, 90, 0, "(remaining 8 phases took 14.8s themselves, 97.88% of the comp"},
    {"", "nested", 7, 90, 9, "(8 phases not shown took 14.2s themselves, 94.17% of the comp"},
    {"", "own", 17, 90, 0, "(remaining 1 phase took 1.69ms itself, 0.01% of the compilation)"},
    {"opt", "time", 24, 90, 0, "(remaining 8 phases took 12.5s themselves, 82.91% of the compila"},
    {"opt", "time", 24, 40, 0, "... (8 phases: 82.91% self)"},
};

START_TEST(hidden_phases_are_summed_by_their_own_time)
{
    struct stage stage;
    start(&stage, &sample_train);
    make_compile(&stage);
    struct tui_pane *pane = &stage.screen.pane[stage.screen.active];
    pane->view.column = (unsigned)model_column_find(phases[_i].by, MODEL_COMPILE);
    model_view_filter(&pane->view, phases[_i].filter);
    stage_show(&stage);
    stage_draw(&stage, phases[_i].rows, phases[_i].cols);
    tui_screen_move(&stage.screen, phases[_i].move);
    assert_rest(&stage, phases[_i].rows, phases[_i].cols, phases[_i].rest);
    stage_release(&stage);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("rest_line");
    tap_add_loop(s, "interval", the_interval_adds_up_whatever_it_is_narrowed_to,
                 TAP_ROWS(narrowed));
    tap_add(s, "window", the_interval_adds_up_where_rows_have_no_room);
    tap_add(s, "unknown", trailer_without_an_interval_shows_a_dash);
    tap_add_loop(s, "phases", hidden_phases_are_summed_by_their_own_time, TAP_ROWS(phases));
    return s;
}

TAP_MAIN(suite)

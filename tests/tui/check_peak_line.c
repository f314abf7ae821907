/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * check_peak_line.c: tests tui/ui/peak_line.c and the Memory pane below it, by its keys.
 */
#include "config.h"

#include "held.h"

/* 3,000 bytes for apply 0, 2,500 for apply 1, and so on. None for the last two. */
static void tell_sizes(void)
{
    for (uint32_t i = 0; i + 2 < APPLIES; i++) {
        const struct model_value_raw value = {.bytes = 3000 - 500 * i, .source = MODEL_NONE};
        const struct model_about_raw raw = {
            .rev = 1, .bytes = value.bytes, .outputs = 1, .value = &value};
        ck_assert(model_job_set_about(job, i, &raw));
    }
    ck_assert(tui_app_show(&app, model_state_take(job, MODEL_ALL, NULL)));
}

START_TEST(memory_pane_appears_when_sizes_are_known)
{
    ck_assert_ptr_null(strstr(draw(24, 80), "Memory"));
    type("5");
    ck_assert_ptr_nonnull(strstr(draw(24, 80), " no sizes of values are known (a program tells "
                                                "them by proftop_apply_detail())"));
    ck_assert_ptr_nonnull(strstr(draw(24, 80), "  rows 1-8 of 8"));
    type("%");
    ck_assert_ptr_nonnull(
        strstr(draw(24, 80), "Memory has no %TIME; , lists what it can be sorted by"));
    type("3");
    /* An estimated time does not make an apply's bytes an estimate. */
    const uint64_t id = 4, ns = 20, timed = 1;
    model_job_set_extremes(job, 1, &id, &ns, &ns, &timed, false);
    tell_sizes();
    ck_assert_ptr_nonnull(strstr(draw(24, 80), "  5 Memory"));
    type("\t");
    ck_assert_uint_eq(app.screen.active, MEMORY_PANE);
    /* Outputs of less than 1,024 bytes are in the trailer. Unknown sizes are shown. */
    ck_assert_str_eq(rows(), "012367");
    const char *screen = draw(24, 120);
    ck_assert_ptr_nonnull(strstr(screen, "[5 Memory]"));
    ck_assert_ptr_nonnull(strstr(
        screen, "(remaining 2 Apply instances account for 1.46 KiB of 10.3 KiB (14.29%))"));
    type("I");
    ck_assert_str_eq(rows(), "321067");
    type("C");
    ck_assert_str_eq(rows(), "236701");
    tui_app_key(&app, '\r');
    ck_assert_uint_eq(app.screen.mode, TUI_MODE_DETAIL);
    ck_assert_ptr_nonnull(strstr(draw(40, 100), "memory of a call's outputs"));
}
END_TEST

#define OF_NUMBA "known (Numba's code tells those of fixed shapes alone)"

/* Data of a job, and the text on the screen if the job sends no sizes. */
static const struct {
    const char *framework, *route, *facts, *why;
} untold[] = {
    {"my engine", "", "", "known (a program tells them by proftop_apply_detail())"},
    {"PyTensor", "Numba by marks in its source: 2", "", OF_NUMBA},
    {"PyTensor", "", "linker=numba\n", OF_NUMBA},
    {"PyTensor", "", "mode.0=0-3:Mode linker=numba optimizer=fast_run\n", OF_NUMBA},
    {"PyTensor", "", "linker=cvm\n", "no sizes of values are known\n"},
    {"Theano", "", "", "no sizes of values are known\n"},
};

START_TEST(memory_pane_explains_missing_sizes)
{
    struct model_identity *who = model_job_identity_mutable(job);
    const char *framework = untold[_i].framework, *facts = untold[_i].facts;
    ck_assert(model_job_set_text(job, &who->framework, framework, strlen(framework)) &&
              model_job_set_text(job, &who->route, untold[_i].route, strlen(untold[_i].route)) &&
              model_job_set_text(job, &who->facts, facts, strlen(facts)));
    type("5");
    const char *screen = draw(24, 100);
    ck_assert_msg(strstr(screen, untold[_i].why) != NULL, "%s", screen);
}
END_TEST

START_TEST(memory_pane_points_to_what_ops_allocate)
{
    const struct model_bytes name = {"alloc", 5}, unit = {"bytes", 5};
    ck_assert(model_job_set_metric(job, 0, name, unit, MODEL_SUM));
    type("5");
    const char *screen = draw(24, 100);
    ck_assert_msg(strstr(screen, "known; ALLOC of other panes has what ops allocate, e the memory"),
                  "%s", screen);
}
END_TEST

START_TEST(memory_pane_reports_that_all_outputs_are_small)
{
    tell_sizes();
    app.screen.pane[MEMORY_PANE].view.least_bytes = 4096;
    app.screen.pane[MEMORY_PANE].view.least_by_job = false;
    type("5\\gemv\r");
    ck_assert_str_eq(rows(), "");
    ck_assert_ptr_nonnull(strstr(
        draw(24, 120), "All outputs of the 2 Apply instances take less than 4.00 KiB."));
}
END_TEST

/* While the screen is paused its peak does not change, whatever arrives. */
START_TEST(a_pause_keeps_the_peak)
{
    tell_sizes();
    type("5");
    ck_assert_ptr_nonnull(strstr(draw(24, 120), "train:  peak >=5.86 KiB (>=5.86 KiB)"));
    type(" ");
    const struct model_value_raw value = {.bytes = 1 << 20, .source = MODEL_NONE};
    const struct model_about_raw raw = {
        .rev = 2, .bytes = value.bytes, .outputs = 1, .value = &value};
    ck_assert(model_job_set_about(job, 0, &raw));
    ck_assert_ptr_nonnull(strstr(draw(24, 120), "train:  peak >=5.86 KiB (>=5.86 KiB)"));
    type(" ");
    ck_assert_ptr_nonnull(strstr(draw(24, 120), "train:  peak >=1.00 MiB (>=1.00 MiB)"));
}
END_TEST

/* The peak of a large job is computed at intervals. Meanwhile it may be outdated, and is shown as
 * such. */
START_TEST(a_large_job_has_an_older_peak)
{
    for (uint32_t i = 0; i < APPLIES; i++) {
        const struct model_value_raw value = {.bytes = 2048, .source = MODEL_NONE};
        const struct model_about_raw raw = {
            .rev = 1, .bytes = value.bytes, .outputs = 1, .value = &value};
        ck_assert(model_job_set_about(job, i, &raw));
    }
    ck_assert(tui_app_show(&app, model_state_take(job, MODEL_ALL, NULL)));
    type("5");
    ck_assert_ptr_nonnull(strstr(draw(24, 120), "train:  peak 8.00 KiB (8.00 KiB)"));
    ck_assert_uint_eq(app.screen.memory.again_ns, 0);
    app.screen.memory.again_ns = 5000;
    app.screen.now_ns = 4999;
    const struct model_value_raw value = {.bytes = 4096, .source = MODEL_NONE};
    const struct model_about_raw raw = {
        .rev = 2, .bytes = value.bytes, .outputs = 1, .value = &value};
    ck_assert(model_job_set_about(job, 0, &raw));
    ck_assert_ptr_nonnull(strstr(draw(24, 120), "train:  peak ~8.00 KiB (~8.00 KiB)"));
    app.screen.now_ns = 5000;
    ck_assert_ptr_nonnull(strstr(draw(24, 120), "train:  peak 10.0 KiB (10.0 KiB)"));
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("peak line");
    add(s, "memory", memory_pane_appears_when_sizes_are_known, 1);
    add(s, "untold", memory_pane_explains_missing_sizes, sizeof untold / sizeof untold[0]);
    add(s, "memory_pane_points_to_what_ops_allocate", memory_pane_points_to_what_ops_allocate, 1);
    add(s, "small", memory_pane_reports_that_all_outputs_are_small, 1);
    add(s, "peak", a_pause_keeps_the_peak, 1);
    add(s, "large", a_large_job_has_an_older_peak, 1);
    return s;
}

TAP_MAIN(suite)

/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * held.h: an app with a state of known values, for the tests of keys.
 */
#ifndef TESTS_TUI_HELD_H
#define TESTS_TUI_HELD_H

#include "tui/app/app.h"

#include <locale.h>
#include <stdio.h>
#include <string.h>

#include "../tap.h"
#include "tui/ui/term.h"

enum { CLASS_PANE, OP_PANE, APPLY_PANE, LINE_PANE, MEMORY_PANE, CLASSES = 2, OPS = 4, APPLIES = 8 };

static struct tui_options options;
static struct tui_app app;
static struct model_job *job;
static struct model_link job_link;

static const char *const op_names[OPS] = {"Dot22", "Gemv{inplace}", "Elemwise{add}",
                                          "Elemwise{mul}"};

/* Two classes of two ops each, two applies of each op, in two functions. Times and calls give every
 * column a different order of the ops. */
static inline void setup(void)
{
    static const uint8_t instance[16] = {7};
    static const uint64_t id[APPLIES] = {0, 1, 2, 3, 4, 5, 6, 7};
    static const uint64_t calls[APPLIES] = {1, 1, 50, 50, 10, 10, 4, 4};
    static const uint64_t total[APPLIES] = {400, 400, 300, 300, 200, 200, 100, 100};
    uint64_t unknown[APPLIES];
    memset(unknown, 0xff, sizeof unknown);
    ck_assert_ptr_nonnull(setlocale(LC_ALL, "C.UTF-8"));
    job = model_job_new(instance);
    ck_assert(model_job_add_class(job, "blas", 4) && model_job_add_class(job, "elemwise", 8));
    for (uint32_t i = 0; i < OPS; i++)
        ck_assert(model_job_add_op(job, i / 2, op_names[i], strlen(op_names[i])));
    for (uint32_t i = 0; i < 2; i++) {
        struct model_function_raw raw = {.name = {i ? "valid" : "train", 5}, .parent = MODEL_NONE};
        ck_assert(model_job_add_function(job, &raw));
    }
    for (uint32_t i = 0; i < APPLIES; i++) {
        struct model_apply_raw raw = {.function = i % 2, .op = i / 2, .index = i};
        ck_assert(model_job_add_apply(job, &raw));
    }
    ck_assert_uint_eq(model_job_set_values(job, APPLIES, id, calls, total, unknown, NULL, false),
                      0);
    model_job_set_complete(job);
    char why[64];
    char program[] = "proftop", *argv[] = {program, NULL};
    ck_assert(tui_options_parse(&options, 1, argv, why, sizeof why));
    ck_assert(tui_app_init(&app, &options));
    app.screen.link = &job_link;
    job_link = (struct model_link){.state = MODEL_LIVE, .frames = 10};
    ck_assert(tui_app_show(&app, model_state_take(job, MODEL_ALL, NULL)));
}

static inline void teardown(void)
{
    tui_app_release(&app);
    model_job_release(&job);
}

static inline unsigned type(const char *keys)
{
    unsigned want = 0;
    for (; *keys; keys++)
        want |= tui_app_key(&app, (unsigned char)*keys);
    return want;
}

static inline struct tui_pane *pane(void)
{
    return &app.screen.pane[app.screen.active];
}

/* Ids of the rows shown, as digits. */
static inline const char *rows(void)
{
    static char text[APPLIES + 1];
    uint32_t count = pane()->view.count;
    for (uint32_t i = 0; i < count; i++)
        text[i] = (char)('0' + model_view_row(&pane()->view, i)->id);
    text[count] = '\0';
    return text;
}

/* The screen as text. The next call overwrites it. */
static inline const char *draw(int lines, int cols)
{
    static char text[64 * 1024];
    struct tui_grid drawn = {0};
    ck_assert(tui_grid_resize(&drawn, lines, cols));
    tui_app_fit(&app, cols);
    tui_screen_draw(&app.screen, &drawn);
    FILE *file = fmemopen(text, sizeof text, "w");
    tui_text_print(&drawn, file);
    fclose(file);
    tui_grid_release(&drawn);
    return text;
}

static inline void add(Suite *s, const char *name, const TTest *test, int loops)
{
    TCase *one = tcase_create(name);
    tcase_add_checked_fixture(one, setup, teardown);
    tcase_set_timeout(one, TAP_TIMEOUT);
    tcase_add_loop_test(one, test, 0, loops);
    suite_add_tcase(s, one);
}

#endif

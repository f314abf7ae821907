/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * stage_compile.h: compilations with known phases, for the tests of the screen.
 */
#ifndef TESTS_TUI_STAGE_COMPILE_H
#define TESTS_TUI_STAGE_COMPILE_H

#include "stage.h"

/* The first function is compiled, the second one is being rewritten. */
static void make_compile(struct stage *stage)
{
    static const struct {
        const char *name;
        struct model_phase phase;
    } phases[] = {
        {"OPT_FAST_RUN", {.calls = 1, .total_ns = 5980000000, .validate_ns = 1050000,
                          .nodes_before = 38, .nodes_after = 17, .parent = MODEL_NONE,
                          .kind = MODEL_PHASE_REWRITE}},
        {"canonicalize", {.calls = 1, .total_ns = 3850000000, .validate_ns = 474000,
                          .nodes_before = 33, .nodes_after = 19, .kind = MODEL_PHASE_REWRITE}},
        {"local_fill_sink", {.calls = 3, .total_ns = 1690000, .validate_ns = 35500,
                             .nodes_before = 33, .nodes_after = 19, .parent = 1,
                             .kind = MODEL_PHASE_REWRITE}},
        {"gcc", {.calls = 4, .total_ns = 7100000000, .validate_ns = MODEL_UNKNOWN,
                 .nodes_before = MODEL_UNKNOWN, .nodes_after = MODEL_UNKNOWN,
                 .parent = MODEL_NONE, .kind = MODEL_PHASE_CODEGEN}},
        {"OPT_FAST_RUN", {.total_ns = MODEL_UNKNOWN, .validate_ns = MODEL_UNKNOWN,
                          .nodes_before = 4710, .nodes_after = MODEL_UNKNOWN, .function = 1,
                          .parent = MODEL_NONE, .kind = MODEL_PHASE_REWRITE}},
        {"specialize", {.calls = 2, .total_ns = 120000000, .validate_ns = MODEL_UNKNOWN,
                        .nodes_before = 4710, .nodes_after = 4000, .function = 1, .parent = 4,
                        .kind = MODEL_PHASE_REWRITE}},
    };
    static const struct model_function_raw test = {.name = {"f_test", 6}, .parent = MODEL_NONE};
    static const uint64_t one = 1, none = MODEL_UNKNOWN;
    const uint64_t now_ns = model_job_mono_ns(stage->job), since_ns = now_ns - 900000000;
    sample_must(model_job_add_function(stage->job, &test));
    sample_must(model_job_set_compile(stage->job, 1, &one, &none, &none, &none, &none, &since_ns,
                                      false) == 0);
    for (uint32_t i = 0; i < sizeof(phases) / sizeof(phases[0]); i++) {
        struct model_phase phase = phases[i].phase;
        phase.rev = 1;
        phase.open_since_ns = i < 4 ? MODEL_UNKNOWN : now_ns - (i == 4 ? 880000000 : 310000000);
        sample_must(model_job_set_phase(stage->job, i, &phase, phases[i].name,
                                        strlen(phases[i].name)));
    }
    stage->screen.active = tui_pane_of(MODEL_COMPILE);
    stage_show(stage);
}

#endif

/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * stage_waits.h: a job whose framework's engine works while the program waits for it, with steps
 * and samples, for the tests of the screen.
 */
#ifndef TESTS_TUI_STAGE_WAITS_H
#define TESTS_TUI_STAGE_WAITS_H

#include "model/objects.h"
#include "stage.h"

static const char *const sample_engine_classes[] = {"Convolution", "FullyConnected", "Activation",
                                                    "KVStore", "Engine"};
static const struct sample_op sample_engine_ops[] = {
    {"Convolution", 0}, {"_backward_Convolution", 0}, {"FullyConnected", 1},
    {"Activation", 2},  {"KVStorePull", 3},           {"WaitForAll", 4},
};
static const struct sample_apply sample_engine_applies[] = {
    {"conv0_fwd", 0, 0, MODEL_IMPL_C, 1200, 9100000000},
    {"conv0_fwd_backward", 1, 1, MODEL_IMPL_C, 1200, 17400000000},
    {"conv1_fwd", 0, 2, MODEL_IMPL_C, 1200, 6200000000},
    {"dense0_fwd", 2, 3, MODEL_IMPL_C, 1200, 3300000000},
    {"relu0_fwd", 3, 4, MODEL_IMPL_C, 1200, 610000000},
    {"relu1_fwd", 3, 5, MODEL_IMPL_C, 0, 0},
};
static const struct sample sample_engine = {"train_cnn.py",
                                            "cachedop0",
                                            sample_engine_classes,
                                            5,
                                            sample_engine_ops,
                                            6,
                                            sample_engine_applies,
                                            6,
                                            1200,
                                            38200000000,
                                            MODEL_UNKNOWN,
                                            MODEL_UNKNOWN,
                                            MODEL_UNKNOWN,
                                            MODEL_UNKNOWN,
                                            MODEL_UNKNOWN};

static inline void waits_set(struct stage *stage, uint64_t id, uint64_t calls, uint64_t ns)
{
    const uint64_t last = ns / calls;
    model_job_set_values(stage->job, 1, &id, &calls, &ns, &last, NULL, false);
}

static inline void waits_add(struct stage *stage, uint32_t op, const char *text,
                             enum model_waits waits, uint64_t calls, uint64_t ns)
{
    const uint64_t id = model_job_count(stage->job, MODEL_APPLY);
    const struct model_apply_raw raw = {.text = sample_bytes(text),
                                        .op = op,
                                        .index = (uint32_t)id,
                                        .impl = MODEL_IMPL_C,
                                        .waits = (uint8_t)waits};
    sample_must(model_job_add_apply(stage->job, &raw));
    waits_set(stage, id, calls, ns);
}

/* `steps` steps of 32 samples have ended, the last of them at `until_ns`. */
static inline void waits_step(struct stage *stage, uint64_t steps, uint64_t until_ns)
{
    const struct model_span_value value = {.calls = steps,
                                           .total_ns = steps,
                                           .self_ns = steps,
                                           .last_ns = 1,
                                           .open_since_ns = MODEL_UNKNOWN,
                                           .min_ns = 1,
                                           .max_ns = 1,
                                           .first_ns = 1,
                                           .until_ns = until_ns};
    const struct model_counter_value counter = {.value.i = (int64_t)steps * 320,
                                                .updates = steps,
                                                .limit = MODEL_UNKNOWN};
    sample_must(model_job_set_span(stage->job, 0, &value));
    sample_must(model_job_set_span_edges(stage->job, 0, &value));
    sample_must(model_job_set_counter(stage->job, 0, MODEL_I64, &counter));
}

/* For sample_engine: two applies that wait for the job's own work, one of them of an op that also
 * works, and one that waits for other jobs. 12.5 steps per second, of 320 samples each. */
static inline void make_waits(struct stage *stage)
{
    struct model_identity *who = model_job_identity_mutable(stage->job);
    const struct model_span_raw span = {
        .domain = {"Trainer", 7}, .name = {"step", 4}, .kind = MODEL_FRAME};
    const struct model_counter_raw counter = {.domain = span.domain, .name = {"samples", 7}};
    model_job_set_text(stage->job, &who->framework, "MXNet", 5);
    model_job_set_text(stage->job, &who->framework_version, "1.9.1", 5);
    model_job_set_text(stage->job, &who->route, "engine hooks", 12);
    waits_add(stage, 5, "WaitForAll()", MODEL_WAITS, 300, 21000000000);
    waits_add(stage, 0, "conv1_fwd (queue)", MODEL_WAITS, 1200, 800000000);
    waits_add(stage, 4, "KVStorePull(w)", MODEL_WAITS_FOR_JOBS, 300, 2500000000);
    const struct model_now now = {.apply = 6, .since_ns = UINT64_C(1700000000)};
    sample_must(model_job_set_now(stage->job, 1, &now, UINT64_C(2000000000)));
    sample_must(model_job_add_span(stage->job, &span));
    sample_must(model_job_add_counter(stage->job, &counter));
    waits_step(stage, 100, UINT64_C(1900000000));
    stage_show(stage);
    sample_set_applies(stage->job, &sample_engine, 3);
    waits_set(stage, 6, 400, UINT64_C(28000000000));
    waits_set(stage, 7, 1800, 1200000000);
    waits_set(stage, 8, 400, UINT64_C(3400000000));
    waits_step(stage, 125, UINT64_C(3900000000));
    stage_show(stage);
}

/* The same with calls of an interface whose work other rows count. One of them is open. */
static inline void make_aside(struct stage *stage)
{
    sample_must(model_job_add_class(stage->job, "MXNET_C_API", 11));
    sample_must(model_job_add_op(stage->job, 5, "MXInvokeCachedOp", 16));
    make_waits(stage);
    waits_add(stage, 6, "MXInvokeCachedOp()", MODEL_ASIDE, 1200, UINT64_C(29000000000));
    const struct model_now now = {.apply = 9, .since_ns = UINT64_C(2700000000)};
    sample_must(model_job_set_now(stage->job, 1, &now, UINT64_C(4100000000)));
    stage_show(stage);
}

#endif

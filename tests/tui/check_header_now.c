/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * check_header_now.c: tests tui/ui/header_now.c: the open calls.
 */
#include "config.h"

#include "../tap.h"

#include "drawn.h"

START_TEST(an_open_op_is_named_and_its_time_grows)
{
    struct stage stage;
    start(&stage, &sample_train);
    struct model_now now[] = {{0, 2, UINT64_C(1500000000), 0},
                              {0, 3, UINT64_C(1900000000), 0}};
    ck_assert(model_job_set_now(stage.job, 2, now, UINT64_C(3500000000)));
    model_job_set_stamp(stage.job, UINT64_C(3500000000), 0);
    stage_show(&stage);
    /* The job's later changes are not in this state. */
    model_job_set_stamp(stage.job, UINT64_C(9900000000), 0);
    assert_drawn(&stage, 24, 80, "worker-1 in Dot22Scalar(x, W, 0.5) for 2.00s, 1 more");
    assert_drawn(&stage, 40, 120, "worker-1 in Dot22Scalar(x, W, 0.5) for 2.00s, 1 more");
    stage_release(&stage);
}
END_TEST

/* The step of the loop that an op runs in, or is. */
START_TEST(open_loop_shows_its_step)
{
    struct stage stage;
    start(&stage, &sample_train);
    const struct model_function_raw inner = {.name = {"inner", 5}, .parent = 3};
    ck_assert(model_job_add_function(stage.job, &inner));
    const struct model_apply_raw tanh = {.function = 1, .op = 0, .text = {"tanh(h)", 7}};
    ck_assert(model_job_add_apply(stage.job, &tanh));
    struct model_now now[] = {{0, 8, UINT64_C(1500000000), 0}};
    ck_assert(model_job_set_now(stage.job, 1, now, UINT64_C(3500000000)));
    model_job_set_stamp(stage.job, UINT64_C(3500000000), 0);
    const struct model_bytes names[] = {{"step", 4}, {"steps", 5}};
    for (uint32_t i = 0; i < 2; i++)
        ck_assert(model_job_set_metric(stage.job, i, names[i], names[1], MODEL_LAST));
    stage_show(&stage);
    assert_drawn(&stage, 24, 80, "worker-1 in tanh(h) for 2.00s  ");
    ck_assert(model_job_set_metric_value(stage.job, 0, 3, 1, 40));
    stage_show(&stage);
    assert_drawn(&stage, 24, 80, "worker-1 in tanh(h) for 2.00s, step 40");
    ck_assert(model_job_set_metric_value(stage.job, 1, 3, 1, 100));
    stage_show(&stage);
    assert_drawn(&stage, 24, 80, "worker-1 in tanh(h) for 2.00s, step 40 of 100");
    now[0].apply = 3;
    ck_assert(model_job_set_now(stage.job, 1, now, UINT64_C(3500000000)));
    stage_show(&stage);
    assert_drawn(&stage, 40, 120, " for 2.00s, step 40 of 100");
    stage_release(&stage);
}
END_TEST

/* A loop of 45 ms ends before its step is read. A loop of 55 ms does not. */
START_TEST(step_of_a_short_loop_is_not_shown)
{
    const uint64_t loops_ns[] = {3 * UINT64_C(45000000), 3 * UINT64_C(55000000)};
    for (uint32_t i = 0; i < 2; i++) {
        struct sample_apply applies[4];
        struct sample sample = sample_train;
        struct stage stage;
        memcpy(applies, sample.applies, sizeof(applies));
        applies[3].calls = 3;
        applies[3].total_ns = loops_ns[i];
        sample.applies = applies;
        sample.apply_count = 4;
        start(&stage, &sample);
        const struct model_now now = {0, 3, UINT64_C(3499000000), 0};
        ck_assert(model_job_set_now(stage.job, 1, &now, UINT64_C(3500000000)));
        model_job_set_stamp(stage.job, UINT64_C(3500000000), 0);
        const struct model_bytes name = {"step", 4};
        ck_assert(model_job_set_metric(stage.job, 0, name, name, MODEL_LAST));
        ck_assert(model_job_set_metric_value(stage.job, 0, 3, 1, 2));
        stage_show(&stage);
        if (i == 0)
            assert_not_drawn(&stage, 40, 120, ", step");
        assert_drawn(&stage, 40, 120, i == 0 ? " for 1.00ms" : " for 1.00ms, step 2");
        stage_release(&stage);
    }
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("header_now");
    tap_add(s, "now", an_open_op_is_named_and_its_time_grows);
    tap_add(s, "step", open_loop_shows_its_step);
    tap_add(s, "short", step_of_a_short_loop_is_not_shown);
    return s;
}
TAP_MAIN(suite)

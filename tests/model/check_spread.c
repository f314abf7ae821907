/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * check_spread.c: the variation of rows by themselves: samples with known answers, and random
 * samples checked by how often the interval holds the true value.
 */
#include "model/spread.h"

#include <math.h>

#include "model/diff.h"
#include "sample.h"

/* Sets the calls and the time of the job's applies 0 to 3. */
static void refresh(struct model_spread *spread, struct model_job *job, uint64_t calls, uint64_t ns)
{
    for (uint64_t id = 0; id < 4; id++)
        sample_value(job, id, calls, ns);
    struct model_state *state = model_state_take(job, MODEL_ALL, NULL);
    ck_assert_ptr_nonnull(state);
    model_spread_add(spread, state);
    model_state_free(&state);
}

/* Three samples of 10 calls each, with 90, 100 and 110 ns per call: residuals of 100, 0 and 100
 * ns. */
START_TEST(samples_make_an_interval)
{
    struct model_spread spread = {0};
    struct model_job *job = sample_empty();
    sample_class(job, "c");
    sample_op(job, 0, "op");
    sample_function(job, "f", MODEL_NONE);
    for (uint32_t id = 0; id < 4; id++)
        sample_apply(job, 0, 0, id, "x", MODEL_IMPL_C);
    refresh(&spread, job, 100, 10000);
    ck_assert_double_lt(model_spread_half(&spread, MODEL_APPLY, 0), 0);
    refresh(&spread, job, 110, 10900);
    refresh(&spread, job, 120, 11900);
    refresh(&spread, job, 120, 11900); /* no call: no sample */
    ck_assert_double_lt(model_spread_half(&spread, MODEL_APPLY, 0), 0);
    refresh(&spread, job, 130, 13000);
    /* 30 of its 130 calls were seen. */
    const double half = 4.303 * sqrt(20000.0 * 3 / 2 * 130 / 30);
    ck_assert_double_le(fabs(model_spread_half(&spread, MODEL_APPLY, 3) - half), 1);
    ck_assert_double_le(fabs(model_spread_half(&spread, MODEL_OP, 0) - 4 * half), 4);
    ck_assert_double_lt(model_spread_half(&spread, MODEL_APPLY, 4), 0); /* no such row */
    ck_assert_uint_eq(spread.refreshes, 5);
    model_spread_release(&spread);
    model_job_release(&job);
}
END_TEST

/* Two equal jobs differ by no more than their noise in about 95 of 100 cases. A different job is
 * found. */
START_TEST(equal_jobs_differ_within_their_noise)
{
    struct sample_random random = {(uint64_t)_i + 5};
    uint32_t within = 0, found = 0, cases = 0;
    for (int round = 0; round < 50; round++) {
        struct model_spread spread[3] = {{{0}, {0}, 0}};
        struct model_state *state[3];
        struct model_job *job[3];
        for (int side = 0; side < 3; side++) {
            uint64_t ns = 0;
            job[side] = sample_job();
            for (uint64_t n = 1; n <= 10; n++) {
                for (int call = 0; call < 100; call++)
                    ns += 900 + sample_below(&random, 200) + (side == 2 ? 100 : 0);
                refresh(&spread[side], job[side], 100 * n + 100, ns + 10000);
            }
            state[side] = model_state_take(job[side], MODEL_ALL, NULL);
        }
        for (int other = 1; other < 3; other++) {
            struct model_diff diff;
            ck_assert(model_diff_take(&diff, state[0], state[other]));
            for (uint32_t i = 0; i < 4; i++)
                ck_assert_double_lt(diff.table[MODEL_APPLY].row[i].noise_ns, 0);
            model_diff_noise(&diff, &spread[0], NULL); /* the noise of one is unknown */
            ck_assert(!model_diff_is_noise(&diff.table[MODEL_APPLY].row[0]));
            model_diff_noise(&diff, &spread[0], &spread[other]);
            const bool is = model_diff_is_noise(&diff.table[MODEL_APPLY].row[0]);
            within += other == 1 && is;
            found += other == 2 && !is;
            model_diff_release(&diff);
        }
        cases++;
        for (int side = 0; side < 3; side++) {
            model_state_free(&state[side]);
            model_job_release(&job[side]);
            model_spread_release(&spread[side]);
        }
    }
    ck_assert_uint_ge(within, cases * 88 / 100);
    ck_assert_uint_eq(found, cases);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("spread");
    tap_add(s, "samples_make_an_interval", samples_make_an_interval);
    tap_add_loop(s, "equal_jobs_differ_within_their_noise", equal_jobs_differ_within_their_noise,
                 4);
    return s;
}
TAP_MAIN(suite)

/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * check_shares.c: for any data of a job and any view, each share is 0 to 100 or unknown, and each
 * ratio is finite or unknown: all percent columns, of all rows, of one job and of several.
 */
#include <math.h>

#include "model/multi_job.h"
#include "sample.h"
#include "model/view.h"

enum { RUNS = 120, STEPS = 6, JOBS = 3 };

static void is_percent(const struct model_column *column, const struct model_cell *cell)
{
    const bool ratio = strcmp(column->id, "over") == 0;
    ck_assert_msg(isfinite(cell->d) && cell->d >= 0, "%s: %f", column->id, cell->d);
    ck_assert_msg(ratio || cell->d <= 100 + 1e-9, "%s: %f", column->id, cell->d);
}

static void look_at(struct model_state *state)
{
    static const enum model_table tables[] = {MODEL_CLASS, MODEL_OP,    MODEL_FUNCTION, MODEL_LINE,
                                              MODEL_APPLY, MODEL_SIZES, MODEL_COMPILE};
    for (int t = 0; t < TAP_ROWS(tables); t++) {
        const enum model_table table = tables[t];
        struct model_view view;
        ck_assert(model_view_init(&view, table));
        ck_assert(model_view_update(&view, state));
        for (unsigned i = 0; i < model_columns_count; i++) {
            const struct model_column *column = &model_columns[i];
            if (column->unit != MODEL_UNIT_PERCENT || !(column->in >> table & 1))
                continue;
            for (uint32_t at = 0; at < view.count; at++) {
                const struct model_cell cell = column->get(&view, model_view_row(&view, at), at);
                if (cell.known)
                    is_percent(column, &cell);
            }
        }
        model_view_release(&view);
    }
}

/* Lets the job run on: some calls are open, some open calls have failed, some rows are estimates,
 * and time passes. */
static void go_on(struct model_job *job, struct sample_random *r)
{
    const struct model_apply_value *value = model_job_apply_values(job);
    sample_run(job, r, 1 + (UINT64_C(1) << sample_below(r, 62)));
    for (uint64_t id = 0; id < model_job_count(job, MODEL_APPLY); id++) {
        const uint64_t open = sample_below(r, 3) ? MODEL_UNKNOWN : sample_below(r, 1 << 20);
        const uint64_t last = MODEL_UNKNOWN, min = 1, max = 1 << 20, timed = value[id].calls / 2;
        model_job_set_values(job, 1, &id, &value[id].calls, &value[id].total_ns, &last, &open,
                             false);
        if (sample_below(r, 5) == 0)
            model_job_set_extremes(job, 1, &id, &min, &max, &timed, false);
    }
    if (sample_below(r, 4) == 0)
        model_job_set_epoch(job, model_job_epoch(job) + 1);
    model_job_set_complete(job);
}

static uint32_t any_scope(struct model_job *job, struct sample_random *r)
{
    const uint32_t function =
        (uint32_t)sample_below(r, model_job_count(job, MODEL_FUNCTION));
    return sample_below(r, 2) ? MODEL_ALL : function;
}

START_TEST(every_share_of_a_job_is_one)
{
    struct sample_random random = {.state = (uint64_t)_i * 77 + 5};
    struct model_job *job = sample_random_job(&random, true);
    model_job_identity_mutable(job)->open = sample_below(&random, 3) > 0;
    go_on(job, &random);
    struct model_state *state = model_state_take(job, any_scope(job, &random), NULL);
    for (unsigned step = 0; step < STEPS; step++) {
        look_at(state);
        if (sample_below(&random, 4)) /* else nothing arrived, as on a paused screen */
            go_on(job, &random);
        ck_assert(model_state_renew(state, sample_below(&random, 4) ? state->scope
                                                                    : any_scope(job, &random)));
    }
    look_at(state);
    model_state_free(&state);
    model_job_release(&job);
}
END_TEST

static void wait_is_a_part(const struct model_state *state)
{
    for (size_t i = 0; i < state->multi_job->jobs; i++) {
        const struct model_multi_job_entry *job = &state->multi_job->job[i];
        const struct model_cell share = model_share(job->wait_ns, job->time_ns);
        ck_assert(job->wait_ns == MODEL_UNKNOWN || job->wait_ns <= job->time_ns);
        ck_assert(!share.known || (share.d >= 0 && share.d <= 100));
    }
}

/* The names of sample_random_job() are no waiting ones. Adds a class that waits, and its op, open
 * and not. */
static void add_waiting(struct model_job *job)
{
    const uint32_t class = model_job_count(job, MODEL_CLASS);
    const uint32_t op = model_job_count(job, MODEL_OP);
    const uint32_t threads = model_job_count(job, MODEL_THREAD);
    sample_class(job, "AllReduce");
    sample_op(job, class, "AllReduce");
    sample_apply(job, 0, op, 0, "AllReduce(g)", MODEL_IMPL_C);
    ck_assert(threads > 0 || model_job_add_thread(job, "main", 4, 1));
}

/* The last apply waits. It is open for longer and longer: the job hangs, or waits for a job that
 * does. */
static void wait_on(struct model_job *job, uint64_t ns)
{
    const uint32_t apply = model_job_count(job, MODEL_APPLY) - 1;
    const uint64_t now_ns = model_job_mono_ns(job) + ns;
    const struct model_now now = {.apply = apply, .since_ns = 0};
    model_job_set_stamp(job, now_ns, now_ns);
    ck_assert(model_job_set_now(job, 1, &now, now_ns));
}

START_TEST(every_share_of_several_is_one)
{
    static const enum model_multi_job_view views[] = {MODEL_MULTI_JOB_SUM, MODEL_MULTI_JOB_EACH,
                                                      MODEL_MULTI_JOB_RANKS};
    struct sample_random random = {.state = (uint64_t)_i * 31 + 7};
    struct model_multi_job *multi_job = model_multi_job_new();
    struct model_link links[JOBS];
    struct model_multi_job_member member[JOBS];
    struct model_job *jobs[JOBS];
    for (size_t i = 0; i < JOBS; i++) {
        jobs[i] = sample_random_job(&random, true);
        add_waiting(jobs[i]);
        model_job_identity_mutable(jobs[i])->rank = i;
        links[i] = (struct model_link){.state = MODEL_LIVE};
        member[i] = (struct model_multi_job_member){.job = jobs[i], .link = &links[i]};
    }
    for (unsigned step = 0; step < STEPS; step++) {
        for (size_t i = 0; i < JOBS; i++) {
            if (sample_below(&random, 4))
                go_on(jobs[i], &random);
            if (sample_below(&random, 2))
                wait_on(jobs[i], 1 + sample_below(&random, UINT64_C(1) << 40));
        }
        struct model_state *state = model_multi_job_take(multi_job, views[sample_below(&random, 3)],
                                                         MODEL_ALL, member, JOBS);
        ck_assert_ptr_nonnull(state);
        look_at(state);
        wait_is_a_part(state);
        model_state_free(&state);
    }
    model_multi_job_free(&multi_job);
    for (size_t i = 0; i < JOBS; i++)
        model_job_release(&jobs[i]);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("shares");
    tap_add_loop(s, "of_a_job", every_share_of_a_job_is_one, RUNS);
    tap_add_loop(s, "of_several", every_share_of_several_is_one, RUNS);
    return s;
}
TAP_MAIN(suite)

/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * check_multi_job.c: several jobs in one state: added up by their names, side by side, compared.
 */
#include "model/multi_job.h"

#include "model/node_detail.h"
#include "sample.h"

enum { JOBS_MAX = 8 };
#define S UINT64_C(1000000000)

static struct model_multi_job *multi_job;
static struct model_job *jobs[JOBS_MAX];
static struct model_link links[JOBS_MAX];
static struct model_multi_job_member member[JOBS_MAX];
static struct model_state *state;

static void setup(void)
{
    multi_job = model_multi_job_new();
    ck_assert_ptr_nonnull(multi_job);
    memset(jobs, 0, sizeof(jobs));
    state = NULL;
    for (size_t i = 0; i < JOBS_MAX; i++) {
        links[i] = (struct model_link){.state = MODEL_LIVE};
        member[i] = (struct model_multi_job_member){.link = &links[i]};
    }
}

static void teardown(void)
{
    model_state_free(&state);
    model_multi_job_free(&multi_job);
    for (size_t i = 0; i < JOBS_MAX; i++)
        model_job_release(&jobs[i]);
}

static void put(size_t at, struct model_job *job)
{
    model_job_release(&jobs[at]);
    jobs[at] = member[at].job = job;
    model_job_identity_mutable(job)->rank = at;
}

static void take(enum model_multi_job_view view, uint32_t scope, size_t members)
{
    model_state_free(&state);
    state = model_multi_job_take(multi_job, view, scope, member, members);
    ck_assert_ptr_nonnull(state);
    ck_assert_int_eq(state->multi_job->view, view);
    ck_assert_uint_eq(state->multi_job->jobs, members);
}

/* The nth row of a table with this name. */
static const struct model_row *row_of(enum model_table table, const char *name, unsigned nth)
{
    struct model_view view = {.table = table, .state = state};
    for (uint32_t i = 0; i < state->count[table]; i++) {
        const struct model_row *row = &state->row[table][i];
        if (strcmp(model_view_name(&view, row)->raw, name) == 0 && nth-- == 0)
            return row;
    }
    ck_abort_msg("there is no row %s", name);
    return NULL;
}

static void move(struct model_job *job, uint64_t id, uint64_t calls, uint64_t ns, uint64_t mono_ns)
{
    ck_assert_uint_eq(sample_value(job, id, calls, ns), 0);
    model_job_set_stamp(job, mono_ns, mono_ns);
    model_job_set_values_stamp(job, mono_ns);
}

START_TEST(rows_are_one_by_their_names)
{
    put(0, sample_job());
    put(1, sample_turned());
    take(MODEL_MULTI_JOB_SUM, MODEL_ALL, 2);
    ck_assert_uint_eq(state->count[MODEL_CLASS], 2);
    ck_assert_uint_eq(state->count[MODEL_OP], 4);
    ck_assert_uint_eq(state->count[MODEL_FUNCTION], 2);
    ck_assert_uint_eq(state->count[MODEL_APPLY], 5);
    ck_assert_uint_eq(row_of(MODEL_OP, "Dot", 0)->self_ns, 8500 + 2000 + 1500);
    ck_assert_uint_eq(row_of(MODEL_OP, "Dot", 0)->calls, 38);
    ck_assert_uint_eq(row_of(MODEL_OP, "Dot", 0)->applies, 3);
    ck_assert_uint_eq(row_of(MODEL_OP, "Dot", 0)->impls, 1 << MODEL_IMPL_C | 1 << MODEL_IMPL_PY);
    ck_assert_uint_eq(row_of(MODEL_APPLY, "Dot(x, w)", 0)->self_ns, 10000);
    ck_assert_uint_eq(row_of(MODEL_APPLY, "Elemwise{mul}(x, y)", 0)->calls, 22);
    ck_assert_uint_eq(row_of(MODEL_OP, "Elemwise{exp}", 0)->self_ns, 200);
    ck_assert_uint_eq(row_of(MODEL_CLASS, "tensor.Elemwise", 0)->self_ns, 1750);
    ck_assert_uint_eq(state->totals.time_ns, 12000 + 1750);
    ck_assert_uint_eq(state->totals.rows[MODEL_OP], 4);
    ck_assert_uint_eq(state->totals.apply_calls, 65 + 6);
}
END_TEST

/* Equal rows of one job stay two rows in the sum of the jobs. An address makes no difference. */
START_TEST(equals_stay_apart)
{
    for (size_t i = 0; i < 2; i++) {
        struct model_job *job = sample_empty();
        sample_class(job, "C");
        sample_op(job, 0, i ? "op <at 0x7f01>" : "op <at 0xab>");
        sample_op(job, 0, i ? "op <at 0x7f02>" : "op <at 0xab>");
        sample_op(job, 0, "op <at x>");
        sample_function(job, "f", MODEL_NONE);
        for (uint32_t k = 0; k < 4; k++)
            sample_apply(job, 0, k / 2, k, "same", MODEL_IMPL_C);
        for (uint32_t k = 0; k < 4; k++)
            ck_assert_uint_eq(sample_value(job, k, 1, (i + 1) * (k + 1)), 0);
        put(i, job);
    }
    take(MODEL_MULTI_JOB_SUM, MODEL_ALL, 2);
    ck_assert_uint_eq(state->count[MODEL_OP], 3);
    ck_assert_uint_eq(state->count[MODEL_APPLY], 4);
    for (uint32_t k = 0; k < 4; k++)
        ck_assert_uint_eq(state->row[MODEL_APPLY][k].self_ns, 3 * (k + 1));
    ck_assert_uint_eq(state->row[MODEL_OP][0].self_ns, 3 * 1 + 3 * 2);
    ck_assert_uint_eq(state->row[MODEL_OP][1].self_ns, 3 * 3 + 3 * 4);
}
END_TEST

/* The sum knows how many calls were timed in all jobs. It does not know the error of the total. */
START_TEST(estimates_of_calls_stay_estimates)
{
    put(0, sample_job());
    put(1, sample_turned());
    sample_calls(jobs[0], 0, 100, 10, 50);
    sample_calls(jobs[1], 0, 7, MODEL_UNKNOWN, MODEL_UNKNOWN);
    sample_calls(jobs[0], 1, 4, MODEL_UNKNOWN, MODEL_UNKNOWN);
    sample_timed(jobs[1], 0, 1);
    take(MODEL_MULTI_JOB_SUM, MODEL_ALL, 2);
    const struct model_function_value *train =
        &state->function[row_of(MODEL_FUNCTION, "train", 0)->id];
    const struct model_function_value *test =
        &state->function[row_of(MODEL_FUNCTION, "test", 0)->id];
    ck_assert(train->calls == 107 && train->timed == 17 && train->error_ns == MODEL_UNKNOWN);
    ck_assert(state->totals.estimated && state->totals.ops_estimated);
    ck_assert(test->calls == 4 && !model_function_estimated(test));
    take(MODEL_MULTI_JOB_EACH, MODEL_ALL, 2);
    train = &state->function[row_of(MODEL_FUNCTION, "train", 0)->id];
    ck_assert(train->calls == 100 && train->timed == 10 && train->error_ns == 50);
}
END_TEST

/* Later definitions do not move rows, in any order of arrival. */
START_TEST(rows_keep_their_places)
{
    put(0, sample_job());
    put(1, sample_turned());
    take(MODEL_MULTI_JOB_SUM, MODEL_ALL, 2);
    uint32_t mul = row_of(MODEL_OP, "Elemwise{mul}", 0)->id;
    for (unsigned round = 0; round < 3; round++) {
        struct model_job *job = jobs[round % 2];
        uint32_t ops = model_job_count(job, MODEL_OP), nodes = model_job_count(job, MODEL_APPLY);
        sample_op(job, 0, "later");
        sample_apply(job, 0, ops, nodes, "later(x)", MODEL_IMPL_C);
        move(job, nodes, 1, 1000, 2000 + round);
        take(MODEL_MULTI_JOB_SUM, MODEL_ALL, 2);
        ck_assert_uint_eq(row_of(MODEL_OP, "Elemwise{mul}", 0)->id, mul);
    }
    /* The classes of the two differ, so there are two ops. The first job has one of them twice. */
    ck_assert_uint_eq(state->count[MODEL_OP], 4 + 3);
    ck_assert_uint_eq(state->totals.time_ns, 12000 + 1750 + 3000);
}
END_TEST

static uint64_t sum_of(enum model_table table)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < state->count[table]; i++)
        if (state->row[table][i].self_ns != MODEL_UNKNOWN)
            sum += state->row[table][i].self_ns;
    return sum;
}

/* For random jobs, each table adds up to the sum of the jobs' own states, in each view. */
START_TEST(sums_are_those_of_the_jobs)
{
    struct sample_random random = {.state = (uint64_t)_i * 97 + 5};
    uint64_t time_ns = 0, calls = 0, rows = 0;
    for (size_t i = 0; i < 4; i++) {
        put(i, sample_random_job(&random, _i % 2));
        struct model_state *one = model_state_take(jobs[i], MODEL_ALL, NULL);
        time_ns += one->totals.time_ns;
        calls += one->totals.apply_calls;
        rows += one->totals.rows[MODEL_APPLY];
        model_state_free(&one);
    }
    for (unsigned view = 0; view < MODEL_MULTI_JOB_VIEWS; view++) {
        take((enum model_multi_job_view)view, MODEL_ALL, 4);
        ck_assert_uint_eq(state->totals.time_ns, time_ns);
        ck_assert_uint_eq(state->totals.apply_calls, calls);
        for (unsigned table = 0; table < MODEL_ROW_TABLES; table++)
            ck_assert_uint_eq(sum_of(table), time_ns);
        if (view == MODEL_MULTI_JOB_EACH)
            ck_assert_uint_eq(state->totals.rows[MODEL_APPLY], rows);
    }
}
END_TEST

/* Lines are equal by text. An apply is in the line that its job sent last. */
START_TEST(lines_are_one_by_their_texts)
{
    static const char *const place[] = {"a.py:1", "b.py:2", ""};
    for (size_t i = 0; i < 2; i++) {
        struct model_job *job = sample_empty();
        sample_class(job, "C");
        sample_op(job, 0, "op");
        sample_function(job, "f", MODEL_NONE);
        for (uint32_t k = 0; k < 3; k++) {
            struct model_apply_raw raw = {.text = sample_bytes(place[k]),
                                          .location = sample_bytes(place[i ? 2 - k : k])};
            ck_assert(model_job_add_apply(job, &raw));
            ck_assert_uint_eq(sample_value(job, k, 1, (i + 1) * (k + 1)), 0);
        }
        put(i, job);
    }
    take(MODEL_MULTI_JOB_EACH, MODEL_ALL, 2);
    ck_assert_uint_eq(state->count[MODEL_LINE], 6);
    ck_assert_uint_eq(row_of(MODEL_LINE, "a.py:1", 1)->self_ns, 2 * 3);
    take(MODEL_MULTI_JOB_SUM, MODEL_ALL, 2);
    ck_assert_uint_eq(state->count[MODEL_LINE], 3);
    ck_assert_uint_eq(row_of(MODEL_LINE, "a.py:1", 0)->self_ns, 1 + 2 * 3);
    ck_assert_uint_eq(row_of(MODEL_LINE, "b.py:2", 0)->applies, 2);
    ck_assert_uint_eq(row_of(MODEL_LINE, "", 0)->self_ns, 3 + 2 * 1);
    struct model_about_raw raw = {.rev = 1, .location = sample_bytes("b.py:2")};
    ck_assert(model_job_set_about(jobs[0], 2, &raw));
    model_job_set_stamp(jobs[0], 3000, 4000); /* a new stamp, else the cached state is used */
    take(MODEL_MULTI_JOB_SUM, MODEL_ALL, 2);
    ck_assert_uint_eq(row_of(MODEL_LINE, "b.py:2", 0)->self_ns, 2 + 2 * 2 + 3);
    const struct model_apply_def *def =
        model_job_apply(state->job, row_of(MODEL_APPLY, "op", 0)->id);
    ck_assert_uint_eq(def->line, row_of(MODEL_LINE, "b.py:2", 0)->id);
    ck_assert_uint_eq(def->made_at, row_of(MODEL_LINE, "", 0)->id);
}
END_TEST

START_TEST(each_row_names_its_job)
{
    put(0, sample_job());
    put(1, sample_turned());
    take(MODEL_MULTI_JOB_EACH, MODEL_ALL, 2);
    ck_assert_uint_eq(state->count[MODEL_OP], 6);
    const struct model_row *row = row_of(MODEL_OP, "Dot", 1);
    ck_assert_uint_eq(row->self_ns, 1500);
    ck_assert_uint_eq(state->multi_job->of[MODEL_OP][row->id], 1);
    ck_assert_str_eq(state->multi_job->job[1].label, "rank 1");
    ck_assert_ptr_null(state->multi_job->ranks[MODEL_OP]);
    take(MODEL_MULTI_JOB_SUM, MODEL_ALL, 2);
    ck_assert_ptr_null(state->multi_job->of[MODEL_OP]);
    ck_assert_uint_eq(state->count[MODEL_OP], 4);
}
END_TEST

START_TEST(ranks_are_compared)
{
    static const uint64_t ns[] = {300, 900, 500, 100};
    for (size_t i = 0; i < 4; i++) {
        struct model_job *job = sample_job();
        ck_assert_uint_eq(sample_value(job, 0, 11, 1000 + ns[i]), 0);
        put(i, job);
    }
    put(4, sample_turned());
    take(MODEL_MULTI_JOB_RANKS, MODEL_ALL, 5);
    const struct model_ranks *ranks =
        &state->multi_job->ranks[MODEL_OP][row_of(MODEL_OP, "Elemwise{add}", 0)->id];
    ck_assert_uint_eq(ranks->jobs, 4);
    ck_assert_uint_eq(ranks->min_ns, 1100);
    ck_assert_uint_eq(ranks->median_ns, 1400);
    ck_assert_uint_eq(ranks->max_ns, 1900);
    ck_assert_uint_eq(ranks->most, 1);
    ranks = &state->multi_job->ranks[MODEL_CLASS][row_of(MODEL_CLASS, "tensor.Dot", 0)->id];
    ck_assert_uint_eq(ranks->jobs, 5);
    ck_assert_uint_eq(ranks->min_ns, 1500);
    ck_assert_uint_eq(ranks->median_ns, 10500);
}
END_TEST

/* The values of a dead job stay in the sum. It has no rate any more, nor has an unreachable job. */
START_TEST(ended_jobs_stay_in_the_sum)
{
    for (size_t i = 0; i < 4; i++)
        put(i, sample_job());
    take(MODEL_MULTI_JOB_SUM, MODEL_ALL, 4);
    ck_assert(!model_multi_job_partial(state->multi_job));
    for (size_t i = 0; i < 4; i++)
        move(jobs[i], 0, 20, 2000, 1000 + S);
    links[0].state = MODEL_GONE;
    model_job_set_ended(jobs[0], true);
    links[1].state = MODEL_STALE;
    take(MODEL_MULTI_JOB_SUM, MODEL_ALL, 4);
    ck_assert_uint_eq(state->totals.time_ns, 4 * 13000);
    ck_assert_uint_eq(row_of(MODEL_OP, "Elemwise{add}", 0)->interval_ns, 2 * 1000);
    ck_assert_uint_eq(state->totals.interval_time_ns, 2 * 1000);
    ck_assert_uint_eq(state->interval_ns, S);
    ck_assert_uint_eq(state->multi_job->live, 2);
    ck_assert_uint_eq(state->multi_job->old, 1);
    ck_assert_uint_eq(state->multi_job->over, 1);
    ck_assert(model_multi_job_partial(state->multi_job));
    ck_assert(!state->ended);
}
END_TEST

/* A job that said goodbye has sent its last values. A detached job continues. The last values of a
 * killed job are lost. */
START_TEST(sum_of_properly_ended_jobs_is_complete)
{
    for (size_t i = 0; i < 2; i++) {
        put(i, sample_job());
        model_job_set_ended(jobs[i], true);
        links[i].state = MODEL_GONE;
        links[i].said_bye = true;
    }
    take(MODEL_MULTI_JOB_SUM, MODEL_ALL, 2);
    ck_assert_uint_eq(state->multi_job->over, 2);
    ck_assert(!model_multi_job_partial(state->multi_job));
    links[1].detached = true;
    take(MODEL_MULTI_JOB_SUM, MODEL_ALL, 2);
    ck_assert(model_multi_job_partial(state->multi_job));
    links[1].detached = links[1].said_bye = false;
    take(MODEL_MULTI_JOB_SUM, MODEL_ALL, 2);
    ck_assert(model_multi_job_partial(state->multi_job));
}
END_TEST

/* A place gets another instance, a job without a hello, and a released job. */
START_TEST(jobs_come_and_go)
{
    put(0, sample_job());
    put(1, sample_turned());
    take(MODEL_MULTI_JOB_SUM, MODEL_ALL, 3);
    ck_assert_uint_eq(state->totals.time_ns, 13750);
    ck_assert(!state->multi_job->job[2].there);
    ck_assert_str_eq(state->multi_job->job[2].label, "job 3");
    put(1, sample_job());
    take(MODEL_MULTI_JOB_SUM, MODEL_ALL, 2);
    ck_assert_uint_eq(state->totals.time_ns, 24000);
    ck_assert(!row_of(MODEL_OP, "Elemwise{exp}", 0)->in_scope);
    ck_assert_uint_eq(state->totals.rows[MODEL_OP], 3);
    member[0] = member[1];
    take(MODEL_MULTI_JOB_SUM, MODEL_ALL, 1);
    ck_assert_uint_eq(state->totals.time_ns, 12000);
    take(MODEL_MULTI_JOB_SUM, MODEL_ALL, 0);
    ck_assert_uint_eq(state->totals.time_ns, 0);
    ck_assert_uint_eq(state->totals.calls, MODEL_UNKNOWN);
    ck_assert(!state->ended && !state->complete);
}
END_TEST

/* If a job is released, the jobs behind it move up with their rows. No row is there twice. */
START_TEST(rows_follow_their_job)
{
    put(0, sample_job());
    put(1, sample_turned());
    put(2, sample_job());
    take(MODEL_MULTI_JOB_EACH, MODEL_ALL, 3);
    const uint32_t ops = state->count[MODEL_OP], functions = state->count[MODEL_FUNCTION];
    ck_assert_uint_eq(state->totals.rows[MODEL_FUNCTION], functions);
    const uint32_t exp = row_of(MODEL_OP, "Elemwise{exp}", 0)->id;
    const uint32_t first = model_job_count(jobs[0], MODEL_FUNCTION);
    member[0] = member[1];
    member[1] = member[2];
    take(MODEL_MULTI_JOB_EACH, MODEL_ALL, 2);
    ck_assert_uint_eq(state->count[MODEL_OP], ops);
    ck_assert_uint_eq(state->count[MODEL_FUNCTION], functions);
    ck_assert_uint_eq(state->totals.rows[MODEL_FUNCTION], functions - first);
    ck_assert_uint_eq(row_of(MODEL_OP, "Elemwise{exp}", 0)->id, exp);
    ck_assert_uint_eq(state->multi_job->of[MODEL_OP][exp], 0);
    ck_assert_str_eq(state->multi_job->job[0].label, "rank 1");
    ck_assert_str_eq(state->multi_job->job[1].label, "rank 2");
    ck_assert_uint_eq(state->totals.time_ns, 12000 + 1750);
    /* A new job goes to the end. A job without a hello has no rows. */
    member[2] = (struct model_multi_job_member){.link = &links[2]};
    take(MODEL_MULTI_JOB_EACH, MODEL_ALL, 3);
    member[2].job = jobs[0];
    take(MODEL_MULTI_JOB_EACH, MODEL_ALL, 3);
    ck_assert_uint_eq(row_of(MODEL_OP, "Elemwise{exp}", 0)->id, exp);
    ck_assert_str_eq(state->multi_job->job[2].label, "rank 0");
    ck_assert_uint_eq(state->totals.rows[MODEL_FUNCTION], functions);
    ck_assert_uint_eq(state->totals.time_ns, 2 * 12000 + 1750);
}
END_TEST

START_TEST(a_function_can_be_the_scope)
{
    put(0, sample_job());
    put(1, sample_turned());
    take(MODEL_MULTI_JOB_SUM, MODEL_ALL, 2);
    uint32_t test = row_of(MODEL_FUNCTION, "test", 0)->id;
    take(MODEL_MULTI_JOB_SUM, test, 2);
    ck_assert_uint_eq(state->totals.time_ns, 2000);
    ck_assert_uint_eq(state->totals.rows[MODEL_APPLY], 1);
    ck_assert(state->multi_job->job[0].there && !state->multi_job->job[1].there);
    uint32_t train = row_of(MODEL_FUNCTION, "train", 0)->id;
    take(MODEL_MULTI_JOB_SUM, train, 2);
    ck_assert_uint_eq(state->totals.time_ns, 10000 + 1750);
}
END_TEST

/* -------------------------------------------------------------------------- waiting and hanging */

/* A job that works in one class and waits in another. */
static struct model_job *sample_worker(void)
{
    struct model_job *job = sample_empty();
    sample_class(job, "Dot");
    sample_class(job, "AllReduce");
    sample_op(job, 0, "Dot");
    sample_op(job, 1, "AllReduce");
    sample_function(job, "step", MODEL_NONE);
    sample_apply(job, 0, 0, 0, "Dot(x, w)", MODEL_IMPL_C);
    sample_apply(job, 0, 1, 1, "AllReduce(g)", MODEL_IMPL_C);
    ck_assert(model_job_add_thread(job, "main", 4, 1));
    return job;
}

START_TEST(the_slow_rank_is_named)
{
    char text[256];
    for (size_t i = 0; i < 3; i++)
        put(i, sample_worker());
    for (uint64_t t = 1; t <= 12; t++) {
        for (size_t i = 0; i < 3; i++) {
            uint64_t wait_ns = t * (i == 2 ? 10 : 400) * 1000000 + i * t;
            move(jobs[i], 0, t, t * S - wait_ns, t * S);
            move(jobs[i], 1, t, wait_ns, t * S);
        }
        take(MODEL_MULTI_JOB_SUM, MODEL_ALL, 3);
    }
    ck_assert_uint_eq(state->multi_job->slow.job, 2);
    ck_assert(!model_multi_job_trouble(state->multi_job, text, sizeof(text)));
    ck_assert_str_eq(text, "rank 2 is slow: it waits 1% of its time, the others 40%");
    ck_assert_uint_eq(state->multi_job->job[0].wait_ns, 12 * UINT64_C(400000000));
}
END_TEST

#define WAITED(words) words "; ranks 0, 2 wait for it in AllReduce(g) for 6.0s"

START_TEST(the_hung_rank_and_its_op_are_named)
{
    char text[256];
    for (size_t i = 0; i < 3; i++) {
        struct model_job *job = sample_worker();
        struct model_now now = {.apply = i == 1 ? 0 : 1, .since_ns = 10 * S};
        put(i, job);
        move(job, 0, 5, S, 14 * S - 1);
        move(job, 1, 5, S, 14 * S - 1);
        model_job_set_stamp(job, (14 + i) * S, 0);
        ck_assert(model_job_set_now(job, 1, &now, (14 + i) * S));
    }
    take(MODEL_MULTI_JOB_SUM, MODEL_ALL, 3);
    ck_assert_uint_eq(state->multi_job->hung.job, 1);
    ck_assert(model_multi_job_trouble(state->multi_job, text, sizeof(text)));
    ck_assert_str_eq(text, WAITED("rank 1 hangs or gets no processor in Dot(x, w) for 5.0s"));
    links[1].starved = MODEL_STARVED_NO;
    take(MODEL_MULTI_JOB_SUM, MODEL_ALL, 3);
    ck_assert(model_multi_job_trouble(state->multi_job, text, sizeof(text)));
    ck_assert_str_eq(text, WAITED("rank 1 hangs in Dot(x, w) for 5.0s"));
    /* All open applies are listed, on one clock. The thread's name includes the job. */
    ck_assert_uint_eq(state->now_count, 3);
    ck_assert_uint_eq(state->mono_ns, 16 * S);
    ck_assert_uint_eq(state->now[0].since_ns, 12 * S);
    ck_assert_uint_eq(state->now[2].since_ns, 10 * S);
    ck_assert_str_eq(model_job_thread(state->job, state->now[1].thread)->name.raw, "rank 1 main");
    links[1].starved = MODEL_STARVED_YES;
    take(MODEL_MULTI_JOB_SUM, MODEL_ALL, 3);
    ck_assert(!model_multi_job_trouble(state->multi_job, text, sizeof(text)));
    ck_assert_str_eq(text, WAITED("rank 1 gets no processor in Dot(x, w) for 5.0s"));
    links[1].state = MODEL_STALE;
    take(MODEL_MULTI_JOB_SUM, MODEL_ALL, 3);
    ck_assert(model_multi_job_trouble(state->multi_job, text, sizeof(text)));
    ck_assert_str_eq(text, WAITED("rank 1 is silent, last seen in Dot(x, w)"));
    links[1].state = MODEL_GONE;
    take(MODEL_MULTI_JOB_SUM, MODEL_ALL, 3);
    ck_assert(model_multi_job_trouble(state->multi_job, text, sizeof(text)));
    ck_assert_str_eq(text, "all 2 that are heard wait in AllReduce(g) for 6.0s; rank 1 is over");
}
END_TEST

/* Ranks that wait, each in an apply of its own choice since then, or that are in no op. */
static void put_waiting(size_t count, const uint32_t *in)
{
    for (size_t i = 0; i < count; i++) {
        struct model_job *job = sample_worker();
        sample_op(job, 1, "Broadcast");
        sample_apply(job, 0, 2, 2, "Broadcast(w)", MODEL_IMPL_C);
        const struct model_now now = {.apply = in[i], .since_ns = 10 * S};
        put(i, job);
        move(job, 0, 5, S, 9 * S);
        move(job, 1, 5, S, 9 * S);
        model_job_set_stamp(job, 14 * S, 0);
        ck_assert(model_job_set_now(job, in[i] ? 1 : 0, &now, 14 * S));
    }
}

static void says(size_t count, bool hangs, const char *words)
{
    char text[256];
    take(MODEL_MULTI_JOB_SUM, MODEL_ALL, count);
    ck_assert_int_eq(model_multi_job_trouble(state->multi_job, text, sizeof(text)), hangs);
    ck_assert_str_eq(text, words);
}

START_TEST(all_that_are_missing_and_all_ops_are_named)
{
    put_waiting(3, (uint32_t[]){2, 1, 1});
    says(3, true,
         "all 3 that are heard wait: rank 0 in Broadcast(w), ranks 1, 2 in AllReduce(g) "
         "for 4.0s");
    put_waiting(3, (uint32_t[]){0, 1, 0});
    says(3, true,
         "rank 0 is in no op for 5.0s; rank 2 is missing too; rank 1 waits for it in "
         "AllReduce(g) for 4.0s");
    put_waiting(3, (uint32_t[]){1, 1, 0});
    model_job_identity_mutable(jobs[1])->rank = MODEL_UNKNOWN;
    says(3, true, "rank 2 is in no op for 5.0s; 2 wait for it in AllReduce(g) for 4.0s");
    ck_assert_uint_eq(state->multi_job->job[0].role, MODEL_HANG_WAITS);
    ck_assert_uint_eq(state->multi_job->job[2].role, MODEL_HANG_MISSING);
}
END_TEST

static void tell(size_t at, const char *facts)
{
    struct model_identity *who = model_job_identity_mutable(jobs[at]);
    ck_assert(model_job_set_text(jobs[at], &who->facts, facts, strlen(facts)));
}

/* Facts of the jobs say where the missing one is, and which collective it is. */
START_TEST(the_line_and_the_collective_are_named)
{
    put_waiting(3, (uint32_t[]){1, 0, 1});
    tell(1, "at=/home/a/tr\033ain.py:12\ncollective.0:default_pg=60");
    tell(2, "at=/home/a/train.py:30\ncollective_open.0:default_pg=61 gloo:all_reduce");
    says(
        3, true,
        "rank 1 is in no op for 5.0s, at tr\uFFFDain.py:12; ranks 0, 2 wait for it in AllReduce(g) "
        "for 4.0s, number 61 of group 0:default_pg (the missing one is at 60)");
    tell(1, "at=\ncollective.1:other=60");
    tell(2, "collective_open.=61\ncollective_open.0:default_pg=62 gloo:all_reduce");
    model_job_identity_mutable(jobs[1])->share = 0.5;
    says(3, true,
         "rank 1 is in no op that it has seen for 5.0s; ranks 0, 2 wait for it in "
         "AllReduce(g) for 4.0s, number 62 of group 0:default_pg");
}
END_TEST

/* The others have ended. A job that is over, and is no rank, does not count. */
START_TEST(the_last_rank_is_named)
{
    put_waiting(3, (uint32_t[]){0, 0, 0});
    says(3, false, "");
    links[0].state = links[2].state = MODEL_GONE;
    says(3, false, "rank 1 still runs, in no op for 5.0s; ranks 0, 2 are over");
    ck_assert(state->multi_job->hung.last);
    put_waiting(3, (uint32_t[]){0, 1, 0});
    says(3, false, "rank 1 still runs, and waits in AllReduce(g) for 4.0s; ranks 0, 2 are over");
    move(jobs[1], 0, 6, S, 14 * S);
    ck_assert(model_job_set_now(jobs[1], 0, NULL, 14 * S));
    says(3, false, "");
    links[1].state = MODEL_GONE;
    says(3, false, "");
    links[1].lingers = 1;
    model_job_identity_mutable(jobs[1])->pid = 4711;
    says(3, false,
         "rank 1 still runs, as process 4711, although it has said goodbye; ranks 0, 2 "
         "are over");
    links[1] = links[3];
    put_waiting(3, (uint32_t[]){0, 0, 0});
    model_job_identity_mutable(jobs[0])->rank = 1; /* of an earlier run */
    says(3, false, "");
    model_job_identity_mutable(jobs[0])->rank = 0;
    model_job_identity_mutable(jobs[0])->size = 8;
    says(3, false, "");
    model_job_identity_mutable(jobs[0])->rank = model_job_identity_mutable(jobs[2])->rank =
        MODEL_UNKNOWN;
    says(3, false, "");
}
END_TEST

/* A job whose class name does not tell that it waits. The job marks its second apply as waiting. */
static struct model_job *sample_marked(enum model_waits waits)
{
    struct model_job *job = sample_empty();
    sample_class(job, "Dot");
    sample_class(job, "Halo");
    sample_op(job, 0, "Dot");
    sample_op(job, 1, "exchange");
    sample_function(job, "step", MODEL_NONE);
    sample_apply(job, 0, 0, 0, "Dot(x, w)", MODEL_IMPL_C);
    const struct model_apply_raw raw = {
        .text = sample_bytes("exchange()"), .op = 1, .waits = (uint8_t)waits};
    ck_assert(model_job_add_apply(job, &raw));
    ck_assert(model_job_add_thread(job, "main", 4, 1) && model_job_add_thread(job, "io", 2, 2));
    return job;
}

/* The mark counts, and only if the apply waits for other jobs. Waiting for own work is alike in
 * all. */
START_TEST(slow_rank_is_named_by_waiting_marks)
{
    static const enum model_waits said[] = {MODEL_WAITS_FOR_JOBS, MODEL_WAITS, MODEL_ASIDE};
    const enum model_waits waits = said[_i];
    for (size_t i = 0; i < 3; i++)
        put(i, sample_marked(waits));
    for (uint64_t t = 1; t <= 12; t++) {
        for (size_t i = 0; i < 3; i++) {
            uint64_t wait_ns = t * (i == 2 ? 10 : 400) * 1000000 + i * t;
            move(jobs[i], 0, t, t * S - wait_ns, t * S);
            move(jobs[i], 1, t, wait_ns, t * S);
        }
        take(MODEL_MULTI_JOB_SUM, MODEL_ALL, 3);
    }
    ck_assert_uint_eq(state->multi_job->slow.job, _i ? MODEL_NOBODY : 2);
    ck_assert_uint_eq(state->multi_job->job[0].wait_ns,
                      _i ? MODEL_UNKNOWN : 12 * UINT64_C(400000000));
    const bool aside = waits == MODEL_ASIDE; /* a job's time is work and waiting */
    const uint64_t left_ns = 12 * UINT64_C(810000000) + 36;
    ck_assert_uint_eq(state->multi_job->job[0].time_ns, aside ? 12 * UINT64_C(600000000) : 12 * S);
    ck_assert_uint_eq(state->totals.wait_ns, aside ? MODEL_UNKNOWN : left_ns);
    ck_assert_uint_eq(state->totals.time_ns, 36 * S - left_ns);
    const struct model_row *row = row_of(MODEL_OP, "exchange", 0);
    const struct model_waited waited = model_state_waited(state, MODEL_OP, row);
    ck_assert_uint_eq(waited.ns, aside ? 0 : left_ns);
    ck_assert_uint_eq(waited.aside_ns, aside ? left_ns : 0);
    ck_assert_int_eq(model_row_left_out(row), aside ? MODEL_LEFT_ASIDE : MODEL_LEFT_WAITING);
}
END_TEST

/* One of two jobs is older and sends no mark. Their common row works in part. */
START_TEST(row_may_wait_in_one_job_and_work_in_another)
{
    const enum model_waits waits = _i > 1 ? MODEL_ASIDE : MODEL_WAITS;
    put(0, sample_marked(_i % 2 ? waits : MODEL_WORKS));
    put(1, sample_marked(_i % 2 ? MODEL_WORKS : waits));
    for (uint64_t t = 1; t <= 2; t++) {
        for (size_t i = 0; i < 2; i++)
            move(jobs[i], 1, t, t * (i + 1) * 1000, t * S);
        take(MODEL_MULTI_JOB_SUM, MODEL_ALL, 2);
    }
    const uint64_t left_ns = _i % 2 ? 2000 : 4000, work_ns = 6000 - left_ns;
    const uint64_t wait_ns = _i > 1 ? 0 : left_ns;
    static const enum model_table tables[] = {MODEL_OP, MODEL_APPLY, MODEL_CLASS};
    static const char *const names[] = {"exchange", "exchange()", "Halo"};
    for (int i = 0; i < TAP_ROWS(tables); i++) {
        const struct model_row *row = row_of(tables[i], names[i], 0);
        const struct model_waited waited = model_state_waited(state, tables[i], row);
        ck_assert_uint_eq(waited.ns, wait_ns);
        ck_assert_uint_eq(waited.aside_ns, left_ns - wait_ns);
        ck_assert_uint_eq(model_state_work(state, tables[i], row), work_ns);
        ck_assert_uint_eq(model_state_interval_work(state, tables[i], row), work_ns / 2);
    }
    ck_assert_uint_eq(state->totals.time_ns, work_ns);
    ck_assert_uint_eq(state->totals.wait_ns, _i > 1 ? MODEL_UNKNOWN : wait_ns);
}
END_TEST

/* A job that waits for its own work, or is aside, does not hang: its other threads do the work. */
START_TEST(waiting_for_its_own_work_is_no_hang)
{
    const uint64_t id = 1, most = S / 10, every = MODEL_UNKNOWN;
    char text[256];
    for (size_t i = 0; i < 3; i++) {
        struct model_job *job = sample_marked(_i > 1 ? MODEL_ASIDE : MODEL_WAITS);
        const struct model_now now[] = {{.apply = 1, .since_ns = 4 * S},
                                        {.thread = 1, .apply = 0, .since_ns = 13 * S}};
        put(i, job);
        move(job, 0, 5, S, 4 * S);
        move(job, 1, 5, S, 4 * S);
        model_job_set_extremes(job, 1, &id, &most, &most, &every, false);
        model_job_set_stamp(job, 14 * S, 0);
        ck_assert(model_job_set_now(job, _i % 2 ? 2 : 1, now, 14 * S));
    }
    take(MODEL_MULTI_JOB_SUM, MODEL_ALL, 3);
    ck_assert(!model_multi_job_trouble(state->multi_job, text, sizeof(text)));
    ck_assert_str_eq(text, "");
    ck_assert_uint_eq(state->multi_job->job[0].open, _i % 2 ? 0 : 1);
}
END_TEST

/* Sets the open applies of all jobs at an instant: the first is in Dot since `since_ms`, the others
 * wait since then. */
static void say_open(uint64_t at_ms, uint64_t since_ms)
{
    const uint64_t ms = 1000000;
    for (size_t i = 0; i < 3; i++) {
        struct model_now now = {.apply = i == 0 ? 0 : 1, .since_ns = since_ms * ms};
        ck_assert(model_job_set_now(jobs[i], 1, &now, at_ms * ms));
        model_job_set_stamp(jobs[i], at_ms * ms, 0);
    }
    take(MODEL_MULTI_JOB_SUM, MODEL_ALL, 3);
}

/* All jobs were stopped for 8 s, as when a machine sleeps. Each reports that it has been in its op
 * for that long. It counts once it was seen there for 3 s. */
START_TEST(stopped_jobs_do_not_count_as_hung)
{
    char text[256];
    for (size_t i = 0; i < 3; i++) {
        put(i, sample_worker());
        move(jobs[i], 0, 5, S / 10, S);
        move(jobs[i], 1, 5, S / 10, S);
    }
    say_open(9500, 9400);
    for (uint64_t at_ms = 17500; at_ms < 19300; at_ms += 100) {
        say_open(at_ms, 9400);
        ck_assert(!model_multi_job_trouble(state->multi_job, text, sizeof(text)));
        ck_assert_str_eq(text, "");
        ck_assert_uint_eq(state->multi_job->job[0].open_ns, (at_ms - 9400) * 1000000);
    }
    for (uint64_t at_ms = 19300; at_ms < 19600; at_ms += 100)
        say_open(at_ms, 9400);
    ck_assert(model_multi_job_trouble(state->multi_job, text, sizeof(text)));
    ck_assert_str_eq(text, "rank 0 hangs or gets no processor in Dot(x, w) for 10.1s; "
                           "ranks 1, 2 wait for it in AllReduce(g) for 10.1s");
}
END_TEST

/* A list that is not sent again does not age: its entries may have ended. */
START_TEST(open_calls_sent_once_do_not_count_as_hung)
{
    char text[256];
    for (size_t i = 0; i < 3; i++) {
        put(i, sample_worker());
        move(jobs[i], 0, 5, S / 10, 9 * S);
    }
    say_open(9500, 9400);
    for (size_t i = 0; i < 3; i++)
        model_job_set_stamp(jobs[i], 30 * S, 0);
    take(MODEL_MULTI_JOB_SUM, MODEL_ALL, 3);
    ck_assert(!model_multi_job_trouble(state->multi_job, text, sizeof(text)));
    ck_assert_str_eq(text, "");
}
END_TEST

/* A job that reports its waiting only afterwards is not named as the one that the others wait
 * for. */
START_TEST(job_that_may_be_waiting_is_not_named)
{
    const uint64_t id = 1, least = 1, most = S;
    char text[256];
    for (size_t i = 0; i < 3; i++) {
        put(i, sample_worker());
        move(jobs[i], 1, 5, S / 10, S);
    }
    say_open(9500, 4400);
    ck_assert(model_job_set_now(jobs[0], 0, NULL, UINT64_C(9600000000)));
    model_job_set_stamp(jobs[0], UINT64_C(9600000000), 0);
    take(MODEL_MULTI_JOB_SUM, MODEL_ALL, 3);
    ck_assert(model_multi_job_trouble(state->multi_job, text, sizeof(text)));
    ck_assert_str_eq(text, "rank 0 is in no op for 8.6s; "
                           "ranks 1, 2 wait for it in AllReduce(g) for 5.1s");
    const uint64_t timed = 4; /* of 5 */
    model_job_set_extremes(jobs[0], 1, &id, &least, &most, &timed, false);
    take(MODEL_MULTI_JOB_SUM, MODEL_ALL, 3);
    ck_assert(!model_multi_job_trouble(state->multi_job, text, sizeof(text)));
    ck_assert_str_eq(text, "");
}
END_TEST

START_TEST(labels)
{
    char out[MODEL_LABEL_MAX];
    struct model_job *job = sample_empty();
    struct model_identity *identity = model_job_identity_mutable(job);
    identity->pid = 77;
    ck_assert_str_eq(model_multi_job_label(identity, out), "77");
    identity->rank = 3;
    ck_assert_str_eq(model_multi_job_label(identity, out), "rank 3");
    ck_assert(model_job_set_text(job, &identity->role, "server", 6));
    ck_assert_str_eq(model_multi_job_label(identity, out), "server 3");
    identity->rank = MODEL_UNKNOWN;
    ck_assert_str_eq(model_multi_job_label(identity, out), "server 77");
    identity->pid = 0; /* not received yet */
    ck_assert_str_eq(model_multi_job_label(identity, out), "server -");
    model_job_set_text(job, &identity->role, "", 0);
    ck_assert_str_eq(model_multi_job_label(identity, out), "-");
    model_job_release(&job);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("fleet");
    TAP_ADD_BETWEEN(s, rows_are_one_by_their_names, 1, setup, teardown);
    TAP_ADD_BETWEEN(s, estimates_of_calls_stay_estimates, 1, setup, teardown);
    TAP_ADD_BETWEEN(s, equals_stay_apart, 1, setup, teardown);
    TAP_ADD_BETWEEN(s, rows_keep_their_places, 1, setup, teardown);
    TAP_ADD_BETWEEN(s, sums_are_those_of_the_jobs, 20, setup, teardown);
    TAP_ADD_BETWEEN(s, lines_are_one_by_their_texts, 1, setup, teardown);
    TAP_ADD_BETWEEN(s, each_row_names_its_job, 1, setup, teardown);
    TAP_ADD_BETWEEN(s, ranks_are_compared, 1, setup, teardown);
    TAP_ADD_BETWEEN(s, ended_jobs_stay_in_the_sum, 1, setup, teardown);
    TAP_ADD_BETWEEN(s, sum_of_properly_ended_jobs_is_complete, 1, setup, teardown);
    TAP_ADD_BETWEEN(s, jobs_come_and_go, 1, setup, teardown);
    TAP_ADD_BETWEEN(s, rows_follow_their_job, 1, setup, teardown);
    TAP_ADD_BETWEEN(s, a_function_can_be_the_scope, 1, setup, teardown);
    TAP_ADD_BETWEEN(s, the_slow_rank_is_named, 1, setup, teardown);
    TAP_ADD_BETWEEN(s, the_hung_rank_and_its_op_are_named, 1, setup, teardown);
    TAP_ADD_BETWEEN(s, all_that_are_missing_and_all_ops_are_named, 1, setup, teardown);
    TAP_ADD_BETWEEN(s, the_last_rank_is_named, 1, setup, teardown);
    TAP_ADD_BETWEEN(s, the_line_and_the_collective_are_named, 1, setup, teardown);
    TAP_ADD_BETWEEN(s, slow_rank_is_named_by_waiting_marks, 3, setup, teardown);
    TAP_ADD_BETWEEN(s, waiting_for_its_own_work_is_no_hang, 4, setup, teardown);
    TAP_ADD_BETWEEN(s, row_may_wait_in_one_job_and_work_in_another, 4, setup, teardown);
    TAP_ADD_BETWEEN(s, stopped_jobs_do_not_count_as_hung, 1, setup, teardown);
    TAP_ADD_BETWEEN(s, open_calls_sent_once_do_not_count_as_hung, 1, setup, teardown);
    TAP_ADD_BETWEEN(s, job_that_may_be_waiting_is_not_named, 1, setup, teardown);
    tap_add(s, "labels", labels);
    return s;
}
TAP_MAIN(suite)

/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * check_noise.c: whether the time per call since a mark differs from that before: steady rows that
 * became slower or faster, rows that vary by themselves, and rows with one interrupted call.
 */
#include "model/noise.h"

#include <math.h>

#include "model/column.h"
#include "model/moment.h"
#include "sample.h"

enum { TICKS = 100, MARK = 60, CALLS = 50, SEEDS = 10, ROWS = 4 };
static const uint64_t TICK_NS = 100000000;

/* How the time per call of a row goes: of the applies of sample_job(). */
struct row {
    double before_ns, since_ns;
    double jitter;         /* each tick is so much off, at most */
    double interrupted_ns; /* of one call after the mark */
    const char *change;
};

static const struct row rows[][ROWS] = {
    {{1000, 1000, 0.05, 0, "noise"},
     {1000, 2000, 0.05, 0, "slower"},
     {1000, 500, 0.05, 0, "faster"},
     {700, 700, 0.05, 24e6, "noise"}},
    {{1000, 1100, 0.02, 0, "slower"},
     {1000, 1050, 0.9, 0, "noise"},
     {1000, 900, 0.02, 0, "faster"},
     {500, 500, 0.3, 5e6, "noise"}},
};

static double off_by(struct sample_random *r, double most)
{
    return 1 + most * ((double)sample_below(r, 2001) / 1000 - 1);
}

/* Runs a tick; its applies made CALLS calls each. */
static void run(struct model_job *job, const struct row *row, struct sample_random *r,
                uint64_t tick, double total_ns[ROWS])
{
    for (uint64_t id = 0; id < ROWS; id++) {
        const double ns = tick <= MARK ? row[id].before_ns : row[id].since_ns;
        total_ns[id] += CALLS * ns * off_by(r, row[id].jitter);
        total_ns[id] += tick == MARK + 17 ? row[id].interrupted_ns : 0;
        sample_value(job, id, 1000 + tick * CALLS, (uint64_t)total_ns[id]);
    }
    model_job_set_stamp(job, 1000 + tick * TICK_NS, tick * TICK_NS);
    model_job_set_values_stamp(job, model_job_mono_ns(job));
}

static const struct model_column *column(const char *id)
{
    const int at = model_column_find(id, MODEL_APPLY);
    ck_assert_int_ge(at, 0);
    return &model_columns[at];
}

static void see(const struct model_state *state, const struct row *row, int seed)
{
    struct model_view view = {.table = MODEL_APPLY, .state = state};
    for (uint32_t id = 0; id < ROWS; id++) {
        const struct model_row *of = &state->row[MODEL_APPLY][id];
        const struct model_cell change = column("change")->get(&view, of, 0);
        const double error = model_noise_of(state->noise, MODEL_APPLY, id);
        ck_assert(change.known);
        ck_assert_msg(strcmp(change.text->shown, row[id].change) == 0,
                      "seed %d, row %u: %s with an error of %g, not %s", seed, id,
                      change.text->shown, error, row[id].change);
    }
}

START_TEST(changes_are_told_from_noise)
{
    const struct row *row = rows[_i / SEEDS];
    struct sample_random r = {(uint64_t)_i + 1};
    double total_ns[ROWS] = {1e6, 1e6, 1e6, 1e6};
    struct model_job *job = sample_job();
    struct model_history *history = model_history_new(job, 16 << 20);
    struct model_past *mark = NULL;
    for (uint64_t tick = 1; tick <= TICKS; tick++) {
        run(job, row, &r, tick, total_ns);
        model_history_commit(history);
        if (tick == MARK)
            mark = model_past_new(history);
    }
    const uint32_t last = model_history_count(history) - 1;
    if (mark)
        ck_assert(model_past_seek(mark, MARK - 1));
    struct model_past *now = model_past_new(history);
    ck_assert(mark && now && model_past_seek(now, last));
    struct model_state *base = model_past_take(mark, MODEL_ALL, NULL);
    struct model_noise *noise =
        model_noise_new(history, model_past_mono_ns(mark), model_past_mono_ns(now));
    model_past_since(now, mark);
    struct model_state *state = model_past_take(now, MODEL_ALL, NULL);
    state->base = base;
    state->noise = noise;
    see(state, row, _i);
    model_state_free(&state);
    model_state_free(&base);
    model_noise_free(&noise);
    model_past_free(&now);
    model_past_free(&mark);
    model_history_free(&history);
    model_job_release(&job);
}
END_TEST

static const struct {
    double ratio, error;
    bool exceeded;
} ratios[] = {
    {1.1, 0.02, true}, {1.1, 0.03, false}, {0.9, 0.02, true}, {0.9, 0.03, false},
    {26, 0.99, false}, {26, 0.26, false},  {26, 0.25, true},  {0.04, 0.25, true},
    {0, 0.1, true},    {0, 0.5, false},    {1.5, -1, false},  {1, 0, false},
    {1.0001, 0, true},
};

START_TEST(the_error_is_that_of_the_ratio)
{
    ck_assert_int_eq(model_noise_exceeded(ratios[_i].ratio, ratios[_i].error), ratios[_i].exceeded);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("noise");
    tap_add_loop(s, "changes_are_told_from_noise", changes_are_told_from_noise,
                 SEEDS * TAP_ROWS(rows));
    tap_add_loop(s, "the_error_is_that_of_the_ratio", the_error_is_that_of_the_ratio,
                 TAP_ROWS(ratios));
    return s;
}

TAP_MAIN(suite)

/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * check_history.c: a random job runs, and its JSON is kept at each tick. Then each moment of the
 * history has to give the same JSON again, in any order of steps. Two jobs get the same calls: one
 * has a history, the other shows that a history changes nothing.
 */
#include "model/history.h"

#include <math.h>

#include "model/delta.h"
#include "model/series.h"
#include "model/node_detail.h"
#include "running.h"

enum { TICKS = 120 };

/* ---------------------------------------------------------------------------------------- tests */

struct truth {
    char *all, *one; /* JSON of two scopes */
};

static void check_moment(struct model_history *history, struct model_past *past, uint32_t at,
                         const struct truth *truth)
{
    ck_assert(model_past_seek(past, at));
    const uint64_t tick = model_past_mono_ns(past) / (100 * MS) - 1;
    ck_assert_uint_eq(model_history_at(history, at).mono_ns, model_past_mono_ns(past));
    char *all = printed(model_past_take(past, MODEL_ALL, NULL));
    char *one = printed(model_past_take(past, 0, NULL));
    same(all, truth[tick].all, tick);
    same(one, truth[tick].one, tick);
    free(all);
    free(one);
}

/* Each tick is seen again, also while the job runs on. */
static void check_steps(uint64_t seed, size_t limit, bool each)
{
    struct truth truth[TICKS];
    struct sample_random r = {seed}, like = {seed}, steps = {seed + 99};
    struct model_job *job = new_job(seed), *other = new_job(seed);
    struct model_history *history = model_history_new(job, limit);
    struct model_past *past = NULL;
    ck_assert_ptr_eq(model_history_of(job), history);
    for (unsigned tick = 0; tick < TICKS; tick++) {
        run(job, &r, tick);
        run(other, &like, tick);
        model_history_commit(history);
        model_history_commit(history); /* nothing has changed: no moment */
        truth[tick].all = printed(model_state_take(other, MODEL_ALL, NULL));
        truth[tick].one = printed(model_state_take(other, 0, NULL));
        if (tick == 3)
            past = model_past_new(history);
        const uint32_t count = model_history_count(history);
        ck_assert(!each || count == tick + 1);
        if (past)
            check_moment(history, past, (uint32_t)sample_below(&steps, count), truth);
        char *now = printed(model_state_take(job, MODEL_ALL, NULL));
        same(now, truth[tick].all, tick);
        free(now);
    }
    for (unsigned n = 0; n < 300; n++)
        check_moment(history, past, (uint32_t)sample_below(&steps, model_history_count(history)),
                     truth);
    ck_assert_uint_le(model_history_bytes(history), limit);
    for (unsigned tick = 0; tick < TICKS; tick++) {
        free(truth[tick].all);
        free(truth[tick].one);
    }
    model_past_free(&past);
    model_history_free(&history);
    ck_assert_ptr_null(model_history_of(job));
    model_job_release(&job);
    model_job_release(&other);
}

START_TEST(each_moment_is_as_it_was)
{
    check_steps((uint64_t)_i + 1, 64 << 20, true);
}
END_TEST

/* Ticks are added up and dropped. Those that are left are exact. */
START_TEST(moments_in_little_memory_are_exact)
{
    check_steps((uint64_t)_i + 1, 40000 + 8000 * (size_t)_i, false);
}
END_TEST

/* Ticks of 100 ms for an hour, in memory for less. All lanes are used: the newest minute has each
 * tick, and no moment covers more than a minute. The sums over all moments equal the job's. */
START_TEST(old_moments_are_coarser)
{
    struct sample_random r = {7};
    struct model_job *job = sample_job();
    struct model_history *history = model_history_new(job, 400000);
    uint64_t calls[4] = {10, 20, 30, 5}, calls_at_begin = 0;
    for (uint64_t tick = 1; tick <= 36000; tick++) {
        for (uint64_t id = 0; id < 4; id++)
            ck_assert_uint_eq(
                sample_value(job, id, calls[id] += sample_below(&r, 3), 9000 + tick * 50), 0);
        model_job_set_stamp(job, 1000 + tick * 100 * MS, tick * 100 * MS);
        model_history_commit(history);
    }
    const uint32_t count = model_history_count(history);
    const uint64_t end_ns = model_history_at(history, count - 1).mono_ns;
    ck_assert_uint_eq(end_ns, 1000 + UINT64_C(36000) * 100 * MS);
    unsigned covered[4] = {0};
    uint64_t sum = 0, before_ns = model_history_at(history, 0).mono_ns;
    for (uint32_t at = 1; at < count; at++) {
        const struct model_history_moment moment = model_history_at(history, at);
        const uint64_t ns = moment.mono_ns - moment.from_ns;
        ck_assert_uint_eq(moment.from_ns, before_ns); /* without gaps */
        ck_assert_uint_eq(ns, moment.ticks * UINT64_C(100) * MS);
        covered[ns <= UINT64_C(100) * MS     ? 0
                : ns <= UINT64_C(1000) * MS  ? 1
                : ns <= UINT64_C(10000) * MS ? 2
                                             : 3]++;
        ck_assert_uint_le(ns, UINT64_C(60000) * MS);
        before_ns = moment.mono_ns;
        sum += moment.calls;
    }
    ck_assert_uint_gt(covered[0], 600);
    for (unsigned lane = 1; lane < 4; lane++)
        ck_assert_uint_gt(covered[lane], 5);
    struct model_past *past = model_past_new(history);
    ck_assert(model_past_seek(past, 0));
    struct model_state *state = model_past_take(past, MODEL_ALL, NULL);
    calls_at_begin = state->totals.apply_calls;
    model_state_free(&state);
    ck_assert_uint_eq(calls_at_begin + sum, calls[0] + calls[1] + calls[2] + calls[3]);
    /* The past begins so long ago. */
    ck_assert_uint_gt(end_ns - model_history_at(history, 0).mono_ns, UINT64_C(30) * 60 * 1000 * MS);
    ck_assert_uint_eq(model_history_find(history, 0), 0);
    ck_assert_uint_eq(model_history_find(history, end_ns + 5), count - 1);
    ck_assert_uint_eq(model_history_find(history, end_ns - 1), count - 2);
    model_past_free(&past);
    model_history_free(&history);
    model_job_release(&job);
}
END_TEST

/* An interval in the past lies between the two moments. */
START_TEST(rates_of_the_past)
{
    struct model_job *job = sample_job();
    struct model_history *history = model_history_new(job, 1 << 20);
    for (uint64_t tick = 1; tick <= 10; tick++) {
        ck_assert_uint_eq(sample_value(job, 0, 10 + tick * tick, 1000 + tick * 100), 0);
        model_job_set_stamp(job, 1000 + tick * 100 * MS, tick);
        model_job_set_values_stamp(job, 1000 + tick * 100 * MS);
        model_history_commit(history);
    }
    struct model_past *past = model_past_new(history);
    ck_assert(model_past_seek(past, 3));
    struct model_state *from = model_past_take(past, MODEL_ALL, NULL);
    ck_assert(model_past_seek(past, 6));
    struct model_state *to = model_past_take(past, MODEL_ALL, from);
    ck_assert_uint_eq(to->interval_ns, UINT64_C(300) * MS);
    ck_assert_uint_eq(to->row[MODEL_APPLY][0].interval_calls, 7 * 7 - 4 * 4);
    ck_assert_uint_eq(to->row[MODEL_APPLY][0].interval_ns, 300);
    model_state_free(&from);
    model_state_free(&to);
    model_past_free(&past);
    model_history_free(&history);
    model_job_release(&job);
}
END_TEST

/* An apply moves to a line that was not there at the moment shown. */
START_TEST(a_line_that_came_later)
{
    struct model_job *job = sample_job();
    struct model_history *history = model_history_new(job, 1 << 20);
    model_history_commit(history);
    for (uint64_t tick = 1; tick <= 40; tick++) {
        char place[32];
        snprintf(place, sizeof(place), "later.py:%u", (unsigned)tick);
        const struct model_about_raw about = {.rev = tick, .location = sample_bytes(place)};
        ck_assert(model_job_set_about(job, 1, &about));
        ck_assert_uint_eq(sample_value(job, 1, 30 + tick, 9000 + tick), 0);
        model_job_set_stamp(job, 1000 + tick, tick);
        model_history_commit(history);
    }
    struct model_past *past = model_past_new(history);
    ck_assert(model_past_seek(past, 0));
    struct model_state *state = model_past_take(past, MODEL_ALL, NULL);
    const uint32_t line = model_job_apply(job, 1)->line;
    ck_assert_uint_lt(line, state->count[MODEL_LINE]);
    ck_assert_uint_eq(state->row[MODEL_LINE][line].calls, state->row[MODEL_APPLY][1].calls);
    model_state_free(&state);
    model_past_free(&past);
    model_history_free(&history);
    model_job_release(&job);
}
END_TEST

/* A change of everything that is larger than the memory: the past ends there, and begins anew. */
START_TEST(a_large_change_forgets_the_past)
{
    struct model_job *job = sample_job();
    struct model_history *history = model_history_new(job, 4 * 64 - 1);
    model_history_commit(history);
    ck_assert_uint_eq(model_history_count(history), 1);
    for (uint64_t id = 0; id < 4; id++)
        ck_assert_uint_eq(sample_value(job, id, 1000, 100000), 0);
    ck_assert_ptr_null(model_past_new(history)); /* the moment cannot be reached any more */
    model_history_commit(history);
    ck_assert_uint_eq(model_history_count(history), 1);
    struct model_past *past = model_past_new(history);
    struct model_state *state = model_past_take(past, MODEL_ALL, NULL);
    ck_assert_uint_eq(state->totals.apply_calls, 4000);
    model_state_free(&state);
    model_past_free(&past);
    model_history_free(&history);
    model_job_release(&job);
}
END_TEST

/* Ticks of 100 ms: apply 0 gets 2 calls of 5 us in each, from the tenth second on 4. A counter
 * rises by 1 a second. Bins of half a second. */
START_TEST(figures_over_time)
{
    struct model_job *job = sample_job();
    struct model_history *history = model_history_new(job, 1 << 20);
    struct model_counter_value value = {.known = 1, .mean = 0, .limit = MODEL_UNKNOWN};
    uint64_t calls = 10;
    ck_assert(
        model_job_add_counter(job, &(struct model_counter_raw){.name = sample_bytes("steps")}));
    for (uint64_t tick = 0; tick <= 200; tick++) {
        calls += tick > 100 ? 4 : 2;
        value.value.i = (int64_t)tick / 10;
        value.updates++;
        ck_assert_uint_eq(sample_value(job, 0, calls, calls * 5000), 0);
        ck_assert(model_job_set_counter(job, 0, MODEL_I64, &value));
        model_job_set_stamp(job, (100 + tick) * 100 * MS, tick);
        model_history_commit(history);
    }
    static struct model_series s;
    s = (struct model_series){.bins = 48, .bin_ns = 500 * MS, .end_ns = UINT64_C(30000) * MS};
    const struct {
        struct model_series_key key;
        double early, late;
    } row[] = {
        {{MODEL_SERIES_CALLS, MODEL_APPLY, 0}, 20, 40},
        {{MODEL_SERIES_CALLS, MODEL_CLASS, 0}, 20, 40},
        {{MODEL_SERIES_TIME, MODEL_OP, 0}, 100000, 200000},
        {{MODEL_SERIES_PER_CALL, MODEL_FUNCTION, 0}, 5000, 5000},
        {{MODEL_SERIES_CALLS, MODEL_APPLY, 1}, 0, 0},
    };
    for (size_t i = 0; i < sizeof(row) / sizeof(row[0]); i++) {
        model_series_take(&s, history, &row[i].key);
        for (unsigned bin = 0; bin < s.bins; bin++) { /* the past begins with bin 8 */
            ck_assert(bin >= 8 ? !isnan(s.value[bin]) : isnan(s.value[bin]));
            if (bin >= 8)
                ck_assert_double_eq_tol(s.value[bin], bin < 28 ? row[i].early : row[i].late, 1e-6);
        }
        ck_assert_double_eq_tol(s.most, row[i].late, 1e-6);
        ck_assert_double_eq_tol(s.least, row[i].early, 1e-6);
    }
    static struct model_strips strips;
    double level[MODEL_STRIP_BINS];
    strips = (struct model_strips){
        .of = MODEL_SERIES_COUNTER, .rows = 1, .bin_ns = 500 * MS, .end_ns = UINT64_C(30000) * MS};
    model_strips_take(&strips, history);
    ck_assert(model_strips_levels(&strips, 0, level));
    model_series_take(&s, history, &(struct model_series_key){.of = MODEL_SERIES_COUNTER});
    const double first = s.value[s.bins - MODEL_STRIP_BINS];
    for (unsigned bin = 0; bin < MODEL_STRIP_BINS; bin++) /* from its least to its largest value */
        ck_assert_double_eq_tol(
            level[bin], (s.value[s.bins - MODEL_STRIP_BINS + bin] - first) / (s.last - first),
            1e-9);
    for (unsigned bin = 8; bin < s.bins; bin++) /* its value in the last tick of the bin */
        ck_assert_double_eq_tol(s.value[bin], ((bin - 7) * 5 - 1) / 10, 1e-9);
    ck_assert_double_eq_tol(s.last, 19, 1e-9);
    ck_assert_int_eq(model_series_unit(job, &row[3].key), MODEL_UNIT_MEAN);
    model_history_free(&history);
    model_job_release(&job);
}
END_TEST

/* The curves of a list are the curves of its rows one by one, also when they are moved on. */
START_TEST(curves_of_a_list)
{
    struct sample_random r = {9};
    struct model_job *job = sample_job();
    struct model_history *history = model_history_new(job, 1 << 20);
    static struct model_strips strips;
    static struct model_series s;
    uint64_t calls[4] = {99, 99, 99, 99}, ns[4] = {999999, 999999, 999999, 999999};
    strips = (struct model_strips){.of = MODEL_SERIES_TIME, .bin_ns = 500 * MS};
    for (uint64_t tick = 1; tick <= 400; tick++) {
        for (uint32_t id = 0; id < 4; id++) {
            const uint64_t more = sample_below(&r, 5);
            calls[id] += more;
            ns[id] += more * (1000 + sample_below(&r, 900));
            ck_assert_uint_eq(sample_value(job, id, calls[id], ns[id]), 0);
        }
        model_job_set_stamp(job, tick * 100 * MS, tick);
        model_history_commit(history);
        if (tick < 30 || sample_below(&r, 4) != 0)
            continue;
        /* Other rows now and then: the curves are read anew. */
        strips.table = tick % 3 == 0 ? MODEL_CLASS : MODEL_APPLY;
        strips.rows = tick % 3 == 0 ? model_job_count(job, MODEL_CLASS) : 3;
        for (uint32_t i = 0; i < strips.rows; i++)
            strips.id[i] = i;
        strips.of = tick % 5 == 0 ? MODEL_SERIES_PER_CALL : MODEL_SERIES_TIME;
        strips.end_ns = tick * 100 * MS / (500 * MS) * (500 * MS);
        if (strips.end_ns < MODEL_STRIP_BINS * strips.bin_ns)
            continue;
        model_strips_take(&strips, history);
        for (uint32_t i = 0; i < strips.rows; i++) {
            double level[MODEL_STRIP_BINS];
            s = (struct model_series){
                .bins = MODEL_STRIP_BINS, .bin_ns = strips.bin_ns, .end_ns = strips.end_ns};
            model_series_take(&s, history,
                              &(struct model_series_key){strips.of, strips.table, strips.id[i]});
            ck_assert(model_strips_levels(&strips, strips.id[i], level));
            for (unsigned bin = 0; bin < MODEL_STRIP_BINS; bin++) {
                ck_assert_int_eq(isnan(s.value[bin]), isnan(level[bin]));
                if (!isnan(level[bin]) && s.most > 0)
                    ck_assert_double_eq_tol(level[bin], s.value[bin] / s.most, 1e-9);
            }
        }
        double none[MODEL_STRIP_BINS];
        ck_assert(!model_strips_levels(&strips, 77, none));
    }
    model_history_free(&history);
    model_job_release(&job);
}
END_TEST

/* Bytes that are no changes are refused: at each length, with each bit turned. */
START_TEST(changes_are_checked)
{
    struct model_delta_out out = {0};
    struct model_delta_in in;
    const struct model_delta_row row[] = {{MODEL_V_SPAN, 0, 2, {0, 79}, {1, 1}},
                                          {MODEL_V_APPLY, 3, 2, {0, 1}, {5, (uint64_t)-70}},
                                          {MODEL_V_APPLY, 4, 2, {0, 1}, {5, UINT64_MAX / 2}},
                                          {MODEL_V_APPLY, 900, 1, {7}, {UINT64_C(1) << 63}}};
    model_delta_begin(&out);
    for (size_t i = 0; i < sizeof(row) / sizeof(row[0]); i++)
        model_delta_add(&out, &row[i]);
    ck_assert(model_delta_end(&out));
    model_delta_read(&in, out.data, out.size);
    for (size_t i = 0; i < sizeof(row) / sizeof(row[0]); i++) {
        ck_assert(model_delta_next(&in));
        ck_assert_uint_eq(in.row.table, row[i].table);
        ck_assert_uint_eq(in.row.id, row[i].id);
        ck_assert_uint_eq(in.row.words, row[i].words);
        for (unsigned k = 0; k < row[i].words; k++) {
            ck_assert_uint_eq(in.row.word[k], row[i].word[k]);
            ck_assert_uint_eq(in.row.change[k], row[i].change[k]);
        }
    }
    ck_assert(!model_delta_next(&in) && !in.bad);
    for (size_t size = 0; size < out.size; size++) {
        model_delta_read(&in, out.data, size);
        while (model_delta_next(&in)) {
        }
        ck_assert(in.bad);
    }
    for (size_t bit = 0; bit < out.size * 8; bit++) {
        out.data[bit / 8] ^= (uint8_t)(1 << bit % 8);
        model_delta_read(&in, out.data, out.size);
        while (model_delta_next(&in)) {
            ck_assert_uint_lt(in.row.table, MODEL_VALUE_TABLES);
            ck_assert_uint_lt(in.row.word[in.row.words - 1], model_values_words(in.row.table));
        }
        out.data[bit / 8] ^= (uint8_t)(1 << bit % 8);
    }
    free(out.data);
}
END_TEST

/* A million steps back and forth; a tenth of them in the gate. */
START_TEST(a_million_steps)
{
    struct sample_random r = {5};
    struct model_job *job = sample_job();
    struct model_history *history = model_history_new(job, 1 << 20);
    for (uint64_t tick = 1; tick <= 1000; tick++) {
        ck_assert_uint_eq(sample_value(job, tick % 4, 30 + tick, 9000 + tick * 1000), 0);
        model_job_set_stamp(job, 1000 + tick * MS, tick);
        model_history_commit(history);
    }
    struct model_past *past = model_past_new(history);
    uint32_t at = model_history_count(history) - 1;
    ck_assert_uint_eq(at, 999);
    for (unsigned n = 0; n < 1000000; n += tap_stride()) {
        at = at == 0 ? 1 : at == 999 ? 998 : sample_below(&r, 2) ? at - 1 : at + 1;
        ck_assert(model_past_seek(past, at));
        if (n / tap_stride() % 1000 == 0) {
            struct model_state *state = model_past_take(past, MODEL_ALL, NULL);
            ck_assert_uint_eq(state->row[MODEL_APPLY][(at + 1) % 4].total_ns,
                              9000 + (at + UINT64_C(1)) * 1000);
            model_state_free(&state);
        }
    }
    model_past_free(&past);
    model_history_free(&history);
    model_job_release(&job);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("history");
    tap_add_loop(s, "moments", each_moment_is_as_it_was, tap_rounds(20));
    tap_add_loop(s, "little_memory", moments_in_little_memory_are_exact, tap_rounds(20));
    tap_add(s, "coarser", old_moments_are_coarser);
    tap_add(s, "rates", rates_of_the_past);
    tap_add(s, "later_line", a_line_that_came_later);
    tap_add(s, "large_change", a_large_change_forgets_the_past);
    tap_add(s, "over_time", figures_over_time);
    tap_add(s, "strips", curves_of_a_list);
    tap_add(s, "changes", changes_are_checked);
    tap_add(s, "million", a_million_steps);
    return s;
}
TAP_MAIN(suite)

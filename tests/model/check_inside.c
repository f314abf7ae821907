/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * check_inside.c: the own time of an apply while a function runs inside it. It never falls and
 * never exceeds the apply's time. All own times add up to the time of the outermost applies.
 */
#include "model/inside.h"

#include "sample.h"
#include "model/view.h"

enum { LOOP, LEAF, SECOND, APPLIES };

static struct model_job *job;
static uint64_t clock_ns;

/* train: 0 loop; inside it: 1 leaf, 2 leaf. The job sends its open calls. */
static void set_up(void)
{
    job = sample_empty();
    clock_ns = 1000;
    model_job_identity_mutable(job)->open = 1;
    sample_class(job, "Scan");
    sample_class(job, "Leaf");
    sample_op(job, 0, "Scan{}");
    sample_op(job, 1, "leaf");
    sample_function(job, "train", MODEL_NONE);
    sample_apply(job, 0, 0, 0, "loop", MODEL_IMPL_C);
    sample_function(job, "inside", LOOP);
    sample_apply(job, 1, 1, 0, "leaf", MODEL_IMPL_C);
    sample_apply(job, 1, 1, 1, "second", MODEL_IMPL_C);
}

static void tear_down(void)
{
    model_job_release(&job);
}

/* open_ns 0: no call is open. */
static void say(uint64_t id, uint64_t calls, uint64_t total_ns, uint64_t open_ns)
{
    const uint64_t unknown = MODEL_UNKNOWN, open = open_ns ? open_ns : MODEL_UNKNOWN;
    ck_assert_uint_eq(model_job_set_values(job, 1, &id, &calls, &total_ns, &unknown, &open, false),
                      0);
    clock_ns += 1000000;
    model_job_set_stamp(job, clock_ns, clock_ns);
    model_job_set_values_stamp(job, clock_ns);
}

static struct model_state *take(const struct model_state *before)
{
    struct model_state *state = model_state_take(job, MODEL_ALL, before);
    ck_assert_ptr_nonnull(state);
    return state;
}

static const struct model_row *loop_of(const struct model_state *state)
{
    return &state->row[MODEL_APPLY][LOOP];
}

/* Takes states and checks the loop. Returns the time of all rows. Taking a state again changes
 * nothing. */
static uint64_t is(uint64_t total_ns, uint64_t self_ns)
{
    uint64_t time_ns = 0;
    for (unsigned i = 0; i < 3; i++) {
        struct model_state *state = take(NULL);
        ck_assert_uint_eq(loop_of(state)->total_ns, total_ns);
        ck_assert_uint_eq(loop_of(state)->self_ns, self_ns);
        ck_assert(i == 0 || state->totals.time_ns == time_ns);
        time_ns = state->totals.time_ns;
        model_state_free(&state);
    }
    return time_ns;
}

/* Calls of 300 ns: 100 are own time. The parts arrive as they end. */
START_TEST(own_time_grows_while_a_call_is_open)
{
    struct model_state *before = NULL;
    uint64_t own = 0, time = 0;
    for (unsigned step = 0; step < 40; step++) {
        const uint64_t ended = step / 4, part = step % 4; /* the fifth call has 4 parts */
        if (part > 0)
            say(LOOP, ended, ended * 300, part * 75);
        else
            say(LOOP, ended, ended * 300, 0);
        say(LEAF, step, step * 50, 0);
        struct model_state *state = take(before);
        const struct model_row *row = loop_of(state);
        ck_assert_uint_eq(row->calls, ended);
        ck_assert_uint_eq(row->total_ns, step * 75);
        ck_assert_uint_eq(row->self_ns, step * 25);
        ck_assert_uint_eq(row->open_ns, part * 75);
        ck_assert_uint_ge(row->self_ns, own);
        ck_assert_uint_eq(state->totals.time_ns, step * 75);
        ck_assert_uint_ge(state->totals.time_ns, time);
        if (before) {
            ck_assert_uint_eq(row->interval_ns, 25);
            ck_assert_uint_eq(state->totals.interval_time_ns, 75);
        }
        own = row->self_ns;
        time = state->totals.time_ns;
        if (before)
            model_state_free(&before);
        before = state;
    }
    model_state_free(&before);
}
END_TEST

/* An old job does not send its open calls. The parts of a call belong to no other call until that
 * call is counted. */
START_TEST(of_a_job_of_old_it_does_not_fall)
{
    model_job_identity_mutable(job)->open = 0;
    say(LOOP, 1, 300, 0);
    say(LEAF, 4, 200, 0);
    ck_assert_uint_eq(is(300, 100), 300);
    for (uint64_t i = 1; i <= 4; i++) {
        say(LEAF, 4 + i, 200 + 50 * i, 0);
        ck_assert_uint_eq(is(300, 100), 300 + 50 * i);
    }
    say(LOOP, 2, 600, 0);
    ck_assert_uint_eq(is(600, 200), 600);
}
END_TEST

/* The viewer attached in the middle of a call. The call is not counted, but its parts are. */
START_TEST(parts_of_a_call_that_is_not_counted_are_no_parts)
{
    say(LEAF, 3, 150, 0);
    ck_assert_uint_eq(is(0, 0), 150);
    say(LEAF, 4, 200, 30);
    ck_assert_uint_eq(is(0, 0), 230);
    say(LEAF, 5, 250, 0); /* its end; the next one counts */
    ck_assert_uint_eq(is(0, 0), 250);
    say(LOOP, 0, 0, 60);
    say(LEAF, 6, 290, 0);
    ck_assert_uint_eq(is(60, 20), 310);
    say(LOOP, 1, 300, 0);
    say(LEAF, 9, 450, 0);
    ck_assert_uint_eq(is(300, 100), 550);
}
END_TEST

/* Several states are taken. The rest of the uncounted call arrives together with the first part of
 * a counted call. */
START_TEST(the_last_of_what_is_not_counted_is_no_part)
{
    for (uint64_t ns = 250 - 10 * (uint64_t)_i; ns <= 250; ns += 10) {
        say(LEAF, 3, ns, 0);
        is(0, 0);
    }
    model_job_begin_tick(job, 1);
    say(LEAF, 8, 400, 0); /* 100 of these 150 precede the call, 50 are in it */
    say(LOOP, 0, 0, 60);
    model_job_end_tick(job);
    is(60, 0); /* from here on its own time is known: it was 10 */
    for (uint64_t i = 1; i <= 4; i++) {
        say(LOOP, i, i * 300, 0);
        say(LEAF, 8 + 4 * i, 350 + i * 250, 0);
        is(i * 300, i * 50 - 10);
    }
}
END_TEST

START_TEST(a_call_that_fails_takes_its_parts_along)
{
    say(LOOP, 1, 300, 0);
    say(LEAF, 4, 200, 0);
    is(300, 100);
    say(LOOP, 1, 300, 200);
    say(LEAF, 6, 300, 0);
    is(500, 200);
    say(LOOP, 1, 300, _i == 0 ? 0 : 10); /* ended, or followed by another one */
    is(_i == 0 ? 300 : 310, 100);
    say(LOOP, 2, 600, 0);
    say(LEAF, 10, 500, 0);
    is(600, _i == 0 ? 200 : 190); /* the other began 10 before: up to 10 are inside it */
}
END_TEST

/* A state taken between frames of one tick: parts are newer or older than the whole. */
START_TEST(partial_tick_does_not_lower_the_own_time)
{
    model_job_begin_tick(job, 1);
    say(LOOP, 1, 300, 100);
    say(LEAF, 5, 250, 0);
    model_job_end_tick(job);
    is(400, 150);
    model_job_begin_tick(job, 2);
    say(LEAF, 6, 300, 0);
    is(400, 150);
    say(LOOP, 1, 300, 200);
    model_job_end_tick(job);
    is(500, 200);
    model_job_begin_tick(job, 3);
    say(LOOP, 1, 300, 290);
    is(590, 200);
    say(LEAF, 8, 385, 0);
    model_job_end_tick(job);
    is(590, 205);
}
END_TEST

/* Between frames of one tick, the parts have arrived. The call that they ran in has not arrived
 * yet. */
START_TEST(early_parts_belong_to_the_following_call)
{
    say(LOOP, 1, 300, 0);
    say(LEAF, 4, 200, 0);
    is(300, 100);
    model_job_begin_tick(job, 1);
    say(LEAF, 5, 240, 0);
    is(300, 100);
    say(LOOP, 1, 300, 60);
    model_job_end_tick(job);
    is(360, 120);
    say(LOOP, 2, 600, 0);
    say(LEAF, 8, 400, 0);
    is(600, 200);
}
END_TEST

START_TEST(per_call_is_of_calls_that_have_ended)
{
    say(LOOP, 2, 600, 299);
    say(LEAF, 4, 200, 0);
    say(SECOND, 0, 0, 50);
    struct model_state *state = take(NULL);
    const struct model_row *row = loop_of(state);
    ck_assert_uint_eq(model_row_closed(row), 600);
    ck_assert_uint_eq(row->self_ns, 649);
    ck_assert_uint_le(model_state_closed(state, row), 600);
    ck_assert_uint_eq(model_state_closed(state, &state->row[MODEL_APPLY][SECOND]), 0);
    ck_assert_uint_eq(model_state_time(state, &state->row[MODEL_APPLY][SECOND]), 50);
    model_state_free(&state);
    state = model_state_take(job, 0, NULL);
    ck_assert_uint_eq(model_state_time(state, loop_of(state)), 899);
    ck_assert_uint_eq(model_state_closed(state, loop_of(state)), 600);
    model_state_free(&state);
}
END_TEST

/* A frame of a snapshot is older than the data from the stream. */
START_TEST(an_older_frame_makes_nothing_shorter)
{
    const uint64_t id = LOOP, calls = 1, total_ns = 300, unknown = MODEL_UNKNOWN, open_ns = 50;
    say(LOOP, 1, 300, 100);
    model_job_set_values(job, 1, &id, &calls, &total_ns, &unknown, &open_ns, true);
    is(400, 400);
    model_job_set_values(job, 1, &id, &calls, &total_ns, &unknown, NULL, true);
    is(400, 400);
    const uint64_t fewer = 0, less = 0, longer = 290; /* of the call that has ended since */
    model_job_set_values(job, 1, &id, &fewer, &less, &unknown, &longer, true);
    is(400, 400);
    model_job_set_values(job, 1, &id, &calls, &total_ns, &unknown, NULL, false);
    is(300, 300); /* it failed */
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("inside");
    TAP_ADD_BETWEEN(s, own_time_grows_while_a_call_is_open, 1, set_up, tear_down);
    TAP_ADD_BETWEEN(s, of_a_job_of_old_it_does_not_fall, 1, set_up, tear_down);
    TAP_ADD_BETWEEN(s, parts_of_a_call_that_is_not_counted_are_no_parts, 1, set_up, tear_down);
    TAP_ADD_BETWEEN(s, the_last_of_what_is_not_counted_is_no_part, 4, set_up, tear_down);
    TAP_ADD_BETWEEN(s, a_call_that_fails_takes_its_parts_along, 2, set_up, tear_down);
    TAP_ADD_BETWEEN(s, partial_tick_does_not_lower_the_own_time, 1, set_up, tear_down);
    TAP_ADD_BETWEEN(s, early_parts_belong_to_the_following_call, 1, set_up, tear_down);
    TAP_ADD_BETWEEN(s, per_call_is_of_calls_that_have_ended, 1, set_up, tear_down);
    TAP_ADD_BETWEEN(s, an_older_frame_makes_nothing_shorter, 1, set_up, tear_down);
    return s;
}
TAP_MAIN(suite)

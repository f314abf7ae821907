/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * check_pace.c: steps, samples and tokens per second: which frame and counters they use, over which
 * time.
 */
#include "model/pace.h"

#include "sample.h"

#define MS UINT64_C(1000000)

static struct model_job *job;
static struct model_state *state;

static uint32_t add_span(const char *domain, const char *name, enum model_span_kind kind)
{
    const struct model_span_raw raw = {
        .domain = sample_bytes(domain), .name = sample_bytes(name), .kind = (uint8_t)kind};
    ck_assert(model_job_add_span(job, &raw));
    return model_job_count(job, MODEL_SPAN) - 1;
}

static uint32_t add_counter(const char *domain, const char *name, enum model_counter_kind kind)
{
    const struct model_counter_raw raw = {
        .domain = sample_bytes(domain), .name = sample_bytes(name), .kind = (uint8_t)kind};
    ck_assert(model_job_add_counter(job, &raw));
    return model_job_count(job, MODEL_COUNTER) - 1;
}

static void setup(void)
{
    job = sample_empty();
    state = NULL;
}

static void teardown(void)
{
    model_state_free(&state);
    model_job_release(&job);
}

/* Sets the number of ended runs of a span, and the end of the last one. */
static void ended(uint32_t span, uint64_t calls, uint64_t until_ns)
{
    const struct model_span_value value = {.calls = calls,
                                           .total_ns = calls,
                                           .self_ns = calls,
                                           .last_ns = 1,
                                           .open_since_ns = MODEL_UNKNOWN,
                                           .min_ns = 1,
                                           .max_ns = 1,
                                           .first_ns = 1,
                                           .until_ns = until_ns};
    ck_assert(model_job_set_span(job, span, &value));
    ck_assert(model_job_set_span_edges(job, span, &value));
}

static void counted(uint32_t counter, double samples, uint64_t updates)
{
    const enum model_counter_kind kind = model_job_counter(job, counter)->kind;
    struct model_counter_value value = {.updates = updates, .limit = MODEL_UNKNOWN};
    if (kind == MODEL_F64)
        value.value.d = samples;
    else
        value.value.i = (int64_t)samples;
    ck_assert(model_job_set_counter(job, counter, kind, &value));
}

/* Takes a state at this instant, after the present one. */
static void take(uint64_t mono_ns)
{
    model_job_set_stamp(job, mono_ns, mono_ns);
    model_job_set_values_stamp(job, mono_ns);
    struct model_state *next = model_state_take(job, MODEL_ALL, state);
    ck_assert_ptr_nonnull(next);
    model_state_free(&state);
    state = next;
}

/* The rate is measured from the end of one step to the end of another, independently of the
 * viewer's ticks. */
START_TEST(steps_and_samples_have_a_rate)
{
    const enum model_counter_kind kind = _i ? MODEL_F64 : MODEL_I64;
    const uint32_t step = add_span("train", "step", MODEL_FRAME);
    const uint32_t samples = add_counter("train", "samples", kind);
    const uint32_t tokens = add_counter("train", "tokens", kind);
    ended(step, 10, 1000 * MS);
    counted(samples, 320, 10);
    counted(tokens, 1000, 10);
    take(1090 * MS);
    ck_assert_double_lt(state->pace.steps, 0); /* there is no interval yet */
    ck_assert_double_lt(state->pace.samples, 0);
    ck_assert_double_lt(state->pace.tokens, 0);
    ended(step, 35, 3000 * MS);
    counted(samples, 1120, 35);
    counted(tokens, 7000, 35);
    take(3010 * MS);
    ck_assert_double_eq_tol(state->pace.steps, 12.5, 1e-9);
    ck_assert_double_eq_tol(state->pace.samples, 400, 1e-9);
    ck_assert_double_eq_tol(state->pace.tokens, 3000, 1e-9);
    counted(samples, 0, 36); /* a new epoch of the program */
    ended(step, 45, 3500 * MS);
    take(4000 * MS);
    ck_assert_double_eq_tol(state->pace.steps, 20, 1e-9);
    ck_assert_double_lt(state->pace.samples, 0);
    ck_assert_double_eq(state->pace.tokens, 0);
}
END_TEST

/* A step of 2 s does not end in most intervals of 1 s. The pace drops to 0 only when the step is
 * long overdue. */
START_TEST(a_long_step_keeps_its_pace)
{
    const uint32_t step = add_span("train", "step", MODEL_FRAME);
    const uint32_t samples = add_counter("train", "samples", MODEL_I64);
    ended(step, 1, 1000 * MS);
    counted(samples, 64, 1);
    take(1000 * MS);
    ended(step, 2, 3000 * MS);
    counted(samples, 128, 2);
    take(3000 * MS);
    for (uint64_t ms = 4000; ms <= 7000; ms += 1000) {
        take(ms * MS);
        ck_assert_double_eq_tol(state->pace.steps, 0.5, 1e-9);
        ck_assert_double_eq_tol(state->pace.samples, 32, 1e-9);
    }
    take(8000 * MS);
    ck_assert_double_eq(state->pace.steps, 0);
    ck_assert_double_eq(state->pace.samples, 0);
    ended(step, 3, 11000 * MS);
    take(11000 * MS);
    ck_assert_double_eq_tol(state->pace.steps, 0.125, 1e-9);
}
END_TEST

/* The interval of a pause is the whole pause. A job that is over has no interval. */
START_TEST(the_interval_is_that_of_other_rates)
{
    const uint32_t step = add_span("train", "step", MODEL_FRAME);
    ended(step, 10, 1000 * MS);
    take(1000 * MS);
    state->extends = true;
    ended(step, 20, 2000 * MS);
    take(2000 * MS);
    ended(step, 60, 3000 * MS);
    take(3000 * MS);
    ck_assert_double_eq_tol(state->pace.steps, 25, 1e-9);
    model_job_set_ended(job, true);
    take(4000 * MS);
    ck_assert_double_lt(state->pace.steps, 0);
    model_job_set_ended(job, false);
    ended(step, 70, 5000 * MS);
    model_job_set_epoch(job, 2); /* a reset */
    model_job_set_complete(job);
    ended(step, 1, 5500 * MS);
    take(6000 * MS);
    ck_assert_double_lt(state->pace.steps, 0);
}
END_TEST

/* Among all spans with such names. */
START_TEST(the_frame_with_the_most_calls_counts)
{
    const uint32_t task = add_span("a", "step", MODEL_TASK);
    const uint32_t few = add_span("b", "step", MODEL_FRAME);
    const uint32_t other = add_span("c", "steps", MODEL_FRAME);
    const uint32_t most = add_span("d", "step", MODEL_FRAME);
    const uint32_t none = add_counter("b", "samples", MODEL_I64);
    const uint32_t memory = add_counter("d", "samples", MODEL_MEMORY);
    for (uint64_t round = 1; round <= 2; round++) {
        ended(task, 1000 * round, 1000 * round * MS);
        ended(few, 2 * round, 1000 * round * MS);
        ended(other, 2000 * round, 1000 * round * MS);
        ended(most, 3 * round, 1000 * round * MS);
        counted(none, (double)(70 * round), round);
        counted(memory, 0, round);
        take(1000 * round * MS);
    }
    ck_assert_double_eq_tol(state->pace.steps, 3, 1e-9);
    ck_assert_double_lt(state->pace.samples, 0);
    ended(few, 100, 3000 * MS); /* another span now leads: a new interval */
    take(3000 * MS);
    ck_assert_double_lt(state->pace.steps, 0);
    ended(few, 110, 4000 * MS);
    counted(none, 1000, 3);
    take(4000 * MS);
    ck_assert_double_eq_tol(state->pace.steps, 10, 1e-9);
    ck_assert_double_eq_tol(state->pace.samples, 860, 1e-9);
}
END_TEST

/* A counter of the time in counted steps. */
static void add_time(const char *domain, const char *name, double ns)
{
    const struct model_counter_raw raw = {.domain = sample_bytes(domain),
                                          .name = sample_bytes(name),
                                          .unit = sample_bytes("ns in counted steps"),
                                          .kind = MODEL_I64};
    ck_assert(model_job_add_counter(job, &raw));
    counted(model_job_count(job, MODEL_COUNTER) - 1, ns, 1);
}

/* Other steps than the counted ones, and times of another domain, are no part of a mean step. */
START_TEST(a_step_is_known_by_the_steps_counted)
{
    static const char *const order[] = {"p9", "p8", "p7", "p6", "p5", "p4", "p3", "p2"};
    struct model_pace_step found;
    const uint32_t step = add_span("torch", "step", MODEL_FRAME);
    add_counter("train", "steps counted", MODEL_I64);
    ended(step, 40, 1000 * MS);
    take(1000 * MS);
    ck_assert(!model_pace_step(state, &found));
    const uint32_t steps = add_counter("torch", "steps counted", MODEL_I64);
    counted(steps, 10, 1);
    take(2000 * MS);
    ck_assert(!model_pace_step(state, &found));
    add_time("torch", "step", 1000);
    add_time("train", "step", 3);
    for (unsigned i = 1; i < 10; i++) {
        char name[8];
        snprintf(name, sizeof name, "p%u", i);
        add_time("torch", name, 10 * i);
    }
    take(3000 * MS);
    ck_assert(model_pace_step(state, &found));
    ck_assert_double_eq(found.counted, 10);
    ck_assert_double_eq(found.ns, 100);
    ck_assert_uint_eq(found.phases,
                      MODEL_PACE_PHASES); /* the longest first, the shortest left out */
    for (unsigned i = 0; i < found.phases; i++) {
        ck_assert_str_eq(found.phase[i].name->raw, order[i]);
        ck_assert_double_eq(found.phase[i].ns, 9 - i);
    }
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("pace");
    TAP_ADD_BETWEEN(s, steps_and_samples_have_a_rate, 2, setup, teardown);
    TAP_ADD_BETWEEN(s, a_long_step_keeps_its_pace, 1, setup, teardown);
    TAP_ADD_BETWEEN(s, the_interval_is_that_of_other_rates, 1, setup, teardown);
    TAP_ADD_BETWEEN(s, the_frame_with_the_most_calls_counts, 1, setup, teardown);
    TAP_ADD_BETWEEN(s, a_step_is_known_by_the_steps_counted, 1, setup, teardown);
    return s;
}
TAP_MAIN(suite)

/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * check_objects.c: counters, spans and instants in the model. Falling values are refused, known
 * values are kept, and a state is a copy.
 */
#include "sample.h"

#include "model/objects.h"

static struct model_job *job;

static void setup(void)
{
    job = sample_empty();
    for (uint8_t kind = 0; kind < MODEL_COUNTER_KINDS; kind++) {
        struct model_counter_raw raw = {
            .domain = sample_bytes("io"), .name = sample_bytes("c"), .kind = kind};
        ck_assert(model_job_add_counter(job, &raw));
    }
    for (uint8_t kind = 0; kind < MODEL_SPAN_KINDS; kind++) {
        struct model_span_raw raw = {
            .domain = sample_bytes("io"), .name = sample_bytes("s"), .kind = kind};
        ck_assert(model_job_add_span(job, &raw));
    }
    ck_assert(model_job_add_marker(job, sample_bytes("io"), sample_bytes("m")));
}

static void teardown(void)
{
    model_job_release(&job);
}

static const struct model_counter_value *counter(uint32_t id)
{
    return &model_job_objects(job)->counter[id];
}

static const struct model_span_value *span(uint32_t id)
{
    return &model_job_objects(job)->span[id];
}

static bool set_counter(uint32_t id, enum model_counter_kind kind, int64_t value, uint64_t updates)
{
    struct model_counter_value v = {.value.i = value, .updates = updates};
    return model_job_set_counter(job, id, kind, &v);
}

static bool set_span(uint32_t id, uint64_t calls, uint64_t total_ns, uint64_t self_ns)
{
    struct model_span_value v = {.calls = calls,
                                 .total_ns = total_ns,
                                 .self_ns = self_ns,
                                 .last_ns = 1,
                                 .open_since_ns = MODEL_UNKNOWN};
    return model_job_set_span(job, id, &v);
}

START_TEST(a_counter_may_fall_but_not_its_updates)
{
    ck_assert(!counter(0)->known);
    ck_assert(set_counter(0, MODEL_I64, 5, 2));
    ck_assert(set_counter(0, MODEL_I64, -5, 3));
    ck_assert_int_eq(counter(0)->value.i, -5);
    ck_assert(!set_counter(0, MODEL_I64, 9, 2));
    ck_assert(!set_counter(0, MODEL_F64, 9, 4));
    ck_assert(!set_counter(3, MODEL_I64, 9, 4));
    ck_assert_int_eq(counter(0)->value.i, -5);
    ck_assert(set_counter(0, MODEL_I64, 6, 3)); /* paused: only the value changes */
    ck_assert_int_eq(counter(0)->value.i, 6);
}
END_TEST

START_TEST(sums_and_extremes_of_spans_do_not_fall)
{
    ck_assert(set_span(0, 2, 20, 10));
    ck_assert(!set_span(0, 1, 20, 10));
    ck_assert(!set_span(0, 2, 19, 10));
    ck_assert(!set_span(0, 2, 20, 9));
    ck_assert(!set_span(9, 2, 20, 10));
    ck_assert(set_span(0, 3, 30, 15));
    struct model_span_value edges = {.min_ns = 5, .max_ns = 15, .first_ns = 100, .until_ns = 200};
    ck_assert(model_job_set_span_edges(job, 0, &edges));
    static const struct {
        uint64_t min_ns, max_ns, first_ns, until_ns;
    } wrong[] = {{6, 15, 100, 200}, {5, 14, 100, 200}, {5, 15, 101, 200}, {5, 15, 100, 199}};
    for (int i = 0; i < TAP_ROWS(wrong); i++) {
        struct model_span_value v = {.min_ns = wrong[i].min_ns,
                                     .max_ns = wrong[i].max_ns,
                                     .first_ns = wrong[i].first_ns,
                                     .until_ns = wrong[i].until_ns};
        ck_assert(!model_job_set_span_edges(job, 0, &v));
    }
    ck_assert_uint_eq(span(0)->min_ns, 5);
    ck_assert_uint_eq(span(0)->until_ns, 200);
}
END_TEST

START_TEST(lists_of_spans_are_bounded)
{
    for (uint32_t i = 0; i < 2 * MODEL_SPAN_THREADS; i++) {
        model_job_add_span_thread(job, 1, &(struct model_span_thread){.thread = i, .calls = 1});
        model_job_add_span_pass(job, 1, &(struct model_pass){.number = i, .ns = i});
    }
    ck_assert_uint_eq(span(1)->threads, MODEL_SPAN_THREADS);
    ck_assert_uint_eq(span(1)->slowest, MODEL_SLOWEST);
    model_job_add_span_thread(job, 99, &(struct model_span_thread){0});
    model_job_clear_span_lists(job, 99);
    model_job_clear_span_lists(job, 1);
    ck_assert_uint_eq(span(1)->threads + span(1)->slowest, 0);
}
END_TEST

START_TEST(rates_need_time)
{
    struct model_span_value value = {.calls = 60, .first_ns = 1000, .until_ns = 1000000001000};
    double rate = 0;
    ck_assert(model_span_rate(&value, &rate));
    ck_assert_double_eq(rate, 0.06);
    value.calls = 1; /* its duration is no rate */
    ck_assert(!model_span_rate(&value, &rate));
    value.calls = 60;
    value.until_ns = value.first_ns;
    ck_assert(!model_span_rate(&value, &rate));
    value = (struct model_span_value){.calls = 1, .first_ns = MODEL_UNKNOWN};
    ck_assert(!model_span_rate(&value, &rate));
}
END_TEST

START_TEST(an_interval_is_between_two_states)
{
    double rate = 0;
    ck_assert(set_span(1, 10, 100, 100));
    struct model_state *first = model_state_take(job, MODEL_ALL, NULL);
    ck_assert(!model_span_interval_rate(&first->objects.span[1], &rate));
    ck_assert(set_span(1, 70, 700, 700));
    model_job_set_stamp(job, 1000 + 500000000, 3000);
    struct model_state *second = model_state_take(job, MODEL_ALL, first);
    ck_assert(model_span_interval_rate(&second->objects.span[1], &rate));
    ck_assert_double_eq(rate, 120);
    struct model_state *third = model_state_take(job, MODEL_ALL, second);
    ck_assert(!model_span_interval_rate(&third->objects.span[1], &rate)); /* no time passed */
    ck_assert_uint_eq(first->objects.span[1].calls, 10); /* a state does not change */
    model_state_free(&first);
    model_state_free(&second);
    model_state_free(&third);
}
END_TEST

START_TEST(a_new_epoch_forgets_values_and_keeps_instants)
{
    ck_assert(set_counter(0, MODEL_I64, 5, 2));
    ck_assert(set_span(0, 2, 20, 10));
    ck_assert(model_job_add_mark(job, &(struct model_mark){.number = 1}));
    model_job_set_epoch(job, 2);
    ck_assert(!counter(0)->known);
    ck_assert(!span(0)->known);
    ck_assert_uint_eq(span(0)->calls, 0);
    ck_assert_uint_eq(model_job_objects(job)->marks, 1);
    ck_assert(set_counter(0, MODEL_I64, 1, 1));
    ck_assert(set_span(0, 1, 10, 10));
}
END_TEST

static void add_mark(uint64_t number)
{
    ck_assert(model_job_add_mark(job, &(struct model_mark){.number = number, .mono_ns = number}));
}

START_TEST(instants_are_kept_in_order_and_once)
{
    static const uint64_t numbers[] = {5, 3, 9, 3, 1, 9, 7, 5};
    static const uint64_t kept[] = {1, 3, 5, 7, 9};
    for (int i = 0; i < TAP_ROWS(numbers); i++)
        add_mark(numbers[i]);
    const struct model_objects *objects = model_job_objects(job);
    ck_assert_uint_eq(objects->marks, TAP_ROWS(kept));
    for (int i = 0; i < TAP_ROWS(kept); i++)
        ck_assert_uint_eq(objects->mark[i].number, kept[i]);
}
END_TEST

START_TEST(the_last_instants_are_kept)
{
    for (uint64_t number = 1; number <= 5 * MODEL_MARKS_KEPT; number++)
        add_mark(number);
    add_mark(1); /* too old: not added again */
    struct model_state *state = model_state_take(job, MODEL_ALL, NULL);
    ck_assert_uint_eq(state->objects.marks, MODEL_MARKS_KEPT);
    for (uint32_t i = 0; i < MODEL_MARKS_KEPT; i++)
        ck_assert_uint_eq(state->objects.mark[i].number, 4 * MODEL_MARKS_KEPT + 1 + i);
    ck_assert_uint_le(model_job_objects(job)->mark_capacity, 2 * MODEL_MARKS_KEPT);
    model_state_free(&state);
}
END_TEST

#define ADD(suite, test, rows) TAP_ADD_BETWEEN(suite, test, rows, setup, teardown)

static Suite *suite(void)
{
    Suite *s = suite_create("objects");
    ADD(s, a_counter_may_fall_but_not_its_updates, 1);
    ADD(s, sums_and_extremes_of_spans_do_not_fall, 1);
    ADD(s, lists_of_spans_are_bounded, 1);
    ADD(s, rates_need_time, 1);
    ADD(s, an_interval_is_between_two_states, 1);
    ADD(s, a_new_epoch_forgets_values_and_keeps_instants, 1);
    ADD(s, instants_are_kept_in_order_and_once, 1);
    ADD(s, the_last_instants_are_kept, 1);
    return s;
}

TAP_MAIN(suite)

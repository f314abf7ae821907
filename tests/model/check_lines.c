/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * check_lines.c: applies by source line. Each is in exactly one line, so the sums equal the sums by
 * class.
 */
#include "model/node_detail.h"

#include "sample.h"

static struct model_job *job;

static void add(const char *text, const char *location)
{
    struct model_apply_raw raw = {.text = sample_bytes(text), .location = sample_bytes(location)};
    ck_assert(model_job_add_apply(job, &raw));
}

/* Lines a.py:1 (two applies), unknown, b.py:2. */
static void setup(void)
{
    job = sample_empty();
    sample_class(job, "Elemwise");
    sample_op(job, 0, "add");
    sample_function(job, "f", MODEL_NONE);
    add("first", "a.py:1");
    add("second", "");
    add("third", "b.py:2");
    add("fourth", "a.py:1");
    for (uint64_t i = 0; i < 4; i++)
        ck_assert_uint_eq(sample_value(job, i, i + 1, 100 * (i + 1)), 0);
}

static void teardown(void)
{
    model_job_release(&job);
}

static void tell(uint32_t apply, uint64_t rev, const char *location)
{
    struct model_about_raw raw = {.rev = rev,
                                  .flops = MODEL_UNKNOWN,
                                  .bytes = MODEL_UNKNOWN,
                                  .thunk_ns = MODEL_UNKNOWN,
                                  .location = sample_bytes(location)};
    ck_assert(model_job_set_about(job, apply, &raw));
}

static const struct model_row *row_of(const struct model_state *state, const char *text)
{
    for (uint32_t i = 0; i < state->count[MODEL_LINE]; i++)
        if (!strcmp(model_job_line(state->job, i)->text.raw, text))
            return &state->row[MODEL_LINE][i];
    ck_abort_msg("no line %s", text);
    return NULL;
}

static void check(const char *text, uint64_t calls, uint64_t ns, uint32_t applies)
{
    struct model_state *state = model_state_take(job, MODEL_ALL, NULL);
    const struct model_row *row = row_of(state, text);
    ck_assert_uint_eq(row->calls, calls);
    ck_assert_uint_eq(row->total_ns, ns);
    ck_assert_uint_eq(row->self_ns, ns);
    ck_assert_uint_eq(row->applies, applies);
    ck_assert_int_eq(row->in_scope, applies > 0);
    model_state_free(&state);
}

static void check_made_at(uint32_t apply, const char *text)
{
    const uint32_t made_at = model_job_apply(job, apply)->made_at;
    ck_assert_str_eq(model_job_line(job, made_at)->text.raw, text);
}

START_TEST(applies_of_a_line_are_one_row)
{
    ck_assert_uint_eq(model_job_count(job, MODEL_LINE), 3);
    check("a.py:1", 5, 500, 2);
    check("", 2, 200, 1);
    check("b.py:2", 3, 300, 1);
}
END_TEST

START_TEST(new_source_line_moves_an_apply)
{
    tell(1, 1, "b.py:2");
    check("", 0, 0, 0);
    check("b.py:2", 5, 500, 2);
    tell(1, 2, "new.py:9");
    check("new.py:9", 2, 200, 1);
    tell(3, 1, "b.py:2");
    check("b.py:2", 7, 700, 2);
    check_made_at(1, "");
    check_made_at(3, "a.py:1");
    tell(3, 2, "");
    check("a.py:1", 5, 500, 2);
    tell(1, 3, "");
    check("", 2, 200, 1);
    check("new.py:9", 0, 0, 0);
}
END_TEST

/* A moved apply brings its past time along. That time is not part of the interval. */
START_TEST(a_move_is_no_interval)
{
    struct model_state *first = model_state_take(job, MODEL_ALL, NULL);
    tell(0, 1, "b.py:2");
    ck_assert_uint_eq(sample_value(job, 0, 2, 150), 0);
    model_job_set_values_stamp(job, 2000);
    model_job_set_stamp(job, 2000, 3000);
    struct model_state *moved = model_state_take(job, MODEL_ALL, first);
    ck_assert_uint_eq(row_of(moved, "b.py:2")->interval_ns, MODEL_UNKNOWN);
    ck_assert_uint_eq(row_of(moved, "b.py:2")->interval_calls, MODEL_UNKNOWN);
    ck_assert_uint_eq(moved->row[MODEL_OP][0].interval_ns, 50);
    model_job_set_stamp(job, 2100, 3100);
    struct model_state *between = model_state_take(job, MODEL_ALL, moved);
    ck_assert_uint_eq(row_of(between, "b.py:2")->interval_ns, MODEL_UNKNOWN);
    ck_assert_uint_eq(sample_value(job, 0, 3, 220), 0);
    model_job_set_values_stamp(job, 3000);
    model_job_set_stamp(job, 3000, 4000);
    struct model_state *after = model_state_take(job, MODEL_ALL, between);
    ck_assert_uint_eq(row_of(after, "b.py:2")->interval_ns, 70);
    ck_assert_uint_eq(row_of(after, "b.py:2")->interval_calls, 1);
    model_state_free(&after);
    model_state_free(&between);
    model_state_free(&moved);
    model_state_free(&first);
}
END_TEST

START_TEST(without_lines_all_is_in_one_row)
{
    model_job_release(&job);
    job = sample_job();
    check("", 65, 12000, 4);
}
END_TEST

/* The kept text differs from the sent text if that is not UTF-8 or is too long. */
START_TEST(line_with_altered_text_is_found_again)
{
    char text[MODEL_TEXT_KEPT + 2];
    memset(text, 'x', sizeof(text) - 1);
    text[sizeof(text) - 1] = '\0';
    for (unsigned i = 0; i < 2; i++) {
        add("no UTF-8", "\xff.py:1");
        add("too long", text);
    }
    ck_assert_uint_eq(model_job_count(job, MODEL_LINE), 5);
    check("\xef\xbf\xbd.py:1", 0, 0, 2);
}
END_TEST

START_TEST(many_lines_are_found_again)
{
    char text[32];
    for (unsigned i = 0; i < 2000; i++) {
        snprintf(text, sizeof(text), "c.py:%u", i % 500);
        add("more", text);
    }
    ck_assert_uint_eq(model_job_count(job, MODEL_LINE), 503);
    check("c.py:499", 0, 0, 4);
    check("a.py:1", 5, 500, 2);
}
END_TEST

START_TEST(a_view_of_a_line_has_its_applies)
{
    struct model_state *state = model_state_take(job, MODEL_ALL, NULL);
    struct model_view view;
    ck_assert(model_view_init(&view, MODEL_APPLY));
    view.only_of = MODEL_LINE;
    view.only = row_of(state, "a.py:1")->id;
    ck_assert(model_view_update(&view, state));
    ck_assert_uint_eq(view.count, 2);
    ck_assert_uint_eq(model_view_row(&view, 0)->id, 3);
    ck_assert_uint_eq(model_view_row(&view, 1)->id, 0);
    ck_assert_uint_eq(view.hidden_sum, 500);
    model_view_release(&view);
    model_state_free(&state);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("lines");
    TAP_ADD_BETWEEN(s, applies_of_a_line_are_one_row, 1, setup, teardown);
    TAP_ADD_BETWEEN(s, new_source_line_moves_an_apply, 1, setup, teardown);
    TAP_ADD_BETWEEN(s, a_move_is_no_interval, 1, setup, teardown);
    TAP_ADD_BETWEEN(s, without_lines_all_is_in_one_row, 1, setup, teardown);
    TAP_ADD_BETWEEN(s, line_with_altered_text_is_found_again, 1, setup, teardown);
    TAP_ADD_BETWEEN(s, many_lines_are_found_again, 1, setup, teardown);
    TAP_ADD_BETWEEN(s, a_view_of_a_line_has_its_applies, 1, setup, teardown);
    return s;
}
TAP_MAIN(suite)

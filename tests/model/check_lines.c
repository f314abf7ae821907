/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * check_lines.c: applies by source line: each is in exactly one, so that sums are those of classes.
 */
#include "about.h"

#include "sample.h"

static void add(struct model_job *job, const char *text, const char *location)
{
    struct model_apply_raw raw = {.text = sample_bytes(text), .location = sample_bytes(location)};
    ck_assert(model_job_add_apply(job, &raw));
}

/* Lines a.py:1 (two applies), unknown, b.py:2. */
static struct model_job *lines_job(void)
{
    struct model_job *job = sample_empty();
    sample_class(job, "Elemwise");
    sample_op(job, 0, "add");
    sample_function(job, "f", MODEL_NONE);
    add(job, "first", "a.py:1");
    add(job, "second", "");
    add(job, "third", "b.py:2");
    add(job, "fourth", "a.py:1");
    for (uint64_t i = 0; i < 4; i++)
        ck_assert_uint_eq(sample_value(job, i, i + 1, 100 * (i + 1)), 0);
    return job;
}

static void tell(struct model_job *job, uint32_t apply, uint64_t rev, const char *location)
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

static void check(struct model_job *job, const char *text, uint64_t calls, uint64_t ns,
                  uint32_t applies)
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

static void check_made_at(const struct model_job *job, uint32_t apply, const char *text)
{
    const uint32_t made_at = model_job_apply(job, apply)->made_at;
    ck_assert_str_eq(model_job_line(job, made_at)->text.raw, text);
}

START_TEST(applies_of_a_line_are_one_row)
{
    struct model_job *job = lines_job();
    ck_assert_uint_eq(model_job_count(job, MODEL_LINE), 3);
    check(job, "a.py:1", 5, 500, 2);
    check(job, "", 2, 200, 1);
    check(job, "b.py:2", 3, 300, 1);
    model_job_release(&job);
}
END_TEST

START_TEST(what_is_told_moves_an_apply)
{
    struct model_job *job = lines_job();
    tell(job, 1, 1, "b.py:2");
    check(job, "", 0, 0, 0);
    check(job, "b.py:2", 5, 500, 2);
    tell(job, 1, 2, "new.py:9");
    check(job, "new.py:9", 2, 200, 1);
    tell(job, 3, 1, "b.py:2");
    check(job, "b.py:2", 7, 700, 2);
    check_made_at(job, 1, "");
    check_made_at(job, 3, "a.py:1");
    tell(job, 3, 2, "");
    check(job, "a.py:1", 5, 500, 2);
    tell(job, 1, 3, "");
    check(job, "", 2, 200, 1);
    check(job, "new.py:9", 0, 0, 0);
    model_job_release(&job);
}
END_TEST

/* The past that an apply takes along is no time of the interval. */
START_TEST(a_move_is_no_interval)
{
    struct model_job *job = lines_job();
    struct model_state *first = model_state_take(job, MODEL_ALL, NULL);
    tell(job, 0, 1, "b.py:2");
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
    model_job_release(&job);
}
END_TEST

START_TEST(without_lines_all_is_in_one_row)
{
    struct model_job *job = sample_job();
    check(job, "", 65, 12000, 4);
    model_job_release(&job);
}
END_TEST

/* What is kept of a text differs from it where that is no UTF-8, or too long. */
START_TEST(what_is_kept_of_a_line_is_found_again)
{
    struct model_job *job = lines_job();
    char text[MODEL_TEXT_KEPT + 2];
    memset(text, 'x', sizeof(text) - 1);
    text[sizeof(text) - 1] = '\0';
    for (unsigned i = 0; i < 2; i++) {
        add(job, "no UTF-8", "\xff.py:1");
        add(job, "too long", text);
    }
    ck_assert_uint_eq(model_job_count(job, MODEL_LINE), 5);
    check(job, "\xef\xbf\xbd.py:1", 0, 0, 2);
    model_job_release(&job);
}
END_TEST

START_TEST(many_lines_are_found_again)
{
    struct model_job *job = lines_job();
    char text[32];
    for (unsigned i = 0; i < 2000; i++) {
        snprintf(text, sizeof(text), "c.py:%u", i % 500);
        add(job, "more", text);
    }
    ck_assert_uint_eq(model_job_count(job, MODEL_LINE), 503);
    check(job, "c.py:499", 0, 0, 4);
    check(job, "a.py:1", 5, 500, 2);
    model_job_release(&job);
}
END_TEST

START_TEST(a_view_of_a_line_has_its_applies)
{
    struct model_job *job = lines_job();
    struct model_state *state = model_state_take(job, MODEL_ALL, NULL);
    struct model_view view;
    ck_assert(model_view_init(&view, MODEL_APPLY));
    view.only_of = MODEL_LINE;
    view.only = row_of(state, "a.py:1")->id;
    ck_assert(model_view_update(&view, state));
    ck_assert_uint_eq(view.count, 2);
    ck_assert_uint_eq(model_view_row(&view, 0)->id, 3);
    ck_assert_uint_eq(model_view_row(&view, 1)->id, 0);
    ck_assert_uint_eq(view.hidden_ns, 500);
    model_view_release(&view);
    model_state_free(&state);
    model_job_release(&job);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("lines");
    tap_add(s, "applies_of_a_line_are_one_row", applies_of_a_line_are_one_row);
    tap_add(s, "what_is_told_moves_an_apply", what_is_told_moves_an_apply);
    tap_add(s, "a_move_is_no_interval", a_move_is_no_interval);
    tap_add(s, "without_lines_all_is_in_one_row", without_lines_all_is_in_one_row);
    tap_add(s, "what_is_kept_of_a_line_is_found_again", what_is_kept_of_a_line_is_found_again);
    tap_add(s, "many_lines_are_found_again", many_lines_are_found_again);
    tap_add(s, "a_view_of_a_line_has_its_applies", a_view_of_a_line_has_its_applies);
    return s;
}
TAP_MAIN(suite)

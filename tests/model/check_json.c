/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * check_json.c: an independent reader reads the JSON back. It equals the content of the model.
 */
#include "model/multi_job.h"
#include "model/json.h"

#include <jansson.h>

#include "sample.h"
#include "model/view.h"

struct text {
    char *bytes;
    size_t size, pieces;
};

static void append(void *to, const char *bytes, size_t size)
{
    struct text *text = to;
    text->bytes = realloc(text->bytes, text->size + size + 1);
    memcpy(text->bytes + text->size, bytes, size);
    text->size += size;
    text->bytes[text->size] = '\0';
    text->pieces++;
}

static struct text written(const struct model_state *state, const struct model_link *link)
{
    struct text text = {0};
    struct model_report report = {.state = state, .link = link, .word = "live", .time_ns = 42};
    struct model_sink sink = {append, &text};
    model_json_write(&report, &sink);
    ck_assert_uint_eq(strlen(text.bytes), text.size);
    ck_assert_ptr_eq(strchr(text.bytes, '\n'), text.bytes + text.size - 1);
    return text;
}

static json_t *parsed(const struct model_state *state)
{
    struct model_link link = {.state = MODEL_STALE, .gaps = 7, .falls = 3};
    struct text text = written(state, &link);
    json_error_t error;
    json_t *root = json_loadb(text.bytes, text.size, JSON_REJECT_DUPLICATES, &error);
    ck_assert_msg(root != NULL, "%s at %d", error.text, error.position);
    free(text.bytes);
    return root;
}

static uint64_t number(const json_t *row, const char *key)
{
    json_t *value = json_object_get(row, key);
    ck_assert_msg(value != NULL, "no key %s", key);
    if (json_is_null(value))
        return MODEL_UNKNOWN;
    ck_assert(json_is_integer(value));
    return (uint64_t)json_integer_value(value);
}

static void check_rows(json_t *root, const struct model_state *state, enum model_table table,
                       const char *key)
{
    json_t *rows = json_object_get(root, key);
    ck_assert(json_is_array(rows));
    ck_assert_uint_eq(json_array_size(rows), state->totals.rows[table]);
    for (size_t i = 0; i < json_array_size(rows); i++) {
        json_t *row = json_array_get(rows, i);
        uint64_t id = number(row, "id");
        ck_assert_uint_lt(id, state->count[table]);
        const struct model_row *expected = &state->row[table][id];
        ck_assert(expected->in_scope);
        ck_assert_uint_eq(number(row, "calls"), expected->calls);
        if (table == MODEL_FUNCTION) {
            ck_assert_uint_eq(number(row, "thunk_ns"), expected->total_ns);
            continue;
        }
        ck_assert_uint_eq(number(row, "total_ns"), expected->total_ns);
        ck_assert_uint_eq(number(row, "self_ns"), expected->self_ns);
        ck_assert_uint_eq(number(row, "interval_calls"), expected->interval_calls);
        ck_assert_uint_eq(number(row, "interval_ns"), expected->interval_ns);
        struct model_view view = {.table = table, .state = state};
        ck_assert_str_eq(json_string_value(json_object_get(row, "name")),
                         model_view_name(&view, expected)->raw);
        if (table != MODEL_APPLY)
            ck_assert_uint_eq(number(row, "applies"), expected->applies);
    }
}

START_TEST(tables_read_back)
{
    struct sample_random r = {(uint64_t)_i * 31 + 17};
    struct model_job *job = sample_random_job(&r, _i % 2);
    sample_run(job, &r, 100000);
    uint32_t scope = _i % 3 ? MODEL_ALL : 0;
    struct model_state *before = model_state_take(job, scope, NULL);
    sample_run(job, &r, 100000);
    struct model_state *state = model_state_take(job, scope, before);
    json_t *root = parsed(state);
    check_rows(root, state, MODEL_CLASS, "classes");
    check_rows(root, state, MODEL_OP, "ops");
    check_rows(root, state, MODEL_FUNCTION, "functions");
    check_rows(root, state, MODEL_APPLY, "applies");
    json_decref(root);
    model_state_free(&before);
    model_state_free(&state);
    model_job_release(&job);
}
END_TEST

START_TEST(head_and_job)
{
    struct model_job *job = sample_job();
    struct model_identity *who = model_job_identity_mutable(job);
    who->pid = 4711;
    who->own_ns = 77;
    who->own_error_ns = 7;
    who->least = 0.125;
    who->choice[2] = 0.25;
    who->dropped = 8;
    model_job_set_text(job, &who->lost, "phases=7\ncalls=1\n", 17);
    who->invalid = 9;
    who->misuse = 10;
    who->refused = 11;
    model_job_set_text(job, &who->framework, "PyTensor", 8);
    model_job_set_text(job, &who->program, "train.py", 8);
    struct model_state *state = model_state_take(job, MODEL_ALL, NULL);
    json_t *root = parsed(state);
    ck_assert_str_eq(json_string_value(json_object_get(root, "schema")), "proftop-1");
    ck_assert_str_eq(json_string_value(json_object_get(root, "state")), "live");
    ck_assert_uint_eq(number(root, "time_ns"), 42);
    ck_assert(json_is_false(json_object_get(root, "final")));
    json_t *first = json_array_get(json_object_get(root, "jobs"), 0);
    ck_assert_uint_eq(number(first, "pid"), 4711);
    ck_assert_uint_eq(number(first, "mono_ns"), 1000);
    ck_assert_uint_eq(number(first, "overhead_ns"), 77);
    ck_assert_uint_eq(number(first, "overhead_error_ns"), 7);
    ck_assert_double_eq(json_real_value(json_object_get(first, "overhead_least")), 0.125);
    ck_assert(json_is_null(json_object_get(first, "overhead_budget")));
    ck_assert_double_eq(json_number_value(json_object_get(first, "share")), 1);
    json_t *parts = json_object_get(first, "overhead_parts");
    ck_assert_double_eq(json_real_value(json_object_get(parts, "api")), 0.25);
    ck_assert(json_is_null(json_object_get(parts, "memory")));
    ck_assert_uint_eq(number(first, "dropped"), 8);
    ck_assert_uint_eq(number(json_object_get(first, "lost"), "phases"), 7);
    ck_assert_uint_eq(number(json_object_get(first, "lost"), "calls"), 1);
    ck_assert_uint_eq(json_object_size(json_object_get(first, "lost")), 2);
    ck_assert_uint_eq(number(first, "invalid"), 9);
    ck_assert_uint_eq(number(first, "misuse"), 10);
    ck_assert_uint_eq(number(first, "refused"), 11);
    ck_assert_uint_eq(number(first, "rank"), MODEL_UNKNOWN);
    ck_assert_str_eq(json_string_value(json_object_get(first, "instance")),
                     "abcd0000000000000000000000000000");
    ck_assert_str_eq(json_string_value(json_object_get(first, "framework")), "PyTensor");
    ck_assert_str_eq(json_string_value(json_object_get(first, "program")), "train.py");
    ck_assert_str_eq(json_string_value(json_object_get(first, "state")), "stale");
    json_t *feed = json_object_get(first, "feed");
    ck_assert_uint_eq(number(feed, "gaps"), 7);
    ck_assert_uint_eq(number(feed, "falls"), 3);
    ck_assert_uint_eq(number(feed, "lag_ns"), MODEL_UNKNOWN); /* no frame has arrived */
    json_decref(root);
    model_state_free(&state);
    model_job_release(&job);
}
END_TEST

/* A function with counted, untimed calls; one whose calls are all timed; one whose calls are
 * sampled. */
START_TEST(json_marks_sampled_calls)
{
    struct model_job *job = sample_job();
    const uint64_t id = 0, calls = 9, none = MODEL_UNKNOWN;
    sample_function(job, "inner", 0);
    model_job_set_calls(job, 1, &id, &calls, &none, &none, &none, false);
    sample_calls(job, 1, 50, MODEL_UNKNOWN, MODEL_UNKNOWN);
    sample_calls(job, 2, 640, 80, 123);
    struct model_state *state = model_state_take(job, MODEL_ALL, NULL);
    json_t *root = parsed(state), *functions = json_object_get(root, "functions");
    static const uint64_t expected[3][3] = {
        {9, MODEL_UNKNOWN, MODEL_UNKNOWN}, {50, 50, MODEL_UNKNOWN}, {640, 80, 123}};
    for (size_t i = 0; i < 3; i++) {
        const json_t *row = json_array_get(functions, i);
        ck_assert_uint_eq(number(row, "calls"), expected[i][0]);
        ck_assert_uint_eq(number(row, "timed"), expected[i][1]);
        ck_assert_uint_eq(number(row, "call_error_ns"), expected[i][2]);
        ck_assert_int_eq(json_is_true(json_object_get(row, "sampled")), i == 2);
    }
    json_decref(root);
    model_state_free(&state);
    model_job_release(&job);
}
END_TEST

/* Every byte that a text can hold is read back unchanged. */
START_TEST(texts_read_back)
{
    char bytes[256];
    for (unsigned i = 0; i < sizeof(bytes); i++)
        bytes[i] = (char)(i ? i : 1);
    struct model_job *job = sample_job();
    ck_assert(model_job_add_notice(job, 1, 1, bytes, sizeof(bytes)));
    struct model_state *state = model_state_take(job, MODEL_ALL, NULL);
    json_t *root = parsed(state);
    json_t *notice = json_array_get(json_object_get(root, "notices"), 0);
    ck_assert_str_eq(json_string_value(json_object_get(notice, "text")),
                     model_job_notice(job, 0)->text.raw);
    ck_assert_str_eq(json_string_value(json_object_get(notice, "level")), "warning");
    json_decref(root);
    model_state_free(&state);
    model_job_release(&job);
}
END_TEST

/* No control character reaches a terminal or an editor through JSON. This includes those of several
 * bytes: one that turns the writing direction, and one beyond the first plane. */
START_TEST(controls_are_escaped)
{
    static const char controls[] = "a\x07\x1b[2J\x7f\xc2\x80\xc2\x9b"
                                   "31m\xc2\x9f\xc2\xa0\xc3\x9b"
                                   "\xe2\x80\xae\xe2\x81\xa6\xe2\x80\xa8\xef\xbb\xbf"
                                   "\xf3\xa0\x81\x81\xf0\x9f\x98\x80";
    struct model_job *job = sample_job();
    ck_assert(model_job_add_notice(job, 1, 1, controls, sizeof(controls) - 1));
    struct model_state *state = model_state_take(job, MODEL_ALL, NULL);
    struct model_link link = {0};
    struct text text = written(state, &link);
    ck_assert_ptr_nonnull(strstr(text.bytes, "a\\u0007\\u001b[2J\\u007f\\u0080\\u009b31m\\u009f"
                                             "\xc2\xa0\xc3\x9b\\u202e\\u2066\\u2028\\ufeff"
                                             "\\udb40\\udc41\xf0\x9f\x98\x80"));
    free(text.bytes);
    json_t *root = parsed(state);
    json_t *notice = json_array_get(json_object_get(root, "notices"), 0);
    ck_assert_str_eq(json_string_value(json_object_get(notice, "text")), controls);
    json_decref(root);
    model_state_free(&state);
    model_job_release(&job);
}
END_TEST

START_TEST(without_a_job)
{
    json_t *root = parsed(NULL);
    ck_assert_uint_eq(json_array_size(json_object_get(root, "jobs")), 1);
    ck_assert_uint_eq(json_array_size(json_object_get(root, "applies")), 0);
    json_decref(root);
}
END_TEST

/* The text is written in pieces of bounded size: no tree and no complete line in memory. */
START_TEST(is_streamed)
{
    struct model_job *job = sample_job();
    for (uint32_t i = 0; i < 1000; i++)
        sample_apply(job, 0, 0, i, "Elemwise{add}(x, y)", MODEL_IMPL_C);
    struct model_state *state = model_state_take(job, MODEL_ALL, NULL);
    struct model_link link = {0};
    struct text text = written(state, &link);
    ck_assert_uint_gt(text.pieces, text.size / 10000);
    free(text.bytes);
    model_state_free(&state);
    model_job_release(&job);
}
END_TEST

static void check_suspects(const json_t *root)
{
    json_t *row = json_array_get(json_object_get(root, "suspects"), 0);
    ck_assert_str_eq(json_string_value(json_object_get(row, "kind")), "slow");
    ck_assert_uint_eq(number(row, "job"), 1);
    ck_assert_double_eq(json_real_value(json_object_get(row, "others_wait_share")), 0.5);
    row = json_array_get(json_object_get(root, "suspects"), 1);
    ck_assert(json_is_null(json_object_get(row, "job")));
    ck_assert_uint_eq(number(row, "waiting"), 2);
    ck_assert_ptr_nonnull(
        strstr(json_string_value(json_object_get(row, "text")), "all 2 that are heard wait in "));
    row = json_array_get(json_object_get(root, "suspects"), 2);
    ck_assert_uint_eq(number(row, "job"), 2);
    ck_assert(json_is_null(json_object_get(row, "text")));
    row = json_array_get(json_object_get(root, "waiters"), 0);
    ck_assert_uint_eq(number(row, "job"), 0);
    ck_assert_uint_eq(number(row, "apply"), 1);
    ck_assert_uint_eq(number(row, "open_ns"), 4000);
}

/* Two jobs that differ, a job without data, and the comparison of the two. */
START_TEST(several_jobs_read_back)
{
    struct model_multi_job *multi_job = model_multi_job_new();
    struct model_link links[3] = {{.state = MODEL_LIVE}, {.state = MODEL_GONE}, {.state = 0}};
    struct model_multi_job_member member[3] = {
        {sample_job(), &links[0]}, {sample_job(), &links[1]}, {NULL, &links[2]}};
    ck_assert_uint_eq(sample_value(member[1].job, 0, 20, 4000), 0);
    struct model_state *ranks =
        model_multi_job_take(multi_job, MODEL_MULTI_JOB_RANKS, MODEL_ALL, member, 3);
    ck_assert_ptr_nonnull(ranks);
    ranks->multi_job->hung = (struct model_hung){.job = MODEL_NOBODY, .waiting = 2, .all = true};
    ranks->multi_job->slow = (struct model_slow){.job = 1, .waits = 0.25, .others = 0.5};
    ranks->multi_job->job[0].role = MODEL_HANG_WAITS;
    ranks->multi_job->job[0].waits_in = 1;
    ranks->multi_job->job[0].waits_in_ns = 4000;
    ranks->multi_job->job[2].role = MODEL_HANG_MISSING;
    struct model_report_job jobs[3];
    for (size_t i = 0; i < 3; i++)
        jobs[i] = (struct model_report_job){model_multi_job_one(multi_job, i), &links[i]};
    struct model_report report = {
        .word = "live", .job = jobs, .jobs = 3, .ranks = ranks, .link = &links[0],
        .left = (const struct model_report_left[]){{12, "a\033b", "no \"socket\""}, {0, "", "-"}},
        .lefts = 2};
    struct text text = {0};
    struct model_sink sink = {append, &text};
    model_json_write(&report, &sink);
    json_t *root = json_loadb(text.bytes, text.size, JSON_REJECT_DUPLICATES, NULL);
    ck_assert_ptr_nonnull(root);
    static const struct {
        const char *key;
        size_t size;
    } sections[] = {{"jobs", 3},  {"classes", 4},  {"ops", 6},     {"functions", 4}, {"applies", 8},
                    {"ranks", 3}, {"suspects", 3}, {"waiters", 1}, {"left_out", 2}};
    for (int i = 0; i < TAP_ROWS(sections); i++)
        ck_assert_uint_eq(json_array_size(json_object_get(root, sections[i].key)),
                          sections[i].size);
    json_t *ops = json_object_get(root, "ops"), *row = json_array_get(ops, 3);
    ck_assert_uint_eq(number(row, "job"), 1);
    ck_assert_uint_eq(number(row, "self_ns"), 4000);
    ck_assert_uint_eq(number(json_array_get(ops, 0), "self_ns"), 1000);
    row = json_array_get(json_object_get(root, "jobs"), 1);
    ck_assert_uint_eq(number(row, "id"), 1);
    ck_assert_str_eq(json_string_value(json_object_get(row, "state")), "gone");
    row = json_array_get(json_object_get(root, "ranks"), 0);
    ck_assert_uint_eq(number(row, "min_ns"), 1000);
    ck_assert_uint_eq(number(row, "median_ns"), 2500);
    ck_assert_uint_eq(number(row, "max_ns"), 4000);
    ck_assert_uint_eq(number(row, "max_job"), 1);
    check_suspects(root);
    row = json_array_get(json_object_get(root, "left_out"), 0);
    ck_assert_uint_eq(number(row, "pid"), 12);
    ck_assert_str_eq(json_string_value(json_object_get(row, "program")), "a\033b");
    ck_assert_str_eq(json_string_value(json_object_get(row, "why")), "no \"socket\"");
    row = json_array_get(json_object_get(root, "left_out"), 1);
    ck_assert(json_is_null(json_object_get(row, "pid")));
    ck_assert(json_is_null(json_object_get(row, "program")));
    json_decref(root);
    free(text.bytes);
    model_state_free(&ranks);
    model_multi_job_free(&multi_job);
    model_job_release(&member[0].job);
    model_job_release(&member[1].job);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("json");
    tap_add_loop(s, "tables_read_back", tables_read_back, 12);
    tap_add(s, "head_and_job", head_and_job);
    tap_add(s, "json_marks_sampled_calls", json_marks_sampled_calls);
    tap_add(s, "texts_read_back", texts_read_back);
    tap_add(s, "controls_are_escaped", controls_are_escaped);
    tap_add(s, "without_a_job", without_a_job);
    tap_add(s, "is_streamed", is_streamed);
    tap_add(s, "several_jobs_read_back", several_jobs_read_back);
    return s;
}
TAP_MAIN(suite)

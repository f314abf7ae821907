/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * check_json_read.c: a report written by json.h is the same job when it is read back. A foreign
 * report is refused with a reason, or is a job.
 */
#include "model/json_read.h"

#include "model/extra.h"
#include "model/json.h"
#include "model/node_detail.h"
#include "model/quantile.h"
#include "sample.h"

struct text {
    char *data;
    size_t size, at, step;
};

static void append(void *to, const char *bytes, size_t size)
{
    struct text *text = to;
    text->data = realloc(text->data, text->size + size + 1);
    ck_assert_ptr_nonnull(text->data);
    memcpy(text->data + text->size, bytes, size);
    text->size += size;
    text->data[text->size] = '\0';
}

static size_t read_text(void *from, char *bytes, size_t size)
{
    struct text *text = from;
    size_t left = text->size - text->at;
    size = size < left ? size : left;
    memcpy(bytes, text->data + text->at, size);
    text->at += size;
    return size;
}

/* Writes the report of a state of a job. */
static void save(struct text *text, struct model_job *job)
{
    struct model_link link = {.state = MODEL_LIVE};
    struct model_state *state = model_state_take(job, MODEL_ALL, NULL);
    struct model_report report = {.state = state, .link = &link, .word = "live", .time_ns = 77};
    struct model_sink sink = {append, text};
    ck_assert_ptr_nonnull(state);
    model_json_write(&report, &sink);
    model_state_free(&state);
}

static bool load(struct text *text, size_t size, struct model_saved *saved, char why[256])
{
    struct text part = {text->data, size, 0, 0};
    const struct model_reader reader = {read_text, &part};
    why[0] = '\0';
    return model_json_read(&reader, saved, why, 256);
}

/* Rows without an apply are in no report. */
static void same_rows(const struct model_state *a, const struct model_state *b,
                      enum model_table table)
{
    uint32_t k = 0;
    for (uint32_t i = 0; i < a->count[table]; i++) {
        const struct model_row *x = &a->row[table][i], *y = &b->row[table][k];
        if (!x->in_scope)
            continue;
        ck_assert_uint_lt(k++, b->count[table]);
        ck_assert_uint_eq(x->calls, y->calls);
        ck_assert_uint_eq(x->total_ns, y->total_ns);
        ck_assert_uint_eq(x->applies, y->applies);
        ck_assert_uint_eq(x->self_ns, y->self_ns);
        ck_assert_uint_eq(x->impls, y->impls);
    }
    ck_assert_uint_eq(k, b->count[table]);
}

/* Frees the job that was read, and the job and the text that it was saved from. */
static void let_go(struct model_saved *saved, struct model_job *job, struct text *text)
{
    model_saved_release(saved);
    model_job_release(&job);
    free(text->data);
}

/* Sums, self times and totals of random jobs. Applies may be in another order, by function. */
START_TEST(a_report_is_the_job_again)
{
    struct sample_random random = {(uint64_t)_i + 1};
    struct model_job *job = sample_random_job(&random, _i % 2);
    struct text text = {0};
    struct model_saved saved;
    char why[256];
    sample_run(job, &random, 1000000);
    save(&text, job);
    ck_assert_msg(load(&text, text.size, &saved, why), "%s", why);
    struct model_state *before = model_state_take(job, MODEL_ALL, NULL);
    struct model_state *after = model_state_take(saved.job, MODEL_ALL, NULL);
    same_rows(before, after, MODEL_CLASS);
    same_rows(before, after, MODEL_OP);
    same_rows(before, after, MODEL_FUNCTION);
    ck_assert_uint_eq(before->count[MODEL_APPLY], after->count[MODEL_APPLY]);
    ck_assert_uint_eq(before->totals.time_ns, after->totals.time_ns);
    ck_assert_uint_eq(before->totals.calls, after->totals.calls);
    ck_assert_str_eq(saved.state, "live");
    ck_assert_uint_eq(saved.time_ns, 77);
    model_state_free(&before);
    model_state_free(&after);
    let_go(&saved, job, &text);
}
END_TEST

/* A Scan: the time inside counts once, after reading too. */
START_TEST(inner_functions_stay_inside)
{
    struct model_job *job = sample_empty();
    struct text text = {0};
    struct model_saved saved;
    char why[256];
    sample_class(job, "Scan");
    sample_op(job, 0, "Scan");
    sample_op(job, 0, "Dot");
    sample_function(job, "outer", MODEL_NONE);
    sample_apply(job, 0, 0, 0, "Scan(x)", MODEL_IMPL_C);
    sample_function(job, "inner", 0);
    sample_apply(job, 1, 1, 0, "Dot(x)", MODEL_IMPL_PY);
    sample_value(job, 0, 1, 1000);
    sample_value(job, 1, 10, 900);
    snprintf(why, sizeof(why), "a \"job\"");
    model_job_set_text(job, &model_job_identity_mutable(job)->program, why, strlen(why));
    model_job_identity_mutable(job)->pid = 12;
    save(&text, job);
    ck_assert_msg(load(&text, text.size, &saved, why), "%s", why);
    struct model_state *state = model_state_take(saved.job, MODEL_ALL, NULL);
    ck_assert_uint_eq(state->row[MODEL_OP][0].self_ns, 100);
    ck_assert_uint_eq(state->row[MODEL_OP][1].self_ns, 900);
    ck_assert_uint_eq(state->totals.time_ns, 1000);
    ck_assert_uint_eq(state->row[MODEL_APPLY][1].impls, 1 << MODEL_IMPL_PY);
    ck_assert_str_eq(model_job_identity(saved.job)->program.raw, "a \"job\"");
    ck_assert_uint_eq(model_job_identity(saved.job)->pid, 12);
    ck_assert_int_eq(memcmp(model_job_identity(saved.job)->instance,
                            model_job_identity(job)->instance, 16),
                     0);
    model_state_free(&state);
    let_go(&saved, job, &text);
}
END_TEST

START_TEST(estimates_stay_estimates)
{
    struct model_job *job = sample_job();
    struct text text = {0}, again = {0};
    struct model_saved saved;
    char why[256];
    sample_calls(job, 0, 640, 80, 123);
    sample_calls(job, 1, 50, MODEL_UNKNOWN, MODEL_UNKNOWN);
    save(&text, job);
    ck_assert_msg(load(&text, text.size, &saved, why), "%s", why);
    const struct model_function_value *value = model_job_function_values(saved.job);
    ck_assert_uint_eq(value[0].call_ns, 64000);
    ck_assert_uint_eq(value[0].timed, 80);
    ck_assert_uint_eq(value[0].error_ns, 123);
    ck_assert(model_function_estimated(&value[0]));
    ck_assert_uint_eq(value[1].error_ns, MODEL_UNKNOWN);
    ck_assert(!model_function_estimated(&value[1]));
    save(&again, saved.job);
    ck_assert_ptr_nonnull(strstr(again.data, "\"calls\":640,\"timed\":80,\"sampled\":true,"
                                             "\"call_error_ns\":123,"));
    ck_assert_ptr_nonnull(strstr(again.data, "\"calls\":50,\"timed\":50,\"sampled\":false,"
                                             "\"call_error_ns\":null,"));
    free(again.data);
    let_go(&saved, job, &text);
}
END_TEST

/* A truncated name stays the same, however often it is saved. */
/* Percentiles, long calls, extremes, bytes of ops and bytes of their outputs. */
START_TEST(durations_and_bytes_are_read)
{
    struct model_job *job = sample_job();
    struct model_saved saved;
    struct text text = {0};
    char why[256];
    const uint64_t id = 0, min = 70, max = 700000, timed = MODEL_UNKNOWN;
    const struct model_about_raw about = {
        .rev = 1, .flops = MODEL_UNKNOWN, .bytes = 4096, .thunk_ns = MODEL_UNKNOWN};
    ck_assert(model_job_set_buckets(job, 0, 2, (uint64_t[]){10, 40}, (uint64_t[]){90, 10}));
    model_job_set_extremes(job, 1, &id, &min, &max, &timed, false);
    ck_assert(model_job_set_about(job, 0, &about));
    ck_assert(model_job_set_metric(job, 0, sample_bytes("misses"), sample_bytes(""), MODEL_SUM));
    ck_assert(
        model_job_set_metric(job, 1, sample_bytes("alloc"), sample_bytes("bytes"), MODEL_SUM));
    ck_assert(model_job_set_metric_value(job, 0, 0, 1, 5));
    ck_assert(model_job_set_metric_value(job, 1, 0, 1, 65536));
    ck_assert(model_job_set_metric_value(job, 1, 2, 1, 7));
    save(&text, job);
    ck_assert_msg(load(&text, text.size, &saved, why), "%s", why);
    ck_assert_uint_eq(saved.runs, 1);
    struct model_state *was = model_state_take(job, MODEL_ALL, NULL);
    struct model_state *is = model_state_take(saved.job, MODEL_ALL, NULL);
    for (unsigned i = 0; i < MODEL_CALL_FIGURES; i++)
        ck_assert_uint_eq(was->quantile[0][i], is->quantile[0][i]);
    ck_assert_uint_eq(is->quantile[0][MODEL_LONG_CALLS], 10);
    ck_assert_uint_eq(is->quantile[1][MODEL_P50], MODEL_UNKNOWN);
    ck_assert(is->row[MODEL_APPLY][0].min_ns == 70 && is->row[MODEL_OP][0].max_ns == 700000);
    ck_assert_uint_eq(model_extra(is, MODEL_APPLY, 0, MODEL_EXTRA_BYTES), 4096);
    const uint32_t alloc = MODEL_EXTRA_METRIC + model_job_metric_named(saved.job, "alloc");
    ck_assert_uint_eq(model_extra(is, MODEL_OP, 0, alloc), 65536);
    ck_assert_uint_eq(model_extra(is, MODEL_OP, 1, alloc), MODEL_UNKNOWN);
    ck_assert_uint_eq(model_extra(is, MODEL_OP, 2, alloc), 7);
    ck_assert_uint_eq(model_job_metric_named(saved.job, "misses"), MODEL_NONE);
    model_state_free(&was);
    model_state_free(&is);
    let_go(&saved, job, &text);
}
END_TEST

START_TEST(names_of_a_megabyte_stay_equal)
{
    struct model_job *job = sample_job();
    struct text text = {0};
    struct model_saved saved;
    char why[256], *name = malloc(1 << 20);
    memset(name, 'x', 1 << 20);
    ck_assert(model_job_add_op(job, 0, name, 1 << 20));
    memcpy(name + 4093, "層", 3);
    ck_assert(model_job_add_op(job, 0, name, 1 << 20));
    sample_apply(job, 0, 3, 3, "a", MODEL_IMPL_C);
    sample_apply(job, 0, 4, 4, "b", MODEL_IMPL_C);
    save(&text, job);
    ck_assert(load(&text, text.size, &saved, why));
    for (uint32_t op = 3; op < 5; op++) {
        const struct model_text *a = &model_job_op(job, op)->text;
        const struct model_text *b = &model_job_op(saved.job, op)->text;
        ck_assert_uint_gt(a->raw_size, MODEL_TEXT_KEPT);
        ck_assert_str_eq(a->raw, b->raw);
        ck_assert_str_eq(a->shown, b->shown);
    }
    let_go(&saved, job, &text);
    free(name);
}
END_TEST

/* A truncated report is reported as such. If a complete report precedes it, that one is read. */
START_TEST(cut_off_anywhere)
{
    struct model_job *job = sample_job();
    struct text text = {0};
    struct model_saved saved;
    char why[256];
    save(&text, job);
    const size_t whole = text.size;
    for (size_t size = 0; size + 1 < whole; size += 1 + size / 7) {
        ck_assert(!load(&text, size, &saved, why));
        ck_assert_ptr_null(saved.job);
        ck_assert_msg(strncmp(why, size ? "is cut off" : "is empty", 8) == 0, "%zu: %s", size, why);
    }
    sample_value(job, 0, 11, 2000);
    save(&text, job);
    ck_assert(load(&text, text.size, &saved, why));
    ck_assert_uint_eq(saved.reports, 2);
    ck_assert(!saved.cut);
    ck_assert_uint_eq(model_job_apply_values(saved.job)[0].calls, 11);
    model_saved_release(&saved);
    for (size_t size = whole + 1; size + 1 < text.size; size += 101) {
        ck_assert(load(&text, size, &saved, why));
        ck_assert(saved.cut && saved.reports == 1);
        ck_assert_uint_eq(model_job_apply_values(saved.job)[0].calls, 10);
        model_saved_release(&saved);
    }
    model_job_release(&job);
    free(text.data);
}
END_TEST

/* One byte is changed: the result is a job or a reason, without a leak or crash. */
START_TEST(any_byte_may_be_wrong)
{
    struct model_job *job = sample_job();
    struct sample_random random = {99};
    struct text text = {0};
    struct model_saved saved;
    char why[256];
    unsigned refused = 0;
    save(&text, job);
    for (int i = 0; i < 3000; i++) {
        size_t at = sample_below(&random, text.size);
        char was = text.data[at];
        text.data[at] = "0123456789{}[]\",:\\- xnt\0\xff"[sample_below(&random, 24)];
        if (load(&text, text.size, &saved, why)) {
            struct model_state *state = model_state_take(saved.job, MODEL_ALL, NULL);
            ck_assert_ptr_nonnull(state);
            model_state_free(&state);
        } else {
            ck_assert_uint_gt(strlen(why), 0);
            refused++;
        }
        model_saved_release(&saved);
        text.data[at] = was;
    }
    ck_assert_uint_gt(refused, 100);
    model_job_release(&job);
    free(text.data);
}
END_TEST

/* Sections in any order, and gaps between ids. */
START_TEST(order_and_gaps_do_not_matter)
{
    static char json[] =
        "{\"applies\":[{\"op\":70,\"function\":9,\"id\":500,\"calls\":2,\"total_ns\":9,"
        "\"name\":\"b\"},{\"name\":\"a\",\"op\":70,\"function\":5,\"id\":3,\"calls\":1,"
        "\"total_ns\":20,\"more\":{\"x\":[]}}],"
        "\"unknown\":[1,{}],\"ops\":[{\"class\":1000000,\"id\":70,\"name\":\"op\"}],"
        "\"functions\":[{\"id\":9,\"parent\":3,\"name\":\"in\"},{\"id\":5,\"parent\":null,\"name\":"
        "\"out\",\"calls\":4}],\"classes\":[{\"id\":1000000,\"name\":\"c\"}],\"jobs\":[{\"id\":4}],"
        "\"schema\":\"proftop-1\"}";
    struct text text = {json, strlen(json), 0, 0};
    struct model_saved saved;
    char why[256];
    ck_assert_msg(load(&text, text.size, &saved, why), "%s", why);
    struct model_state *state = model_state_take(saved.job, MODEL_ALL, NULL);
    ck_assert_str_eq(model_job_apply(saved.job, 1)->text.raw, "b");
    ck_assert_uint_eq(model_job_function(saved.job, 1)->parent, 0);
    ck_assert_uint_eq(state->row[MODEL_APPLY][0].self_ns, 11);
    ck_assert_uint_eq(state->totals.time_ns, 20);
    ck_assert_uint_eq(state->totals.calls, 4);
    model_state_free(&state);
    model_saved_release(&saved);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("json_read");
    tap_add_loop(s, "a_report_is_the_job_again", a_report_is_the_job_again, 20);
    tap_add(s, "inner_functions_stay_inside", inner_functions_stay_inside);
    tap_add(s, "estimates_stay_estimates", estimates_stay_estimates);
    tap_add(s, "durations_and_bytes_are_read", durations_and_bytes_are_read);
    tap_add(s, "names_of_a_megabyte_stay_equal", names_of_a_megabyte_stay_equal);
    tap_add(s, "cut_off_anywhere", cut_off_anywhere);
    tap_add(s, "any_byte_may_be_wrong", any_byte_may_be_wrong);
    tap_add(s, "order_and_gaps_do_not_matter", order_and_gaps_do_not_matter);
    return s;
}
TAP_MAIN(suite)

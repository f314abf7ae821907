/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * check_prom.c: metrics for Prometheus: figures, labels, and which rows have series.
 */
#include "model/prom.h"

#include <stdlib.h>

#include "model/node_detail.h"
#include "sample.h"

static const struct model_link live = {.state = MODEL_LIVE, .frames = 7, .gaps = 2};

static void keep(void *to, const char *bytes, size_t size)
{
    fwrite(bytes, 1, size, to);
}

/* Returns the metrics of some states. Free them. */
static char *print_states(struct model_prom *prom, const struct model_state *const *state,
                          size_t count)
{
    struct model_report_job jobs[4];
    char *text = NULL;
    size_t size;
    FILE *file = open_memstream(&text, &size);
    const struct model_sink sink = {keep, file};
    for (size_t i = 0; i < count; i++)
        jobs[i] = (struct model_report_job){state[i], &live};
    const struct model_report report = {.link = &live, .job = jobs, .jobs = count};
    ck_assert(model_prom_write(prom, &report, &sink));
    fclose(file);
    return text;
}

static char *print_job(struct model_prom *prom, struct model_job *job)
{
    struct model_state *state = model_state_take_sums(job, MODEL_ALL, NULL);
    const struct model_state *one = state;
    ck_assert_ptr_nonnull(state);
    char *text = print_states(prom, &one, 1);
    model_state_free(&state);
    return text;
}

/* Finds the value of the only sample with this name and with these labels behind the labels of the
 * job. */
static const char *value_of(const char *text, const char *name, const char *labels)
{
    static char value[64];
    char want[512];
    snprintf(want, sizeof want, "\nproftop_%s{program=\"\",pid=\"0\",host=\"\"%s} ", name, labels);
    const char *at = strstr(text, want);
    if (!at)
        return "none";
    ck_assert_msg(!strstr(at + 1, want), "%s is there twice", want);
    at += strlen(want);
    snprintf(value, sizeof value, "%.*s", (int)strcspn(at, "\n"), at);
    return value;
}

/* Counts occurrences. */
static unsigned count_of(const char *text, const char *word)
{
    unsigned count = 0;
    for (const char *at = text; (at = strstr(at, word)) != NULL; at += strlen(word))
        count++;
    return count;
}

START_TEST(figures_are_in_base_units)
{
    struct model_job *job = sample_waiting();
    struct model_prom *prom = model_prom_new(MODEL_PROM_USUAL);
    char *text = print_job(prom, job);
    ck_assert_str_eq(value_of(text, "op_calls_total", ",op=\"Dot\""), "35");
    ck_assert_str_eq(value_of(text, "op_seconds_total", ",op=\"Dot\""), "0.0000105");
    ck_assert_str_eq(value_of(text, "op_wait_seconds_total", ",op=\"WaitForAll\""), "0.00009");
    ck_assert_str_eq(value_of(text, "class_seconds_total", ",class=\"tensor.Elemwise\""),
                     "0.000003");
    ck_assert_str_eq(value_of(text, "op_applies", ",op=\"Dot\""), "2");
    ck_assert_str_eq(value_of(text, "job_up", ""), "1");
    ck_assert_str_eq(value_of(text, "feed_gaps_total", ""), "2");
    /* Unknown: there is no sample. */
    ck_assert_str_eq(value_of(text, "op_p99_seconds", ",op=\"Dot\""), "none");
    ck_assert_str_eq(value_of(text, "rows_summed", ",table=\"op\""), "0");
    ck_assert_uint_eq(count_of(text, "\"other\""), 0);
    ck_assert_uint_eq(count_of(text, "# TYPE proftop_op_seconds_total counter\n"), 1);
    ck_assert_uint_eq(count_of(text, "interval"), 0);
    free(text);
    model_prom_free(&prom);
    model_job_release(&job);
}
END_TEST

/* A new column of JSON with a number is a metric without more. */
START_TEST(each_column_of_ops_is_a_metric)
{
    struct model_job *job = sample_job();
    struct model_prom *prom = model_prom_new(MODEL_PROM_USUAL);
    const uint64_t id = 0, ns = 3, timed = 2;
    model_job_set_extremes(job, 1, &id, &ns, &ns, &timed, false);
    char *text = print_job(prom, job);
    for (unsigned i = 0; i < model_columns_count; i++) {
        const struct model_column *column = &model_columns[i];
        if (!column->json || !(column->json_in & MODEL_IN_OP) || column->unit == MODEL_UNIT_TEXT ||
            strncmp(column->id, "interval-", 9) == 0 || column->id[0] == 'p')
            continue; /* percentiles are unknown here */
        char name[64];
        snprintf(name, sizeof name, "%s", column->json);
        char *ns_at = strstr(name, "_ns");
        if (ns_at)
            memcpy(ns_at, "_s", 3);
        const char *prefix = strcmp(name, "total_s") == 0 ? "op_s" : name;
        ck_assert_msg(strstr(text, prefix), "no metric of %s", column->id);
    }
    free(text);
    model_prom_free(&prom);
    model_job_release(&job);
}
END_TEST

START_TEST(the_rest_is_summed)
{
    struct model_job *job = sample_job();
    struct model_prom *prom = model_prom_new(1);
    char *text = print_job(prom, job);
    ck_assert_str_eq(value_of(text, "op_calls_total", ",op=\"Dot\""), "35");
    ck_assert_str_eq(value_of(text, "op_calls_total", ",op=\"other\""), "30");
    ck_assert_str_eq(value_of(text, "op_seconds_total", ",op=\"other\""), "0.0000015");
    ck_assert_str_eq(value_of(text, "op_applies", ",op=\"other\""), "none"); /* no counter */
    ck_assert_str_eq(value_of(text, "rows_summed", ",table=\"op\""), "2");
    ck_assert_uint_eq(count_of(text, "op=\"Elemwise"), 0);
    free(text);
    model_prom_free(&prom);
    model_job_release(&job);
}
END_TEST

/* A row keeps its series, whatever takes most time later: no counter falls. */
START_TEST(rows_keep_their_series)
{
    struct model_job *job = sample_job();
    struct model_prom *prom = model_prom_new(2);
    char *text = print_job(prom, job);
    ck_assert_str_eq(value_of(text, "op_calls_total", ",op=\"other\""), "20");
    free(text);
    sample_value(job, 1, 5000, 900000000); /* the op in the sum */
    sample_op(job, 1, "New");
    sample_apply(job, 0, 3, 4, "New()", MODEL_IMPL_C);
    sample_value(job, 4, 7, 990000000);
    text = print_job(prom, job);
    ck_assert_str_eq(value_of(text, "op_calls_total", ",op=\"Dot\""), "35");
    ck_assert_str_eq(value_of(text, "op_calls_total", ",op=\"other\""), "5007");
    ck_assert_str_eq(value_of(text, "op_calls_total", ",op=\"New\""), "none");
    ck_assert_str_eq(value_of(text, "rows_summed", ",table=\"op\""), "2");
    free(text);
    /* The job resets its counts: the rows are chosen anew. */
    model_job_set_epoch(job, 2);
    model_job_set_complete(job);
    sample_value(job, 4, 1, 5000);
    sample_value(job, 1, 1, 4000);
    text = print_job(prom, job);
    ck_assert_str_eq(value_of(text, "op_calls_total", ",op=\"New\""), "1");
    ck_assert_str_eq(value_of(text, "op_calls_total", ",op=\"Elemwise{mul}\""), "1");
    ck_assert_str_eq(value_of(text, "op_calls_total", ",op=\"other\""), "0");
    free(text);
    model_prom_free(&prom);
    model_job_release(&job);
}
END_TEST

/* New rows take free series; all of it with random jobs, against sums by hand. */
START_TEST(sums_are_whole)
{
    struct sample_random random = {(uint64_t)_i + 1};
    struct model_job *job = sample_random_job(&random, false);
    struct model_prom *prom = model_prom_new(1 + (uint32_t)_i % 5);
    char *text = print_job(prom, job);
    uint64_t calls = 0, printed = 0;
    struct model_state *state = model_state_take(job, MODEL_ALL, NULL);
    for (uint32_t op = 0; op < state->count[MODEL_OP]; op++)
        calls += state->row[MODEL_OP][op].calls;
    for (const char *at = text; (at = strstr(at, "\nproftop_op_calls_total{")) != NULL; at++)
        printed += strtoull(strstr(at, "\"} ") + 3, NULL, 10);
    ck_assert_uint_eq(printed, calls);
    ck_assert_uint_le(count_of(text, "\nproftop_op_calls_total{"), 2 + (unsigned)_i % 5);
    model_state_free(&state);
    free(text);
    model_prom_free(&prom);
    model_job_release(&job);
}
END_TEST

START_TEST(labels_are_escaped_and_unique)
{
    struct model_job *job = sample_empty();
    struct model_prom *prom = model_prom_new(MODEL_PROM_USUAL);
    char name[300];
    static const char *const ops[] = {"a\"b\\c\nd\033", "other", "twice\001", "twice\002", ""};
    sample_class(job, "");
    sample_function(job, "f", MODEL_NONE);
    for (uint32_t i = 0; i < 5; i++)
        sample_op(job, 0, ops[i]);
    for (uint32_t i = 5; i < 7; i++) { /* names that differ behind the cut */
        memset(name, 'x', 298);
        name[298] = (char)('0' + i);
        name[299] = '\0';
        sample_op(job, 0, name);
    }
    for (uint32_t i = 0; i < 7; i++) {
        sample_apply(job, 0, i, i, "n", MODEL_IMPL_C);
        sample_value(job, i, 1, 100 - i);
    }
    char *text = print_job(prom, job);
    ck_assert_ptr_nonnull(strstr(text, ",op=\"a\\\"b\\\\c\xEF\xBF\xBD"));
    ck_assert_str_eq(value_of(text, "op_calls_total", ",op=\"other\",id=\"1\""), "1");
    ck_assert_uint_eq(count_of(text, "proftop_op_calls_total{"), 7);
    /* No two samples of the metric are the same. */
    for (const char *at = text; (at = strstr(at, "\nproftop_op_calls_total{")) != NULL; at++) {
        snprintf(name, sizeof name, "%.*s", (int)strcspn(at + 1, "}") + 2, at);
        ck_assert_uint_eq(strlen(name) < sizeof name - 1, true);
        ck_assert_msg(count_of(text, name) == 1, "%s", name);
    }
    for (const char *at = text; *at; at++)
        ck_assert(*at == '\n' || ((unsigned char)*at >= 0x20 && *at != 0x7F));
    free(text);
    model_prom_free(&prom);
    model_job_release(&job);
}
END_TEST

/* The metrics of a job are labels of a few metrics of ours. */
START_TEST(sums_of_the_job_are_there)
{
    struct model_job *job = sample_job();
    struct model_prom *prom = model_prom_new(1);
    static const char *const names[] = {"device", "sent", "hits", "device", "peak"};
    static const char *const units[] = {"ns", "bytes", "", "ns", "bytes"};
    for (uint32_t i = 0; i < 5; i++)
        ck_assert(model_job_set_metric(job, i, sample_bytes(names[i]), sample_bytes(units[i]),
                                       i == 4 ? MODEL_MAX : MODEL_SUM));
    for (uint32_t apply = 0; apply < 4; apply++)
        for (uint32_t metric = 0; metric < 5; metric++)
            ck_assert(model_job_set_metric_value(job, metric, apply, 1, 1000 * (apply + 1)));
    char *text = print_job(prom, job);
    ck_assert_str_eq(value_of(text, "op_metric_seconds_total", ",op=\"Dot\",metric=\"device\""),
                     "0.000007");
    ck_assert_str_eq(value_of(text, "op_metric_seconds_total", ",op=\"other\",metric=\"device\""),
                     "0.000003");
    ck_assert_str_eq(value_of(text, "op_metric_bytes_total", ",op=\"Dot\",metric=\"sent\""),
                     "7000");
    ck_assert_str_eq(value_of(text, "op_metric_total", ",op=\"other\",metric=\"hits\""), "3000");
    ck_assert_uint_eq(count_of(text, "metric=\"peak\""), 0);
    free(text);
    /* A hostile job lets its sum fall: the counter stays. */
    model_job_set_metric_value(job, 0, 2, 2, 0);
    text = print_job(prom, job);
    ck_assert_str_eq(value_of(text, "op_metric_seconds_total", ",op=\"Dot\",metric=\"device\""),
                     "0.000007");
    free(text);
    model_prom_free(&prom);
    model_job_release(&job);
}
END_TEST

/* Two feeds of one process have labels of their own. A job without a state has no sample. */
START_TEST(jobs_are_told_apart)
{
    struct model_job *job = sample_job(), *other = model_job_new((const uint8_t[16]){9});
    struct model_prom *prom = model_prom_new(MODEL_PROM_USUAL);
    struct model_state *first = model_state_take_sums(job, MODEL_ALL, NULL);
    struct model_state *second = model_state_take_sums(other, MODEL_ALL, NULL);
    const struct model_state *states[] = {first, NULL, second};
    char *text = print_states(prom, states, 3);
    ck_assert_str_eq(value_of(text, "job_up", ""), "1");
    ck_assert_str_eq(value_of(text, "job_up", ",feed=\"2\""), "1");
    ck_assert_uint_eq(count_of(text, "\nproftop_job_up{"), 2);
    ck_assert_uint_eq(count_of(text, "# TYPE proftop_job_up gauge"), 1);
    free(text);
    model_state_free(&first);
    model_state_free(&second);
    model_prom_free(&prom);
    model_job_release(&job);
    model_job_release(&other);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("prom");
    tap_add(s, "figures_are_in_base_units", figures_are_in_base_units);
    tap_add(s, "each_column_of_ops_is_a_metric", each_column_of_ops_is_a_metric);
    tap_add(s, "the_rest_is_summed", the_rest_is_summed);
    tap_add(s, "rows_keep_their_series", rows_keep_their_series);
    tap_add_loop(s, "sums_are_whole", sums_are_whole, 40);
    tap_add(s, "labels_are_escaped_and_unique", labels_are_escaped_and_unique);
    tap_add(s, "sums_of_the_job_are_there", sums_of_the_job_are_there);
    tap_add(s, "jobs_are_told_apart", jobs_are_told_apart);
    return s;
}

TAP_MAIN(suite)

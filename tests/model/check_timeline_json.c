/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * check_timeline_json.c: the events of a trace in the model, and as Chrome's trace format: what is
 * kept and what is refused, which events are nested, and in which order they stand.
 */
#include "sample.h"

#include "model/objects.h"
#include "model/timeline.h"

static struct model_job *job;
static char text[16384];
static size_t text_size;

static void write_text(void *to, const char *bytes, size_t size)
{
    (void)to;
    ck_assert_uint_lt(text_size + size, sizeof text);
    memcpy(text + text_size, bytes, size);
    text_size += size;
    text[text_size] = 0;
}

static void written(void)
{
    const struct model_sink sink = {write_text, NULL};
    text_size = 0;
    model_timeline_write(job, 0, &sink);
}

static void setup(void)
{
    job = sample_empty();
    for (unsigned i = 0; i < 3; i++) {
        const char name[] = {(char)('a' + (char)i), 0};
        struct model_span_raw raw = {.domain = sample_bytes("io"), .name = sample_bytes(name)};
        ck_assert(model_job_add_span(job, &raw));
    }
    ck_assert(model_job_add_thread(job, "one", 3, 11));
    ck_assert(model_job_add_thread(job, "two", 3, 12));
}

static void teardown(void)
{
    model_job_release(&job);
}

static void say(uint64_t number, uint64_t events, uint64_t dropped)
{
    model_job_set_timeline(job, &(struct model_timeline){.number = number,
                                                         .until_ns = MODEL_UNKNOWN,
                                                         .events = events,
                                                         .dropped = dropped});
}

static void run(uint32_t span, uint32_t thread, uint64_t start_ns, uint64_t ns)
{
    model_job_add_event(
        job,
        &(struct model_timeline_event){
            .kind = MODEL_AT_RUN, .id = span, .thread = thread, .start_ns = start_ns, .value = ns});
}

/* The kinds of the events of spans, in the order of the file: "Xb..." with their names. */
static const char *events_of(void)
{
    static char found[64];
    size_t n = 0;
    for (const char *at = text; (at = strstr(at, "\"cat\":\"io\",\"ph\":\"")) != NULL; at++) {
        found[n++] = at[strlen("\"cat\":\"io\",\"ph\":\"")];
        found[n++] = at[-3];
    }
    found[n] = 0;
    return found;
}

START_TEST(a_job_keeps_events_when_it_is_told)
{
    say(1, 1, 0);
    run(0, 0, 10, 5);
    ck_assert_uint_eq(model_job_timeline(job)->count, 0);
    model_job_keep_timeline(job, 10);
    say(1, 1, 0);
    run(0, 0, 10, 5);
    ck_assert_uint_eq(model_job_timeline(job)->count, 1);
    ck_assert_uint_eq(model_timeline_lost(model_job_timeline(job)), 0);
}
END_TEST

START_TEST(what_is_not_kept_is_lost)
{
    model_job_keep_timeline(job, 2);
    say(1, 9, 4); /* nine were sent, and four dropped before */
    run(0, 0, 10, 5);
    run(3, 0, 10, 5); /* no such span */
    run(0, 2, 10, 5); /* no such thread */
    run(0, 1, 10, 5);
    run(0, 1, 20, 5); /* beyond the limit */
    const struct model_timeline *timeline = model_job_timeline(job);
    ck_assert_uint_eq(timeline->count, 2);
    ck_assert_uint_eq(timeline->refused, 3);
    ck_assert_uint_eq(model_timeline_lost(timeline), 4 + 7); /* four never came */
}
END_TEST

START_TEST(a_new_trace_drops_the_last_one)
{
    model_job_keep_timeline(job, 2);
    say(1, 1, 3);
    run(0, 0, 10, 5);
    say(2, 0, 0);
    const struct model_timeline *timeline = model_job_timeline(job);
    ck_assert_uint_eq(timeline->count, 0);
    ck_assert_uint_eq(timeline->limit, 2);
    ck_assert_uint_eq(model_timeline_lost(timeline), 0);
}
END_TEST

/* Events of a thread, as name, start and end, and what is written. */
static const struct {
    struct {
        uint32_t span, thread;
        uint64_t start, end;
    } event[3];
    const char *written;
} tables[] = {
    {{{0, 0, 0, 10}, {1, 0, 2, 4}, {2, 0, 4, 10}}, "XaXbXc"},     /* inside, side by side */
    {{{2, 0, 4, 10}, {1, 0, 2, 4}, {0, 0, 0, 10}}, "XaXbXc"},     /* in any order */
    {{{0, 0, 0, 10}, {1, 0, 5, 15}, {2, 0, 15, 20}}, "XabbebXc"}, /* one overlaps */
    {{{0, 0, 0, 10}, {1, 1, 5, 15}, {2, 0, 6, 9}}, "XaXbXc"},     /* another thread */
    {{{0, 0, 0, 10}, {1, 0, 0, 10}, {2, 0, 10, 10}}, "XaXbXc"},   /* alike; empty at the end */
    {{{1, 0, 0, 4}, {0, 0, 0, 10}, {2, 0, 3, 11}}, "XaXbbcec"},   /* the longer one is outside */
};

START_TEST(overlaps_are_pairs)
{
    model_job_keep_timeline(job, 10);
    say(1, 3, 0);
    for (int i = 0; i < 3; i++)
        run(tables[_i].event[i].span, tables[_i].event[i].thread, tables[_i].event[i].start,
            tables[_i].event[i].end - tables[_i].event[i].start);
    written();
    ck_assert_str_eq(events_of(), tables[_i].written);
}
END_TEST

START_TEST(times_have_whole_nanoseconds)
{
    model_job_keep_timeline(job, 10);
    say(1, 1, 0);
    run(0, 0, UINT64_C(9007199254740993007), 1000002);
    written();
    ck_assert_ptr_nonnull(strstr(text, "\"ts\":9007199254740993.007,\"dur\":1000.002"));
}
END_TEST

START_TEST(names_are_repaired)
{
    static const char expected[] = "{\"name\":\"say \\\"\\u005c\","
                                   "\"cat\":\"\xef\xbf\xbd\\u000a\",\"ph\":\"X\",";
    struct model_span_raw raw = {.domain = sample_bytes("\xff\n"),
                                 .name = sample_bytes("say \"\\")};
    ck_assert(model_job_add_span(job, &raw));
    model_job_keep_timeline(job, 10);
    say(1, 1, 0);
    run(3, MODEL_NONE, 10, 1);
    written();
    ck_assert_ptr_nonnull(strstr(text, expected));
    ck_assert_ptr_nonnull(strstr(text, "\"tid\":0,\"ts\":0.010,\"dur\":0.001"));
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("timeline_json");
    TAP_ADD_BETWEEN(s, a_job_keeps_events_when_it_is_told, 1, setup, teardown);
    TAP_ADD_BETWEEN(s, what_is_not_kept_is_lost, 1, setup, teardown);
    TAP_ADD_BETWEEN(s, a_new_trace_drops_the_last_one, 1, setup, teardown);
    TAP_ADD_BETWEEN(s, overlaps_are_pairs, TAP_ROWS(tables), setup, teardown);
    TAP_ADD_BETWEEN(s, times_have_whole_nanoseconds, 1, setup, teardown);
    TAP_ADD_BETWEEN(s, names_are_repaired, 1, setup, teardown);
    return s;
}

TAP_MAIN(suite)

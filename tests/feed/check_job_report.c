/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * check_job_report.c: the job's report is assembled only from its own parts, in order.
 */
#include "config.h"

#include "../tap.h"

#include <stdlib.h>
#include <string.h>

#include "feed/viewer/stream/job_report.h"

static struct viewer_job_report made;
static uint8_t bytes[4096];

/* An answer of a job: `n` texts, starting at byte `at` of `size`. */
static struct wire_frame *answer(uint64_t at, uint64_t size, uint32_t n, const char *const *texts)
{
    static struct wire_frame frame;
    struct wire_text text[8];
    struct wire_writer w;
    const uint32_t defs[WIRE_TABLES] = {0};
    for (uint32_t i = 0; i < n; i++)
        text[i] = (struct wire_text){texts[i], (uint32_t)strlen(texts[i])};
    wire_begin(&w, bytes, sizeof bytes, WIRE_REPLY, 0);
    wire_put_u64(&w, WIRE_F_VER, WIRE_VERSION);
    wire_put_bin16(&w, WIRE_F_INST, (const uint8_t[16]){0});
    for (int field = WIRE_F_EPOCH; field <= WIRE_F_WALL; field++)
        wire_put_u64(&w, (enum wire_field)field, 1);
    wire_put_counts(&w, WIRE_F_DEFS, defs);
    wire_put_u64(&w, WIRE_F_AT, at);
    wire_put_u64(&w, WIRE_F_BYTES, size);
    wire_put_group(&w, WIRE_G_PART, 0, n, &(struct wire_source){.text = text});
    const size_t length = wire_end(&w);
    ck_assert_int_eq(wire_read(bytes, length, &frame), WIRE_OK);
    return &frame;
}

START_TEST(parts_become_one)
{
    viewer_job_report_begin(&made, 11);
    made.request = 7;
    ck_assert(made.incomplete);
    ck_assert(
        viewer_job_report_take(&made, answer(0, 11, 3, (const char *[]){"one ", "", "two "})));
    ck_assert(made.incomplete && made.have == 8 && made.request == 0);
    ck_assert(viewer_job_report_take(&made, answer(8, 11, 1, (const char *[]){"six"})));
    ck_assert(!made.incomplete);
    ck_assert_str_eq(made.data, "one two six");
    viewer_job_report_begin(&made, 0);
    ck_assert(!made.incomplete && made.data == NULL);
    viewer_job_report_release(&made);
}
END_TEST

/* If a part is out of order, of another report, beyond the end, or empty, the report is
 * discarded. */
static const struct {
    uint64_t at, size;
    uint32_t n;
    const char *text[2];
} bad[] = {{0, 9, 1, {"more"}},        {5, 9, 1, {"more"}}, {4, 8, 1, {"more"}},
           {4, 9, 0, {NULL}},          {4, 9, 2, {"", ""}}, {4, 9, 1, {"more more"}},
           {4, 9, 2, {"more", "more"}}};

START_TEST(nothing_else_is_taken)
{
    viewer_job_report_begin(&made, 9);
    ck_assert(viewer_job_report_take(&made, answer(0, 9, 1, (const char *[]){"one "})));
    ck_assert(
        !viewer_job_report_take(&made, answer(bad[_i].at, bad[_i].size, bad[_i].n, bad[_i].text)));
    ck_assert(!made.incomplete && made.data == NULL && made.have == 0);
}
END_TEST

/* Memory grows with the received parts, not with the size that the job claims. */
START_TEST(memory_is_taken_as_it_comes)
{
    viewer_job_report_begin(&made, WIRE_REPORT_MAX);
    ck_assert(
        viewer_job_report_take(&made, answer(0, WIRE_REPORT_MAX, 1, (const char *[]){"one "})));
    ck_assert_uint_le(made.capacity, 64);
    viewer_job_report_release(&made);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("made");
    tap_add(s, "parts become one", parts_become_one);
    tap_add_loop(s, "nothing else is taken", nothing_else_is_taken, TAP_ROWS(bad));
    tap_add(s, "memory is taken as it comes", memory_is_taken_as_it_comes);
    return s;
}

TAP_MAIN(suite)

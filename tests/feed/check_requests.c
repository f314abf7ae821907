/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * check_requests.c: which requests a viewer sends to a job, and when.
 */
#include "config.h"

#include "follow.h"
#include "model/rewrite.h"

START_TEST(requests_follow_the_protocol)
{
    uint8_t request[WIRE_REQUEST_MAX];
    struct wire_frame frame;
    attach();
    size_t size =
        viewer_sync_request_snapshot(&follower, VIEWER_SNAPSHOT_DEFS, request, sizeof request);
    ck_assert_int_eq(wire_read(request, size, &frame), WIRE_OK);
    ck_assert_int_eq(frame.stream, WIRE_REQUEST);
    ck_assert_uint_eq(frame.field[WIRE_F_CREDIT].u, WIRE_CREDIT);
    ck_assert_uint_eq(frame.field[WIRE_F_WANT].text.size, 1);
    ck_assert_uint_eq(frame.from[WIRE_T_APPLY], FAKE_APPLIES);
    ck_assert_uint_eq(frame.from[WIRE_T_THREAD], FAKE_THREADS);
}
END_TEST

START_TEST(credit_is_given_back_for_each_frame)
{
    uint8_t request[WIRE_REQUEST_MAX];
    struct wire_frame frame;
    fake_hello(&fake, 0, false);
    take();
    uint64_t req = ask();
    answer_all(req);
    size_t size = viewer_sync_request_more(&follower, request, sizeof request);
    ck_assert_int_eq(wire_read(request, size, &frame), WIRE_OK);
    ck_assert_uint_eq(frame.field[WIRE_F_REQ].u, req);
    ck_assert_uint_eq(frame.field[WIRE_F_CREDIT].u, 4);
    ck_assert_uint_eq(follower.credit, 0);
}
END_TEST

/* Notices are not repeated by the stream. The viewer requests lost notices, once. */
START_TEST(lost_notices_are_requested_once)
{
    attach();
    fake_notice(&fake, 0, "one");
    take();
    ck_assert_int_eq(viewer_sync_missing(&follower), VIEWER_SNAPSHOT_NOTHING);
    fake_work(&fake, 1);
    fake_notice(&fake, 0, "lost");
    fake_work(&fake, 1);
    fake_notice(&fake, 0, "three");
    take();
    ck_assert_uint_eq(link_.gaps, 1);
    ck_assert_int_eq(viewer_sync_missing(&follower), VIEWER_SNAPSHOT_MISSED);
    uint8_t request[WIRE_REQUEST_MAX];
    struct wire_frame frame;
    size_t size =
        viewer_sync_request_snapshot(&follower, VIEWER_SNAPSHOT_MISSED, request, sizeof request);
    ck_assert_int_eq(wire_read(request, size, &frame), WIRE_OK);
    ck_assert_uint_eq(frame.field[WIRE_F_WANT].text.size, 1);
    ck_assert_int_eq(*(const char *)frame.field[WIRE_F_WANT].text.data, 'E');
    fake.wall_ns++;
    fake_notice(&fake, follower.snapshot, "lost");
    take_answer();
    fake_reply(&fake, follower.snapshot, "snapshot", true, 1);
    take_answer();
    ck_assert_uint_eq(model_job_notices(follower.job), 3);
    ck_assert_uint_eq(link_.snapshots, 1); /* only the snapshot of attach() was complete */
    ck_assert_int_eq(viewer_sync_missing(&follower), VIEWER_SNAPSHOT_NOTHING);
}
END_TEST

static uint32_t phases(void)
{
    uint32_t count;
    model_job_phases(follower.job, &count);
    return count;
}

/* Phases are not repeated by the stream either. The viewer requests them until the answer arrives,
 * and again if another phase is lost meanwhile. */
START_TEST(lost_phases_are_requested_until_received)
{
    uint8_t request[WIRE_REQUEST_MAX];
    struct wire_frame frame;
    attach();
    fake_phase(&fake, 0, 0);
    take();
    fake_phase(&fake, 0, 1); /* lost */
    fake_phase(&fake, 0, 2);
    take();
    ck_assert_uint_eq(link_.gaps, 1);
    ck_assert_int_eq(viewer_sync_missing(&follower), VIEWER_SNAPSHOT_MISSED);
    size_t size =
        viewer_sync_request_snapshot(&follower, VIEWER_SNAPSHOT_MISSED, request, sizeof request);
    ck_assert_int_eq(wire_read(request, size, &frame), WIRE_OK);
    ck_assert_uint_eq(frame.field[WIRE_F_WANT].text.size, 1);
    ck_assert_int_eq(*(const char *)frame.field[WIRE_F_WANT].text.data, 'R');
    viewer_sync_cancel(&follower); /* no answer */
    ck_assert_int_eq(viewer_sync_missing(&follower), VIEWER_SNAPSHOT_MISSED);
    uint64_t req = ask();
    fake_phase(&fake, req, 1);
    take_answer();
    fake_phase(&fake, 0, 3); /* lost */
    fake_phase(&fake, 0, 4);
    take();
    fake_reply(&fake, req, "snapshot", true, 1);
    take_answer();
    ck_assert_int_eq(viewer_sync_missing(&follower), VIEWER_SNAPSHOT_MISSED);
    req = ask();
    fake_phase(&fake, req, 3);
    take_answer();
    fake_reply(&fake, req, "snapshot", true, 1);
    take_answer();
    ck_assert_int_eq(viewer_sync_missing(&follower), VIEWER_SNAPSHOT_NOTHING);
    ck_assert_uint_eq(phases(), 5);
    for (uint32_t i = 0, count; i < 5; i++)
        ck_assert_uint_eq(model_job_phases(follower.job, &count)[i].rev, 1);
}
END_TEST

/* After the last frame of an idle stream, no later frame shows a gap. The hello does. The answer to
 * the following request is complete, even if it is empty. */
START_TEST(hello_reveals_loss_of_the_last_frame)
{
    attach();
    fake_phase(&fake, 0, 0);
    take();
    fake_hello(&fake, 0, false);
    take();
    ck_assert_int_eq(viewer_sync_missing(&follower), VIEWER_SNAPSHOT_NOTHING);
    fake_phase(&fake, 0, 1); /* lost */
    fake_hello(&fake, 0, false);
    take();
    ck_assert_int_eq(viewer_sync_missing(&follower), VIEWER_SNAPSHOT_MISSED);
    uint64_t req = ask();
    fake_phase(&fake, 0, 2); /* lost, after the answer was encoded */
    fake_hello(&fake, 0, false);
    take();
    fake_reply(&fake, req, "snapshot", true, 0);
    take_answer();
    ck_assert_int_eq(viewer_sync_missing(&follower), VIEWER_SNAPSHOT_MISSED);
    req = ask();
    fake_hello(&fake, 0, false);
    take();
    fake_reply(&fake, req, "snapshot", true, 0);
    take_answer();
    ck_assert_int_eq(viewer_sync_missing(&follower), VIEWER_SNAPSHOT_NOTHING);
    fake_hello(&fake, 0, false);
    take();
    ck_assert_int_eq(viewer_sync_missing(&follower), VIEWER_SNAPSHOT_NOTHING);
    /* A hello that is an answer may be older than the stream, so it shows no gap. */
    fake_phase(&fake, 0, 3);
    fake_hello(&fake, 99, false);
    take_answer();
    ck_assert_int_eq(viewer_sync_missing(&follower), VIEWER_SNAPSHOT_NOTHING);
    ck_assert_uint_eq(phases(), 1);
}
END_TEST

/* With this many rows, full ticks may delay some rows by more than 64 ticks. Only a snapshot heals
 * the gap. */
START_TEST(a_gap_of_a_large_job_heals_by_a_snapshot)
{
    enum { LARGE = 40000 };
    attach();
    const struct model_apply_raw raw = {0};
    for (unsigned i = FAKE_APPLIES; i < LARGE; i++)
        ck_assert(model_job_add_apply(follower.job, &raw));
    tick(false, 1);
    tick(true, 1);
    for (unsigned i = 0; i <= WIRE_ROLL; i++) {
        fake.tick++;
        ck_assert_int_eq(viewer_sync_missing(&follower), VIEWER_SNAPSHOT_NOTHING);
        tick(false, WIRE_ROLL);
    }
    ck_assert_uint_eq(link_.gaps, 1);
    ck_assert_uint_eq(link_.healing, 1);
    ck_assert_int_eq(viewer_sync_missing(&follower), VIEWER_SNAPSHOT_ALL);
    take_snapshot();
    ck_assert_uint_eq(link_.healing, 0);
    ck_assert_int_eq(viewer_sync_missing(&follower), VIEWER_SNAPSHOT_NOTHING);
}
END_TEST

static uint64_t ask_control(const char *what, const char *arg, struct wire_frame *frame)
{
    static uint8_t request[WIRE_REQUEST_MAX];
    size_t size = viewer_sync_request_control(&follower, what, arg, request, sizeof request);
    ck_assert_int_eq(wire_read(request, size, frame), WIRE_OK);
    ck_assert_int_eq(follower.outcome.fate, VIEWER_ASKED);
    return frame->field[WIRE_F_REQ].u;
}

static void assert_says(const struct wire_frame *frame, enum wire_field field, const char *text)
{
    ck_assert(frame->field[field].present);
    ck_assert_uint_eq(frame->field[field].text.size, strlen(text));
    ck_assert_mem_eq(frame->field[field].text.data, text, strlen(text));
}

/* Answers to other requests are ignored, and only this instance receives the request. */
START_TEST(control_requests_are_sent_and_answered)
{
    struct wire_frame frame;
    attach();
    uint64_t hello = follower.request + 1, req;
    viewer_sync_request_hello(&follower, (uint8_t[WIRE_REQUEST_MAX]){0}, WIRE_REQUEST_MAX);
    req = ask_control("set_state", "stop", &frame);
    assert_says(&frame, WIRE_F_Q, "control");
    assert_says(&frame, WIRE_F_WHAT, "set_state");
    assert_says(&frame, WIRE_F_ARG, "stop");
    ck_assert_uint_eq(frame.field[WIRE_F_PID].u, getpid());
    ck_assert(frame.field[WIRE_F_USER].present && frame.field[WIRE_F_USER].text.size > 0);
    ck_assert_mem_eq(frame.field[WIRE_F_INST].text.data, model_job_identity(follower.job)->instance,
                     16);
    fake_reply(&fake, hello, "hello", false, 0);
    take_answer();
    ck_assert_int_eq(follower.outcome.fate, VIEWER_ASKED);
    fake_reply(&fake, req, "control", true, 0);
    take_answer();
    ck_assert_int_eq(follower.outcome.fate, VIEWER_DONE);
    fake_reply(&fake, req, "control", false, 0);
    take_answer();
    ck_assert_int_eq(follower.outcome.fate, VIEWER_DONE);
    req = ask_control("pause", NULL, &frame);
    ck_assert(!frame.field[WIRE_F_ARG].present);
    fake_reply(&fake, req, "control", false, 0);
    take_answer();
    ck_assert_int_eq(follower.outcome.fate, VIEWER_DECLINED);
    ck_assert_ptr_nonnull(strstr(follower.outcome.text, "no room"));
    ck_assert_ptr_null(strchr(follower.outcome.text, 0x1b));
    ck_assert_ptr_nonnull(strstr(follower.outcome.no, "no room")); /* from an older job */
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("ask");
    TCase *c = tcase_create("ask");
    tcase_set_timeout(c, TAP_TIMEOUT);
    tcase_add_checked_fixture(c, setup, teardown);
    tcase_add_test(c, requests_follow_the_protocol);
    tcase_add_test(c, credit_is_given_back_for_each_frame);
    tcase_add_test(c, lost_notices_are_requested_once);
    tcase_add_test(c, lost_phases_are_requested_until_received);
    tcase_add_test(c, hello_reveals_loss_of_the_last_frame);
    tcase_add_test(c, a_gap_of_a_large_job_heals_by_a_snapshot);
    tcase_add_test(c, control_requests_are_sent_and_answered);
    suite_add_tcase(s, c);
    return s;
}

TAP_MAIN(suite)

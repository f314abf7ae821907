/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * check_command.c: commands that a viewer sends to a job through its sockets.
 */
#include "config.h"

#include "feed/viewer/stream/command.h"

#include <string.h>

#include "../tap.h"
#include "clock.h"
#include "fake.h"
#include "feed/viewer/stream/subscriber.h"


static struct fake fake;
static struct viewer_subscriber *viewer;

static void turn(void)
{
    zmq_pollitem_t item[VIEWER_POLL_ITEMS];
    zmq_poll(item, (int)viewer_subscriber_items(viewer, item), 2);
    viewer_subscriber_drain(viewer, test_clock_ns(), TEST_SECOND_NS);
    if (fake.zmq)
        fake_serve(&fake);
}

static enum viewer_request_state fate(void)
{
    return viewer_subscriber_outcome(viewer)->fate;
}

/* The job never answers. Its outcome is then unknown, and no other command is accepted
 * meanwhile. */
START_TEST(a_request_without_an_answer_is_lost)
{
    struct viewer_target target;
    char why[200];
    const uint64_t end = test_clock_ns() + 20 * TEST_SECOND_NS;
    void *zmq = zmq_ctx_new();
    fake_init(&fake, 1);
    fake_bind(&fake);
    ck_assert(viewer_target_parse(fake.facts_at, &target, why, sizeof why));
    viewer = viewer_subscriber_new(zmq, &target, test_clock_ns(), why, sizeof why);
    ck_assert_ptr_nonnull(viewer);
    ck_assert(!viewer_subscriber_control(viewer, "pause", NULL)); /* no job is connected yet */
    ck_assert_int_eq(fate(), VIEWER_NOT_ASKED);
    while (viewer_subscriber_link(viewer)->state != MODEL_LIVE && test_clock_ns() < end)
        turn();
    ck_assert(viewer_subscriber_control(viewer, "pause", NULL));
    ck_assert(!viewer_subscriber_control(viewer, "resume", NULL));
    ck_assert_int_eq(fate(), VIEWER_ASKED);
    fake_unbind(&fake);
    while (fate() == VIEWER_ASKED && test_clock_ns() < end)
        turn();
    ck_assert_int_eq(fate(), VIEWER_LOST);
    viewer_subscriber_free(&viewer);
    zmq_ctx_term(zmq);
    fake_release(&fake);
}
END_TEST

START_TEST(says_who_asks)
{
    uint8_t bytes[WIRE_REQUEST_MAX], instance[16] = {7};
    struct wire_frame frame;
    size_t size = viewer_command_write(instance, 9, "reset", NULL, bytes, sizeof bytes);
    ck_assert_int_eq(wire_read(bytes, size, &frame), WIRE_OK);
    ck_assert_uint_eq(frame.field[WIRE_F_REQ].u, 9);
    ck_assert_uint_eq(frame.field[WIRE_F_PID].u, getpid());
    ck_assert_uint_gt(frame.field[WIRE_F_USER].text.size, 0);
    ck_assert(frame.field[WIRE_F_HOST].present && !frame.field[WIRE_F_ARG].present);
    ck_assert_mem_eq(frame.field[WIRE_F_INST].text.data, instance, 16);
    static char arg[WIRE_REQUEST_MAX];
    memset(arg, 'x', sizeof arg - 1);
    ck_assert_uint_eq(viewer_command_write(NULL, 9, "functions", arg, bytes, sizeof bytes), 0);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("command");
    tap_add(s, "a request without an answer is lost", a_request_without_an_answer_is_lost);
    tap_add(s, "says who asks", says_who_asks);
    return s;
}

TAP_MAIN(suite)

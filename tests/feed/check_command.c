/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * check_command.c: what a viewer asks a job to do, through its sockets.
 */
#include "config.h"

#include "feed/viewer/stream/command.h"

#include <string.h>

#include "../tap.h"
#include "feed/publisher/record/clock.h"
#include "fake.h"
#include "feed/viewer/stream/subscriber.h"


static struct fake fake;
static struct feed_subscriber *viewer;

static void turn(void)
{
    zmq_pollitem_t item[FEED_POLL_ITEMS];
    zmq_poll(item, (int)feed_subscriber_items(viewer, item), 2);
    feed_subscriber_drain(viewer, feed_clock_ns(), FEED_SECOND_NS);
    if (fake.zmq)
        fake_serve(&fake);
}

static enum feed_fate fate(void)
{
    return feed_subscriber_outcome(viewer)->fate;
}

/* The job never answers: whether it did what was asked for is not known, and nothing else may be
 * asked meanwhile. */
START_TEST(a_request_without_an_answer_is_lost)
{
    struct feed_target target;
    char why[200];
    const uint64_t end = feed_clock_ns() + 20 * FEED_SECOND_NS;
    void *zmq = zmq_ctx_new();
    fake_init(&fake, 1);
    fake_bind(&fake);
    ck_assert(feed_target_parse(fake.facts_at, &target, why, sizeof why));
    viewer = feed_subscriber_new(zmq, &target, feed_clock_ns(), why, sizeof why);
    ck_assert_ptr_nonnull(viewer);
    ck_assert(!feed_subscriber_control(viewer, "pause", NULL)); /* nobody is there yet */
    ck_assert_int_eq(fate(), FEED_NOT_ASKED);
    while (feed_subscriber_link(viewer)->state != MODEL_LIVE && feed_clock_ns() < end)
        turn();
    ck_assert(feed_subscriber_control(viewer, "pause", NULL));
    ck_assert(!feed_subscriber_control(viewer, "resume", NULL));
    ck_assert_int_eq(fate(), FEED_ASKED);
    fake_unbind(&fake);
    while (fate() == FEED_ASKED && feed_clock_ns() < end)
        turn();
    ck_assert_int_eq(fate(), FEED_LOST);
    feed_subscriber_free(&viewer);
    zmq_ctx_term(zmq);
    fake_release(&fake);
}
END_TEST

START_TEST(says_who_asks)
{
    uint8_t bytes[WIRE_REQUEST_MAX], instance[16] = {7};
    struct wire_frame frame;
    size_t size = feed_command_write(instance, 9, "reset", NULL, bytes, sizeof bytes);
    ck_assert_int_eq(wire_read(bytes, size, &frame), WIRE_OK);
    ck_assert_uint_eq(frame.field[WIRE_F_REQ].u, 9);
    ck_assert_uint_eq(frame.field[WIRE_F_PID].u, getpid());
    ck_assert_uint_gt(frame.field[WIRE_F_USER].text.size, 0);
    ck_assert(frame.field[WIRE_F_HOST].present && !frame.field[WIRE_F_ARG].present);
    ck_assert_mem_eq(frame.field[WIRE_F_INST].text.data, instance, 16);
    static char arg[WIRE_REQUEST_MAX];
    memset(arg, 'x', sizeof arg - 1);
    ck_assert_uint_eq(feed_command_write(NULL, 9, "functions", arg, bytes, sizeof bytes), 0);
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

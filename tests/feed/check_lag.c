/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * check_lag.c: measured lag if a viewer reads several feeds in turn, without a poll.
 */
#include "config.h"

#include "feed/viewer/stream/subscriber.h"

#include <poll.h>

#include "../tap.h"
#include "fake.h"
#include "clock.h"

static struct fake fake;
static struct viewer_subscriber *viewer;

static const struct model_link *link_of_viewer(void)
{
    return viewer_subscriber_link(viewer);
}

static void request_hello(uint64_t stamp_ns)
{
    fake.mono_ns = stamp_ns;
    fake_hello(&fake, 0, false);
    fake_publish(&fake);
}

static void turn(void)
{
    zmq_pollitem_t item[VIEWER_POLL_ITEMS];
    zmq_poll(item, (int)viewer_subscriber_items(viewer, item), 2);
    viewer_subscriber_drain(viewer, test_clock_ns(), TEST_SECOND_NS);
    fake_serve(&fake);
}

/* Waits until the link is live, then receives one more frame. Both ends share a clock. */
static void go_live(void)
{
    const uint64_t end_ns = test_clock_ns() + 20 * TEST_SECOND_NS;
    while (link_of_viewer()->state != MODEL_LIVE && test_clock_ns() < end_ns)
        turn();
    const uint64_t frames = link_of_viewer()->frames;
    request_hello(test_clock_ns());
    while (link_of_viewer()->frames == frames && test_clock_ns() < end_ns)
        turn();
    ck_assert_uint_eq(link_of_viewer()->frames, frames + 1);
}

/* Polls until an unread frame is there. */
static struct pollfd look_at_facts(void)
{
    zmq_pollitem_t item[VIEWER_POLL_ITEMS];
    struct pollfd facts = {.events = POLLIN};
    size_t size = sizeof facts.fd;
    viewer_subscriber_items(viewer, item);
    ck_assert_int_eq(zmq_getsockopt(item[0].socket, ZMQ_FD, &facts.fd, &size), 0);
    return facts;
}

/* Time in our own queue is no lag of the feed. Earlier delay is. */
START_TEST(time_in_the_viewer_queue_is_no_lag)
{
    struct viewer_target target;
    char why[200];
    void *zmq = zmq_ctx_new();
    uint64_t now_ns = test_clock_ns();
    fake_init(&fake, 1);
    fake_bind(&fake);
    ck_assert(viewer_target_parse(fake.facts_at, &target, why, sizeof why));
    viewer = viewer_subscriber_new(zmq, &target, now_ns, why, sizeof why);
    ck_assert_ptr_nonnull(viewer);
    go_live();
    struct pollfd facts = look_at_facts();
    now_ns = test_clock_ns();
    viewer_subscriber_drain(viewer, now_ns, TEST_SECOND_NS);
    const uint64_t frames = link_of_viewer()->frames;
    for (uint64_t late = 0; late < 2; late++) {
        request_hello(now_ns - late * TEST_SECOND_NS);
        ck_assert_int_eq(poll(&facts, 1, 20000), 1);
        now_ns += TEST_SECOND_NS / 2;
        viewer_subscriber_drain(viewer, now_ns, TEST_SECOND_NS);
        ck_assert_uint_eq(link_of_viewer()->frames, frames + late + 1);
        if (late == 0)
            ck_assert_uint_eq(link_of_viewer()->lag_ns, 0);
    }
    /* The lag without the delay of the fastest frame, which depends on the machine. */
    ck_assert_uint_gt(link_of_viewer()->lag_ns, 0);
    ck_assert_uint_le(link_of_viewer()->lag_ns, TEST_SECOND_NS);
    viewer_subscriber_free(&viewer);
    zmq_ctx_term(zmq);
    fake_release(&fake);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("lag");
    tap_add(s, "unread", time_in_the_viewer_queue_is_no_lag);
    return s;
}
TAP_MAIN(suite)

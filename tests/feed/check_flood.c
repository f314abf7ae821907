/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * check_flood.c: a job floods a busy viewer with answers. The viewer survives, its memory stays
 * small, and it reads on.
 */
#include "config.h"

#include "feed/viewer/stream/subscriber.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../sanitized.h"
#include "../tap.h"
#include "clock.h"
#include "fake.h"
#include "process.h"
#include "feed/protocol/limits.h"

/* AddressSanitizer keeps 256 MiB of freed memory. */
enum {
    ROUNDS = 2,
    BUSY_S = 4,
    ANSWER_BYTES = 1000,
    MOST_KB = (PROCESS_ASAN || PROCESS_TSAN ? 640 : 64) * 1024,
};

static struct fake fake;
static void *zmq;
static struct viewer_subscriber *viewer;

static void setup(void)
{
    /* Heartbeats of a job that tries to break its viewers. */
    const int often = 300, patience = 600, room = 64;
    struct viewer_target target;
    char why[200] = "";
    fake_init(&fake, 1);
    fake_bind(&fake);
    zmq_unbind(fake.control, fake.control_at);
    zmq_setsockopt(fake.control, ZMQ_HEARTBEAT_IVL, &often, sizeof often);
    zmq_setsockopt(fake.control, ZMQ_HEARTBEAT_TIMEOUT, &patience, sizeof patience);
    zmq_setsockopt(fake.control, ZMQ_SNDHWM, &room, sizeof room);
    ck_assert_int_eq(zmq_bind(fake.control, fake.control_at), 0);
    ck_assert_msg(viewer_target_parse(fake.facts_at, &target, why, sizeof why), "%s", why);
    zmq = zmq_ctx_new();
    viewer = viewer_subscriber_new(zmq, &target, test_clock_ns(), why, sizeof why);
    ck_assert_msg(viewer != NULL, "%s", why);
}

static void teardown(void)
{
    viewer_subscriber_free(&viewer);
    zmq_ctx_term(zmq);
    fake_release(&fake);
}

static void turn(void)
{
    zmq_pollitem_t item[VIEWER_POLL_ITEMS];
    zmq_poll(item, (int)viewer_subscriber_items(viewer, item), 2);
    viewer_subscriber_drain(viewer, test_clock_ns(), TEST_SECOND_NS / 100);
    fake_serve(&fake);
}

static void go_live(void)
{
    const uint64_t end_ns = test_clock_ns() + 20 * TEST_SECOND_NS;
    while (viewer_subscriber_link(viewer)->state != MODEL_LIVE) {
        ck_assert_uint_lt(test_clock_ns(), end_ns);
        turn();
        fake_hello(&fake, 0, false);
        fake.mono_ns = test_clock_ns();
        fake_publish(&fake);
    }
}

/* Floods while the viewer does not read, as when it prints a long report into a full pipe. */
static unsigned flood(void)
{
    unsigned sent = 0;
    static const char answer[ANSWER_BYTES] = "A/0";
    const uint64_t end_ns = test_clock_ns() + BUSY_S * TEST_SECOND_NS;
    while (test_clock_ns() < end_ns) {
        zmq_pollitem_t item = {.socket = fake.control, .events = ZMQ_POLLIN};
        for (unsigned i = 0; i < 200; i++)
            if (zmq_send(fake.control, fake.viewer, fake.viewer_size, ZMQ_SNDMORE | ZMQ_DONTWAIT) >=
                0)
                sent += zmq_send(fake.control, answer, sizeof answer, ZMQ_DONTWAIT) >= 0;
        zmq_poll(&item, 1, 1);
        fake_serve(&fake);
    }
    return sent;
}

START_TEST(a_job_that_floods_a_busy_viewer_does_not_kill_it)
{
    go_live();
    const long before_kb = process_memory_kb(getpid(), "VmRSS");
    for (unsigned i = 0; i < ROUNDS; i++) {
        ck_assert_uint_gt(flood(), WIRE_READ_HWM);
        ck_assert_int_lt(process_memory_kb(getpid(), "VmRSS") - before_kb, MOST_KB);
        go_live();
    }
    ck_assert_uint_ge(fake.snapshots, 1);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("flood");
    TCase *c = tcase_create("flood");
    tcase_set_timeout(c, TAP_TIMEOUT);
    tcase_add_checked_fixture(c, setup, teardown);
    tcase_add_test(c, a_job_that_floods_a_busy_viewer_does_not_kill_it);
    suite_add_tcase(s, c);
    return s;
}

TAP_MAIN(suite)

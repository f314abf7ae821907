/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * check_consistency.c: received data counts as a consistent snapshot after whole ticks and
 * snapshots, not before.
 */
#include "config.h"

#include "feed/viewer/stream/sync.h"

#include "follow.h"

enum { LATER_NS = 40 * 1000 * 1000 }; /* as if the job got no processor meanwhile */

static bool ends_before(void)
{
    return viewer_sync_is_consistent_before(&follower, fake.bytes, fake.size);
}

/* Takes the frames of one tick up to its last. */
static void take_functions(void)
{
    fake_work(&fake, 2);
    fake_functions(&fake, 0);
    ck_assert(take());
}

static void take_values(uint32_t function)
{
    fake_values(&fake, 0, function, 1);
    ck_assert(take());
}

START_TEST(a_snapshot_is_of_one_moment)
{
    ck_assert(!viewer_sync_is_consistent(&follower));
    fake_work(&fake, 3);
    fake_hello(&fake, 0, false);
    take();
    const uint64_t req = ask();
    answer_all(req);
    ck_assert(!viewer_sync_is_consistent(&follower));
    fake_reply(&fake, req, "snapshot", true, 4);
    take_answer();
    ck_assert(viewer_sync_is_consistent(&follower));
}
END_TEST

/* Functions, then the applies of one function, then of the other: none of these frames shows the
 * end of the tick. The first frame of the next tick does. */
START_TEST(a_tick_ends_where_the_next_begins)
{
    attach();
    take_functions();
    ck_assert(!viewer_sync_is_consistent(&follower));
    fake_values(&fake, 0, 0, 1);
    ck_assert(!ends_before());
    ck_assert(take());
    ck_assert(!viewer_sync_is_consistent(&follower));
    fake_values(&fake, 0, 1, 1);
    ck_assert(!ends_before());
    ck_assert(take());
    ck_assert(!viewer_sync_is_consistent(&follower));
    fake_work(&fake, 2);
    fake_functions(&fake, 0);
    ck_assert(ends_before());
    ck_assert(take());
    ck_assert(!viewer_sync_is_consistent(&follower));
}
END_TEST

START_TEST(a_hello_ends_its_tick)
{
    attach();
    take_functions();
    take_values(0);
    take_values(1);
    fake_hello(&fake, 0, false);
    ck_assert(!ends_before());
    ck_assert(take());
    ck_assert(viewer_sync_is_consistent(&follower));
    take_functions();
    ck_assert(!viewer_sync_is_consistent(&follower));
}
END_TEST

/* A hello that is an answer is no part of the streams, so it shows no end of a tick. */
START_TEST(an_answered_hello_ends_nothing)
{
    attach();
    take_functions();
    fake_hello(&fake, 7, false);
    ck_assert(take_answer());
    ck_assert(!viewer_sync_is_consistent(&follower));
}
END_TEST

/* Frames of a tick that the snapshot already contains may still arrive. They do not make it
 * inconsistent. */
START_TEST(frames_already_in_a_snapshot_do_not_tear_it)
{
    attach();
    fake_values(&fake, 0, 0, 1);
    take();
    ck_assert(viewer_sync_is_consistent(&follower));
}
END_TEST

/* Its functions are 40 ms older than its applies: the next tick makes it consistent. */
START_TEST(a_snapshot_that_took_long_waits_for_a_tick)
{
    fake_work(&fake, 3);
    fake_hello(&fake, 0, false);
    take();
    const uint64_t req = ask();
    answer_functions(req);
    fake.mono_ns += LATER_NS;
    fake_values(&fake, req, 0, 1);
    take_answer();
    fake_values(&fake, req, 1, 1);
    take_answer();
    fake_reply(&fake, req, "snapshot", true, 4);
    take_answer();
    ck_assert(follower.whole);
    ck_assert(!viewer_sync_is_consistent(&follower));
    take_functions();
    take_values(0);
    take_values(1);
    ck_assert(!viewer_sync_is_consistent(&follower));
    fake_work(&fake, 1);
    fake_functions(&fake, 0);
    ck_assert(ends_before());
}
END_TEST

/* A tick began during the snapshot and delayed its applies: only the tick after it is complete. */
START_TEST(a_tick_amid_a_snapshot_is_not_enough)
{
    fake_work(&fake, 3);
    fake_hello(&fake, 0, false);
    take();
    const uint64_t req = ask();
    answer_all(req);
    take_functions();
    fake_reply(&fake, req, "snapshot", true, 4);
    take_answer();
    ck_assert(!viewer_sync_is_consistent(&follower));
    fake_work(&fake, 1);
    fake_functions(&fake, 0);
    ck_assert(!ends_before());
    ck_assert(take());
    take_values(0);
    take_values(1);
    fake_work(&fake, 1);
    fake_functions(&fake, 0);
    ck_assert(ends_before());
}
END_TEST

/* One tick whose applies are 40 ms younger than its functions. Returns the result at the first
 * frame of the next tick. */
static bool slow_tick_ends(void)
{
    take_functions();
    fake.mono_ns += LATER_NS;
    take_values(0);
    take_values(1);
    fake.tick++;
    fake_hello(&fake, 0, false);
    return ends_before();
}

/* A tick made in pieces is not taken; the next whole tick is. If all ticks are made in pieces, they
 * are taken. */
START_TEST(a_tick_that_was_made_in_pieces_waits_for_another)
{
    attach();
    ck_assert(!slow_tick_ends());
    take_functions();
    take_values(0);
    take_values(1);
    fake.tick++;
    fake_hello(&fake, 0, false);
    ck_assert(ends_before());
    for (unsigned i = 0; i < 3; i++)
        ck_assert(!slow_tick_ends());
    ck_assert(slow_tick_ends());
}
END_TEST

START_TEST(state_with_pending_frames_is_not_consistent)
{
    attach();
    take_functions();
    take_values(0);
    fake.defs[WIRE_T_THREAD]++;
    take_values(1);
    ck_assert_uint_eq(follower.pending.count, 1);
    fake_hello(&fake, 0, false);
    take();
    ck_assert(!viewer_sync_is_consistent(&follower));
    const uint64_t req = ask();
    fake_defs_from(&fake, req,
                   (uint32_t[WIRE_TABLES]){[WIRE_T_CLASS] = FAKE_CLASSES,
                                           [WIRE_T_OP] = FAKE_OPS,
                                           [WIRE_T_FUNCTION] = FAKE_FUNCTIONS,
                                           [WIRE_T_APPLY] = FAKE_APPLIES,
                                           [WIRE_T_THREAD] = FAKE_THREADS});
    take_answer();
    fake_reply(&fake, req, "snapshot", true, 1);
    take_answer();
    ck_assert_uint_eq(follower.pending.count, 0);
    ck_assert(viewer_sync_is_consistent(&follower));
}
END_TEST

/* Other jobs' frames and malformed frames show no end of this job's tick. A later epoch does. */
START_TEST(only_its_own_frames_end_a_tick)
{
    attach();
    take_functions();
    const struct fake own = fake;
    fake_init(&fake, 2);
    fake.tick = own.tick + 1;
    fake_hello(&fake, 0, false);
    ck_assert(!ends_before());
    fake = own;
    ck_assert(!viewer_sync_is_consistent_before(&follower, "H/", 2));
    uint8_t request[WIRE_REQUEST_MAX];
    const size_t size = viewer_sync_ack(&follower, request, sizeof request);
    ck_assert(!viewer_sync_is_consistent_before(&follower, request, size));
    fake.epoch++;
    fake.tick++;
    fake_hello(&fake, 0, false);
    ck_assert(ends_before());
    take();
    ck_assert(!viewer_sync_is_consistent(&follower));
    fake.epoch--;
    fake_functions(&fake, 0);
    ck_assert(!ends_before());
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("moment");
    TCase *c = tcase_create("moment");
    tcase_set_timeout(c, TAP_TIMEOUT);
    tcase_add_checked_fixture(c, setup, teardown);
    tcase_add_test(c, a_snapshot_is_of_one_moment);
    tcase_add_test(c, a_tick_ends_where_the_next_begins);
    tcase_add_test(c, a_hello_ends_its_tick);
    tcase_add_test(c, an_answered_hello_ends_nothing);
    tcase_add_test(c, frames_already_in_a_snapshot_do_not_tear_it);
    tcase_add_test(c, a_snapshot_that_took_long_waits_for_a_tick);
    tcase_add_test(c, a_tick_amid_a_snapshot_is_not_enough);
    tcase_add_test(c, a_tick_that_was_made_in_pieces_waits_for_another);
    tcase_add_test(c, state_with_pending_frames_is_not_consistent);
    tcase_add_test(c, only_its_own_frames_end_a_tick);
    suite_add_tcase(s, c);
    return s;
}

TAP_MAIN(suite)

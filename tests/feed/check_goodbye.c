/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * check_goodbye.c: when the data of a job that said goodbye is final, and its last notice.
 */
#include "config.h"

#include "feed/viewer/stream/sync.h"

#include <string.h>

#include "follow.h"

/* The last notice names the asker, once the goodbye is complete. */
START_TEST(detached_job_names_the_requester)
{
    attach();
    for (int i = 0; i <= _i; i++) {
        fake.wall_ns++;
        fake_notice(&fake, 0,
                    i ? "control: pause (asked by anna)" : "control: detach (asked by anna)");
        ck_assert(take() && !viewer_sync_detached_by(&follower));
    }
    fake_hello(&fake, 0, true);
    ck_assert(take() && follower.final);
    if (_i == 0)
        ck_assert_str_eq(viewer_sync_detached_by(&follower), "(asked by anna)");
    else
        ck_assert_ptr_null(viewer_sync_detached_by(&follower));
}
END_TEST

/* Sends the last values of both functions, and the goodbye. */
static void end_job(bool lost)
{
    fake_work(&fake, 1);
    tick(false, 1);
    fake_values(&fake, 0, 1, 1);
    if (!lost)
        take();
    fake_hello(&fake, 0, true);
    take();
}

START_TEST(a_goodbye_with_nothing_missing_is_final)
{
    attach();
    end_job(false);
    ck_assert(follower.final);
    ck_assert(fake_equals(&fake, follower.job));
    ck_assert_int_eq(viewer_sync_missing(&follower), VIEWER_SNAPSHOT_NOTHING);
}
END_TEST

/* The last frame of a topic is lost: only the goodbye shows that. */
START_TEST(a_goodbye_with_a_frame_missing_asks_for_the_last_values)
{
    attach();
    end_job(true);
    ck_assert(!follower.final);
    ck_assert_uint_eq(link_.gaps, 0);
    ck_assert_int_eq(viewer_sync_missing(&follower), VIEWER_SNAPSHOT_ALL);
    take_snapshot();
    ck_assert(follower.final);
    ck_assert(fake_equals(&fake, follower.job));
}
END_TEST

START_TEST(a_goodbye_with_an_open_gap_asks_for_the_last_values)
{
    attach();
    tick(false, 1);
    fake_work(&fake, 1);
    tick(true, 1);
    fake.tick++;
    tick(false, WIRE_ROLL);
    fake_hello(&fake, 0, true);
    take();
    ck_assert_uint_eq(link_.gaps, 1);
    ck_assert(!follower.final);
    take_snapshot();
    ck_assert(follower.final);
    ck_assert_uint_eq(link_.healing, 0);
    ck_assert(fake_equals(&fake, follower.job));
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("goodbye");
    TCase *c = tcase_create("goodbye");
    tcase_set_timeout(c, TAP_TIMEOUT);
    tcase_add_checked_fixture(c, setup, teardown);
    tcase_add_loop_test(c, detached_job_names_the_requester, 0, 2);
    tcase_add_test(c, a_goodbye_with_nothing_missing_is_final);
    tcase_add_test(c, a_goodbye_with_a_frame_missing_asks_for_the_last_values);
    tcase_add_test(c, a_goodbye_with_an_open_gap_asks_for_the_last_values);
    suite_add_tcase(s, c);
    return s;
}

TAP_MAIN(suite)

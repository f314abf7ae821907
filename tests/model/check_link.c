/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * check_link.c: combines the links of several jobs.
 */
#include "../tap.h"
#include "model/link.h"

static const struct model_link live = {.state = MODEL_LIVE,
                                       .last_frame_ns = 90,
                                       .lag_ns = 5,
                                       .frames = 100,
                                       .gaps = 1,
                                       .reconnects = 2};
/* Died in a gap, long after its frames had begun to lag. */
static const struct model_link dead = {.state = MODEL_GONE,
                                       .said_bye = true,
                                       .insecure = true,
                                       .healing = true,
                                       .last_frame_ns = 70,
                                       .lag_ns = 4000,
                                       .frames = 11,
                                       .gaps = 3,
                                       .reconnects = 4};

static struct model_link sum_of(const struct model_link *one, const struct model_link *other)
{
    struct model_link sum = {.said_bye = true};
    model_link_add(&sum, one);
    model_link_add(&sum, other);
    return sum;
}

START_TEST(losses_of_ended_jobs_stay_in_the_sum)
{
    struct model_link sum = sum_of(&live, &dead);
    ck_assert_uint_eq(sum.frames, 111);
    ck_assert_uint_eq(sum.gaps, 4);
    ck_assert_uint_eq(sum.reconnects, 6);
    ck_assert_uint_eq(sum.last_frame_ns, 90);
    ck_assert(sum.insecure);
}
END_TEST

START_TEST(ended_jobs_add_no_lag_or_healing_to_the_sum)
{
    struct model_link sum = sum_of(&dead, &live);
    ck_assert(!sum.healing);
    ck_assert_uint_eq(sum.lag_ns, 5);
    struct model_link stale = dead;
    stale.state = MODEL_STALE;
    sum = sum_of(&live, &stale);
    ck_assert(sum.healing);
    ck_assert_uint_eq(sum.lag_ns, 4000);
}
END_TEST

START_TEST(sum_has_goodbye_only_if_all_jobs_sent_it)
{
    ck_assert(!sum_of(&dead, &live).said_bye);
    ck_assert(sum_of(&dead, &dead).said_bye);
    struct model_link left = dead, sum = {.said_bye = true, .detached = true};
    left.detached = true;
    model_link_add(&sum, &left);
    ck_assert_uint_eq(model_link_standing(&left), MODEL_LINK_DETACHED);
    ck_assert(sum.detached);
    model_link_add(&sum, &dead);
    ck_assert(sum.said_bye && !sum.detached);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("link");
    tap_add(s, "losses_of_ended_jobs_stay_in_the_sum", losses_of_ended_jobs_stay_in_the_sum);
    tap_add(s, "ended_jobs_add_no_lag_or_healing_to_the_sum",
            ended_jobs_add_no_lag_or_healing_to_the_sum);
    tap_add(s, "sum_has_goodbye_only_if_all_jobs_sent_it",
            sum_has_goodbye_only_if_all_jobs_sent_it);
    return s;
}
TAP_MAIN(suite)

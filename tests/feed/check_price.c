/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * check_price.c: that each kind of event is measured, and that this leaves nothing behind. How true
 * the prices are, script/bench measures: nothing here depends on how fast anything is.
 */
#include "config.h"

#include "tap.h"

#include "job/cost.h"
#include "job/threads.h"

START_TEST(every_kind_has_a_price)
{
    struct feed_cost cost;
    bool ticks = _i == 1 && feed_ticks_usable();
    feed_cost_init(&cost);
    ck_assert_uint_eq(feed_cost_own_ns(&cost), PROFTOP_UNKNOWN);
    feed_cost_measure(&cost, ticks);
    ck_assert(cost.rounds == 1 && cost.ticks == ticks);
    for (int i = 0; i < FEED_EVENTS; i++) {
        ck_assert_double_gt(cost.price_ns[i], 0);
        ck_assert_double_lt(cost.price_ns[i], 1e9);
        ck_assert_double_gt(cost.doubt_ns[i], 0);
        ck_assert_double_ge(cost.peak_ns[i], cost.most_ns[i]);
        ck_assert_double_eq_tol(cost.price_ns[i] + cost.doubt_ns[i], cost.peak_ns[i], 1e-6);
    }
    feed_cost_measure(&cost, ticks);
    ck_assert_uint_eq(cost.rounds, 2);
    feed_cost_measure(&cost, !ticks && feed_ticks_usable());
    ck_assert_uint_eq(cost.rounds, ticks || feed_ticks_usable() ? 1 : 3); /* another clock */
    ck_assert_ptr_null(feed_mine.all); /* this thread counts for nobody, as before */
    ck_assert_uint_eq(feed_mine.on, UINT64_MAX);
}
END_TEST

/* Each measurement has memory of its own, and leaves alone what lies where the last one's did. */
START_TEST(what_was_measured_with_is_forgotten)
{
    struct feed_cost cost;
    feed_cost_init(&cost);
    feed_cost_measure(&cost, feed_ticks_usable());
    struct feed_block *block = feed_block_new(1); /* as the next thread has it */
    struct proftop_slot *slot = feed_block_slot(block, FEED_APPLIES, 0);
    feed_slot_touch(slot, &block->front.ready[0], PROFTOP_TIMED, 0);
    feed_cost_measure(&cost, feed_ticks_usable());
    ck_assert_uint_eq(cost.rounds, 2);
    ck_assert_uint_eq(slot->calls, 0);
    feed_block_free(block);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("price");
    tap_add_loop(s, "every kind has a price", every_kind_has_a_price, 2);
    tap_add(s, "what was measured with is forgotten", what_was_measured_with_is_forgotten);
    return s;
}

TAP_MAIN(suite)

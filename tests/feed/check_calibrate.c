/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * check_calibrate.c: calibration measures each kind of event at about the cost of clock reads, and
 * leaves nothing behind. script/bench measures its accuracy.
 */
#include "config.h"

#include "tap.h"

#include "feed/publisher/collect/overhead.h"
#include "feed/publisher/record/thread_buffer.h"

#include "sanitized.h"
#include "two_clocks.h"

START_TEST(every_kind_has_a_price)
{
    struct publisher_overhead cost;
    bool ticks = _i == 1 && publisher_ticks_usable();
    publisher_overhead_init(&cost);
    ck_assert_uint_eq(publisher_overhead_own_ns(&cost), PROFTOP_UNKNOWN);
    publisher_overhead_calibrate(&cost, ticks);
    ck_assert(cost.rounds == 1 && cost.ticks == ticks);
    for (int i = 0; i < PUBLISHER_EVENTS; i++) {
        ck_assert_double_gt(cost.price_ns[i], 0);
        ck_assert_double_gt(cost.peak_ns[i], cost.price_ns[i]);
    }
    publisher_overhead_calibrate(&cost, ticks);
    ck_assert_uint_eq(cost.rounds, 2);
    publisher_overhead_calibrate(&cost, !ticks && publisher_ticks_usable());
    ck_assert_uint_eq(cost.rounds, ticks || publisher_ticks_usable() ? 1 : 3); /* another clock */
    ck_assert_ptr_null(publisher_thread_slot.all); /* this thread counts for no feed, as before */
    ck_assert_uint_eq(publisher_thread_slot.on, UINT64_MAX);
}
END_TEST

/* The best of several runs: other load on the machine adds to some. */
START_TEST(prices_are_those_of_clocks)
{
    enum { TIMES = 5 };
    const bool ticks = _i == 1 && publisher_ticks_usable();
    const double clocks_ns = two_clocks_ns(ticks);
    double least[PUBLISHER_EVENTS], most[PUBLISHER_EVENTS] = {0};
    for (int time = 0; time < TIMES; time++) {
        struct publisher_overhead cost;
        publisher_overhead_init(&cost);
        publisher_overhead_calibrate(&cost, ticks);
        for (int i = 0; i < PUBLISHER_EVENTS; i++) {
            const double price = cost.price_ns[i];
            least[i] = time == 0 || price < least[i] ? price : least[i];
            most[i] = price > most[i] ? price : most[i];
        }
    }
    for (int i = 0; i < PUBLISHER_EVENTS; i++)
        ck_assert_msg(least[i] < 20 * clocks_ns, "event %d: %.1f ns, two clocks: %.1f", i, least[i],
                      clocks_ns);
    static const enum publisher_event stamped[] = {PUBLISHER_EVENT_TIMED, PUBLISHER_EVENT_SAMPLED,
                                                   PUBLISHER_EVENT_CALL, PUBLISHER_EVENT_RUN};
    for (int i = 0; i < TAP_ROWS(stamped); i++)
        ck_assert_msg(most[stamped[i]] > 0.1 * clocks_ns, "event %d: %.1f ns, two clocks: %.1f",
                      (int)stamped[i], most[stamped[i]], clocks_ns);
}
END_TEST

/* Each calibration has its own memory, and ignores old contents of reused memory. */
START_TEST(calibration_ignores_old_memory_contents)
{
    struct publisher_overhead cost;
    publisher_overhead_init(&cost);
    publisher_overhead_calibrate(&cost, publisher_ticks_usable());
    struct publisher_block *block = publisher_block_new(1); /* as the next thread gets it */
    struct proftop_slot *slot = publisher_block_slot(block, PUBLISHER_APPLIES, 0);
    publisher_slot_touch(slot, &block->front.ready[0], PROFTOP_TIMED, 0);
    publisher_overhead_calibrate(&cost, publisher_ticks_usable());
    ck_assert_uint_eq(cost.rounds, 2);
    ck_assert_uint_eq(slot->calls, 0);
    publisher_block_free(block);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("price");
    tap_add_loop(s, "every kind has a price", every_kind_has_a_price, 2);
    if (!PROCESS_ASAN && !PROCESS_TSAN) /* durations differ with sanitizers */
        tap_native(tap_add_loop(s, "prices are those of clocks", prices_are_those_of_clocks, 2));
    tap_add(s, "what was measured with is forgotten", calibration_ignores_old_memory_contents);
    return s;
}

TAP_MAIN(suite)

/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * check_open.c: the open calls of a thread are reported completely, from the outermost apply to the
 * innermost. The sum of their open time and the counted time never falls.
 */
#include "tap.h"

#include "clock.h"
#include "feed/publisher/collect/open_calls.h"
#include "feed/publisher/record/thread_buffer.h"
#include "feed/publisher/collect/aggregate.h"
#include "feed/publisher/record/slot.h"

enum { ID = 7, CLOCK = 100 };

/* Behaves like a thread: begins inside the open calls, and ends the innermost. */
struct thread {
    struct publisher_block *block;
    uint64_t outer[2 * PUBLISHER_NESTED], now[2 * PUBLISHER_NESTED];
    unsigned depth;
    uint64_t clock; /* units of 1024 */
};

static void begin(struct thread *t, uint32_t apply)
{
    uint64_t outer = publisher_load(&t->block->front.now);
    if (outer != t->block->front.within)
        publisher_block_nest(t->block, outer);
    t->outer[t->depth] = outer;
    t->now[t->depth++] = proftop_now(t->clock++ << 10, apply);
    publisher_store(&t->block->front.now, t->now[t->depth - 1]);
}

static void end(struct thread *t)
{
    publisher_store(&t->block->front.now, t->outer[--t->depth]);
}

static void is_told(const struct thread *t)
{
    uint64_t open[PUBLISHER_NESTED + 1];
    ck_assert_uint_eq(publisher_block_open(t->block, open), t->depth);
    for (unsigned i = 0; i < t->depth; i++)
        ck_assert_uint_eq(open[i], t->now[i]);
}

START_TEST(all_enclosing_calls_are_listed)
{
    struct thread t = {.block = publisher_block_new(1), .clock = CLOCK};
    uint32_t random = (uint32_t)_i * 2654435761u + 1;
    is_told(&t);
    for (int step = 0; step < 20000; step++) {
        random = random * 1103515245u + 12345;
        const bool more = t.depth == 0 || (t.depth < PUBLISHER_NESTED && random >> 16 & 1);
        if (more)
            begin(&t, random >> 20 & 3); /* also recursively */
        else
            end(&t);
        is_told(&t);
    }
    publisher_block_free(t.block);
}
END_TEST

START_TEST(innermost_call_is_listed_at_any_depth)
{
    struct thread t = {.block = publisher_block_new(1), .clock = CLOCK};
    uint64_t open[PUBLISHER_NESTED + 1];
    for (uint32_t i = 0; i < PUBLISHER_NESTED + 20; i++)
        begin(&t, i);
    ck_assert_uint_eq(publisher_block_open(t.block, open), PUBLISHER_NESTED + 1);
    ck_assert_uint_eq(open[PUBLISHER_NESTED], t.now[t.depth - 1]);
    while (t.depth > PUBLISHER_NESTED)
        end(&t);
    is_told(&t);
    while (t.depth > 3)
        end(&t);
    begin(&t, 1);
    is_told(&t);
    publisher_block_free(t.block);
}
END_TEST

START_TEST(call_ended_by_another_thread_is_not_listed)
{
    struct thread t = {.block = publisher_block_new(1), .clock = CLOCK};
    uint64_t open[PUBLISHER_NESTED + 1];
    for (uint32_t i = 0; i < 3; i++)
        begin(&t, i);
    publisher_store(&t.block->front.ended, t.now[1]);
    ck_assert_uint_eq(publisher_block_open(t.block, open), 2);
    ck_assert_uint_eq(open[0], t.now[0]);
    ck_assert_uint_eq(open[1], t.now[2]);
    publisher_block_free(t.block);
}
END_TEST

/* Begin of a call, time of the look, and bounds of its open time. */
START_TEST(never_open_for_longer_than_it_takes)
{
    for (uint64_t began = 5000; began < 5000 + 4096; began += 7)
        for (uint64_t took = 0; took < 5000; took += 13) {
            const uint64_t told = publisher_open_for(proftop_now(began, ID), began + took);
            ck_assert_uint_le(told, took);
            ck_assert_uint_ge(told + 1024, took);
        }
    ck_assert_uint_eq(publisher_open_for(proftop_now(9000, ID), 5000),
                      0); /* it began after the clock was read */
}
END_TEST

/* ------------------------------------------------------------------------------------- rows */

struct bench {
    struct publisher_core core;
    struct publisher_aggregate aggregate;
    struct thread thread[2];
    struct proftop_slot *slot[2];
};

static struct bench *set_up(void)
{
    struct bench *b = calloc(1, sizeof *b);
    for (int i = 0; i < 2; i++) {
        b->thread[i] = (struct thread){.block = publisher_block_new(1)};
        b->thread[i].block->next = i == 0 ? NULL : b->thread[0].block;
        atomic_store(&b->thread[i].block->defined, (uint32_t)i + 1);
        b->slot[i] = publisher_block_slot(b->thread[i].block, PUBLISHER_APPLIES, ID);
        publisher_slot_touch(b->slot[i], NULL, PROFTOP_TIMED, 0);
    }
    atomic_store(&b->core.blocks, b->thread[1].block);
    ck_assert(publisher_aggregate_init(&b->aggregate, &b->core));
    return b;
}

static void tear_down(struct bench *b)
{
    publisher_aggregate_release(&b->aggregate);
    for (int i = 0; i < 2; i++)
        publisher_block_free(b->thread[i].block);
    free(b);
}

static const struct publisher_row *row_of(struct bench *b)
{
    b->aggregate.tick++;
    publisher_aggregate_applies(&b->aggregate, ID + 1);
    const struct publisher_row *row = publisher_aggregate_apply(&b->aggregate, ID);
    ck_assert_ptr_nonnull(row);
    return row;
}

/* Begins a call this many ns in the past. */
static void begin_ago(struct bench *b, int thread, uint64_t ns)
{
    b->thread[thread].clock = (test_clock_ns() - ns) >> 10;
    begin(&b->thread[thread], ID);
}

static void sent(struct bench *b)
{
    uint32_t id[PUBLISHER_CHUNK];
    publisher_aggregate_mark_sent(&b->aggregate, id,
                                  publisher_aggregate_dirty_rows(&b->aggregate, 0, ID + 1, id));
}

START_TEST(open_calls_of_all_threads_are_summed)
{
    struct bench *b = set_up();
    begin_ago(b, 0, 5000000);
    const struct publisher_row *row = row_of(b);
    ck_assert(row->is_open);
    ck_assert_uint_eq(row->calls, 0);
    ck_assert_uint_eq(row->total, 0);
    ck_assert_uint_ge(row->open, 4990000);
    begin_ago(b, 1, 7000000);
    sent(b);
    row = row_of(b);
    ck_assert_uint_ge(row->open, 11990000);
    uint32_t id[PUBLISHER_CHUNK];
    ck_assert_uint_eq(publisher_aggregate_dirty_rows(&b->aggregate, 0, ID + 1, id),
                      1); /* nothing was counted */
    tear_down(b);
}
END_TEST

START_TEST(a_call_that_ends_is_counted_once)
{
    struct bench *b = set_up();
    begin_ago(b, 0, 5000000);
    const uint64_t before = row_of(b)->open;
    const uint64_t took = 3600000000000; /* real clock, maybe a busy machine */
    publisher_slot_add(b->slot[0], took, false);
    end(&b->thread[0]);
    const struct publisher_row *row = row_of(b);
    ck_assert(!row->is_open);
    ck_assert_uint_eq(row->open, 0);
    ck_assert_uint_eq(row->total, took);
    ck_assert_uint_le(before, took);
    tear_down(b);
}
END_TEST

START_TEST(failed_call_is_sent_as_closed)
{
    struct bench *b = set_up();
    begin_ago(b, 0, 5000000);
    row_of(b);
    sent(b);
    end(&b->thread[0]);
    const struct publisher_row *row = row_of(b);
    uint32_t id[PUBLISHER_CHUNK];
    ck_assert(!row->is_open);
    ck_assert_uint_eq(publisher_aggregate_dirty_rows(&b->aggregate, 0, ID + 1, id), 1);
    sent(b);
    row_of(b);
    ck_assert_uint_eq(publisher_aggregate_dirty_rows(&b->aggregate, 0, ID + 1, id), 0);
    tear_down(b);
}
END_TEST

/* A reset splits the time of an open call: the part before counts to the old epoch. */
START_TEST(a_reset_cuts_what_is_open)
{
    struct bench *b = set_up();
    publisher_slot_add(b->slot[0], 1000, false);
    begin_ago(b, 0, 5000000);
    const uint64_t before = row_of(b)->open;
    ck_assert(publisher_aggregate_reset(&b->aggregate));
    const struct publisher_row *row = row_of(b);
    ck_assert(row->is_open);
    ck_assert_uint_eq(row->calls, 0);
    ck_assert_uint_eq(row->total, 0);
    ck_assert_uint_lt(row->open, test_clock_ns()); /* not below 0 */
    publisher_slot_add(b->slot[1], 300, false);         /* another thread ends a call meanwhile */
    const uint64_t open = row_of(b)->open;
    ck_assert_uint_eq(row->total, 0);
    ck_assert_uint_ge(open, 300);
    if (_i == 0) {
        publisher_slot_add(b->slot[0], before + 2000000000, false);
        end(&b->thread[0]);
        ck_assert_uint_eq(row_of(b)->total, 2000000300);
        ck_assert_uint_eq(row->calls, 2);
    } else { /* it fails: its earlier time is taken back */
        end(&b->thread[0]);
        ck_assert_uint_eq(row_of(b)->total, 0);
        publisher_slot_add(b->slot[0], 40, false);
        ck_assert_uint_eq(row_of(b)->total, 40);
    }
    tear_down(b);
}
END_TEST

/* A call that ends after its slot was read is in neither figure: the reader is told. */
START_TEST(call_that_ends_during_a_read_is_counted_as_ended)
{
    struct bench *b = set_up();
    struct publisher_open_count count;
    begin_ago(b, 0, 5000000);
    begin_ago(b, 1, 5000000);
    row_of(b);
    publisher_aggregate_list_open(&b->aggregate);
    const struct publisher_instant now = {0, test_clock_ns()};
    ck_assert_uint_ge(publisher_aggregate_open_ns(&b->aggregate, ID, now, &count), 9980000);
    ck_assert_uint_eq(count.open, 2);
    ck_assert_uint_eq(count.ended, 0); /* the row's reported time is not a call */
    end(&b->thread[1]);
    ck_assert_uint_ge(publisher_aggregate_open_ns(&b->aggregate, ID, now, &count), 4990000);
    ck_assert_uint_eq(count.open, 1);
    ck_assert_uint_eq(count.ended, 1);
    tear_down(b);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("open");
    tap_add_loop(s, "all_enclosing_calls_are_listed", all_enclosing_calls_are_listed, 5);
    tap_add(s, "however_deep", innermost_call_is_listed_at_any_depth);
    tap_add(s, "ended_elsewhere", call_ended_by_another_thread_is_not_listed);
    tap_add(s, "never_longer", never_open_for_longer_than_it_takes);
    tap_add(s, "all_threads", open_calls_of_all_threads_are_summed);
    tap_add(s, "counted_once", a_call_that_ends_is_counted_once);
    tap_add(s, "ends_meanwhile", call_that_ends_during_a_read_is_counted_as_ended);
    tap_add(s, "fails", failed_call_is_sent_as_closed);
    tap_add_loop(s, "reset", a_reset_cuts_what_is_open, 2);
    return s;
}
TAP_MAIN(suite)

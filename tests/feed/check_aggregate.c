/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * check_aggregate.c: aggregates slots into rows; changed rows are marked dirty for sending.
 */
#include "tap.h"

#include "feed/publisher/record/thread_buffer.h"
#include "feed/publisher/record/histogram.h"
#include "feed/publisher/collect/aggregate.h"
#include "feed/publisher/record/slot.h"

struct bench {
    struct publisher_core *core;
    struct publisher_block *block[2];
    struct publisher_aggregate *aggregate;
};

static void set_up(struct bench *b)
{
    b->core = calloc(1, sizeof *b->core);
    b->aggregate = calloc(1, sizeof *b->aggregate);
    for (int i = 0; i < 2; i++) {
        b->block[i] = publisher_block_new(1);
        b->block[i]->next = i == 0 ? NULL : b->block[0];
    }
    atomic_store(&b->core->blocks, b->block[1]);
    ck_assert(publisher_aggregate_init(b->aggregate, b->core));
}

static void tear_down(struct bench *b)
{
    publisher_aggregate_release(b->aggregate);
    for (int i = 0; i < 2; i++)
        publisher_block_free(b->block[i]);
    free(b->aggregate);
    free(b->core);
}

static void add(struct bench *b, int block, uint32_t id, uint64_t ns)
{
    struct proftop_slot *slot = publisher_block_slot(b->block[block], PUBLISHER_APPLIES, id);
    if (publisher_slot_kind(slot) == 0)
        publisher_slot_touch(slot, NULL, PROFTOP_TIMED, 0);
    publisher_slot_add(slot, ns, false);
}

START_TEST(sums_over_threads)
{
    struct bench b;
    set_up(&b);
    add(&b, 0, 3, 10);
    add(&b, 0, 3, 12);
    add(&b, 1, 3, 50);
    b.aggregate->tick = 1;
    publisher_aggregate_applies(b.aggregate, 5);
    const struct publisher_row *row = publisher_aggregate_apply(b.aggregate, 3);
    ck_assert_ptr_nonnull(row);
    ck_assert_uint_eq(row->calls, 3);
    ck_assert_uint_eq(row->total, 72);
    ck_assert_uint_eq(row->min, 10);
    ck_assert_uint_eq(row->max, 50);
    ck_assert_uint_eq(row->timed, 3);
    ck_assert_uint_eq(publisher_aggregate_dirty_since(b.aggregate, 3), 1);
    ck_assert_ptr_null(publisher_aggregate_apply(b.aggregate, 4));
    static const struct {
        int block;
        uint64_t ns;
    } later[] = {{0, 11}, {1, 21}, {1, 22}, {0, 13}};
    for (int i = 0; i < TAP_ROWS(later); i++) { /* the last is from the thread that moved */
        add(&b, later[i].block, 3, later[i].ns);
        publisher_aggregate_applies(b.aggregate, 5);
        ck_assert_uint_eq(row->last, later[i].ns);
    }
    tear_down(&b);
}
END_TEST

enum { MIXED = 96 }; /* applies: some timed, some given, some not timed each time */

static void add_mixed(struct bench *b, uint32_t id, unsigned step)
{
    struct proftop_slot *slot = publisher_block_slot(b->block[0], PUBLISHER_APPLIES, id);
    uint32_t source = id % 3 == 1 ? PROFTOP_GIVEN : PROFTOP_TIMED;
    if (publisher_slot_kind(slot) == 0)
        publisher_slot_touch(slot, NULL, source, 0);
    if (id % 3 == 2 && step % 4 == 3)
        publisher_slot_add_untimed(slot);
    else
        publisher_slot_add(slot, 100 + (id * 7919u + step * 104729u) % 5000, false);
}

static void scan_mixed(struct bench *b, uint32_t tick)
{
    b->aggregate->tick = tick;
    publisher_aggregate_applies(b->aggregate, MIXED);
    for (uint32_t id = 1; id < MIXED; id += 3) /* in order of definition */
        if (publisher_aggregate_apply(b->aggregate, id) != NULL)
            publisher_aggregate_apply(b->aggregate, id)->source = PROFTOP_GIVEN;
}

static void send_mixed(struct bench *b)
{
    uint32_t id[PUBLISHER_CHUNK];
    publisher_aggregate_mark_sent(b->aggregate, id,
                                  publisher_aggregate_dirty_rows(b->aggregate, 0, MIXED, id));
}

/* Rows of one thread have a fast path. It gives the same result as the path for several threads. */
START_TEST(rows_of_a_lone_thread_are_as_any)
{
    struct bench b[2];
    for (int i = 0; i < 2; i++) {
        set_up(&b[i]);
        b[i].block[0]->ticks = _i == 1;
        b[i].core->ticks = (struct publisher_ticks){.tsc = true, .factor = UINT64_C(3) << 39};
        b[i].aggregate->budget.hot[PUBLISHER_APPLIES].least_calls = 1;
        b[i].aggregate->budget.hot[PUBLISHER_APPLIES].least_ns = 2000;
    }
    publisher_slot_touch(publisher_block_slot(b[1].block[1], PUBLISHER_APPLIES, MIXED), NULL,
                         PROFTOP_TIMED, 0);
    for (uint32_t tick = 1; tick <= 60; tick++) {
        for (int i = 0; i < 2; i++) {
            for (uint32_t id = tick % 5; id < MIXED; id += 1 + tick % 7)
                add_mixed(&b[i], id, tick);
            scan_mixed(&b[i], tick);
        }
        const struct publisher_rows *one = b[0].aggregate->applies[0],
                                    *other = b[1].aggregate->applies[0];
        ck_assert_mem_eq(one->row, other->row, sizeof one->row);
        ck_assert_mem_eq(&one->known, &other->known, sizeof one->known);
        ck_assert_mem_eq(&one->waits, &other->waits, sizeof one->waits);
        ck_assert_mem_eq(&one->extremes, &other->extremes, sizeof one->extremes);
        ck_assert_mem_eq(b[0].aggregate->events, b[1].aggregate->events,
                         sizeof b[0].aggregate->events);
        ck_assert_mem_eq(b[0].aggregate->of, b[1].aggregate->of, sizeof b[0].aggregate->of);
        ck_assert_uint_eq(b[0].aggregate->waiting[0], b[1].aggregate->waiting[0]);
        ck_assert_uint_eq(b[0].aggregate->budget.hot[PUBLISHER_APPLIES].now.count,
                          b[1].aggregate->budget.hot[PUBLISHER_APPLIES].now.count);
        for (int i = 0; i < 2 && tick % 3 == 0; i++)
            send_mixed(&b[i]);
        for (int i = 0; i < 2 && tick == 40; i++)
            ck_assert(publisher_aggregate_reset(b[i].aggregate));
    }
    ck_assert_uint_gt(b[0].aggregate->events[PUBLISHER_EVENT_GIVEN], 100);
    ck_assert_uint_gt(b[0].aggregate->events[PUBLISHER_EVENT_TIMED], 100);
    ck_assert_uint_gt(b[0].aggregate->untimed, 10);
    for (int i = 0; i < 2; i++)
        tear_down(&b[i]);
}
END_TEST

START_TEST(a_torn_row_keeps_its_values)
{
    struct bench b;
    set_up(&b);
    add(&b, 0, 0, 10);
    add(&b, 1, 0, 20);
    b.aggregate->tick = 1;
    publisher_aggregate_applies(b.aggregate, 1);
    add(&b, 0, 0, 5);
    struct proftop_slot *slot = publisher_block_slot(b.block[1], PUBLISHER_APPLIES, 0);
    slot->calls++; /* as at the start of a write */
    b.aggregate->tick = 2;
    publisher_aggregate_applies(b.aggregate, 1);
    ck_assert_uint_eq(publisher_aggregate_apply(b.aggregate, 0)->calls, 2);
    ck_assert_uint_eq(publisher_aggregate_apply(b.aggregate, 0)->total, 30);
    slot->calls--;
    publisher_aggregate_applies(b.aggregate, 1);
    ck_assert_uint_eq(publisher_aggregate_apply(b.aggregate, 0)->calls, 3);
    ck_assert_uint_eq(publisher_aggregate_apply(b.aggregate, 0)->total, 35);
    tear_down(&b);
}
END_TEST

START_TEST(unchanged_rows_take_turns)
{
    struct bench b;
    set_up(&b);
    uint32_t turns[256] = {0};
    for (uint32_t id = 0; id < 256; id++)
        add(&b, 0, id, 10);
    for (uint32_t tick = 1; tick <= 2 * WIRE_ROLL; tick++) {
        b.aggregate->tick = tick;
        publisher_aggregate_applies(b.aggregate, 256);
        for (uint32_t id = 0; id < 256; id++) {
            bool waits = publisher_bit(&b.aggregate->applies[0]->waits, id);
            bool turn = id / 4 == (tick - 1) % WIRE_ROLL;
            ck_assert_int_eq(waits, tick == 1 || turn);
            ck_assert_int_eq(publisher_bit(&b.aggregate->applies[0]->extremes, id), waits);
            turns[id] += waits;
            if (waits)
                publisher_aggregate_mark_sent(b.aggregate, &id, 1);
            ck_assert(!publisher_bit(&b.aggregate->applies[0]->waits, id));
        }
        ck_assert_uint_eq(b.aggregate->waiting[0], 0);
    }
    for (uint32_t id = 0; id < 256; id++)
        ck_assert_uint_eq(turns[id], id < 4 ? 2 : 3);
    tear_down(&b);
}
END_TEST

/* Rows defined since a tick began are counted already, but not sent in that tick. */
START_TEST(rows_beyond_the_count_wait_for_the_next_scan)
{
    struct bench b;
    uint32_t id[PUBLISHER_CHUNK];
    set_up(&b);
    for (uint32_t i = 0; i < 80; i++)
        add(&b, 0, i, 10);
    for (uint32_t count = 0; count <= 80; count++) {
        b.aggregate->tick = 1;
        publisher_aggregate_applies(b.aggregate, count);
        ck_assert(count == 80 || publisher_aggregate_apply(b.aggregate, count) == NULL);
        ck_assert_uint_eq(count == 0 ? 0 : publisher_aggregate_dirty_rows(b.aggregate, 0, 80, id),
                          count);
    }
    tear_down(&b);
}
END_TEST

/* With many rows, each row is summed once in a round. An exact result sums all. */
START_TEST(many_rows_are_summed_in_parts)
{
    static const struct {
        uint32_t count, ticks, parts;
    } table[] = {{WIRE_MANY_APPLIES, 10, 1},    {WIRE_MANY_APPLIES + 1, 10, 5},
                 {WIRE_HUGE_APPLIES, 10, 5},    {WIRE_HUGE_APPLIES + 1, 10, 10},
                 {WIRE_HUGE_APPLIES + 1, 5, 5}, {WIRE_HUGE_APPLIES + 1, 2, 2},
                 {WIRE_MANY_APPLIES + 1, 1, 1}};
    enum { CHUNKS = WIRE_MANY_APPLIES / PUBLISHER_CHUNK };
    for (int t = 0; t < TAP_ROWS(table); t++) {
        struct bench b;
        set_up(&b);
        for (uint32_t tick = 1; tick <= 40; tick++) {
            b.aggregate->tick = tick;
            for (uint32_t at = 0; at < CHUNKS; at++)
                add(&b, at % 2, at * PUBLISHER_CHUNK + 7, 10);
            publisher_aggregate_part(b.aggregate, 0, table[t].count, table[t].ticks, UINT32_MAX);
            ck_assert_int_eq(publisher_aggregate_is_round(b.aggregate), tick % table[t].parts == 0);
            for (uint32_t at = 0; at < CHUNKS; at++) {
                uint32_t late = (tick + table[t].parts - at % table[t].parts) % table[t].parts;
                const struct publisher_row *row =
                    publisher_aggregate_apply(b.aggregate, at * PUBLISHER_CHUNK + 7);
                if (late >= tick)
                    continue;
                ck_assert_ptr_nonnull(row);
                ck_assert_uint_eq(row->calls, tick - late);
                uint32_t id = at * PUBLISHER_CHUNK + 7;
                ck_assert_int_eq(publisher_bit(&b.aggregate->applies[at]->waits, 7), late == 0);
                if (late == 0)
                    publisher_aggregate_mark_sent(b.aggregate, &id, 1);
            }
        }
        publisher_aggregate_applies(b.aggregate, table[t].count);
        for (uint32_t at = 0; at < CHUNKS; at++)
            ck_assert_uint_eq(
                publisher_aggregate_apply(b.aggregate, at * PUBLISHER_CHUNK + 7)->calls, 40);
        tear_down(&b);
    }
}
END_TEST

/* So that the rows can be sent while they are in the cache. */
START_TEST(a_scan_stops_where_rows_fill_a_frame)
{
    enum { CHUNKS = 8, COUNT = CHUNKS * PUBLISHER_CHUNK - 24 };
    static const uint32_t next[] = {3, 7, 8}; /* one row in eight of chunk 3 has changed */
    struct bench b;
    set_up(&b);
    for (uint32_t id = 0; id < COUNT; id += id / PUBLISHER_CHUNK == 3 ? 8 : 1)
        add(&b, 0, id, 10);
    b.aggregate->tick = 1;
    for (uint32_t i = 0, at = 0; i < TAP_ROWS(next); i++, at = next[i - 1]) {
        uint32_t most = WIRE_FRAME_ROWS - PUBLISHER_CHUNK;
        ck_assert_uint_eq(publisher_aggregate_part(b.aggregate, at, COUNT, 10, most), next[i]);
        ck_assert_uint_gt(b.aggregate->waiting[next[i] - 1], 0);
        if (next[i] < CHUNKS)
            ck_assert_uint_eq(b.aggregate->waiting[next[i]], 0); /* not yet */
    }
    tear_down(&b);
}
END_TEST

/* However a tick divides the rows, each row is sent at least every WIRE_ROLL ticks. */
START_TEST(many_rows_roll)
{
    static const uint32_t counts[] = {PUBLISHER_CHUNK, WIRE_MANY_APPLIES + 1,
                                      WIRE_HUGE_APPLIES + 1};
    enum { AT = 3 * PUBLISHER_CHUNK };
    for (int t = 0; t < TAP_ROWS(counts); t++) {
        struct bench b;
        uint32_t sent[PUBLISHER_CHUNK] = {0}, id[PUBLISHER_CHUNK], first = t == 0 ? 0 : AT,
                 most = 0;
        set_up(&b);
        for (uint32_t i = 0; i < PUBLISHER_CHUNK; i++)
            add(&b, 0, first + i, 10);
        for (uint32_t tick = 1; tick <= 4 * WIRE_ROLL; tick++) {
            b.aggregate->tick = tick;
            publisher_aggregate_part(b.aggregate, 0, counts[t], 10, UINT32_MAX);
            uint32_t n =
                publisher_aggregate_dirty_rows(b.aggregate, first / PUBLISHER_CHUNK, counts[t], id);
            publisher_aggregate_mark_sent(b.aggregate, id, n);
            most = tick > 10 && n > most ? n : most;
            for (uint32_t i = 0; i < n; i++) {
                ck_assert_uint_le(tick - sent[id[i] % PUBLISHER_CHUNK], WIRE_ROLL);
                sent[id[i] % PUBLISHER_CHUNK] = tick;
            }
        }
        for (uint32_t i = 0; i < PUBLISHER_CHUNK; i++)
            ck_assert_uint_ge(sent[i], 3 * WIRE_ROLL);
        ck_assert_uint_le(most, 171);
        tear_down(&b);
    }
}
END_TEST

/* Tables are allocated before an aggregation needs them: only for chunks that a thread has. */
START_TEST(tables_are_made_before_they_are_wanted)
{
    struct bench b;
    set_up(&b);
    add(&b, 1, 2 * PUBLISHER_CHUNK + 5, 10);
    publisher_aggregate_prefetch(b.aggregate, 3 * PUBLISHER_CHUNK);
    const struct publisher_rows *rows = b.aggregate->applies[2];
    const struct publisher_seen *seen = b.block[1]->seen[2];
    ck_assert(rows != NULL && seen != NULL);
    ck_assert_ptr_null(b.aggregate->applies[0]);
    ck_assert_ptr_null(b.block[0]->seen[2]);
    b.aggregate->tick = 1;
    publisher_aggregate_applies(b.aggregate, 3 * PUBLISHER_CHUNK);
    ck_assert(b.aggregate->applies[2] == rows && b.block[1]->seen[2] == seen);
    ck_assert_uint_eq(publisher_aggregate_apply(b.aggregate, 2 * PUBLISHER_CHUNK + 5)->calls, 1);
    tear_down(&b);
}
END_TEST

/* The input of percentiles besides the buckets: the last duration of each thread's slot, which is
 * in no bucket yet, and the number of timed calls of each op. */
START_TEST(last_calls_and_timed_ones_are_noted)
{
    enum { OP = 2, APPLY = 3 };
    struct bench b;
    set_up(&b);
    const bool lone = _i == 0;
    add(&b, 0, APPLY, 10);
    publisher_aggregate_ops(b.aggregate, OP + 1);
    publisher_aggregate_applies(b.aggregate, 5);
    b.aggregate->applies[0]->op_plus_1[APPLY] = OP + 1; /* as if it was defined */
    static const uint64_t ns[] = {100, 5000, 7};
    for (int i = 0; i < TAP_ROWS(ns); i++) {
        add(&b, 0, APPLY, ns[i]);
        if (!lone)
            add(&b, 1, APPLY, 2 * ns[i]);
        publisher_aggregate_applies(b.aggregate, 5);
        ck_assert_uint_eq(b.aggregate->timed[OP], (i + 1) * (lone ? 1 : 2));
        ck_assert_uint_eq(b.block[0]->seen[0]->last_plus_1[APPLY],
                          publisher_bucket_sent(ns[i]) + 1);
        if (!lone)
            ck_assert_uint_eq(b.block[1]->seen[0]->last_plus_1[APPLY],
                              publisher_bucket_sent(2 * ns[i]) + 1);
    }
    struct proftop_slot *other = publisher_block_slot(b.block[0], PUBLISHER_APPLIES, APPLY + 1);
    publisher_slot_touch(other, NULL, PROFTOP_TIMED, 0);
    publisher_slot_add_untimed(other);
    publisher_aggregate_applies(b.aggregate, 5);
    ck_assert_uint_eq(publisher_aggregate_apply(b.aggregate, APPLY + 1)->calls, 1);
    ck_assert_uint_eq(b.block[0]->seen[0]->last_plus_1[APPLY + 1], 0);
    struct proftop_slot *given = publisher_block_slot(b.block[0], PUBLISHER_APPLIES, 0);
    publisher_slot_touch(given, NULL, PROFTOP_GIVEN, 0); /* its bucket already includes it */
    for (uint32_t calls = 1; calls <= 2; calls++) {
        publisher_slot_add(given, 100, false);
        publisher_aggregate_applies(b.aggregate, 5);
        ck_assert_uint_eq(publisher_aggregate_apply(b.aggregate, 0)->calls, calls);
        ck_assert_uint_eq(b.block[0]->seen[0]->last_plus_1[0], 0);
    }
    ck_assert_uint_eq(b.aggregate->timed[OP], lone ? 3 : 6);
    tear_down(&b);
}
END_TEST

START_TEST(sent_rows_are_no_longer_dirty)
{
    static const uint32_t all[] = {1, 63, 64, 70, 130}, sent[] = {1, 64, 70}, left[] = {63, 130};
    struct bench b;
    uint32_t id[PUBLISHER_CHUNK];
    set_up(&b);
    b.aggregate->tick = 1;
    for (int i = 0; i < TAP_ROWS(all); i++)
        add(&b, 0, all[i], 10);
    publisher_aggregate_chunk(b.aggregate, 0, 200);
    ck_assert_uint_eq(publisher_aggregate_dirty_rows(b.aggregate, 0, 200, id), TAP_ROWS(all));
    for (int twice = 0; twice < 2; twice++) {
        publisher_aggregate_mark_sent(b.aggregate, sent, TAP_ROWS(sent));
        ck_assert_uint_eq(b.aggregate->waiting[0], TAP_ROWS(left));
        ck_assert_uint_eq(publisher_aggregate_dirty_rows(b.aggregate, 0, 200, id), TAP_ROWS(left));
        ck_assert_mem_eq(id, left, sizeof left);
    }
    tear_down(&b);
}
END_TEST

/* ------------------------------------------------------------------------------ definitions */

static Suite *suite(void)
{
    Suite *s = suite_create("scan");
    tap_add(s, "sums_over_threads", sums_over_threads);
    tap_add_loop(s, "rows of a lone thread are as any", rows_of_a_lone_thread_are_as_any, 2);
    tap_add(s, "a_torn_row_keeps_its_values", a_torn_row_keeps_its_values);
    tap_add(s, "unchanged_rows_take_turns", unchanged_rows_take_turns);
    tap_add(s, "rows beyond the count wait", rows_beyond_the_count_wait_for_the_next_scan);
    tap_add(s, "many_rows_are_summed_in_parts", many_rows_are_summed_in_parts);
    tap_add(s, "a scan stops where rows fill a frame", a_scan_stops_where_rows_fill_a_frame);
    tap_add(s, "many_rows_roll", many_rows_roll);
    tap_add_loop(s, "last calls and timed ones are noted", last_calls_and_timed_ones_are_noted, 2);
    tap_add(s, "sent_rows_are_no_longer_dirty", sent_rows_are_no_longer_dirty);
    tap_add(s, "tables_are_made", tables_are_made_before_they_are_wanted);
    return s;
}

TAP_MAIN(suite)

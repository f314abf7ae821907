/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * check_slot.c: slots, blocks and definitions: a written value is read completely, or not at all.
 */
#include "tap.h"

#include <pthread.h>

#include "feed/publisher/record/thread_buffer.h"
#include "feed/publisher/record/definitions.h"
#include "feed/publisher/record/histogram.h"
#include "feed/publisher/collect/aggregate.h"
#include "feed/publisher/record/slot.h"

START_TEST(one_writer)
{
    struct publisher_block *block = publisher_block_new(7);
    struct proftop_slot *slot = publisher_block_slot(block, PUBLISHER_APPLIES, 1023);
    struct publisher_count count;
    publisher_slot_touch(slot, NULL, PROFTOP_TIMED, 0);
    publisher_slot_add(slot, 30, false);
    publisher_slot_add(slot, 10, false);
    publisher_slot_add(slot, 20, false);
    publisher_slot_add_untimed(slot);
    ck_assert(publisher_slot_read(slot, &count));
    ck_assert_uint_eq(count.calls, 4);
    ck_assert_uint_eq(count.timed, 3);
    ck_assert_uint_eq(count.total, 60);
    ck_assert_uint_eq(count.min, 10);
    ck_assert_uint_eq(count.max, 30);
    ck_assert_uint_eq(count.last, 20);
    ck_assert_uint_eq(publisher_source(count.kind), PROFTOP_TIMED + 1);
    publisher_block_free(block);
}
END_TEST

START_TEST(zero_is_a_time)
{
    struct publisher_block *block = publisher_block_new(7);
    struct proftop_slot *slot = publisher_block_slot(block, PUBLISHER_APPLIES, 0);
    struct publisher_count count;
    publisher_slot_touch(slot, NULL, PROFTOP_GIVEN, 0);
    publisher_slot_add(slot, 5, false);
    publisher_slot_add(slot, 0, false);
    ck_assert(publisher_slot_read(slot, &count));
    ck_assert_uint_eq(count.min, 0);
    ck_assert_uint_eq(count.max, 5);
    publisher_block_free(block);
}
END_TEST

#if defined(__GNUC__)
/* Inlined code adds without a check of the bucket, so the bucket must exist. Else the slot is not
 * plain. */
START_TEST(duration_without_a_bucket_is_not_added_inline)
{
    const uint64_t end = UINT64_C(1) << PROFTOP_BUCKET_END;
    struct publisher_block *block = publisher_block_new(7);
    struct proftop_slot *slot = publisher_block_slot(block, PUBLISHER_APPLIES, 0);
    struct publisher_buckets *buckets = publisher_histogram_make(block, false, 0);
    struct publisher_count count;
    publisher_slot_touch(slot, NULL, PROFTOP_TIMED, (uintptr_t)buckets);
    ck_assert(!proftop_is_plain(slot, PROFTOP_TIMED)); /* no duration is pending yet */
    publisher_slot_add(slot, 100, true);
    ck_assert(proftop_is_plain(slot, PROFTOP_TIMED));
    ck_assert(!proftop_is_plain(slot, PROFTOP_GIVEN));
    static const uint64_t good[] = {100, 1, 99, (UINT64_C(1) << PROFTOP_BUCKET_END) - 1, 5};
    for (int i = 0; i < TAP_ROWS(good); i++)
        ck_assert(proftop_count_timed(slot, good[i]));
    ck_assert(!proftop_count_timed(slot, 0));
    ck_assert(!proftop_count_timed(slot, end));
    ck_assert(!proftop_count_timed(slot, UINT64_MAX));
    ck_assert(publisher_slot_read(slot, &count));
    ck_assert_uint_eq(count.calls, 1 + TAP_ROWS(good));
    ck_assert_uint_eq(count.total, 100 + 100 + 1 + 99 + end - 1 + 5);
    ck_assert_uint_eq(count.min, 1);
    ck_assert_uint_eq(count.max, end - 1);
    ck_assert_uint_eq(buckets->near[publisher_bucket(100)], 3); /* and 99 */
    ck_assert_uint_eq(buckets->near[0], 1);
    ck_assert_uint_eq(buckets->near[publisher_bucket(5)], 0); /* the last duration is pending */
    static const uint64_t bad[] = {0, UINT64_C(1) << 50};
    for (int i = 0; i < TAP_ROWS(bad); i++) {
        publisher_slot_add(slot, bad[i], true);
        ck_assert(!proftop_is_plain(slot, PROFTOP_TIMED));
        publisher_slot_add(slot, 100, true); /* the extreme is unchanged */
        ck_assert(!proftop_is_plain(slot, PROFTOP_TIMED));
        publisher_slot_reset(slot);
        ck_assert(!proftop_is_plain(slot, PROFTOP_TIMED));
        publisher_slot_add(slot, 100, true);
        ck_assert(proftop_is_plain(slot, PROFTOP_TIMED));
    }
    publisher_block_free(block);
}
END_TEST

/* Given durations are always checked. So none makes the next slow, and none is pending. */
START_TEST(given_ones_stay_plain)
{
    static const uint64_t bad[] = {0, UINT64_C(1) << PROFTOP_BUCKET_END, UINT64_MAX};
    struct publisher_block *block = publisher_block_new(7);
    struct proftop_slot *slot = publisher_block_slot(block, PUBLISHER_APPLIES, 0);
    struct publisher_buckets *buckets = publisher_histogram_make(block, true, 0);
    struct publisher_count count;
    publisher_slot_touch(slot, NULL, PROFTOP_GIVEN, (uintptr_t)buckets);
    publisher_slot_add(slot, 0, true);
    ck_assert(proftop_is_plain(slot, PROFTOP_GIVEN));
    ck_assert_uint_eq(buckets->near[0], 1);
    ck_assert(proftop_count_given(slot, 7));
    ck_assert_uint_eq(buckets->near[publisher_bucket(7)], 1);
    for (int i = 0; i < TAP_ROWS(bad); i++)
        ck_assert(!proftop_count_given(slot, bad[i]));
    publisher_slot_add(slot, bad[1], true);
    ck_assert(proftop_count_given(slot, 7));
    ck_assert_uint_eq(buckets->near[publisher_bucket(7)], 2);
    ck_assert(publisher_slot_read(slot, &count));
    ck_assert_uint_eq(count.calls, 4);
    ck_assert_uint_eq(count.total, 14 + bad[1]);
    ck_assert_uint_eq(count.min, 0);
    ck_assert_uint_eq(count.max, bad[1]);
    publisher_block_free(block);
}
END_TEST

/* A begin checks the slot, unless all calls of it are timed. */
START_TEST(ready_follows_the_kind)
{
    static const enum proftop_source source[] = {PROFTOP_TIMED, PROFTOP_GIVEN};
    struct publisher_block *block = publisher_block_new(7);
    for (uint32_t id = 0; id < TAP_ROWS(source); id++) {
        struct proftop_slot *slot = publisher_block_slot(block, PUBLISHER_APPLIES, id);
        uint8_t *ready = publisher_block_ready(block, PUBLISHER_APPLIES, id);
        int timed = source[id] == PROFTOP_TIMED;
        ck_assert(!proftop_is_ready(ready));
        publisher_slot_touch(slot, ready, source[id], 0);
        ck_assert_int_eq(proftop_is_ready(ready), timed);
        publisher_slot_set_rate(slot, ready, 3);
        ck_assert(!proftop_is_ready(ready));
        publisher_slot_set_rate(slot, ready, 0);
        ck_assert_int_eq(proftop_is_ready(ready), timed);
        publisher_slot_choose(slot, ready, false);
        ck_assert(!proftop_is_ready(ready));
        publisher_slot_choose(slot, ready, true);
        ck_assert_int_eq(proftop_is_ready(ready), timed);
    }
    ck_assert_ptr_null(publisher_block_ready(block, PUBLISHER_CALLS, 0));
    publisher_block_free(block);
}
END_TEST
#endif

START_TEST(a_writer_inside_is_not_read)
{
    struct publisher_block *block = publisher_block_new(7);
    struct proftop_slot *slot = publisher_block_slot(block, PUBLISHER_APPLIES, 0);
    struct publisher_count count;
    publisher_slot_touch(slot, NULL, PROFTOP_TIMED, 0);
    slot->calls = 1; /* first step of a writer */
    ck_assert(!publisher_slot_read(slot, &count));
    slot->sequence = 1; /* and the last step */
    ck_assert(publisher_slot_read(slot, &count));
    /* The next writer repairs a slot whose thread died during a write. */
    slot->calls = 2;
    publisher_slot_add(slot, 3, false);
    ck_assert(publisher_slot_read(slot, &count));
    ck_assert_uint_eq(count.calls, 3);
    publisher_block_free(block);
}
END_TEST

START_TEST(slots_never_move)
{
    struct publisher_block *block = publisher_block_new(7);
    static const uint32_t ids[] = {0, 1023, 1024, 5000, WIRE_APPLIES_MAX - 1};
    struct proftop_slot *first[TAP_ROWS(ids)];
    for (int i = 0; i < TAP_ROWS(ids); i++)
        first[i] = publisher_block_slot(block, PUBLISHER_APPLIES, ids[i]);
    for (int i = 0; i < TAP_ROWS(ids); i++) {
        ck_assert_ptr_nonnull(first[i]);
        ck_assert_ptr_eq(publisher_block_slot(block, PUBLISHER_APPLIES, ids[i]), first[i]);
        ck_assert_uint_eq((uintptr_t)first[i] % 64, 0);
    }
    ck_assert_ptr_null(publisher_block_slot(block, PUBLISHER_APPLIES, WIRE_APPLIES_MAX));
    ck_assert_ptr_null(publisher_block_slot(block, PUBLISHER_CALLS, WIRE_FUNCTIONS_MAX));
    publisher_block_free(block);
}
END_TEST

/* True and reported begin of a call; the clock was read as 3000. */
static const struct {
    uint64_t begun, since; /* units of 1024 */
} beginnings[] = {
    {1, 1},
    {2999, 2999},
    {3000, 3000},
    {3001, 3000},
    {3000 + 1024, 3000},
    {3000 + 5000000, 3000},
    {3000 + (UINT64_C(1) << 39), 3000},
};

START_TEST(nothing_begins_after_the_clock)
{
    struct publisher_block *block = publisher_block_new(7);
    uint64_t start = beginnings[_i].begun << 10 | 1023, since;
    uint32_t apply;
    ck_assert(!publisher_block_now(block, UINT64_C(3000) << 10, &apply, &since));
    publisher_store(&block->front.now, proftop_now(start, 21));
    ck_assert(publisher_block_now(block, UINT64_C(3000) << 10, &apply, &since));
    ck_assert_uint_eq(apply, 21);
    ck_assert_uint_eq(since, beginnings[_i].since << 10);
    publisher_block_free(block);
}
END_TEST

struct race {
    struct proftop_slot *slot;
    struct publisher_block *block;
    _Atomic bool stop;
};

/* ThreadSanitizer slows the reader so much that it nearly always finds a write under way. */
#if defined(__SANITIZE_THREAD__)
enum { COPIES = 2000 };
#else
enum { COPIES = 200000 };
#endif
enum { SPAN = 17 };

/* Writes calls of a single length, so that a torn copy is visible. Alternates both ways to
 * write. */
static void *write_spans(void *argument)
{
    struct race *race = argument;
    uint64_t n = 0;
    while (!atomic_load(&race->stop)) {
        if (n % 2 == 0)
            publisher_slot_add(race->slot, SPAN, true);
        else
            proftop_count_timed(race->slot, SPAN);
        uint64_t start = (1000 + n % 1000) << 10;
        publisher_store(&race->block->front.now, proftop_now(start, (uint32_t)(n % 1000)));
        n++;
    }
    return NULL;
}

START_TEST(copies_are_whole)
{
    struct race race = {.block = publisher_block_new(7)};
    pthread_t writer;
    uint64_t whole = 0, last = 0;
    race.slot = publisher_block_slot(race.block, PUBLISHER_APPLIES, 0);
    struct publisher_buckets *buckets = publisher_histogram_make(race.block, false, 0);
    publisher_slot_touch(race.slot, NULL, PROFTOP_TIMED, (uintptr_t)buckets);
    publisher_slot_add(race.slot, SPAN, true);
    ck_assert_int_eq(pthread_create(&writer, NULL, write_spans, &race), 0);
    while (whole < COPIES) {
        struct publisher_count count;
        uint32_t apply;
        uint64_t since;
        if (publisher_block_now(race.block, UINT64_C(3000) << 10, &apply, &since))
            ck_assert_uint_eq(since >> 10, 1000 + apply);
        if (!publisher_slot_read(race.slot, &count))
            continue;
        whole++;
        ck_assert_uint_eq(count.calls * SPAN, count.total);
        ck_assert_uint_eq(count.timed, count.calls);
        ck_assert_uint_ge(count.calls, last);
        last = count.calls;
    }
    atomic_store(&race.stop, true);
    pthread_join(writer, NULL);
    ck_assert_uint_gt(last, 0);
    publisher_block_free(race.block);
}
END_TEST

START_TEST(rows_never_move)
{
    struct publisher_definitions book;
    ck_assert(publisher_definitions_init(&book));
    void *first = NULL;
    for (uint32_t i = 0; i < 5000; i++) {
        struct publisher_class_row *row = publisher_definitions_add(&book, PUBLISHER_DEF_CLASS);
        ck_assert(publisher_definitions_text(&book, "name", &row->name));
        first = i == 0 ? row : first;
        ck_assert_uint_eq(publisher_definitions_commit(&book, PUBLISHER_DEF_CLASS), i);
    }
    ck_assert_ptr_eq(publisher_definitions_row(&book, PUBLISHER_DEF_CLASS, 0), first);
    ck_assert_uint_eq(publisher_definitions_count(&book, PUBLISHER_DEF_CLASS), 5000);
    ck_assert_uint_eq(
        ((struct publisher_class_row *)publisher_definitions_row(&book, PUBLISHER_DEF_CLASS, 4999))
            ->born,
        4999);
    publisher_definitions_release(&book);
}
END_TEST

START_TEST(a_full_table_refuses)
{
    struct publisher_definitions book;
    ck_assert(publisher_definitions_init(&book));
    for (uint32_t i = 0; i < WIRE_CLASSES_MAX; i++) {
        ck_assert_ptr_nonnull(publisher_definitions_add(&book, PUBLISHER_DEF_CLASS));
        publisher_definitions_commit(&book, PUBLISHER_DEF_CLASS);
    }
    ck_assert_ptr_null(publisher_definitions_add(&book, PUBLISHER_DEF_CLASS));
    publisher_definitions_release(&book);
}
END_TEST

static const struct {
    const char *text;
    size_t limit, size;
} cuts[] = {
    {"abc", 5, 3},
    {"abc", 3, 3},
    {"abcd", 3, 3},
    {"", 3, 0},
    {"ab\xc3\xa4", 3, 2},
    {"ab\xc3\xa4", 4, 4},
    {"a\xe2\x82\xac", 3, 1},
    {"\xf0\x9f\x98\x80z", 3, 0},
    {"\x80\x80\x80\x80\x80\x80", 5, 2},
};

START_TEST(texts_are_cut_at_characters)
{
    ck_assert_uint_eq(publisher_text_cut(cuts[_i].text, cuts[_i].limit), cuts[_i].size);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("slot");
    tap_add(s, "one_writer", one_writer);
    tap_add(s, "zero_is_a_time", zero_is_a_time);
#if defined(__GNUC__)
    tap_add(s, "what has no bucket is not inlined", duration_without_a_bucket_is_not_added_inline);
    tap_add(s, "given ones stay plain", given_ones_stay_plain);
    tap_add(s, "ready follows the kind", ready_follows_the_kind);
#endif
    tap_add(s, "a_writer_inside_is_not_read", a_writer_inside_is_not_read);
    tap_add(s, "slots_never_move", slots_never_move);
    tap_add_loop(s, "nothing_begins_after_the_clock", nothing_begins_after_the_clock,
                 TAP_ROWS(beginnings));
    tap_native(tap_add(s, "copies_are_whole", copies_are_whole));
    tap_add(s, "rows_never_move", rows_never_move);
    tap_add(s, "a_full_table_refuses", a_full_table_refuses);
    tap_add_loop(s, "texts_are_cut_at_characters", texts_are_cut_at_characters, TAP_ROWS(cuts));
    return s;
}

TAP_MAIN(suite)

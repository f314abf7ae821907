/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * check_snapshot_steps.c: a snapshot is made in small steps and is still complete. The linker
 * replaces real functions by those below, which observe the feed's thread while it serves.
 */
#include "tap.h"

#include <stdatomic.h>

#include "client.h"
#include "feed/publisher/publish/encode.h"
#include "feed/publisher/publish/snapshot.h"
#include "proftop_control.h"
#include "proftop_adapter.h"

enum {
    FUNCTIONS = 7,
    APPLIES = CLIENT_IDS,
    CHUNKS = (APPLIES + PUBLISHER_CHUNK - 1) / PUBLISHER_CHUNK
};
enum { STEP_SUMS = 8, STEP_OPS = 64 }; /* same values as in snapshot.c and percentiles.c */
_Static_assert(CHUNKS > 2 * STEP_SUMS, "the sums of all rows take some steps");

/* Over all steps: the number without output, and the maximum work of one step. */
static _Atomic uint32_t nothings, most_sums, most_pieces;

enum publisher_step __real_publisher_snapshot_next(struct publisher *p,
                                                   struct publisher_snapshot *shot, size_t *size);
enum publisher_step __wrap_publisher_snapshot_next(struct publisher *p,
                                                   struct publisher_snapshot *shot, size_t *size);
size_t __real_publisher_encode_functions(struct publisher *p, uint64_t seq, uint64_t request,
                                         const uint32_t *id, size_t n);
size_t __wrap_publisher_encode_functions(struct publisher *p, uint64_t seq, uint64_t request,
                                         const uint32_t *id, size_t n);

static void raise_to(_Atomic uint32_t *most, uint32_t value)
{
    if (value > *most)
        *most = value;
}

/* Progress of the percentile count. */
static uint32_t pieces(const struct publisher *p)
{
    return p->percentiles.rounds * (UINT32_C(1) << 16) + p->percentiles.next;
}

enum publisher_step __wrap_publisher_snapshot_next(struct publisher *p,
                                                   struct publisher_snapshot *shot, size_t *size)
{
    uint32_t summed[CHUNKS], sums = 0;
    const uint32_t rounds = p->percentiles.rounds, counted = pieces(p);
    memcpy(summed, p->aggregate.summed, sizeof summed);
    const enum publisher_step step = __real_publisher_snapshot_next(p, shot, size);
    for (int at = 0; at < CHUNKS; at++)
        sums += summed[at] != p->aggregate.summed[at];
    raise_to(&most_sums, sums);
    raise_to(&most_pieces,
             p->percentiles.rounds == rounds ? pieces(p) - counted : p->percentiles.next);
    nothings += step == PUBLISHER_STEP_NOTHING;
    return step;
}

/* Simulates a lack of memory for the first rows. */
static _Atomic bool short_of_memory;

size_t __wrap_publisher_encode_functions(struct publisher *p, uint64_t seq, uint64_t request,
                                         const uint32_t *id, size_t n)
{
    if (short_of_memory && id[0] == 0)
        return 0;
    return __real_publisher_encode_functions(p, seq, request, id, n);
}

static struct proftop *feed;
static struct client c;

/* The rows of each function are spread over all chunks. */
static void set_up(enum proftop_source source)
{
    feed = client_feed();
    client_graphs(feed, FUNCTIONS, APPLIES, source);
    client_open(&c, getpid());
}

static void count_all(uint64_t more_ns)
{
    for (uint32_t i = 0; i < APPLIES; i++)
        proftop_record(feed, i, i + more_ns);
}

static void expect_all(const struct client *of, uint64_t calls, uint64_t more_ns)
{
    for (uint32_t i = 0; i < APPLIES; i++) {
        ck_assert_uint_eq(of->apply[i].calls, calls);
        ck_assert_uint_eq(of->apply[i].total, i * calls + more_ns);
        ck_assert_uint_eq(of->apply[i].timed, calls);
    }
}

/* For a client without a hello. Everything counted before a snapshot is in it, whatever was summed
 * for the previous one. */
START_TEST(a_step_sums_some_rows_and_the_snapshot_all)
{
    set_up(PROFTOP_GIVEN);
    count_all(1000);
    client_snapshot(&c, "A", 2);
    expect_all(&c, 1, 1000);
    ck_assert_uint_ge(nothings, CHUNKS / STEP_SUMS - 1);
    ck_assert_uint_eq(most_sums, STEP_SUMS);
    for (uint64_t calls = 2; calls < 5; calls++) {
        count_all(1);
        client_snapshot(&c, "A", 2 + calls);
        expect_all(&c, calls, 999 + calls);
    }
    ck_assert_uint_eq(most_sums, STEP_SUMS);
    client_end(&c, feed);
}
END_TEST

/* Takes the next frame of a snapshot and adds up buckets by op. Returns false at the end. */
static bool take(struct client *of, uint64_t calls[FUNCTIONS])
{
    static uint64_t v[4][WIRE_FRAME_ROWS];
    ck_assert(client_receive(of, of->dealer, CLIENT_PATIENCE_MS));
    const uint32_t n =
        of->frame.stream == WIRE_PERCENTILES ? client_columns(&of->frame, WIRE_G_P, v) : 0;
    for (uint32_t i = 0; i < n; i++) {
        ck_assert_uint_lt(v[0][i], FUNCTIONS);
        calls[v[0][i]] += v[2][i];
    }
    if (of->frame.stream == WIRE_REPLY)
        return false;
    client_ask(of, (struct client_request){.q = "more", .req = 9, .credit = 1});
    return true;
}

static void expect_calls(const uint64_t calls[FUNCTIONS], uint64_t each)
{
    for (uint32_t op = 0; op < FUNCTIONS; op++)
        ck_assert_uint_eq(calls[op], each * (APPLIES / FUNCTIONS + (op < APPLIES % FUNCTIONS)));
}

/* Each snapshot begins while the other is under way, with more counting between. */
START_TEST(two_clients_at_once)
{
    struct client other;
    uint64_t ours[FUNCTIONS] = {0}, others[FUNCTIONS] = {0};
    const struct client_request ask = {.q = "snapshot", .want = "FAP", .req = 9, .credit = 4};
    set_up(PROFTOP_TIMED);
    client_open(&other, getpid());
    for (int round = 1; round <= 3; round++) {
        memset(ours, 0, sizeof ours);
        memset(others, 0, sizeof others);
        for (uint32_t i = 0; i < APPLIES; i++)
            proftop_end(feed, i, proftop_begin(feed, i));
        client_ask(&c, ask);
        client_ask(&other, ask);
        bool more = true, others_more = true;
        while (more || others_more) {
            more = more && take(&c, ours);
            others_more = others_more && take(&other, others);
        }
        expect_calls(ours, (uint64_t)round);
        expect_calls(others, (uint64_t)round);
        for (uint32_t i = 0; i < APPLIES; i++) {
            ck_assert_uint_eq(c.apply[i].calls, (uint64_t)round);
            ck_assert_uint_eq(other.apply[i].calls, (uint64_t)round);
        }
    }
    ck_assert_uint_eq(most_sums, STEP_SUMS);
    client_close(&other);
    client_end(&c, feed);
}
END_TEST

/* Percentiles sum rows that no other part of the request needs. After a reset, earlier rows are
 * left out. */
START_TEST(percentiles_alone_are_whole)
{
    uint64_t calls[FUNCTIONS] = {0};
    set_up(PROFTOP_GIVEN);
    for (uint64_t round = 1; round <= 3; round++) {
        count_all(1);
        client_ask(&c,
                   (struct client_request){.q = "snapshot", .want = "P", .req = 9, .credit = 4});
        memset(calls, 0, sizeof calls);
        while (take(&c, calls))
            continue;
        expect_calls(calls, round == 3 ? 1 : round);
        if (round == 2)
            ck_assert_ptr_null(proftop_reset(feed));
    }
    ck_assert_uint_eq(most_sums, STEP_SUMS);
    ck_assert_uint_eq(most_pieces, STEP_OPS);
    client_end(&c, feed);
}
END_TEST

/* Applies without counts are skipped in steps as well, and later ones are found. */
START_TEST(rows_far_apart_are_found)
{
    static const uint32_t counted[] = {FUNCTIONS / 2, APPLIES - 2};
    set_up(PROFTOP_GIVEN);
    for (int i = 0; i < TAP_ROWS(counted); i++)
        proftop_record(feed, counted[i], 40);
    client_snapshot(&c, "A", 2);
    for (uint32_t i = 0; i < APPLIES; i++) {
        const bool was = i == counted[0] || i == counted[1];
        ck_assert_int_eq(c.apply[i].seen, was);
        ck_assert_uint_eq(c.apply[i].total, was ? 40 : 0);
    }
    client_end(&c, feed);
}
END_TEST

/* They take one frame more than they fill, since each step skips over so many other rows. */
START_TEST(details_far_apart_are_found)
{
    enum { APART = 500 };
    static uint64_t v[4][WIRE_FRAME_ROWS];
    uint32_t found = 0, frames = 0;
    set_up(PROFTOP_GIVEN);
    for (uint32_t i = 0; i < APPLIES; i += APART) {
        struct proftop_apply_detail_info info = PROFTOP_APPLY_DETAIL;
        proftop_apply_detail(feed, i, &info);
    }
    client_ask(&c, (struct client_request){.q = "snapshot", .want = "I", .req = 9, .credit = 4});
    for (; found < APPLIES / APART; frames++) {
        client_expect(&c, c.dealer, WIRE_DETAILS);
        for (uint32_t n = client_columns(&c.frame, WIRE_G_DETAIL, v), i = 0; i < n; i++)
            ck_assert_uint_eq(v[0][i], APART * found++);
    }
    ck_assert_uint_eq(frames, 2);
    client_end(&c, feed);
}
END_TEST

/* A frame with only unknown rows is left out, and later rows follow. */
START_TEST(a_part_goes_on_behind_an_empty_frame)
{
    feed = client_feed();
    client_graphs(feed, PUBLISHER_FUNCTION_ROWS + 1, PUBLISHER_FUNCTION_ROWS + 1, PROFTOP_GIVEN);
    client_open(&c, getpid());
    ck_assert_uint_eq(client_snapshot(&c, "F", 2), 2);
    short_of_memory = true;
    ck_assert_uint_eq(client_snapshot(&c, "F", 3), 1);
    client_end(&c, feed);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("step");
    tap_add(s, "a_step_sums_some", a_step_sums_some_rows_and_the_snapshot_all);
    tap_add(s, "two_clients_at_once", two_clients_at_once);
    tap_add(s, "percentiles_alone", percentiles_alone_are_whole);
    tap_add(s, "rows_far_apart", rows_far_apart_are_found);
    tap_add(s, "details_far_apart", details_far_apart_are_found);
    tap_add(s, "behind_an_empty_frame", a_part_goes_on_behind_an_empty_frame);
    return s;
}

TAP_MAIN(suite)

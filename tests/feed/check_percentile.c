/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * check_percentile.c: the buckets that a viewer receives match the calls; sampling; and a feed that
 * gives up the timestamp counter.
 */
#include "tap.h"

#include <pthread.h>

#include "client.h"
#include "clock.h"
#include "feed/publisher/record/core.h"
#include "feed/publisher/collect/percentiles.h"
#include "proftop_control.h"

/* Buckets of op 0 in a snapshot. Returns their sum. */
static uint64_t ask_buckets(struct client *c, uint64_t count[PUBLISHER_BUCKETS])
{
    static uint64_t v[4][WIRE_FRAME_ROWS];
    uint64_t sum = 0;
    client_ask(c, (struct client_request){.q = "snapshot", .want = "AP", .req = 3, .credit = 4});
    client_expect(c, c->dealer, WIRE_PERCENTILES);
    uint32_t n = client_columns(&c->frame, WIRE_G_P, v);
    memset(count, 0, PUBLISHER_BUCKETS * sizeof *count);
    for (uint32_t i = 0; i < n; i++) {
        ck_assert_uint_eq(v[0][i], 0);
        ck_assert_uint_lt(v[1][i], PUBLISHER_BUCKETS);
        ck_assert_uint_eq(count[v[1][i]], 0);
        count[v[1][i]] = v[2][i];
        sum += v[2][i];
    }
    return sum;
}

/* Follows the text of docs/protocol.md. */
static uint32_t bucket_of(uint64_t ns)
{
    uint32_t b = 0;
    while (b < PUBLISHER_BUCKETS - 1 && ns >= (UINT64_C(4) + (b + 1) % 4) << (2 + (b + 1) / 4))
        b++;
    return b;
}

static const uint64_t given[] = {0,
                                 1,
                                 15,
                                 16,
                                 19,
                                 20,
                                 31,
                                 32,
                                 1000,
                                 1000,
                                 65535,
                                 65536,
                                 (UINT64_C(1) << PROFTOP_BUCKET_END) - 1,
                                 UINT64_C(1) << PROFTOP_BUCKET_END,
                                 UINT64_C(1) << 38,
                                 UINT64_C(1) << 38,
                                 5,
                                 (UINT64_C(1) << 42) - 1,
                                 UINT64_C(1) << 42,
                                 UINT64_C(1) << 50,
                                 70};

struct work {
    struct proftop *feed;
    proftop_id first;
};

static void *give(void *argument)
{
    struct work *work = argument;
    for (int i = 0; i < TAP_ROWS(given); i++)
        proftop_record(work->feed, work->first + (unsigned)i % 2, given[i]);
    return NULL;
}

START_TEST(given_durations_are_in_their_buckets)
{
    struct client c;
    struct work work = {.feed = client_feed()};
    pthread_t thread;
    uint64_t count[PUBLISHER_BUCKETS], want[PUBLISHER_BUCKETS] = {0};
    work.first = client_graph(work.feed, 2, PROFTOP_GIVEN);
    give(&work);
    ck_assert_int_eq(pthread_create(&thread, NULL, give, &work), 0);
    pthread_join(thread, NULL);
    proftop_record(work.feed, work.first, PROFTOP_UNKNOWN); /* unknown duration */
    for (int i = 0; i < TAP_ROWS(given); i++)
        want[bucket_of(given[i])] += 2;
    client_open(&c, getpid());
    ck_assert_uint_eq(ask_buckets(&c, count), 2 * TAP_ROWS(given));
    for (uint32_t b = 0; b < PUBLISHER_BUCKETS; b++)
        ck_assert_msg(count[b] == want[b], "bucket %u: %u, not %u", b, (unsigned)count[b],
                      (unsigned)want[b]);
    client_close(&c);
    proftop_close(work.feed);
    client_clean();
}
END_TEST

START_TEST(a_reset_leaves_out_what_was)
{
    struct client c;
    struct proftop *feed = client_feed();
    proftop_id apply = client_graph(feed, 1, PROFTOP_GIVEN);
    uint64_t count[PUBLISHER_BUCKETS];
    for (int i = 0; i < 50; i++)
        proftop_record(feed, apply, 100);
    ck_assert_ptr_null(proftop_reset(feed));
    for (int i = 0; i < 7; i++)
        proftop_record(feed, apply, i % 2 == 0 ? 100 : 5000);
    client_open(&c, getpid());
    ck_assert_uint_eq(ask_buckets(&c, count), 7);
    ck_assert_uint_eq(count[bucket_of(100)], 4);
    ck_assert_uint_eq(count[bucket_of(5000)], 3);
    client_end(&c, feed);
}
END_TEST

/* The stream has the same buckets as a snapshot. */
START_TEST(subscribers_get_them)
{
    static uint64_t v[4][WIRE_FRAME_ROWS];
    struct client c;
    struct proftop *feed = client_feed();
    proftop_id apply = client_graph(feed, 1, PROFTOP_GIVEN);
    client_open(&c, getpid());
    client_subscribe(&c, "P/");
    for (int i = 0; i < 100; i++)
        proftop_record(feed, apply, 100);
    uint64_t calls = 0;
    while (calls != 100) {
        client_expect(&c, c.sub, WIRE_PERCENTILES);
        ck_assert_uint_eq(client_columns(&c.frame, WIRE_G_P, v), 1);
        ck_assert_uint_eq(v[1][0], bucket_of(100));
        calls = v[2][0];
    }
    client_end(&c, feed);
}
END_TEST

START_TEST(a_reset_forgets_them)
{
    struct client c;
    struct proftop *feed = client_feed();
    uint64_t count[PUBLISHER_BUCKETS];
    proftop_id apply = client_graph(feed, 1, PROFTOP_GIVEN);
    client_open(&c, getpid());
    for (int i = 0; i < 100; i++)
        proftop_record(feed, apply, 100);
    ck_assert_uint_eq(ask_buckets(&c, count), 100);
    ck_assert_ptr_null(proftop_reset(feed));
    for (int i = 0; i < 7; i++)
        proftop_record(feed, apply, 5000);
    ck_assert_uint_eq(ask_buckets(&c, count), 7);
    ck_assert_uint_eq(count[bucket_of(5000)], 7);
    client_end(&c, feed);
}
END_TEST

/* ---------------------------------------------------------------------------------- timed calls */

enum { TIMED = 200 };

/* Bounds of each call's duration from the test's own clock. They hold even if the core was taken
 * away meanwhile. */
static uint64_t least[TIMED], most[TIMED];

static void work_for(struct proftop *feed, proftop_id apply, uint64_t ns, int call)
{
    const uint64_t before = test_clock_ns();
    struct proftop_token token = proftop_begin(feed, apply);
    const uint64_t begun = test_clock_ns();
    uint64_t now = begun;
    while (now - begun < ns)
        now = test_clock_ns();
    proftop_end(feed, apply, token);
    least[call] = now - begun;
    most[call] = test_clock_ns() - before;
}

static int by_size(const void *a, const void *b)
{
    const uint64_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

/* From a microsecond to ten milliseconds; long calls between short ones. */
static void work_variously(struct proftop *feed, proftop_id apply)
{
    double ns = 1000;
    for (int call = 0; call < TIMED; call += 2, ns *= 1.096) {
        work_for(feed, apply, (uint64_t)ns, call);
        work_for(feed, apply, (uint64_t)(1e7 / ns * 1000), call + 1);
    }
    qsort(least, TIMED, sizeof *least, by_size);
    qsort(most, TIMED, sizeof *most, by_size);
}

static const char *const clocks[] = {"monotonic", ""};

/* The call of each rank, including p50, p90 and p99, is reported in its own bucket, or at most two
 * beside it if ticks are converted to ns. */
START_TEST(timed_durations_are_in_their_buckets)
{
    struct client c;
    uint64_t count[PUBLISHER_BUCKETS], told = 0;
    setenv("PROFTOP_CLOCK", clocks[_i], 1);
    struct proftop *feed = client_feed();
    ck_assert_int_eq(feed->core->tsc, _i == 1);
    const uint32_t off = feed->core->tsc ? 2 : 0;
    work_variously(feed, client_graph(feed, 1, PROFTOP_TIMED));
    client_open(&c, getpid());
    ck_assert_uint_eq(ask_buckets(&c, count), TIMED);
    for (uint32_t b = 0, rank = 0; rank < TIMED; rank++) {
        for (; told <= rank; b++)
            told += count[b];
        const uint32_t bucket = b - 1;
        ck_assert_msg(bucket + off >= bucket_of(least[rank]) &&
                          bucket <= bucket_of(most[rank]) + off,
                      "rank %u: %llu to %llu ns, in bucket %u", rank,
                      (unsigned long long)least[rank], (unsigned long long)most[rank], bucket);
    }
    client_end(&c, feed);
}
END_TEST

static uint64_t low_end(uint32_t bucket)
{
    return (UINT64_C(4) + bucket % 4) << (2 + bucket / 4);
}

/* Calls of 20 to 60 us, evenly: the median of the buckets is near the exact one, whatever part of a
 * bucket of ns one of ticks begins at. */
START_TEST(medians_of_evenly_spread_calls_are_exact)
{
    struct client c;
    uint64_t count[PUBLISHER_BUCKETS], before = 0;
    uint32_t b = 0;
    setenv("PROFTOP_CLOCK", clocks[_i], 1);
    struct proftop *feed = client_feed();
    const proftop_id apply = client_graph(feed, 1, PROFTOP_TIMED);
    for (int call = 0; call < TIMED; call++)
        work_for(feed, apply, 20000 + (uint64_t)(call * 7 % TIMED) * 40000 / TIMED, call);
    qsort(least, TIMED, sizeof *least, by_size);
    client_open(&c, getpid());
    ck_assert_uint_eq(ask_buckets(&c, count), TIMED);
    while (before + count[b] < TIMED / 2)
        before += count[b++];
    const double part = ((double)TIMED / 2 - (double)before) / (double)count[b];
    const double median = (double)low_end(b) + part * (double)(low_end(b + 1) - low_end(b));
    ck_assert_double_eq_tol(median / (double)least[TIMED / 2], 1, 0.04);
    client_end(&c, feed);
}
END_TEST

static void set_rate(struct proftop *feed, uint32_t apply, unsigned k)
{
    struct publisher_block *block = feed->core->blocks;
    publisher_slot_set_rate(publisher_block_slot(block, PUBLISHER_APPLIES, apply),
                            &block->front.ready[apply], k);
}

/* One in 1 << k calls is timed, whatever the rate was before. The calls are exact, and the
 * estimated total time only grows. */
START_TEST(sampled_calls_are_exact)
{
    enum { CALLS = 20000 };
    struct client c;
    struct proftop *feed = client_feed();
    proftop_id apply = client_graph(feed, 1, PROFTOP_TIMED);
    uint64_t before = 0, timed = 0, count[PUBLISHER_BUCKETS];
    client_open(&c, getpid());
    for (unsigned k = 0; k <= 8; k += 2) {
        struct proftop_token token = proftop_begin(feed, apply);
        set_rate(feed, apply, k);
        proftop_end(feed, apply, token);
        for (int i = 1; i < CALLS; i++)
            proftop_end(feed, apply, proftop_begin(feed, apply));
        timed += CALLS >> k;
        client_snapshot(&c, "DA", 5);
        const struct client_value *value = &c.apply[apply];
        ck_assert_uint_eq(value->calls, (k / 2 + 1) * CALLS);
        ck_assert_uint_ge(value->timed, timed - timed / 20);
        ck_assert_uint_le(value->timed, timed + timed / 20);
        ck_assert_uint_gt(value->total, before);
        ck_assert_uint_ge(value->total, value->min * value->calls);
        before = value->total;
    }
    ck_assert_uint_eq(c.fell, 0);
    ck_assert_uint_eq(ask_buckets(&c, count), c.apply[apply].timed);
    client_end(&c, feed);
}
END_TEST

static struct proftop_slot *slot_of(struct proftop *feed, uint32_t apply)
{
    return publisher_block_slot(feed->core->blocks, PUBLISHER_APPLIES, apply);
}

/* Begins calls until one is not timed. Returns its token. */
static struct proftop_token begin_untimed(struct proftop *feed, uint32_t apply)
{
    struct proftop_token token = proftop_begin(feed, apply);
    while (token.start != PROFTOP_UNTIMED) {
        proftop_end(feed, apply, token);
        token = proftop_begin(feed, apply);
    }
    return token;
}

/* Changes to an apply while an untimed call of it is open. */
START_TEST(untimed_calls_end)
{
    struct proftop *feed = client_feed();
    proftop_id outer = client_graph(feed, 2, PROFTOP_TIMED), inner = outer + 1;
    for (proftop_id apply = outer; apply <= inner; apply++) {
        proftop_end(feed, apply, proftop_begin(feed, apply));
        set_rate(feed, apply, 4);
    }
    struct proftop_slot *slot = slot_of(feed, outer), *other = slot_of(feed, inner);
    uint8_t *ready = &feed->core->blocks->front.ready[outer];

    struct proftop_token token = begin_untimed(feed, outer);
    const uint64_t calls = slot->calls, untimed = slot->untimed;
    publisher_slot_choose(slot, ready, false);
    proftop_end(feed, outer, token);
    ck_assert_uint_eq(slot->calls, calls); /* left out, so not counted */
    publisher_slot_choose(slot, ready, true);
    set_rate(feed, outer, 4);
    proftop_end(feed, outer, token);
    ck_assert_uint_eq(slot->calls, calls + 1);
    ck_assert_uint_eq(slot->untimed, untimed + 1);
    ck_assert_uint_eq(slot->sequence, (uint32_t)slot->calls);
    set_rate(feed, outer, 0); /* all calls are timed again, but this one was not */
    proftop_end(feed, outer, token);
    ck_assert_uint_eq(slot->untimed, untimed + 2);

    /* A timed call contains an untimed one, and the other way round. */
    const uint64_t timed = slot->calls - slot->untimed, others = other->untimed;
    token = proftop_begin(feed, outer);
    proftop_end(feed, inner, begin_untimed(feed, inner));
    proftop_end(feed, outer, token);
    ck_assert_uint_eq(slot->calls - slot->untimed, timed + 1);
    ck_assert_uint_eq(other->untimed, others + 1);
    token = begin_untimed(feed, inner);
    proftop_end(feed, outer, proftop_begin(feed, outer));
    proftop_end(feed, inner, token);
    ck_assert_uint_eq(slot->calls - slot->untimed, timed + 2);
    ck_assert_uint_eq(other->untimed, others + 2);
    ck_assert_uint_eq(feed->core->blocks->front.now, 0);
    proftop_close(feed);
}
END_TEST

/* A feed that gives up the timestamp counter continues in ns. Counts stay, an interval open across
 * the change is discarded, and viewers are told. */
START_TEST(another_clock)
{
    struct client c;
    struct proftop *feed = client_feed();
    proftop_id apply = client_graph(feed, 1, PROFTOP_TIMED);
    bool tsc = feed->core->tsc;
    for (int i = 0; i < 1000; i++)
        proftop_end(feed, apply, proftop_begin(feed, apply));
    client_open(&c, getpid());
    client_snapshot(&c, "DA", 5);
    uint64_t total = c.apply[apply].total;
    struct proftop_token across = proftop_begin(feed, apply);
    feed->core->side->leave_tsc(feed->core);
    proftop_end(feed, apply, across);
    for (int i = 0; i < 1000; i++)
        proftop_end(feed, apply, proftop_begin(feed, apply));
    client_snapshot(&c, "DA", 6);
    ck_assert_uint_eq(c.apply[apply].calls, 2001);
    ck_assert_uint_eq(c.apply[apply].timed, tsc ? 2000 : 2001);
    ck_assert_uint_gt(c.apply[apply].total, total);
    ck_assert_uint_ge(c.apply[apply].max * 2001, c.apply[apply].total);
    client_hello(&c);
    ck_assert_uint_eq(c.frame.field[WIRE_F_INVALID].u, tsc ? 1 : 0);
    ck_assert_uint_eq(c.frame.field[WIRE_F_CLOCK].text.size, strlen("monotonic"));
    client_end(&c, feed);
}
END_TEST

/* A request during a running count gets the next one. Repeated requests do not delay the first one.
 * Every request gets a count that began after it. */
START_TEST(a_count_that_was_begun_is_ended_first)
{
    enum { OPS = 200 };
    struct publisher_core *core = calloc(1, sizeof *core);
    struct publisher_aggregate *aggregate = calloc(1, sizeof *aggregate);
    struct publisher_percentiles p = {0};
    ck_assert(publisher_aggregate_init(aggregate, core));
    ck_assert(!publisher_percentiles_reach(&p, aggregate, OPS, 1));
    ck_assert_uint_eq(p.rounds, 1);
    while (!publisher_percentiles_reach(&p, aggregate, OPS, 1))
        ck_assert(!publisher_percentiles_reach(&p, aggregate, OPS, 2));
    ck_assert_uint_eq(p.rounds, 1);
    ck_assert(!publisher_percentiles_reach(&p, aggregate, OPS, 2));
    ck_assert_uint_eq(p.rounds, 2);
    ck_assert(!publisher_percentiles_reach(&p, aggregate, OPS, 1)); /* no results during a count */
    publisher_percentiles_count(&p, aggregate, OPS);                /* a tick's, in one go */
    ck_assert(publisher_percentiles_reach(&p, aggregate, OPS, 1));
    ck_assert(publisher_percentiles_reach(&p, aggregate, OPS, 2));
    ck_assert_uint_eq(p.rounds, 3);
    publisher_percentiles_release(&p);
    publisher_aggregate_release(aggregate);
    free(aggregate);
    free(core);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("percentile");
    tap_add(s, "given_durations_are_in_their_buckets", given_durations_are_in_their_buckets);
    tap_add_loop(s, "timed_durations_are_in_their_buckets", timed_durations_are_in_their_buckets,
                 publisher_ticks_usable() ? TAP_ROWS(clocks) : 1);
    tap_add_loop(s, "medians_of_evenly_spread_calls_are_exact",
                 medians_of_evenly_spread_calls_are_exact, TAP_ROWS(clocks));
    tap_add(s, "a_reset_leaves_out_what_was", a_reset_leaves_out_what_was);
    tap_add(s, "subscribers_get_them", subscribers_get_them);
    tap_add(s, "a_reset_forgets_them", a_reset_forgets_them);
    tap_add(s, "sampled_calls_are_exact", sampled_calls_are_exact);
    tap_add(s, "untimed_calls_end", untimed_calls_end);
    tap_add(s, "another_clock", another_clock);
    tap_add(s, "a_count_that_was_begun", a_count_that_was_begun_is_ended_first);
    return s;
}

TAP_MAIN(suite)

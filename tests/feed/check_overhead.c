/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * check_overhead.c: the overhead that a feed reports: calibration, sums, and that unknown stays
 * unknown. script/bench measures its accuracy. This test compares with the cost of clock reads.
 */
#include "config.h"

#include "tap.h"

#include <pthread.h>

#include "feed/publisher/collect/overhead.h"
#include "proftop_adapter.h"
#include "proftop_control.h"
#include "proftop_objects.h"
#include "feed/publisher/collect/aggregate.h"
#include "feed/publisher/record/thread_buffer.h"

#include "sanitized.h"
#include "steer.h"
#include "two_clocks.h"

enum { SECOND_MS = 1000 };

/* The calibrated overhead is a fraction of an event's cost beside typical work, as an exponential
 * mean. The true overhead lies between zero (beside work that is bound by memory) and the highest
 * value of recent measurements. */
START_TEST(prices_lie_within_their_doubt)
{
    static const struct {
        double usual, most;
        double mean, peak;         /* then */
    } round[] = {{12, 14, 12, 14}, /* the first is taken as it is */
                 {20, 40, 14, 40}, /* later: a quarter of the new value; the peak at once */
                 {14, 20, 14, 35}, /* the peak decays by a quarter of the excess */
                 {-3, -5, 10.625, 26.375}}; /* noise: the minimum */
    static const double part[PUBLISHER_EVENTS] = {0.8, 0.8, 0.65, 0.4, 0.8, 0.7, 0.65};
    struct publisher_overhead cost;
    publisher_overhead_init(&cost);
    for (int i = 0; i < TAP_ROWS(round); i++) {
        double usual[PUBLISHER_EVENTS], most[PUBLISHER_EVENTS];
        for (int e = 0; e < PUBLISHER_EVENTS; e++) {
            usual[e] = round[i].usual;
            most[e] = round[i].most;
        }
        publisher_overhead_learn(&cost, usual, most);
        for (int e = 0; e < PUBLISHER_EVENTS; e++) {
            const double price = part[e] * round[i].mean, above = round[i].peak - price;
            ck_assert_double_eq_tol(cost.price_ns[e], price, 1e-9);
            ck_assert_double_eq_tol(cost.peak_ns[e], round[i].peak, 1e-9);
            ck_assert_double_eq_tol(publisher_overhead_unit_error_ns(&cost, e),
                                    above > price ? above : price, 1e-9);
        }
    }
    ck_assert_uint_eq(cost.rounds, TAP_ROWS(round));
    ck_assert(!cost.priced); /* no viewer was there */
}
END_TEST

/* Aggregated events of some threads; two threads count. */
static struct proftop handle;
static struct publisher_core core = {.handle = &handle};
static struct publisher_block blocks[3];
static struct publisher_aggregate aggregate = {.core = &core};

static void set_up(struct publisher_overhead *cost)
{
    publisher_overhead_init(cost);
    cost->priced = true;
    cost->rounds = 1;
    for (int i = 0; i < PUBLISHER_EVENTS; i++) {
        cost->price_ns[i] = 1 << i;
        cost->peak_ns[i] = 4 << i; /* 3 << i more */
    }
    for (int i = 0; i < 3; i++)
        blocks[i].next = i < 2 ? &blocks[i + 1] : NULL;
    atomic_store(&core.blocks, &blocks[0]);
    aggregate.tick = 1;
}

START_TEST(own_is_events_by_price_and_the_thread)
{
    struct publisher_overhead cost;
    set_up(&cost);
    publisher_overhead_tick(&cost, &aggregate, TEST_SECOND_NS, true, false);
    for (int i = 0; i < PUBLISHER_EVENTS; i++) {
        uint64_t thread_ns = cost.thread_ns, own_ns = publisher_overhead_own_ns(&cost);
        uint64_t doubt_ns = publisher_overhead_doubt_ns(&cost);
        ck_assert_uint_gt(thread_ns, 0);
        aggregate.events[i] += 1000000;
        publisher_overhead_tick(&cost, &aggregate, TEST_SECOND_NS + 1, true, false);
        uint64_t grown = publisher_overhead_own_ns(&cost) - own_ns - (cost.thread_ns - thread_ns);
        ck_assert_uint_eq(grown, UINT64_C(1000000) << i);
        ck_assert_uint_eq(publisher_overhead_doubt_ns(&cost) - doubt_ns, UINT64_C(3000000) << i);
    }
    ck_assert(cost.fraction < 0); /* a second has not passed yet */
}
END_TEST

static uint64_t now_ns(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (uint64_t)t.tv_sec * TEST_SECOND_NS + (uint64_t)t.tv_nsec;
}

/* The process's clock stands for the flood guard's thread clock. */
START_TEST(the_sentry_is_a_thread_of_the_feed)
{
    struct publisher_overhead cost;
    set_up(&cost);
    const uint64_t alone_ns = now_ns(CLOCK_THREAD_CPUTIME_ID);
    publisher_overhead_tick(&cost, &aggregate, TEST_SECOND_NS, true, false);
    ck_assert_uint_le(alone_ns, cost.thread_ns);
    ck_assert_uint_le(cost.thread_ns, now_ns(CLOCK_THREAD_CPUTIME_ID));
    cost.guard = CLOCK_PROCESS_CPUTIME_ID;
    const uint64_t both_ns = now_ns(CLOCK_THREAD_CPUTIME_ID) + now_ns(CLOCK_PROCESS_CPUTIME_ID);
    publisher_overhead_tick(&cost, &aggregate, TEST_SECOND_NS + 1, true, true);
    ck_assert_uint_le(both_ns, cost.thread_ns);
}
END_TEST

START_TEST(cost_is_a_share_of_busy_threads)
{
    struct publisher_overhead cost;
    set_up(&cost);
    publisher_overhead_tick(&cost, &aggregate, TEST_SECOND_NS, true, false);
    aggregate.tick = 5;
    blocks[0].moved = blocks[2].moved = 5;
    aggregate.events[PUBLISHER_EVENT_TIMED] += 500 * TEST_MS_NS; /* at 1 ns */
    publisher_overhead_tick(&cost, &aggregate, TEST_SECOND_NS + SECOND_MS * TEST_MS_NS,
                            true, false);
    ck_assert_double_ge(cost.fraction, 0.25);
    ck_assert_double_le(cost.fraction, 1);
    aggregate.tick = 15;
    blocks[0].moved = 14;
    aggregate.events[PUBLISHER_EVENT_TIMED] += 5000 * TEST_MS_NS;
    publisher_overhead_tick(&cost, &aggregate, 3 * TEST_SECOND_NS, true, false);
    ck_assert_double_eq(cost.fraction, 1); /* never above 1 */
    publisher_overhead_tick(&cost, &aggregate, 4 * TEST_SECOND_NS, false, false);
    ck_assert(cost.fraction < 0);
    ck_assert_uint_ne(publisher_overhead_own_ns(&cost), PROFTOP_UNKNOWN);
}
END_TEST

/* Time in which another task had the processor is not the program's time. */
START_TEST(cost_is_a_share_of_the_time_without_waits)
{
    struct publisher_overhead cost;
    set_up(&cost);
    aggregate.runqueue.sum = (struct shared_schedstat){7, 11, 1};
    publisher_overhead_tick(&cost, &aggregate, TEST_SECOND_NS, true, false);
    aggregate.tick = 5;
    blocks[0].moved = 5;
    aggregate.events[PUBLISHER_EVENT_TIMED] += 100 * TEST_MS_NS; /* at 1 ns */
    aggregate.runqueue.sum.ran_ns += 200 * TEST_MS_NS;
    aggregate.runqueue.sum.waited_ns += 800 * TEST_MS_NS;
    publisher_overhead_tick(&cost, &aggregate, 2 * TEST_SECOND_NS, true, false);
    ck_assert_double_ge(cost.fraction, 0.5);
    aggregate.events[PUBLISHER_EVENT_TIMED] += 100 * TEST_MS_NS;
    publisher_overhead_tick(&cost, &aggregate, 3 * TEST_SECOND_NS, true, false);
    ck_assert_double_ge(cost.fraction, 0.1);
    ck_assert_double_lt(cost.fraction, 0.5);
}
END_TEST

/* The share of the counting overhead that sampling cannot lower. */
START_TEST(the_least_is_what_no_sampling_lowers)
{
    enum { CALLS = PUBLISHER_EVENT_UPDATE }; /* updates are counted from zero each second */
    static const bool lowered[CALLS + 1] = {[PUBLISHER_EVENT_TIMED] = true,
                                            [PUBLISHER_EVENT_SAMPLED] = true,
                                            [PUBLISHER_EVENT_CALL] = true};
    struct publisher_overhead cost;
    set_up(&cost);
    uint64_t now = TEST_SECOND_NS;
    publisher_overhead_tick(&cost, &aggregate, now, true, false);
    ck_assert_double_lt(cost.least, 0);
    for (int i = 0; i <= CALLS; i++) {
        const uint64_t each_ns = UINT64_C(1) << (i < CALLS ? i : PUBLISHER_EVENT_CALL);
        *(i < CALLS ? &aggregate.events[i] : &aggregate.always) += 100 * TEST_MS_NS / each_ns;
        publisher_overhead_tick(&cost, &aggregate, now += TEST_SECOND_NS, true, false);
        ck_assert_double_eq_tol(cost.least, lowered[i] ? 0 : 0.1, 1e-6);
        ck_assert_double_ge(cost.fraction, i < CALLS ? 0.1 : 0); /* these count as calls, too */
    }
    publisher_overhead_tick(&cost, &aggregate, now + TEST_SECOND_NS, false, false);
    ck_assert_double_lt(cost.least, 0);
}
END_TEST

/* The share of the counting overhead that each setting can remove. */
START_TEST(each_choice_has_its_part)
{
    struct publisher_overhead cost;
    set_up(&cost);
    uint64_t now = TEST_SECOND_NS;
    publisher_overhead_tick(&cost, &aggregate, now, true, false);
    for (int choice = 0; choice < PUBLISHER_CHOICES; choice++)
        ck_assert_double_lt(cost.choice[choice], 0);
    for (int choice = 0; choice < PUBLISHER_CHOICE_MEMORY; choice++) {
        for (int i = 0; i < PUBLISHER_EVENT_CALL; i++) {
            const uint64_t more = (100 * TEST_MS_NS) >> i;
            aggregate.events[i] += more;
            aggregate.of[choice][i] += more;
            publisher_overhead_tick(&cost, &aggregate, now += TEST_SECOND_NS, true, false);
            for (int other = 0; other < PUBLISHER_CHOICES; other++)
                ck_assert_double_eq_tol(cost.choice[other], other == choice ? 0.1 : 0, 1e-6);
            ck_assert_double_ge(cost.fraction, cost.choice[choice]);
        }
    }
    publisher_overhead_tick(&cost, &aggregate, now + TEST_SECOND_NS, false, false);
    ck_assert_double_lt(cost.choice[0], 0);
}
END_TEST

/* libzmq's threads set their names late, maybe after a first look-up. */
static void *named_late(void *argument)
{
    pthread_barrier_t *gate = argument;
    pthread_barrier_wait(gate);
    pthread_setname_np(pthread_self(), "ZMQbg/IO/0");
    pthread_barrier_wait(gate);
    pthread_barrier_wait(gate);
    return NULL;
}

START_TEST(threads_that_have_no_name_yet_are_found_later)
{
    struct publisher_overhead cost;
    pthread_barrier_t gate;
    pthread_t thread[PUBLISHER_TIDS];
    publisher_overhead_init(&cost);
    pthread_barrier_init(&gate, NULL, 1 + PUBLISHER_TIDS);
    for (int i = 0; i < PUBLISHER_TIDS; i++)
        pthread_create(&thread[i], NULL, named_late, &gate);
    publisher_overhead_adopt(&cost, NULL, 0);
    ck_assert_uint_eq(cost.tids, 0);
    pthread_barrier_wait(&gate);
    pthread_barrier_wait(&gate);
    publisher_overhead_adopt(&cost, NULL, 0);
    ck_assert_uint_eq(cost.tids, PUBLISHER_TIDS);
    pthread_barrier_wait(&gate);
    for (int i = 0; i < PUBLISHER_TIDS; i++)
        pthread_join(thread[i], NULL);
    pthread_barrier_destroy(&gate);
}
END_TEST

/* Kinds of update, each made this often, as they are charged. */
enum { ROUNDS = 10000 };
static struct {
    proftop_id counter, real, whole, scoped, task, frame, event, marker, set, function;
} at;

static void update_counters(struct proftop *feed)
{
    proftop_counter_add(feed, at.counter, 1);
    proftop_counter_set_f64(feed, at.real, 0.5);
}

static void update_memory(struct proftop *feed)
{
    proftop_memory_alloc(feed, at.whole, 64);
    proftop_memory_free(feed, at.whole, 64);
}

static void update_scoped(struct proftop *feed)
{
    proftop_memory_alloc(feed, at.scoped, 64); /* and to its pool */
}

static void run_spans(struct proftop *feed)
{
    proftop_task_stop(feed, proftop_task_start(feed, at.task));
    proftop_frame_stop(feed, proftop_frame_start(feed, at.frame));
    proftop_event_stop(feed, proftop_event_start(feed, at.event));
}

static void mark(struct proftop *feed)
{
    proftop_mark(feed, at.marker, NULL);
}

static void set_values(struct proftop *feed)
{
    proftop_set(feed, at.set, 7, 70);
    proftop_call_set(feed, at.function, 7, 70);
}

static const struct {
    void (*update)(struct proftop *feed);
    uint64_t updates, runs;
} ways[] = {{update_counters, 2, 0}, {update_memory, 2, 0}, {update_scoped, 2, 0},
            {run_spans, 0, 3},       {mark, 1, 0},          {set_values, 2, 0}};

static void define_ways(struct proftop *feed)
{
    proftop_id domain = proftop_domain(feed, "d");
    at.counter = proftop_counter(feed, domain, "c", NULL);
    at.real = proftop_counter_f64(feed, domain, "r", NULL);
    at.whole = proftop_memory(feed, "gpu/0", "pool", "");
    at.scoped = proftop_memory(feed, "gpu/0", "pool", "a");
    at.task = proftop_task(feed, domain, "t");
    at.frame = proftop_frame(feed, domain, "f");
    at.event = proftop_event(feed, "e");
    at.marker = proftop_marker(feed, domain, "m");
    struct proftop_function_info function = {
        .size = sizeof function, .name = "f", .source = PROFTOP_SET};
    at.function = proftop_function(feed, &function);
    struct proftop_apply_info apply = {.size = sizeof apply, .source = PROFTOP_SET};
    apply.function = at.function;
    apply.op = proftop_op(feed, proftop_class(feed, "c"), "o");
    at.set = proftop_apply(feed, &apply);
}

/* A feed that is charged only for updates, at 64 ns each, and for runs of spans, at 256 ns,
 * independent of their real cost. */
static struct proftop *updated_feed(struct publisher_overhead *cost, struct publisher_aggregate *of)
{
    struct proftop *feed = client_feed();
    *of = (struct publisher_aggregate){.core = feed->core};
    set_up(cost);
    define_ways(feed);
    cost->ticks = feed->core->tsc; /* else calibration runs again */
    cost->price_ns[PUBLISHER_EVENT_UPDATE] = 64;
    cost->price_ns[PUBLISHER_EVENT_RUN] = 256;
    return feed;
}

/* Overhead charged for updates since the last call. */
static uint64_t updates_ns(struct publisher_overhead *cost, struct publisher_aggregate *of)
{
    const uint64_t threads_ns = cost->thread_ns, own_ns = publisher_overhead_own_ns(cost);
    publisher_overhead_tick(cost, of, TEST_SECOND_NS, true, true);
    return publisher_overhead_own_ns(cost) - own_ns - (cost->thread_ns - threads_ns);
}

START_TEST(each_update_is_charged)
{
    struct publisher_overhead cost;
    struct publisher_aggregate of;
    struct proftop *feed = updated_feed(&cost, &of);
    ck_assert_uint_eq(updates_ns(&cost, &of), 0);
    for (int turn = 1; turn <= 2; turn++) {
        for (int i = 0; i < turn * ROUNDS; i++)
            ways[_i].update(feed);
        const double memory_ns = cost.choice_ns[PUBLISHER_CHOICE_MEMORY];
        const bool memory = ways[_i].update == update_memory || ways[_i].update == update_scoped;
        ck_assert_uint_eq(updates_ns(&cost, &of),
                          turn * ROUNDS * (ways[_i].updates * 64 + ways[_i].runs * 256));
        ck_assert_double_eq(cost.choice_ns[PUBLISHER_CHOICE_MEMORY] - memory_ns,
                            memory ? turn * ROUNDS * (int)ways[_i].updates * 64.0 : 0);
        ck_assert_ptr_null(proftop_reset(feed)); /* it reduces nothing */
    }
    proftop_close(feed);
    client_clean();
}
END_TEST

/* The sampling budget considers only overhead that it can lower. Updates are not part of it. */
START_TEST(updates_are_none_of_the_calls)
{
    struct publisher_overhead cost;
    set_up(&cost);
    publisher_overhead_tick(&cost, &aggregate, TEST_SECOND_NS, true, false);
    for (int i = 0; i < PUBLISHER_EVENTS; i++) {
        const double before = cost.calls_most_ns;
        aggregate.events[i] += 1000;
        publisher_overhead_tick(&cost, &aggregate, TEST_SECOND_NS + 1, true, false);
        ck_assert_double_eq_tol(cost.calls_most_ns - before,
                                i >= PUBLISHER_EVENT_UPDATE ? 0 : 1000 * (4 << i), 1e-6);
    }
}
END_TEST

/* Updates while collection is stopped are not counted. */
START_TEST(values_set_while_stopped_are_not_charged)
{
    struct publisher_overhead cost;
    struct publisher_aggregate of;
    struct proftop *feed = updated_feed(&cost, &of);
    set_values(feed);
    ck_assert_uint_eq(updates_ns(&cost, &of), UINT64_C(2) * 64);
    ck_assert_ptr_null(proftop_set_state(feed, "stop", NULL));
    set_values(feed);
    ck_assert_uint_eq(updates_ns(&cost, &of), 0);
    ck_assert_ptr_null(proftop_set_state(feed, "run", NULL));
    set_values(feed);
    ck_assert_uint_eq(updates_ns(&cost, &of), UINT64_C(2) * 64);
    proftop_close(feed);
    client_clean();
}
END_TEST

/* The last tick has little time, so it does not repeat a calibration, even if a viewer has just
 * come. It calibrates if no overhead is known. */
START_TEST(the_last_tick_measures_no_known_price)
{
    struct publisher_overhead cost;
    set_up(&cost);
    cost.priced = false;
    publisher_overhead_tick(&cost, &aggregate, TEST_SECOND_NS, true, true);
    ck_assert(cost.priced);
    ck_assert_uint_eq(cost.rounds, 1);
    publisher_overhead_init(&cost);
    publisher_overhead_tick(&cost, &aggregate, TEST_SECOND_NS, true, true);
    ck_assert(cost.priced);
    ck_assert_uint_eq(cost.rounds, 1);
    cost.priced = false;
    publisher_overhead_tick(&cost, &aggregate, TEST_SECOND_NS, true, false);
    ck_assert_uint_eq(cost.rounds, 2);
}
END_TEST

START_TEST(prices_are_measured_again_now_and_then)
{
    enum { STRETCHES = 40, EACH = 16 };
    struct publisher_overhead cost;
    set_up(&cost);
    cost.ticks = core.tsc;
    for (uint64_t second = 1; second <= 1 + STRETCHES; second++)
        publisher_overhead_tick(&cost, &aggregate, second * TEST_SECOND_NS, true, false);
    ck_assert_uint_eq(cost.rounds, 1 + STRETCHES / EACH);
}
END_TEST

static uint64_t next_own(struct client *client)
{
    do
        client_expect(client, client->sub, WIRE_HELLO);
    while (!client->frame.field[WIRE_F_OWN].present);
    return client->frame.field[WIRE_F_OWN].u;
}

/* CPU time of the process without this thread, i.e. of the feed. */
static double others_ns(void)
{
    return (double)(now_ns(CLOCK_PROCESS_CPUTIME_ID) - now_ns(CLOCK_THREAD_CPUTIME_ID));
}

/* Three million pairs. The bound is the CPU time of the feed's own threads so far. Sanitizers and
 * memcheck slow other code than clock reads, most of all those threads. */
START_TEST(published_and_grows)
{
    enum { PAIRS = 3000000 };
    const bool native = !PROCESS_ASAN && !PROCESS_TSAN && tap_stride() == 1;
    struct client client;
    struct proftop *feed = client_feed();
    proftop_id apply = client_graph(feed, 1, PROFTOP_TIMED);
    client_open(&client, getpid());
    client_hello(&client);
    ck_assert(!client.frame.field[WIRE_F_OWN].present);
    ck_assert(!client.frame.field[WIRE_F_COST].present);
    client_subscribe(&client, "");
    uint64_t first = next_own(&client);
    ck_assert_uint_gt(first, 0);
    const uint64_t hour_ns = 3600 * TEST_SECOND_NS;
    proftop_spent(feed, hour_ns);
    proftop_spent(feed, UINT64_MAX); /* absurd value */
    run(feed, apply, PAIRS);
    uint64_t second = next_own(&client);
    while (!client.frame.field[WIRE_F_COST].present || client.apply[apply].calls < PAIRS)
        second = next_own(&client);
    const double pairs_ns = PAIRS * two_clocks_ns(feed->core->tsc);
    const double grown_ns = (double)(second - first - hour_ns), others = others_ns();
    ck_assert_double_gt(grown_ns, 0.1 * pairs_ns + (native ? others : 0));
    if (native)
        ck_assert_double_lt(grown_ns, 50 * pairs_ns + others);
    ck_assert_double_gt(client.frame.field[WIRE_F_COST].d, 0);
    ck_assert_double_le(client.frame.field[WIRE_F_COST].d, 1);
    /* All counted events are of one kind. */
    const struct wire_value *part = &client.frame.field[WIRE_F_COST_SYMBOLIC];
    ck_assert_double_gt(part[0].d, 0);
    ck_assert_double_le(part[0].d, client.frame.field[WIRE_F_COST].d);
    ck_assert(part[1].present && part[1].d == 0 && part[2].present && part[2].d == 0);
    client_end(&client, feed);
}
END_TEST

/* The calls of each kind of apply are charged to that kind. */
START_TEST(overhead_is_charged_to_the_kind_of_apply)
{
    struct client client;
    struct proftop *feed = client_feed();
    struct proftop_function_info function = {.size = sizeof function, .name = "f"};
    struct proftop_apply_info info = {.size = sizeof info, .kind = (enum proftop_kind)_i};
    info.function = proftop_function(feed, &function);
    info.op = proftop_op(feed, proftop_class(feed, "C"), "op");
    const proftop_id apply = proftop_apply(feed, &info);
    client_open(&client, getpid());
    client_hello(&client);
    client_subscribe(&client, "");
    const struct wire_value *part = &client.frame.field[WIRE_F_COST_SYMBOLIC];
    do {
        run(feed, apply, 10000);
        next_own(&client);
    } while (!part[_i].present || part[_i].d == 0);
    for (int kind = 0; kind < PUBLISHER_CHOICES; kind++)
        ck_assert(part[kind].present && (part[kind].d > 0) == (kind == _i));
    client_end(&client, feed);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("cost");
    tap_add(s, "prices lie within their doubt", prices_lie_within_their_doubt);
    tap_add(s, "prices are measured again now and then", prices_are_measured_again_now_and_then);
    tap_add(s, "own is events by price, and the thread", own_is_events_by_price_and_the_thread);
    tap_add(s, "the sentry is a thread of the feed", the_sentry_is_a_thread_of_the_feed);
    tap_add(s, "the least is what no sampling lowers", the_least_is_what_no_sampling_lowers);
    tap_add(s, "each choice has its part", each_choice_has_its_part);
    tap_add(s, "cost is a share of busy threads", cost_is_a_share_of_busy_threads);
    tap_add(s, "cost is a share of the time without waits",
            cost_is_a_share_of_the_time_without_waits);
    tap_add(s, "threads that have no name yet are found later",
            threads_that_have_no_name_yet_are_found_later);
    tap_add(s, "published, and grows", published_and_grows);
    tap_add_loop(s, "each kind is told apart", overhead_is_charged_to_the_kind_of_apply, 3);
    tap_add_loop(s, "each update is charged", each_update_is_charged, TAP_ROWS(ways));
    tap_add(s, "updates are none of the calls", updates_are_none_of_the_calls);
    tap_add(s, "values set while stopped are not charged",
            values_set_while_stopped_are_not_charged);
    tap_add(s, "the last tick measures no known price", the_last_tick_measures_no_known_price);
    return s;
}

TAP_MAIN(suite)

/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * check_aggregate_calls.c: aggregates calls of functions, also if only some are timed. The bar of
 * the estimated time covers the truth, and the sampling budget affects only functions inside an
 * apply. Durations are generated from fixed seeds.
 */
#include "tap.h"

#include "client.h"
#include "made_up.h"
#include "proftop_adapter.h"
#include "sanitized.h"

enum { RUNS = 100, COVERED = 93, TICKS = 40, TOP = 0, INSIDE = 1, FUNCTIONS = 2 };

struct bench {
    struct made_up feed;
    struct proftop_slot *call[FUNCTIONS], *vm[FUNCTIONS];
    uint64_t truth; /* ns */
};

static void set_up(struct bench *b)
{
    memset(b, 0, sizeof *b);
    made_up_begin(&b->feed);
    struct publisher_definitions *book = &b->feed.core->definitions;
    ck_assert(publisher_definitions_init(book));
    for (uint32_t id = 0; id < FUNCTIONS; id++) {
        struct publisher_function_row *def =
            publisher_definitions_add(book, PUBLISHER_DEF_FUNCTION);
        def->source = PROFTOP_TIMED;
        def->sent_source = PROFTOP_TIMED;
        def->parent_plus_1 = id == INSIDE ? 1 : 0;
        publisher_definitions_commit(book, PUBLISHER_DEF_FUNCTION);
        b->call[id] = publisher_block_slot(b->feed.block, PUBLISHER_CALLS, id);
        publisher_slot_touch(b->call[id], NULL, PROFTOP_TIMED, 0);
        b->vm[id] = publisher_block_slot(b->feed.block, PUBLISHER_VM, id);
        publisher_slot_touch(b->vm[id], NULL, PROFTOP_GIVEN, 0);
    }
}

static void tear_down(struct bench *b)
{
    publisher_definitions_release(&b->feed.core->definitions);
    made_up_end(&b->feed);
}

/* Machine time of a call: the whole call, a given part, or none. */
enum way { IN_VM, GIVEN, NONE };

static void call(struct bench *b, uint32_t id, uint64_t ns, enum way way)
{
    const bool timed = publisher_slot_is_call_turn(b->call[id]);
    if (timed)
        publisher_slot_add(b->call[id], ns, false);
    else
        publisher_slot_add_untimed(b->call[id]);
    if (way == GIVEN) {
        publisher_slot_add(b->vm[id], ns / 2, false);
    } else if (timed && way == IN_VM) {
        publisher_slot_add_untimed(b->vm[id]);
        publisher_store(&b->vm[id]->aux, publisher_load(&b->vm[id]->aux) + ns);
    }
    b->truth += ns;
}

static const struct publisher_call_row *aggregate(struct bench *b, uint32_t id)
{
    b->feed.aggregate->tick++;
    publisher_aggregate_functions(b->feed.aggregate, FUNCTIONS);
    return publisher_aggregate_function(b->feed.aggregate, id);
}

/* -------------------------------------------------------------------------------- the estimate */

static uint64_t seed;

static double uniform(void)
{
    return made_up_uniform(&seed);
}

static uint64_t uniform_ns(void)
{
    return 2000 + (uint64_t)(6000 * uniform());
}

static uint64_t bimodal_ns(void)
{
    return uniform() < 0.1 ? 40000 : 4000;
}

static uint64_t constant_ns(void)
{
    return 5000;
}

static uint64_t (*const kinds[])(void) = {constant_ns, uniform_ns, bimodal_ns};

static unsigned some(unsigned least)
{
    return least + (unsigned)(least * uniform());
}

static bool covers(int kind)
{
    struct bench b;
    const struct publisher_call_row *row = NULL;
    uint64_t calls = 0;
    set_up(&b);
    for (int tick = 0; tick < TICKS; tick++) {
        publisher_slot_set_rate(b.call[INSIDE], NULL, tick < 3 ? 0 : 3);
        const unsigned n = some(1000);
        for (unsigned i = 0; i < n; i++)
            call(&b, INSIDE, kinds[kind](), IN_VM);
        calls += n;
        row = aggregate(&b, INSIDE);
    }
    ck_assert_uint_eq(row->calls, calls);
    ck_assert_uint_lt(row->timed, calls);
    ck_assert_uint_lt(row->half, b.truth / 5); /* a bar that covers everything is useless */
    ck_assert_uint_eq(b.feed.aggregate->spared, calls - row->timed);
    ck_assert_uint_eq(b.feed.aggregate->events[PUBLISHER_EVENT_UNTIMED], calls - row->timed);
    ck_assert_uint_eq(b.feed.aggregate->events[PUBLISHER_EVENT_CALL], row->timed);
    ck_assert_uint_eq(b.feed.aggregate->always, 0);
    const bool covered = row->ns <= b.truth + row->half && b.truth <= row->ns + row->half;
    tear_down(&b);
    return covered;
}

START_TEST(the_bar_covers_the_truth)
{
    int covered = 0, runs = 0;
    for (uint64_t i = 0; i < RUNS; i += tap_stride(), runs++) {
        seed = i;
        covered += covers(_i);
    }
    ck_assert_int_ge(covered * RUNS, COVERED * runs);
}
END_TEST

START_TEST(all_timed_is_no_estimate)
{
    struct bench b;
    set_up(&b);
    for (int i = 0; i < 100; i++)
        call(&b, INSIDE, uniform_ns(), IN_VM);
    const struct publisher_call_row *row = aggregate(&b, INSIDE);
    ck_assert_uint_eq(row->calls, 100);
    ck_assert_uint_eq(row->timed, 100);
    ck_assert_uint_eq(row->ns, b.truth);
    ck_assert_uint_eq(row->vm, b.truth);
    ck_assert_ptr_null(row->estimate);
    tear_down(&b);
}
END_TEST

/* The machine time of a call that is all machine equals its duration. */
START_TEST(given_machine_time_is_not_estimated)
{
    struct bench b;
    set_up(&b);
    publisher_slot_set_rate(b.call[INSIDE], NULL, 3);
    const struct publisher_call_row *row = NULL;
    for (int tick = 0; tick < 5; tick++) {
        for (int i = 0; i < 1000; i++)
            call(&b, INSIDE, uniform_ns() / 2 * 2, (enum way)_i);
        row = aggregate(&b, INSIDE);
        ck_assert_uint_eq(row->vm, _i == IN_VM ? row->ns : b.truth / 2);
    }
    ck_assert_uint_lt(row->timed, 1000);
    ck_assert_uint_ne(row->ns, b.truth);
    tear_down(&b);
}
END_TEST

/* Half of the calls are all machine. The others are so too, give their machine time, or have
 * none. */
START_TEST(of_calls_of_two_ways_each_has_its_own)
{
    struct bench b;
    set_up(&b);
    publisher_slot_set_rate(b.call[INSIDE], NULL, 3);
    const struct publisher_call_row *row = NULL;
    for (int i = 0; i < 80000; i++)
        call(&b, INSIDE, 1000, i % 2 == 0 ? IN_VM : (enum way)_i);
    row = aggregate(&b, INSIDE);
    ck_assert_uint_lt(row->timed, 20000);
    static const double others[] = {[IN_VM] = 40e6, [GIVEN] = 20e6, [NONE] = 0};
    const double truth = 40e6 + others[_i];
    ck_assert_double_eq_tol((double)row->vm, truth, 0.02 * truth);
    const uint64_t vm = row->vm;
    ck_assert(publisher_aggregate_reset(b.feed.aggregate));
    for (int i = 0; i < 8000; i++)
        call(&b, INSIDE, 1000, (enum way)_i);
    row = aggregate(&b, INSIDE);
    ck_assert_uint_lt(row->vm, vm); /* not below its value at the reset */
    tear_down(&b);
}
END_TEST

/* Calls between the last timed call and a reset do not count in the next epoch. */
START_TEST(a_reset_leaves_no_calls_behind)
{
    struct bench b;
    set_up(&b);
    for (int i = 0; i < 1000; i++)
        call(&b, INSIDE, 100, IN_VM);
    publisher_slot_set_rate(b.call[INSIDE], NULL, 7);
    for (int i = 0; i < 1000; i++)
        call(&b, INSIDE, 100, IN_VM);
    while (publisher_slot_is_call_turn(b.call[INSIDE]))
        call(&b, INSIDE, 100, IN_VM);
    aggregate(&b, INSIDE);
    for (int i = 0; i < 20 && !publisher_slot_is_call_turn(b.call[INSIDE]); i++)
        call(&b, INSIDE, 100, IN_VM);
    aggregate(&b, INSIDE);
    ck_assert(publisher_aggregate_reset(b.feed.aggregate));
    publisher_slot_set_rate(b.call[INSIDE], NULL, 0);
    call(&b, INSIDE, 100, IN_VM);
    const struct publisher_call_row *row = aggregate(&b, INSIDE);
    ck_assert_uint_eq(row->calls, 1);
    ck_assert_uint_eq(row->timed, 1);
    ck_assert_uint_eq(row->ns, 100);
    ck_assert_uint_eq(row->vm, 100);
    tear_down(&b);
}
END_TEST

START_TEST(a_reset_begins_with_what_is_timed)
{
    struct bench b;
    set_up(&b);
    publisher_slot_set_rate(b.call[INSIDE], NULL, 3);
    for (int i = 0; i < 1000; i++)
        call(&b, INSIDE, uniform_ns(), IN_VM);
    const struct publisher_call_row *row = aggregate(&b, INSIDE);
    ck_assert_uint_lt(row->timed, row->calls);
    ck_assert(publisher_aggregate_reset(b.feed.aggregate));
    publisher_slot_set_rate(b.call[INSIDE], NULL, 0);
    b.truth = 0;
    for (int i = 0; i < 10; i++)
        call(&b, INSIDE, uniform_ns(), IN_VM);
    row = aggregate(&b, INSIDE);
    ck_assert_uint_eq(row->calls, 10);
    ck_assert_uint_eq(row->timed, 10);
    ck_assert_uint_eq(row->ns, b.truth);
    ck_assert_uint_eq(row->vm, b.truth);
    tear_down(&b);
}
END_TEST

/* --------------------------------------------------------------------------------- the budget */

static struct publisher_overhead prices(void)
{
    struct publisher_overhead cost = {.priced = true};
    cost.peak_ns[PUBLISHER_EVENT_CALL] = 60;
    cost.peak_ns[PUBLISHER_EVENT_UNTIMED] = 5;
    return cost;
}

/* A tick of 0.1 s in which a thread made this many calls of each function. */
static void tick(struct bench *b, struct publisher_overhead *cost, unsigned calls, uint64_t ns)
{
    for (unsigned i = 0; i < calls; i++)
        for (uint32_t id = 0; id < FUNCTIONS; id++)
            call(b, id, ns, IN_VM);
    aggregate(b, 0);
    made_up_tick(&b->feed, cost);
}

static unsigned rate_of(const struct bench *b, uint32_t id)
{
    return publisher_slot_kind(b->call[id]) >> PROFTOP_KIND_SHIFT;
}

/* A call may use half of the sampling budget, 60 ns of 6 us; its contents have the other half. Of
 * sampled functions fewer calls are timed than of applies, since all contents of a timed call are
 * timed, too. */
START_TEST(functions_inside_an_apply_are_sampled)
{
    static const struct {
        unsigned calls;
        uint64_t ns;
        unsigned rate;
    } rows[] = {{20000, 5000, 7}, {20000, 7000, 0}, {99, 100, 0}, {200, 5000, 0}};
    struct publisher_overhead cost = prices();
    struct bench b;
    set_up(&b);
    b.feed.aggregate->budget.limit = 0.02;
    for (int i = 0; i < 20; i++)
        tick(&b, &cost, rows[_i].calls, rows[_i].ns);
    ck_assert_uint_eq(rate_of(&b, TOP), 0);
    ck_assert_uint_eq(rate_of(&b, INSIDE), rows[_i].rate);
    for (int i = 0; i < 30; i++) {
        tick(&b, &cost, rows[_i].calls, rows[_i].ns);
        ck_assert_uint_eq(rate_of(&b, INSIDE), rows[_i].rate); /* the rate is stable */
    }
    for (int i = 0; i < 60; i++)
        tick(&b, &cost, 200, 5000);
    ck_assert_uint_eq(rate_of(&b, INSIDE), 0);
    ck_assert_uint_eq(aggregate(&b, TOP)->timed, aggregate(&b, TOP)->calls);
    ck_assert_uint_eq(b.feed.aggregate->always, aggregate(&b, TOP)->calls);
    tear_down(&b);
}
END_TEST

static struct proftop_slot *node_inside(struct bench *b)
{
    struct publisher_apply_row *def =
        publisher_definitions_add(&b->feed.core->definitions, PUBLISHER_DEF_APPLY);
    def->function = INSIDE;
    def->source = PROFTOP_TIMED;
    publisher_definitions_commit(&b->feed.core->definitions, PUBLISHER_DEF_APPLY);
    struct proftop_slot *node = publisher_block_slot(b->feed.block, PUBLISHER_APPLIES, 0);
    publisher_slot_touch(node, publisher_block_ready(b->feed.block, PUBLISHER_APPLIES, 0),
                         PROFTOP_TIMED, 0);
    return node;
}

/* In an untimed call its nodes are not timed either. In a timed call each node is timed, also at
 * first. Otherwise one timed node would stand for 128 times 8 calls. */
START_TEST(nodes_are_timed_in_all_timed_calls)
{
    struct publisher_overhead cost = prices();
    struct bench b;
    cost.peak_ns[PUBLISHER_EVENT_TIMED] = cost.peak_ns[PUBLISHER_EVENT_SAMPLED] = 60;
    set_up(&b);
    b.feed.aggregate->budget.limit = 0.02;
    struct proftop_slot *node = node_inside(&b);
    for (int ticks = 0; ticks < 10; ticks++) {
        for (unsigned i = 0; i < 20000; i++) {
            if (publisher_slot_is_call_turn(b.call[INSIDE]) && publisher_slot_is_turn(node))
                publisher_slot_add(node, 1000, false);
            else
                publisher_slot_add_untimed(node);
            call(&b, INSIDE, 3000, IN_VM);
        }
        b.feed.aggregate->tick++;
        publisher_aggregate_all(b.feed.aggregate, FUNCTIONS, 1);
        made_up_tick(&b.feed, &cost);
    }
    const struct publisher_call_row *function =
        publisher_aggregate_function(b.feed.aggregate, INSIDE);
    const struct publisher_row *row = publisher_aggregate_apply(b.feed.aggregate, 0);
    ck_assert_uint_eq(rate_of(&b, INSIDE), 7);
    ck_assert_uint_lt(function->timed, function->calls);
    ck_assert_uint_eq(row->calls, function->calls);
    ck_assert_uint_eq(row->timed, function->timed);
    tear_down(&b);
}
END_TEST

/* A caller that knows the number of following untimed calls need not begin each of them. */
START_TEST(untimed_call_gives_the_number_of_following_ones)
{
    enum { MOST = 40 };
    struct bench b;
    set_up(&b);
    struct proftop_slot *slot = b.call[INSIDE];
    publisher_slot_set_rate(slot, NULL, (uint8_t)_i);
    for (unsigned calls = 0; calls < 5000;) {
        const struct proftop_token token = {PROFTOP_UNTIMED,
                                            proftop_call_place(slot->calls, slot->kind)};
        const bool timed = publisher_slot_is_call_turn(slot);
        const uint32_t after = timed ? 0 : proftop_untimed_after(token, MOST);
        for (uint32_t i = 0; i <= after; i++, calls++) {
            ck_assert_int_eq(publisher_slot_is_call_turn(slot), timed);
            publisher_slot_add_untimed(slot);
        }
        if (!timed && after < MOST)
            ck_assert(publisher_slot_is_call_turn(slot));
    }
    tear_down(&b);
}
END_TEST

/* The bar includes the possible extra overhead of each untimed call since the last reset. */
START_TEST(the_bar_has_the_doubt_of_stamps)
{
    struct publisher_overhead cost = prices();
    struct bench b;
    set_up(&b);
    tick(&b, &cost, 100, 5000);
    for (int epoch = 0; epoch < 2; epoch++) { /* 60 ns since that tick */
        publisher_slot_set_rate(b.call[INSIDE], NULL, 3);
        for (int i = 0; i < 1000; i++)
            call(&b, INSIDE, uniform_ns(), IN_VM);
        const struct publisher_call_row *row = aggregate(&b, INSIDE);
        const struct proftop_slot *slot = b.call[INSIDE];
        const uint64_t chance_ns =
            made_up_chance_ns(*row->estimate, slot->calls, slot->max - slot->min);
        const uint64_t untimed = row->calls - row->timed;
        ck_assert_uint_gt(untimed, 800);
        ck_assert_uint_eq(row->half, chance_ns + 60 * untimed);
        ck_assert(publisher_aggregate_reset(b.feed.aggregate));
    }
    tear_down(&b);
}
END_TEST

/* With many applies a tick sums a part of them, but always all functions. */
START_TEST(as_many_calls_are_many_beside_many_applies)
{
    struct publisher_overhead cost = prices();
    struct bench b;
    set_up(&b);
    b.feed.aggregate->budget.limit = 1e-6; /* every rate exceeds it */
    b.feed.aggregate->parts = _i;
    for (int i = 0; i < 50; i++)
        tick(&b, &cost, 150, 5000);
    ck_assert_uint_eq(rate_of(&b, INSIDE), 3);
    tear_down(&b);
}
END_TEST

START_TEST(nobody_watching_nothing_is_sampled)
{
    struct publisher_overhead cost = prices();
    struct bench b;
    set_up(&b);
    b.feed.aggregate->budget.limit = 0.02;
    for (int i = 0; i < 5; i++)
        tick(&b, &cost, 20000, 5000);
    ck_assert_uint_ge(rate_of(&b, INSIDE), 3);
    publisher_budget_idle(b.feed.aggregate);
    ck_assert_uint_eq(rate_of(&b, INSIDE), 0);
    tear_down(&b);
}
END_TEST

/* --------------------------------------------------------------------------------- on the wire */

/* Calls both functions until the viewer sees untimed calls of function `id`. */
static uint64_t call_until_sampled(struct client *c, struct proftop *feed, proftop_id id)
{
    uint64_t calls = 0;
    do {
        for (int i = 0; i < 2000; i++, calls++) {
            proftop_call_end(feed, 0, proftop_call_begin(feed, 0));
            const struct proftop_token token = proftop_call_begin(feed, id);
            if (token.start == PROFTOP_UNTIMED)
                ck_assert_uint_eq(token.outer >> 8, calls);
            proftop_call_end_in_vm(feed, id, token);
        }
        client_expect(c, c->sub, WIRE_FUNCTIONS);
    } while (!c->frame.group[WIRE_G_SAMPLED].present);
    return calls;
}

/* Calls are left untimed only for functions inside an apply, and are still counted. */
START_TEST(function_row_has_its_number_of_timed_calls)
{
    static uint64_t v[4][WIRE_FRAME_ROWS];
    struct client c;
    setenv("PROFTOP_BUDGET", "0.000001", 1); /* every rate exceeds it */
    struct proftop *feed = client_feed();
    unsetenv("PROFTOP_BUDGET");
    struct proftop_function_info info = {.size = sizeof info, .name = "step"};
    proftop_id apply = client_graph(feed, 1, PROFTOP_TIMED);
    info.parent_plus_1 = apply + 1;
    proftop_id id = proftop_function(feed, &info);
    client_open(&c, getpid());
    client_subscribe(&c, "A/");
    client_subscribe(&c, "F/");
    client_hello(&c);
    const uint64_t calls = call_until_sampled(&c, feed, id);
    client_ask(&c, (struct client_request){.q = "snapshot", .want = "F", .req = 9, .credit = 4});
    client_expect(&c, c.dealer, WIRE_FUNCTIONS);
    ck_assert_uint_eq(client_columns(&c.frame, WIRE_G_CALLS, v), 2);
    ck_assert_uint_eq(v[1][0], calls);
    ck_assert_uint_eq(v[1][1], calls);
    ck_assert_uint_eq(v[3][1], v[2][1]); /* all in the machine */
    const uint64_t ns = v[2][1];
    ck_assert_uint_eq(client_columns(&c.frame, WIRE_G_SAMPLED, v), 1);
    ck_assert_uint_eq(v[0][0], id);
    ck_assert_uint_gt(v[1][0], 0);
    ck_assert_uint_lt(v[1][0], calls);
    ck_assert_uint_gt(v[2][0], 0);
    ck_assert_uint_gt(ns, v[1][0]); /* no call is shorter */
    client_end(&c, feed);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("scan_calls");
    if (!PROCESS_TSAN) /* CPU-bound, one thread */
        tap_native(
            tap_add_loop(s, "the bar covers the truth", the_bar_covers_the_truth, TAP_ROWS(kinds)));
    tap_add(s, "all timed is no estimate", all_timed_is_no_estimate);
    tap_add_loop(s, "what was told is not estimated", given_machine_time_is_not_estimated, 2);
    tap_add_loop(s, "two ways", of_calls_of_two_ways_each_has_its_own, 3);
    tap_add(s, "a reset leaves no calls behind", a_reset_leaves_no_calls_behind);
    tap_add(s, "a reset", a_reset_begins_with_what_is_timed);
    tap_add_loop(s, "functions inside an apply are sampled", functions_inside_an_apply_are_sampled,
                 4);
    tap_add(s, "nodes in all timed calls", nodes_are_timed_in_all_timed_calls);
    tap_add_loop(s, "how many follow", untimed_call_gives_the_number_of_following_ones, 8);
    tap_add(s, "the bar has the doubt of stamps", the_bar_has_the_doubt_of_stamps);
    tap_add_loop(s, "beside many applies", as_many_calls_are_many_beside_many_applies, 11);
    tap_add(s, "nobody watching", nobody_watching_nothing_is_sampled);
    tap_add(s, "a function says how many", function_row_has_its_number_of_timed_calls);
    return s;
}

TAP_MAIN(suite)

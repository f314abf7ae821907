/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * check_budget.c: sampled applies. The calls stay exact, the error bar of the estimated time covers
 * the truth, and the rate follows the overhead. Durations are generated from fixed seeds.
 */
#include "feed/publisher/record/count_filter.h"
#include "tap.h"

#include <math.h>

#include "made_up.h"
#include "sanitized.h"

enum { RUNS = 100, COVERED = 93, TICKS = 40 };

/* ------------------------------------------------------------------------------- made-up calls */

static uint64_t seed;

static double uniform(void)
{
    return made_up_uniform(&seed);
}

static double normal(void)
{
    return sqrt(-2 * log(uniform())) * cos(6.283185307179586 * uniform());
}

static double constant_ns(uint64_t call)
{
    (void)call;
    return 80;
}

static double uniform_ns(uint64_t call)
{
    (void)call;
    return 20 + 160 * uniform();
}

static double bimodal_ns(uint64_t call)
{
    (void)call;
    return uniform() < 0.1 ? 900 : 50;
}

static double period_2_ns(uint64_t call)
{
    return call % 2 == 0 ? 30 : 200;
}

static double period_4_ns(uint64_t call)
{
    return call % 4 == 0 ? 400 : 40;
}

static double period_7_ns(uint64_t call)
{
    return call % 7 == 3 ? 700 : 30 + (double)(call % 7);
}

static double drifting_ns(uint64_t call)
{
    return 50 + (double)call / 1000 + 20 * uniform();
}

static double lognormal_ns(uint64_t call)
{
    (void)call;
    return exp(3.5 + 1.2 * normal());
}

static double rare_ns(uint64_t call)
{
    (void)call;
    return uniform() < 0.02 ? 100000 : 80;
}

/* A bar that covers everything is useless, so it must stay below the fraction `most` of the truth.
 * Few calls are timed of a kind that is rare and takes nearly all of the time. */
static const struct {
    const char *name;
    double (*ns)(uint64_t call);
    double most;
} kinds[] = {{"constant", constant_ns, 0.5},
             {"uniform", uniform_ns, 0.5},
             {"bimodal", bimodal_ns, 0.5},
             {"period 2", period_2_ns, 0.5},
             {"period 4", period_4_ns, 0.5},
             {"period 7", period_7_ns, 0.5},
             {"drifting", drifting_ns, 0.5},
             {"lognormal", lognormal_ns, 0.5},
             {"rare", rare_ns, 1}};
enum { KINDS = TAP_ROWS(kinds) };

/* -------------------------------------------------------------------------------------- a feed */

struct bench {
    struct made_up feed;
    struct proftop_slot *slot;
    uint64_t calls, truth; /* ns */
};

static void set_up(struct bench *b)
{
    memset(b, 0, sizeof *b);
    made_up_begin(&b->feed);
    b->slot = publisher_block_slot(b->feed.block, PUBLISHER_APPLIES, 0);
    publisher_slot_touch(b->slot, NULL, PROFTOP_TIMED, 0);
}

static void tear_down(struct bench *b)
{
    made_up_end(&b->feed);
}

static void call(struct bench *b, double ns)
{
    uint64_t whole = (uint64_t)ns;
    if (publisher_slot_is_turn(b->slot))
        publisher_slot_add(b->slot, whole, false);
    else
        publisher_slot_add_untimed(b->slot);
    b->truth += whole;
    b->calls++;
}

static const struct publisher_row *aggregate(struct bench *b)
{
    b->feed.aggregate->tick++;
    publisher_aggregate_applies(b->feed.aggregate, 1);
    return publisher_aggregate_apply(b->feed.aggregate, 0);
}

struct way {
    unsigned rate, ticks, exact; /* `exact` ticks come first, with every call timed */
    bool swings;                 /* the rate changes each tick, up to `rate` */
};

static unsigned rate_at(const struct way *way, unsigned tick)
{
    const unsigned rates = way->rate + 1;
    if (tick < way->exact)
        return 0;
    return way->swings ? (unsigned)(uniform() * rates) : way->rate;
}

/* Makes the calls of some ticks. Returns true if the bar covers their time. */
static bool covers(int kind, const struct way *way)
{
    struct bench b;
    const struct publisher_row *row = NULL;
    set_up(&b);
    for (unsigned tick = 0; tick < way->ticks; tick++) {
        publisher_slot_set_rate(b.slot, NULL, rate_at(way, tick));
        unsigned calls = 1500 + (unsigned)(3000 * uniform());
        for (unsigned i = 0; i < calls; i++)
            call(&b, kinds[kind].ns(b.calls));
        row = aggregate(&b);
    }
    ck_assert_uint_eq(row->calls, b.calls);
    ck_assert_uint_lt(row->timed, row->calls);
    uint64_t error_ns = publisher_aggregate_error(b.feed.aggregate, 0);
    ck_assert_uint_ne(error_ns, PROFTOP_UNKNOWN);
    uint64_t off = row->total > b.truth ? row->total - b.truth : b.truth - row->total;
    bool covered = off <= error_ns;
    if (way->ticks == TICKS)
        ck_assert_double_lt((double)error_ns, kinds[kind].most * (double)b.truth);
    tear_down(&b);
    return covered;
}

START_TEST(the_bar_covers_the_truth)
{
    static const struct way ways[] = {
        {1, TICKS, 0, false}, {3, TICKS, 0, false}, {3, TICKS, 5, false}, {5, TICKS, 1, false},
        {7, TICKS, 0, false}, {4, 3, 0, false},     {4, 8, 0, false},     {7, TICKS, 0, true},
        {3, TICKS, 5, true},  {7, 12, 2, true},     {4, 12, 2, false}};
    /* CPU-bound: AddressSanitizer runs the first and the last way, which differ in everything.
     * Memcheck runs the first. Other builds run all. */
    int step = PROCESS_ASAN ? TAP_ROWS(ways) - 1 : (int)tap_stride();
    for (int way = 0; way < TAP_ROWS(ways); way += step) {
        int covered = 0;
        for (uint64_t i = 0; i < RUNS; i++) {
            seed = 1000 * (uint64_t)way + i;
            covered += covers(_i, &ways[way]);
        }
        ck_assert_msg(covered >= COVERED, "%s, way %d: the bar covers %d of %d", kinds[_i].name,
                      way, covered, RUNS);
    }
}
END_TEST

/* Sampling began recently, and the longest call is known. */
START_TEST(the_bar_of_the_first_stretches_covers_the_truth)
{
    const int most_rate = 7, most_ticks = 6, exact = 5;
    for (int rate = 1; rate <= most_rate; rate += (int)tap_stride())
        for (int ticks = 1; ticks <= most_ticks; ticks++) {
            const struct way way = {(unsigned)rate, (unsigned)(exact + ticks), exact, false};
            int covered = 0;
            for (uint64_t i = 0; i < RUNS; i++) {
                seed = 1000 * (uint64_t)(rate * most_ticks + ticks) + i;
                covered += covers(_i, &way);
            }
            ck_assert_msg(covered >= COVERED, "%s, 1 of %d, %d ticks: the bar covers %d of %d",
                          kinds[_i].name, 1 << rate, ticks, covered, RUNS);
        }
}
END_TEST

/* On a busy machine, calls wait for a processor, timed or not. Each call is 80 ns, the calls run
 * for `ran_ns` in a tick, and they wait as often and for as long as the kernel says. */
static const struct {
    double turns, waited_ns; /* in each 100 ms that the calls run */
    bool even;               /* all waits are equal; else their deviation equals their mean */
} loads[] = {{10, 1e6, true},     {25, 100e6, true},   {25, 100e6, false},
             {100, 300e6, false}, {0.3, 1.2e6, false}, {1000, 100e6, true}};

static bool covers_waits(int load, unsigned rate)
{
    enum { NS = 80, CALLS = 2000, PARTS = 50 };
    /* CALLS represent all calls that run in 100 ms. */
    const double ran_ns = (double)NS * CALLS, part = ran_ns / 100e6;
    const double often = loads[load].turns * part;
    const double each_ns = loads[load].waited_ns / loads[load].turns;
    struct bench b;
    const struct publisher_row *row = NULL;
    set_up(&b);
    publisher_slot_set_rate(b.slot, NULL, rate);
    for (int i = 0; i < PARTS; i++) {
        struct shared_schedstat more = {.ran_ns = (uint64_t)ran_ns};
        for (int n = 0; n < CALLS; n++) {
            const bool waits = uniform() < often / CALLS;
            const double ns = !waits ? 0 : loads[load].even ? each_ns : -log(uniform()) * each_ns;
            call(&b, NS + ns);
            more.waited_ns += (uint64_t)ns;
            more.turns += waits;
        }
        publisher_run_queue_learn(&b.feed.aggregate->runqueue, &more);
        row = aggregate(&b);
    }
    const uint64_t error_ns = publisher_aggregate_error(b.feed.aggregate, 0);
    const uint64_t off = row->total > b.truth ? row->total - b.truth : b.truth - row->total;
    tear_down(&b);
    return off <= error_ns;
}

START_TEST(the_bar_covers_calls_that_wait)
{
    for (unsigned rate = 3; rate <= 7; rate += 2) {
        int covered = 0;
        for (uint64_t i = 0; i < RUNS; i++) {
            seed = 1000 * rate + i;
            covered += covers_waits(_i, rate);
        }
        ck_assert_msg(covered >= COVERED, "1 of %d: the bar covers %d of %d", 1 << rate, covered,
                      RUNS);
    }
}
END_TEST

/* A stalled timed call counts once. It is not multiplied by the 128 calls that it represents. The
 * bar includes the doubt. */
START_TEST(a_stalled_call_is_counted_once)
{
    const uint64_t ns = 270, stall_ns = 20000000;
    struct bench b;
    set_up(&b);
    for (int i = 0; i < 20000; i++)
        call(&b, ns);
    aggregate(&b);
    publisher_slot_set_rate(b.slot, NULL, 7);
    for (int i = 0; i < 20000; i++)
        call(&b, ns);
    aggregate(&b);
    while (!publisher_slot_is_turn(b.slot))
        call(&b, ns);
    call(&b, stall_ns);
    for (int i = 0; i < 20000; i++)
        call(&b, ns);
    const struct publisher_row *row = aggregate(&b);
    ck_assert_uint_eq(row->max, stall_ns);
    ck_assert_uint_ge(row->total + 1000, b.truth);
    ck_assert_uint_le(row->total, b.truth + 1000);
    ck_assert_uint_ge(publisher_aggregate_error(b.feed.aggregate, 0), 100 * stall_ns);
    tear_down(&b);
}
END_TEST

/* One long call among many short ones does not widen the bar as if every call could be long. */
START_TEST(the_bar_of_the_first_stretches_knows_their_mean)
{
    const uint64_t calls = 48000, timed = 3000, mean_ns = 100, longest_ns = 275000;
    struct publisher_doubt doubt = {0};
    publisher_doubt_add(&doubt, calls, timed, timed * mean_ns);
    const double weight = (double)calls * (double)(calls - timed) / (double)timed;
    const double mean_most = (double)mean_ns + 3.0 * (double)longest_ns / (double)timed;
    ck_assert_double_eq_tol((double)publisher_doubt_ns(&doubt, longest_ns),
                            2.33 * sqrt((double)longest_ns * mean_most * weight), 2);
    /* If the durations differ little, half of their range is the doubt, as before. */
    ck_assert_double_eq_tol((double)publisher_doubt_ns(&doubt, mean_ns),
                            2.33 * (double)mean_ns / 2 * sqrt(weight), 2);
    /* The highest mean of several counts, and of all timed calls. */
    publisher_doubt_add(&doubt, calls, timed, timed * mean_ns / 2);
    ck_assert_double_eq_tol((double)publisher_doubt_ns(&doubt, longest_ns),
                            2.33 * sqrt((double)longest_ns * 2 * weight *
                                        ((double)mean_ns + (mean_most - (double)mean_ns) / 2)),
                            4);
}
END_TEST

/* ----------------------------------------------------------------------------------- the budget */

static struct publisher_overhead prices(void)
{
    struct publisher_overhead cost = {.priced = true};
    cost.peak_ns[PUBLISHER_EVENT_TIMED] = 20;
    cost.peak_ns[PUBLISHER_EVENT_SAMPLED] = 30;
    cost.peak_ns[PUBLISHER_EVENT_UNTIMED] = 5;
    return cost;
}

static void end_tick(struct bench *b, struct publisher_overhead *cost)
{
    aggregate(b);
    made_up_tick(&b->feed, cost);
}

/* Statistical part of an apply's bar, without the part of the timestamps. */
static uint64_t chance_ns(const struct bench *b, const struct publisher_row *row)
{
    return made_up_chance_ns(b->feed.aggregate->applies[0]->estimate[0], b->calls,
                             row->max - row->min);
}

/* The peak overhead of timestamps of untimed calls since the last reset is part of the bar. Past
 * calls keep their former overhead, also when the overhead falls. */
START_TEST(the_bar_has_the_doubt_of_stamps)
{
    struct bench b;
    set_up(&b);
    for (int epoch = 0; epoch < 2; epoch++) {
        struct publisher_overhead cost = prices();
        cost.peak_ns[PUBLISHER_EVENT_TIMED] = 35;
        cost.peak_ns[PUBLISHER_EVENT_SAMPLED] = 1030; /* not asserted: has a branch */
        publisher_budget_tick(b.feed.aggregate, &cost,
                              1); /* also if the sampling budget leaves out nothing */
        publisher_slot_set_rate(b.slot, NULL, 3);
        for (int i = 0; i < 1000; i++)
            call(&b, uniform_ns(0));
        const struct publisher_row *row = aggregate(&b);
        const uint64_t untimed = row->calls - row->timed;
        ck_assert_uint_gt(untimed, 800);
        ck_assert_uint_lt(untimed, 1000);
        ck_assert_uint_eq(publisher_aggregate_error(b.feed.aggregate, 0),
                          chance_ns(&b, row) + 35 * untimed);
        const uint64_t late = b.calls - b.feed.aggregate->applies[0]->estimate[0].calls;
        cost.peak_ns[PUBLISHER_EVENT_TIMED] = 20; /* the last calls may have the old overhead */
        publisher_budget_tick(b.feed.aggregate, &cost, 2);
        ck_assert_uint_eq(publisher_aggregate_error(b.feed.aggregate, 0),
                          chance_ns(&b, row) + 35 * (untimed - late) + 20 * late);
        ck_assert(publisher_aggregate_reset(b.feed.aggregate));
    }
    tear_down(&b);
}
END_TEST

/* One tick in which a thread makes `calls` calls of `ns` each. */
static void tick(struct bench *b, struct publisher_overhead *cost, unsigned calls, double ns)
{
    for (unsigned i = 0; i < calls; i++)
        call(b, ns);
    end_tick(b, cost);
}

static unsigned rate_of(const struct bench *b)
{
    return publisher_slot_kind(b->slot) >> PROFTOP_KIND_SHIFT;
}

/* A job that is busy, nearly idle, and busy again. Returns the number of rate changes. */
static unsigned swing(struct bench *b, int kind)
{
    static const struct {
        unsigned ticks, calls;
    } phases[] = {{3, 400}, {12, 6000}, {14, 300}, {14, 2500}, {6, 9000}};
    struct publisher_overhead cost = prices();
    unsigned changes = 0, rate = 0;
    b->feed.aggregate->budget.limit = 0.0004; /* low enough that few calls exceed it */
    for (int phase = 0; phase < TAP_ROWS(phases); phase++)
        for (unsigned i = 0; i < phases[phase].ticks; i++) {
            unsigned calls = phases[phase].calls / 2 + (unsigned)(phases[phase].calls * uniform());
            for (unsigned n = 0; n < calls; n++)
                call(b, kinds[kind].ns(b->calls));
            end_tick(b, &cost);
            changes += rate_of(b) != rate;
            rate = rate_of(b);
        }
    return changes;
}

/* The same with the rate chosen by the sampling budget. */
START_TEST(the_bar_covers_what_the_budget_leaves_out)
{
    int covered = 0;
    for (uint64_t i = 0; i < RUNS; i += tap_stride()) {
        struct bench b;
        seed = i;
        set_up(&b);
        ck_assert_uint_ge(swing(&b, _i), 5);
        const struct publisher_row *row = aggregate(&b);
        ck_assert_uint_eq(row->calls, b.calls);
        ck_assert_uint_lt(row->timed, row->calls);
        uint64_t error_ns = publisher_aggregate_error(b.feed.aggregate, 0);
        ck_assert_double_lt((double)error_ns, kinds[_i].most * (double)b.truth);
        covered += row->total <= b.truth + error_ns && b.truth <= row->total + error_ns;
        tear_down(&b);
    }
    ck_assert_msg(covered * (int)tap_stride() >= COVERED, "%s: the bar covers %d of %d",
                  kinds[_i].name, covered, RUNS / (int)tap_stride());
}
END_TEST

START_TEST(the_rate_follows_the_cost)
{
    struct publisher_overhead cost = prices();
    struct bench b;
    set_up(&b);
    b.feed.aggregate->budget.limit = 0.02;
    for (int i = 0; i < 5; i++) /* 0.4 % */
        tick(&b, &cost, 20000, 100);
    ck_assert_uint_eq(rate_of(&b), 0);
    ck_assert_uint_eq(publisher_aggregate_error(b.feed.aggregate, 0), PROFTOP_UNKNOWN);
    for (int i = 0; i < 20; i++) /* 6 %; timing one call in 8 gives 2 % */
        tick(&b, &cost, 200000, 100);
    ck_assert_uint_ge(rate_of(&b), 2);
    ck_assert_uint_le(rate_of(&b), 4);
    unsigned rate = rate_of(&b);
    for (int i = 0; i < 30; i++) {
        tick(&b, &cost, 200000, 100);
        ck_assert_uint_eq(rate_of(&b), rate); /* the rate is stable */
    }
    for (int i = 0; i < 60; i++)
        tick(&b, &cost, 2000, 100);
    ck_assert_uint_eq(rate_of(&b), 0);
    const struct publisher_row *row = aggregate(&b);
    ck_assert_uint_eq(row->calls, b.calls);
    const uint64_t *events =
        b.feed.aggregate->events; /* each call is charged as one of these events */
    ck_assert_uint_eq(events[PUBLISHER_EVENT_TIMED] + events[PUBLISHER_EVENT_SAMPLED] +
                          events[PUBLISHER_EVENT_UNTIMED],
                      b.calls);
    ck_assert_uint_lt(row->timed, row->calls);
    tear_down(&b);
}
END_TEST

/* On a busy machine a program runs for a part of the time. The sampling budget is a share of that
 * part. */
START_TEST(the_rate_follows_the_cost_of_the_time_without_waits)
{
    struct publisher_overhead cost = prices();
    struct bench b;
    set_up(&b);
    b.feed.aggregate->budget.limit = 0.02;
    for (int i = 0; i < 10; i++)
        tick(&b, &cost, 20000, 100); /* 0.4 % */
    ck_assert_uint_eq(rate_of(&b), 0);
    for (int i = 0; i < 10; i++) {
        publisher_run_queue_learn(&b.feed.aggregate->runqueue,
                                  &(struct shared_schedstat){10000000, 90000000, 20}); /* 4 % */
        tick(&b, &cost, 20000, 100);
    }
    ck_assert_uint_gt(rate_of(&b), 0);
    tear_down(&b);
}
END_TEST

/* An apply that is less hot than others keeps as many timed calls as an error bar needs. */
START_TEST(some_calls_of_each_tick_are_timed)
{
    static const struct {
        unsigned calls, rate;
    } rows[] = {{200000, 7}, {1300, 7}, {1270, 6}, {500, 5}, {100, 3}, {60, 2}, {40, 0}};
    struct publisher_overhead cost = prices();
    struct bench b;
    set_up(&b);
    b.feed.aggregate->budget.limit = 1e-6; /* every rate exceeds it */
    for (int row = 0; row < TAP_ROWS(rows); row++) {
        for (int i = 0; i < 10; i++)
            tick(&b, &cost, rows[row].calls, 100);
        ck_assert_uint_eq(rate_of(&b), rows[row].rate);
    }
    tear_down(&b);
}
END_TEST

/* One tick of a function and an apply in it. The apply counts passed calls itself and adds them
 * before its next timed call. Returns the number of timed calls. */
static unsigned pass(struct bench *b, struct publisher_overhead *cost,
                     struct proftop_slot *function, unsigned calls)
{
    unsigned timed = 0, passes = 0;
    for (unsigned i = 0; i < calls; i++) {
        const bool turn = publisher_slot_is_call_turn(function);
        publisher_slot_add_untimed(function);
        passes += !turn;
        timed += turn;
        for (; turn && passes > 0; passes--)
            publisher_slot_add_untimed(b->slot);
        if (turn)
            call(b, 100);
    }
    for (; passes > 0; passes--)
        publisher_slot_add_untimed(b->slot);
    end_tick(b, cost);
    publisher_slot_set_rate(function, NULL, b->feed.aggregate->budget.rate);
    return timed;
}

/* If the apply already passes over calls, sampling leaves out no more. The number of calls of its
 * function does not matter. Passed calls have no overhead. */
START_TEST(calls_that_pass_are_not_sampled_twice)
{
    struct publisher_overhead cost = prices();
    struct bench b;
    struct proftop_slot function;
    memset(&function, 0, sizeof function);
    set_up(&b);
    b.feed.aggregate->budget.limit = 1e-6;
    publisher_slot_touch(&function, NULL, PROFTOP_TIMED, 0);
    for (int i = 0; i < _i; i++)
        call(&b, 100);
    pass(&b, &cost, &function, 20000);
    for (int i = 0; i < 20; i++) {
        const uint64_t before = b.slot->calls - b.slot->untimed;
        const uint64_t priced = b.feed.aggregate->events[PUBLISHER_EVENT_UNTIMED];
        const bool settled = rate_of(&b) == 0;
        const unsigned timed = pass(&b, &cost, &function, 20000);
        ck_assert_uint_gt(b.slot->calls - b.slot->untimed, before);
        if (!settled)
            continue;
        ck_assert_uint_eq(b.slot->calls - b.slot->untimed, before + timed);
        ck_assert_uint_eq(b.feed.aggregate->events[PUBLISHER_EVENT_UNTIMED], priced);
    }
    ck_assert_uint_eq(b.feed.aggregate->budget.rate, 7);
    ck_assert_uint_eq(rate_of(&b), 0);
    ck_assert_uint_eq(aggregate(&b)->calls, 21 * 20000 + (unsigned)_i);
    tear_down(&b);
}
END_TEST

/* Every call stays timed if calls are not tiny, if the budget is 0, or without a viewer. */
START_TEST(calls_stay_timed_without_need_to_sample)
{
    static const struct {
        double limit, ns;
    } rows[] = {{0.02, 1250}, {0, 100}, {0.02, 5000}};
    struct publisher_overhead cost = prices();
    struct bench b;
    set_up(&b);
    b.feed.aggregate->budget.limit = rows[_i].limit;
    for (int i = 0; i < 10; i++)
        tick(&b, &cost, 200000, rows[_i].ns);
    ck_assert_uint_eq(rate_of(&b), 0);
    ck_assert_uint_eq(aggregate(&b)->timed, b.calls);
    b.feed.aggregate->budget.limit = 0.02;
    for (int i = 0; i < 5; i++)
        tick(&b, &cost, 2000000, 20);
    ck_assert_uint_gt(rate_of(&b), 0);
    publisher_budget_idle(b.feed.aggregate);
    ck_assert_uint_eq(rate_of(&b), 0);
    tear_down(&b);
}
END_TEST

static const struct {
    const char *text;
    double limit; /* below 0: invalid */
} texts[] = {{"0", 0},     {"5", 0.05}, {"0.5", 0.005}, {".5", 0.005}, {"100", 1},
             {"5%", 0.05}, {"0%", 0},   {"100.1", -1},  {"-1", -1},    {"101", -1},
             {"", -1},     {"%", -1},   {"5 %", -1},    {"5%%", -1},   {"0,5", -1},
             {"nan", -1},  {"1e1", -1}, {"0x5", -1},    {"5e", -1}};

START_TEST(a_text_sets_it)
{
    double limit = -1;
    ck_assert_int_eq(publisher_count_filter_budget(texts[_i].text, &limit), texts[_i].limit >= 0);
    ck_assert_double_eq_tol(limit, texts[_i].limit >= 0 ? texts[_i].limit : 0.02, 1e-12);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("budget");
    if (!PROCESS_TSAN) /* CPU-bound and single-threaded, for half a minute */
        tap_native_all_only(
            tap_add_loop(s, "the bar covers the truth", the_bar_covers_the_truth, KINDS));
    if (!PROCESS_TSAN)
        tap_native(tap_add_loop(s, "the bar covers what the budget leaves out",
                                the_bar_covers_what_the_budget_leaves_out, KINDS));
    if (!PROCESS_TSAN)
        tap_native_all_only(tap_add_loop(s, "the bar of the first stretches covers the truth",
                                         the_bar_of_the_first_stretches_covers_the_truth, KINDS));
    if (!PROCESS_TSAN)
        tap_native(tap_add_loop(s, "the bar covers calls that wait", the_bar_covers_calls_that_wait,
                                TAP_ROWS(loads)));
    tap_add(s, "a stalled call is counted once", a_stalled_call_is_counted_once);
    tap_add(s, "the bar of the first stretches knows their mean",
            the_bar_of_the_first_stretches_knows_their_mean);
    tap_add(s, "the bar has the doubt of stamps", the_bar_has_the_doubt_of_stamps);
    tap_add(s, "the rate follows the cost", the_rate_follows_the_cost);
    tap_add(s, "the rate follows the cost of the time without waits",
            the_rate_follows_the_cost_of_the_time_without_waits);
    tap_add(s, "some calls of each tick are timed", some_calls_of_each_tick_are_timed);
    tap_add_loop(s, "calls that pass are not sampled twice", calls_that_pass_are_not_sampled_twice,
                 20);
    tap_add_loop(s, "what is never sampled", calls_stay_timed_without_need_to_sample, 3);
    tap_add_loop(s, "a text sets it", a_text_sets_it, TAP_ROWS(texts));
    return s;
}

TAP_MAIN(suite)

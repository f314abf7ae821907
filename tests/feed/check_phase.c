/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * check_phase.c: phases of compilations, as a protocol client receives them from a feed.
 */
#include "told.h"

START_TEST(equal_phases_are_one)
{
    proftop_id all = proftop_phase_begin(feed, 0, PROFTOP_NONE, PROFTOP_PHASE_REWRITE, "all", 9);
    for (uint64_t i = 0; i < 3; i++) {
        proftop_id fold = proftop_phase_begin(feed, 0, all, PROFTOP_PHASE_REWRITE, "fold", 9 - i);
        ck_assert_uint_eq(fold, 1);
        proftop_phase_end(feed, fold, i == 1 ? 40 : UNKNOWN, 8 - i);
    }
    ck_assert_uint_eq(proftop_phase_begin(feed, 0, all, PROFTOP_PHASE_LINK, "fold", 9), 2);
    ck_assert_uint_eq(proftop_phase_begin(feed, 0, 1, PROFTOP_PHASE_REWRITE, "fold", 9), 3);
    ck_assert_uint_eq(ask("R", WIRE_G_PHASE), 4);
    ck_assert_uint_eq(u[6][1], 3); /* calls */
    ck_assert_uint_lt(u[7][1], TEST_MONTH_NS);
    ck_assert_uint_eq(u[8][1], 40);       /* validate */
    ck_assert_uint_eq(u[9][1], 9);        /* before the first */
    ck_assert_uint_eq(u[10][1], 6);       /* after the last */
    ck_assert_uint_eq(u[11][1], UNKNOWN); /* not open */
    ck_assert_uint_eq(u[3][1], all + 1);
    ck_assert_uint_eq(u[3][3], 2);
    expect_text(&t[5][1], "fold");
    ck_assert_uint_ne(u[11][0], UNKNOWN);
    ck_assert_uint_eq(u[6][0], 0);
    ck_assert_uint_eq(u[7][0], UNKNOWN);
    ck_assert_uint_eq(misuses(), 0);
}
END_TEST

/* A phase that is begun twice counts once, from the first begin to the last end. */
START_TEST(phase_begun_twice_counts_once)
{
    uint64_t before_ns = test_clock_ns();
    proftop_id a = proftop_phase_begin(feed, 0, PROFTOP_NONE, PROFTOP_PHASE_OTHER, NULL, UNKNOWN);
    proftop_id b = proftop_phase_begin(feed, 0, PROFTOP_NONE, PROFTOP_PHASE_OTHER, "", UNKNOWN);
    ck_assert_uint_eq(a, b);
    while (test_clock_ns() - before_ns < 2000000)
        continue;
    proftop_phase_end(feed, a, UNKNOWN, UNKNOWN);
    ck_assert_uint_eq(ask("R", WIRE_G_PHASE), 1);
    ck_assert_uint_eq(u[6][0], 1);
    ck_assert_uint_eq(u[7][0], 0);
    ck_assert_uint_ne(u[11][0], UNKNOWN);
    proftop_phase_end(feed, a, UNKNOWN, UNKNOWN);
    uint64_t took_ns = test_clock_ns() - before_ns;
    ck_assert_uint_eq(ask("R", WIRE_G_PHASE), 1);
    ck_assert_uint_eq(u[6][0], 2);
    ck_assert_uint_ge(u[7][0], 1900000);
    ck_assert_uint_le(u[7][0], took_ns);
    ck_assert_uint_eq(u[11][0], UNKNOWN);
    ck_assert_uint_eq(u[9][0], UNKNOWN);
}
END_TEST

START_TEST(given_times_add_up)
{
    struct proftop_phase_times times = {sizeof times, 2, 100, UNKNOWN, 50, 40};
    proftop_id phase = proftop_phase(feed, 0, PROFTOP_NONE, PROFTOP_PHASE_CODEGEN, "code", &times);
    times = (struct proftop_phase_times){sizeof times, 1, 11, 3, 40, 30};
    ck_assert_uint_eq(proftop_phase(feed, 0, PROFTOP_NONE, PROFTOP_PHASE_CODEGEN, "code", &times),
                      phase);
    /* A parent without a known time. */
    proftop_phase(feed, 0, PROFTOP_NONE, PROFTOP_PHASE_OTHER, "frame", NULL);
    ck_assert_uint_eq(ask("R", WIRE_G_PHASE), 2);
    ck_assert_uint_eq(u[6][0], 3);
    ck_assert_uint_eq(u[7][0], 111);
    ck_assert_uint_eq(u[8][0], 3);
    ck_assert_uint_eq(u[9][0], 50);
    ck_assert_uint_eq(u[10][0], 30);
    ck_assert_uint_eq(u[6][1], 0);
    ck_assert_uint_eq(u[7][1], UNKNOWN);
}
END_TEST

/* With a viewer, a feed sends a phase when it opens and again when it ends, each time with a higher
 * rev. */
START_TEST(phases_come_live)
{
    client_subscribe(&client, "R/");
    proftop_id phase =
        proftop_phase_begin(feed, 0, PROFTOP_NONE, PROFTOP_PHASE_LINK, "link", UNKNOWN);
    client_expect(&client, client.sub, WIRE_REWRITES);
    ck_assert_uint_eq(take(WIRE_G_PHASE), 1);
    ck_assert_uint_ne(u[11][0], UNKNOWN);
    uint64_t rev = u[1][0];
    ck_assert_uint_eq(rev, 1);
    proftop_phase_end(feed, phase, UNKNOWN, UNKNOWN);
    client_expect(&client, client.sub, WIRE_REWRITES);
    ck_assert_uint_eq(take(WIRE_G_PHASE), 1);
    ck_assert_uint_eq(u[11][0], UNKNOWN);
    ck_assert_uint_eq(u[6][0], 1);
    ck_assert_uint_gt(u[1][0], rev);
}
END_TEST

/* The maximum number, over several frames. The next one is refused and counted. */
START_TEST(phases_have_a_limit)
{
    char name[WIRE_LABEL_MAX * 2];
    memset(name, 'n', sizeof name - 1);
    name[sizeof name - 1] = 0;
    proftop_id parent = PROFTOP_NONE;
    for (uint32_t i = 0; i < WIRE_PHASES_MAX; i++) {
        int size = snprintf(name, 16, "%u", i);
        name[size] = 'n';
        proftop_id id = proftop_phase(feed, 0, parent, PROFTOP_PHASE_OTHER, name, NULL);
        ck_assert_uint_eq(id, i);
        parent = i % 100 == 0 ? id : parent; /* limits the number of siblings */
    }
    ck_assert_uint_eq(proftop_phase(feed, 0, parent, PROFTOP_PHASE_OTHER, "more", NULL),
                      PROFTOP_NONE);
    ck_assert_uint_eq(drops(), 1);
    const struct wire_value *lost = &client.frame.field[WIRE_F_LOST];
    ck_assert(lost->present && lost->text.size == strlen("phases=1\n"));
    ck_assert_int_eq(memcmp(lost->text.data, "phases=1\n", lost->text.size), 0);
    uint64_t frames = client_snapshot(&client, "R", 5);
    ck_assert_uint_gt(frames, WIRE_PHASES_MAX * (uint64_t)WIRE_LABEL_MAX / WIRE_FRAME_MAX);
}
END_TEST

/* Sums of the phases of each name over all functions, as sent to viewers; and the number of rows of
 * functions below `below`. */
static struct {
    uint64_t calls, total, rows;
} sums[3];

static void sum_up(const char *const name[3], uint32_t below, uint32_t rest)
{
    memset(sums, 0, sizeof sums);
    client_ask(&client, (struct client_request){.q = "snapshot", .want = "R", .req = 88,
                                                .credit = 4});
    for (;;) {
        ck_assert(client_receive(&client, client.dealer, CLIENT_PATIENCE_MS));
        if (client.frame.stream == WIRE_REPLY)
            return;
        if (client.frame.stream != WIRE_REWRITES)
            continue;
        const uint32_t rows = take(WIRE_G_PHASE);
        for (uint32_t i = 0; i < rows; i++) {
            for (int n = 0; n < 3; n++)
                if (t[5][i].size == strlen(name[n]) &&
                    memcmp(t[5][i].data, name[n], t[5][i].size) == 0) {
                    sums[n].calls += u[6][i];
                    sums[n].total += u[7][i] == UNKNOWN ? 0 : u[7][i];
                    sums[n].rows++;
                }
            ck_assert(u[2][i] < below || u[2][i] == rest);
            ck_assert_int_eq(u[9][i] == UNKNOWN && u[10][i] == UNKNOWN, u[2][i] == rest);
        }
        client_ask(&client, (struct client_request){.q = "more", .req = 88, .credit = 1});
    }
}

/* A job that compiles without end, with 59 phases per function. Phases beyond the table are summed
 * up by name; no time is lost. */
START_TEST(phases_of_many_compilations_are_summed_up)
{
    enum { FUNCTIONS = 478, INSIDE = 57, ROWS = INSIDE + 2, ONE_BY_ONE = 14336 };
    static const char *const told[3] = {"all", "rewriter 56", "link"};
    const struct proftop_phase_times each = {sizeof each, 2, 100, UNKNOWN, 9, 8};
    proftop_id function[FUNCTIONS];
    for (int f = 0; f < FUNCTIONS; f++) {
        const struct proftop_function_info info = {.size = sizeof info, .name = "f"};
        function[f] = proftop_function(feed, &info);
        proftop_id all =
            proftop_phase(feed, function[f], PROFTOP_NONE, PROFTOP_PHASE_REWRITE, "all", &each);
        for (int i = 0; i < INSIDE; i++) {
            char name[32];
            snprintf(name, sizeof name, "rewriter %d", i);
            proftop_id one =
                proftop_phase(feed, function[f], all, PROFTOP_PHASE_REWRITE, name, &each);
            ck_assert_uint_ne(one, PROFTOP_NONE);
        }
        ck_assert_uint_ne(
            proftop_phase(feed, function[f], PROFTOP_NONE, PROFTOP_PHASE_LINK, "link", &each),
            PROFTOP_NONE);
    }
    /* The first function without rows of its own, and the row that holds the sums. */
    const uint32_t whole = ONE_BY_ONE / ROWS + (ONE_BY_ONE % ROWS != 0);
    sum_up(told, function[whole], function[whole] + 1);
    for (int n = 0; n < 3; n++) {
        ck_assert_uint_eq(sums[n].rows, whole + 1);
        ck_assert_uint_eq(sums[n].calls, 2 * FUNCTIONS);
        ck_assert_uint_eq(sums[n].total, 100 * FUNCTIONS);
    }
    ck_assert_uint_eq(drops(), 0);
    ck_assert(!client.frame.field[WIRE_F_LOST].present);
    ck_assert_uint_eq(misuses(), 0);
    /* A phase that has begun keeps its own row. A new one may be open. */
    const proftop_id inside =
        proftop_phase_begin(feed, function[whole + 5], PROFTOP_NONE, PROFTOP_PHASE_LINK, "link", 5);
    proftop_phase_end(feed, inside, UNKNOWN, 5);
    proftop_phase(feed, function[0], PROFTOP_NONE, PROFTOP_PHASE_LINK, "more", &each);
    sum_up(told, function[whole], function[whole] + 1);
    ck_assert_uint_eq(sums[2].calls, 2 * FUNCTIONS + 1);
}
END_TEST

START_TEST(wrong_phases_are_misuse)
{
    struct proftop_phase_times small = {8, 1, 1, 1, 1, 1};
    proftop_id function = proftop_function(
        feed, &(struct proftop_function_info){.size = sizeof(struct proftop_function_info)});
    proftop_id other = proftop_phase(feed, function, PROFTOP_NONE, PROFTOP_PHASE_LINK, "a", NULL);
    const proftop_id wrong[] = {
        proftop_phase_begin(feed, 99, PROFTOP_NONE, PROFTOP_PHASE_LINK, "a", 1),
        proftop_phase_begin(feed, 0, 99, PROFTOP_PHASE_LINK, "a", 1),
        proftop_phase_begin(feed, 0, other, PROFTOP_PHASE_LINK, "a", 1),
        proftop_phase_begin(feed, 0, PROFTOP_NONE, (enum proftop_phase_kind)99, "a", 1),
        proftop_phase(feed, 0, PROFTOP_NONE, PROFTOP_PHASE_LINK, "a", &small),
    };
    for (unsigned i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
        ck_assert_uint_eq(wrong[i], PROFTOP_NONE);
    proftop_phase_end(feed, 99, 1, 1);
    proftop_phase_end(feed, other, 1, 1); /* without a begin */
    ck_assert_uint_eq(misuses(), sizeof wrong / sizeof wrong[0] + 2);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("phase");
    add(s, "equal_phases_are_one", equal_phases_are_one);
    add(s, "phase_begun_twice_counts_once", phase_begun_twice_counts_once);
    add(s, "given_times_add_up", given_times_add_up);
    add(s, "phases_come_live", phases_come_live);
    add(s, "phases_have_a_limit", phases_have_a_limit);
    add(s, "phases_of_many_compilations_are_summed_up", phases_of_many_compilations_are_summed_up);
    add(s, "wrong_phases_are_misuse", wrong_phases_are_misuse);
    return s;
}

TAP_MAIN(suite)

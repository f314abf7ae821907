/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * check_define.c: overlapping compilations of a function, and missing ends, as a protocol client
 * receives them from a feed.
 */
#include "told.h"

#include <pthread.h>
#include <semaphore.h>

#include "process.h"
#include "sanitized.h"

enum { FUNCTION, TOTAL, REWRITE, VALIDATE, LINK, OPEN }; /* columns */
enum { WHILE_NS = 2000000 };

static void busy(void)
{
    for (uint64_t from_ns = test_clock_ns(); test_clock_ns() - from_ns < WHILE_NS;)
        continue;
}

static void begin(void)
{
    proftop_compile_begin(feed, 0);
}

static void end(void)
{
    proftop_compile_end(feed, 0, NULL);
}

static void end_given(uint64_t compile_ns)
{
    const struct proftop_compile_times times = {sizeof times, compile_ns, UNKNOWN, UNKNOWN, 1};
    proftop_compile_end(feed, 0, &times);
}

static uint64_t told(int column)
{
    ck_assert_uint_eq(ask("F", WIRE_G_COMPILE), 1);
    return u[column][0];
}

static void *compile_too(void *unused)
{
    (void)unused;
    begin();
    busy();
    end();
    return NULL;
}

/* Work for the other thread; NULL: it ends. */
static void (*asked)(void);
static pthread_t other;
static sem_t asks, done;

static void *serve(void *unused)
{
    while (sem_wait(&asks) == 0 && asked != NULL) {
        asked();
        sem_post(&done);
    }
    return unused;
}

static void on_other(void (*what)(void))
{
    asked = what;
    ck_assert_int_eq(sem_post(&asks), 0);
    ck_assert_int_eq(sem_wait(&done), 0);
}

static void start_other(void)
{
    ck_assert_int_eq(sem_init(&asks, 0, 0), 0);
    ck_assert_int_eq(sem_init(&done, 0, 0), 0);
    ck_assert_int_eq(pthread_create(&other, NULL, serve, NULL), 0);
}

static void end_other(void)
{
    asked = NULL;
    ck_assert_int_eq(sem_post(&asks), 0);
    ck_assert_int_eq(pthread_join(other, NULL), 0);
}

static void setup_two(void)
{
    setup();
    start_other();
}

static void teardown_two(void)
{
    end_other();
    teardown();
}

/* A compilation by another thread meanwhile does not end this one, and adds no time of its own. */
START_TEST(compilation_by_two_threads_counts_once)
{
    pthread_t thread;
    uint64_t from_ns = test_clock_ns();
    begin();
    busy();
    uint64_t since_ns = told(OPEN);
    ck_assert_int_eq(pthread_create(&thread, NULL, compile_too, NULL), 0);
    ck_assert_int_eq(pthread_join(thread, NULL), 0);
    ck_assert_uint_eq(told(OPEN), since_ns);
    ck_assert_uint_eq(told(TOTAL), UNKNOWN);
    busy();
    end();
    uint64_t took_ns = test_clock_ns() - from_ns;
    ck_assert_uint_ge(told(TOTAL), 3 * (uint64_t)WHILE_NS);
    ck_assert_uint_le(told(TOTAL), took_ns);
    ck_assert_uint_eq(told(OPEN), UNKNOWN);
    ck_assert_uint_eq(misuses(), 0);
}
END_TEST

/* The first to begin may be the first to end. */
START_TEST(last_end_ends_the_compilation)
{
    uint64_t from_ns = test_clock_ns();
    begin();
    for (int i = 0; i < 3; i++) {
        on_other(begin);
        busy();
        if (i == 1) {
            end();
            ck_assert_uint_ne(told(OPEN), UNKNOWN);
            begin();
        }
        on_other(end);
        ck_assert_uint_ne(told(OPEN), UNKNOWN);
    }
    end();
    ck_assert_uint_eq(told(OPEN), UNKNOWN);
    uint64_t once_ns = told(TOTAL);
    ck_assert_uint_ge(once_ns, 3 * (uint64_t)WHILE_NS);
    ck_assert_uint_le(once_ns, test_clock_ns() - from_ns);
    from_ns = test_clock_ns();
    begin();
    busy();
    end();
    ck_assert_uint_ge(told(TOTAL), once_ns + WHILE_NS);
    ck_assert_uint_le(told(TOTAL), once_ns + test_clock_ns() - from_ns);
}
END_TEST

static void end_given_8(void)
{
    end_given(8);
}

START_TEST(given_times_add_up)
{
    begin();
    on_other(begin);
    end_given(7);
    ck_assert_uint_eq(told(TOTAL), 7);
    ck_assert_uint_ne(told(OPEN), UNKNOWN);
    busy();
    on_other(end_given_8);
    ck_assert_uint_eq(told(TOTAL), 15);
    ck_assert_uint_eq(told(LINK), 2);
    ck_assert_uint_eq(told(OPEN), UNKNOWN);
    begin();
    end_given(UNKNOWN);
    ck_assert_uint_eq(told(TOTAL), 15);
    ck_assert_uint_eq(misuses(), 0);
}
END_TEST

/* One compilation was given its time and the other was not, in either order of ending. */
START_TEST(given_times_are_part_of_the_whole)
{
    uint64_t from_ns = test_clock_ns();
    begin();
    on_other(begin);
    busy();
    if (_i == 0)
        on_other(end);
    end_given(WHILE_NS);
    if (_i == 1)
        on_other(end);
    uint64_t took_ns = test_clock_ns() - from_ns;
    ck_assert_uint_ge(told(TOTAL), WHILE_NS);
    ck_assert_uint_le(told(TOTAL), took_ns);
    begin();
    on_other(begin);
    on_other(end);
    end_given(TEST_MONTH_NS); /* more than the total: clamps to zero */
    ck_assert_uint_ge(told(TOTAL), TEST_MONTH_NS + WHILE_NS);
    ck_assert_uint_le(told(TOTAL), TEST_MONTH_NS + took_ns);
    ck_assert_uint_eq(misuses(), 0);
}
END_TEST

START_TEST(an_end_needs_a_begin_or_times)
{
    end();
    ck_assert_uint_eq(misuses(), 1);
    ck_assert_uint_eq(told(TOTAL), UNKNOWN);
    end_given(100);
    ck_assert_uint_eq(misuses(), 1);
    ck_assert_uint_eq(told(TOTAL), 100);
    begin();
    ck_assert_uint_ne(told(OPEN), UNKNOWN);
    end();
    uint64_t total_ns = told(TOTAL);
    end();
    ck_assert_uint_eq(misuses(), 2);
    ck_assert_uint_eq(told(TOTAL), total_ns);
    ck_assert_uint_eq(told(OPEN), UNKNOWN);
}
END_TEST

/* Compiles n times, one after the other. */
static void expect_times(int n)
{
    uint64_t before_ns = told(TOTAL), from_ns = test_clock_ns();
    if (before_ns == UNKNOWN)
        before_ns = 0;
    for (int i = 0; i < n; i++) {
        begin();
        busy();
        end();
    }
    uint64_t took_ns = test_clock_ns() - from_ns;
    ck_assert_uint_ge(told(TOTAL), before_ns + (uint64_t)n * WHILE_NS);
    ck_assert_uint_le(told(TOTAL), before_ns + took_ns);
    ck_assert_uint_eq(told(OPEN), UNKNOWN);
}

/* The thread begins again: its earlier compilation ended at an unknown time. */
START_TEST(a_lost_end_takes_no_other_times)
{
    begin();
    uint64_t since_ns = told(OPEN);
    busy();
    begin();
    ck_assert_uint_gt(told(OPEN), since_ns);
    ck_assert_uint_eq(told(TOTAL), UNKNOWN);
    expect_times(5);
    ck_assert_uint_eq(misuses(), 0);
}
END_TEST

/* Times of other threads' compilations stay known. Only the time from the lost begin to their begin
 * is unknown. */
START_TEST(a_lost_end_takes_no_times_of_others)
{
    on_other(begin);
    busy();
    uint64_t from_ns = test_clock_ns();
    begin();
    busy();
    end();
    uint64_t took_ns = test_clock_ns() - from_ns;
    ck_assert_uint_ne(told(OPEN), UNKNOWN);
    ck_assert_uint_eq(told(TOTAL), UNKNOWN);
    busy();
    uint64_t again_ns = test_clock_ns();
    on_other(begin);
    ck_assert_uint_ge(told(OPEN), again_ns);
    uint64_t total_ns = told(TOTAL);
    ck_assert_uint_ge(total_ns, WHILE_NS);
    ck_assert_uint_le(total_ns, took_ns);
    on_other(end);
    ck_assert_uint_le(told(TOTAL), total_ns + test_clock_ns() - again_ns);
    expect_times(2);
    ck_assert_uint_eq(misuses(), 0);
}
END_TEST

START_TEST(a_thread_that_ends_leaves_nothing_open)
{
    on_other(begin);
    busy();
    uint64_t since_ns = told(OPEN), from_ns = test_clock_ns();
    begin();
    ck_assert_uint_eq(told(OPEN), since_ns);
    end_other();
    ck_assert_uint_ge(told(OPEN), from_ns);
    busy();
    end();
    ck_assert_uint_ge(told(TOTAL), WHILE_NS);
    ck_assert_uint_le(told(TOTAL), test_clock_ns() - from_ns);
    ck_assert_uint_eq(told(OPEN), UNKNOWN);
    start_other();
    on_other(begin);
    ck_assert_uint_ne(told(OPEN), UNKNOWN);
    end_other();
    ck_assert_uint_eq(told(OPEN), UNKNOWN);
    ck_assert_uint_eq(misuses(), 0);
    start_other();
}
END_TEST

/* A compilation may be handed over: any thread may end it. */
START_TEST(another_thread_may_end_it)
{
    uint64_t from_ns = test_clock_ns();
    begin();
    busy();
    on_other(end);
    uint64_t took_ns = test_clock_ns() - from_ns;
    ck_assert_uint_ge(told(TOTAL), WHILE_NS);
    ck_assert_uint_le(told(TOTAL), took_ns);
    ck_assert_uint_eq(told(OPEN), UNKNOWN);
    on_other(end);
    ck_assert_uint_eq(misuses(), 1);
}
END_TEST

/* A refused end carries no times, but it still ends the compilation. */
START_TEST(a_refused_end_ends)
{
    static const size_t short_of[] = {0, sizeof(size_t), sizeof(struct proftop_compile_times) - 1};
    const struct proftop_compile_times times = {short_of[_i], 1, 2, 3, 4};
    begin();
    busy();
    proftop_compile_end(feed, 0, &times);
    ck_assert_uint_eq(misuses(), 1);
    ck_assert_uint_eq(told(OPEN), UNKNOWN);
    ck_assert_uint_eq(told(TOTAL), UNKNOWN);
    ck_assert_uint_eq(told(LINK), UNKNOWN);
    expect_times(5);
    proftop_compile_end(feed, 0, &times); /* without a begin */
    ck_assert_uint_eq(misuses(), 2);
    expect_times(1);
}
END_TEST

/* More compilations than a feed tracks by thread. */
enum { MANY = 200 };

/* The value of the last function with rows. */
static uint64_t told_last(int column)
{
    uint32_t rows = ask("F", WIRE_G_COMPILE);
    ck_assert_uint_eq(u[FUNCTION][rows - 1], MANY);
    return u[column][rows - 1];
}

/* If more compilations are open than the feed tracks by thread, it only counts begins and ends. So
 * it does not notice that an end was lost, and a viewer sees by this that so many are open. */
START_TEST(any_number_may_be_open)
{
    proftop_id last = 0;
    begin();
    for (int i = 0; i < MANY; i++) {
        last = proftop_function(
            feed, &(struct proftop_function_info){.size = sizeof(struct proftop_function_info)});
        proftop_compile_begin(feed, last);
    }
    ck_assert_uint_ne(told_last(OPEN), UNKNOWN);
    busy();
    proftop_compile_end(feed, last, NULL);
    ck_assert_uint_eq(told_last(OPEN), UNKNOWN);
    ck_assert_uint_ge(told_last(TOTAL), WHILE_NS);
    proftop_compile_begin(feed, last);
    proftop_compile_begin(feed, last);
    proftop_compile_end(feed, last, NULL);
    ck_assert_uint_ne(told_last(OPEN), UNKNOWN);
    proftop_compile_end(feed, last, NULL);
    ck_assert_uint_eq(told_last(OPEN), UNKNOWN);
    for (proftop_id id = 0; id < last; id++)
        proftop_compile_end(feed, id, NULL);
    proftop_compile_begin(feed, last);
    proftop_compile_begin(feed, last);
    proftop_compile_end(feed, last, NULL);
    ck_assert_uint_eq(told_last(OPEN), UNKNOWN);
    ck_assert_uint_eq(misuses(), 0);
}
END_TEST

/* If a function's calls turn out to be invisible, they are unknown from then on. Earlier counts
 * stay. */
START_TEST(calls_that_nobody_sees_are_unknown)
{
    enum { CALLS = 1, NS = 2 };
    proftop_id called = proftop_function(
        feed, &(struct proftop_function_info){.size = sizeof(struct proftop_function_info)});
    proftop_call_end(feed, called, proftop_call_begin(feed, called));
    ck_assert_uint_eq(ask("F", WIRE_G_CALLS), 2);
    ck_assert_uint_eq(u[CALLS][0], 0);
    for (proftop_id id = 0; id <= called + 1; id++)
        proftop_function_unseen(feed, id);
    ck_assert_uint_eq(ask("F", WIRE_G_CALLS), 2);
    ck_assert_uint_eq(u[CALLS][0], UNKNOWN);
    ck_assert_uint_eq(u[NS][0], UNKNOWN);
    ck_assert_uint_eq(u[CALLS][1], 1);
    ck_assert_uint_eq(misuses(), 1);
}
END_TEST

static int ready[2], let[2];

/* A compilation that the parent began is not the child's. */
static void as_child(int unused)
{
    (void)unused;
    char byte = 0;
    struct proftop *own = proftop_open_child(feed);
    CHILD_NEEDS(proftop_is_on(own));
    feed = own;
    end();
    begin();
    for (int i = 0; i < 2; i++) {
        CHILD_NEEDS(write(ready[1], &byte, 1) == 1);
        CHILD_NEEDS(read(let[0], &byte, 1) == 1);
        end();
    }
    proftop_close(own);
}

START_TEST(a_child_begins_anew)
{
    char byte = 0;
    begin();
    ck_assert_int_eq(pipe(ready), 0);
    ck_assert_int_eq(pipe(let), 0);
    pid_t child = process_start(as_child, 0);
    ck_assert_int_eq(read(ready[0], &byte, 1), 1);
    client_close(&client);
    client_open(&client, child);
    ck_assert_uint_eq(misuses(), 1);
    ck_assert_uint_ne(told(OPEN), UNKNOWN);
    ck_assert_uint_eq(told(TOTAL), UNKNOWN);
    ck_assert_int_eq(write(let[1], &byte, 1), 1);
    ck_assert_int_eq(read(ready[0], &byte, 1), 1);
    ck_assert_uint_eq(told(OPEN), UNKNOWN);
    ck_assert_uint_lt(told(TOTAL), TEST_MONTH_NS);
    ck_assert_uint_eq(misuses(), 1);
    client_close(&client);
    ck_assert_int_eq(write(let[1], &byte, 1), 1);
    process_join(child);
    client_open(&client, getpid());
    ck_assert_uint_ne(told(OPEN), UNKNOWN);
    end();
    ck_assert_uint_eq(told(OPEN), UNKNOWN);
    ck_assert_uint_eq(misuses(), 0);
}
END_TEST

/* The name that screens show for an op, beside its text. */
START_TEST(an_op_may_have_a_display)
{
    const proftop_id cls = proftop_class(feed, "Elemwise");
    const proftop_id op = proftop_op_displayed(feed, cls, "Composite{...}", "sqr(i0) + i1");
    ck_assert_uint_eq(proftop_op(feed, cls, "plain"), op + 1);
    ck_assert_uint_eq(proftop_op_displayed(feed, cls, "other", NULL), op + 2);
    ck_assert_uint_eq(proftop_op_displayed(feed, cls, "last", "i0"), op + 3);
    ck_assert_uint_eq(ask("D", WIRE_G_DISPLAY), 2);
    ck_assert_uint_eq(u[0][0], op);
    ck_assert_uint_eq(u[0][1], op + 3);
    expect_text(&t[1][0], "sqr(i0) + i1");
    expect_text(&t[1][1], "i0");
    ck_assert_uint_ge(take(WIRE_G_OP), 4);
    expect_text(&t[1][op - client.frame.group[WIRE_G_OP].from], "Composite{...}");
    ck_assert_uint_eq(misuses(), 0);
}
END_TEST

/* proftop_node() finds functions, classes and ops by their names; each call makes an apply. */
START_TEST(a_node_is_defined_by_names)
{
    const struct node {
        const char *function, *op_class, *op, *text;
        uint32_t made[3]; /* number of the function, class and op among those of this case */
        uint32_t index;
    } nodes[] = {
        {"step", "Elemwise", "add", "add(x, 1)", {0, 0, 0}, 0},
        {"step", "Elemwise", "add", NULL, {0, 0, 0}, 1},
        {"step", "Elemwise", "mul", "mul(x, y)", {0, 0, 1}, 2},
        {"step", "Reduce", "add", "add(x)", {0, 1, 2}, 3}, /* an op of another class */
        {"other", "Reduce", "add", "add(y)", {1, 1, 2}, 0},
        {"step", "Elemwise", "mul", NULL, {0, 0, 1}, 4},
        {NULL, NULL, NULL, NULL, {2, 2, 3}, 0}, /* names may be empty */
        {"", "", "", "", {2, 2, 3}, 1},
    };
    static const char *const ops[] = {"add", "mul", "add", ""};
    enum { NODES = sizeof nodes / sizeof *nodes };
    /* The other definitions are not found by their names. */
    const proftop_id cls = proftop_class(feed, "Elemwise"), op = proftop_op(feed, cls, "add");
    const uint32_t functions = 1;
    for (uint32_t i = 0; i < NODES; i++)
        ck_assert_uint_eq(proftop_node(feed, nodes[i].function, nodes[i].op_class, nodes[i].op,
                                       nodes[i].text),
                          first + 4 + i);
    ck_assert_uint_eq(ask("D", WIRE_G_APPLY), 4 + NODES);
    for (uint32_t i = 0; i < NODES; i++) {
        const uint32_t row = 4 + i;
        ck_assert_uint_eq(u[0][row], functions + nodes[i].made[0]);
        ck_assert_uint_eq(u[1][row], op + 1 + nodes[i].made[2]);
        ck_assert_uint_eq(u[2][row], nodes[i].index);
    }
    expect_text(&t[3][4], "add(x, 1)");
    ck_assert_uint_eq(take(WIRE_G_OP), op + 1 + 4);
    for (uint32_t i = 0; i < 4; i++)
        expect_text(&t[1][op + 1 + i], ops[i]);
    for (uint32_t i = 0; i < NODES; i++)
        ck_assert_uint_eq(u[0][op + 1 + nodes[i].made[2]], cls + 1 + nodes[i].made[1]);
    ck_assert_uint_eq(take(WIRE_G_FUNCTION), functions + 3);
    expect_text(&t[0][functions], "step");
    expect_text(&t[0][functions + 1], "other");
    ck_assert_uint_eq(misuses(), 0);
    proftop_end(feed, first + 4, proftop_begin(feed, first + 4)); /* PROFTOP_TIMED */
    ck_assert_uint_eq(misuses(), 0);
    ck_assert_uint_eq(proftop_node(NULL, "step", "Elemwise", "add", NULL), PROFTOP_NONE);
}
END_TEST

/* A child's nodes continue the functions and ops of its parent. */
static void define_as_child(int unused)
{
    (void)unused;
    struct proftop *own = proftop_open_child(feed);
    CHILD_NEEDS(proftop_node(own, "step", "Elemwise", "add", NULL) == first + 5);
    CHILD_NEEDS(proftop_node(own, "step", "Elemwise", "mul", NULL) == first + 6);
    client_open(&client, getpid());
    CHILD_NEEDS(ask("D", WIRE_G_APPLY) == 7);
    CHILD_NEEDS(u[0][5] == u[0][4] && u[1][5] == u[1][4] && u[2][5] == 1);
    CHILD_NEEDS(u[0][6] == u[0][4] && u[1][6] == u[1][4] + 1 && u[2][6] == 2);
    CHILD_NEEDS(take(WIRE_G_FUNCTION) == 2);
    client_close(&client);
    proftop_close(own);
}

START_TEST(a_child_continues_its_parents_nodes)
{
    ck_assert_uint_eq(proftop_node(feed, "step", "Elemwise", "add", NULL), first + 4);
    client_close(&client);
    process_join(process_start(define_as_child, 0));
    ck_assert_uint_eq(proftop_node(feed, "step", "Elemwise", "add", NULL), first + 5);
    client_open(&client, getpid());
}
END_TEST

/* An old program's struct has no such member. If no apply waits, the group is not sent. */
START_TEST(an_apply_may_wait)
{
    struct proftop_apply_info info = {.size = offsetof(struct proftop_apply_info, waits)};
    info.op = proftop_op(feed, proftop_class(feed, "Engine"), "WaitForAll");
    info.waits = PROFTOP_WAITS;
    const proftop_id old = proftop_apply(feed, &info);
    ck_assert_uint_ne(old, PROFTOP_NONE);
    ck_assert_uint_eq(ask("D", WIRE_G_WAITS), 0);
    info.size = sizeof info;
    const proftop_id own = proftop_apply(feed, &info);
    info.waits = PROFTOP_WORKS;
    const proftop_id works = proftop_apply(feed, &info);
    info.waits = PROFTOP_WAITS_FOR_JOBS;
    const proftop_id jobs = proftop_apply(feed, &info);
    info.waits = PROFTOP_ASIDE;
    const proftop_id aside = proftop_apply(feed, &info);
    info.waits++;
    ck_assert_uint_eq(proftop_apply(feed, &info), PROFTOP_NONE);
    ck_assert_uint_eq(ask("D", WIRE_G_WAITS), 3);
    ck_assert_uint_eq(u[0][0], own);
    ck_assert_uint_eq(u[1][0], 1);
    ck_assert_uint_eq(u[0][1], jobs);
    ck_assert_uint_eq(u[1][1], 2);
    ck_assert_uint_eq(u[0][2], aside);
    ck_assert_uint_eq(u[1][2], 3);
    ck_assert_uint_eq(take(WIRE_G_APPLY), aside + 1);
    ck_assert_uint_lt(old, works);
    ck_assert_uint_eq(misuses(), 1);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("define");
    add(s, "compilation_by_two_threads_counts_once", compilation_by_two_threads_counts_once);
    TAP_ADD_BETWEEN(s, last_end_ends_the_compilation, 1, setup_two, teardown_two);
    TAP_ADD_BETWEEN(s, given_times_add_up, 1, setup_two, teardown_two);
    TAP_ADD_BETWEEN(s, given_times_are_part_of_the_whole, 2, setup_two, teardown_two);
    add(s, "an_op_may_have_a_display", an_op_may_have_a_display);
    add(s, "an_apply_may_wait", an_apply_may_wait);
    add(s, "a_node_is_defined_by_names", a_node_is_defined_by_names);
    add(s, "an_end_needs_a_begin_or_times", an_end_needs_a_begin_or_times);
    add(s, "a_lost_end_takes_no_other_times", a_lost_end_takes_no_other_times);
    TAP_ADD_BETWEEN(s, a_lost_end_takes_no_times_of_others, 1, setup_two, teardown_two);
    TAP_ADD_BETWEEN(s, a_thread_that_ends_leaves_nothing_open, 1, setup_two, teardown_two);
    TAP_ADD_BETWEEN(s, another_thread_may_end_it, 1, setup_two, teardown_two);
    TAP_ADD_BETWEEN(s, a_refused_end_ends, 3, setup, teardown);
    add(s, "any_number_may_be_open", any_number_may_be_open);
    add(s, "calls_that_nobody_sees_are_unknown", calls_that_nobody_sees_are_unknown);
    if (!PROCESS_TSAN) /* TSan allows no threads in a child forked beside threads */
        tap_native(TAP_ADD_BETWEEN(s, a_child_begins_anew, 1, setup, teardown));
    if (!PROCESS_TSAN)
        tap_native(TAP_ADD_BETWEEN(s, a_child_continues_its_parents_nodes, 1, setup, teardown));
    return s;
}

TAP_MAIN(suite)

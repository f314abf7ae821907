/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * check_misuse.c: large numbers of invalid calls: bad ids, tokens ended twice, elsewhere or never,
 * bad texts, calls from handlers of signals and of exit. The job continues, and the counts of
 * refused calls are exact.
 */
#include "tap.h"

#include <pthread.h>
#include <signal.h>
#include <sys/wait.h>

#include "client.h"
#include "proftop_adapter.h"

enum { ROUNDS = 1000, LARGE = 1 << 20 };

static void call_all(struct proftop *feed, proftop_id id, const char *text)
{
    struct proftop_token wild = {.start = 2, .outer = id}, untimed = {.start = PROFTOP_UNTIMED};
    proftop_op(feed, id, text);
    proftop_end(feed, id, proftop_begin(feed, id));
    proftop_fail(feed, id, wild);
    proftop_end(feed, id, wild);
    proftop_end(feed, id, untimed);
    proftop_record(feed, id, PROFTOP_UNKNOWN);
    proftop_set(feed, id, PROFTOP_UNKNOWN, 1);
    proftop_call_end(feed, id, proftop_call_begin(feed, id));
    proftop_call_fail(feed, id, wild);
    proftop_call_end_in_vm(feed, id, wild);
    proftop_call_set(feed, id, UINT64_MAX - 1, 1);
    proftop_vm(feed, id, UINT64_MAX);
    proftop_function_unseen(feed, id);
    proftop_compile_begin(feed, id);
    proftop_compile_end(feed, id, NULL);
    proftop_thread_name(feed, text);
    proftop_route(feed, text);
    proftop_facts(feed, text);
    proftop_rank(feed, id, id);
    proftop_notice(feed, (int)id, text);
}

static const proftop_id wrong_ids[] = {7, 1u << 16, 1u << 22, INT32_MAX, PROFTOP_NONE};

/* The number of refused calls that a viewer receives. */
static uint64_t misuse_seen(struct client *c)
{
    client_hello(c);
    return c->frame.field[WIRE_F_MISUSE].u;
}

START_TEST(wrong_ids_are_counted)
{
    struct client c;
    struct proftop *feed = client_feed();
    client_graph(feed, 1, PROFTOP_TIMED);
    client_open(&c, getpid());
    call_all(feed, wrong_ids[_i], "storm");
    uint64_t once = misuse_seen(&c);
    ck_assert_uint_eq(once, 16); /* all but the three that take only a text */
    for (int i = 1; i < ROUNDS; i++)
        call_all(feed, wrong_ids[_i], "storm");
    ck_assert_uint_eq(misuse_seen(&c), once * ROUNDS);
    client_snapshot(&c, "DFA", 2);
    ck_assert_uint_eq(c.apply[0].calls, 0);
    client_end(&c, feed);
}
END_TEST

static const char *make_text(int kind)
{
    static char text[LARGE + 1];
    static const char *const some[] = {NULL, "", "\x1b]0;x\a\r\n\t\x7f", "\xff\xc3\xed\xa0\x80"};
    if (kind < TAP_ROWS(some))
        return some[kind];
    memset(text, kind == TAP_ROWS(some) ? 'x' : '\xe2', LARGE);
    return text;
}

/* Any text makes a row, and its frame is valid. */
START_TEST(texts_of_any_bytes)
{
    const char *text = make_text(_i);
    struct client c;
    struct proftop_options options = {sizeof options, 0, text, text, text};
    client_place();
    struct proftop *feed = proftop_open(&options);
    ck_assert_str_eq(proftop_reason(feed), "");
    struct proftop_function_info f = {.size = sizeof f, .name = text, .file = text};
    struct proftop_apply_info a = {.size = sizeof a, .text = text, .location = text};
    a.function = proftop_function(feed, &f);
    a.op = proftop_op(feed, proftop_class(feed, text), text);
    proftop_id apply = proftop_apply(feed, &a);
    ck_assert_uint_eq(apply, 0);
    call_all(feed, apply, text);
    client_open(&c, getpid());
    client_hello(&c);
    client_snapshot(&c, "DFANE", 2);
    ck_assert_uint_eq(c.defs[WIRE_T_APPLY], 1);
    ck_assert_uint_ge(c.apply[apply].calls, 1);
    client_end(&c, feed);
}
END_TEST

struct handed {
    struct proftop *feed;
    struct proftop_token token;
};

static void *end_twice(void *argument)
{
    struct handed *handed = argument;
    proftop_end(handed->feed, 0, handed->token);
    proftop_end(handed->feed, 0, handed->token);
    return NULL;
}

/* Each end counts one call, from any thread. A begin without an end counts none. */
START_TEST(tokens_go_astray)
{
    struct client c;
    struct proftop *feed = client_feed();
    client_graph(feed, 2, PROFTOP_TIMED);
    for (int i = 0; i < 50; i++) {
        pthread_t thread;
        struct handed handed = {feed, proftop_begin(feed, 0)};
        proftop_begin(feed, 1); /* never ended */
        ck_assert_int_eq(pthread_create(&thread, NULL, end_twice, &handed), 0);
        proftop_end(feed, 0, handed.token);
        pthread_join(thread, NULL);
    }
    client_open(&c, getpid());
    client_snapshot(&c, "DA", 1);
    ck_assert_uint_eq(c.apply[0].calls, 150);
    ck_assert_uint_eq(c.apply[1].calls, 0);
    client_end(&c, feed);
}
END_TEST

/* True if a viewer receives an apply that runs now. */
static bool runs(struct client *c)
{
    client_pace(c);
    client_ask(c, (struct client_request){.q = "snapshot", .want = "N", .req = 2, .credit = 1});
    client_expect(c, c->dealer, WIRE_NOW);
    ck_assert(c->frame.group[WIRE_G_NOW].present);
    return c->frame.group[WIRE_G_NOW].count > 0;
}

/* Nested, recursive, ended twice, in the wrong order or with another id: each end counts one call
 * of the id given to it, and at the end no apply runs. */
START_TEST(ends_in_any_order)
{
    struct client c;
    struct proftop *feed = client_feed();
    client_graph(feed, 2, PROFTOP_TIMED);
    client_open(&c, getpid());
    for (int i = 0; i < ROUNDS; i++) {
        struct proftop_token a = proftop_begin(feed, 0);
        ck_assert(i > 0 || runs(&c));
        struct proftop_token b = proftop_begin(feed, 1);
        struct proftop_token inner = proftop_begin(feed, 1);
        proftop_end(feed, 1, inner);
        proftop_end(feed, 1, inner);
        proftop_end(feed, 0, a);
        proftop_end(feed, 1, b);
        proftop_end(feed, 0, a);
        a = proftop_begin(feed, 0);
        inner = proftop_begin(feed, 1);
        proftop_end(feed, 1, inner);
        proftop_end(feed, 0, a);
        proftop_end(feed, 1, inner); /* and `a` is not running again */
        ck_assert(!runs(&c));
        struct proftop_token other = proftop_begin(feed, 0);
        proftop_end(feed, 1, other);
        proftop_fail(feed, 0, other);
        ck_assert(!runs(&c));
    }
    client_snapshot(&c, "DA", 1);
    ck_assert_uint_eq(c.apply[0].calls, 3 * ROUNDS);
    ck_assert_uint_eq(c.apply[1].calls, 6 * ROUNDS);
    client_end(&c, feed);
}
END_TEST

/* An id of one feed used in another: it counts if defined there too, else it is misuse. */
START_TEST(ids_of_another_feed)
{
    struct client c;
    struct proftop *one = client_feed(), *two = client_feed();
    client_graph(one, 1, PROFTOP_TIMED);
    client_graph(two, 5, PROFTOP_TIMED);
    for (int i = 0; i < ROUNDS; i++) {
        struct proftop_token token = proftop_begin(two, 4);
        proftop_end(one, 4, token);
        proftop_end(two, 4, token);
    }
    client_open(&c, getpid());
    client_hello(&c);
    ck_assert_uint_eq(c.frame.field[WIRE_F_MISUSE].u, ROUNDS);
    client_close(&c);
    proftop_close(two);
    proftop_close(one);
    client_clean();
}
END_TEST

/* Definitions beyond the table limits are refused and counted one by one. */
START_TEST(too_many_definitions)
{
    struct client c;
    struct proftop *feed = client_feed();
    uint64_t refused = 0;
    for (uint32_t i = 0; i < 1000000; i++)
        refused += proftop_class(feed, "c") == PROFTOP_NONE;
    ck_assert_uint_eq(refused, 1000000 - WIRE_CLASSES_MAX);
    client_open(&c, getpid());
    client_hello(&c);
    ck_assert_uint_eq(c.frame.field[WIRE_F_DROPPED].u, refused);
    client_end(&c, feed);
}
END_TEST

/* ------------------------------------------------------------------------------------ handlers */

static struct proftop *handled;

static void count_in_handler(int signal)
{
    (void)signal;
    proftop_end(handled, 0, proftop_begin(handled, 0));
    proftop_record(handled, 1, 1);
}

/* A handler that interrupts the update of its own row may lose that call, but no more. */
START_TEST(a_handler_that_counts)
{
    struct client c;
    struct sigaction action = {.sa_handler = count_in_handler};
    handled = client_feed();
    client_graph(handled, 1, PROFTOP_TIMED);
    client_graph(handled, 1, PROFTOP_GIVEN);
    proftop_end(handled, 0, proftop_begin(handled, 0)); /* the first touch takes a lock */
    proftop_record(handled, 1, 1);
    ck_assert_int_eq(sigaction(SIGUSR1, &action, NULL), 0);
    for (int i = 0; i < ROUNDS; i++) {
        struct proftop_token token = proftop_begin(handled, 0);
        raise(SIGUSR1);
        proftop_end(handled, 0, token);
    }
    client_open(&c, getpid());
    client_snapshot(&c, "DA", 1);
    ck_assert_uint_eq(c.apply[0].calls, 2 * ROUNDS + 1);
    ck_assert_uint_eq(c.apply[1].calls, ROUNDS + 1);
    client_end(&c, handled);
}
END_TEST

static void close_at_exit(void)
{
    proftop_end(handled, 0, proftop_begin(handled, 0));
    proftop_close(handled);
    call_all(handled, 0, "late");
    proftop_close(handled);
}

/* Exit handlers open, count and close twice: the process ends as usual. */
START_TEST(closed_at_exit)
{
    int status;
    client_place();
    pid_t pid = fork();
    ck_assert_int_ge(pid, 0);
    if (pid == 0) {
        handled = client_feed();
        client_graph(handled, 1, PROFTOP_TIMED);
        atexit(close_at_exit);
        exit(7);
    }
    ck_assert_int_eq(waitpid(pid, &status, 0), pid);
    ck_assert_msg(WIFEXITED(status) && WEXITSTATUS(status) == 7, "status %#x", status);
    ck_assert_int_eq(client_count(client_place(), ""), 2);
    client_clean();
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("misuse");
    tap_add_loop(s, "wrong_ids_are_counted", wrong_ids_are_counted, TAP_ROWS(wrong_ids));
    tap_add_loop(s, "texts_of_any_bytes", texts_of_any_bytes, 6);
    tap_add(s, "tokens_go_astray", tokens_go_astray);
    tap_add(s, "ends_in_any_order", ends_in_any_order);
    tap_add(s, "ids_of_another_feed", ids_of_another_feed);
    tap_add(s, "too_many_definitions", too_many_definitions);
    tap_add(s, "a_handler_that_counts", a_handler_that_counts);
    tap_native(tap_add(s, "closed_at_exit", closed_at_exit));
    return s;
}

TAP_MAIN(suite)

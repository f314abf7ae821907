/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * check_count_filter.c: count filters: kinds, functions by name, and everything without a viewer.
 */
#include "tap.h"

#include <locale.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

#include "feed/shared/pattern.h"
#include "proftop_adapter.h"
#include "proftop_objects.h"
#include "steer.h"

static const struct {
    const char *key;
    enum proftop_kind kind;
} kinds[] = {
    {"profile_symbolic", PROFTOP_SYMBOLIC},
    {"profile_imperative", PROFTOP_IMPERATIVE},
    {"profile_api", PROFTOP_CALL},
};

/* One apply of each kind, with ops k0, k1 and k2. */
static void define_kinds(struct proftop *feed, proftop_id id[3])
{
    proftop_id op_class = proftop_class(feed, "c");
    struct proftop_function_info f = {.size = sizeof f, .name = "f"};
    proftop_id function = proftop_function(feed, &f);
    for (uint32_t i = 0; i < 3; i++) {
        char name[] = "k0";
        name[1] = (char)('0' + i);
        struct proftop_apply_info apply = {.size = sizeof apply,
                                           .function = function,
                                           .op = proftop_op(feed, op_class, name),
                                           .index = i,
                                           .kind = kinds[i].kind};
        id[i] = proftop_apply(feed, &apply);
    }
}

static void run_kinds(struct proftop *feed, const proftop_id id[3])
{
    for (int i = 0; i < 3; i++)
        run(feed, id[i], 10);
}

/* Each switch stops its kind, on threads that have touched it and on others. */
START_TEST(kinds_stand_still)
{
    struct proftop *feed = client_feed();
    const char *off[] = {kinds[_i].key, "0", NULL}, *on[] = {"profile_all", "1", NULL};
    const char *names[] = {"k0", "k1", "k2"};
    proftop_id id[3];
    define_kinds(feed, id);
    ck_assert_ptr_null(proftop_set_config(feed, off));
    run_kinds(feed, id); /* first touch */
    for (int i = 0; i < 3; i++)
        ck_assert_uint_eq(calls_of(feed, names[i]), i == _i ? 0 : 10);
    ck_assert_ptr_null(proftop_set_config(feed, on));
    run_kinds(feed, id);
    ck_assert_ptr_null(proftop_set_config(feed, off));
    run_kinds(feed, id);
    struct proftop_token token = proftop_begin(feed, id[_i]);
    ck_assert_uint_eq(token.start, 0);
    for (int i = 0; i < 3; i++)
        ck_assert_uint_eq(calls_of(feed, names[i]), i == _i ? 10 : 30);
    proftop_close(feed);
    client_clean();
}
END_TEST

/* Calls open at a switch are not counted, in both directions. Later calls are. */
START_TEST(a_kind_is_switched_amid_a_call)
{
    struct proftop *feed = client_feed();
    const char *off[] = {kinds[_i].key, "0", NULL}, *on[] = {kinds[_i].key, "1", NULL};
    char op[] = "k0";
    op[1] = (char)('0' + _i);
    proftop_id id[3];
    define_kinds(feed, id);
    for (uint64_t round = 1; round <= 200; round++) {
        struct proftop_token open = proftop_begin(feed, id[_i]);
        ck_assert_ptr_null(proftop_set_config(feed, off));
        proftop_end(feed, id[_i], open);
        open = proftop_begin(feed, id[_i]);
        ck_assert_ptr_null(proftop_set_config(feed, on));
        proftop_end(feed, id[_i], open);
        run(feed, id[_i], 1);
        if (round % 50 == 0)
            ck_assert_uint_eq(calls_of(feed, op), round);
    }
    ck_assert(proftop_is_on(feed));
    proftop_close(feed);
    client_clean();
}
END_TEST

static struct busy {
    struct proftop *feed;
    proftop_id id[3];
    atomic_ullong calls;
    atomic_bool stop;
} busy;

static void *be_busy(void *unused)
{
    while (!atomic_load(&busy.stop)) {
        run_kinds(busy.feed, busy.id);
        atomic_fetch_add(&busy.calls, 10);
    }
    return unused;
}

/* With threads inside calls of all kinds, one kind is switched: the others miss nothing. */
START_TEST(kinds_are_switched_beside_busy_threads)
{
    enum { BUSY = 4, CYCLES = 500 };
    static const char *const names[] = {"k0", "k1", "k2"};
    const char *off[] = {kinds[_i].key, "0", NULL}, *on[] = {kinds[_i].key, "1", NULL};
    pthread_t thread[BUSY];
    busy.feed = client_feed();
    define_kinds(busy.feed, busy.id);
    for (int i = 0; i < BUSY; i++)
        ck_assert_int_eq(pthread_create(&thread[i], NULL, be_busy, NULL), 0);
    for (int i = 0; i < CYCLES; i += (int)tap_stride()) {
        ck_assert_ptr_null(proftop_set_config(busy.feed, off));
        ck_assert_ptr_null(proftop_set_config(busy.feed, on));
    }
    atomic_store(&busy.stop, true);
    for (int i = 0; i < BUSY; i++)
        pthread_join(thread[i], NULL);
    uint64_t calls[3];
    for (int i = 0; i < 3; i++) {
        calls[i] = calls_of(busy.feed, names[i]);
        ck_assert_uint_le(calls[i], busy.calls);
        ck_assert(i == _i || calls[i] == busy.calls);
    }
    run_kinds(busy.feed, busy.id);
    for (int i = 0; i < 3; i++) /* the kind that is on again, too */
        ck_assert_uint_eq(calls_of(busy.feed, names[i]), calls[i] + 10);
    proftop_close(busy.feed);
    client_clean();
}
END_TEST

static proftop_id define_in(struct proftop *feed, const char *name, const char *op,
                            proftop_id *function)
{
    struct proftop_function_info f = {.size = sizeof f, .name = name};
    *function = proftop_function(feed, &f);
    struct proftop_apply_info apply = {.size = sizeof apply, .function = *function};
    apply.op = proftop_op(feed, proftop_class(feed, "c"), op);
    return proftop_apply(feed, &apply);
}

/* Calls four functions five times in turn. Each runs its apply once. */
static void call_each(struct proftop *feed, const proftop_id function[4], const proftop_id apply[4])
{
    for (int call = 0; call < 5; call++)
        for (int i = 0; i < 4; i++) {
            struct proftop_token token = proftop_call_begin(feed, function[i]);
            run(feed, apply[i], 1);
            proftop_call_end(feed, function[i], token);
        }
}

START_TEST(functions_are_chosen_by_name)
{
    static const char *const names[] = {"train", "predict", "trainer", NULL};
    static const char *const ops[] = {"o0", "o1", "o2", "o3"};
    static const uint64_t calls[] = {5, 0, 5, 0};
    proftop_id function[4], apply[4];
    setenv("PROFTOP_FUNCTIONS", "trai*,nothing", 1);
    struct proftop *feed = client_feed();
    for (int i = 0; i < 4; i++)
        apply[i] = define_in(feed, names[i], ops[i], &function[i]);
    call_each(feed, function, apply);
    for (int i = 0; i < 4; i++)
        ck_assert_uint_eq(calls_of(feed, ops[i]), calls[i]);
    struct client client;
    client_open(&client, getpid());
    client_snapshot(&client, "DFA", 2);
    for (int i = 0; i < 4; i++)
        ck_assert_int_eq(client.apply[apply[i]].seen, calls[i] != 0);
    client_end(&client, feed);
}
END_TEST

/* `valid` is chosen, wherever it runs: here inside a node of `train`, which is not chosen.
 * Everything inside a node of `valid` is counted too, under any name. */
START_TEST(a_chosen_function_is_counted_inside_another)
{
    static const char *const names[] = {"train", "valid", NULL, "valid"};
    static const char *const ops[] = {"o0", "o1", "o2", "o3"};
    static const uint32_t parent_plus_1[] = {0, 1, 2, 0};
    static const uint64_t calls[] = {0, 5, 5, 5};
    proftop_id function[4], apply[4];
    setenv("PROFTOP_FUNCTIONS", "valid", 1);
    struct proftop *feed = client_feed();
    for (int i = 0; i < 4; i++) {
        struct proftop_function_info f = {
            .size = sizeof f, .name = names[i], .parent_plus_1 = parent_plus_1[i]};
        function[i] = proftop_function(feed, &f);
        struct proftop_apply_info info = {.size = sizeof info, .function = function[i]};
        info.op = proftop_op(feed, proftop_class(feed, "c"), ops[i]);
        apply[i] = proftop_apply(feed, &info);
        ck_assert_uint_eq(apply[i], (uint32_t)i);
    }
    call_each(feed, function, apply);
    for (int i = 0; i < 4; i++)
        ck_assert_uint_eq(calls_of(feed, ops[i]), calls[i]);
    struct client client;
    client_open(&client, getpid());
    client_hello(&client);
    const struct wire_value *field = client.frame.field;
    ck_assert(field[WIRE_F_ONLY].present && !field[WIRE_F_MUTE].present);
    ck_assert_uint_eq(field[WIRE_F_ONLY].text.size, 5);
    ck_assert_int_eq(memcmp(field[WIRE_F_ONLY].text.data, "valid", 5), 0);
    unsetenv("PROFTOP_FUNCTIONS");
    client_end(&client, feed);
}
END_TEST

/* Viewers are told which kinds are left out, as long as they are. */
START_TEST(a_hello_names_the_kinds_that_are_left_out)
{
    const char *off[] = {kinds[_i].key, "0", NULL}, *on[] = {kinds[_i].key, "1", NULL};
    struct proftop *feed = client_feed();
    struct client client;
    client_open(&client, getpid());
    for (int i = 0; i < 3; i++) {
        if (i != 0)
            ck_assert_ptr_null(proftop_set_config(feed, i == 1 ? off : on));
        client_hello(&client);
        ck_assert_int_eq(client.frame.field[WIRE_F_MUTE].present, i == 1);
        ck_assert(i != 1 || client.frame.field[WIRE_F_MUTE].u == 1u << kinds[_i].kind);
        ck_assert(!client.frame.field[WIRE_F_ONLY].present);
    }
    client_end(&client, feed);
}
END_TEST

/* Patterns match bytes, not letters of the locale: the same on each thread. */
START_TEST(patterns_go_by_bytes)
{
    proftop_id function;
    ck_assert_ptr_nonnull(setlocale(LC_ALL, "C.UTF-8"));
    ck_assert(!shared_pattern_leaves_out("tr??in", "tr\xc3\xa4in"));
    ck_assert(!shared_pattern_leaves_out(" f , ,g,  ", "g"));
    ck_assert(shared_pattern_leaves_out(" f , ,g,  ", NULL)); /* a blank is no name */
    ck_assert(!shared_pattern_leaves_out("", "g"));
    char longest[SHARED_PATTERNS_SIZE + 1] = {0};
    memset(longest, 'x', SHARED_PATTERNS_SIZE);
    ck_assert(!shared_pattern_leaves_out(longest, "g")); /* no job has such a name */
    longest[SHARED_PATTERNS_SIZE - 1] = 0;
    ck_assert(shared_pattern_leaves_out(longest, "g"));
    setenv("PROFTOP_FUNCTIONS", "tr?in", 1);
    struct proftop *feed = client_feed();
    run(feed, define_in(feed, "tr\xc3\xa4in", OP, &function), 1);
    ck_assert_uint_eq(calls_of(feed, OP), 0);
    unsetenv("PROFTOP_FUNCTIONS");
    setlocale(LC_ALL, "C");
    proftop_close(feed);
    client_clean();
}
END_TEST

#define TEN(text) text text text text text text text text text text
#define LONGEST   TEN(TEN("abcdefghi,")) "and 23 bytes more: 1023"

/* Viewers are told about settings of the environment that cannot be applied. The expected result:
 * whether one apply of a function f is counted. */
static const struct {
    const char *name, *value, *notice;
    uint64_t calls;
} asked[] = {
    {"PROFTOP_FUNCTIONS", LONGEST, "", 0},
    {"PROFTOP_FUNCTIONS", LONGEST ".",
     "PROFTOP_FUNCTIONS can't be 'abcdefghi,abcdefghi,abcdefghi,abcdefghi,abcdefghi,abcdefghi,abcd'"
     ": it must be patterns, not blanks alone, in less than 1024 bytes; all functions are counted"
     "\n",
     1},
    {"PROFTOP_FUNCTIONS", "", "", 1},
    {"PROFTOP_FUNCTIONS", "g, f", "", 1},
    {"PROFTOP_FUNCTIONS", " g,\tf ,", "", 1},
    {"PROFTOP_FUNCTIONS", " , ",
     "PROFTOP_FUNCTIONS can't be ' , ': it must be patterns, not blanks alone, in less than 1024 "
     "bytes; all functions are counted\n",
     1},
    {"PROFTOP_ON_DEMAND", "yes",
     "PROFTOP_ON_DEMAND can't be 'yes': it must be 0 or 1; applies are counted all the time\n", 1},
    {"PROFTOP_ON_DEMAND", "1", "", 0},
    {"PROFTOP_ON_DEMAND", "0", "", 1},
    {"PROFTOP_BUDGET", "5 %",
     "PROFTOP_BUDGET can't be '5 %': it must be a percentage from 0 to 100; 2 is kept to\n", 1},
    {"PROFTOP_BUDGET", "5%", "", 1},
    {"PROFTOP_BUDGET", "", "", 1},
};

START_TEST(the_environment_is_not_ignored_silently)
{
    proftop_id function;
    setenv(asked[_i].name, asked[_i].value, 1);
    struct proftop *feed = client_feed();
    run(feed, define_in(feed, "f", OP, &function), 1);
    ck_assert_uint_eq(calls_of(feed, OP), asked[_i].calls);
    struct client client;
    client_open(&client, getpid());
    ck_assert_str_eq(client_notices(&client), asked[_i].notice);
    client_end(&client, feed);
    unsetenv(asked[_i].name);
}
END_TEST

static void call(struct proftop *feed, proftop_id function, proftop_id apply, int times)
{
    for (int i = 0; i < times; i++) {
        struct proftop_token token = proftop_call_begin(feed, function);
        run(feed, apply, 10);
        proftop_call_end(feed, function, token);
    }
}

/* Calls of the only function, as a client without subscriptions receives them in a snapshot. */
static uint64_t function_calls(void)
{
    static uint64_t column[4][WIRE_FRAME_ROWS];
    struct client client;
    client_open(&client, getpid());
    client_ask(&client,
               (struct client_request){.q = "snapshot", .want = "F", .req = 9, .credit = 4});
    client_expect(&client, client.dealer, WIRE_FUNCTIONS);
    ck_assert_uint_eq(client_columns(&client.frame, WIRE_G_CALLS, column), 1);
    client_close(&client);
    return column[1][0];
}

/* Without a viewer only functions are counted. A viewer enables applies until it leaves. */
START_TEST(on_demand)
{
    proftop_id function;
    setenv("PROFTOP_ON_DEMAND", "1", 1);
    struct proftop *feed = client_feed();
    proftop_id apply = define_in(feed, "f", OP, &function);
    call(feed, function, apply, 3);
    ck_assert_uint_eq(function_calls(), 3);
    call(feed, function, apply, 1);
    ck_assert_uint_eq(calls_of(feed, OP), 0);
    struct client client;
    client_open(&client, getpid());
    client_subscribe(&client, "");
    uint64_t deadline = process_now_ms() + CLIENT_PATIENCE_MS;
    for (struct proftop_token token = {0}; token.start == 0;) {
        token = proftop_begin(feed, apply);
        proftop_end(feed, apply, token);
        ck_assert_uint_lt(process_now_ms(), deadline);
        sched_yield();
    }
    ck_assert_uint_eq(calls_of(feed, OP), 1);
    client_hello(&client);
    ck_assert_uint_eq(client.frame.field[WIRE_F_COLLECT].u, 2);
    call(feed, function, apply, 5);
    ck_assert_uint_eq(calls_of(feed, OP), 1 + 5 * 10);
    client_close(&client);
    deadline = process_now_ms() + CLIENT_PATIENCE_MS;
    for (struct proftop_token token = {.start = 1}; token.start != 0;) {
        token = proftop_begin(feed, apply);
        proftop_end(feed, apply, token);
        ck_assert_uint_lt(process_now_ms(), deadline);
        sched_yield();
    }
    const uint64_t seen = calls_of(feed, OP);
    call(feed, function, apply, 7);
    ck_assert_uint_eq(function_calls(), 3 + 1 + 5 + 7);
    ck_assert_uint_eq(calls_of(feed, OP), seen);
    proftop_close(feed);
    client_clean();
}
END_TEST

/* Whether detail is due in each of n calls, as digits. */
static const char *due(struct proftop *feed, proftop_id apply, uint32_t one_in, int n)
{
    static char digits[16];
    for (int i = 0; i < n; i++)
        digits[i] = (char)('0' + proftop_detail_due(feed, apply, one_in));
    digits[n] = 0;
    return digits;
}

/* Value of a metric of an apply, as a client without subscriptions receives it in a snapshot;
 * UINT64_MAX: none. */
static uint64_t metric_of(proftop_id metric, proftop_id apply)
{
    enum { APPLY, METRIC, ADDS, VALUE };
    static uint64_t column[4][WIRE_FRAME_ROWS];
    uint64_t value = UINT64_MAX;
    struct client client;
    client_open(&client, getpid());
    client_ask(&client,
               (struct client_request){.q = "snapshot", .want = "I", .req = 9, .credit = 4});
    do {
        ck_assert(client_receive(&client, client.dealer, CLIENT_PATIENCE_MS));
        const uint32_t rows = client_columns(&client.frame, WIRE_G_M, column);
        for (uint32_t i = 0; i < rows; i++)
            if (column[APPLY][i] == apply && column[METRIC][i] == metric && column[ADDS][i] != 0)
                value = column[VALUE][i];
    } while (client.frame.stream != WIRE_REPLY);
    client_close(&client);
    return value;
}

/* Uncounted calls need no detail and do not advance the interval of the others. */
START_TEST(detail_is_due_where_calls_are_counted)
{
    static const char *const off[] = {"profile_symbolic", "0", NULL};
    static const char *const on[] = {"profile_symbolic", "1", NULL};
    proftop_id function;
    setenv("PROFTOP_FUNCTIONS", "f", 1);
    struct proftop *feed = client_feed();
    proftop_id apply = define_in(feed, "f", OP, &function);
    proftop_id left_out = define_in(feed, "g", "left out", &function);
    proftop_id metric = proftop_metric(feed, "m", NULL, PROFTOP_SUM);
    for (uint64_t i = 1; i <= 2; i++) {
        proftop_metric_add(feed, metric, left_out, i);
        proftop_metric_add(feed, metric, apply, 10 * i);
    }
    ck_assert_uint_eq(metric_of(metric, left_out), UINT64_MAX);
    ck_assert_uint_eq(metric_of(metric, apply), 30);
    ck_assert_str_eq(due(feed, left_out, 1, 3), "000");
    ck_assert_str_eq(due(feed, apply, 3, 4), "1001"); /* without a viewer: totals are kept */
    ck_assert_ptr_null(proftop_pause(feed, NULL));
    ck_assert_str_eq(due(feed, apply, 3, 4), "0000");
    ck_assert_ptr_null(proftop_resume(feed, NULL));
    ck_assert_str_eq(due(feed, apply, 3, 3), "001");
    ck_assert_ptr_null(proftop_set_state(feed, "stop", NULL));
    ck_assert_str_eq(due(feed, apply, 1, 3), "000");
    ck_assert_ptr_null(proftop_set_state(feed, "run", NULL));
    ck_assert_ptr_null(proftop_set_config(feed, off));
    ck_assert_str_eq(due(feed, apply, 1, 3), "000");
    ck_assert_ptr_null(proftop_set_config(feed, on));
    ck_assert_str_eq(due(feed, apply, 3, 3), "001");
    proftop_close(feed);
    client_clean();
}
END_TEST

/* Waits until detail is due for each call, or for none. */
static void until_due(struct proftop *feed, proftop_id apply, int want)
{
    const uint64_t deadline = process_now_ms() + CLIENT_PATIENCE_MS;
    while (proftop_detail_due(feed, apply, 1) != want) {
        ck_assert_uint_lt(process_now_ms(), deadline);
        sched_yield();
    }
}

START_TEST(detail_is_due_on_demand)
{
    proftop_id function;
    struct client client;
    setenv("PROFTOP_ON_DEMAND", "1", 1);
    struct proftop *feed = client_feed();
    proftop_id apply = define_in(feed, "f", OP, &function);
    proftop_id metric = proftop_metric(feed, "m", NULL, PROFTOP_SUM);
    ck_assert_str_eq(due(feed, apply, 1, 3), "000");
    proftop_metric_add(feed, metric, apply, 1);
    ck_assert_uint_eq(metric_of(metric, apply), UINT64_MAX);
    client_open(&client, getpid());
    client_subscribe(&client, "");
    until_due(feed, apply, 1);
    proftop_metric_add(feed, metric, apply, 2);
    ck_assert_uint_eq(metric_of(metric, apply), 2);
    client_close(&client);
    until_due(feed, apply, 0);
    proftop_metric_add(feed, metric, apply, 4);
    ck_assert_uint_eq(metric_of(metric, apply), 2);
    proftop_close(feed);
    client_clean();
}
END_TEST

/* Details sent once by a job, before any viewer is there, reach later viewers. */
START_TEST(detail_is_kept_for_a_later_viewer)
{
    static uint64_t column[4][WIRE_FRAME_ROWS];
    proftop_id function;
    struct client client;
    struct proftop_apply_detail_info detail = PROFTOP_APPLY_DETAIL;
    struct proftop *feed = client_feed();
    proftop_id apply = define_in(feed, "f", OP, &function);
    detail.flops = 7;
    ck_assert_int_eq(proftop_detail_due(feed, apply, 1000), 1);
    proftop_apply_detail(feed, apply, &detail);
    client_open(&client, getpid());
    client_ask(&client,
               (struct client_request){.q = "snapshot", .want = "I", .req = 9, .credit = 4});
    client_expect(&client, client.dealer, WIRE_DETAILS);
    ck_assert_uint_eq(client_columns(&client.frame, WIRE_G_DETAIL, column), 1);
    ck_assert_uint_eq(column[0][0], apply);
    ck_assert_uint_eq(column[2][0], 7);
    client_end(&client, feed);
}
END_TEST

/* Reads the next subscribed frame of a stream. Returns its tick. */
static uint64_t next_tick(struct client *client, enum wire_stream stream)
{
    client_expect(client, client->sub, stream);
    return client->frame.field[WIRE_F_TICK].u;
}

/* One row for each subscribed stream. */
struct rows {
    proftop_id function, apply, counter, task, marker;
};

static struct rows define_rows(struct proftop *feed)
{
    proftop_id domain = proftop_domain(feed, "d");
    struct rows rows = {.counter = proftop_counter(feed, domain, "c", NULL),
                        .task = proftop_task(feed, domain, "t"),
                        .marker = proftop_marker(feed, domain, "m")};
    rows.apply = define_in(feed, "f", OP, &rows.function);
    return rows;
}

/* Changes rows of each stream. */
static void move_rows(struct proftop *feed, const struct rows *rows)
{
    static uint64_t flops;
    struct proftop_apply_detail_info detail = PROFTOP_APPLY_DETAIL;
    detail.flops = ++flops;
    struct proftop_token call = proftop_call_begin(feed, rows->function);
    run(feed, rows->apply, 10);
    proftop_call_end(feed, rows->function, call);
    proftop_counter_add(feed, rows->counter, 1);
    proftop_task_stop(feed, proftop_task_start(feed, rows->task));
    proftop_mark(feed, rows->marker, NULL);
    proftop_phase(feed, rows->function, PROFTOP_NONE, PROFTOP_PHASE_REWRITE, "r", NULL);
    proftop_apply_detail(feed, rows->apply, &detail);
}

static const enum wire_stream details[] = {WIRE_APPLIES, WIRE_PERCENTILES, WIRE_COUNTERS,
                                           WIRE_SPANS,   WIRE_MARKERS,     WIRE_REWRITES,
                                           WIRE_DETAILS};

/* Ticks of a second: the percentiles are sent once a second (docs/protocol.md, 3.14). */
enum { SECOND_TICKS = 1000 / WIRE_TICK_MS };

/* Frames of a stream are numbered from 1. The first subscribed frame is the first one made,
 * although its values changed in earlier ticks. */
START_TEST(unsubscribed_streams_are_not_made)
{
    struct proftop *feed = client_feed();
    struct client client;
    const struct rows rows = define_rows(feed);
    char topic[] = {wire_letters[details[_i]], '/', 0};
    client_open(&client, getpid());
    client_subscribe(&client, "F/");
    uint64_t first = 0, before = 0;
    while (before < first + SECOND_TICKS + 2) {
        move_rows(feed, &rows);
        uint64_t tick = next_tick(&client, WIRE_FUNCTIONS);
        ck_assert_uint_gt(tick, before);
        before = tick;
        first = first == 0 ? tick : first;
    }
    client_subscribe(&client, topic);
    for (bool came = false; !came;) {
        move_rows(feed, &rows);
        ck_assert(client_receive(&client, client.sub, CLIENT_PATIENCE_MS));
        came = client.frame.stream == details[_i];
    }
    ck_assert_uint_gt(client.frame.field[WIRE_F_TICK].u, before);
    ck_assert_uint_eq(client.frame.field[WIRE_F_SEQ].u, 1);
    client_end(&client, feed);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("wanted");
    tap_add_loop(s, "kinds stand still", kinds_stand_still, TAP_ROWS(kinds));
    tap_add_loop(s, "a kind is switched amid a call", a_kind_is_switched_amid_a_call,
                 TAP_ROWS(kinds));
    /* Under memcheck one thread runs at a time. */
    tap_native(tap_add_loop(s, "kinds are switched beside busy threads",
                            kinds_are_switched_beside_busy_threads, TAP_ROWS(kinds)));
    tap_add(s, "functions are chosen by name", functions_are_chosen_by_name);
    tap_add(s, "a chosen function is counted inside another",
            a_chosen_function_is_counted_inside_another);
    tap_add_loop(s, "a hello names the kinds that are left out",
                 a_hello_names_the_kinds_that_are_left_out, TAP_ROWS(kinds));
    tap_add_loop(s, "the environment is not ignored silently",
                 the_environment_is_not_ignored_silently, TAP_ROWS(asked));
    tap_add(s, "patterns go by bytes", patterns_go_by_bytes);
    tap_add(s, "on demand", on_demand);
    tap_add(s, "detail is due where calls are counted", detail_is_due_where_calls_are_counted);
    tap_add(s, "detail is due on demand", detail_is_due_on_demand);
    tap_add(s, "detail is kept for a later viewer", detail_is_kept_for_a_later_viewer);
    tap_add_loop(s, "what nobody wants is not made", unsubscribed_streams_are_not_made,
                 TAP_ROWS(details));
    return s;
}

TAP_MAIN(suite)

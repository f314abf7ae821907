/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * check_control.c: the public calls that control a collection and print or save it.
 */
#include "tap.h"

#include <jansson.h>
#include <limits.h>
#include <locale.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

#include "steer.h"

START_TEST(state_stops_and_runs)
{
    struct proftop *feed = client_feed();
    proftop_id apply = client_graph(feed, 1, PROFTOP_TIMED);
    ck_assert_ptr_null(proftop_set_state(feed, "run", NULL));
    run(feed, apply, 5);
    ck_assert_ptr_null(proftop_set_state(feed, "stop", "worker"));
    run(feed, apply, 5);
    ck_assert_uint_eq(calls_of(feed, OP), 5);
    const char *why = proftop_set_state(feed, "foo", NULL);
    ck_assert_ptr_nonnull(why);
    ck_assert_str_eq(why, "the state can't be 'foo': it must be run or stop");
    ck_assert_ptr_nonnull(strstr(proftop_set_state(feed, "run", "nobody"), "worker or server"));
    run(feed, apply, 5);
    ck_assert_ptr_null(proftop_set_state(feed, "run", NULL));
    run(feed, apply, 5);
    ck_assert_uint_eq(calls_of(feed, OP), 10);
    ck_assert(proftop_is_on(feed));
    proftop_close(feed);
    client_clean();
}
END_TEST

START_TEST(pause_is_not_nested)
{
    struct proftop *feed = client_feed();
    proftop_id apply = client_graph(feed, 1, PROFTOP_TIMED);
    ck_assert_ptr_null(proftop_pause(feed, NULL));
    ck_assert_ptr_null(proftop_pause(feed, NULL));
    run(feed, apply, 10);
    ck_assert_ptr_null(proftop_resume(feed, NULL));
    run(feed, apply, 1);
    ck_assert_uint_eq(calls_of(feed, OP), 1);
    ck_assert_ptr_null(proftop_set_state(feed, "stop", NULL));
    ck_assert_ptr_null(proftop_resume(feed, NULL));
    run(feed, apply, 1); /* resume does not start a stopped collection */
    ck_assert_uint_eq(calls_of(feed, OP), 1);
    proftop_close(feed);
    client_clean();
}
END_TEST

/* A call that begins or ends during a pause is not counted. Calls after the pause are. */
START_TEST(a_pause_between_begin_and_end)
{
    struct proftop *feed = client_feed();
    proftop_id apply = client_graph(feed, 2, PROFTOP_TIMED);
    struct proftop_token open = proftop_begin(feed, apply);
    ck_assert_ptr_null(proftop_pause(feed, NULL));
    proftop_end(feed, apply, open);
    open = proftop_begin(feed, apply);
    ck_assert_ptr_null(proftop_resume(feed, NULL));
    proftop_end(feed, apply, open);
    ck_assert_uint_eq(calls_of(feed, OP), 0);
    open = proftop_begin(feed, apply + 1);
    ck_assert_uint_eq(open.outer, 0);
    proftop_end(feed, apply + 1, open);
    ck_assert_uint_eq(calls_of(feed, OP), 1);
    proftop_close(feed);
    client_clean();
}
END_TEST

START_TEST(given_and_set_values_stand_still)
{
    struct proftop *feed = client_feed();
    proftop_id given = client_graph(feed, 1, PROFTOP_GIVEN);
    proftop_record(feed, given, 1000);
    ck_assert_ptr_null(proftop_pause(feed, NULL));
    proftop_record(feed, given, 1000);
    ck_assert_ptr_null(proftop_resume(feed, NULL));
    proftop_record(feed, given, 1000);
    ck_assert_uint_eq(calls_of(feed, OP), 2);
    proftop_close(feed);
    feed = client_feed();
    proftop_id set = client_graph(feed, 1, PROFTOP_SET);
    proftop_set(feed, set, 10, 1000);
    ck_assert_ptr_null(proftop_pause(feed, NULL));
    proftop_set(feed, set, 15, 1500);
    proftop_set(feed, set, 17, 1700);
    ck_assert_uint_eq(calls_of(feed, OP), 10);
    ck_assert_ptr_null(proftop_resume(feed, NULL));
    proftop_set(feed, set, 20, 2000);
    ck_assert_uint_eq(calls_of(feed, OP), 13);
    proftop_close(feed);
    client_clean();
}
END_TEST

START_TEST(hello_reports_pause_and_resume)
{
    struct proftop *feed = client_feed();
    struct client client;
    client_open(&client, getpid());
    client_hello(&client);
    ck_assert_uint_eq(client.frame.field[WIRE_F_COLLECT].u, 1);
    ck_assert_ptr_null(proftop_pause(feed, NULL));
    client_hello(&client);
    ck_assert_uint_eq(client.frame.field[WIRE_F_COLLECT].u, 0);
    ck_assert_ptr_null(proftop_resume(feed, NULL));
    client_hello(&client);
    ck_assert_uint_eq(client.frame.field[WIRE_F_COLLECT].u, 1);
    client_end(&client, feed);
}
END_TEST

/* ------------------------------------------------------------------------- beside busy threads */

enum { BUSY = 8, CYCLES = 2000 };

static struct busy {
    struct proftop *feed;
    proftop_id apply;
    _Atomic uint64_t calls;
    atomic_bool stop;
} busy;

static void *be_busy(void *unused)
{
    (void)unused;
    while (!atomic_load(&busy.stop)) {
        run(busy.feed, busy.apply, 10);
        atomic_fetch_add(&busy.calls, 10);
    }
    return NULL;
}

START_TEST(state_changes_beside_busy_threads)
{
    pthread_t thread[BUSY];
    busy.feed = client_feed();
    busy.apply = client_graph(busy.feed, 1, PROFTOP_TIMED);
    for (int i = 0; i < BUSY; i++)
        ck_assert_int_eq(pthread_create(&thread[i], NULL, be_busy, NULL), 0);
    uint64_t before = 0;
    for (int i = 0; i < CYCLES; i++) {
        ck_assert_ptr_null(proftop_set_state(busy.feed, "stop", NULL));
        ck_assert_ptr_null(proftop_set_state(busy.feed, "run", NULL));
        if (i % 200 != 0)
            continue;
        uint64_t calls = calls_of(busy.feed, OP);
        ck_assert_uint_ge(calls, before);
        before = calls;
    }
    atomic_store(&busy.stop, true);
    for (int i = 0; i < BUSY; i++)
        pthread_join(thread[i], NULL);
    ck_assert_uint_le(calls_of(busy.feed, OP), atomic_load(&busy.calls));
    ck_assert(proftop_is_on(busy.feed));
    proftop_close(busy.feed);
    client_clean();
}
END_TEST

static void *ask_for_dumps(void *unused)
{
    (void)unused;
    while (!atomic_load(&busy.stop)) {
        char *text;
        if (proftop_dumps(busy.feed, NULL, &text) == NULL)
            ck_assert_ptr_nonnull(text);
        free(text);
        atomic_fetch_add(&busy.calls, 1);
    }
    return NULL;
}

/* If the feed is closed, threads that wait for the feed's thread get an error sentence. */
START_TEST(close_beside_threads_that_wait)
{
    pthread_t thread[4];
    busy.feed = client_feed();
    client_graph(busy.feed, 1, PROFTOP_TIMED);
    for (int i = 0; i < 4; i++)
        ck_assert_int_eq(pthread_create(&thread[i], NULL, ask_for_dumps, NULL), 0);
    while (atomic_load(&busy.calls) < 100)
        sched_yield();
    proftop_close(busy.feed);
    uint64_t after = atomic_load(&busy.calls);
    while (atomic_load(&busy.calls) < after + 100)
        sched_yield();
    atomic_store(&busy.stop, true);
    for (int i = 0; i < 4; i++)
        pthread_join(thread[i], NULL);
    client_clean();
}
END_TEST

/* ----------------------------------------------------------------------------------- texts */

/* All keys; two are set. */
static const char *const kept[][2] = {
    {"filename", "x.json"},         {"gpu_memory_profile_filename_prefix", "gpu_memory_profile"},
    {"profile_all", "0"},           {"profile_symbolic", "1"},
    {"profile_imperative", "1"},    {"profile_memory", "1"},
    {"profile_api", "1"},           {"continuous_dump", "0"},
    {"dump_period", "2.500000000"}, {"aggregate_stats", "0"},
    {"profile_process", "worker"},
};

START_TEST(settings_are_kept)
{
    struct proftop *feed = client_feed();
    const char *good[] = {"dump_period", "2.5", "filename", "x.json", NULL};
    const char *bad[] = {"filename", "y.json", "foo", "1", NULL};
    ck_assert_ptr_null(proftop_set_config(feed, good));
    ck_assert_int_eq(TAP_ROWS(kept), count_keys(feed));
    for (int key = 0; key < TAP_ROWS(kept); key++)
        ck_assert_str_eq(proftop_get_config(feed, kept[key][0]), kept[key][1]);
    ck_assert_ptr_nonnull(strstr(proftop_set_config(feed, bad), "'foo'"));
    ck_assert_str_eq(proftop_get_config(feed, "filename"), "x.json");
    ck_assert_ptr_null(proftop_get_config(feed, "foo"));
    ck_assert_ptr_null(proftop_get_config(feed, NULL));
    proftop_close(feed);
    ck_assert_str_eq(proftop_set_config(feed, good), "the feed is closed");
    ck_assert_ptr_null(proftop_get_config(feed, "filename"));
    client_clean();
}
END_TEST

START_TEST(dumps_any_number_of_times)
{
    struct proftop *feed = client_feed();
    proftop_id apply = client_graph(feed, 2, PROFTOP_GIVEN);
    char *text;
    ck_assert_ptr_null(proftop_dumps(feed, NULL, &text));
    ck_assert_str_eq(text, "\nProfile Statistics:\n\tNote the difference in units for different "
                           "entries.\n");
    free(text);
    for (unsigned i = 1; i <= 3; i++)
        proftop_record(feed, apply, 1000000 * i);
    ck_assert_ptr_null(proftop_dumps(feed, NULL, &text));
    ck_assert_msg(strstr(text, "\noperator\n") != NULL, "%s", text);
    ck_assert_msg(strstr(text, OP "                           3           6.0000           1.0000"
                                  "           3.0000           2.0000\n") != NULL,
                  "%s", text);
    free(text);
    for (unsigned i = 1; i <= 3; i++)
        proftop_record(feed, apply + 1, 500000 * i);
    ck_assert_ptr_null(proftop_dumps(feed, NULL, &text));
    ck_assert_msg(strstr(text, OP "                           6           9.0000           0.5000"
                                  "           3.0000           1.5000\n") != NULL,
                  "%s", text);
    free(text);
    proftop_close(feed);
    ck_assert_str_eq(proftop_dumps(feed, NULL, &text), "the feed is closed");
    ck_assert_ptr_null(text);
    client_clean();
}
END_TEST

/* Settings of servers are accepted only in a server process, like set_state and others. */
START_TEST(settings_of_servers_are_for_servers)
{
    const char *pairs[] = {"profile_process", "server", "profile_api", "0", NULL};
    unsetenv("DMLC_ROLE");
    struct proftop *feed = client_feed();
    ck_assert_str_eq(proftop_set_config(feed, pairs),
                     "this process is no server (its role is not known): ask the servers "
                     "themselves");
    ck_assert_str_eq(proftop_get_config(feed, "profile_process"), "worker");
    ck_assert_str_eq(proftop_get_config(feed, "profile_api"), "1");
    proftop_close(feed);
    setenv("DMLC_ROLE", "server", 1);
    feed = client_feed();
    ck_assert_ptr_null(proftop_set_config(feed, pairs));
    ck_assert_str_eq(proftop_get_config(feed, "profile_process"), "server");
    ck_assert_str_eq(proftop_get_config(feed, "profile_api"), "0");
    proftop_close(feed);
    client_clean();
}
END_TEST

/* Totals are always kept, so MXNet's switch loses nothing. */
START_TEST(aggregate_stats_loses_nothing)
{
    struct proftop *feed = client_feed();
    proftop_id apply = client_graph(feed, 1, PROFTOP_TIMED);
    const char *off[] = {"aggregate_stats", "0", NULL}, *on[] = {"aggregate_stats", "1", NULL};
    run(feed, apply, 3);
    ck_assert_ptr_null(proftop_set_config(feed, on));
    run(feed, apply, 4);
    ck_assert_ptr_null(proftop_set_config(feed, off));
    run(feed, apply, 5);
    ck_assert_uint_eq(calls_of(feed, OP), 12);
    proftop_close(feed);
    client_clean();
}
END_TEST

static const struct {
    struct proftop_dumps_options options;
    const char *why;
} wrong[] = {
    {{.format = "xml"}, "format can't be 'xml': it must be table or json"},
    {{.sort_by = "median"}, "sort_by can't be 'median': it must be total, avg, min, max or count"},
    {{.reset = 2}, "reset can't be '2': it must be 0 or 1"},
    {{.ascending = INT_MIN}, "ascending can't be '-2147483648': it must be 0 or 1"},
};

START_TEST(dumps_names_what_is_allowed)
{
    struct proftop *feed = client_feed();
    struct proftop_dumps_options options = wrong[_i].options;
    char *text = (char *)"untouched";
    ck_assert_str_eq(proftop_dumps(feed, &options, &text),
                     "the options have no size: set it to sizeof(struct proftop_dumps_options)");
    options.size = sizeof options;
    ck_assert_str_eq(proftop_dumps(feed, &options, &text), wrong[_i].why);
    ck_assert_ptr_null(text);
    proftop_close(feed);
    client_clean();
}
END_TEST

/* One op for each letter. Total, mean, min, max and calls each give another order. */
static const struct {
    const char *word, *descending, *ascending;
} orders[] = {
    {NULL, "bac", "cab"},  {"total", "bac", "cab"}, {"avg", "cba", "abc"},
    {"min", "cba", "abc"}, {"max", "acb", "bca"},   {"count", "abc", "cba"},
};

/* Returns the first letters of the rows in printed order. */
static void order_of(struct proftop *feed, const char *word, int ascending, char order[4])
{
    struct proftop_dumps_options options = {
        .size = sizeof options, .sort_by = word, .ascending = ascending};
    char *text, *line;
    int n = 0;
    ck_assert_ptr_null(proftop_dumps(feed, &options, &text));
    for (line = strtok(text, "\n"); line != NULL; line = strtok(NULL, "\n"))
        if (line[0] >= 'a' && line[0] <= 'c' && line[1] == ' ' && n < 3)
            order[n++] = line[0];
    order[n] = 0;
    free(text);
}

START_TEST(dumps_sorts_by_each_word)
{
    static const struct {
        const char *op;
        uint64_t ns[6];
    } rows[] = {{"a", {1, 50, 3, 3, 2, 1}}, {"b", {30, 10, 20, 20, 20}}, {"c", {40}}};
    struct proftop *feed = client_feed();
    struct proftop_function_info info = {.size = sizeof info, .name = "f"};
    struct proftop_apply_info apply = {
        .size = sizeof apply, .function = proftop_function(feed, &info), .source = PROFTOP_GIVEN};
    proftop_id op_class = proftop_class(feed, "c");
    for (int row = 0; row < TAP_ROWS(rows); row++) {
        apply.op = proftop_op(feed, op_class, rows[row].op);
        proftop_id id = proftop_apply(feed, &apply);
        for (int i = 0; i < 6 && rows[row].ns[i] != 0; i++)
            proftop_record(feed, id, rows[row].ns[i] * 1000000);
    }
    char order[4];
    order_of(feed, orders[_i].word, 0, order);
    ck_assert_str_eq(order, orders[_i].descending);
    order_of(feed, orders[_i].word, 1, order);
    ck_assert_str_eq(order, orders[_i].ascending);
    proftop_close(feed);
    client_clean();
}
END_TEST

/* ----------------------------------------------------------------------------------- resets */

/* Numbers of the only row of the report: count, total, min and max in ms; -1: unknown. */
struct numbers {
    uint64_t count;
    double total, min, max;
};

static struct numbers report(struct proftop *feed, int reset)
{
    struct proftop_dumps_options options = {.size = sizeof options, .format = "json"};
    struct numbers numbers = {0, 0, -1, -1};
    char *text;
    options.reset = reset;
    ck_assert_ptr_null(proftop_dumps(feed, &options, &text));
    json_t *root = json_loads(text, JSON_REJECT_DUPLICATES, NULL);
    json_t *ops = json_object_get(json_object_get(root, "Time"), "operator");
    json_t *row = json_object_get(ops, OP), *min = json_object_get(row, "Min");
    numbers.count = (uint64_t)json_integer_value(json_object_get(row, "Count"));
    numbers.total = json_number_value(json_object_get(row, "Total"));
    if (json_is_number(min)) {
        numbers.min = json_number_value(min);
        numbers.max = json_number_value(json_object_get(row, "Max"));
    }
    json_decref(root);
    free(text);
    return numbers;
}

START_TEST(reset_begins_again)
{
    struct proftop *feed = client_feed();
    proftop_id apply = client_graph(feed, 1, PROFTOP_GIVEN);
    proftop_record(feed, apply, 1000000);
    proftop_record(feed, apply, 9000000);
    ck_assert_uint_eq(calls_of(feed, OP), 2);
    ck_assert_ptr_null(proftop_reset(feed));
    ck_assert_uint_eq(report(feed, 0).count, 0);
    for (int i = 0; i < 7; i++)
        proftop_record(feed, apply, 2000000u + 1000000u * (i == 3));
    struct numbers numbers = report(feed, 1);
    ck_assert_uint_eq(numbers.count, 7);
    ck_assert(numbers.total == 15 && numbers.min == 2 && numbers.max == 3);
    ck_assert_uint_eq(report(feed, 0).count, 0);
    proftop_record(feed, apply, 5000000);
    numbers = report(feed, 1);
    ck_assert(numbers.count == 1 && numbers.total == 5 && numbers.min == 5 && numbers.max == 5);
    proftop_close(feed);
    client_clean();
}
END_TEST

/* MXNet's own profiler starts its minimum at 2,147 s. */
START_TEST(a_minimum_may_be_long)
{
    struct proftop *feed = client_feed();
    proftop_id apply = client_graph(feed, 1, PROFTOP_GIVEN);
    proftop_record(feed, apply, 3400 * TEST_SECOND_NS);
    proftop_record(feed, apply, 3000 * TEST_SECOND_NS);
    struct numbers numbers = report(feed, 0);
    ck_assert_uint_eq(numbers.count, 2);
    ck_assert(numbers.min == 3000000 && numbers.max == 3400000 && numbers.total == 6400000);
    proftop_close(feed);
    client_clean();
}
END_TEST

/* Cumulative values of a framework continue from their level at the reset. */
START_TEST(reset_of_set_values)
{
    struct proftop *feed = client_feed();
    proftop_id apply = client_graph(feed, 1, PROFTOP_SET);
    proftop_set(feed, apply, 10, 1000000);
    ck_assert_uint_eq(report(feed, 1).count, 10);
    proftop_set(feed, apply, 13, 4000000);
    struct numbers numbers = report(feed, 0);
    ck_assert(numbers.count == 3 && numbers.total == 3 && numbers.min == -1);
    proftop_close(feed);
    client_clean();
}
END_TEST

enum { RESETS = 100, EVENTS = 1000000 };

static void record_events(void)
{
    for (int i = 0; i < 100; i++)
        proftop_record(busy.feed, busy.apply, 1000);
}

static void time_events(void)
{
    run(busy.feed, busy.apply, 100);
}

static const struct {
    enum proftop_source source;
    void (*hundred)(void);
} ways[] = {{PROFTOP_GIVEN, record_events}, {PROFTOP_TIMED, time_events}};

/* Makes events until the resets are over, and at least the requested number. */
static void *make_events(void *way)
{
    uint64_t made = 0;
    for (; made < EVENTS / tap_stride() || !atomic_load(&busy.stop); made += 100)
        ways[*(int *)way].hundred();
    atomic_fetch_add(&busy.calls, made);
    return NULL;
}

START_TEST(reset_loses_nothing)
{
    pthread_t thread[2];
    uint64_t sum = 0;
    busy.feed = client_feed();
    busy.apply = client_graph(busy.feed, 1, ways[_i].source);
    for (int i = 0; i < 2; i++)
        ck_assert_int_eq(pthread_create(&thread[i], NULL, make_events, &_i), 0);
    for (int met = 0; met < RESETS;) { /* counts only resets that found events */
        const uint64_t count = report(busy.feed, 1).count;
        met += count != 0;
        sum += count;
    }
    atomic_store(&busy.stop, true);
    for (int i = 0; i < 2; i++)
        pthread_join(thread[i], NULL);
    sum += report(busy.feed, 1).count;
    ck_assert_uint_eq(sum, atomic_load(&busy.calls));
    ck_assert_uint_ge(sum, 2 * EVENTS / tap_stride());
    ck_assert_uint_eq(report(busy.feed, 0).count, 0);
    proftop_close(busy.feed);
    client_clean();
}
END_TEST

START_TEST(viewers_follow_a_reset)
{
    struct proftop *feed = client_feed();
    proftop_id apply = client_graph(feed, 1, PROFTOP_TIMED);
    struct client client;
    run(feed, apply, 50);
    client_open(&client, getpid());
    client_hello(&client);
    ck_assert_uint_eq(client.frame.field[WIRE_F_EPOCH].u, 1);
    client_snapshot(&client, "DFA", 2);
    ck_assert_uint_eq(client.apply[apply].calls, 50);
    ck_assert_ptr_null(proftop_reset(feed));
    run(feed, apply, 7);
    client_hello(&client);
    ck_assert_uint_eq(client.frame.field[WIRE_F_EPOCH].u, 2);
    client_snapshot(&client, "DFA", 3);
    ck_assert_uint_eq(client.apply[apply].calls, 7);
    ck_assert_uint_le(client.apply[apply].min, client.apply[apply].max);
    client_end(&client, feed);
}
END_TEST

/* In a program whose locale uses a decimal comma, our output still has points. */
START_TEST(no_locale_spoils_a_figure)
{
    if (setlocale(LC_ALL, "de_DE.UTF-8") == NULL)
        setlocale(LC_ALL, "");
    struct proftop *feed = client_feed();
    proftop_id apply = client_graph(feed, 1, PROFTOP_GIVEN);
    char *text;
    proftop_record(feed, apply, 1500000);
    ck_assert_ptr_null(proftop_dumps(feed, NULL, &text));
    ck_assert_msg(strstr(text, "1.5000") != NULL && strstr(text, "1,5") == NULL, "%s", text);
    free(text);
    proftop_close(feed);
    client_clean();
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("control");
    tap_add(s, "state stops and runs", state_stops_and_runs);
    tap_add(s, "pause is not nested", pause_is_not_nested);
    tap_add(s, "a pause between begin and end", a_pause_between_begin_and_end);
    tap_add(s, "given and set values stand still", given_and_set_values_stand_still);
    tap_add(s, "viewers are told", hello_reports_pause_and_resume);
    /* Under memcheck one thread runs at a time, and the feed's thread may wait too long. */
    tap_native(tap_add(s, "state changes beside busy threads", state_changes_beside_busy_threads));
    tap_native(tap_add(s, "close beside threads that wait", close_beside_threads_that_wait));
    tap_add(s, "settings are kept", settings_are_kept);
    tap_add(s, "settings of servers are for servers", settings_of_servers_are_for_servers);
    tap_add(s, "dumps any number of times", dumps_any_number_of_times);
    tap_add(s, "aggregate stats loses nothing", aggregate_stats_loses_nothing);
    tap_add_loop(s, "dumps names what is allowed", dumps_names_what_is_allowed, TAP_ROWS(wrong));
    tap_add_loop(s, "dumps sorts by each word", dumps_sorts_by_each_word, TAP_ROWS(orders));
    tap_add(s, "reset begins again", reset_begins_again);
    tap_add(s, "a minimum may be long", a_minimum_may_be_long);
    tap_add(s, "reset of set values", reset_of_set_values);
    tap_native(tap_add_loop(s, "reset loses nothing", reset_loses_nothing, TAP_ROWS(ways)));
    tap_add(s, "viewers follow a reset", viewers_follow_a_reset);
    tap_add(s, "no locale spoils a figure", no_locale_spoils_a_figure);
    return s;
}

TAP_MAIN(suite)

/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * check_publish_objects.c: the rows of counters, spans and markers that a viewer is sent: each
 * change at the next tick, all rows again within 64 ticks, and consistent values whatever the job
 * does meanwhile. Frames tell their tick, so the test needs no clock.
 */
#include "config.h"

#include "../tap.h"
#include "client.h"

#include <pthread.h>

#include "reading.h"
#include "domain.h" /* last: it defines names that the others use */

enum { ROWS = 20000 };
enum { KEPT_MARKS = 4096 }; /* instants that are kept, as proftop_objects.h states */

static struct client client;
static proftop_id beacon; /* a counter that the test sets to see ticks pass */

/* The rows that came since the last look, and their last values. */
static struct {
    unsigned count, again; /* rows; rows of one tick beyond the first */
    uint64_t tick;        /* the first one that had these values */
    uint64_t last;        /* the last one that had any */
    uint64_t u[WIRE_COLUMNS];
} row[WIRE_GROUPS][ROWS];

static struct {
    uint64_t first, last; /* ticks whose rows are counted */
} window = {0, UINT64_MAX};

static unsigned most;                      /* frames of one tick, the most */
static unsigned frames;                    /* frames of this tick so far */
static uint64_t frames_tick, beacon_value; /* that tick; value of the last beacon */

/* Notes the rows of a group: by id, or, if rows have no id, by their first column. */
static void note(enum wire_group group)
{
    const uint64_t tick = client.frame.field[WIRE_F_TICK].u;
    const struct wire_rows *rows = &client.frame.group[group];
    const unsigned wide = wire_wide(&wire_groups[group]);
    uint64_t u[WIRE_COLUMNS] = {0}, carry = 0;
    for (uint32_t i = 0; rows->present && i < rows->count; i++) {
        for (unsigned c = 0; c < wide; c++)
            wire_column_read(&rows->column[c], i, 1, &u[c], c == 0 ? &carry : NULL);
        ck_assert_uint_lt(u[0], ROWS);
        if (tick < window.first || tick > window.last)
            continue;
        const bool new =
            row[group][u[0]].count == 0 || memcmp(row[group][u[0]].u, u, sizeof u) != 0;
        row[group][u[0]].count++;
        row[group][u[0]].again += row[group][u[0]].last == tick;
        row[group][u[0]].last = tick;
        row[group][u[0]].tick = new ? tick : row[group][u[0]].tick;
        memcpy(row[group][u[0]].u, u, sizeof u);
    }
}

/* Receives one frame of the streams. Returns its tick. */
static uint64_t receive(void)
{
    static const enum wire_group groups[] = {WIRE_G_INT,  WIRE_G_REAL,  WIRE_G_MEMORY,
                                             WIRE_G_RUNS, WIRE_G_EDGES, WIRE_G_BY,
                                             WIRE_G_SLOW, WIRE_G_MARK,  WIRE_G_USAGE};
    ck_assert_msg(client_receive(&client, client.sub, CLIENT_PATIENCE_MS), "no frame came");
    for (int g = 0; g < TAP_ROWS(groups); g++)
        note(groups[g]);
    const uint64_t tick = client.frame.field[WIRE_F_TICK].u;
    frames = tick == frames_tick ? frames + 1 : 1;
    frames_tick = tick;
    most = frames > most ? frames : most;
    return tick;
}

/* How often a row came since the last call, while the window was open. */
static unsigned take_count(enum wire_group group, uint64_t id)
{
    const unsigned n = row[group][id].count;
    row[group][id].count = row[group][id].again = 0;
    row[group][id].last = 0;
    return n;
}

static const uint64_t *values_of(enum wire_group group, uint64_t id)
{
    return row[group][id].u;
}

/* Number of the job's last tick. */
static uint64_t tick_now(void)
{
    client_hello(&client);
    return client.frame.field[WIRE_F_TICK].u;
}

/* Reads what ticks send, up to the counters of the next one. */
static void pass_tick(void)
{
    const uint64_t folded = wire_fold_i64((int64_t)++beacon_value);
    proftop_counter_set(feed, beacon, (int64_t)beacon_value);
    do
        receive();
    while (client.frame.stream != WIRE_COUNTERS || values_of(WIRE_G_INT, beacon)[1] != folded);
}

/* Reads all that the next tick sends. */
static void pass_whole_tick(void)
{
    pass_tick(); /* spans and markers follow the counters of a tick, */
    pass_tick(); /* but not those of the next */
}

static void setup(void)
{
    domain_open();
    beacon = proftop_counter(feed, domain, "beacon", NULL);
    client_open(&client, getpid());
    client_subscribe(&client, "");
    pass_tick(); /* from here on it is subscribed */
}

static void teardown(void)
{
    reading_end();
    client_close(&client);
    domain_close();
}

/* Checks that a row has come with its present values by this tick, and once in each tick. */
static void check_sent(enum wire_group group, uint64_t id, uint64_t tick)
{
    ck_assert_uint_gt(row[group][id].count, 0);
    ck_assert_uint_eq(row[group][id].again, 0);
    ck_assert_uint_le(row[group][id].tick, tick);
    take_count(group, id);
}

START_TEST(changes_are_sent_at_the_next_tick)
{
    proftop_id counter = proftop_counter_from(feed, domain, "c", NULL, -5);
    proftop_id real = proftop_counter_from_f64(feed, domain, "r", NULL, 2.5);
    proftop_id memory = proftop_memory(feed, "gpu/0", NULL, "");
    proftop_id none = proftop_counter(feed, domain, "none", NULL);
    proftop_id task = proftop_task(feed, domain, "t");
    proftop_memory_alloc(feed, memory, 100);
    proftop_task_stop(feed, proftop_task_start(feed, task));
    uint64_t next = tick_now() + 1;
    pass_whole_tick();
    check_sent(WIRE_G_INT, counter, next);
    check_sent(WIRE_G_REAL, real, next);
    check_sent(WIRE_G_MEMORY, memory, next);
    check_sent(WIRE_G_USAGE, memory, next);
    check_sent(WIRE_G_RUNS, task, next);
    check_sent(WIRE_G_EDGES, task, next);
    check_sent(WIRE_G_BY, task, next);
    ck_assert_uint_eq(take_count(WIRE_G_INT, none), 0);
    ck_assert_int_eq(wire_unfold_i64(values_of(WIRE_G_INT, counter)[1]), -5);
    ck_assert_double_eq(objects_double(values_of(WIRE_G_REAL, real)[1]), 2.5);
    ck_assert_uint_eq(values_of(WIRE_G_MEMORY, memory)[2], 100);
    ck_assert_uint_eq(values_of(WIRE_G_MEMORY, memory)[3], WIRE_UNKNOWN);
    ck_assert_uint_eq(values_of(WIRE_G_USAGE, memory)[1], 100);
    ck_assert_double_eq(objects_double(values_of(WIRE_G_USAGE, memory)[2]), 100);
    ck_assert_uint_eq(values_of(WIRE_G_RUNS, task)[1], 1);
    proftop_memory_free(feed, memory, 60);
    proftop_counter_add(feed, counter, 7);
    next = tick_now() + 1;
    pass_whole_tick();
    check_sent(WIRE_G_INT, counter, next);
    check_sent(WIRE_G_USAGE, memory, next);
    ck_assert_uint_eq(values_of(WIRE_G_USAGE, memory)[1], 40);
    ck_assert_double_eq(objects_double(values_of(WIRE_G_USAGE, memory)[2]), 70);
    ck_assert_int_eq(wire_unfold_i64(values_of(WIRE_G_INT, counter)[1]), 2);
    ck_assert_uint_eq(values_of(WIRE_G_INT, counter)[4], 2);
}
END_TEST

/* In 64 ticks without a change, each row comes once. Rows come in each of these ticks. */
START_TEST(lost_rows_are_sent_again_within_64_ticks)
{
    enum { SOME = 200 };
    char name[16];
    proftop_id counter[SOME], task[SOME], marker = proftop_marker(feed, domain, "m");
    for (int i = 0; i < SOME; i++) {
        snprintf(name, sizeof name, "%d", i);
        counter[i] = proftop_counter_from(feed, domain, name, NULL, i);
        task[i] = proftop_task(feed, domain, name);
        proftop_task_stop(feed, proftop_task_start(feed, task[i]));
        proftop_mark(feed, marker, NULL);
    }
    const uint64_t next = tick_now() + 1;
    pass_whole_tick();
    for (uint64_t i = 0; i < SOME; i++) {
        check_sent(WIRE_G_INT, counter[i], next);
        check_sent(WIRE_G_RUNS, task[i], next);
        check_sent(WIRE_G_MARK, i + 1, next);
    }
    window.first = frames_tick + 1;
    window.last = frames_tick + WIRE_ROLL;
    while (receive() <= window.last)
        continue;
    for (uint64_t i = 0; i < SOME; i++) {
        ck_assert_uint_eq(take_count(WIRE_G_INT, counter[i]), 1);
        ck_assert_int_eq(wire_unfold_i64(values_of(WIRE_G_INT, counter[i])[1]), (int64_t)i);
        ck_assert_uint_eq(take_count(WIRE_G_RUNS, task[i]), 1);
        ck_assert_uint_eq(take_count(WIRE_G_MARK, i + 1), 1);
    }
}
END_TEST

START_TEST(span_is_sent_at_its_begin_and_at_its_end)
{
    proftop_id task = proftop_task(feed, domain, "t");
    struct proftop_run run = proftop_task_start(feed, task);
    uint64_t next = tick_now() + 1;
    pass_whole_tick();
    check_sent(WIRE_G_RUNS, task, next);
    ck_assert_uint_eq(take_count(WIRE_G_EDGES, task), 0);
    ck_assert_uint_eq(values_of(WIRE_G_RUNS, task)[1], 0);
    ck_assert_uint_eq(values_of(WIRE_G_RUNS, task)[5], run.start);
    proftop_task_stop(feed, run);
    next = tick_now() + 1;
    pass_whole_tick();
    check_sent(WIRE_G_RUNS, task, next);
    ck_assert_uint_eq(values_of(WIRE_G_RUNS, task)[1], 1);
    ck_assert_uint_eq(values_of(WIRE_G_RUNS, task)[5], WIRE_UNKNOWN);
    ck_assert_uint_eq(values_of(WIRE_G_EDGES, task)[3], run.start);
}
END_TEST

/* Rows at the end of the table get their turn as well as rows at the front, though these are always
 * due again. */
START_TEST(large_table_is_sent_over_several_ticks)
{
    enum { MANY = 5000, TURNS = 10 }; /* more spans than fit into one tick */
    char name[16];
    for (int i = 0; i < MANY; i++) {
        snprintf(name, sizeof name, "%d", i);
        proftop_task(feed, domain, name);
    }
    pass_whole_tick(); /* the definitions */
    most = 0;
    for (int turn = 0; turn < TURNS; turn++) {
        for (proftop_id i = 0; i < MANY; i++)
            proftop_task_stop(feed, proftop_task_start(feed, i));
        pass_tick();
    }
    pass_tick();
    ck_assert_uint_le(most, 64);
    for (proftop_id i = 0; i < MANY; i++)
        ck_assert_uint_ge(take_count(WIRE_G_RUNS, i), 1);
    for (int turn = 0; turn < TURNS; turn++)
        pass_tick();
    for (proftop_id i = 0; i < MANY; i++)
        ck_assert_uint_eq(values_of(WIRE_G_RUNS, i)[1], TURNS);
}
END_TEST

/* What was not kept, by kind. The viewer wants a tick every so many ms; 0: as often as there is. */
static struct wire_text lost_with_ticks(uint64_t ms)
{
    client_ask(&client, (struct client_request){.q = "hello", .req = 1, .tick_ms = ms});
    client_expect(&client, client.dealer, WIRE_HELLO);
    return client.frame.field[WIRE_F_LOST].text;
}

/* More instants than are kept are made between two ticks. If a tick comes amid them and saves all
 * of them, more are made. */
START_TEST(instants_that_nobody_was_sent_are_dropped)
{
    enum { MORE = 900, BATCH = KEPT_MARKS + MORE, BATCHES = (ROWS - 1) / BATCH };
    proftop_id marker = proftop_marker(feed, domain, "m");
    uint64_t made = 0, missing = 0;
    for (int batch = 0; batch < BATCHES && missing == 0; batch++) {
        lost_with_ticks(WIRE_TICK_MAX_MS);
        pass_tick();
        for (int i = 0; i < BATCH; i++)
            proftop_mark(feed, marker, "global");
        lost_with_ticks(0);
        pass_whole_tick(); /* a tick sends one frame of instants: these fill two */
        pass_tick();
        for (uint64_t number = made + 1; number <= made + BATCH; number++) {
            const unsigned n = take_count(WIRE_G_MARK, number);
            ck_assert(n > 0 || number <= made + MORE); /* the last ones are kept */
            missing += n == 0;
        }
        made += BATCH;
    }
    char lost[64];
    snprintf(lost, sizeof lost, "instants=%u\n", (unsigned)missing);
    ck_assert_uint_gt(missing, 0);
    const struct wire_text text = lost_with_ticks(0);
    ck_assert_uint_eq(text.size, strlen(lost));
    ck_assert_mem_eq(text.data, lost, text.size);
    ck_assert_uint_eq(values_of(WIRE_G_MARK, made)[2], 0);
}
END_TEST

enum { WRITERS = 3, UPDATES = 100000 };
static _Atomic int writing;

static void *write_much(void *at)
{
    const proftop_id *id = at;
    for (int i = 0; i < UPDATES; i++) {
        proftop_counter_add(feed, id[0], 1);
        struct proftop_run run = proftop_task_start(feed, id[1]);
        if (i % 100 == 0)
            proftop_mark(feed, id[2], "thread");
        proftop_task_stop(feed, run);
    }
    writing--;
    return NULL;
}

/* Checks what a viewer reads while threads write: no value falls, and they agree. */
static void check_values(const proftop_id id[2], struct counter_view *was, struct span_view *ran)
{
    const struct counter_view counter = objects_counter(feed, id[0]);
    const struct span_view runs = objects_span(feed, id[1]);
    ck_assert_uint_ge(counter.updates, was->updates);
    ck_assert_uint_ge(runs.calls, ran->calls);
    ck_assert_double_le(counter.mean, (double)(int64_t)counter.max);
    ck_assert_uint_le(runs.self, runs.total);
    *was = counter;
    *ran = runs;
}

START_TEST(values_are_whole_while_threads_write)
{
    proftop_id id[] = {proftop_counter(feed, domain, "c", NULL), proftop_task(feed, domain, "t"),
                       proftop_marker(feed, domain, "m")};
    pthread_t thread[WRITERS];
    struct counter_view counter = {0};
    struct span_view runs = {0};
    writing = WRITERS;
    for (int i = 0; i < WRITERS; i++)
        ck_assert_int_eq(pthread_create(&thread[i], NULL, write_much, id), 0);
    while (writing > 0)
        check_values(id, &counter, &runs);
    for (int i = 0; i < WRITERS; i++)
        pthread_join(thread[i], NULL);
    pass_whole_tick();
    ck_assert_uint_eq(values_of(WIRE_G_INT, id[0])[4], WRITERS * UPDATES);
    ck_assert_int_eq(wire_unfold_i64(values_of(WIRE_G_INT, id[0])[1]), WRITERS * UPDATES);
    ck_assert_uint_eq(values_of(WIRE_G_RUNS, id[1])[1], WRITERS * UPDATES);
    ck_assert_uint_eq(values_of(WIRE_G_RUNS, id[1])[5], WIRE_UNKNOWN);
    for (uint64_t number = 1; number <= WRITERS * UPDATES / 100; number++)
        ck_assert_uint_ge(take_count(WIRE_G_MARK, number), 1);
}
END_TEST

#define ADD(suite, test) TAP_ADD_BETWEEN(suite, test, 1, setup, teardown)

static Suite *suite(void)
{
    Suite *s = suite_create("publish_objects");
    ADD(s, changes_are_sent_at_the_next_tick);
    ADD(s, lost_rows_are_sent_again_within_64_ticks);
    ADD(s, span_is_sent_at_its_begin_and_at_its_end);
    ADD(s, large_table_is_sent_over_several_ticks);
    ADD(s, instants_that_nobody_was_sent_are_dropped);
    ADD(s, values_are_whole_while_threads_write);
    return s;
}

TAP_MAIN(suite)

/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * check_resources.c: a job that lacks descriptors, threads or memory, closes descriptors that it
 * did not open, or is flooded with connections. libzmq would abort in such cases; the feed prevents
 * them. Each is tested with the feed's descriptors in their own table, and in the program's table,
 * as on an old kernel.
 */
#include "config.h"

#include "tap.h"

#include <fcntl.h>
#include <malloc.h>
#include <pthread.h>
#include <sched.h>

#include "process.h"
#include "feed/publisher/transport/resource_check.h"
#include "proftop_control.h"
#include "shared_table.h"
#include "stranger.h"

enum { SHARED, ALONE, TABLES };

static bool has_table(int table)
{
    shared_table = table == SHARED;
    return table == SHARED || !PROCESS_TSAN;
}

static void limit_descriptors(int n)
{
    struct rlimit few = {(rlim_t)n, (rlim_t)n};
    CHILD_NEEDS(setrlimit(RLIMIT_NOFILE, &few) == 0);
}

/* In every state the feed can be used, and reports why it is off. */
static void use(struct proftop *feed)
{
    CHILD_NEEDS(proftop_is_on(feed) == (proftop_reason(feed)[0] == 0));
    proftop_record(feed, proftop_apply(feed, NULL), 5);
    proftop_close(feed);
}

/* ---------------------------------------------------------------------------- descriptors */

static void few_descriptors(int limit)
{
    limit_descriptors(limit);
    use(proftop_open(NULL));
}

/* Runs the job of one row with one kind of descriptor table, if the machine supports it. */
static void run_with_table(void (*job)(int), int row)
{
    client_place();
    if (has_table(row % TABLES))
        process_run(job, row / TABLES);
    client_clean();
}

START_TEST(low_limit)
{
    run_with_table(few_descriptors, _i);
}
END_TEST

enum { LIMIT = 64, PIPE = 2 };
static int taken[LIMIT], takes;

static void take_all(void)
{
    while (takes < LIMIT && (taken[takes] = open("/dev/null", O_RDONLY | O_CLOEXEC)) >= 0)
        takes++;
    CHILD_NEEDS(takes < LIMIT);
}

static void give(int n)
{
    while (takes > 0 && n-- > 0)
        close(taken[--takes]);
}

/* Opens with `n` free descriptors. With its own table the feed needs none of them. */
static void starved(int n)
{
    limit_descriptors(LIMIT);
    take_all();
    give(n);
    struct proftop *feed = proftop_open(NULL);
    CHILD_NEEDS(proftop_is_on(feed) == (!shared_table || n >= WIRE_HEADROOM + PIPE));
    if (!proftop_is_on(feed))
        CHILD_NEEDS(strstr(proftop_reason(feed), "descriptor") != NULL);
    use(feed);
}

START_TEST(starved_at_start)
{
    run_with_table(starved, _i);
}
END_TEST

/* Two pipes by which a job and its test wait for each other. */
static int tell_job[2], tell_test[2];

static void make_pipes(void)
{
    ck_assert_int_eq(pipe2(tell_job, O_CLOEXEC), 0);
    ck_assert_int_eq(pipe2(tell_test, O_CLOEXEC), 0);
}

static void tell(const int to[2])
{
    CHILD_NEEDS(write(to[1], "x", 1) == 1);
}

static void wait_for(const int from[2])
{
    char byte;
    CHILD_NEEDS(read(from[0], &byte, 1) == 1);
}

static struct proftop *job_feed(void)
{
    struct proftop *feed = proftop_open(NULL);
    CHILD_NEEDS(proftop_is_on(feed));
    return feed;
}

static int waits_for(int sockets)
{
    int found = -1;
    for (uint64_t until = process_now_ms() + 10000; process_now_ms() < until;) {
        found = client_count(client_place(), ".pub");
        if (found == sockets)
            break;
        zmq_poll(NULL, 0, 10);
    }
    return found;
}

static void attach(pid_t job)
{
    struct client c;
    client_open(&c, job);
    client_hello(&c);
    client_close(&c);
}

static void lose_all(int unused)
{
    (void)unused;
    limit_descriptors(LIMIT);
    struct proftop *feed = job_feed();
    take_all();
    tell(tell_test);
    wait_for(tell_job);
    CHILD_NEEDS(proftop_is_on(feed));
    give(LIMIT);
    tell(tell_test);
    wait_for(tell_job);
    use(feed);
}

/* All descriptors are used up while the feed runs. With its own table the feed is not affected.
 * With the program's table it stops listening, and listens again later. */
START_TEST(starved_later)
{
    client_place();
    if (!has_table(_i))
        return;
    make_pipes();
    pid_t job = process_start(lose_all, 0);
    wait_for(tell_test);
    if (_i == ALONE)
        attach(job);
    else
        ck_assert_int_eq(waits_for(0), 0);
    tell(tell_job);
    wait_for(tell_test);
    ck_assert_int_eq(waits_for(1), 1);
    attach(job);
    tell(tell_job);
    process_join(job);
    client_clean();
}
END_TEST

/* Closes all descriptors, as daemons do at start, after an engine has opened its feed. */
static void close_all(int unused)
{
    (void)unused;
    struct proftop *feed = job_feed();
    int last = dup(tell_job[0]);
    for (int fd = 0; fd < last; fd++)
        if (fd != tell_test[1] && fd != tell_job[0] && fd != STDERR_FILENO)
            close(fd);
    for (int fd = 0; fd < 20; fd++) /* reuse the numbers */
        CHILD_NEEDS(open("/dev/null", O_RDWR | O_CLOEXEC) >= 0);
    tell(tell_test);
    wait_for(tell_job);
    CHILD_NEEDS(proftop_is_on(feed));
    uint64_t before = process_now_ms();
    use(feed);
    CHILD_NEEDS(process_now_ms() - before < CLIENT_PATIENCE_MS);
}

START_TEST(all_closed_by_the_job)
{
    client_place();
    if (!has_table(ALONE))
        return;
    make_pipes();
    pid_t job = process_start(close_all, 0);
    wait_for(tell_test);
    attach(job);
    tell(tell_job);
    process_join(job);
    client_clean();
}
END_TEST

static void close_when_full(int unused)
{
    (void)unused;
    limit_descriptors(LIMIT);
    struct proftop *feed = job_feed();
    proftop_id apply = client_graph(feed, 1, PROFTOP_GIVEN);
    take_all();
    tell(tell_test);
    wait_for(tell_job);
    proftop_record(feed, apply, 3);
    proftop_close(feed);
}

/* True if the last value and the goodbye arrive, from a job without a descriptor to wake its feed,
 * right after a tick of this length. */
static bool full_job_says_goodbye(uint64_t tick_ms)
{
    struct client c;
    make_pipes();
    pid_t job = process_start(close_when_full, 0);
    wait_for(tell_test);
    client_open(&c, job);
    client_subscribe(&c, "");
    client_ask(&c, (struct client_request){.q = "hello", .req = 1, .tick_ms = tick_ms});
    client_expect(&c, c.dealer, WIRE_HELLO);
    client_expect(&c, c.sub, WIRE_HELLO);
    tell(tell_job);
    const bool whole = client_hears_bye(&c) && c.apply[0].calls == 1;
    client_close(&c);
    process_join(job);
    return whole;
}

/* The feed notices the end at its next wake-up, and the exit waits for that. On a busy machine some
 * runs may fail. */
START_TEST(job_without_descriptors_sends_goodbye)
{
    enum { TRIES = 10, LOST = 2 };
    const uint64_t tick_ms[] = {WIRE_TICK_MS, 1000};
    client_place();
    if (!has_table(ALONE))
        return;
    int lost = 0;
    for (int try = 0; try < TRIES && lost <= LOST; try++)
        lost += !full_job_says_goodbye(tick_ms[_i]);
    ck_assert_int_le(lost, LOST);
    client_clean();
}
END_TEST

/* A failed open leaves nothing behind, however often it is tried. */
static void open_without_descriptors(int limit)
{
    enum { TIMES = 20, LOOP = 1 << 16 };
    size_t before = 0;
    limit_descriptors(limit);
    for (int i = 0; i <= TIMES; i++) {
        before = i == 1 ? mallinfo2().uordblks : before;
        struct proftop *feed = proftop_open(NULL);
        CHILD_NEEDS(!proftop_is_on(feed));
        proftop_close(feed);
    }
    CHILD_NEEDS(mallinfo2().uordblks < before + TIMES * LOOP);
}

START_TEST(failed_open_leaks_no_memory)
{
    static const int limits[] = {0, 1, 9};
    client_place();
    process_run(open_without_descriptors, limits[_i]);
    client_clean();
}
END_TEST

/* Lowers the limit, as a sandbox does. Below the number of paths poll() fails with EINVAL; with a
 * limit of 0 libzmq would end the program on that error. */
static void lower_the_limit(int limit)
{
    char *text = NULL;
    unsigned long long switches;
    struct proftop *feed = job_feed();
    proftop_id apply = client_graph(feed, 1, PROFTOP_GIVEN);
    while (!fork_others_sleep(&switches)) /* let libzmq's threads finish their work of the open */
        sched_yield();
    limit_descriptors(limit);
    for (int i = 0; i < 5; i++) {
        proftop_record(feed, apply, 3);
        CHILD_NEEDS(proftop_dumps(feed, NULL, &text) == NULL);
        CHILD_NEEDS(strstr(text, "Elemwise{add}") != NULL);
        free(text);
    }
    proftop_close(feed);
}

START_TEST(a_limit_below_all_doors)
{
    static const int limits[] = {0, 1, 9};
    client_place();
    for (int i = 0; i < TAP_ROWS(limits) && has_table(ALONE); i++) {
        process_run(lower_the_limit, limits[i]);
        ck_assert_int_eq(client_count(client_place(), "-"), 0);
    }
    client_clean();
}
END_TEST

/* The feed's thread sets its own stack size, whatever the program's default is. */
static void have_little_stack(int unused)
{
    enum { LITTLE = PROCESS_ASAN || PROCESS_TSAN ? 1 << 20 : 1 << 15 };
    pthread_attr_t little;
    (void)unused;
    CHILD_NEEDS(pthread_attr_init(&little) == 0);
    CHILD_NEEDS(pthread_attr_setstacksize(&little, LITTLE) == 0);
    CHILD_NEEDS(pthread_setattr_default_np(&little) == 0);
    use(job_feed());
}

START_TEST(a_little_stack)
{
    client_place();
    process_run(have_little_stack, 0);
    client_clean();
}
END_TEST

/* The program's own table: the feed adds nothing, and children inherit nothing. */
START_TEST(table_of_the_job_is_left_alone)
{
    client_place();
    if (!has_table(ALONE))
        return;
    int before = process_descriptors(), ends[2];
    char byte;
    ck_assert_int_eq(pipe2(ends, O_CLOEXEC), 0);
    struct proftop *feed = client_feed();
    ck_assert_int_eq(process_descriptors(), before + 2);
    close(ends[1]); /* the feed holds no copy: */
    ck_assert_int_eq(read(ends[0], &byte, 1), 0);
    close(ends[0]);
    proftop_close(feed);
    ck_assert_int_eq(process_descriptors(), before);
    client_clean();
}
END_TEST

/* ---------------------------------------------------------------------------------- memory */

enum { MEMORY_ROWS = 40, MEMORY_STEP = 2 << 20 };

static size_t address_space(void)
{
    size_t pages = 0;
    FILE *file = fopen("/proc/self/statm", "re");
    CHILD_NEEDS(file != NULL && fscanf(file, "%zu", &pages) == 1);
    fclose(file);
    return pages * (size_t)sysconf(_SC_PAGESIZE);
}

/* Opens, views and closes a feed with little memory left, as under `ulimit -v`. */
static void little_memory(int row)
{
    size_t most = address_space() + (size_t)row * MEMORY_STEP;
    struct rlimit limit = {most, RLIM_INFINITY};
    CHILD_NEEDS(setrlimit(RLIMIT_AS, &limit) == 0);
    struct proftop *feed = proftop_open(NULL);
    CHILD_NEEDS(write(tell_test[1], proftop_is_on(feed) ? "1" : "0", 1) == 1);
    wait_for(tell_job);
    for (int i = 0; i < 100; i++)
        proftop_notice(feed, 0, "memory is short");
    proftop_class(feed, "x");
    use(feed);
}

/* Opens a feed, then limits the program so that no address or page is available. */
static void takes_all_memory(int resource)
{
    const struct rlimit none = {0, RLIM_INFINITY};
    struct proftop *feed = job_feed();
    tell(tell_test);
    wait_for(tell_job);
    CHILD_NEEDS(setrlimit(resource, &none) == 0);
    use(feed);
}

/* libzmq's threads have had all needed memory since the open, with or without a viewer. */
START_TEST(limit_that_is_set_later_ends_nothing)
{
    const int resource[] = {RLIMIT_AS, RLIMIT_DATA};
    struct client c;
    client_place();
    if (PROCESS_ASAN || PROCESS_TSAN)
        return;
    make_pipes();
    pid_t job = process_start(takes_all_memory, resource[_i % 2]);
    wait_for(tell_test);
    if (_i / 2) {
        client_open(&c, job);
        client_hello(&c);
    }
    tell(tell_job);
    process_join(job);
    if (_i / 2)
        client_close(&c);
    client_clean();
}
END_TEST

/* Memory is checked in each tick only in programs that set a limit. */
static void sets_limit(int resource)
{
    const struct rlimit none = {RLIM_INFINITY, RLIM_INFINITY}, some = {1ul << 40, RLIM_INFINITY};
    CHILD_NEEDS(setrlimit(RLIMIT_AS, &none) == 0 && setrlimit(RLIMIT_DATA, &none) == 0);
    CHILD_NEEDS(!publisher_resource_limited());
    CHILD_NEEDS(setrlimit(resource, &some) == 0);
    CHILD_NEEDS(publisher_resource_limited() && publisher_resource_memory());
}

START_TEST(limits_that_are_set_later_are_seen)
{
    const int resource[] = {RLIMIT_AS, RLIMIT_DATA};
    struct rlimit now;
    for (int i = 0; i < TAP_ROWS(resource); i++)
        if (getrlimit(resource[i], &now) != 0 || now.rlim_max != RLIM_INFINITY)
            return; /* the limit would hit the test itself */
    for (int i = 0; i < TAP_ROWS(resource) && !PROCESS_ASAN && !PROCESS_TSAN; i++)
        process_run(sets_limit, resource[i]);
}
END_TEST

START_TEST(little_memory_left)
{
    char on;
    client_place();
    if (PROCESS_ASAN || PROCESS_TSAN)
        return;
    make_pipes();
    pid_t job = process_start(little_memory, _i);
    ck_assert_int_eq(read(tell_test[0], &on, 1), 1);
    if (on == '1')
        attach(job);
    tell(tell_job);
    process_join(job);
    client_clean();
}
END_TEST

/* ------------------------------------------------------------------------------- strangers */

static const struct crowd {
    int table, limit, peers;
} crowds[] = {{ALONE, 256, 2000}, {ALONE, 1024, 4000}, {SHARED, 1024, 300}};

static void be_crowded(int limit)
{
    limit_descriptors(limit);
    struct proftop *feed = job_feed();
    tell(tell_test);
    wait_for(tell_job);
    CHILD_NEEDS(proftop_is_on(feed));
    use(feed);
}

/* Thousands connect and send nothing. After they have gone, a viewer is served. */
START_TEST(crowd_of_strangers)
{
    const struct crowd *crowd = &crowds[_i];
    struct registry_info info;
    int *fd = calloc((size_t)crowd->peers, sizeof *fd), n = 0;
    client_place();
    if (!has_table(crowd->table))
        return;
    make_pipes();
    pid_t job = process_start(be_crowded, crowd->limit);
    wait_for(tell_test);
    ck_assert(client_info(client_place(), job, &info));
    for (int i = 0; i < crowd->peers; i++) {
        int got = stranger_connect(i % 2 ? info.facts : info.control);
        if (got >= 0)
            fd[n++] = got;
    }
    ck_assert_int_gt(n, 16);
    while (n > 0)
        close(fd[--n]);
    free(fd);
    ck_assert_int_eq(waits_for(1), 1);
    attach(job);
    tell(tell_job);
    process_join(job);
    client_clean();
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("room");
    tap_native(tap_add_loop(s, "low_limit", low_limit, 40 * TABLES));
    tap_native(tap_add_loop(s, "starved_at_start", starved_at_start, 24 * TABLES));
    tap_native(tap_add_loop(s, "starved_later", starved_later, TABLES));
    tap_native(tap_add_loop(s, "little_memory_left", little_memory_left, MEMORY_ROWS));
    tap_native(tap_add_loop(s, "limit_that_is_set_later_ends_nothing",
                            limit_that_is_set_later_ends_nothing, 2 * 2));
    tap_add(s, "limits_that_are_set_later_are_seen", limits_that_are_set_later_are_seen);
    tap_add(s, "all_closed_by_the_job", all_closed_by_the_job);
    tap_add(s, "table_of_the_job_is_left_alone", table_of_the_job_is_left_alone);
    tap_native(tap_add_loop(s, "job_without_descriptors_sends_goodbye",
                            job_without_descriptors_sends_goodbye, 2));
    tap_native(tap_add_loop(s, "failed_open_leaks_no_memory", failed_open_leaks_no_memory, 3));
    tap_native(tap_add(s, "a_limit_below_all_doors", a_limit_below_all_doors));
    tap_native(tap_add(s, "a_little_stack", a_little_stack));
    tap_native(tap_add_loop(s, "crowd_of_strangers", crowd_of_strangers, TAP_ROWS(crowds)));
    return s;
}

TAP_MAIN(suite)

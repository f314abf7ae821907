/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * check_run_queue.c: how long threads waited for a processor: the kernel's figures, and results
 * from them.
 */
#include "config.h"

#include "tap.h"

#include <fcntl.h>
#include <stdarg.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "feed/publisher/collect/overhead.h"
#include "feed/publisher/record/core.h"
#include "feed/publisher/record/thread_buffer.h"
#include "made_up.h"

/* Replaces the kernel's text about a thread; NULL: use the kernel's. */
static const char *made_up_text;
static char made_up_path[96]; /* the path of the last read */

static int pipe_with(const char *text)
{
    int end[2];
    ck_assert_int_eq(pipe(end), 0);
    ck_assert_int_eq(write(end[1], text, strlen(text)), (ssize_t)strlen(text));
    close(end[1]);
    return end[0];
}

int __real_open(const char *path, int flags, ...);
int __wrap_open(const char *path, int flags, ...);
int __wrap_open(const char *path, int flags, ...)
{
    va_list list;
    va_start(list, flags);
    const int mode = (flags & O_CREAT) != 0 ? va_arg(list, int) : 0;
    va_end(list);
    if (made_up_text != NULL && strstr(path, "/schedstat") != NULL) {
        snprintf(made_up_path, sizeof made_up_path, "%s", path);
        return pipe_with(made_up_text);
    }
    return __real_open(path, flags, mode);
}

static const struct {
    const char *text;
    bool good;
} texts[] = {{"241749200 2783189052 113\n", true},
             {"0 0 0\n", true},
             {"12 13\n", false},
             {"", false},
             {"none", false}};

START_TEST(the_kernels_text_is_read)
{
    struct shared_schedstat turns = {0};
    made_up_text = texts[_i].text;
    ck_assert_int_eq(shared_schedstat_read(4711, 4712, &turns), texts[_i].good);
    ck_assert_str_eq(made_up_path, "/proc/4711/task/4712/schedstat");
    made_up_text = NULL;
    if (_i == 0)
        ck_assert(turns.ran_ns == 241749200 && turns.waited_ns == 2783189052 && turns.turns == 113);
}
END_TEST

/* A call that runs as long as the threads did is assumed to wait as long as they did, on
 * average. */
START_TEST(run_queue_learns_the_wait_per_nanosecond)
{
    struct publisher_run_queue queue = {0};
    publisher_run_queue_learn(&queue, &(struct shared_schedstat){0});
    ck_assert(queue.waited == 0 && queue.square == 0);
    for (int i = 0; i < 100; i++)
        publisher_run_queue_learn(&queue, &(struct shared_schedstat){40000000, 60000000, 15});
    ck_assert_double_eq_tol(queue.waited, 1.5, 1e-6);
    ck_assert_double_eq_tol(queue.square, 15.0 / 40000000 * 2 * 4000000 * 4000000, 1);
    ck_assert(queue.sum.ran_ns == 4000000000 && queue.sum.waited_ns == 6000000000);
    ck_assert_uint_eq(queue.sum.turns, 1500);
    for (int i = 0; i < 100; i++) /* old data is forgotten */
        publisher_run_queue_learn(&queue, &(struct shared_schedstat){100000000, 0, 1});
    ck_assert_double_lt(queue.waited, 1e-6);
    ck_assert_double_lt(queue.square, 1);
}
END_TEST

/* The work time of the program excludes time in which another task had the processor, even if its
 * threads ran in parts of it. */
START_TEST(work_is_what_is_not_waited)
{
    static const struct {
        uint64_t run_ns;
        uint32_t threads;
        struct shared_schedstat more;
        double worked_ns;
    } rows[] = {{1000, 1, {0, 0, 0}, 1000},
                {1000, 3, {1800, 1200, 0}, 1800},
                {1000, 1, {100, 300, 0}, 700},   /* slept as well */
                {1000, 1, {1000, 3000, 0}, 250}, /* four threads, one known */
                {1000, 1, {0, 1000, 0}, 10}};
    for (int i = 0; i < TAP_ROWS(rows); i++) {
        const struct shared_schedstat from = {5, 6, 7};
        static struct publisher_block block[] = {
            {.moved = 9}, {.moved = 9}, {.moved = 9}, {.moved = 8}};
        static struct publisher_core core;
        struct publisher_aggregate aggregate = {.core = &core};
        aggregate.runqueue.sum =
            (struct shared_schedstat){5 + rows[i].more.ran_ns, 6 + rows[i].more.waited_ns, 7};
        for (int n = 0; n < 3; n++)
            block[n].next = &block[n + 1];
        atomic_store(&core.blocks, &block[3 - rows[i].threads]);
        ck_assert_double_eq_tol(publisher_overhead_worked_ns(&aggregate, rows[i].run_ns, 8, &from),
                                rows[i].worked_ns, 1e-9);
    }
}
END_TEST

static bool kernel_tells(void)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/self/task/%ld/schedstat", syscall(SYS_gettid));
    return access(path, R_OK) == 0;
}

/* Of threads that count, by their own ids. */
START_TEST(threads_that_count_are_read)
{
    struct made_up feed;
    struct publisher_run_queue queue = {0};
    made_up_begin(&feed);
    ck_assert(publisher_definitions_init(&feed.core->definitions));
    publisher_thread_define(feed.core, feed.block, "main");
    feed.block->next = publisher_block_new(1);
    feed.block->next->moved = 1;
    publisher_run_queue_tick(&queue, feed.core, 1);
    ck_assert_uint_eq(queue.read, 0); /* an unknown other thread counts */
    feed.block->moved = 1;
    made_up_text = "300 200 1\n";
    publisher_run_queue_tick(&queue, feed.core, 2);
    ck_assert_uint_eq(queue.read, 1);
    ck_assert_uint_eq(queue.sum.ran_ns, 0); /* earlier time may not belong to its calls */
    ck_assert_uint_eq(feed.block->turns.tid, (uint64_t)syscall(SYS_gettid));
    /* Outside /proc/self the number could belong to another process. */
    ck_assert_ptr_eq(strstr(made_up_path, "/proc/self/task/"), made_up_path);
    made_up_text = "5300 2700 5\n";
    publisher_run_queue_tick(&queue, feed.core, 3);
    ck_assert_uint_eq(queue.sum.ran_ns, 5000);
    ck_assert_uint_eq(queue.sum.waited_ns, 2500);
    ck_assert_uint_eq(queue.sum.turns, 4);
    static const char *const falls[] = {"5299 9999 9\n", "9999 9998 9\n", "9999 9999 8\n"};
    for (uint32_t i = 0; i < 3; i++) { /* of another thread */
        made_up_text = falls[i];
        publisher_run_queue_tick(&queue, feed.core, 4 + i);
        ck_assert_uint_eq(queue.read, 1);
        ck_assert_uint_eq(queue.sum.ran_ns, 5000);
        ck_assert_uint_eq(queue.sum.waited_ns, 2500);
        ck_assert_uint_eq(queue.sum.turns, 4);
    }
    made_up_text = NULL;
    feed.block->next->moved = 1000;
    publisher_run_queue_tick(&queue, feed.core, 1000);
    ck_assert_uint_eq(queue.read, 0);
    ck_assert_uint_eq(feed.block->turns.tid, 0);
    publisher_run_queue_tick(&queue, feed.core, 2000); /* no thread runs applies: all are read */
    ck_assert_uint_eq(queue.read, 1);
    publisher_block_free(feed.block->next);
    feed.block->next = NULL;
    publisher_definitions_release(&feed.core->definitions);
    made_up_end(&feed);
}
END_TEST

/* With many threads, most ticks read none, and then one reads all. */
START_TEST(many_threads_are_read_less_often)
{
    enum { THREADS = 40, TICKS = 60 };
    struct made_up feed;
    struct publisher_run_queue queue = {0};
    static struct publisher_block *more[THREADS];
    unsigned read = 0;
    made_up_begin(&feed);
    ck_assert(publisher_definitions_init(&feed.core->definitions));
    struct publisher_block *last = feed.block;
    for (int i = 0; i < THREADS; i++) {
        more[i] = last->next = publisher_block_new(1);
        last = more[i];
        publisher_thread_define(feed.core, last, "more");
    }
    for (uint32_t tick = 1; tick <= TICKS; tick++) {
        for (int i = 0; i < THREADS; i++)
            more[i]->moved = tick;
        const uint64_t tid = more[0]->turns.tid;
        more[0]->turns.tid = 0;
        publisher_run_queue_tick(&queue, feed.core, tick);
        read += more[0]->turns.tid != 0;
        if (more[0]->turns.tid == 0)
            more[0]->turns.tid = tid;
    }
    ck_assert_uint_eq(queue.read, THREADS);
    ck_assert_uint_eq(read, kernel_tells() ? 1 + TICKS / 3 : 0);
    for (int i = 0; i < THREADS; i++)
        publisher_block_free(more[i]);
    feed.block->next = NULL;
    publisher_definitions_release(&feed.core->definitions);
    made_up_end(&feed);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("runqueue");
    tap_add_loop(s, "the kernel's text is read", the_kernels_text_is_read, TAP_ROWS(texts));
    tap_add(s, "waits are told of each ns", run_queue_learns_the_wait_per_nanosecond);
    tap_add(s, "work is what is not waited", work_is_what_is_not_waited);
    tap_add(s, "threads that count are read", threads_that_count_are_read);
    tap_add(s, "many threads are read less often", many_threads_are_read_less_often);
    return s;
}

TAP_MAIN(suite)

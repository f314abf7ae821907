/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * check_scarce.c: no memory for libproftop, at each of its allocations in turn: alone, and from
 * there on. The linker puts the functions below in the place of the real ones, for libproftop and
 * for this file, but not for libzmq, which aborts where its own allocations fail: nothing can be
 * injected there, but feed_room_memory() is.
 */
#include "config.h"

#include "tap.h"

#include <pthread.h>
#include <stdatomic.h>
#include <sys/mman.h>

#include "job/core.h"
#include "process.h"
#include "proftop_control.h"
#include "proftop_detail.h"

void *__real_malloc(size_t size);
void *__real_calloc(size_t n, size_t size);
void *__real_realloc(void *old, size_t size);
void *__real_mmap(void *at, size_t size, int rights, int flags, int fd, off_t offset);
int __real_pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
                          void *(*main)(void *), void *argument);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t n, size_t size);
void *__wrap_realloc(void *old, size_t size);
void *__wrap_mmap(void *at, size_t size, int rights, int flags, int fd, off_t offset);
int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
                          void *(*main)(void *), void *argument);

enum { ONE, ALL_FROM, WAYS };

static _Atomic int asked, fails_at; /* number of the allocation that fails, from 1; 0: none */
static _Atomic bool on_and_on;
static _Thread_local bool exempt; /* the test's own */

static bool fails(void)
{
    int at = atomic_load(&fails_at);
    if (exempt || at == 0)
        return false;
    int number = atomic_fetch_add(&asked, 1) + 1;
    bool failed = number == at || (atomic_load(&on_and_on) && number > at);
    if (failed)
        errno = ENOMEM;
    return failed;
}

void *__wrap_malloc(size_t size)
{
    return fails() ? NULL : __real_malloc(size);
}

void *__wrap_calloc(size_t n, size_t size)
{
    return fails() ? NULL : __real_calloc(n, size);
}

void *__wrap_realloc(void *old, size_t size)
{
    return fails() ? NULL : __real_realloc(old, size);
}

void *__wrap_mmap(void *at, size_t size, int rights, int flags, int fd, off_t offset)
{
    return fails() ? MAP_FAILED : __real_mmap(at, size, rights, flags, fd, offset);
}

int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
                          void *(*main)(void *), void *argument)
{
    return fails() ? EAGAIN : __real_pthread_create(thread, attributes, main, argument);
}

enum { APPLIES = 2500, CALLS = 3, THREADS = 2, OTHERS = 5 };

static struct proftop *feed;
static proftop_id id[APPLIES];
static _Atomic uint64_t made;

/* Counts on each apply that could be defined. */
static void *count_all(void *unused)
{
    for (int call = 0; call < CALLS; call++)
        for (int i = 0; i < APPLIES; i++)
            if (id[i] != PROFTOP_NONE) {
                proftop_end(feed, id[i], proftop_begin(feed, id[i]));
                atomic_fetch_add(&made, 1);
            }
    return unused;
}

static void define(void)
{
    proftop_id op = proftop_op(feed, proftop_class(feed, "tensor.Elemwise"), "Elemwise{add}");
    struct proftop_function_info info = {.size = sizeof info, .name = "train"};
    proftop_id function = proftop_function(feed, &info);
    for (uint32_t i = 0; i < APPLIES; i++) {
        struct proftop_apply_info apply = {.size = sizeof apply,
                                           .function = function,
                                           .op = op,
                                           .index = i,
                                           .text = "a text of some length, to fill an arena",
                                           .source = PROFTOP_TIMED};
        id[i] = proftop_apply(feed, &apply);
    }
    struct proftop_apply_detail_info detail = PROFTOP_APPLY_DETAIL;
    detail.flops = 7;
    proftop_apply_detail(feed, id[0], &detail);
    proftop_metric_add(feed, proftop_metric(feed, "work", "bytes", PROFTOP_SUM), id[0], 5);
    proftop_id phase =
        proftop_phase_begin(feed, function, PROFTOP_NONE, PROFTOP_PHASE_REWRITE, "fuse", 9);
    proftop_phase_end(feed, phase, 1, 8);
    proftop_notice(feed, 1, "memory is short");
}

/* One whole life of a feed, up to its close. */
static void live(void)
{
    pthread_t thread[THREADS];
    bool runs[THREADS];
    char *text = NULL;
    atomic_store(&made, 0);
    feed = proftop_open(NULL);
    define();
    for (int t = 0; t < THREADS; t++) {
        exempt = true; /* the program's own threads */
        runs[t] = pthread_create(&thread[t], NULL, count_all, NULL) == 0;
        exempt = false;
    }
    for (int t = 0; t < THREADS; t++)
        if (runs[t])
            pthread_join(thread[t], NULL);
    proftop_dumps(feed, NULL, &text);
    free(text);
}

static uint64_t counted(struct client *c)
{
    uint64_t calls = 0;
    for (int i = 0; i < APPLIES; i++)
        if (id[i] != PROFTOP_NONE)
            calls += c->apply[id[i]].calls;
    return calls;
}

static uint64_t dropped(void)
{
    uint64_t n = feed->dropped;
    for (struct feed_block *block = feed->core->blocks; block != NULL; block = block->next)
        n += block->dropped;
    return n;
}

/* Once there is memory again, the feed answers as ever. What was not counted is known as dropped,
 * as are the few other things that found no memory. */
static void answers(uint64_t others)
{
    struct client c;
    exempt = true;
    client_open(&c, getpid());
    client_hello(&c);
    client_snapshot(&c, "DFAN", 1);
    uint64_t known = counted(&c) + dropped();
    ck_assert_msg(known >= made && known <= made + others, "%llu + %llu of %llu are known",
                  (unsigned long long)counted(&c), (unsigned long long)dropped(),
                  (unsigned long long)made);
    client_close(&c);
    exempt = false;
}

/* Gives how many allocations there were. */
static int live_without(int at, int way)
{
    atomic_store(&asked, 0);
    atomic_store(&on_and_on, way == ALL_FROM);
    atomic_store(&fails_at, at);
    live();
    atomic_store(&fails_at, 0);
    ck_assert_int_eq(proftop_is_on(feed), proftop_reason(feed)[0] == 0);
    if (proftop_is_on(feed))
        answers(way == ONE ? OTHERS : APPLIES + OTHERS); /* with the definitions that failed */
    proftop_close(feed);
    return atomic_load(&asked);
}

START_TEST(each_allocation_fails)
{
    int before = process_descriptors(), at = 1;
    client_place();
    while (live_without(at, _i) >= at)
        at++;
    printf("# %d allocations\n", at - 1);
    ck_assert_int_gt(at, 30);
    ck_assert_int_le(process_descriptors(), before);
    ck_assert_int_eq(client_count(client_place(), ""), 2);
    client_clean();
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("scarce");
    TCase *one = tap_add_loop(s, "each_allocation_fails", each_allocation_fails, WAYS);
    tcase_set_timeout(one, 3 * TAP_TIMEOUT);
    return s;
}

TAP_MAIN(suite)

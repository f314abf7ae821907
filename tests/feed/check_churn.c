/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * check_churn.c: a long lifetime in short: hundreds of threads, forks, feeds and viewers start and
 * end. The job's counts and results stay right, and no resources accumulate. PROFTOP_TEST_LONG=1
 * runs thousands.
 */
#include "config.h"

#include "tap.h"

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/mman.h>

#include "process.h"
#include "result.h"
#include "viewing.h"

enum { SECONDS = 100, CALLS = 10 }; /* time limit; calls of each thread */

static struct proftop *feed;

/* Descriptors of all threads, summed over the threads: the feed's threads have their own table. */
static int all_descriptors(void)
{
    int n = 0;
    DIR *dir = opendir("/proc/self/task");
    struct dirent *entry;
    while ((entry = readdir(dir)) != NULL) {
        char path[300];
        snprintf(path, sizeof path, "/proc/self/task/%s/fd", entry->d_name);
        n += entry->d_name[0] == '.' ? 0 : process_count(path);
    }
    closedir(dir);
    return n;
}

/* Opens a first feed, so that permanent resources exist, such as a sanitizer's thread. */
static void warm_up(void)
{
    proftop_close(client_feed());
}

/* Waits until the number is as low as before. */
static int settles(int (*count)(void), int before)
{
    int now = count();
    for (uint64_t until = process_now_ms() + 10000; now > before && process_now_ms() < until;) {
        zmq_poll(NULL, 0, 10);
        now = count();
    }
    return now;
}

/* --------------------------------------------------------------------------------- threads */

/* Bytes that counting threads have mapped and not unmapped. The library maps the memory of each
 * thread in that thread. The feed's thread maps memory too, at any time. */
static _Atomic size_t mapped;
static _Thread_local bool counting;

void *__real_mmap(void *at, size_t size, int may, int how, int fd, off_t from);
void *__wrap_mmap(void *at, size_t size, int may, int how, int fd, off_t from);
void *__wrap_mmap(void *at, size_t size, int may, int how, int fd, off_t from)
{
    void *memory = __real_mmap(at, size, may, how, fd, from);
    if (counting && memory != MAP_FAILED)
        atomic_fetch_add(&mapped, size);
    return memory;
}

int __real_munmap(void *at, size_t size);
int __wrap_munmap(void *at, size_t size);
int __wrap_munmap(void *at, size_t size)
{
    if (counting)
        atomic_fetch_sub(&mapped, size);
    return __real_munmap(at, size);
}

static void *count_some(void *unused)
{
    counting = true;
    for (int i = 0; i < CALLS; i++)
        proftop_end(feed, 0, proftop_begin(feed, 0));
    return unused;
}

/* A thread that ends leaves its memory to the next one. */
START_TEST(threads_come_and_go)
{
    enum { AT_ONCE = 8 };
    const int rounds = process_rounds(250, 9000); /* more than the rows for threads */
    struct client c;
    pthread_t thread[AT_ONCE];
    feed = client_feed();
    client_graph(feed, 1, PROFTOP_TIMED);
    int before = process_threads();
    ck_assert_int_eq(pthread_create(&thread[0], NULL, count_some, NULL), 0);
    pthread_join(thread[0], NULL);
    const size_t of_one = mapped;
    ck_assert_uint_gt(of_one, 0);
    for (int round = 0; round < rounds; round++) {
        for (int t = 0; t < AT_ONCE; t++)
            ck_assert_int_eq(pthread_create(&thread[t], NULL, count_some, NULL), 0);
        for (int t = 0; t < AT_ONCE; t++)
            pthread_join(thread[t], NULL);
    }
    ck_assert_int_le(settles(process_threads, before), before);
    ck_assert_uint_le(mapped, AT_ONCE * of_one);
    client_open(&c, getpid());
    client_snapshot(&c, "DA", 1);
    ck_assert_uint_eq(c.apply[0].calls, ((uint64_t)rounds * AT_ONCE + 1) * CALLS);
    client_end(&c, feed);
}
END_TEST

/* ----------------------------------------------------------------------------------- forks */

/* Follows the values, and counts missed frames. */
struct follower {
    struct client c;
    uint64_t frames, lost;
};

static void *follow(void *argument)
{
    struct follower *f = argument;
    uint64_t last = 0;
    do {
        ck_assert(client_receive(&f->c, f->c.sub, CLIENT_PATIENCE_MS));
        if (f->c.frame.stream != WIRE_APPLIES)
            continue;
        uint64_t seq = f->c.frame.field[WIRE_F_SEQ].u;
        f->lost += last == 0 ? 0 : seq - last - 1;
        f->frames++;
        last = seq;
    } while (!f->c.frame.field[WIRE_F_BYE].present);
    return NULL;
}

static void die_at_once(void)
{
    _exit(0);
}

static void die_in_order(void)
{
    exit(0); /* run the destructors */
}

static void become_another(void)
{
    execl("/bin/true", "true", (char *)NULL);
    _exit(1);
}

static void count_on(void)
{
    count_some(NULL);
    proftop_close(feed);
    _exit(0);
}

static void have_a_feed(void)
{
    struct proftop *own = proftop_open(NULL);
    struct registry_info mine, theirs;
    CHILD_NEEDS(proftop_is_on(own));
    CHILD_NEEDS(client_info(client_place(), getpid(), &mine));
    CHILD_NEEDS(client_info(client_place(), getppid(), &theirs));
    CHILD_NEEDS(strcmp(mine.parent, theirs.instance) == 0);
    client_graph(own, 1, PROFTOP_GIVEN);
    proftop_record(own, 0, 1);
    proftop_close(own);
    /* On a very busy machine the feed's thread may end after close returns. */
    for (uint64_t until = process_now_ms() + 10000; process_now_ms() < until;)
        if (!client_info(client_place(), getpid(), &mine))
            break;
    _exit(0);
}

static void (*const fates[])(void) = {die_at_once, become_another, count_on, die_in_order,
                                      have_a_feed};
enum { FATES = sizeof fates / sizeof fates[0], FATES_TSAN = 3 }; /* TSan delays exits by 1 s */

/* Each child also checks that its inherited feed is off. */
static void meet(int fate)
{
    CHILD_NEEDS(!proftop_is_on(feed));
    fates[fate]();
}

START_TEST(forks_while_streaming)
{
    const int forks = process_rounds(PROCESS_ASAN || PROCESS_TSAN ? 200 : 1000, 5000);
    const uint64_t alone = result_alone(forks);
    struct follower f = {.frames = 0};
    struct result result;
    pthread_t thread;
    result_begin(&result);
    warm_up();
    int status, fewest = all_descriptors();
    feed = client_feed();
    client_graph(feed, 1, PROFTOP_TIMED);
    client_open(&f.c, getpid());
    client_subscribe(&f.c, "");
    client_expect(&f.c, f.c.sub, WIRE_HELLO);
    ck_assert_int_eq(pthread_create(&thread, NULL, follow, &f), 0);
    for (int i = 0; i < forks; i++) {
        count_some(NULL);
        result_step(&result);
        process_run(meet, i % (PROCESS_TSAN ? FATES_TSAN : FATES));
    }
    ck_assert(proftop_is_on(feed));
    proftop_close(feed);
    pthread_join(thread, NULL);
    ck_assert_uint_gt(f.frames, 0);
    ck_assert_uint_eq(f.lost, 0);
    ck_assert_uint_eq(result_digest(&result), alone);
    ck_assert_uint_eq(f.c.apply[0].calls, (uint64_t)forks * CALLS);
    client_close(&f.c);
    ck_assert_int_eq(waitpid(-1, &status, WNOHANG), -1); /* no child is left */
    ck_assert_int_le(settles(all_descriptors, fewest), fewest);
    ck_assert_int_eq(client_count(client_place(), ""), 2);
    client_clean();
}
END_TEST

/* ----------------------------------------------------------------------------------- feeds */

static void *open_and_close(void *rounds)
{
    for (int i = 0; i < *(int *)rounds; i++) {
        struct proftop *own = proftop_open(NULL);
        ck_assert_str_eq(proftop_reason(own), "");
        proftop_class(own, "x");
        count_some(NULL); /* on the shared feed, beside its own */
        proftop_close(own);
    }
    return NULL;
}

/* Threads open and close feeds beside a permanent one. */
START_TEST(feeds_come_and_go)
{
    enum { THREADS = 4 };
    struct client c;
    pthread_t thread[THREADS];
    warm_up();
    int rounds = process_rounds(60, 1000), fewest = all_descriptors(), alone = process_threads();
    feed = client_feed();
    client_graph(feed, 1, PROFTOP_TIMED);
    for (int t = 0; t < THREADS; t++)
        ck_assert_int_eq(pthread_create(&thread[t], NULL, open_and_close, &rounds), 0);
    for (int t = 0; t < THREADS; t++)
        pthread_join(thread[t], NULL);
    client_open(&c, getpid());
    client_snapshot(&c, "DA", 1);
    ck_assert_uint_eq(c.apply[0].calls, (uint64_t)rounds * THREADS * CALLS);
    client_close(&c);
    proftop_close(feed);
    ck_assert_int_le(settles(process_threads, alone), alone);
    ck_assert_int_le(settles(all_descriptors, fewest), fewest);
    ck_assert_int_eq(client_count(client_place(), ""), 2);
    client_clean();
}
END_TEST

/* --------------------------------------------------------------------------------- viewers */

START_TEST(viewers_are_killed)
{
    const int viewers = process_rounds(40, 1000);
    const uint64_t alone = result_alone(viewers);
    struct client c;
    struct result result;
    result_begin(&result);
    feed = client_feed();
    client_graph(feed, 1000, PROFTOP_TIMED);
    int fewest = all_descriptors();
    for (int i = 0; i < viewers; i++) {
        count_some(NULL);
        result_step(&result);
        viewing_end(viewing_start(getpid(), i % 2));
    }
    ck_assert_int_le(settles(all_descriptors, fewest), fewest);
    client_open(&c, getpid());
    client_snapshot(&c, "DA", 1);
    ck_assert_uint_eq(c.apply[0].calls, (uint64_t)viewers * CALLS);
    ck_assert_uint_eq(result_digest(&result), alone);
    client_end(&c, feed);
}
END_TEST

/* Adds a case with the time limit of a long run. */
static TCase *add(Suite *s, const char *name, const TTest *test)
{
    TCase *one = tap_add(s, name, test);
    tcase_set_timeout(one, SECONDS);
    return one;
}

static Suite *suite(void)
{
    Suite *s = suite_create("churn");
    add(s, "threads_come_and_go", threads_come_and_go);
    tap_native(add(s, "forks_while_streaming", forks_while_streaming));
    tap_native(add(s, "feeds_come_and_go", feeds_come_and_go));
    if (!PROCESS_TSAN) /* the viewers are children with threads */
        tap_native(add(s, "viewers_are_killed", viewers_are_killed));
    return s;
}

TAP_MAIN(suite)

/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * check_exit.c: programs that exit or fork while other threads open and close feeds. Each is a
 * separate process and must end by itself. Also threads that end while they count.
 */
#include "config.h"

#include "tap.h"

#include <dirent.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/wait.h>
#include <unistd.h>
#include <zmq.h>

#include "client.h"
#include "proftop.h"
#include "sanitized.h"
#include "waits.h"

enum { CHILDREN = 60, HANGS_S = 60 };

/* The feed's thread is blocked in its start until the main thread, which exits, has told it to stop
 * and waits for it. Then the start fails. */
static atomic_bool holds, is_held, is_awaited;

void *__real_zmq_ctx_new(void);
void *__wrap_zmq_ctx_new(void);
void *__wrap_zmq_ctx_new(void)
{
    if (!atomic_load(&holds))
        return __real_zmq_ctx_new();
    atomic_store(&is_held, true);
    while (!atomic_load(&is_awaited))
        sched_yield();
    return NULL;
}

/* For waits_end: notes that the main thread waits, and lets it wait. */
static bool note_wait(pthread_mutex_t *lock)
{
    (void)lock;
    if (atomic_load(&is_held) && gettid() == getpid())
        atomic_store(&is_awaited, true);
    return false;
}

static void ends_by_itself(pid_t child)
{
    int status;
    ck_assert_int_gt(child, 0);
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert_msg(WIFEXITED(status), "signal %d", WTERMSIG(status));
    ck_assert_int_eq(WEXITSTATUS(status), 0);
}

static int files(const char *folder)
{
    int count = 0;
    DIR *dir = opendir(folder);
    const struct dirent *entry;
    ck_assert_ptr_nonnull(dir);
    while ((entry = readdir(dir)) != NULL)
        count += entry->d_name[0] != '.';
    closedir(dir);
    return count;
}

static void *open_one(void *feed)
{
    *(struct proftop **)feed = proftop_open(NULL);
    return NULL;
}

/* A thread that waits for the feed's start wakes up and finds the feed closed. */
START_TEST(the_end_comes_while_one_opens)
{
    client_place();
    pid_t child = fork();
    if (child == 0) {
        pthread_t thread;
        struct proftop *feed;
        alarm(HANGS_S);
        waits_end = note_wait;
        atomic_store(&holds, true);
        pthread_create(&thread, NULL, open_one, &feed);
        pthread_detach(thread);
        while (!atomic_load(&is_held))
            sched_yield();
        exit(0);
    }
    ends_by_itself(child);
    client_clean();
}
END_TEST

static void *open_and_close(void *unused)
{
    (void)unused;
    for (;;) {
        struct proftop *feed = proftop_open(NULL);
        proftop_class(feed, "c");
        proftop_close(feed);
    }
    return NULL;
}

START_TEST(the_end_comes_at_any_time)
{
    client_place();
    for (int i = 0; i < CHILDREN; i++) {
        pid_t child = fork();
        if (child == 0) {
            pthread_t thread;
            alarm(HANGS_S);
            pthread_create(&thread, NULL, open_and_close, NULL);
            pthread_detach(thread);
            for (int n = 0; n < i * 20; n++)
                sched_yield();
            exit(0);
        }
        ends_by_itself(child);
    }
    client_clean();
}
END_TEST

static void *close_it(void *feed)
{
    proftop_close(feed);
    return NULL;
}

/* If another thread has begun a close, the goodbye is sent before the program ends. */
START_TEST(the_end_waits_for_a_close)
{
    const char *place = client_place();
    for (int i = 0; i < CHILDREN; i++) {
        pid_t child = fork();
        if (child == 0) {
            pthread_t thread;
            alarm(HANGS_S);
            struct proftop *feed = proftop_open(NULL);
            if (!proftop_is_on(feed))
                _exit(2);
            pthread_create(&thread, NULL, close_it, feed);
            pthread_detach(thread);
            while (proftop_is_on(feed))
                sched_yield();
            exit(0);
        }
        ends_by_itself(child);
        ck_assert_int_eq(files(place), 0);
    }
    client_clean();
}
END_TEST

static void *fork_on(void *done)
{
    while (!atomic_load((atomic_bool *)done)) {
        pid_t child = fork();
        if (child == 0)
            _exit(0);
        waitpid(child, NULL, 0);
    }
    return NULL;
}

START_TEST(a_child_forks_while_it_opens)
{
    client_place();
    struct proftop *feed = proftop_open(NULL);
    ck_assert(proftop_is_on(feed));
    proftop_class(feed, "c");
    for (int i = 0; i < CHILDREN; i++) {
        pid_t child = fork();
        if (child == 0) {
            pthread_t thread;
            atomic_bool done = false;
            alarm(HANGS_S);
            pthread_create(&thread, NULL, fork_on, &done);
            for (int n = 0; n < i * 20; n++)
                sched_yield();
            struct proftop *own = proftop_open_child(feed);
            const bool on = proftop_is_on(own);
            proftop_close(own);
            atomic_store(&done, true);
            pthread_join(thread, NULL);
            _exit(on ? 0 : 2);
        }
        ends_by_itself(child);
    }
    proftop_close(feed);
    client_clean();
}
END_TEST

/* A thread that counts in a key destructor, which runs after ours, beside a new thread. Neither
 * writes to the other's memory. */
enum { LATE = 200000 };
static struct {
    struct proftop *feed;
    proftop_id apply;
    pthread_key_t key;
} late;

static void *count_many(void *unused)
{
    (void)unused;
    for (int i = 0; i < LATE; i++)
        proftop_end(late.feed, late.apply, proftop_begin(late.feed, late.apply));
    return NULL;
}

static void count_late(void *unused)
{
    pthread_t other;
    pthread_create(&other, NULL, count_many, NULL);
    count_many(unused);
    pthread_join(other, NULL);
}

static void *count_and_end(void *unused)
{
    count_many(unused);
    pthread_setspecific(late.key, &late);
    return NULL;
}

START_TEST(a_thread_counts_while_it_ends)
{
    struct client client;
    pthread_t thread;
    late.feed = client_feed();
    late.apply = client_graph(late.feed, 1, PROFTOP_TIMED);
    proftop_end(late.feed, late.apply, proftop_begin(late.feed, late.apply)); /* our key first */
    ck_assert_int_eq(pthread_key_create(&late.key, count_late), 0);
    client_open(&client, getpid());
    client_hello(&client);
    client_subscribe(&client, "");
    pthread_create(&thread, NULL, count_and_end, NULL);
    pthread_join(thread, NULL);
    while (client.apply[late.apply].calls < 1 + 3 * LATE)
        client_expect(&client, client.sub, WIRE_APPLIES);
    ck_assert_uint_eq(client.apply[late.apply].calls, 1 + 3 * LATE);
    client_end(&client, late.feed);
    pthread_key_delete(late.key);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("exit");
    tap_add(s, "the end comes while one opens", the_end_comes_while_one_opens);
    if (!PROCESS_TSAN) { /* TSan delays exits, and allows no thread in a child */
        tap_add(s, "the end comes at any time", the_end_comes_at_any_time);
        tap_add(s, "the end waits for a close", the_end_waits_for_a_close);
        tap_add(s, "a child forks while it opens", a_child_forks_while_it_opens);
    }
    tap_add(s, "a thread counts while it ends", a_thread_counts_while_it_ends);
    return s;
}

TAP_MAIN(suite)

/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * check_cancel.c: threads that the program cancels during a blocking call of the library. The call
 * completes, and the cancellation takes effect after it: nothing stays locked, open or allocated.
 */
#include "config.h"

#include "tap.h"

#include <pthread.h>
#include <stdatomic.h>

#include "process.h"
#include "proftop_control.h"

#define TOKEN "00112233445566778899aabbccddeeff"

/* Progress of a thread. */
struct guest {
    _Atomic(struct proftop *) feed;
    atomic_int calls; /* completed calls */
};

static void nap(void)
{
    nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
}

static void join_cancelled(pthread_t thread)
{
    void *end;
    ck_assert_int_eq(pthread_join(thread, &end), 0);
    ck_assert_ptr_eq(end, PTHREAD_CANCELED);
}

static void *open_one(void *argument)
{
    struct guest *guest = argument;
    atomic_store(&guest->feed, proftop_open(NULL));
    atomic_fetch_add(&guest->calls, 1);
    pthread_testcancel();
    atomic_fetch_add(&guest->calls, 1);
    return NULL;
}

static void *close_one(void *argument)
{
    struct guest *guest = argument;
    proftop_close(atomic_load(&guest->feed));
    atomic_fetch_add(&guest->calls, 1);
    pthread_testcancel();
    atomic_fetch_add(&guest->calls, 1);
    return NULL;
}

static void *print_many(void *argument)
{
    struct guest *guest = argument;
    for (;;) { /* an assertion of Check would be a cancellation point itself */
        char *text;
        if (proftop_dumps(atomic_load(&guest->feed), NULL, &text) != NULL)
            return guest;
        free(text);
        atomic_fetch_add(&guest->calls, 1);
        pthread_testcancel();
    }
    return NULL;
}

/* Under `proftop run` both calls wait for the viewer, so a cancellation can arrive inside them. */
START_TEST(opens_and_closes_are_whole)
{
    struct guest guest = {NULL, 0};
    struct client viewer;
    pthread_t thread;
    const char *place = client_place();
    setenv("PROFTOP_RUN", TOKEN, 1);
    ck_assert_int_eq(pthread_create(&thread, NULL, open_one, &guest), 0);
    while (client_count(place, ".info") == 0)
        nap();
    ck_assert_int_eq(atomic_load(&guest.calls), 0);
    ck_assert_int_eq(pthread_cancel(thread), 0);
    client_open(&viewer, getpid());
    client_hello(&viewer); /* the call did wait for it */
    join_cancelled(thread);
    ck_assert_int_eq(atomic_load(&guest.calls), 1);
    struct proftop *feed = atomic_load(&guest.feed);
    ck_assert_str_eq(proftop_reason(feed), "");
    ck_assert_uint_ne(proftop_class(feed, "usable"), PROFTOP_NONE);

    ck_assert_int_eq(pthread_create(&thread, NULL, close_one, &guest), 0);
    while (proftop_is_on(feed))
        nap();
    ck_assert_int_eq(pthread_cancel(thread), 0);
    client_ask(&viewer, (struct client_request){.q = "ack", .req = 2});
    join_cancelled(thread);
    ck_assert_int_eq(atomic_load(&guest.calls), 2);
    ck_assert_int_eq(client_count(place, ".info"), 0);
    client_close(&viewer);
    unsetenv("PROFTOP_RUN");
    proftop_close(client_feed());
    client_clean();
}
END_TEST

START_TEST(commands_are_whole)
{
    struct guest guest = {client_feed(), 0};
    for (int i = process_rounds(20, 500); i > 0; i--) {
        pthread_t thread;
        int before = atomic_load(&guest.calls);
        ck_assert_int_eq(pthread_create(&thread, NULL, print_many, &guest), 0);
        while (atomic_load(&guest.calls) == before)
            sched_yield();
        ck_assert_int_eq(pthread_cancel(thread), 0);
        join_cancelled(thread);
        ck_assert_ptr_null(proftop_reset(atomic_load(&guest.feed)));
    }
    proftop_close(atomic_load(&guest.feed));
    client_clean();
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("cancel");
    tap_add(s, "opens_and_closes_are_whole", opens_and_closes_are_whole);
    tap_add(s, "errands_are_whole", commands_are_whole);
    return s;
}

TAP_MAIN(suite)

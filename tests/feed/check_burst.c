/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * check_burst.c: bursts that exceed the queues, at the end of a job or from many functions in each
 * tick. They are sent at the rate at which viewers read. The test runs its own publisher on a feed
 * whose thread has ended.
 */
#include "config.h"

#include "tap.h"

#include <pthread.h>

#include "client.h"
#include "feed/publisher/collect/aggregate.h"
#include "feed/publisher/publish/encode.h"
#include "clock.h"
#include "feed/publisher/publish/publisher.h"
#include "threadless.h"

enum { BURST = 400, QUEUE = 4, LONG_MS = 60 * 1000, ROUNDS = 20 };

/* The test's publisher. Its queue to a viewer is smaller than a burst. */
struct burst {
    void *zmq, *facts;
    struct publisher p;
    int queue;
    uint64_t until_ns; /* 0: not the last tick */
    _Atomic bool over; /* the tick is over */
};

static void *burst_socket(struct burst *b, int type)
{
    const int linger = 0;
    void *socket = zmq_socket(b->zmq, type);
    zmq_setsockopt(socket, ZMQ_SNDHWM, &b->queue, sizeof b->queue);
    zmq_setsockopt(socket, ZMQ_RCVHWM, &b->queue, sizeof b->queue);
    zmq_setsockopt(socket, ZMQ_LINGER, &linger, sizeof linger);
    if (type == ZMQ_XPUB)
        ck_assert_int_eq(zmq_bind(socket, "inproc://burst"), 0);
    else
        ck_assert_int_eq(zmq_connect(socket, "inproc://burst"), 0);
    return socket;
}

/* A viewer subscribed to the applies and known to the publisher. */
static void *burst_viewer(struct burst *b)
{
    void *sub = burst_socket(b, ZMQ_SUB);
    const uint64_t came = b->p.sender.subscriptions.came;
    zmq_setsockopt(sub, ZMQ_SUBSCRIBE, "A/", 2);
    while (b->p.sender.subscriptions.came == came)
        publisher_sender_listen(&b->p.sender);
    return sub;
}

/* Opens a feed with many functions of one apply each, so that each burst has as many frames. */
static struct proftop *burst_open(struct burst *b)
{
    const int verbose = 1;
    struct proftop *feed = client_feed();
    for (uint32_t i = 0; i < BURST; i++)
        proftop_record(feed, client_graph(feed, 1, PROFTOP_GIVEN), 1);
    threadless(feed);
    b->zmq = zmq_ctx_new();
    b->facts = burst_socket(b, ZMQ_XPUB);
    zmq_setsockopt(b->facts, ZMQ_XPUB_VERBOSE, &verbose, sizeof verbose);
    ck_assert(publisher_init(&b->p, feed->core, b->facts));
    return feed;
}

static void burst_close(struct burst *b, struct proftop *feed)
{
    publisher_release(&b->p);
    zmq_close(b->facts);
    zmq_ctx_term(b->zmq);
    proftop_close(feed);
    client_clean();
}

static void *burst_tick(void *burst)
{
    struct burst *b = burst;
    const bool last = b->until_ns > 0;
    if (last)
        publisher_sender_pace(&b->p.sender, b->until_ns);
    publisher_tick(&b->p, test_clock_ns(), last);
    b->over = true;
    return NULL;
}

/* Counts received frames until the tick is over and nothing is left. */
static unsigned burst_read(struct burst *b, void *sub)
{
    unsigned frames = 0;
    zmq_pollitem_t item = {.socket = sub, .events = ZMQ_POLLIN};
    for (bool over = false; !over;) {
        over = b->over;
        while (zmq_poll(&item, 1, over ? 0 : 1) > 0)
            frames += zmq_recv(sub, NULL, 0, 0) >= 0;
    }
    return frames;
}

/* Number of frames of one burst that reach a reader, optionally beside a viewer that does not
 * read. */
static unsigned burst_arrives(struct burst b, bool beside)
{
    pthread_t thread;
    struct proftop *feed = burst_open(&b);
    void *stopped = beside ? burst_viewer(&b) : NULL, *reads = burst_viewer(&b);
    ck_assert_int_eq(pthread_create(&thread, NULL, burst_tick, &b), 0);
    unsigned frames = burst_read(&b, reads);
    pthread_join(thread, NULL);
    ck_assert(b.until_ns == 0 || test_clock_ns() < b.until_ns);
    if (stopped != NULL)
        zmq_close(stopped);
    zmq_close(reads);
    burst_close(&b, feed);
    return frames;
}

/* A viewer that reads gets every frame, although its queue is short. A viewer that does not read
 * delays nobody. The best of several runs counts: on a busy machine a reader may be delayed so long
 * that it counts as stopped. */
START_TEST(the_last_burst_waits_for_who_reads)
{
    unsigned frames = 0;
    for (int i = 0; i < ROUNDS && frames < BURST; i++) {
        struct burst b = {.queue = QUEUE,
                          .until_ns = test_clock_ns() + LONG_MS * TEST_MS_NS};
        frames = burst_arrives(b, _i == 1);
    }
    ck_assert_uint_eq(frames, BURST);
}
END_TEST

/* A tick of many functions waits for readers too, within its own bounds. Otherwise the functions at
 * its end would never be sent. */
START_TEST(each_tick_waits_for_who_reads)
{
    unsigned frames = 0;
    for (int i = 0; i < ROUNDS && frames < BURST; i++)
        frames = burst_arrives((struct burst){.queue = WIRE_HWM}, _i == 1);
    ck_assert_uint_eq(frames, BURST);
}
END_TEST

/* After the time limit the publisher does not wait, and each function reports a missing frame. */
START_TEST(a_burst_that_is_cut_says_so)
{
    struct burst b = {.queue = QUEUE, .until_ns = 1};
    struct proftop *feed = burst_open(&b);
    void *sub = burst_viewer(&b);
    burst_tick(&b);
    for (uint32_t f = 0; f < BURST; f++)
        ck_assert_uint_eq(b.p.applies.seq[f], 1);
    zmq_close(sub);
    burst_close(&b, feed);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("burst");
    tap_add_loop(s, "the_last_burst_waits_for_who_reads", the_last_burst_waits_for_who_reads, 2);
    tap_add_loop(s, "each_tick_waits_for_who_reads", each_tick_waits_for_who_reads, 2);
    tap_add(s, "a_burst_that_is_cut_says_so", a_burst_that_is_cut_says_so);
    return s;
}

TAP_MAIN(suite)

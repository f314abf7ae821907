/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * check_burst.c: bursts that exceed the queues, at the end of a job or from many functions in each
 * tick. They are sent at the rate at which viewers read. The test blocks the feed's thread until
 * all values of a burst are counted. Its viewers are in the feed's context of libzmq: between them
 * and the feed are only queues, whose length the test chooses, and no buffers of the kernel.
 */
#include "config.h"

#include "tap.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

#include "client.h"
#include "clock.h"

enum { BURST = 400, QUEUE = 4, ROUNDS = 10 };

static struct burst {
    struct proftop *feed;
    void *zmq; /* the feed's context */
    int queue; /* frames in the queue to a viewer */
} burst;

/* ------------------------------------------------------------------------ the feed's thread */

void *__real_zmq_ctx_new(void);
void *__wrap_zmq_ctx_new(void);
void *__wrap_zmq_ctx_new(void)
{
    return burst.zmq = __real_zmq_ctx_new();
}

/* The viewers of the test read on after the feed's end. They end the context. */
int __real_zmq_ctx_term(void *zmq);
int __wrap_zmq_ctx_term(void *zmq);
int __wrap_zmq_ctx_term(void *zmq)
{
    ck_assert_ptr_eq(zmq, burst.zmq);
    return 0;
}

/* Binds the socket of the facts for the viewers of the test, with the queue of the test. */
int __real_zmq_setsockopt(void *socket, int option, const void *value, size_t size);
int __wrap_zmq_setsockopt(void *socket, int option, const void *value, size_t size);
int __wrap_zmq_setsockopt(void *socket, int option, const void *value, size_t size)
{
    int type;
    size_t size_of_type = sizeof type;
    ck_assert_int_eq(zmq_getsockopt(socket, ZMQ_TYPE, &type, &size_of_type), 0);
    if (type != ZMQ_XPUB || option != ZMQ_SNDHWM)
        return __real_zmq_setsockopt(socket, option, value, size);
    const int result = __real_zmq_setsockopt(socket, option, &burst.queue, sizeof burst.queue);
    ck_assert_int_eq(zmq_bind(socket, "inproc://burst"), 0);
    return result;
}

/* The feed's thread keeps the program's table of descriptors: it shares a context of libzmq with
 * the test's threads. */
int __wrap_shared_close_range(unsigned first, unsigned last, unsigned flags);
int __wrap_shared_close_range(unsigned first, unsigned last, unsigned flags)
{
    (void)first;
    (void)last;
    (void)flags;
    errno = ENOSYS;
    return -1;
}

static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
static atomic_bool holds, is_held;

int __real_poll(struct pollfd *door, nfds_t doors, int ms);
int __wrap_poll(struct pollfd *door, nfds_t doors, int ms);
int __wrap_poll(struct pollfd *door, nfds_t doors, int ms)
{
    if (holds) {
        is_held = true;
        pthread_mutex_lock(&gate);
        pthread_mutex_unlock(&gate);
    }
    return __real_poll(door, doors, ms);
}

/* Blocks the feed's thread between two ticks, until let_go(). */
static void hold_it(void)
{
    pthread_mutex_lock(&gate);
    holds = true;
    while (!is_held)
        sched_yield();
}

static void let_go(void)
{
    holds = is_held = false;
    pthread_mutex_unlock(&gate);
}

/* ------------------------------------------------------------------------------ the viewers */

/* A received frame, which is decoded apart: in slow builds it takes long, and a viewer that reads
 * too slowly loses frames. */
struct received {
    size_t size;
    uint8_t bytes[16 * 1024];
};

static bool receive(void *sub, struct received *to, long ms)
{
    zmq_pollitem_t item = {.socket = sub, .events = ZMQ_POLLIN};
    if (zmq_poll(&item, 1, ms) <= 0)
        return false;
    const int size = zmq_recv(sub, to->bytes, sizeof to->bytes, 0);
    ck_assert(size > 0 && (size_t)size <= sizeof to->bytes);
    to->size = (size_t)size;
    return true;
}

static bool is_of(const struct received *frame, enum wire_stream stream)
{
    return frame->bytes[0] == (uint8_t)wire_letters[stream];
}

static struct wire_frame decode(const struct received *from)
{
    struct wire_frame frame;
    ck_assert_int_eq(wire_read(from->bytes, from->size, &frame), WIRE_OK);
    return frame;
}

/* A viewer subscribed to the applies and known to the feed: it subscribes to the hello last, and
 * has heard one. */
static void *view(void)
{
    const int linger = 0;
    static struct received frame;
    void *sub = zmq_socket(burst.zmq, ZMQ_SUB);
    zmq_setsockopt(sub, ZMQ_RCVHWM, &burst.queue, sizeof burst.queue);
    zmq_setsockopt(sub, ZMQ_LINGER, &linger, sizeof linger);
    ck_assert_int_eq(zmq_connect(sub, "inproc://burst"), 0);
    zmq_setsockopt(sub, ZMQ_SUBSCRIBE, "A/", 2);
    zmq_setsockopt(sub, ZMQ_SUBSCRIBE, "H/", 2);
    do
        ck_assert(receive(sub, &frame, CLIENT_PATIENCE_MS));
    while (!is_of(&frame, WIRE_HELLO));
    return sub;
}

/* Opens a feed with many functions of one apply each, so that a burst has as many frames. */
static void open_feed(int queue)
{
    burst.queue = queue;
    burst.feed = client_feed();
    for (uint32_t i = 0; i < BURST; i++)
        ck_assert_uint_eq(client_graph(burst.feed, 1, PROFTOP_GIVEN), i);
}

/* Counts one call of each function while the feed's thread is blocked. */
static void count_all(void)
{
    hold_it();
    for (proftop_id i = 0; i < BURST; i++)
        proftop_record(burst.feed, i, 1);
}

/* Ends what the feed and the viewers leave: their context, when all its sockets are closed. */
static void clean(void)
{
    __real_zmq_ctx_term(burst.zmq);
    client_clean();
}

static void *close_it(void *unused)
{
    proftop_close(burst.feed);
    return unused;
}

/* Begins to close the feed in another thread. The feed's thread is blocked. */
static pthread_t begin_close(void)
{
    pthread_t thread;
    ck_assert_int_eq(pthread_create(&thread, NULL, close_it, NULL), 0);
    while (proftop_is_on(burst.feed))
        sched_yield();
    return thread;
}

/* -------------------------------------------------------------------------------- the tests */

/* Reads to the goodbye, which `bye` becomes. Returns the number of frames with applies. */
static unsigned read_to_bye(void *sub, struct wire_frame *bye)
{
    static struct received frame;
    unsigned frames = 0;
    *bye = (struct wire_frame){.stream = WIRE_RESERVED};
    while (!bye->field[WIRE_F_BYE].present && receive(sub, &frame, CLIENT_PATIENCE_MS / 10)) {
        frames += is_of(&frame, WIRE_APPLIES);
        if (is_of(&frame, WIRE_HELLO))
            *bye = decode(&frame);
    }
    return frames;
}

/* Number of frames of the last burst that reach a reader, optionally beside a viewer that does not
 * read. */
static unsigned last_arrives(bool beside)
{
    struct wire_frame bye;
    open_feed(QUEUE);
    void *stopped = beside ? view() : NULL, *reads = view();
    count_all();
    const pthread_t closing = begin_close();
    let_go();
    const unsigned frames = read_to_bye(reads, &bye);
    if (stopped != NULL)
        zmq_close(stopped);
    zmq_close(reads);
    pthread_join(closing, NULL);
    clean();
    return frames;
}

/* A viewer that reads gets every frame, although its queue is short. A viewer that does not read
 * delays nobody: a wait for it at each frame would take longer than the feed has for its end. The
 * best of several runs counts: on a busy machine a reader may be delayed so long that it counts as
 * stopped. Under `proftop run` an end may take 2 s. */
START_TEST(the_last_burst_waits_for_who_reads)
{
    unsigned frames = 0;
    setenv("PROFTOP_RUN", "0123456789abcdef0123456789abcdef", 1);
    for (int i = 0; i < ROUNDS && frames < BURST; i++)
        frames = last_arrives(_i == 1);
    unsetenv("PROFTOP_RUN");
    ck_assert_uint_eq(frames, BURST);
}
END_TEST

/* Reads as many frames with applies as a burst has, or until none comes for half a tick. Returns
 * how many of them are of the first one's tick: later ticks have some of the rows again. */
static unsigned read_tick(void *sub)
{
    static struct received kept[BURST];
    unsigned received = 0, frames = 0;
    uint64_t first = 0;
    for (long ms = CLIENT_PATIENCE_MS; received < BURST && receive(sub, &kept[received], ms);) {
        received += is_of(&kept[received], WIRE_APPLIES);
        ms = received == 0 ? CLIENT_PATIENCE_MS : WIRE_TICK_MS / 2;
    }
    for (unsigned i = 0; i < received; i++) {
        const uint64_t tick = decode(&kept[i]).field[WIRE_F_TICK].u;
        first = i == 0 ? tick : first;
        frames += tick == first;
    }
    return frames;
}

static unsigned tick_arrives(bool beside)
{
    open_feed(WIRE_HWM);
    void *stopped = beside ? view() : NULL, *reads = view();
    count_all();
    let_go();
    const unsigned frames = read_tick(reads);
    if (stopped != NULL)
        zmq_close(stopped);
    zmq_close(reads);
    proftop_close(burst.feed);
    clean();
    return frames;
}

/* A tick of many functions waits for readers too, within its own bounds. Otherwise the functions at
 * its end would never be sent. */
START_TEST(each_tick_waits_for_who_reads)
{
    unsigned frames = 0;
    for (int i = 0; i < ROUNDS && frames < BURST; i++)
        frames = tick_arrives(_i == 1);
    ck_assert_uint_eq(frames, BURST);
}
END_TEST

/* After the time limit the feed does not wait, and the goodbye tells of a missing frame of each
 * function. */
START_TEST(cut_burst_reports_missing_frames)
{
    enum { FUNCTION, SEQ };
    static uint64_t last[4][WIRE_FRAME_ROWS];
    struct wire_frame bye;
    open_feed(QUEUE);
    void *sub = view();
    count_all();
    const pthread_t closing = begin_close();
    for (uint64_t off_ns = test_clock_ns(); test_clock_ns() - off_ns < WIRE_BYE_MS * TEST_MS_NS;)
        sched_yield();
    let_go();
    ck_assert_uint_eq(read_to_bye(sub, &bye), 0);
    ck_assert(bye.field[WIRE_F_BYE].present);
    ck_assert_uint_eq(client_columns(&bye, WIRE_G_LAST, last), BURST);
    for (uint32_t f = 0; f < BURST; f++) {
        ck_assert_uint_eq(last[FUNCTION][f], f);
        ck_assert_uint_eq(last[SEQ][f], 1);
    }
    zmq_close(sub);
    pthread_join(closing, NULL);
    clean();
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("burst");
    tap_add_loop(s, "the_last_burst_waits_for_who_reads", the_last_burst_waits_for_who_reads, 2);
    tap_add_loop(s, "each_tick_waits_for_who_reads", each_tick_waits_for_who_reads, 2);
    tap_add(s, "cut_burst_reports_missing_frames", cut_burst_reports_missing_frames);
    return s;
}

TAP_MAIN(suite)

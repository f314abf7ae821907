/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * check_entrance.c: a real socket of libzmq takes no connection that it was not given, however many
 * come and however long the feed's thread gets no processor; those that came earlier stay.
 */
#include "config.h"

#include "tap.h"

#include "job/entrance.h"
#include "stranger.h"

enum { WAITS = 3, LET_IN = WAITS + 1, CROWD = 200 }; /* the kernel lets one more wait */

static struct feed_entrance entrance;
static void *context, *router, *arrivals;

static void set_up(void)
{
    char place[64];
    context = zmq_ctx_new();
    router = zmq_socket(context, ZMQ_ROUTER);
    arrivals = zmq_socket(context, ZMQ_PAIR);
    ck_assert_int_eq(zmq_socket_monitor(router, "inproc://arrivals", ZMQ_EVENT_ACCEPTED), 0);
    ck_assert_int_eq(zmq_connect(arrivals, "inproc://arrivals"), 0);
    snprintf(place, sizeof place, "%s", client_place());
    entrance = (struct feed_entrance){.socket = router, .waits = WAITS};
    snprintf(entrance.file.path, sizeof entrance.file.path, "%s/1-2-1.ctl", place);
    snprintf(entrance.draft, sizeof entrance.draft, "%s/1-2-01.ctl", place);
    snprintf(entrance.bell_path, sizeof entrance.bell_path, "%s/1-2-1c.new", place);
    ck_assert(feed_entrance_open(&entrance));
}

static void tear_down(void)
{
    int none = 0;
    feed_entrance_close(&entrance);
    ck_assert_int_eq(client_count(client_place(), "l") + client_count(client_place(), "w"), 0);
    zmq_setsockopt(router, ZMQ_LINGER, &none, sizeof none);
    zmq_socket_monitor(router, NULL, 0);
    zmq_close(router);
    zmq_close(arrivals);
    zmq_ctx_term(context); /* which aborts if a listener is not as libzmq knows it */
    client_clean();
}

/* Waits until libzmq has taken `n` connections more. */
static void wait_for_arrivals(int n)
{
    zmq_pollitem_t item = {.socket = arrivals, .events = ZMQ_POLLIN};
    char part[256];
    for (int parts = 0; parts < 2 * n; parts++) {
        ck_assert_int_eq(zmq_poll(&item, 1, CLIENT_PATIENCE_MS), 1);
        zmq_recv(arrivals, part, sizeof part, 0);
    }
}

static int door_of_viewers(void)
{
    int door[FEED_ENTRANCE_DOORS];
    feed_entrance_doors(&entrance, door);
    return door[0];
}

/* Waits until libzmq has what it was bound to, and begins. */
static void begin(void)
{
    struct pollfd proof = {.fd = door_of_viewers(), .events = POLLIN};
    ck_assert_int_ne(proof.fd, entrance.open);
    ck_assert_int_eq(poll(&proof, 1, CLIENT_PATIENCE_MS), 1);
    ck_assert(feed_entrance_admit(&entrance));
    ck_assert_int_eq(door_of_viewers(), entrance.open);
}

static int connect_crowd(int fd[CROWD])
{
    char at[FEED_ENDPOINT_SIZE];
    int n = 0;
    snprintf(at, sizeof at, "ipc://%s", entrance.file.path);
    for (int i = 0; i < CROWD; i++)
        if ((fd[n] = stranger_connect(at)) >= 0)
            n++;
    return n;
}

/* libzmq greets who was let in with 64 bytes, of which it sends the first ten at once. */
static void is_greeted(int fd)
{
    struct pollfd door = {.fd = fd, .events = POLLIN};
    uint8_t greeting[10];
    ck_assert_int_eq(poll(&door, 1, CLIENT_PATIENCE_MS), 1);
    ck_assert_int_eq(recv(fd, greeting, sizeof greeting, 0), (int)sizeof greeting);
    ck_assert_uint_eq(greeting[0], 0xff);
    ck_assert_uint_eq(greeting[9], 0x7f);
}

static bool is_cut(int fd)
{
    char rest[64];
    ssize_t got;
    while ((got = recv(fd, rest, sizeof rest, MSG_DONTWAIT)) > 0)
        continue;
    return got == 0;
}

START_TEST(nobody_is_taken_unasked)
{
    zmq_pollitem_t more = {.socket = arrivals, .events = ZMQ_POLLIN};
    int fd[CROWD];
    begin();
    ck_assert_int_eq(connect_crowd(fd), LET_IN);
    ck_assert_int_eq(zmq_poll(&more, 1, 0), 0);
    for (int i = 0; i < LET_IN; i++) {
        struct pollfd door = {.fd = fd[i], .events = POLLIN};
        ck_assert_int_eq(poll(&door, 1, 0), 0);
        close(fd[i]);
    }
}
END_TEST

START_TEST(few_are_taken_at_a_time)
{
    enum { ROUNDS = 20 };
    int fd[ROUNDS][CROWD];
    begin();
    for (int round = 0; round < ROUNDS; round++) {
        ck_assert_int_eq(connect_crowd(fd[round]), LET_IN);
        ck_assert(feed_entrance_admit(&entrance));
        ck_assert_int_eq(door_of_viewers(), -1);
        for (int i = 0; i < LET_IN; i++)
            is_greeted(fd[round][i]);
        wait_for_arrivals(LET_IN);
        ck_assert(feed_entrance_admit(&entrance)); /* it is told, and nobody else waits */
        ck_assert_int_ge(door_of_viewers(), 0);
    }
    for (int i = 0; i < ROUNDS * LET_IN; i++)
        ck_assert(!is_cut(fd[i / LET_IN][i % LET_IN]));
    for (int i = 0; i < ROUNDS * LET_IN; i++)
        close(fd[i / LET_IN][i % LET_IN]);
}
END_TEST

/* Between any two steps of the above. */
static const struct {
    const char *when;
    bool begun, crowd, admitted;
} ends[] = {{"before it has begun", false, false, false},
            {"before that, with a crowd", false, true, false},
            {"after it", true, false, false},
            {"while a crowd waits", true, true, false},
            {"while libzmq takes it", true, true, true}};

START_TEST(closes_at_any_time)
{
    int fd[CROWD], n = 0;
    if (ends[_i].begun)
        begin();
    if (ends[_i].crowd)
        n = connect_crowd(fd);
    if (ends[_i].admitted)
        ck_assert(feed_entrance_admit(&entrance));
    feed_entrance_close(&entrance);
    while (n > 0)
        close(fd[--n]);
    ck_assert_msg(feed_entrance_open(&entrance), "%s", ends[_i].when);
}
END_TEST

/* Else libzmq's thread would look for connections again and again. */
START_TEST(who_else_rings_is_sent_away)
{
    char at[FEED_ENDPOINT_SIZE];
    int door[FEED_ENTRANCE_DOORS];
    snprintf(at, sizeof at, "ipc://%s", entrance.bell_path);
    begin();
    int fd = stranger_connect(at);
    ck_assert_int_ge(fd, 0);
    feed_entrance_doors(&entrance, door);
    struct pollfd bell = {.fd = door[1], .events = POLLIN}, end = {.fd = fd, .events = POLLIN};
    ck_assert_int_eq(poll(&bell, 1, 0), 1);
    ck_assert(feed_entrance_admit(&entrance));
    ck_assert_int_eq(poll(&bell, 1, 0), 0);
    ck_assert_int_eq(poll(&end, 1, CLIENT_PATIENCE_MS), 1);
    ck_assert(is_cut(fd));
    close(fd);
}
END_TEST

START_TEST(place_of_another_is_not_taken)
{
    struct feed_entrance other = entrance;
    ck_assert(!feed_entrance_open(&other));
    ck_assert_int_eq(errno, EADDRINUSE);
    ck_assert(feed_file_is_ours(&entrance.file));
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("entrance");
    tap_add_between(s, "nobody_is_taken_unasked", nobody_is_taken_unasked, 1, set_up, tear_down);
    tap_add_between(s, "few_are_taken_at_a_time", few_are_taken_at_a_time, 1, set_up, tear_down);
    tap_add_between(s, "closes_at_any_time", closes_at_any_time, TAP_ROWS(ends), set_up, tear_down);
    tap_add_between(s, "who_else_rings_is_sent_away", who_else_rings_is_sent_away, 1, set_up,
                    tear_down);
    tap_add_between(s, "place_of_another_is_not_taken", place_of_another_is_not_taken, 1, set_up,
                    tear_down);
    return s;
}

TAP_MAIN(suite)

/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * check_acceptor.c: a real libzmq socket takes only connections passed to it, however many arrive
 * and however long the feed's thread gets no processor. Earlier connections stay.
 */
#include "config.h"

#include "tap.h"

#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/un.h>

#include "feed/publisher/transport/acceptor.h"
#include "process.h"
#include "stranger.h"

enum { WAITS = 3, LET_IN = WAITS + 1, CROWD = 200 }; /* the kernel lets one more wait */

static const uint64_t LATER_NS = 1000000000;
static uint64_t now_ns;
static struct publisher_acceptor entrance;
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
    entrance = (struct publisher_acceptor){.socket = router, .waits = WAITS};
    snprintf(entrance.file.path, sizeof entrance.file.path, "%s/1-2-1.ctl", place);
    snprintf(entrance.draft, sizeof entrance.draft, "%s/1-2-01.ctl", place);
    ck_assert(publisher_acceptor_open(&entrance));
}

static void tear_down(void)
{
    int none = 0;
    publisher_acceptor_release(&entrance);
    ck_assert_int_eq(client_count(client_place(), "l"), 0);
    zmq_setsockopt(router, ZMQ_LINGER, &none, sizeof none);
    zmq_socket_monitor(router, NULL, 0);
    zmq_close(router);
    zmq_close(arrivals);
    zmq_ctx_term(context); /* which aborts if a listener is not in the state that libzmq expects */
    client_clean();
}

/* Waits until libzmq has taken `n` more connections. */
static void wait_for_arrivals(int n)
{
    zmq_pollitem_t item = {.socket = arrivals, .events = ZMQ_POLLIN};
    char part[256];
    for (int parts = 0; parts < 2 * n; parts++) {
        ck_assert_int_eq(zmq_poll(&item, 1, CLIENT_PATIENCE_MS), 1);
        zmq_recv(arrivals, part, sizeof part, 0);
    }
}

/* Waits until libzmq has taken over its listener and started. */
static void begin(void)
{
    struct pollfd proof = {.fd = publisher_acceptor_descriptor(&entrance), .events = POLLIN};
    ck_assert_int_ne(proof.fd, entrance.open);
    ck_assert_int_eq(poll(&proof, 1, CLIENT_PATIENCE_MS), 1);
    ck_assert(!publisher_acceptor_can_admit(&entrance, now_ns += LATER_NS)); /* no connection yet */
    ck_assert_int_eq(publisher_acceptor_descriptor(&entrance), entrance.open);
}

static int connect_crowd(int fd[CROWD])
{
    char at[SHARED_ENDPOINT_SIZE];
    int n = 0;
    publisher_acceptor_endpoint(at, entrance.file.path);
    for (int i = 0; i < CROWD; i++)
        if ((fd[n] = stranger_connect(at)) >= 0)
            n++;
    return n;
}

/* libzmq greets an admitted connection with 64 bytes; it sends the first ten at once. */
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

static void wait_for_cut(int fd)
{
    struct pollfd door = {.fd = fd, .events = POLLIN};
    do
        ck_assert_int_eq(poll(&door, 1, CLIENT_PATIENCE_MS), 1);
    while (!is_cut(fd));
}

static int come_to(const char *path)
{
    char at[SHARED_ENDPOINT_SIZE];
    publisher_acceptor_endpoint(at, path);
    int fd = stranger_connect(at);
    ck_assert_int_ge(fd, 0);
    return fd;
}

static int come(void)
{
    return come_to(entrance.file.path);
}

/* Returns false if it is full or there is no request. */
static bool admit(uint64_t at_ns)
{
    if (!publisher_acceptor_can_admit(&entrance, at_ns))
        return false;
    ck_assert(publisher_acceptor_admit(&entrance, at_ns));
    return true;
}

static int let_one_in(void)
{
    int fd = come();
    ck_assert(admit(now_ns += LATER_NS));
    is_greeted(fd);
    return fd;
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
        ck_assert(admit(now_ns += LATER_NS));
        ck_assert_int_eq(publisher_acceptor_descriptor(&entrance), entrance.open);
        for (int i = 0; i < LET_IN; i++)
            is_greeted(fd[round][i]);
        wait_for_arrivals(LET_IN);
        struct pollfd bell = {.fd = entrance.bell, .events = POLLIN};
        ck_assert_int_eq(poll(&bell, 1, 0), 0); /* else libzmq would poll in a loop */
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
        ck_assert(admit(now_ns += LATER_NS));
    publisher_acceptor_close(&entrance);
    for (int i = 0; i < n; i++)
        close(fd[i]);
    ck_assert_msg(publisher_acceptor_open(&entrance), "%s", ends[_i].when);
    if (!ends[_i].begun)
        begin();
    if (ends[_i].admitted) /* libzmq still takes them */
        wait_for_arrivals(n);
    close(let_one_in());
}
END_TEST

/* Simulates a libzmq thread without a processor: replaces its listener by one without events. */
static int hold_up(void)
{
    struct sockaddr_un at = {.sun_family = AF_UNIX};
    snprintf(at.sun_path, sizeof at.sun_path, "%s/held", client_place());
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    ck_assert_int_eq(bind(fd, (struct sockaddr *)&at, sizeof at), 0);
    ck_assert_int_eq(listen(fd, WAITS), 0);
    ck_assert_int_eq(dup2(fd, entrance.given), entrance.given);
    close(come_to(at.sun_path));
    return fd;
}

START_TEST(others_wait_until_these_are_taken)
{
    begin();
    int first = let_one_in();
    int held = hold_up(), second = come();
    ck_assert(!admit(now_ns += LATER_NS));
    ck_assert(entrance.full);
    ck_assert_uint_eq(entrance.again_ns, now_ns + 1000000);
    ck_assert_int_eq(publisher_acceptor_descriptor(&entrance), -1);
    close(accept(held, NULL, NULL));
    ck_assert(admit(now_ns += LATER_NS));
    ck_assert(!entrance.full);
    ck_assert_int_eq(publisher_acceptor_descriptor(&entrance), entrance.open);
    is_greeted(second);
    ck_assert(!is_cut(first));
    close(held);
    close(first);
    close(second);
}
END_TEST

START_TEST(a_crowd_is_let_in_at_a_pace)
{
    const uint64_t pace_ns = 20000000;
    begin();
    int first = let_one_in(), second = come();
    const uint64_t then_ns = now_ns + pace_ns;
    ck_assert(!admit(now_ns));
    ck_assert(entrance.full);
    ck_assert_uint_eq(entrance.again_ns, then_ns);
    ck_assert(!admit(then_ns - 1));
    ck_assert(entrance.full);
    ck_assert(admit(then_ns));
    ck_assert(!entrance.full);
    is_greeted(second);
    close(first);
    close(second);
}
END_TEST

START_TEST(those_who_came_stay)
{
    begin();
    int first = let_one_in();
    publisher_acceptor_close(&entrance);
    ck_assert_int_eq(publisher_acceptor_descriptor(&entrance), -1);
    ck_assert(publisher_acceptor_open(&entrance));
    int second = let_one_in();
    ck_assert(!is_cut(first));
    close(first);
    close(second);
}
END_TEST

START_TEST(all_are_shed)
{
    int fd[LET_IN];
    begin();
    for (int i = 0; i < LET_IN; i++)
        fd[i] = let_one_in();
    publisher_acceptor_drop(&entrance);
    for (int i = 0; i < LET_IN; i++) {
        wait_for_cut(fd[i]);
        close(fd[i]);
    }
    close(let_one_in());
}
END_TEST

/* Admits a second connection while the bell cannot watch a listener, as when the kernel has no
 * memory. Sets `first` to the connection admitted before. */
static int let_one_in_unheard(int *first)
{
    begin();
    *first = let_one_in();
    int second = come();
    entrance.bell = -1;
    ck_assert(admit(now_ns += LATER_NS));
    ck_assert(entrance.full);
    return second;
}

START_TEST(unwatched_connection_is_taken_later)
{
    const int bell = entrance.bell;
    int first, second = let_one_in_unheard(&first);
    ck_assert(!admit(now_ns += LATER_NS));
    ck_assert(entrance.full);
    entrance.bell = bell;
    ck_assert(!admit(now_ns += LATER_NS));
    is_greeted(second);
    close(let_one_in());
    ck_assert(!is_cut(first));
    close(first);
    close(second);
}
END_TEST

START_TEST(unwatched_connection_is_closed_on_release)
{
    const int bell = entrance.bell;
    int first, second = let_one_in_unheard(&first);
    entrance.bell = bell;
    ck_assert(publisher_acceptor_release(&entrance));
    wait_for_cut(second);
    close(first);
    close(second);
}
END_TEST

/* The kernel assigns no descriptor at or above the limit, even if such a number is in use. */
START_TEST(number_beyond_the_limit_is_told)
{
    struct rlimit usual, low;
    begin();
    close(let_one_in());
    ck_assert_int_eq(getrlimit(RLIMIT_NOFILE, &usual), 0);
    low = (struct rlimit){(rlim_t)entrance.given, usual.rlim_max};
    ck_assert_int_eq(setrlimit(RLIMIT_NOFILE, &low), 0);
    ck_assert(!publisher_acceptor_release(&entrance));
    ck_assert_int_eq(setrlimit(RLIMIT_NOFILE, &usual), 0);
    ck_assert(publisher_acceptor_release(&entrance));
}
END_TEST

START_TEST(place_that_is_gone_costs_nothing)
{
    const struct publisher_acceptor usual = entrance;
    begin();
    int first = let_one_in();
    publisher_acceptor_close(&entrance);
    const int before = process_descriptors();
    snprintf(entrance.file.path, sizeof entrance.file.path, "/no/such/place/1-2-1.ctl");
    snprintf(entrance.draft, sizeof entrance.draft, "/no/such/place/1-2-01.ctl");
    for (int i = 0; i < 20; i++) {
        ck_assert(!publisher_acceptor_open(&entrance));
        ck_assert_int_eq(errno, ENOENT);
        ck_assert(publisher_acceptor_descriptor(&entrance) == -1);
        publisher_acceptor_close(&entrance);
    }
    ck_assert_int_eq(process_descriptors(), before);
    entrance.file = usual.file;
    memcpy(entrance.draft, usual.draft, sizeof entrance.draft);
    ck_assert(publisher_acceptor_open(&entrance));
    close(let_one_in());
    ck_assert(!is_cut(first));
    close(first);
}
END_TEST

START_TEST(place_of_another_is_not_taken)
{
    struct publisher_acceptor other = entrance;
    ck_assert(!publisher_acceptor_open(&other));
    ck_assert_int_eq(errno, EADDRINUSE);
    ck_assert(publisher_own_file_stands(&entrance.file));
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("entrance");
    tap_add_between(s, "nobody_is_taken_unasked", nobody_is_taken_unasked, 1, set_up, tear_down);
    tap_add_between(s, "few_are_taken_at_a_time", few_are_taken_at_a_time, 1, set_up, tear_down);
    tap_add_between(s, "closes_at_any_time", closes_at_any_time, TAP_ROWS(ends), set_up, tear_down);
    tap_add_between(s, "others_wait_until_these_are_taken", others_wait_until_these_are_taken, 1,
                    set_up, tear_down);
    tap_add_between(s, "a_crowd_is_let_in_at_a_pace", a_crowd_is_let_in_at_a_pace, 1, set_up,
                    tear_down);
    tap_add_between(s, "those_who_came_stay", those_who_came_stay, 1, set_up, tear_down);
    tap_add_between(s, "all_are_shed", all_are_shed, 1, set_up, tear_down);
    tap_add_between(s, "unwatched_connection_is_taken_later", unwatched_connection_is_taken_later,
                    1, set_up, tear_down);
    tap_add_between(s, "unwatched_connection_is_closed_on_release",
                    unwatched_connection_is_closed_on_release, 1, set_up, tear_down);
    tap_add_between(s, "number_beyond_the_limit_is_told", number_beyond_the_limit_is_told, 1,
                    set_up, tear_down);
    tap_add_between(s, "place_that_is_gone_costs_nothing", place_that_is_gone_costs_nothing, 1,
                    set_up, tear_down);
    tap_add_between(s, "place_of_another_is_not_taken", place_of_another_is_not_taken, 1, set_up,
                    tear_down);
    return s;
}

TAP_MAIN(suite)

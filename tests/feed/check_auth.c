/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * check_auth.c: which keys are admitted over tcp, and with which rights. Both ends are in this
 * process, each in a context of its own.
 */
#include "tap.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <zmq.h>

#include "feed/shared/site_policy_path.h"
#include "feed/shared/auth.h"
#include "clock.h"

enum { PATIENCE_MS = 10000 };

static char folder[64], site_path[96], why[512];

const char *shared_site_path(void)
{
    return site_path;
}

/* Writes a file of the directory; ~ and | are replaced by the two keys. */
static void put(const char *name, const char *form, const char *one, const char *two)
{
    char path[128];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "we");
    ck_assert_ptr_nonnull(file);
    for (; *form != 0; form++) {
        if (*form == '~' || *form == '|')
            fputs(*form == '~' ? one : two, file);
        else
            fputc(*form, file);
    }
    fclose(file);
    ck_assert_int_eq(chmod(path, 0600), 0);
}

/* Makes a key pair: NAME.key and NAME.pub. */
static struct shared_pair make_pair(const char *name)
{
    struct shared_pair pair;
    char file[32];
    ck_assert_int_eq(zmq_curve_keypair(pair.public, pair.secret), 0);
    snprintf(file, sizeof file, "%s.key", name);
    put(file, "public = ~\nsecret = |\n", pair.public, pair.secret);
    snprintf(file, sizeof file, "%s.pub", name);
    put(file, "public = ~\n", pair.public, "");
    return pair;
}

static struct shared_pair job, viewer;

static void set_up(void)
{
    tap_folder(folder, sizeof folder, "admit");
    setenv("PROFTOP_KEYS", folder, 1);
    snprintf(site_path, sizeof site_path, "%s/proftop.conf", folder);
    job = make_pair("id");
    viewer = make_pair("viewer");
}

static void tear_down(void)
{
    tap_remove(folder);
}

/* ---------------------------------------------------------------------- one connection */

struct ends {
    void *here, *there; /* contexts */
    void *router, *dealer, *monitor;
    struct shared_auth listens, connects;
    char endpoint[64];
};

static void *make_socket(void *zmq, int type)
{
    const int zero = 0;
    void *socket = zmq_socket(zmq, type);
    ck_assert_ptr_nonnull(socket);
    zmq_setsockopt(socket, ZMQ_LINGER, &zero, sizeof zero);
    return socket;
}

/* Connects with the key `as`; NULL: without a key. `peer` is the key expected of the server. */
static void connect_as(struct ends *e, unsigned needs, const char *as, const char *peer)
{
    size_t size = sizeof e->endpoint;
    memset(e, 0, sizeof *e);
    e->here = zmq_ctx_new();
    e->there = zmq_ctx_new();
    e->router = make_socket(e->here, ZMQ_ROUTER);
    e->dealer = make_socket(e->there, ZMQ_DEALER);
    struct shared_auth_request ask = {.needs = needs};
    ck_assert_msg(shared_auth_init(&e->listens, &ask, why, sizeof why), "%s", why);
    ck_assert(shared_auth_open(&e->listens, e->here));
    ck_assert(shared_auth_prepare(&e->listens, e->router, "tcp://127.0.0.1:*", true));
    ck_assert_int_eq(zmq_bind(e->router, "tcp://127.0.0.1:*"), 0);
    zmq_getsockopt(e->router, ZMQ_LAST_ENDPOINT, e->endpoint, &size);
    ask = (struct shared_auth_request){.key = as, .peer = peer, .connects = true, .insecure = !as};
    ck_assert_msg(shared_auth_init(&e->connects, &ask, why, sizeof why), "%s", why);
    ck_assert_int_eq(zmq_socket_monitor(e->dealer, "inproc://monitor", ZMQ_EVENT_ALL), 0);
    e->monitor = make_socket(e->there, ZMQ_PAIR);
    ck_assert_int_eq(zmq_connect(e->monitor, "inproc://monitor"), 0);
    ck_assert(shared_auth_prepare(&e->connects, e->dealer, e->endpoint, false));
    ck_assert_int_eq(zmq_connect(e->dealer, e->endpoint), 0);
    ck_assert_int_ge(zmq_send(e->dealer, "hello", 5, 0), 0);
}

static void close_ends(struct ends *e)
{
    zmq_socket_monitor(e->dealer, NULL, 0);
    zmq_close(e->monitor);
    zmq_close(e->dealer);
    zmq_close(e->router);
    shared_auth_close(&e->listens);
    zmq_ctx_term(e->here);
    zmq_ctx_term(e->there);
}

/* Bits of the events received by the connecting end. */
static unsigned events_of(struct ends *e)
{
    uint8_t bytes[256];
    uint16_t event;
    unsigned seen = 0;
    while (zmq_recv(e->monitor, bytes, sizeof bytes, ZMQ_DONTWAIT) >= 6) {
        memcpy(&event, bytes, sizeof event);
        seen |= event;
        zmq_recv(e->monitor, bytes, sizeof bytes, ZMQ_DONTWAIT);
    }
    return seen;
}

/* Serves until the hello arrives, or the handshake has failed. Returns true if the hello arrived;
 * `may` and `name` then describe its sender. */
static bool gets_in(struct ends *e, unsigned *may, char name[SHARED_KEY_NAME])
{
    const unsigned failed = ZMQ_EVENT_HANDSHAKE_FAILED_NO_DETAIL |
                            ZMQ_EVENT_HANDSHAKE_FAILED_PROTOCOL | ZMQ_EVENT_HANDSHAKE_FAILED_AUTH |
                            ZMQ_EVENT_DISCONNECTED;
    bool in = false;
    for (uint64_t until = test_clock_ns() + PATIENCE_MS * TEST_MS_NS; !in;
         zmq_poll(NULL, 0, 1)) {
        char part[256];
        zmq_msg_t message;
        ck_assert_msg(test_clock_ns() < until, "neither a hello nor a refusal came");
        shared_auth_serve(&e->listens);
        unsigned seen = events_of(e);
        if (zmq_recv(e->router, part, sizeof part, ZMQ_DONTWAIT) < 0) {
            if ((seen & failed) != 0)
                return false;
            continue;
        }
        zmq_msg_init(&message);
        ck_assert_int_eq(zmq_msg_recv(&message, e->router, 0), 5);
        in = shared_auth_user(zmq_msg_gets(&message, "User-Id"), may, name);
        zmq_msg_close(&message);
        ck_assert(in);
    }
    return in;
}

enum { BOTH = SHARED_MAY_READ | SHARED_MAY_CONTROL, ALL = BOTH | SHARED_MAY_PUBLISH };

static const struct {
    const char *authorized; /* ~: the viewer's key; NULL: no file */
    const char *as, *peer;
    unsigned needs, may; /* 0: not admitted */
    const char *name;
} cases[] = {
    {NULL, "id", NULL, SHARED_MAY_READ, ALL, ""}, /* same user on two machines */
    {NULL, "viewer", "id", SHARED_MAY_READ, 0, ""},
    {"", "viewer", "id", SHARED_MAY_READ, 0, ""},
    {"read = ~ anna\n", "viewer", "id", SHARED_MAY_READ, SHARED_MAY_READ, "anna"},
    {"control = ~ anna\n", "viewer", "id", SHARED_MAY_READ, BOTH, "anna"},
    {"read = ~ anna\ncontrol = ~\n", "viewer", "id", SHARED_MAY_READ, BOTH, "anna"},
    {"publish = ~\n", "viewer", "id", SHARED_MAY_READ, 0, ""},
    {"publish = ~\n", "viewer", "id", SHARED_MAY_PUBLISH, SHARED_MAY_PUBLISH, ""},
    {"read = ~\n", "viewer", "id", SHARED_MAY_PUBLISH, 0, ""},
    {"read = ~ anna\n", "viewer", "viewer", SHARED_MAY_READ, 0,
     ""},                                                    /* expects another server key */
    {"read = ~ anna\n", NULL, NULL, SHARED_MAY_READ, 0, ""}, /* presents no key */
};

START_TEST(keys)
{
    struct ends ends;
    unsigned may = 0;
    char name[SHARED_KEY_NAME] = "";
    set_up();
    if (cases[_i].authorized != NULL)
        put("authorized", cases[_i].authorized, viewer.public, "");
    connect_as(&ends, cases[_i].needs, cases[_i].as, cases[_i].peer);
    ck_assert_int_eq(gets_in(&ends, &may, name), cases[_i].may != 0);
    ck_assert_uint_eq(may, cases[_i].may);
    ck_assert_str_eq(name, cases[_i].name);
    /* A client that fails before it presents a key is not counted as denied. */
    bool shown = cases[_i].as != NULL && (cases[_i].peer == NULL || cases[_i].peer[0] == 'i');
    ck_assert_int_eq(ends.listens.denied > 0, cases[_i].may == 0 && shown);
    close_ends(&ends);
    tear_down();
}
END_TEST

/* Without a thread that answers authentication requests, no client is admitted. */
START_TEST(no_answer_is_no)
{
    struct ends ends;
    char part[256];
    set_up();
    connect_as(&ends, SHARED_MAY_READ, "id", NULL);
    zmq_pollitem_t item = {.socket = ends.router, .events = ZMQ_POLLIN};
    ck_assert_int_eq(zmq_poll(&item, 1, 300), 0); /* no thread serves: the client is not admitted */
    ck_assert_int_lt(zmq_recv(ends.router, part, sizeof part, ZMQ_DONTWAIT), 0);
    close_ends(&ends);
    tear_down();
}
END_TEST

/* Reasons that prevent tcp: the site's file, keys that are missing or readable by others. */
START_TEST(refusals)
{
    struct shared_auth admit;
    struct shared_auth_request ask = {.needs = SHARED_MAY_READ}, insecure = {.insecure = true};
    set_up();
    ck_assert(shared_auth_init(&admit, &ask, why, sizeof why));
    put("proftop.conf", "tcp = no\n", "", "");
    ck_assert(!shared_auth_init(&admit, &ask, why, sizeof why));
    ck_assert_msg(strstr(why, "proftop.conf forbids tcp") != NULL, "%s", why);
    ck_assert(!shared_auth_init(&admit, &insecure, why, sizeof why));
    ck_assert(!admit.ready);
    put("proftop.conf", "tcp = yes\n", "", "");
    put("authorized", "reed = x\n", "", "");
    ck_assert(!shared_auth_init(&admit, &ask, why, sizeof why));
    ck_assert_msg(strstr(why, "grants none of") != NULL, "%s", why);
    put("authorized", "", "", "");
    ask.key = "nobody";
    ck_assert(!shared_auth_init(&admit, &ask, why, sizeof why));
    ck_assert_msg(strstr(why, "proftop keygen") != NULL, "%s", why);
    ck_assert(!admit.ready);
    setenv("PROFTOP_KEYS", "/nowhere/at/all", 1);
    ck_assert(!shared_auth_init(&admit, &(struct shared_auth_request){0}, why, sizeof why));
    ck_assert(shared_auth_init(&admit, &insecure, why, sizeof why));
    ck_assert(admit.ready && admit.insecure);
    tear_down();
}
END_TEST

static const struct {
    const char *user;
    unsigned may; /* 8: invalid */
    const char *name;
} users[] = {
    {NULL, 8, ""},    {"", 8, ""},   {"anna", 8, ""},       {"8:x", 8, ""},
    {"3anna", 8, ""}, {"0:", 0, ""}, {"3:anna", 3, "anna"}, {"7:", 7, ""},
};

START_TEST(users_of_messages)
{
    unsigned may = 8;
    char name[SHARED_KEY_NAME] = "";
    ck_assert_int_eq(shared_auth_user(users[_i].user, &may, name), users[_i].may != 8);
    ck_assert_uint_eq(may, users[_i].may);
    ck_assert_str_eq(name, users[_i].name);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("admit");
    tap_add_loop(s, "keys", keys, TAP_ROWS(cases));
    tap_add(s, "no_answer_is_no", no_answer_is_no);
    tap_add(s, "refusals", refusals);
    tap_add_loop(s, "users_of_messages", users_of_messages, TAP_ROWS(users));
    return s;
}

TAP_MAIN(suite)

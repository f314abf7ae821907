/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * client.h: a small viewer for the tests of the publisher. It subscribes, sends requests, decodes
 * frames and stores values. Every received frame must be valid.
 */
#ifndef TESTS_FEED_CLIENT_H
#define TESTS_FEED_CLIENT_H

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zmq.h>

#include "../tap.h"
#include "clock.h"
#include "feed/shared/registry_dir.h"
#include "proftop.h"
#include "feed/protocol/frame.h"

enum { CLIENT_IDS = 20000, CLIENT_PATIENCE_MS = 10000 };
/* Requests in a turn of the job: a quarter of the number that the job answers in a turn. */
enum { CLIENT_BURST = 64, CLIENT_TURN_MS = 10 };

struct client_value {
    uint64_t calls, total, last, min, max, timed;
    bool every; /* call is timed */
    unsigned extremes; /* rows of the extremes received */
    uint64_t half;     /* half width of the error interval; 0: none received */
    bool seen;
};

struct client {
    void *zmq, *sub, *dealer;
    struct registry_info info;
    struct wire_frame frame; /* last frame received */
    uint8_t *bytes;
    size_t size;                /* bytes of that frame */
    uint32_t defs[WIRE_TABLES]; /* definitions received without holes */
    struct client_value *apply;
    uint64_t fell;           /* values that decreased */
    uint64_t frames;         /* frames of values */
    uint64_t asked, next_ns; /* paced requests; time of the next */
};

/* Makes a directory for the test and sets $PROFTOP_DIR to it. */
static inline const char *client_place(void)
{
    static char place[64];
    if (place[0] == '\0')
        tap_folder(place, sizeof place, "check");
    setenv("PROFTOP_DIR", place, 1);
    setenv("PROFTOP_BUDGET", "0", 0); /* tests loop over empty ops: time each call */
    return place;
}

static inline void client_clean(void)
{
    const char *place = client_place();
    DIR *dir = opendir(place);
    struct dirent *entry;
    while (dir != NULL && (entry = readdir(dir)) != NULL) {
        char path[600];
        snprintf(path, sizeof path, "%s/%s", place, entry->d_name);
        unlink(path);
    }
    if (dir != NULL)
        closedir(dir);
    rmdir(place);
}

/* Number of files in a directory whose names end with `end`. */
static inline int client_count(const char *place, const char *end)
{
    int n = 0;
    DIR *dir = opendir(place);
    struct dirent *entry;
    while (dir != NULL && (entry = readdir(dir)) != NULL) {
        size_t size = strlen(entry->d_name);
        n += size >= strlen(end) && strcmp(entry->d_name + size - strlen(end), end) == 0;
    }
    if (dir != NULL)
        closedir(dir);
    return n;
}

/* Reads the .info file of a feed of a process. Feeds are numbered from 1. */
static inline bool client_info_of(const char *place, pid_t pid, unsigned number,
                                  struct registry_info *info)
{
    char path[600], text[REGISTRY_INFO_MAX], why[256] = "", name[16] = "";
    if (number > 1) /* the first feed has the plain name */
        snprintf(name, sizeof name, "-%u", number);
    snprintf(path, sizeof path, "%s/%d-%llu%s.info", place, (int)pid,
             (unsigned long long)shared_process_start((uint64_t)pid), name);
    FILE *file = fopen(path, "re");
    if (file == NULL)
        return false;
    size_t size = fread(text, 1, sizeof text, file);
    fclose(file);
    bool good = registry_info_parse(text, size, info, why, sizeof why);
    ck_assert_msg(good, "%s: %s", path, why);
    return good;
}

static inline bool client_info(const char *place, pid_t pid, struct registry_info *info)
{
    return client_info_of(place, pid, 1, info);
}

static inline void client_open_of(struct client *c, pid_t pid, unsigned number)
{
    int zero = 0;
    memset(c, 0, sizeof *c);
    ck_assert(client_info_of(client_place(), pid, number, &c->info));
    c->bytes = malloc(WIRE_MESSAGE_MAX);
    c->apply = calloc(CLIENT_IDS, sizeof *c->apply);
    c->zmq = zmq_ctx_new();
    c->sub = zmq_socket(c->zmq, ZMQ_SUB);
    c->dealer = zmq_socket(c->zmq, ZMQ_DEALER);
    zmq_setsockopt(c->sub, ZMQ_LINGER, &zero, sizeof zero);
    zmq_setsockopt(c->dealer, ZMQ_LINGER, &zero, sizeof zero);
    ck_assert_int_eq(zmq_connect(c->sub, c->info.facts), 0);
    ck_assert_int_eq(zmq_connect(c->dealer, c->info.control), 0);
}

static inline void client_open(struct client *c, pid_t pid)
{
    client_open_of(c, pid, 1);
}

static inline void client_close(struct client *c)
{
    zmq_close(c->sub);
    zmq_close(c->dealer);
    zmq_ctx_term(c->zmq);
    free(c->bytes);
    free(c->apply);
}

/* Frees all resources of a test: its client, its feed, its directory. */
static inline void client_end(struct client *c, struct proftop *feed)
{
    client_close(c);
    proftop_close(feed);
    client_clean();
}

static inline void client_subscribe(struct client *c, const char *prefix)
{
    ck_assert_int_eq(zmq_setsockopt(c->sub, ZMQ_SUBSCRIBE, prefix, strlen(prefix)), 0);
}

struct client_request {
    const char *q, *want;
    uint64_t req, credit, tick_ms;
    uint32_t from[WIRE_TABLES];
    const char *what, *arg, *user; /* of a control request */
    uint64_t pid, at;
};

static inline void client_ask(struct client *c, struct client_request r)
{
    uint8_t bytes[WIRE_REQUEST_MAX];
    struct wire_writer w;
    wire_begin(&w, bytes, sizeof bytes, WIRE_REQUEST, 0);
    wire_put_u64(&w, WIRE_F_VER, WIRE_VERSION);
    wire_put_text(&w, WIRE_F_Q, r.q);
    wire_put_u64(&w, WIRE_F_REQ, r.req);
    if (r.want != NULL) {
        wire_put_text(&w, WIRE_F_WANT, r.want);
        wire_put_counts(&w, WIRE_F_FROM, r.from);
    }
    if (r.credit != 0)
        wire_put_u64(&w, WIRE_F_CREDIT, r.credit);
    if (r.tick_ms != 0)
        wire_put_u64(&w, WIRE_F_TICKMS, r.tick_ms);
    if (r.pid != 0)
        wire_put_u64(&w, WIRE_F_PID, r.pid);
    if (strcmp(r.q, "text") == 0)
        wire_put_u64(&w, WIRE_F_AT, r.at);
    if (r.what != NULL)
        wire_put_text(&w, WIRE_F_WHAT, r.what);
    if (r.arg != NULL)
        wire_put_text(&w, WIRE_F_ARG, r.arg);
    if (r.user != NULL)
        wire_put_text(&w, WIRE_F_USER, r.user);
    size_t size = wire_end(&w);
    ck_assert_uint_ne(size, 0);
    ck_assert_int_ge(zmq_send(c->dealer, bytes, size, 0), 0);
}

/* Reads the columns of a group: the id of each row and up to three values. */
static inline uint32_t client_columns(const struct wire_frame *frame, enum wire_group group,
                                      uint64_t out[4][WIRE_FRAME_ROWS])
{
    const struct wire_rows *rows = &frame->group[group];
    if (!rows->present)
        return 0;
    for (int i = 0; i < 4 && wire_groups[group].column[i].key != NULL; i++)
        if (wire_groups[group].column[i].type != WIRE_TEXT)
            wire_column_read(&rows->column[i], 0, rows->count, out[i], NULL);
    return rows->count;
}

static inline void client_take_values(struct client *c)
{
    static uint64_t v[4][WIRE_FRAME_ROWS];
    uint32_t n = client_columns(&c->frame, WIRE_G_V, v);
    for (uint32_t i = 0; i < n; i++) {
        ck_assert_uint_lt(v[0][i], CLIENT_IDS);
        struct client_value *value = &c->apply[v[0][i]];
        c->fell += v[1][i] < value->calls || v[2][i] < value->total;
        value->calls = v[1][i];
        value->total = v[2][i];
        value->last = v[3][i];
        value->timed = value->every ? value->calls : value->timed;
        value->seen = true;
    }
    n = client_columns(&c->frame, WIRE_G_X, v);
    for (uint32_t i = 0; i < n; i++) {
        struct client_value *value = &c->apply[v[0][i]];
        value->min = v[1][i];
        value->max = v[2][i];
        value->extremes++;
        value->every = v[3][i] == PROFTOP_UNKNOWN;
        value->timed = value->every ? value->calls : v[3][i];
    }
    n = client_columns(&c->frame, WIRE_G_ERR, v);
    for (uint32_t i = 0; i < n; i++)
        c->apply[v[0][i]].half = v[1][i];
    c->frames++;
}

static inline void client_take_defs(struct client *c)
{
    for (int group = WIRE_G_CLASS; group <= WIRE_G_THREAD; group++) {
        const struct wire_rows *rows = &c->frame.group[group];
        uint32_t *have = &c->defs[wire_groups[group].table];
        /* Definitions beyond a hole wait for the snapshot that fills it. */
        if (!rows->present || rows->from > *have)
            continue;
        if (rows->from + rows->count > *have)
            *have = rows->from + rows->count;
    }
}

/* Receives one frame from either socket. Returns false after `ms`. */
static inline bool client_receive(struct client *c, void *socket, long ms)
{
    zmq_pollitem_t item = {.socket = socket, .events = ZMQ_POLLIN};
    if (zmq_poll(&item, 1, ms) <= 0)
        return false;
    int size = zmq_recv(socket, c->bytes, WIRE_MESSAGE_MAX, 0);
    ck_assert_int_gt(size, 0);
    c->size = (size_t)size;
    enum wire_error error = wire_read(c->bytes, c->size, &c->frame);
    ck_assert_msg(error == WIRE_OK, "%s (topic %.8s)", wire_error_text(error),
                  (const char *)c->bytes);
    if (c->frame.stream == WIRE_APPLIES)
        client_take_values(c);
    if (c->frame.stream == WIRE_DEFS)
        client_take_defs(c);
    return true;
}

/* Waits for a frame of a stream. */
static inline void client_expect(struct client *c, void *socket, enum wire_stream stream)
{
    do
        ck_assert_msg(client_receive(c, socket, CLIENT_PATIENCE_MS), "no frame of stream %c came",
                      wire_letters[stream]);
    while (c->frame.stream != stream);
}

/* True if the goodbye arrives on the subscriptions. */
static inline bool client_hears_bye(struct client *c)
{
    bool bye = false;
    while (!bye && client_receive(c, c->sub, CLIENT_PATIENCE_MS / 10))
        bye = c->frame.stream == WIRE_HELLO && c->frame.field[WIRE_F_BYE].present;
    return bye;
}

/* Limits the client's request rate. A job drops requests above its quota for a turn without an
 * answer. A client that repeats a request at once after each answer reaches the quota on a fast
 * machine, and would then wait for an answer that never comes. This function only paces; the caller
 * waits for its answer. */
static inline void client_pace(struct client *c)
{
    if (c->asked++ % CLIENT_BURST != 0)
        return;
    const struct timespec next = {(time_t)(c->next_ns / TEST_SECOND_NS),
                                  (long)(c->next_ns % TEST_SECOND_NS)};
    clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &next, NULL);
    c->next_ns = test_clock_ns() + CLIENT_TURN_MS * TEST_MS_NS;
}

static inline void client_hello(struct client *c)
{
    client_pace(c);
    client_ask(c, (struct client_request){.q = "hello", .req = 1});
    client_expect(c, c->dealer, WIRE_HELLO);
}

/* Requests a snapshot and reads all of it. Returns its number of frames. */
static inline uint64_t client_snapshot(struct client *c, const char *want, uint64_t req)
{
    struct client_request request = {.q = "snapshot", .want = want, .req = req, .credit = 4};
    uint64_t n = 0;
    memcpy(request.from, c->defs, sizeof request.from);
    client_pace(c);
    client_ask(c, request);
    for (;; n++) {
        do /* skip frames of an earlier request */
            ck_assert_msg(client_receive(c, c->dealer, CLIENT_PATIENCE_MS), "the snapshot stopped");
        while (c->frame.field[WIRE_F_REQ].u != req);
        if (c->frame.stream == WIRE_REPLY)
            break;
        client_pace(c);
        client_ask(c, (struct client_request){.q = "more", .req = req, .credit = 1});
    }
    ck_assert_uint_eq(c->frame.field[WIRE_F_OK].u, 1);
    ck_assert_uint_eq(c->frame.field[WIRE_F_CHUNKS].u, n);
    return n;
}

/* Defines functions with n applies, assigned to them in turn, each apply with its own op. Returns
 * the id of the first apply; the others follow. */
static inline proftop_id client_graphs(struct proftop *feed, uint32_t functions, uint32_t n,
                                       enum proftop_source source)
{
    struct proftop_function_info info = {.size = sizeof info, .name = "train"};
    proftop_id *op = calloc(functions, sizeof *op), *function = calloc(functions, sizeof *op);
    proftop_id first = PROFTOP_NONE;
    for (uint32_t f = 0; f < functions; f++) {
        char text[32] = "Elemwise{add}";
        if (f > 0)
            snprintf(text, sizeof text, "Elemwise{add%u}", (unsigned)f);
        op[f] = proftop_op(feed, proftop_class(feed, "tensor.Elemwise"), text);
        function[f] = proftop_function(feed, &info);
    }
    for (uint32_t i = 0; i < n; i++) {
        struct proftop_apply_info apply = {.size = sizeof apply,
                                           .function = function[i % functions],
                                           .op = op[i % functions],
                                           .index = i / functions,
                                           .text = "add(x, y)",
                                           .source = source};
        proftop_id id = proftop_apply(feed, &apply);
        ck_assert_uint_ne(id, PROFTOP_NONE);
        first = i == 0 ? id : first;
    }
    free(op);
    free(function);
    return first;
}

/* Defines one function with n applies of one op. */
static inline proftop_id client_graph(struct proftop *feed, uint32_t n, enum proftop_source source)
{
    return client_graphs(feed, 1, n, source);
}

static inline struct proftop *client_feed(void)
{
    struct proftop_options options = {.size = sizeof options, .program = "check"};
    client_place();
    struct proftop *feed = proftop_open(&options);
    ck_assert_msg(proftop_is_on(feed), "%s", proftop_reason(feed));
    return feed;
}

#endif

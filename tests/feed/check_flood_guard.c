/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * check_flood_guard.c: endless messages and subscriptions, fast and slow, to both sockets of a job.
 * The sender is disconnected and counted, the job's memory does not grow, and a viewer beside it
 * misses nothing. A client within its quota is never disconnected.
 */
#include "config.h"

#include "tap.h"

#include "process.h"
#include "feed/publisher/transport/flood_guard.h"
#include "stranger.h"

enum { APPLIES = 50, PART = 4096, GROWTH_MAX_KB = 96 * 1024, ROUNDS = 200, PIPELINE = 16 };

static const char *const types[] = {"SUB", "DEALER"};
enum { FACTS, CONTROL };

/* The repeated message, and the total size if the sender is not disconnected. */
struct endless {
    const char *name;
    size_t (*write)(uint8_t *bytes, size_t room);
    size_t most;
    long pause_ns;
};

static size_t write_large(uint8_t *bytes, size_t room)
{
    const uint8_t head[9] = {3, 0, 0, 0, 0, 0, 0, PART >> 8, PART & 255};
    size_t size = 0;
    for (; size + sizeof head + PART <= room; size += sizeof head + PART) {
        memcpy(bytes + size, head, sizeof head);
        memset(bytes + size + sizeof head, 0, PART);
    }
    return size;
}

static size_t write_tiny(uint8_t *bytes, size_t room)
{
    size_t size = 0;
    for (; size + 3 <= room; size += 3)
        memcpy(bytes + size, "\1\1", 3);
    return size;
}

static size_t write_drop(uint8_t *bytes, size_t room)
{
    (void)room;
    return write_large(bytes, 9 + PART);
}

/* Every topic is different. */
static size_t write_topics(uint8_t *bytes, size_t room)
{
    enum { TOPIC = 200 };
    static uint64_t number;
    size_t size = 0;
    for (; size + 3 + TOPIC <= room; size += 3 + TOPIC) {
        memcpy(bytes + size, "\0\xc9\1", 3);
        memset(bytes + size + 3, 'x', TOPIC);
        memcpy(bytes + size + 3, &number, sizeof number);
        number += UINT64_C(0x9e3779b97f4a7c15);
    }
    return size;
}

enum { MB = 1 << 20, DROP_NS = 1000000 };
static const struct endless large = {"large parts", write_large, 256 * MB, 0},
                            tiny = {"tiny parts", write_tiny, 24 * MB, 0},
                            drip = {"parts by drips", write_drop, 24 * MB, DROP_NS},
                            topics = {"subscriptions", write_topics, 128 * MB, 0};

static const struct attack {
    const struct endless *what;
    int to;
    bool tcp;
} attacks[] = {
    {&large, FACTS, false},  {&large, CONTROL, false}, {&tiny, FACTS, false},
    {&tiny, CONTROL, false}, {&drip, FACTS, false},    {&drip, CONTROL, false},
    {&topics, FACTS, false}, {&large, FACTS, true},    {&large, CONTROL, true},
    {&topics, FACTS, true},
};

static void be_a_job(int argument)
{
    (void)argument;
    struct proftop *feed = client_feed();
    proftop_id first = client_graph(feed, APPLIES, PROFTOP_GIVEN);
    for (uint32_t i = 0;; i++) {
        const struct timespec millisecond = {0, 1000000};
        proftop_record(feed, first + i % APPLIES, 1000);
        nanosleep(&millisecond, NULL); /* an active job, beside the test's subject */
    }
}

static pid_t start_job(struct client *viewer)
{
    pid_t pid = process_start_job(be_a_job);
    client_open(viewer, pid);
    client_subscribe(viewer, "");
    client_hello(viewer);
    ck_assert(!viewer->frame.field[WIRE_F_CUT].present);
    return pid;
}

static void end_job(struct client *viewer, pid_t pid)
{
    client_close(viewer);
    process_end_job(pid);
    client_clean();
}

/* Sends until disconnected. Returns the number of bytes sent. */
static size_t attack(const struct registry_info *info, const struct attack *a)
{
    static uint8_t bytes[64 * 1024];
    const struct timespec pause = {0, a->what->pause_ns};
    char at[2][SHARED_ENDPOINT_SIZE];
    snprintf(at[FACTS], sizeof at[0], "%s", info->facts);
    snprintf(at[CONTROL], sizeof at[0], "%s", info->control);
    if (a->tcp)
        ck_assert_int_eq(sscanf(info->tcp, "%[^,],%s", at[FACTS], at[CONTROL]), 2);
    int fd = stranger_connect(at[a->to]);
    size_t sent = 0, size;
    ck_assert_int_ge(fd, 0);
    stranger_greet(fd, types[a->to]);
    do {
        size = a->what->write(bytes, sizeof bytes);
        sent += size;
        if (a->what->pause_ns > 0) /* a slow sender; not a wait for an event */
            nanosleep(&pause, NULL);
    } while (sent < a->what->most && stranger_send(fd, bytes, size));
    close(fd);
    return sent;
}

/* Waits for this number in the hello: the client notices before the job has counted it. */
static void expect_cut(struct client *viewer, uint64_t n)
{
    const uint64_t until = process_now_ms() + CLIENT_PATIENCE_MS;
    do {
        ck_assert_uint_lt(process_now_ms(), until);
        client_hello(viewer);
    } while (viewer->frame.field[WIRE_F_CUT].u < n);
    ck_assert_uint_eq(viewer->frame.field[WIRE_F_CUT].u, n);
}

/* Reads values, which change in each tick, up to a frame made after this call: none is missing. */
static void expect_all_frames(struct client *viewer)
{
    uint64_t seq = 0, frames = 0, tick;
    client_hello(viewer);
    tick = viewer->frame.field[WIRE_F_TICK].u;
    do {
        client_expect(viewer, viewer->sub, WIRE_APPLIES);
        ck_assert(frames == 0 || viewer->frame.field[WIRE_F_SEQ].u == seq + 1);
        seq = viewer->frame.field[WIRE_F_SEQ].u;
        frames++;
    } while (viewer->frame.field[WIRE_F_TICK].u < tick);
    ck_assert_uint_eq(viewer->fell, 0);
}

START_TEST(without_end)
{
    const struct attack *a = &attacks[_i];
    struct client viewer;
    if (PROCESS_TSAN) /* the feed has no descriptor table of its own, so no flood guard */
        return;
    setenv("PROFTOP_BIND", "tcp://127.0.0.1:*", 1);
    setenv("PROFTOP_INSECURE", "1", 1);
    pid_t job = start_job(&viewer);
    client_expect(&viewer, viewer.sub, WIRE_APPLIES);
    const long before_kb = process_memory_kb(job, "VmRSS");
    const size_t sent = attack(&viewer.info, a);
    const long grown_kb = process_memory_kb(job, "VmHWM") - before_kb;
    printf("# %s to %s: cut after %zu kB, at most %ld kB taken\n", a->what->name, types[a->to],
           sent / 1024, grown_kb);
    ck_assert_uint_lt(sent, a->what->most);
    if (!PROCESS_ASAN)
        ck_assert_int_le(grown_kb, GROWTH_MAX_KB);
    expect_cut(&viewer, 1);
    expect_all_frames(&viewer);
    end_job(&viewer, job);
}
END_TEST

/* The maximum number of viewers. Each repeatedly sends the largest allowed request, and subscribes
 * to as much as is kept. */
START_TEST(whatever_is_allowed)
{
    static struct client viewer[WIRE_VIEWERS_MAX];
    static char request[WIRE_REQUEST_MAX];
    char topic[WIRE_TOPIC_MAX];
    pid_t job = start_job(&viewer[0]);
    for (int i = 1; i < WIRE_VIEWERS_MAX; i++) {
        client_open(&viewer[i], job);
        client_hello(&viewer[i]);
    }
    for (int i = 0; i < 200; i++) {
        snprintf(topic, sizeof topic, "X/%d", i);
        client_subscribe(&viewer[1], topic);
    }
    for (int round = 0; round < process_rounds(ROUNDS, 10 * ROUNDS); round++) {
        struct client *one = &viewer[round % WIRE_VIEWERS_MAX];
        for (int i = 0; i < PIPELINE; i++)
            ck_assert_int_ge(zmq_send(one->dealer, request, sizeof request, 0), 0);
        client_hello(one);
    }
    ck_assert_uint_ge(viewer[0].frame.field[WIRE_F_VIEWERS].u, 1);
    expect_all_frames(&viewer[0]);
    client_hello(&viewer[0]);
    ck_assert_uint_eq(viewer[0].frame.field[WIRE_F_VIEWERS].u, WIRE_VIEWERS_MAX);
    ck_assert_uint_ge(viewer[0].frame.field[WIRE_F_GARBAGE].u, ROUNDS / 5 * PIPELINE);
    ck_assert(!viewer[0].frame.field[WIRE_F_CUT].present);
    for (int i = 1; i < WIRE_VIEWERS_MAX; i++)
        client_close(&viewer[i]);
    end_job(&viewer[0], job);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("sentry");
    tap_native(tap_add_loop(s, "without_end", without_end, TAP_ROWS(attacks)));
    tap_native(tap_add(s, "whatever_is_allowed", whatever_is_allowed));
    return s;
}

TAP_MAIN(suite)

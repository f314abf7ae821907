/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * check_hostile.c: damaged golden frames from a seeded generator, sent to both sides: into a
 * viewer's model, and through sockets into a job. Neither stops nor grows, and both count refused
 * frames. PROFTOP_TEST_LONG=1 sends a million to each.
 */
#include "config.h"

#include "tap.h"

#include "golden.h"
#include "process.h"
#include "feed/viewer/stream/sync.h"

enum { SOME = 20000, MANY = 1000000, BYTES_MAX = 64 * 1024, GROWTH_MAX_KB = 16 * 1024, LIFE = 20 };
enum { FLOODS = 2, FLOODED_HELLOS = 30, AHEAD_MAX = 5000, WHOLE_EVERY = 256 };

#if PROCESS_ASAN
/* AddressSanitizer keeps 256 MiB of freed memory by default, which would hide growth. With this
 * small limit, a quarter of the frames fill it. */
const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
    return "quarantine_size_mb=1";
}
#endif

static struct golden *goldens;
static size_t count;
static uint64_t state;

static uint32_t draw(uint32_t below)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (uint32_t)(state >> 32) % below;
}

/* Makes one change: flips a bit, sets a significant byte, cuts the frame, removes or doubles a
 * piece, or copies in a piece of another frame. */
static size_t change(uint8_t *bytes, size_t size)
{
    static const uint8_t telling[] = {0x00, 0x7f, 0x80, 0x8f, 0x9f, 0xc1, 0xc4, 0xc6, 0xcb, 0xcf,
                                      0xd9, 0xdb, 0xdc, 0xdd, 0xde, 0xdf, 0xff, 0x41, 0x44, 0x2f};
    if (size == 0)
        return 0;
    size_t at = draw((uint32_t)size), n = draw(40);
    const struct golden *other = &goldens[draw((uint32_t)count)];
    switch (draw(6)) {
    case 0:
        bytes[at] ^= (uint8_t)(1u << draw(8));
        return size;
    case 1:
        bytes[at] = telling[draw(sizeof telling)];
        return size;
    case 2:
        return at;
    case 3:
        n = n < size - at ? n : size - at;
        memmove(bytes + at, bytes + at + n, size - at - n);
        return size - n;
    case 4:
        n = n < size - at ? n : size - at;
        if (size + n > BYTES_MAX)
            return size;
        memmove(bytes + at + n, bytes + at, size - at);
        return size + n;
    default:
        n = n < other->size ? n : other->size;
        n = n < size - at ? n : size - at;
        memcpy(bytes + at, other->bytes + draw((uint32_t)(other->size - n + 1)), n);
        return size;
    }
}

/* All golden frames have the same number. With another instance they are new again. */
static void live_again(uint8_t *bytes, size_t size, uint32_t life)
{
    static const char key[] = "\xa4inst\xc4\x10";
    uint8_t *at = memmem(bytes, size, key, sizeof key - 1);
    if (at != NULL && (size_t)(at - bytes) + sizeof key - 1 + 16 <= size)
        memcpy(at + sizeof key - 1, &life, sizeof life);
}

/* Picks a golden frame as a base; one in eight is a bad one. */
static const struct golden *pick(const char *streams)
{
    const struct golden *from;
    do
        from = &goldens[draw((uint32_t)count)];
    while (from->size == 0 || from->size > BYTES_MAX / 2 || (from->bad && draw(8) != 0) ||
           (streams != NULL && strchr(streams, from->bytes[0]) == NULL));
    return from;
}

static size_t copy(uint8_t *bytes, const struct golden *from, uint32_t life)
{
    memcpy(bytes, from->bytes, from->size);
    live_again(bytes, from->size, life);
    return from->size;
}

/* A golden frame with one to nine changes. The result differs from the original. */
static size_t damage(uint8_t *bytes, const char *streams, uint32_t life)
{
    static uint8_t whole[BYTES_MAX];
    const size_t before = copy(whole, pick(streams), life);
    size_t size;
    do {
        size = before;
        memcpy(bytes, whole, size);
        for (uint32_t changes = 1 + draw(3) * draw(5); changes > 0; changes--)
            size = change(bytes, size);
    } while (size == before && memcmp(bytes, whole, size) == 0);
    return size;
}

static void set_up(uint64_t seed)
{
    goldens = golden_read(&count);
    ck_assert_ptr_nonnull(goldens);
    state = seed * UINT64_C(0x9e3779b97f4a7c15) + 1;
}

/* Checks memory after a quarter of the frames, when all tables exist. ThreadSanitizer records
 * accesses. */
static void check_growth(pid_t pid, long before_kb)
{
    long grown = process_memory_kb(pid, "VmRSS") - before_kb;
    printf("# grown by %ld kB\n", grown);
    if (!PROCESS_TSAN)
        ck_assert_int_le(grown, GROWTH_MAX_KB);
}

/* Sends intact frames that the others rely on. No request is answered, so the previous instance is
 * forgotten. */
static void begin_life(struct viewer_sync *sync, uint8_t *bytes, uint32_t life)
{
    struct model_link *link = sync->link;
    viewer_sync_release(sync);
    viewer_sync_init(sync, link, NULL);
    for (size_t i = 0; i < count; i++)
        if (strcmp(goldens[i].name, "definitions") == 0) {
            memcpy(bytes, goldens[i].bytes, goldens[i].size);
            live_again(bytes, goldens[i].size, life);
            viewer_sync_take(sync, bytes, goldens[i].size, false);
        }
}

static uint64_t refused(const struct model_link *link)
{
    return link->malformed + link->over_limit + link->other_version;
}

/* A frame refused by the reader is counted once and has no other effect. The others have no exact
 * sum: they are applied, inconsistent, pending, late, or of another instance. */
static bool take_counted(struct viewer_sync *sync, const uint8_t *bytes, size_t size, bool *bad)
{
    struct wire_frame frame;
    struct model_link before = *sync->link;
    *bad = wire_read(bytes, size, &frame) != WIRE_OK;
    const bool fresh = viewer_sync_take(sync, bytes, size, draw(3) == 0);
    return !*bad || (!fresh && refused(sync->link) == refused(&before) + 1 &&
                     sync->link->frames == before.frames);
}

/* Half as many intact frames keep a job in the model to damage. */
START_TEST(into_a_viewer)
{
    static uint8_t bytes[BYTES_MAX];
    const int rounds = process_rounds(SOME, MANY);
    struct model_link link = {0};
    struct viewer_sync sync = {0};
    int bad = 0, uncounted = 0, whole = 0;
    uint64_t applied = 0; /* of damaged frames */
    long before_kb = 0;
    set_up(7);
    viewer_sync_init(&sync, &link, NULL);
    const uint64_t begun_ms = process_now_ms();
    for (int i = 0; i < rounds; i++) {
        if (i % LIFE == 0)
            begin_life(&sync, bytes, (uint32_t)i / LIFE);
        size_t size;
        bool was_bad;
        if (draw(2) == 0) {
            size = copy(bytes, pick(NULL), (uint32_t)i / LIFE);
            uncounted += !take_counted(&sync, bytes, size, &was_bad);
            whole++;
        }
        const uint64_t frames = link.frames;
        size = damage(bytes, NULL, (uint32_t)i / LIFE);
        uncounted += !take_counted(&sync, bytes, size, &was_bad);
        bad += was_bad;
        applied += link.frames - frames;
        if (viewer_sync_missing(&sync) == VIEWER_SNAPSHOT_ALL && draw(50) == 0) {
            uint8_t request[WIRE_REQUEST_MAX];
            ck_assert_uint_gt(
                viewer_sync_request_snapshot(&sync, VIEWER_SNAPSHOT_ALL, request, sizeof request),
                0);
        }
        if (i == rounds / 4)
            before_kb = process_memory_kb(getpid(), "VmRSS");
    }
    const uint64_t ms = process_now_ms() - begun_ms;
    printf("# %d damaged frames in %llu ms, beside %d whole: %d unreadable, %llu applied; %llu "
           "malformed, %llu over a limit, %llu of another version\n",
           rounds, (unsigned long long)ms, whole, bad, (unsigned long long)applied,
           (unsigned long long)link.malformed, (unsigned long long)link.over_limit,
           (unsigned long long)link.other_version);
    ck_assert_int_eq(uncounted, 0);
    ck_assert_int_gt(bad, rounds / 2);
    ck_assert_uint_gt(link.frames, (uint64_t)rounds / 100);
    ck_assert_uint_gt(applied, (uint64_t)rounds / 1000);
    check_growth(getpid(), before_kb);
    viewer_sync_release(&sync);
    golden_free(goldens, count);
}
END_TEST

/* Runs a job until SIGTERM. It then closes and fails if memory was leaked. It was forked without
 * threads, so LeakSanitizer finds no memory of missing threads. */
static void be_a_job(int argument)
{
    sigset_t end;
    int number;
    (void)argument;
    sigemptyset(&end);
    sigaddset(&end, SIGTERM);
    sigprocmask(SIG_BLOCK, &end, NULL); /* before the feed starts its threads */
    struct proftop *feed = client_feed();
    client_graph(feed, 100, PROFTOP_GIVEN);
    CHILD_NEEDS(sigwait(&end, &number) == 0);
    proftop_close(feed);
    CHILD_NEEDS(!fork_leaks());
}

static void send_all(void *dealer, const uint8_t *bytes, size_t size)
{
    zmq_pollitem_t item = {.socket = dealer, .events = ZMQ_POLLOUT};
    while (zmq_send(dealer, bytes, size, ZMQ_DONTWAIT) < 0)
        ck_assert_msg(zmq_poll(&item, 1, CLIENT_PATIENCE_MS) > 0, "the job takes no more requests");
}

/* Discards answers as they arrive. */
static void read_all(void *dealer)
{
    char byte;
    while (zmq_recv(dealer, &byte, 1, ZMQ_DONTWAIT) >= 0)
        continue;
}

/* An answered hello means that all earlier messages have been read. */
static void catch_up(struct client *c)
{
    static uint64_t number = UINT64_C(1) << 40; /* a number that no golden frame has */
    client_ask(c, (struct client_request){.q = "hello", .req = ++number});
    do
        client_expect(c, c->dealer, WIRE_HELLO);
    while (c->frame.field[WIRE_F_REQ].u != number);
}

/* Makes a malformed request, and now and then a valid one. So few stay within the quota, so none is
 * dropped unread and each is counted. */
static size_t make_bad(uint8_t *bytes, int round, uint64_t *bad)
{
    struct wire_frame frame;
    enum wire_error error;
    size_t size;
    do {
        size = damage(bytes, draw(4) == 0 ? NULL : "Q", 0);
        size = size < WIRE_REQUEST_MAX ? size : WIRE_REQUEST_MAX;
        error = wire_read_request(bytes, size, &frame);
    } while ((error == WIRE_OK || error == WIRE_E_VERSION) && round % WHOLE_EVERY != 0);
    *bad += error != WIRE_OK && error != WIRE_E_VERSION; /* the job answers this one */
    return size;
}

static void check_counts(const struct wire_frame *hello, uint64_t bad)
{
    printf("# %llu are none\n", (unsigned long long)bad);
    ck_assert_uint_eq(hello->field[WIRE_F_GARBAGE].u, bad);
    ck_assert_uint_eq(hello->field[WIRE_F_FLOODED].u, 0);
}

/* The job never falls far behind. Otherwise its pending messages would count as memory growth. */
START_TEST(into_a_job)
{
    static uint8_t bytes[BYTES_MAX];
    const int rounds = process_rounds(SOME, MANY);
    struct client client;
    uint64_t bad = 0;
    long before_kb = 0;
    pid_t pid = process_start_job(be_a_job);
    client_open(&client, pid);
    client_hello(&client);
    set_up(11);
    for (int i = 0; i < rounds; i++) {
        size_t size = make_bad(bytes, i, &bad);
        send_all(client.dealer, bytes, size);
        if (i % 64 == 0)
            read_all(client.dealer);
        if (i % AHEAD_MAX == 0)
            catch_up(&client);
        if (i == rounds / 4)
            before_kb = process_memory_kb(pid, "VmRSS");
    }
    catch_up(&client);
    check_counts(&client.frame, bad);
    check_growth(pid, before_kb);
    client_close(&client);
    /* The job lives, and serves the next client. */
    client_open(&client, pid);
    client_hello(&client);
    ck_assert_uint_gt(client_snapshot(&client, "DFA", 2), 0);
    client_close(&client);
    kill(pid, SIGTERM);
    process_join(pid);
    golden_free(goldens, count);
    client_clean();
}
END_TEST

/* Sends requests without end, on one connection or on a new one each time. */
static void ask_on(int pid)
{
    struct client client;
    for (;;) {
        client_open(&client, pid);
        for (int i = 0; i < 10000; i++)
            client_ask(&client, (struct client_request){.q = "hello", .req = 1});
        client_close(&client);
    }
}

/* While others flood the job, a client that sends four requests at a time gets every answer. A job
 * answers 16 requests of each client in a turn (docs/protocol.md, 5). */
START_TEST(beside_floods)
{
    const struct timespec two_turns = {0, 2 * CLIENT_TURN_MS * (long)TEST_MS_NS};
    struct client client;
    pid_t job = process_start_job(be_a_job), flood[FLOODS];
    for (int i = 0; i < FLOODS; i++)
        flood[i] = process_start(ask_on, job);
    client_open(&client, job);
    for (uint64_t i = 0; i < FLOODED_HELLOS; i++) {
        client_hello(&client);
        ck_assert_uint_le(client_snapshot(&client, "DFA", 2 + i), 2);
        nanosleep(&two_turns, NULL); /* keeps the rate low; not a wait for an event */
    }
    client_close(&client);
    for (int i = 0; i < FLOODS; i++)
        process_end_job(flood[i]);
    process_end_job(job);
    client_clean();
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("hostile");
    tap_add(s, "into_a_viewer", into_a_viewer);
    tap_add(s, "into_a_job", into_a_job);
    tap_native(tap_add(s, "beside_floods", beside_floods));
    return s;
}

TAP_MAIN(suite)

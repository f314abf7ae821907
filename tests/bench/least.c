/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * least.c: runs the minimal program: slots, a thread that writes them, a thread that checks and
 * sends them, and a reading process.
 */
#include "config.h"

#include "least.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>
#include <zmq.h>

#include "bench.h"
#include "feed/protocol/limits.h"

enum {
    CHUNK = 1024, /* slots in the same part of a round */
    AHEAD = 16,
    TICK_NS = WIRE_TICK_MS * 1000000,
    VALUE = 8, /* bytes of a row that come from its slot */
};

/* A cache line, like the slots of a feed. */
struct slot {
    uint64_t calls, total, rest[5];
    uint32_t sequence, unused;
};
_Static_assert(sizeof(struct slot) == 64, "a slot is one cache line");

struct work {
    struct least_load load;
    struct slot *slot;
    uint32_t *seen;
    uint8_t *frames;
    char endpoint[96];
};

static _Noreturn void fail(const char *what)
{
    fprintf(stderr, "bench: the least program: %s (%s)\n", what, strerror(errno));
    _exit(1);
}

/* Reads subscriptions. The socket's descriptor stays readable until all are read. */
static void hear(void *socket)
{
    char subscription[8];
    int events;
    size_t size = sizeof events;
    while (zmq_recv(socket, subscription, sizeof subscription, ZMQ_DONTWAIT) >= 0)
        continue;
    zmq_getsockopt(socket, ZMQ_EVENTS, &events, &size);
}

/* Sleeps until the next tick. Skips the ticks that passed while the process was stopped. */
static void wait_for_tick(uint64_t *next_ns, void *socket, struct pollfd *door)
{
    uint64_t now_ns = bench_wall_ns();
    *next_ns += TICK_NS;
    if (*next_ns < now_ns)
        *next_ns = now_ns + TICK_NS;
    for (; now_ns < *next_ns; now_ns = bench_wall_ns())
        if (poll(door, door != NULL, (int)((*next_ns - now_ns + 999999) / 1000000)) > 0)
            hear(socket);
}

/* Writes one slot of each ten. */
static void *write_slots(void *argument)
{
    const struct work *work = argument;
    uint64_t next_ns = bench_wall_ns(), random = 88172645463325252u;
    prctl(PR_SET_NAME, "writer");
    for (;;) {
        for (uint32_t i = 0; i + 10 <= work->load.applies; i += 10) {
            random ^= random << 13;
            random ^= random >> 7;
            random ^= random << 17;
            struct slot *slot = &work->slot[i + random % 10];
            __atomic_store_n(&slot->calls, slot->calls + 1, __ATOMIC_RELAXED);
            __atomic_store_n(&slot->total, slot->total + random % 1000, __ATOMIC_RELAXED);
            __atomic_store_n(&slot->sequence, slot->sequence + 1, __ATOMIC_RELEASE);
        }
        wait_for_tick(&next_ns, NULL, NULL);
    }
    return NULL;
}

/* Appends the changed slots of a chunk to the frames. Returns the next write position. */
static uint8_t *look(const struct work *work, uint32_t from, uint8_t *to, const uint8_t *end)
{
    const struct slot *slot = work->slot + from;
    uint32_t *seen = work->seen + from, n = work->load.applies - from;
    for (uint32_t i = 0; i < CHUNK && i < n; i++) {
        __builtin_prefetch((const char *)slot + (i + AHEAD) * sizeof *slot);
        uint32_t sequence = __atomic_load_n(&slot[i].sequence, __ATOMIC_ACQUIRE);
        if (sequence == seen[i] || end - to < VALUE)
            continue;
        seen[i] = sequence;
        uint64_t value = __atomic_load_n(&slot[i].calls, __ATOMIC_RELAXED) +
                         __atomic_load_n(&slot[i].total, __ATOMIC_RELAXED);
        memcpy(to, &value, VALUE);
        to += VALUE;
    }
    return to;
}

static uint32_t parts_of(uint32_t applies)
{
    return applies > WIRE_HUGE_APPLIES ? 10 : applies > WIRE_MANY_APPLIES ? 5 : 1;
}

static _Noreturn void publish(struct work *work)
{
    void *context = zmq_ctx_new(), *socket = zmq_socket(context, ZMQ_XPUB);
    const int most = WIRE_HWM;
    struct pollfd door = {.events = POLLIN};
    size_t size = sizeof door.fd;
    const uint32_t parts = parts_of(work->load.applies);
    const size_t bytes = work->load.bytes / work->load.frames;
    uint64_t next_ns = bench_wall_ns();
    zmq_setsockopt(socket, ZMQ_SNDHWM, &most, sizeof most);
    if (zmq_bind(socket, work->endpoint) != 0 ||
        zmq_getsockopt(socket, ZMQ_FD, &door.fd, &size) != 0)
        fail("no socket can be made");
    prctl(PR_SET_NAME, "least");
    for (uint32_t tick = 0;; tick++) {
        uint8_t *to = work->frames;
        wait_for_tick(&next_ns, socket, &door);
        for (uint32_t at = tick % parts; at * CHUNK < work->load.applies; at += parts)
            to = look(work, at * CHUNK, to, work->frames + work->load.bytes);
        for (uint32_t i = 0; i < work->load.frames; i++)
            zmq_send(socket, work->frames + i * bytes, bytes, ZMQ_DONTWAIT);
        hear(socket);
    }
}

static _Noreturn void run(struct work *work)
{
    pthread_t writer;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    work->slot = aligned_alloc(64, (work->load.applies + AHEAD) * sizeof *work->slot);
    work->seen = calloc(work->load.applies, sizeof *work->seen);
    work->frames = calloc(1, work->load.bytes);
    if (!work->slot || !work->seen || !work->frames)
        fail("out of memory");
    memset(work->slot, 0, (work->load.applies + AHEAD) * sizeof *work->slot);
    if (pthread_create(&writer, NULL, write_slots, work) != 0)
        fail("no thread can be started");
    publish(work);
}

static _Noreturn void read_all(const struct work *work)
{
    static char frame[1 << 20];
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    void *context = zmq_ctx_new(), *socket = zmq_socket(context, ZMQ_SUB);
    if (zmq_setsockopt(socket, ZMQ_SUBSCRIBE, "", 0) != 0 ||
        zmq_connect(socket, work->endpoint) != 0)
        fail("nothing can be read");
    for (;;)
        zmq_recv(socket, frame, sizeof frame, 0);
}

void least_start(struct least *least, const struct least_load *load)
{
    struct work work = {.load = *load};
    snprintf(least->dir, sizeof least->dir, "%s", BENCH_FOLDER);
    if (!mkdtemp(least->dir))
        fail("no directory can be made");
    snprintf(work.endpoint, sizeof work.endpoint, "ipc://%s/least", least->dir);
    least->pid = fork();
    if (least->pid == 0)
        run(&work);
    least->reader = fork();
    if (least->reader == 0)
        read_all(&work);
    least_stand_still(least);
}

void least_go_on(const struct least *least)
{
    if (waitpid(least->pid, NULL, WNOHANG) != 0 || kill(least->pid, SIGCONT) != 0)
        fail("it has ended");
}

void least_stand_still(const struct least *least)
{
    kill(least->pid, SIGSTOP);
}

void least_end(struct least *least)
{
    char path[96];
    const pid_t pid[] = {least->pid, least->reader};
    for (int i = 0; i < 2; i++) {
        kill(pid[i], SIGKILL);
        waitpid(pid[i], NULL, 0);
    }
    snprintf(path, sizeof path, "%s/least", least->dir);
    unlink(path);
    rmdir(least->dir);
}

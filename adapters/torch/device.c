/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * device.c: which op a kernel belongs to, and how busy the devices are.
 *
 * CUPTI numbers the launches. The records of kernels and copies have the number of their launch.
 * There are two ways from the number to the op. A callback before each launch notes the op that the
 * thread is in. Once the job's profiler has run, kineto keeps the callbacks: then each op pushes an
 * id, and CUPTI records the id with the number. */
#include "adapters/torch/device.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "adapters/common/nested.h"
#include "adapters/common/state.h"
#include "adapters/torch/cupti.h"
#include "adapters/torch/demangle.h"
#include "adapters/torch/library.h"
#include "proftop_adapter.h"
#include "proftop_objects.h"

#define LENGTH(table) (sizeof(table) / sizeof *(table))

/* ----------------------------------------------------------------------------- launches and ops */

enum { TIES = 1 << 16 }; /* launches that are remembered: more than CUDA queues in 0.1 s */
struct tie {
    _Atomic uint32_t correlation;
    _Atomic(const void *) row; /* NULL: of no op */
};
static struct tie *_Atomic ties; /* allocated with the first device, for good */
static _Atomic uint32_t last_launch, last_seen;

static void remember(uint32_t correlation, const void *row)
{
    struct tie *tie = &atomic_load_explicit(&ties, memory_order_relaxed)[correlation % TIES];
    atomic_store_explicit(&tie->correlation, 0, memory_order_relaxed);
    atomic_store_explicit(&tie->row, row, memory_order_release);
    atomic_store_explicit(&tie->correlation, correlation, memory_order_release);
}

/* Returns 0 if the launch was none of a window, or is forgotten. */
static int recall(uint32_t correlation, const struct nested_row **row)
{
    struct tie *tie = &ties[correlation % TIES];
    if (atomic_load_explicit(&tie->correlation, memory_order_acquire) != correlation)
        return 0;
    *row = atomic_load_explicit(&tie->row, memory_order_acquire);
    return atomic_load_explicit(&tie->correlation, memory_order_acquire) == correlation;
}

static void launched(uint32_t correlation)
{
    remember(correlation, nested_innermost_row());
    atomic_store_explicit(&last_launch, correlation, memory_order_relaxed);
}

_Atomic int device_pushes;
_Thread_local unsigned device_pushed __attribute__((tls_model("initial-exec")));

void device_push(void)
{
    cupti_push((uint64_t)(uintptr_t)nested_innermost_row());
    device_pushed++;
}

void device_pop(void)
{
    device_pushed--;
    cupti_pop();
}

/* ------------------------------------------------------------------------------- busy, by device
 */

enum {
    DEVICES = 16,
    PIECES = 4096, /* stretches without a gap */
    WATCHES = 32,
    WATCH_NS = 1000000000,    /* longer windows are several watches */
    SETTLED_NS = 1000000000,  /* after a watch: then all its records are there */
    LATE_NS = 100000000,      /* after a window and its last launch's record, for others */
    GIVE_UP_NS = 2000000000u, /* after a window, for records that do not come */
};

/* A part of a window, in the clock of the records. */
struct watch {
    uint64_t from, to; /* to: UINT64_MAX: it goes on */
    uint64_t folded[DEVICES];
};
static struct watch watches[WATCHES]; /* the newest last */
static unsigned n_watches;

/* The stretches in which a device ran something, sorted, with gaps in between. */
static struct device {
    struct piece {
        uint64_t from, to;
    } * piece; /* PIECES, allocated with its first record */
    unsigned pieces;
    uint64_t folded_until;
    uint64_t kernels, bytes[4]; /* to the device, from it, inside, set */
    uint64_t busy_ns, watched_ns;
    double busy_percent; /* of the newest settled watch; below 0: none */
    unsigned feeds;
    proftop_id id[8];
} devices[DEVICES];
static unsigned n_devices;
static pthread_mutex_t records_lock = PTHREAD_MUTEX_INITIALIZER; /* of all in this section */

static uint64_t overlap(const struct watch *watch, uint64_t from, uint64_t to)
{
    from = from > watch->from ? from : watch->from;
    to = to < watch->to ? to : watch->to;
    return to > from ? to - from : 0;
}

/* Puts the older half of the stretches into the watches. */
static void fold(struct device *device)
{
    const unsigned number = (unsigned)(device - devices), half = PIECES / 2;
    for (unsigned i = 0; i < half; i++)
        for (unsigned w = 0; w < n_watches; w++)
            watches[w].folded[number] +=
                overlap(&watches[w], device->piece[i].from, device->piece[i].to);
    device->folded_until = device->piece[half - 1].to;
    device->pieces -= half;
    memmove(device->piece, device->piece + half, device->pieces * sizeof *device->piece);
}

static void add_piece(struct device *device, uint64_t from, uint64_t to)
{
    if (!device->piece && !(device->piece = calloc(PIECES, sizeof *device->piece)))
        return;
    from = from > device->folded_until ? from : device->folded_until;
    if (to <= from)
        return;
    unsigned at = device->pieces; /* the first one that does not end before this begins */
    while (at > 0 && device->piece[at - 1].to >= from)
        at--;
    unsigned end = at; /* behind the last one that touches this */
    while (end < device->pieces && device->piece[end].from <= to)
        end++;
    if (end > at) {
        if (device->piece[at].from < from)
            from = device->piece[at].from;
        if (device->piece[end - 1].to > to)
            to = device->piece[end - 1].to;
    }
    memmove(device->piece + at + 1, device->piece + end,
            (device->pieces - end) * sizeof *device->piece);
    device->piece[at] = (struct piece){from, to};
    device->pieces = device->pieces + 1 - (end - at);
    if (device->pieces == PIECES)
        fold(device);
}

/* Sums the oldest watch. */
static void settle_first(void)
{
    const struct watch *watch = &watches[0];
    const uint64_t took = watch->to > watch->from ? watch->to - watch->from : 0;
    for (unsigned d = 0; d < n_devices; d++) {
        struct device *device = &devices[d];
        uint64_t busy = watch->folded[d];
        for (unsigned i = 0; i < device->pieces; i++)
            busy += overlap(watch, device->piece[i].from, device->piece[i].to);
        device->busy_ns += busy;
        device->watched_ns += took;
        if (took > 0)
            device->busy_percent = 100.0 * (double)busy / (double)took;
    }
    memmove(watches, watches + 1, --n_watches * sizeof *watches);
}

static void begin_watch(uint64_t now)
{
    if (now == 0)
        return; /* it is not known when */
    if (n_watches == WATCHES)
        settle_first();
    watches[n_watches] = (struct watch){.from = now, .to = UINT64_MAX};
    n_watches++;
}

static void end_watch(uint64_t now)
{
    if (n_watches > 0 && watches[n_watches - 1].to == UINT64_MAX)
        watches[n_watches - 1].to = now;
}

/* The clock may be another one from now on. All watches are settled. */
static void forget_pieces(void)
{
    pthread_mutex_lock(&records_lock);
    for (unsigned d = 0; d < DEVICES; d++)
        devices[d].pieces = 0, devices[d].folded_until = 0;
    n_watches = 0;
    pthread_mutex_unlock(&records_lock);
}

/* Sums the watches whose records are there. `all`: also those that ended just now. */
static void settle(uint64_t now, int all)
{
    while (n_watches > 0 && watches[0].to != UINT64_MAX &&
           (all || now > watches[0].to + SETTLED_NS))
        settle_first();
}

/* -------------------------------------------------------------------------------------- records */

enum { TO_DEVICE, FROM_DEVICE, INSIDE, SET };

static unsigned direction(const struct cupti_record *record)
{
    static const unsigned char of[] = {
        [0] = INSIDE,      [1] = TO_DEVICE, [2] = FROM_DEVICE, [3] = TO_DEVICE,
        [4] = FROM_DEVICE, [5] = INSIDE,    [6] = INSIDE,      [7] = INSIDE,
        [8] = INSIDE,      [9] = INSIDE,    [10] = INSIDE};
    if (record->kind == CUPTI_SET)
        return SET;
    return record->way < sizeof of ? of[record->way] : INSIDE;
}

static struct device *device_of(const struct cupti_record *record)
{
    for (; record->device < DEVICES && n_devices <= record->device; n_devices++)
        devices[n_devices].busy_percent = -1;
    return record->device < DEVICES ? &devices[record->device] : NULL;
}

static void keep_busy(const struct cupti_record *record)
{
    pthread_mutex_lock(&records_lock);
    struct device *device = device_of(record);
    if (device)
        add_piece(device, record->start_ns, record->end_ns);
    pthread_mutex_unlock(&records_lock);
}

static void count(const struct cupti_record *record, int is_kernel)
{
    pthread_mutex_lock(&records_lock);
    struct device *device = device_of(record);
    if (device && is_kernel)
        device->kernels++;
    else if (device)
        device->bytes[direction(record)] += record->bytes;
    pthread_mutex_unlock(&records_lock);
}

static _Atomic int ids_are_pushed; /* else launches are called back */

/* True if the record is of a window. */
static int is_watched(const struct cupti_record *record)
{
    int is = 0;
    pthread_mutex_lock(&records_lock);
    for (unsigned w = 0; w < n_watches && !is; w++)
        is = overlap(&watches[w], record->start_ns, record->end_ns) > 0;
    pthread_mutex_unlock(&records_lock);
    return is;
}

static void take(const struct cupti_record *record)
{
    const struct nested_row *row = NULL;
    if (record->kind == CUPTI_EXTERNAL) {
        remember(record->correlation, (const void *)(uintptr_t)record->external);
        return;
    }
    if (record->end_ns < record->start_ns || record->start_ns == 0)
        return;
    const int is_kernel = record->kind == CUPTI_KERNEL || record->kind == CUPTI_KERNEL_ALONE;
    if ((int32_t)(record->correlation - atomic_load_explicit(&last_seen, memory_order_relaxed)) > 0)
        atomic_store_explicit(&last_seen, record->correlation, memory_order_relaxed);
    keep_busy(record);
    /* By callbacks each launch of a window is known. By ids, one of no op has no record. */
    if (!recall(record->correlation, &row) && !(ids_are_pushed && is_watched(record)))
        return;
    count(record, is_kernel);
    const uint64_t ns = record->end_ns - record->start_ns;
    if (row)
        nested_add_to(row, NESTED_DEVICE_NS, ns);
    char text[NESTED_NAME + 1];
    if (is_kernel)
        nested_on_device(TORCH_KERNEL, demangled(record->name, text, sizeof text), row, ns);
    else
        nested_on_device(TORCH_COPY, record->kind == CUPTI_SET ? "set" : cupti_way(record->way),
                         row, ns);
}

/* ------------------------------------------------------------------------------------ the state */

/* CUPTI hands over records while a thread flushes, and on its own threads: they take records_lock.
 * So no call of CUPTI is made with records_lock held. */
static pthread_mutex_t flushing = PTHREAD_MUTEX_INITIALIZER; /* taken before `control` */
static pthread_mutex_t control = PTHREAD_MUTEX_INITIALIZER;  /* of all below. Held briefly */
static int wanted;                                           /* a window is open */
static int attached, was_aside, is_child;
static _Atomic int is_there, is_aside;
static const char *refused; /* why CUPTI is left alone */
static _Atomic int makes_records;
static int watches_now;
static uint64_t closed_ns;
static _Atomic(const char *) route;

static const enum cupti_kind kinds[] = {CUPTI_KERNEL, CUPTI_COPY, CUPTI_SET, CUPTI_PEER_COPY};
static const enum cupti_kind kinds_of_ids[] = {CUPTI_EXTERNAL, CUPTI_RUNTIME, CUPTI_DRIVER};

static void refuse(const char *why)
{
    refused = why;
    atomic_store(&route, why);
}

/* Takes the subscription, or has ids pushed where kineto keeps it. Returns 0 if neither is
 * possible. */
static int subscribe(void)
{
    const int error = cupti_subscribe(launched);
    if (error == 0) {
        atomic_store(&ids_are_pushed, 0);
        return 1;
    }
    if (error != CUPTI_TAKEN)
        refuse("CUPTI gives no subscription: an op's time is that of its launch");
    else if (!was_aside)
        refuse("another profiler has CUPTI: an op's time is that of its launch");
    if (refused)
        return 0;
    for (size_t i = 0; i < LENGTH(kinds_of_ids); i++)
        cupti_enable(kinds_of_ids[i], 1);
    atomic_store(&ids_are_pushed, 1);
    atomic_store(&device_pushes, 1);
    return 1;
}

static void unsubscribe(void)
{
    if (ids_are_pushed)
        atomic_store(&device_pushes, 0);
    else
        cupti_unsubscribe();
}

static void disable_records(void)
{
    for (size_t i = 0; i < LENGTH(kinds); i++)
        cupti_enable(kinds[i], 0);
    for (size_t i = 0; i < LENGTH(kinds_of_ids) && ids_are_pushed; i++)
        cupti_enable(kinds_of_ids[i], 0);
    makes_records = 0;
}

static void start(void)
{
    if (!subscribe())
        return;
    if (!makes_records) {
        if (was_aside)
            cupti_set_clock();
        int error = cupti_receive(take);
        for (size_t i = 0; i < LENGTH(kinds); i++)
            error |= cupti_enable(kinds[i], 1) && kinds[i] == CUPTI_KERNEL;
        if (error) {
            unsubscribe();
            disable_records();
            refuse("CUPTI makes no records of kernels: an op's time is that of its launch");
            return;
        }
    }
    makes_records = watches_now = 1;
    const uint64_t now = cupti_now_ns();
    pthread_mutex_lock(&records_lock);
    begin_watch(now);
    pthread_mutex_unlock(&records_lock);
}

/* Kernels go on after the window in which they were launched: their records are still made. */
static void stop(void)
{
    unsubscribe();
    watches_now = 0;
    closed_ns = torch_clock_ns();
    const uint64_t now = cupti_now_ns();
    pthread_mutex_lock(&records_lock);
    end_watch(now);
    pthread_mutex_unlock(&records_lock);
}

/* `flushes`: takes the records that there are, also of buffers that are in use. Then `flushing` is
 * held. */
static void stop_records(int flushes)
{
    if (watches_now)
        stop();
    if (!makes_records)
        return;
    if (flushes)
        cupti_flush(1);
    disable_records();
    pthread_mutex_lock(&records_lock);
    settle(0, 1);
    pthread_mutex_unlock(&records_lock);
}

/* Brings CUPTI into the state that is wanted. `control` is held. */
static void follow(void)
{
    if (!attached || !is_there || is_child || refused)
        return;
    const int wants = wanted && !is_aside;
    if (wants && !watches_now)
        start();
    else if (!wants && watches_now)
        stop();
}

static void want(int open)
{
    pthread_mutex_lock(&control);
    wanted = open;
    follow();
    pthread_mutex_unlock(&control);
}

void device_open(void)
{
    want(1);
}

void device_close(void)
{
    want(0);
}

void device_step_aside(int starts)
{
    /* Else the job's profiler would see the ids of the runs that this thread is in. */
    while (starts && device_pushed > 0)
        device_pop();
    pthread_mutex_lock(&flushing);
    pthread_mutex_lock(&control);
    if (is_there && !refused && !is_child)
        stop_records(1);
    was_aside |= starts;
    is_aside = starts;
    forget_pieces();
    follow();
    pthread_mutex_unlock(&control);
    pthread_mutex_unlock(&flushing);
}

/* Starts CUPTI, which takes 20 ms the first time. */
static const char *try_cupti(void)
{
    if (!cupti_find())
        return "CUPTI is not loaded: an op's time is that of its launch";
    if (!ties)
        atomic_store(&ties, calloc(TIES, sizeof *ties));
    if (!ties)
        return "out of memory: an op's time is that of its launch";
    if (cupti_subscribe(launched) == 0) {
        cupti_enable(CUPTI_KERNEL, 1);
        cupti_enable(CUPTI_KERNEL, 0);
        cupti_unsubscribe();
    }
    return NULL;
}

/* Looks whether the job uses a device by now. The adapter's thread. */
static void find(void)
{
    if (is_there || !attached || is_child || is_aside)
        return;
    pthread_mutex_lock(&flushing); /* also against a fork amid what the dynamic linker locks */
    const int finds = attached && !is_aside && cupti_device_is_used();
    const char *lacks = !finds || refused ? refused : try_cupti();
    if (finds) {
        pthread_mutex_lock(&control);
        is_there = 1;
        refused = lacks;
        atomic_store(&route, lacks ? lacks
                                   : "an op's time is that of its launch; `device` is what it made "
                                     "a GPU do, by CUPTI");
        follow();
        pthread_mutex_unlock(&control);
    }
    pthread_mutex_unlock(&flushing);
}

/* -------------------------------------------------------------------------------------- publishing
 */

static void publish(struct proftop *feed, unsigned number)
{
    enum { BUSY, BUSY_NS, WATCHED_NS, KERNELS, FIRST_BYTES };
    static const char *const names[][2] = {
        {"busy", "%"},          {"busy time", "ns"},      {"watched", "ns"},   {"kernels", ""},
        {"to device", "bytes"}, {"from device", "bytes"}, {"inside", "bytes"}, {"set", "bytes"}};
    struct device *device = &devices[number];
    char text[16];
    snprintf(text, sizeof text, "cuda/%u", number);
    const proftop_id domain = proftop_domain(feed, text);
    const uint64_t values[] = {0,
                               device->busy_ns,
                               device->watched_ns,
                               device->kernels,
                               device->bytes[TO_DEVICE],
                               device->bytes[FROM_DEVICE],
                               device->bytes[INSIDE],
                               device->bytes[SET]};
    if (device->feeds != proftop_py_objects()) {
        device->feeds = proftop_py_objects();
        for (size_t i = 0; i < LENGTH(names); i++)
            device->id[i] = PROFTOP_NONE;
    }
    if (device->busy_percent >= 0) {
        if (device->id[BUSY] == PROFTOP_NONE)
            device->id[BUSY] = proftop_counter_f64(feed, domain, names[BUSY][0], names[BUSY][1]);
        proftop_counter_set_f64(feed, device->id[BUSY], device->busy_percent);
    }
    for (size_t i = BUSY_NS; i < LENGTH(names); i++) {
        if (values[i] == 0)
            continue;
        if (device->id[i] == PROFTOP_NONE)
            device->id[i] = proftop_counter(feed, domain, names[i][0], names[i][1]);
        proftop_counter_set(feed, device->id[i], (int64_t)values[i]);
    }
}

static void publish_all(struct proftop *feed)
{
    static proftop_id id = PROFTOP_NONE;
    static unsigned feeds;
    static uint64_t dropped;
    dropped += is_there && !refused ? cupti_dropped() : 0;
    pthread_mutex_lock(&records_lock);
    for (unsigned d = 0; d < n_devices; d++)
        publish(feed, d);
    pthread_mutex_unlock(&records_lock);
    if (dropped == 0)
        return;
    if (feeds != proftop_py_objects()) {
        feeds = proftop_py_objects();
        id = proftop_counter(feed, proftop_domain(feed, "torch"), "records that CUPTI lost", "");
    }
    proftop_counter_set(feed, id, (int64_t)dropped);
}

/* Splits a long window, and ends the records of the last one once they are there. `control` is
 * held. */
static void go_on(void)
{
    const uint64_t now = torch_clock_ns(), device_now = cupti_now_ns();
    const int is_through =
        !ids_are_pushed && (int32_t)(atomic_load(&last_seen) - atomic_load(&last_launch)) >= 0;
    pthread_mutex_lock(&records_lock);
    if (watches_now && n_watches > 0 && device_now > watches[n_watches - 1].from + WATCH_NS) {
        end_watch(device_now);
        begin_watch(device_now);
    }
    settle(device_now, 0);
    pthread_mutex_unlock(&records_lock);
    if (!watches_now && now - closed_ns > (is_through ? LATE_NS : GIVE_UP_NS))
        stop_records(0);
}

void device_tick(void)
{
    find();
    pthread_mutex_lock(&flushing);
    if (makes_records)
        cupti_flush(0);
    pthread_mutex_unlock(&flushing);
    pthread_mutex_lock(&control);
    follow();
    if (makes_records && !is_child)
        go_on();
    pthread_mutex_unlock(&control);
}

void device_publish(struct proftop *feed)
{
    pthread_mutex_lock(&control);
    if (is_there && !is_child)
        publish_all(feed);
    pthread_mutex_unlock(&control);
}

const char *device_route(void)
{
    return atomic_load(&route);
}

/* -------------------------------------------------------------------------- attach, detach, fork
 */

void device_attach(const char *why_not)
{
    pthread_mutex_lock(&control);
    attached = 1;
    refused = why_not;
    is_there = 0; /* looked for again: what refused CUPTI may have left */
    atomic_store(&route, NULL);
    pthread_mutex_unlock(&control);
    forget_pieces();
    pthread_mutex_lock(&records_lock);
    for (unsigned d = 0; d < DEVICES; d++)
        devices[d] = (struct device){.piece = devices[d].piece, .busy_percent = -1};
    n_devices = 0;
    pthread_mutex_unlock(&records_lock);
}

void device_detach(void)
{
    pthread_mutex_lock(&flushing);
    pthread_mutex_lock(&control);
    wanted = 0;
    if (is_there && !refused && !is_child)
        stop_records(1);
    attached = 0;
    atomic_store(&route, NULL);
    pthread_mutex_unlock(&control);
    pthread_mutex_unlock(&flushing);
}

void device_lock(void)
{
    pthread_mutex_lock(&flushing);
    pthread_mutex_lock(&control);
    pthread_mutex_lock(&records_lock);
}

void device_unlock(void)
{
    pthread_mutex_unlock(&records_lock);
    pthread_mutex_unlock(&control);
    pthread_mutex_unlock(&flushing);
}

/* CUDA cannot be used in a child of a process that has used it. */
void device_in_child(void)
{
    is_child |= is_there;
    is_there = makes_records = watches_now = 0;
    atomic_store(&device_pushes, 0);
    device_pushed = 0;
    n_devices = n_watches = 0;
}

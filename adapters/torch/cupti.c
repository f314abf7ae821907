/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * cupti.c: calls CUPTI, and reads its records. */
#include "adapters/torch/cupti.h"

#include <dlfcn.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "adapters/common/slots.h"

/* ---------------------------------------------------------------------------------- the library */

static struct {
    int (*subscribe)(void **, void (*)(void *, int, uint32_t, const void *), void *);
    int (*unsubscribe)(void *);
    int (*enable_callback)(uint32_t, void *, int, uint32_t);
    int (*receive)(void (*)(uint8_t **, size_t *, size_t *),
                   void (*)(void *, uint32_t, uint8_t *, size_t, size_t));
    int (*enable)(int);
    int (*disable)(int);
    int (*push)(int, uint64_t);
    int (*pop)(int, uint64_t *);
    int (*flush)(uint32_t);
    int (*next)(uint8_t *, size_t, void **);
    int (*dropped)(void *, uint32_t, size_t *);
    int (*now)(uint64_t *);
    int (*set_clock)(uint64_t (*)(void)); /* NULL: before CUDA 11.6 */
} calls;

static const struct {
    const char *symbol;
    void *at;
} symbols[] = {
    {"cuptiActivityRegisterTimestampCallback", &calls.set_clock},
    {"cuptiSubscribe", &calls.subscribe},
    {"cuptiUnsubscribe", &calls.unsubscribe},
    {"cuptiEnableCallback", &calls.enable_callback},
    {"cuptiActivityRegisterCallbacks", &calls.receive},
    {"cuptiActivityEnable", &calls.enable},
    {"cuptiActivityDisable", &calls.disable},
    {"cuptiActivityPushExternalCorrelationId", &calls.push},
    {"cuptiActivityPopExternalCorrelationId", &calls.pop},
    {"cuptiActivityFlushAll", &calls.flush},
    {"cuptiActivityGetNextRecord", &calls.next},
    {"cuptiActivityGetNumDroppedRecords", &calls.dropped},
    {"cuptiGetTimestamp", &calls.now},
};

int cupti_find(void)
{
    static struct slot_library library;
    if (!slots_library(&library, "libcupti.so"))
        return 0;
    for (size_t i = 0; i < sizeof symbols / sizeof *symbols; i++) {
        void *symbol = dlsym(library.handle, symbols[i].symbol);
        if (!symbol && symbols[i].at != (void *)&calls.set_clock)
            return 0;
        memcpy(symbols[i].at, &symbol, sizeof symbol);
    }
    return 1;
}

/* Asks the driver, which answers with an error before CUDA is in use. */
int cupti_device_is_used(void)
{
    static struct slot_library driver;
    int (*count)(int *) = NULL, (*state)(int, unsigned *, int *) = NULL;
    if (!slots_library(&driver, "libcuda.so"))
        return 0;
    *(void **)&count = dlsym(driver.handle, "cuDeviceGetCount");
    *(void **)&state = dlsym(driver.handle, "cuDevicePrimaryCtxGetState");
    int devices = 0, active = 0;
    if (!count || !state || count(&devices) != 0)
        return 0;
    for (int device = 0; device < devices && !active; device++) {
        unsigned flags = 0;
        if (state(device, &flags, &active) != 0)
            active = 0;
    }
    return active;
}

/* -------------------------------------------------------------------------------------- records */

/* CUSTOM: CUPTI_EXTERNAL_CORRELATION_KIND_CUSTOM2. Kineto uses the two before it. */
enum { CUSTOM = 5 };
enum { BUFFER = 1 << 20, ALIGNMENT = 8, SPARE = 4, GIVEN = 64 };
static void (*take_record)(const struct cupti_record *);
static _Atomic(uint8_t *) spare[SPARE];
static _Atomic(uint8_t *)
    given[GIVEN]; /* buffers that CUPTI has: it may hand over others' as well */
static _Atomic uint64_t lost;

/* Members by their offsets. `way`: 0: none. `name`: 0: none. */
static const struct layout {
    int kind;
    uint8_t start, end, device, correlation, name, bytes, way;
} layouts[] = {
    {CUPTI_KERNEL, 16, 24, 40, 92, 104, 0, 0},  {CUPTI_KERNEL_ALONE, 16, 24, 40, 92, 104, 0, 0},
    {CUPTI_COPY, 16, 24, 32, 44, 0, 8, 4},      {CUPTI_SET, 16, 24, 32, 44, 0, 8, 0},
    {CUPTI_PEER_COPY, 16, 24, 32, 60, 0, 8, 4},
};

static uint64_t u64(const uint8_t *at)
{
    uint64_t value;
    memcpy(&value, at, sizeof value);
    return value;
}

static uint32_t u32(const uint8_t *at)
{
    uint32_t value;
    memcpy(&value, at, sizeof value);
    return value;
}

static void read_record(const uint8_t *at)
{
    const int kind = (int)u32(at);
    struct cupti_record record = {.kind = (enum cupti_kind)kind};
    if (kind == CUPTI_EXTERNAL) {
        if (u32(at + 4) != CUSTOM) /* others push ids, too, as kineto does */
            return;
        record.external = u64(at + 8);
        record.correlation = u32(at + 16);
        take_record(&record);
        return;
    }
    for (size_t i = 0; i < sizeof layouts / sizeof *layouts; i++) {
        const struct layout *of = &layouts[i];
        if (of->kind != kind)
            continue;
        record.start_ns = u64(at + of->start);
        record.end_ns = u64(at + of->end);
        record.device = u32(at + of->device);
        record.correlation = u32(at + of->correlation);
        if (of->name)
            memcpy(&record.name, at + of->name, sizeof record.name);
        if (of->bytes)
            record.bytes = u64(at + of->bytes);
        if (of->way)
            record.way = at[of->way];
        take_record(&record);
        return;
    }
}

/* Puts a buffer into a list, or takes it out. Returns 0 if there is no place, or no such buffer. */
static int change(_Atomic(uint8_t *) *list, int count, uint8_t *from, uint8_t *to)
{
    for (int i = 0; i < count; i++) {
        uint8_t *there = from;
        if (atomic_compare_exchange_strong(&list[i], &there, to))
            return 1;
    }
    return 0;
}

static void give_buffer(uint8_t **buffer, size_t *size, size_t *most)
{
    uint8_t *it = NULL;
    for (int i = 0; i < SPARE && !it; i++)
        it = atomic_exchange(&spare[i], NULL);
    if (!it)
        it = aligned_alloc(ALIGNMENT, BUFFER);
    if (it && !change(given, GIVEN, NULL, it)) {
        free(it); /* CUPTI has many, and counts the records that are lost now */
        it = NULL;
    }
    *buffer = it;
    *size = it ? BUFFER : 0;
    *most = 0; /* as many as fit */
}

static void keep_buffer(uint8_t *buffer)
{
    if (!change(spare, SPARE, NULL, buffer))
        free(buffer);
}

static void take_buffer(void *context, uint32_t stream, uint8_t *buffer, size_t size, size_t valid)
{
    (void)size;
    void *record = NULL;
    size_t dropped = 0;
    if (!buffer || !change(given, GIVEN, buffer, NULL))
        return; /* it was given by somebody else, who had CUPTI before */
    while (valid > 0 && calls.next(buffer, valid, &record) == 0)
        read_record(record);
    if (calls.dropped(context, stream, &dropped) == 0)
        atomic_fetch_add(&lost, dropped);
    keep_buffer(buffer);
}

int cupti_receive(void (*take)(const struct cupti_record *))
{
    take_record = take;
    return calls.receive(give_buffer, take_buffer);
}

int cupti_enable(enum cupti_kind kind, int on)
{
    return on ? calls.enable(kind) : calls.disable(kind);
}

void cupti_flush(int all)
{
    enum { FORCED = 1 };
    calls.flush(all ? FORCED : 0);
}

uint64_t cupti_dropped(void)
{
    return atomic_exchange(&lost, 0);
}

static _Atomic int has_own_clock;

static uint64_t own_clock(void)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

void cupti_set_clock(void)
{
    if (calls.set_clock && calls.set_clock(own_clock) == 0)
        atomic_store(&has_own_clock, 1);
}

uint64_t cupti_now_ns(void)
{
    uint64_t ns = 0;
    if (atomic_load(&has_own_clock))
        return own_clock();
    return calls.now(&ns) == 0 ? ns : 0;
}

/* ------------------------------------------------------------------------------------- launches */

enum { DRIVER_DOMAIN = 1, ENTER = 0, CORRELATION = 64 };

/* Numbers of calls of the driver (cupti_driver_cbid.h), from and to: copies, sets, launches of
 * kernels, and of graphs. Calls of the runtime end in these. */
static const uint16_t launches[][2] = {
    {216, 227}, {249, 254}, {276, 293}, {305, 307}, {318, 321}, {397, 410}, {411, 416}, {418, 433},
    {442, 442}, {477, 478}, {480, 480}, {514, 515}, {652, 653}, {776, 779}, {796, 799}, {837, 840}};
static void *subscription;
static void (*on_launch)(uint32_t);

static void called(void *unused, int domain, uint32_t number, const void *data)
{
    (void)unused, (void)domain, (void)number;
    if (u32(data) == ENTER)
        on_launch(u32((const uint8_t *)data + CORRELATION));
}

/* A driver that does not know a number refuses it. That launch then has no op. */
static void enable_launches(void)
{
    for (size_t i = 0; i < sizeof launches / sizeof *launches; i++)
        for (uint32_t number = launches[i][0]; number <= launches[i][1]; number++)
            calls.enable_callback(1, subscription, DRIVER_DOMAIN, number);
}

int cupti_subscribe(void (*launch)(uint32_t))
{
    on_launch = launch;
    const int error = calls.subscribe(&subscription, called, NULL);
    if (error == 0)
        enable_launches();
    return error;
}

void cupti_unsubscribe(void)
{
    calls.unsubscribe(subscription);
}

void cupti_push(uint64_t id)
{
    calls.push(CUSTOM, id);
}

void cupti_pop(void)
{
    uint64_t id;
    calls.pop(CUSTOM, &id);
}

const char *cupti_way(unsigned way)
{
    static const char *const words[] = {
        [1] = "from host to device",   [2] = "from device to host", [3] = "from host to array",
        [4] = "from array to host",    [5] = "from array to array", [6] = "from array to device",
        [7] = "from device to array",  [8] = "inside a device",     [9] = "from host to host",
        [10] = "from device to device"};
    return way < sizeof words / sizeof *words && words[way] ? words[way] : "of another kind";
}

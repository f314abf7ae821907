/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * cupti_stand_in.c: a libcupti.so and a libcuda.so of our own, with a pretended GPU, for machines
 * without one. Compiled against NVIDIA's headers, so that structures and prototypes are theirs.
 *
 * A kernel takes as long as its launch says, in the order of its stream, and has its record once it
 * is over. A record that is not over when its kind is disabled is lost, as the worst that CUPTI may
 * do. One subscriber at a time. With -DDRIVER it is the driver's library. */
#include <cuda.h>
#include <cupti.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define PUBLIC __attribute__((visibility("default")))

#ifdef DRIVER
static int is_used;

PUBLIC CUresult cuInit(unsigned flags)
{
    (void)flags;
    is_used = 1;
    return CUDA_SUCCESS;
}

PUBLIC CUresult cuDeviceGetCount(int *count)
{
    *count = 2;
    return is_used ? CUDA_SUCCESS : CUDA_ERROR_NOT_INITIALIZED;
}

PUBLIC CUresult cuDevicePrimaryCtxGetState(CUdevice device, unsigned *flags, int *active)
{
    *flags = 0;
    *active = is_used && device == 0;
    return is_used ? CUDA_SUCCESS : CUDA_ERROR_NOT_INITIALIZED;
}
#else
enum { KINDS = 64, CALLS = 1024, DEVICES = 2, STREAMS = 8, RECORDS = 1 << 16, DEEP = 64 };

union record {
    CUpti_Activity any;
    CUpti_ActivityKernel13 kernel;
    CUpti_ActivityMemcpy7 copy;
    CUpti_ActivityMemset5 set;
    CUpti_ActivityMemcpyPtoP4 peer;
    CUpti_ActivityExternalCorrelation external;
    CUpti_ActivityAPI api;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static CUpti_CallbackFunc callback;
static void *userdata;
static int subscribed, calls_enabled[CALLS], enabled[KINDS], enables[KINDS];
static CUpti_BuffersCallbackRequestFunc request;
static CUpti_BuffersCallbackCompleteFunc complete;
static union record *records;
static size_t n_records;
static uint64_t stream_ends[DEVICES][STREAMS];
static uint32_t correlations;
static unsigned calls_in_children;
static _Atomic unsigned flushes;
static pid_t owner;
static _Thread_local struct {
    CUpti_ExternalCorrelationKind kind;
    uint64_t id;
} pushed[DEEP];
static _Thread_local unsigned n_pushed;
static CUpti_TimestampCallbackFunc timestamp;
static uint8_t *left_buffer; /* of a subscriber that has left it behind */
static size_t left_size;

static uint64_t now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/* A clock that counts three ticks a ns. */
PUBLIC uint64_t gpu_ticks(void)
{
    return 3 * now_ns();
}

static uint64_t stamp(uint64_t ns)
{
    return timestamp == gpu_ticks ? 3 * ns : ns;
}

/* Each call of CUPTI passes here. */
static void enter(void)
{
    if (owner == 0)
        owner = getpid();
    calls_in_children += owner != getpid();
}

PUBLIC CUptiResult cuptiSubscribe(CUpti_SubscriberHandle *subscriber, CUpti_CallbackFunc called,
                                  void *data)
{
    enter();
    if (subscribed)
        return CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED;
    subscribed = 1;
    callback = called;
    userdata = data;
    memset(calls_enabled, 0, sizeof calls_enabled);
    *subscriber = (CUpti_SubscriberHandle)(void *)&subscribed;
    return CUPTI_SUCCESS;
}

PUBLIC CUptiResult cuptiUnsubscribe(CUpti_SubscriberHandle subscriber)
{
    enter();
    if (!subscribed || (void *)subscriber != (void *)&subscribed)
        return CUPTI_ERROR_INVALID_PARAMETER;
    subscribed = 0;
    return CUPTI_SUCCESS;
}

PUBLIC CUptiResult cuptiEnableCallback(uint32_t enable, CUpti_SubscriberHandle subscriber,
                                       CUpti_CallbackDomain domain, CUpti_CallbackId number)
{
    enter();
    if (!subscribed || (void *)subscriber != (void *)&subscribed ||
        domain != CUPTI_CB_DOMAIN_DRIVER_API || number >= CUPTI_DRIVER_TRACE_CBID_SIZE)
        return CUPTI_ERROR_INVALID_PARAMETER;
    calls_enabled[number] = (int)enable;
    return CUPTI_SUCCESS;
}

PUBLIC CUptiResult cuptiActivityRegisterCallbacks(CUpti_BuffersCallbackRequestFunc requested,
                                                  CUpti_BuffersCallbackCompleteFunc completed)
{
    enter();
    request = requested;
    complete = completed;
    return CUPTI_SUCCESS;
}

static void forget(CUpti_ActivityKind kind)
{
    size_t kept = 0;
    for (size_t i = 0; i < n_records; i++)
        if (records[i].any.kind != kind)
            records[kept++] = records[i];
    n_records = kept;
}

PUBLIC CUptiResult cuptiActivityEnable(CUpti_ActivityKind kind)
{
    enter();
    pthread_mutex_lock(&lock);
    enabled[kind] = 1;
    enables[kind]++;
    pthread_mutex_unlock(&lock);
    return CUPTI_SUCCESS;
}

PUBLIC CUptiResult cuptiActivityDisable(CUpti_ActivityKind kind)
{
    enter();
    pthread_mutex_lock(&lock);
    enabled[kind] = 0;
    forget(kind);
    pthread_mutex_unlock(&lock);
    return CUPTI_SUCCESS;
}

PUBLIC CUptiResult cuptiActivityPushExternalCorrelationId(CUpti_ExternalCorrelationKind kind,
                                                          uint64_t id)
{
    enter();
    if (n_pushed == DEEP)
        return CUPTI_ERROR_QUEUE_EMPTY;
    pushed[n_pushed].kind = kind;
    pushed[n_pushed++].id = id;
    return CUPTI_SUCCESS;
}

PUBLIC CUptiResult cuptiActivityPopExternalCorrelationId(CUpti_ExternalCorrelationKind kind,
                                                         uint64_t *last)
{
    enter();
    unsigned at = n_pushed;
    while (at > 0 && pushed[at - 1].kind != kind)
        at--;
    if (at == 0)
        return CUPTI_ERROR_QUEUE_EMPTY;
    *last = pushed[at - 1].id;
    memmove(&pushed[at - 1], &pushed[at], (n_pushed-- - at) * sizeof pushed[0]);
    return CUPTI_SUCCESS;
}

static size_t size_of(const union record *record)
{
    switch (record->any.kind) {
    case CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL:
        return sizeof record->kernel;
    case CUPTI_ACTIVITY_KIND_MEMCPY:
        return sizeof record->copy;
    case CUPTI_ACTIVITY_KIND_MEMSET:
        return sizeof record->set;
    case CUPTI_ACTIVITY_KIND_MEMCPY2:
        return sizeof record->peer;
    case CUPTI_ACTIVITY_KIND_EXTERNAL_CORRELATION:
        return sizeof record->external;
    default:
        return sizeof record->api;
    }
}

static uint64_t end_of(const union record *record)
{
    switch (record->any.kind) {
    case CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL:
        return record->kernel.end;
    case CUPTI_ACTIVITY_KIND_MEMCPY:
        return record->copy.end;
    case CUPTI_ACTIVITY_KIND_MEMSET:
        return record->set.end;
    case CUPTI_ACTIVITY_KIND_MEMCPY2:
        return record->peer.end;
    default:
        return 0;
    }
}

PUBLIC CUptiResult cuptiActivityRegisterTimestampCallback(CUpti_TimestampCallbackFunc function)
{
    enter();
    timestamp = function;
    return CUPTI_SUCCESS;
}

static void stamp_record(union record *record)
{
    uint64_t *start, *end;
    switch (record->any.kind) {
    case CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL:
        start = &record->kernel.start, end = &record->kernel.end;
        break;
    case CUPTI_ACTIVITY_KIND_MEMCPY:
        start = &record->copy.start, end = &record->copy.end;
        break;
    case CUPTI_ACTIVITY_KIND_MEMSET:
        start = &record->set.start, end = &record->set.end;
        break;
    case CUPTI_ACTIVITY_KIND_MEMCPY2:
        start = &record->peer.start, end = &record->peer.end;
        break;
    default:
        return;
    }
    *start = stamp(*start), *end = stamp(*end);
}

/* Hands over what is over, in buffers of the subscriber's; and what an earlier one has left. */
PUBLIC CUptiResult cuptiActivityFlushAll(uint32_t flag)
{
    (void)flag;
    enter();
    flushes++;
    uint8_t *buffer = NULL;
    size_t size = 0, most = 0, used = 0, kept = 0;
    pthread_mutex_lock(&lock);
    const uint64_t now = now_ns();
    union record *over = malloc((n_records + 1) * sizeof *over);
    size_t n_over = 0;
    for (size_t i = 0; i < n_records; i++)
        if (end_of(&records[i]) <= now)
            over[n_over++] = records[i];
        else
            records[kept++] = records[i];
    n_records = kept;
    pthread_mutex_unlock(&lock);
    for (size_t i = 0; i < n_over; i++) {
        const size_t more = size_of(&over[i]);
        if (buffer && used + more > size) {
            complete(NULL, 0, buffer, size, used);
            buffer = NULL;
        }
        if (!buffer) {
            request(&buffer, &size, &most);
            used = 0;
            if (!buffer)
                break;
        }
        stamp_record(&over[i]);
        memcpy(buffer + used, &over[i], more);
        used += more;
    }
    if (left_buffer && buffer) { /* while the subscriber's own buffer is here */
        uint8_t *left = left_buffer;
        left_buffer = NULL;
        complete(NULL, 0, left, left_size, 0);
    }
    if (buffer)
        complete(NULL, 0, buffer, size, used);
    free(over);
    return CUPTI_SUCCESS;
}

/* The records of a buffer have no gaps. */
PUBLIC CUptiResult cuptiActivityGetNextRecord(uint8_t *buffer, size_t valid,
                                              CUpti_Activity **record)
{
    enter();
    uint8_t *at = *record ? (uint8_t *)*record + size_of((const void *)*record) : buffer;
    if (at >= buffer + valid)
        return CUPTI_ERROR_MAX_LIMIT_REACHED;
    *record = (CUpti_Activity *)(void *)at;
    return CUPTI_SUCCESS;
}

PUBLIC CUptiResult cuptiActivityGetNumDroppedRecords(CUcontext context, uint32_t stream,
                                                     size_t *dropped)
{
    (void)context, (void)stream;
    enter();
    *dropped = 0;
    return CUPTI_SUCCESS;
}

PUBLIC CUptiResult cuptiGetTimestamp(uint64_t *ns)
{
    enter();
    *ns = stamp(now_ns());
    return CUPTI_SUCCESS;
}

/* ------------------------------------------------------------------------ what a program calls */

static void add_record(const union record *record)
{
    if (!records)
        records = calloc(RECORDS, sizeof *records);
    if (enabled[record->any.kind] && n_records < RECORDS)
        records[n_records++] = *record;
}

/* One for each kind of ids: the id that was pushed last. */
static void add_externals(uint32_t correlation)
{
    for (int kind = CUPTI_EXTERNAL_CORRELATION_KIND_CUSTOM2;
         kind >= CUPTI_EXTERNAL_CORRELATION_KIND_CUSTOM0; kind--) {
        unsigned at = n_pushed;
        while (at > 0 && pushed[at - 1].kind != (CUpti_ExternalCorrelationKind)kind)
            at--;
        union record record = {.external = {.kind = CUPTI_ACTIVITY_KIND_EXTERNAL_CORRELATION,
                                            .externalKind = (CUpti_ExternalCorrelationKind)kind,
                                            .externalId = at > 0 ? pushed[at - 1].id : 0,
                                            .correlationId = correlation}};
        if (at > 0)
            add_record(&record);
    }
}

/* A call of the driver: its callbacks, and the records of what it makes the device do. */
static void launch(uint32_t number, union record *record, unsigned device, unsigned stream,
                   uint64_t ns, unsigned times)
{
    pthread_mutex_lock(&lock);
    const uint32_t correlation = ++correlations;
    pthread_mutex_unlock(&lock);
    CUpti_CallbackData data = {.callbackSite = CUPTI_API_ENTER, .correlationId = correlation};
    const int calls_back = subscribed && calls_enabled[number];
    if (calls_back)
        callback(userdata, CUPTI_CB_DOMAIN_DRIVER_API, number, &data);
    pthread_mutex_lock(&lock);
    if (enabled[CUPTI_ACTIVITY_KIND_DRIVER] || enabled[CUPTI_ACTIVITY_KIND_RUNTIME])
        add_externals(correlation);
    for (unsigned i = 0; i < times; i++) {
        uint64_t *end = &stream_ends[device][stream], now = now_ns();
        const uint64_t start = *end > now ? *end : now;
        *end = start + ns;
        switch (record->any.kind) {
        case CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL:
            record->kernel.start = start, record->kernel.end = *end;
            record->kernel.deviceId = device, record->kernel.correlationId = correlation;
            record->kernel.graphNodeId = times > 1 ? i + 1 : 0;
            break;
        case CUPTI_ACTIVITY_KIND_MEMCPY:
            record->copy.start = start, record->copy.end = *end;
            record->copy.deviceId = device, record->copy.correlationId = correlation;
            break;
        case CUPTI_ACTIVITY_KIND_MEMCPY2:
            record->peer.start = start, record->peer.end = *end;
            record->peer.deviceId = device, record->peer.correlationId = correlation;
            break;
        default:
            record->set.start = start, record->set.end = *end;
            record->set.deviceId = device, record->set.correlationId = correlation;
        }
        add_record(record);
    }
    pthread_mutex_unlock(&lock);
    data.callbackSite = CUPTI_API_EXIT;
    if (calls_back)
        callback(userdata, CUPTI_CB_DOMAIN_DRIVER_API, number, &data);
}

/* `name` has to stay. `times` above 1: a graph of so many kernels. */
PUBLIC void gpu_launch(unsigned device, unsigned stream, const char *name, uint64_t ns,
                       unsigned times)
{
    union record record = {.kernel = {.kind = CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL, .name = name}};
    launch(times > 1 ? CUPTI_DRIVER_TRACE_CBID_cuGraphLaunch
                     : CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel,
           &record, device, stream, ns, times);
}

/* `way`: CUpti_ActivityMemcpyKind. */
PUBLIC void gpu_copy(unsigned device, unsigned way, uint64_t bytes, uint64_t ns)
{
    union record record = {
        .copy = {.kind = CUPTI_ACTIVITY_KIND_MEMCPY, .copyKind = (uint8_t)way, .bytes = bytes}};
    union record peer = {
        .peer = {.kind = CUPTI_ACTIVITY_KIND_MEMCPY2, .copyKind = (uint8_t)way, .bytes = bytes}};
    const int is_peer = way == CUPTI_ACTIVITY_MEMCPY_KIND_PTOP;
    launch(is_peer ? CUPTI_DRIVER_TRACE_CBID_cuMemcpyPeerAsync
                   : CUPTI_DRIVER_TRACE_CBID_cuMemcpyAsync,
           is_peer ? &peer : &record, device, 0, ns, 1);
}

PUBLIC void gpu_set(unsigned device, uint64_t bytes, uint64_t ns)
{
    union record record = {.set = {.kind = CUPTI_ACTIVITY_KIND_MEMSET, .bytes = bytes}};
    launch(CUPTI_DRIVER_TRACE_CBID_cuMemsetD8Async, &record, device, 0, ns, 1);
}

/* The subscriber's buffer stays here, until somebody flushes. */
PUBLIC void gpu_leave_buffer(void)
{
    size_t most;
    request(&left_buffer, &left_size, &most);
}

/* Waits until the devices have nothing to do. */
PUBLIC void gpu_wait(void)
{
    uint64_t end = 0;
    pthread_mutex_lock(&lock);
    for (unsigned i = 0; i < DEVICES * STREAMS; i++)
        if ((&stream_ends[0][0])[i] > end)
            end = (&stream_ends[0][0])[i];
    pthread_mutex_unlock(&lock);
    for (uint64_t now = now_ns(); now < end; now = now_ns()) {
        const uint64_t left = end - now;
        nanosleep(&(struct timespec){(time_t)(left / 1000000000u), (long)(left % 1000000000u)},
                  NULL);
    }
}

/* How somebody has left CUPTI: subscriptions, kinds that are enabled, ids of this thread that were
 * pushed and not popped, calls in forked children; how often records of kernels began; and how
 * often somebody flushed. */
PUBLIC void gpu_state(unsigned state[6])
{
    state[0] = (unsigned)subscribed;
    state[1] = 0;
    for (int i = 0; i < KINDS; i++)
        state[1] += (unsigned)enabled[i];
    state[2] = n_pushed;
    state[3] = calls_in_children;
    state[4] = (unsigned)enables[CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL];
    state[5] = flushes;
}
#endif

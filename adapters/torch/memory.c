/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * memory.c: replaces functions that allocators call for each allocation, whether anybody profiles
 * or not: functions of c10::ProfiledCPUMemoryReporter, which libc10 calls
 * (c10/core/CPUAllocator.cpp), and c10::reportMemoryUsageToProfiler(), which libc10_cuda calls
 * (c10/cuda/CUDACachingAllocator.cpp).
 */
#include "adapters/torch/memory.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "adapters/common/nested.h"
#include "adapters/common/slots.h"
#include "adapters/common/state.h"
#include "adapters/torch/library.h"
#include "proftop_adapter.h"
#include "proftop_objects.h"

/* --------------------------------------------------------------------------------- allocations
 *
 * The size of each allocation, by its address, and who made it. A free on the CPU tells the address
 * alone. */

enum { SHARDS = 64, FIRST = 256, CPU = -1 };
static struct shard {
    pthread_mutex_t lock;
    struct entry {
        const void *at;               /* NULL: free; GONE: was taken */
        const struct nested_row *row; /* NULL: it was in no op */
        uint64_t bytes;
        int device; /* CPU, or the number of a GPU */
    } * entry;
    size_t room, used; /* used: also those that are GONE */
} shards[SHARDS];
static const char gone;
#define GONE ((const void *)&gone)

static uint64_t hash_of(const void *at)
{
    return ((uint64_t)(uintptr_t)at >> 6) * 0x9e3779b97f4a7c15u;
}

static struct shard *shard_of(const void *at)
{
    return &shards[hash_of(at) >> 58];
}

static void put(struct entry *entries, size_t room, struct entry entry)
{
    size_t i = (hash_of(entry.at) >> 20) & (room - 1);
    while (entries[i].at && entries[i].at != GONE && entries[i].at != entry.at)
        i = (i + 1) & (room - 1);
    entries[i] = entry;
}

/* Makes room for one more. Returns 0 if out of memory. */
static int grow(struct shard *shard)
{
    if (shard->room && shard->used + 1 <= shard->room / 2)
        return 1;
    size_t live = 0;
    for (size_t i = 0; i < shard->room; i++)
        live += shard->entry[i].at && shard->entry[i].at != GONE;
    size_t room = FIRST;
    while (room < 4 * (live + 1))
        room *= 2;
    struct entry *entry = calloc(room, sizeof *entry);
    if (!entry)
        return 0;
    for (size_t i = 0; i < shard->room; i++)
        if (shard->entry[i].at && shard->entry[i].at != GONE)
            put(entry, room, shard->entry[i]);
    free(shard->entry);
    shard->entry = entry;
    shard->room = room;
    shard->used = live;
    return 1;
}

static void keep(const void *at, uint64_t bytes, int device)
{
    struct shard *shard = shard_of(at);
    const struct entry entry = {at, nested_innermost_row(), bytes, device};
    pthread_mutex_lock(&shard->lock);
    if (grow(shard)) {
        put(shard->entry, shard->room, entry);
        shard->used++;
    }
    pthread_mutex_unlock(&shard->lock);
}

/* Returns the size, and forgets it; 0: it was allocated before. */
static uint64_t take(const void *at)
{
    struct shard *shard = shard_of(at);
    uint64_t bytes = 0;
    pthread_mutex_lock(&shard->lock);
    if (shard->room) {
        size_t i = (hash_of(at) >> 20) & (shard->room - 1);
        while (shard->entry[i].at && shard->entry[i].at != at)
            i = (i + 1) & (shard->room - 1);
        if (shard->entry[i].at) {
            bytes = shard->entry[i].bytes;
            shard->entry[i].at = GONE;
        }
    }
    pthread_mutex_unlock(&shard->lock);
    return bytes;
}

static void forget_all(void)
{
    for (int i = 0; i < SHARDS; i++) {
        pthread_mutex_lock(&shards[i].lock);
        free(shards[i].entry);
        shards[i].entry = NULL;
        shards[i].room = shards[i].used = 0;
        pthread_mutex_unlock(&shards[i].lock);
    }
}

/* ------------------------------------------------------------------------------- what holds what
 */

enum { HOLDERS = 1024, NAMED = 3 };
struct holder {
    const struct nested_row *row;
    uint64_t bytes;
};

/* Sums what is allocated on a device by rows. Returns how many there are. More than HOLDERS share
 * the last place, which has no row then. */
static unsigned sum_holders(struct holder holder[HOLDERS], int device)
{
    unsigned count = 0;
    for (int s = 0; s < SHARDS; s++) {
        struct shard *shard = &shards[s];
        pthread_mutex_lock(&shard->lock);
        for (size_t i = 0; i < shard->room; i++) {
            const struct entry *entry = &shard->entry[i];
            if (!entry->at || entry->at == GONE || entry->device != device)
                continue;
            unsigned at = 0;
            while (at < count && holder[at].row != entry->row)
                at++;
            if (at == HOLDERS)
                holder[--at].row = NULL;
            else if (at == count)
                holder[count++] = (struct holder){entry->row, 0};
            holder[at].bytes += entry->bytes;
        }
        pthread_mutex_unlock(&shard->lock);
    }
    return count;
}

/* Writes "; 12 bytes by aten::mm in linear, 8 by ...", of the rows that hold most. */
static void say_holders(char *text, size_t size, int device)
{
    struct holder *holder = calloc(HOLDERS, sizeof *holder);
    const unsigned count = holder ? sum_holders(holder, device) : 0;
    size_t used = 0;
    for (unsigned n = 0; n < NAMED && n < count && used < size; n++) {
        char name[160] = "no op";
        unsigned most = n;
        for (unsigned i = n + 1; i < count; i++)
            if (holder[i].bytes > holder[most].bytes)
                most = i;
        const struct holder it = holder[most];
        holder[most] = holder[n];
        if (it.row)
            nested_row_name(it.row, name, sizeof name);
        used += (size_t)snprintf(text + used, size - used, "%s%llu%s by %s", n == 0 ? ": " : ", ",
                                 (unsigned long long)it.bytes, n == 0 ? " bytes" : "", name);
    }
    free(holder);
}

/* --------------------------------------------------------------------------------------- hooks */

static _Atomic int keeps;
static _Atomic uint64_t live; /* bytes that are allocated now, of those that are kept */

/* The memory of the CPU in the current feed. */
static proftop_id pool(struct proftop *feed)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    static _Atomic unsigned known;
    static _Atomic proftop_id id = PROFTOP_NONE;
    const unsigned now = proftop_py_objects();
    if (atomic_load(&known) == now)
        return atomic_load(&id);
    pthread_mutex_lock(&lock);
    if (atomic_load(&known) != now) {
        atomic_store(&id, proftop_memory(feed, "cpu/0", "PyTorch", ""));
        atomic_store(&known, now);
    }
    pthread_mutex_unlock(&lock);
    return atomic_load(&id);
}

static void (*new_original)(void *, void *, size_t);
static void on_new(void *self, void *at, size_t bytes)
{
    if (at && bytes > 0) {
        if (atomic_load_explicit(&torch_counts, memory_order_relaxed))
            nested_add(NESTED_ALLOCATED, bytes);
        if (atomic_load_explicit(&keeps, memory_order_relaxed)) {
            keep(at, bytes, CPU);
            atomic_fetch_add_explicit(&live, bytes, memory_order_relaxed);
            if (proftop_py_feed_here())
                proftop_memory_alloc(proftop_py_feed_here(), pool(proftop_py_feed_here()), bytes);
        }
    }
    new_original(self, at, bytes);
}

static void (*delete_original)(void *, void *);
static void on_delete(void *self, void *at)
{
    const uint64_t bytes = at && atomic_load_explicit(&keeps, memory_order_relaxed) ? take(at) : 0;
    if (bytes > 0) {
        atomic_fetch_sub_explicit(&live, bytes, memory_order_relaxed);
        if (atomic_load_explicit(&torch_counts, memory_order_relaxed))
            nested_add(NESTED_FREED, bytes);
        if (proftop_py_feed_here())
            proftop_memory_free(proftop_py_feed_here(), pool(proftop_py_feed_here()), bytes);
    }
    delete_original(self, at);
}

/* Tells which op runs out of memory, and what holds it. `allocated`: 0: not known. */
static void tell_out(uint64_t bytes, uint64_t allocated, int device)
{
    char text[1024], where[32] = "", more[64] = "", holders[640] = "";
    const char *op = nested_innermost();
    if (device != CPU)
        snprintf(where, sizeof where, " on cuda/%d", device);
    if (allocated > 0)
        snprintf(more, sizeof more, "; %llu bytes are allocated", (unsigned long long)allocated);
    if (atomic_load(&keeps))
        say_holders(holders, sizeof holders, device);
    snprintf(text, sizeof text, "out of memory: PyTorch could not allocate %llu bytes%s, in %s%s%s",
             (unsigned long long)bytes, where, op ? op : "no op", more, holders);
    proftop_notice(proftop_py_feed_here(), 2, text);
}

static void (*out_original)(void *, size_t);
static void on_out(void *self, size_t bytes)
{
    tell_out(bytes, atomic_load(&keeps) ? atomic_load(&live) : 0, CPU);
    out_original(self, bytes);
}

/* ------------------------------------------------------------------------------- hooks of CUDA's
 */

/* c10::Device. */
struct torch_device {
    int8_t type, index;
};
enum { CUDA = 1, DEVICES = 16 };

/* What a GPU's allocator says of itself, under its own lock. */
static struct total {
    _Atomic unsigned feeds;
    proftop_id id;
    uint64_t bytes;
} allocated[DEVICES], reserved[DEVICES];

static void follow_total(struct total *total, int device, const char *pool_name, uint64_t bytes)
{
    struct proftop *feed = proftop_py_feed_here();
    char name[16];
    if (!feed)
        return;
    if (atomic_load_explicit(&total->feeds, memory_order_relaxed) != proftop_py_objects()) {
        snprintf(name, sizeof name, "cuda/%d", device);
        total->id = proftop_memory(feed, name, pool_name, "");
        total->bytes = 0;
        atomic_store_explicit(&total->feeds, proftop_py_objects(), memory_order_relaxed);
    }
    if (bytes > total->bytes)
        proftop_memory_alloc(feed, total->id, bytes - total->bytes);
    else if (bytes < total->bytes)
        proftop_memory_free(feed, total->id, total->bytes - bytes);
    total->bytes = bytes;
}

static void (*usage_original)(void *, int64_t, size_t, size_t, struct torch_device);
static void on_usage(void *at, int64_t bytes, size_t in_all, size_t of_driver,
                     struct torch_device device)
{
    if (device.type == CUDA && device.index >= 0 && device.index < DEVICES) {
        const uint64_t size = bytes < 0 ? -(uint64_t)bytes : (uint64_t)bytes;
        if (atomic_load_explicit(&torch_counts, memory_order_relaxed))
            nested_add(bytes < 0 ? NESTED_DEVICE_FREED : NESTED_DEVICE_ALLOCATED, size);
        if (atomic_load_explicit(&keeps, memory_order_relaxed)) {
            if (bytes < 0)
                take(at);
            else
                keep(at, size, device.index);
        }
        follow_total(&allocated[device.index], device.index, "PyTorch", in_all);
        follow_total(&reserved[device.index], device.index, "PyTorch reserves", of_driver);
    }
    usage_original(at, bytes, in_all, of_driver, device);
}

static void (*cuda_out_original)(int64_t, size_t, size_t, struct torch_device);
static void on_cuda_out(int64_t bytes, size_t in_all, size_t of_driver, struct torch_device device)
{
    if (device.type == CUDA)
        tell_out((uint64_t)bytes, in_all, device.index);
    cuda_out_original(bytes, in_all, of_driver, device);
}

static struct slot_hook cuda_hooks[] = {
    {.symbol = "_ZN3c1027reportMemoryUsageToProfilerEPvlmmNS_6DeviceE",
     .ours = (void *)on_usage,
     .original = (void **)&usage_original,
     .kinds = SLOT_CALL | SLOT_POINTER,
     .feature = 1},
    {.symbol = "_ZN3c1027reportOutOfMemoryToProfilerElmmNS_6DeviceE",
     .ours = (void *)on_cuda_out,
     .original = (void **)&cuda_out_original,
     .kinds = SLOT_CALL | SLOT_POINTER,
     .feature = 1},
};
static struct slot_library cuda;
static int cuda_attached;

/* Memory of GPUs is counted if the library tells of it: builds without CUDA have none. */
static void attach_cuda(void)
{
    if (!slots_library(&cuda, "libc10_cuda.so") ||
        slots_find(&cuda, cuda_hooks, sizeof cuda_hooks / sizeof *cuda_hooks) != NULL)
        return;
    slots_write(&cuda, cuda_hooks, 1, 1);
    cuda_attached = 1;
}

#define REPORTER "_ZN3c1025ProfiledCPUMemoryReporter"
static struct slot_hook hooks[] = {
    {.symbol = REPORTER "3NewEPvm",
     .ours = (void *)on_new,
     .original = (void **)&new_original,
     .kinds = SLOT_CALL,
     .feature = 1},
    {.symbol = REPORTER "6DeleteEPv",
     .ours = (void *)on_delete,
     .original = (void **)&delete_original,
     .kinds = SLOT_CALL,
     .feature = 1},
    {.symbol = REPORTER "11OutOfMemoryEm",
     .ours = (void *)on_out,
     .original = (void **)&out_original,
     .kinds = SLOT_CALL,
     .feature = 1},
};
enum { HOOKS = sizeof hooks / sizeof *hooks };
static struct slot_library library;
static int attached;

static void make_locks(void)
{
    for (int i = 0; i < SHARDS; i++)
        pthread_mutex_init(&shards[i].lock, NULL);
}

const char *memory_attach(int all)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    if (attached)
        return NULL;
    if (!slots_library(&library, "libc10.so"))
        return "libc10.so is not loaded";
    const char *lacks = slots_find(&library, hooks, HOOKS);
    for (int i = 0; !lacks && i < HOOKS; i++)
        if (hooks[i].slots == 0)
            lacks = "libc10.so does not report memory by name";
    if (lacks)
        return lacks;
    pthread_once(&once, make_locks);
    atomic_store(&live, 0);
    atomic_store(&keeps, all);
    slots_write(&library, hooks, 1, 1);
    attached = 1;
    attach_cuda();
    return NULL;
}

void memory_detach(void)
{
    if (!attached)
        return;
    attached = 0;
    slots_write(&library, hooks, 1, 0);
    if (cuda_attached)
        slots_write(&cuda, cuda_hooks, 1, 0);
    cuda_attached = 0;
    atomic_store(&keeps, 0);
    forget_all();
}

void memory_lock(void)
{
    for (int i = 0; attached && i < SHARDS; i++)
        pthread_mutex_lock(&shards[i].lock);
}

void memory_unlock(void)
{
    for (int i = SHARDS; attached && i-- > 0;)
        pthread_mutex_unlock(&shards[i].lock);
}

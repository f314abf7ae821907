/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * memory.c: replaces the functions of c10::ProfiledCPUMemoryReporter, which libc10 calls for each
 * allocation whether anybody profiles or not (c10/core/CPUAllocator.cpp). */
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
 * The size of each allocation, by its address. A free tells the address alone. */

enum { SHARDS = 64, FIRST = 256 };
static struct shard {
    pthread_mutex_t lock;
    struct entry {
        const void *at; /* NULL: free; GONE: was taken */
        uint64_t bytes;
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

static void put(struct entry *entry, size_t room, const void *at, uint64_t bytes)
{
    size_t i = (hash_of(at) >> 20) & (room - 1);
    while (entry[i].at && entry[i].at != GONE && entry[i].at != at)
        i = (i + 1) & (room - 1);
    entry[i] = (struct entry){at, bytes};
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
            put(entry, room, shard->entry[i].at, shard->entry[i].bytes);
    free(shard->entry);
    shard->entry = entry;
    shard->room = room;
    shard->used = live;
    return 1;
}

static void keep(const void *at, uint64_t bytes)
{
    struct shard *shard = shard_of(at);
    pthread_mutex_lock(&shard->lock);
    if (grow(shard)) {
        put(shard->entry, shard->room, at, bytes);
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

/* --------------------------------------------------------------------------------------- hooks */

static _Atomic int keeps;
static _Atomic uint64_t live; /* bytes that are allocated now, of those that are kept */

/* The memory of the CPU in the current feed. */
static proftop_id pool(struct proftop *feed)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    static _Atomic unsigned known;
    static _Atomic proftop_id id = PROFTOP_NONE;
    const unsigned now = 1 + __atomic_load_n(&proftop_py.feeds, __ATOMIC_RELAXED) +
                         (__atomic_load_n(&proftop_py.adoptions, __ATOMIC_RELAXED) << 16);
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

static struct proftop *feed_now(void)
{
    return __atomic_load_n(&proftop_py.feed, __ATOMIC_ACQUIRE);
}

static void (*new_original)(void *, void *, size_t);
static void on_new(void *self, void *at, size_t bytes)
{
    if (at && bytes > 0) {
        if (atomic_load_explicit(&torch_counts, memory_order_relaxed))
            nested_bytes(NESTED_ALLOCATED, bytes);
        if (atomic_load_explicit(&keeps, memory_order_relaxed)) {
            keep(at, bytes);
            atomic_fetch_add_explicit(&live, bytes, memory_order_relaxed);
            if (feed_now())
                proftop_memory_alloc(feed_now(), pool(feed_now()), bytes);
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
            nested_bytes(NESTED_FREED, bytes);
        if (feed_now())
            proftop_memory_free(feed_now(), pool(feed_now()), bytes);
    }
    delete_original(self, at);
}

static void (*out_original)(void *, size_t);
static void on_out(void *self, size_t bytes)
{
    char text[512], more[96] = "";
    const char *op = nested_innermost();
    if (atomic_load(&keeps))
        snprintf(more, sizeof more, "; %llu bytes are allocated",
                 (unsigned long long)atomic_load(&live));
    snprintf(text, sizeof text, "out of memory: PyTorch could not allocate %zu bytes, in %s%s",
             bytes, op ? op : "no op", more);
    proftop_notice(feed_now(), 2, text);
    out_original(self, bytes);
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
    return NULL;
}

void memory_detach(void)
{
    if (!attached)
        return;
    attached = 0;
    slots_write(&library, hooks, 1, 0);
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

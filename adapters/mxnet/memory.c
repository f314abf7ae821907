/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * memory.c: memory of MXNet's storage manager, by device and, in 2.0, by scope and tensor. Memory
 * that was allocated before the hooks were installed is unknown: its release is not counted. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "adapters/mxnet/hooks.h"

/* Pools, by a hash of device, scope and tensor. Never freed. */
enum { POOLS = 1024, POOLS_MOST = 768 };
static struct {
    _Atomic uint64_t hash;
    _Atomic(proftop_id) id;
} pools[POOLS];
static unsigned n_pools, objects; /* the ids are valid for this value of mxnet_objects() */
pthread_mutex_t pools_lock = PTHREAD_MUTEX_INITIALIZER;

struct pool {
    int type, number;
    struct text scope, name; /* empty: none */
};

static proftop_id define(const struct pool *pool)
{
    char device[32], scope[512];
    device_name(device, sizeof device, pool->type, pool->number);
    if (!device[0])
        snprintf(device, sizeof device, "device/%d", pool->number);
    snprintf(scope, sizeof scope, "%.*s%.*s", (int)pool->scope.length, pool->scope.at,
             (int)pool->name.length, pool->name.at);
    return proftop_memory(mxnet_feed_here(), device, NULL, scope);
}

static proftop_id find(const struct pool *pool)
{
    uint64_t hash = hash_text(hash_text((uint64_t)pool->type << 32 | (unsigned)pool->number,
                                        pool->scope),
                              pool->name) |
                    1;
    unsigned at = (unsigned)(hash >> 40) % POOLS;
    for (;; at = (at + 1) % POOLS) {
        uint64_t there = atomic_load_explicit(&pools[at].hash, memory_order_acquire);
        if (there == hash)
            return atomic_load_explicit(&pools[at].id, memory_order_relaxed);
        if (there == 0)
            break;
    }
    if (n_pools >= POOLS_MOST) { /* too many: use the device as a whole */
        struct pool whole = {.type = pool->type, .number = pool->number};
        return pool->scope.length || pool->name.length ? find(&whole) : PROFTOP_NONE;
    }
    proftop_id id = define(pool);
    atomic_store_explicit(&pools[at].id, id, memory_order_relaxed);
    atomic_store_explicit(&pools[at].hash, hash, memory_order_release);
    n_pools++;
    return id;
}

/* Live allocations since the hooks were installed, by address, each with its pool. A hash table, at
 * most half full. */
struct live {
    const void *at; /* NULL: an empty slot */
    uint64_t bytes;
    proftop_id id;
};
static struct live *live;
static size_t n_live, places;

static size_t place_of(const void *at)
{
    return (size_t)(((uintptr_t)at >> 4) * 0x9e3779b97f4a7c15u >> 20) & (places - 1);
}

static void put(const struct live *one)
{
    size_t at = place_of(one->at);
    while (live[at].at && live[at].at != one->at)
        at = (at + 1) & (places - 1);
    n_live += live[at].at == NULL;
    live[at] = *one;
}

static int grow(void)
{
    struct live *old = live;
    size_t count = places;
    struct live *more = calloc(count ? 2 * count : 1024, sizeof *more);
    if (!more)
        return 0;
    live = more;
    places = count ? 2 * count : 1024;
    n_live = 0;
    for (size_t i = 0; i < count; i++)
        if (old[i].at)
            put(&old[i]);
    free(old);
    return 1;
}

/* Removes an entry. Later entries move up, so that they are still found. */
static int take(const void *address, struct live *found)
{
    if (places == 0 || !address)
        return 0;
    size_t at = place_of(address);
    while (live[at].at != address) {
        if (!live[at].at)
            return 0;
        at = (at + 1) & (places - 1);
    }
    *found = live[at];
    live[at].at = NULL;
    n_live--;
    for (size_t next = (at + 1) & (places - 1); live[next].at; next = (next + 1) & (places - 1)) {
        struct live moved = live[next];
        live[next].at = NULL;
        n_live--;
        put(&moved);
    }
    return 1;
}

/* Starts with no pools and no live allocations under a new feed. The lock must be held. */
static void renew(void)
{
    if (objects == mxnet_objects())
        return;
    objects = mxnet_objects();
    memset(pools, 0, sizeof pools);
    n_pools = 0;
    if (live)
        memset(live, 0, places * sizeof *live);
    n_live = 0;
}

static proftop_id pool_of(const char *handle)
{
    const int *device = (const int *)(const void *)(handle + layout->handle_device);
    struct pool pool = {.type = device[0], .number = device[1]};
    if (layout->handle_scope) {
        pool.scope = string_at(handle, layout->handle_scope);
        pool.name = string_at(handle, layout->handle_name);
        if (text_is_generated(pool.name))
            pool.name = TEXT("node_*");
    }
    return find(&pool);
}

/* Counts an allocation. A failed one has a handle without memory. */
static void allocated(const char *handle)
{
    struct proftop *feed = mxnet_feed();
    struct live one = {.at = layout_pointer(handle, 0),
                       .bytes = *(const uint64_t *)(const void *)(handle + layout->handle_bytes)};
    if (!feed || !one.at || !one.bytes)
        return;
    pthread_mutex_lock(&pools_lock);
    renew();
    one.id = pool_of(handle);
    int kept = 2 * n_live < places || grow();
    if (kept)
        put(&one);
    pthread_mutex_unlock(&pools_lock);
    if (kept)
        proftop_memory_alloc(feed, one.id, one.bytes);
}

static void freed(const char *handle)
{
    struct proftop *feed = mxnet_feed();
    struct live one;
    if (!feed)
        return;
    pthread_mutex_lock(&pools_lock);
    renew();
    int known = take(layout_pointer(handle, 0), &one);
    pthread_mutex_unlock(&pools_lock);
    if (known)
        proftop_memory_free(feed, one.id, one.bytes);
}

void (*allocate_1_original)(void *, char *);
void allocate_1(void *self, char *handle)
{
    allocate_1_original(self, handle);
    allocated(handle);
}

void (*allocate_2_original)(void *, char *, _Bool);
void allocate_2(void *self, char *handle, _Bool failsafe)
{
    allocate_2_original(self, handle, failsafe);
    allocated(handle);
}

#define FREE(hook, type, address)                                                                  \
    void (*hook##_original)(void *, type);                                                         \
    void hook(void *self, type handle)                                                             \
    {                                                                                              \
        freed((const char *)(address));                                                            \
        hook##_original(self, handle);                                                             \
    }
FREE(free_1, struct by_value_32, &handle)
FREE(free_direct_1, struct by_value_32, &handle)
FREE(free_2, char *, handle)
FREE(free_direct_2, char *, handle)

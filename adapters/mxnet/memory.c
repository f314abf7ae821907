/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * memory.c: what MXNet's storage manager hands out and takes back, by device and, in 2.0, by scope
 * and tensor. What was handed out before is unknown.
 */
#include <pthread.h>
#include <stdio.h>

#include "hooks.h"

/* Pools by what names them. Never freed. */
enum { POOLS = 1024, POOLS_MOST = 768 };
static struct {
    _Atomic uint64_t hash;
    _Atomic(proftop_id) id;
} pools[POOLS];
static unsigned n_pools, feeds;
pthread_mutex_t pools_lock = PTHREAD_MUTEX_INITIALIZER;

struct pool {
    int type, number;
    struct text scope, name; /* empty: none */
};

static proftop_id define(const struct pool *pool)
{
    static const char *const devices[] = {"", "cpu", "gpu", "cpu pinned", "", "cpu shared"};
    char device[32], scope[512];
    const char *name =
        pool->type > 0 && pool->type < (int)(sizeof devices / sizeof *devices)
            ? devices[pool->type]
            : "device";
    snprintf(device, sizeof device, "%s/%d", name, pool->number);
    snprintf(scope, sizeof scope, "%.*s%.*s", (int)pool->scope.length, pool->scope.at,
             (int)pool->name.length, pool->name.at);
    return proftop_memory(mxnet_feed(), device, NULL, scope);
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
    if (n_pools >= POOLS_MOST) { /* too many: the device as a whole */
        struct pool whole = {.type = pool->type, .number = pool->number};
        return pool->scope.length || pool->name.length ? find(&whole) : PROFTOP_NONE;
    }
    proftop_id id = define(pool);
    atomic_store_explicit(&pools[at].id, id, memory_order_relaxed);
    atomic_store_explicit(&pools[at].hash, hash, memory_order_release);
    n_pools++;
    return id;
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
    pthread_mutex_lock(&pools_lock);
    if (feeds != mxnet_feeds()) {
        feeds = mxnet_feeds();
        memset(pools, 0, sizeof pools);
        n_pools = 0;
    }
    proftop_id id = find(&pool);
    pthread_mutex_unlock(&pools_lock);
    return id;
}

/* An allocation that failed has a handle without memory. */
static void tell(const char *handle, void (*what)(struct proftop *, proftop_id, uint64_t))
{
    struct proftop *feed = mxnet_feed();
    uint64_t bytes = *(const uint64_t *)(const void *)(handle + layout->handle_bytes);
    if (feed && bytes && layout_pointer(handle, 0))
        what(feed, pool_of(handle), bytes);
}

void (*allocate_1_original)(void *, char *);
void allocate_1(void *self, char *handle)
{
    allocate_1_original(self, handle);
    tell(handle, proftop_memory_alloc);
}

void (*allocate_2_original)(void *, char *, _Bool);
void allocate_2(void *self, char *handle, _Bool failsafe)
{
    allocate_2_original(self, handle, failsafe);
    tell(handle, proftop_memory_alloc);
}

#define FREE(hook, type, address)                                                                  \
    void (*hook##_original)(void *, type);                                                         \
    void hook(void *self, type handle)                                                             \
    {                                                                                              \
        tell((const char *)(address), proftop_memory_free);                                        \
        hook##_original(self, handle);                                                             \
    }
FREE(free_1, struct by_value_32, &handle)
FREE(free_direct_1, struct by_value_32, &handle)
FREE(free_2, char *, handle)
FREE(free_direct_2, char *, handle)

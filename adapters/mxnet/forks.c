/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * forks.c: keeps fork() from copying a lock of these files that another thread holds. So the fork
 * handler takes all locks. MXNet has a fork handler as well: it ends the engine's threads and waits
 * for them, and these threads may wait for the same locks. So the locks are released while MXNet's
 * handler runs, in either order of the handlers. */
#include "adapters/mxnet/hooks.h"

static pthread_mutex_t *const locks[] = {&publish_lock, &rows_lock, &pools_lock, &pending_lock,
                                         &kinds_lock};
enum { LOCKS = sizeof locks / sizeof *locks };
static __thread int forking; /* this thread is in fork(), after lock_all() */

static void lock_all(void)
{
    for (int i = 0; i < LOCKS; i++)
        pthread_mutex_lock(locks[i]);
    forking = 1;
}

static void unlock_all(void)
{
    for (int i = LOCKS; i-- > 0;)
        pthread_mutex_unlock(locks[i]);
    forking = 0;
}

static void watch(void)
{
    pthread_atfork(lock_all, unlock_all, unlock_all);
}

/* The handler that was installed last runs first: this one before libproftop's, as in the locking
 * order. */
void forks_watch(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, watch);
}

static void unlocked(void (*handler)(void *), void *self)
{
    struct proftop *feed = mxnet_feed_here();
    int held = forking;
    proftop_fork_unlock(feed);
    if (held)
        unlock_all();
    handler(self);
    if (held)
        lock_all();
    proftop_fork_lock(feed);
}

#define FORK(hook)                                                                                 \
    void (*hook##_original)(void *);                                                               \
    void hook(void *self)                                                                          \
    {                                                                                              \
        unlocked(hook##_original, self);                                                           \
    }
FORK(fork_prepare)
FORK(fork_parent)
FORK(fork_child)

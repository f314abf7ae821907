/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * ticker.c: starts and ends the thread. */
#include "adapters/common/ticker.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <time.h>

enum { PERIOD_NS = 100000000 };

static void (*called)(void);
static _Atomic int wanted, runs;

static void *run(void *unused)
{
    const struct timespec period = {.tv_nsec = PERIOD_NS};
    (void)unused;
    do {
        while (atomic_load(&wanted)) {
            called();
            clock_nanosleep(CLOCK_MONOTONIC, 0, &period, NULL);
        }
        atomic_store(&runs, 0);
    } while (atomic_load(&wanted) && !atomic_exchange(&runs, 1)); /* wanted again meanwhile */
    return NULL;
}

int ticker_start(void (*tick)(void))
{
    sigset_t all, before;
    pthread_t thread;
    called = tick;
    atomic_store(&wanted, 1);
    if (atomic_exchange(&runs, 1))
        return 1;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    const int started = pthread_create(&thread, NULL, run, NULL) == 0;
    if (started)
        pthread_detach(thread);
    else
        atomic_store(&runs, 0);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return started;
}

void ticker_stop(void)
{
    atomic_store(&wanted, 0);
}

void ticker_forked(void)
{
    atomic_store(&runs, 0);
}

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

static void *run(void *of)
{
    const struct timespec period = {.tv_nsec = PERIOD_NS};
    struct ticker *ticker = of;
    do {
        while (atomic_load(&ticker->wanted)) {
            ticker->tick();
            clock_nanosleep(CLOCK_MONOTONIC, 0, &period, NULL);
        }
        atomic_store(&ticker->runs, 0);
    } while (atomic_load(&ticker->wanted) &&
             !atomic_exchange(&ticker->runs, 1)); /* wanted again meanwhile */
    return NULL;
}

int ticker_start(struct ticker *ticker)
{
    sigset_t all, before;
    pthread_t thread;
    atomic_store(&ticker->wanted, 1);
    if (atomic_exchange(&ticker->runs, 1))
        return 1;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    const int started = pthread_create(&thread, NULL, run, ticker) == 0;
    if (started)
        pthread_detach(thread);
    else
        atomic_store(&ticker->runs, 0);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return started;
}

void ticker_stop(struct ticker *ticker)
{
    atomic_store(&ticker->wanted, 0);
}

void ticker_forked(struct ticker *ticker)
{
    atomic_store(&ticker->runs, 0);
}

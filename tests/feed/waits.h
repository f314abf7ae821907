/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * waits.h: records how long the program under test asks to wait for a condition, and how each wait
 * ended. A busy machine lengthens a wait, but never the time asked for. So tests assert the time
 * asked for. Link with -Wl,--wrap=pthread_cond_timedwait.
 */
#ifndef TESTS_FEED_WAITS_H
#define TESTS_FEED_WAITS_H

#include <check.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/mman.h>
#include <time.h>

/* Of this process and its forked children. */
struct waits {
    _Atomic int64_t longest_ms;        /* longest time asked for by one wait */
    _Atomic int64_t first_ns, last_ns; /* the earliest and the latest deadline; CLOCK_MONOTONIC */
    _Atomic unsigned count, timeouts;
};

static struct waits *_Atomic waits; /* the feed may record while it is set */

/* Forgets earlier waits. Call it before the fork of a process to watch. */
static inline void waits_start(void)
{
    if (waits == NULL) {
        void *shared = mmap(NULL, sizeof *waits, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
                            -1, 0);
        ck_assert(shared != MAP_FAILED);
        waits = shared;
    }
    waits->longest_ms = waits->last_ns = 0;
    waits->first_ns = INT64_MAX;
    waits->count = waits->timeouts = 0;
}

/* Records a wait of at most `ms`. Condition waits are recorded automatically; tests record
 * others. */
static inline void waits_note(int64_t ms)
{
    if (waits == NULL)
        return;
    int64_t longest_ms = waits->longest_ms;
    while (ms > longest_ms &&
           !atomic_compare_exchange_weak(&waits->longest_ms, &longest_ms, ms))
        continue;
    waits->count++;
}

static void waits_note_until(const struct timespec *until)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    const int64_t second_ns = 1000000000, ms_ns = 1000000;
    const int64_t until_ns = until->tv_sec * second_ns + until->tv_nsec;
    if (until_ns < waits->first_ns)
        waits->first_ns = until_ns;
    if (until_ns > waits->last_ns)
        waits->last_ns = until_ns;
    waits_note((until_ns - now.tv_sec * second_ns - now.tv_nsec + ms_ns - 1) / ms_ns);
}

/* A test may set it to end waits itself: true ends the wait as if it had timed out. */
static bool (*waits_end)(pthread_mutex_t *lock);

int __real_pthread_cond_timedwait(pthread_cond_t *changed, pthread_mutex_t *lock,
                                  const struct timespec *until);
int __wrap_pthread_cond_timedwait(pthread_cond_t *changed, pthread_mutex_t *lock,
                                  const struct timespec *until);
int __wrap_pthread_cond_timedwait(pthread_cond_t *changed, pthread_mutex_t *lock,
                                  const struct timespec *until)
{
    if (waits != NULL)
        waits_note_until(until);
    const bool ended = waits_end != NULL && waits_end(lock);
    const int result = ended ? ETIMEDOUT : __real_pthread_cond_timedwait(changed, lock, until);
    if (waits != NULL && result == ETIMEDOUT)
        waits->timeouts++;
    return result;
}

#endif

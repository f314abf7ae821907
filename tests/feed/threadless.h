/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * threadless.h: a feed whose own thread has ended, for tests whose publisher is their own: who
 * reads what was counted keeps in the blocks what he has seen, so there may be one alone.
 */
#ifndef TESTS_FEED_THREADLESS_H
#define TESTS_FEED_THREADLESS_H

#include <pthread.h>

#include "feed/publisher/core.h"

static inline void threadless(struct proftop *feed)
{
    struct publisher_life *life = &feed->core->life;
    pthread_mutex_lock(&feed->lock);
    life->stop = true;
    publisher_life_wake(life);
    while (!life->ended)
        pthread_cond_wait(&life->changed, &feed->lock);
    life->stop = false; /* for who closes the feed */
    pthread_mutex_unlock(&feed->lock);
}

#endif

/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * threadless.h: a feed without its own thread, for tests that run their own publisher. A reader
 * stores its progress in the blocks, so only one reader may exist.
 */
#ifndef TESTS_FEED_THREADLESS_H
#define TESTS_FEED_THREADLESS_H

#include <pthread.h>

#include "feed/publisher/record/lock.h"
#include "feed/publisher/record/core.h"

static inline void threadless(struct proftop *feed)
{
    struct publisher_life *life = &feed->core->life;
    pthread_mutex_lock(&feed->lock);
    life->stop = true;
    publisher_life_wake(life);
    while (!life->ended)
        pthread_cond_wait(&life->changed, &feed->lock);
    life->stop = false; /* so that the feed can be closed */
    pthread_mutex_unlock(&feed->lock);
}

#endif

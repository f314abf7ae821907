/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * lock.c: the way into a feed for calls that define or describe.
 */
#include "config.h"

#include "feed/publisher/record/lock.h"

#include <string.h>

struct feed_core *feed_enter(struct proftop *feed)
{
    if (feed == NULL || feed_on(feed) == 0)
        return NULL;
    pthread_mutex_lock(&feed->lock);
    bool on = feed_on(feed) != 0;
    if (feed->core != NULL && on)
        return feed->core;
    pthread_mutex_unlock(&feed->lock);
    return NULL;
}

void feed_leave(struct feed_core *core)
{
    pthread_mutex_unlock(&core->handle->lock);
}

void feed_tell(struct feed_core *core, bool *what)
{
    pthread_mutex_lock(&core->handle->lock);
    *what = true;
    pthread_cond_broadcast(&core->life.changed);
    pthread_mutex_unlock(&core->handle->lock);
}

int feed_stay(void)
{
    int was;
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &was);
    return was;
}

void feed_go(int was)
{
    pthread_setcancelstate(was, &(int){0});
}

uint32_t feed_misused(struct feed_core *core)
{
    feed_count_one(&core->handle->misuse);
    return PROFTOP_NONE;
}

uint32_t feed_lose(struct feed_core *core, enum feed_lost what)
{
    feed_count_one(&core->handle->lost[what]);
    return PROFTOP_NONE;
}

bool feed_take_options(void *to, size_t size, const void *from)
{
    if (from == NULL)
        return false;
    size_t given;
    memcpy(&given, from, sizeof given);
    if (given < sizeof given)
        return false;
    memcpy(to, from, given < size ? given : size);
    return true;
}

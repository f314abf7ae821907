/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * lock.c: locks a feed for calls that define or describe rows, and counts their errors.
 */
#include "config.h"

#include "feed/publisher/record/lock.h"

#include <string.h>

struct publisher_core *publisher_lock(struct proftop *feed)
{
    if (feed == NULL || publisher_on(feed) == 0)
        return NULL;
    pthread_mutex_lock(&feed->lock);
    bool on = publisher_on(feed) != 0;
    if (feed->core != NULL && on)
        return feed->core;
    pthread_mutex_unlock(&feed->lock);
    return NULL;
}

void publisher_unlock(struct publisher_core *core)
{
    pthread_mutex_unlock(&core->handle->lock);
}

void publisher_set_life(struct publisher_core *core, bool *what)
{
    pthread_mutex_lock(&core->handle->lock);
    *what = true;
    pthread_cond_broadcast(&core->life.changed);
    pthread_mutex_unlock(&core->handle->lock);
}

int publisher_cancel_disable(void)
{
    int was;
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &was);
    return was;
}

void publisher_cancel_restore(int was)
{
    pthread_setcancelstate(was, &(int){0});
}

uint32_t publisher_count_misuse(struct publisher_core *core)
{
    publisher_count_one(&core->handle->misuse);
    return PROFTOP_NONE;
}

uint32_t publisher_count_lost(struct publisher_core *core, enum publisher_lost what)
{
    publisher_count_one(&core->handle->lost[what]);
    return PROFTOP_NONE;
}

bool publisher_take_options(void *to, size_t size, const void *from)
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

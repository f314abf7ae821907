/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * lock.c: locks feeds, sets lifecycle flags, wakes the feed's thread, keeps notices, counts errors.
 */
#include "config.h"

#include "feed/publisher/record/clock.h"
#include "feed/publisher/record/lock.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Process-wide, because fork and exit must find every feed. */
pthread_mutex_t publisher_all_lock = PTHREAD_MUTEX_INITIALIZER;
struct proftop *publisher_all;

void publisher_off(struct proftop *feed, const char *text)
{
    __atomic_store_n(&feed->front.on, 0, __ATOMIC_RELEASE);
    __atomic_store_n(&feed->counts_calls, 0, __ATOMIC_RELEASE);
    __atomic_store_n(&feed->traces, 0, __ATOMIC_RELEASE);
    publisher_set_on(feed, 0);
    snprintf(feed->why, sizeof feed->why, "%s", text);
    atomic_store_explicit(&feed->reason, feed->why, memory_order_release);
}

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

int publisher_life_open_pipe(const struct publisher_life *life)
{
    return open(life->wake_path, O_WRONLY | O_NONBLOCK | O_CLOEXEC);
}

bool publisher_life_wake(const struct publisher_life *life)
{
    int fd = life->alone ? publisher_life_open_pipe(life) : life->wake[1];
    ssize_t written = fd < 0 ? 0 : write(fd, "", 1);
    (void)written;
    if (life->alone && fd >= 0)
        close(fd);
    return fd >= 0;
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

void publisher_add_notice(struct publisher_core *core, int level, const char *text)
{
    struct publisher_notice *notice = &core->notice[core->notices % PUBLISHER_NOTICES];
    notice->wall_ns = publisher_clock_wall_ns();
    notice->level = level < 0 ? 0 : level > 2 ? 2 : (uint32_t)level;
    notice->size = (uint32_t)publisher_text_cut(text, sizeof notice->text);
    memcpy(notice->text, text, notice->size);
    core->notices++;
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

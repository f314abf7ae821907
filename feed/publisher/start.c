/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * start.c: the first and the last that a feed's thread does, around its loop.
 */
#include "config.h"

#include "feed/publisher/core.h"
#include "feed/publisher/record/lock.h"

#include <fcntl.h>
#include <stdint.h>
#include <unistd.h>

/* ThreadSanitizer knows descriptors by number, and would mix up two tables. */
extern void __tsan_init(void) __attribute__((weak));

/* Gives the calling thread, and the threads that it starts, a table of descriptors of its own,
 * without those of the program: what the program opens, leaks or closes (all of them, as daemons
 * do) does not touch the feed, and its children inherit nothing of it. False: the kernel or a
 * sanitizer does not allow it, and the table is still that of the program. */
static bool take_table(void)
{
#ifdef CLOSE_RANGE_UNSHARE
    if (__tsan_init != NULL || close_range(0, UINT32_MAX, CLOSE_RANGE_UNSHARE) != 0)
        return false;
    /* The first three stay what everybody takes them for, so that no socket gets their numbers. */
    for (int fd = 0; fd < 3 && fd >= 0;) {
        int got = open("/dev/null", O_RDWR | O_CLOEXEC);
        fd = got < 0 ? -1 : got + 1;
    }
    return true;
#else
    return false;
#endif
}

static void fail(struct publisher_core *core, const char *why)
{
    pthread_mutex_lock(&core->handle->lock);
    publisher_off(core->handle, why);
    pthread_mutex_unlock(&core->handle->lock);
    publisher_set_life(core, &core->life.failed);
}

/* From here on the core belongs to the one who waits, or, if nobody does, is freed here. */
static void end(struct publisher_core *core)
{
    pthread_mutex_t *lock = &core->handle->lock;
    pthread_mutex_lock(lock);
    bool abandoned = core->life.abandoned;
    core->life.ended = true;
    pthread_cond_broadcast(&core->life.changed);
    pthread_mutex_unlock(lock);
    if (abandoned)
        publisher_core_free(core);
}

/* A table of descriptors of its own comes first, if that can be had: even to load a library takes
 * one, of which the program had none left. */
void *publisher_thread(void *argument)
{
    struct publisher_core *core = argument;
    char why[PUBLISHER_WHY_SIZE] = "there is no memory for the feed";
    pthread_setname_np(pthread_self(), "proftop-feed");
    core->life.alone = take_table();
    publisher_loop *loop = core->loop != NULL ? core->loop : publisher_find_loop(why);
    if (loop == NULL || !loop(core, sizeof *core, why))
        fail(core, why);
    end(core);
    return NULL;
}

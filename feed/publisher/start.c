/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * start.c: entry and exit of a feed's thread, around its loop.
 */
#include "config.h"

#include "feed/publisher/core.h"
#include "feed/publisher/record/lock.h"

#include <fcntl.h>
#include <stdint.h>
#include <unistd.h>

/* ThreadSanitizer identifies descriptors by number, so it would confuse two tables. */
extern void __tsan_init(void) __attribute__((weak));

/* Gives the calling thread, and the threads that it starts, an own empty table of descriptors. The
 * program cannot close the feed's descriptors (daemons close all) or exhaust the table, and its
 * children inherit none of them. Returns false if the kernel or a sanitizer does not allow it: the
 * thread then keeps the program's table. */
static bool take_table(void)
{
#ifdef CLOSE_RANGE_UNSHARE
    if (__tsan_init != NULL || close_range(0, UINT32_MAX, CLOSE_RANGE_UNSHARE) != 0)
        return false;
    /* Reserves 0 to 2: code may write to them as standard streams, so no socket may get them. */
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

/* Hands the core to the closing thread. If none waits any more, frees the core. */
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

/* Takes its own table of descriptors first, if it can: loading a library needs a descriptor, and
 * the program may have none left. */
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

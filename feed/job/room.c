/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * room.c: asks the kernel for descriptors, threads and memory before libzmq does, which aborts
 * where it does not get them.
 */
#include "config.h"

#include "wire/limit.h"
#include "proftop_layout.h"
#include "room.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

enum {
    PROBES_MAX = 65536,       /* numbers looked at: those below must all be in use for so many */
    THREADS = 3,              /* libzmq's for input and output, that which takes sockets down, and
                                 the sentry */
    /* More than libzmq takes between two looks of ours, beside a thread of the job that comes then
     * and takes its block. */
    MEMORY = 4 * 1024 * 1024 + (int)sizeof(struct proftop_block),
};

static rlim_t descriptors(void)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0)
        return INT32_MAX;
    return limit.rlim_cur == RLIM_INFINITY || limit.rlim_cur > INT32_MAX ? INT32_MAX
                                                                         : limit.rlim_cur;
}

bool feed_headroom(void)
{
    int free = 0, end = (int)descriptors();
    /* None is taken for it, not even for a moment: the program may want the last one. */
    for (int fd = end - 1; fd >= 0 && fd >= end - PROBES_MAX && free < FEED_HEADROOM; fd--)
        free += fcntl(fd, F_GETFD) < 0;
    return free >= FEED_HEADROOM;
}

bool feed_room_crowded(void)
{
    int lowest = fcntl(0, F_DUPFD_CLOEXEC, 0);
    if (lowest >= 0)
        close(lowest);
    return lowest < 0 || lowest >= FEED_DESCRIPTORS_MAX || (rlim_t)lowest >= descriptors() / 2;
}

int feed_room_waits(void)
{
    /* The kernel lets one more wait, and those who were about to while the next listener came. */
    enum { BESIDES = 3 };
    const rlim_t each = descriptors() / 4 > BESIDES ? descriptors() / 4 - BESIDES : 1;
    return each < FEED_VIEWERS_MAX ? (int)each : FEED_VIEWERS_MAX;
}

bool feed_room_memory(void)
{
    void *memory = mmap(NULL, MEMORY, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
        return false;
    munmap(memory, MEMORY);
    return true;
}

static bool is_limited(int resource)
{
    struct rlimit limit;
    return getrlimit(resource, &limit) != 0 || limit.rlim_cur != RLIM_INFINITY;
}

bool feed_room_strict(void)
{
    char mode = '2';
    int fd = open("/proc/sys/vm/overcommit_memory", O_RDONLY | O_CLOEXEC);
    ssize_t size = fd < 0 ? 0 : read(fd, &mode, 1);
    if (fd >= 0)
        close(fd);
    return size <= 0 || mode == '2';
}

bool feed_room_limited(void)
{
    return is_limited(RLIMIT_AS) || is_limited(RLIMIT_DATA);
}

bool feed_room_polls(void)
{
    return descriptors() > 0;
}

/* Lives until all the others do. */
static void *be_there(void *gate)
{
    pthread_mutex_lock(gate);
    pthread_mutex_unlock(gate);
    return NULL;
}

bool feed_room_threads(void)
{
    pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
    pthread_t thread[THREADS];
    int n = 0;
    pthread_mutex_lock(&gate);
    while (n < THREADS && pthread_create(&thread[n], NULL, be_there, &gate) == 0)
        n++;
    /* With all of them there, libzmq's own memory has to fit too. */
    bool room = n == THREADS && feed_room_memory();
    pthread_mutex_unlock(&gate);
    while (n > 0)
        pthread_join(thread[--n], NULL);
    return room;
}

bool feed_room_check(char *why, size_t capacity)
{
    if (!feed_headroom())
        snprintf(why, capacity, "fewer than %d file descriptors are free: raise `ulimit -n`",
                 FEED_HEADROOM);
    else if (!feed_room_memory())
        snprintf(why, capacity, "there is no memory for the feed");
    else if (!feed_room_threads())
        snprintf(why, capacity, "no thread can be started for the feed: raise `ulimit -u` or -v");
    else
        return true;
    return false;
}

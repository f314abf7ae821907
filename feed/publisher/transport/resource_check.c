/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * resource_check.c: the descriptors, threads and memory that a feed tests for before libzmq needs
 * them.
 */
#include "config.h"

#include "feed/protocol/limits.h"
#include "feed/publisher/transport/resource_check.h"
#include "feed/shared/resource_probe.h"
#include "proftop_layout.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/resource.h>
#include <unistd.h>

enum {
    THREADS = 3, /* libzmq's I/O thread, its reaper thread, and the flood guard */
    /* More than libzmq takes between two checks, plus the block of a new thread of the job. */
    MEMORY = 4 * 1024 * 1024 + (int)sizeof(struct proftop_block),
};

bool publisher_resource_descriptors(void)
{
    return shared_probe_descriptors(WIRE_HEADROOM);
}

bool publisher_resource_crowded(void)
{
    int lowest = fcntl(0, F_DUPFD_CLOEXEC, 0);
    if (lowest >= 0)
        close(lowest);
    return lowest < 0 || lowest >= WIRE_DESCRIPTORS_MAX || lowest >= shared_probe_limit() / 2;
}

int publisher_resource_waits(void)
{
    /* The kernel lets one more wait, and others may come while the next listener is made. */
    enum { BESIDES = 3 };
    const int quarter = shared_probe_limit() / 4;
    const int each = quarter > BESIDES ? quarter - BESIDES : 1;
    return each < WIRE_VIEWERS_MAX ? each : WIRE_VIEWERS_MAX;
}

bool publisher_resource_memory(void)
{
    return shared_probe_memory(MEMORY);
}

bool publisher_resource_first_tick(void)
{
    enum { UNTIL_A_TICK = 1024 * 1024 };
    return shared_probe_memory(MEMORY + UNTIL_A_TICK);
}

static bool is_limited(int resource)
{
    struct rlimit limit;
    return getrlimit(resource, &limit) != 0 || limit.rlim_cur != RLIM_INFINITY;
}

bool publisher_resource_strict(void)
{
    char mode = '2';
    int fd = open("/proc/sys/vm/overcommit_memory", O_RDONLY | O_CLOEXEC);
    ssize_t size = fd < 0 ? 0 : read(fd, &mode, 1);
    if (fd >= 0)
        close(fd);
    return size <= 0 || mode == '2';
}

bool publisher_resource_limited(void)
{
    return is_limited(RLIMIT_AS) || is_limited(RLIMIT_DATA);
}

bool publisher_resource_polls(void)
{
    return shared_probe_limit() > 0;
}

bool publisher_resource_threads(void)
{
    return shared_probe_threads(THREADS, MEMORY) == SHARED_LACKS_NOTHING;
}

bool publisher_resource_check(char *why, size_t capacity)
{
    if (!publisher_resource_descriptors())
        snprintf(why, capacity, "fewer than %d file descriptors are free: raise `ulimit -n`",
                 WIRE_HEADROOM);
    else if (!publisher_resource_memory())
        snprintf(why, capacity, "there is no memory for the feed");
    else if (!publisher_resource_threads())
        snprintf(why, capacity, "no thread can be started for the feed: raise `ulimit -u` or -v");
    else
        return true;
    return false;
}

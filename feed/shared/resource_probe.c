/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * resource_probe.c: takes a resource, and gives it back at once.
 */
#include "config.h"

#include "feed/shared/resource_probe.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/resource.h>

enum { PROBES_MAX = 65536 }; /* descriptors tested, from the highest number down */

int shared_probe_limit(void)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur > INT32_MAX)
        return INT32_MAX;
    return (int)limit.rlim_cur;
}

bool shared_probe_descriptors(int wanted)
{
    const int end = shared_probe_limit();
    int free = 0;
    /* Opens no descriptor, not even briefly: the program may need the last one. */
    for (int fd = end - 1; fd >= 0 && fd >= end - PROBES_MAX && free < wanted; fd--)
        free += fcntl(fd, F_GETFD) < 0;
    return free >= wanted;
}

bool shared_probe_memory(size_t size)
{
    void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
        return false;
    munmap(memory, size);
    return true;
}

/* Body of a probe thread: lives until all the others do. */
static void *be_there(void *gate)
{
    pthread_mutex_lock(gate);
    pthread_mutex_unlock(gate);
    return NULL;
}

enum shared_lack shared_probe_threads(int count, size_t memory)
{
    pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
    pthread_t thread[SHARED_PROBE_THREADS];
    int n = 0;
    pthread_mutex_lock(&gate);
    while (n < count && n < SHARED_PROBE_THREADS &&
           pthread_create(&thread[n], NULL, be_there, &gate) == 0)
        n++;
    const bool threads = n == count, fits = shared_probe_memory(memory);
    pthread_mutex_unlock(&gate);
    while (n > 0)
        pthread_join(thread[--n], NULL);
    return !fits ? SHARED_LACKS_MEMORY : threads ? SHARED_LACKS_NOTHING : SHARED_LACKS_THREADS;
}

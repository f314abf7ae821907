/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * resource_probe.h: asks the kernel for descriptors, threads and memory, and keeps none. Ask before
 * libzmq does: it aborts the process if it gets none.
 */
#ifndef FEED_SHARED_RESOURCE_PROBE_H
#define FEED_SHARED_RESOURCE_PROBE_H

#include <stdbool.h>
#include <stddef.h>

/* How many descriptors this process may have; INT32_MAX: any number. */
int shared_probe_limit(void);

/* Whether so many descriptors are free. It takes some microseconds, and no descriptor. */
bool shared_probe_descriptors(int wanted);

bool shared_probe_memory(size_t size);

/* Whether so many threads, SHARED_PROBE_THREADS at most, can be started, with so much memory beside
 * their stacks. */
enum shared_lack { SHARED_LACKS_NOTHING, SHARED_LACKS_THREADS, SHARED_LACKS_MEMORY };
enum { SHARED_PROBE_THREADS = 4 };
enum shared_lack shared_probe_threads(int count, size_t memory);

#endif

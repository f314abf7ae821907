/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * resource_probe.h: asks the kernel for descriptors, threads and memory, and keeps none. Ask before
 * libzmq does: it aborts the process if it gets none.
 */
#ifndef FEED_PROBE_H
#define FEED_PROBE_H

#include <stdbool.h>
#include <stddef.h>

/* How many descriptors this process may have; INT32_MAX: any number. */
int feed_probe_limit(void);

/* Whether so many descriptors are free. It takes some microseconds, and no descriptor. */
bool feed_probe_descriptors(int wanted);

bool feed_probe_memory(size_t size);

/* Whether so many threads, FEED_PROBE_THREADS at most, can be started, with so much memory beside
 * their stacks. */
enum feed_lack { FEED_LACKS_NOTHING, FEED_LACKS_THREADS, FEED_LACKS_MEMORY };
enum { FEED_PROBE_THREADS = 4 };
enum feed_lack feed_probe_threads(int count, size_t memory);

#endif

/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * resource_probe.h: tests whether the kernel grants descriptors, threads and memory, and keeps
 * none. Call it before libzmq, which aborts the process if it gets none.
 */
#ifndef FEED_SHARED_RESOURCE_PROBE_H
#define FEED_SHARED_RESOURCE_PROBE_H

#include <stdbool.h>
#include <stddef.h>

/* The process's limit of descriptors; INT32_MAX: no limit. */
int shared_probe_limit(void);

/* True if so many descriptors are free. Takes some microseconds, and no descriptor. */
bool shared_probe_descriptors(int wanted);

bool shared_probe_memory(size_t size);

/* Tests whether `count` threads, SHARED_PROBE_THREADS at most, can be started, with `memory` bytes
 * besides their stacks. */
enum shared_lack { SHARED_LACKS_NOTHING, SHARED_LACKS_THREADS, SHARED_LACKS_MEMORY };
enum { SHARED_PROBE_THREADS = 4 };
enum shared_lack shared_probe_threads(int count, size_t memory);

#endif

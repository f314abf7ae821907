/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * system_calls.h: calls of the kernel that glibc 2.17 has no functions for. An older kernel refuses
 * them with ENOSYS.
 */
#ifndef FEED_SHARED_SYSTEM_CALLS_H
#define FEED_SHARED_SYSTEM_CALLS_H

#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

/* From <linux/close_range.h> and <linux/random.h>; headers of older kernels lack them. */
#ifndef SYS_close_range
#define SYS_close_range 436
#endif
#define SHARED_CLOSE_RANGE_UNSHARE 2u
#define SHARED_RANDOM_NONBLOCK     1u

/* close_range(2), Linux 5.9. */
int shared_close_range(unsigned first, unsigned last, unsigned flags);

/* getrandom(2), Linux 3.17. */
static inline ssize_t shared_random(void *bytes, size_t size, unsigned flags)
{
    return syscall(SYS_getrandom, bytes, size, flags);
}

/* Overwrites a secret. The compiler cannot leave that out. */
static inline void shared_erase(void *secret, size_t size)
{
    memset(secret, 0, size);
    __asm__ volatile("" : : "r"(secret) : "memory");
}

#endif

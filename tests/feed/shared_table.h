/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * shared_table.h: simulates an old kernel, on which the feed shares the program's descriptor table.
 */
#ifndef TESTS_FEED_SHARED_TABLE_H
#define TESTS_FEED_SHARED_TABLE_H

#include <errno.h>
#include <stdbool.h>
#include <sys/syscall.h>
#include <unistd.h>

static bool shared_table; /* set by the test before it opens the feed */

/* Replaces the function of libc. */
int close_range(unsigned first, unsigned last, int flags);
int close_range(unsigned first, unsigned last, int flags)
{
    if (shared_table) {
        errno = ENOSYS;
        return -1;
    }
    return (int)syscall(SYS_close_range, first, last, flags);
}

#endif

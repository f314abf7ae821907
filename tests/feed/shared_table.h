/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * shared_table.h: an old kernel, on which the feed's descriptors are in the table of the program.
 */
#ifndef TESTS_FEED_SHARED_TABLE_H
#define TESTS_FEED_SHARED_TABLE_H

#include <errno.h>
#include <stdbool.h>
#include <sys/syscall.h>
#include <unistd.h>

static bool shared_table; /* the test wants it; before it opens the feed */

/* In place of libc's. */
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

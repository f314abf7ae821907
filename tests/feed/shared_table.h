/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * shared_table.h: simulates an old kernel, on which the feed shares the program's descriptor table.
 */
#ifndef TESTS_FEED_SHARED_TABLE_H
#define TESTS_FEED_SHARED_TABLE_H

#include <errno.h>
#include <stdbool.h>

static bool shared_table; /* set by the test before it opens the feed */

/* Replaces the feed's function (the linker's --wrap). */
int __real_shared_close_range(unsigned first, unsigned last, unsigned flags);
int __wrap_shared_close_range(unsigned first, unsigned last, unsigned flags);
int __wrap_shared_close_range(unsigned first, unsigned last, unsigned flags)
{
    if (shared_table) {
        errno = ENOSYS;
        return -1;
    }
    return __real_shared_close_range(first, last, flags);
}

#endif

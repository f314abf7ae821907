/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * system_calls.c: a function of its own, so that tests can replace it.
 */
#include "config.h"

#include "feed/shared/system_calls.h"

int shared_close_range(unsigned first, unsigned last, unsigned flags)
{
    return (int)syscall(SYS_close_range, first, last, flags);
}

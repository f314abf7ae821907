/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * scarce.h: makes allocations of libproftop and the test fail, either one or all from a number on.
 * For programs linked with the wrappers in local.mk.
 */
#ifndef TESTS_FEED_SCARCE_H
#define TESTS_FEED_SCARCE_H

#include <stdatomic.h>
#include <stdbool.h>

/* Number of allocations since it was set to 0, while one is to fail; and the number of the
 * allocation that fails, from 1. 0: none fails. */
extern _Atomic int scarce_asked, scarce_at;
extern _Atomic bool scarce_from_there;   /* fail all that follow, too */
extern _Thread_local bool scarce_exempt; /* the calling thread's never fail */
extern _Thread_local int scarce_mine;    /* allocations of the calling thread, always counted */

#endif

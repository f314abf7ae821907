/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * scarce.h: no memory for libproftop and the test, from a certain allocation on or for that alone;
 * for a program that is linked with what stands in local.mk.
 */
#ifndef TESTS_FEED_SCARCE_H
#define TESTS_FEED_SCARCE_H

#include <stdatomic.h>
#include <stdbool.h>

/* How many allocations were asked for since it was set to 0, while one is to fail; and the number
 * of that which does, from 1. 0: none. */
extern _Atomic int scarce_asked, scarce_at;
extern _Atomic bool scarce_from_there;   /* and all that follow */
extern _Thread_local bool scarce_exempt; /* of the calling thread none: they are the test's own */
extern _Thread_local int scarce_mine;    /* of the calling thread, whether or not one is to fail */

#endif

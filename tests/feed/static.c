/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * static.c: finds the loop of a feed's thread in programs that link the whole publisher, as tests.
 */
#include "config.h"

#include "feed/publisher/record/core.h"

publisher_loop *publisher_find_loop(char why[PUBLISHER_WHY_SIZE])
{
    (void)why;
    return proftop_feed_loop;
}

/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * static.c: where the loop of a feed's thread is in what holds all of the publisher, as tests do.
 */
#include "config.h"

#include "feed/publisher/core.h"

publisher_loop *publisher_find_loop(char why[PUBLISHER_WHY_SIZE])
{
    (void)why;
    return proftop_feed_loop;
}

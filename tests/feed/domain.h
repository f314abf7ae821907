/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * domain.h: a feed with a domain. Each test of counters, spans and markers opens its own.
 */
#ifndef TESTS_FEED_DOMAIN_H
#define TESTS_FEED_DOMAIN_H

#include "client.h"
#include "proftop_objects.h"

static struct proftop *feed;
static proftop_id domain;

static inline void domain_open(void)
{
    feed = client_feed();
    domain = proftop_domain(feed, "io");
    ck_assert_uint_ne(domain, PROFTOP_NONE);
}

static inline void domain_close(void)
{
    proftop_close(feed);
    client_clean();
}

#endif

/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * steer.h: what the tests of a steered collection share.
 */
#ifndef TESTS_FEED_STEER_H
#define TESTS_FEED_STEER_H

#include "process.h"
#include "proftop_control.h"

/* Calls of an op as the job's own report in JSON has them; 0 if it is not there. */
static inline uint64_t calls_of(struct proftop *feed, const char *op)
{
    struct proftop_dumps_options options = {.size = sizeof options, .format = "json"};
    char *text, key[128];
    unsigned long long calls = 0;
    ck_assert_ptr_null(proftop_dumps(feed, &options, &text));
    ck_assert_ptr_nonnull(text);
    snprintf(key, sizeof key, "\"%s\": {\"Count\": ", op);
    const char *at = strstr(text, key);
    if (at != NULL)
        ck_assert_int_eq(sscanf(at + strlen(key), "%llu", &calls), 1);
    free(text);
    return calls;
}

static inline void run(struct proftop *feed, proftop_id apply, int times)
{
    for (int i = 0; i < times; i++)
        proftop_end(feed, apply, proftop_begin(feed, apply));
}

#define OP "Elemwise{add}"

#endif

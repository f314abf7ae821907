/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * steer.h: shared code of the tests of collection control.
 */
#ifndef TESTS_FEED_STEER_H
#define TESTS_FEED_STEER_H

#include "process.h"
#include "proftop_control.h"

/* Calls of an op, from the job's JSON report. 0 if the op is not in the report. */
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

/* Number of keys of proftop_set_config(). The sentence about an unknown key names them all. */
static inline int count_keys(struct proftop *feed)
{
    static const char *const unknown[] = {"no key", "1", NULL};
    const char *why = proftop_set_config(feed, unknown);
    ck_assert_ptr_nonnull(why);
    const char *at = strstr(why, "; the keys are ");
    ck_assert_msg(at != NULL, "%s", why);
    int keys = 1;
    while ((at = strchr(at, ',')) != NULL) {
        keys++;
        at++;
    }
    return keys;
}

/* Texts of all notices, one per line. */
static inline const char *client_notices(struct client *of)
{
    static char lines[64 * 1024]; /* room for as many notices as a job keeps */
    lines[0] = 0;
    client_ask(of, (struct client_request){.q = "snapshot", .want = "E", .req = 77, .credit = 4});
    for (;;) {
        ck_assert(client_receive(of, of->dealer, CLIENT_PATIENCE_MS));
        if (of->frame.stream == WIRE_REPLY && of->frame.field[WIRE_F_REQ].u == 77)
            return lines;
        if (of->frame.stream != WIRE_NOTICES)
            continue;
        const struct wire_column *column = &of->frame.group[WIRE_G_NOTICE].column[2];
        const uint8_t *cursor = column->data;
        struct wire_text text;
        for (size_t at = 0; wire_text_next(column, &cursor, &text);)
            at += (size_t)snprintf(lines + at, sizeof lines - at, "%.*s\n", (int)text.size,
                                   text.data);
    }
}

static inline void run(struct proftop *feed, proftop_id apply, int times)
{
    for (int i = 0; i < times; i++)
        proftop_end(feed, apply, proftop_begin(feed, apply));
}

#define OP "Elemwise{add}"

#endif

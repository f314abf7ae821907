/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * told.h: shared code of the programs that check phases, details and metrics: a feed, a client of
 * it, and the groups of received frames.
 */
#ifndef TESTS_TOLD_H
#define TESTS_TOLD_H

#include "tap.h"

#include "client.h"
#include "proftop_adapter.h"

#define UNKNOWN PROFTOP_UNKNOWN

enum { COLUMNS = WIRE_COLUMNS };

static struct client client;
static struct proftop *feed;
static proftop_id first;                             /* apply; its function is 0 */
static uint64_t u[COLUMNS][WIRE_FRAME_ROWS];         /* last group: its integers, */
static struct wire_text t[COLUMNS][WIRE_FRAME_ROWS]; /* and its texts */

static inline void setup(void)
{
    feed = client_feed();
    first = client_graph(feed, 4, PROFTOP_GIVEN);
    client_open(&client, getpid());
}

static inline void teardown(void)
{
    client_end(&client, feed);
}

/* Reads a group of the last frame. Returns its number of rows. */
static inline uint32_t take(enum wire_group group)
{
    const struct wire_rows *rows = &client.frame.group[group];
    for (int c = 0; rows->present && c < COLUMNS && wire_groups[group].column[c].key; c++) {
        const struct wire_column *column = &rows->column[c];
        const uint8_t *cursor = column->data;
        if (column->type != WIRE_TEXT)
            wire_column_read(column, 0, rows->count, u[c], NULL);
        for (uint32_t i = 0; column->type == WIRE_TEXT && i < rows->count; i++)
            ck_assert(wire_text_next(column, &cursor, &t[c][i]));
    }
    return rows->present ? rows->count : 0;
}

static inline void expect_text(const struct wire_text *text, const char *want)
{
    ck_assert_msg(text->size == strlen(want) && memcmp(text->data, want, text->size) == 0,
                  "\"%.*s\" is not \"%s\"", (int)text->size, text->data, want);
}

/* Requests a snapshot, and stops at the first frame with rows of a group. */
static inline uint32_t ask(const char *want, enum wire_group group)
{
    static uint64_t req = 10;
    struct client_request request = {.q = "snapshot", .want = want, .req = ++req, .credit = 4};
    client_ask(&client, request);
    for (uint32_t n = 0;;) {
        ck_assert(client_receive(&client, client.dealer, CLIENT_PATIENCE_MS));
        bool mine = client.frame.field[WIRE_F_REQ].u == req;
        if (mine && client.frame.stream == WIRE_REPLY)
            return 0;
        n = mine ? take(group) : 0;
        if (n > 0)
            return n;
    }
}

static inline uint64_t misuses(void)
{
    client_hello(&client);
    return client.frame.field[WIRE_F_MISUSE].u;
}

static inline uint64_t invalids(void)
{
    client_hello(&client);
    return client.frame.field[WIRE_F_INVALID].u;
}

static inline uint64_t drops(void)
{
    client_hello(&client);
    return client.frame.field[WIRE_F_DROPPED].u;
}

/* A case with a feed and a client. */
static inline void add(Suite *s, const char *name, const TTest *test)
{
    tcase_add_checked_fixture(tap_add(s, name, test), setup, teardown);
}

#endif

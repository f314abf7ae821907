/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * follow.h: a follower of a fake job, for the tests of the sync rules.
 */
#ifndef TESTS_FEED_FOLLOW_H
#define TESTS_FEED_FOLLOW_H

#include <string.h>

#include "../tap.h"
#include "fake.h"
#include "feed/viewer/stream/sync.h"

static struct fake fake;
static struct viewer_sync follower;
static struct model_link link_;

static inline void setup(void)
{
    fake_init(&fake, 1);
    memset(&link_, 0, sizeof link_);
    viewer_sync_init(&follower, &link_, NULL);
}

static inline void teardown(void)
{
    viewer_sync_release(&follower);
}

static inline bool take(void)
{
    return viewer_sync_take(&follower, fake.bytes, fake.size, false);
}

static inline bool take_answer(void)
{
    return viewer_sync_take(&follower, fake.bytes, fake.size, true);
}

/* Returns the number of the snapshot. */
static inline uint64_t ask(void)
{
    uint8_t request[WIRE_REQUEST_MAX];
    struct wire_frame frame;
    enum viewer_snapshot_scope want = viewer_sync_missing(&follower);
    ck_assert_int_ne(want, VIEWER_SNAPSHOT_NOTHING);
    size_t size = viewer_sync_request_snapshot(&follower, want, request, sizeof request);
    ck_assert_int_eq(wire_read(request, size, &frame), WIRE_OK);
    return frame.field[WIRE_F_REQ].u;
}

/* Returns the number of the request. */
static inline uint64_t ask_hello(void)
{
    uint8_t request[WIRE_REQUEST_MAX];
    ck_assert_uint_gt(viewer_sync_request_hello(&follower, request, sizeof request), 0);
    return follower.hello;
}

static inline void answer_functions(uint64_t req)
{
    fake_defs(&fake, req);
    take_answer();
    fake_functions(&fake, req);
    take_answer();
}

static inline void answer_all(uint64_t req)
{
    answer_functions(req);
    fake_values(&fake, req, 0, 1);
    take_answer();
    fake_values(&fake, req, 1, 1);
    take_answer();
}

static inline void take_snapshot(void)
{
    uint64_t req = ask();
    answer_all(req);
    fake_reply(&fake, req, "snapshot", true, 4);
    take_answer();
}

static inline void attach(void)
{
    fake_work(&fake, 3);
    fake_hello(&fake, 0, false);
    ck_assert(take());
    take_snapshot();
    ck_assert(follower.whole);
}

/* One tick as a job sends it: the changed rows of function 0, or the rows that are next in the
 * rotation. */
static inline void tick(bool lost, uint32_t of)
{
    fake_values(&fake, 0, 0, of);
    if (!lost)
        take();
}

#endif

/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * check_link_state.c: signs of life and the link state derived from them; lag and time limits.
 */
#include "config.h"

#include "feed/viewer/stream/link_state.h"

#include <string.h>

#include "../tap.h"

#define MS      VIEWER_NS_PER_MS
#define NOW     (100 * 1000 * MS)
#define AGO(ms) (NOW - (ms)*MS)
#define CLOSED  "the job closed its feed: it has ended, or was detached from"

/* A peer at this label with only a refusal known, if any; and a healthy job. The rows below give
 * the differences. */
#define AT(name, no) .now_ns = NOW, .ended = "", .refusal = (no), .label = (name)
#define MUTE         AT("job 7", ""), .began_ns = AGO(9000), .strange = true, .socket = true
#define PEER         AT("x", "")
#define HEALTHY                                                                                    \
    AT("job 7", ""), .began_ns = AGO(60000), .up_ns = AGO(50000), .last_frame_ns = AGO(90),        \
                     .whole = true, .local = true

static const struct {
    struct viewer_link_signs signs;
    enum model_link_state state;
    const char *reason; /* a part of it; "": none */
} rows[] = {
    {{HEALTHY}, MODEL_LIVE, ""},
    {{HEALTHY, .lag_ns = 1000 * MS}, MODEL_LIVE, ""},
    {{HEALTHY, .lag_ns = 1001 * MS}, MODEL_LAGGING, ""},
    {{PEER, .began_ns = AGO(60000), .up_ns = AGO(50000), .last_frame_ns = AGO(90),
      .lag_ns = 9000 * MS},
     MODEL_SYNCING,
     ""},
    {{PEER, .began_ns = AGO(60000), .up_ns = AGO(50000), .last_frame_ns = AGO(2001), .whole = true},
     MODEL_LAGGING,
     ""},
    {{PEER, .began_ns = AGO(60000), .up_ns = AGO(50000), .last_frame_ns = AGO(3001), .whole = true},
     MODEL_STALE,
     "nothing comes from the job"},
    {{PEER, .began_ns = AGO(60000), .up_ns = AGO(50000), .last_frame_ns = AGO(3001), .whole = true,
      .local = true},
     MODEL_STALE,
     "its process is there"},
    {{PEER, .began_ns = AGO(100)}, MODEL_CONNECTING, ""},
    {{PEER, .began_ns = AGO(2001)}, MODEL_CONNECTING, "nobody answers at x"},
    {{AT("tcp://x:22", ""), .began_ns = AGO(100), .strange = true},
     MODEL_CONNECTING,
     "tcp://x:22 answers, but does not speak ZeroMQ, or wants keys: is it the right port?"},
    {{AT("ipc://x", ""), .began_ns = AGO(100), .strange = true, .socket = true},
     MODEL_CONNECTING,
     "ipc://x is there, but does not speak ZeroMQ: its process may be stopped, or it is no job's"},
    {{MUTE, .local = true},
     MODEL_CONNECTING,
     "job 7 does not answer, but its process is there: its feed's thread may be stopped"},
    {{MUTE, .local = true, .stopped = true},
     MODEL_CONNECTING,
     "job 7 does not answer: its process is stopped (kill -CONT lets it go on, if no debugger"},
    {{MUTE, .local = true, .stopped = true, .dead = true}, MODEL_GONE, "killed or crashed"},
    {{PEER, .began_ns = AGO(100), .up_ns = AGO(50)}, MODEL_SYNCING, ""},
    {{PEER, .began_ns = AGO(9000), .up_ns = AGO(3001)}, MODEL_STALE, "nothing comes"},
    {{PEER, .began_ns = AGO(9000), .up_ns = AGO(8000), .other_version = true},
     MODEL_SYNCING,
     "x speaks another version"},
    {{AT("x", "no room"), .began_ns = AGO(9000), .up_ns = AGO(90), .last_frame_ns = AGO(80)},
     MODEL_SYNCING,
     "no room"},
    {{PEER, .began_ns = AGO(9000), .last_frame_ns = AGO(80)}, MODEL_SYNCING, "control endpoint"},
    {{HEALTHY, .rival = true}, MODEL_LIVE, "two jobs are at job 7: what the other"},
    {{PEER, .began_ns = AGO(9000), .up_ns = AGO(8000), .last_frame_ns = AGO(80), .rival = true},
     MODEL_SYNCING,
     "two jobs are at x: facts"},
    {{HEALTHY, .rival = true, .mute = true}, MODEL_STALE, "two jobs are at job 7: facts"},
    {{HEALTHY, .rival = true, .mute = true, .dead = true}, MODEL_GONE, "killed"},
    {{HEALTHY, .dead = true},
     MODEL_GONE,
     "killed or crashed, and may have counted more than is shown"},
    {{HEALTHY, .dead = true, .bye = true}, MODEL_GONE, "did not arrive"},
    {{HEALTHY, .bye = true, .gave_up = true}, MODEL_GONE, "did not arrive"},
    {{HEALTHY, .bye = true}, MODEL_LIVE, ""},
    {{HEALTHY, .bye = true, .final = true, .dead = true}, MODEL_GONE, CLOSED},
    {{HEALTHY, .bye = true, .final = true, .left = "(asked by anna)"},
     MODEL_GONE,
     "it was detached from (asked by anna), and went on"},
    {{HEALTHY, .bye = true, .gave_up = true, .left = "(asked by anna)"},
     MODEL_GONE,
     "did not arrive"},
    {{HEALTHY, .left = "(asked by anna)"}, MODEL_LIVE, ""},
    {{PEER, .began_ns = AGO(60000), .up_ns = AGO(50000), .down_ns = AGO(2001),
      .last_frame_ns = AGO(2100), .whole = true},
     MODEL_GONE,
     "nobody answers at x any more"},
    {{PEER, .began_ns = AGO(99000), .up_ns = AGO(98000), .down_ns = AGO(90000),
      .last_frame_ns = AGO(90100), .whole = true, .far = true},
     MODEL_STALE,
     "nobody answers at x any more"},
    {{PEER, .began_ns = AGO(99000), .up_ns = AGO(98000), .down_ns = AGO(90001),
      .last_frame_ns = AGO(90100), .whole = true, .far = true},
     MODEL_GONE,
     "nobody answers at x any more"},
    {{PEER, .began_ns = AGO(60000), .up_ns = AGO(50000), .down_ns = AGO(1999),
      .last_frame_ns = AGO(2100), .whole = true},
     MODEL_LAGGING,
     ""},
};

START_TEST(states_follow_from_signs)
{
    struct model_link link = {.state = MODEL_LINK_STATES, .reason = "stale words"};
    viewer_link_judge(&rows[_i].signs, &link);
    ck_assert_str_eq(model_link_word(link.state), model_link_word(rows[_i].state));
    if (rows[_i].reason[0] == '\0')
        ck_assert_str_eq(link.reason, "");
    ck_assert_msg(strstr(link.reason, rows[_i].reason) != NULL, "%s", link.reason);
    ck_assert_uint_eq(link.said_bye, rows[_i].signs.final);
    ck_assert_uint_eq(link.detached, rows[_i].signs.final && rows[_i].signs.left);
}
END_TEST

START_TEST(the_launcher_is_heard_before_the_process)
{
    struct model_link link = {0};
    struct viewer_link_signs signs = {HEALTHY};
    signs.dead = true;
    signs.ended = "make exited with 2";
    viewer_link_judge(&signs, &link);
    ck_assert_str_eq(link.reason, "make exited with 2");
    signs.bye = signs.final = true;
    viewer_link_judge(&signs, &link);
    ck_assert_str_eq(link.reason, CLOSED);
}
END_TEST

/* Long labels do not overflow the reason. */
START_TEST(a_long_label_is_cut)
{
    char label[256];
    struct model_link link = {0};
    memset(label, 'x', sizeof label - 1);
    label[sizeof label - 1] = '\0';
    struct viewer_link_signs signs = {AT(label, ""), .began_ns = AGO(5000)};
    viewer_link_judge(&signs, &link);
    ck_assert_ptr_nonnull(strstr(link.reason, "is the job running?"));
}
END_TEST

/* The clocks of the two machines differ by an unknown offset; lag is the delay above the
 * minimum. */
START_TEST(lag_is_above_its_least)
{
    struct viewer_lag lag = {0};
    const uint64_t stamp = UINT64_C(1) << 61;
    ck_assert_uint_eq(viewer_lag_of(&lag, NOW, stamp), 0);
    ck_assert_uint_eq(viewer_lag_of(&lag, NOW + 150 * MS, stamp + 100 * MS), 50 * MS);
    ck_assert_uint_eq(viewer_lag_of(&lag, NOW + 190 * MS, stamp + 200 * MS), 0);
    ck_assert_uint_eq(viewer_lag_of(&lag, NOW + 300 * MS, stamp + 300 * MS), 10 * MS);
}
END_TEST

/* One stamp from the far future makes no frame late. Two in a row mean that the others were
 * wrong. */
START_TEST(a_stamp_far_ahead_is_ignored)
{
    const uint64_t hour = 3600 * 1000 * MS;
    struct viewer_lag lag = {0};
    ck_assert_uint_eq(viewer_lag_of(&lag, NOW, NOW), 0);
    for (uint64_t i = 1; i < 100; i += 3) {
        ck_assert_uint_eq(viewer_lag_of(&lag, NOW + i * MS, NOW + i * hour), 0);
        ck_assert_uint_eq(viewer_lag_of(&lag, NOW + i * MS, NOW + i * MS), 0);
        ck_assert_uint_eq(viewer_lag_of(&lag, NOW + i * MS, NOW), i * MS);
    }
    ck_assert_uint_eq(viewer_lag_of(&lag, NOW + 200 * MS, UINT64_MAX / 4), 0);
    ck_assert_uint_eq(viewer_lag_of(&lag, NOW + 200 * MS, NOW + 200 * MS), 0);
    ck_assert_uint_eq(viewer_lag_of(&lag, NOW + 300 * MS, NOW + hour + 300 * MS), 0);
    ck_assert_uint_eq(viewer_lag_of(&lag, NOW + 400 * MS, NOW + hour + 400 * MS), 0);
    ck_assert_uint_eq(viewer_lag_of(&lag, NOW + 500 * MS, NOW + hour + 400 * MS), 100 * MS);
    ck_assert_uint_eq(viewer_lag_of(&lag, NOW + 500 * MS, NOW + 500 * MS), hour);
}
END_TEST

/* Clock drift within an hour is no lag: the minimum is over the last minute. */
START_TEST(lag_forgets_after_a_minute)
{
    struct viewer_lag lag = {0};
    ck_assert_uint_eq(viewer_lag_of(&lag, NOW, NOW), 0);
    uint64_t last = 0;
    for (unsigned second = 1; second <= 80; second++)
        last = viewer_lag_of(&lag, NOW + (second * 1000 + 500) * MS, NOW + second * 1000 * MS);
    ck_assert_uint_eq(last, 0);
    ck_assert_uint_eq(viewer_lag_of(&lag, NOW + 81000 * MS, NOW + 80000 * MS), 500 * MS);
}
END_TEST

START_TEST(patience_grows)
{
    static const uint64_t pauses_ms[] = {1000, 1000, 2000, 4000, 8000, 16000, 30000, 30000};
    struct viewer_patience patience = {0};
    uint64_t now_ns = NOW;
    for (unsigned i = 0; i < sizeof pauses_ms / sizeof pauses_ms[0]; i++) {
        viewer_patience_use(&patience, now_ns);
        ck_assert_uint_eq(patience.due_ns - now_ns, pauses_ms[i] * MS);
        now_ns = patience.due_ns;
    }
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("signs");
    TCase *c = tcase_create("signs");
    tcase_set_timeout(c, TAP_TIMEOUT);
    tcase_add_loop_test(c, states_follow_from_signs, 0, TAP_ROWS(rows));
    tcase_add_test(c, the_launcher_is_heard_before_the_process);
    tcase_add_test(c, a_long_label_is_cut);
    tcase_add_test(c, lag_is_above_its_least);
    tcase_add_test(c, a_stamp_far_ahead_is_ignored);
    tcase_add_test(c, lag_forgets_after_a_minute);
    tcase_add_test(c, patience_grows);
    suite_add_tcase(s, c);
    return s;
}

TAP_MAIN(suite)

/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * check_limits.c: the numbers in docs/protocol.md are those in feed/protocol/limits.h.
 */
#include <ctype.h>
#include <string.h>

#include "frames.h"
#include "golden.h"

/* A sentence of the page, without its line breaks; # stands for a number. */
static const struct {
    const char *sentence;
    uint64_t number[8];
} limits[] = {
    {"The proftop feed, version #", {WIRE_VERSION}},
    {"| `ver` | uint | #. A reader", {WIRE_VERSION}},
    {"a frame has at most # KiB, a request # KiB, a map # entries, a text # KiB (publishers cut), "
     "a topic # bytes, one frame # rows of values",
     {WIRE_FRAME_MAX / 1024, WIRE_REQUEST_MAX / 1024, WIRE_MAP_MAX, WIRE_TEXT_MAX / 1024,
      WIRE_TOPIC_MAX, WIRE_FRAME_ROWS}},
    {"Tables hold at most # classes, # ops, # functions, # applies, # threads, and # each of "
     "counters, spans and markers",
     {WIRE_CLASSES_MAX, WIRE_OPS_MAX, WIRE_FUNCTIONS_MAX, WIRE_APPLIES_MAX, WIRE_THREADS_MAX,
      WIRE_OTHERS_MAX}},
    {"in this instance, below #", {WIRE_PHASES_MAX}},
    {"was not known, at most # KiB of them each tick (# Hz)",
     {WIRE_DETAIL_TICK / 1024, 1000 / WIRE_TICK_MS}},
    {"the metrics of the job from the first on, at most #", {WIRE_METRICS_MAX}},
    {"whatever their value, up to # levels deep", {WIRE_DEPTH_MAX}},
    {"`defs` | array of # uints", {WIRE_TABLES}},
    {"the high-water mark is # frames", {WIRE_HWM}},
    {"receive high-water mark #, `ZMQ_MAXMSGSIZE` # MiB, reconnection from # ms to # s, and no "
     "heartbeats",
     {WIRE_READ_HWM, WIRE_MESSAGE_MAX >> 20, WIRE_RECONNECT_MS, WIRE_RECONNECT_MAX_MS / 1000}},
    {"has heartbeats, every # s with a time-out of # s",
     {WIRE_HEARTBEAT_MS / 1000, WIRE_HEARTBEAT_TIMEOUT_MS / 1000}},
    {"more than # KiB by which it subscribes, or more than # KiB on the ROUTER",
     {WIRE_SUBSCRIBED_MAX / 1024, WIRE_UNFINISHED_MAX / 1024}},
    {"heartbeats, # in a second of at most # bytes, are not", {WIRE_BEATS, WIRE_BEAT_MAX}},
    {"of a frame above what it has holds the frame (at most # of them)", {WIRE_HELD_MAX}},
    {"so many that each comes within # ticks,", {WIRE_ROLL}},
    {"right again within # ticks", {WIRE_ROLL}},
    {"until # more ticks have been seen", {WIRE_ROLL}},
    {"A tick sends at most # MiB of rows", {WIRE_TICK_MAX >> 20}},
    {"A job of more than # applies", {WIRE_MANY_APPLIES}},
    {"one of more than # a tenth", {WIRE_HUGE_APPLIES}},
    {"are sent each tick (# Hz)", {1000 / WIRE_TICK_MS}},
    {"`credit` uint, # to # |", {1, WIRE_CREDIT}},
    {"so at most # frames are on their way", {WIRE_CREDIT}},
    {"each at most # KiB, then `Y/`", {WIRE_FRAME_MAX / 1024}},
    {"A job serves # clients and one snapshot for each", {WIRE_VIEWERS_MAX}},
    {"takes up to # s and # events", {WIRE_TRACE_MAX_S, WIRE_TRACE_EVENTS_MAX}},
    {"but for # ms at most (# s if it was started by `proftop run`)",
     {WIRE_BYE_MS, WIRE_RUN_BYE_MS / 1000}},
};

/* Replaces line breaks and runs of blanks by one blank. */
static void flatten(char *page)
{
    char *to = page;
    for (const char *from = page; *from; from++)
        if (!isspace((unsigned char)*from))
            *to++ = *from;
        else if (to > page && to[-1] != ' ')
            *to++ = ' ';
    *to = 0;
}

/* Parses a number such as 65,536. */
static uint64_t take_number(const char **at)
{
    uint64_t number = 0;
    while (isdigit((unsigned char)**at) || (**at == ',' && isdigit((unsigned char)(*at)[1]))) {
        if (**at != ',')
            number = 10 * number + (uint64_t)(**at - '0');
        ++*at;
    }
    return number;
}

/* Returns how many numbers were read if the sentence is at `at`; else -1. */
static int match(const char *at, const char *sentence, uint64_t number[8])
{
    int n = 0;
    for (; *sentence; sentence++) {
        if (*sentence == '#' && isdigit((unsigned char)*at))
            number[n++] = take_number(&at);
        else if (*sentence != *at++)
            return -1;
    }
    return n;
}

START_TEST(page_and_header_agree)
{
    char *page = golden_page();
    uint64_t number[8] = {0};
    int n = -1;
    ck_assert_ptr_nonnull(page);
    flatten(page);
    for (const char *at = page; *at && n < 0; at++)
        n = match(at, limits[_i].sentence, number);
    ck_assert_msg(n > 0, "docs/protocol.md does not say: %s", limits[_i].sentence);
    for (int i = 0; i < n; i++)
        ck_assert_msg(number[i] == limits[_i].number[i], "number %d is %llu in \"%s\", not %llu",
                      i + 1, (unsigned long long)number[i], limits[_i].sentence,
                      (unsigned long long)limits[_i].number[i]);
    free(page);
}
END_TEST

/* Relations between limits. */
START_TEST(limits_fit_each_other)
{
    ck_assert_int_ge(WIRE_MESSAGE_MAX, WIRE_FRAME_MAX);
    ck_assert_int_gt(WIRE_FRAME_MAX, WIRE_REQUEST_MAX);
    ck_assert_int_le(WIRE_FIELDS + WIRE_GROUPS, WIRE_MAP_MAX);
    ck_assert_int_ge(WIRE_FRAME_MAX, 64 * WIRE_FRAME_ROWS);
    ck_assert_int_ge(WIRE_FRAME_MAX, 4 * WIRE_TEXT_MAX); /* one row of definitions always fits */
    ck_assert_int_eq(1000 % WIRE_TICK_MS, 0);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("limits");
    tap_add_loop(s, "page_and_header_agree", page_and_header_agree, TAP_ROWS(limits));
    tap_add(s, "limits_fit_each_other", limits_fit_each_other);
    return s;
}

TAP_MAIN(suite)

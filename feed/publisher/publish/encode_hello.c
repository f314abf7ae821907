/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * encode_hello.c: writes what a job says of itself, and replies.
 */
#include "config.h"

#include "feed/publisher/collect/sum.h"
#include "feed/publisher/publish/publisher.h"

#include <stdio.h>
#include <string.h>

enum { LAST_ROWS = WIRE_FRAME_ROWS };

static void put_known(struct wire_writer *w, enum wire_field field, const char *text)
{
    if (text[0] != 0)
        wire_put_text(w, field, text);
}

static void put_number(struct wire_writer *w, enum wire_field field, uint64_t value)
{
    if (value != PROFTOP_UNKNOWN)
        wire_put_u64(w, field, value);
}

/* What is left out of it: functions by their names, applies by their kinds. */
static void put_filter(struct feed_core *core, struct wire_writer *w)
{
    char only[FEED_PATTERNS_SIZE];
    pthread_mutex_lock(&core->handle->lock);
    memcpy(only, core->wanted.functions, sizeof only);
    const unsigned mute = feed_wanted_mute(core);
    pthread_mutex_unlock(&core->handle->lock);
    put_known(w, WIRE_F_ONLY, only);
    if (mute != 0)
        wire_put_u64(w, WIRE_F_MUTE, mute);
}

/* What is collected, as the wire says it: nothing, all, or applies while somebody watches. At the
 * end, what was until then. */
static uint64_t collection(struct feed_core *core)
{
    pthread_mutex_lock(&core->handle->lock);
    bool counts = !core->control.stopped && !core->control.paused;
    pthread_mutex_unlock(&core->handle->lock);
    return !counts ? 0 : core->wanted.on_demand ? 2 : 1;
}

struct feed_rank feed_place_now(struct feed_core *core)
{
    struct feed_rank place = core->me.place;
    pthread_mutex_lock(&core->handle->lock);
    if (core->rank != PROFTOP_UNKNOWN) {
        place.rank = core->rank;
        place.size = core->size;
    }
    pthread_mutex_unlock(&core->handle->lock);
    return place;
}

static void put_identity(struct feed_publisher *p, struct wire_writer *w)
{
    const struct feed_identity *me = &p->core->me;
    const struct feed_rank place = feed_place_now(p->core);
    char route[FEED_ROUTE_SIZE], facts[FEED_FACTS_SIZE], by[FEED_BY_SIZE];
    pthread_mutex_lock(&p->core->handle->lock);
    memcpy(route, p->core->route, sizeof route);
    memcpy(facts, p->core->facts, sizeof facts);
    memcpy(by, p->core->control.by, sizeof by);
    pthread_mutex_unlock(&p->core->handle->lock);
    wire_put_u64(w, WIRE_F_LO, WIRE_VERSION);
    wire_put_u64(w, WIRE_F_HI, WIRE_VERSION);
    wire_put_u64(w, WIRE_F_PID, me->pid);
    wire_put_u64(w, WIRE_F_START, me->start);
    wire_put_text(w, WIRE_F_HOST, me->host);
    wire_put_text(w, WIRE_F_PROGRAM, me->program);
    put_known(w, WIRE_F_FRAMEWORK, me->framework);
    put_known(w, WIRE_F_FWVER, me->framework_version);
    wire_put_text(w, WIRE_F_LIB, PROFTOP_VERSION);
    put_known(w, WIRE_F_ROLE, place.role);
    put_known(w, WIRE_F_BATCH, place.batch);
    put_known(w, WIRE_F_ROUTE, route);
    wire_put_text(w, WIRE_F_CLOCK, p->core->tsc ? "tsc" : "monotonic");
    wire_put_u64(w, WIRE_F_TICKMS, p->tick_ms);
    wire_put_u64(w, WIRE_F_OPENS, 1);
    wire_put_u64(w, WIRE_F_COLLECT, collection(p->core));
    put_known(w, WIRE_F_ASKER, by);
    put_known(w, WIRE_F_FACTS, facts);
    put_filter(p->core, w);
    wire_put_u64(w, WIRE_F_VIEWERS, p->viewers);
    wire_put_u64(w, WIRE_F_REFUSED, p->refused);
    wire_put_u64(w, WIRE_F_INSECURE, p->insecure);
    put_number(w, WIRE_F_RANK, place.rank);
    put_number(w, WIRE_F_LOCAL, place.local);
    put_number(w, WIRE_F_SIZE, place.size);
    if (me->has_parent)
        wire_put_bin16(w, WIRE_F_PARENT, me->parent);
}

/* What was not kept: how much, and of what. */
static void put_lost(const struct proftop *feed, struct wire_writer *w)
{
    static const char *const name[FEED_LOSTS] = {
        [FEED_LOST_DEFINITIONS] = "definitions", [FEED_LOST_OBJECTS] = "objects",
        [FEED_LOST_PHASES] = "phases",           [FEED_LOST_DETAILS] = "details",
        [FEED_LOST_METRICS] = "metrics",         [FEED_LOST_CALLS] = "calls",
        [FEED_LOST_RUNS] = "runs",               [FEED_LOST_SCOPES] = "scopes",
        [FEED_LOST_INSTANTS] = "instants",
    };
    char lines[FEED_LOSTS * 40] = "";
    uint64_t all = 0;
    for (size_t i = 0, used = 0; i < FEED_LOSTS; i++) {
        const uint64_t lost = feed_get(&feed->lost[i]);
        all += lost;
        if (lost > 0)
            used += (size_t)snprintf(lines + used, sizeof lines - used, "%s=%llu\n", name[i],
                                     (unsigned long long)lost);
    }
    wire_put_u64(w, WIRE_F_DROPPED, all);
    put_known(w, WIRE_F_LOST, lines);
}

static void put_troubles(struct feed_publisher *p, struct wire_writer *w)
{
    struct proftop *feed = p->core->handle;
    uint64_t invalid = feed_get(&feed->invalid);
    uint64_t misuse = feed_get(&feed->misuse);
    struct feed_block *block = atomic_load_explicit(&p->core->blocks, memory_order_acquire);
    for (; block != NULL; block = block->next) {
        invalid += feed_get(&block->invalid);
        misuse += feed_get(&block->misuse);
    }
    put_lost(feed, w);
    wire_put_u64(w, WIRE_F_COUNTED, feed_sum_bounded(p->scan.calls));
    wire_put_u64(w, WIRE_F_INVALID, invalid);
    wire_put_u64(w, WIRE_F_MISUSE, misuse);
    wire_put_u64(w, WIRE_F_RESTARTS, feed_get(&feed->restarts));
}

/* Each is missing while there was none. */
static void put_hits(struct feed_publisher *p, struct wire_writer *w)
{
    static const enum wire_field field[FEED_HITS] = {
        [FEED_HIT_GARBAGE] = WIRE_F_GARBAGE, [FEED_HIT_FLOODED] = WIRE_F_FLOODED,
        [FEED_HIT_FULL] = WIRE_F_FULL,       [FEED_HIT_DENIED] = WIRE_F_DENIED,
        [FEED_HIT_CROWDED] = WIRE_F_CROWDED, [FEED_HIT_CUT] = WIRE_F_CUT,
        [FEED_HIT_TOPICS] = WIRE_F_TOPICS};
    p->hit[FEED_HIT_TOPICS] = p->wanted.more;
    for (int i = 0; i < FEED_HITS; i++)
        if (p->hit[i] > 0)
            wire_put_u64(w, field[i], p->hit[i]);
}

/* The last sequence numbers, for whoever wants to know what it missed. */
static void put_last(struct feed_publisher *p, struct wire_writer *w, uint64_t seq)
{
    static const struct {
        enum wire_field field;
        enum wire_stream stream;
    } last[] = {{WIRE_F_LAST_D, WIRE_DEFS},
                {WIRE_F_LAST_F, WIRE_FUNCTIONS},
                {WIRE_F_LAST_N, WIRE_NOW},
                {WIRE_F_LAST_E, WIRE_NOTICES},
                {WIRE_F_LAST_R, WIRE_REWRITES},
                {WIRE_F_LAST_I, WIRE_DETAILS},
                {WIRE_F_LAST_C, WIRE_COUNTERS},
                {WIRE_F_LAST_S, WIRE_SPANS},
                {WIRE_F_LAST_M, WIRE_MARKERS}};
    uint32_t n = 0;
    wire_put_u64(w, WIRE_F_BYE, 1);
    wire_put_u64(w, WIRE_F_LAST_H, seq);
    for (size_t i = 0; i < sizeof last / sizeof last[0]; i++)
        wire_put_u64(w, last[i].field, p->seq[last[i].stream]);
    for (uint32_t id = 0; id < p->seq_capacity && n < LAST_ROWS; id++)
        if (p->seq_of[id] != 0) {
            p->column[0][n] = id;
            p->column[1][n++] = p->seq_of[id];
        }
    const struct wire_source columns[] = {{.u = p->column[0]}, {.u = p->column[1]}};
    wire_put_group(w, WIRE_G_LAST, 0, n, columns);
}

/* Of streams of which no row is sent twice, so that whoever lost the last frame knows it. */
static void put_unrolled(struct feed_publisher *p, struct wire_writer *w)
{
    wire_put_u64(w, WIRE_F_LAST_E, p->seq[WIRE_NOTICES]);
    wire_put_u64(w, WIRE_F_LAST_R, p->seq[WIRE_REWRITES]);
    wire_put_u64(w, WIRE_F_LAST_I, p->seq[WIRE_DETAILS]);
}

size_t feed_frame_hello(struct feed_publisher *p, uint64_t seq, uint64_t request, bool bye)
{
    struct wire_writer w;
    feed_frame_begin(p, &w, WIRE_HELLO, 0, seq, request);
    put_identity(p, &w);
    put_troubles(p, &w);
    put_hits(p, &w);
    feed_cost_put(&p->cost, p->scan.budget.limit, &w);
    if (bye)
        put_last(p, &w, seq);
    else
        put_unrolled(p, &w);
    return wire_end(&w);
}

size_t feed_frame_reply(struct feed_publisher *p, uint64_t request, const char *re,
                        const char *no, const char *text, uint64_t chunks)
{
    struct wire_writer w;
    feed_frame_begin(p, &w, WIRE_REPLY, 0, 0, request);
    wire_put_text(&w, WIRE_F_RE, re);
    wire_put_u64(&w, WIRE_F_OK, text == NULL);
    if (no != NULL)
        wire_put_text(&w, WIRE_F_NO, no);
    if (text != NULL)
        wire_put_text(&w, WIRE_F_TEXT, text);
    else
        wire_put_u64(&w, WIRE_F_CHUNKS, chunks);
    return wire_end(&w);
}

size_t feed_frame_made(struct feed_publisher *p, uint64_t request, size_t size, size_t rows)
{
    struct wire_writer w;
    feed_frame_begin(p, &w, WIRE_REPLY, 0, 0, request);
    wire_put_text(&w, WIRE_F_RE, "control");
    wire_put_u64(&w, WIRE_F_OK, 1);
    wire_put_u64(&w, WIRE_F_BYTES, size);
    wire_put_u64(&w, WIRE_F_ROWS, rows);
    return wire_end(&w);
}

size_t feed_frame_part(struct feed_publisher *p, uint64_t request, const char *data, size_t size,
                       size_t at)
{
    struct wire_writer w;
    struct wire_text text[FEED_PART_TEXTS];
    uint32_t n = 0;
    for (size_t from = at; from < size && n < FEED_PART_TEXTS; from += text[n++].size) {
        const size_t left = size - from;
        text[n].data = data + from;
        text[n].size = left < WIRE_TEXT_MAX ? (uint32_t)left : WIRE_TEXT_MAX;
    }
    feed_frame_begin(p, &w, WIRE_REPLY, 0, 0, request);
    wire_put_text(&w, WIRE_F_RE, "text");
    wire_put_u64(&w, WIRE_F_OK, 1);
    wire_put_u64(&w, WIRE_F_AT, at);
    wire_put_u64(&w, WIRE_F_BYTES, size);
    wire_put_group(&w, WIRE_G_PART, 0, n, &(struct wire_source){.text = text});
    return wire_end(&w);
}

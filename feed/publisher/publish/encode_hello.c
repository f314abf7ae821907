/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * encode_hello.c: encodes the hello, the goodbye and replies.
 */
#include "config.h"

#include "feed/publisher/record/count_filter.h"
#include "feed/publisher/collect/sum.h"
#include "feed/publisher/publish/encode.h"

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

/* Puts the count filter: patterns of the functions that are counted, and the kinds of applies that
 * are left out. */
static void put_filter(struct publisher_core *core, struct wire_writer *w)
{
    char only[SHARED_PATTERNS_SIZE];
    pthread_mutex_lock(&core->handle->lock);
    memcpy(only, core->count_filter.functions, sizeof only);
    const unsigned mute = publisher_count_filter_mute(core);
    pthread_mutex_unlock(&core->handle->lock);
    put_known(w, WIRE_F_ONLY, only);
    if (mute != 0)
        wire_put_u64(w, WIRE_F_MUTE, mute);
}

/* Collection state on the wire: 0 nothing, 1 all, 2 applies while a viewer watches. In the goodbye:
 * the state until then. */
static uint64_t collection(struct publisher_core *core)
{
    pthread_mutex_lock(&core->handle->lock);
    bool counts = !core->control.stopped && !core->control.paused;
    pthread_mutex_unlock(&core->handle->lock);
    return !counts ? 0 : core->count_filter.on_demand ? 2 : 1;
}

struct shared_rank publisher_rank_now(struct publisher_core *core)
{
    struct shared_rank place = core->me.place;
    pthread_mutex_lock(&core->handle->lock);
    if (core->rank != PROFTOP_UNKNOWN) {
        place.rank = core->rank;
        place.size = core->size;
    }
    pthread_mutex_unlock(&core->handle->lock);
    return place;
}

static void put_identity(struct publisher *p, struct wire_writer *w)
{
    const struct publisher_identity *me = &p->core->me;
    const struct shared_rank place = publisher_rank_now(p->core);
    char route[PUBLISHER_ROUTE_SIZE], facts[PUBLISHER_FACTS_SIZE], by[PUBLISHER_BY_SIZE];
    double left_out;
    pthread_mutex_lock(&p->core->handle->lock);
    memcpy(route, p->core->route, sizeof route);
    memcpy(facts, p->core->facts, sizeof facts);
    memcpy(by, p->core->control.by, sizeof by);
    left_out = p->core->left_out;
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
    if (left_out > 0)
        wire_put_f64(w, WIRE_F_SHARE, 1 - left_out);
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

/* Puts how much data was lost, and of which kind. */
static void put_lost(const struct proftop *feed, struct wire_writer *w)
{
    static const char *const name[PUBLISHER_LOSTS] = {
        [PUBLISHER_LOST_DEFINITIONS] = "definitions",
        [PUBLISHER_LOST_OBJECTS] = "objects",
        [PUBLISHER_LOST_PHASES] = "phases",
        [PUBLISHER_LOST_DETAILS] = "details",
        [PUBLISHER_LOST_METRICS] = "metrics",
        [PUBLISHER_LOST_CALLS] = "calls",
        [PUBLISHER_LOST_RUNS] = "runs",
        [PUBLISHER_LOST_SCOPES] = "scopes",
        [PUBLISHER_LOST_INSTANTS] = "instants",
    };
    char lines[PUBLISHER_LOSTS * 40] = "";
    uint64_t all = 0;
    for (size_t i = 0, used = 0; i < PUBLISHER_LOSTS; i++) {
        const uint64_t lost = publisher_load(&feed->lost[i]);
        all += lost;
        if (lost > 0)
            used += (size_t)snprintf(lines + used, sizeof lines - used, "%s=%llu\n", name[i],
                                     (unsigned long long)lost);
    }
    wire_put_u64(w, WIRE_F_DROPPED, all);
    put_known(w, WIRE_F_LOST, lines);
}

static void put_troubles(struct publisher *p, struct wire_writer *w)
{
    struct proftop *feed = p->core->handle;
    uint64_t invalid = publisher_load(&feed->invalid);
    uint64_t misuse = publisher_load(&feed->misuse);
    struct publisher_block *block = atomic_load_explicit(&p->core->blocks, memory_order_acquire);
    for (; block != NULL; block = block->next) {
        invalid += publisher_load(&block->invalid);
        misuse += publisher_load(&block->misuse);
    }
    put_lost(feed, w);
    wire_put_u64(w, WIRE_F_COUNTED, publisher_sum_bounded(p->aggregate.calls));
    wire_put_u64(w, WIRE_F_INVALID, invalid);
    wire_put_u64(w, WIRE_F_MISUSE, misuse);
    wire_put_u64(w, WIRE_F_RESTARTS, publisher_load(&feed->restarts));
}

/* A field is left out while its count is 0. */
static void put_hits(struct publisher *p, struct wire_writer *w)
{
    static const enum wire_field field[PUBLISHER_HITS] = {
        [PUBLISHER_LIMIT_HIT_GARBAGE] = WIRE_F_GARBAGE,
        [PUBLISHER_LIMIT_HIT_FLOODED] = WIRE_F_FLOODED,
        [PUBLISHER_LIMIT_HIT_FULL] = WIRE_F_FULL,
        [PUBLISHER_LIMIT_HIT_DENIED] = WIRE_F_DENIED,
        [PUBLISHER_LIMIT_HIT_CROWDED] = WIRE_F_CROWDED,
        [PUBLISHER_LIMIT_HIT_CUT] = WIRE_F_CUT,
        [PUBLISHER_LIMIT_HIT_TOPICS] = WIRE_F_TOPICS};
    p->limit_hit[PUBLISHER_LIMIT_HIT_TOPICS] = p->sender.subscriptions.more;
    for (int i = 0; i < PUBLISHER_HITS; i++)
        if (p->limit_hit[i] > 0)
            wire_put_u64(w, field[i], p->limit_hit[i]);
}

/* Puts the last sequence numbers, so that viewers know which frames they missed. */
static void put_last(struct publisher *p, struct wire_writer *w, uint64_t seq)
{
    static const struct {
        enum wire_field field;
        enum wire_stream stream;
    } last[] = {{WIRE_F_LAST_D, WIRE_DEFS},     {WIRE_F_LAST_F, WIRE_FUNCTIONS},
                {WIRE_F_LAST_N, WIRE_NOW},      {WIRE_F_LAST_E, WIRE_NOTICES},
                {WIRE_F_LAST_R, WIRE_REWRITES}, {WIRE_F_LAST_I, WIRE_DETAILS},
                {WIRE_F_LAST_C, WIRE_COUNTERS}, {WIRE_F_LAST_S, WIRE_SPANS},
                {WIRE_F_LAST_M, WIRE_MARKERS}};
    uint32_t n = 0;
    wire_put_u64(w, WIRE_F_BYE, 1);
    wire_put_u64(w, WIRE_F_LAST_H, seq);
    for (size_t i = 0; i < sizeof last / sizeof last[0]; i++)
        wire_put_u64(w, last[i].field, p->sender.seq[last[i].stream]);
    for (uint32_t id = 0; id < p->applies.seq_capacity && n < LAST_ROWS; id++)
        if (p->applies.seq[id] != 0) {
            p->frame.column[0][n] = id;
            p->frame.column[1][n++] = p->applies.seq[id];
        }
    const struct wire_source columns[] = {{.u = p->frame.column[0]}, {.u = p->frame.column[1]}};
    wire_put_group(w, WIRE_G_LAST, 0, n, columns);
}

/* Puts the last sequence numbers of streams that send each row only once, so that a viewer notices
 * if it lost the last frame. */
static void put_unrolled(struct publisher *p, struct wire_writer *w)
{
    wire_put_u64(w, WIRE_F_LAST_E, p->sender.seq[WIRE_NOTICES]);
    wire_put_u64(w, WIRE_F_LAST_R, p->sender.seq[WIRE_REWRITES]);
    wire_put_u64(w, WIRE_F_LAST_I, p->sender.seq[WIRE_DETAILS]);
}

size_t publisher_encode_hello(struct publisher *p, uint64_t seq, uint64_t request, bool bye)
{
    struct wire_writer w;
    publisher_encode_begin(p, &w, WIRE_HELLO, 0, seq, request);
    put_identity(p, &w);
    put_troubles(p, &w);
    put_hits(p, &w);
    publisher_overhead_put(&p->overhead, p->aggregate.budget.limit, &w);
    if (bye)
        put_last(p, &w, seq);
    else
        put_unrolled(p, &w);
    return wire_end(&w);
}

size_t publisher_encode_reply(struct publisher *p, uint64_t request, const char *re, const char *no,
                              const char *text, uint64_t chunks)
{
    struct wire_writer w;
    publisher_encode_begin(p, &w, WIRE_REPLY, 0, 0, request);
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

size_t publisher_encode_report(struct publisher *p, uint64_t request, size_t size, size_t rows)
{
    struct wire_writer w;
    publisher_encode_begin(p, &w, WIRE_REPLY, 0, 0, request);
    wire_put_text(&w, WIRE_F_RE, "control");
    wire_put_u64(&w, WIRE_F_OK, 1);
    wire_put_u64(&w, WIRE_F_BYTES, size);
    wire_put_u64(&w, WIRE_F_ROWS, rows);
    return wire_end(&w);
}

size_t publisher_encode_report_part(struct publisher *p, uint64_t request, const char *data,
                                    size_t size, size_t at)
{
    struct wire_writer w;
    struct wire_text text[WIRE_PART_TEXTS];
    uint32_t n = 0;
    for (size_t from = at; from < size && n < WIRE_PART_TEXTS; from += text[n++].size) {
        const size_t left = size - from;
        text[n].data = data + from;
        text[n].size = left < WIRE_TEXT_MAX ? (uint32_t)left : WIRE_TEXT_MAX;
    }
    publisher_encode_begin(p, &w, WIRE_REPLY, 0, 0, request);
    wire_put_text(&w, WIRE_F_RE, "text");
    wire_put_u64(&w, WIRE_F_OK, 1);
    wire_put_u64(&w, WIRE_F_AT, at);
    wire_put_u64(&w, WIRE_F_BYTES, size);
    wire_put_group(&w, WIRE_G_PART, 0, n, &(struct wire_source){.text = text});
    return wire_end(&w);
}

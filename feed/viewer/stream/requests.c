/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * requests.c: writes the requests of a viewer, and decides which snapshot it needs.
 */
#include "config.h"

#include "feed/viewer/stream/sync.h"

#include <string.h>

enum {
    ROW_BYTES = 15,                 /* bytes of an apply in a tick, about */
    ROLL_BYTES = WIRE_TICK_MAX / 2, /* bytes per tick for rows of applies if all applies are busy,
                                     * with a margin */
};

bool viewer_sync_rolls(const struct viewer_sync *sync)
{
    return model_job_count(sync->job, MODEL_APPLY) <= ROLL_BYTES / ROW_BYTES;
}

enum viewer_snapshot_scope viewer_sync_want(const struct viewer_sync *sync)
{
    if (!sync->job || sync->snapshot || sync->final)
        return VIEWER_SNAPSHOT_NOTHING;
    if (!sync->whole || sync->bye)
        return VIEWER_SNAPSHOT_ALL;
    if (sync->link->healing && sync->tick >= sync->heal_tick)
        return VIEWER_SNAPSHOT_ALL; /* the job is too large: not every row is sent again in time */
    if (sync->hold.count > 0)
        return VIEWER_SNAPSHOT_DEFS;
    return sync->missed ? VIEWER_SNAPSHOT_MISSED : VIEWER_SNAPSHOT_NOTHING;
}

void viewer_sync_cancel(struct viewer_sync *sync)
{
    sync->snapshot = 0;
    sync->want = VIEWER_SNAPSHOT_NOTHING;
    sync->chunks = 0;
    sync->credit = 0;
    sync->asked = 0;
    sync->answered = sync->broken = sync->gap_since = sync->after_bye = false;
}

static void begin(struct wire_writer *w, void *out, size_t capacity, const char *word,
                  uint64_t number)
{
    wire_begin(w, out, capacity, WIRE_REQUEST, 0);
    wire_put_u64(w, WIRE_F_VER, WIRE_VERSION);
    wire_put_text(w, WIRE_F_Q, word);
    wire_put_u64(w, WIRE_F_REQ, number);
}

size_t viewer_sync_ask_hello(struct viewer_sync *sync, void *out, size_t capacity)
{
    struct wire_writer w;
    sync->hello = ++sync->request;
    begin(&w, out, capacity, "hello", sync->hello);
    if (sync->tick_ms > 0)
        wire_put_u64(&w, WIRE_F_TICKMS, sync->tick_ms);
    return wire_end(&w);
}

/* Writes the letters of the streams, in the order that the job requires. */
static void take_letters(char *word, uint32_t streams)
{
    static const enum wire_stream order[] = {WIRE_DEFS,    WIRE_FUNCTIONS, WIRE_APPLIES, WIRE_NOW,
                                             WIRE_NOTICES, WIRE_REWRITES,  WIRE_DETAILS,
                                             WIRE_COUNTERS, WIRE_SPANS,    WIRE_MARKERS,
                                             WIRE_PERCENTILES};
    for (unsigned i = 0; i < sizeof order / sizeof order[0]; i++)
        if (streams >> order[i] & 1)
            *word++ = wire_letters[order[i]];
    *word = '\0';
}

size_t viewer_sync_ask_snapshot(struct viewer_sync *sync, enum viewer_snapshot_scope want,
                                void *out, size_t capacity)
{
    uint32_t from[WIRE_TABLES] = {
        [WIRE_T_CLASS] = model_job_count(sync->job, MODEL_CLASS),
        [WIRE_T_OP] = model_job_count(sync->job, MODEL_OP),
        [WIRE_T_FUNCTION] = model_job_count(sync->job, MODEL_FUNCTION),
        [WIRE_T_APPLY] = model_job_count(sync->job, MODEL_APPLY),
        [WIRE_T_THREAD] = model_job_count(sync->job, MODEL_THREAD),
        [WIRE_T_COUNTER] = model_job_count(sync->job, MODEL_COUNTER),
        [WIRE_T_SPAN] = model_job_count(sync->job, MODEL_SPAN),
        [WIRE_T_MARKER] = model_job_count(sync->job, MODEL_MARKER),
    };
    const uint32_t missed = want == VIEWER_SNAPSHOT_MISSED ? sync->missed : 0;
    const uint32_t streams[] = {[VIEWER_SNAPSHOT_DEFS] = 1u << WIRE_DEFS,
                                [VIEWER_SNAPSHOT_MISSED] = missed,
                                [VIEWER_SNAPSHOT_ALL] = ~0u};
    char word[WIRE_STREAMS + 1];
    struct wire_writer w;
    viewer_sync_cancel(sync);
    sync->snapshot = ++sync->request;
    sync->want = want;
    if (want == VIEWER_SNAPSHOT_ALL)
        viewer_consistency_begin(&sync->moment);
    sync->after_bye = sync->bye != NULL;
    sync->asked = streams[want];
    memcpy(sync->told_before, sync->told, sizeof sync->told);
    take_letters(word, streams[want]);
    begin(&w, out, capacity, "snapshot", sync->snapshot);
    wire_put_text(&w, WIRE_F_WANT, word);
    wire_put_counts(&w, WIRE_F_FROM, from);
    wire_put_u64(&w, WIRE_F_CREDIT, WIRE_CREDIT);
    return wire_end(&w);
}

/* Requests more frames. The credit is limited to that of one snapshot request. */
size_t viewer_sync_ask_more(struct viewer_sync *sync, void *out, size_t capacity)
{
    struct wire_writer w;
    uint32_t credit = sync->credit < WIRE_CREDIT ? sync->credit : WIRE_CREDIT;
    sync->credit -= credit;
    begin(&w, out, capacity, "more", sync->snapshot);
    wire_put_u64(&w, WIRE_F_CREDIT, credit);
    return wire_end(&w);
}

size_t viewer_sync_ask_control(struct viewer_sync *sync, const char *what, const char *arg,
                               void *out, size_t capacity)
{
    sync->outcome =
        (struct viewer_request_outcome){.fate = VIEWER_ASKED, .request = ++sync->request};
    viewer_job_report_release(&sync->made);
    const uint8_t *instance = sync->job ? model_job_identity(sync->job)->instance : NULL;
    return viewer_command_write(instance, sync->request, what, arg, out, capacity);
}

size_t viewer_sync_ask_text(struct viewer_sync *sync, void *out, size_t capacity)
{
    struct wire_writer w;
    sync->made.request = ++sync->request;
    begin(&w, out, capacity, "text", sync->made.request);
    wire_put_u64(&w, WIRE_F_AT, sync->made.have);
    return wire_end(&w);
}

size_t viewer_sync_ack(struct viewer_sync *sync, void *out, size_t capacity)
{
    struct wire_writer w;
    begin(&w, out, capacity, "ack", ++sync->request);
    return wire_end(&w);
}

/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * snapshot.c: the frames of a snapshot, one after the other, as its viewer gives credit for them.
 * Each frame states the number of its stream up to which it is complete. So it covers the
 * definitions that exist when it is sent, not those that existed at the request.
 */
#include "config.h"

#include "feed/publisher/collect/aggregate.h"
#include "feed/publisher/collect/aggregate_calls.h"
#include "feed/publisher/publish/encode.h"
#include "feed/publisher/publish/encode_objects.h"
#include "feed/publisher/publish/snapshot.h"

#include <string.h>

/* Limits of one step, beside its frame. */
enum {
    STEP_SUMS = 8,     /* chunks that are summed */
    STEP_LOOKS = 8192, /* applies and functions that are looked at */
};

/* The rest of these limits. */
struct left {
    uint32_t sums, looks;
};

/* The data of one letter of `streams`, sent step by step. Most letters differ in their tables. */
struct part {
    char letter;
    uint8_t stream, table; /* of the wire */
    uint16_t most;         /* rows of a frame, for data sent by id */
    enum publisher_step (*next)(struct publisher *p, struct publisher_snapshot *shot,
                                const struct part *part, size_t *size);
    union {
        size_t (*rows)(struct publisher *p, uint64_t seq, uint64_t request, const uint32_t *id,
                       size_t n);
        size_t (*from)(struct publisher *p, uint64_t seq, uint64_t request, uint32_t *from);
    } frame;
};

/* An empty frame had nothing to send: there may be more. */
static enum publisher_step step_of(size_t size)
{
    return size == 0 ? PUBLISHER_STEP_NOTHING : PUBLISHER_STEP_FRAME;
}

static enum publisher_step last_of(size_t size)
{
    return size == 0 ? PUBLISHER_STEP_END : PUBLISHER_STEP_FRAME;
}

static enum publisher_step step_defs(struct publisher *p, struct publisher_snapshot *shot,
                                     const struct part *part, size_t *size)
{
    *size = publisher_encode_defs(p, p->sender.seq[part->stream], shot->request, shot->from);
    return last_of(*size);
}

/* Sends rows by id. */
static enum publisher_step step_rows(struct publisher *p, struct publisher_snapshot *shot,
                                     const struct part *part, size_t *size)
{
    uint32_t id[WIRE_FRAME_ROWS], n = 0;
    while (n < part->most && shot->function < p->defs[part->table])
        id[n++] = shot->function++;
    if (n == 0)
        return PUBLISHER_STEP_END;
    *size = part->frame.rows(p, p->sender.seq[part->stream], shot->request, id, n);
    return step_of(*size);
}

static enum publisher_step step_functions(struct publisher *p, struct publisher_snapshot *shot,
                                          const struct part *part, size_t *size)
{
    const uint32_t count = p->defs[WIRE_T_FUNCTION], last = shot->function + part->most;
    const uint32_t end = last < count ? last : count;
    for (uint32_t at = shot->function / PUBLISHER_CHUNK; at * PUBLISHER_CHUNK < end; at++)
        publisher_aggregate_calls(&p->aggregate, at, count);
    return step_rows(p, shot, part, size);
}

/* Sends data from a position on; encoding a frame advances the position. */
static enum publisher_step step_from(struct publisher *p, struct publisher_snapshot *shot,
                                     const struct part *part, size_t *size)
{
    const uint32_t before = shot->apply;
    *size = part->frame.from(p, p->sender.seq[part->stream], shot->request, &shot->apply);
    return shot->apply == before ? PUBLISHER_STEP_END : step_of(*size);
}

/* Sums the chunk of this row, unless that was done since the request. Returns false if this step
 * has reached its limit. */
static bool bring_up(struct publisher *p, const struct publisher_snapshot *shot, uint32_t apply,
                     struct left *left)
{
    const uint32_t at = apply >> PUBLISHER_CHUNK_SHIFT;
    if (!publisher_aggregate_is_old(&p->aggregate, at, shot->number))
        return true;
    if (left->sums == 0)
        return false;
    left->sums--;
    publisher_aggregate_chunk(&p->aggregate, at, p->defs[WIRE_T_APPLY]);
    return true;
}

/* Collects the next applies of the snapshot's function that have rows. Returns false if some of
 * their rows are not summed yet; the next step collects them anew. */
static bool next_applies(struct publisher *p, struct publisher_snapshot *shot,
                         uint32_t id[WIRE_FRAME_ROWS], uint32_t *n, struct left *left)
{
    struct publisher_function_row *row =
        publisher_definitions_row(&p->core->definitions, PUBLISHER_DEF_FUNCTION, shot->function);
    if (shot->apply == 0) {
        pthread_mutex_lock(&p->core->handle->lock);
        shot->apply = row->first + 1; /* PUBLISHER_NONE becomes 0 */
        pthread_mutex_unlock(&p->core->handle->lock);
    }
    uint32_t next = shot->apply;
    while (next != 0 && next <= p->defs[WIRE_T_APPLY] && *n < WIRE_FRAME_ROWS && left->looks > 0) {
        const uint32_t apply = next - 1;
        const struct publisher_apply_row *def =
            publisher_definitions_row(&p->core->definitions, PUBLISHER_DEF_APPLY, apply);
        if (!bring_up(p, shot, apply, left))
            return false;
        next = atomic_load_explicit(&def->next, memory_order_acquire);
        left->looks--;
        if (publisher_aggregate_apply(&p->aggregate, apply) != NULL)
            id[(*n)++] = apply;
    }
    shot->apply = next;
    return true;
}

static enum publisher_step step_applies(struct publisher *p, struct publisher_snapshot *shot,
                                        const struct part *part, size_t *size)
{
    (void)part;
    uint32_t id[WIRE_FRAME_ROWS];
    struct left left = {.sums = STEP_SUMS, .looks = STEP_LOOKS};
    while (shot->function < p->defs[WIRE_T_FUNCTION] && left.looks > 0) {
        const uint32_t function = shot->function;
        uint32_t n = 0;
        left.looks--;
        if (!next_applies(p, shot, id, &n, &left))
            return PUBLISHER_STEP_NOTHING;
        if (shot->apply == 0 || shot->apply > p->defs[WIRE_T_APPLY]) {
            shot->apply = 0;
            shot->function++;
        }
        uint64_t seq = function < p->applies.seq_capacity ? p->applies.seq[function] : 0;
        *size = n == 0 ? 0 : publisher_encode_applies(p, seq, shot->request, function, id, n, true);
        if (*size != 0)
            return PUBLISHER_STEP_FRAME;
    }
    return left.looks == 0 ? PUBLISHER_STEP_NOTHING : PUBLISHER_STEP_END;
}

static enum publisher_step step_now(struct publisher *p, struct publisher_snapshot *shot,
                                    const struct part *part, size_t *size)
{
    size_t rows;
    if (shot->function++ != 0)
        return PUBLISHER_STEP_END;
    *size = publisher_encode_now(p, p->sender.seq[part->stream], shot->request, &rows);
    p->sent.now_shown |= rows != 0; /* a later empty list tells viewers that the calls have ended */
    return last_of(*size);
}

static enum publisher_step step_notices(struct publisher *p, struct publisher_snapshot *shot,
                                        const struct part *part, size_t *size)
{
    uint64_t end;
    if (shot->function++ != 0)
        return PUBLISHER_STEP_END;
    *size = publisher_encode_notices(p, p->sender.seq[part->stream], shot->request, 0, &end);
    return last_of(*size);
}

static enum publisher_step step_marks(struct publisher *p, struct publisher_snapshot *shot,
                                      const struct part *part, size_t *size)
{
    *size = publisher_encode_marks(p, p->sender.seq[part->stream], shot->request, &shot->mark);
    return last_of(*size);
}

/* Sums all rows, since percentiles are counted from rows: also rows that no frame of this snapshot
 * holds. Returns false if not all are summed yet. */
static bool bring_all_up(struct publisher *p, struct publisher_snapshot *shot)
{
    struct left left = {.sums = STEP_SUMS};
    while (shot->function < p->defs[WIRE_T_APPLY] && bring_up(p, shot, shot->function, &left))
        shot->function += PUBLISHER_CHUNK;
    return shot->function >= p->defs[WIRE_T_APPLY];
}

static enum publisher_step step_percentiles(struct publisher *p, struct publisher_snapshot *shot,
                                            const struct part *part, size_t *size)
{
    struct publisher_percentiles *percentiles = &p->percentiles;
    if (shot->round == 0 && !bring_all_up(p, shot))
        return PUBLISHER_STEP_NOTHING;
    if (shot->round == 0)
        shot->round = percentiles->rounds + 1;
    if (!publisher_percentiles_reach(percentiles, &p->aggregate, p->defs[WIRE_T_OP], shot->round))
        return PUBLISHER_STEP_NOTHING;
    *size = publisher_encode_percentiles(p, p->sender.seq[part->stream], shot->request,
                                         &shot->apply, true);
    return last_of(*size);
}

/* Sends the details of applies, and after the last one the values of their metrics. */
static enum publisher_step step_details(struct publisher *p, struct publisher_snapshot *shot,
                                        const struct part *part, size_t *size)
{
    const uint32_t before = shot->function;
    const enum publisher_step step = step_from(p, shot, part, size);
    if (step != PUBLISHER_STEP_END)
        return step;
    *size =
        publisher_encode_metrics(p, p->sender.seq[part->stream], shot->request, &shot->function);
    return shot->function == before ? PUBLISHER_STEP_END : step_of(*size);
}

static const struct part parts[] = {
    {'D', WIRE_DEFS, .next = step_defs},
    {'F', WIRE_FUNCTIONS, WIRE_T_FUNCTION, PUBLISHER_FUNCTION_ROWS, .next = step_functions,
     .frame.rows = publisher_encode_functions},
    {'A', WIRE_APPLIES, .next = step_applies},
    {'N', WIRE_NOW, .next = step_now},
    {'E', WIRE_NOTICES, .next = step_notices},
    {'R', WIRE_REWRITES, .next = step_from, .frame.from = publisher_encode_phases},
    {'I', WIRE_DETAILS, .next = step_details, .frame.from = publisher_encode_details},
    {'C', WIRE_COUNTERS, WIRE_T_COUNTER, PUBLISHER_COUNTER_ROWS, .next = step_rows,
     .frame.rows = publisher_encode_counters},
    {'S', WIRE_SPANS, WIRE_T_SPAN, PUBLISHER_SPAN_ROWS, .next = step_rows,
     .frame.rows = publisher_encode_spans},
    {'M', WIRE_MARKERS, .next = step_marks},
    {'P', WIRE_PERCENTILES, .next = step_percentiles},
};
enum { PARTS = sizeof parts / sizeof parts[0] };

void publisher_snapshot_begin(struct publisher *p, struct publisher_snapshot *shot)
{
    publisher_refresh_definitions(p);
    publisher_send_definitions(p); /* frames of another viewer's running snapshot refer to these
                                    * definitions */
    publisher_ticks_settle(&p->core->ticks);
    shot->number = ++p->aggregate.snapshots;
}

enum publisher_step publisher_snapshot_next(struct publisher *p, struct publisher_snapshot *shot,
                                            size_t *size)
{
    while (shot->streams[0] != 0) {
        int part = 0;
        while (parts[part].letter != shot->streams[0])
            part++;
        const enum publisher_step step = parts[part].next(p, shot, &parts[part], size);
        if (step != PUBLISHER_STEP_END)
            return step;
        memmove(shot->streams, shot->streams + 1, strlen(shot->streams));
        shot->function = shot->apply = 0;
    }
    return PUBLISHER_STEP_END;
}

bool publisher_snapshot_streams(char to[WIRE_STREAMS], const struct wire_text *text)
{
    int part = 0;
    for (uint32_t i = 0; i < text->size; i++, part++) {
        while (part < PARTS && parts[part].letter != text->data[i])
            part++;
        if (part == PARTS)
            return false;
        to[i] = text->data[i];
    }
    return text->size != 0;
}

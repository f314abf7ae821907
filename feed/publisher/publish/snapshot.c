/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * snapshot.c: the frames of a snapshot, one after the other, as its viewer gives credit for them.
 * Each says up to which number of its stream it holds all, so it is of what is defined by then, not
 * of what was when it was asked for.
 */
#include "config.h"

#include "feed/publisher/publish/snapshot.h"

#include <string.h>

/* What one step does at most, beside its frame. */
enum {
    STEP_SUMS = 8,     /* chunks that are summed */
    STEP_LOOKS = 8192, /* applies and functions that are looked at */
};

/* What is left of that. */
struct left {
    uint32_t sums, looks;
};

/* What a letter of `want` brings, step by step. Most are alike, but for what they are of. */
struct part {
    char letter;
    uint8_t stream, table; /* of the wire */
    uint16_t most;         /* rows of a frame, of those that are told by id */
    enum feed_step (*next)(struct feed_publisher *p, struct feed_snapshot *shot,
                           const struct part *part, size_t *size);
    union {
        size_t (*rows)(struct feed_publisher *p, uint64_t seq, uint64_t request, const uint32_t *id,
                       size_t n);
        size_t (*from)(struct feed_publisher *p, uint64_t seq, uint64_t request, uint32_t *from);
    } frame;
};

/* A frame of no bytes had nothing to tell: there may be more. */
static enum feed_step step_of(size_t size)
{
    return size == 0 ? FEED_STEP_NOTHING : FEED_STEP_FRAME;
}

static enum feed_step last_of(size_t size)
{
    return size == 0 ? FEED_STEP_END : FEED_STEP_FRAME;
}

static enum feed_step want_defs(struct feed_publisher *p, struct feed_snapshot *shot,
                                const struct part *part, size_t *size)
{
    *size = feed_frame_defs(p, p->seq[part->stream], shot->request, shot->from);
    return last_of(*size);
}

/* Rows by id. */
static enum feed_step want_rows(struct feed_publisher *p, struct feed_snapshot *shot,
                                const struct part *part, size_t *size)
{
    uint32_t id[WIRE_FRAME_ROWS], n = 0;
    while (n < part->most && shot->function < p->defs[part->table])
        id[n++] = shot->function++;
    if (n == 0)
        return FEED_STEP_END;
    *size = part->frame.rows(p, p->seq[part->stream], shot->request, id, n);
    return step_of(*size);
}

static enum feed_step want_functions(struct feed_publisher *p, struct feed_snapshot *shot,
                                     const struct part *part, size_t *size)
{
    const uint32_t count = p->defs[WIRE_T_FUNCTION], last = shot->function + part->most;
    const uint32_t end = last < count ? last : count;
    for (uint32_t at = shot->function / FEED_CHUNK; at * FEED_CHUNK < end; at++)
        feed_scan_calls(&p->scan, at, count);
    return want_rows(p, shot, part, size);
}

/* What is told from a place on, which its frame moves. */
static enum feed_step want_from(struct feed_publisher *p, struct feed_snapshot *shot,
                                const struct part *part, size_t *size)
{
    const uint32_t before = shot->apply;
    *size = part->frame.from(p, p->seq[part->stream], shot->request, &shot->apply);
    return shot->apply == before ? FEED_STEP_END : step_of(*size);
}

/* Sums the chunk that this row is in, unless that was done. False: not in this step. */
static bool bring_up(struct feed_publisher *p, const struct feed_snapshot *shot, uint32_t apply,
                     struct left *left)
{
    const uint32_t at = apply >> FEED_CHUNK_SHIFT;
    if (!feed_scan_is_old(&p->scan, at, shot->asked))
        return true;
    if (left->sums == 0)
        return false;
    left->sums--;
    feed_scan_chunk(&p->scan, at, p->defs[WIRE_T_APPLY]);
    return true;
}

/* The next applies of the snapshot's function that have rows. False: their rows are not all summed
 * yet; they are looked for again. */
static bool next_applies(struct feed_publisher *p, struct feed_snapshot *shot,
                         uint32_t id[WIRE_FRAME_ROWS], uint32_t *n, struct left *left)
{
    struct feed_function_row *row = feed_book_row(&p->core->book, FEED_T_FUNCTION, shot->function);
    if (shot->apply == 0) {
        pthread_mutex_lock(&p->core->handle->lock);
        shot->apply = row->first + 1; /* FEED_NONE becomes 0 */
        pthread_mutex_unlock(&p->core->handle->lock);
    }
    uint32_t next = shot->apply;
    while (next != 0 && next <= p->defs[WIRE_T_APPLY] && *n < WIRE_FRAME_ROWS && left->looks > 0) {
        const uint32_t apply = next - 1;
        const struct feed_apply_row *def = feed_book_row(&p->core->book, FEED_T_APPLY, apply);
        if (!bring_up(p, shot, apply, left))
            return false;
        next = atomic_load_explicit(&def->next, memory_order_acquire);
        left->looks--;
        if (feed_scan_apply(&p->scan, apply) != NULL)
            id[(*n)++] = apply;
    }
    shot->apply = next;
    return true;
}

static enum feed_step want_applies(struct feed_publisher *p, struct feed_snapshot *shot,
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
            return FEED_STEP_NOTHING;
        if (shot->apply == 0 || shot->apply > p->defs[WIRE_T_APPLY]) {
            shot->apply = 0;
            shot->function++;
        }
        uint64_t seq = function < p->seq_capacity ? p->seq_of[function] : 0;
        *size = n == 0 ? 0 : feed_frame_applies(p, seq, shot->request, function, id, n, true);
        if (*size != 0)
            return FEED_STEP_FRAME;
    }
    return left.looks == 0 ? FEED_STEP_NOTHING : FEED_STEP_END;
}

static enum feed_step want_now(struct feed_publisher *p, struct feed_snapshot *shot,
                               const struct part *part, size_t *size)
{
    size_t rows;
    if (shot->function++ != 0)
        return FEED_STEP_END;
    *size = feed_frame_now(p, p->seq[part->stream], shot->request, &rows);
    p->now_shown |= rows != 0; /* to be taken back when it has ended */
    return last_of(*size);
}

static enum feed_step want_notices(struct feed_publisher *p, struct feed_snapshot *shot,
                                   const struct part *part, size_t *size)
{
    uint64_t end;
    if (shot->function++ != 0)
        return FEED_STEP_END;
    *size = feed_frame_notices(p, p->seq[part->stream], shot->request, 0, &end);
    return last_of(*size);
}

static enum feed_step want_marks(struct feed_publisher *p, struct feed_snapshot *shot,
                                 const struct part *part, size_t *size)
{
    *size = feed_frame_marks(p, p->seq[part->stream], shot->request, &shot->mark);
    return last_of(*size);
}

/* They are counted from rows: those of no frame are summed too. False: not all are yet. */
static bool bring_all_up(struct feed_publisher *p, struct feed_snapshot *shot)
{
    struct left left = {.sums = STEP_SUMS};
    while (shot->function < p->defs[WIRE_T_APPLY] && bring_up(p, shot, shot->function, &left))
        shot->function += FEED_CHUNK;
    return shot->function >= p->defs[WIRE_T_APPLY];
}

static enum feed_step want_percentiles(struct feed_publisher *p, struct feed_snapshot *shot,
                                       const struct part *part, size_t *size)
{
    struct feed_percentiles *percentiles = &p->percentiles;
    if (shot->round == 0 && !bring_all_up(p, shot))
        return FEED_STEP_NOTHING;
    if (shot->round == 0)
        shot->round = percentiles->rounds + 1;
    if (!feed_percentiles_reach(percentiles, &p->scan, p->defs[WIRE_T_OP], shot->round))
        return FEED_STEP_NOTHING;
    *size = feed_frame_percentiles(p, p->seq[part->stream], shot->request, &shot->apply, true);
    return last_of(*size);
}

/* What applies are, and behind the last the values of their metrics. */
static enum feed_step want_details(struct feed_publisher *p, struct feed_snapshot *shot,
                                   const struct part *part, size_t *size)
{
    const uint32_t before = shot->function;
    const enum feed_step step = want_from(p, shot, part, size);
    if (step != FEED_STEP_END)
        return step;
    *size = feed_frame_metrics(p, p->seq[part->stream], shot->request, &shot->function);
    return shot->function == before ? FEED_STEP_END : step_of(*size);
}

static const struct part parts[] = {
    {'D', WIRE_DEFS, .next = want_defs},
    {'F', WIRE_FUNCTIONS, WIRE_T_FUNCTION, FEED_FUNCTION_ROWS, .next = want_functions,
     .frame.rows = feed_frame_functions},
    {'A', WIRE_APPLIES, .next = want_applies},
    {'N', WIRE_NOW, .next = want_now},
    {'E', WIRE_NOTICES, .next = want_notices},
    {'R', WIRE_REWRITES, .next = want_from, .frame.from = feed_frame_phases},
    {'I', WIRE_DETAILS, .next = want_details, .frame.from = feed_frame_details},
    {'C', WIRE_COUNTERS, WIRE_T_COUNTER, FEED_COUNTER_ROWS, .next = want_rows,
     .frame.rows = feed_frame_counters},
    {'S', WIRE_SPANS, WIRE_T_SPAN, FEED_SPAN_ROWS, .next = want_rows,
     .frame.rows = feed_frame_spans},
    {'M', WIRE_MARKERS, .next = want_marks},
    {'P', WIRE_PERCENTILES, .next = want_percentiles},
};
enum { PARTS = sizeof parts / sizeof parts[0] };

void feed_snapshot_begin(struct feed_publisher *p, struct feed_snapshot *shot)
{
    feed_publisher_know(p);
    feed_publisher_define(p); /* who is amid another one gets frames that rely on them */
    feed_ticks_settle(&p->core->ticks);
    shot->asked = ++p->scan.asked;
}

enum feed_step feed_snapshot_next(struct feed_publisher *p, struct feed_snapshot *shot,
                                  size_t *size)
{
    while (shot->want[0] != 0) {
        int part = 0;
        while (parts[part].letter != shot->want[0])
            part++;
        const enum feed_step step = parts[part].next(p, shot, &parts[part], size);
        if (step != FEED_STEP_END)
            return step;
        memmove(shot->want, shot->want + 1, strlen(shot->want));
        shot->function = shot->apply = 0;
    }
    return FEED_STEP_END;
}

bool feed_snapshot_want(char to[WIRE_STREAMS], const struct wire_text *text)
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

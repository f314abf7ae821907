/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * snapshot.c: the frames of a snapshot, one after the other, as its viewer gives credit for them.
 */
#include "config.h"

#include "snapshot.h"

#include <string.h>

static bool want_defs(struct feed_publisher *p, struct feed_snapshot *shot, size_t *size)
{
    struct feed_answer answer = {.request = shot->request};
    *size = feed_frame_defs(p, p->seq[WIRE_DEFS], answer, shot->from, shot->to);
    return *size != 0;
}

static bool want_functions(struct feed_publisher *p, struct feed_snapshot *shot, size_t *size)
{
    struct feed_answer answer = {.request = shot->request, .defs = shot->to};
    uint32_t id[FEED_FUNCTION_ROWS], n = 0;
    while (n < FEED_FUNCTION_ROWS && shot->function < shot->to[WIRE_T_FUNCTION])
        id[n++] = shot->function++;
    *size = n == 0 ? 0 : feed_frame_functions(p, p->seq[WIRE_FUNCTIONS], answer, id, n);
    return n != 0;
}

/* The next applies of the snapshot's function. */
static size_t next_applies(struct feed_publisher *p, struct feed_snapshot *shot,
                           uint32_t id[WIRE_FRAME_ROWS])
{
    struct feed_function_row *row = feed_book_row(&p->core->book, FEED_T_FUNCTION, shot->function);
    size_t n = 0;
    if (shot->apply == 0) {
        pthread_mutex_lock(&p->core->handle->lock);
        shot->apply = row->first + 1; /* FEED_NONE becomes 0 */
        pthread_mutex_unlock(&p->core->handle->lock);
    }
    while (shot->apply != 0 && shot->apply <= shot->to[WIRE_T_APPLY] && n < WIRE_FRAME_ROWS) {
        uint32_t apply = shot->apply - 1;
        struct feed_apply_row *def = feed_book_row(&p->core->book, FEED_T_APPLY, apply);
        shot->apply = atomic_load_explicit(&def->next, memory_order_acquire);
        if (feed_scan_apply(&p->scan, apply) != NULL)
            id[n++] = apply;
    }
    return n;
}

static bool want_applies(struct feed_publisher *p, struct feed_snapshot *shot, size_t *size)
{
    struct feed_answer answer = {.request = shot->request, .defs = shot->to};
    uint32_t id[WIRE_FRAME_ROWS];
    while (shot->function < shot->to[WIRE_T_FUNCTION]) {
        uint32_t function = shot->function;
        size_t n = next_applies(p, shot, id);
        bool done = shot->apply == 0 || shot->apply > shot->to[WIRE_T_APPLY];
        shot->apply = done ? 0 : shot->apply;
        shot->function += done;
        uint64_t seq = function < p->seq_capacity ? p->seq_of[function] : 0;
        *size = n == 0 ? 0 : feed_frame_applies(p, seq, answer, function, id, n, true);
        if (*size != 0)
            return true;
    }
    return false;
}

static bool want_now(struct feed_publisher *p, struct feed_snapshot *shot, size_t *size)
{
    struct feed_answer answer = {.request = shot->request, .defs = shot->to};
    size_t rows;
    if (shot->function++ != 0)
        return false;
    *size = feed_frame_now(p, p->seq[WIRE_NOW], answer, &rows);
    p->now_shown |= rows != 0; /* to be taken back when it has ended */
    return true;
}

static bool want_notices(struct feed_publisher *p, struct feed_snapshot *shot, size_t *size)
{
    struct feed_answer answer = {.request = shot->request, .defs = shot->to};
    uint64_t end;
    if (shot->function++ != 0)
        return false;
    *size = feed_frame_notices(p, p->seq[WIRE_NOTICES], answer, 0, &end);
    return *size != 0;
}

static bool want_phases(struct feed_publisher *p, struct feed_snapshot *shot, size_t *size)
{
    struct feed_answer answer = {.request = shot->request, .defs = shot->to};
    *size = feed_frame_phases(p, p->seq[WIRE_REWRITES], answer, &shot->apply);
    return *size != 0;
}

static bool want_details(struct feed_publisher *p, struct feed_snapshot *shot, size_t *size)
{
    struct feed_answer answer = {.request = shot->request, .defs = shot->to};
    *size = feed_frame_details(p, p->seq[WIRE_DETAILS], answer, &shot->apply);
    if (*size == 0)
        *size = feed_frame_metrics(p, p->seq[WIRE_DETAILS], answer, &shot->function);
    return *size != 0;
}

static bool want_counters(struct feed_publisher *p, struct feed_snapshot *shot, size_t *size)
{
    struct feed_answer answer = {.request = shot->request, .defs = shot->to};
    uint32_t id[FEED_COUNTER_ROWS];
    for (*size = 0; *size == 0 && shot->function < shot->to[WIRE_T_COUNTER];) {
        uint32_t n = 0;
        while (n < FEED_COUNTER_ROWS && shot->function < shot->to[WIRE_T_COUNTER])
            id[n++] = shot->function++;
        *size = feed_frame_counters(p, p->seq[WIRE_COUNTERS], answer, id, n);
    }
    return *size != 0;
}

static bool want_spans(struct feed_publisher *p, struct feed_snapshot *shot, size_t *size)
{
    struct feed_answer answer = {.request = shot->request, .defs = shot->to};
    uint32_t id[FEED_SPAN_ROWS], n = 0;
    while (n < FEED_SPAN_ROWS && shot->function < shot->to[WIRE_T_SPAN])
        id[n++] = shot->function++;
    *size = n == 0 ? 0 : feed_frame_spans(p, p->seq[WIRE_SPANS], answer, id, n);
    return n != 0;
}

static bool want_marks(struct feed_publisher *p, struct feed_snapshot *shot, size_t *size)
{
    struct feed_answer answer = {.request = shot->request, .defs = shot->to};
    *size = feed_frame_marks(p, p->seq[WIRE_MARKERS], answer, &shot->mark);
    return *size != 0;
}

static bool want_percentiles(struct feed_publisher *p, struct feed_snapshot *shot, size_t *size)
{
    struct feed_answer answer = {.request = shot->request, .defs = shot->to};
    if (shot->apply == 0)
        feed_percentiles_count(&p->percentiles, &p->scan, shot->to[WIRE_T_OP]);
    *size = feed_frame_percentiles(p, p->seq[WIRE_PERCENTILES], answer, &shot->apply, true);
    return *size != 0;
}

/* What a letter of `want` brings. Each writes its next frame; false: it has no more. */
static const struct {
    char letter;
    bool (*next)(struct feed_publisher *p, struct feed_snapshot *shot, size_t *size);
} parts[] = {{'D', want_defs},    {'F', want_functions},  {'A', want_applies},
             {'N', want_now},     {'E', want_notices},    {'R', want_phases},
             {'I', want_details}, {'C', want_counters},   {'S', want_spans},
             {'M', want_marks},   {'P', want_percentiles}};
enum { PARTS = sizeof parts / sizeof parts[0] };

size_t feed_snapshot_next(struct feed_publisher *p, struct feed_snapshot *shot)
{
    while (shot->want[0] != 0) {
        size_t size = 0;
        for (int i = 0; i < PARTS; i++)
            if (parts[i].letter == shot->want[0] && parts[i].next(p, shot, &size) && size != 0)
                return size;
        memmove(shot->want, shot->want + 1, strlen(shot->want));
        shot->function = shot->apply = 0;
    }
    return 0;
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

/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * node_detail.c: the calls that describe an apply: shapes, bytes, flops, where it runs.
 */
#include "config.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "feed/protocol/columns.h"
#include "feed/publisher/record/lock.h"
#include "proftop_detail.h"

/* ------------------------------------------------------------------------------------ places */

void feed_details_release(struct feed_details *details)
{
    for (uint32_t at = 0; details->chunk != NULL && at < FEED_DETAIL_CHUNKS; at++) {
        for (uint32_t i = 0; details->chunk[at] != NULL && i < FEED_DETAIL_CHUNK; i++)
            free(details->chunk[at][i].detail);
        free(details->chunk[at]);
    }
    free(details->chunk);
    memset(details, 0, sizeof *details);
}

struct feed_detail_place *feed_detail_place(const struct feed_details *details, uint32_t apply)
{
    struct feed_detail_place *chunk =
        details->chunk == NULL ? NULL : details->chunk[apply / FEED_DETAIL_CHUNK];
    return chunk == NULL ? NULL : &chunk[apply % FEED_DETAIL_CHUNK];
}

/* The same, made if it is not there; NULL: no memory. */
static struct feed_detail_place *make_place(struct feed_details *details, uint32_t apply)
{
    if (details->chunk == NULL)
        details->chunk = calloc(FEED_DETAIL_CHUNKS, sizeof *details->chunk);
    if (details->chunk == NULL)
        return NULL;
    struct feed_detail_place **chunk = &details->chunk[apply / FEED_DETAIL_CHUNK];
    if (*chunk == NULL)
        *chunk = calloc(FEED_DETAIL_CHUNK, sizeof **chunk);
    return feed_detail_place(details, apply);
}

static void enqueue(struct feed_details *details, uint32_t apply)
{
    struct feed_detail_place *place = feed_detail_place(details, apply);
    uint32_t last = details->waiting.last;
    place->rev++;
    feed_queue_add(&details->waiting, apply, &place->queued,
                   last == 0 ? NULL : &feed_detail_place(details, last - 1)->queued);
}

void feed_detail_sent(struct feed_details *details)
{
    feed_queue_take(&details->waiting,
                    &feed_detail_place(details, details->waiting.first - 1)->queued);
}

_Static_assert(FEED_DETAIL_MAX <= UINT16_MAX + 1, "places of texts have 16 bits");

/* ------------------------------------------------------------------------------------- packing */

/* A detail while it is made. */
struct packing {
    struct feed_detail *detail;
    char *text; /* where the next one goes */
    size_t room;
    bool fits;
    uint32_t applies;  /* that are defined */
    uint64_t *invalid; /* counts what can't be so */
};

/* Copies a text behind the others. Gives its size, at most `limit`. */
static uint32_t pack_text(struct packing *p, const char *text, size_t limit)
{
    size_t size = text == NULL ? 0 : feed_text_cut(text, limit);
    if (size > p->room) {
        p->fits = false;
        return 0;
    }
    memcpy(p->text, text == NULL ? "" : text, size);
    p->text += size;
    p->room -= size;
    p->detail->texts_size += (uint32_t)size;
    return (uint32_t)size;
}

enum { LIST_SIZE = FEED_RANK_MAX * 21 + 3 };

/* "[256,-64]", one number for each axis, of int64_t if `steps`, else of uint64_t; an unknown list
 * is the empty text. */
static uint32_t pack_list(struct packing *p, uint32_t rank, const void *number, bool steps)
{
    const uint64_t *axis = number;
    char text[LIST_SIZE] = "[";
    size_t used = 1;
    if (rank > FEED_RANK_MAX || (rank > 0 && number == NULL))
        return 0;
    for (uint32_t i = 0; i < rank; i++)
        used += (size_t)(steps ? snprintf(text + used, LIST_SIZE - used, "%lld,",
                                          (long long)axis[i])
                               : snprintf(text + used, LIST_SIZE - used, "%llu,",
                                          (unsigned long long)axis[i]));
    strcpy(text + used - (rank > 0), "]"); /* in place of the last comma */
    return pack_text(p, text, LIST_SIZE);
}

/* A number that must be below a limit, or 0, unknown. */
static uint32_t pack_number(const struct packing *p, uint32_t number, uint64_t limit)
{
    if (number < limit)
        return number;
    feed_count_one(p->invalid);
    return 0;
}

static void pack_value(struct packing *p, struct feed_value *to,
                       const struct proftop_value_info *value)
{
    if (value->rank > FEED_RANK_MAX && value->rank != PROFTOP_NONE)
        feed_count_one(p->invalid);
    to->bytes = feed_known_or_not(value->bytes, p->invalid);
    to->source_plus_1 = pack_number(p, value->source_plus_1, p->applies + UINT64_C(1));
    to->output = value->output;
    to->alias = pack_number(p, value->alias, PROFTOP_VIEW_OF((uint64_t)p->detail->inputs));
    to->result = value->result_plus_1;
    to->dtype_at = (uint16_t)p->detail->texts_size;
    to->dtype_size = (uint16_t)pack_text(p, value->dtype, FEED_DTYPE_MAX);
    to->shape_size = (uint16_t)pack_list(p, value->rank, value->shape, false);
    to->strides_size = (uint16_t)pack_list(p, value->rank, value->strides, true);
}

/* Values of an older or newer caller, whose structs have another size. */
static void pack_values(struct packing *p, uint32_t from, uint32_t count,
                        const struct proftop_value_info *value, size_t stride)
{
    for (uint32_t i = 0; i < count && p->fits; i++) {
        struct proftop_value_info known = {.rank = PROFTOP_NONE, .bytes = PROFTOP_UNKNOWN};
        memcpy(&known, (const char *)value + i * stride,
               stride < sizeof known ? stride : sizeof known);
        pack_value(p, &p->detail->value[from + i], &known);
    }
}

/* The bytes of all outputs, if they are known. */
static uint64_t sum_outputs(const struct feed_detail *detail)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < detail->outputs; i++) {
        uint64_t bytes = detail->value[detail->inputs + i].bytes;
        if (bytes == PROFTOP_UNKNOWN || sum > WIRE_VALUE_MAX - bytes)
            return PROFTOP_UNKNOWN;
        sum += bytes;
    }
    return detail->outputs == 0 ? PROFTOP_UNKNOWN : sum;
}

/* Gives a detail that the caller frees; NULL: it does not fit, or there is no memory. */
static struct feed_detail *pack(const struct proftop_apply_detail_info *info,
                                struct feed_core *core)
{
    size_t values = (info->inputs + info->outputs) * sizeof(struct feed_value);
    struct feed_detail *detail = calloc(1, FEED_DETAIL_MAX);
    if (detail == NULL)
        return NULL;
    detail->inputs = info->inputs;
    detail->outputs = info->outputs;
    struct packing p = {.detail = detail,
                        .fits = true,
                        .applies = feed_book_count(&core->book, FEED_T_APPLY),
                        .invalid = &core->handle->invalid};
    p.text = (char *)detail + sizeof *detail + values;
    p.room = FEED_DETAIL_MAX - sizeof *detail - values;
    detail->flops = feed_known_or_not(info->flops, p.invalid);
    detail->thunk_ns = feed_known_or_not(info->thunk_ns, p.invalid);
    detail->impl = info->impl;
    detail->one_in = info->one_in;
    detail->device_size = pack_text(&p, info->device, FEED_LABEL_MAX);
    detail->where_size = pack_text(&p, info->location, FEED_LABEL_MAX);
    detail->made_size = pack_text(&p, info->rewrite, FEED_LABEL_MAX);
    detail->library_size = pack_text(&p, info->library, FEED_LABEL_MAX);
    pack_values(&p, 0, info->inputs, info->input, info->value_size);
    pack_values(&p, info->inputs, info->outputs, info->output, info->value_size);
    detail->bytes = info->bytes == PROFTOP_UNKNOWN ? sum_outputs(detail)
                                                   : feed_known_or_not(info->bytes, p.invalid);
    if (!p.fits) {
        free(detail);
        return NULL;
    }
    struct feed_detail *exact = realloc(detail, (size_t)(p.text - (char *)detail));
    return exact == NULL ? detail : exact;
}

static size_t size_of(const struct feed_detail *detail)
{
    return detail == NULL ? 0
                          : sizeof *detail + detail->texts_size +
                                (detail->inputs + detail->outputs) * sizeof detail->value[0];
}

/* -------------------------------------------------------------------------------------- calls */

static bool makes_sense(const struct feed_core *core, uint32_t apply,
                        const struct proftop_apply_detail_info *info)
{
    return apply < feed_book_count(&core->book, FEED_T_APPLY) &&
           (unsigned)info->impl <= PROFTOP_IMPL_JIT &&
           info->value_size >= sizeof info->input->dtype &&
           (info->inputs == 0 || info->input != NULL) &&
           (info->outputs == 0 || info->output != NULL) && info->inputs <= FEED_VALUES_MAX &&
           info->outputs <= FEED_VALUES_MAX - info->inputs;
}

/* Puts the detail into its place, which takes it, unless it says what is known already. */
static void keep(struct feed_core *core, uint32_t apply, struct feed_detail *detail)
{
    struct feed_details *details = &core->details;
    struct feed_detail_place *place = make_place(details, apply);
    const struct feed_detail *before = place == NULL ? NULL : place->detail;
    size_t size = size_of(detail), size_before = size_of(before);
    if (before != NULL && size == size_before && memcmp(detail, before, size) == 0) {
        free(detail);
        return;
    }
    if (place == NULL || details->bytes - size_before + size > FEED_DETAILS_MAX) {
        feed_lose(core, FEED_LOST_DETAILS);
        free(detail);
        return;
    }
    details->bytes += size - size_before;
    free(place->detail);
    place->detail = detail;
    enqueue(details, apply);
}

void proftop_apply_detail(struct proftop *feed, proftop_id apply,
                          const struct proftop_apply_detail_info *info)
{
    struct proftop_apply_detail_info known = PROFTOP_APPLY_DETAIL;
    struct feed_core *core = feed_enter(feed);
    if (core == NULL)
        return;
    if (!feed_take_options(&known, sizeof known, info) || !makes_sense(core, apply, &known)) {
        feed_misused(core);
    } else {
        struct feed_detail *detail = pack(&known, core);
        if (detail == NULL)
            feed_lose(core, FEED_LOST_DETAILS);
        else
            keep(core, apply, detail);
    }
    feed_leave(core);
}

void proftop_spent(struct proftop *feed, uint64_t ns)
{
    struct feed_core *core = feed_enter(feed);
    if (core == NULL)
        return;
    if (ns <= WIRE_VALUE_MAX)
        atomic_fetch_add_explicit(&core->spent_ns, ns, memory_order_relaxed);
    else
        feed_misused(core);
    feed_leave(core);
}

int proftop_detail_due(struct proftop *feed, proftop_id apply, uint32_t n)
{
    struct feed_core *core = feed_enter(feed);
    bool due = false;
    if (core == NULL)
        return 0;
    if (apply >= feed_book_count(&core->book, FEED_T_APPLY)) {
        feed_misused(core);
    } else if (feed_counts(feed) && feed_is_wanted(core, FEED_APPLIES, apply)) {
        /* What is not counted is not shown: looking at it would cost, and tell nobody. Nor does it
         * move the turn, so that the first call that counts again may be the one. */
        struct feed_detail_place *place = make_place(&core->details, apply);
        due = place != NULL && place->asked == 0;
        if (place != NULL)
            place->asked = place->asked + 1 >= n ? 0 : place->asked + 1;
    }
    feed_leave(core);
    return due;
}

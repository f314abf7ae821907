/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * detail.c: the calls that describe an apply: shapes, bytes, flops, where it runs.
 */
#include "config.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "feed/protocol/columns.h"
#include "feed/publisher/record/count_filter.h"
#include "feed/publisher/record/lock.h"
#include "proftop_adapter.h"

_Static_assert(WIRE_DETAIL_MAX <= UINT16_MAX + 1, "places of texts have 16 bits");

/* ------------------------------------------------------------------------------------- packing */

/* State while a detail is made. */
struct packing {
    struct publisher_detail *detail;
    char *text;        /* where the next text goes */
    size_t room;       /* bytes that are free there */
    bool fits;         /* all texts so far fit */
    uint32_t applies;  /* number of defined applies */
    uint64_t *invalid; /* counts impossible values */
};

/* Appends a text. Returns its size, cut to `limit`. */
static uint32_t pack_text(struct packing *p, const char *text, size_t limit)
{
    size_t size = text == NULL ? 0 : publisher_text_cut(text, limit);
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

enum { LIST_SIZE = WIRE_RANK_MAX * 21 + 3 };

/* Appends a list such as "[256,-64]", one number for each axis. The numbers are int64_t if `steps`,
 * else uint64_t. An unknown list is the empty text. */
static uint32_t pack_list(struct packing *p, uint32_t rank, const void *number, bool steps)
{
    const uint64_t *axis = number;
    char text[LIST_SIZE] = "[";
    size_t used = 1;
    if (rank > WIRE_RANK_MAX || (rank > 0 && number == NULL))
        return 0;
    for (uint32_t i = 0; i < rank; i++)
        used +=
            (size_t)(steps ? snprintf(text + used, LIST_SIZE - used, "%lld,", (long long)axis[i])
                           : snprintf(text + used, LIST_SIZE - used, "%llu,",
                                      (unsigned long long)axis[i]));
    strcpy(text + used - (rank > 0), "]"); /* in place of the last comma */
    return pack_text(p, text, LIST_SIZE);
}

/* Returns a number if it is below a limit; else 0 (unknown), counted as invalid. */
static uint32_t pack_number(const struct packing *p, uint32_t number, uint64_t limit)
{
    if (number < limit)
        return number;
    publisher_count_one(p->invalid);
    return 0;
}

static void pack_value(struct packing *p, struct publisher_value *to,
                       const struct proftop_value_info *value)
{
    if (value->rank > WIRE_RANK_MAX && value->rank != PROFTOP_NONE)
        publisher_count_one(p->invalid);
    to->bytes = publisher_known_or_not(value->bytes, p->invalid);
    to->source_plus_1 = pack_number(p, value->source_plus_1, p->applies + UINT64_C(1));
    to->output = value->output;
    to->alias = pack_number(p, value->alias, PROFTOP_VIEW_OF((uint64_t)p->detail->inputs));
    to->result = value->result_plus_1;
    to->dtype_at = (uint16_t)p->detail->texts_size;
    to->dtype_size = (uint16_t)pack_text(p, value->dtype, WIRE_DTYPE_MAX);
    to->shape_size = (uint16_t)pack_list(p, value->rank, value->shape, false);
    to->strides_size = (uint16_t)pack_list(p, value->rank, value->strides, true);
}

/* Packs values of an older or newer caller, whose structs may have another size, `stride`. */
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

/* Returns the bytes of all outputs, or PROFTOP_UNKNOWN if one is not known. */
static uint64_t sum_outputs(const struct publisher_detail *detail)
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

/* Makes a detail, which the caller frees. Returns NULL if it is too large, or if out of memory. */
static struct publisher_detail *pack(const struct proftop_apply_detail_info *info,
                                     struct publisher_core *core)
{
    size_t values = (info->inputs + info->outputs) * sizeof(struct publisher_value);
    struct publisher_detail *detail = calloc(1, WIRE_DETAIL_MAX);
    if (detail == NULL)
        return NULL;
    detail->inputs = info->inputs;
    detail->outputs = info->outputs;
    struct packing p = {.detail = detail,
                        .fits = true,
                        .applies =
                            publisher_definitions_count(&core->definitions, PUBLISHER_DEF_APPLY),
                        .invalid = &core->handle->invalid};
    p.text = (char *)detail + sizeof *detail + values;
    p.room = WIRE_DETAIL_MAX - sizeof *detail - values;
    detail->flops = publisher_known_or_not(info->flops, p.invalid);
    detail->thunk_ns = publisher_known_or_not(info->thunk_ns, p.invalid);
    detail->impl = info->impl;
    detail->one_in = info->one_in;
    detail->device_size = pack_text(&p, info->device, WIRE_LABEL_MAX);
    detail->where_size = pack_text(&p, info->location, WIRE_LABEL_MAX);
    detail->made_size = pack_text(&p, info->rewrite, WIRE_LABEL_MAX);
    detail->library_size = pack_text(&p, info->library, WIRE_LABEL_MAX);
    pack_values(&p, 0, info->inputs, info->input, info->value_size);
    pack_values(&p, info->inputs, info->outputs, info->output, info->value_size);
    detail->bytes = info->bytes == PROFTOP_UNKNOWN ? sum_outputs(detail)
                                                   : publisher_known_or_not(info->bytes, p.invalid);
    if (!p.fits) {
        free(detail);
        return NULL;
    }
    struct publisher_detail *exact = realloc(detail, (size_t)(p.text - (char *)detail));
    return exact == NULL ? detail : exact;
}

static size_t size_of(const struct publisher_detail *detail)
{
    return detail == NULL ? 0
                          : sizeof *detail + detail->texts_size +
                                (detail->inputs + detail->outputs) * sizeof detail->value[0];
}

/* -------------------------------------------------------------------------------------- calls */

static bool makes_sense(const struct publisher_core *core, uint32_t apply,
                        const struct proftop_apply_detail_info *info)
{
    return apply < publisher_definitions_count(&core->definitions, PUBLISHER_DEF_APPLY) &&
           (unsigned)info->impl <= PROFTOP_IMPL_JIT &&
           info->value_size >= sizeof info->input->dtype &&
           (info->inputs == 0 || info->input != NULL) &&
           (info->outputs == 0 || info->output != NULL) && info->inputs <= WIRE_VALUES_MAX &&
           info->outputs <= WIRE_VALUES_MAX - info->inputs;
}

/* Stores a detail as that apply's and queues it, unless it equals the known one. Takes ownership of
 * the detail. */
static void keep(struct publisher_core *core, uint32_t apply, struct publisher_detail *detail)
{
    struct publisher_details *details = &core->details;
    struct publisher_detail_place *place = publisher_detail_make(details, apply);
    const struct publisher_detail *before = place == NULL ? NULL : place->detail;
    size_t size = size_of(detail), size_before = size_of(before);
    if (before != NULL && size == size_before && memcmp(detail, before, size) == 0) {
        free(detail);
        return;
    }
    if (place == NULL || details->bytes - size_before + size > WIRE_DETAILS_MAX) {
        publisher_count_lost(core, PUBLISHER_LOST_DETAILS);
        free(detail);
        return;
    }
    details->bytes += size - size_before;
    free(place->detail);
    place->detail = detail;
    publisher_detail_enqueue(details, apply);
}

void proftop_apply_detail(struct proftop *feed, proftop_id apply,
                          const struct proftop_apply_detail_info *info)
{
    struct proftop_apply_detail_info known = PROFTOP_APPLY_DETAIL;
    struct publisher_core *core = publisher_lock(feed);
    if (core == NULL)
        return;
    if (!publisher_take_options(&known, sizeof known, info) || !makes_sense(core, apply, &known)) {
        publisher_count_misuse(core);
    } else {
        struct publisher_detail *detail = pack(&known, core);
        if (detail == NULL)
            publisher_count_lost(core, PUBLISHER_LOST_DETAILS);
        else
            keep(core, apply, detail);
    }
    publisher_unlock(core);
}

void proftop_spent(struct proftop *feed, uint64_t ns)
{
    struct publisher_core *core = publisher_lock(feed);
    if (core == NULL)
        return;
    if (ns <= WIRE_VALUE_MAX)
        atomic_fetch_add_explicit(&core->spent_ns, ns, memory_order_relaxed);
    else
        publisher_count_misuse(core);
    publisher_unlock(core);
}

int proftop_detail_due(struct proftop *feed, proftop_id apply, uint32_t n)
{
    struct publisher_core *core = publisher_lock(feed);
    bool due = false;
    if (core == NULL)
        return 0;
    if (apply >= publisher_definitions_count(&core->definitions, PUBLISHER_DEF_APPLY)) {
        publisher_count_misuse(core);
    } else if (publisher_counts(feed) && publisher_is_counted(core, PUBLISHER_APPLIES, apply)) {
        /* Applies that are not counted are never due: viewers do not show them. They do not advance
         * `calls` either, so the first call that is counted again may be due. */
        struct publisher_detail_place *place = publisher_detail_make(&core->details, apply);
        due = place != NULL && place->calls == 0;
        if (place != NULL)
            place->calls = place->calls + 1 >= n ? 0 : place->calls + 1;
    }
    publisher_unlock(core);
    return due;
}

/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * node_detail.h: what a feed knows of applies beside their definitions, its metrics, and which of
 * both wait to be sent. All of it is under the feed's lock.
 */
#ifndef FEED_PUBLISHER_RECORD_NODE_DETAIL_H
#define FEED_PUBLISHER_RECORD_NODE_DETAIL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "feed/protocol/columns.h"
#include "feed/protocol/limits.h"
#include "feed/publisher/publish/queue.h"
#include "feed/publisher/record/slot.h"

enum {
    PUBLISHER_DETAIL_CHUNK = 1024,
    PUBLISHER_DETAIL_CHUNKS = WIRE_APPLIES_MAX / PUBLISHER_DETAIL_CHUNK
};

/* An input or output, as it is sent. Texts are offsets into those of its detail. */
struct publisher_value {
    uint64_t bytes;
    uint32_t source_plus_1, output, alias, result;
    uint16_t dtype_at; /* a detail has at most WIRE_DETAIL_MAX bytes; one text follows the other */
    uint16_t dtype_size, shape_size, strides_size;
};

/* All that was said of an apply, in one piece of memory without holes: what is equal byte for byte
 * is the same. `values` and then the bytes of the texts follow. */
struct publisher_detail {
    uint64_t flops, bytes, thunk_ns;
    uint32_t inputs, outputs, impl, one_in;
    uint32_t device_size, where_size, made_size, library_size; /* the first four texts */
    uint32_t texts_size;
    uint32_t zero; /* where there would be a hole */
    struct publisher_value value[];
};

struct publisher_detail_place {
    struct publisher_detail *detail; /* NULL: nothing was said */
    uint32_t rev;               /* how often it has changed */
    uint32_t asked;             /* by proftop_detail_due() */
    struct publisher_queued queued;
};

struct publisher_details {
    struct publisher_detail_place *
        *chunk;                       /* PUBLISHER_DETAIL_CHUNKS of them, made when first needed */
    uint64_t bytes;                   /* of all details */
    struct publisher_queue waiting;   /* applies */
};

struct publisher_metric_cell {
    uint64_t adds, value;
    struct publisher_queued queued;
};

struct publisher_metric {
    struct wire_text name, unit;
    uint32_t how;
    struct publisher_queue waiting;       /* applies */
    struct publisher_metric_cell **chunk; /* PUBLISHER_DETAIL_CHUNKS of them */
};

struct publisher_metrics {
    struct publisher_metric *row; /* room for WIRE_METRICS_MAX, made with the first */
    uint32_t count;
};

void publisher_details_release(struct publisher_details *details);
void publisher_metrics_release(struct publisher_metrics *metrics);
/* Forgets all values, for a new epoch. */
void publisher_metrics_clear(struct publisher_metrics *metrics);

/* What a program tells, as far as it can be a value; else it is unknown, and counted. */
static inline uint64_t publisher_known_or_not(uint64_t value, uint64_t *invalid)
{
    if (value > WIRE_VALUE_MAX && value != WIRE_UNKNOWN)
        publisher_count_one(invalid);
    return value <= WIRE_VALUE_MAX ? value : WIRE_UNKNOWN;
}

/* Texts of a detail stand behind its values. */
static inline const char *publisher_detail_texts(const struct publisher_detail *detail)
{
    return (const char *)&detail->value[detail->inputs + detail->outputs];
}

/* The place of an apply, or NULL if nothing of its chunk was said. */
struct publisher_detail_place *publisher_detail_place(const struct publisher_details *details,
                                                      uint32_t apply);
struct publisher_metric_cell *publisher_metric_cell(const struct publisher_metric *metric,
                                                    uint32_t apply);

/* Takes what has waited longest out of the list of those that wait. */
void publisher_detail_sent(struct publisher_details *details);
void publisher_metric_sent(struct publisher_metric *metric);

#endif

/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * details.h: details of applies, metrics, phases of compilations, and the queues of those to be
 * sent. All of it is under the feed's lock.
 */
#ifndef FEED_PUBLISHER_RECORD_DETAILS_H
#define FEED_PUBLISHER_RECORD_DETAILS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "feed/protocol/columns.h"
#include "feed/protocol/limits.h"
#include "feed/publisher/record/queue.h"
#include "feed/publisher/record/definitions.h"
#include "feed/publisher/record/slot.h"

enum {
    PUBLISHER_DETAIL_CHUNK = 1024,
    PUBLISHER_DETAIL_CHUNKS = WIRE_APPLIES_MAX / PUBLISHER_DETAIL_CHUNK
};

/* An input or output, as it is sent. Its texts (dtype, shape, strides) follow one another, from
 * offset `dtype_at` in the texts of its detail. */
struct publisher_value {
    uint64_t bytes;
    uint32_t source_plus_1, output, alias, result;
    uint16_t dtype_at; /* 16 bits suffice: a detail has at most WIRE_DETAIL_MAX bytes */
    uint16_t dtype_size, shape_size, strides_size;
};

/* The detail of an apply, in one piece of memory without holes: two details are equal if their
 * bytes are. The values and then the bytes of the texts follow. */
struct publisher_detail {
    uint64_t flops, bytes, thunk_ns;
    uint32_t inputs, outputs, impl, one_in;
    uint32_t device_size, where_size, made_size, library_size; /* the first four texts */
    uint32_t texts_size;
    uint32_t zero; /* fills the hole before `value` */
    struct publisher_value value[];
};

struct publisher_detail_place {
    struct publisher_detail *detail; /* NULL: the program gave none */
    uint32_t rev;                    /* number of changes */
    uint32_t calls;                  /* calls of proftop_detail_due() since it was last due */
    struct publisher_queued queued;
};

struct publisher_details {
    struct publisher_detail_place *
        *chunk;                     /* PUBLISHER_DETAIL_CHUNKS pointers, made when first needed */
    uint64_t bytes;                 /* of all details */
    struct publisher_queue waiting; /* applies whose details are to be sent */
};

struct publisher_metric_cell {
    uint64_t adds, value;
    struct publisher_queued queued;
};

struct publisher_metric {
    struct wire_text name, unit;
    uint32_t how;
    struct publisher_queue waiting;       /* applies whose values are to be sent */
    struct publisher_metric_cell **chunk; /* PUBLISHER_DETAIL_CHUNKS pointers */
};

struct publisher_metrics {
    struct publisher_metric *row; /* WIRE_METRICS_MAX rows, allocated with the first metric */
    uint32_t count;
};

/* A phase. Unknown values are PROFTOP_UNKNOWN. Links to other phases are their id plus 1, or 0. */
struct publisher_phase {
    struct wire_text name;
    uint32_t function, parent_plus_1, kind;
    uint32_t first_inside, next_beside; /* the tree: first child, next phase of the same parent */
    struct publisher_queued queued;
    uint32_t open; /* begins without an end yet */
    uint64_t rev;  /* number of changes */
    uint64_t calls, total_ns, validate_ns, before, after;
    uint64_t since_ns; /* time of the first open begin */
};

struct publisher_phases {
    struct publisher_phase *row;
    uint32_t count, capacity;
    uint32_t first_root;            /* list of phases without a parent, of all functions */
    uint32_t rest_plus_1;           /* function of the phases that are summed up by name, or 0 */
    struct publisher_queue waiting; /* phases to be sent */
};

void publisher_details_release(struct publisher_details *details);
void publisher_metrics_release(struct publisher_metrics *metrics);
/* Clears all values, for a new epoch. */
void publisher_metrics_clear(struct publisher_metrics *metrics);

/* Returns a value given by the program, or WIRE_UNKNOWN, counted as invalid, if it is too large. */
static inline uint64_t publisher_known_or_not(uint64_t value, uint64_t *invalid)
{
    if (value > WIRE_VALUE_MAX && value != WIRE_UNKNOWN)
        publisher_count_one(invalid);
    return value <= WIRE_VALUE_MAX ? value : WIRE_UNKNOWN;
}

/* Returns the texts of a detail, which follow its values. */
static inline const char *publisher_detail_texts(const struct publisher_detail *detail)
{
    return (const char *)&detail->value[detail->inputs + detail->outputs];
}

/* Each returns the entry of an apply, or NULL if its chunk was never used. */
struct publisher_detail_place *publisher_detail_place(const struct publisher_details *details,
                                                      uint32_t apply);
struct publisher_metric_cell *publisher_metric_cell(const struct publisher_metric *metric,
                                                    uint32_t apply);

/* Finds or makes the entry of an apply. Returns NULL if out of memory. */
struct publisher_detail_place *publisher_detail_make(struct publisher_details *details,
                                                     uint32_t apply);

/* Queues the detail of an apply, or its value of a metric, to be sent. */
void publisher_detail_enqueue(struct publisher_details *details, uint32_t apply);
void publisher_metric_enqueue(struct publisher_metric *metric, uint32_t apply);

/* Each removes the first entry, which has waited longest, from the queue. */
void publisher_detail_sent(struct publisher_details *details);
void publisher_metric_sent(struct publisher_metric *metric);

void publisher_phases_release(struct publisher_phases *phases);

/* Counts a change of a phase, and queues it to be sent. */
void publisher_phase_enqueue(struct publisher_phases *phases, uint32_t plus_1);
/* Removes the first phase, which has waited longest, from the queue. */
void publisher_phase_sent(struct publisher_phases *phases);
/* Returns a phase by its id plus 1. */
static inline struct publisher_phase *publisher_phase_at(const struct publisher_phases *phases,
                                                         uint32_t plus_1)
{
    return &phases->row[plus_1 - 1];
}

#endif

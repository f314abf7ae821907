/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * unit.h: numbers to text. The only place where a value becomes characters.
 */
#ifndef MODEL_UNIT_H
#define MODEL_UNIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/text.h"

enum model_unit {
    MODEL_UNIT_COUNT,   /* 442k */
    MODEL_UNIT_EXACT,   /* 442017: ids, indices */
    MODEL_UNIT_NS,      /* 1.96ms */
    MODEL_UNIT_MEAN,    /* 1.96ms, 0.25ns: ns that are not whole */
    MODEL_UNIT_PERCENT, /* 38.2 */
    MODEL_UNIT_RATE,    /* +24.0/s */
    MODEL_UNIT_BYTES,   /* 1.21 GiB */
    MODEL_UNIT_TEXT,
    MODEL_UNITS
};

/* What a share leaves out of the time of its row. It is shown with the mark of that; with its word
 * if that is all. */
enum model_left_out {
    MODEL_LEFT_NOTHING, /* -      */
    MODEL_LEFT_WAITING, /* wait,  w */
    MODEL_LEFT_ASIDE,   /* aside, a */
    MODEL_LEFT_OUT
};
/* `wait`, `aside`; `-` of nothing. */
extern const char *const model_left_out_words[MODEL_LEFT_OUT];

/* One value on its way to the screen or a report. */
struct model_cell {
    bool known;  /* false: shown as `-` */
    bool approx; /* shown with `~` */
    uint8_t left_out; /* enum model_left_out */
    uint64_t u;  /* COUNT, EXACT, NS, BYTES */
    double d;    /* MEAN, PERCENT, RATE */
    const struct model_text *text; /* TEXT; borrowed */
};

/* A part of a whole, in percent: 0 to 100. Unknown if either is, if the whole is nothing, or if the
 * part is more: it is a part of something else then. */
struct model_cell model_share(uint64_t part, uint64_t whole);
/* By how much a value is above a base, in percent: any finite number. Unknown as above. */
struct model_cell model_excess(uint64_t value, uint64_t base);

/* Three significant digits and the unit, never longer than `width` characters; `#` where even that
 * does not fit. Terminated; returns the bytes written. Units are ASCII (`us`). TEXT gives the
 * screen form, uncut: the grid cuts it. */
size_t model_unit_format(enum model_unit unit, const struct model_cell *cell, unsigned width,
                         char *out, size_t capacity);

/* A key of 64 bits that sorts as the value does; unknown sorts below everything. Not for TEXT. */
uint64_t model_unit_key(enum model_unit unit, const struct model_cell *cell);

/* Duration as a clock, h:mm:ss or m:ss. */
size_t model_unit_clock(uint64_t ns, char *out, size_t capacity);

#endif

/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * unit.h: formats numbers as text. No other file turns a value into characters.
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
    MODEL_UNIT_MEAN,    /* 1.96ms, 0.25ns: fractions of a ns */
    MODEL_UNIT_PERCENT, /* 38.2 */
    MODEL_UNIT_RATE,    /* +24.0/s */
    MODEL_UNIT_BYTES,   /* 1.21 GiB */
    MODEL_UNIT_TEXT,
    MODEL_UNITS
};

/* The part of a row's time that a share excludes. The share is shown with a mark, or as a word if
 * nothing else is left. */
enum model_left_out {
    MODEL_LEFT_NOTHING, /* -      */
    MODEL_LEFT_WAITING, /* wait,  w */
    MODEL_LEFT_ASIDE,   /* aside, a */
    MODEL_LEFT_OUT
};
/* `wait`, `aside`; `-` for MODEL_LEFT_NOTHING. */
extern const char *const model_left_out_words[MODEL_LEFT_OUT];

/* One value for the screen or a report. */
struct model_cell {
    bool known;  /* false: shown as `-` */
    bool approx; /* shown with `~` */
    uint8_t left_out; /* enum model_left_out */
    uint64_t u;  /* COUNT, EXACT, NS, BYTES */
    double d;    /* MEAN, PERCENT, RATE */
    const struct model_text *text; /* TEXT; borrowed */
};

/* Returns a part of a whole in percent, 0 to 100. Unknown if either is unknown, if the whole is 0,
 * or if the part exceeds the whole and so belongs to something else. */
struct model_cell model_share(uint64_t part, uint64_t whole);
/* Returns by how much a value exceeds a base, in percent: any finite number. Unknown as above. */
struct model_cell model_excess(uint64_t value, uint64_t base);

/* Writes three significant digits and the unit, at most `width` characters; `#` if even that does
 * not fit. Terminated. Returns the bytes written. Units are ASCII (`us`). TEXT gives the uncut
 * screen form: the grid cuts it. */
size_t model_unit_format(enum model_unit unit, const struct model_cell *cell, unsigned width,
                         char *out, size_t capacity);

/* True if values of this unit are in `d` of a cell, else they are in `u`. Not for TEXT. */
bool model_unit_is_real(enum model_unit unit);

/* Returns a 64-bit key that sorts as the value does. Unknown sorts below everything. Not for
 * TEXT. */
uint64_t model_unit_key(enum model_unit unit, const struct model_cell *cell);

/* Writes a duration as h:mm:ss or m:ss. */
size_t model_unit_clock(uint64_t ns, char *out, size_t capacity);

#endif

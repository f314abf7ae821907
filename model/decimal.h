/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * decimal.h: decimal numbers as programs print them, with the precision of the print: 0.013 stands
 * for anything from 0.0125 to 0.0135.
 */
#ifndef MODEL_DECIMAL_H
#define MODEL_DECIMAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* digits * 10^power. */
struct model_decimal {
    uint64_t digits;
    int power;
    bool negative;
};

/* Reads a number such as 12, -0.50, 1.2e-03 from the start of a text. Returns the bytes read; 0: no
 * finite number stands there. Digits beyond the 19th are dropped. Needs no NUL. Bytes are borrowed.
 */
size_t model_decimal_read(const char *text, size_t size, struct model_decimal *number);

/* Returns number * 10^power, rounded to the nearest whole number, without its sign. At most
 * MODEL_UNKNOWN - 1. */
uint64_t model_decimal_scale(const struct model_decimal *number, int power);

/* Returns half a unit of the last printed digit, times 10^power, rounded up. */
uint64_t model_decimal_half(const struct model_decimal *number, int power);

/* Returns the value as a double. */
double model_decimal_value(const struct model_decimal *number);

#endif

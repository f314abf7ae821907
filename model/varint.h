/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * varint.h: numbers in as few bytes as they need: LEB128, and differences as zigzag numbers.
 */
#ifndef MODEL_VARINT_H
#define MODEL_VARINT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { MODEL_VARINT_MAX = 10 }; /* bytes of the largest number */

/* Writes a number, and returns its bytes. */
static inline size_t model_varint_put(uint8_t *to, uint64_t number)
{
    size_t size = 0;
    while (number > 0x7f) {
        to[size++] = (uint8_t)(number | 0x80);
        number >>= 7;
    }
    to[size++] = (uint8_t)number;
    return size;
}

/* Reads a number and moves `*at` on. Sets `*bad` and returns 0 if it does not end before `end`. */
static inline uint64_t model_varint_get(const uint8_t **at, const uint8_t *end, bool *bad)
{
    uint64_t number = 0;
    for (unsigned shift = 0; *at < end && shift < 64; shift += 7) {
        const uint8_t byte = *(*at)++;
        number |= (uint64_t)(byte & 0x7f) << shift;
        if (byte < 0x80)
            return number;
    }
    *bad = true;
    return 0;
}

/* A difference modulo 2^64 as a number that is small if the difference is, of either sign. */
static inline uint64_t model_zigzag(uint64_t change)
{
    return change << 1 ^ (uint64_t) - (int64_t)(change >> 63);
}

static inline uint64_t model_unzigzag(uint64_t number)
{
    return number >> 1 ^ (uint64_t) - (int64_t)(number & 1);
}

#endif

/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * frames.h: shared code of the programs that check frames.
 */
#ifndef TESTS_FRAMES_H
#define TESTS_FRAMES_H

#include <stdlib.h>
#include <string.h>

#include "tap.h"
#include "wire_again.h"

/* Pseudo-random numbers, the same in every run. */
static inline uint64_t draw(void)
{
    static uint64_t seed = 1;
    uint64_t z = seed += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

/* Reads a frame from a buffer of exactly this size, so that a sanitizer detects any read beyond it.
 * The target frame has old contents. */
static inline enum wire_error read_exact(const void *bytes, size_t size, struct wire_frame *f)
{
    static uint8_t *kept;
    free(kept);
    kept = malloc(size > 0 ? size : 1);
    memcpy(kept, bytes, size);
    memset(f, 0xa5, sizeof *f);
    enum wire_error e = wire_read(kept, size, f);
    if (e == WIRE_OK)
        ck_assert_ptr_null(wire_flaw(f, kept, size));
    return e;
}

static const uint8_t inst[16] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 255};

/* Reads a column of integers at once, then again in pieces of 1, 2, 3, ... rows. */
static inline void check_integers(const struct wire_column *col, const uint64_t *want, uint32_t n)
{
    uint64_t *back = calloc(n + 1, sizeof *back), carry = 0;
    wire_column_read(col, 0, n, back, NULL);
    ck_assert(memcmp(back, want, n * sizeof *back) == 0);
    memset(back, 0, n * sizeof *back);
    for (uint32_t at = 0, step = 0; at < n; at += step) {
        step = step + 1 < n - at ? step + 1 : n - at;
        wire_column_read(col, at, step, back + at, &carry);
    }
    ck_assert(memcmp(back, want, n * sizeof *back) == 0);
    free(back);
}

#endif

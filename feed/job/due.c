/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * due.c: which rows of a scan wait to be sent.
 */
#include "config.h"

#include "scan.h"

uint32_t feed_scan_waiting(const struct feed_scan *scan, uint32_t at, uint32_t count,
                           uint32_t id[FEED_CHUNK])
{
    const struct feed_rows *rows = scan->waiting[at] == 0 ? NULL : scan->applies[at];
    uint32_t n = 0;
    for (uint32_t word = 0; rows != NULL && word * 64 < feed_rows_in(at, count); word++)
        for (uint64_t bits = rows->waits.word[word]; bits != 0; bits &= bits - 1)
            id[n++] = at * FEED_CHUNK + word * 64 + (uint32_t)__builtin_ctzll(bits);
    return n;
}

void feed_scan_sent(struct feed_scan *scan, const uint32_t *id, size_t n)
{
    for (size_t k = 0; k < n; k++) {
        const uint32_t at = id[k] >> FEED_CHUNK_SHIFT, word = id[k] % FEED_CHUNK / 64;
        const uint64_t others = ~(UINT64_C(1) << id[k] % 64);
        struct feed_rows *rows = scan->applies[at];
        if (rows->waits.word[word] & ~others)
            scan->waiting[at]--;
        rows->waits.word[word] &= others;
        rows->extremes.word[word] &= others;
    }
}

/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * due.c: which rows of a scan wait to be sent.
 */
#include "config.h"

#include "scan.h"

uint32_t feed_scan_waiting_count(const struct feed_scan *scan, uint32_t at)
{
    const struct feed_rows *rows = scan->applies[at];
    uint32_t n = 0;
    for (uint32_t word = 0; rows != NULL && word < FEED_CHUNK / 64; word++)
        if (rows->waits[word] != 0)
            n += (uint32_t)__builtin_popcountll(rows->waits[word]);
    return n;
}

uint32_t feed_scan_waiting(const struct feed_scan *scan, uint32_t at, uint32_t count,
                           uint32_t id[FEED_CHUNK])
{
    const struct feed_rows *rows = scan->applies[at];
    uint32_t n = 0;
    for (uint32_t word = 0; rows != NULL && word * 64 < feed_rows_in(at, count); word++)
        for (uint64_t bits = rows->waits[word]; bits != 0; bits &= bits - 1)
            id[n++] = at * FEED_CHUNK + word * 64 + (uint32_t)__builtin_ctzll(bits);
    return n;
}

void feed_scan_sent(struct feed_scan *scan, uint32_t id)
{
    struct feed_rows *rows = scan->applies[id >> FEED_CHUNK_SHIFT];
    uint32_t i = id % FEED_CHUNK;
    rows->waits[i / 64] &= ~(UINT64_C(1) << i % 64);
    rows->waits_since[i] = 0;
    rows->row[i].extremes = false;
}

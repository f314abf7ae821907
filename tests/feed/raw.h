/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * raw.h: MessagePack written by hand, for frames that feed/protocol/writer.c never writes.
 */
#ifndef RAW_H
#define RAW_H

#include <stdint.h>
#include <string.h>

#include "feed/protocol/limits.h"

struct raw {
    uint8_t data[WIRE_FRAME_MAX + 4096];
    size_t size;
};
static struct raw raw;

static void add(const void *bytes, size_t n)
{
    memcpy(raw.data + raw.size, bytes, n);
    raw.size += n;
}

static void add_key(const char *key)
{
    raw.data[raw.size++] = (uint8_t)(0xa0 + strlen(key));
    add(key, strlen(key));
}

static void add_u64(uint64_t u)
{
    raw.data[raw.size++] = 0xcf;
    for (int shift = 56; shift >= 0; shift -= 8)
        raw.data[raw.size++] = (uint8_t)(u >> shift);
}

static void add_bin(const uint64_t *u, uint32_t n, unsigned width)
{
    uint32_t size = n * width;
    uint8_t head[] = {0xc6, (uint8_t)(size >> 24), (uint8_t)(size >> 16), (uint8_t)(size >> 8),
                      (uint8_t)size};
    add(head, sizeof head);
    for (uint32_t i = 0; i < n; i++)
        add(&u[i], width);
}

#endif

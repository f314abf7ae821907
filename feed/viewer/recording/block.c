/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * block.c: the bytes of heads, entries and feet, each with its checksum.
 */
#include "config.h"

#include "feed/viewer/recording/block.h"

#include <stdlib.h>
#include <string.h>

static const uint8_t sign[8] = {0x89, 'P', 'T', 'R', 'E', 'C', '\r', '\n'};
static const uint8_t foot_sign[8] = {'P', 'T', 'R', 'E', 'C', 'E', 'N', 'D'};

/* The polynomial of CRC-32C, with its bits reversed (RFC 3720, B.4). */
static const uint32_t polynomial = 0x82f63b78;

uint32_t viewer_block_check(const uint8_t *bytes, size_t size)
{
    static uint32_t table[256];
    if (table[1] == 0)
        for (uint32_t i = 0; i < 256; i++) {
            uint32_t sum = i;
            for (unsigned bit = 0; bit < 8; bit++)
                sum = sum >> 1 ^ (sum & 1 ? polynomial : 0);
            table[i] = sum;
        }
    uint32_t sum = UINT32_MAX;
    for (size_t i = 0; i < size; i++)
        sum = sum >> 8 ^ table[(sum ^ bytes[i]) & 0xff];
    return ~sum;
}

static uint8_t *put(uint8_t *out, uint64_t number, unsigned size)
{
    for (unsigned i = 0; i < size; i++)
        *out++ = (uint8_t)(number >> 8 * i);
    return out;
}

static uint64_t get(const uint8_t **in, unsigned size)
{
    uint64_t number = 0;
    for (unsigned i = 0; i < size; i++)
        number |= (uint64_t) * (*in)++ << 8 * i;
    return number;
}

/* The last four bytes are the checksum of the others. */
static void seal(uint8_t *bytes, size_t size)
{
    put(bytes + size - 4, viewer_block_check(bytes, size - 4), 4);
}

static bool is_sealed(const uint8_t *bytes, size_t size)
{
    const uint8_t *at = bytes + size - 4;
    return get(&at, 4) == viewer_block_check(bytes, size - 4);
}

void viewer_recording_head_write(uint8_t out[VIEWER_RECORDING_HEAD])
{
    memcpy(out, sign, sizeof sign);
    put(out + sizeof sign, VIEWER_RECORDING_VERSION, 4);
    seal(out, VIEWER_RECORDING_HEAD);
}

uint32_t viewer_recording_head_read(const uint8_t in[VIEWER_RECORDING_HEAD])
{
    const uint8_t *at = in + sizeof sign;
    if (memcmp(in, sign, sizeof sign) != 0 || !is_sealed(in, VIEWER_RECORDING_HEAD))
        return 0;
    return (uint32_t)get(&at, 4);
}

void viewer_block_write(const struct viewer_block *block, uint8_t out[VIEWER_BLOCK_HEAD])
{
    memset(out, 0, VIEWER_BLOCK_HEAD);
    uint8_t *at = put(out, block->kind, 4);
    at = put(at, block->stream, 4);
    at = put(at, block->size, 4);
    at = put(at, block->raw, 4);
    at = put(at, block->check, 4);
    at = put(at, block->first_ns, 8);
    put(at, block->last_ns, 8);
    seal(out, VIEWER_BLOCK_HEAD);
}

bool viewer_block_read(const uint8_t in[VIEWER_BLOCK_HEAD], struct viewer_block *block)
{
    const uint8_t *at = in;
    if (!is_sealed(in, VIEWER_BLOCK_HEAD))
        return false;
    block->kind = (uint8_t)get(&at, 4);
    block->stream = (uint32_t)get(&at, 4);
    block->size = (uint32_t)get(&at, 4);
    block->raw = (uint32_t)get(&at, 4);
    block->check = (uint32_t)get(&at, 4);
    block->first_ns = get(&at, 8);
    block->last_ns = get(&at, 8);
    return block->raw <= VIEWER_BLOCK_RAW_MAX;
}

bool viewer_segments_add(struct viewer_segment **segment, size_t *count, size_t *capacity,
                         const struct viewer_segment *more)
{
    if (*count == *capacity) {
        const size_t room = 2 * *capacity + 64;
        struct viewer_segment *grown = realloc(*segment, room * sizeof *grown);
        if (!grown)
            return false;
        *segment = grown;
        *capacity = room;
    }
    (*segment)[(*count)++] = *more;
    return true;
}

void viewer_segment_write(const struct viewer_segment *segment, uint8_t out[VIEWER_SEGMENT_ENTRY])
{
    memset(out, 0, VIEWER_SEGMENT_ENTRY);
    uint8_t *at = put(out, segment->offset, 8);
    at = put(at, segment->end, 8);
    at = put(at, segment->bytes, 8);
    at = put(at, segment->first_ns, 8);
    at = put(at, segment->last_ns, 8);
    put(at, segment->stream, 4);
}

void viewer_segment_read(const uint8_t in[VIEWER_SEGMENT_ENTRY], struct viewer_segment *segment)
{
    const uint8_t *at = in;
    segment->offset = get(&at, 8);
    segment->end = get(&at, 8);
    segment->bytes = get(&at, 8);
    segment->first_ns = get(&at, 8);
    segment->last_ns = get(&at, 8);
    segment->stream = (uint32_t)get(&at, 4);
}

void viewer_foot_write(uint64_t offset, uint8_t out[VIEWER_RECORDING_FOOT])
{
    memset(out, 0, VIEWER_RECORDING_FOOT);
    memcpy(out, foot_sign, sizeof foot_sign);
    put(out + sizeof foot_sign, offset, 8);
    seal(out, VIEWER_RECORDING_FOOT);
}

bool viewer_foot_read(const uint8_t in[VIEWER_RECORDING_FOOT], uint64_t *offset)
{
    const uint8_t *at = in + sizeof foot_sign;
    *offset = get(&at, 8);
    return memcmp(in, foot_sign, sizeof foot_sign) == 0 && is_sealed(in, VIEWER_RECORDING_FOOT);
}

/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * block.h: the parts of a recording's file: a head, blocks, and at a clean end a list of segments
 * and a foot. docs/recording.md describes them. All numbers have their lowest byte first.
 */
#ifndef FEED_VIEWER_RECORDING_BLOCK_H
#define FEED_VIEWER_RECORDING_BLOCK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    VIEWER_RECORDING_VERSION = 1,
    VIEWER_RECORDING_HEAD = 16, /* bytes */
    VIEWER_BLOCK_HEAD = 48,
    VIEWER_SEGMENT_ENTRY = 48,
    VIEWER_RECORDING_FOOT = 24,
    VIEWER_BLOCK_RAW_MAX = 512 * 1024 * 1024, /* bytes of a block when it is decompressed */
};

enum viewer_block_kind {
    VIEWER_BLOCK_BEGIN = 1, /* the first of a segment: compression begins anew */
    VIEWER_BLOCK_MORE,
    VIEWER_BLOCK_LIST, /* entries of all segments */
};

struct viewer_block {
    uint8_t kind;
    uint32_t stream;            /* which job of the file, from 0 on */
    uint32_t size;              /* bytes behind the head */
    uint32_t raw;               /* the same, decompressed */
    uint32_t check;             /* CRC-32C of these bytes */
    uint64_t first_ns, last_ns; /* wall clock of the moments in it; of BEGIN from the keyframe on */
};

/* A segment: its BEGIN block, and the MORE blocks of the same stream up to the next BEGIN. */
struct viewer_segment {
    uint64_t offset; /* of its first block */
    uint64_t end;    /* behind its last block; blocks of other streams may lie in between */
    uint64_t bytes;  /* of its blocks */
    uint64_t first_ns, last_ns;
    uint32_t stream;
};

void viewer_recording_head_write(uint8_t out[VIEWER_RECORDING_HEAD]);
/* Returns the version of the format; 0: no recording begins like this. */
uint32_t viewer_recording_head_read(const uint8_t in[VIEWER_RECORDING_HEAD]);
void viewer_block_write(const struct viewer_block *block, uint8_t out[VIEWER_BLOCK_HEAD]);
/* Returns false if the bytes are damaged. */
bool viewer_block_read(const uint8_t in[VIEWER_BLOCK_HEAD], struct viewer_block *block);
/* Adds an entry to a list, which the caller frees. False: no memory. */
bool viewer_segments_add(struct viewer_segment **segment, size_t *count, size_t *capacity,
                         const struct viewer_segment *more);
void viewer_segment_write(const struct viewer_segment *segment, uint8_t out[VIEWER_SEGMENT_ENTRY]);
void viewer_segment_read(const uint8_t in[VIEWER_SEGMENT_ENTRY], struct viewer_segment *segment);
/* The foot says where the block with the list of segments is. */
void viewer_foot_write(uint64_t offset, uint8_t out[VIEWER_RECORDING_FOOT]);
bool viewer_foot_read(const uint8_t in[VIEWER_RECORDING_FOOT], uint64_t *offset);
/* CRC-32C of some bytes. */
uint32_t viewer_block_check(const uint8_t *bytes, size_t size);

#endif

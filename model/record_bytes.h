/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * record_bytes.h: the bytes of a recording (recording.h): records, and the numbers and texts in
 * them. A record is its kind (one byte), its size (four bytes, the lowest first), and its contents.
 * A number is LEB128; a text is its size and its bytes.
 */
#ifndef MODEL_RECORD_BYTES_H
#define MODEL_RECORD_BYTES_H

#include "model/job.h"

enum { MODEL_RECORD_HEAD = 5 };

/* Zero at first. The caller empties it by `size = 0`, and frees `data`. */
struct model_record_out {
    uint8_t *data;
    size_t size, capacity;
    size_t record; /* where the open record begins */
    bool failed;   /* out of memory: something is missing */
};

void model_record_begin(struct model_record_out *out, unsigned kind);
void model_record_end(struct model_record_out *out);
void model_record_put(struct model_record_out *out, uint64_t number);
/* A difference modulo 2^64; small ones of either sign take few bytes. */
void model_record_put_change(struct model_record_out *out, uint64_t change);
void model_record_put_bits(struct model_record_out *out, uint64_t bits); /* eight bytes */
void model_record_put_bytes(struct model_record_out *out, const void *bytes, size_t size);
void model_record_put_text(struct model_record_out *out, struct model_bytes text);

/* Reads the contents of a record. The bytes are borrowed and need not be trusted: behind the end
 * there are zeros and empty texts, and `bad` is set. */
struct model_record_in {
    const uint8_t *at, *end;
    bool bad;
};

/* Takes the next record off `bytes`. Returns its kind, or 0 if no whole record is left. */
unsigned model_record_next(struct model_bytes *bytes, struct model_record_in *in);
uint64_t model_record_get(struct model_record_in *in);
/* A number below `limit`; others are bad. */
uint32_t model_record_get_below(struct model_record_in *in, uint64_t limit);
uint64_t model_record_get_change(struct model_record_in *in);
uint64_t model_record_get_bits(struct model_record_in *in);
bool model_record_get_bytes(struct model_record_in *in, void *bytes, size_t size);
struct model_bytes model_record_get_text(struct model_record_in *in);

#endif

/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * record_bytes.c: writes and reads the bytes of records.
 */
#include "model/record_bytes.h"

#include <stdlib.h>
#include <string.h>

#include "model/varint.h"

/* ------------------------------------------------------------------------------------- writing */

static bool fit(struct model_record_out *out, size_t size)
{
    if (out->capacity - out->size >= size)
        return true;
    const size_t capacity = 2 * out->capacity + size + 256;
    uint8_t *grown = realloc(out->data, capacity);
    out->failed |= !grown;
    if (!grown)
        return false;
    out->data = grown;
    out->capacity = capacity;
    return true;
}

void model_record_put_bytes(struct model_record_out *out, const void *bytes, size_t size)
{
    if (size == 0 || !fit(out, size))
        return;
    memcpy(out->data + out->size, bytes, size);
    out->size += size;
}

void model_record_begin(struct model_record_out *out, unsigned kind)
{
    const uint8_t head[MODEL_RECORD_HEAD] = {(uint8_t)kind};
    out->record = out->size;
    model_record_put_bytes(out, head, sizeof(head));
}

void model_record_end(struct model_record_out *out)
{
    if (out->failed)
        return;
    const size_t size = out->size - out->record - MODEL_RECORD_HEAD;
    out->failed |= size > UINT32_MAX;
    for (unsigned i = 0; i < 4; i++)
        out->data[out->record + 1 + i] = (uint8_t)(size >> 8 * i);
}

void model_record_put(struct model_record_out *out, uint64_t number)
{
    uint8_t bytes[MODEL_VARINT_MAX];
    const size_t size = model_varint_put(bytes, number);
    model_record_put_bytes(out, bytes, size);
}

void model_record_put_change(struct model_record_out *out, uint64_t change)
{
    model_record_put(out, model_zigzag(change));
}

void model_record_put_bits(struct model_record_out *out, uint64_t bits)
{
    uint8_t bytes[8];
    for (unsigned i = 0; i < 8; i++)
        bytes[i] = (uint8_t)(bits >> 8 * i);
    model_record_put_bytes(out, bytes, sizeof(bytes));
}

void model_record_put_text(struct model_record_out *out, struct model_bytes text)
{
    model_record_put(out, text.size);
    model_record_put_bytes(out, text.data, text.size);
}

/* ------------------------------------------------------------------------------------- reading */

unsigned model_record_next(struct model_bytes *bytes, struct model_record_in *in)
{
    const uint8_t *head = (const uint8_t *)bytes->data;
    uint32_t size = 0;
    if (bytes->size < MODEL_RECORD_HEAD)
        return 0;
    for (unsigned i = 0; i < 4; i++)
        size |= (uint32_t)head[1 + i] << 8 * i;
#ifndef RECORD_PLANT_FAULT /* tests/fuzz removes this check: the replay must notice */
    if (size > bytes->size - MODEL_RECORD_HEAD)
        return 0;
#endif
    *in =
        (struct model_record_in){head + MODEL_RECORD_HEAD, head + MODEL_RECORD_HEAD + size, false};
    bytes->data += MODEL_RECORD_HEAD + size;
    bytes->size -= MODEL_RECORD_HEAD + size;
    return head[0];
}

uint64_t model_record_get(struct model_record_in *in)
{
    return model_varint_get(&in->at, in->end, &in->bad);
}

uint32_t model_record_get_below(struct model_record_in *in, uint64_t limit)
{
    const uint64_t number = model_record_get(in);
    if (number < limit && number <= UINT32_MAX)
        return (uint32_t)number;
    in->bad = true;
    return 0;
}

uint64_t model_record_get_change(struct model_record_in *in)
{
    return model_unzigzag(model_record_get(in));
}

bool model_record_get_bytes(struct model_record_in *in, void *bytes, size_t size)
{
    if ((size_t)(in->end - in->at) < size) {
        in->bad = true;
        memset(bytes, 0, size);
        return false;
    }
    memcpy(bytes, in->at, size);
    in->at += size;
    return true;
}

uint64_t model_record_get_bits(struct model_record_in *in)
{
    uint8_t bytes[8];
    uint64_t bits = 0;
    model_record_get_bytes(in, bytes, sizeof(bytes));
    for (unsigned i = 0; i < 8; i++)
        bits |= (uint64_t)bytes[i] << 8 * i;
    return bits;
}

struct model_bytes model_record_get_text(struct model_record_in *in)
{
    const uint64_t size = model_record_get(in);
    in->bad |= size > (uint64_t)(in->end - in->at);
    if (in->bad)
        return (struct model_bytes){"", 0};
    const struct model_bytes text = {(const char *)in->at, (size_t)size};
    in->at += size;
    return text;
}

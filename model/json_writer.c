/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * json_writer.c: writes JSON values through a small buffer into a sink.
 */
#include "model/json_writer.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void model_put_flush(struct model_put *p)
{
    if (p->used)
        p->sink->write(p->sink->to, p->buffer, p->used);
    p->used = 0;
}

void model_put_bytes(struct model_put *p, const char *bytes, size_t size)
{
    while (size > 0) {
        size_t room = sizeof(p->buffer) - p->used;
        size_t part = size < room ? size : room;
        memcpy(p->buffer + p->used, bytes, part);
        p->used += part;
        bytes += part;
        size -= part;
        if (p->used == sizeof(p->buffer))
            model_put_flush(p);
    }
}

void model_put_word(struct model_put *p, const char *word)
{
    model_put_bytes(p, word, strlen(word));
}

void model_put_u64(struct model_put *p, uint64_t value)
{
    char digits[20];
    size_t at = sizeof(digits);
    do
        digits[--at] = (char)('0' + value % 10);
    while ((value /= 10) > 0);
    model_put_bytes(p, digits + at, sizeof(digits) - at);
}

void model_put_i64(struct model_put *p, int64_t value)
{
    if (value < 0)
        model_put_bytes(p, "-", 1);
    model_put_u64(p, value < 0 ? 0 - (uint64_t)value : (uint64_t)value);
}

/* The locale sets the decimal point for printing and for reading back. JSON needs ".". */
void model_put_f64(struct model_put *p, double value)
{
    char text[48];
    if (!isfinite(value)) {
        model_put_word(p, "null");
        return;
    }
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(text, sizeof(text), "%.*g", digits, value);
        if (strtod(text, NULL) == value)
            break;
    }
    for (const char *at = text; *at; at++) {
        bool plain = strchr("+-0123456789e", *at) != NULL;
        if (plain)
            model_put_bytes(p, at, 1);
        else if ((*at & 0xC0) != 0x80) /* first byte of a multi-byte decimal point */
            model_put_bytes(p, ".", 1);
    }
}

void model_put_known(struct model_put *p, uint64_t value)
{
    if (value == MODEL_UNKNOWN)
        model_put_word(p, "null");
    else
        model_put_u64(p, value);
}

void model_put_id(struct model_put *p, uint32_t id)
{
    model_put_known(p, id == MODEL_NONE ? MODEL_UNKNOWN : id);
}

void model_put_bool(struct model_put *p, bool value)
{
    model_put_word(p, value ? "true" : "false");
}

/* Writes a unit of UTF-16 as an escape, for characters that must not be in a file. */
static void put_escape(struct model_put *p, uint32_t unit)
{
    static const char digit[] = "0123456789abcdef";
    const char escape[6] = {'\\', 'u', digit[unit >> 12 & 15], digit[unit >> 8 & 15],
                            digit[unit >> 4 & 15], digit[unit & 15]};
    model_put_bytes(p, escape, sizeof(escape));
}

/* Writes one character that is not plain ASCII, from any bytes. Returns its size. */
static size_t put_character(struct model_put *p, const char *at, size_t left)
{
    const struct model_char next = model_text_char(at, left);
    if (*at == '\\' && p->hex) {
        put_escape(p, '\\');
    } else if (*at == '"' || *at == '\\') {
        model_put_bytes(p, "\\", 1);
        model_put_bytes(p, at, 1);
    } else if (*at == 0) {
        put_escape(p, 0);
    } else if (next.disturbs && next.code > 0xFFFF) {
        put_escape(p, 0xD7C0u + ((uint32_t)next.code >> 10));
        put_escape(p, 0xDC00u + ((uint32_t)next.code & 0x3FF));
    } else if (next.disturbs) {
        put_escape(p, (uint32_t)next.code);
    } else if (next.size == 1 && (unsigned char)*at >= 0x80) {
        put_escape(p, 0xFFFD);
    } else {
        model_put_bytes(p, at, next.size);
    }
    return next.size;
}

void model_put_string(struct model_put *p, const char *bytes, size_t size)
{
    model_put_bytes(p, "\"", 1);
    size_t done = 0;
    for (size_t at = 0; at < size;) {
        unsigned char c = (unsigned char)bytes[at];
        if (c >= 0x20 && c < 0x7F && c != '"' && c != '\\') {
            at++;
            continue;
        }
        model_put_bytes(p, bytes + done, at - done);
        at += put_character(p, bytes + at, size - at);
        done = at;
    }
    model_put_bytes(p, bytes + done, size - done);
    model_put_bytes(p, "\"", 1);
}

void model_put_quoted(struct model_put *p, const char *word)
{
    model_put_string(p, word, strlen(word));
}

/* An empty text means that no text was set. */
void model_put_text(struct model_put *p, const struct model_text *text)
{
    if (text && text->raw_size)
        model_put_string(p, text->raw, text->raw_size);
    else
        model_put_word(p, "null");
}

void model_put_hex(struct model_put *p, const uint8_t bytes[16])
{
    static const char digit[] = "0123456789abcdef";
    char hex[32];
    for (unsigned i = 0; i < 16; i++) {
        hex[2 * i] = digit[bytes[i] >> 4];
        hex[2 * i + 1] = digit[bytes[i] & 15];
    }
    model_put_string(p, hex, sizeof(hex));
}

void model_put_key(struct model_put *p, const char *key)
{
    if (!p->first)
        model_put_bytes(p, ",", 1);
    p->first = false;
    model_put_bytes(p, "\"", 1);
    model_put_word(p, key);
    model_put_bytes(p, "\":", 2);
}

void model_put_open(struct model_put *p)
{
    model_put_bytes(p, "{", 1);
    p->first = true;
}

void model_put_close(struct model_put *p)
{
    model_put_bytes(p, "}", 1);
    p->first = false;
}

void model_put_row(struct model_put *p)
{
    model_put_word(p, p->rows ? "," : "");
    p->rows = true;
    model_put_open(p);
}

/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * text_buffer.c: a growing text.
 */
#include "config.h"

#include "feed/shared/text_buffer.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool has_failed(struct shared_text *out)
{
    out->failed = out->failed || (out->stop != NULL && *out->stop);
    return out->failed;
}

/* Makes space for `more` bytes and a NUL. */
static bool make_room(struct shared_text *out, size_t more)
{
    size_t need = out->size + more + 1;
    if (out->failed || need <= out->capacity)
        return !out->failed;
    size_t capacity = out->capacity == 0 ? 4096 : out->capacity;
    while (capacity < need)
        capacity *= 2;
    char *grown = realloc(out->data, capacity);
    out->failed = grown == NULL;
    if (grown == NULL)
        return false;
    out->data = grown;
    out->capacity = capacity;
    return true;
}

static void put(struct shared_text *out, const char *data, size_t size)
{
    if (!make_room(out, size))
        return;
    memcpy(out->data + out->size, data, size);
    out->size += size;
    out->data[out->size] = 0;
}

/* Usually there is space, so the text is not measured first. */
void shared_text_printf(struct shared_text *out, const char *format, ...)
{
    va_list arguments;
    if (has_failed(out))
        return;
    const size_t room = out->capacity - out->size;
    va_start(arguments, format);
    const int size = vsnprintf(room > 0 ? out->data + out->size : NULL, room, format, arguments);
    va_end(arguments);
    if (size >= 0 && (size_t)size >= room && make_room(out, (size_t)size)) {
        va_start(arguments, format);
        vsnprintf(out->data + out->size, (size_t)size + 1, format, arguments);
        va_end(arguments);
    }
    if (size >= 0 && !out->failed)
        out->size += (size_t)size;
    if (out->data != NULL)
        out->data[out->size] = 0;
}

size_t shared_text_character(const char *text, size_t n)
{
    const unsigned char *at = (const unsigned char *)text;
    static const struct {
        unsigned char lead, mask, least, most; /* bounds of the second byte */
        size_t size;
    } forms[] = {{0xe0, 0xff, 0xa0, 0xbf, 3}, {0xed, 0xff, 0x80, 0x9f, 3},
                 {0xf0, 0xff, 0x90, 0xbf, 4}, {0xf4, 0xff, 0x80, 0x8f, 4},
                 {0xc0, 0xe0, 0x80, 0xbf, 2}, {0xe0, 0xf0, 0x80, 0xbf, 3},
                 {0xf0, 0xf8, 0x80, 0xbf, 4}};
    if (at[0] < 0x80)
        return 1;
    if (at[0] == 0xc0 || at[0] == 0xc1 || at[0] > 0xf4)
        return 0;
    size_t row = 0;
    while (row < sizeof forms / sizeof forms[0] && (at[0] & forms[row].mask) != forms[row].lead)
        row++;
    if (row == sizeof forms / sizeof forms[0] || forms[row].size > n || at[1] < forms[row].least ||
        at[1] > forms[row].most)
        return 0;
    for (size_t i = 2; i < forms[row].size; i++)
        if ((at[i] & 0xc0) != 0x80)
            return 0;
    return forms[row].size;
}

/* Code point of one to four bytes of valid UTF-8. */
static uint32_t code_of(const char *text, size_t size)
{
    const unsigned char *at = (const unsigned char *)text;
    uint32_t code = size == 1 ? at[0] : at[0] & (0x7fu >> size);
    for (size_t i = 1; i < size; i++)
        code = code << 6 | (at[i] & 0x3f);
    return code;
}

/* Unicode 15: categories Cc, Cf, Zl and Zp, and the default-ignorable characters. */
static bool is_obeyed(uint32_t code)
{
    static const uint32_t ranges[][2] = {
        {0x0, 0x1f},         {0x7f, 0x9f},       {0xad, 0xad},       {0x34f, 0x34f},
        {0x600, 0x605},      {0x61c, 0x61c},     {0x6dd, 0x6dd},     {0x70f, 0x70f},
        {0x890, 0x891},      {0x8e2, 0x8e2},     {0x115f, 0x1160},   {0x17b4, 0x17b5},
        {0x180b, 0x180f},    {0x200b, 0x200f},   {0x2028, 0x202e},   {0x2060, 0x206f},
        {0x3164, 0x3164},    {0xfe00, 0xfe0f},   {0xfeff, 0xfeff},   {0xffa0, 0xffa0},
        {0xfff0, 0xfffb},    {0x110bd, 0x110bd}, {0x110cd, 0x110cd}, {0x13430, 0x1343f},
        {0x1bca0, 0x1bca3},  {0x1d173, 0x1d17a}, {0xe0000, 0xe0fff}};
    for (size_t i = 0; i < sizeof ranges / sizeof ranges[0] && code >= ranges[i][0]; i++)
        if (code <= ranges[i][1])
            return true;
    return false;
}

bool shared_is_obeyed(const char *text, size_t size)
{
    return is_obeyed(code_of(text, size));
}

void shared_text_add(struct shared_text *out, struct wire_text text)
{
    const char *at = text.data;
    for (size_t left = text.size; left > 0;) {
        size_t size = shared_text_character(at, left);
        if (size == 0 || shared_is_obeyed(at, size))
            put(out, SHARED_NO_CHARACTER, sizeof SHARED_NO_CHARACTER - 1);
        else
            put(out, at, size);
        size = size == 0 ? 1 : size;
        at += size;
        left -= size;
    }
}

void shared_make_plain(char *sentence)
{
    char *to = sentence;
    for (size_t left = strlen(sentence); left > 0;) {
        size_t size = shared_text_character(sentence, left);
        const bool plain = size != 0 && !shared_is_obeyed(sentence, size);
        size = size == 0 ? 1 : size;
        if (plain)
            memmove(to, sentence, size);
        else
            *to = '?';
        to += plain ? size : 1;
        sentence += size;
        left -= size;
    }
    *to = 0;
}

void shared_text_quoted(struct shared_text *out, struct wire_text text)
{
    shared_text_marked(out, text, "");
}

static void print_escaped(struct shared_text *out, uint32_t code)
{
    if (code > 0xffff)
        shared_text_printf(out, "\\u%04x\\u%04x", (unsigned)(0xd7c0 + (code >> 10)),
                           (unsigned)(0xdc00 + (code & 0x3ff)));
    else
        shared_text_printf(out, "\\u%04x", (unsigned)code);
}

void shared_text_marked(struct shared_text *out, struct wire_text text, const char *mark)
{
    const char *at = text.data;
    put(out, "\"", 1);
    for (size_t left = text.size; left > 0;) {
        size_t size = shared_text_character(at, left);
        const uint32_t code = code_of(at, size);
        if (size == 0)
            put(out, SHARED_NO_CHARACTER, sizeof SHARED_NO_CHARACTER - 1);
        else if (is_obeyed(code))
            print_escaped(out, code);
        else if (code == '"' || code == '\\')
            shared_text_printf(out, "\\%c", *at);
        else
            put(out, at, size);
        size = size == 0 ? 1 : size;
        at += size;
        left -= size;
    }
    put(out, mark, strlen(mark));
    put(out, "\"", 1);
}

void shared_text_known(struct shared_text *out, const char *key, uint64_t value)
{
    shared_text_printf(out, value == WIRE_UNKNOWN ? ", \"%s\": null" : ", \"%s\": %" PRIu64, key,
                       value);
}

void shared_text_named(struct shared_text *out, const char *key, struct wire_text text)
{
    shared_text_printf(out, ", \"%s\": ", key);
    shared_text_quoted(out, text);
}

void shared_text_decimal(struct shared_text *out, int64_t value, int digits)
{
    char text[48];
    uint64_t left = value < 0 ? -(uint64_t)value : (uint64_t)value;
    size_t at = sizeof text;
    bool significant = false;
    for (int digit = 0; digit < digits; digit++, left /= 10) {
        significant = significant || left % 10 != 0;
        if (significant)
            text[--at] = (char)('0' + left % 10);
    }
    if (significant)
        text[--at] = '.';
    do
        text[--at] = (char)('0' + left % 10);
    while ((left /= 10) != 0);
    if (value < 0)
        text[--at] = '-';
    put(out, text + at, sizeof text - at);
}

char *shared_text_take(struct shared_text *out)
{
    if (!make_room(out, 0)) {
        shared_text_release(out);
        return NULL;
    }
    out->data[out->size] = 0;
    char *data = out->data;
    *out = (struct shared_text){0};
    return data;
}

void shared_text_release(struct shared_text *out)
{
    free(out->data);
    *out = (struct shared_text){0};
}

/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * text.c: repairs UTF-8, makes the screen form, folds for searching.
 */
#include "model/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <utf8proc.h>

enum {
    REPLACEMENT = 0xFFFD,
    CHAR_MAX_BYTES = 4,
    REPLACED_GROWTH = 3, /* a byte may become U+FFFD; a character may fold to 3 times its bytes */
    MARKS_MAX = 2,       /* combining marks on one base; more would extend beyond the line */
    SUFFIX_MAX = 64,
    ARENA_BLOCK = 64 * 1024,
};

const struct model_text model_text_empty = {"", "", 0, 0};

/* ---------------------------------------------------------------------------------- memory */

struct model_arena_block {
    struct model_arena_block *before;
    size_t used, capacity;
    char data[];
};

static char *arena_take(struct model_arena *arena, size_t size)
{
    struct model_arena_block *block = arena->last;
    if (!block || block->capacity - block->used < size) {
        size_t capacity = size > ARENA_BLOCK ? size : ARENA_BLOCK;
        /* The first block of an arena is small, because many arenas hold one short text. */
        if (!block)
            capacity = size > 256 ? size : 256;
        block = malloc(sizeof(*block) + capacity);
        if (!block)
            return NULL;
        block->before = arena->last;
        block->used = 0;
        block->capacity = capacity;
        arena->last = block;
        arena->bytes += sizeof(*block) + capacity;
    }
    char *data = block->data + block->used;
    block->used += size;
    return data;
}

void model_arena_release(struct model_arena *arena)
{
    while (arena->last) {
        struct model_arena_block *block = arena->last;
        arena->last = block->before;
        free(block);
    }
    arena->bytes = 0;
}

static const char *arena_copy(struct model_arena *arena, const char *bytes, size_t size)
{
    char *copy = arena_take(arena, size + 1);
    if (!copy)
        return NULL;
    memcpy(copy, bytes, size);
    copy[size] = '\0';
    return copy;
}

/* ------------------------------------------------------------------------------- characters */

struct reader {
    const uint8_t *at, *end;
};

/* Reads the next character. Returns U+FFFD for each invalid byte, and for NUL, so that a text never
 * ends before its size. */
static int32_t read_char(struct reader *in)
{
    int32_t c = REPLACEMENT;
    if (*in->at < 0x80) {
        c = *in->at++;
        return c ? c : REPLACEMENT;
    }
    utf8proc_ssize_t used = utf8proc_iterate(in->at, in->end - in->at, &c);
    if (used <= 0) {
        in->at++;
        return REPLACEMENT;
    }
    in->at += used;
    return c;
}

/* Writes whole characters while they fit, and keeps space for the terminating NUL. */
struct writer {
    char *out;
    size_t used, capacity;
};

static bool write_char(struct writer *to, int32_t c)
{
    uint8_t bytes[CHAR_MAX_BYTES] = {0};
    size_t size = 1;
    if (c < 0x80)
        bytes[0] = (uint8_t)c;
    else
        size = (size_t)utf8proc_encode_char(c, bytes);
    if (to->capacity < to->used + size + 1)
        return false;
    memcpy(to->out + to->used, bytes, size);
    to->used += size;
    return true;
}

static void write_end(struct writer *to)
{
    if (to->capacity)
        to->out[to->used] = '\0';
}

/* True for characters that a terminal would obey, hide, or draw over others. Includes characters
 * that utf8proc does not know, because their width is unknown. */
static bool disturbs(int32_t c, const utf8proc_property_t *property)
{
    static const uint32_t bad = 1u << UTF8PROC_CATEGORY_CC | 1u << UTF8PROC_CATEGORY_CF |
                                1u << UTF8PROC_CATEGORY_CN | 1u << UTF8PROC_CATEGORY_CS |
                                1u << UTF8PROC_CATEGORY_CO | 1u << UTF8PROC_CATEGORY_ZL |
                                1u << UTF8PROC_CATEGORY_ZP;
    /* Some terminals merge skin tones with the emoji before them, others do not. */
    bool skin_tone = c >= 0x1F3FB && c <= 0x1F3FF;
    return (bad >> property->category & 1) || property->ignorable || skin_tone;
}

/* True for characters without a width of their own: combining marks, and the vowels and finals of
 * Hangul that join the consonant before them. */
static bool rides(int32_t c, const utf8proc_property_t *property)
{
    return property->category == UTF8PROC_CATEGORY_MN ||
           property->category == UTF8PROC_CATEGORY_ME || (c >= 0x1160 && c <= 0x11FF) ||
           (c >= 0xD7B0 && c <= 0xD7FF);
}

struct model_char model_text_char(const char *bytes, size_t size)
{
    struct reader in = {(const uint8_t *)bytes, (const uint8_t *)bytes + size};
    const int32_t code = read_char(&in);
    return (struct model_char){.code = code,
                               .size = (uint32_t)((const char *)in.at - bytes),
                               .disturbs = disturbs(code, utf8proc_get_property(code))};
}

/* Returns the screen form of `c`. *marks is the state of one text: how many marks the current base
 * may still take. It starts at 0, so that a text cannot add marks to the text left of it. */
static int32_t safe_char(int32_t c, int *marks)
{
    if (c >= 0x20 && c < 0x7F) {
        *marks = MARKS_MAX;
        return c;
    }
    const utf8proc_property_t *property = utf8proc_get_property(c);
    bool bad = disturbs(c, property);
    if (!bad && rides(c, property)) {
        if (*marks > 0) {
            (*marks)--;
            return c;
        }
        bad = true;
    }
    *marks = bad ? 0 : MARKS_MAX;
    return bad ? REPLACEMENT : c;
}

size_t model_text_safe(const char *bytes, size_t size, char *out, size_t capacity)
{
    struct reader in = {(const uint8_t *)bytes, (const uint8_t *)bytes + size};
    struct writer to = {out, 0, capacity};
    int marks = 0;
    while (in.at < in.end && write_char(&to, safe_char(read_char(&in), &marks)))
        continue;
    write_end(&to);
    return to.used;
}

static bool write_folded(struct writer *to, int32_t c)
{
    if (c < 0x80)
        return write_char(to, c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c);
    int32_t folded[CHAR_MAX_BYTES];
    int boundary = 0;
    utf8proc_ssize_t n =
        utf8proc_decompose_char(c, folded, CHAR_MAX_BYTES, UTF8PROC_CASEFOLD, &boundary);
    if (n <= 0 || n > CHAR_MAX_BYTES)
        return write_char(to, c);
    for (utf8proc_ssize_t i = 0; i < n; i++)
        if (!write_char(to, folded[i]))
            return false;
    return true;
}

size_t model_text_fold(const char *bytes, size_t size, char *out, size_t capacity)
{
    struct reader in = {(const uint8_t *)bytes, (const uint8_t *)bytes + size};
    struct writer to = {out, 0, capacity};
    while (in.at < in.end && write_folded(&to, read_char(&in)))
        continue;
    write_end(&to);
    return to.used;
}

void model_text_hex(const char *text, size_t size, uint8_t out[16])
{
    static const char digits[] = "0123456789abcdef";
    memset(out, 0, 16);
    if (size != 32 || strspn(text, digits) != 32)
        return;
    for (int i = 0; i < 16; i++)
        out[i] = (uint8_t)((strchr(digits, text[2 * i]) - digits) << 4 |
                           (strchr(digits, text[2 * i + 1]) - digits));
}

/* ------------------------------------------------------------------------------------ texts */

/* FNV-1a, 64 bits. Distinguishes long names with the same start. */
static uint64_t hash(const uint8_t *at, const uint8_t *end)
{
    uint64_t h = 0xcbf29ce484222325u;
    for (; at < end; at++)
        h = (h ^ *at) * 0x100000001b3u;
    return h;
}

static bool plain_ascii(const char *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++)
        if (bytes[i] < 0x20 || bytes[i] > 0x7E)
            return false;
    return true;
}

static bool keep(struct model_arena *arena, const char *raw, size_t raw_size, const char *shown,
                 size_t shown_size, struct model_text *out)
{
    struct model_text text = {.raw_size = (uint32_t)raw_size, .shown_size = (uint32_t)shown_size};
    text.raw = arena_copy(arena, raw, raw_size);
    /* Both forms are mostly equal, and then share memory. */
    if (raw_size == shown_size && !memcmp(raw, shown, raw_size))
        text.shown = text.raw;
    else
        text.shown = arena_copy(arena, shown, shown_size);
    if (!text.raw || !text.shown)
        return false;
    *out = text;
    return true;
}

/* True if a text was already cut here, as in a saved report. Such a text is not cut again. */
static bool is_cut(const char *bytes, size_t size)
{
    static const char sign[] = "...(+";
    if (size <= MODEL_TEXT_KEPT || size > MODEL_TEXT_KEPT + SUFFIX_MAX || bytes[size - 1] != ')')
        return false;
    for (size_t at = MODEL_TEXT_KEPT - CHAR_MAX_BYTES + 1; at <= MODEL_TEXT_KEPT; at++)
        if (size - at > sizeof(sign) && memcmp(bytes + at, sign, sizeof(sign) - 1) == 0)
            return true;
    return false;
}

bool model_text_make(struct model_arena *arena, const char *bytes, size_t size,
                     struct model_text *out)
{
    *out = model_text_empty;
    if (!size)
        return true;
    const size_t most = is_cut(bytes, size) ? size : MODEL_TEXT_KEPT;
    if (size <= most && plain_ascii(bytes, size))
        return keep(arena, bytes, size, bytes, size, out);

    char raw[MODEL_TEXT_KEPT + 2 * SUFFIX_MAX + 1];
    char shown[(MODEL_TEXT_KEPT + SUFFIX_MAX) * REPLACED_GROWTH + SUFFIX_MAX + 1];
    struct reader in = {(const uint8_t *)bytes, (const uint8_t *)bytes + size};
    struct writer to = {raw, 0, most + 1};
    const uint8_t *kept = in.at;
    while (in.at < in.end && write_char(&to, read_char(&in)))
        kept = in.at;
    write_end(&to);
    size_t shown_size = model_text_safe(raw, to.used, shown, sizeof(shown) - SUFFIX_MAX);
    if (kept < in.end) {
        char suffix[SUFFIX_MAX];
        int n = snprintf(suffix, sizeof(suffix), "...(+%zu bytes, %016llx)",
                         (size_t)(in.end - kept), (unsigned long long)hash(kept, in.end));
        memcpy(raw + to.used, suffix, (size_t)n);
        memcpy(shown + shown_size, suffix, (size_t)n);
        to.used += (size_t)n;
        shown_size += (size_t)n;
    }
    return keep(arena, raw, to.used, shown, shown_size, out);
}

bool model_text_blank(const char *bytes, size_t size)
{
    return strspn(bytes, " ") >= size;
}

bool model_text_stand_in(struct model_arena *arena, struct model_text *text, const char *format,
                         ...)
{
    char made[MODEL_TEXT_KEPT];
    struct model_text shown;
    va_list list;
    if (!model_text_blank(text->shown, text->shown_size))
        return true;
    va_start(list, format);
    int size = vsnprintf(made, sizeof(made), format, list);
    va_end(list);
    size = size < (int)sizeof(made) ? size : (int)sizeof(made) - 1;
    if (size <= 0 || !model_text_make(arena, made, (size_t)size, &shown))
        return size <= 0;
    text->shown = shown.shown;
    text->shown_size = shown.shown_size;
    return true;
}

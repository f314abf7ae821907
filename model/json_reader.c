/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * json_reader.c: reads JSON (RFC 8259) value by value from a small buffer that a source fills.
 */
#include "model/json_reader.h"

#include <stdlib.h>
#include <string.h>

#include "model/job.h"

enum { END = -1, TEXT_LEAST = 256 };

static const char cut_off[] = "is cut off";
static const char no_json[] = "is not JSON";

void model_get_init(struct model_get *get, const struct model_reader *source)
{
    get->source = source;
    get->wrong = NULL;
    get->before = 0;
    get->at = get->end = get->size = get->capacity = 0;
    get->over = get->first = false;
    get->text = NULL;
}

void model_get_release(struct model_get *get)
{
    free(get->text);
    get->text = NULL;
}

bool model_get_fail(struct model_get *get, const char *wrong)
{
    if (!get->wrong)
        get->wrong = wrong;
    return false;
}

uint64_t model_get_offset(const struct model_get *get)
{
    return get->before + get->at;
}

/* --------------------------------------------------------------------------------------- bytes */

static bool fill(struct model_get *get)
{
    if (get->over || get->wrong)
        return false;
    get->before += get->end;
    get->at = 0;
    get->end = get->source->read(get->source->from, get->buffer, sizeof(get->buffer));
    get->over = get->end == 0;
    return !get->over;
}

/* Returns the next byte without consuming it; END if there is none. */
static int look(struct model_get *get)
{
    if (get->wrong || (get->at == get->end && !fill(get)))
        return END;
    return (unsigned char)get->buffer[get->at];
}

static int take(struct model_get *get)
{
    int c = look(get);
    get->at += c != END;
    return c;
}

/* Returns the next byte after white space, without consuming it. */
static int look_on(struct model_get *get)
{
    int c = look(get);
    while (c == ' ' || c == '\t' || c == '\n' || c == '\r') {
        get->at++;
        c = look(get);
    }
    return c;
}

bool model_get_more(struct model_get *get)
{
    return look_on(get) != END;
}

static bool refuse(struct model_get *get, int c)
{
    return model_get_fail(get, c == END ? cut_off : no_json);
}

static bool expect(struct model_get *get, char wanted)
{
    int c = look_on(get);
    if (c != wanted)
        return refuse(get, c);
    get->at++;
    return true;
}

/* --------------------------------------------------------------------------------------- texts */

/* Allocates space for `more` bytes, and for the NUL. */
static bool fit(struct model_get *get, size_t more)
{
    if (get->size + more >= MODEL_GET_TEXT)
        return model_get_fail(get, "has a text of more than 1 MiB");
    if (get->size + more < get->capacity)
        return true;
    size_t capacity = get->capacity ? 2 * get->capacity : TEXT_LEAST;
    while (capacity <= get->size + more)
        capacity *= 2;
    char *text = realloc(get->text, capacity);
    if (!text)
        return model_get_fail(get, "needs more memory than there is");
    get->text = text;
    get->capacity = capacity;
    return true;
}

static void keep(struct model_get *get, unsigned c)
{
    if (fit(get, 1))
        get->text[get->size++] = (char)c;
}

/* Takes the bytes of a text in the buffer up to the next special byte. */
static void take_stretch(struct model_get *get, bool kept)
{
    size_t to = get->at;
    while (to < get->end && get->buffer[to] != '"' && get->buffer[to] != '\\' &&
           (unsigned char)get->buffer[to] >= 0x20)
        to++;
    if (kept && to > get->at && fit(get, to - get->at)) {
        memcpy(get->text + get->size, get->buffer + get->at, to - get->at);
        get->size += to - get->at;
    }
    get->at = to;
}

static void keep_char(struct model_get *get, uint32_t c)
{
    static const unsigned lead[] = {0, 0xC0, 0xE0, 0xF0};
    unsigned more = c < 0x80 ? 0 : c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;
    keep(get, (lead[more] | c >> (6 * more)) & 0xFF);
    while (more-- > 0)
        keep(get, 0x80 | (c >> (6 * more) & 0x3F));
}

static uint32_t take_hex(struct model_get *get)
{
    static const char digits[] = "0123456789abcdef";
    uint32_t value = 0;
    for (int i = 0; i < 4; i++) {
        int c = take(get);
        int lower = c >= 'A' && c <= 'F' ? c + ('a' - 'A') : c;
        const char *digit = c > 0 ? strchr(digits, lower) : NULL;
        if (!digit) {
            refuse(get, c);
            return 0;
        }
        value = value << 4 | (uint32_t)(digit - digits);
    }
    return value;
}

/* Decodes \u. An unpaired surrogate becomes U+FFFD. */
static void take_unicode(struct model_get *get)
{
    uint32_t c = take_hex(get);
    while (c >= 0xD800 && c < 0xDC00 && look(get) == '\\') {
        get->at++;
        if (look(get) != 'u') {
            refuse(get, look(get));
            return;
        }
        get->at++;
        uint32_t low = take_hex(get);
        bool pair = low >= 0xDC00 && low < 0xE000;
        keep_char(get, pair ? 0x10000 + ((c - 0xD800) << 10) + (low - 0xDC00) : 0xFFFD);
        if (pair)
            return;
        c = low;
    }
    keep_char(get, c >= 0xD800 && c < 0xE000 ? 0xFFFD : c);
}

static void take_escape(struct model_get *get)
{
    static const char from[] = "\"\\/bfnrt", to[] = "\"\\/\b\f\n\r\t";
    int c = take(get);
    const char *at = c > 0 ? strchr(from, c) : NULL;
    if (c == 'u' && !get->wrong)
        take_unicode(get);
    else if (at)
        keep(get, (unsigned char)to[at - from]);
    else
        refuse(get, c);
}

/* Reads the rest of a text, after its opening quotation mark. Without `kept` the text is dropped,
 * and its plain bytes have no limit. Its escapes have one: take_escape() stores them all the same.
 */
static void take_text(struct model_get *get, bool kept)
{
    int c = 0;
    for (get->size = 0; c != '"' && !get->wrong;) {
        take_stretch(get, kept);
        c = take(get);
        if (c == '\\')
            take_escape(get);
        else if (c >= 0x20 && c != '"')
            get->at--; /* the first byte of a new buffer */
        else if (c != '"')
            refuse(get, c);
    }
    if (get->wrong || !kept || !fit(get, 0))
        get->size = 0;
    if (get->text)
        get->text[get->size] = '\0';
}

/* --------------------------------------------------------------------------- objects and lists */

static bool open(struct model_get *get, char bracket)
{
    if (!expect(get, bracket))
        return false;
    get->first = true;
    return true;
}

bool model_get_object(struct model_get *get)
{
    return open(get, '{');
}

bool model_get_list(struct model_get *get)
{
    return open(get, '[');
}

/* True if another member follows before the closing bracket. */
static bool next(struct model_get *get, char bracket)
{
    bool first = get->first;
    get->first = false;
    if (look_on(get) == bracket) {
        get->at++;
        return false;
    }
    return first ? !get->wrong : expect(get, ',');
}

bool model_get_key(struct model_get *get)
{
    if (!next(get, '}') || !expect(get, '"'))
        return false;
    take_text(get, true);
    return expect(get, ':');
}

bool model_get_item(struct model_get *get)
{
    return next(get, ']');
}

/* -------------------------------------------------------------------------------------- values */

static bool take_word(struct model_get *get, const char *word)
{
    for (; *word; word++) {
        int c = take(get);
        if (c != *word)
            return refuse(get, c);
    }
    return true;
}

/* Reads a number. MODEL_UNKNOWN unless it is a whole number that fits. */
static uint64_t take_number(struct model_get *get)
{
    uint64_t value = 0;
    bool whole = true, digits = false;
    for (int c = look(get); c != END && strchr("+-.eE0123456789", c); c = look(get)) {
        bool digit = c >= '0' && c <= '9';
        uint64_t more = digit ? (uint64_t)(c - '0') : 0;
        whole = whole && digit && value <= (UINT64_MAX - 1 - more) / 10;
        value = whole ? 10 * value + more : 0;
        digits |= digit;
        get->at++;
    }
    if (!digits)
        refuse(get, look(get));
    return whole && digits ? value : MODEL_UNKNOWN;
}

/* Skips a value that is neither an object nor a list; a text may be kept. */
static void skip_plain(struct model_get *get, int c, bool kept)
{
    if (c == '"') {
        get->at++;
        take_text(get, kept);
    } else if (c == 't')
        take_word(get, "true");
    else if (c == 'f')
        take_word(get, "false");
    else if (c == 'n')
        take_word(get, "null");
    else
        take_number(get);
}

static void skip_at(struct model_get *get, unsigned depth)
{
    int c = look_on(get);
    if (depth == MODEL_GET_DEPTH) {
        model_get_fail(get, "is nested deeper than any report");
        return;
    }
    if (c == '{')
        for (model_get_object(get); model_get_key(get);)
            skip_at(get, depth + 1);
    else if (c == '[')
        for (model_get_list(get); model_get_item(get);)
            skip_at(get, depth + 1);
    else
        skip_plain(get, c, false);
    get->first = false;
}

void model_get_skip(struct model_get *get)
{
    skip_at(get, 0);
}

uint64_t model_get_u64(struct model_get *get)
{
    int c = look_on(get);
    if (c >= '0' && c <= '9')
        return take_number(get);
    model_get_skip(get);
    return MODEL_UNKNOWN;
}

void model_get_text(struct model_get *get)
{
    if (look_on(get) == '"') {
        skip_plain(get, '"', true);
        return;
    }
    model_get_skip(get);
    get->size = 0;
    if (get->text)
        get->text[0] = '\0';
}

char model_get_peek(struct model_get *get)
{
    int c = look_on(get);
    return c == END ? '\0' : (char)c;
}

void model_get_scalar(struct model_get *get)
{
    char digits[64];
    size_t size = 0;
    int c = look_on(get);
    if (c == END || !strchr("-0123456789tf", c)) {
        model_get_text(get);
        return;
    }
    for (; c != END && strchr("+-.0123456789abcdefghijklmnopqrstuvwxyzE", c); c = look(get)) {
        if (size < sizeof(digits) - 1)
            digits[size++] = (char)c;
        get->at++;
    }
    get->size = 0;
    if (!fit(get, size))
        return;
    memcpy(get->text, digits, size);
    get->text[size] = '\0';
    get->size = size;
}

bool model_get_object_or_skip(struct model_get *get)
{
    if (look_on(get) == '{')
        return model_get_object(get);
    model_get_skip(get);
    return false;
}

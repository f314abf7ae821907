/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * json_reader.h: reads JSON values from text, as json_writer.h writes them. Reads piece by piece.
 * Keeps one text at a time, of less than MODEL_GET_TEXT bytes, however long the input is or claims
 * to be.
 *
 * The first error stops the reader: from then on there are no keys, items or values, so loops end
 * by themselves. Values of the wrong kind are skipped by the functions that say so.
 */
#ifndef MODEL_JSON_READER_H
#define MODEL_JSON_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { MODEL_GET_TEXT = 1024 * 1024, MODEL_GET_DEPTH = 64 };

/* Input: returns how many bytes it stored, 0 at the end. */
struct model_reader {
    size_t (*read)(void *from, char *bytes, size_t size);
    void *from;
};

struct model_get {
    const struct model_reader *source;
    const char *wrong; /* the error, phrased to follow "it"; NULL: none so far. Static */
    uint64_t before;   /* bytes read before the buffer's contents */
    size_t at, end;
    bool over;  /* the source has no more bytes */
    bool first; /* nothing was read yet from the innermost object or list */
    char *text; /* the last text or key, with a NUL that `size` does not count */
    size_t size, capacity;
    char buffer[8192];
};

void model_get_init(struct model_get *get, const struct model_reader *source);
void model_get_release(struct model_get *get);

/* True if anything but white space follows. */
bool model_get_more(struct model_get *get);
/* Offset of the next byte. */
uint64_t model_get_offset(const struct model_get *get);
/* Records an error, unless there already is one. Always returns false. */
bool model_get_fail(struct model_get *get, const char *wrong);

/* Opens an object, or a list. False if the value is of another kind. */
bool model_get_object(struct model_get *get);
bool model_get_list(struct model_get *get);
/* Opens an object. Skips a value of another kind, and returns false. */
bool model_get_object_or_skip(struct model_get *get);
/* Reads the next key into `text`. False at the end of the object. Read or skip its value next. */
bool model_get_key(struct model_get *get);
/* True if another item follows. Read or skip it next. */
bool model_get_item(struct model_get *get);

/* Reads a whole number. MODEL_UNKNOWN for null, and for anything but a 64-bit whole number. */
uint64_t model_get_u64(struct model_get *get);
/* Reads a text into `text`. Empty for null and for any other kind of value. */
void model_get_text(struct model_get *get);
/* Reads a text as above, or the digits of a number as they stand, or true or false. Empty for any
 * other value. Of a number at most 63 bytes are kept. */
void model_get_scalar(struct model_get *get);
/* Returns the first byte of the next value, without reading it: `{`, `[`, `"`, a digit, ...; 0: the
 * input has ended. */
char model_get_peek(struct model_get *get);
/* Skips any value. */
void model_get_skip(struct model_get *get);

#endif

/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * json_reader.h: the values of JSON from text, as json_writer.h writes them. Read piece by piece:
 * what is kept is one text at a time, of less than MODEL_GET_TEXT bytes, however long the input is
 * or says to be.
 *
 * The first thing that is wrong ends it: from then on there are no keys, no items and no values,
 * so that loops end by themselves. Values of the wrong kind are skipped where it says so.
 */
#ifndef MODEL_JSON_READER_H
#define MODEL_JSON_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { MODEL_GET_TEXT = 1024 * 1024, MODEL_GET_DEPTH = 64 };

/* Where the text comes from: gives the bytes that it has put there, 0 at the end. */
struct model_reader {
    size_t (*read)(void *from, char *bytes, size_t size);
    void *from;
};

struct model_get {
    const struct model_reader *source;
    const char *wrong; /* what is wrong, behind "it"; NULL: nothing so far. Static */
    uint64_t before;   /* bytes that were read before what is in the buffer */
    size_t at, end;
    bool over;  /* the source has no more */
    bool first; /* nothing was read yet of the object or list that was opened last */
    char *text; /* the text or key read last, with a NUL behind it that `size` does not count */
    size_t size, capacity;
    char buffer[8192];
};

void model_get_init(struct model_get *get, const struct model_reader *source);
void model_get_release(struct model_get *get);

/* Whether anything but white space follows. */
bool model_get_more(struct model_get *get);
/* Offset of the next byte. */
uint64_t model_get_offset(const struct model_get *get);
/* What is wrong, unless something was before. Always false. */
bool model_get_fail(struct model_get *get, const char *wrong);

/* Opens an object, or a list; false if it is none. */
bool model_get_object(struct model_get *get);
bool model_get_list(struct model_get *get);
/* The next key is in `text`, up to the end of the object. Its value must be read or skipped. */
bool model_get_key(struct model_get *get);
/* Whether there is another item, which must be read or skipped. */
bool model_get_item(struct model_get *get);

/* A whole number; MODEL_UNKNOWN for null, and for what is no whole number of 64 bits. */
uint64_t model_get_u64(struct model_get *get);
/* A text, into `text`; the empty one for null and for all that is no text. */
void model_get_text(struct model_get *get);
/* True for true alone. */
bool model_get_bool(struct model_get *get);
/* Any value. */
void model_get_skip(struct model_get *get);

#endif

/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * json_writer.h: the values of JSON as text, for json.c.
 */
#ifndef MODEL_JSON_WRITER_H
#define MODEL_JSON_WRITER_H

#include "model/json.h"

struct model_put {
    const struct model_sink *sink;
    bool first; /* the open object or list is still empty */
    bool rows;  /* the open section of the report has a row */
    bool hex;   /* write a backslash as \u005c: Perfetto misreads an escaped one before a quote */
    size_t used;
    char buffer[8192];
};

void model_put_bytes(struct model_put *p, const char *bytes, size_t size);
void model_put_word(struct model_put *p, const char *word);
/* Passes the buffered bytes to the sink. */
void model_put_flush(struct model_put *p);

/* Values. Unknown numbers, a missing row and the empty text are written as null. */
void model_put_u64(struct model_put *p, uint64_t value);
void model_put_i64(struct model_put *p, int64_t value);
/* The shortest text that reads back as the same number. Infinities and NaN are null. */
void model_put_f64(struct model_put *p, double value);
void model_put_known(struct model_put *p, uint64_t value);
void model_put_id(struct model_put *p, uint32_t id);
void model_put_bool(struct model_put *p, bool value);
void model_put_string(struct model_put *p, const char *bytes, size_t size);
void model_put_quoted(struct model_put *p, const char *word);
void model_put_text(struct model_put *p, const struct model_text *text);
void model_put_hex(struct model_put *p, const uint8_t bytes[16]);

/* An object. Write its keys between the two calls. */
void model_put_open(struct model_put *p);
void model_put_close(struct model_put *p);
/* Opens a row of a section. Writes a comma first unless it is the first row. */
void model_put_row(struct model_put *p);
/* Writes a key. Writes a comma first unless it is the first key of its object. */
void model_put_key(struct model_put *p, const char *key);

#endif

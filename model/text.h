/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * text.h: makes external names safe, once. The only user of utf8proc.
 *
 * Each name has two forms. `raw` is repaired UTF-8, for reports, keys and JSON. `shown` is the form
 * for the screen: C0, C1, DEL, bidi controls, zero-width and other characters that would disturb a
 * terminal are replaced by U+FFFD. Both forms are mostly the same bytes.
 */
#ifndef MODEL_TEXT_H
#define MODEL_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { MODEL_TEXT_KEPT = 4096 }; /* bytes of a name that are kept; then its length and a hash */

/* Both strings end with a NUL that the sizes do not count. */
struct model_text {
    const char *raw;
    const char *shown;
    uint32_t raw_size;
    uint32_t shown_size;
};

/* The job's bytes; "" if there are none. */
static inline const char *model_text_raw(const struct model_text *text)
{
    return text->raw_size ? text->raw : "";
}

/* Memory for texts. It grows, never moves a text, and is freed as a whole. All zeros is empty. */
struct model_arena {
    struct model_arena_block *last;
    size_t bytes; /* allocated so far */
};

/* Makes both forms of `bytes` (borrowed, any bytes). The arena owns the memory. Returns false if
 * out of memory; *out is then the empty text. */
bool model_text_make(struct model_arena *arena, const char *bytes, size_t size,
                     struct model_text *out);

/* True if the bytes are empty or only blanks. The bytes end with a NUL. */
bool model_text_blank(const char *bytes, size_t size);

/* If a text is blank, sets its shown form from `format`. Its raw form stays. */
bool model_text_stand_in(struct model_arena *arena, struct model_text *text, const char *format,
                         ...)
    __attribute__((format(printf, 3, 4)));

/* The empty text; static. */
extern const struct model_text model_text_empty;

/* Writes the screen form of one string to a buffer, cut at a character boundary, always
 * terminated. Returns the bytes written, without the NUL. For texts that do not live in a job
 * (argv, errors). */
size_t model_text_safe(const char *bytes, size_t size, char *out, size_t capacity);

/* One character of a text. */
struct model_char {
    int32_t code; /* U+FFFD for invalid bytes and for NUL */
    uint32_t size;
    bool disturbs; /* a terminal would obey it, hide it, or reverse the writing direction */
};

/* Returns the first character. `size` is at least 1; any bytes are allowed. */
struct model_char model_text_char(const char *bytes, size_t size);

/* Folds for searching: lower case by Unicode's simple folding. Otherwise as model_text_safe(). */
size_t model_text_fold(const char *bytes, size_t size, char *out, size_t capacity);

/* Reads 16 bytes from 32 lower-case hexadecimal digits, the form of an instance. All zeros if the
 * text has any other form. */
void model_text_hex(const char *text, size_t size, uint8_t out[16]);

void model_arena_release(struct model_arena *arena);

#endif

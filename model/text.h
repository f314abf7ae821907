/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * text.h: names that came from outside, made safe once. The only user of utf8proc.
 *
 * Each name is kept twice: `raw`, repaired UTF-8 for reports, keys and JSON, and `shown`, the form
 * for the screen, in which C0, C1, DEL, bidi controls, zero-width and other characters that would
 * disturb a terminal are replaced by U+FFFD. Mostly both are the same bytes.
 */
#ifndef MODEL_TEXT_H
#define MODEL_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { MODEL_TEXT_KEPT = 4096 }; /* bytes of a name that are kept; the rest becomes its length and
                                    a hash */

/* Both strings end with NUL, which the sizes do not count. */
struct model_text {
    const char *raw;
    const char *shown;
    uint32_t raw_size;
    uint32_t shown_size;
};

/* Memory for texts: grows, never moves what it has given out, freed whole. Zero is empty. */
struct model_arena {
    struct model_arena_block *last;
    size_t bytes; /* allocated so far */
};

/* Makes both forms of `bytes` (borrowed, any bytes). False when out of memory; *out is then the
 * empty text. The memory is the arena's. */
bool model_text_make(struct model_arena *arena, const char *bytes, size_t size,
                     struct model_text *out);

/* Whether there are only blanks, or nothing. The bytes end with a zero. */
bool model_text_blank(const char *bytes, size_t size);

/* If a text is blank, shows this in its place. The raw form of the text stays. */
bool model_text_stand_in(struct model_arena *arena, struct model_text *text, const char *format,
                         ...)
    __attribute__((format(printf, 3, 4)));

/* The empty text; static. */
extern const struct model_text model_text_empty;

/* Makes the screen form of one string into a buffer, cut at a character, always terminated.
 * Returns the bytes written without NUL. For texts that do not live in a job (argv, errors). */
size_t model_text_safe(const char *bytes, size_t size, char *out, size_t capacity);

/* One character of a text. */
struct model_char {
    int32_t code; /* U+FFFD where the bytes are none, and for NUL */
    uint32_t size;
    bool disturbs; /* a terminal would obey it, hide it, or write on from the other side */
};

/* The first character of at least one byte, any bytes. */
struct model_char model_text_char(const char *bytes, size_t size);

/* Folds for searching: lower case by Unicode's simple folding. As model_text_safe(). */
size_t model_text_fold(const char *bytes, size_t size, char *out, size_t capacity);

/* 16 bytes from 32 lower-case hexadecimal digits, as an instance is written; zero where the text is
 * anything else. */
void model_text_hex(const char *text, size_t size, uint8_t out[16]);

void model_arena_release(struct model_arena *arena);

#endif

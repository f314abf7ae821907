/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * text_buffer.h: a growing text, for the reports that a job makes of itself. When out of memory, or
 * stopped, the text no longer changes and shared_text_take() reports that at the end. So callers
 * need no check at each step.
 */
#ifndef FEED_SHARED_TEXT_BUFFER_H
#define FEED_SHARED_TEXT_BUFFER_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "feed/protocol/frame.h"

struct shared_text {
    char *data; /* `size` bytes and a NUL; NULL while empty */
    size_t size, capacity;
    const _Atomic bool *stop; /* true: the text is no longer needed; NULL: never stopped */
    bool failed;
};

static inline struct wire_text shared_text_of(const char *text)
{
    return (struct wire_text){.data = text, .size = (uint32_t)strlen(text)};
}

void shared_text_printf(struct shared_text *out, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* Appends a text on one line, with U+FFFD for shared_is_obeyed() characters and for invalid
 * UTF-8. */
void shared_text_add(struct shared_text *out, struct wire_text text);
/* Makes a sentence of ours plain, in place: ? for the same characters. */
void shared_make_plain(char *sentence);
/* True if a terminal or an editor obeys or hides the character: a control, a separator of lines or
 * paragraphs, a change of writing direction, or one without a shape. `size`: its bytes. */
bool shared_is_obeyed(const char *text, size_t size);
/* Replacement for invalid UTF-8: U+FFFD. */
#define SHARED_NO_CHARACTER "\xef\xbf\xbd"
/* Bytes of the UTF-8 character at the start of n bytes; 0: invalid. Surrogates, overlong forms and
 * code points above U+10FFFF are invalid. */
size_t shared_text_character(const char *text, size_t n);
/* Appends a text as JSON, in quotes. Obeyed characters become \\u and their number, so no file has
 * them raw. */
void shared_text_quoted(struct shared_text *out, struct wire_text text);
/* The same, with a mark appended that needs no escapes. */
void shared_text_marked(struct shared_text *out, struct wire_text text, const char *mark);
/* Appends `, "key": ` and a number, null for WIRE_UNKNOWN; or a text, as above. */
void shared_text_known(struct shared_text *out, const char *key, uint64_t value);
void shared_text_named(struct shared_text *out, const char *key, struct wire_text text);
/* Appends value / 10^digits, exactly, without trailing zeros: 126990000, 6 is 126.99. */
void shared_text_decimal(struct shared_text *out, int64_t value, int digits);

/* Returns the text, which the caller frees. NULL when out of memory, or stopped. Leaves `out`
 * empty. */
char *shared_text_take(struct shared_text *out);
void shared_text_release(struct shared_text *out);

#endif

/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * text_buffer.h: a text that grows, for the reports that a job makes of itself. Once memory is
 * short, or the job ends, it stays as it is and says so at the end: nobody need look at each step.
 */
#ifndef FEED_PRINT_H
#define FEED_PRINT_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "feed/protocol/frame.h"

struct feed_print {
    char *data; /* `size` bytes and a 0; NULL while empty */
    size_t size, capacity;
    const _Atomic bool *stop; /* true: nobody waits for it any more; NULL: somebody always does */
    bool failed;
};

static inline struct wire_text feed_text_of(const char *text)
{
    return (struct wire_text){.data = text, .size = (uint32_t)strlen(text)};
}

void feed_print(struct feed_print *out, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* A text on one line, with U+FFFD for what feed_is_obeyed() and for bytes that are no UTF-8. */
void feed_print_text(struct feed_print *out, struct wire_text text);
/* Makes a sentence of ours plain in its place: ? for the same. */
void feed_make_plain(char *sentence);
/* Whether a character is obeyed or hidden by a terminal or an editor: a control, a separator of
 * lines or paragraphs, one that turns the direction of writing, or one without a shape. `size`: its
 * bytes. */
bool feed_is_obeyed(const char *text, size_t size);
/* What a byte that is no UTF-8 becomes: U+FFFD. */
#define FEED_NO_CHARACTER "\xef\xbf\xbd"
/* Bytes of the UTF-8 character at the start of n bytes; 0: it is none. Surrogates, overlong forms
 * and what is above U+10FFFF are none. */
size_t feed_print_character(const char *text, size_t n);
/* A text as JSON, in quotes; what is obeyed is \\u and its number, so no file has it raw. */
void feed_print_quoted(struct feed_print *out, struct wire_text text);
/* The same with a mark behind it that needs no escapes. */
void feed_print_marked(struct feed_print *out, struct wire_text text, const char *mark);
/* `, "key": ` and a number, null where it is WIRE_UNKNOWN; or a text, as above. */
void feed_print_known(struct feed_print *out, const char *key, uint64_t value);
void feed_print_named(struct feed_print *out, const char *key, struct wire_text text);
/* value / 10^digits, exactly, without needless zeros: 126990000, 6 is 126.99. */
void feed_print_decimal(struct feed_print *out, int64_t value, int digits);

/* Takes the text: the caller frees it. NULL when memory was short, or it was stopped. Leaves `out`
 * empty. */
char *feed_print_take(struct feed_print *out);
void feed_print_release(struct feed_print *out);

#endif

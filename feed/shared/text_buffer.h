/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * text_buffer.h: a text that grows, for the reports that a job makes of itself. Once memory is
 * short, or the job ends, it stays as it is and says so at the end: nobody need look at each step.
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
    char *data; /* `size` bytes and a 0; NULL while empty */
    size_t size, capacity;
    const _Atomic bool *stop; /* true: nobody waits for it any more; NULL: somebody always does */
    bool failed;
};

static inline struct wire_text shared_text_of(const char *text)
{
    return (struct wire_text){.data = text, .size = (uint32_t)strlen(text)};
}

void shared_text_printf(struct shared_text *out, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* A text on one line, with U+FFFD for what shared_is_obeyed() and for bytes that are no UTF-8. */
void shared_text_text(struct shared_text *out, struct wire_text text);
/* Makes a sentence of ours plain in its place: ? for the same. */
void shared_make_plain(char *sentence);
/* Whether a character is obeyed or hidden by a terminal or an editor: a control, a separator of
 * lines or paragraphs, one that turns the direction of writing, or one without a shape. `size`: its
 * bytes. */
bool shared_is_obeyed(const char *text, size_t size);
/* What a byte that is no UTF-8 becomes: U+FFFD. */
#define SHARED_NO_CHARACTER "\xef\xbf\xbd"
/* Bytes of the UTF-8 character at the start of n bytes; 0: it is none. Surrogates, overlong forms
 * and what is above U+10FFFF are none. */
size_t shared_text_character(const char *text, size_t n);
/* A text as JSON, in quotes; what is obeyed is \\u and its number, so no file has it raw. */
void shared_text_quoted(struct shared_text *out, struct wire_text text);
/* The same with a mark behind it that needs no escapes. */
void shared_text_marked(struct shared_text *out, struct wire_text text, const char *mark);
/* `, "key": ` and a number, null where it is WIRE_UNKNOWN; or a text, as above. */
void shared_text_known(struct shared_text *out, const char *key, uint64_t value);
void shared_text_named(struct shared_text *out, const char *key, struct wire_text text);
/* value / 10^digits, exactly, without needless zeros: 126990000, 6 is 126.99. */
void shared_text_decimal(struct shared_text *out, int64_t value, int digits);

/* Takes the text: the caller frees it. NULL when memory was short, or it was stopped. Leaves `out`
 * empty. */
char *shared_text_take(struct shared_text *out);
void shared_text_release(struct shared_text *out);

#endif

/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * wire_again.h: what must be true of every frame that wire_read() accepts, whoever made it.
 */
#ifndef TESTS_WIRE_AGAIN_H
#define TESTS_WIRE_AGAIN_H

#include "feed/protocol/frame.h"

/* The first promise of frame.h that a decoded frame breaks, as a sentence; NULL if it keeps all. */
const char *wire_flaw(const struct wire_frame *frame, const void *bytes, size_t size);

/* Writes a decoded frame again, fields and groups in the order of the schema. */
size_t wire_again(const struct wire_frame *frame, void *buffer, size_t capacity);

/* NULL if both frames say the same; else what differs. Bytes of a field's text behind a NUL do not
 * count, since the writer takes C strings there. */
const char *wire_differ(const struct wire_frame *a, const struct wire_frame *b);

#endif

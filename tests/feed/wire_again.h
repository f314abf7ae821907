/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * wire_again.h: invariants of every frame that wire_read() accepts, from any encoder.
 */
#ifndef TESTS_WIRE_AGAIN_H
#define TESTS_WIRE_AGAIN_H

#include "feed/protocol/frame.h"

/* Returns the first guarantee of frame.h that a decoded frame breaks, as a sentence. NULL if
 * none. */
const char *wire_flaw(const struct wire_frame *frame, const void *bytes, size_t size);

/* Encodes a decoded frame again, fields and groups in the order of the schema. */
size_t wire_again(const struct wire_frame *frame, void *buffer, size_t capacity);

/* Returns NULL if both frames are equal, else the difference. Ignores bytes of a field's text
 * behind a NUL, since the writer takes C strings there. */
const char *wire_differ(const struct wire_frame *a, const struct wire_frame *b);

#endif

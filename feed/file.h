/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * file.h: files that are written whole. Job and viewer.
 */
#ifndef FEED_FILE_H
#define FEED_FILE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

/* Writes a file under another name and then gives it its own, so that whoever reads it always finds
 * a whole one. One that is there already stays, unless `over`. Once *stop is true (NULL: never) it
 * is given up. Of a link the file takes the place, not of what it leads to; of a device or a pipe
 * it does not. False with a sentence in `why`; then nothing is left of it. */
bool feed_file_write(const char *name, const char *data, size_t size, bool over,
                     const _Atomic bool *stop, char *why, size_t capacity);

#endif

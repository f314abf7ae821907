/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * atomic_file.h: writes files atomically. Used by job and viewer.
 */
#ifndef FEED_SHARED_ATOMIC_FILE_H
#define FEED_SHARED_ATOMIC_FILE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

/* Writes a file under another name and then renames it, so that a reader always finds a whole file.
 * An existing file stays, unless `over`. Gives up once *stop is true (NULL: never). Follows links,
 * except other users' links in directories that others can write to. A device, a pipe or
 * /dev/stdout is written to in place, with or without `over`; with `stop`, a slow reader gets one
 * second. False with a sentence in `why`; then no partial file is left. */
bool shared_file_write(const char *name, const char *data, size_t size, bool over,
                       const _Atomic bool *stop, char *why, size_t capacity);

/* Reads the first bytes of a file, as a string. False: there are none. */
bool shared_file_head(const char *path, char *text, size_t capacity);

#endif

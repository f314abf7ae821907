/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * atomic_file.h: files that are written whole. Job and viewer.
 */
#ifndef FEED_SHARED_ATOMIC_FILE_H
#define FEED_SHARED_ATOMIC_FILE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

/* Writes a file under another name and then gives it its own, so that whoever reads it always finds
 * a whole one. One that is there already stays, unless `over`. Once *stop is true (NULL: never) it
 * is given up. Links are followed, except links of other users in folders that others can write to.
 * A device, a pipe or /dev/stdout keeps its place and is written to, `over` or not; with `stop`, a
 * slow reader is waited for one second. False with a sentence in `why`; then nothing is left of a
 * file. */
bool shared_file_write(const char *name, const char *data, size_t size, bool over,
                       const _Atomic bool *stop, char *why, size_t capacity);

/* The first bytes of a file, as a string. False: there are none. */
bool shared_file_head(const char *path, char *text, size_t capacity);

#endif

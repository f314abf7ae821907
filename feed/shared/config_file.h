/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * config_file.h: files of lines `key = value`, as the site's file and those of keys are. Empty
 * lines, and lines that begin with #, say nothing. Shared by job and viewer.
 */
#ifndef FEED_ENTRY_H
#define FEED_ENTRY_H

#include <stdbool.h>
#include <stddef.h>

enum { FEED_LINE_MAX = 512 }; /* bytes of a line, its end included */

enum feed_entries {
    FEED_ENTRIES_READ,
    FEED_ENTRIES_NONE, /* there is no such file */
    FEED_ENTRIES_BAD,  /* there is, but it is not believed: `why` says why not */
};

/* Takes one line. NULL, or what is wrong with it: half a sentence that begins with a verb. */
typedef const char *feed_entry_fn(void *to, const char *key, const char *value);

/* Reads the file line by line. It is believed if it is a plain file of root or of this user that
 * nobody else may write; with `secret`, that nobody else may read either. Does not block. */
enum feed_entries feed_entries_read(const char *path, bool secret, feed_entry_fn *take, void *to,
                                    char *why, size_t capacity);

#endif

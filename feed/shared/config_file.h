/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * config_file.h: files of lines `key = value`, as the site's file and those of keys are. Empty
 * lines, and lines that begin with #, say nothing. Shared by job and viewer.
 */
#ifndef FEED_SHARED_CONFIG_FILE_H
#define FEED_SHARED_CONFIG_FILE_H

#include <stdbool.h>
#include <stddef.h>

enum { SHARED_LINE_MAX = 512 }; /* bytes of a line, its end included */

enum shared_config {
    SHARED_CONFIG_READ,
    SHARED_CONFIG_NONE, /* there is no such file */
    SHARED_CONFIG_BAD,  /* there is, but it is not believed: `why` says why not */
};

/* Takes one line. NULL, or what is wrong with it: half a sentence that begins with a verb. */
typedef const char *shared_config_line_fn(void *to, const char *key, const char *value);

/* Reads the file line by line. It is believed if it is a plain file of root or of this user that
 * nobody else may write; with `secret`, that nobody else may read either. Does not block. */
enum shared_config shared_config_read(const char *path, bool secret, shared_config_line_fn *take,
                                      void *to, char *why, size_t capacity);

#endif

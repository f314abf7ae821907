/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * config_file.h: files of lines `key = value`, such as the site's file and the key files. Empty
 * lines, and lines that begin with #, are ignored. Shared by job and viewer.
 */
#ifndef FEED_SHARED_CONFIG_FILE_H
#define FEED_SHARED_CONFIG_FILE_H

#include <stdbool.h>
#include <stddef.h>

enum { SHARED_LINE_MAX = 512 }; /* bytes of a line, including its end */

enum shared_config {
    SHARED_CONFIG_READ,
    SHARED_CONFIG_NONE, /* there is no such file */
    SHARED_CONFIG_BAD,  /* the file is there but not trusted: `why` has the reason */
};

/* Takes one line. Returns NULL, or the fault: half a sentence that begins with a verb. */
typedef const char *shared_config_line_fn(void *to, const char *key, const char *value);

/* Reads the file line by line. It is trusted if it is a plain file of root or of this user, and no
 * other user may write it; with `secret`, none may read it either. Does not block. */
enum shared_config shared_config_read(const char *path, bool secret, shared_config_line_fn *take,
                                      void *to, char *why, size_t capacity);

#endif

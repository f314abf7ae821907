/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * own_file.h: a file as we made it, told from someone else's that came under the same name.
 */
#ifndef FEED_OWN_FILE_H
#define FEED_OWN_FILE_H

#include <stdbool.h>
#include <sys/types.h>

#include "feed/shared/registry_dir.h"

struct feed_own_file {
    char path[FEED_ENDPOINT_MAX]; /* "": none */
    dev_t device;
    ino_t inode;
};

/* What lies at the path now was made by us. */
void feed_own_file_note(struct feed_own_file *file);
/* Whether that still lies there. */
bool feed_own_file_stands(const struct feed_own_file *file);
/* Only what is ours. */
void feed_own_file_remove(const struct feed_own_file *file);

#endif

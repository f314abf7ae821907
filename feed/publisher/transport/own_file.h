/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * own_file.h: a file as we made it, told from someone else's that came under the same name.
 */
#ifndef FEED_PUBLISHER_TRANSPORT_OWN_FILE_H
#define FEED_PUBLISHER_TRANSPORT_OWN_FILE_H

#include <stdbool.h>
#include <sys/types.h>

#include "feed/shared/registry_dir.h"

struct publisher_own_file {
    char path[SHARED_ENDPOINT_MAX]; /* "": none */
    dev_t device;
    ino_t inode;
};

/* What lies at the path now was made by us. */
void publisher_own_file_note(struct publisher_own_file *file);
/* Whether that still lies there. */
bool publisher_own_file_stands(const struct publisher_own_file *file);
/* Only what is ours. */
void publisher_own_file_remove(const struct publisher_own_file *file);

#endif

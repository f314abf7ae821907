/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * own_file.h: distinguishes a file that this process made from a later file of the same name.
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

/* Records the file at the path as made by this process. */
void publisher_own_file_note(struct publisher_own_file *file);
/* True if the recorded file is still at the path. */
bool publisher_own_file_stands(const struct publisher_own_file *file);
/* Removes the file, if it is still the recorded one. */
void publisher_own_file_remove(const struct publisher_own_file *file);

#endif

/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * black_box_place.h: where the files of black boxes (black_box.h) lie. Used by job and viewer.
 */
#ifndef FEED_SHARED_BLACK_BOX_PLACE_H
#define FEED_SHARED_BLACK_BOX_PLACE_H

#include "feed/shared/black_box.h"
#include "feed/shared/registry_dir.h"

enum { SHARED_BOX_PLACES = REGISTRY_DIRS_MAX + 1 };

/* Lists the directories that may have such files, in order of preference: the registry's,
 * and the one of this user below /dev/shm. Returns how many; creates none. */
size_t shared_box_places(char place[SHARED_BOX_PLACES][SHARED_PATH_MAX]);

struct shared_box_file {
    char path[SHARED_PATH_MAX];
    uint64_t pid, start; /* of the process, from the file's name */
    uint64_t made_ns;    /* wall clock at which it was made, or nearly so */
};

/* Lists the files of this user in a directory, the newest first. Returns how many; the caller frees
 * `*file`, which is NULL if there are none or no memory. */
size_t shared_box_files(const char *place, struct shared_box_file **file);

/* True if the process that made a file still runs. */
bool shared_box_runs(uint64_t pid, uint64_t start);

#endif

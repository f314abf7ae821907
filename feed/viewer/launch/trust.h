/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * trust.h: decides whether others could change a file that is loaded or run.
 */
#ifndef FEED_VIEWER_LAUNCH_TRUST_H
#define FEED_VIEWER_LAUNCH_TRUST_H

#include "feed/shared/registry_dir.h"

#include <stdbool.h>
#include <stddef.h>

enum viewer_trust {
    VIEWER_TRUST_FILE,   /* the path alone */
    VIEWER_TRUST_FOLDER, /* everything below it too */
    VIEWER_TRUST_ABSENT, /* the path may be missing: then others must not be able to make it */
};

/* True if only root and this user can change what a path leads to. The path, with all links
 * resolved, and each folder above it must belong to root, to this user or to the owner of /, and
 * others must not be able to write to them. A sticky folder above the path may be writable. A group
 * counts as others unless it is the owner's own group (same name, no other member), root's group,
 * or Debian's staff, to which root has given /usr/local. `whole` gets the path without links, for
 * all later use. False with a sentence in `why` that names the problem and a remedy. */
bool viewer_trusted(const char *path, enum viewer_trust what, char whole[SHARED_PATH_MAX],
                    char *why, size_t capacity);

#endif

/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * trust.h: whether others could change what is loaded or run.
 */
#ifndef FEED_VIEWER_LAUNCH_TRUST_H
#define FEED_VIEWER_LAUNCH_TRUST_H

#include "feed/shared/registry_dir.h"

#include <stdbool.h>
#include <stddef.h>

enum viewer_trust {
    VIEWER_TRUST_FILE,   /* the path alone */
    VIEWER_TRUST_FOLDER, /* all that lies below it as well */
    VIEWER_TRUST_ABSENT, /* there may be nothing: then others can't make it either */
};

/* True if nobody but root and this user could change what a path leads to. The path, with all links
 * resolved, and each folder on the way to / belong to root, to this user or to the owner of /, and
 * others can't write to them; to a sticky folder on the way they may. A group counts as others
 * unless it is the owner's own (of his name, with no other member), that of root, or Debian's
 * staff, to which root has given /usr/local. `whole` gets the path without links, to be used from
 * then on. False with a sentence in `why` that names what is wrong, and what to do. */
bool viewer_trusted(const char *path, enum viewer_trust what, char whole[SHARED_PATH_MAX],
                    char *why, size_t capacity);

#endif

/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * unix_sockets.h: directories where jobs have bound sockets, from the kernel's list. Viewer only.
 */
#ifndef FEED_VIEWER_DISCOVERY_UNIX_SOCKETS_H
#define FEED_VIEWER_DISCOVERY_UNIX_SOCKETS_H

#include "feed/shared/registry_dir.h"

enum { VIEWER_BOUND_MAX = 64 };

/* Finds the directories with a socket named like a job's (`<pid>-<start>-<n>.pub`), each once, and
 * returns their number. This finds a job in a batch system whose TMPDIR is private and unknown
 * here. The owner of a directory is not checked. */
size_t viewer_unix_sockets_dirs(char place[VIEWER_BOUND_MAX][SHARED_ENDPOINT_MAX]);

#endif

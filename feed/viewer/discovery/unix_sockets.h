/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * unix_sockets.h: where jobs have bound their sockets, as the kernel knows it. Viewer only.
 */
#ifndef FEED_VIEWER_DISCOVERY_UNIX_SOCKETS_H
#define FEED_VIEWER_DISCOVERY_UNIX_SOCKETS_H

#include "feed/shared/registry_dir.h"

enum { VIEWER_BOUND_MAX = 64 };

/* Directories in which there is a socket with the name of one of a job (`<pid>-<start>-<n>.pub`),
 * each once: a batch job has a TMPDIR of its own, which nobody else knows. Whose they are is not
 * asked here. Returns how many. */
size_t viewer_unix_sockets_dirs(char place[VIEWER_BOUND_MAX][SHARED_ENDPOINT_MAX]);

#endif

/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * unix_sockets.h: where jobs have bound their sockets, as the kernel knows it. Viewer only.
 */
#ifndef FEED_BOUND_H
#define FEED_BOUND_H

#include "feed/shared/registry_dir.h"

enum { FEED_BOUND_MAX = 64 };

/* Directories in which there is a socket with the name of one of a job (`<pid>-<start>-<n>.pub`),
 * each once: a batch job has a TMPDIR of its own, which nobody else knows. Whose they are is not
 * asked here. Returns how many. */
size_t feed_bound_places(char place[FEED_BOUND_MAX][FEED_ENDPOINT_MAX]);

#endif

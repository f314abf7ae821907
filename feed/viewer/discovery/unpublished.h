/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * unpublished.h: unpublished processes: processes of this user on this machine that run a known
 * framework and have no feed. Viewer only.
 */
#ifndef FEED_VIEWER_DISCOVERY_UNPUBLISHED_H
#define FEED_VIEWER_DISCOVERY_UNPUBLISHED_H

#include "feed/viewer/discovery/discover.h"

/* Finds them by the files mapped into each Python process of this user: the C VM of the Theano
 * family, whose path shows where it was compiled; a part of PyTensor itself; MXNet's library; or,
 * marked with a `?` behind the name, Numba with the parts of SciPy that PyTensor loads beside it,
 * if PyTensor is installed. Two frameworks in one process are both named.
 *
 * Skips the processes of `jobs`, processes in a container, those with PROFTOP=0 in their
 * environment, and those that would register elsewhere because their PROFTOP_DIR differs from ours.
 *
 * `silent` gets infos without instance and endpoints, sorted by pid. `since_ns` is the start of the
 * process, `parent` the job that it descends from; with MXNet the role in its kvstore is set.
 * False: out of memory. */
bool viewer_unpublished(const struct viewer_jobs *jobs, struct viewer_jobs *silent);

/* Returns the wall-clock time, in ns, at which a process of this machine began, from its start in
 * ticks since boot. */
uint64_t viewer_process_began(uint64_t start_ticks);

/* True if the info is of an unpublished process. */
bool viewer_is_unpublished(const struct registry_info *info);

/* Writes a sentence: why the process shows no values, and how to change that. */
void viewer_unpublished_why(const struct registry_info *info, char *why, size_t capacity);

/* Returns kernel.yama.ptrace_scope; -1: this kernel has none. */
int viewer_unpublished_scope(void);

/* True if this user may attach to processes at all, as far as is known without a try: by the
 * administrator's policy and the kernel's. */
bool viewer_unpublished_enterable(void);
/* The same for one process. A server or scheduler of an MXNet kvstore never allows it. */
bool viewer_unpublished_attachable(const struct registry_info *info);

#endif

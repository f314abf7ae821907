/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * unpublished.h: processes of this user here that run a known framework and publish nothing. Viewer
 * only.
 */
#ifndef FEED_VIEWER_DISCOVERY_UNPUBLISHED_H
#define FEED_VIEWER_DISCOVERY_UNPUBLISHED_H

#include "feed/viewer/discovery/discover.h"

/* Finds them by what is mapped into each Python of this user: the C VM of the Theano family, whose
 * files lie where it compiles, a part of PyTensor's own, MXNet's library, or, marked with a `?`
 * behind the name, Numba with what PyTensor loads beside it, where PyTensor is installed. Two
 * frameworks are both named. Left out are those that one of `jobs` is of, that are in a container,
 * whose environment says PROFTOP=0, or that would publish elsewhere: with another PROFTOP_DIR than
 * ours. `silent` gets infos without an instance and endpoints, in order of pid, since_ns saying
 * when the process began, `parent` which of the jobs it descends from; with MXNet, the role in its
 * kvstore. False: out of memory. */
bool viewer_unpublished(const struct viewer_jobs *jobs, struct viewer_jobs *silent);

/* Wall clock, in ns, when a process of this machine began, by its start in ticks since boot. */
uint64_t viewer_process_began(uint64_t start_ticks);

/* Whether an info is one of these. */
bool viewer_is_unpublished(const struct registry_info *info);

/* Why there is nothing to see of one of these, and what to do: a sentence. */
void viewer_unpublished_why(const struct registry_info *info, char *why, size_t capacity);

/* kernel.yama.ptrace_scope; -1: this kernel has none. */
int viewer_unpublished_scope(void);

/* Whether this user may enter processes at all, as far as is known without trying one: the
 * administrator's word, and the kernel's. */
bool viewer_unpublished_enterable(void);
/* The same of one of these. A server or scheduler of a kvstore of MXNet never takes anything in. */
bool viewer_unpublished_attachable(const struct registry_info *info);

#endif

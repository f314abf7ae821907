/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * machines.h: the jobs of remote machines, each machine through its own tunnel. Viewer only.
 */
#ifndef FEED_VIEWER_REMOTE_MACHINES_H
#define FEED_VIEWER_REMOTE_MACHINES_H

#include "feed/viewer/remote/tunnel.h"

struct viewer_machines;

enum { VIEWER_REMOTE_MAX = 256 }; /* machines at a time */

/* Begins to connect to `count` machines. The first is connected alone until it answers or fails,
 * because ssh may ask for a password; the others must do without. `quiet`: the first must do
 * without too, and all begin at once. NULL with a sentence in `why`. */
struct viewer_machines *viewer_machines_new(const char *const hosts[], size_t count, bool quiet,
                                            char *why, size_t capacity);
void viewer_machines_free(struct viewer_machines **remote);
/* From now on lists only processes of this batch job. */
void viewer_machines_batch(struct viewer_machines *remote, const char *batch);

/* viewer_machines_descriptor(): readable when viewer_machines_read() has something to do.
 * viewer_machines_read(): true if there is news. */
int viewer_machines_descriptor(const struct viewer_machines *remote);
bool viewer_machines_read(struct viewer_machines *remote);
/* True if each machine has answered or failed. */
bool viewer_machines_settled(const struct viewer_machines *remote);
/* Called after `seconds`: machines that have not answered are in trouble until they answer. */
void viewer_machines_give_up(struct viewer_machines *remote, double seconds);
/* Returns why nothing is known about a machine, or ""; NULL: `at` is beyond the last one. */
const char *viewer_machines_trouble(const struct viewer_machines *remote, size_t at);
/* If no machine answers, returns the reason of the first; else "". */
const char *viewer_machines_hopeless(const struct viewer_machines *remote);

/* Lists the jobs of all machines by their last answers, and asks again if these are older than 2 s.
 * Machines that cannot be reached are listed in `problems`. False: out of memory. */
bool viewer_machines_list(struct viewer_machines *remote, uint64_t now_ns,
                          struct viewer_jobs *jobs);
/* Fills the target for a job of that list, as viewer_tunnel_reach() does. */
bool viewer_machines_reach(struct viewer_machines *remote, const struct registry_info *info,
                           struct viewer_target *target, char *why, size_t capacity);
/* Return why the connection to this machine is lost, and the last line of its ssh; or "". */
const char *viewer_machines_lost(const struct viewer_machines *remote, const char *via);
const char *viewer_machines_message(const struct viewer_machines *remote, const char *via);

#endif

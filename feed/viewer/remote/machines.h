/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * machines.h: the jobs of other machines, each reached through a tunnel of its own. Viewer only.
 */
#ifndef FEED_VIEWER_REMOTE_MACHINES_H
#define FEED_VIEWER_REMOTE_MACHINES_H

#include "feed/viewer/remote/tunnel.h"

struct viewer_machines;

enum { VIEWER_REMOTE_MAX = 256 }; /* machines at a time */

/* Begins to connect to `count` machines; to the first alone, until it is known whether it can be
 * reached, since ssh may have to ask for a password: the others are to do without. `quiet`: so is
 * the first, and all begin at once. NULL with a sentence in `why`. */
struct viewer_machines *viewer_machines_new(const char *const hosts[], size_t count, bool quiet,
                                            char *why, size_t capacity);
void viewer_machines_free(struct viewer_machines **remote);
/* Only jobs of this batch job are listed from now on. */
void viewer_machines_batch(struct viewer_machines *remote, const char *batch);

/* A descriptor that is readable when viewer_machines_read() has something to do; true: with news.
 */
int viewer_machines_descriptor(const struct viewer_machines *remote);
bool viewer_machines_read(struct viewer_machines *remote);
/* Each machine has answered, or never will. */
bool viewer_machines_settled(const struct viewer_machines *remote);
/* The time, `seconds`, is up: machines that have not answered are in trouble, until they answer. */
void viewer_machines_give_up(struct viewer_machines *remote, double seconds);
/* Why nothing is known of one of them, or ""; NULL: there are no more. */
const char *viewer_machines_trouble(const struct viewer_machines *remote, size_t at);
/* Not one of them answers: why the first does not; else "". */
const char *viewer_machines_hopeless(const struct viewer_machines *remote);

/* The jobs of all, as of the last answers, and asks anew if these are older than 2 s. Machines that
 * cannot be reached are among the problems. False: out of memory. */
bool viewer_machines_list(struct viewer_machines *remote, uint64_t now_ns,
                          struct viewer_jobs *jobs);
/* What to connect to for a job of that list: viewer_tunnel_reach(). */
bool viewer_machines_reach(struct viewer_machines *remote, const struct registry_info *info,
                           struct viewer_target *target, char *why, size_t capacity);
/* Why nothing comes by way of this machine any more; what ssh said last of it: or "". */
const char *viewer_machines_lost(const struct viewer_machines *remote, const char *via);
const char *viewer_machines_said(const struct viewer_machines *remote, const char *via);

#endif

/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * machines.h: the jobs of other machines, each reached through a tunnel of its own. Viewer only.
 */
#ifndef FEED_REMOTE_H
#define FEED_REMOTE_H

#include "feed/viewer/remote/tunnel.h"

struct feed_remote;

enum { FEED_REMOTE_MAX = 256 }; /* machines at a time */

/* Begins to connect to `count` machines; to the first alone, until it is known whether it can be
 * reached, since ssh may have to ask for a password: the others are to do without. `quiet`: so is
 * the first, and all begin at once. NULL with a sentence in `why`. */
struct feed_remote *feed_remote_new(const char *const hosts[], size_t count, bool quiet, char *why,
                                    size_t capacity);
void feed_remote_free(struct feed_remote **remote);
/* Only jobs of this batch job are listed from now on. */
void feed_remote_batch(struct feed_remote *remote, const char *batch);

/* A descriptor that is readable when feed_remote_read() has something to do; true: with news. */
int feed_remote_descriptor(const struct feed_remote *remote);
bool feed_remote_read(struct feed_remote *remote);
/* Each machine has answered, or never will. */
bool feed_remote_settled(const struct feed_remote *remote);
/* The time, `seconds`, is up: machines that have not answered are in trouble, until they answer. */
void feed_remote_give_up(struct feed_remote *remote, double seconds);
/* Why nothing is known of one of them, or ""; NULL: there are no more. */
const char *feed_remote_trouble(const struct feed_remote *remote, size_t at);
/* Not one of them answers: why the first does not; else "". */
const char *feed_remote_hopeless(const struct feed_remote *remote);

/* The jobs of all, as of the last answers, and asks anew if these are older than 2 s. Machines that
 * cannot be reached are among the problems. False: out of memory. */
bool feed_remote_list(struct feed_remote *remote, uint64_t now_ns, struct feed_jobs *jobs);
/* What to connect to for a job of that list: feed_tunnel_reach(). */
bool feed_remote_reach(struct feed_remote *remote, const struct feed_info *info,
                       struct feed_target *target, char *why, size_t capacity);
/* Why nothing comes by way of this machine any more; what ssh said last of it: or "". */
const char *feed_remote_lost(const struct feed_remote *remote, const char *via);
const char *feed_remote_said(const struct feed_remote *remote, const char *via);

#endif

/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * tunnel.h: one connection by OpenSSH to another machine: what jobs there are, and their sockets as
 * sockets here. Nothing listens on a port, and nothing changes in a job: ssh forwards its two Unix
 * sockets into a directory of ours (mode 0700), which goes with the connection. Viewer only.
 *
 * ssh is what PROFTOP_SSH says ("ssh -F file -J host"; a command line as in a shell), or "ssh" from
 * PATH. It asks for passwords itself, on the terminal; without one it may not ask (BatchMode). On
 * the other side a shell reads the registry, by way of the proftop there if there is one.
 */
#ifndef FEED_VIEWER_REMOTE_TUNNEL_H
#define FEED_VIEWER_REMOTE_TUNNEL_H

#include "feed/viewer/discovery/discover.h"
#include "feed/viewer/stream/subscriber.h"

struct viewer_tunnel;

/* Whether a word names a machine for ssh: a host, user@host or ssh://[user@]host[:port]. False with
 * a sentence in `why`. */
bool viewer_tunnel_host(const char *word, char *why, size_t capacity);

/* Begins to connect. `quiet`: ssh may not ask anything, and what it says is kept for the reason of
 * a failure; else that is passed on to stderr until the connection stands. NULL with a sentence. */
struct viewer_tunnel *viewer_tunnel_new(const char *host, bool quiet, char *why, size_t capacity);
/* Tells ssh to end; ends it, and removes its directory. */
void viewer_tunnel_stop(struct viewer_tunnel *tunnel);
void viewer_tunnel_free(struct viewer_tunnel **tunnel);

const char *viewer_tunnel_where(const struct viewer_tunnel *tunnel);
/* The two descriptors to poll; -1: none any more. */
void viewer_tunnel_descriptors(const struct viewer_tunnel *tunnel, int fd[2]);
/* Reads what is there, without waiting. */
void viewer_tunnel_read(struct viewer_tunnel *tunnel);
/* Why the connection cannot be had or has ended; "" as long as there is hope. */
const char *viewer_tunnel_ended(const struct viewer_tunnel *tunnel);

/* What ssh said last while the connection stood, or "": why it can't reach a socket, say. */
const char *viewer_tunnel_said(const struct viewer_tunnel *tunnel);

/* Asks for the jobs there, unless an answer is on its way; the first time it is done by itself. */
void viewer_tunnel_ask(struct viewer_tunnel *tunnel);
/* The jobs as of the last answer, `via` set; NULL: none came yet. Borrowed until the next read. */
const struct viewer_jobs *viewer_tunnel_jobs(const struct viewer_tunnel *tunnel);

/* Forwards the sockets of a job there, and says what to connect to here. Takes some 10 ms, 5 s at
 * most. False with a sentence in `why`. */
bool viewer_tunnel_reach(struct viewer_tunnel *tunnel, const struct registry_info *info,
                         struct viewer_target *target, char *why, size_t capacity);

#endif

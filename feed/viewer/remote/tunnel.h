/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * tunnel.h: one OpenSSH connection to a remote machine. It lists the jobs there, and forwards their
 * sockets to sockets here. Nothing listens on a port, and nothing changes in a job: ssh forwards
 * its two Unix sockets into a directory of ours (mode 0700), which is removed with the connection.
 * Viewer only.
 *
 * The ssh command is PROFTOP_SSH ("ssh -F file -J host"; a command line as in a shell), or "ssh"
 * from PATH. It asks for passwords itself, on the terminal; without a terminal it may not ask
 * (BatchMode). On the remote machine a shell reads the registry, through the proftop there if there
 * is one.
 */
#ifndef FEED_VIEWER_REMOTE_TUNNEL_H
#define FEED_VIEWER_REMOTE_TUNNEL_H

#include "feed/viewer/discovery/discover.h"
#include "feed/viewer/stream/subscriber.h"

struct viewer_tunnel;

/* True if a word names a machine for ssh: host, user@host or ssh://[user@]host[:port]. False with a
 * sentence in `why`. */
bool viewer_tunnel_host(const char *word, char *why, size_t capacity);

/* Begins to connect. `quiet`: ssh may not ask for anything, and its messages are kept for the
 * reason of a failure. Otherwise they are passed on to stderr until the connection stands. NULL
 * with a sentence in `why`. */
struct viewer_tunnel *viewer_tunnel_new(const char *host, bool quiet, char *why, size_t capacity);
/* viewer_tunnel_stop(): signals ssh to end, without waiting. viewer_tunnel_free(): ends ssh and
 * removes its directory. */
void viewer_tunnel_stop(struct viewer_tunnel *tunnel);
void viewer_tunnel_free(struct viewer_tunnel **tunnel);

/* The two descriptors to poll; -1: closed. */
void viewer_tunnel_descriptors(const struct viewer_tunnel *tunnel, int fd[2]);
/* Reads waiting data, without blocking. */
void viewer_tunnel_read(struct viewer_tunnel *tunnel);
/* Returns why the connection failed or ended; "" while it may still work. */
const char *viewer_tunnel_ended(const struct viewer_tunnel *tunnel);

/* Returns the last message of ssh while the connection stands, such as why it cannot reach a
 * socket; or "". */
const char *viewer_tunnel_message(const struct viewer_tunnel *tunnel);

/* Requests the list of jobs, unless an answer is pending. The first request is sent
 * automatically. */
void viewer_tunnel_request(struct viewer_tunnel *tunnel);
/* The jobs of the last answer, with `via` set; NULL: no answer yet. Borrowed until the next
 * read. */
const struct viewer_jobs *viewer_tunnel_jobs(const struct viewer_tunnel *tunnel);

/* Forwards the sockets of a remote job and fills the target to connect to here. Takes about 10 ms,
 * at most 5 s. False with a sentence in `why`. */
bool viewer_tunnel_reach(struct viewer_tunnel *tunnel, const struct registry_info *info,
                         struct viewer_target *target, char *why, size_t capacity);

#endif

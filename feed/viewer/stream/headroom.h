/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * headroom.h: what has to be there before a viewer calls libzmq, which aborts the process where it
 * lacks a descriptor, a thread or memory. What cannot be asked for beforehand ends in a sentence.
 */
#ifndef FEED_VIEWER_STREAM_HEADROOM_H
#define FEED_VIEWER_STREAM_HEADROOM_H

#include <stdbool.h>
#include <stddef.h>

/* A context with as many sockets as the limit of descriptors allows. NULL with a sentence. */
void *viewer_headroom_context(char *why, size_t capacity);

/* Whether there are descriptors and memory for one more job; the limit of descriptors is raised as
 * far as this user may. `connecting`: how many connections of other jobs libzmq has yet to open;
 * each will take a descriptor. False with a sentence. */
bool viewer_headroom_job(int connecting, char *why, size_t capacity);

/* One of the two sockets of a job, unless there is too little for it: NULL, with an errno. */
void *viewer_headroom_socket(void *zmq, int type);
/* Says why libzmq refused a socket for one more job by this errno. */
void viewer_headroom_why(void *zmq, int error, char *why, size_t capacity);

/* In a child that is to become another program: the limit as it was before we raised it. May be
 * called after a fork. */
void viewer_headroom_restore(void);

/* From now on an abort for lack of descriptors or memory calls `rescue`, says so, and ends the
 * process with this code. */
void viewer_headroom_guard(void (*rescue)(void), int code);

#endif

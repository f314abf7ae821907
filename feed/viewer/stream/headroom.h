/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * headroom.h: checks resources before a viewer calls libzmq, which aborts the process if it lacks a
 * descriptor, a thread or memory. Where a check beforehand is impossible, the abort is caught and
 * ends in a sentence.
 */
#ifndef FEED_VIEWER_STREAM_HEADROOM_H
#define FEED_VIEWER_STREAM_HEADROOM_H

#include <stdbool.h>
#include <stddef.h>

/* Makes a context with as many sockets as the limit of descriptors allows. NULL with a sentence. */
void *viewer_headroom_context(char *why, size_t capacity);

/* True if there are descriptors and memory for one more job. Raises the limit of descriptors as far
 * as this user may. `connecting`: connections of other jobs that libzmq has yet to open; each will
 * take a descriptor. False with a sentence. */
bool viewer_headroom_job(int connecting, char *why, size_t capacity);

/* Makes one of the two sockets of a job. NULL, with an errno, if resources are too scarce. */
void *viewer_headroom_socket(void *zmq, int type);
/* Writes why libzmq refused a socket for one more job, from its errno. */
void viewer_headroom_why(void *zmq, int error, char *why, size_t capacity);

/* Restores the limit of descriptors that was valid before we raised it. For a child before exec;
 * safe after a fork. */
void viewer_headroom_restore(void);

/* From now on an abort for lack of descriptors or memory calls `rescue`, writes a sentence, and
 * ends the process with this code. */
void viewer_headroom_guard(void (*rescue)(void), int code);

#endif

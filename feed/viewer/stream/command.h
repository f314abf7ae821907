/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * command.h: what a viewer asks a job to do, and what became of it (docs/protocol.md, 5.4).
 */
#ifndef FEED_VIEWER_STREAM_COMMAND_H
#define FEED_VIEWER_STREAM_COMMAND_H

#include <stddef.h>
#include <stdint.h>

enum viewer_request_state {
    VIEWER_NOT_ASKED,
    VIEWER_ASKED, /* no answer yet, or a report is not all here yet */
    VIEWER_DONE,
    VIEWER_DECLINED, /* nothing has changed */
    VIEWER_LOST,     /* the connection broke before the answer: it may have been done or not */
};

/* Of the last request. */
struct viewer_request_outcome {
    enum viewer_request_state fate;
    uint64_t request; /* its number */
    uint64_t rows;    /* of VIEWER_DONE: rows of the report that was asked for */
    char no[16];      /* of VIEWER_DECLINED: "refused", "unsupported", "wrong", ...; */
    char text[1024];  /* and the job's sentence, safe for the screen */
};

/* Who asks, as a job says it: "anna, process 4711 on node7". */
void viewer_command_asker(char *out, size_t capacity);

/* Writes a request to change the collection of this instance (NULL: whichever it is); `arg`: its
 * words, a line each, or NULL. Says who asks: this user, process and host.
 * Gives the size of the frame, 0 if it is too long. */
size_t viewer_command_write(const uint8_t *instance, uint64_t number, const char *what,
                            const char *arg, void *out, size_t capacity);

#endif

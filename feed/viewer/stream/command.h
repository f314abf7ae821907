/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * command.h: control requests of a viewer to a job, and their outcome (docs/protocol.md, 5.4).
 */
#ifndef FEED_VIEWER_STREAM_COMMAND_H
#define FEED_VIEWER_STREAM_COMMAND_H

#include <stddef.h>
#include <stdint.h>

enum viewer_request_state {
    VIEWER_NOT_ASKED,
    VIEWER_ASKED, /* no answer yet, or the report is incomplete */
    VIEWER_DONE,
    VIEWER_DECLINED, /* nothing has changed */
    VIEWER_LOST,     /* the connection broke before the answer: the job may have done it or not */
};

/* Outcome of the last request. */
struct viewer_request_outcome {
    enum viewer_request_state fate;
    uint64_t request; /* its number */
    uint64_t rows;    /* if VIEWER_DONE: rows of the requested report */
    char no[16];      /* if VIEWER_DECLINED: "refused", "unsupported", "wrong", ...; */
    char text[1024];  /* and the job's sentence, safe for the screen */
};

/* Writes the name of the asking process as a job shows it: "anna, process 4711 on node7". */
void viewer_command_asker(char *out, size_t capacity);

/* Writes a request to change the collection of this instance (NULL: any instance). `arg`:
 * arguments, one per line, or NULL. The request names this user, process and host. Returns the size
 * of the frame, 0 if it is too long. */
size_t viewer_command_write(const uint8_t *instance, uint64_t number, const char *what,
                            const char *arg, void *out, size_t capacity);

#endif

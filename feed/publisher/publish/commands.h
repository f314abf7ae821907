/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * commands.h: executes the commands of viewers (docs/protocol.md, 5.4). Used by the feed's thread
 * alone.
 */
#ifndef FEED_PUBLISHER_PUBLISH_COMMANDS_H
#define FEED_PUBLISHER_PUBLISH_COMMANDS_H

#include "feed/publisher/publish/publisher.h"

/* A report made for a viewer. */
struct publisher_text {
    char *data; /* allocated, or NULL */
    size_t size, rows;
};

/* Executes a `control` request of this peer if it is authorized, and notifies every viewer. Returns
 * NULL, or the error word, with a sentence in `why` of PUBLISHER_ERROR_SIZE bytes. A report
 * replaces `*text`. */
const char *publisher_run_command(struct publisher *p, const struct publisher_peer *peer,
                                  const struct wire_frame *request, struct publisher_text *text,
                                  char *why);

#endif

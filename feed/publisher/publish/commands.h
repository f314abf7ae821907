/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * commands.h: what viewers ask a job to do (docs/protocol.md, 5.4). Used by the feed's thread
 * alone.
 */
#ifndef FEED_PUBLISHER_PUBLISH_COMMANDS_H
#define FEED_PUBLISHER_PUBLISH_COMMANDS_H

#include "feed/publisher/publish/publisher.h"

/* A report that was made for a viewer. */
struct publisher_text {
    char *data; /* allocated, or NULL */
    size_t size, rows;
};

/* Does what a `control` request of this peer asks for, if it may be done, and tells every viewer.
 * Gives NULL, or the word for why not, with a sentence in `why` of PUBLISHER_ERROR_SIZE bytes. A
 * report takes the place of `*text`. */
const char *publisher_run_command(struct publisher_sender *p, const struct publisher_peer *peer,
                                  const struct wire_frame *request, struct publisher_text *text,
                                  char *why);

#endif

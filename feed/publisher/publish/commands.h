/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * commands.h: what viewers ask a job to do (docs/protocol.md, 5.4). Used by the feed's thread
 * alone.
 */
#ifndef FEED_COMPLY_H
#define FEED_COMPLY_H

#include "feed/publisher/publish/publisher.h"

/* A report that was made for a viewer. */
struct feed_text {
    char *data; /* allocated, or NULL */
    size_t size, rows;
};

/* Does what a `control` request of this peer asks for, if it may be done, and tells every viewer.
 * Gives NULL, or the word for why not, with a sentence in `why` of FEED_ERROR_SIZE bytes. A report
 * takes the place of `*text`. */
const char *feed_comply(struct feed_publisher *p, const struct feed_peer *peer,
                        const struct wire_frame *request, struct feed_text *text, char *why);

#endif

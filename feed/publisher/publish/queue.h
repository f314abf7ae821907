/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * queue.h: rows that wait to be sent, the longest-waiting first, linked through the rows
 * themselves: what waits once does not wait twice, and nothing is allocated.
 */
#ifndef FEED_PUBLISHER_PUBLISH_QUEUE_H
#define FEED_PUBLISHER_PUBLISH_QUEUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* In each row. */
struct publisher_queued {
    uint32_t next; /* id of the row behind it plus 1, or 0 */
    bool waits;
};

/* Ids plus 1; 0: none waits. Zero at first. */
struct publisher_queue {
    uint32_t first, last;
};

/* Puts row `id` at the end, unless it waits already. `last` is the row that is there now, NULL
 * while none waits. */
static inline void publisher_queue_add(struct publisher_queue *queue, uint32_t id,
                                       struct publisher_queued *row, struct publisher_queued *last)
{
    if (row->waits)
        return;
    *row = (struct publisher_queued){.waits = true};
    if (queue->last == 0)
        queue->first = id + 1;
    else
        last->next = id + 1;
    queue->last = id + 1;
}

/* Takes out the row that waits longest: `row`, of the id `first`. */
static inline void publisher_queue_take(struct publisher_queue *queue, struct publisher_queued *row)
{
    queue->first = row->next;
    if (queue->first == 0)
        queue->last = 0;
    *row = (struct publisher_queued){0};
}

#endif

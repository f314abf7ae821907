/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * queue.h: a queue of rows to be sent, oldest first, linked through the rows themselves. A row is
 * in it at most once, and nothing is allocated.
 */
#ifndef FEED_PUBLISHER_RECORD_QUEUE_H
#define FEED_PUBLISHER_RECORD_QUEUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The link in each row. */
struct publisher_queued {
    uint32_t next; /* id of the next row plus 1, or 0 */
    bool waits;
};

/* Ids plus 1; 0: the queue is empty. Zero at first. */
struct publisher_queue {
    uint32_t first, last;
};

/* Appends row `id`, unless it is queued already. `last` is the present last row, NULL if the queue
 * is empty. */
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

/* Removes the oldest row: `row`, with the id `first`. */
static inline void publisher_queue_take(struct publisher_queue *queue, struct publisher_queued *row)
{
    queue->first = row->next;
    if (queue->first == 0)
        queue->last = 0;
    *row = (struct publisher_queued){0};
}

#endif

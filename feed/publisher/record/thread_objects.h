/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * thread_objects.h: scopes and open runs of the calling thread.
 */
#ifndef FEED_PUBLISHER_RECORD_THREAD_OBJECTS_H
#define FEED_PUBLISHER_RECORD_THREAD_OBJECTS_H

#include "feed/publisher/record/objects.h"
#include "feed/publisher/record/thread_buffer.h"

/* Finds or makes the calling thread's data, and gives its block. Returns NULL if the feed is off,
 * no object was ever defined, or memory is short. */
struct publisher_thread_objects *publisher_thread_objects(struct proftop *feed,
                                                          struct publisher_block **block);
/* As publisher_thread_objects(), but makes the feed's objects if there are none yet. */
struct publisher_thread_objects *publisher_thread_objects_first(struct proftop *feed,
                                                                struct publisher_block **block);

/* Returns the full name of the calling thread's scope; NULL if it is in none. Takes no lock. */
const char *publisher_scope_of(const struct proftop *feed);

/* Returns the full name of the current scope of the thread that this data belongs to. */
const char *publisher_thread_scope(const struct publisher_thread_objects *own);

/* Adds the new value of a counter or pool, while a trace runs. */
void publisher_event_add_value(struct proftop *feed, uint32_t counter, uint64_t bits);
static inline bool publisher_traces_values(const struct proftop *feed)
{
    return __builtin_expect(__atomic_load_n(&feed->traces, __ATOMIC_RELAXED) != 0, 0);
}
static inline void publisher_event_value(struct proftop *feed, uint32_t counter, uint64_t bits)
{
    if (publisher_traces_values(feed))
        publisher_event_add_value(feed, counter, bits);
}

#endif

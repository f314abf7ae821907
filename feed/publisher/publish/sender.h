/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * sender.h: sends the frames of streams to the viewers that subscribe to them. Used by the feed's
 * thread alone.
 */
#ifndef FEED_PUBLISHER_PUBLISH_SENDER_H
#define FEED_PUBLISHER_PUBLISH_SENDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "feed/protocol/frame.h"
#include "feed/protocol/limits.h"

enum { PUBLISHER_SUBSCRIPTIONS_MAX = 256 };

/* The prefixes that viewers subscribe to. Prefixes beyond the table's capacity are only counted in
 * `more`; while there are any, everything is sent. */
struct publisher_subscriptions {
    struct {
        char prefix[WIRE_TOPIC_MAX];
        uint8_t size;
    } entry[PUBLISHER_SUBSCRIPTIONS_MAX];
    uint32_t count, more;
    uint64_t came; /* subscriptions ever received */
};

/* The socket of the streams: its subscriptions, and the state of each stream. */
struct publisher_sender {
    void *socket; /* XPUB, borrowed */
    struct publisher_subscriptions subscriptions;
    uint64_t seq[WIRE_STREAMS]; /* last sequence number of each stream; A has one for each function,
                                 * which its caller keeps */
    uint64_t left_ns;           /* how long this tick may still wait for full queues; */
    uint64_t until_ns;          /* deadline of the last tick */
};

void publisher_sender_init(struct publisher_sender *s, void *socket);

/* Reads subscriptions from the socket. Returns false if there were none and none is left. */
bool publisher_sender_listen(struct publisher_sender *s);

/* Begins a tick: its frames wait a limited time for queue space at viewers that read. A viewer that
 * takes nothing for a while loses the frame; frames wait for that viewer again once it reads. */
void publisher_sender_begin_tick(struct publisher_sender *s);
/* Sets the deadline of the last tick, whose frames wait until then. */
void publisher_sender_pace(struct publisher_sender *s, uint64_t until_ns);
/* True after the deadline of the last tick. */
bool publisher_sender_is_over(const struct publisher_sender *s);

/* True if a viewer subscribes to all of a stream; to anything; to the rows of some applies; to
 * those of this function. */
bool publisher_sender_is_subscribed(const struct publisher_sender *s, enum wire_stream stream);
bool publisher_sender_is_watched(const struct publisher_sender *s);
bool publisher_sender_wants_applies(const struct publisher_sender *s);
bool publisher_sender_wants_function(const struct publisher_sender *s, uint32_t function);

/* Sends the next frame of a stream. Returns false once the last tick's time is over: the sequence
 * number advances all the same, so that viewers notice the gap, and the caller need not encode
 * more. */
bool publisher_sender_send(struct publisher_sender *s, enum wire_stream stream, const void *frame,
                           size_t size);
/* Sends the next frame of a stream however late it is. For streams of few and short frames. */
void publisher_sender_send_late(struct publisher_sender *s, enum wire_stream stream,
                                const void *frame, size_t size);
/* Sends the next frame of a stream if every subscriber has queue space for it, within the limits of
 * a tick. Returns false if not: nothing was sent, and the sequence number stays. */
bool publisher_sender_offer(struct publisher_sender *s, enum wire_stream stream, const void *frame,
                            size_t size);
/* Sends a frame whose sequence number the caller keeps. */
void publisher_sender_send_frame(struct publisher_sender *s, const void *frame, size_t size);

/* For tests: applies a subscription message of the socket. `on` false: it unsubscribes. */
void publisher_subscriptions_change(struct publisher_subscriptions *s, bool on, const char *prefix,
                                    size_t size);
bool publisher_subscriptions_match(const struct publisher_subscriptions *s, const char *topic);

#endif

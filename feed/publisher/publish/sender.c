/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * sender.c: keeps the topics that viewers subscribe to, and sends frames to their queues.
 */
#include "config.h"

#include "feed/publisher/publish/sender.h"
#include "feed/publisher/record/clock.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <zmq.h>

enum {
    PATIENCE_MS = 10,      /* without queue space, before a viewer counts as stopped; */
    TICK_PATIENCE_MS = 20, /* total wait of a tick, except the last */
    LISTEN_MAX = 1024,     /* subscriptions read in one call */
};

/* With `on`, a send fails while a reading viewer's queue is full. Otherwise the frame is dropped
 * for that viewer only. */
static void refuse_when_full(struct publisher_sender *s, int on)
{
    zmq_setsockopt(s->socket, ZMQ_XPUB_NODROP, &on, sizeof on);
}

void publisher_sender_init(struct publisher_sender *s, void *socket)
{
    *s = (struct publisher_sender){.socket = socket, .until_ns = UINT64_MAX};
    refuse_when_full(s, 1);
}

void publisher_sender_begin_tick(struct publisher_sender *s)
{
    s->left_ns = TICK_PATIENCE_MS * PUBLISHER_MS_NS;
}

/* --------------------------------------------------------------------------- subscriptions */

void publisher_subscriptions_change(struct publisher_subscriptions *s, bool on, const char *prefix,
                                    size_t size)
{
    uint32_t at = 0;
    s->came += on;
    while (at < s->count &&
           (s->entry[at].size != size || memcmp(s->entry[at].prefix, prefix, size) != 0))
        at++;
    bool known = at < s->count;
    bool room = s->count < PUBLISHER_SUBSCRIPTIONS_MAX && size <= WIRE_TOPIC_MAX;
    if (on && !known && room) {
        memcpy(s->entry[at].prefix, prefix, size);
        s->entry[at].size = (uint8_t)size;
        s->count++;
    } else if (on && !known) {
        s->more++;
    } else if (!on && known) {
        s->entry[at] = s->entry[--s->count];
    } else if (!on && s->more > 0) {
        s->more--;
    }
}

bool publisher_subscriptions_match(const struct publisher_subscriptions *s, const char *topic)
{
    size_t size = strlen(topic);
    bool match = s->more > 0;
    for (uint32_t at = 0; at < s->count && !match; at++)
        match =
            s->entry[at].size <= size && memcmp(s->entry[at].prefix, topic, s->entry[at].size) == 0;
    return match;
}

/* True if a subscription covers every topic that begins with this letter. */
bool publisher_sender_is_subscribed(const struct publisher_sender *s, enum wire_stream stream)
{
    const char topic[] = {wire_letters[stream], '/', 0};
    return publisher_subscriptions_match(&s->subscriptions, topic);
}

bool publisher_sender_wants_applies(const struct publisher_sender *s)
{
    for (uint32_t at = 0; at < s->subscriptions.count; at++)
        if (s->subscriptions.entry[at].size == 0 || s->subscriptions.entry[at].prefix[0] == 'A')
            return true;
    return s->subscriptions.more > 0;
}

bool publisher_sender_wants_function(const struct publisher_sender *s, uint32_t function)
{
    char topic[WIRE_TOPIC_MAX];
    snprintf(topic, sizeof topic, "A/%u/", function);
    return publisher_subscriptions_match(&s->subscriptions, topic);
}

bool publisher_sender_is_watched(const struct publisher_sender *s)
{
    return s->subscriptions.count > 0 || s->subscriptions.more > 0;
}

bool publisher_sender_listen(struct publisher_sender *s)
{
    for (int i = 0; i < LISTEN_MAX; i++) {
        zmq_msg_t message;
        zmq_msg_init(&message);
        int size = zmq_msg_recv(&message, s->socket, ZMQ_DONTWAIT);
        const char *bytes = zmq_msg_data(&message);
        if (size > 0 && (bytes[0] == 0 || bytes[0] == 1))
            publisher_subscriptions_change(&s->subscriptions, bytes[0] == 1, bytes + 1,
                                           (size_t)size - 1);
        zmq_msg_close(&message);
        if (size < 0)
            return i > 0;
    }
    return true;
}

/* --------------------------------------------------------------------------------- sending */

void publisher_sender_pace(struct publisher_sender *s, uint64_t until_ns)
{
    s->until_ns = until_ns;
    s->left_ns = UINT64_MAX;
}

/* Waits for queue space. libzmq signals it by the socket's descriptor, and learns of it only when
 * asked for the socket's events. */
static void wait_for_room(struct publisher_sender *s, uint64_t left_ns)
{
    int fd, events;
    size_t size = sizeof fd;
    if (zmq_getsockopt(s->socket, ZMQ_FD, &fd, &size) != 0)
        return;
    struct pollfd item = {.fd = fd, .events = POLLIN};
    poll(&item, 1, (int)((left_ns + PUBLISHER_MS_NS - 1) / PUBLISHER_MS_NS));
    size = sizeof events;
    zmq_getsockopt(s->socket, ZMQ_EVENTS, &events, &size);
}

static bool is_refused(struct publisher_sender *s, const void *frame, size_t size)
{
    return zmq_send(s->socket, frame, size, ZMQ_DONTWAIT) < 0 && zmq_errno() == EAGAIN;
}

/* A full queue may belong to a viewer that reads: a tick with many functions has more frames than a
 * queue holds, and libzmq's thread may be late. So a send waits for a short time. Returns false if
 * a viewer took nothing in that time: nothing was sent. */
static bool send_in_time(struct publisher_sender *s, const void *frame, size_t size)
{
    if (!is_refused(s, frame, size))
        return true;
    const uint64_t began = publisher_clock_ns(), patience = PATIENCE_MS * PUBLISHER_MS_NS;
    uint64_t now = began, until = began + (s->left_ns < patience ? s->left_ns : patience);
    until = until < s->until_ns ? until : s->until_ns;
    bool refused = true;
    for (; refused && now < until; now = publisher_clock_ns()) {
        wait_for_room(s, until - now);
        refused = is_refused(s, frame, size);
    }
    s->left_ns -= now - began < s->left_ns ? now - began : s->left_ns;
    return !refused;
}

/* A viewer that takes nothing loses the frame, and sends do not wait for that viewer until it reads
 * again. */
void publisher_sender_send_frame(struct publisher_sender *s, const void *frame, size_t size)
{
    if (send_in_time(s, frame, size))
        return;
    refuse_when_full(s, 0);
    is_refused(s, frame, size);
    refuse_when_full(s, 1);
}

bool publisher_sender_offer(struct publisher_sender *s, enum wire_stream stream, const void *frame,
                            size_t size)
{
    const bool sent = send_in_time(s, frame, size);
    s->seq[stream] += sent;
    return sent;
}

bool publisher_sender_is_over(const struct publisher_sender *s)
{
    return publisher_clock_ns() >= s->until_ns;
}

void publisher_sender_send_late(struct publisher_sender *s, enum wire_stream stream,
                                const void *frame, size_t size)
{
    s->seq[stream]++;
    publisher_sender_send_frame(s, frame, size);
}

bool publisher_sender_send(struct publisher_sender *s, enum wire_stream stream, const void *frame,
                           size_t size)
{
    s->seq[stream]++;
    if (publisher_sender_is_over(s))
        return false;
    publisher_sender_send_frame(s, frame, size);
    return true;
}

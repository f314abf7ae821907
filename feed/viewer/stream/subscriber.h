/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * subscriber.h: the viewer's end of one feed: subscribes, asks for the snapshot, applies what
 * comes to the model, watches for gaps, silence and the end. One thread; no call blocks. Times
 * are the caller's monotonic clock in ns.
 */
#ifndef FEED_VIEWER_STREAM_SUBSCRIBER_H
#define FEED_VIEWER_STREAM_SUBSCRIBER_H

#include "feed/shared/auth.h"
#include "feed/shared/registry_dir.h"
#include "feed/viewer/stream/command.h"
#include "model/job.h"
#include "model/link.h"

#include <zmq.h>

struct viewer_subscriber;

enum { VIEWER_POLL_ITEMS = 4 };

/* What a subscriber connects to. `pid` and `start` are 0 when not known (a bare endpoint). */
struct viewer_target {
    char facts[SHARED_ENDPOINT_SIZE];
    char control[SHARED_ENDPOINT_SIZE];
    uint64_t pid, start;
    uint8_t parent[16]; /* instance of its parent (process_tree.h); zero: it has none */
    const struct shared_auth *admit; /* keys for tcp, borrowed; NULL: none are shown */
    char via[SHARED_VIA_MAX];        /* what its process is reached by; "": it may be here */
    bool insecure; /* it comes over tcp from elsewhere, without keys (listen.h) */
    char label[256]; /* as typed or announced; for messages; safe for the screen */
};

/* From an announced job; or from what was typed: `ipc:///path/x.pub` or `tcp://host:port` (the
 * facts; control is the same path with .ctl, or the next port), or `FACTS,CONTROL`. False with a
 * sentence in `why`. */
void viewer_target_of(const struct registry_info *info, struct viewer_target *target);
bool viewer_target_parse(const char *word, struct viewer_target *target, char *why,
                         size_t capacity);
/* Whether there is anything to connect to: a socket at the path, an address of the host. Asks the
 * resolver, which may take its time. False with a sentence in `why`. */
bool viewer_target_there(const struct viewer_target *target, char *why, size_t capacity);

/* Begins to connect. The context is borrowed. Gives a subscriber, or NULL with a sentence. */
struct viewer_subscriber *viewer_subscriber_new(void *zmq, const struct viewer_target *target,
                                                uint64_t now_ns, char *why, size_t capacity);
void viewer_subscriber_free(struct viewer_subscriber **subscriber);

/* Fills the items to poll; returns how many. */
size_t viewer_subscriber_items(struct viewer_subscriber *s, zmq_pollitem_t item[VIEWER_POLL_ITEMS]);

/* Reads what is there, for at most `budget_ns`; also does what is due by time. Call it after each
 * poll; what is read without one has come since the call before, and that is no lag of the feed.
 * True if anything changed. */
bool viewer_subscriber_drain(struct viewer_subscriber *s, uint64_t now_ns, uint64_t budget_ns);

/* Whether what the job holds is of one moment: a whole snapshot, and of each tick all or nothing.
 * That shows when the next tick begins, so who is about to take a state says so: until that is
 * taken back, a drain takes nothing beyond the end of a tick. */
bool viewer_subscriber_tick_length(const struct viewer_subscriber *s);
void viewer_subscriber_stop(struct viewer_subscriber *s, bool stop);

/* When it wants to be called again at the latest. */
uint64_t viewer_subscriber_due(const struct viewer_subscriber *s);

/* The current instance, borrowed, or NULL before the first hello; and the state of the link. */
struct model_job *viewer_subscriber_job(const struct viewer_subscriber *s);
const struct model_link *viewer_subscriber_link(const struct viewer_subscriber *s);
const struct viewer_target *viewer_subscriber_target(const struct viewer_subscriber *s);

/* How often values are wanted, in ms, which the job is told by a hello: it may send them oftener,
 * since others watch it too, or does not know the word. 0, as at first: as often as it likes. */
void viewer_subscriber_tick(struct viewer_subscriber *s, uint64_t tick_ms);

/* Asks the job to change what it collects (docs/protocol.md, 5.4); `arg`: words, a line each, or
 * NULL. False: it can't be asked now; what was asked before stays. */
bool viewer_subscriber_control(struct viewer_subscriber *s, const char *what, const char *arg);
const struct viewer_request_outcome *viewer_subscriber_outcome(const struct viewer_subscriber *s);

/* The report that it was asked for, once that is VIEWER_DONE: the caller frees it. NULL: there is
 * none. */
char *viewer_subscriber_report(struct viewer_subscriber *s, size_t *size);

/* For a launcher that has seen its child end: the link goes to GONE with this reason unless a
 * goodbye says better. */
void viewer_subscriber_ended(struct viewer_subscriber *s, const char *reason);

#endif

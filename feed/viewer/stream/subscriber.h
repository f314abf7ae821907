/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * subscriber.h: the viewer's end of one feed: subscribes, asks for the snapshot, applies what
 * comes to the model, watches for gaps, silence and the end. One thread; no call blocks. Times
 * are the caller's monotonic clock in ns.
 */
#ifndef FEED_SUBSCRIBER_H
#define FEED_SUBSCRIBER_H

#include "feed/shared/auth.h"
#include "feed/shared/registry_dir.h"
#include "feed/viewer/stream/command.h"
#include "model/job.h"
#include "model/link.h"

#include <zmq.h>

struct feed_subscriber;

enum { FEED_POLL_ITEMS = 4 };

/* What a subscriber connects to. `pid` and `start` are 0 when not known (a bare endpoint). */
struct feed_target {
    char facts[FEED_ENDPOINT_SIZE];
    char control[FEED_ENDPOINT_SIZE];
    uint64_t pid, start;
    uint8_t parent[16]; /* instance of its parent (process_tree.h); zero: it has none */
    const struct feed_admit *admit; /* keys for tcp, borrowed; NULL: none are shown */
    char via[FEED_VIA_MAX]; /* what its process is reached by; "": it may be here */
    bool insecure; /* it comes over tcp from elsewhere, without keys (listen.h) */
    char label[256]; /* as typed or announced; for messages; safe for the screen */
};

/* From an announced job; or from what was typed: `ipc:///path/x.pub` or `tcp://host:port` (the
 * facts; control is the same path with .ctl, or the next port), or `FACTS,CONTROL`. False with a
 * sentence in `why`. */
void feed_target_of(const struct feed_info *info, struct feed_target *target);
bool feed_target_parse(const char *word, struct feed_target *target, char *why, size_t capacity);
/* Whether there is anything to connect to: a socket at the path, an address of the host. Asks the
 * resolver, which may take its time. False with a sentence in `why`. */
bool feed_target_there(const struct feed_target *target, char *why, size_t capacity);

/* Begins to connect. The context is borrowed. Gives a subscriber, or NULL with a sentence. */
struct feed_subscriber *feed_subscriber_new(void *zmq, const struct feed_target *target,
                                            uint64_t now_ns, char *why, size_t capacity);
void feed_subscriber_free(struct feed_subscriber **subscriber);

/* Fills the items to poll; returns how many. */
size_t feed_subscriber_items(struct feed_subscriber *s, zmq_pollitem_t item[FEED_POLL_ITEMS]);

/* Reads what is there, for at most `budget_ns`; also does what is due by time. Call it after each
 * poll; what is read without one has come since the call before, and that is no lag of the feed.
 * True if anything changed. */
bool feed_subscriber_drain(struct feed_subscriber *s, uint64_t now_ns, uint64_t budget_ns);

/* Whether what the job holds is of one moment: a whole snapshot, and of each tick all or nothing.
 * That shows when the next tick begins, so who is about to take a state says so: until that is
 * taken back, a drain takes nothing beyond the end of a tick. */
bool feed_subscriber_even(const struct feed_subscriber *s);
void feed_subscriber_stop(struct feed_subscriber *s, bool stop);

/* When it wants to be called again at the latest. */
uint64_t feed_subscriber_due(const struct feed_subscriber *s);

/* The current instance, borrowed, or NULL before the first hello; and the state of the link. */
struct model_job *feed_subscriber_job(const struct feed_subscriber *s);
const struct model_link *feed_subscriber_link(const struct feed_subscriber *s);
const struct feed_target *feed_subscriber_target(const struct feed_subscriber *s);

/* How often values are wanted, in ms, which the job is told by a hello: it may send them oftener,
 * since others watch it too, or does not know the word. 0, as at first: as often as it likes. */
void feed_subscriber_tick(struct feed_subscriber *s, uint64_t tick_ms);

/* Asks the job to change what it collects (docs/protocol.md, 5.4); `arg`: words, a line each, or
 * NULL. False: it can't be asked now; what was asked before stays. */
bool feed_subscriber_control(struct feed_subscriber *s, const char *what, const char *arg);
const struct feed_outcome *feed_subscriber_outcome(const struct feed_subscriber *s);

/* The report that it was asked for, once that is FEED_DONE: the caller frees it. NULL: there is
 * none. */
char *feed_subscriber_report(struct feed_subscriber *s, size_t *size);

/* For a launcher that has seen its child end: the link goes to GONE with this reason unless a
 * goodbye says better. */
void feed_subscriber_ended(struct feed_subscriber *s, const char *reason);

#endif

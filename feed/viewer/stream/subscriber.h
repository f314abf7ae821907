/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * subscriber.h: the viewer's end of one feed. It subscribes, requests snapshots, applies frames to
 * the model, and watches for gaps, silence and the end. One thread; no call blocks. Times are the
 * caller's monotonic clock in ns.
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

/* Endpoints of a job, and how to reach it. `pid` and `start` are 0 if unknown (a bare endpoint). */
struct viewer_target {
    char facts[SHARED_ENDPOINT_SIZE];
    char control[SHARED_ENDPOINT_SIZE];
    uint64_t pid, start;
    uint8_t parent[16];              /* instance of its parent (process_tree.h); zero: none */
    const struct shared_auth *admit; /* keys for tcp, borrowed; NULL: no keys */
    char via[SHARED_VIA_MAX];        /* machine behind ssh; "": the job may be on this machine */
    bool insecure;   /* it comes over tcp from another machine, without keys (listen.h) */
    char label[256]; /* as typed or registered; for messages; safe for the screen */
};

/* Fill `target` from a registered job, or from a typed word: `ipc:///path/x.pub` or
 * `tcp://host:port` (the endpoint of facts; control is the same path with .ctl, or the next port),
 * or `FACTS,CONTROL`. False with a sentence in `why`. */
void viewer_target_of(const struct registry_info *info, struct viewer_target *target);
bool viewer_target_parse(const char *word, struct viewer_target *target, char *why,
                         size_t capacity);
/* True if there is something to connect to: a socket at the path, or an address of the host. Asks
 * the resolver, which may block. False with a sentence in `why`. */
bool viewer_target_there(const struct viewer_target *target, char *why, size_t capacity);

/* Begins to connect. The context is borrowed. Returns a subscriber, or NULL with a sentence in
 * `why`. */
struct viewer_subscriber *viewer_subscriber_new(void *zmq, const struct viewer_target *target,
                                                uint64_t now_ns, char *why, size_t capacity);
/* Returns a subscriber that is connected to nothing: it has this job, of which it holds a
 * reference, and this link for good. NULL: out of memory. */
struct viewer_subscriber *viewer_subscriber_still(struct model_job *job,
                                                  const struct model_link *link, const char *label);
void viewer_subscriber_free(struct viewer_subscriber **subscriber);

/* Fills the items to poll; returns how many. */
size_t viewer_subscriber_items(struct viewer_subscriber *s, zmq_pollitem_t item[VIEWER_POLL_ITEMS]);

/* Reads waiting messages for at most `budget_ns` of this thread's processor time, and does the work
 * that is due by time. Call it after each poll. Messages read without a poll may have waited since
 * the previous call; that time is not counted as lag of the feed. True if anything changed. */
bool viewer_subscriber_drain(struct viewer_subscriber *s, uint64_t now_ns, uint64_t budget_ns);

/* The first function returns true if the model is a consistent snapshot: a whole snapshot is
 * applied, and each tick completely or not at all. The end of a tick shows only when the next one
 * begins. So a caller that needs a consistent snapshot sets `stop`: until it is cleared, a drain
 * reads nothing beyond the end of a tick. */
bool viewer_subscriber_is_consistent(const struct viewer_subscriber *s);
void viewer_subscriber_stop(struct viewer_subscriber *s, bool stop);

/* Returns the latest time of the next drain. */
uint64_t viewer_subscriber_due(const struct viewer_subscriber *s);

/* The current instance, borrowed, or NULL before the first frame; and the state of the link. */
struct model_job *viewer_subscriber_job(const struct viewer_subscriber *s);
const struct model_link *viewer_subscriber_link(const struct viewer_subscriber *s);
const struct viewer_target *viewer_subscriber_target(const struct viewer_subscriber *s);

/* Sets the interval at which this viewer wants values, in ms. A hello tells the job. The job may
 * send values more often, because other viewers want them, or because it does not know the field.
 * 0, the default: the job's own interval. */
void viewer_subscriber_tick(struct viewer_subscriber *s, uint64_t tick_ms);

/* Subscribes to the single events of traces (model/timeline.h). The current instance keeps them,
 * `limit` at most. Call it once there is one. */
bool viewer_subscriber_trace(struct viewer_subscriber *s, uint64_t limit);

/* Asks the job to change what it collects (docs/protocol.md, 5.4). `arg`: arguments, one per line,
 * or NULL. False: the request cannot be sent now; the outcome of the previous one stays. */
bool viewer_subscriber_control(struct viewer_subscriber *s, const char *what, const char *arg);
const struct viewer_request_outcome *viewer_subscriber_outcome(const struct viewer_subscriber *s);

/* Returns the requested report once the outcome is VIEWER_DONE; the caller frees it. NULL: there is
 * none. */
char *viewer_subscriber_report(struct viewer_subscriber *s, size_t *size);

/* Called by a launcher whose child has ended. The link becomes GONE with this reason, unless a
 * goodbye gives a better one. */
void viewer_subscriber_ended(struct viewer_subscriber *s, const char *reason);

#endif

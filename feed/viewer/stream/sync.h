/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * sync.h: decides which frames of a job may be applied, in which order, and what is missing. Covers
 * instances, epochs, sequence numbers, gaps and their healing, pending frames, snapshots and the
 * end of a job (docs/protocol.md, sections 4 to 6). Uses no socket and no clock.
 */
#ifndef FEED_VIEWER_STREAM_SYNC_H
#define FEED_VIEWER_STREAM_SYNC_H

#include "feed/protocol/frame.h"
#include "feed/viewer/stream/command.h"
#include "feed/viewer/stream/consistency.h"
#include "feed/viewer/stream/job_report.h"
#include "feed/viewer/stream/pending_frames.h"
#include "model/job.h"
#include "model/link.h"

/* Streams whose rows are never sent twice: bits by enum wire_stream. */
#define VIEWER_UNROLLED (1u << WIRE_NOTICES | 1u << WIRE_REWRITES | 1u << WIRE_DETAILS)

/* Contents of a snapshot request. */
enum viewer_snapshot_scope {
    VIEWER_SNAPSHOT_NOTHING,
    VIEWER_SNAPSHOT_DEFS,   /* definitions that pending frames need */
    VIEWER_SNAPSHOT_MISSED, /* streams whose lost rows are not sent again */
    VIEWER_SNAPSHOT_ALL,
};

/* Sequence state of one topic. */
struct viewer_topic {
    /* `next`: number of the next frame that brings something new, also counting answers; 0: not
     * known. `sent_next`: number after the last frame of the stream itself, without answers; used
     * to count losses. */
    uint64_t next, sent_next;
    uint64_t request, answer_ns; /* of the last answer: its request, and its stamp */
};

/* Zero, then viewer_sync_init(). Callers may read the members. sync.c writes them;
 * subscriber.c also sets `tick_ms`, `outcome` and `made`. */
struct viewer_sync {
    struct model_job *job;   /* one reference, or NULL before the first frame */
    struct model_link *link; /* borrowed; counters go there */
    unsigned replaced_count; /* instances that this one replaced, so far */
    uint8_t parent[16]; /* of the first instance, unless its hello names one; zero: not known */
    uint64_t epoch;
    uint64_t tick;    /* newest tick of a stream frame */
    uint64_t mono_ns; /* stamp of the last frame of facts */

    struct viewer_topic topic[WIRE_STREAMS];
    struct viewer_topic *applies; /* one per function; grows when a frame of a new function comes */
    uint32_t applies_count;

    uint64_t heal_tick; /* if link->healing: at this tick all rows have been sent again */
    uint32_t missed;    /* bits of streams with a gap whose rows are not sent again; */
    uint32_t requested; /* the subset that the snapshot under way brings */
    /* Last sequence numbers of the streams: by the newest hello; and by the hello that was newest
     * when the snapshot was requested. */
    uint64_t hello_last[WIRE_STREAMS], hello_last_before[WIRE_STREAMS];
    struct viewer_pending pending;
    struct viewer_consistency consistency;

    uint64_t request;                /* last number used */
    uint64_t hello;                  /* number of the last hello request, 0 if it was answered */
    uint64_t tick_ms;                /* requested interval of values; 0: the job's own interval */
    uint64_t snapshot;               /* number of the snapshot under way, or 0 */
    enum viewer_snapshot_scope scope; /* contents of that snapshot request */
    uint64_t chunks;                 /* frames of the snapshot so far */
    uint32_t credit;                 /* frames of the snapshot not yet answered with `more` */
    bool answered;  /* the reply has come, but frames of the snapshot are still pending */
    bool broken;    /* a frame of the snapshot was lost */
    bool gap_since; /* a gap opened after the snapshot was requested */

    bool whole;   /* a whole snapshot of this instance and epoch is applied */
    uint8_t *bye; /* the goodbye, owned, or NULL */
    size_t bye_size;
    bool after_bye; /* the snapshot under way was requested after the goodbye */
    bool final;     /* the last values of the job are applied */
    struct viewer_request_outcome outcome; /* of the last control request, */
    struct viewer_job_report made;         /* and the report that the job made for it */
    char refusal[160]; /* the job's reason for refusing a request, safe for the screen; or "" */
};

/* `parent`: parent of the first instance if its hello names none; NULL or zero: not known. */
void viewer_sync_init(struct viewer_sync *sync, struct model_link *link, const uint8_t parent[16]);
void viewer_sync_release(struct viewer_sync *sync);

/* Takes one frame of the feed, or with `answer` one from the request socket. Returns false if the
 * frame is malformed, of another instance or an older epoch, or brings nothing new. */
bool viewer_sync_take(struct viewer_sync *sync, const void *bytes, size_t size, bool answer);

/* True if the applied data is a consistent snapshot: a whole snapshot is applied, and each tick is
 * applied completely or not at all. A tick is known to be complete once its hello has come, or once
 * a frame of the next tick comes. The second function therefore judges the data before `bytes`, the
 * next frame of facts, and does not take that frame. */
bool viewer_sync_is_consistent(const struct viewer_sync *sync);
bool viewer_sync_is_consistent_before(const struct viewer_sync *sync, const void *bytes,
                                      size_t size);

/* Counts a message that is not one frame: it has more parts, or is too long. */
void viewer_sync_refuse(struct viewer_sync *sync);

/* Returns the words that say who asked the job to detach, "(asked by anna, ...)", borrowed; NULL if
 * the job was not detached from. The job writes them in its last notice, as for any control request
 * (docs/protocol.md, 5.4). */
const char *viewer_sync_detached_by(const struct viewer_sync *sync);

/* Returns the contents of the snapshot to request now; nothing while a snapshot is under way. */
enum viewer_snapshot_scope viewer_sync_missing(const struct viewer_sync *sync);

/* Forgets the snapshot under way, because it was not answered or the connection broke. */
void viewer_sync_cancel(struct viewer_sync *sync);

/* Write a request into `out` and return the size of its frame. */
size_t viewer_sync_request_hello(struct viewer_sync *sync, void *out, size_t capacity);
size_t viewer_sync_request_snapshot(struct viewer_sync *sync, enum viewer_snapshot_scope want,
                                    void *out, size_t capacity);
size_t viewer_sync_request_more(struct viewer_sync *sync, void *out, size_t capacity);
/* `arg`: arguments, one per line, or NULL. */
size_t viewer_sync_request_control(struct viewer_sync *sync, const char *what, const char *arg,
                                   void *out, size_t capacity);
/* Requests the next part of the report. */
size_t viewer_sync_request_text(struct viewer_sync *sync, void *out, size_t capacity);
size_t viewer_sync_ack(struct viewer_sync *sync, void *out, size_t capacity);

#endif

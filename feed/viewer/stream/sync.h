/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * sync.h: which frames of a job may be applied, in which order, and what is missing: instances,
 * epochs, sequence numbers, gaps and their healing, frames held for definitions, snapshots, and
 * the end (docs/protocol.md, sections 4 to 6). It knows no socket and no clock.
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

/* Streams of which no row is sent twice: bits by enum wire_stream. */
#define VIEWER_UNROLLED (1u << WIRE_NOTICES | 1u << WIRE_REWRITES | 1u << WIRE_DETAILS)

/* What a snapshot is to bring. */
enum viewer_requests_due {
    VIEWER_DUE_NOTHING,
    VIEWER_DUE_DEFS,   /* definitions that held frames rely on */
    VIEWER_DUE_MISSED, /* what does not come again by itself */
    VIEWER_DUE_ALL,
};

/* Where the frames of a topic stand. */
struct viewer_topic {
    /* The number that the next frame has which brings something new, after answers too; 0: not
     * known. And the one after the last that came of itself, by which losses are counted. */
    uint64_t next, heard;
    uint64_t request, answer_ns; /* of the last answer: what it answers, and its stamp */
};

/* Zero, then viewer_sync_init(). Members are for reading, but for those of the snapshot under way,
 * which sync.c alone reads too. */
struct viewer_sync {
    struct model_job *job;   /* one reference, or NULL before the first frame */
    struct model_link *link; /* borrowed; counters go there */
    unsigned left_count;     /* instances that were turned from */
    uint8_t parent[16];  /* of the first instance, unless that says better; zero: not known */
    uint64_t epoch;
    uint64_t tick;    /* newest */
    uint64_t mono_ns; /* stamp of the last frame of the facts */

    struct viewer_topic topic[WIRE_STREAMS];
    struct viewer_topic *applies; /* that of each function, as far as frames of one came */
    uint32_t applies_count;

    uint64_t heal_tick;  /* with link->healing: when 64 ticks are over */
    uint32_t missed;     /* bits of streams with a gap whose rows do not come again, */
    uint32_t asked;      /* and of those that the snapshot under way brings */
    /* Last numbers of streams, by the newest hello, and by the one before it was asked for. */
    uint64_t told[WIRE_STREAMS], told_before[WIRE_STREAMS];
    struct viewer_pending hold;
    struct viewer_consistency moment;

    uint64_t request;    /* last number used */
    uint64_t hello;      /* number of the last hello, 0 if it was answered */
    uint64_t tick_ms;    /* how often values are wanted; 0: as often as there are any */
    uint64_t snapshot;   /* number of the snapshot under way, or 0 */
    enum viewer_requests_due want; /* what it was asked for */
    uint64_t chunks;     /* frames of it so far */
    uint32_t credit;     /* frames of it not yet answered with `more` */
    bool answered;       /* its reply is here, but frames of it are still held */
    bool broken;         /* a frame of it was lost */
    bool gap_since;      /* a gap was seen since it was asked for */

    bool whole;   /* a whole snapshot of this instance and epoch is in */
    uint8_t *bye; /* the goodbye, owned, or NULL */
    size_t bye_size;
    bool after_bye;    /* the snapshot under way was asked for after it */
    bool final;        /* the last values are in */
    struct viewer_request_outcome outcome; /* of what it was asked to do, */
    struct viewer_job_report made;         /* and the report that it made */
    char refusal[160]; /* what the job said when it refused, safe for the screen; or "" */
};

/* `parent`: of the first instance, where it does not say one itself; NULL or zero: not known. */
void viewer_sync_init(struct viewer_sync *sync, struct model_link *link, const uint8_t parent[16]);
void viewer_sync_release(struct viewer_sync *sync);

/* Takes one frame, of the facts or as an answer. True if it was one of the current instance and
 * not a copy: a sign of life. */
bool viewer_sync_take(struct viewer_sync *sync, const void *bytes, size_t size, bool answer);

/* Whether what is in is of one moment: a whole snapshot, and of each tick all frames or none. Until
 * the next tick begins nobody can tell that of one, but where a hello ends it; so the other asks in
 * front of this frame of the facts, which is not taken. */
bool viewer_sync_tick_length(const struct viewer_sync *sync);
bool viewer_sync_tick_length_before(const struct viewer_sync *sync, const void *bytes, size_t size);

/* A message that is not one frame: more parts, or too long. */
void viewer_sync_refuse(struct viewer_sync *sync);

/* A job that is left says so as it says what else it was asked for (docs/protocol.md, 5.4), last of
 * all. Gives who asked, "(asked by anna, ...)", borrowed; NULL: it was not left. */
const char *viewer_sync_left(const struct viewer_sync *sync);

/* Whether the job is small enough for 64 ticks to bring every row again: full ticks put rows off.
 */
bool viewer_sync_rolls(const struct viewer_sync *sync);

/* What should be asked for now; nothing while a snapshot is under way. */
enum viewer_requests_due viewer_sync_want(const struct viewer_sync *sync);

/* Forgets the snapshot under way: it was not answered, or the connection broke. */
void viewer_sync_cancel(struct viewer_sync *sync);

/* Requests. They give the size of the frame written. */
size_t viewer_sync_ask_hello(struct viewer_sync *sync, void *out, size_t capacity);
size_t viewer_sync_ask_snapshot(struct viewer_sync *sync, enum viewer_requests_due want, void *out,
                                size_t capacity);
size_t viewer_sync_ask_more(struct viewer_sync *sync, void *out, size_t capacity);
/* `arg`: words, a line each, or NULL. */
size_t viewer_sync_ask_control(struct viewer_sync *sync, const char *what, const char *arg,
                               void *out, size_t capacity);
/* For the next part of the report. */
size_t viewer_sync_ask_text(struct viewer_sync *sync, void *out, size_t capacity);
size_t viewer_sync_ack(struct viewer_sync *sync, void *out, size_t capacity);

#endif

/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * state.h: the state of the publishing side of a feed. Used by the feed's thread alone.
 */
#ifndef FEED_PUBLISHER_PUBLISH_STATE_H
#define FEED_PUBLISHER_PUBLISH_STATE_H

#include "feed/publisher/collect/overhead.h"
#include "feed/publisher/collect/percentiles.h"
#include "feed/publisher/collect/rows.h"
#include "feed/publisher/publish/sender.h"

enum { PUBLISHER_COLUMNS = 15, PUBLISHER_WORDS = 7 };

/* Limits that were hit since the feed was opened (docs/security.md, 4). */
enum publisher_limit_hit {
    PUBLISHER_LIMIT_HIT_GARBAGE, /* invalid requests */
    PUBLISHER_LIMIT_HIT_FLOODED, /* requests dropped by the quota: too many came at once */
    PUBLISHER_LIMIT_HIT_FULL,    /* requests of clients that found no free slot */
    PUBLISHER_LIMIT_HIT_DENIED,  /* keys that were refused */
    PUBLISHER_LIMIT_HIT_CROWDED, /* times the feed stopped listening because descriptors ran out */
    PUBLISHER_LIMIT_HIT_CUT,     /* connections cut for sending without end */
    PUBLISHER_LIMIT_HIT_TOPICS,  /* current subscriptions that are counted but not stored */
    PUBLISHER_HITS
};

enum {
    PUBLISHER_SAMPLES = 1 << 14, /* values of counters that are kept */
    PUBLISHER_SAMPLED = 1 << 13, /* counters that a tick looks at; if there are more, in turn */
};

struct publisher_sample {
    uint64_t mono_ns, bits;
    uint32_t counter;
};

struct publisher_samples {
    struct publisher_sample *sample; /* a ring of PUBLISHER_SAMPLES, or NULL */
    uint64_t taken, lost;            /* lost: ticks without memory for samples */
    uint32_t *seen;                  /* updates of each counter at its last sample */
    uint32_t capacity;               /* entries of `seen` */
    uint32_t next;                   /* first counter of the next tick */
};

/* Why a trace ended. The numbers are those of the wire. */
enum publisher_trace_end {
    PUBLISHER_TRACE_RUNS,
    PUBLISHER_TRACE_TIME,    /* its time was over */
    PUBLISHER_TRACE_STOPPED, /* a viewer asked for the end */
    PUBLISHER_TRACE_UNHEARD, /* no viewer subscribes to it */
    PUBLISHER_TRACE_CLOSED,  /* the job ended */
};

/* A call or run that was open when the trace ended. */
struct publisher_still_open {
    enum wire_group group;
    uint32_t id, thread_plus_1;
    uint64_t start, frame; /* by the monotonic clock */
};

/* The trace that runs, or the last one. */
struct publisher_timeline {
    uint64_t number; /* of traces so far */
    bool on;         /* events are recorded; */
    bool sends;      /* or those that are left are sent; */
    bool frees;      /* or rings wait for their threads */
    enum publisher_trace_end why;
    uint64_t begin_ns, until_ns;    /* monotonic clock; until: as planned, and then as it was */
    uint64_t heard_ns, moved_ns;    /* last time that somebody subscribed; that a frame was sent */
    uint64_t limit;                 /* of events */
    uint64_t events;                /* sent */
    uint64_t dropped;               /* not sent: rings were full or missing, or beyond the limit */
    uint64_t missed;                /* overwritten before they were read: runs and instants */
    uint64_t untimed;               /* calls without a time, which have no event */
    uint64_t unkept;                /* of all blocks, as last read */
    uint64_t mark;                  /* number of the last instant that was read */
    struct publisher_sample *first; /* values at the begin, or NULL */
    uint32_t firsts, first_next;
    struct publisher_still_open *open; /* at the end, or NULL */
    uint32_t opens, open_next;
};

/* State as last sent: for each row its number of updates. */
struct publisher_last_sent {
    uint32_t *ended;
    uint32_t capacity, next; /* next: the row to look at first, so that no row waits for ever */
};

struct publisher_objects_sent {
    struct publisher_last_sent counters, spans;
    uint64_t *open; /* scratch: start of the oldest open run of each span */
    uint32_t open_capacity;
    uint64_t mark; /* number of the last instant that was sent */
};

/* Memory for one frame. */
struct publisher_frame {
    uint8_t *bytes;                             /* WIRE_FRAME_MAX */
    uint64_t (*column)[WIRE_FRAME_ROWS];        /* PUBLISHER_COLUMNS columns of integers to be
                                                 * encoded next, */
    struct wire_text (*words)[WIRE_FRAME_ROWS]; /* and PUBLISHER_WORDS columns of texts */
};

/* Stream A: the rows of applies. */
struct publisher_apply_stream {
    uint64_t *seq; /* last sequence number of each function's topic */
    uint32_t seq_capacity;
    struct publisher_ids waiting, sorted; /* rows of this tick; sorted by function */
    uint32_t *function_at;                /* scratch for sorting, by function */
    uint32_t function_capacity;
    double row_bytes;     /* bytes per row in the last tick */
    bool serving;         /* a snapshot is in progress; */
    uint64_t yields_next; /* first tick at which rows of applies may yield to a snapshot again */
};

/* What the other streams have sent. */
struct publisher_sent {
    uint32_t defs[WIRE_TABLES]; /* definitions, by stream D */
    uint64_t notices;
    uint64_t hello_ns; /* time of the last hello */
    bool now_shown;    /* the last list of running applies, sent or requested, had rows */
};

/* The publishing side of a feed. Each part belongs to the file that is named beside it. */
struct publisher {
    struct publisher_core *core;
    struct publisher_aggregate aggregate;     /* rows.c */
    struct publisher_percentiles percentiles; /* percentiles.c */
    struct publisher_overhead overhead;       /* overhead.c */
    struct publisher_sender sender;           /* sender.c */
    struct publisher_frame frame;             /* encode.c */
    struct publisher_objects_sent objects;    /* encode_objects.c */
    struct publisher_samples samples;         /* trace.c */
    struct publisher_timeline timeline;       /* timeline.c */
    struct publisher_apply_stream applies;    /* publisher.c, as the rest */
    struct publisher_sent sent;
    uint64_t epoch, tick;
    uint32_t tick_ms;                   /* length of a tick: the shortest that a viewer asks for */
    uint32_t defs[WIRE_TABLES];         /* definitions that this tick's frames refer to, */
    bool nested;                        /* and whether one of the functions runs inside a node */
    uint64_t viewers, refused;          /* sent in the hello, */
    uint64_t limit_hit[PUBLISHER_HITS]; /* likewise; */
    bool insecure;                      /* likewise: TCP accepts viewers without a key */
};

#endif

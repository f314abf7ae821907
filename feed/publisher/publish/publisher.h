/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * publisher.h: publishes a job's data: tracks subscriptions, decides which frames a tick sends, and
 * encodes them. Used by the feed's thread alone.
 */
#ifndef FEED_PUBLISHER_PUBLISH_PUBLISHER_H
#define FEED_PUBLISHER_PUBLISH_PUBLISHER_H

#include "feed/publisher/collect/aggregate.h"
#include "feed/publisher/collect/percentiles.h"
#include "feed/publisher/publish/encode_objects.h"
#include "feed/publisher/publish/trace.h"

enum { PUBLISHER_SUBSCRIPTIONS_MAX = 256, PUBLISHER_COLUMNS = 15, PUBLISHER_WORDS = 7 };

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

struct publisher_sender {
    struct publisher_core *core;
    void *facts; /* XPUB socket, borrowed */
    struct publisher_aggregate scan;
    struct publisher_subscriptions wanted;
    uint64_t epoch, tick;
    uint64_t viewers, refused;    /* sent in the hello */
    uint64_t hit[PUBLISHER_HITS]; /* likewise */
    uint32_t tick_ms;             /* length of a tick: the shortest that a viewer asks for */
    bool insecure;                /* sent in the hello: TCP accepts viewers without a key */
    uint32_t defs[WIRE_TABLES];   /* definitions that this tick's frames refer to */
    uint32_t told[WIRE_TABLES]; /* definitions that stream D has sent */
    uint64_t seq[WIRE_STREAMS]; /* last sequence number of each topic; for the A topics see: */
    uint64_t *seq_of;           /* the same by function */
    uint32_t seq_capacity;
    uint64_t notices;
    uint64_t hello_ns; /* time of the last hello */
    uint64_t left_ns;  /* how long this tick may still wait for full queues; */
    uint64_t until_ns; /* deadline of the last tick */
    bool now_shown;    /* the last list of running applies, sent or requested, had rows */
    struct publisher_ids waiting, sorted;
    uint32_t *function_at; /* scratch for sorting, by function */
    uint32_t function_capacity;
    struct publisher_percentiles percentiles;
    struct publisher_overhead cost;
    bool serving;         /* a snapshot is in progress; */
    uint64_t yields_next; /* first tick at which rows of applies may yield to a snapshot again */
    double row_bytes;     /* bytes per row in the last tick */
    struct publisher_objects_encoder tell;      /* encoder of counters, spans and markers */
    struct publisher_samples samples;           /* samples of counters for a dump */
    uint8_t *buffer;                            /* one frame */
    uint64_t (*column)[WIRE_FRAME_ROWS];        /* PUBLISHER_COLUMNS columns of integers to be
                                                 * encoded next, */
    struct wire_text (*words)[WIRE_FRAME_ROWS]; /* and PUBLISHER_WORDS columns of texts */
};

/* Returns false if out of memory; then nothing is held. */
bool publisher_sender_init(struct publisher_sender *p, struct publisher_core *core, void *facts);
void publisher_sender_release(struct publisher_sender *p);

/* Reads subscriptions from the socket. Returns false if there were none and none is left. */
bool publisher_sender_listen(struct publisher_sender *p);

/* Sets the deadline of the last tick. Until then its frames wait for queue space at viewers that
 * read. Frames of other ticks wait for a part of the tick. A viewer that takes nothing for a while
 * loses the frame; frames wait for that viewer again once it reads. */
void publisher_sender_pace(struct publisher_sender *p, uint64_t until_ns);

/* Runs one tick: sums, and sends all dirty data that is subscribed to. `last`: sends everything
 * dirty, whatever its size; what is unsent at the deadline of publisher_sender_pace() counts as
 * lost. */
void publisher_sender_tick(struct publisher_sender *p, uint64_t now_ns, bool last);

/* Updates p->defs to the definitions that exist now. */
void publisher_sender_refresh_definitions(struct publisher_sender *p);
/* Sends the definitions that were not sent yet. */
void publisher_sender_define(struct publisher_sender *p);

/* Brings all sums up to date, for a dump or a reset. */
void publisher_sender_scan(struct publisher_sender *p);

/* Restarts all counts from the present sums, in a new epoch. Returns false if out of memory. */
bool publisher_sender_reset(struct publisher_sender *p);

/* Sends the goodbye. */
void publisher_sender_bye(struct publisher_sender *p);

/* True if a viewer subscribes to all of a stream. */
bool publisher_sender_is_subscribed(const struct publisher_sender *p, enum wire_stream stream);
/* Sends the frame in p->buffer as the next frame of a stream. Returns false once the last tick's
 * time is over: the sequence number advances all the same, so that viewers notice the gap, and the
 * caller need not encode more. */
bool publisher_sender_send(struct publisher_sender *p, enum wire_stream stream, size_t size);

/* True if a viewer subscribes to anything. */
bool publisher_sender_is_watched(const struct publisher_sender *p);

/* For tests: applies a subscription message of the socket. `on` false: it unsubscribes. */
void publisher_subscriptions_change(struct publisher_subscriptions *s, bool on, const char *prefix,
                                    size_t size);
bool publisher_subscriptions_match(const struct publisher_subscriptions *s, const char *topic);

/* ------------------------------------------------------------------------ frames (encode.c) */

/* Begins a frame in p->buffer with the fields that all frames have. `request` is the request that
 * the frame answers; 0: none, the frame belongs to a stream. */
void publisher_encode_begin(struct publisher_sender *p, struct wire_writer *w,
                            enum wire_stream stream, uint32_t function, uint64_t seq,
                            uint64_t request);

/* Each function writes one frame into p->buffer and returns its size; 0 if there is nothing to
 * write. */

/* Definitions from `from` on, as many as fit, in the order of their creation. Advances `from`. */
size_t publisher_encode_defs(struct publisher_sender *p, uint64_t seq, uint64_t request,
                             uint32_t from[WIRE_TABLES]);
/* Values of n applies of one function, at most WIRE_FRAME_ROWS; group x for dirty rows, or with
 * `all` for every row. */
size_t publisher_encode_applies(struct publisher_sender *p, uint64_t seq, uint64_t request,
                                uint32_t function, const uint32_t *id, size_t n, bool all);
/* Adds group err of these rows to a frame of A, if a row has an error (encode_detail.c). */
void publisher_encode_errors(struct publisher_sender *p, struct wire_writer *w, const uint32_t *id,
                             size_t n);
enum { PUBLISHER_FUNCTION_ROWS = 2000 };
size_t publisher_encode_functions(struct publisher_sender *p, uint64_t seq, uint64_t request,
                                  const uint32_t *id, size_t n);
/* Sets `rows` to the number of threads in the frame. */
size_t publisher_encode_now(struct publisher_sender *p, uint64_t seq, uint64_t request,
                            size_t *rows);
/* Buckets of ops from *from on: of all ops, or of the dirty ones. Advances *from. */
size_t publisher_encode_percentiles(struct publisher_sender *p, uint64_t seq, uint64_t request,
                                    uint32_t *from, bool all);
/* Notices from number `from` on; at most PUBLISHER_NOTICES. Sets `end` to the number of the next
 * notice. */
size_t publisher_encode_notices(struct publisher_sender *p, uint64_t seq, uint64_t request,
                                uint64_t from, uint64_t *end);
/* Phases, details or values of metrics. With `from`: rows from there on; `from` advances, perhaps
 * past rows that do not exist, so that the frame is empty. Without: rows that changed and were not
 * sent yet. */
size_t publisher_encode_phases(struct publisher_sender *p, uint64_t seq, uint64_t request,
                               uint32_t *from);
size_t publisher_encode_details(struct publisher_sender *p, uint64_t seq, uint64_t request,
                                uint32_t *from);
size_t publisher_encode_metrics(struct publisher_sender *p, uint64_t seq, uint64_t request,
                                uint32_t *from);
size_t publisher_encode_hello(struct publisher_sender *p, uint64_t seq, uint64_t request, bool bye);
/* Answers to a request for a report: the size of the report, and a part of it from `at` on. */
size_t publisher_encode_report(struct publisher_sender *p, uint64_t request, size_t size,
                               size_t rows);
size_t publisher_encode_report_part(struct publisher_sender *p, uint64_t request, const char *data,
                                    size_t size, size_t at);
/* `text` NULL: success. `no` may be NULL. */
size_t publisher_encode_reply(struct publisher_sender *p, uint64_t request, const char *re,
                              const char *no, const char *text, uint64_t chunks);

#endif

/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * publisher.h: what a job tells everybody: who is subscribed to what, what is due in a tick, and
 * the frames for it. Used by the feed's thread alone.
 */
#ifndef FEED_PUBLISHER_PUBLISH_PUBLISHER_H
#define FEED_PUBLISHER_PUBLISH_PUBLISHER_H

#include "feed/publisher/collect/aggregate.h"
#include "feed/publisher/collect/percentiles.h"
#include "feed/publisher/publish/encode_objects.h"
#include "feed/publisher/publish/trace.h"

enum { PUBLISHER_SUBSCRIPTIONS_MAX = 256, PUBLISHER_COLUMNS = 15, PUBLISHER_WORDS = 7 };

/* What ran into a limit since the feed was opened (docs/security.md, 4). */
enum publisher_limit_hit {
    PUBLISHER_LIMIT_HIT_GARBAGE, /* requests that were none */
    PUBLISHER_LIMIT_HIT_FLOODED, /* requests that were thrown away, since too many came at once */
    PUBLISHER_LIMIT_HIT_FULL,    /* requests of clients for whom there was no place */
    PUBLISHER_LIMIT_HIT_DENIED,  /* keys that were not let in */
    PUBLISHER_LIMIT_HIT_CROWDED, /* how often it stopped to listen, for want of descriptors */
    PUBLISHER_LIMIT_HIT_CUT,     /* connections that sent without end */
    PUBLISHER_LIMIT_HIT_TOPICS,  /* subscriptions, now, of which only the number is kept */
    PUBLISHER_HITS
};

/* The prefixes that somebody is subscribed to. Of those that are too many, only the number is
 * kept: then everything is sent. */
struct publisher_subscriptions {
    struct {
        char prefix[WIRE_TOPIC_MAX];
        uint8_t size;
    } entry[PUBLISHER_SUBSCRIPTIONS_MAX];
    uint32_t count, more;
    uint64_t came; /* ever */
};

struct publisher_sender {
    struct publisher_core *core;
    void *facts; /* XPUB, borrowed */
    struct publisher_aggregate scan;
    struct publisher_subscriptions wanted;
    uint64_t epoch, tick;
    uint64_t viewers, refused;  /* for the hello */
    uint64_t hit[PUBLISHER_HITS]; /* same */
    uint32_t tick_ms;           /* how often it ticks: as its viewers agreed */
    bool insecure;              /* same: over tcp nobody has to show a key */
    uint32_t defs[WIRE_TABLES]; /* definitions that this tick's frames rely on */
    uint32_t told[WIRE_TABLES]; /* definitions that stream D has sent */
    uint64_t seq[WIRE_STREAMS]; /* last of each topic; of the A topics: */
    uint64_t *seq_of;           /* by function */
    uint32_t seq_capacity;
    uint64_t notices;  /* notices sent */
    uint64_t hello_ns; /* when the last hello was sent */
    uint64_t left_ns;  /* of this tick's time for queues that are full; */
    uint64_t until_ns; /* of the last tick's, the end */
    bool now_shown;    /* the last list of what runs, sent or asked for, had rows */
    struct publisher_ids waiting, sorted;
    uint32_t *function_at; /* scratch of sorting: by function */
    uint32_t function_capacity;
    struct publisher_percentiles percentiles;
    struct publisher_overhead cost;
    bool serving;         /* a snapshot is on its way, */
    uint64_t yields_next; /* and the tick from which on rows of applies may make way again */
    double row_bytes;                           /* of the last tick, per row */
    struct publisher_objects_encoder tell;      /* of counters, spans and markers */
    struct publisher_samples samples;           /* of counters, for a dump */
    uint8_t *buffer;                            /* one frame */
    uint64_t (*column)[WIRE_FRAME_ROWS];        /* PUBLISHER_COLUMNS columns of integers, */
    struct wire_text (
        *words)[WIRE_FRAME_ROWS]; /* and PUBLISHER_WORDS of texts: what is encoded next */
};

/* False when out of memory; then nothing is held. */
bool publisher_sender_init(struct publisher_sender *p, struct publisher_core *core, void *facts);
void publisher_sender_release(struct publisher_sender *p);

/* Reads what viewers subscribe to. False: nothing had come, and nothing is left. */
bool publisher_sender_listen(struct publisher_sender *p);

/* The last tick may take until then: its frames wait for viewers that read to have room. Those of
 * other ticks wait for a part of the tick. One that takes nothing for a while loses the frame, and
 * is waited for again once it reads. */
void publisher_sender_pace(struct publisher_sender *p, uint64_t until_ns);

/* One tick: sums, and sends what is due and wanted. `last`: all that waits, whatever its size; what
 * is not sent by the time of publisher_sender_pace() is told as lost. */
void publisher_sender_tick(struct publisher_sender *p, uint64_t now_ns, bool last);

/* Takes notice of what is defined by now. */
void publisher_sender_learn_threads(struct publisher_sender *p);
/* Sends those that were not sent yet. */
void publisher_sender_define(struct publisher_sender *p);

/* Brings all sums up to date, for a dump or a reset. */
void publisher_sender_scan(struct publisher_sender *p);

/* All counts begin again from what is summed now, in a new epoch. False when out of memory. */
bool publisher_sender_reset(struct publisher_sender *p);

/* Sends the goodbye. */
void publisher_sender_bye(struct publisher_sender *p);

/* Whether somebody wants all of a stream. */
bool publisher_sender_is_subscribed(const struct publisher_sender *p, enum wire_stream stream);
/* Sends what stands in p->buffer as the next frame of a stream. False: the last tick's time is
 * over; the frame counts as sent, so that viewers know what they miss, and no more need be made. */
bool publisher_sender_send(struct publisher_sender *p, enum wire_stream stream, size_t size);

/* Whether anybody is subscribed to anything. */
bool publisher_sender_is_watched(const struct publisher_sender *p);

/* For tests: what the socket brings. `on` false: nobody wants it any more. */
void publisher_subscriptions_change(struct publisher_subscriptions *s, bool on, const char *prefix,
                                    size_t size);
bool publisher_subscriptions_match(const struct publisher_subscriptions *s, const char *topic);

/* ------------------------------------------------------------------------ frames (encode.c) */

/* Begins a frame in p->buffer with the fields that all have. `request` is the one that it answers;
 * 0: none, it is of a stream. */
void publisher_encode_begin(struct publisher_sender *p, struct wire_writer *w,
                            enum wire_stream stream, uint32_t function, uint64_t seq,
                            uint64_t request);

/* Each writes one frame into p->buffer and gives its size; 0 if there is nothing to write. */

/* Definitions from `from` on, as many as fit, in the order in which they were made; moves `from`.
 */
size_t publisher_encode_defs(struct publisher_sender *p, uint64_t seq, uint64_t request,
                             uint32_t from[WIRE_TABLES]);
/* Values of n applies of one function, at most WIRE_FRAME_ROWS; group x where it is due, or of all.
 */
size_t publisher_encode_applies(struct publisher_sender *p, uint64_t seq, uint64_t request,
                                uint32_t function, const uint32_t *id, size_t n, bool all);
/* Group err of these rows into a frame of A, if one has it (encode_detail.c). */
void publisher_encode_errors(struct publisher_sender *p, struct wire_writer *w, const uint32_t *id,
                             size_t n);
enum { PUBLISHER_FUNCTION_ROWS = 2000 };
size_t publisher_encode_functions(struct publisher_sender *p, uint64_t seq, uint64_t request,
                                  const uint32_t *id, size_t n);
/* `rows` becomes the number of threads in it. */
size_t publisher_encode_now(struct publisher_sender *p, uint64_t seq, uint64_t request,
                            size_t *rows);
/* Buckets of ops from *from on, which it moves: all of them, or those that are due. */
size_t publisher_encode_percentiles(struct publisher_sender *p, uint64_t seq, uint64_t request,
                                    uint32_t *from, bool all);
/* Notices from number `from` on; at most PUBLISHER_NOTICES. Gives in `end` where the next begin. */
size_t publisher_encode_notices(struct publisher_sender *p, uint64_t seq, uint64_t request,
                                uint64_t from, uint64_t *end);
/* Phases, details or values of metrics: with `from` those from there on, which it moves, perhaps
 * beyond some of which there are none; without, those that changed and were not sent yet. */
size_t publisher_encode_phases(struct publisher_sender *p, uint64_t seq, uint64_t request,
                               uint32_t *from);
size_t publisher_encode_details(struct publisher_sender *p, uint64_t seq, uint64_t request,
                                uint32_t *from);
size_t publisher_encode_metrics(struct publisher_sender *p, uint64_t seq, uint64_t request,
                                uint32_t *from);
size_t publisher_encode_hello(struct publisher_sender *p, uint64_t seq, uint64_t request, bool bye);
/* To a request for a report: how large it is. And a part of it, from `at` on. */
size_t publisher_encode_report(struct publisher_sender *p, uint64_t request, size_t size,
                               size_t rows);
size_t publisher_encode_report_part(struct publisher_sender *p, uint64_t request, const char *data,
                                    size_t size, size_t at);
/* `text` NULL: fine. `no` may be NULL. */
size_t publisher_encode_reply(struct publisher_sender *p, uint64_t request, const char *re,
                              const char *no, const char *text, uint64_t chunks);

#endif

/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * encode.h: encodes frames (docs/protocol.md). Used by the feed's thread alone.
 */
#ifndef FEED_PUBLISHER_PUBLISH_ENCODE_H
#define FEED_PUBLISHER_PUBLISH_ENCODE_H

#include "feed/publisher/publish/state.h"

/* Begins a frame in p->frame.bytes with the fields that all frames have. `request` is the request
 * that the frame answers; 0: none, the frame belongs to a stream. */
void publisher_encode_begin(struct publisher *p, struct wire_writer *w, enum wire_stream stream,
                            uint32_t function, uint64_t seq, uint64_t request);

/* Each function writes one frame into p->frame.bytes and returns its size; 0 if there is nothing to
 * write. */

/* Definitions from `from` on, as many as fit, in the order of their creation. Advances `from`. */
size_t publisher_encode_defs(struct publisher *p, uint64_t seq, uint64_t request,
                             uint32_t from[WIRE_TABLES]);
/* Values of n applies of one function, at most WIRE_FRAME_ROWS; group x for dirty rows, or with
 * `all` for every row. */
size_t publisher_encode_applies(struct publisher *p, uint64_t seq, uint64_t request,
                                uint32_t function, const uint32_t *id, size_t n, bool all);
enum { PUBLISHER_FUNCTION_ROWS = 2000 };
size_t publisher_encode_functions(struct publisher *p, uint64_t seq, uint64_t request,
                                  const uint32_t *id, size_t n);
/* Sets `rows` to the number of threads in the frame. */
size_t publisher_encode_now(struct publisher *p, uint64_t seq, uint64_t request, size_t *rows);
/* Buckets of ops from *from on: of all ops, or of the dirty ones. Advances *from. */
size_t publisher_encode_percentiles(struct publisher *p, uint64_t seq, uint64_t request,
                                    uint32_t *from, bool all);
/* Notices from number `from` on; at most PUBLISHER_NOTICES. Sets `end` to the number of the next
 * notice. */
size_t publisher_encode_notices(struct publisher *p, uint64_t seq, uint64_t request, uint64_t from,
                                uint64_t *end);
/* Phases, details or values of metrics. With `from`: rows from there on; `from` advances, perhaps
 * past rows that do not exist, so that the frame is empty. Without: rows that changed and were not
 * sent yet. */
size_t publisher_encode_phases(struct publisher *p, uint64_t seq, uint64_t request, uint32_t *from);
size_t publisher_encode_details(struct publisher *p, uint64_t seq, uint64_t request,
                                uint32_t *from);
size_t publisher_encode_metrics(struct publisher *p, uint64_t seq, uint64_t request,
                                uint32_t *from);
size_t publisher_encode_hello(struct publisher *p, uint64_t seq, uint64_t request, bool bye);
/* Answers to a request for a report: the size of the report, and a part of it from `at` on. */
size_t publisher_encode_report(struct publisher *p, uint64_t request, size_t size, size_t rows);
size_t publisher_encode_report_part(struct publisher *p, uint64_t request, const char *data,
                                    size_t size, size_t at);
/* `text` NULL: success. `no` may be NULL. */
size_t publisher_encode_reply(struct publisher *p, uint64_t request, const char *re, const char *no,
                              const char *text, uint64_t chunks);

/* Returns the feed's place in a distributed job, as known now. Takes the feed's lock. */
struct shared_rank publisher_rank_now(struct publisher_core *core);

#endif

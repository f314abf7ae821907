/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * trace_writer.h: the parts of Chrome's trace format ("Trace Event Format") that traces of events
 * (timeline_json.c) and reports (chrome.c) have in common.
 */
#ifndef MODEL_TRACE_WRITER_H
#define MODEL_TRACE_WRITER_H

#include "model/job.h"
#include "model/json_writer.h"

/* What an apply is called: its op. */
const struct model_text *model_trace_op(const struct model_job *job, uint32_t apply);

/* Opens an event. */
void model_trace_put_begin(struct model_put *p);
/* Opens the `args` of an event; the second closes both. */
void model_trace_put_args(struct model_put *p);
void model_trace_put_end(struct model_put *p);

/* A key and its value. Times are microseconds with three decimals. */
void model_trace_put_time(struct model_put *p, const char *key, uint64_t ns);
void model_trace_put_text(struct model_put *p, const char *key, const struct model_text *text);
void model_trace_put_word(struct model_put *p, const char *key, const char *text);
void model_trace_put_number(struct model_put *p, const char *key, uint64_t value);

/* Names a process or a thread. `what`: "process_name" or "thread_name". */
void model_trace_put_name(struct model_put *p, const char *what, uint64_t pid, uint64_t tid,
                          const char *name, size_t size);

#endif

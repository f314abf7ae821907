/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * import_trace.h: reads Chrome traces: the Trace Event Format, as torch.profiler, MXNet, ONNX
 * Runtime and proftop's own dumps have it.
 *
 * Runs on a thread nest. A row is an op on a thread, which is a function here; its time is its own,
 * without the runs inside it; the metric "incl" has them. Events of any order are taken.
 */
#ifndef MODEL_IMPORT_TRACE_H
#define MODEL_IMPORT_TRACE_H

#include "model/import_text.h"
#include "model/json_reader.h"

enum {
    MODEL_TRACE_EVENTS = 1 << 23, /* runs that are kept, of 32 bytes; more are not read */
    MODEL_TRACE_SERIES = 16,      /* series of one counter */
};

/* Reads a list of events, or an object with one, from its opening bracket. */
void model_trace_read(struct model_importing *in, struct model_get *get);

/* Reads the part of a dump of proftop that has its counts, from its opening brace. True if it is
 * one. */
bool model_dump_read(struct model_importing *in, struct model_get *get);

#endif

/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * json_objects.h: the rows of the tables `counters`, `spans`, `markers` and `memory` of a report,
 * for json.c. `job` is the id of the job in the report.
 */
#ifndef MODEL_JSON_OBJECTS_H
#define MODEL_JSON_OBJECTS_H

#include "model/json_writer.h"

void model_json_counters(struct model_put *out, const struct model_state *state, size_t job);
void model_json_spans(struct model_put *out, const struct model_state *state, size_t job);
void model_json_markers(struct model_put *out, const struct model_state *state, size_t job);
void model_json_memory(struct model_put *out, const struct model_state *state, size_t job);

/* Keys of their rows, from 0 on; NULL after the last. Static. */
const char *model_json_counter_key(unsigned at);
const char *model_json_span_key(unsigned at);
const char *model_json_marker_key(unsigned at);
const char *model_json_memory_key(unsigned at);

#endif

/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * import_mxnet.h: the statistics of mxnet.profiler.dumps(), of both of its formats.
 */
#ifndef MODEL_IMPORT_MXNET_H
#define MODEL_IMPORT_MXNET_H

#include "model/import_text.h"
#include "model/json_reader.h"

/* Reads the object of format='json' and of --format mxnet-json, from its opening brace. */
void model_mxnet_read(struct model_importing *in, struct model_get *get);

#endif

/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * import_names.h: classes of ops that a print does not tell, from their names.
 */
#ifndef MODEL_IMPORT_NAMES_H
#define MODEL_IMPORT_NAMES_H

#include "model/import_build.h"

/* Returns the class of an op of PyTorch: "aten" of "aten::add", "python" of a Python function,
 * "optimizer", "data", ..., or else `other`. Borrowed from the name, or static. */
struct model_bytes model_torch_class(struct model_bytes name, const char *other);

#endif

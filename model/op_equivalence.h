/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * op_equivalence.h: THE table of names that stand for the same work in another form: what a linker,
 * a device or a rewrite makes of an op. By it rows of two jobs are paired that have no equal.
 */
#ifndef MODEL_OP_EQUIVALENCE_H
#define MODEL_OP_EQUIVALENCE_H

#include <stdbool.h>
#include <stddef.h>

#include "model/text.h"

/* The common form of a text of an op or apply: marks of working in place, of the device and
 * addresses of objects are left out; with `work`, ops that do the same work have one name and no
 * options. Never longer than the text; not terminated. Gives its size. `out` has room for
 * text->raw_size bytes. */
size_t model_alike(const struct model_text *text, bool work, char *out);

/* The name that an op with this text, or a class with this name, has in common with its forms;
 * NULL: it is in no row of the table. Static. */
const char *model_alike_name(const struct model_text *text);

/* How many inputs two applies have in common, by their texts; numbers do not count. */
unsigned model_alike_inputs(const struct model_text *a, const struct model_text *b);

/* The name of a class without the modules that it is in. Borrowed. */
struct model_text model_alike_class(const struct model_text *name);

#endif

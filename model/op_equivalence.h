/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * op_equivalence.h: THE table of names that stand for the same work in another form, after a
 * linker, a device or a rewrite changed an op. Pairs rows of two jobs that have no equal.
 */
#ifndef MODEL_OP_EQUIVALENCE_H
#define MODEL_OP_EQUIVALENCE_H

#include <stdbool.h>
#include <stddef.h>

#include "model/text.h"

/* Writes the common form of the text of an op or apply. Leaves out the marks of working in place,
 * the marks of the device, and addresses of objects. With `work`, ops that do the same work get one
 * name and no options. Never longer than the text; not terminated. Returns the size. `out` has
 * space for text->raw_size bytes. */
size_t model_alike(const struct model_text *text, bool work, char *out);

/* Returns the name that an op with this text, or a class with this name, shares with its other
 * forms; NULL: it is not in the table. Static. */
const char *model_alike_name(const struct model_text *text);

/* Counts the inputs that two applies share, by their texts. Numbers do not count. */
unsigned model_alike_inputs(const struct model_text *a, const struct model_text *b);

/* Returns the name of a class without its modules. Borrowed. */
struct model_text model_alike_class(const struct model_text *name);

#endif

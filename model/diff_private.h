/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * diff_private.h: what finds the rows of a comparison, for diff.c alone.
 */
#ifndef MODEL_DIFF_PRIVATE_H
#define MODEL_DIFF_PRIVATE_H

#include "model/diff.h"

/* Makes the tables of `diff`: which rows of both sides are one. False: out of memory. */
bool model_diff_match(struct model_diff *diff);

#endif

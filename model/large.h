/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * large.h: arrays that may become large. From MODEL_LARGE bytes on they lie in pages of 2 MB where
 * the kernel has any: of what a job of 1M applies takes 4 kB at a time, the first touch alone costs
 * a tenth of a second and more. What is smaller is malloc()'s. Whoever owns an array knows its
 * size.
 */
#ifndef MODEL_LARGE_H
#define MODEL_LARGE_H

#include <stddef.h>

enum { MODEL_LARGE = 4 << 20 };

/* As realloc(): `before` is what was asked for last, 0 if `data` is NULL. NULL: out of memory, and
 * `data` is as it was. What is new is not cleared. */
void *model_large_fit(void *data, size_t before, size_t bytes);

/* As free(). */
void model_large_free(void *data, size_t bytes);

#endif

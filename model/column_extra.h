/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * column_extra.h: getters for columns that few jobs have, for THE column table alone.
 */
#ifndef MODEL_COLUMN_EXTRA_H
#define MODEL_COLUMN_EXTRA_H

#include "model/view.h"

/* Signatures as `get` and `sort_key` of struct model_column. */
#define MODEL_GETTER(name)                                                                         \
    struct model_cell name(const struct model_view *view, const struct model_row *row, uint32_t at)
MODEL_GETTER(model_get_bytes);
MODEL_GETTER(model_get_flops);
MODEL_GETTER(model_get_metric_1);
MODEL_GETTER(model_get_metric_2);
MODEL_GETTER(model_get_metric_3);
MODEL_GETTER(model_get_metric_4);
MODEL_GETTER(model_get_metric_5);
MODEL_GETTER(model_get_metric_6);
MODEL_GETTER(model_get_device);
MODEL_GETTER(model_get_incl);
MODEL_GETTER(model_get_alloc);
/* For views of MODEL_SIZES. */
MODEL_GETTER(model_get_bytes_percent);
MODEL_GETTER(model_get_marks);
MODEL_GETTER(model_get_outputs);
uint64_t model_marks_key(const struct model_view *view, const struct model_row *row);
/* For views of MODEL_COMPILE: column_compile.c. */
MODEL_GETTER(model_get_nested);
MODEL_GETTER(model_get_open);
MODEL_GETTER(model_get_validate);
MODEL_GETTER(model_get_nodes_before);
MODEL_GETTER(model_get_nodes_after);
MODEL_GETTER(model_get_kind);
#undef MODEL_GETTER

#endif

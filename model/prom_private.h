/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * prom_private.h: the series of the text format of Prometheus (prom_series.c), for its writer
 * (prom.c).
 */
#ifndef MODEL_PROM_PRIVATE_H
#define MODEL_PROM_PRIVATE_H

#include "model/json_writer.h"
#include "model/prom.h"
#include "model/view.h"

/* Tables whose rows have series. */
enum model_prom_table {
    MODEL_PROM_CLASS,
    MODEL_PROM_OP,
    MODEL_PROM_FUNCTION,
    MODEL_PROM_SPAN,
    MODEL_PROM_COUNTER,
    MODEL_PROM_MEMORY,
    MODEL_PROM_TABLES
};

/* What a getter reads. */
struct model_prom_of {
    const struct model_state *state;
    const struct model_link *link;
    struct model_view view; /* for the getters of columns */
    uint32_t id;            /* of the row */
};

/* One metric. `get` returns unknown where there is no sample. */
struct model_prom_series {
    char name[64]; /* without "proftop_" */
    const char *help;
    enum model_unit unit; /* NS is written as seconds */
    bool counts;          /* a counter, else a gauge */
    int column;           /* index in model_columns, or -1: `get` */
    struct model_cell (*get)(const struct model_prom_of *of);
};

/* Metrics of a job as a whole, and of the rows of a table. Return their number. At most
 * MODEL_PROM_SERIES. */
enum { MODEL_PROM_SERIES = 32 };
unsigned model_prom_job_series(const struct model_prom_series **series);
unsigned model_prom_table_series(enum model_prom_table table,
                                 struct model_prom_series series[MODEL_PROM_SERIES]);

/* Name of a table in metrics: "op". */
const char *model_prom_table_word(enum model_prom_table table);
/* Number of rows of a table; true if the row belongs to it and to the scope; the time that ranks
 * it, or 0. */
uint32_t model_prom_rows(const struct model_state *state, enum model_prom_table table);
bool model_prom_is_row(const struct model_state *state, enum model_prom_table table, uint32_t id);
uint64_t model_prom_rank(const struct model_state *state, enum model_prom_table table, uint32_t id);

/* Labels of a row: up to three texts, each with its name; NULL names end the list. */
enum { MODEL_PROM_LABELS = 3 };
struct model_prom_label {
    const char *name;
    const struct model_text *text;
    const char *word; /* instead of the text; or NULL */
};
void model_prom_labels(const struct model_state *state, enum model_prom_table table, uint32_t id,
                       struct model_prom_label label[MODEL_PROM_LABELS]);
struct model_cell model_prom_cell(const struct model_prom_series *series,
                                  const struct model_prom_of *of);

#endif

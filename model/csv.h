/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * csv.h: reports as one table of CSV, by RFC 4180 with the line ends of Unix. A row is a row of a
 * section of the JSON report (json.h), and its cells are the values there: what JSON has, CSV has,
 * with nothing to keep equal by hand.
 *
 * The columns are `table` (name of the section), `report_time_ns` (its time_ns), then each key that
 * any section has, then `metrics.NAME` for each metric that the jobs had declared at the first
 * report. Unknown is an empty cell, as is a column that the section does not have. Objects and
 * lists are JSON in one cell. Texts are in their screen form (text.h): each row is one line.
 */
#ifndef MODEL_CSV_H
#define MODEL_CSV_H

#include "model/json.h"

struct model_csv;

/* Returns a writer of the rows of one section; `only` NULL: of all. `only` is static, a result of
 * model_json_section(). The caller frees the writer. Returns NULL if out of memory. */
struct model_csv *model_csv_new(const char *only);
void model_csv_free(struct model_csv **csv);

/* Writes the rows of a report, and before the first report the header. Returns false if out of
 * memory; the output is then incomplete. */
bool model_csv_write(struct model_csv *csv, const struct model_report *report,
                     const struct model_sink *sink);

#endif

/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * import_row.h: the rows of the tables that the Theano family prints. The heading of a table names
 * its columns in angle brackets: `<% time> <sum %> <apply time> ...`. Releases have other columns
 * in another order, so rows are read as their heading says, whatever their indent.
 */
#ifndef MODEL_IMPORT_ROW_H
#define MODEL_IMPORT_ROW_H

#include "model/decimal.h"
#include "model/import_profile.h"

enum { MODEL_HEADING_COLUMNS = 16 };

struct model_heading {
    uint8_t column[MODEL_HEADING_COLUMNS];
    unsigned columns;
    enum model_profile_table table;
};

/* A row as printed. Missing figures: `*_known` is false. */
struct model_printed_row {
    struct model_bytes name;
    struct model_decimal share, fraction, time, each;
    bool share_known, fraction_known, time_known, each_known;
    uint64_t calls, nodes, index; /* or MODEL_UNKNOWN */
    uint8_t impl, waits;
};

/* True if the line is the heading of a table. `table` of the result follows from its last column.
 */
bool model_heading_read(struct model_bytes line, struct model_heading *heading);

/* Reads a row. Returns false if the line is none. Names are borrowed from the line. */
bool model_row_read(const struct model_heading *heading, struct model_bytes line,
                    struct model_printed_row *row);

/* Reads a time such as `1.2e-03s` from the start of a text, to ns. MODEL_UNKNOWN: there is none, or
 * it is negative. `half_ns`: half a unit of its last digit; may be NULL. */
uint64_t model_seconds_read(struct model_bytes text, uint64_t *half_ns);
/* Reads a whole number from the start of a text; "3.0" is one, too. */
uint64_t model_whole_read(struct model_bytes text);

/* True for `... (remaining 3 Ops account for`. Sets the number of rows. */
bool model_trailer_read(struct model_bytes line, uint64_t *remaining);

/* Adds a printed row to a table. Counts and names contradictions. */
void model_row_add(struct model_profiles *all, enum model_profile_table table, uint64_t line,
                   const struct model_printed_row *printed);

#endif

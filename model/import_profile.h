/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * import_profile.h: one printed profile of the Theano family: its figures, and its tables of
 * classes, ops and applies as far as they were printed. model_profiles_build() makes one job of
 * all profiles of a file.
 *
 * A table may end before its last row ("... (remaining 5 Ops account for 3%)"). What is left out
 * is a row of its own, so that each sum is the printed one: the rest of an op that no apply
 * explains, the rest of a class that no op explains, the rest of the whole.
 *
 * The print does not say which op belongs to which class. Names tell it for most ops; for the
 * others calls, nodes and times must add up.
 */
#ifndef MODEL_IMPORT_PROFILE_H
#define MODEL_IMPORT_PROFILE_H

#include "model/decimal.h"
#include "model/import_build.h"

enum model_profile_table {
    MODEL_PROFILE_CLASS,
    MODEL_PROFILE_OP,
    MODEL_PROFILE_APPLY,
    MODEL_PROFILE_TABLES
};

/* Unknown figures are MODEL_UNKNOWN. Times in ns. */
struct model_profile_row {
    size_t name, size;    /* in the texts of the profiles */
    uint64_t ns, half_ns; /* half_ns: by how much ns may be wrong, from rounding */
    uint64_t calls, nodes;
    uint64_t line;       /* of the file */
    uint32_t index;      /* of an apply: its position in the graph */
    uint32_t of;         /* of an op: its class; of an apply: its op; or MODEL_NONE */
    uint8_t impl, waits; /* enum model_impl, enum model_waits */
    bool share_known;
    struct model_decimal share; /* of the work, in percent: only compared with the time */
};

struct model_profile_rows {
    struct model_profile_row *row;
    uint32_t count, capacity;
    uint64_t remaining; /* rows that were not printed; MODEL_UNKNOWN: the table has no end */
    bool printed;
};

struct model_profile {
    size_t name, name_size;
    size_t file, file_size; /* of a function without a name */
    uint32_t file_line;
    uint64_t calls, call_ns, vm_ns, thunk_ns, thunk_half_ns;
    uint64_t compile_ns, rewrite_ns, validate_ns, link_ns;
    bool scan;                    /* profile of the function inside a Scan */
    bool sum;                     /* sum of the other profiles of the file */
    uint64_t scan_calls, scan_ns; /* of its Scan node */
    struct model_profile_rows table[MODEL_PROFILE_TABLES];
    uint32_t first_size, sizes; /* its rows in `size` of the profiles */
};

/* Bytes of the outputs of an apply. */
struct model_profile_size {
    size_t name, name_size;
    uint64_t bytes;
};

struct model_profiles {
    struct model_build *build; /* borrowed */
    struct model_profile *one;
    uint32_t count, capacity;
    struct model_profile_size *size;
    uint32_t sizes, size_capacity;
    uint64_t rows;  /* of all tables */
    uint64_t steps; /* of searches, which have a limit together */
    /* Rows that contradict themselves, and the first of them: time is not calls by time per call;
     * the share is not the share of the time. */
    uint64_t wrong_times, wrong_time_line, wrong_shares, wrong_share_line;
    char *text;
    size_t text_size, text_capacity;
};

void model_profiles_release(struct model_profiles *all);

/* Add a profile, a row to a table, a size to the newest profile, a text. The result is valid until
 * the next row is added. NULL or SIZE_MAX: failed; see `wrong` of the build. */
struct model_profile *model_profiles_add(struct model_profiles *all);
struct model_profile_row *model_profiles_add_row(struct model_profiles *all,
                                                 struct model_profile *profile,
                                                 enum model_profile_table table,
                                                 struct model_bytes name);
void model_profiles_add_size(struct model_profiles *all, struct model_bytes name, uint64_t bytes);
size_t model_profiles_text(struct model_profiles *all, struct model_bytes text);

/* Sets time and precision of a row from the printed time, and from the printed time per call.
 * Either may be MODEL_UNKNOWN. Returns false if they contradict each other: the second holds. */
bool model_profile_time(struct model_profile_row *row, uint64_t ns, uint64_t half_ns,
                        uint64_t each_ps, uint64_t each_half_ps);

/* Makes functions, classes, ops and applies of all profiles. */
void model_profiles_build(struct model_profiles *all);

#endif

/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * gate_private.h: the runs of a gate, for gate.c, which reads them, and gate_judge.c, which judges
 * their rows.
 */
#ifndef MODEL_GATE_PRIVATE_H
#define MODEL_GATE_PRIVATE_H

#include "model/gate.h"
#include "model/multi_job_rows.h"

/* One row of one run. NAN: unknown. */
struct gate_cell {
    double amount;         /* ns, or bytes; 0: the run lacks the row */
    double median, least;  /* the amount if each call were as long as the median, or the shortest */
    double interrupted;    /* the long calls' part of the time */
    double above_median;   /* P90 by the median */
    double calls;          /* of the row */
    double function_calls; /* of its function; of classes and ops, of all functions */
    bool estimated, works;
};

/* What is kept of a run. */
struct gate_run {
    struct gate_cell *cell; /* by id of the run's own row */
    uint32_t *merged;       /* its merged row */
    uint32_t cells;
};

struct model_gate {
    struct model_gate_rule rule;
    struct model_gate_result result;
    enum model_table table;
    bool by_outputs, by_bytes; /* by memory: bytes of outputs; or bytes that ops allocate */
    struct model_gate_run info[MODEL_SIDES * MODEL_GATE_RUNS];
    struct gate_run run[MODEL_SIDES * MODEL_GATE_RUNS];
    unsigned runs;
    struct model_multi_job_rows *merging;
    struct model_state *first[MODEL_SIDES]; /* the first run of each side, to pair forms */
    struct model_multi_job_map map[MODEL_SIDES];
    uint32_t *next;   /* by merged row: the next one of its row */
    uint32_t *row_of; /* by merged row: the number of its row */
    uint8_t *basis;   /* by row: enum model_gate_basis */
    uint32_t merged, rows;
    struct gate_cell *cell; /* by run and row */
    struct model_gate_row *judged;
};

#endif

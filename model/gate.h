/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * gate.h: `proftop diff --fail-above`: compares several runs of A with several runs of B, row by
 * row, and judges each row: slower, same, or cannot tell. docs/gate.md defines the verdicts.
 *
 * A run gives each row one figure: its typical time for each call of its function (or each call of
 * its own), or its bytes. Typical: without the long calls of its op (quantile.h), as a rule those
 * that the system interrupted (enum model_gate_basis). Only a run is a sample: calls of one run
 * share its luck, such as the places of its memory, so many calls of one run say nothing of the
 * next run.
 *
 * The figures are compared as logarithms, by ranks (rank_test.h). First the pace of each run is
 * taken out: the median of its rows' distances from their own medians. A machine that is slower
 * during some runs thus fails no row. How much B is slower in pace than A is a figure with a
 * verdict of its own, so that a program that is slower as a whole is not missed.
 *
 * Rows of all runs match by their texts, as for several jobs (multi_job_rows.h), and forms of one
 * op are paired as by diff.h.
 */
#ifndef MODEL_GATE_H
#define MODEL_GATE_H

#include "model/diff.h"
#include "model/rank_test.h"

enum {
    MODEL_GATE_RUNS = MODEL_RANK_MOST, /* most runs of a side */
    MODEL_GATE_PACED = 5,              /* fewest rows that give a pace */
    MODEL_GATE_WORD = 128,
};
/* A row that did not change is called slower in this part of all comparisons, all rows of a
 * comparison together. A row that is called the same is slower than allowed in this part. */
#define MODEL_GATE_FALSE_ALARM 0.01
#define MODEL_GATE_MISSED      0.05

enum model_gate_by {
    MODEL_BY_OP,
    MODEL_BY_CLASS,
    MODEL_BY_APPLY,
    MODEL_BY_FUNCTION,
    MODEL_BY_MEMORY, /* ops, by bytes */
    MODEL_GATE_BYS
};
/* Words of the command line, and of JSON. */
extern const char *const model_gate_by_words[MODEL_GATE_BYS];

/* Verdicts, the worst last. */
enum model_verdict { MODEL_SAME, MODEL_CANNOT_TELL, MODEL_SLOWER, MODEL_VERDICTS };
extern const char *const model_verdict_words[MODEL_VERDICTS]; /* for the screen */

/* Reasons of MODEL_CANNOT_TELL. */
enum model_gate_reason {
    MODEL_GATE_NO_REASON,
    MODEL_GATE_ONE_RUN,     /* a run stands on both sides */
    MODEL_GATE_FEW_RUNS,    /* too few runs for an interval */
    MODEL_GATE_WIDE,        /* the runs differ too much among themselves */
    MODEL_GATE_NO_TURNS,    /* the machine may have changed between A and B */
    MODEL_GATE_REST_FASTER, /* slower only beside rows that became faster */
    MODEL_GATE_UNKNOWN,     /* a side does not know the figure */
    MODEL_GATE_STRANGERS,   /* A and B share no row */
    MODEL_GATE_REASONS
};
/* A word for JSON, and a sentence for the screen. */
extern const struct model_gate_reason_text {
    const char *word, *text;
} model_gate_reasons[MODEL_GATE_REASONS];

/* What a figure counts. */
enum model_gate_figure {
    MODEL_NS_PER_FUNCTION_CALL,
    MODEL_NS_PER_CALL,
    MODEL_BYTES_PER_FUNCTION_CALL,
    MODEL_BYTES_PER_CALL,
    MODEL_BYTES_OF_OUTPUTS,
    MODEL_GATE_FIGURES
};
extern const struct model_gate_figure_text {
    const char *word, *text;
} model_gate_figures[MODEL_GATE_FIGURES];

/* Which time of a call makes the figure of a row. The mean is right as long as few calls are
 * interrupted: the time of those is known to some 10 %. If they take much of the time, the median
 * stands for all calls, or the shortest call if nearly all take as long. */
enum model_gate_basis { MODEL_BASIS_MEAN, MODEL_BASIS_MEDIAN, MODEL_BASIS_LEAST, MODEL_BASES };
extern const char *const model_gate_basis_words[MODEL_BASES];

struct model_gate_rule {
    double fail_above;  /* 0.1: 10 % */
    uint64_t min_ns;    /* rows with less time in a run are not judged */
    uint64_t min_bytes; /* rows with fewer bytes in a run are not judged, by memory */
    enum model_gate_by by;
    bool per_call;
};

/* A run as it was added. */
struct model_gate_run {
    char word[MODEL_GATE_WORD]; /* as it was named; safe for the screen */
    uint8_t instance[16];
    uint32_t epoch;
    uint64_t time_ns; /* when the run was saved, since 1970; MODEL_UNKNOWN: it is live */
    unsigned side;
    bool again; /* the same run as one before on its side: it is not counted */
};

/* B / A of a row, as ratios. */
struct model_gate_ratio {
    double low, mid, high; /* low 0, high INFINITY: no such end. mid NAN: nothing was compared */
};

struct model_gate_row {
    uint32_t first;                /* id of a merged row; model_gate_next() has more */
    unsigned runs[MODEL_SIDES];    /* that have the row */
    double figure[MODEL_SIDES];    /* median over the runs; NAN: unknown, or no run has the row */
    double share;                  /* of the time or bytes of its runs, the larger side */
    struct model_gate_ratio ratio; /* without the pace of the runs, if there is one. Of a new row:
                                    * 1 + its share of all other rows */
    double plain_ratio;            /* with the pace of the runs */
    bool estimated;                /* in some run not every call was timed */
    uint8_t verdict, reason;
    uint8_t basis; /* enum model_gate_basis, of times of ops and applies */
};

struct model_gate;

/* Returns an empty gate, or NULL if out of memory. */
struct model_gate *model_gate_new(const struct model_gate_rule *rule);
void model_gate_free(struct model_gate **gate);

/* Adds one run: a state of a whole job. Keeps what it needs of it: the first state of each side,
 * by its reference to the job. `time_ns` as in struct model_gate_run. Returns false with the rest
 * of a sentence in `why` if out of memory or if there are too many runs. */
bool model_gate_add(struct model_gate *gate, unsigned side, const struct model_state *state,
                    const char *word, uint64_t time_ns, char *why, size_t capacity);

/* Judges all rows, once. Returns false if out of memory. */
bool model_gate_judge(struct model_gate *gate);

/* ------------------------------------------------------------------------------------- reading */

struct model_gate_result {
    const struct model_gate_rule *rule;
    const struct model_gate_run *run;
    unsigned runs;
    unsigned counted[MODEL_SIDES]; /* runs without those that stand there twice */
    enum model_gate_figure figure;
    bool turns;                       /* the runs of A and B took turns, or ran together */
    bool paced;                       /* the pace of the runs was taken out */
    bool one_run;                     /* a run stands on both sides */
    const struct model_gate_row *row; /* judged rows, the worst verdict first, then by share */
    uint32_t rows;
    struct model_gate_row pace;       /* B against A as a whole; valid if `paced` */
    uint32_t of[MODEL_VERDICTS];      /* rows by verdict, the pace included */
    uint32_t small, waiting, unknown; /* rows that are not judged */
    unsigned least_runs;        /* of each side, for a slow-down of one of these rows to be shown */
    enum model_verdict verdict; /* the worst of all; MODEL_CANNOT_TELL if no row was judged */
};
/* Borrowed from the gate. */
const struct model_gate_result *model_gate_result(const struct model_gate *gate);
/* Name of a merged row, and of the function of an apply (NULL: no apply). Borrowed. */
const struct model_text *model_gate_name(const struct model_gate *gate, uint32_t id);
const struct model_text *model_gate_function(const struct model_gate *gate, uint32_t id);
/* Iterates over the merged rows of a row; ends with MODEL_NONE. */
uint32_t model_gate_next(const struct model_gate *gate, uint32_t id);
/* "new", "gone" or NULL. */
const char *model_gate_mark(const struct model_gate_row *row);

/* Writes one object and a newline: docs/diff.schema. `time_ns`: now, since 1970. */
void model_json_gate(const struct model_gate *gate, uint64_t time_ns,
                     const struct model_sink *sink);

#endif

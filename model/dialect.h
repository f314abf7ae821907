/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * dialect.h: the wording of the profiles that the frameworks of the Theano family print.
 */
#ifndef MODEL_DIALECT_H
#define MODEL_DIALECT_H

#include <stdbool.h>
#include <stdint.h>

struct model_identity;
struct model_summary;

/* One row of THE table of dialects. */
struct model_dialect {
    const char *word; /* argument of --format */
    const char *of;   /* framework of the jobs that use this row; NULL: any other job */
    unsigned since;   /* first release that uses this row: 235 is 2.35 */
    void (*write)(struct model_summary *summary);
    uint32_t applies, ops;               /* default numbers of printed rows */
    const char *applies_fact, *ops_fact; /* the job's facts with these numbers (job_info.h) */
    const char *framework;               /* the framework's name for itself */
    const char *vm;                      /* the function that runs the nodes */
    const char *compile;
    const char *rewrite;         /* printed after the framework's name */
    const char *percent;         /* percent sign of the Apply trailer: some releases double it */
    const char *percent_of_sums; /* percent sign of the Class and Ops trailers */
    const char *sum;             /* printed after "Sum of all(N) " */
    const char *hint;            /* flag to suggest if no node has a time */
    bool repr;    /* some seconds: the shortest text that reads back as the same number */
    bool nodes;   /* prints the number of Apply nodes */
    bool decimal; /* prints calls and steps of a Scan as 3.0 */
    bool cache;   /* prints the time to read the cache of compiled code */
};

/* Finds the dialect with this word, in any case, in its documented form; or NULL. Static. */
const struct model_dialect *model_dialect_find(const char *word);
/* Returns the variant of the dialect for the job's release. Returns `dialect` if the job's
 * framework is another one. */
const struct model_dialect *model_dialect_in(const struct model_dialect *dialect,
                                             const struct model_identity *identity);
/* Returns the dialect of this job's framework, or NULL. */
const struct model_dialect *model_dialect_of(const struct model_identity *identity);

#endif

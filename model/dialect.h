/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * dialect.h: the words in which each framework of the Theano family prints a profile.
 */
#ifndef MODEL_DIALECT_H
#define MODEL_DIALECT_H

#include <stdbool.h>
#include <stdint.h>

struct model_identity;
struct model_summary;

/* One row of THE table of dialects. */
struct model_dialect {
    const char *word;     /* of --format */
    const char *of;       /* the framework whose jobs it is for; NULL: of any other job */
    unsigned since;       /* and the release that began it: 235 is 2.35 */
    void (*write)(struct model_summary *summary);
    uint32_t applies, ops; /* rows that are printed unless told otherwise */
    const char *applies_fact, *ops_fact; /* how the job calls its numbers of rows (job_info.h) */
    const char *framework; /* as it calls itself */
    const char *vm;        /* what runs the nodes */
    const char *compile;
    const char *rewrite; /* behind the framework's name */
    const char *percent; /* sign of the Apply trailer: some releases double it */
    const char *percent_of_sums; /* same, of those of Class and Ops */
    const char *sum;     /* behind "Sum of all(N) " */
    const char *hint;    /* flag that is named where no node has a time */
    bool repr;           /* some seconds stand as the shortest text that reads back as the same */
    bool nodes;          /* the number of Apply nodes is told */
    bool decimal;        /* calls and steps of a Scan are printed as 3.0 */
    bool cache;          /* so is what it took to read the cache of compiled code */
};

/* The dialect with this word, in any case, as the documents have it; or NULL. Static. */
const struct model_dialect *model_dialect_find(const char *word);
/* The same as the release that this job runs prints it, if it is a job of that framework. */
const struct model_dialect *model_dialect_in(const struct model_dialect *dialect,
                                             const struct model_identity *identity);
/* The dialect of the framework of this job, or NULL. */
const struct model_dialect *model_dialect_of(const struct model_identity *identity);
/* The words of all: the one at this place, or NULL behind the last. */
const char *model_dialect_word(unsigned at);

#endif

/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * job_info.h: facts that a job reports in its framework's words: lines of `name=value`, such as
 * `profiling.n_ops=3`. Unknown names are ignored.
 */
#ifndef MODEL_JOB_INFO_H
#define MODEL_JOB_INFO_H

#include "model/job.h"

/* Returns the value of a fact, `size` bytes without a NUL; NULL: the job does not have it. If a
 * name occurs twice, the last one holds. Borrowed until the next hello. */
const char *model_fact(const struct model_identity *who, const char *name, size_t *size);
/* As model_fact(), as a number: MODEL_UNKNOWN if it is missing or out of range. */
uint64_t model_fact_number(const struct model_identity *who, const char *name);
/* Returns the line at `*from` and its size, and advances `*from`. NULL after the last line. Start
 * at 0. */
const char *model_fact_line(const struct model_identity *who, size_t *from, size_t *size);
/* True if a line is a setting of the job: a fact that is not about functions and not one of the
 * times in the program's reports. */
bool model_fact_is_setting(const char *line, size_t size);

/* Data that a job did not keep: a kind, as "phases", and its count. */
struct model_lost {
    const char *name; /* `size` plain letters, without a NUL; borrowed */
    size_t size;
    uint64_t count;
};
/* Reads the next entry at `*from`, and advances `*from`. False after the last. Start at 0. */
bool model_lost_next(const struct model_identity *who, size_t *from, struct model_lost *lost);

/* A fact about some functions, `NAME.N=WHOSE:TEXT`. WHOSE is a list of ids, `0-3,7`. Borrowed. */
struct model_fact_about {
    const char *whose, *text;
    size_t whose_size, text_size;
};
/* Reads the next fact of this name at `*from`, and advances `*from`. False after the last. */
bool model_fact_next(const struct model_identity *who, const char *name, size_t *from,
                     struct model_fact_about *about);
bool model_fact_is_about(const struct model_fact_about *about, uint32_t function);
/* Returns the text of the first fact of this name about a function, as model_fact(). */
const char *model_fact_of(const struct model_identity *who, const char *name, uint32_t function,
                          size_t *size);

#endif

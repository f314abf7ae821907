/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * job_info.h: what a job says of itself in words of its framework's: lines of `name=value`, such as
 * `profiling.n_ops=3`. Names that nobody knows are nobody's concern.
 */
#ifndef MODEL_JOB_INFO_H
#define MODEL_JOB_INFO_H

#include "model/job.h"

/* The value of a fact, of `size` bytes without an end; NULL: the job does not say. Of a name that
 * stands twice the last holds. Borrowed until the next hello. */
const char *model_fact(const struct model_identity *who, const char *name, size_t *size);
/* Same, as a number: MODEL_UNKNOWN if the job does not say one, or none that fits. */
uint64_t model_fact_number(const struct model_identity *who, const char *name);
/* The line at `*from`, which moves behind it, and its size; NULL behind the last. From 0 on. */
const char *model_fact_line(const struct model_identity *who, size_t *from, size_t *size);
/* Whether a line says what the job is set to: it is a fact, and none of those about functions or of
 * the times that the program's reports show. */
bool model_fact_is_setting(const char *line, size_t size);

/* What a job did not keep: how much of what, as "phases". */
struct model_lost {
    const char *name; /* of `size` plain letters, without an end; borrowed */
    size_t size;
    uint64_t count;
};
/* The next from `*from` on, which moves behind it; false: there is none. From 0 on. */
bool model_lost_next(const struct model_identity *who, size_t *from, struct model_lost *lost);

/* A fact about some functions, `NAME.N=WHOSE:TEXT`: WHOSE is their ids, `0-3,7`. Borrowed. */
struct model_fact_about {
    const char *whose, *text;
    size_t whose_size, text_size;
};
/* The next one of this name from `*from` on, which moves behind it; false: there is none. */
bool model_fact_next(const struct model_identity *who, const char *name, size_t *from,
                     struct model_fact_about *about);
bool model_fact_is_about(const struct model_fact_about *about, uint32_t function);
/* What the first one of this name says that is about a function; as model_fact(). */
const char *model_fact_of(const struct model_identity *who, const char *name, uint32_t function,
                          size_t *size);

#endif

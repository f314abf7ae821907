/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * moment.h: the values of a job at one moment, apart from its definitions. Values are tables of
 * rows, and a row is a number of 64-bit words without padding, so changes can be stored without
 * regard to what the words mean. Only files that see job_private.h use it.
 */
#ifndef MODEL_MOMENT_H
#define MODEL_MOMENT_H

#include "model/job_private.h"

enum { MODEL_V_WORDS_MAX = 96 }; /* of one row */

/* A moment, apart from its rows. */
struct model_moment {
    uint64_t mono_ns, wall_ns, values_ns, moved_ns, now_ns;
    uint64_t last_mark; /* number of the newest instant of a marker, plus 1; 0: none */
    double share;
    uint32_t epoch;
    uint32_t rows[MODEL_TABLES]; /* definitions that there were */
    uint32_t phases, compiles, now_count;
    bool complete, ended, collecting, amid, followed;
};

/* Reads the moment of a job that the feed is writing. */
struct model_moment model_moment_of(const struct model_job *job);

/* Number of words of a row. */
unsigned model_values_words(unsigned table);
/* Rows of a table that have values, of those that the job has now. */
uint32_t model_values_count(const struct model_job *job, unsigned table);
/* Rows that values have room for. */
uint32_t model_values_rows(const struct model_values *values, unsigned table);
/* A row. Borrowed. */
uint64_t *model_values_row(const struct model_values *values, unsigned table, uint32_t id);
/* Sets a row to the values of a row that nothing was received for. */
void model_values_empty_row(void *row, const struct model_job *job, unsigned table, uint32_t id);
/* Makes room for `count` rows. New rows have the values of rows that nothing was received for.
 * Returns false if out of memory. */
bool model_values_fit(struct model_values *values, const struct model_job *job, unsigned table,
                      uint32_t count);
/* Copies the values of a job, without instants of markers. Returns false if out of memory; the
 * caller releases `to` in either case. */
bool model_values_copy(struct model_values *to, const struct model_job *job);
/* As above, of values that belong to no job: all of their rows. */
bool model_values_clone(struct model_values *to, const struct model_values *from);
/* Turns values into what was added since `base`: values of the same job and epoch, at
 * `base_ns`. */
void model_values_since(struct model_values *values, const struct model_values *base,
                        const struct model_job *job, uint64_t base_ns);
void model_values_release(struct model_values *values);
size_t model_values_bytes(const struct model_values *values);

/* Sets what belongs to a moment beside the rows. */
void model_moment_set(struct model_job *job, const struct model_moment *moment);
/* As above, for a moment that is older than some definitions. */
void model_moment_show(struct model_job *job, const struct model_moment *moment);

/* The values of a job while it has the values of another moment. */
struct model_away {
    struct model_values values;
    struct model_moment moment;
    struct model_history *history;
};

/* Between these two calls, the job's functions for reading see another moment: its values, and as
 * many definitions as there were. Nothing is written in between, except by model_inside_own(). */
void model_moment_enter(struct model_job *job, const struct model_values *values,
                        const struct model_moment *moment, struct model_away *away);
void model_moment_leave(struct model_job *job, struct model_away *away);

#endif

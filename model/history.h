/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * history.h: the past of a job: the changes of its values from tick to tick, in bounded memory. The
 * newest ticks are kept one by one. Older ones are added up: one moment a second, in ten seconds, a
 * minute; the oldest are dropped. A moment that is kept is exact: the cumulative values are those
 * that the job reported at that tick.
 *
 * Histories walk backwards from the present, so they need no copy of it. A past (struct model_past)
 * is a copy of the values that can be moved from moment to moment.
 *
 * One thread. No call blocks, reads a clock or does I/O.
 */
#ifndef MODEL_HISTORY_H
#define MODEL_HISTORY_H

#include "model/state.h"

struct model_history;
struct model_past;

/* One moment of a history: when it was, and what happened since the moment before. */
struct model_history_moment {
    uint64_t number;           /* ascending; it stays when other moments are dropped */
    uint64_t mono_ns, wall_ns; /* by the job's clocks */
    uint64_t from_ns;          /* the moment before, or the oldest that was added up in this one */
    uint64_t calls, time_ns;   /* of all applies, since `from_ns`; 0 for the first of an epoch */
    uint32_t epoch;
    uint32_t compiles; /* rows of compilations that there were: compile.h */
    uint32_t ticks;    /* how many were added up; 1: a single one */
    bool collecting, ended;
};

/* Begins the history of a job, which has at most one. It holds a reference to the job. `limit`:
 * bytes that it may keep. Returns NULL if out of memory. */
struct model_history *model_history_new(struct model_job *job, size_t limit);
void model_history_free(struct model_history **history);
/* Returns the history of a job, or NULL. Borrowed. */
struct model_history *model_history_of(const struct model_job *job);
struct model_job *model_history_job(const struct model_history *history); /* borrowed */
void model_history_limit(struct model_history *history, size_t limit);
size_t model_history_bytes(const struct model_history *history);
/* Bytes that it may keep. */
size_t model_history_most(const struct model_history *history);

/* Ends a moment: a tick is whole, or the values are shown now. Without changes
 * since the moment before, or before the first whole snapshot, there is no new moment. If memory
 * runs out, the past is forgotten, and the history begins anew. */
void model_history_commit(struct model_history *history);

/* Moves the moments of an older history before the oldest moment, which is the newest one of it.
 * Both are of the same job, read from a recording: `older` of another copy of it. Returns false,
 * and moves nothing, if they do not fit together, if there is no room, or if out of memory. */
bool model_history_prepend(struct model_history *history, struct model_history *older);

/* Number of moments, and one of them; 0 is the oldest. */
uint32_t model_history_count(const struct model_history *history);
struct model_history_moment model_history_at(const struct model_history *history, uint32_t at);
/* Returns the newest moment that is not newer than `mono_ns`, or else the oldest. There is at least
 * one. */
uint32_t model_history_find(const struct model_history *history, uint64_t mono_ns);
/* The same by the wall clock. */
uint32_t model_history_find_wall(const struct model_history *history, uint64_t wall_ns);
/* Returns the position of a moment by its number, or of the newest one before it that is kept, or
 * 0. */
uint32_t model_history_number(const struct model_history *history, uint64_t number);

/* Begins to read the changes of a moment since the one before (delta.h). They are borrowed until
 * the history is written to. The oldest moment has none. */
struct model_delta_in;
void model_history_changes(const struct model_history *history, uint32_t at,
                           struct model_delta_in *in);

/* Words of a row of the values (job_private.h) at the newest moment; NULL: there is no such row.
 * Borrowed until the job is written to. */
const uint64_t *model_history_row(const struct model_history *history, unsigned table, uint32_t id);

/* Copies the values of the newest moment. Returns NULL if there is no moment, or if out of memory.
 * A past holds a reference to the job. It may outlive the history, but can no longer move then. */
struct model_past *model_past_new(struct model_history *history);
struct model_past *model_past_copy(const struct model_past *past); /* NULL: out of memory */
void model_past_free(struct model_past **past);
/* Moves to a moment. Takes time by the changes in between. Returns false if out of memory: the past
 * is then useless and has to be freed. */
bool model_past_seek(struct model_past *past, uint32_t at);
/* Number of the moment, and its stamp. */
uint64_t model_past_number(const struct model_past *past);
uint64_t model_past_mono_ns(const struct model_past *past);
struct model_job *model_past_job(const struct model_past *past); /* borrowed */
/* Turns the values into what was added since `base`, a moment of the same job: calls, times, sums.
 * Extremes and percentiles become unknown; states and levels stay. If the job was reset in between,
 * the values stay: they are what was added since the reset. */
void model_past_since(struct model_past *past, const struct model_past *base);
/* Between these two calls the job is as it was at the moment: states that are taken of it are of
 * the moment. Nothing else may write to the job in between. The first returns false if out of
 * memory: the job is then as it is. */
bool model_past_enter(struct model_past *past);
void model_past_leave(struct model_past *past);
/* As model_state_take(), of the moment. */
struct model_state *model_past_take(struct model_past *past, uint32_t scope,
                                    const struct model_state *before);
size_t model_past_bytes(const struct model_past *past);

#endif

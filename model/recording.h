/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * recording.h: the history of a job (history.h) as bytes that outlive the viewer, and back. A
 * recording is a sequence of records (record_bytes.h): what defines the job, and its moments. The
 * format is in docs/recording.md. Files are feed/viewer/recording's.
 *
 * One thread. No call blocks, reads a clock or does I/O.
 */
#ifndef MODEL_RECORDING_H
#define MODEL_RECORDING_H

#include "model/history.h"
#include "model/link.h"
#include "model/record_bytes.h"

/* Kinds of records. docs/recording.md has their contents. */
enum model_record_kind {
    MODEL_RECORD_NONE,
    MODEL_RECORD_JOB, /* a segment begins: what was defined is defined again, in the same order */
    MODEL_RECORD_CLASS,
    MODEL_RECORD_OP,
    MODEL_RECORD_FUNCTION,
    MODEL_RECORD_APPLY,
    MODEL_RECORD_THREAD,
    MODEL_RECORD_COUNTER,
    MODEL_RECORD_SPAN,
    MODEL_RECORD_MARKER,
    MODEL_RECORD_METRIC,
    MODEL_RECORD_COMPILE,  /* a row of compile.h: all parts of a function, or a phase */
    MODEL_RECORD_ABOUT,    /* details of an apply */
    MODEL_RECORD_LEFT_OUT, /* which calls the job's settings exclude */
    MODEL_RECORD_TEXT,     /* a text of the identity */
    MODEL_RECORD_NUMBERS,  /* numbers of the identity */
    MODEL_RECORD_NOTICE,
    MODEL_RECORD_MARK, /* an instant of a marker */
    MODEL_RECORD_LINK,
    MODEL_RECORD_KEYFRAME, /* a moment, and its changes from values of which nothing was received */
    MODEL_RECORD_MOMENT,   /* a moment, and its changes (delta.h) since the moment before */
    MODEL_RECORD_KINDS,
};

/* ------------------------------------------------------------------------------------- writing */

struct model_recorder;

/* Records the moments of a job's history from the oldest on. `every_ns`: moments of that time are
 * added up; 0: each is recorded. Holds a reference to the job. NULL: out of memory. */
struct model_recorder *model_recorder_new(struct model_job *job, uint64_t every_ns);
void model_recorder_free(struct model_recorder **recorder);
struct model_job *model_recorder_job(const struct model_recorder *recorder); /* borrowed */
/* Says how the link is, for the next moment. */
void model_recorder_link(struct model_recorder *recorder, const struct model_link *link);
/* Writes the moments that are new in the history, until `out` has `enough` bytes or they are all
 * written. Returns false if out of memory: the recording is at its end. */
bool model_recorder_take(struct model_recorder *recorder, size_t enough,
                         struct model_record_out *out);
/* Writes all definitions again, and the values of the moment that was written last: a reader can
 * begin here. Nothing, if no moment was written. */
bool model_recorder_segment(struct model_recorder *recorder, struct model_record_out *out);
/* Writes what is left: the moments that are being added up, and how the job ended. */
bool model_recorder_finish(struct model_recorder *recorder, struct model_record_out *out);
/* Stamps of the moment that was written last; 0: none. */
uint64_t model_recorder_wall_ns(const struct model_recorder *recorder);
uint64_t model_recorder_mono_ns(const struct model_recorder *recorder);
/* How many moments were written. */
uint64_t model_recorder_moments(const struct model_recorder *recorder);

/* ------------------------------------------------------------------------------------- reading */

/* Reads a recording into a job of its own. Nothing in the bytes is trusted: definitions pass the
 * same checks as those that a job sends. */
struct model_playback;

enum { MODEL_PLAYBACK_TEXTS = 256 * 1024 * 1024 }; /* most bytes of all names of a job */

/* `history`: bytes that the history of the job may take; 0: it has none. NULL: out of memory. */
struct model_playback *model_playback_new(size_t history);
void model_playback_free(struct model_playback **playback);
/* Does not read moments that are later than this, by the wall clock, but for the first. */
void model_playback_until(struct model_playback *playback, uint64_t wall_ns);
/* Reads the whole records of some bytes. The first record of all is a MODEL_RECORD_JOB. Returns
 * false, with a sentence, at the first one that is damaged or does not belong there: the job is
 * then as of the moment before, and nothing more can be read. */
bool model_playback_take(struct model_playback *playback, struct model_bytes bytes, char *why,
                         size_t capacity);
/* The job, as of the moment read last; NULL before the first moment. Borrowed. Its history
 * (model_history_of()) is the caller's to free, after the playback. */
struct model_job *model_playback_job(const struct model_playback *playback);
/* True if a moment later than model_playback_until() was met. */
bool model_playback_over(const struct model_playback *playback);
/* How the link was. Borrowed. */
const struct model_link *model_playback_link(const struct model_playback *playback);
uint64_t model_playback_moments(const struct model_playback *playback); /* how many were read */

#endif

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

/* Kinds of records. Their contents, in order: n number, t text, c change, b eight bytes. */
enum model_record_kind {
    MODEL_RECORD_NONE,
    MODEL_RECORD_JOB,   /* a segment begins: 16 bytes instance, 16 bytes parent. What was defined is
                         * defined again, in the same order */
    MODEL_RECORD_CLASS, /* t name */
    MODEL_RECORD_OP,    /* n class, t text, t display */
    MODEL_RECORD_FUNCTION, /* t name, t file, n line, n parent + 1, n group, n source */
    MODEL_RECORD_APPLY, /* n function, n op, n index, n source, n kind, n impl, n waits, n flags (1:
                         * exclusive, 2: the text is the op's), t text, t location */
    MODEL_RECORD_THREAD,  /* t name, n tid */
    MODEL_RECORD_COUNTER, /* n kind, t domain, t name, t scope, t unit */
    MODEL_RECORD_SPAN,    /* n kind, t domain, t name */
    MODEL_RECORD_MARKER,  /* t domain, t name */
    MODEL_RECORD_METRIC,  /* t name, t unit, n how */
    MODEL_RECORD_COMPILE, /* n function, n phase + 1 or 0, then of a phase t name */
    MODEL_RECORD_ABOUT,   /* n apply, n rev, then changes to -1: flops, bytes, thunk_ns; n one_in, n
                           * impl, t device, t location, t library, t rewrite, n inputs, n outputs; of
                           * each t dtype, t shape, t strides, c bytes + 1, n source + 1, n output, n
                           * alias, n result */
    MODEL_RECORD_LEFT_OUT, /* n functions, their bits, n applies, their bits */
    MODEL_RECORD_TEXT,     /* n which text of the identity, t text */
    MODEL_RECORD_NUMBERS,  /* of the identity: n gap, c change; to the end */
    MODEL_RECORD_NOTICE,   /* n wall_ns, n level, t text */
    MODEL_RECORD_MARK,     /* n number, n mono_ns, n marker, n thread + 1, n task + 1, n scope */
    MODEL_RECORD_LINK,     /* n standing, n gaps, n over limit, n falls, n malformed, t reason */
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
/* Writes the moments that are new in the history. Returns false if out of memory: the recording is
 * at its end. */
bool model_recorder_take(struct model_recorder *recorder, struct model_record_out *out);
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

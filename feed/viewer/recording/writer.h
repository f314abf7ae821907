/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * writer.h: writes the histories of jobs (model/recording.h) into a file, compressed with zstd. The
 * file can be read after each call, wherever the program is killed: what is cut off is dropped.
 *
 * One thread. Calls write to a regular file; they do not wait for a job. Times are the caller's
 * monotonic clock in ns.
 */
#ifndef FEED_VIEWER_RECORDING_WRITER_H
#define FEED_VIEWER_RECORDING_WRITER_H

#include "model/recording.h"

struct viewer_recorder;

enum { VIEWER_RECORDED_JOBS_MAX = 4096 }; /* in one file */

struct viewer_recorder_settings {
    uint64_t every_ns;   /* moments of that time are added up; 0: each is recorded */
    uint64_t most_bytes; /* the recording stops when the file is that large; 0: no limit */
};

/* Creates the file, for this user alone. Existing files are not touched. Returns NULL, with a
 * sentence in `why`. */
struct viewer_recorder *viewer_recorder_new(const char *path,
                                            const struct viewer_recorder_settings *settings,
                                            char *why, size_t capacity);
/* What a file has. */
struct viewer_recorded {
    uint64_t bytes, moments;
    uint64_t ns; /* from the first moment of a job to its last, by its clock: the longest of all */
    size_t jobs;
};
/* Ends the file: writes what is left, and the list of segments. False, with a sentence in `why`, if
 * that cannot be written; a recording that is as large as was asked for has a sentence, too. Frees
 * everything in either case. */
bool viewer_recorder_end(struct viewer_recorder **recorder, struct viewer_recorded *recorded,
                         char *why, size_t capacity);

/* Records a job from the oldest moment of its history on, if it is not recorded yet. Another life
 * of the program is another job. `link` is copied. */
void viewer_recorder_job(struct viewer_recorder *recorder, struct model_job *job,
                         const struct model_link *link);
/* Writes what is left of the jobs that are not there any more. */
void viewer_recorder_leave(struct viewer_recorder *recorder,
                           bool (*is_there)(void *of, struct model_job *job), void *of);
/* Reads the histories of all jobs, and writes about once a second. Returns false once the recording
 * has stopped, see viewer_recorder_stopped(). */
bool viewer_recorder_follow(struct viewer_recorder *recorder, uint64_t now_ns);
/* Writes what was read now. */
bool viewer_recorder_flush(struct viewer_recorder *recorder);

/* Returns why the recording has stopped, as a sentence, or NULL. `full`: at its limit, as asked. */
const char *viewer_recorder_stopped(const struct viewer_recorder *recorder, bool *full);
struct viewer_recorded viewer_recorder_recorded(const struct viewer_recorder *recorder);

#endif

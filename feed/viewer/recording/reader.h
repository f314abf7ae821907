/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * reader.h: reads a recording that writer.h wrote. Nothing in the file is trusted. Memory is taken
 * for what is there, not for what the file claims.
 *
 * One thread. Calls read from a file.
 */
#ifndef FEED_VIEWER_RECORDING_READER_H
#define FEED_VIEWER_RECORDING_READER_H

#include "model/recording.h"

struct viewer_recording;

/* True if the file begins like a recording; false also if it cannot be read. */
bool viewer_recording_is(const char *path);

/* Opens a recording, and finds its segments: by their list, or block by block if the file has no
 * end. Returns NULL, with a sentence in `why`, if it is no recording, or of another version, or has
 * no moment. */
struct viewer_recording *viewer_recording_open(const char *path, char *why, size_t capacity);
void viewer_recording_close(struct viewer_recording **recording);

/* A sentence about what is missing: "" if the recording was ended in order. Borrowed. */
const char *viewer_recording_torn(const struct viewer_recording *recording);
/* Number of jobs, in the order in which they came. */
size_t viewer_recording_jobs(const struct viewer_recording *recording);
/* Wall clock of the first and of the last moment of a job. */
uint64_t viewer_recording_first_ns(const struct viewer_recording *recording, size_t job);
uint64_t viewer_recording_last_ns(const struct viewer_recording *recording, size_t job);
size_t viewer_recording_segments(const struct viewer_recording *recording, size_t job);

/* The part of a job to read. */
struct viewer_recording_part {
    size_t job;
    size_t history;    /* bytes that the history of the job may take; 0: it has none */
    uint64_t until_ns; /* no moment later than this, but for the first; UINT64_MAX: all */
    uint64_t most;     /* reads the last segments that have so many bytes; 0: all that are needed */
};

/* Reads a part. Without a history, only the segment of the last moment is read. Returns a playback
 * that has at least one moment, or NULL with a sentence. If a part of the file is damaged,
 * viewer_recording_torn() says so. `segment`: where reading began, of the job's segments; or
 * NULL. */
struct model_playback *viewer_recording_read(struct viewer_recording *recording,
                                             const struct viewer_recording_part *part,
                                             size_t *segment, char *why, size_t capacity);
/* Reads one segment into a playback of its own, with a history. */
struct model_playback *viewer_recording_read_segment(struct viewer_recording *recording, size_t job,
                                                     size_t segment, size_t history, char *why,
                                                     size_t capacity);

#endif

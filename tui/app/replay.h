/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * replay.h: shows a recording in the place of jobs. Its jobs are attached as jobs are; they are
 * connected to nothing.
 */
#ifndef TUI_APP_REPLAY_H
#define TUI_APP_REPLAY_H

#include "feed/viewer/recording/reader.h"
#include "tui/app/session.h"

/* A job of a recording. */
struct tui_replayed {
    struct model_job *job; /* one reference */
    size_t number;         /* of the job in the file */
    size_t segment;        /* the first one that was read */
    bool replaced;         /* the program was started again: a later job of the file is shown */
};

struct tui_replay {
    struct viewer_recording *recording;
    struct tui_replayed *job;
    size_t jobs;
};

/* True if the options name a recording: the word in the place of a job is a file that begins like
 * one, or ends in .ptrec. */
bool tui_replay_named(const struct tui_options *options);
/* Opens the recording that the options name, and attaches to its jobs. `history`: bytes that their
 * pasts may take, 0: none is read. Returns an exit code, with a sentence in `why`. */
int tui_replay_open(struct tui_session *session, size_t history, char *why, size_t capacity);
void tui_replay_close(struct tui_replay **replay);
/* Reads the segment before those that were read of a job, if there is one. Returns false if there
 * is none, or if the history has no room for it. */
bool tui_replay_earlier(struct tui_replay *replay, struct model_job *job);

/* Wall clock of the first moment of a job in the recording. */
uint64_t tui_replay_first_ns(const struct tui_replay *replay, const struct model_job *job);
/* Reads a time: a clock of the day (14:07 or 14:07:30, the first such time since `first_ns`),
 * seconds since `first_ns`, or with a minus before `last_ns`. False: it is none. Wall clock, ns. */
bool tui_replay_time(const char *text, uint64_t first_ns, uint64_t last_ns, uint64_t *wall_ns);

/* Reads the last moment of the only job of a recording, or of its last life, not later than --at.
 * Returns a subscriber that is connected to nothing, or NULL with a sentence in `why`. */
struct viewer_subscriber *tui_replay_last(const char *path, const char *at, char *why,
                                          size_t capacity);

#endif

/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * record.h: records the jobs of a session into a file while they are watched, or what is kept of
 * their past at once.
 */
#ifndef TUI_APP_RECORD_H
#define TUI_APP_RECORD_H

#include "feed/viewer/recording/writer.h"
#include "tui/app/rewind.h"
#include "tui/app/session.h"

/* A recording that goes on. */
struct tui_record {
    struct viewer_recorder *recorder;
    const char *path;
    char named[160];                /* the path, if a key began the recording */
    struct model_history **history; /* those that no screen keeps */
    size_t histories;
    bool told; /* that it has stopped */
};

/* Begins to record the session as its options say; tui_session_wait() goes on with it. Returns an
 * exit code, with a sentence in `why`. */
int tui_record_open(struct tui_session *session, char *why, size_t capacity);
/* Reads what has come. Called by tui_session_wait(). */
void tui_record_follow(struct tui_session *session);
/* Returns a sentence once the recording has stopped by itself, the first time it is asked for, or
 * NULL. Borrowed. */
const char *tui_record_stopped(struct tui_session *session);
/* Ends the recording, and prints what was written to standard error. Returns an exit code. */
int tui_record_close(struct tui_session *session);

/* Begins a recording in a new file of the current folder, or ends the one that goes on. Writes a
 * sentence about it. Returns false if that failed. */
bool tui_record_toggle(struct tui_session *session, char *sentence, size_t capacity);

/* Saves what is kept of the past of all jobs into a new file of the current folder. Writes its
 * name, or why it failed, as a sentence. */
bool tui_record_past(const struct tui_rewind *rewind, const struct tui_session *session,
                     char *sentence, size_t capacity);

#endif

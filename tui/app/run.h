/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * run.h: `proftop run`: the terminal between us and the command, its end, and its exit code.
 */
#ifndef TUI_APP_RUN_H
#define TUI_APP_RUN_H

#include "tui/app/session.h"

enum { TUI_EXIT_NOT_STARTED = 127 };

/* The keyboard is the controlling terminal also when stdin is something else. `given` gets what
 * stdin was, or -1. False with a sentence: there is no terminal. */
bool tui_jobrun_keyboard(int *given, char *why, size_t capacity);

/* Starts the command with the stdin that was given, while the keyboard stays ours. */
bool tui_jobrun_start(struct tui_session *session, int given, char *why, size_t capacity);

/* The command that was started and its process id, as safe text. */
void tui_jobrun_label(const struct tui_session *session, char *out, size_t capacity);
/* Attaches to the command's feed if it is announced by now. */
bool tui_jobrun_find(struct tui_session *session, char *why, size_t capacity);

/* The next feed of the process attached to, opened after that one was closed. Reads the registry.
 * NULL: there is none. Borrowed until the registry is read again. */
const struct registry_info *tui_jobrun_next_life(struct tui_session *session);

/* A word about a command that publishes nothing: with no adapters, where they were looked for. */
struct tui_app;
void tui_jobrun_say_silent(const struct tui_session *session, struct tui_app *app);

/* Asks the command's process group to end. */
void tui_jobrun_end(struct tui_session *session);

/* After the screen was given back: copies the output, says what is to say. Gives the exit code. */
int tui_jobrun_finish(struct tui_session *session, bool kept);

/* Last part of what the command printed, safe for the screen. */
void tui_jobrun_output(const struct tui_session *session, char *out, size_t capacity);

#endif

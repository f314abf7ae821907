/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * run.h: `proftop run`: shares the terminal with the command, handles its end, and its exit
 * code.
 */
#ifndef TUI_APP_RUN_H
#define TUI_APP_RUN_H

#include "tui/app/session.h"

enum { TUI_EXIT_NOT_STARTED = 127 };

/* Makes the controlling terminal the keyboard, even if stdin is something else. `given` gets the
 * former stdin, or -1. Returns false with a sentence if there is no terminal. */
bool tui_jobrun_keyboard(int *given, char *why, size_t capacity);

/* Starts the command with the former stdin; the keyboard stays with proftop. */
bool tui_jobrun_start(struct tui_session *session, int given, char *why, size_t capacity);

/* Writes the command that was started and its process id, as safe text. */
void tui_jobrun_label(const struct tui_session *session, char *out, size_t capacity);
/* Attaches to the command's feed if it is registered by now. */
bool tui_jobrun_find(struct tui_session *session, char *why, size_t capacity);

/* Returns the next feed of the attached process, opened after the previous one was closed. Reads
 * the registry. NULL: there is none. Borrowed until the registry is read again. */
const struct registry_info *tui_jobrun_next_life(struct tui_session *session);

/* Shows a message about a command that publishes nothing. If there are no adapters, it says where
 * they were looked for. */
struct tui_app;
void tui_jobrun_report_silent(const struct tui_session *session, struct tui_app *app);

/* Asks the command's process group to end. */
void tui_jobrun_end(struct tui_session *session);

/* Copies the output and prints final messages, after the screen was given back. Returns the exit
 * code. */
int tui_jobrun_finish(struct tui_session *session, bool kept);

/* Writes the last part of the command's output, safe for the screen. */
void tui_jobrun_output(const struct tui_session *session, char *out, size_t capacity);

#endif

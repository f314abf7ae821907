/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * picker.h: the jobs of this machine as a list: on the screen to choose from, and for `-l`.
 */
#ifndef TUI_APP_PICKER_H
#define TUI_APP_PICKER_H

#include "tui/app/app.h"
#include "tui/app/session.h"

/* Opens the list of jobs, or fills it anew; the choice stays on its job. */
void tui_pick_open(struct tui_app *app, struct tui_session *session);
/* Returns the job chosen last, or NULL if it is gone. */
const struct registry_info *tui_pick_chosen(const struct tui_app *app,
                                            const struct tui_session *session);
/* Returns a job of the list by the id of its line, or NULL if it is gone. */
const struct registry_info *tui_pick_find(const struct tui_session *session, uint32_t id);
/* Prints the list of `-l`; `remote`: the other machines, or NULL. Returns the exit code. */
int tui_pick_print(const struct tui_options *options, struct viewer_machines *remote, FILE *file);
/* Writes a sentence: why no job with this process id was found, and how to proceed. With `pid` 0:
 * no job with the given name, or none at all. */
void tui_pick_why(const struct tui_session *session, uint64_t pid, char *why, size_t capacity);

#endif

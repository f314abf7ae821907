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
/* The job chosen last, or NULL if it is gone. */
const struct registry_info *tui_pick_chosen(const struct tui_app *app,
                                            const struct tui_session *session);
/* A job of the list by the id of its line, or NULL if it is gone. */
const struct registry_info *tui_pick_find(const struct tui_session *session, uint32_t id);
/* What `-l` prints; `remote`: where else, or NULL. Gives the exit code. */
int tui_pick_print(const struct tui_options *options, struct viewer_machines *remote, FILE *file);
/* A sentence that says why no job with this process id was found (0: with the name that was given,
 * or none at all), and what to do. */
void tui_pick_why(const struct tui_session *session, uint64_t pid, char *why, size_t capacity);

#endif

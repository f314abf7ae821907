/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * report.h: `-b`: reports as text or JSON, without a screen.
 */
#ifndef TUI_CLI_REPORT_H
#define TUI_CLI_REPORT_H

#include "tui/app/app.h"
#include "tui/app/session.h"

/* Attaches, prints the requested reports, and returns the exit code. */
int tui_batch_run(struct tui_session *session);

/* Returns the width of a report, or 0 if nothing specifies one. */
int tui_batch_columns(FILE *file);

/* Finds the requested functions, each by its name or as the only one whose name contains the text;
 * without a request, all. Returns false with a sentence. */
bool tui_scope_find(struct model_job *job, const struct tui_options *options, uint32_t *scope,
                    char *why, size_t capacity);

#endif

/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * ctl.h: `proftop ctl`: asks jobs to change what they collect, from a shell.
 */
#ifndef TUI_CLI_CTL_H
#define TUI_CLI_CTL_H

#include "tui/app/session.h"
#include "tui/cli/options.h"

/* Sends the requests, prints a sentence about the result for each job, and returns the exit
 * code. */
int tui_ctl_run(struct tui_session *session);

#endif

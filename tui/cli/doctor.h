/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * doctor.h: `proftop doctor`: what there is to see on this machine, and what hinders.
 */
#ifndef TUI_CLI_DOCTOR_H
#define TUI_CLI_DOCTOR_H

#include "tui/app/session.h"

/* Prints what was found of this machine, of the Python that the options name and of the processes,
 * which are left as they are, and gives the exit code: TUI_EXIT_NO_JOB if anything is at fault. */
int tui_doctor_run(struct tui_session *session);

#endif

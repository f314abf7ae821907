/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * doctor.h: `proftop doctor`: reports what can be profiled on this machine, and the obstacles.
 */
#ifndef TUI_CLI_DOCTOR_H
#define TUI_CLI_DOCTOR_H

#include "tui/app/session.h"

/* Prints findings about this machine, the Python of the options, and the running processes, which
 * it does not change. Returns the exit code: TUI_EXIT_NO_JOB if there is any fault. */
int tui_doctor_run(struct tui_session *session);

#endif

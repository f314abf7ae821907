/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * gate.h: `proftop diff --fail-above`: judges whether B is slower than A.
 */
#ifndef TUI_CLI_GATE_H
#define TUI_CLI_GATE_H

#include "tui/app/session.h"

/* Reads all runs, prints the verdicts, and returns the exit code: TUI_EXIT_SLOWER if a row is
 * slower, TUI_EXIT_CANNOT_TELL if that cannot be told of some row. */
int tui_gate_run(struct tui_session *session);

#endif

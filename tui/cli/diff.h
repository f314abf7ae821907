/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * diff.h: `proftop diff`: compares two jobs once.
 */
#ifndef TUI_CLI_DIFF_H
#define TUI_CLI_DIFF_H

#include "tui/app/session.h"

/* Reads both operands, prints their differences, and returns the exit code. */
int tui_versus_run(struct tui_session *session);

#endif

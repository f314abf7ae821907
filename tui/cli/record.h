/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * record.h: `proftop record`: records jobs without a screen.
 */
#ifndef TUI_CLI_RECORD_H
#define TUI_CLI_RECORD_H

#include "tui/app/session.h"

/* Records until a signal, the end of the jobs, or a limit. Returns the exit code. */
int tui_record_run(struct tui_session *session);

#endif

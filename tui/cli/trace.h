/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * trace.h: `proftop trace`: the single calls of some seconds of a job, in Chrome's trace format.
 */
#ifndef TUI_CLI_TRACE_H
#define TUI_CLI_TRACE_H

#include "tui/app/session.h"

/* Traces the job of the command line and writes the file. Returns an exit code. Ctrl-C ends the
 * window early; what there is by then is written. */
int tui_trace_run(struct tui_session *session);

#endif

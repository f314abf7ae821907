/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * report_ready.h: decides whether a job that was just started has figures worth a report.
 */
#ifndef TUI_CLI_REPORT_READY_H
#define TUI_CLI_REPORT_READY_H

#include <stdbool.h>
#include <stdint.h>

#include "model/job.h"

/* Zero at first. */
struct tui_figures {
    uint64_t alone_ns; /* since when there are figures besides those of ops; 0: there are none */
};

/* Notes when the job's first function has calls, or, in a job without functions, the first span or
 * counter has values. The job may still send its ops: a snapshot amid their definitions already has
 * the calls of functions. */
void tui_figures_note(struct tui_figures *figures, const struct model_job *job, uint64_t now_ns);

/* True if an op was ever called. For a job that sends no ops, true if a function was called or a
 * span or counter has values. */
bool tui_figures_there(const struct tui_figures *figures, const struct model_job *job,
                       uint64_t now_ns);

#endif

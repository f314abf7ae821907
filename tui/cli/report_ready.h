/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * report_ready.h: whether a job that was only just started has come so far that a report says
 * something.
 */
#ifndef TUI_CLI_REPORT_READY_H
#define TUI_CLI_REPORT_READY_H

#include <stdbool.h>
#include <stdint.h>

#include "model/job.h"

/* Zero at first. */
struct tui_figures {
    uint64_t alone_ns; /* since when a function was called, and no op is known; or 0 */
};

/* Takes note of a job that tells of its functions alone. It may yet tell of its ops: a snapshot
 * that was amid their definitions has the calls of functions already. */
void tui_figures_note(struct tui_figures *figures, const struct model_job *job, uint64_t now_ns);

/* Whether an op was ever called; of a job that tells of its functions alone, whether one was. */
bool tui_figures_there(const struct tui_figures *figures, const struct model_job *job,
                       uint64_t now_ns);

#endif

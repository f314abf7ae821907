/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * chrome.h: a report in Chrome's trace format, so that Perfetto and chrome://tracing show where the
 * time of a job went as bars inside bars.
 *
 * A report has sums and not events, so the bars are no time line: each begins where the one before
 * it ends. A process is a job. A track is a function that runs inside no other one. The function's
 * bar is the time in its calls. In it lie its applies, those with most time first. Functions that
 * run inside an apply lie in the apply's bar. If they took longer than the apply, its bar is as
 * long as theirs, and `args` has its own time. Applies that are aside have another track, "FUNCTION
 * (aside)". Applies of no time and of unknown time have no bar, unless functions ran inside;
 * `otherData` counts those without a bar.
 */
#ifndef MODEL_CHROME_H
#define MODEL_CHROME_H

#include "model/json.h"

/* A key of `otherData` that no other trace has. */
#define MODEL_CHROME_KEY "proftop_bars"

/* Writes one object and a newline. Returns false if out of memory; then nothing was written. */
bool model_chrome_write(const struct model_report *report, const struct model_sink *sink);

#endif

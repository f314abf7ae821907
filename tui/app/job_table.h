/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * job_table.h: texts about the jobs found: columns for people, a line of JSON for programs.
 */
#ifndef TUI_APP_JOB_TABLE_H
#define TUI_APP_JOB_TABLE_H

#include <stdio.h>

#include "feed/viewer/discovery/discover.h"
#include "tui/app/preview.h"

enum { TUI_JOBLIST_COLUMNS = 13, TUI_JOBLIST_LINE = 5 * 1024 };

/* Width of each column in cells, the same for all jobs; 0: the column is left out. */
struct tui_joblist {
    const struct viewer_jobs *jobs;
    const struct tui_previews *previews;
    int width[TUI_JOBLIST_COLUMNS], cols;
    uint64_t wall_ns;
};

/* Fits the columns to these jobs. The jobs are borrowed as long as lines are made. `previews`:
 * figures of watched jobs, for the list on the screen; NULL: for -l. `wall_ns`: now. `cols`: width
 * at which a line is cut; 0: not cut. */
void tui_joblist_fit(struct tui_joblist *list, const struct viewer_jobs *jobs,
                     const struct tui_previews *previews, uint64_t wall_ns, int cols);
/* Writes the line of one of these jobs, or the titles (NULL), safe for a screen. Commands that
 * would look equal when cut show their difference. */
void tui_joblist_line(const struct tui_joblist *list, const struct registry_info *info,
                      char out[TUI_JOBLIST_LINE]);
/* Prints the line of a job as in docs/jobs.schema; `more`: number of jobs found that have no
 * line. */
void tui_joblist_json(const struct registry_info *info, size_t more, FILE *file);

#endif

/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * job_table.h: what is said of the jobs found: columns for people, a line of JSON for programs.
 */
#ifndef TUI_APP_JOB_TABLE_H
#define TUI_APP_JOB_TABLE_H

#include <stdio.h>

#include "feed/viewer/discovery/discover.h"
#include "tui/app/preview.h"

enum { TUI_JOBLIST_COLUMNS = 13, TUI_JOBLIST_LINE = 5 * 1024 };

/* Cells that each column takes, 0: it is left out. All jobs have them in the same place. */
struct tui_joblist {
    const struct viewer_jobs *jobs;
    const struct tui_glances *glances;
    int width[TUI_JOBLIST_COLUMNS], cols;
    uint64_t wall_ns;
};

/* Makes the columns fit these jobs, which are borrowed for as long as lines are made. `glances`:
 * figures of those that are watched, for the list on the screen; NULL: for -l. `wall_ns`: now.
 * `cols`: at which a line is cut; 0: it is not. */
void tui_joblist_fit(struct tui_joblist *list, const struct viewer_jobs *jobs,
                     const struct tui_glances *glances, uint64_t wall_ns, int cols);
/* The line of one of these jobs, safe for a screen, or the titles (NULL). Commands that would look
 * alike once they are cut show what differs. */
void tui_joblist_line(const struct tui_joblist *list, const struct registry_info *info,
                      char out[TUI_JOBLIST_LINE]);
/* The line of a job as docs/jobs.schema says; `more` were found that have none. */
void tui_joblist_json(const struct registry_info *info, size_t more, FILE *file);

#endif

/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * header_jobs.c: the header's fields about several jobs.
 */
#include "tui/ui/draw.h"

#include <stdio.h>

/* Adds the way all jobs are shown, and how many are in which state. */
void tui_header_jobs(const struct tui_screen *screen, struct tui_line *line)
{
    static const struct {
        const char *before, *after;
    } how[MODEL_MULTI_JOB_VIEWS] = {
        [MODEL_MULTI_JOB_SUM] = {"sum of ", ""},
        [MODEL_MULTI_JOB_RANKS] = {"", " compared"},
        [MODEL_MULTI_JOB_EACH] = {"each of ", ""},
    };
    const struct model_multi_job_state *multi_job = screen->multi_job;
    const enum model_multi_job_view view = screen->state->multi_job->view;
    char states[96];
    unsigned count[MODEL_LINK_WORDS] = {0};
    size_t used = 0;
    tui_line_add(line, TUI_TITLE, 1, "%s%zu jobs%s", how[view].before, multi_job->jobs,
                 how[view].after);
    for (size_t i = 0; i < multi_job->jobs; i++)
        count[multi_job->job[i].standing]++;
    for (unsigned i = 0; i < MODEL_LINK_WORDS && used < sizeof(states); i++)
        if (count[i] > 0)
            used += (size_t)snprintf(states + used, sizeof(states) - used, "%s%u %s",
                                     used ? ", " : "", count[i], model_link_word(i));
    bool partial = model_multi_job_partial(multi_job);
    tui_line_add(line, partial ? TUI_WARN : TUI_PLAIN, 2, "%s%s", partial ? "partial: " : "",
                 states);
}

/* Adds which of several jobs is shown. */
void tui_header_front(const struct tui_screen *screen, struct tui_line *line)
{
    if (screen->multi_job && screen->front < screen->multi_job->jobs)
        tui_line_add(line, TUI_TITLE, 1, "job %zu of %zu", screen->front + 1,
                     screen->multi_job->jobs);
}

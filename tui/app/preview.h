/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * preview.h: calls a second and the op with the most time, for the list of jobs on the screen.
 * While the list is open, its first jobs are watched as if attached, but are read less often. No
 * call blocks.
 */
#ifndef TUI_APP_PREVIEW_H
#define TUI_APP_PREVIEW_H

#include "feed/viewer/discovery/discover.h"
#include "feed/viewer/stream/subscriber.h"
#include "model/state.h"

enum { TUI_PREVIEWS = 32, TUI_GLANCE_NAME = 256 };

/* A job that is watched. */
struct tui_preview {
    char instance[33]; /* as registered */
    uint64_t pid;
    struct viewer_subscriber *feed; /* NULL: the job can't be watched, or is too large to watch */
    struct model_state *state;      /* NULL: the job has sent no values yet */
    uint64_t taken_ns;              /* when the state was taken */
};

/* Zero is empty. */
struct tui_previews {
    struct tui_preview one[TUI_PREVIEWS];
    size_t count;
    uint64_t read_ns; /* when the feeds were last read */
};

/* Watches the first of these jobs, and stops watching jobs that are not among them any more. The
 * zmq context is borrowed. */
void tui_previews_follow(struct tui_previews *previews, const struct viewer_jobs *jobs, void *zmq,
                         uint64_t now_ns);
void tui_previews_release(struct tui_previews *previews);

/* Returns the latest time for the next read; UINT64_MAX: there is nothing to read. */
uint64_t tui_previews_due(const struct tui_previews *previews);
/* Reads the feeds if it is time. True: a job has its first values, or its first rate. */
bool tui_previews_read(struct tui_previews *previews, uint64_t now_ns);

/* Returns the calls a second of a job. False: not known. */
bool tui_previews_rate(const struct tui_previews *previews, const struct registry_info *info,
                       double *rate);
/* Returns the op with the most time, safe for the screen, for a column of the list; "": not
 * known. */
void tui_previews_hottest(const struct tui_previews *previews, const struct registry_info *info,
                          char out[TUI_GLANCE_NAME]);

#endif

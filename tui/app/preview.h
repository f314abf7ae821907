/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * preview.h: calls a second and the op with the most time, for the list of jobs on the screen.
 * While the list is open, its first jobs are watched as if they were attached to, but are read less
 * often. No call blocks.
 */
#ifndef TUI_APP_PREVIEW_H
#define TUI_APP_PREVIEW_H

#include "feed/viewer/discovery/discover.h"
#include "feed/viewer/stream/subscriber.h"
#include "model/state.h"

enum { TUI_GLANCES = 32, TUI_GLANCE_NAME = 256 };

/* One of these jobs. */
struct tui_glance {
    char instance[33]; /* as announced */
    uint64_t pid;
    struct viewer_subscriber *feed; /* NULL: it can't be watched, or is too large for this */
    struct model_state *state;    /* NULL: it has told no values yet */
    uint64_t taken_ns;            /* when that was taken */
};

/* Zero is empty. */
struct tui_glances {
    struct tui_glance one[TUI_GLANCES];
    size_t count;
    uint64_t read_ns; /* when the feeds were read */
};

/* Watches the first of these jobs, and lets go of jobs that are not among them any more. The
 * context is borrowed. */
void tui_glances_follow(struct tui_glances *glances, const struct viewer_jobs *jobs, void *zmq,
                        uint64_t now_ns);
void tui_glances_release(struct tui_glances *glances);

/* When it wants to be called again at the latest; UINT64_MAX: there is nothing to read. */
uint64_t tui_glances_due(const struct tui_glances *glances);
/* Reads what has come, if it is due. True: a job has told its first values, or its first rate. */
bool tui_glances_read(struct tui_glances *glances, uint64_t now_ns);

/* Calls a second of a job. False: they are not known. */
bool tui_glances_rate(const struct tui_glances *glances, const struct registry_info *info,
                      double *rate);
/* The op with the most time, safe for the screen, in a column of the list; "": not known. */
void tui_glances_hottest(const struct tui_glances *glances, const struct registry_info *info,
                         char out[TUI_GLANCE_NAME]);

#endif

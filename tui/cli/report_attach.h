/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * report_attach.h: attaches a report to the jobs of the command line, now or when they appear.
 */
#ifndef TUI_CLI_REPORT_ATTACH_H
#define TUI_CLI_REPORT_ATTACH_H

#include "tui/app/session.h"

/* Set the first three members; the others begin as zero. */
struct tui_seek {
    struct tui_session *session;
    uint64_t deadline_ns; /* with --wait, the end of the wait for named jobs */
    bool lasting;         /* several reports are printed: they include workers that come later */
    bool missing;         /* one of several named jobs has not come yet */
    char refusal[384];    /* why a named process can't be attached to; "": none refused */
    char why[384];        /* why a job is missing, or "" */
};

/* Attaches to the jobs that exist, and to named processes that publish nothing. Returns an exit
 * code, with a sentence unless it is TUI_EXIT_FINE. */
int tui_seek_begin(struct tui_seek *seek, char *why, size_t capacity);
/* Attaches to jobs that have appeared since then, or to the feed of a command that was started.
 * Returns the same. */
int tui_seek_on(struct tui_seek *seek, char *why, size_t capacity);
/* Writes why a job is not attached to, once the wait for it is over. */
void tui_seek_why(const struct tui_seek *seek, char *why, size_t capacity);

#endif

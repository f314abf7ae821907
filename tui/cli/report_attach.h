/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * report_attach.h: attaches a report to what the command line asks for, now or when it comes.
 */
#ifndef TUI_CLI_REPORT_ATTACH_H
#define TUI_CLI_REPORT_ATTACH_H

#include "tui/app/session.h"

/* Zero, but for the first three, is the beginning. */
struct tui_seek {
    struct tui_session *session;
    uint64_t deadline_ns; /* with --wait, what is named may come until then */
    bool lasting;         /* there is more than one report: workers that come later are in it */
    bool missing;         /* of several that are named one has not come yet */
    char refusal[384];    /* why a process that was named can't be attached to; "": none refused */
    char why[384];        /* what is missing is not there, or "" */
};

/* Attaches to what is there, to processes that publish nothing, too, where they are named; an exit
 * code, with a sentence unless it is TUI_EXIT_FINE. */
int tui_seek_begin(struct tui_seek *seek, char *why, size_t capacity);
/* The same, to what may have come since then; for a command that was started, to it. */
int tui_seek_on(struct tui_seek *seek, char *why, size_t capacity);
/* The reason why something is not attached to, when nobody waits for it any more. */
void tui_seek_why(const struct tui_seek *seek, char *why, size_t capacity);

#endif

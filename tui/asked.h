/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * asked.h: on the screen: what this viewer asks the job to do, what became of it, and what the job
 * says that others asked for.
 */
#ifndef TUI_ASKED_H
#define TUI_ASKED_H

#include "app.h"
#include "subscriber.h"

/* Zero at first. */
struct tui_asked {
    const struct tui_verb *verb;  /* asked for and not answered, or NULL */
    const struct feed_subscriber *feed; /* whom; of several jobs another may stand in front now */
    const struct model_job *job;  /* whose notices were seen */
    uint64_t notice_ns;           /* when the last of these was made */
};

/* Asks for what was chosen. */
void tui_asked_begin(struct tui_asked *asked, struct feed_subscriber *feed, struct tui_app *app);

/* Says what became of it, and the last new notice, in the place of the footer. True if it did. */
bool tui_asked_watch(struct tui_asked *asked, struct feed_subscriber *feed, struct tui_app *app);

#endif

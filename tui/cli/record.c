/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * record.c: attaches to jobs as a report does, and waits while the session records them.
 */
#include "config.h"

#include "tui/cli/record.h"

#include <signal.h>
#include <stdio.h>

#include "tui/app/app.h"
#include "tui/app/record.h"
#include "tui/cli/report_attach.h"
#include "tui/cli/sentence.h"

enum { STEP_NS = TUI_NS_PER_S / 4 };

/* True if there are jobs, and all of them are over. */
static bool is_over(const struct tui_session *session)
{
    for (size_t i = 0; i < session->attachments; i++)
        if (tui_session_link_of(session, i)->state != MODEL_GONE)
            return false;
    return session->attachments > 0;
}

static bool is_whole(const struct tui_session *session)
{
    for (size_t i = 0; i < session->attachments; i++) {
        const struct model_job *job = viewer_subscriber_job(session->attached[i].feed);
        if (job && model_job_complete(job))
            return true;
    }
    return false;
}

/* Waits for the first figures, then for the end. Returns an exit code. */
static int loop(struct tui_seek *seek, char *why, size_t capacity)
{
    struct tui_session *session = seek->session;
    const struct tui_options *options = session->options;
    uint64_t until_ns = UINT64_MAX;
    bool began = false;
    for (;;) {
        const uint64_t step_ns = session->now_ns + STEP_NS;
        const unsigned events =
            tui_session_wait(session, false, until_ns < step_ns ? until_ns : step_ns);
        const char *stopped = tui_record_stopped(session);
        if (stopped)
            tui_sentence(stderr, "proftop: %s", stopped);
        if (events & TUI_EVENT_STOP)
            raise(SIGSTOP);
        if (stopped || (events & TUI_EVENT_QUIT))
            return TUI_EXIT_FINE;
        if (events & TUI_EVENT_JOBS && tui_seek_on(seek, why, capacity) != TUI_EXIT_FINE)
            return TUI_EXIT_NO_JOB;
        if (!began && is_whole(session)) {
            began = true;
            until_ns = options->window_ns > 0 ? session->now_ns + options->window_ns : UINT64_MAX;
        }
        if (session->now_ns >= until_ns || is_over(session))
            return TUI_EXIT_FINE;
        if (!began && session->now_ns >= seek->deadline_ns) {
            if (session->attachments == 0)
                tui_seek_why(seek, why, capacity);
            else
                snprintf(why, capacity, "no figures came within %g s; wait longer with --wait",
                         (double)options->wait_ns / TUI_NS_PER_S);
            return TUI_EXIT_NO_JOB;
        }
    }
}

int tui_record_run(struct tui_session *session)
{
    char why[512] = "";
    struct tui_seek seek = {.session = session,
                            .deadline_ns = session->now_ns + session->options->wait_ns,
                            .lasting = true};
    int code = tui_seek_begin(&seek, why, sizeof why);
    if (code == TUI_EXIT_FINE)
        code = tui_record_open(session, why, sizeof why);
    if (code == TUI_EXIT_FINE)
        code = loop(&seek, why, sizeof why);
    if (code != TUI_EXIT_FINE)
        tui_sentence(stderr, "proftop: %s", why);
    const int written = tui_record_close(session);
    return code != TUI_EXIT_FINE ? code : written;
}

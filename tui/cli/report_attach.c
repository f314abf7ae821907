/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * report_attach.c: finds the jobs of a report.
 */
#include "config.h"

#include "tui/cli/report_attach.h"

#include <stdio.h>

#include "tui/app/attach_running.h"
#include "tui/app/auto_attach.h"
#include "tui/app/multi_job.h"
#include "tui/app/picker.h"
#include "tui/app/replay.h"
#include "tui/app/run.h"
#include "tui/cli/sentence.h"

/* A process that could not be attached to may have ended since: then the other reason is more
 * useful. */
void tui_seek_why(const struct tui_seek *seek, char *why, size_t capacity)
{
    const uint64_t pid = seek->session->options->pid;
    if (seek->refusal[0] && (!pid || tui_attach_running_is_there(pid)))
        snprintf(why, capacity, "%s", seek->refusal);
    else if (seek->why[0])
        snprintf(why, capacity, "%s", seek->why);
    else
        tui_pick_why(seek->session, pid, why, capacity);
}

/* True if --wait was given and its time is not over. */
static bool may_come(const struct tui_seek *seek)
{
    return seek->session->options->wait_given && seek->session->now_ns < seek->deadline_ns;
}

static int fail(const struct tui_seek *seek, char *why, size_t capacity)
{
    if (may_come(seek))
        return TUI_EXIT_FINE;
    tui_seek_why(seek, why, capacity);
    return TUI_EXIT_NO_JOB;
}

/* Reports on all jobs that exist when the first one is found, and on workers that come later. */
static int find_several(struct tui_seek *seek, char *why, size_t capacity)
{
    struct tui_session *session = seek->session;
    int code = tui_multi_job_find(session, seek->why, sizeof seek->why);
    seek->missing = code != TUI_EXIT_FINE;
    if (seek->missing || session->attachments == 0)
        return fail(seek, why, capacity);
    seek->why[0] = '\0';
    tui_session_watch(session, seek->lasting && session->options->children);
    tui_auto_attach_report(session);
    return TUI_EXIT_FINE;
}

static void find_workers(struct tui_session *session)
{
    char why[384];
    if (!session->options->children || !tui_session_look(session))
        return;
    tui_auto_attach_attach(session, why, sizeof why);
    tui_auto_attach_report(session);
}

static int find_command(struct tui_session *session, char *why, size_t capacity)
{
    why[0] = '\0';
    tui_jobrun_find(session, why, capacity);
    return why[0] ? TUI_EXIT_NO_JOB : TUI_EXIT_FINE;
}

static int find_one(struct tui_seek *seek, char *why, size_t capacity)
{
    struct tui_session *session = seek->session;
    const struct registry_info *info = tui_session_find_job(session);
    if (info && !tui_session_attach(session, info, why, capacity))
        return TUI_EXIT_NO_JOB;
    if (info) {
        tui_session_watch(session, false);
        return TUI_EXIT_FINE;
    }
    const bool choose = session->options->job ? tui_session_ambiguous(session)
                                              : session->jobs.count > 1;
    if (session->options->pid || !choose)
        return fail(seek, why, capacity);
    tui_seek_why(seek, why, capacity); /* several jobs match: waiting would not help */
    return TUI_EXIT_NO_JOB;
}

int tui_seek_on(struct tui_seek *seek, char *why, size_t capacity)
{
    struct tui_session *session = seek->session;
    if (session->feed && !seek->missing) {
        find_workers(session);
        return TUI_EXIT_FINE;
    }
    if (session->launched)
        return find_command(session, why, capacity);
    tui_session_look(session);
    if (tui_options_several(session->options))
        return find_several(seek, why, capacity);
    return find_one(seek, why, capacity);
}

/* Attaches to named processes that publish nothing. With --wait a process may still begin to
 * publish. */
static int enter_named(struct tui_seek *seek, char *why, size_t capacity)
{
    char message[TUI_ATTACH_RUNNING_MESSAGE];
    const bool entered = tui_attach_running_named(seek->session, stderr, message, seek->refusal,
                                                  sizeof seek->refusal);
    seek->deadline_ns += seek->session->entered_ns;
    if (!entered) {
        seek->session->now_ns = tui_session_now();
        snprintf(why, capacity, "%s", seek->refusal);
        return may_come(seek) ? TUI_EXIT_FINE : TUI_EXIT_NO_JOB;
    }
    seek->refusal[0] = '\0';
    if (message[0])
        tui_sentence(stderr, "proftop: %s", message);
    return TUI_EXIT_FINE;
}

int tui_seek_begin(struct tui_seek *seek, char *why, size_t capacity)
{
    struct tui_session *session = seek->session;
    const struct tui_options *options = session->options;
    if (tui_replay_named(options))
        return tui_replay_open(session, 0, why, capacity);
    int code = enter_named(seek, why, capacity);
    if (code != TUI_EXIT_FINE)
        return code;
    if (options->endpoint) {
        code = tui_session_attach_endpoint(session, why, capacity);
        if (code != TUI_EXIT_FINE || !(options->pid || options->children))
            return code;
        tui_session_look(session);
        return find_several(seek, why, capacity);
    }
    code = tui_seek_on(seek, why, capacity);
    /* Ending a watch takes the kernel some 15 ms: there is none if the jobs exist already. */
    if (code == TUI_EXIT_FINE && (!session->feed || seek->missing))
        tui_session_watch(session, true);
    return code;
}

/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * attach_running.c: attaches to running processes that publish nothing yet.
 */
#include "config.h"

#include "tui/app/attach_running.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "feed/viewer/discovery/unpublished.h"
#include "feed/viewer/launch/inject.h"
#include "tui/app/app.h"
#include "tui/app/picker.h"
#include "tui/cli/sentence.h"

enum {
    /* Time for a worker to run some Python: an idle worker waits in the kernel. */
    CHILD_SECONDS = 1,
    CHILD_FAILURES = 3, /* after this many failures, no other worker is tried */
};

static unsigned seconds_of(const struct tui_session *session)
{
    uint64_t seconds = session->options->wait_ns / TUI_NS_PER_S;
    return seconds < 1 ? 1 : seconds > 3600 ? 3600 : (unsigned)seconds;
}

static bool attach(struct tui_session *session, uint64_t pid, unsigned seconds,
                   char message[TUI_ATTACH_RUNNING_MESSAGE], char *why, size_t capacity)
{
    const uint64_t begun_ns = tui_session_now();
    if (!viewer_inject("attach", pid, seconds, message, TUI_ATTACH_RUNNING_MESSAGE, why, capacity))
        return false;
    session->now_ns = tui_session_now();
    session->entered_ns += session->now_ns - begun_ns;
    if (tui_session_look(session) && viewer_jobs_pid(&session->jobs, pid))
        return true;
    snprintf(why, capacity, "process %" PRIu64 " was attached to, but its feed is not found here: "
             "it has another PROFTOP_DIR, XDG_RUNTIME_DIR or TMPDIR than proftop", pid);
    return false;
}

bool tui_attach_running_attach(struct tui_session *session, uint64_t pid,
                               char message[TUI_ATTACH_RUNNING_MESSAGE], char *why, size_t capacity)
{
    return attach(session, pid, seconds_of(session), message, why, capacity);
}

const struct registry_info *tui_attach_running_enter(struct tui_session *session,
                                                     const struct registry_info *info,
                                                     char message[TUI_ATTACH_RUNNING_MESSAGE],
                                                     char *why, size_t capacity)
{
    const uint64_t pid = info->pid;
    message[0] = '\0';
    if (!viewer_is_unpublished(info))
        return info;
    return tui_attach_running_attach(session, pid, message, why, capacity)
               ? viewer_jobs_pid(&session->jobs, pid)
               : NULL;
}

bool tui_attach_running_is_there(uint64_t pid)
{
    return kill((pid_t)pid, 0) == 0 || errno != ESRCH;
}

/* Attaches to a process that publishes nothing. It is found by the name that its own feed would
 * have. */
static bool enter_named(struct tui_session *session, const char *name,
                        char message[TUI_ATTACH_RUNNING_MESSAGE], char *why, size_t capacity)
{
    char pids[VIEWER_NAMED_MAX];
    size_t found;
    viewer_jobs_named(&session->jobs, name, &found, pids);
    if (found)
        return true;
    viewer_jobs_release(&session->silent);
    if (!viewer_unpublished(&session->jobs, &session->silent))
        return true;
    const struct registry_info *info = viewer_jobs_named(&session->silent, name, &found, pids);
    return !info || tui_attach_running_attach(session, info->pid, message, why, capacity);
}

/* Attaches to the running workers of a process, if they publish nothing. A worker that cannot be
 * attached to is listed as left out (auto_attach.h). */
static void enter_children(struct tui_session *session, uint64_t parent,
                           char message[TUI_ATTACH_RUNNING_MESSAGE])
{
    const struct registry_info *of = viewer_jobs_pid(&session->jobs, parent);
    struct viewer_jobs silent = {0};
    char instance[sizeof of->instance], each[TUI_ATTACH_RUNNING_MESSAGE], why[512];
    size_t children = 0, entered = 0;
    if (!of || !viewer_unpublished(&session->jobs, &silent))
        return;
    /* Copied, since each attach makes the list anew. */
    memcpy(instance, of->instance, sizeof instance);
    for (size_t i = 0; i < silent.count; i++) {
        const struct registry_info *info = &silent.job[i];
        if (info->adapted || strcmp(info->parent, instance) != 0)
            continue;
        if (children++ < entered + CHILD_FAILURES)
            entered += attach(session, info->pid, CHILD_SECONDS, each, why, sizeof why);
    }
    viewer_jobs_release(&silent);
    if (entered == 0)
        return;
    const size_t used = strlen(message);
    snprintf(message + used, TUI_ATTACH_RUNNING_MESSAGE - used,
             "%sattached to %zu of %zu child processes that "
             "published nothing",
             used ? "; " : "", entered, children);
}

/* Attaches to one of the named processes. With several names, the sentence contains the process
 * id. */
static bool enter_pid(struct tui_session *session, uint64_t pid, FILE *out,
                      char message[TUI_ATTACH_RUNNING_MESSAGE], char *why, size_t capacity)
{
    char each[TUI_ATTACH_RUNNING_MESSAGE];
    if (viewer_jobs_pid(&session->jobs, pid) || !tui_attach_running_is_there(pid))
        return true;
    if (!tui_attach_running_attach(session, pid, each, why, capacity))
        return false;
    if (session->options->pid_count == 1)
        snprintf(message, TUI_ATTACH_RUNNING_MESSAGE, "%s", each);
    else
        snprintf(message, TUI_ATTACH_RUNNING_MESSAGE, "process %" PRIu64 ": %.280s", pid, each);
    if (out && session->options->pid_count > 1) {
        tui_sentence(out, "proftop: %s", message);
        message[0] = '\0';
    }
    return true;
}

bool tui_attach_running_named(struct tui_session *session, FILE *out,
                              char message[TUI_ATTACH_RUNNING_MESSAGE], char *why, size_t capacity)
{
    const struct tui_options *options = session->options;
    const bool named = options->pid_count > 0 || options->job;
    message[0] = '\0';
    if (session->remote || !named || !tui_session_look(session))
        return true;
    if (options->job && !enter_named(session, options->job, message, why, capacity))
        return false;
    for (unsigned i = 0; i < options->pid_count; i++)
        if (!enter_pid(session, options->pids[i], out, message, why, capacity))
            return false;
    if (!options->children)
        return true;
    char pids[VIEWER_NAMED_MAX];
    size_t found;
    const struct registry_info *info =
        options->job ? viewer_jobs_named(&session->jobs, options->job, &found, pids) : NULL;
    if (info)
        enter_children(session, info->pid, message);
    for (unsigned i = 0; i < options->pid_count; i++)
        enter_children(session, options->pids[i], message);
    return true;
}

static bool detach(struct tui_session *session, uint64_t pid)
{
    char message[TUI_ATTACH_RUNNING_MESSAGE], why[512];
    if (!viewer_inject("detach", pid, seconds_of(session), message, sizeof message, why,
                       sizeof why)) {
        tui_sentence(stderr, "proftop: %s", why);
        return false;
    }
    tui_sentence(stdout, "process %" PRIu64 ": %s.", pid, message);
    return true;
}

/* Detaches from the only job. */
static bool detach_only(struct tui_session *session)
{
    char why[512] = "there is no memory left to look for jobs";
    bool looked = tui_session_look(session);
    const struct registry_info *info = looked ? tui_session_find_job(session) : NULL;
    if (info)
        return detach(session, info->pid);
    if (looked)
        tui_pick_why(session, 0, why, sizeof why);
    tui_sentence(stderr, "proftop: %s", why);
    return false;
}

int tui_attach_running_detach(struct tui_session *session)
{
    const struct tui_options *options = session->options;
    if (session->remote || options->endpoint || options->role) {
        fputs("proftop: detach is for processes of this machine: proftop ctl detach -p PID\n",
              stderr);
        return TUI_EXIT_USAGE;
    }
    bool good = options->pid_count > 0 || detach_only(session);
    for (unsigned i = 0; i < options->pid_count; i++)
        good = detach(session, options->pids[i]) && good;
    if (fflush(stdout) != 0)
        return TUI_EXIT_WRITE;
    return good ? TUI_EXIT_FINE : TUI_EXIT_NO_JOB;
}

/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * restart_follow.c: finds the job that replaced a job that is gone. If the match is ambiguous, the
 * user chooses.
 */
#include "config.h"

#include "tui/app/restart_follow.h"

#include <inttypes.h>
#include <string.h>

#include "model/text.h"

static bool is_gone(const struct tui_session *session, size_t at)
{
    return tui_session_link_of(session, at)->state == MODEL_GONE;
}

bool tui_restart_awaited(const struct tui_session *session)
{
    if (session->launched)
        return false;
    for (size_t i = 0; i < session->attachments; i++)
        if (is_gone(session, i))
            return true;
    return false;
}

static bool is_same(const struct tui_attached *gone, const char *program,
                    const struct shared_rank *place)
{
    return gone->program[0] && strcmp(gone->program, program) == 0 &&
           gone->place.rank == place->rank && strcmp(gone->place.role, place->role) == 0;
}

/* True if another job is gone that the same new job could have replaced. */
static bool has_rival(const struct tui_session *session, size_t at)
{
    const struct tui_attached *gone = &session->attached[at];
    for (size_t i = 0; i < session->attachments; i++)
        if (i != at && is_gone(session, i) &&
            is_same(&session->attached[i], gone->program, &gone->place))
            return true;
    return false;
}

static const struct registry_info *successor(const struct tui_session *session, size_t at)
{
    const struct tui_attached *gone = &session->attached[at];
    const struct registry_info *found = NULL;
    for (size_t i = 0; i < session->jobs.count; i++) {
        const struct registry_info *info = &session->jobs.job[i];
        if (info->pid == gone->pid || info->since_ns <= gone->since_ns ||
            !is_same(gone, info->program, &info->place) || tui_session_is_attached(session, info))
            continue;
        if (found)
            return NULL;
        found = info;
    }
    return found;
}

/* Returns the first job that replaced one that is gone, attached[*at]; NULL: none. */
static const struct registry_info *find(struct tui_session *session, size_t *at)
{
    if (!tui_restart_awaited(session) || !tui_session_look(session))
        return NULL;
    for (*at = 0; *at < session->attachments; ++*at) {
        const struct registry_info *found =
            is_gone(session, *at) && !has_rival(session, *at) ? successor(session, *at) : NULL;
        if (found)
            return found;
    }
    return NULL;
}

void tui_restart_offer(struct tui_session *session, struct tui_app *app)
{
    char program[64];
    size_t at;
    const struct registry_info *info = find(session, &at);
    if (!info || app->screen.message[0])
        return;
    model_text_safe(info->program, strlen(info->program), program, sizeof program);
    tui_app_message(app, false, "a new %s runs as process %" PRIu64 ": a attaches to it", program,
                    info->pid);
}

/* Attaches to the new job at the index of the old one. */
static bool replace(struct tui_session *session, size_t at, const struct registry_info *info,
                    char *why, size_t capacity)
{
    if (!tui_session_attach_more(session, info, why, capacity))
        return false;
    const size_t last = session->attachments - 1;
    const struct tui_attached gone = session->attached[at];
    session->attached[at] = session->attached[last];
    session->attached[last] = gone;
    tui_session_let_go(session, last);
    return true;
}

bool tui_restart_follow(struct tui_session *session, struct tui_app *app)
{
    const struct registry_info *info;
    uint64_t before = 0, now = 0;
    size_t at, count = 0;
    char why[256] = "";
    while (!why[0] && (info = find(session, &at))) {
        before = session->attached[at].pid;
        now = info->pid;
        count += replace(session, at, info, why, sizeof why);
    }
    if (why[0])
        tui_app_message(app, true, "%s", why);
    else if (count == 1)
        tui_app_message(app, false,
                        "attached to process %" PRIu64 " (was %" PRIu64 "); a lists all jobs", now,
                        before);
    else if (count > 1)
        tui_app_message(app, false, "attached to %zu jobs that run again; a lists all jobs", count);
    return count > 0;
}

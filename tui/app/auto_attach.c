/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * auto_attach.c: attaches to wanted jobs, and keeps the reason for each job that is left out.
 */
#include "config.h"

#include "tui/app/auto_attach.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "feed/viewer/discovery/unpublished.h"
#include "model/text.h"
#include "tui/cli/sentence.h"

static bool is_child(const struct tui_session *session, const struct registry_info *info)
{
    for (size_t i = 0; info->parent[0] && i < session->attachments; i++)
        if (strcmp(session->attached[i].instance, info->parent) == 0)
            return true;
    return session->launched && session->attachments > 0 && info->token[0] &&
           strcmp(info->token, session->launch.token) == 0;
}

bool tui_auto_attach_awaited(const struct tui_session *session)
{
    return session->options->all || session->options->children;
}

static bool is_selected(const struct tui_session *session, const struct registry_info *info)
{
    const struct tui_options *options = session->options;
    for (unsigned i = 0; i < options->pid_count; i++)
        if (options->pids[i] == info->pid)
            return true;
    return options->all || info == tui_session_named(session) ||
           (options->children && is_child(session, info));
}

/* ----------------------------------------------------------------------------------- left out */

void tui_auto_attach_release(struct tui_lefts *left)
{
    free(left->one);
    *left = (struct tui_lefts){0};
}

/* True if the user was already told about this process. The list may have been rebuilt since. */
static bool was_reported(const struct tui_lefts *before, const struct registry_info *info)
{
    for (size_t i = 0; i < before->count; i++)
        if (before->one[i].info.pid == info->pid && before->one[i].info.start == info->start)
            return before->one[i].reported;
    return false;
}

/* Adds a job to the jobs left out. Without memory it is missing in the list. */
static void leave_out(struct tui_lefts *left, const struct tui_lefts *before,
                      const struct registry_info *info, const char *why)
{
    struct tui_left *grown = realloc(left->one, (left->count + 1) * sizeof *grown);
    if (!grown)
        return;
    left->one = grown;
    struct tui_left *one = &left->one[left->count++];
    *one = (struct tui_left){.info = *info, .reported = was_reported(before, info)};
    model_text_safe(why, strlen(why), one->why, sizeof one->why);
}

void tui_auto_attach_leave_out(struct tui_session *session, const char *who, const char *why)
{
    const struct tui_lefts none = {0};
    struct registry_info info;
    registry_info_clear(&info);
    snprintf(info.facts, sizeof info.facts, "inproc://");
    snprintf(info.program, sizeof info.program, "%s", who);
    leave_out(&session->left, &none, &info, why);
}

/* Leaves out child processes that publish nothing. */
static void look_for_silent(struct tui_session *session, const struct tui_lefts *before)
{
    char why[sizeof session->left.one->why];
    viewer_jobs_release(&session->silent);
    if (session->remote || !viewer_unpublished(&session->jobs, &session->silent))
        return;
    for (size_t i = 0; i < session->silent.count; i++) {
        const struct registry_info *info = &session->silent.job[i];
        if (!is_child(session, info))
            continue;
        viewer_unpublished_why(info, why, sizeof why);
        leave_out(&session->left, before, info, why);
    }
}

static void attach_to_all(struct tui_session *session, const struct tui_lefts *before, char *why,
                          size_t capacity)
{
    tui_auto_attach_release(&session->left);
    for (size_t i = 0; i < session->jobs.count; i++) {
        const struct registry_info *info = &session->jobs.job[i];
        if (!is_selected(session, info) || tui_session_attach_more(session, info, why, capacity))
            continue;
        char named[sizeof session->left.one->why];
        snprintf(named, sizeof named, "process %" PRIu64 ": %.280s", info->pid, why);
        leave_out(&session->left, before, info, named);
    }
    if (session->options->all && session->jobs.more) {
        struct registry_info none;
        char more[128];
        registry_info_clear(&none);
        snprintf(more, sizeof more, "%zu more jobs: %d is the most that are listed",
                 session->jobs.more, VIEWER_JOBS_MAX);
        leave_out(&session->left, before, &none, more);
    }
}

size_t tui_auto_attach_attach(struct tui_session *session, char *why, size_t capacity)
{
    struct tui_lefts before = session->left;
    size_t attached = session->attachments, last;
    session->left = (struct tui_lefts){0};
    why[0] = '\0';
    /* A grandchild may stand before its parent in the list, so repeat while new jobs are
     * attached. */
    do {
        last = session->attachments;
        attach_to_all(session, &before, why, capacity);
    } while (session->attachments > last && session->options->children);
    if (session->options->children)
        look_for_silent(session, &before);
    tui_auto_attach_release(&before);
    return session->attachments - attached;
}

/* Prints nothing about a process that was only forked and may still begin to publish. */
void tui_auto_attach_report(struct tui_session *session)
{
    for (size_t i = 0; i < session->left.count; i++) {
        struct tui_left *one = &session->left.one[i];
        if (!one->reported && !one->info.adapted)
            tui_sentence(stderr, "proftop: a job is left out: %s", one->why);
        one->reported = true;
    }
}

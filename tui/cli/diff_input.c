/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * diff_input.c: finds and reads an operand of `proftop diff`.
 */
#include "config.h"

#include "tui/cli/diff_input.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "tui/app/app.h"
#include "tui/app/attach_running.h"
#include "tui/app/picker.h"
#include "tui/app/replay.h"
#include "tui/cli/sentence.h"

/* --------------------------------------------------------------------------------------- files */

static int open_recording(struct tui_operand *operand, const struct tui_session *session,
                          const char *path, char *why, size_t capacity)
{
    operand->feed = tui_replay_last(path, session->options->at, why, capacity);
    return operand->feed ? TUI_EXIT_FINE : TUI_EXIT_NO_JOB;
}

static int open_printed(struct tui_operand *operand, const char *path, char *why, size_t capacity)
{
    const int code = tui_load_read(path, &operand->imported, why, capacity);
    if (code != TUI_EXIT_FINE)
        return code;
    if (operand->imported.saved.cut)
        tui_sentence(stderr,
                     "proftop: the last report of '%s' is cut off: the one before it is "
                     "compared",
                     operand->word);
    if (operand->imported.unread > 0)
        tui_sentence(stderr,
                     "proftop: %llu lines of '%s' were not read; proftop -b --load names "
                     "them",
                     (unsigned long long)operand->imported.unread, operand->word);
    operand->job = operand->imported.saved.job;
    return TUI_EXIT_FINE;
}

static int open_file(struct tui_operand *operand, const struct tui_session *session,
                     const char *path, char *why, size_t capacity)
{
    return viewer_recording_is(path) ? open_recording(operand, session, path, why, capacity)
                                     : open_printed(operand, path, why, capacity);
}

bool tui_operand_is_file(const char *path)
{
    static const char *const endings[] = {".json", ".ptrec", ".box"};
    for (size_t i = 0; i < sizeof endings / sizeof endings[0]; i++) {
        const size_t size = strlen(endings[i]), length = strlen(path);
        if (length > size && strcmp(path + length - size, endings[i]) == 0)
            return true;
    }
    return false;
}

/* ---------------------------------------------------------------------------------------- jobs */

static int connect_to(struct tui_operand *operand, struct tui_session *session,
                      struct viewer_target *target, char *why, size_t capacity)
{
    if (!tui_session_take_keys(session, target, why, capacity))
        return TUI_EXIT_NO_JOB;
    snprintf(operand->facts, sizeof operand->facts, "%s", target->facts);
    operand->feed = viewer_subscriber_new(session->zmq, target, session->now_ns, why, capacity);
    return operand->feed ? TUI_EXIT_FINE : TUI_EXIT_NO_JOB;
}

static int open_endpoint(struct tui_operand *operand, struct tui_session *session, const char *word,
                         char *why, size_t capacity)
{
    struct viewer_target target;
    if (!viewer_target_parse(word, &target, why, capacity))
        return TUI_EXIT_USAGE;
    if (!viewer_target_there(&target, why, capacity))
        return TUI_EXIT_NO_JOB;
    return connect_to(operand, session, &target, why, capacity);
}

static int open_info(struct tui_operand *operand, struct tui_session *session,
                     const struct registry_info *info, char *why, size_t capacity)
{
    struct viewer_target target;
    if (!tui_session_target(session, info, &target, why, capacity))
        return TUI_EXIT_NO_JOB;
    return connect_to(operand, session, &target, why, capacity);
}

static int open_process(struct tui_operand *operand, struct tui_session *session, uint64_t pid,
                        char *why, size_t capacity)
{
    const struct registry_info *info = viewer_jobs_pid(&session->jobs, pid);
    char message[TUI_ATTACH_RUNNING_MESSAGE] = "";
    if (!info && tui_attach_running_is_there(pid)) {
        if (!tui_attach_running_attach(session, pid, message, why, capacity))
            return TUI_EXIT_NO_JOB;
        info = viewer_jobs_pid(&session->jobs, pid);
    }
    if (message[0])
        tui_sentence(stderr, "proftop: %s", message);
    if (!info) {
        tui_pick_why(session, pid, why, capacity);
        return TUI_EXIT_NO_JOB;
    }
    return open_info(operand, session, info, why, capacity);
}

/* A file with the name of a job is usually its program, so the job wins. */
static int open_named(struct tui_operand *operand, struct tui_session *session, const char *name,
                      char *why, size_t capacity)
{
    size_t found;
    struct stat file;
    char pids[VIEWER_NAMED_MAX];
    const struct registry_info *info = viewer_jobs_named(&session->jobs, name, &found, pids);
    if (info)
        return open_info(operand, session, info, why, capacity);
    if (!found && stat(name, &file) == 0)
        return open_file(operand, session, name, why, capacity);
    if (found)
        snprintf(why, capacity, "%zu jobs are called '%s': name one by its process id (%s)", found,
                 operand->word, pids);
    else
        snprintf(why, capacity,
                 "'%s' is no file, no process id, no endpoint, and no job "
                 "of this machine is called so; proftop -l lists the jobs",
                 operand->word);
    return TUI_EXIT_NO_JOB;
}

/* ----------------------------------------------------------------------------- kind of operand */

static bool is_path(const char *word)
{
    return strcmp(word, "-") == 0 || strchr(word, '/');
}

int tui_operand_open(struct tui_operand *operand, struct tui_session *session, const char *word,
                     char *why, size_t capacity)
{
    uint64_t pid;
    *operand = (struct tui_operand){0};
    model_text_safe(word, strlen(word), operand->word, sizeof operand->word);
    if (!*word) {
        snprintf(why, capacity, "diff compares two, and one of them is the empty word");
        return TUI_EXIT_USAGE;
    }
    if (strstr(word, "://"))
        return open_endpoint(operand, session, word, why, capacity);
    if (is_path(word))
        return open_file(operand, session, word, why, capacity);
    if (!tui_session_look(session)) {
        snprintf(why, capacity, "there is no memory left to look for jobs");
        return TUI_EXIT_NO_JOB;
    }
    return tui_number_parse(word, UINT64_MAX, &pid)
               ? open_process(operand, session, pid, why, capacity)
               : open_named(operand, session, word, why, capacity);
}

void tui_operand_close(struct tui_operand *operand)
{
    viewer_subscriber_free(&operand->feed);
    model_imported_release(&operand->imported);
    operand->job = NULL;
}

bool tui_operand_ready(struct tui_operand *operand, const struct tui_session *session)
{
    if (!operand->feed)
        return true;
    viewer_subscriber_drain(operand->feed, session->now_ns, TUI_NS_PER_MS);
    struct model_job *job = viewer_subscriber_job(operand->feed);
    operand->job = job && model_job_complete(job) ? job : NULL;
    return operand->job || viewer_subscriber_link(operand->feed)->state == MODEL_GONE;
}

bool tui_operand_even(struct tui_operand *operand, const struct tui_session *session)
{
    if (!operand->feed)
        return true;
    viewer_subscriber_stop(operand->feed, true);
    viewer_subscriber_drain(operand->feed, session->now_ns, TUI_NS_PER_MS);
    return viewer_subscriber_is_consistent(operand->feed) ||
           viewer_subscriber_link(operand->feed)->state >= MODEL_STALE;
}

const char *tui_operand_state(const struct tui_operand *operand)
{
    return operand->feed ? model_link_text(viewer_subscriber_link(operand->feed))
                         : operand->imported.saved.state;
}

bool tui_operand_lost(const struct tui_operand *operand)
{
    const struct model_link *link = operand->feed ? viewer_subscriber_link(operand->feed) : NULL;
    return link && link->state == MODEL_GONE && !link->said_bye;
}

/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * run.c: starts, watches and ends the command of `run`.
 */
#include "config.h"

#include "tui/app/run.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "model/text.h"
#include "tui/app/app.h"
#include "tui/cli/sentence.h"

bool tui_jobrun_keyboard(int *given, char *why, size_t capacity)
{
    *given = -1;
    if (isatty(STDIN_FILENO))
        return true;
    int keyboard = open("/dev/tty", O_RDWR | O_CLOEXEC);
    if (keyboard < 0) {
        snprintf(why, capacity,
                 "there is no terminal to read keys from; proftop -b prints reports without one");
        return false;
    }
    *given = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    dup2(keyboard, STDIN_FILENO);
    close(keyboard);
    return true;
}

/* Prints why adapters were refused, unless other adapters are used. */
static void print_refused(const struct viewer_launch *launch, const char *end)
{
    if (!launch->adapted && launch->refused[0])
        tui_sentence(stderr, "proftop: %s%s", launch->refused, end);
}

bool tui_jobrun_start(struct tui_session *session, int given, char *why, size_t capacity)
{
    enum viewer_streams streams =
        session->options->batch ? VIEWER_STREAMS_INHERIT : VIEWER_STREAMS_KEPT;
    int keyboard = -1;
    if (given >= 0) {
        keyboard = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
        dup2(given, STDIN_FILENO);
    }
    bool started = tui_session_launch(session, streams, why, capacity);
    if (started && session->options->batch)
        print_refused(&session->launch, "; the command runs without them");
    if (keyboard >= 0) {
        dup2(keyboard, STDIN_FILENO);
        close(keyboard);
    }
    tui_session_watch(session, started);
    return started;
}

void tui_jobrun_label(const struct tui_session *session, char *out, size_t capacity)
{
    const char *command = session->options->argv[0];
    char safe[128];
    model_text_safe(command, strlen(command), safe, sizeof safe);
    snprintf(out, capacity, "%s (%d)", safe, (int)session->launch.pid);
}

bool tui_jobrun_find(struct tui_session *session, char *why, size_t capacity)
{
    why[0] = '\0';
    if (session->feed)
        return true;
    if (!tui_session_look(session))
        return false;
    const struct registry_info *info = tui_session_find_job(session);
    if (!info || !tui_session_attach(session, info, why, capacity))
        return false;
    tui_session_watch(session, session->options->children);
    return true;
}

const struct registry_info *tui_jobrun_next_life(struct tui_session *session)
{
    const struct tui_attached *last = session->attachments ? session->attached : NULL;
    const struct registry_info *next = NULL;
    if (!last || !tui_session_look(session))
        return NULL;
    for (size_t i = 0; i < session->jobs.count; i++) {
        const struct registry_info *info = &session->jobs.job[i];
        /* A feed has the lowest number that is free: a higher one was opened beside this feed. */
        const bool later = info->pid == last->pid && info->since_ns > last->since_ns &&
                           viewer_jobs_feed_number(info) <= last->number &&
                           strcmp(info->token, session->launch.token) == 0;
        if (later && (!next || info->since_ns < next->since_ns))
            next = info;
    }
    return next;
}

void tui_jobrun_end(struct tui_session *session)
{
    session->end_requested = true;
    if (!session->launched || session->ended_ns)
        return;
    /* Without a screen the command has no process group of its own. */
    if (kill(-session->launch.pid, SIGTERM) != 0)
        kill(session->launch.pid, SIGTERM);
}

void tui_jobrun_report_silent(const struct tui_session *session, struct tui_app *app)
{
    const struct viewer_launch *launch = &session->launch;
    const char *text = launch->refused[0] ? launch->refused : launch->looked;
    char safe[sizeof launch->looked];
    model_text_safe(text, strlen(text), safe, sizeof safe);
    if (launch->adapted)
        tui_app_message(app, false, "nothing is published yet; o shows what the job prints");
    else if (launch->refused[0])
        tui_app_message(app, true, "nothing is published yet: %s", safe);
    else
        tui_app_message(app, true,
                        "nothing is published yet, and no adapters are in %s; "
                        "PROFTOP_ADAPTERS names another folder",
                        safe);
}

/* Prints how to attach to a job that is left running. */
static void print_left(const struct viewer_launch *launch)
{
    const char *out = launch->out_path, *err = launch->err_path;
    tui_sentence(stderr, "proftop: the job goes on as process %d; proftop -p %d attaches to it",
            (int)launch->pid, (int)launch->pid);
    if (*out && *err)
        tui_sentence(stderr, "proftop: its output goes on into %s, its errors into %s", out, err);
    else if (*out || *err)
        tui_sentence(stderr, "proftop: its %s on into %s", *out ? "output goes" : "errors go",
                *out ? out : err);
}

/* Prints the files with kept output, for a command that ended before its output was copied in full,
 * as when the terminal went away. */
static void print_kept(const struct viewer_launch *launch)
{
    const char *const paths[] = {launch->out_path, launch->err_path};
    for (unsigned i = 0; i < sizeof paths / sizeof paths[0]; i++)
        if (*paths[i])
            tui_sentence(stderr, "proftop: not all that the job printed was shown: %s has it",
                    paths[i]);
}

/* Prints that the command ended and published nothing. */
static void print_unpublished(struct viewer_launch *launch, const char *command)
{
    char name[128], how[64];
    model_text_safe(command, strlen(command), name, sizeof name);
    viewer_launch_end(launch, how, sizeof how);
    if (viewer_launch_code(launch) != 0) /* the command's own output says why */
        tui_sentence(stderr, "proftop: '%s' ended without publishing anything (%s)", name, how);
    else
        tui_sentence(stderr, "proftop: '%s' ended without publishing anything (%s); it needs a "
                     "framework that proftop has an adapter for (adapters were looked for in %s; "
                     "PROFTOP_ADAPTERS names another folder), or calls of proftop.h, which do "
                     "nothing if libproftop.so.0 was not found, or if they were compiled with "
                     "PROFTOP_OFF; proftop doctor -- COMMAND says whether a Python can be seen",
                     name, how, launch->looked);
}

/* For a command that failed: prints the last error that its job sent to viewers. */
static void print_error(const struct tui_session *session)
{
    const struct model_job *job = session->feed ? viewer_subscriber_job(session->feed) : NULL;
    size_t i = job ? model_job_notices(job) : 0;
    while (i > 0 && model_job_notice(job, i - 1)->level < 2)
        i--;
    if (i > 0)
        tui_sentence(stderr, "proftop: %s", model_job_notice(job, i - 1)->text.shown);
}

int tui_jobrun_finish(struct tui_session *session, bool kept)
{
    if (kept)
        viewer_launch_replay(&session->launch);
    if (!session->ended_ns) {
        print_left(&session->launch);
        return TUI_EXIT_FINE;
    }
    print_kept(&session->launch);
    if (session->feed && viewer_launch_signal(&session->launch) && !session->end_requested) {
        char how[64];
        viewer_launch_end(&session->launch, how, sizeof how);
        tui_sentence(stderr, "proftop: the command ended %s", how);
    }
    if (viewer_launch_code(&session->launch) != 0)
        print_error(session);
    if (!session->feed) {
        print_unpublished(&session->launch, session->options->argv[0]);
        if (kept)
            print_refused(&session->launch, "");
    }
    return viewer_launch_code(&session->launch);
}

/* -------------------------------------------------------------------------------- output pane */

/* Copies the tail of a file, line by line in screen form. Returns the bytes written. */
static size_t tail_of(int fd, char *out, size_t capacity)
{
    char raw[8192];
    struct stat file;
    if (fd < 0 || fstat(fd, &file) != 0 || capacity < 2)
        return 0;
    off_t from = file.st_size > (off_t)sizeof raw ? file.st_size - (off_t)sizeof raw : 0;
    ssize_t got = pread(fd, raw, sizeof raw, from);
    size_t size = got > 0 ? (size_t)got : 0, used = 0, at = 0;
    while (at < size && used + 2 < capacity) {
        const char *end = memchr(raw + at, '\n', size - at);
        size_t line = end ? (size_t)(end - raw) - at : size - at;
        used += model_text_safe(raw + at, line, out + used, capacity - used - 1);
        out[used++] = '\n';
        at += line + 1;
    }
    out[used] = '\0';
    return used;
}

void tui_jobrun_output(const struct tui_session *session, char *out, size_t capacity)
{
    static const char mark[] = "--- standard error ---\n";
    out[0] = '\0';
    size_t used = tail_of(session->launch.out, out, capacity / 2);
    if (session->launch.err < 0 || used + sizeof mark >= capacity)
        return;
    memcpy(out + used, mark, sizeof mark);
    if (tail_of(session->launch.err, out + used + sizeof mark - 1, capacity - used - sizeof mark) ==
        0)
        out[used] = '\0';
    if (out[0] == '\0')
        snprintf(out, capacity, "nothing has been printed yet");
}

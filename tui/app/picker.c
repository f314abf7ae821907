/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * picker.c: the list of jobs.
 */
#include "config.h"

#include "tui/app/picker.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "feed/viewer/discovery/unpublished.h"
#include "tui/app/job_table.h"
#include "tui/cli/sentence.h"

static const char NO_JOB[] = "no job publishes on this machine; start one with: "
                             "proftop run -- COMMAND";
static const char ALL_SILENT[] = "no job publishes; Enter attaches to a process as it runs: it "
                                 "stands still for a moment";
static const char NO_JOB_AFAR[] = "no job of this user publishes there";

/* Makes the id of a list line, valid while the list is open. Two feeds of one process get different
 * ids. */
static uint32_t id_of(const struct registry_info *info)
{
    char head[9];
    if (viewer_is_unpublished(info))
        return (uint32_t)info->pid | 1u << 31;
    snprintf(head, sizeof head, "%.8s", info->instance);
    uint32_t id = (uint32_t)strtoul(head, NULL, 16);
    return id < MODEL_ALL ? id : 0;
}

/* Adds the workers of a job that publish nothing; NULL: adds the processes without a job. */
static bool add_silent(const struct viewer_jobs *silent, const struct registry_info *of,
                       struct viewer_jobs *all)
{
    bool good = true;
    for (size_t i = 0; good && i < silent->count; i++) {
        struct registry_info *info = &silent->job[i];
        if (strcmp(info->parent, of ? of->instance : "") != 0)
            continue;
        info->depth = of ? of->depth + 1 : 0;
        good = viewer_jobs_add(all, info);
    }
    return good;
}

/* Lists each job that publishes, followed by its workers that do not; then the other processes that
 * do not. Returns false if out of memory. */
static bool gather(const struct viewer_jobs *jobs, const struct viewer_jobs *silent,
                   struct viewer_jobs *all)
{
    bool good = true;
    *all = (struct viewer_jobs){.more = jobs->more + silent->more};
    for (size_t i = 0; good && i < jobs->count; i++)
        good = viewer_jobs_add(all, &jobs->job[i]) && add_silent(silent, &jobs->job[i], all);
    return good && add_silent(silent, NULL, all);
}

static void format_more(size_t more, size_t shown, char *out, size_t capacity)
{
    snprintf(out, capacity, "and %zu more that are not shown: this list holds %zu", more, shown);
}

/* ------------------------------------------------------------------------------- on the screen */

/* Collects the lines of the list. Processes that publish nothing are looked for only here. */
static bool look(struct tui_session *session, struct viewer_jobs *all)
{
    tui_session_look(session);
    viewer_jobs_release(&session->silent);
    if (!session->remote)
        viewer_unpublished(&session->jobs, &session->silent);
    return gather(&session->jobs, &session->silent, all);
}

void tui_pick_open(struct tui_app *app, struct tui_session *session)
{
    struct tui_screen *screen = &app->screen;
    bool again = app->list == TUI_LIST_JOBS && screen->choices > 0;
    uint32_t chosen = again ? app->choice_id[screen->chosen] : 0;
    app->marks = again ? app->marks : 0;
    struct viewer_jobs lines, *jobs = &lines;
    look(session, &lines);
    tui_app_list_begin(app, TUI_LIST_JOBS, TUI_MODE_PICKER);
    screen->jobs = session->jobs.count;
    screen->picker_note = screen->jobs      ? ""
                          : session->remote ? NO_JOB_AFAR
                          : jobs->count     ? ALL_SILENT
                                            : NO_JOB;
    struct tui_joblist list;
    char line[TUI_JOBLIST_LINE];
    if (jobs->count + jobs->more > TUI_CHOICES_MAX) {
        format_more(jobs->count + jobs->more - TUI_CHOICES_MAX, TUI_CHOICES_MAX, line, sizeof line);
        viewer_jobs_complain(&session->jobs, line);
    }
    if (session->jobs.problems[0])
        screen->picker_note = session->jobs.problems;
    const int cols = screen->shape.cols - TUI_CHOICE_MARGIN;
    tui_previews_follow(&session->previews, &session->jobs, session->zmq, session->now_ns);
    tui_joblist_fit(&list, jobs, &session->previews, tui_session_wall(), cols > 0 ? cols : 0);
    tui_joblist_line(&list, NULL, line);
    snprintf(app->choice_titles, sizeof app->choice_titles, "%.*s", TUI_CHOICE_SIZE - 1, line);
    screen->choice_head = app->choice_titles;
    for (size_t i = 0; i < jobs->count; i++) {
        const struct registry_info *info = &jobs->job[i];
        char shown[TUI_CHOICE_SIZE];
        tui_joblist_line(&list, info, line);
        model_text_safe(line, strlen(line), shown, sizeof shown);
        bool attached = tui_session_is_attached(session, info);
        bool marked = app->marks > 0 ? tui_app_is_marked(app, id_of(info)) : attached;
        if (again ? id_of(info) == chosen : attached)
            screen->chosen = screen->choices;
        tui_app_list_add(app, id_of(info), marked, "%s", shown);
        if (i < screen->choices)
            app->choice[i].publishes = !viewer_is_unpublished(info);
    }
    viewer_jobs_release(&lines);
}

const struct registry_info *tui_pick_find(const struct tui_session *session, uint32_t id)
{
    const struct viewer_jobs *const parts[] = {&session->jobs, &session->silent};
    for (unsigned part = 0; part < 2; part++)
        for (size_t i = 0; i < parts[part]->count; i++)
            if (id_of(&parts[part]->job[i]) == id)
                return &parts[part]->job[i];
    return NULL;
}

const struct registry_info *tui_pick_chosen(const struct tui_app *app,
                                            const struct tui_session *session)
{
    return tui_pick_find(session, app->choice_id[app->screen.chosen]);
}

/* Writes that several jobs have the name, or none. Looks at processes that publish nothing after
 * the jobs. */
static void format_named(const struct tui_session *session, const char *name, char *why,
                         size_t capacity)
{
    char safe[128], pids[VIEWER_NAMED_MAX];
    size_t found;
    model_text_safe(name, strlen(name), safe, sizeof safe);
    viewer_jobs_named(&session->jobs, name, &found, pids);
    if (!found)
        viewer_jobs_named(&session->silent, name, &found, pids);
    if (found > 1)
        snprintf(why, capacity, "%zu jobs are called '%s': choose one with -p PID (%s)", found,
                 safe, pids);
    else
        snprintf(why, capacity,
                 "no job is called '%s' (proftop -l lists the jobs), and it is no "
                 "command (proftop --help lists them) and no endpoint (ipc:///path, "
                 "tcp://host:port, ssh://host)",
                 safe);
}

void tui_pick_why(const struct tui_session *session, uint64_t pid, char *why, size_t capacity)
{
    const char *problems = session->jobs.problems;
    if (session->remote && !session->jobs.count)
        snprintf(why, capacity, "no job of this user publishes there%s%.*s", *problems ? "; " : "",
                 (int)strcspn(problems, "\n"), problems);
    else if (!pid && session->options->job)
        format_named(session, session->options->job, why, capacity);
    else if (session->remote && pid)
        snprintf(why, capacity, "no job there has the process id %" PRIu64 "; proftop -l with the "
                 "same machines lists them", pid);
    else if (session->remote)
        snprintf(why, capacity, "%zu jobs publish there; choose one with -p PID",
                 session->jobs.count);
    else if (pid && kill((pid_t)pid, 0) != 0 && errno == ESRCH)
        snprintf(why, capacity, "there is no process %" PRIu64 "; proftop -l lists the jobs", pid);
    else if (pid)
        snprintf(why, capacity,
                 "process %" PRIu64 " publishes no feed of this user; start it with: "
                 "proftop run -- COMMAND",
                 pid);
    else if (session->jobs.count > 1)
        snprintf(why, capacity,
                 "%zu jobs publish on this machine; choose one with -p PID (proftop -l lists them)",
                 session->jobs.count);
    else
        snprintf(why, capacity, "%s%s%.*s", NO_JOB, *problems ? "; " : "",
                 (int)strcspn(problems, "\n"), problems);
}

/* ------------------------------------------------------------------------------------------ -l */

/* Prints jobs for another proftop, which attaches to jobs of this machine: docs/protocol.md, "From
 * afar". */
static void print_info(const struct registry_info *info, FILE *file)
{
    char text[REGISTRY_INFO_MAX];
    struct registry_info whole = *info;
    viewer_job_command(info, whole.command, sizeof whole.command);
    size_t size = registry_info_format(&whole, text, sizeof text);
    fwrite(text, 1, size, file);
    fputc('\n', file);
}

/* Returns the columns of the terminal that the list is printed on; 0: not a terminal, the lines are
 * not cut. */
static int columns_of(FILE *file)
{
    struct winsize size;
    if (!isatty(fileno(file)) || ioctl(fileno(file), TIOCGWINSZ, &size) != 0)
        return 0;
    return size.ws_col;
}

/* Prints the number of jobs that are not listed. The format for another proftop gets it as text
 * too: it has no other way to say it. */
static void print_more(size_t more, bool info, FILE *file)
{
    char line[128];
    if (!more)
        return;
    format_more(more, VIEWER_JOBS_MAX, line, sizeof line);
    tui_sentence(stderr, "proftop: %s", line);
    if (info)
        fprintf(file, "problem=%s\n\n", line);
}

static void print_text(FILE *file, const struct viewer_jobs *jobs)
{
    struct tui_joblist list;
    char line[TUI_JOBLIST_LINE];
    tui_joblist_fit(&list, jobs, NULL, tui_session_wall(), columns_of(file));
    for (size_t i = 0; i <= jobs->count && jobs->count; i++) {
        tui_joblist_line(&list, i ? &jobs->job[i - 1] : NULL, line);
        fprintf(file, "%s\n", line);
    }
}

static int flushed(FILE *file)
{
    if (fflush(file) == 0 && !ferror(file))
        return TUI_EXIT_FINE;
    int error = errno;
    if (tui_exit_of_write(error) == TUI_EXIT_WRITE)
        tui_sentence(stderr, "proftop: the list could not be written: %s", strerror(error));
    return tui_exit_of_write(error);
}

int tui_pick_print(const struct tui_options *options, struct viewer_machines *remote, FILE *file)
{
    struct viewer_jobs jobs = {0}, silent = {0}, all = {0};
    if (!(remote ? viewer_machines_list(remote, 0, &jobs)
                 : viewer_discover(&jobs) && viewer_unpublished(&jobs, &silent)) ||
        !gather(&jobs, &silent, &all)) {
        fputs("proftop: there is no memory left to list the jobs\n", stderr);
        return TUI_EXIT_NO_JOB;
    }
    for (size_t i = 0; i < all.count && options->format == TUI_FORMAT_JSON; i++)
        tui_joblist_json(&all.job[i], all.more, file);
    for (size_t i = 0; i < jobs.count && options->format == TUI_FORMAT_INFO; i++)
        print_info(&jobs.job[i], file);
    if (options->format == TUI_FORMAT_TEXT)
        print_text(file, &all);
    const bool info = options->format == TUI_FORMAT_INFO;
    print_more(info ? jobs.more : all.more, info, file);
    for (const char *at = jobs.problems; *at; at += strcspn(at, "\n") + 1)
        tui_sentence(stderr, "proftop: %.*s", (int)strcspn(at, "\n"), at);
    if (!all.count)
        tui_sentence(stderr, "proftop: %s", remote ? NO_JOB_AFAR : NO_JOB);
    int code = flushed(file);
    if (code == TUI_EXIT_FINE && jobs.refused)
        code = TUI_EXIT_NO_JOB;
    viewer_jobs_release(&jobs);
    viewer_jobs_release(&silent);
    viewer_jobs_release(&all);
    return code;
}

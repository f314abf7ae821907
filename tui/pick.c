/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * pick.c: the list of jobs.
 */
#include "config.h"

#include "pick.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

static const char NO_JOB[] = "No job publishes on this machine. Start one with: "
                             "proftop run -- COMMAND";

/* Age of a job as a clock. */
static void age(const struct feed_info *info, uint64_t wall_ns, char *out, size_t capacity)
{
    uint64_t ns = wall_ns > info->since_ns ? wall_ns - info->since_ns : 0;
    model_unit_clock(ns, out, capacity);
}

void tui_pick_open(struct tui_app *app, struct tui_session *session)
{
    struct tui_screen *screen = &app->screen;
    uint32_t chosen = app->list == TUI_LIST_JOBS && screen->choices > 0
                          ? app->choice_id[screen->chosen]
                          : (uint32_t)session->pid;
    tui_session_look(session);
    tui_app_list_begin(app, TUI_LIST_JOBS, TUI_MODE_PICKER);
    screen->picker_note = session->jobs.count ? "" : NO_JOB;
    if (session->jobs.problems[0])
        screen->picker_note = session->jobs.problems;
    uint64_t wall_ns = tui_session_wall();
    for (size_t i = 0; i < session->jobs.count; i++) {
        const struct feed_info *info = &session->jobs.job[i];
        char since[16], program[96], framework[40], host[64];
        age(info, wall_ns, since, sizeof since);
        model_text_safe(info->program, strlen(info->program), program, sizeof program);
        model_text_safe(info->framework, strlen(info->framework), framework, sizeof framework);
        model_text_safe(info->host, strlen(info->host), host, sizeof host);
        if ((uint32_t)info->pid == chosen)
            screen->chosen = screen->choices;
        tui_app_list_add(app, (uint32_t)info->pid, info->pid == session->pid,
                         "%8" PRIu64 " %9s  %s  %s %s", info->pid, since, program, framework, host);
    }
}

const struct feed_info *tui_pick_chosen(const struct tui_app *app,
                                        const struct tui_session *session)
{
    return feed_jobs_pid(&session->jobs, app->choice_id[app->screen.chosen]);
}

void tui_pick_why(const struct tui_session *session, char *why, size_t capacity)
{
    uint64_t pid = session->options->pid;
    if (pid && kill((pid_t)pid, 0) != 0 && errno == ESRCH)
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
        snprintf(why, capacity,
                 "no job publishes on this machine; start one with: "
                 "proftop run -- COMMAND");
}

/* ------------------------------------------------------------------------------------------ -l */

static void put_json(FILE *file, const char *key, const char *text, bool last)
{
    char safe[512];
    model_text_safe(text, strlen(text), safe, sizeof safe);
    fprintf(file, "\"%s\":\"", key);
    for (const char *at = safe; *at; at++) {
        if (*at == '"' || *at == '\\')
            fputc('\\', file);
        fputc(*at, file);
    }
    fputs(last ? "\"" : "\",", file);
}

static void print_json(FILE *file, const struct feed_info *info)
{
    fprintf(file, "{\"pid\":%" PRIu64 ",\"since_ns\":%" PRIu64 ",", info->pid, info->since_ns);
    put_json(file, "instance", info->instance, false);
    put_json(file, "program", info->program, false);
    put_json(file, "framework", info->framework, false);
    put_json(file, "host", info->host, false);
    put_json(file, "facts", info->facts, false);
    put_json(file, "control", info->control, true);
    fputs("}\n", file);
}

static void print_text(FILE *file, const struct feed_info *info, uint64_t wall_ns)
{
    char since[16], program[256], framework[64], facts[FEED_ENDPOINT_MAX + 8];
    age(info, wall_ns, since, sizeof since);
    model_text_safe(info->program, strlen(info->program), program, sizeof program);
    model_text_safe(info->framework, strlen(info->framework), framework, sizeof framework);
    model_text_safe(info->facts, strlen(info->facts), facts, sizeof facts);
    fprintf(file, "%8" PRIu64 " %9s  %-20s  %-12s  %s\n", info->pid, since, program,
            framework[0] ? framework : "-", facts);
}

int tui_pick_print(const struct tui_options *options, FILE *file)
{
    struct feed_jobs jobs = {0};
    if (!feed_discover(&jobs)) {
        fputs("proftop: there is no memory left to list the jobs\n", stderr);
        return TUI_EXIT_NO_JOB;
    }
    bool json = options->format == TUI_FORMAT_JSON;
    if (!json && jobs.count)
        fprintf(file, "%8s %9s  %-20s  %-12s  %s\n", "PID", "AGE", "PROGRAM", "FRAMEWORK",
                "ENDPOINT");
    uint64_t wall_ns = tui_session_wall();
    for (size_t i = 0; i < jobs.count; i++) {
        if (json)
            print_json(file, &jobs.job[i]);
        else
            print_text(file, &jobs.job[i], wall_ns);
    }
    if (jobs.problems[0])
        fprintf(stderr, "proftop: %s\n", jobs.problems);
    if (!jobs.count)
        fprintf(stderr, "proftop: %s\n", NO_JOB);
    feed_jobs_release(&jobs);
    if (fflush(file) != 0 || ferror(file)) {
        int error = errno;
        if (tui_exit_of_write(error) == TUI_EXIT_WRITE)
            fprintf(stderr, "proftop: the list could not be written: %s\n", strerror(error));
        return tui_exit_of_write(error);
    }
    return TUI_EXIT_FINE;
}

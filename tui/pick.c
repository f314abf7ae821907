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
#include <sys/ioctl.h>
#include <unistd.h>

static const char NO_JOB[] = "No job publishes on this machine. Start one with: "
                             "proftop run -- COMMAND";

/* -------------------------------------------------------------------------------- the columns */

enum { COMMAND_MAX = 4096, PROGRAM_COLS = 32, FRAMEWORK_COLS = 20, LINE_SIZE = COMMAND_MAX + 512 };

/* What is said of a job, safe for the screen, and of the columns' titles. */
struct words {
    char pid[24], age[16], program[256], framework[64], command[COMMAND_MAX];
};

/* Columns that the middle two take: all jobs have them in the same place. */
struct widths {
    int program, framework;
};

static void read_words(const struct feed_info *info, uint64_t wall_ns, struct words *words)
{
    char raw[COMMAND_MAX];
    uint64_t ns = wall_ns > info->since_ns ? wall_ns - info->since_ns : 0;
    snprintf(words->pid, sizeof words->pid, "%" PRIu64, info->pid);
    model_unit_clock(ns, words->age, sizeof words->age);
    model_text_safe(info->program, strlen(info->program), words->program, sizeof words->program);
    model_text_safe(info->framework, strlen(info->framework), words->framework,
                    sizeof words->framework);
    size_t size = feed_job_command(info, raw, sizeof raw);
    if (size == 0 && info->host[0])
        size = (size_t)snprintf(raw, sizeof raw, "- (on %s)", info->host);
    model_text_safe(size ? raw : "-", size ? size : 1, words->command, sizeof words->command);
    if (!words->framework[0])
        strcpy(words->framework, "-");
}

static const struct words *title(void)
{
    static const struct words titles = {"PID", "AGE", "PROGRAM", "FRAMEWORK", "COMMAND"};
    return &titles;
}

static int between(int value, int least, int most)
{
    return value < least ? least : value > most ? most : value;
}

/* As wide as the longest one wants, up to a measure that leaves room for the command. */
static struct widths measure(const struct feed_jobs *jobs)
{
    struct widths widths = {tui_text_width(title()->program), tui_text_width(title()->framework)};
    for (size_t i = 0; i < jobs->count; i++) {
        char program[256], framework[64];
        model_text_safe(jobs->job[i].program, strlen(jobs->job[i].program), program,
                        sizeof program);
        model_text_safe(jobs->job[i].framework, strlen(jobs->job[i].framework), framework,
                        sizeof framework);
        widths.program = between(tui_text_width(program), widths.program, PROGRAM_COLS);
        widths.framework = between(tui_text_width(framework), widths.framework, FRAMEWORK_COLS);
    }
    return widths;
}

/* A text cut and filled to a width. `out` holds LINE_SIZE bytes. */
static size_t put_cell(char *out, size_t used, const char *text, int width)
{
    size_t size = tui_text_fit(text, width);
    char cut[LINE_SIZE];
    memcpy(cut, text, size);
    cut[size] = '\0';
    int written = snprintf(out + used, LINE_SIZE - used, "%s%*s  ", cut,
                           width - tui_text_width(cut), "");
    return used + (size_t)written;
}

/* `cols`: at which it is cut; 0: not at all. */
static void put_line(char out[LINE_SIZE], const struct words *words, struct widths widths,
                     int cols)
{
    size_t used = (size_t)snprintf(out, LINE_SIZE, "%8s %9s  ", words->pid, words->age);
    used = put_cell(out, used, words->program, widths.program);
    used = put_cell(out, used, words->framework, widths.framework);
    snprintf(out + used, LINE_SIZE - used, "%s", words->command);
    if (cols > 0)
        out[tui_text_fit(out, cols)] = '\0';
}

/* ------------------------------------------------------------------------------- on the screen */

void tui_pick_open(struct tui_app *app, struct tui_session *session)
{
    struct tui_screen *screen = &app->screen;
    uint32_t chosen = app->list == TUI_LIST_JOBS && screen->choices > 0
                          ? app->choice_id[screen->chosen]
                          : (uint32_t)session->pid;
    tui_session_look(session);
    const struct feed_jobs *jobs = &session->jobs;
    tui_app_list_begin(app, TUI_LIST_JOBS, TUI_MODE_PICKER);
    screen->picker_note = jobs->count ? "" : NO_JOB;
    screen->jobs = jobs->count;
    if (jobs->problems[0])
        screen->picker_note = jobs->problems;
    uint64_t wall_ns = tui_session_wall();
    struct widths widths = measure(jobs);
    char line[LINE_SIZE];
    put_line(line, title(), widths, TUI_CHOICE_SIZE - 1);
    snprintf(app->choice_titles, sizeof app->choice_titles, "%.*s", TUI_CHOICE_SIZE - 1, line);
    screen->choice_head = app->choice_titles;
    for (size_t i = 0; i < jobs->count; i++) {
        const struct feed_info *info = &jobs->job[i];
        struct words words;
        char shown[TUI_CHOICE_SIZE];
        read_words(info, wall_ns, &words);
        put_line(line, &words, widths, 0);
        model_text_safe(line, strlen(line), shown, sizeof shown);
        if ((uint32_t)info->pid == chosen)
            screen->chosen = screen->choices;
        tui_app_list_add(app, (uint32_t)info->pid, info->pid == session->pid, "%s", shown);
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

static void put_json(FILE *file, const char *key, const char *text, size_t size)
{
    char safe[COMMAND_MAX];
    model_text_safe(text, size, safe, sizeof safe);
    fprintf(file, ",\"%s\":\"", key);
    for (const char *at = safe; *at; at++) {
        if (*at == '"' || *at == '\\')
            fputc('\\', file);
        fputc(*at, file);
    }
    fputc('"', file);
}

static void print_json(FILE *file, const struct feed_info *info)
{
    const struct {
        const char *key, *text;
    } texts[] = {{"instance", info->instance},   {"program", info->program},
                 {"framework", info->framework}, {"host", info->host},
                 {"facts", info->facts},         {"control", info->control}};
    char command[COMMAND_MAX];
    size_t size = feed_job_command(info, command, sizeof command);
    fprintf(file, "{\"pid\":%" PRIu64 ",\"since_ns\":%" PRIu64, info->pid, info->since_ns);
    for (unsigned i = 0; i < sizeof texts / sizeof texts[0]; i++)
        put_json(file, texts[i].key, texts[i].text, strlen(texts[i].text));
    if (size)
        put_json(file, "command", command, size);
    else
        fputs(",\"command\":null", file);
    fputs("}\n", file);
}

/* Columns of the terminal that the list is printed on; 0: it is for somebody else to cut. */
static int columns_of(FILE *file)
{
    struct winsize size;
    if (!isatty(fileno(file)) || ioctl(fileno(file), TIOCGWINSZ, &size) != 0)
        return 0;
    return size.ws_col;
}

static void print_text(FILE *file, const struct feed_jobs *jobs)
{
    char line[LINE_SIZE];
    struct words words;
    struct widths widths = measure(jobs);
    uint64_t wall_ns = tui_session_wall();
    int cols = columns_of(file);
    if (!jobs->count)
        return;
    put_line(line, title(), widths, cols);
    fprintf(file, "%s\n", line);
    for (size_t i = 0; i < jobs->count; i++) {
        read_words(&jobs->job[i], wall_ns, &words);
        put_line(line, &words, widths, cols);
        fprintf(file, "%s\n", line);
    }
}

static int flushed(FILE *file)
{
    if (fflush(file) == 0 && !ferror(file))
        return TUI_EXIT_FINE;
    int error = errno;
    if (tui_exit_of_write(error) == TUI_EXIT_WRITE)
        fprintf(stderr, "proftop: the list could not be written: %s\n", strerror(error));
    return tui_exit_of_write(error);
}

int tui_pick_print(const struct tui_options *options, FILE *file)
{
    struct feed_jobs jobs = {0};
    if (!feed_discover(&jobs)) {
        fputs("proftop: there is no memory left to list the jobs\n", stderr);
        return TUI_EXIT_NO_JOB;
    }
    if (options->format == TUI_FORMAT_JSON)
        for (size_t i = 0; i < jobs.count; i++)
            print_json(file, &jobs.job[i]);
    else
        print_text(file, &jobs);
    for (const char *at = jobs.problems; *at; at += strcspn(at, "\n") + 1)
        fprintf(stderr, "proftop: %.*s\n", (int)strcspn(at, "\n"), at);
    if (!jobs.count)
        fprintf(stderr, "proftop: %s\n", NO_JOB);
    int code = flushed(file);
    if (code == TUI_EXIT_FINE && jobs.refused)
        code = TUI_EXIT_NO_JOB;
    feed_jobs_release(&jobs);
    return code;
}

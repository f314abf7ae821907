/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * multi_job_list.c: the list of the jobs of a session, on the screen and in a report: attached jobs
 * first, then jobs that are left out, with the reason.
 */
#include "config.h"

#include "tui/app/multi_job.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "feed/viewer/discovery/unpublished.h"
#include "model/text.h"
#include "tui/ui/draw.h"

/* Widths of the columns for job and program names. The maximum leaves space for the other columns
 * of the screen. */
enum { JOB_LEAST = 10, JOB_MOST = 14, PROGRAM_LEAST = 7, PROGRAM_MOST = 12 };

static const char *figure(enum model_unit unit, uint64_t value, char out[32])
{
    struct model_cell cell = {.known = value != MODEL_UNKNOWN, .u = value};
    model_unit_format(unit, &cell, 7, out, 32);
    return out;
}

static const char *percent(uint64_t part, uint64_t whole, char out[32])
{
    const struct model_cell cell = model_share(part, whole);
    model_unit_format(MODEL_UNIT_PERCENT, &cell, 5, out, 32);
    return out;
}

static const char *text_of(const struct model_text *text)
{
    return text && text->shown_size ? text->shown : "-";
}

/* Returns the reason why a job has no values yet, or its open op. */
static const char *doing(const struct model_multi_job_entry *job, const struct model_link *link)
{
    if (!job->there && link->reason[0])
        return link->reason;
    if (job->open != MODEL_NONE)
        return model_job_apply(job->job, job->open)->label.shown;
    return "-";
}

/* Returns the name the program gave itself, or the file that it runs. */
static const char *program_of(const struct model_multi_job_entry *job)
{
    return text_of(job->job ? &model_job_identity(job->job)->program : NULL);
}

static const char *host_of(const struct model_multi_job_entry *job)
{
    return text_of(job->job ? &model_job_identity(job->job)->host : NULL);
}

/* Names a job that is left out: by its role and rank as a job would be labelled, or by its
 * program. */
static void name_left(const struct tui_left *left, char out[MODEL_LABEL_MAX])
{
    const struct shared_rank *place = &left->info.place;
    char raw[MODEL_LABEL_MAX];
    if (place->rank != UINT64_MAX)
        snprintf(raw, sizeof raw, "%.24s %" PRIu64, place->role[0] ? place->role : "rank",
                 place->rank);
    else
        snprintf(raw, sizeof raw, "%.40s",
                 left->info.program[0] ? left->info.program : place->role);
    model_text_safe(raw, strlen(raw), out, MODEL_LABEL_MAX);
}

/* ------------------------------------------------------------------------------------ the lines */

struct lines {
    const struct model_multi_job_state *state; /* NULL: one job */
    const struct tui_multi_job *multi;
    const struct tui_session *session;
    int width;   /* columns of the job names */
    int program; /* columns of the program names */
    bool hosts;  /* the jobs run on several hosts: otherwise the column is left out */
};

static size_t jobs_of(const struct lines *lines)
{
    if (!lines->state)
        return 0;
    return lines->state->jobs < lines->session->attachments ? lines->state->jobs
                                                            : lines->session->attachments;
}

static int wider(int width, const char *text)
{
    int needed = tui_text_width(text);
    return needed > width ? needed : width;
}

/* Measures the columns of attached jobs. Jobs that are left out have no figures and need no such
 * columns. */
static void measure_jobs(struct lines *lines)
{
    for (size_t i = 0; i < jobs_of(lines); i++) {
        const struct model_multi_job_entry *job = &lines->state->job[i];
        lines->width = wider(lines->width, job->label);
        lines->program = wider(lines->program, program_of(job));
        lines->hosts |= strcmp(host_of(job), host_of(&lines->state->job[0])) != 0;
    }
    lines->program = lines->program > PROGRAM_MOST ? PROGRAM_MOST : lines->program;
}

/* Measures the columns. `most`: upper limit of the name columns; 0: no limit. */
static struct lines measure(const struct tui_multi_job *multi, const struct tui_session *session,
                            const struct tui_app *app, int most)
{
    const bool several = tui_multi_job_several(session);
    struct lines lines = {.state = several ? tui_multi_job_of(multi, app) : NULL,
                          .multi = multi,
                          .session = session,
                          .width = JOB_LEAST,
                          .program = PROGRAM_LEAST};
    char label[MODEL_LABEL_MAX];
    measure_jobs(&lines);
    for (size_t i = 0; i < session->left.count; i++) {
        name_left(&session->left.one[i], label);
        lines.width = wider(lines.width, label);
    }
    lines.width = most && lines.width > most ? most : lines.width;
    return lines;
}

/* Pads a job name to the width, or cuts it before its last word, which is the rank. */
static const char *fit(const struct lines *lines, const char *label, char out[2 * MODEL_LABEL_MAX])
{
    const char *last = strrchr(label, ' ');
    int pad = lines->width - tui_text_width(label);
    if (pad >= 0) {
        snprintf(out, 2 * MODEL_LABEL_MAX, "%s%*s", label, pad, "");
        return out;
    }
    last = last && tui_text_width(last) < lines->width - 2 ? last : "";
    int room = lines->width - tui_text_width(last) - 2;
    size_t bytes = tui_text_fit(label, room);
    snprintf(out, 2 * MODEL_LABEL_MAX, "%.*s..%s", (int)bytes, label, last);
    pad = lines->width - tui_text_width(out);
    snprintf(out + strlen(out), 2 * MODEL_LABEL_MAX - strlen(out), "%*s", pad > 0 ? pad : 0, "");
    return out;
}

static void format_titles(const struct lines *lines, char out[TUI_CHOICE_SIZE])
{
    snprintf(out, TUI_CHOICE_SIZE, "%-*s STATE           PID   CALLS    TIME WAIT%%  %-*s %sDOING",
             lines->width, "JOB", lines->program, "PROGRAM", lines->hosts ? "HOST     " : "");
}

/* Writes the line of one job, aligned with the titles. */
static void format_job(const struct lines *lines, size_t at, char out[TUI_CHOICE_SIZE])
{
    const struct model_multi_job_entry *job = &lines->state->job[at];
    const struct model_link *link = tui_session_link_of(lines->session, at);
    const char *program = program_of(job);
    const size_t cut = tui_text_fit(program, lines->program);
    const int pad = lines->program - tui_text_width(program);
    char name[2 * MODEL_LABEL_MAX], calls[32], time[32], wait[32], pid[24] = "-", host[64] = "";
    if (job->job && model_job_identity(job->job)->pid > 0)
        snprintf(pid, sizeof pid, "%" PRIu64, model_job_identity(job->job)->pid);
    if (lines->hosts)
        snprintf(host, sizeof host, "%-8.8s ", host_of(job));
    snprintf(out, TUI_CHOICE_SIZE, "%s %-10s %8s %7s %7s %5s  %.*s%*s %s%.100s",
             fit(lines, job->label, name),
             tui_state_word(link, model_multi_job_one(lines->multi->multi_job, at)), pid,
             figure(MODEL_UNIT_COUNT, job->calls, calls), figure(MODEL_UNIT_NS, job->time_ns, time),
             percent(job->wait_ns, job->time_ns, wait), (int)cut, program, pad > 0 ? pad : 0, "",
             host, doing(job, link));
}

/* Returns the reason without its beginning, "process" and a number: the process id has a column. */
static const char *reason_of(const struct tui_left *left)
{
    const char *number = strchr(left->why, ' ');
    const char *text = number ? strchr(number + 1, ' ') : NULL;
    return text ? text + 1 : left->why;
}

/* Writes the line of a job that is left out: the reason stands in place of figures. */
static void format_left(const struct lines *lines, size_t at, char out[TUI_CHOICE_SIZE])
{
    const struct tui_left *left = &lines->session->left.one[at];
    char label[MODEL_LABEL_MAX], name[2 * MODEL_LABEL_MAX];
    name_left(left, label);
    snprintf(out, TUI_CHOICE_SIZE, "%s %-10s %8" PRIu64 " %.200s", fit(lines, label, name),
             viewer_is_unpublished(&left->info) ? "no feed" : "left out", left->info.pid,
             reason_of(left));
}

void tui_multi_job_print(const struct tui_multi_job *multi, const struct tui_session *session,
                         const struct tui_app *app, FILE *file)
{
    const struct lines lines = measure(multi, session, app, 0);
    char line[TUI_CHOICE_SIZE];
    format_titles(&lines, line);
    fprintf(file, "\n Jobs\n %s\n", line);
    for (size_t i = 0; i < jobs_of(&lines); i++) {
        format_job(&lines, i, line);
        fprintf(file, " %s\n", line);
    }
    for (size_t i = 0; i < session->left.count; i++) {
        format_left(&lines, i, line);
        fprintf(file, " %s\n", line);
    }
}

/* ------------------------------------------------------------------------------- on the screen */

/* Adds lines for the ways to show several jobs. */
static void list_looks(struct tui_app *app, bool again, size_t *chosen)
{
    static const char *const words[TUI_SHOWS] = {
        [TUI_SHOW_SUM] = "all jobs added up",
        [TUI_SHOW_RANKS] = "all jobs compared: least, median, most",
        [TUI_SHOW_EACH] = "all jobs, each with rows of its own",
    };
    for (unsigned look = TUI_SHOW_SUM; look < TUI_SHOWS; look++) {
        if (!again && look == app->look)
            *chosen = app->screen.choices;
        tui_app_list_add(app, look - 1, look == app->look, "%s", words[look]);
    }
}

void tui_multi_job_list(const struct tui_multi_job *multi, const struct tui_session *session,
                        struct tui_app *app)
{
    const struct lines lines = measure(multi, session, app, JOB_MOST);
    bool again = app->list == TUI_LIST_ATTACHED;
    size_t chosen = again ? app->screen.chosen : 0;
    char line[TUI_CHOICE_SIZE];
    if (!lines.state && session->left.count == 0)
        return;
    tui_app_list_begin(app, TUI_LIST_ATTACHED, TUI_MODE_SORT);
    format_titles(&lines, app->choice_titles);
    app->screen.choice_head = app->choice_titles;
    if (lines.state)
        list_looks(app, again, &chosen);
    for (size_t i = 0; i < jobs_of(&lines); i++) {
        bool shown = app->look == TUI_SHOW_ONE && i == session->front;
        if (!again && shown)
            chosen = app->screen.choices;
        format_job(&lines, i, line);
        tui_app_list_add(app, (uint32_t)(TUI_SHOWS - 1 + i), shown, "%s", line);
    }
    for (size_t i = 0; i < session->left.count; i++) {
        format_left(&lines, i, line);
        tui_app_list_add(app, TUI_CHOICE_LEFT + (uint32_t)i, false, "%s", line);
    }
    app->screen.chosen = chosen < app->screen.choices ? chosen : 0;
}

void tui_multi_job_report_left(const struct tui_session *session, struct tui_app *app)
{
    size_t at = app->choice_id[app->screen.chosen] - TUI_CHOICE_LEFT;
    if (at < session->left.count)
        tui_app_message(app, true, "%s", session->left.one[at].why);
}

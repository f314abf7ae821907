/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * ctl.c: finds the requested jobs, sends each a request, and waits for the answers.
 */
#include "config.h"

#include "tui/cli/ctl.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "feed/shared/atomic_file.h"
#include "feed/viewer/stream/dump.h"
#include "tui/app/app.h"
#include "tui/app/attach_running.h"
#include "tui/app/picker.h"
#include "tui/app/signals.h"
#include "tui/cli/sentence.h"
#include "tui/cli/controls.h"

enum { STEP_MS = 50 };

/* One job with a request. */
struct target_job {
    struct viewer_subscriber *feed;
    struct viewer_target target;
    bool sent;
    bool old;   /* an older job, which makes no report */
    bool again; /* its counts are read again, to be written here */
    int code;   /* exit code, once `over` is set */
    bool over;
};

struct ctl {
    struct tui_session *session;
    struct target_job *job;
    size_t count;
    char arg[TUI_ARG_SIZE];
    uint64_t deadline_ns;
};

/* ---------------------------------------------------------------------------- finding the jobs */

static bool add(struct ctl *ctl, struct viewer_target *target, char *why, size_t capacity)
{
    for (size_t i = 0; i < ctl->count; i++)
        if (strcmp(ctl->job[i].target.facts, target->facts) == 0)
            return true; /* named twice, asked once */
    if (!tui_session_take_keys(ctl->session, target, why, capacity))
        return false;
    struct target_job *grown = realloc(ctl->job, (ctl->count + 1) * sizeof *grown);
    if (!grown) {
        snprintf(why, capacity, "there is no memory left for one more job");
        return false;
    }
    ctl->job = grown;
    struct viewer_subscriber *feed =
        viewer_subscriber_new(ctl->session->zmq, target, ctl->session->now_ns, why, capacity);
    if (feed)
        ctl->job[ctl->count++] = (struct target_job){.feed = feed, .target = *target};
    return feed != NULL;
}

static bool add_info(struct ctl *ctl, const struct registry_info *info, char *why, size_t capacity)
{
    struct viewer_target target;
    if (!tui_session_target(ctl->session, info, &target, why, capacity))
        return false;
    return add(ctl, &target, why, capacity);
}

/* Adds all jobs of this role. */
static int add_role(struct ctl *ctl, const char *role, char *why, size_t capacity)
{
    const struct viewer_jobs *jobs = &ctl->session->jobs;
    char safe[64];
    for (size_t i = 0; i < jobs->count; i++)
        if (strcmp(jobs->job[i].place.role, role) == 0 &&
            !add_info(ctl, &jobs->job[i], why, capacity))
            return TUI_EXIT_NO_JOB;
    if (ctl->count > 0)
        return TUI_EXIT_FINE;
    model_text_safe(role, strlen(role), safe, sizeof safe);
    snprintf(why, capacity,
             "no job of this machine has the role '%s': a job has the one that DMLC_ROLE named "
             "when it began (a server of MXNet is there only with a kvstore of type dist); "
             "proftop -l lists them",
             safe);
    return TUI_EXIT_NO_JOB;
}

/* Adds the typed endpoints. Returns an exit code. */
static int add_endpoints(struct ctl *ctl, char *why, size_t capacity)
{
    const struct tui_options *options = ctl->session->options;
    for (unsigned i = 0; i < options->endpoint_count; i++) {
        struct viewer_target target;
        if (!viewer_target_parse(options->endpoints[i], &target, why, capacity))
            return TUI_EXIT_USAGE;
        if (!viewer_target_there(&target, why, capacity) || !add(ctl, &target, why, capacity))
            return TUI_EXIT_NO_JOB;
    }
    return TUI_EXIT_FINE;
}

/* Adds the job of each named process id, or the only job. */
static int add_processes(struct ctl *ctl, char *why, size_t capacity)
{
    const struct tui_options *options = ctl->session->options;
    const struct viewer_jobs *jobs = &ctl->session->jobs;
    for (unsigned i = 0; i < options->pid_count || i == 0; i++) {
        const struct registry_info *info =
            options->pid ? viewer_jobs_pid(jobs, options->pids[i]) : viewer_jobs_only(jobs);
        if (!info)
            tui_pick_why(ctl->session, options->pid ? options->pids[i] : 0, why, capacity);
        if (!info || !add_info(ctl, info, why, capacity))
            return TUI_EXIT_NO_JOB;
    }
    return TUI_EXIT_FINE;
}

/* Finds all jobs before any request is sent. Returns an exit code. */
static int find_jobs(struct ctl *ctl, char *why, size_t capacity)
{
    const struct tui_options *options = ctl->session->options;
    int code = add_endpoints(ctl, why, capacity);
    if (code != TUI_EXIT_FINE || (options->endpoint && !options->pid))
        return code;
    if (!tui_session_look(ctl->session)) {
        snprintf(why, capacity, "there is no memory left to look for jobs");
        return TUI_EXIT_NO_JOB;
    }
    return options->role ? add_role(ctl, options->role, why, capacity)
                         : add_processes(ctl, why, capacity);
}

/* ------------------------------------------------------------------------------------- results */

static const struct {
    const char *no;
    int code;
} declined[] = {{"wrong", TUI_EXIT_USAGE}, {"refused", TUI_EXIT_NO_JOB},
                {"unsupported", TUI_EXIT_NO_JOB}};

static int code_of(const struct viewer_request_outcome *outcome)
{
    for (size_t i = 0; i < sizeof declined / sizeof declined[0]; i++)
        if (strcmp(declined[i].no, outcome->no) == 0)
            return declined[i].code;
    return TUI_EXIT_JOB_LOST;
}

static void finish(struct target_job *job, int code, const char *what, const char *text)
{
    const char *label = viewer_subscriber_target(job->feed)->label;
    job->over = true;
    job->code = code;
    if (code == TUI_EXIT_FINE)
        tui_sentence(stdout, "%s %s.", label, text);
    else
        tui_sentence(stderr, "proftop: %s: %s%s%s", label, what, *text ? ": " : "", text);
}

static bool ends_in(const char *name, const char *end)
{
    size_t size = strlen(name);
    return size >= strlen(end) && strcmp(name + size - strlen(end), end) == 0;
}

/* True if a name is our own standard output, such as /dev/stdout: then only the file's content is
 * printed there. */
static bool is_stdout(const char *name)
{
    struct stat named, ours;
    return strcmp(name, "-") == 0 ||
           (stat(name, &named) == 0 && fstat(STDOUT_FILENO, &ours) == 0 &&
            named.st_dev == ours.st_dev && named.st_ino == ours.st_ino);
}

/* True if a trace is written: by the format, otherwise by the file's name. */
static bool is_trace(const struct tui_options *options, const char *name)
{
    return options->format == TUI_FORMAT_JSON ||
           (options->format == TUI_FORMAT_TEXT && ends_in(name, ".json"));
}

/* Returns the file's name; "-": our own standard output. */
static const char *file_of(const struct tui_options *options)
{
    const char *given = options->words > 0 ? options->word[0] : options->out;
    return given ? given : "profile.json";
}

/* Writes a report and frees it; `data` NULL: out of memory. */
static void write_report(struct ctl *ctl, struct target_job *job, char *data, size_t size,
                         uint64_t rows)
{
    const struct tui_options *options = ctl->session->options;
    const char *name = file_of(options);
    const bool screen = is_stdout(name);
    char text[1024] = "there is no memory left for it";
    bool good = data && (screen ? fwrite(data, 1, size, stdout) == size
                                : shared_file_write(name, data, size, options->force, NULL, text,
                                                    sizeof text));
    free(data);
    job->over = true;
    if (!good)
        finish(job, TUI_EXIT_WRITE, "not dumped", text);
    else if (!screen)
        snprintf(text, sizeof text,
                 rows ? "is dumped into %.512s" : "has counted nothing yet: %.512s has no rows",
                 name);
    if (good && !screen)
        finish(job, TUI_EXIT_FINE, "", text);
}

/* Returns the argument of the dump request. An older job (`old`) can at most stop. */
static const char *dump_arg(struct ctl *ctl, bool old)
{
    const struct tui_options *options = ctl->session->options;
    const bool trace = is_trace(options, file_of(options));
    if (old)
        snprintf(ctl->arg, sizeof ctl->arg, "%s", options->finished ? "finished" : "");
    else
        snprintf(ctl->arg, sizeof ctl->arg, "%s%s%s%s%s",
                 trace                                      ? "trace"
                 : options->format == TUI_FORMAT_MXNET_JSON ? "json"
                                                            : "table",
                 options->order ? "\n" : "", options->order ? options->order : "",
                 options->ascending ? "\nascending" : "", options->finished ? "\nfinished" : "");
    return ctl->arg;
}

/* Writes the report here, for a job that makes none: its counts at the time of its answer. */
static void save(struct ctl *ctl, struct target_job *job)
{
    const struct tui_options *options = ctl->session->options;
    const struct shared_report_form form = {
        .json = options->format == TUI_FORMAT_MXNET_JSON,
        .order = options->order ? shared_order_find(options->order) : SHARED_BY_TOTAL,
        .ascending = options->ascending};
    const struct model_job *model = viewer_subscriber_job(job->feed);
    size_t size, rows;
    char *data = is_trace(options, file_of(options))
                     ? viewer_dump_trace(model, &size, &rows)
                     : viewer_dump_report(model, &form, &size, &rows);
    write_report(ctl, job, data, size, rows);
}

/* Connects again: the new connection brings a snapshot that is made after the answer. */
static void read_again(struct ctl *ctl, struct target_job *job)
{
    char why[256];
    viewer_subscriber_free(&job->feed);
    job->again = true;
    job->feed = viewer_subscriber_new(ctl->session->zmq, &job->target, ctl->session->now_ns, why,
                                      sizeof why);
    if (job->feed)
        return;
    tui_sentence(stderr, "proftop: %s", why);
    job->over = true;
    job->code = TUI_EXIT_JOB_LOST;
}

/* Writes the report of a job that made one. An older job gets the older request, and its counts are
 * then read again. */
static void go_on(struct ctl *ctl, struct target_job *job,
                  const struct viewer_request_outcome *outcome)
{
    size_t size;
    char *text = outcome->fate == VIEWER_DONE ? viewer_subscriber_report(job->feed, &size) : NULL;
    if (text)
        write_report(ctl, job, text, size, outcome->rows);
    else if (outcome->fate == VIEWER_DONE)
        read_again(ctl, job);
    else if (!job->old && strcmp(outcome->no, "wrong") == 0)
        job->old =
            viewer_subscriber_control(job->feed, "dump", *dump_arg(ctl, true) ? ctl->arg : NULL);
    else
        finish(job, code_of(outcome), outcome->no, outcome->text);
}

/* Sends the request once the instance is known, so that no other instance gets it. */
static void look_at(struct ctl *ctl, struct target_job *job)
{
    const struct tui_control *control = ctl->session->options->control;
    const struct viewer_request_outcome *outcome = viewer_subscriber_outcome(job->feed);
    const struct model_link *link = viewer_subscriber_link(job->feed);
    if (!job->sent && !job->again && viewer_subscriber_job(job->feed))
        job->sent =
            viewer_subscriber_control(job->feed, control->name, *ctl->arg ? ctl->arg : NULL);
    if (job->again && viewer_subscriber_job(job->feed) &&
        model_job_complete(viewer_subscriber_job(job->feed)))
        save(ctl, job);
    else if ((outcome->fate == VIEWER_DONE || outcome->fate == VIEWER_DECLINED) &&
             control->way == SHARED_COMMAND_SAVES && !job->again)
        go_on(ctl, job, outcome);
    else if (outcome->fate == VIEWER_DONE)
        finish(job, TUI_EXIT_FINE, "", control->done);
    else if (outcome->fate == VIEWER_DECLINED)
        finish(job, code_of(outcome), outcome->no, outcome->text);
    else if (outcome->fate == VIEWER_LOST)
        finish(job, TUI_EXIT_JOB_LOST,
               "the connection broke before an answer came; it may have been done or not",
               link->reason);
    else if (link->state == MODEL_GONE)
        finish(job, TUI_EXIT_JOB_LOST, "the job ended before it answered", link->reason);
    else if (ctl->session->now_ns >= ctl->deadline_ns)
        finish(job, TUI_EXIT_JOB_LOST,
               job->sent ? "no answer came in time; it may be done yet"
                         : "the job could not be asked in time",
               link->reason);
}

/* Reads all feeds, at least twenty times a second: jobs are few and answer at once. */
static void turn(struct ctl *ctl)
{
    zmq_pollitem_t item[VIEWER_POLL_ITEMS];
    size_t open = 0;
    for (size_t i = 0; i < ctl->count; i++) {
        struct target_job *job = &ctl->job[i];
        if (job->over)
            continue;
        viewer_subscriber_drain(job->feed, ctl->session->now_ns, TUI_NS_PER_MS);
        look_at(ctl, job);
        open += !job->over;
    }
    for (size_t i = 0; i < ctl->count; i++) {
        if (ctl->job[i].over)
            continue;
        zmq_poll(item, (int)viewer_subscriber_items(ctl->job[i].feed, item),
                 STEP_MS / (long)open ? STEP_MS / (long)open : 1);
    }
    ctl->session->now_ns = tui_session_now();
}

static bool all_over(const struct ctl *ctl)
{
    for (size_t i = 0; i < ctl->count; i++)
        if (!ctl->job[i].over)
            return false;
    return true;
}

/* Returns the exit code of the first job that failed. */
static int release(struct ctl *ctl)
{
    int code = TUI_EXIT_FINE;
    for (size_t i = 0; i < ctl->count; i++) {
        code = code ? code : ctl->job[i].code;
        viewer_subscriber_free(&ctl->job[i].feed);
    }
    free(ctl->job);
    return code;
}

int tui_ctl_run(struct tui_session *session)
{
    const struct tui_options *options = session->options;
    struct ctl ctl = {.session = session,
                      .deadline_ns = session->now_ns + options->wait_ns};
    char why[512] = "";
    int code = TUI_EXIT_USAGE;
    tui_signals_close(); /* Ctrl-C ends it like any command of a shell */
    if (options->control->way == SHARED_COMMAND_ENTERS && options->words == 0)
        return tui_attach_running_detach(session);
    if (tui_control_arg(options->control, options->word, options->words, ctl.arg, why, sizeof why))
        code = find_jobs(&ctl, why, sizeof why);
    if (options->control->way == SHARED_COMMAND_SAVES)
        dump_arg(&ctl, false);
    if (code == TUI_EXIT_FINE && options->control->way == SHARED_COMMAND_SAVES && ctl.count > 1) {
        snprintf(why, sizeof why, "dump writes one file: choose one job with -p PID");
        code = TUI_EXIT_USAGE;
    }
    if (code != TUI_EXIT_FINE) {
        tui_sentence(stderr, "proftop: %s", why);
        release(&ctl);
        return code;
    }
    while (!all_over(&ctl))
        turn(&ctl);
    code = release(&ctl);
    return fflush(stdout) == 0 ? code : TUI_EXIT_WRITE;
}

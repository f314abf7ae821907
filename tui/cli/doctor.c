/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * doctor.c: prints findings one by one, as lines or as one JSON object.
 */
#include "config.h"

#include "tui/cli/doctor.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "feed/shared/site_policy.h"
#include "feed/shared/site_policy_path.h"
#include "feed/viewer/discovery/unpublished.h"
#include "feed/viewer/launch/inject.h"
#include "feed/viewer/launch/launch.h"
#include "model/job_info.h"
#include "model/json_writer.h"
#include "tui/app/app.h"
#include "tui/app/attach_running.h"
#include "tui/app/picker.h"
#include "tui/app/signals.h"
#include "tui/cli/doctor_python.h"

enum level { FINE, NOTE, FAULT };
static const char *const words[] = {[FINE] = "fine", [NOTE] = "note", [FAULT] = "fault"};

struct doctor {
    struct tui_session *session;
    struct model_put put; /* for JSON */
    bool json;
    bool fault;
};

__attribute__((format(printf, 4, 5))) static void find(struct doctor *doctor, enum level level,
                                                       const char *what, const char *format, ...)
{
    char text[2048], safe[2048];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    size_t size = model_text_safe(text, strlen(text), safe, sizeof safe);
    doctor->fault |= level == FAULT;
    if (!doctor->json) {
        printf("%-5s  %-9s  %s\n", words[level], what, safe);
        return;
    }
    model_put_row(&doctor->put);
    model_put_key(&doctor->put, "level");
    model_put_quoted(&doctor->put, words[level]);
    model_put_key(&doctor->put, "what");
    model_put_quoted(&doctor->put, what);
    model_put_key(&doctor->put, "text");
    model_put_string(&doctor->put, safe, size);
    model_put_close(&doctor->put);
}

/* -------------------------------------------------------------------------------- this machine */

static void look_at_versions(struct doctor *doctor)
{
    int major, minor, patch;
    zmq_version(&major, &minor, &patch);
    find(doctor, FINE, "version", "proftop %s", PACKAGE_VERSION);
    if (zmq_has("curve"))
        find(doctor, FINE, "libzmq", "%d.%d.%d, with CURVE", major, minor, patch);
    else
        find(doctor, NOTE, "libzmq",
             "%d.%d.%d, without CURVE: nothing goes over tcp but with "
             "--insecure",
             major, minor, patch);
}

/* True if a job could create a directory that does not exist. */
static bool may_be_made(const char *path, char *why, size_t capacity)
{
    char folder[SHARED_PATH_MAX];
    const char *slash = strrchr(path, '/');
    snprintf(folder, sizeof folder, "%.*s", slash > path ? (int)(slash - path) : 1, path);
    if (faccessat(AT_FDCWD, folder, W_OK | X_OK, AT_EACCESS) == 0)
        return true;
    snprintf(why, capacity, "%s is not there, and can't be made: %s", path, strerror(errno));
    return false;
}

/* A job creates the first directory that does not exist, and skips existing ones that are
 * refused. */
static void look_at_places(struct doctor *doctor)
{
    char(*place)[SHARED_PATH_MAX] = calloc(REGISTRY_DIRS_MAX, sizeof *place), why[512];
    size_t count = place ? registry_dirs(place) : 0, good = 0;
    for (size_t i = 0; i < count; i++) {
        struct stat st;
        bool there = lstat(place[i], &st) == 0;
        bool usable = there && registry_dir_usable(place[i], false, why, sizeof why);
        bool made = !there && may_be_made(place[i], why, sizeof why);
        good += usable || made;
        if (usable)
            find(doctor, FINE, "registry", "%s, mode %04o", place[i], (unsigned)st.st_mode & 07777);
        else if (there)
            find(doctor, i && good ? NOTE : FAULT, "registry", "%s", why);
        else if (!made)
            find(doctor, NOTE, "registry", "%s", why);
        else
            find(doctor, NOTE, "registry", "%s is not there; a job may make it", place[i]);
    }
    if (!good)
        find(doctor, FAULT, "registry", "there is no directory where a job could announce itself");
    free(place);
}

static void look_at_adapters(struct doctor *doctor)
{
    struct viewer_launch *launch = calloc(1, sizeof *launch);
    char path[SHARED_PATH_MAX + 64];
    if (!launch)
        return;
    bool hook = viewer_launch_find(launch);
    snprintf(path, sizeof path, "%s/proftop/_feed.abi3.so", launch->adapters);
    if (!hook && launch->refused[0])
        find(doctor, FAULT, "adapters", "%s", launch->refused);
    else if (!hook)
        find(doctor, FAULT, "adapters",
             "they were looked for in %s and are not there: jobs in "
             "Python publish nothing; PROFTOP_ADAPTERS names another folder",
             launch->looked);
    else if (access(path, R_OK) != 0)
        find(doctor, FAULT, "adapters", "%s cannot be read: %s", path, strerror(errno));
    else
        find(doctor, FINE, "adapters", "%s", launch->adapters);
    free(launch);
}

static void look_at_ports(struct doctor *doctor)
{
    struct viewer_port port;
    for (unsigned i = 0; viewer_launch_port(i, &port); i++)
        if (port.own)
            find(doctor, NOTE, "port",
                 "%s is set, and stays: what programs tell by %s goes to \"%s\"", port.variable,
                 port.speaks, port.own);
        else if (port.path[0] == '\0')
            find(doctor, NOTE, "port",
                 "the library for %s is not installed, or other users could change it: what "
                 "programs "
                 "tell by %s is not seen",
                 port.speaks, port.speaks);
        else
            find(doctor, FINE, "port", "%s: %s", port.speaks, port.path);
}

static void look_at_entering(struct doctor *doctor)
{
    char path[SHARED_PATH_MAX], why[512];
    struct shared_site site;
    bool read = shared_site_read(&site, why, sizeof why);
    if (!read)
        find(doctor, FAULT, "site", "%s: nothing is allowed", why);
    else if (access(shared_site_path(), F_OK) != 0)
        find(doctor, FINE, "site", "%s is not there: all is allowed", shared_site_path());
    else
        find(doctor, FINE, "site", "%s: control = %s, inject = %s, tcp = %s", shared_site_path(),
             site.control ? "yes" : "no", site.inject ? "yes" : "no", site.tcp ? "yes" : "no");
    if (viewer_inject_program(path, sizeof path, why, sizeof why))
        find(doctor, FINE, "inject", "%s", path);
    else
        find(doctor, FAULT, "inject", "%s", why);
    int scope = viewer_unpublished_scope();
    if (scope < 0)
        find(doctor, FINE, "ptrace",
             "this kernel has no kernel.yama.ptrace_scope: processes of "
             "this user may be entered");
    else
        find(doctor, viewer_unpublished_enterable() ? FINE : NOTE, "ptrace",
             "kernel.yama.ptrace_scope is %d: processes that run already may %sbe entered", scope,
             viewer_unpublished_enterable() ? "" : "not ");
}

/* --------------------------------------------------------------------- the Python of a command */

/* Adds one finding of the examination; ends its fields inside the line. */
static void take_finding(struct doctor *doctor, char *line)
{
    char *what = strchr(line, '\t'), *text = what ? strchr(what + 1, '\t') : NULL;
    if (!text)
        return;
    *what++ = *text++ = '\0';
    if (strcmp(what, "fact") == 0 && !model_fact_is_setting(text, strlen(text)))
        return;
    for (unsigned i = 0; i < sizeof words / sizeof words[0]; i++)
        if (strcmp(words[i], line) == 0)
            find(doctor, (enum level)i, what, "%s", text);
}

static void look_at_python(struct doctor *doctor)
{
    const struct tui_options *options = doctor->session->options;
    char why[512], *rest = NULL;
    char *output = options->argv[0] ? tui_examine(options, why, sizeof why) : NULL;
    if (options->argv[0] && !output)
        find(doctor, FAULT, "python", "%s", why);
    for (char *line = output ? strtok_r(output, "\n", &rest) : NULL; line;
         line = strtok_r(NULL, "\n", &rest))
        take_finding(doctor, line);
    free(output);
}

/* ------------------------------------------------------------------------------- the processes */

static void look_at_functions(struct doctor *doctor, const struct model_job *job)
{
    uint32_t functions = model_job_count(job, MODEL_FUNCTION);
    uint32_t applies = model_job_count(job, MODEL_APPLY);
    size_t *nodes = calloc((size_t)functions + 1, sizeof *nodes);
    for (uint32_t id = 0; nodes && id < applies; id++)
        if (model_job_apply(job, id)->function < functions)
            nodes[model_job_apply(job, id)->function]++;
    for (uint32_t id = 0; nodes && id < functions; id++) {
        const char *name = model_job_function(job, id)->name.shown;
        if (nodes[id])
            find(doctor, FINE, "function",
                 nodes[id] == 1 ? "%s: %zu node is seen" : "%s: %zu nodes are seen",
                 name ? name : "-", nodes[id]);
        else
            find(doctor, NOTE, "function", "%s: calls alone are seen, none of its nodes",
                 name ? name : "-");
    }
    free(nodes);
}

/* Adds a value that the job says about itself. A missing value is no fault, and is shown as not
 * known. */
static void find_output(struct doctor *doctor, const char *what, const struct model_text *output,
                        const char *version)
{
    if (output->shown_size)
        find(doctor, FINE, what, "%s%s%s", output->shown, *version ? " " : "", version);
    else
        find(doctor, NOTE, what, "the job does not say");
}

static void look_at_job(struct doctor *doctor, const struct model_job *job)
{
    const struct model_identity *who = model_job_identity(job);
    size_t size = 0, from = 0;
    find_output(doctor, "framework", &who->framework, who->framework_version.shown);
    find_output(doctor, "library", &who->library, "");
    find_output(doctor, "route", &who->route, "");
    for (const char *line; (line = model_fact_line(who, &from, &size)) != NULL;)
        if (model_fact_is_setting(line, size))
            find(doctor, FINE, "fact", "%.*s", (int)size, line);
    for (size_t i = 0; i < model_job_notices(job); i++)
        if (model_job_notice(job, i)->level > 0 && model_job_notice_times(job, i) > 0)
            find(doctor, NOTE, "notice", "%s", model_job_notice(job, i)->text.shown);
    look_at_functions(doctor, job);
}

/* Attaches as any viewer does, until the job's data has arrived. */
static void look_into(struct doctor *doctor, const struct registry_info *info)
{
    struct tui_session *session = doctor->session;
    char why[512];
    if (!tui_session_attach(session, info, why, sizeof why)) {
        find(doctor, FAULT, "process", "%" PRIu64 " publishes, but: %s", info->pid, why);
        return;
    }
    find(doctor, FINE, "process", "%" PRIu64 " publishes: %s", info->pid, info->program);
    uint64_t until_ns = tui_session_now() + session->options->wait_ns;
    const struct model_job *job = NULL;
    do {
        tui_session_wait(session, false, until_ns);
        job = viewer_subscriber_job(session->feed);
    } while (!(job && model_job_complete(job)) && session->now_ns < until_ns &&
             !model_link_ended(tui_session_link(session)));
    if (job && model_job_complete(job))
        look_at_job(doctor, job);
    else
        find(doctor, FAULT, "process", "%" PRIu64 " did not answer: its feed is %s", info->pid,
             model_link_word(tui_session_link(session)->state));
}

static void look_at_process(struct doctor *doctor, const struct viewer_jobs *jobs,
                            const struct viewer_jobs *silent, uint64_t pid)
{
    const struct registry_info *info = viewer_jobs_pid(jobs, pid),
                               *still = viewer_jobs_pid(silent, pid);
    char why[512];
    if (still)
        viewer_unpublished_why(still, why, sizeof why);
    if (info)
        look_into(doctor, info);
    else if (still)
        find(doctor, viewer_unpublished_attachable(still) ? NOTE : FAULT, "process", "%s", why);
    else if (!tui_attach_running_is_there(pid))
        find(doctor, FAULT, "process", "there is no process %" PRIu64, pid);
    else
        find(doctor, FAULT, "process",
             "%" PRIu64 " publishes no feed of this user, and runs no "
             "framework that can be seen from outside",
             pid);
}

static void look_at_processes(struct doctor *doctor)
{
    const struct tui_options *options = doctor->session->options;
    struct viewer_jobs jobs = {0}, silent = {0};
    if (!viewer_discover(&jobs) || !viewer_unpublished(&jobs, &silent)) {
        find(doctor, FAULT, "jobs", "there is no memory left to look for them");
    } else {
        find(doctor, FINE, "jobs", "%zu publish, %zu processes run a framework and publish nothing",
             jobs.count + jobs.more, silent.count + silent.more);
        for (const char *at = jobs.problems; *at; at += strcspn(at, "\n") + 1)
            find(doctor, NOTE, "jobs", "%.*s", (int)strcspn(at, "\n"), at);
        for (unsigned i = 0; i < options->pid_count; i++)
            look_at_process(doctor, &jobs, &silent, options->pids[i]);
    }
    viewer_jobs_release(&jobs);
    viewer_jobs_release(&silent);
}

/* ---------------------------------------------------------------------------- the whole report */

static void write_piece(void *to, const char *bytes, size_t size)
{
    fwrite(bytes, 1, size, to);
}

int tui_doctor_run(struct tui_session *session)
{
    const struct model_sink sink = {write_piece, stdout};
    struct doctor doctor = {.session = session,
                            .put = {.sink = &sink, .first = true},
                            .json = session->options->format == TUI_FORMAT_JSON};
    tui_signals_close(); /* Ctrl-C ends it like any command of a shell */
    if (doctor.json)
        model_put_word(&doctor.put, "{\"schema\":\"proftop-doctor-1\",\"found\":[");
    look_at_versions(&doctor);
    look_at_places(&doctor);
    look_at_adapters(&doctor);
    look_at_ports(&doctor);
    look_at_entering(&doctor);
    look_at_python(&doctor);
    look_at_processes(&doctor);
    if (doctor.json) {
        model_put_word(&doctor.put, doctor.fault ? "],\"fault\":true}\n" : "],\"fault\":false}\n");
        model_put_flush(&doctor.put);
    }
    if (fflush(stdout) != 0)
        return tui_exit_of_write(errno);
    return doctor.fault ? TUI_EXIT_NO_JOB : TUI_EXIT_FINE;
}

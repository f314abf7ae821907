/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * loop.c: the screen's loop: one wait, then signals, keys, states and at most one paint.
 */
#include "config.h"

#include "tui/app/app.h"

#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "feed/viewer/discovery/unpublished.h"
#include "tui/app/attach_running.h"
#include "tui/app/auto_attach.h"
#include "tui/app/control_status.h"
#include "tui/app/multi_job.h"
#include "tui/app/picker.h"
#include "tui/app/record.h"
#include "tui/app/replay.h"
#include "tui/app/restart_follow.h"
#include "tui/app/run.h"
#include "tui/cli/report.h"
#include "tui/cli/sentence.h"
#include "tui/ui/term.h"

/* A command that has not published for this long gets an explanation. */
enum { SILENT_NS = 3 * (uint64_t)TUI_NS_PER_S };

struct live {
    struct tui_app app;
    struct tui_session *session;
    struct tui_term *term;
    struct tui_grid grid;
    struct tui_control_status status;
    char output[TUI_OUTPUT_SIZE];
    char label[256];
    uint64_t next_ns;   /* when the next state is due */
    uint64_t begun_ns;  /* start time, for SILENT_NS */
    uint64_t snapshots; /* snapshots seen so far: the first whole one is shown at once */
    enum model_link_state link_state;
    struct tui_multi_job multi_job; /* used with several jobs */
    uint64_t changes;               /* `multi_job.changes` as shown */
    const struct model_job *named;  /* job in which --function was looked up */
    bool first_picker; /* there was no job at the start: the first one is attached at once */
    bool ending;       /* the command was asked to end */
    bool done;
    int code;
};

/* ------------------------------------------------------------------------------------- states */

static uint64_t calls_now(const struct model_job *job, uint32_t scope)
{
    const struct model_function_value *value = model_job_function_values(job);
    uint64_t calls = 0;
    uint32_t functions = model_job_count(job, MODEL_FUNCTION);
    uint8_t *part = malloc(functions + 1u);
    if (part)
        model_scope_parts(job, scope, part, functions);
    for (uint32_t id = 0; part && id < functions; id++) {
        if (part[id] == MODEL_PART_OUTER && value[id].calls != MODEL_UNKNOWN)
            calls += value[id].calls;
    }
    free(part);
    return calls;
}

/* Sets the scope for a job. The ids of a scope belong to one instance. A new instance begins with
 * all functions, or with the named ones. */
static void fit_scope(struct live *live, struct model_job *job)
{
    tui_aliases_give(&live->app.aliases, job);
    if (live->named == job || !model_job_complete(job))
        return;
    live->named = job;
    char why[256];
    if (!tui_scope_find(job, live->session->options, &live->app.scope, why, sizeof why))
        tui_app_message(&live->app, true, "%s", why);
}

static struct tui_rewind_parts parts_of(struct live *live)
{
    return (struct tui_rewind_parts){&live->app, live->session, &live->multi_job};
}

/* Takes a state since a mark. */
static void take_since(struct live *live)
{
    const struct tui_rewind_parts parts = parts_of(live);
    if (!tui_rewind_take(&parts))
        tui_app_message(&live->app, true,
                        "there is nothing to compare with the mark: totals are shown");
}

static void take_state(struct live *live)
{
    struct tui_app *app = &live->app;
    struct model_job *job = tui_session_job(live->session);
    bool several = tui_multi_job_several(live->session),
         one = !several || app->look == TUI_SHOW_ONE;
    if ((!job && one && !several) || app->screen.paused)
        return;
    if (live->session->replay && app->rewind.limit > 0) {
        const struct tui_rewind_parts parts = parts_of(live);
        tui_rewind_play(&parts);
        return;
    }
    if (app->rewind.on) {
        const struct tui_rewind_parts parts = parts_of(live);
        tui_rewind_resume(&parts);
    }
    tui_rewind_commit(&app->rewind, live->session);
    if (one && job)
        fit_scope(live, job);
    if (app->rewind.compares && app->state) {
        take_since(live);
        return;
    }
    bool first = !app->state;
    if ((several && !tui_multi_job_take(&live->multi_job, live->session, app)) ||
        (one && job && !tui_app_take(app, job)))
        tui_app_message(app, true, "there is no memory left for a new state; this one stays");
    app->screen.multi_job = several ? tui_multi_job_of(&live->multi_job, app) : NULL;
    tui_app_open_page(app);
    const char *sort = live->session->options->sort;
    char why[256];
    if (first && app->state && sort && !app->screen.message[0] &&
        tui_screen_unsorted(&app->screen, sort, TUI_ALL_PANES, why, sizeof why))
        tui_app_message(app, false, "%s", why);
}

/* Returns the link of the job shown, or the combined link of all jobs. */
static const struct model_link *link_shown(const struct live *live)
{
    return tui_multi_job_several(live->session) && live->app.look != TUI_SHOW_ONE
               ? &live->multi_job.link
               : tui_session_link(live->session);
}

static void look_at_jobs(struct live *live)
{
    struct tui_app *app = &live->app;
    const struct tui_session *session = live->session;
    app->attached = session->attachments;
    app->left = session->left.count;
    app->front = app->screen.front = session->front;
    if (!tui_multi_job_several(session)) {
        app->screen.multi_job = NULL;
        return;
    }
    tui_multi_job_look(&live->multi_job, session);
    app->screen.multi_job = tui_multi_job_of(&live->multi_job, app);
}

/* Fills the fields of the screen about the running job that do not come from a state. */
static void look_at_feed(struct live *live)
{
    struct tui_screen *screen = &live->app.screen;
    struct model_job *job = tui_session_job(live->session);
    look_at_jobs(live);
    if (live->app.list != TUI_LIST_JOBS)
        tui_previews_release(&live->session->previews);
    screen->now_ns = live->session->now_ns;
    screen->wall_ns = tui_session_wall();
    screen->link = link_shown(live);
    screen->records = live->session->record != NULL;
    if (live->session->replay) {
        if (live->app.state)
            screen->wall_ns = live->app.state->wall_ns;
    } else if (screen->paused && job && (!live->app.state || live->app.state->job == job))
        screen->live_calls = tui_rewind_calls(&live->app.rewind, calls_now(job, live->app.scope));
    else if (screen->paused && screen->multi_job && live->app.scope == MODEL_ALL)
        screen->live_calls =
            live->app.rewind.compares ? MODEL_UNKNOWN : tui_multi_job_calls(live->session);
    tui_app_count_paused_frames(&live->app);
}

static void paint(struct live *live, bool all)
{
    if (live->app.screen.mode == TUI_MODE_OUTPUT) {
        tui_jobrun_output(live->session, live->output, sizeof live->output);
        live->app.screen.output = live->output;
    }
    const struct tui_rewind_parts parts = parts_of(live);
    tui_rewind_line(&parts, live->grid.cols);
    tui_rewind_strips(&parts, live->grid.cols);
    tui_screen_draw(&live->app.screen, &live->grid);
    /* Whether there is room shows when the rest has been drawn. */
    if (tui_rewind_graph(&parts, live->grid.cols))
        tui_screen_draw(&live->app.screen, &live->grid);
    if (all)
        tui_term_repaint(live->term, &live->grid);
    else
        tui_term_flush(live->term, &live->grid);
}

static void fit(struct live *live)
{
    tui_term_fit(live->term, &live->grid);
    tui_app_fit(&live->app, live->grid.cols);
}

/* ----------------------------------------------------------------------------------- attaching */

static void label(struct live *live)
{
    if (tui_multi_job_several(live->session) && live->app.look != TUI_SHOW_ONE)
        snprintf(live->label, sizeof live->label, "%zu jobs", live->session->attachments);
    else
        snprintf(live->label, sizeof live->label, "%s", tui_session_label(live->session));
    live->app.screen.label = live->label;
}

static void attached(struct live *live)
{
    struct tui_screen *screen = &live->app.screen;
    label(live);
    if (live->app.list == TUI_LIST_JOBS) {
        screen->mode = TUI_MODE_TABLE;
        live->app.list = TUI_LIST_NONE;
    }
    live->snapshots = 0;
    live->app.paused_frames = live->app.paused_lost = 0;
    live->first_picker = false;
    live->link_state = MODEL_CONNECTING;
    look_at_feed(live); /* the previous job is gone */
    tui_session_watch(live->session,
                      tui_auto_attach_awaited(live->session) || tui_restart_awaited(live->session));
}

/* Returns the job of a list line. Attaches to the running process first if it publishes nothing:
 * that takes a moment. */
static const struct registry_info *entered(struct live *live, const struct registry_info *info,
                                           char *why, size_t capacity)
{
    char message[TUI_ATTACH_RUNNING_MESSAGE];
    if (viewer_is_unpublished(info)) {
        tui_app_message(&live->app, false, "attaching to process %" PRIu64 " ...", info->pid);
        paint(live, false);
    }
    info = tui_attach_running_enter(live->session, info, message, why, capacity);
    if (message[0])
        tui_app_message(&live->app, false, "%s", message);
    return info;
}

static void attach(struct live *live, const struct registry_info *info)
{
    char why[512] = "that job has ended";
    info = info ? entered(live, info, why, sizeof why) : NULL;
    if (info && tui_session_attach(live->session, info, why, sizeof why)) {
        attached(live);
        return;
    }
    if (!tui_session_job(live->session)) /* there is nothing else to show */
        tui_pick_open(&live->app, live->session);
    tui_app_message(&live->app, true, "%s", why);
}

/* Attaches to the jobs marked in the picker. */
static void attach_marked(struct live *live)
{
    char why[512] = "";
    bool any = false;
    for (size_t i = 0; i < live->app.marks; i++) {
        const struct registry_info *info = tui_pick_find(live->session, live->app.mark[i]);
        info = info ? entered(live, info, why, sizeof why) : NULL;
        if (info)
            any |= any ? tui_session_attach_more(live->session, info, why, sizeof why)
                       : tui_session_attach(live->session, info, why, sizeof why);
    }
    live->app.marks = 0;
    if (any)
        attached(live);
    if (!any || why[0])
        tui_app_message(&live->app, true, "%s", why[0] ? why : "those jobs have ended");
}

/* Handles the key that opens the picker. If jobs were restarted, attaches to them without a
 * choice. */
static void pick(struct live *live)
{
    if (tui_restart_follow(live->session, &live->app)) {
        live->app.screen.paused = false;
        attached(live);
        return;
    }
    tui_session_watch(live->session, true);
    tui_pick_open(&live->app, live->session);
}

/* Attaches to jobs started since the last look, if all are wanted. */
static void attach_new(struct live *live)
{
    struct tui_session *session = live->session;
    char why[256];
    if (!tui_auto_attach_awaited(live->session) || !tui_session_look(session))
        return;
    bool first = !session->feed;
    size_t more = tui_auto_attach_attach(session, why, sizeof why);
    if (more > 0 && first)
        attached(live);
    else if (more > 0)
        tui_app_message(&live->app, false, "%zu more job%s attached%s", more,
                        more == 1 ? " is" : "s are", why[0] ? "; J says why others are not" : "");
    else if (why[0])
        tui_app_message(&live->app, true, "%s", why);
    if (more > 0)
        label(live);
}

static void look_for_jobs(struct live *live)
{
    char why[256];
    if (live->session->launched && !live->session->feed) {
        if (tui_jobrun_find(live->session, why, sizeof why))
            attached(live);
        return;
    }
    attach_new(live);
    if (live->session->launched)
        return;
    if (live->app.list == TUI_LIST_JOBS) {
        tui_pick_open(&live->app, live->session);
        /* If there are processes to attach to, the user may be about to choose one. */
        if (live->first_picker && live->session->silent.count == 0 &&
            viewer_jobs_only(&live->session->jobs))
            attach(live, viewer_jobs_only(&live->session->jobs));
    } else if (tui_restart_awaited(live->session)) {
        tui_restart_offer(live->session, &live->app);
    } else if (!tui_auto_attach_awaited(live->session)) {
        tui_session_watch(live->session, false);
    }
}

/* Lists the jobs attached to, brings one to the front, or detaches from ended jobs. */
static void do_with_jobs(struct live *live, unsigned want)
{
    struct tui_session *session = live->session;
    if (want & TUI_WANT_FRONT)
        tui_session_front(session, live->app.front);
    if (want & TUI_WANT_DROP) {
        size_t gone = tui_session_let_go_of_dead(session);
        tui_app_message(&live->app, false, "%zu job%s let go", gone, gone == 1 ? " was" : "s were");
        look_at_feed(live); /* it may have been the shown one */
        take_state(live);
    }
    if (want & (TUI_WANT_FRONT | TUI_WANT_DROP | TUI_WANT_STATE) && tui_session_label(session))
        label(live);
    if (want & TUI_WANT_JOBS) {
        attach_new(live); /* without this, jobs that came since the last look are missing */
        tui_multi_job_list(&live->multi_job, session, &live->app);
    }
    if (want & TUI_WANT_REASON)
        tui_multi_job_report_left(session, &live->app);
}

/* ------------------------------------------------------------------------------------ the loop */

/* Stops the whole foreground process group, as the key of the terminal would: a script that waits
 * for proftop has to stop too. If no shell could ever continue it, the kernel stops nothing. */
static void stop_here(void)
{
    struct sigaction usual = {.sa_handler = SIG_DFL}, before;
    sigset_t stop, blocked;
    sigemptyset(&stop);
    sigaddset(&stop, SIGTSTP);
    sigaction(SIGTSTP, &usual, &before);
    kill(0, SIGTSTP);
    sigprocmask(SIG_UNBLOCK, &stop, &blocked);
    sigprocmask(SIG_SETMASK, &blocked, NULL);
    sigaction(SIGTSTP, &before, NULL);
}

/* Takes a state as a key asks. While the screen is paused it is of the moment shown. */
static void take_now(struct live *live)
{
    const struct tui_rewind_parts parts = parts_of(live);
    if (!live->app.screen.paused)
        take_state(live);
    else
        tui_rewind_again(&parts);
}

static void do_time(struct live *live)
{
    const struct tui_rewind_parts parts = parts_of(live);
    tui_rewind_do(&parts, &live->app.time);
    if (!live->app.screen.paused)
        take_state(live);
}

static void do_requested(struct live *live, unsigned want, bool *dirty, bool *all)
{
    do_with_jobs(live, want);
    if (want & TUI_WANT_STATE)
        take_now(live);
    if (want & TUI_WANT_TIME)
        do_time(live);
    if (want & TUI_WANT_PICKER)
        pick(live);
    if (want & TUI_WANT_ATTACH) {
        live->app.screen.paused = false;
        tui_previews_release(&live->session->previews); /* jobs may need these descriptors */
        if (live->app.marks > 0)
            attach_marked(live);
        else
            attach(live, tui_pick_chosen(&live->app, live->session));
    }
    if (want & TUI_WANT_SUSPEND) {
        tui_term_suspend(live->term, stop_here);
        fit(live); /* the shell may have changed the terminal */
    }
    if (want & TUI_WANT_QUIT)
        live->done = true;
    if (want & TUI_WANT_CONTROL)
        tui_control_status_begin(&live->status, live->session, &live->app);
    if (want & TUI_WANT_END) {
        tui_jobrun_end(live->session);
        live->ending = true;
        tui_app_message(&live->app, false, "the job was asked to end; q leaves without waiting");
    }
    *all = *all || (want & (TUI_WANT_REPAINT | TUI_WANT_SUSPEND));
    *dirty = *dirty || want;
}

static void read_keys(struct live *live, bool *dirty, bool *all)
{
    for (;;) {
        uint32_t key = tui_term_key(live->term, live->app.asking != TUI_ASKING_NOTHING);
        if (key == TUI_KEY_NONE || live->done)
            return;
        do_requested(live, tui_app_key(&live->app, key), dirty, all);
    }
}

static void do_events(struct live *live, unsigned events, bool *dirty, bool *all)
{
    if (events & TUI_EVENT_HANGUP) {
        live->done = true;
        live->code = 128 + SIGHUP;
    }
    if (events & TUI_EVENT_QUIT) {
        live->done = true;
        live->code = 128 + live->session->signal;
    }
    if (events & TUI_EVENT_STOP)
        tui_term_suspend(live->term, stop_here);
    if (events & (TUI_EVENT_RESIZE | TUI_EVENT_STOP | TUI_EVENT_GO_ON)) {
        fit(live);
        *dirty = true;
        *all = *all || !(events & TUI_EVENT_RESIZE);
    }
    if (events & TUI_EVENT_JOBS) {
        look_for_jobs(live);
        *dirty = true;
    }
}

/* Watches the registry while an attached job is gone: it may be started again. */
static void watch_for_others(struct live *live)
{
    if (!live->session->options->endpoint && tui_restart_awaited(live->session))
        tui_session_watch(live->session, true);
}

/* Handles a change of the link: the data just received may be worth showing at once. */
static void watch_link(struct live *live, bool *dirty)
{
    const struct model_link *link = live->app.screen.link;
    if (!link)
        return;
    if (tui_multi_job_several(live->session) && live->multi_job.changes != live->changes) {
        live->changes = live->multi_job.changes;
        take_state(live);
        *dirty = true;
        watch_for_others(live);
    }
    if (link->snapshots != live->snapshots) {
        live->snapshots = link->snapshots;
        take_state(live);
        *dirty = true;
        if (!tui_session_even(live->session)) /* the next tick shows the whole snapshot */
            live->next_ns = live->session->now_ns;
    }
    if (link->state == live->link_state)
        return;
    *dirty = true;
    live->link_state = link->state;
    if (link->state == MODEL_GONE) {
        if (!live->app.screen.message_bad) /* the message was about a job that lived */
            live->app.screen.message[0] = '\0';
        take_state(live);
        watch_for_others(live);
    }
}

/* Shows what ssh printed. Otherwise a job that ssh cannot reach looks like one that does not
 * answer. */
static void watch_ssh(struct live *live)
{
    const struct model_link *link = tui_session_link(live->session);
    const char *message = tui_session_ssh(live->session);
    if (*message && link->state == MODEL_CONNECTING && live->app.screen.message[0] == '\0')
        tui_app_message(&live->app, true, "ssh says: %s", message);
}

/* A recording that stops does not stop the screen. */
static void watch_record(struct live *live, bool *dirty)
{
    const char *stopped = tui_record_stopped(live->session);
    if (!stopped)
        return;
    tui_app_message(&live->app, true, "%s", stopped);
    *dirty = true;
}

static void watch_command(struct live *live)
{
    struct tui_session *session = live->session;
    if (!session->launched)
        return;
    bool ran = live->app.command_runs;
    live->app.command_runs = session->ended_ns == 0;
    /* The command has ended, so the question "leave or end it?" is obsolete: proftop quits. */
    if (ran && !live->app.command_runs && live->app.list == TUI_LIST_LEAVE)
        live->done = true;
    if (tui_session_over(session) && (live->ending || !session->feed))
        live->done = true;
    if (!session->feed && !session->ended_ns && session->now_ns - live->begun_ns > SILENT_NS &&
        live->app.screen.message[0] == '\0')
        tui_jobrun_report_silent(session, &live->app);
}

/* A recording is first shown at its end, and stands there. */
static void begin_replay(struct live *live)
{
    const struct tui_rewind_parts parts = parts_of(live);
    const char *torn = viewer_recording_torn(live->session->replay->recording);
    look_at_feed(live);
    tui_rewind_follow(&live->app.rewind, live->session);
    fit_scope(live, viewer_subscriber_job(live->session->feed));
    const bool plays = live->session->options->plays;
    if (live->app.rewind.limit > 0)
        tui_rewind_do(&parts, &(struct tui_time_request){.what = TUI_TIME_GO,
                                                         .mono_ns = plays ? 0 : UINT64_MAX});
    if (plays && live->app.rewind.limit > 0) {
        live->app.rewind.loops = true;
        tui_app_pause(&live->app, false);
    }
    tui_app_open_page(&live->app);
    if (torn[0])
        tui_app_message(&live->app, true, "%s", torn);
}

static void loop(struct live *live)
{
    struct tui_session *session = live->session;
    bool dirty = true, all = true;
    while (!live->done) {
        look_at_feed(live);
        tui_rewind_follow(&live->app.rewind, session);
        if (tui_session_due(session, &live->next_ns)) {
            take_state(live);
            if (live->app.list == TUI_LIST_ATTACHED)
                tui_multi_job_list(&live->multi_job, session, &live->app);
            live->next_ns = session->now_ns + live->app.screen.refresh_ms * (uint64_t)TUI_NS_PER_MS;
            dirty = true;
        }
        if (dirty)
            paint(live, all);
        dirty = all = false;
        uint64_t refresh_ns = live->app.screen.refresh_ms * (uint64_t)TUI_NS_PER_MS;
        unsigned events = tui_session_wait(session, true, live->next_ns);
        do_events(live, events, &dirty, &all);
        look_at_feed(live);
        if (events & TUI_EVENT_KEYS)
            read_keys(live, &dirty, &all);
        watch_link(live, &dirty);
        watch_command(live);
        dirty = tui_control_status_watch(&live->status, session, &live->app) || dirty;
        watch_ssh(live);
        watch_record(live, &dirty);
        /* A faster refresh counts from now, not from the end of the slow interval. */
        if (live->app.screen.refresh_ms * (uint64_t)TUI_NS_PER_MS < refresh_ns)
            live->next_ns = session->now_ns;
    }
}

/* ------------------------------------------------------------------------------ begin and end */

/* Finds the job before the terminal is taken over: errors are still plain sentences. */
static int find_job(struct tui_session *session, char message[TUI_ATTACH_RUNNING_MESSAGE],
                    char *why, size_t capacity)
{
    const struct tui_options *options = session->options;
    message[0] = '\0';
    if (options->command == TUI_COMMAND_RUN)
        return TUI_EXIT_FINE;
    if (options->load)
        return tui_session_load(session, why, capacity);
    if (tui_replay_named(options))
        return tui_replay_open(session, options->history, why, capacity);
    if (!tui_attach_running_named(session, NULL, message, why, capacity))
        return TUI_EXIT_NO_JOB;
    int code = tui_session_attach_endpoint(session, why, capacity);
    if (code != TUI_EXIT_FINE || (options->endpoint && !options->pid && !options->children))
        return code;
    if (!tui_session_look(session)) {
        snprintf(why, capacity, "there is no memory left to look for jobs");
        return TUI_EXIT_NO_JOB;
    }
    if (tui_options_several(options))
        return tui_multi_job_find(session, why, capacity);
    const struct registry_info *info = tui_session_find_job(session);
    if (info)
        return tui_session_attach(session, info, why, capacity) ? TUI_EXIT_FINE : TUI_EXIT_NO_JOB;
    const bool several = options->job && tui_session_ambiguous(session);
    if (!options->pid && (!options->job || several))
        return TUI_EXIT_FINE; /* the list is shown */
    tui_pick_why(session, session->options->pid, why, capacity);
    return TUI_EXIT_NO_JOB;
}

static void label_command(struct live *live)
{
    tui_jobrun_label(live->session, live->label, sizeof live->label);
    live->app.screen.label = live->label;
}

static int open_screen(struct live *live, int given, char *why, size_t capacity)
{
    const struct tui_options *options = live->session->options;
    struct tui_term_options term = {options->color, options->sync};
    live->grid.ascii = options->ascii;
    live->term = tui_term_open(&term, why, capacity);
    if (!live->term)
        return TUI_EXIT_USAGE;
    if (options->command == TUI_COMMAND_RUN) {
        if (!tui_jobrun_start(live->session, given, why, capacity))
            return TUI_EXIT_NOT_STARTED;
        live->app.under_run = live->app.command_runs = true;
        live->app.screen.launched = true;
        label_command(live);
    }
    fit(live); /* the list of jobs fits the screen */
    if (tui_session_job(live->session) || live->session->feed)
        attached(live);
    else if (!live->session->launched) {
        pick(live);
        live->first_picker = live->session->jobs.count <= 1;
        if (options->job) {
            tui_pick_why(live->session, 0, why, capacity);
            tui_app_message(&live->app, true, "%s", why);
        }
    }
    live->next_ns = live->begun_ns = live->session->now_ns;
    return TUI_EXIT_FINE;
}

static struct live *live_new(struct tui_session *session)
{
    struct live *live = calloc(1, sizeof *live);
    if (live && !tui_app_init(&live->app, session->options)) {
        free(live);
        return NULL;
    }
    if (live)
        live->session = session;
    return live;
}

int tui_app_run(struct tui_session *session)
{
    char why[512] = "there is no memory left for the screen";
    int given = -1;
    struct live *live = live_new(session);
    char message[TUI_ATTACH_RUNNING_MESSAGE];
    int code = live ? find_job(session, message, why, sizeof why) : TUI_EXIT_NO_JOB;
    if (code == TUI_EXIT_FINE && !tui_jobrun_keyboard(&given, why, sizeof why))
        code = TUI_EXIT_USAGE;
    if (code == TUI_EXIT_FINE)
        code = open_screen(live, given, why, sizeof why);
    bool shown = code == TUI_EXIT_FINE;
    if (shown && message[0])
        tui_app_message(&live->app, false, "%s", message);
    if (shown && session->replay)
        begin_replay(live);
    if (shown)
        loop(live);
    if (live) {
        tui_term_close(&live->term);
        tui_grid_release(&live->grid);
        live->app.screen.multi_job = NULL;
        tui_multi_job_release(&live->multi_job);
        if (shown)
            code = live->code;
        tui_rewind_release(&live->app.rewind);
        tui_app_release(&live->app);
        free(live);
    }
    if (!shown)
        tui_sentence(stderr, "proftop: %s", why);
    const bool cut = code > 128; /* by a signal, or the terminal is gone */
    if (session->launched && session->options->demo && cut) {
        tui_jobrun_end(session); /* nobody else knows of this job */
    } else if (session->launched) {
        int command = tui_jobrun_finish(session, true);
        code = code ? code : command;
    }
    return code;
}

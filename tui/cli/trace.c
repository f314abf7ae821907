/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * trace.c: attaches to a job, asks it for a trace, waits for the events, and writes them.
 */
#include "config.h"

#include "tui/cli/trace.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "model/timeline.h"
#include "tui/app/app.h"
#include "tui/cli/report_attach.h"
#include "tui/cli/sentence.h"

enum {
    SECONDS = 5,      /* default length of the window, */
    EVENTS = 1000000, /* and most events */
    STEP_MS = 100,
    ANSWER_S = 5, /* longest wait for an answer, and for the last events after the window */
};

#define SECOND_NS (1000 * (uint64_t)TUI_NS_PER_MS)

struct trace {
    struct tui_session *session;
    struct model_job *job; /* the instance that is traced: one reference; NULL: not asked yet */
    struct tui_seek seek;
    const char *name; /* of the file */
    FILE *out;
    bool created; /* the file was not there before */
    bool asked, stops, stopped; /* stops: the user wants the end; stopped: the job was told */
    uint64_t window_ns, events, deadline_ns;
    int code;
    bool over;
    char why[2048]; /* a sentence, if it failed */
};

static void fail(struct trace *trace, int code, const char *why)
{
    trace->over = true;
    trace->code = code;
    if (why != trace->why)
        snprintf(trace->why, sizeof trace->why, "%s", why);
}

/* ------------------------------------------------------------------------------------- the file */

/* Opens the file before anything is traced, and leaves its contents until there are events. */
static void open_file(struct trace *trace)
{
    if (strcmp(trace->name, "-") == 0) {
        trace->out = stdout;
        return;
    }
    trace->created = access(trace->name, F_OK) != 0;
    const int fd = open(trace->name, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOCTTY, 0666);
    trace->out = fd < 0 ? NULL : fdopen(fd, "w");
    if (trace->out)
        return;
    snprintf(trace->why, sizeof trace->why, "'%.256s' cannot be opened for the trace: %s",
             trace->name, strerror(errno));
    fail(trace, TUI_EXIT_WRITE, trace->why);
}

static void write_piece(void *to, const char *bytes, size_t size)
{
    fwrite(bytes, 1, size, to);
}

static const char *reason_of(const struct trace *trace)
{
    static const char *const reasons[MODEL_TRACE_ENDS] = {
        [MODEL_TRACE_RUNS] = "; the connection ended before the window: the rest is missing",
        [MODEL_TRACE_TIME] = "",
        [MODEL_TRACE_STOPPED] = "; it was stopped early",
        [MODEL_TRACE_UNHEARD] = "; the job heard of no viewer and stopped early",
        [MODEL_TRACE_CLOSED] = "; the job ended in the window",
    };
    return reasons[model_job_timeline(trace->job)->why];
}

/* Says what is in the file, and what is not. */
static void say(const struct trace *trace, uint64_t until_ns)
{
    const struct model_timeline *timeline = model_job_timeline(trace->job);
    const uint64_t lost = model_timeline_lost(timeline);
    tui_sentence(stderr, "proftop: %zu events of %.3f s are in %s%s", timeline->count,
                 (double)(until_ns - timeline->begin_ns) / 1e9,
                 trace->out == stdout ? "this trace" : trace->name, reason_of(trace));
    if (lost > 0)
        tui_sentence(stderr,
                     "proftop: %" PRIu64 " more events are lost: the file has the first ones; "
                     "a shorter window or a larger --events has all",
                     lost);
    if (timeline->untimed > 0)
        tui_sentence(stderr,
                     "proftop: %" PRIu64 " calls were counted without a time: they have no "
                     "event",
                     timeline->untimed);
}

static void write_file(struct trace *trace)
{
    const uint64_t mono_ns = model_job_mono_ns(trace->job), wall_ns = model_job_wall_ns(trace->job);
    const struct model_timeline *timeline = model_job_timeline(trace->job);
    const uint64_t until_ns = timeline->until_ns == MODEL_UNKNOWN ? mono_ns : timeline->until_ns;
    const struct model_sink sink = {write_piece, trace->out};
    if (trace->out != stdout && ftruncate(fileno(trace->out), 0) != 0 && errno != EINVAL) {
        snprintf(trace->why, sizeof trace->why, "'%.256s' cannot be written: %s", trace->name,
                 strerror(errno));
        fail(trace, TUI_EXIT_WRITE, trace->why);
        return;
    }
    model_timeline_write(trace->job, wall_ns - mono_ns, &sink);
    errno = 0;
    if (fflush(trace->out) == 0 && !ferror(trace->out)) {
        say(trace, until_ns);
        return;
    }
    snprintf(trace->why, sizeof trace->why, "'%.256s' cannot be written: %s", trace->name,
             strerror(errno ? errno : ENOSPC));
    fail(trace, trace->out == stdout ? tui_exit_of_write(errno) : TUI_EXIT_WRITE, trace->why);
}

/* Removes the file if it was made here and has nothing. */
static void close_file(struct trace *trace, bool written)
{
    if (!trace->out || trace->out == stdout)
        return;
    fclose(trace->out);
    if (trace->created && !written)
        unlink(trace->name);
}

/* -------------------------------------------------------------------------------------- the job */

/* Asks for the trace once the job is known whole. */
static void ask(struct trace *trace)
{
    struct viewer_subscriber *feed = trace->session->feed;
    struct model_job *job = feed ? viewer_subscriber_job(feed) : NULL;
    char arg[64];
    if (!job || !model_job_complete(job))
        return;
    if (!trace->job) {
        if (!viewer_subscriber_trace(feed, trace->events)) {
            fail(trace, TUI_EXIT_JOB_LOST, "the trace cannot be subscribed to");
            return;
        }
        trace->job = model_job_retain(job);
    }
    snprintf(arg, sizeof arg, "%" PRIu64 ".%09" PRIu64 "\n%" PRIu64, trace->window_ns / SECOND_NS,
             trace->window_ns % SECOND_NS, trace->events);
    trace->asked = viewer_subscriber_control(feed, "trace", arg);
    if (trace->asked)
        trace->deadline_ns = trace->session->now_ns + ANSWER_S * SECOND_NS;
}

/* Checks the job's answer, and whether the job still lives. */
static void look(struct trace *trace)
{
    const struct tui_session *session = trace->session;
    const struct viewer_request_outcome *outcome = viewer_subscriber_outcome(session->feed);
    const struct model_link *link = viewer_subscriber_link(session->feed);
    const struct model_timeline *timeline = trace->job ? model_job_timeline(trace->job) : NULL;
    const bool began = timeline && timeline->number > 0;
    const bool gone = link->state == MODEL_GONE ||
                      (trace->job && viewer_subscriber_job(session->feed) != trace->job);
    if (timeline && timeline->why != MODEL_TRACE_RUNS)
        trace->over = true;
    else if (trace->asked && !trace->stopped && outcome->fate == VIEWER_DECLINED) {
        snprintf(trace->why, sizeof trace->why, "the job takes no trace: %s: %s", outcome->no,
                 outcome->text);
        fail(trace, TUI_EXIT_NO_JOB, trace->why);
    } else if (gone && began)
        trace->over = true;
    else if (gone || session->now_ns >= trace->deadline_ns) {
        snprintf(trace->why, sizeof trace->why, "%s%s%s",
                 gone ? "the job ended before it was traced"
                      : "the job sent no trace in time: it may be older, or busy",
                 *link->reason ? ": " : "", link->reason);
        if (began)
            trace->over = true;
        else
            fail(trace, TUI_EXIT_JOB_LOST, trace->why);
    } else if (began && timeline->until_ns == MODEL_UNKNOWN && !trace->stops)
        trace->deadline_ns = session->now_ns + trace->window_ns + ANSWER_S * SECOND_NS;
}

/* Ctrl-C ends the window; once more, it ends the wait for the last events. */
static void stop(struct trace *trace)
{
    if (trace->stops || !trace->asked) {
        fail(trace, 128 + trace->session->signal, "");
        return;
    }
    trace->stops = true;
    trace->deadline_ns = trace->session->now_ns + ANSWER_S * SECOND_NS;
}

/* Tells the job, once it has answered the first request. */
static void tell_end(struct trace *trace)
{
    struct viewer_subscriber *feed = trace->session->feed;
    if (viewer_subscriber_outcome(feed)->fate != VIEWER_ASKED)
        trace->stopped = viewer_subscriber_control(feed, "trace", "stop");
}

static void find(struct trace *trace)
{
    const int code = tui_seek_on(&trace->seek, trace->why, sizeof trace->why);
    if (code != TUI_EXIT_FINE)
        fail(trace, code, trace->why);
}

static void turn(struct trace *trace)
{
    struct tui_session *session = trace->session;
    const unsigned events =
        tui_session_wait(session, false, session->now_ns + STEP_MS * TUI_NS_PER_MS);
    if (events & TUI_EVENT_QUIT)
        stop(trace);
    if (!trace->over && (events & TUI_EVENT_JOBS) && !session->feed)
        find(trace);
    if (!trace->over && session->feed && !trace->asked)
        ask(trace);
    if (!trace->over && trace->stops && !trace->stopped)
        tell_end(trace);
    if (!trace->over && session->feed)
        look(trace);
    else if (!trace->over && session->now_ns >= trace->deadline_ns) {
        tui_seek_why(&trace->seek, trace->why, sizeof trace->why);
        fail(trace, TUI_EXIT_NO_JOB, trace->why);
    }
}

int tui_trace_run(struct tui_session *session)
{
    const struct tui_options *options = session->options;
    struct trace trace = {
        .session = session,
        .name = options->out ? options->out : "trace.json",
        .window_ns = options->window_ns ? options->window_ns : SECONDS * SECOND_NS,
        .events = options->trace_events ? options->trace_events : EVENTS,
        .deadline_ns = session->now_ns + options->wait_ns,
    };
    trace.seek = (struct tui_seek){.session = session, .deadline_ns = trace.deadline_ns};
    open_file(&trace);
    const int code =
        trace.over ? trace.code : tui_seek_begin(&trace.seek, trace.why, sizeof trace.why);
    if (!trace.over && code != TUI_EXIT_FINE)
        fail(&trace, code, trace.why);
    trace.deadline_ns = trace.seek.deadline_ns;
    while (!trace.over)
        turn(&trace);
    const bool came = trace.job && model_job_timeline(trace.job)->number > 0;
    trace.why[0] = came && trace.code == TUI_EXIT_FINE ? '\0' : trace.why[0];
    if (came && trace.code == TUI_EXIT_FINE)
        write_file(&trace);
    if (trace.why[0])
        tui_sentence(stderr, "proftop: %s", trace.why);
    close_file(&trace, came && trace.code == TUI_EXIT_FINE);
    model_job_release(&trace.job);
    return trace.code;
}

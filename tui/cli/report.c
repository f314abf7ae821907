/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * report.c: waits for the figures, prints reports, and gives the exit code.
 */
#include "config.h"

#include "tui/cli/report.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "feed/viewer/stream/headroom.h"
#include "feed/viewer/stream/dump.h"
#include "model/compile.h"
#include "model/chrome.h"
#include "model/csv.h"
#include "model/json.h"
#include "model/markdown.h"
#include "model/prom.h"
#include "tui/app/auto_attach.h"
#include "tui/app/multi_job.h"
#include "tui/app/run.h"
#include "tui/app/signals.h"
#include "tui/cli/report_attach.h"
#include "tui/cli/report_ready.h"
#include "tui/cli/sentence.h"

enum { DEFAULT_COLS = 120, MIN_COLS = 20, MAX_COLS = 1000, GOODBYE_NS = TUI_NS_PER_S };
enum { PATIENCE_NS = 2 * TUI_NS_PER_S }; /* a live job sends a hello each second */
enum { WAIT_NS = TUI_NS_PER_S }; /* a job that takes longer to begin gets a line of its own */
enum { LAST_NS = TUI_NS_PER_S, PIECE = 4096 }; /* limits for the last report, after a signal */
enum { ANSWER_NS = TUI_NS_PER_S / 20 };        /* interval between two looks for an answer */
/* In a longer report other output may stand in the middle, see shared(). */
enum { REPORT_SIZE = 1 << 20 };

struct batch {
    struct tui_app app;
    struct tui_session *session;
    struct tui_seek seek;
    struct tui_multi_job multi_job; /* used with several jobs */
    FILE *out;            /* destination of the reports */
    FILE *file;           /* where this report is printed: `out`, or first a memory stream */
    char *buffer;         /* stdio buffer of `out`; NULL: libc's own */
    uint64_t printed, next_ns, deadline_ns;
    /* Refreshes without figures before the first report; time of the next one. */
    uint64_t waited, wait_ns;
    struct tui_figures figures;
    struct model_csv *csv;    /* for --format csv, from the first report on */
    struct model_prom *prom;  /* for --format prom */
    uint64_t printed_mono_ns; /* stamp of the state printed last */
    uint64_t requested_ns;    /* when jobs were asked to make reports; 0: none is asked */
    uint64_t due_ns;          /* since when a report waits for the end of a tick; 0: none waits */
    struct model_link torn;   /* link to print when the figures are not a consistent snapshot */
    bool is_torn;
    bool final; /* the last report is printed */
    bool done;
    bool quits; /* a signal ends proftop: it does not wait for the command */
    int code;
    char label[160]; /* of several jobs, or of a command */
    char why[512];   /* error sentence; "": none */
};

static void fail(struct batch *batch, int code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static void fail(struct batch *batch, int code, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    vsnprintf(batch->why, sizeof batch->why, format, list);
    va_end(list);
    batch->code = code;
    batch->done = true;
}

/* A closed pipe means that the reader has read enough. Like other programs, proftop then prints no
 * error. */
static void fail_writing(struct batch *batch, int error)
{
    const char *out = batch->session->options->out;
    if (tui_exit_of_write(error) == TUI_EXIT_PIPE)
        fail(batch, TUI_EXIT_PIPE, "%s", "");
    else
        fail(batch, TUI_EXIT_WRITE, "the report could not be written to '%s': %s",
             out ? out : "standard output", error ? strerror(error) : "write error");
}

/* ------------------------------------------------------------------------------------- reports */

static struct model_job *job_of(const struct batch *batch)
{
    return tui_session_job(batch->session);
}

static bool several(const struct batch *batch)
{
    return tui_multi_job_several(batch->session);
}

/* Returns the link of the job, or the combined link of all jobs. */
static const struct model_link *link_of(struct batch *batch)
{
    if (!several(batch))
        return batch->is_torn ? &batch->torn : tui_session_link(batch->session);
    tui_multi_job_look(&batch->multi_job, batch->session);
    return &batch->multi_job.link;
}

/* Returns the label of the job, or of a command that publishes nothing yet. */
static const char *label_of(struct batch *batch)
{
    const struct tui_session *session = batch->session;
    if (several(batch))
        snprintf(batch->label, sizeof batch->label, "%zu jobs", session->attachments);
    else if (tui_session_label(session))
        return tui_session_label(session);
    else
        tui_jobrun_label(session, batch->label, sizeof batch->label);
    return batch->label;
}

/* True if a whole snapshot has arrived from each job that is still running. */
static bool is_whole(const struct batch *batch)
{
    const struct model_job *job = job_of(batch);
    return several(batch) ? tui_multi_job_ready(batch->session) : job && model_job_complete(job);
}

/* Warns once if a printed pane is not sorted as asked. JSON output is not sorted. */
static void warn_of_order(struct batch *batch)
{
    const struct tui_options *options = batch->session->options;
    unsigned panes = batch->app.screen.batch_panes ? batch->app.screen.batch_panes : TUI_ALL_PANES;
    char why[256];
    if (batch->printed == 0 && options->sort && options->format == TUI_FORMAT_TEXT &&
        tui_screen_unsorted(&batch->app.screen, options->sort, panes, why, sizeof why))
        tui_sentence(stderr, "proftop: %s", why);
}

/* Takes the combined state of several jobs. Text and JSON need it. Other formats print each job
 * alone. */
static bool take_several(struct batch *batch)
{
    const struct tui_options *options = batch->session->options;
    struct tui_app *app = &batch->app;
    if (options->format != TUI_FORMAT_TEXT)
        app->look = TUI_SHOW_RANKS;
    bool taken = tui_multi_job_take(&batch->multi_job, batch->session, app) &&
                 (app->look != TUI_SHOW_ONE || tui_app_take(app, job_of(batch)));
    if (!taken)
        fail(batch, TUI_EXIT_JOB_LOST, "there is no memory left for a state of these jobs");
    else if (app->screen.message_bad)
        fail(batch, TUI_EXIT_NO_JOB, "%s", app->screen.message);
    else
        warn_of_order(batch);
    app->screen.multi_job = tui_multi_job_of(&batch->multi_job, app);
    return !batch->done;
}

static bool take_state(struct batch *batch)
{
    const struct tui_options *options = batch->session->options;
    if (several(batch))
        return take_several(batch);
    struct model_job *job = job_of(batch);
    uint32_t scope = MODEL_ALL;
    char why[480];
    tui_aliases_give(&batch->app.aliases, job);
    if (!tui_scope_find(job, options, &scope, why, sizeof why)) {
        fail(batch, TUI_EXIT_NO_JOB, "%s", why);
        return false;
    }
    batch->app.scope = scope;
    if (tui_app_take(&batch->app, job)) {
        warn_of_order(batch);
        return true;
    }
    fail(batch, TUI_EXIT_JOB_LOST, "there is no memory left for a state of this job");
    return false;
}

static void write_piece(void *to, const char *bytes, size_t size)
{
    fwrite(bytes, 1, size, to);
    /* A long report is printed to its end as long as the reader takes it. */
    tui_signals_wait(false);
}

/* Sets the fields of the screen that do not come from a state. */
static struct tui_screen *set_screen(struct batch *batch)
{
    struct tui_screen *screen = &batch->app.screen;
    screen->link = several(batch) && batch->app.look == TUI_SHOW_ONE
                       ? tui_session_link(batch->session)
                       : link_of(batch);
    screen->now_ns = batch->session->now_ns;
    screen->wall_ns = tui_session_wall();
    if (batch->session->replay && batch->app.state)
        screen->wall_ns = batch->app.state->wall_ns;
    screen->label = label_of(batch);
    screen->launched = batch->session->launched;
    return screen;
}

/* Passes the report of all jobs to `write`, which returns false if out of memory. */
static void with_report(struct batch *batch, bool final,
                        bool (*write)(struct batch *batch, const struct model_report *report))
{
    static const struct model_link none = {.state = MODEL_CONNECTING,
                                           .reason = "The command publishes nothing yet."};
    const struct model_link *link = tui_session_link(batch->session) ? link_of(batch) : &none;
    const struct tui_session *session = batch->session;
    const size_t count = several(batch) ? session->attachments : 0;
    const struct tui_lefts *left = &session->left;
    struct model_report_job *jobs = calloc(count + 1, sizeof *jobs);
    struct model_report_left *lefts = calloc(left->count + 1, sizeof *lefts);
    for (size_t i = 0; lefts && i < left->count; i++)
        lefts[i] = (struct model_report_left){left->one[i].info.pid, left->one[i].info.program,
                                              left->one[i].why};
    for (size_t i = 0; jobs && i < count; i++)
        jobs[i] = (struct model_report_job){model_multi_job_one(batch->multi_job.multi_job, i),
                                            tui_session_link_of(session, i)};
    struct model_report report = {.state = batch->app.state,
                                  .link = link,
                                  .word = tui_screen_state(set_screen(batch)),
                                  .time_ns = tui_session_wall(),
                                  .final = final,
                                  .job = jobs,
                                  .jobs = count,
                                  .ranks = count ? batch->app.state : NULL,
                                  .left = lefts,
                                  .lefts = left->count};
    if (!jobs || !lefts || !write(batch, &report))
        fail(batch, TUI_EXIT_WRITE, "there is no memory left to print the report");
    free(jobs);
    free(lefts);
}

static bool write_json(struct batch *batch, const struct model_report *report)
{
    const struct model_sink sink = {write_piece, batch->file};
    model_json_write(report, &sink);
    return true;
}

static void print_json(struct batch *batch, bool final)
{
    with_report(batch, final, write_json);
}

static bool write_csv(struct batch *batch, const struct model_report *report)
{
    const struct model_sink sink = {write_piece, batch->file};
    const int pane = batch->session->options->pane;
    if (!batch->csv)
        batch->csv = model_csv_new(
            pane == TUI_PANE_ANY ? NULL : model_json_section_of(tui_panes[pane].table));
    return batch->csv && model_csv_write(batch->csv, report, &sink);
}

static bool write_prom(struct batch *batch, const struct model_report *report)
{
    const struct model_sink sink = {write_piece, batch->file};
    const struct tui_options *options = batch->session->options;
    if (!batch->prom)
        batch->prom = model_prom_new(options->top_given ? options->top : MODEL_PROM_USUAL);
    return batch->prom && model_prom_write(batch->prom, report, &sink);
}

static bool write_markdown(struct batch *batch, const struct model_report *report)
{
    const struct model_sink sink = {write_piece, batch->file};
    if (batch->printed)
        fputc('\n', batch->file);
    return model_markdown_write(report, &sink);
}

static bool write_chrome(struct batch *batch, const struct model_report *report)
{
    const struct model_sink sink = {write_piece, batch->file};
    return model_chrome_write(report, &sink);
}

static void print_chrome(struct batch *batch, bool final)
{
    with_report(batch, final, write_chrome);
}

static void print_markdown(struct batch *batch, bool final)
{
    with_report(batch, final, write_markdown);
}

static void print_prom(struct batch *batch, bool final)
{
    with_report(batch, final, write_prom);
}

static void print_csv(struct batch *batch, bool final)
{
    with_report(batch, final, write_csv);
}

/* Returns how the framework of a job prints its profile. NULL: print as text, which works for every
 * job. */
static const struct model_dialect *dialect_of(const struct batch *batch)
{
    const struct tui_options *options = batch->session->options;
    const struct model_job *job = job_of(batch);
    if (!options->summary || options->format != TUI_FORMAT_TEXT || !job || several(batch))
        return options->dialect;
    return model_dialect_of(model_job_identity(job));
}

/* Output sink for a profile. Notes whether anything was printed. */
struct profile {
    FILE *file;
    bool empty;
};

static void write_profile(void *to, const char *bytes, size_t size)
{
    struct profile *profile = to;
    profile->empty = profile->empty && size == 0;
    write_piece(profile->file, bytes, size);
}

static const char *label_of_one(struct batch *batch, size_t at)
{
    const struct tui_session *session = batch->session;
    return several(batch) ? viewer_subscriber_target(session->attached[at].feed)->label
                          : label_of(batch);
}

/* Prints the profiles of several jobs one after the other. A framework prints nothing for functions
 * without calls. */
static void print_profiles(struct batch *batch, const struct model_dialect *dialect)
{
    const size_t count = several(batch) ? batch->session->attachments : 1;
    for (size_t i = 0; i < count; i++) {
        struct profile profile = {batch->file, true};
        const struct model_sink sink = {write_profile, &profile};
        const struct model_state *state =
            several(batch) ? model_multi_job_one(batch->multi_job.multi_job, i) : batch->app.state;
        if (state && !model_summary_write(dialect, state, batch->session->options->rows, &sink))
            fail(batch, TUI_EXIT_WRITE, "there is no memory left to print the report");
        else if (profile.empty)
            fprintf(batch->file, "No function of %s has been called: there is no profile.\n",
                    label_of_one(batch, i));
    }
}

static size_t feeds_of(const struct batch *batch)
{
    return several(batch) ? batch->session->attachments : 1;
}

static struct viewer_subscriber *feed_at(const struct batch *batch, size_t at)
{
    return several(batch) ? batch->session->attached[at].feed : batch->session->feed;
}

/* Prints the statistics of several jobs one after the other. */
static void print_statistics(struct batch *batch, bool final)
{
    (void) final;
    const struct tui_options *options = batch->session->options;
    const struct shared_report_form form = {
        .json = options->format == TUI_FORMAT_MXNET_JSON,
        .order = options->order ? shared_order_find(options->order) : SHARED_BY_TOTAL,
        .ascending = options->ascending};
    for (size_t i = 0; i < feeds_of(batch); i++) {
        size_t size, rows;
        const struct model_job *job =
            several(batch) ? viewer_subscriber_job(feed_at(batch, i)) : job_of(batch);
        char *text = job ? viewer_dump_report(job, &form, &size, &rows) : NULL;
        if (text)
            write_piece(batch->file, text, size);
        else if (job)
            fail(batch, TUI_EXIT_WRITE, "there is no memory left to print the report");
        free(text);
    }
}

int tui_batch_columns(FILE *file)
{
    const char *text = getenv("COLUMNS");
    struct winsize size = {0};
    long cols = text ? strtol(text, NULL, 10) : 0;
    if (cols < MIN_COLS && ioctl(fileno(file), TIOCGWINSZ, &size) == 0)
        cols = size.ws_col;
    return cols < MIN_COLS ? 0 : cols > MAX_COLS ? MAX_COLS : (int)cols;
}

/* Prints the blank line between reports. Returns the columns of the text; 0: as many as needed. */
static int begin_text(struct batch *batch)
{
    struct tui_screen *screen = set_screen(batch);
    if (batch->printed || batch->waited)
        fputc('\n', batch->file);
    int cols = tui_batch_columns(batch->out);
    screen->batch_whole = cols == 0;
    return cols;
}

/* Prints text, or the profile of the job's framework. */
static void print_text(struct batch *batch, bool final)
{
    const struct model_dialect *dialect = dialect_of(batch);
    (void) final;
    if (dialect) {
        print_profiles(batch, dialect);
        return;
    }
    const struct tui_options *options = batch->session->options;
    struct tui_screen *screen = &batch->app.screen;
    int cols = begin_text(batch);
    if (!batch->printed)
        screen->batch_metrics = model_job_metrics(batch->app.state->job);
    if (!tui_batch_print(screen, cols ? cols : DEFAULT_COLS, options->ascii, batch->file))
        fail(batch, TUI_EXIT_WRITE, "there is no memory left to print the report");
    if (several(batch))
        tui_multi_job_print(&batch->multi_job, batch->session, &batch->app, batch->file);
}

static bool flush(struct batch *batch)
{
    if (fflush(batch->file) == 0 && !ferror(batch->file))
        return true;
    fail_writing(batch, errno);
    return false;
}

/* A refresh without figures: prints what the job does until it has some. */
static void print_waiting(struct batch *batch)
{
    const struct tui_options *options = batch->session->options;
    struct model_job *job = job_of(batch);
    if (!tui_format_is(options->format, TUI_FORMAT_WAITING))
        return;
    if (job && !tui_app_take(&batch->app, job))
        return; /* there may be memory for the next report */
    errno = 0;
    if (options->format == TUI_FORMAT_JSON)
        print_json(batch, false);
    else {
        int cols = begin_text(batch);
        tui_batch_print_waiting(&batch->app.screen, cols ? cols : DEFAULT_COLS, options->ascii,
                                batch->file);
    }
    batch->waited++;
    flush(batch);
}

/* Printers by format. Others: print_text(). */
static void (*const printers[TUI_FORMAT_COUNT])(struct batch *batch, bool final) = {
    [TUI_FORMAT_JSON] = print_json,
    [TUI_FORMAT_CSV] = print_csv,
    [TUI_FORMAT_MD] = print_markdown,
    [TUI_FORMAT_PROM] = print_prom,
    [TUI_FORMAT_CHROME] = print_chrome,
    [TUI_FORMAT_MXNET] = print_statistics,
    [TUI_FORMAT_MXNET_JSON] = print_statistics,
};

static void print_report(struct batch *batch, bool final)
{
    if (!take_state(batch))
        return;
    errno = 0;
    if (printers[batch->session->options->format])
        printers[batch->session->options->format](batch, final);
    else
        print_text(batch, final);
    if (!flush(batch))
        return;
    batch->printed++;
    batch->printed_mono_ns = batch->app.state->mono_ns;
    batch->final = final;
}

/* ----------------------------------------------- reports that jobs make, and reset their counts */

static bool request_report(struct batch *batch, struct viewer_subscriber *feed)
{
    const struct tui_options *options = batch->session->options;
    char arg[64];
    snprintf(arg, sizeof arg, "%s\n%s%s\nreset",
             options->format == TUI_FORMAT_MXNET_JSON ? "json" : "table",
             options->order ? options->order : "total", options->ascending ? "\nascending" : "");
    return viewer_subscriber_control(feed, "dump", arg);
}

/* Asks each job for a report. A job that cannot be asked now is not in this report: its counts go
 * on until the next one. */
static void request_reports(struct batch *batch)
{
    bool any = false;
    for (size_t i = 0; i < feeds_of(batch); i++)
        any |= request_report(batch, feed_at(batch, i));
    batch->requested_ns = any ? batch->session->now_ns : 0;
}

/* Prints why the report of a job will not come. */
static void print_failed(struct batch *batch, struct viewer_subscriber *feed)
{
    const struct viewer_request_outcome *outcome = viewer_subscriber_outcome(feed);
    const char *label = viewer_subscriber_target(feed)->label;
    const uint64_t wait_ns = batch->session->options->wait_ns;
    if (outcome->fate == VIEWER_DECLINED && strcmp(outcome->no, "wrong") == 0)
        fail(batch, TUI_EXIT_NO_JOB,
             "%s has an older library, which makes no reports: leave out --reset, and reset it "
             "with proftop ctl reset",
             label);
    else if (outcome->fate == VIEWER_DECLINED)
        fail(batch, TUI_EXIT_NO_JOB, "%s: %s: %s", label, outcome->no, outcome->text);
    else if (outcome->fate == VIEWER_LOST)
        fail(batch, TUI_EXIT_JOB_LOST,
             "the connection to %s broke before its report came; its counts may have begun anew",
             label);
    else if (batch->session->now_ns - batch->requested_ns > wait_ns)
        fail(batch, TUI_EXIT_JOB_LOST,
             "no report of %s came in time; its counts may have begun anew", label);
}

/* True if the request to a job is over. A job that has ended no longer answers. A job that declines
 * as busy is asked again. */
static bool is_over(struct batch *batch, struct viewer_subscriber *feed)
{
    const struct viewer_request_outcome *outcome = viewer_subscriber_outcome(feed);
    const bool gone = viewer_subscriber_link(feed)->state == MODEL_GONE;
    if (gone || outcome->fate == VIEWER_DONE || outcome->fate == VIEWER_NOT_ASKED)
        return true;
    if (outcome->fate == VIEWER_DECLINED && strcmp(outcome->no, "busy") == 0)
        request_report(batch, feed);
    else
        print_failed(batch, feed);
    return false;
}

/* Asks the jobs for reports, and prints them once all have arrived. */
static void print_made(struct batch *batch)
{
    bool over = true, any = false;
    if (!batch->requested_ns)
        request_reports(batch);
    for (size_t i = 0; i < feeds_of(batch) && batch->requested_ns && !batch->done; i++)
        over &= is_over(batch, feed_at(batch, i));
    if (!over || batch->done || !batch->requested_ns)
        return;
    for (size_t i = 0; i < feeds_of(batch); i++) {
        size_t size;
        char *text = viewer_subscriber_report(feed_at(batch, i), &size);
        if (text)
            write_piece(batch->file, text, size);
        any |= text != NULL;
        free(text);
    }
    batch->requested_ns = 0;
    batch->printed += any && flush(batch);
}

/* ------------------------------------------------------------------------------------ schedule */

static uint64_t report_count(const struct batch *batch)
{
    return batch->session->options->count ? batch->session->options->count : UINT64_MAX;
}

/* Writes ": 700 calls of ops did not come", if the job said that calls are missing. */
static void format_missing(const struct batch *batch, char *out, size_t capacity)
{
    const struct model_job *job = several(batch) ? NULL : job_of(batch);
    const uint64_t calls = job ? model_job_missing_calls(job) : 0;
    if (calls > 0 && calls != MODEL_UNKNOWN)
        snprintf(out, capacity, ": %llu calls of ops did not come", (unsigned long long)calls);
}

/* True if the command closed its feed and still runs: it may open another feed. */
static bool lives_on(const struct batch *batch, const struct model_link *link)
{
    return batch->session->launched && !batch->session->ended_ns && !several(batch) &&
           link->said_bye && batch->printed < report_count(batch);
}

/* The job is gone: prints the last report, and says how the job ended. */
static void finish(struct batch *batch, const struct model_link *link)
{
    bool whole = several(batch) ? tui_multi_job_any_whole(batch->session) : is_whole(batch);
    bool shown = whole || batch->printed > 0;
    if (whole && batch->printed < report_count(batch))
        print_report(batch, link->said_bye);
    if (batch->done)
        return;
    batch->done = !lives_on(batch, link);
    if (whole && link->said_bye)
        return;
    batch->done = true;
    const char *label = label_of(batch);
    char missing[80] = "";
    /* The command's own exit code says how it went. */
    const bool launched = batch->session->launched;
    if (shown)
        format_missing(batch, missing, sizeof missing);
    if (!shown)
        fail(batch, launched ? TUI_EXIT_FINE : TUI_EXIT_JOB_LOST,
             "%s ended before anything could be shown. %s", label, link->reason);
    else if (!launched || missing[0])
        fail(batch, launched ? TUI_EXIT_FINE : TUI_EXIT_JOB_LOST,
             "%s ended without saying so; its last figures may be "
             "incomplete%s. %s",
             label, missing, link->reason);
}

/* Fails because nothing arrived in time. */
static void give_up(struct batch *batch)
{
    const struct model_link *link = link_of(batch);
    double seconds = (double)batch->session->options->wait_ns / TUI_NS_PER_S;
    if (!link || batch->seek.missing) {
        char why[384];
        tui_seek_why(&batch->seek, why, sizeof why);
        fail(batch, TUI_EXIT_NO_JOB, "%s", why);
        return;
    }
    const char *ssh = tui_session_ssh(batch->session);
    if (*ssh) {
        fail(batch, TUI_EXIT_NO_JOB, "no figures came from %s within %g s; ssh says: %s",
             viewer_subscriber_target(batch->session->feed)->label, seconds, ssh);
        return;
    }
    char lack[160];
    if (!viewer_headroom_job(0, lack, sizeof lack)) {
        fail(batch, TUI_EXIT_NO_JOB, "no figures came from %s within %g s: %s", label_of(batch),
             seconds, lack);
        return;
    }
    const bool typed = batch->session->options->endpoint != NULL;
    const char last = link->reason[0] ? link->reason[strlen(link->reason) - 1] : '.';
    fail(batch, TUI_EXIT_NO_JOB,
         "no figures came from %s within %g s (%s). %s%s%s%s with --wait", label_of(batch), seconds,
         model_link_word(link->state), link->reason, strchr(".?!", last) ? "" : ".",
         link->reason[0] ? " " : "", typed ? "Check the endpoint, or wait longer" : "Wait longer");
}

/* True if a report has something to show. A report of compilations alone shows them from their
 * beginning. */
static bool figures_there(const struct batch *batch, const struct model_job *job)
{
    const int pane = batch->session->options->pane;
    return (pane != TUI_PANE_ANY && tui_panes[pane].table == MODEL_COMPILE &&
            model_job_compiles(job) > 0) ||
           tui_figures_there(&batch->figures, job, batch->session->now_ns);
}

/* True while a report still waits for the first op of a job. A job that was just started, or that
 * --wait waits for, gets this time. A running job is reported as it is. */
static bool awaits_figures(const struct batch *batch, struct model_job *job)
{
    const struct tui_options *options = batch->session->options;
    bool waits = batch->session->launched || options->wait_given;
    bool late = options->wait_given && batch->session->now_ns >= batch->deadline_ns;
    return waits && !late && !batch->printed && !several(batch) && !figures_there(batch, job);
}

/* True if a report can be printed. After the first report, a link state with a reason is printed
 * even if the figures of a new instance are not whole yet. With several jobs, a late job does not
 * hold back the others. */
static bool can_report(const struct batch *batch)
{
    const struct tui_session *session = batch->session;
    bool late = batch->printed || session->now_ns >= batch->deadline_ns;
    if (batch->seek.missing)
        return false;
    if (is_whole(batch))
        return true;
    if (several(batch))
        return late && tui_multi_job_any_whole(session);
    return job_of(batch) && batch->printed && tui_session_link(session)->reason[0] != '\0';
}

/* Marks the link as torn: its figures will not become a consistent snapshot soon. */
static void mark_torn(struct batch *batch)
{
    static const char late[] =
        "Parts of its last figures have not come: these are not of one moment.";
    batch->torn = *tui_session_link(batch->session);
    batch->is_torn = true;
    batch->torn.healing = 1;
    if (batch->torn.state == MODEL_LIVE)
        batch->torn.state = MODEL_LAGGING;
    if (!batch->torn.reason[0])
        snprintf(batch->torn.reason, sizeof batch->torn.reason, "%s", late);
}

/* True if the figures are a consistent snapshot. If not, reading stops at the end of the current
 * tick, between two ticks. A job that goes silent, or whose tick never ends, is reported as
 * torn. */
static bool is_even(struct batch *batch)
{
    struct tui_session *session = batch->session;
    if (several(batch) || !is_whole(batch) || !session->feed ||
        viewer_subscriber_is_consistent(session->feed)) {
        batch->due_ns = 0;
        return true;
    }
    if (batch->due_ns == 0)
        batch->due_ns = session->now_ns;
    session->stops = tui_session_link(session)->state != MODEL_STALE &&
                     session->now_ns - batch->due_ns < PATIENCE_NS;
    if (session->stops)
        return false;
    mark_torn(batch);
    batch->due_ns = 0;
    return true;
}

/* Handles a closed feed. If the command opens another feed, each feed gets its own last report. */
static void end_life(struct batch *batch, const struct model_link *link)
{
    struct tui_session *session = batch->session;
    const bool on = lives_on(batch, link);
    char why[384];
    if (on && !session->looking)
        tui_session_watch(session, true);
    const struct registry_info *next = on ? tui_jobrun_next_life(session) : NULL;
    if (batch->final)
        batch->done = !on;
    /* A summary is printed only after all output of the command. */
    else if (!session->options->summary || session->ended_ns || next)
        finish(batch, link);
    if (!next || batch->done)
        return;
    if (!tui_session_attach(session, next, why, sizeof why)) {
        fail(batch, TUI_EXIT_JOB_LOST, "the command opened another feed: %s", why);
        return;
    }
    tui_session_watch(session, session->options->children);
    batch->final = batch->is_torn = false;
    batch->due_ns = 0;
}

/* Sets the time of the next report. Nothing is read while a report is printed, which takes seconds
 * for a job of a million nodes. So the feed gets at least as long as the printing took before the
 * next report. */
static void pace(struct batch *batch, uint64_t begun_ns)
{
    const uint64_t delay_ns = batch->session->options->delay_ns, ended_ns = tui_session_now();
    const uint64_t least_ns = ended_ns + (ended_ns - begun_ns);
    batch->next_ns = (batch->next_ns ? batch->next_ns : begun_ns) + delay_ns;
    if (batch->next_ns < least_ns)
        batch->next_ns = least_ns;
    batch->session->now_ns = ended_ns;
}

/* True if a line without figures may be printed: for a command that was just started. */
static bool shows_waiting(const struct batch *batch)
{
    const struct tui_session *session = batch->session;
    return session->launched && !session->ended_ns && !batch->printed && !several(batch) &&
           !session->options->summary;
}

static void show_waiting(struct batch *batch)
{
    const uint64_t now_ns = batch->session->now_ns;
    if (!shows_waiting(batch) || now_ns < batch->wait_ns)
        return;
    if (batch->session->feed || !batch->waited) /* a command that never publishes gets one line */
        print_waiting(batch);
    batch->wait_ns = now_ns + batch->session->options->delay_ns;
}

static void end_report(struct batch *batch, uint64_t begun_ns)
{
    batch->is_torn = false;
    if (!batch->requested_ns)
        pace(batch, begun_ns);
    if (batch->printed >= report_count(batch))
        batch->done = true;
}

static void report_due(struct batch *batch)
{
    const struct model_link *link = link_of(batch);
    struct model_job *job = job_of(batch);
    uint64_t now_ns = batch->session->now_ns;
    batch->session->stops = false;
    if (batch->requested_ns) { /* whatever state the job is in */
        print_made(batch);
        end_report(batch, now_ns);
    }
    if (batch->requested_ns || batch->done)
        return;
    if (link && link->state == MODEL_GONE) {
        end_life(batch, link);
        return;
    }
    if (!can_report(batch)) {
        if (!batch->printed && !batch->session->launched && now_ns >= batch->deadline_ns)
            give_up(batch);
        show_waiting(batch);
        return;
    }
    if (job)
        tui_figures_note(&batch->figures, job, now_ns);
    if (awaits_figures(batch, job)) {
        show_waiting(batch);
        return;
    }
    if (now_ns < batch->next_ns || batch->session->options->summary || !is_even(batch))
        return;
    if (batch->session->options->reset)
        print_made(batch);
    else
        print_report(batch, false);
    end_report(batch, now_ns);
}

/* Returns when report_due() has to be called next. After the last report the command of `run` still
 * has to end. */
static uint64_t due_ns(const struct batch *batch)
{
    struct model_job *job = job_of(batch);
    if (batch->requested_ns)
        return batch->session->now_ns + ANSWER_NS;
    if (!can_report(batch) || awaits_figures(batch, job) || batch->session->options->summary) {
        const uint64_t now_ns = batch->session->now_ns;
        const uint64_t due = batch->deadline_ns > now_ns ? batch->deadline_ns : now_ns + GOODBYE_NS;
        return shows_waiting(batch) && batch->wait_ns < due ? batch->wait_ns : due;
    }
    return batch->due_ns ? batch->due_ns + PATIENCE_NS : batch->next_ns;
}

/* ------------------------------------------------------------------------------- begin and end */

static void find(struct batch *batch)
{
    char why[384];
    int code = tui_seek_on(&batch->seek, why, sizeof why);
    if (code != TUI_EXIT_FINE)
        fail(batch, code, "%s", why);
}

/* Prints the warnings of a file: what could not be read. */
static void name_unread(const struct tui_session *session)
{
    const struct model_job *job = session->load ? session->load->imported.saved.job : NULL;
    for (size_t i = 0; job && i < model_job_notices(job); i++)
        if (model_job_notice(job, i)->level > 0)
            tui_sentence(stderr, "proftop: %s: %s", session->load->label,
                         model_job_notice(job, i)->text.shown);
}

static void begin(struct batch *batch)
{
    struct tui_session *session = batch->session;
    char why[384];
    int code = TUI_EXIT_NOT_STARTED;
    if (session->options->load) {
        code = tui_session_load(session, why, sizeof why);
        name_unread(session);
    } else if (session->options->command != TUI_COMMAND_RUN)
        code = tui_seek_begin(&batch->seek, why, sizeof why);
    else if (tui_jobrun_start(session, -1, why, sizeof why))
        code = TUI_EXIT_FINE;
    if (code != TUI_EXIT_FINE)
        fail(batch, code, "%s", why);
}

/* Ctrl-C also reaches the command, which may handle it in its own way: proftop waits for the
 * command. */
static bool must_quit(const struct tui_session *session, unsigned events)
{
    return (events & TUI_EVENT_QUIT) && !(session->launched && session->signal == SIGINT);
}

/* Writes only as much as the descriptor takes at once, since the reader may be gone. A pipe that is
 * not full takes a piece. */
static void write_out(int fd, const char *text, size_t size)
{
    const uint64_t until_ns = tui_session_now() + LAST_NS;
    while (size > 0 && tui_session_now() < until_ns) {
        struct pollfd out = {fd, POLLOUT, 0};
        if (poll(&out, 1, (int)(LAST_NS / TUI_NS_PER_MS)) != 1)
            return;
        ssize_t done = write(fd, text, size < PIECE ? size : PIECE);
        if (done <= 0)
            return;
        text += done;
        size -= (size_t)done;
    }
}

/* Prints the last known figures when a signal ends proftop. Prints nothing after Ctrl-C: the user
 * has seen enough. */
static void leave_last(struct batch *batch)
{
    char *text = NULL;
    size_t size = 0;
    const int number = batch->session->signal;
    FILE *file = number == SIGTERM || number == SIGHUP ? open_memstream(&text, &size) : NULL;
    if (!file)
        return;
    batch->file = file;
    if (is_whole(batch) && !awaits_figures(batch, job_of(batch)))
        print_report(batch, false);
    else if (batch->session->launched && !several(batch))
        print_waiting(batch);
    fclose(file);
    batch->file = batch->out;
    batch->why[0] = '\0';
    write_out(fileno(batch->out), text, size);
    free(text);
}

static void loop(struct batch *batch)
{
    struct tui_session *session = batch->session;
    while (!batch->done) {
        unsigned events = tui_session_wait(session, false, due_ns(batch));
        if (must_quit(session, events)) {
            leave_last(batch);
            batch->done = batch->quits = true;
            batch->code = 128 + session->signal;
            return;
        }
        if (events & TUI_EVENT_STOP)
            raise(SIGSTOP);
        if (events & TUI_EVENT_JOBS)
            find(batch);
        if (session->listener)
            tui_auto_attach_report(session);
        if (!batch->done)
            report_due(batch);
        if (session->launched && tui_multi_job_over(session))
            batch->done = true;
    }
}

/* Waits for the command after the reports are printed. Its exit code becomes ours. The job of the
 * demo runs for its viewer alone. */
static void wait_for_command(struct batch *batch)
{
    struct tui_session *session = batch->session;
    if (session->options->demo)
        tui_jobrun_end(session);
    while (session->launched && !batch->quits && !tui_session_over(session)) {
        unsigned events = tui_session_wait(session, false, session->now_ns + GOODBYE_NS);
        if (!must_quit(session, events))
            continue;
        batch->code = 128 + session->signal;
        return;
    }
}

/* Opens a stream that the job writes to as well. The whole report is buffered and written at once,
 * so that no output of the job stands in the middle of it. Without this, stdio would write one
 * report in many pieces. */
static FILE *shared(struct batch *batch, FILE *stream)
{
    int fd = fcntl(fileno(stream), F_DUPFD_CLOEXEC, 3);
    FILE *own = fd < 0 ? NULL : fdopen(fd, "w");
    if (!own) {
        if (fd >= 0)
            close(fd);
        return stream;
    }
    batch->buffer = malloc(REPORT_SIZE);
    if (batch->buffer)
        setvbuf(own, batch->buffer, _IOFBF, REPORT_SIZE);
    return own;
}

static bool open_output(struct batch *batch)
{
    const struct tui_options *options = batch->session->options;
    bool run = options->command == TUI_COMMAND_RUN;
    if (!options->out || strcmp(options->out, "-") == 0) {
        FILE *stream = run && !options->out ? stderr : stdout;
        batch->out = batch->file = run ? shared(batch, stream) : stream;
        return true;
    }
    batch->out = batch->file = fopen(options->out, "we");
    if (!batch->file)
        fail(batch, TUI_EXIT_WRITE, "'%s' cannot be opened for the report: %s", options->out,
             strerror(errno));
    return batch->file != NULL;
}

static void close_output(struct batch *batch)
{
    if (batch->out && batch->out != stdout && batch->out != stderr && fclose(batch->out) != 0)
        fail_writing(batch, errno);
    free(batch->buffer);
}

static int end(struct batch *batch)
{
    struct tui_session *session = batch->session;
    if (batch->why[0])
        tui_sentence(stderr, "proftop: %s", batch->why);
    if (!session->launched || (batch->code > 128 && !session->ended_ns))
        return batch->code;
    int command = tui_jobrun_finish(session, false);
    return command ? command : batch->code;
}

/* True if the output shows no single applies. */
static bool wants_sums(const struct tui_options *options)
{
    return options->format == TUI_FORMAT_TEXT && !options->summary &&
           options->pane != TUI_PANE_ANY &&
           model_table_rows(tui_panes[options->pane].table) != MODEL_APPLY;
}

int tui_batch_run(struct tui_session *session)
{
    struct batch *batch = calloc(1, sizeof *batch);
    if (!batch || !tui_app_init(&batch->app, session->options)) {
        free(batch);
        fputs("proftop: there is no memory left\n", stderr);
        return TUI_EXIT_NO_JOB;
    }
    const struct tui_options *options = session->options;
    batch->session = session;
    batch->deadline_ns = session->now_ns + options->wait_ns;
    batch->wait_ns = session->now_ns + WAIT_NS;
    batch->seek = (struct tui_seek){
        .session = session, .deadline_ns = batch->deadline_ns, .lasting = options->count != 1};
    batch->app.screen.batch = true;
    batch->app.screen.batch_once = options->count == 1;
    batch->app.sums = wants_sums(options);
    batch->app.screen.batch_top = options->top;
    batch->app.screen.batch_panes = options->pane == TUI_PANE_ANY ? 0 : 1u << options->pane;
    if (open_output(batch))
        begin(batch);
    batch->deadline_ns = batch->seek.deadline_ns;
    loop(batch);
    wait_for_command(batch);
    close_output(batch);
    int code = end(batch);
    model_csv_free(&batch->csv);
    model_prom_free(&batch->prom);
    tui_multi_job_release(&batch->multi_job);
    tui_app_release(&batch->app);
    free(batch);
    return code;
}

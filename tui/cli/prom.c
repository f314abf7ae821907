/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * prom.c: attaches to jobs as they come, and answers each scrape with their counts at that moment.
 */
#include "config.h"

#include "tui/cli/prom.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

#include "model/prom.h"
#include "tui/app/alias.h"
#include "tui/app/auto_attach.h"
#include "tui/cli/http.h"
#include "tui/cli/report.h"
#include "tui/cli/report_attach.h"
#include "tui/cli/sentence.h"

#define NS_PER_S UINT64_C(1000000000)
/* A job that is over keeps its last counts for so long: a scraper comes once a minute or so. */
#define KEPT_NS (300 * NS_PER_S)

struct exporter {
    struct tui_session *session;
    struct tui_seek seek;
    struct tui_aliases aliases;
    struct model_prom *prom;
    struct tui_http *http;
    int code;
    bool done;
    char why[384]; /* error sentence; "": none */
};

/* ----------------------------------------------------------------------------------- the metrics
 */

static void write_piece(void *to, const char *bytes, size_t size)
{
    fwrite(bytes, 1, size, to);
}

/* Takes the state of a job now; NULL: it has none yet, or lacks a function that is named. */
static struct model_state *take_state(const struct exporter *exporter, size_t at)
{
    struct model_job *job = viewer_subscriber_job(exporter->session->attached[at].feed);
    uint32_t scope = MODEL_ALL;
    char why[256];
    if (!job || !model_job_complete(job))
        return NULL;
    tui_aliases_give(&exporter->aliases, job);
    if (!tui_scope_find(job, exporter->session->options, &scope, why, sizeof why))
        return NULL;
    return model_state_take_sums(job, scope, NULL);
}

/* Prints the metrics of these jobs. Returns NULL if out of memory. */
static char *print_metrics(struct exporter *exporter, const struct model_report *report,
                           size_t *size)
{
    char *text = NULL;
    FILE *file = open_memstream(&text, size);
    const struct model_sink sink = {write_piece, file};
    bool good = file && model_prom_write(exporter->prom, report, &sink);
    if (file)
        good = fclose(file) == 0 && good;
    if (good)
        return text;
    free(text);
    return NULL;
}

static char *make_page(void *of, size_t *size)
{
    static const struct model_link none = {.state = MODEL_CONNECTING};
    struct exporter *exporter = of;
    const struct tui_session *session = exporter->session;
    const size_t count = session->attachments;
    struct model_report_job *jobs = calloc(count + 1, sizeof *jobs);
    struct model_state **states = calloc(count + 1, sizeof(struct model_state *));
    char *text = NULL;
    for (size_t i = 0; jobs && states && i < count; i++) {
        states[i] = take_state(exporter, i);
        jobs[i] = (struct model_report_job){states[i], tui_session_link_of(session, i)};
    }
    const struct model_report report = {.link = &none, .job = jobs, .jobs = count};
    if (jobs && states)
        text = print_metrics(exporter, &report, size);
    for (size_t i = 0; states && i < count; i++)
        model_state_free(&states[i]);
    free(states);
    free(jobs);
    return text;
}

/* -------------------------------------------------------------------------------------- the jobs
 */

static void fail(struct exporter *exporter, int code)
{
    exporter->code = code;
    exporter->done = true;
}

/* Attaches to the jobs that are there now. */
static void find_jobs(struct exporter *exporter)
{
    struct tui_session *session = exporter->session;
    char why[384];
    if (!session->options->all) {
        const int code = tui_seek_on(&exporter->seek, exporter->why, sizeof exporter->why);
        if (code != TUI_EXIT_FINE)
            fail(exporter, code);
        return;
    }
    if (tui_session_look(session))
        tui_auto_attach_attach(session, why, sizeof why);
    tui_auto_attach_report(session);
}

/* Detaches from jobs that have been over for long. The last one of those that were named ends the
 * program. */
static void forget_jobs(struct exporter *exporter)
{
    struct tui_session *session = exporter->session;
    const size_t before = session->attachments;
    for (size_t i = before; i-- > 0;) {
        const struct model_link *link = tui_session_link_of(session, i);
        if (link->state == MODEL_GONE && session->now_ns - link->last_frame_ns > KEPT_NS)
            tui_session_let_go(session, i);
    }
    if (before > 0 && session->attachments == 0 && !session->options->all)
        exporter->done = true;
}

/* A named job has to come in time, as for a report. */
static void check_patience(struct exporter *exporter)
{
    const struct tui_session *session = exporter->session;
    if (session->options->all || (session->feed && !exporter->seek.missing) ||
        session->now_ns < exporter->seek.deadline_ns)
        return;
    tui_seek_why(&exporter->seek, exporter->why, sizeof exporter->why);
    fail(exporter, TUI_EXIT_NO_JOB);
}

static void loop(struct exporter *exporter)
{
    struct tui_session *session = exporter->session;
    while (!exporter->done) {
        uint64_t due_ns = tui_http_due_ns(exporter->http);
        if (due_ns > session->now_ns + NS_PER_S)
            due_ns = session->now_ns + NS_PER_S;
        const unsigned events = tui_session_wait(session, false, due_ns);
        if (events & TUI_EVENT_QUIT)
            return;
        if (events & TUI_EVENT_STOP)
            raise(SIGSTOP);
        if (events & TUI_EVENT_JOBS)
            find_jobs(exporter);
        forget_jobs(exporter);
        check_patience(exporter);
        tui_http_serve(exporter->http, session->now_ns, tui_session_wall());
    }
}

/* --------------------------------------------------------------------------------- begin and end
 */

static void begin(struct exporter *exporter)
{
    struct tui_session *session = exporter->session;
    const struct tui_options *options = session->options;
    const struct tui_http_form form = {.path = "/metrics",
                                       .type = "text/plain; version=0.0.4; charset=utf-8",
                                       .page = make_page,
                                       .of = exporter,
                                       .anywhere = options->insecure};
    exporter->prom = model_prom_new(options->top_given ? options->top : MODEL_PROM_USUAL);
    if (!exporter->prom || !tui_aliases_init(&exporter->aliases, options)) {
        snprintf(exporter->why, sizeof exporter->why, "there is no memory left to serve metrics");
        fail(exporter, TUI_EXIT_NO_JOB);
        return;
    }
    exporter->http = tui_http_open(options->serve, &form, exporter->why, sizeof exporter->why);
    if (!exporter->http) {
        fail(exporter, TUI_EXIT_USAGE);
        return;
    }
    session->server = tui_http_descriptor(exporter->http);
    if (options->all) {
        tui_session_watch(session, true);
        find_jobs(exporter);
    } else {
        const int code = tui_seek_begin(&exporter->seek, exporter->why, sizeof exporter->why);
        if (code != TUI_EXIT_FINE)
            fail(exporter, code);
    }
    if (!exporter->done)
        tui_sentence(stderr, "proftop: serves %s", tui_http_where(exporter->http));
}

int tui_prom_run(struct tui_session *session)
{
    struct exporter *exporter = calloc(1, sizeof *exporter);
    if (!exporter) {
        fputs("proftop: there is no memory left\n", stderr);
        return TUI_EXIT_NO_JOB;
    }
    exporter->session = session;
    exporter->seek = (struct tui_seek){.session = session,
                                       .deadline_ns = session->now_ns + session->options->wait_ns,
                                       .lasting = true};
    begin(exporter);
    loop(exporter);
    session->server = -1;
    if (exporter->why[0] && exporter->code != TUI_EXIT_FINE)
        tui_sentence(stderr, "proftop: %s", exporter->why);
    const int code = exporter->code;
    tui_http_close(&exporter->http);
    model_prom_free(&exporter->prom);
    tui_aliases_release(&exporter->aliases);
    free(exporter);
    return code;
}

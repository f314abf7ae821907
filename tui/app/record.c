/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * record.c: connects the histories of jobs with files.
 */
#include "config.h"

#include "tui/app/record.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "tui/app/app.h"
#include "tui/cli/sentence.h"
#include "tui/ui/draw.h"

/* Bytes of the history of a job that no screen shows: what comes between two looks at it. */
enum { HISTORY = 16 << 20 };

static struct model_job *job_at(const struct tui_session *session, size_t at)
{
    return viewer_subscriber_job(session->attached[at].feed);
}

static bool is_attached(void *of, struct model_job *job)
{
    const struct tui_session *session = of;
    for (size_t i = 0; i < session->attachments; i++)
        if (job_at(session, i) == job)
            return true;
    return false;
}

/* Takes over nothing of `path` if `named`. */
static int begin(struct tui_session *session, const char *path, bool named, char *why,
                 size_t capacity)
{
    const struct tui_options *options = session->options;
    const struct viewer_recorder_settings settings = {.every_ns = options->every_ns,
                                                      .most_bytes = options->record_bytes};
    struct tui_record *record = calloc(1, sizeof *record);
    if (!record) {
        snprintf(why, capacity, "there is no memory left for a recording");
        return TUI_EXIT_WRITE;
    }
    snprintf(record->named, sizeof record->named, "%s", named ? path : "");
    record->path = named ? record->named : path;
    record->recorder = viewer_recorder_new(record->path, &settings, why, capacity);
    if (!record->recorder) {
        free(record);
        return TUI_EXIT_WRITE;
    }
    session->record = record;
    session->follow = tui_record_follow;
    return TUI_EXIT_FINE;
}

int tui_record_open(struct tui_session *session, char *why, size_t capacity)
{
    return begin(session, session->options->record, false, why, capacity);
}

/* Begins the history of a job, unless the screen does. The job may have ended already. */
static void begin_history(struct tui_record *record, const struct tui_session *session,
                          const struct viewer_subscriber *feed)
{
    struct model_job *job = viewer_subscriber_job(feed);
    const struct tui_options *options = session->options;
    const bool screen = !options->batch && options->command != TUI_COMMAND_RECORD;
    if (model_history_of(job) || (screen && options->history > 0))
        return;
    struct model_history **grown =
        realloc(record->history, (record->histories + 1) * sizeof(struct model_history *));
    struct model_history *history = grown ? model_history_new(job, HISTORY) : NULL;
    if (grown)
        record->history = grown;
    if (!history)
        return;
    record->history[record->histories++] = history;
    if (model_job_complete(job) &&
        (viewer_subscriber_is_consistent(feed) || viewer_subscriber_link(feed)->said_bye))
        model_history_commit(history);
}

static void end_histories(struct tui_record *record, struct tui_session *session, bool all)
{
    for (size_t i = record->histories; i-- > 0;) {
        if (!all && is_attached(session, model_history_job(record->history[i])))
            continue;
        model_history_free(&record->history[i]);
        record->history[i] = record->history[--record->histories];
    }
}

void tui_record_follow(struct tui_session *session)
{
    struct tui_record *record = session->record;
    for (size_t i = 0; i < session->attachments; i++) {
        struct model_job *job = job_at(session, i);
        if (!job)
            continue;
        begin_history(record, session, session->attached[i].feed);
        viewer_recorder_job(record->recorder, job, tui_session_link_of(session, i));
    }
    viewer_recorder_follow(record->recorder, session->now_ns);
    viewer_recorder_leave(record->recorder, is_attached, session);
    end_histories(record, session, false);
}

const char *tui_record_stopped(struct tui_session *session)
{
    struct tui_record *record = session->record;
    bool full;
    const char *why =
        record && !record->told ? viewer_recorder_stopped(record->recorder, &full) : NULL;
    if (why)
        record->told = true;
    return why;
}

/* Writes "x.ptrec has 12 moments of 1.20 s, of 1 job, in 4.02 KiB". */
static void describe(const char *path, const struct viewer_recorded *recorded, char *out,
                     size_t capacity)
{
    char bytes[TUI_NUMBER_SIZE], ns[TUI_NUMBER_SIZE], jobs[48] = "";
    if (recorded->jobs != 1)
        snprintf(jobs, sizeof jobs, ", of %zu jobs", recorded->jobs);
    snprintf(out, capacity, "%s has %llu moment%s in %s%s, in %s", path,
             (unsigned long long)recorded->moments, recorded->moments == 1 ? "" : "s",
             tui_ns(ns, recorded->ns), jobs, tui_bytes(bytes, recorded->bytes));
}

/* Ends the recording. Writes what it has to `text`. Returns false, with a sentence in `why` unless
 * that was told before, if it is not whole. */
static bool end(struct tui_session *session, char *why, char *text, size_t capacity)
{
    struct tui_record *record = session->record;
    struct viewer_recorded recorded;
    const bool fine = viewer_recorder_end(&record->recorder, &recorded, why, capacity);
    if (record->told)
        why[0] = '\0';
    end_histories(record, session, true);
    free(record->history);
    describe(record->path, &recorded, text, capacity);
    session->record = NULL;
    session->follow = NULL;
    free(record);
    return fine;
}

int tui_record_close(struct tui_session *session)
{
    char why[512] = "", text[512];
    if (!session->record)
        return TUI_EXIT_FINE;
    const bool fine = end(session, why, text, sizeof why);
    if (!fine && why[0])
        tui_sentence(stderr, "proftop: %s", why);
    tui_sentence(stderr, "proftop: %s", text);
    return fine ? TUI_EXIT_FINE : TUI_EXIT_WRITE;
}

/* ------------------------------------------------------------------------------ what is kept */

enum { MOST_A_SECOND = 100 };

/* PROGRAM-PID-TIME.ptrec, of letters, digits, dots, dashes and underscores alone. */
static void name_file(const struct model_job *job, char *out, size_t capacity)
{
    const struct model_identity *who = model_job_identity(job);
    const char *slash = strrchr(who->program.raw, '/'),
               *program = slash ? slash + 1 : who->program.raw;
    const time_t now = (time_t)(tui_session_wall() / TUI_NS_PER_S);
    char plain[64], time[32] = "";
    struct tm at;
    size_t size = 0;
    for (; *program && size + 1 < sizeof plain; program++) {
        const char c = *program;
        const bool fine = (c >= '0' && c <= '9') || ((c | 32) >= 'a' && (c | 32) <= 'z') ||
                          (size > 0 && (c == '.' || c == '-')) || c == '_';
        plain[size++] = fine ? c : '_';
    }
    plain[size] = '\0';
    if (localtime_r(&now, &at))
        strftime(time, sizeof time, "%Y%m%d-%H%M%S", &at);
    const char *name = size > 0 ? plain : "job";
    snprintf(out, capacity, "%s-%llu-%s.ptrec", name, (unsigned long long)who->pid, time);
    for (int n = 2; access(out, F_OK) == 0 && n < MOST_A_SECOND; n++)
        snprintf(out, capacity, "%s-%llu-%s-%d.ptrec", name, (unsigned long long)who->pid, time, n);
}

bool tui_record_past(const struct tui_rewind *rewind, const struct tui_session *session,
                     char *sentence, size_t capacity)
{
    static const struct viewer_recorder_settings settings = {0};
    static const struct model_link none = {.state = MODEL_GONE};
    struct viewer_recorded recorded;
    char path[160], why[512];
    const struct model_job *front = session->feed ? viewer_subscriber_job(session->feed) : NULL;
    if (!front || rewind->lives == 0) {
        snprintf(sentence, capacity, "there is no past to save");
        return false;
    }
    name_file(front, path, sizeof path);
    struct viewer_recorder *recorder = viewer_recorder_new(path, &settings, sentence, capacity);
    if (!recorder)
        return false;
    for (size_t i = 0; i < rewind->lives; i++) {
        struct model_job *job = model_history_job(rewind->life[i].history);
        const struct model_link *link = &none;
        for (size_t k = 0; k < session->attachments; k++)
            if (job_at(session, k) == job)
                link = tui_session_link_of(session, k);
        viewer_recorder_job(recorder, job, link);
    }
    const bool fine = viewer_recorder_end(&recorder, &recorded, why, sizeof why);
    if (fine)
        describe(path, &recorded, sentence, capacity);
    else
        snprintf(sentence, capacity, "%s", why);
    return fine;
}

bool tui_record_toggle(struct tui_session *session, char *sentence, size_t capacity)
{
    char path[160], why[512] = "", text[512];
    const struct model_job *front = session->feed ? viewer_subscriber_job(session->feed) : NULL;
    if (session->record) {
        const bool whole = end(session, why, text, sizeof why);
        snprintf(sentence, capacity, "%s", whole || !why[0] ? text : why);
        return whole;
    }
    if (!front || session->replay) {
        snprintf(sentence, capacity, "%s",
                 front ? "this is a recording already" : "there is no job to record");
        return false;
    }
    name_file(front, path, sizeof path);
    if (begin(session, path, true, sentence, capacity) != TUI_EXIT_FINE)
        return false;
    snprintf(sentence, capacity, "records into %s; w ends that", path);
    return true;
}

/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * replay.c: reads a recording, and makes its jobs those of the session.
 */
#include "config.h"

#include "tui/app/replay.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "tui/app/app.h"
#include "tui/cli/sentence.h"
#include "tui/ui/draw.h"

/* Bytes of the file that are read before the screen is shown; the rest is read when it is asked
 * for. */
enum { FIRST_BYTES = 1 << 20 };
static const char suffix[] = ".ptrec";

bool tui_replay_named(const struct tui_options *options)
{
    const char *word = options->job;
    const size_t size = word ? strlen(word) : 0;
    const bool ends = size >= sizeof suffix && strcmp(word + size - sizeof suffix + 1, suffix) == 0;
    return options->command == TUI_COMMAND_ATTACH && word && (ends || viewer_recording_is(word));
}

/* ---------------------------------------------------------------------------------------- times */

/* A clock of the day, HH:MM or HH:MM:SS: the first such time since the recording began. */
static bool read_clock(const char *text, uint64_t first_ns, uint64_t *wall_ns)
{
    unsigned hour, minute, second = 0;
    char rest;
    const int got = sscanf(text, "%2u:%2u:%2u%c", &hour, &minute, &second, &rest);
    time_t first = (time_t)(first_ns / TUI_NS_PER_S);
    struct tm day;
    if (got < 2 || got > 3 || hour > 23 || minute > 59 || second > 59 ||
        strspn(text, "0123456789:") != strlen(text) || !localtime_r(&first, &day))
        return false;
    day.tm_hour = (int)hour;
    day.tm_min = (int)minute;
    day.tm_sec = (int)second;
    day.tm_isdst = -1;
    time_t at = mktime(&day);
    if (at < first) { /* on the next day */
        day.tm_mday++;
        day.tm_isdst = -1;
        at = mktime(&day);
    }
    *wall_ns = (uint64_t)at * TUI_NS_PER_S + TUI_NS_PER_S - 1;
    return true;
}

bool tui_replay_time(const char *text, uint64_t first_ns, uint64_t last_ns, uint64_t *wall_ns)
{
    uint64_t ns;
    const bool back = text[0] == '-';
    if (read_clock(text, first_ns, wall_ns))
        return true;
    if (!tui_seconds_parse(text + back, &ns))
        return false;
    *wall_ns = !back ? first_ns + ns : ns < last_ns ? last_ns - ns : 0;
    return true;
}

/* ----------------------------------------------------------------------------------------- jobs */

/* The state of a job's link, said of a recording. */
static struct model_link link_of(const struct model_playback *playback, uint64_t wall_ns)
{
    struct model_link link = *model_playback_link(playback);
    const char *word = model_link_text(&link);
    char time[16], reason[96] = "";
    if (!model_link_ended(&link))
        model_text_safe(link.reason, strlen(link.reason), reason, sizeof reason);
    tui_clock(wall_ns, time, sizeof time);
    link.state = MODEL_LIVE;
    link.said_bye = link.detached = 0;
    link.replay = 1;
    snprintf(link.reason, sizeof link.reason, "A recording: the job was %s at %s.%s%s", word, time,
             reason[0] ? " " : "", reason);
    return link;
}

static struct viewer_subscriber *subscriber_of(const struct model_playback *playback,
                                               const char *path)
{
    struct model_job *job = model_playback_job(playback);
    const struct model_link link = link_of(playback, model_job_wall_ns(job));
    return viewer_subscriber_still(job, &link, path);
}

/* True if the second job is the program of the first, started again. */
static bool is_again(const struct model_job *first, const struct model_job *second)
{
    const struct model_identity *a = model_job_identity(first), *b = model_job_identity(second);
    return a->program.raw_size == b->program.raw_size && a->host.raw_size == b->host.raw_size &&
           memcmp(a->program.raw, b->program.raw, a->program.raw_size) == 0 &&
           memcmp(a->host.raw, b->host.raw, a->host.raw_size) == 0 && a->rank == b->rank;
}

/* Marks the jobs that ended before their program was started again. */
static void find_replaced(struct tui_replay *replay)
{
    for (size_t i = 0; i < replay->jobs; i++)
        for (size_t k = i + 1; k < replay->jobs; k++) {
            struct tui_replayed *one = &replay->job[i];
            const struct tui_replayed *next = &replay->job[k];
            one->replaced |= is_again(one->job, next->job) &&
                             viewer_recording_last_ns(replay->recording, one->number) <=
                                 viewer_recording_first_ns(replay->recording, next->number);
        }
}

void tui_replay_close(struct tui_replay **replay)
{
    struct tui_replay *r = *replay;
    if (!r)
        return;
    for (size_t i = 0; i < r->jobs; i++) {
        struct model_history *history = model_history_of(r->job[i].job);
        model_history_free(&history); /* the screen was not opened */
        model_job_release(&r->job[i].job);
    }
    viewer_recording_close(&r->recording);
    free(r->job);
    free(r);
    *replay = NULL;
}

/* Reads all jobs of a recording that have a moment. Their playbacks are the caller's. */
static struct model_playback **read_jobs(struct tui_replay *replay, size_t history, const char *at,
                                         char *why, size_t capacity)
{
    const size_t jobs = viewer_recording_jobs(replay->recording);
    struct model_playback **playback = calloc(jobs + 1, sizeof(struct model_playback *));
    replay->job = calloc(jobs + 1, sizeof *replay->job);
    snprintf(why, capacity, "there is no memory left to read the recording");
    uint64_t until_ns;
    if (!playback || !replay->job)
        return playback;
    until_ns = UINT64_MAX;
    if (at && !tui_replay_time(at, viewer_recording_first_ns(replay->recording, 0),
                               viewer_recording_last_ns(replay->recording, 0), &until_ns)) {
        snprintf(why, capacity,
                 "--at takes seconds since the recording began, seconds before its end as "
                 "-10, or a time as 14:07:30");
        return playback;
    }
    for (size_t i = 0; i < jobs; i++) {
        if (i > 0 && viewer_recording_first_ns(replay->recording, i) > until_ns)
            continue; /* it came later */
        const struct viewer_recording_part part = {
            .job = i, .history = history, .until_ns = until_ns, .most = FIRST_BYTES / jobs + 1};
        size_t segment = 0;
        playback[replay->jobs] =
            viewer_recording_read(replay->recording, &part, &segment, why, capacity);
        if (!playback[replay->jobs])
            continue;
        replay->job[replay->jobs] = (struct tui_replayed){
            .job = model_job_retain(model_playback_job(playback[replay->jobs])),
            .number = i,
            .segment = segment};
        replay->jobs++;
    }
    find_replaced(replay);
    return playback;
}

static void free_all(struct model_playback **playback, size_t count)
{
    for (size_t i = 0; playback && i < count; i++)
        model_playback_free(&playback[i]);
    free(playback);
}

static struct tui_replay *replay_new(const char *path, char *why, size_t capacity)
{
    struct tui_replay *replay = calloc(1, sizeof *replay);
    if (!replay) {
        snprintf(why, capacity, "there is no memory left to read a recording");
        return NULL;
    }
    replay->recording = viewer_recording_open(path, why, capacity);
    if (!replay->recording)
        tui_replay_close(&replay);
    return replay;
}

int tui_replay_open(struct tui_session *session, size_t history, char *why, size_t capacity)
{
    const struct tui_options *options = session->options;
    struct tui_replay *replay = replay_new(options->job, why, capacity);
    if (!replay)
        return TUI_EXIT_NO_JOB;
    struct model_playback **playback = read_jobs(replay, history, options->at, why, capacity);
    for (size_t i = 0; i < replay->jobs; i++) {
        if (replay->job[i].replaced)
            continue;
        struct viewer_subscriber *feed = subscriber_of(playback[i], options->job);
        if (!feed || !tui_session_attach_still(session, feed))
            snprintf(why, capacity, "there is no memory left to show the recording");
    }
    free_all(playback, replay->jobs);
    session->replay = replay;
    const char *torn = viewer_recording_torn(replay->recording);
    if (session->attachments > 0 && torn[0] && options->batch)
        tui_sentence(stderr, "proftop: %s", torn);
    return session->attachments > 0 ? TUI_EXIT_FINE : TUI_EXIT_NO_JOB;
}

static struct tui_replayed *replayed(const struct tui_replay *replay, const struct model_job *job)
{
    for (size_t i = 0; i < replay->jobs; i++)
        if (replay->job[i].job == job)
            return &replay->job[i];
    return NULL;
}

uint64_t tui_replay_first_ns(const struct tui_replay *replay, const struct model_job *job)
{
    const struct tui_replayed *of = replayed(replay, job);
    return of ? viewer_recording_first_ns(replay->recording, of->number) : 0;
}

bool tui_replay_earlier(struct tui_replay *replay, struct model_job *job)
{
    struct model_history *history = model_history_of(job);
    struct tui_replayed *of = replayed(replay, job);
    char why[512];
    if (!of || !history || of->segment == 0)
        return false;
    struct model_playback *playback =
        viewer_recording_read_segment(replay->recording, of->number, of->segment - 1,
                                      model_history_most(history), why, sizeof why);
    struct model_history *older = playback ? model_history_of(model_playback_job(playback)) : NULL;
    const bool fine = older && model_history_prepend(history, older);
    of->segment -= fine;
    model_playback_free(&playback);
    model_history_free(&older);
    return fine;
}

struct viewer_subscriber *tui_replay_last(const char *path, const char *at, char *why,
                                          size_t capacity)
{
    struct viewer_subscriber *feed = NULL;
    struct tui_replay *replay = replay_new(path, why, capacity);
    if (!replay)
        return NULL;
    struct model_playback **playback = read_jobs(replay, 0, at, why, capacity);
    size_t shown = 0, which = 0;
    for (size_t i = 0; i < replay->jobs; i++)
        if (!replay->job[i].replaced) {
            which = i;
            shown++;
        }
    if (shown == 1)
        feed = subscriber_of(playback[which], path);
    else if (shown > 1)
        snprintf(why, capacity, "the recording '%.200s' has %zu jobs; one is compared with one",
                 path, shown);
    if (feed && viewer_recording_torn(replay->recording)[0])
        tui_sentence(stderr, "proftop: %s", viewer_recording_torn(replay->recording));
    free_all(playback, replay->jobs);
    tui_replay_close(&replay);
    return feed;
}

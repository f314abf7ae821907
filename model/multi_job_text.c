/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * multi_job_text.c: what is wrong with one of several jobs, as a sentence.
 */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/job_info.h"
#include "model/multi_job.h"

enum { LISTED = 8, GROUPS = 3, LINE_SIZE = 120 }; /* ranks and ops that a sentence names */

struct words {
    char *out;
    size_t capacity, used;
};

static void say(struct words *words, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void say(struct words *words, const char *format, ...)
{
    va_list list;
    if (words->used >= words->capacity)
        return;
    va_start(list, format);
    int size = vsnprintf(words->out + words->used, words->capacity - words->used, format, list);
    va_end(list);
    words->used += size > 0 ? (size_t)size : 0;
}

static double seconds(uint64_t ns)
{
    return (double)ns / 1e9;
}

/* --------------------------------------------------------------------------------- lists of jobs
 */

typedef bool choice(const struct model_multi_job_state *state, size_t at, const void *with);

static bool is_over(const struct model_multi_job_state *state, size_t at, const void *with)
{
    (void)with;
    return state->job[at].link == MODEL_GONE && !state->job[at].lingers;
}

static bool is_missing_too(const struct model_multi_job_state *state, size_t at, const void *with)
{
    (void)with;
    return state->job[at].role == MODEL_HANG_MISSING && at != state->hung.job;
}

/* Name of the op in which a job waits. */
static const char *op_of(const struct model_multi_job_entry *job)
{
    return job->waits_in == MODEL_NONE ? NULL
                                       : model_job_apply(job->job, job->waits_in)->label.shown;
}

/* `with`: the name of an op in which it waits, or NULL: any. */
static bool is_waiting(const struct model_multi_job_state *state, size_t at, const void *with)
{
    const char *op = op_of(&state->job[at]);
    return state->job[at].role == MODEL_HANG_WAITS && op && (!with || strcmp(op, with) == 0);
}

/* True if the label of a job is "rank N". Sets N. */
static bool is_rank(const struct model_multi_job_entry *job, uint64_t *rank)
{
    *rank = job->job ? model_job_identity(job->job)->rank : MODEL_UNKNOWN;
    return *rank != MODEL_UNKNOWN && strncmp(job->label, "rank ", 5) == 0;
}

static int ascending(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* Says "rank 3", "ranks 0, 1, 3", or, of jobs without ranks, how many they are. Returns how many.
 */
static size_t say_jobs(struct words *words, const struct model_multi_job_state *state,
                       choice *chosen, const void *with)
{
    uint64_t *rank = malloc((state->jobs + 1) * sizeof(*rank));
    size_t count = 0, ranks = 0, over = 0;
    for (size_t i = 0; i < state->jobs; i++) {
        if (!chosen(state, i, with))
            continue;
        count++;
        ranks += rank && is_rank(&state->job[i], &rank[ranks]);
        over += is_over(state, i, NULL);
    }
    /* A launcher may be over as well. It has no rank. */
    if (ranks > 0 && (ranks == count || over == count)) {
        qsort(rank, ranks, sizeof(*rank), ascending);
        count = ranks;
        say(words, ranks == 1 ? "rank " : "ranks ");
        for (size_t i = 0; i < ranks && i < LISTED; i++)
            say(words, "%s%" PRIu64, i ? ", " : "", rank[i]);
        if (ranks > LISTED)
            say(words, " and %zu more", ranks - LISTED);
    } else {
        say(words, "%zu", count);
    }
    free(rank);
    return count;
}

static bool any(const struct model_multi_job_state *state, choice *chosen)
{
    for (size_t i = 0; i < state->jobs; i++)
        if (chosen(state, i, NULL))
            return true;
    return false;
}

/* Lists the ops in which jobs wait, at most GROUPS. Returns how many there are. */
static size_t ops_of(const struct model_multi_job_state *state, const char *op[GROUPS])
{
    size_t ops = 0;
    for (size_t i = 0; i < state->jobs; i++) {
        if (!is_waiting(state, i, NULL))
            continue;
        size_t at = 0;
        while (at < ops && at < GROUPS && strcmp(op[at], op_of(&state->job[i])) != 0)
            at++;
        if (at < ops && at < GROUPS)
            continue;
        if (ops < GROUPS)
            op[ops] = op_of(&state->job[i]);
        ops++;
    }
    return ops;
}

/* Says where the jobs wait that wait, and for how long: " in gloo:all_reduce for 4.0s", or, if they
 * are not all in one op, which jobs are in which. */
static void say_where(struct words *words, const struct model_multi_job_state *state)
{
    const char *op[GROUPS] = {NULL};
    const size_t ops = ops_of(state, op);
    uint64_t ns = 0;
    for (size_t i = 0; i < state->jobs; i++)
        if (is_waiting(state, i, NULL) && state->job[i].waits_in_ns > ns)
            ns = state->job[i].waits_in_ns;
    if (ops == 1)
        say(words, " in %.100s", op[0]);
    for (size_t i = 0; ops > 1 && i < ops && i < GROUPS; i++) {
        say(words, i ? ", " : ": ");
        say_jobs(words, state, is_waiting, op[i]);
        say(words, " in %.60s", op[i]);
    }
    if (ops > 0)
        say(words, " for %.1fs", seconds(ns));
}

static void say_over(struct words *words, const struct model_multi_job_state *state)
{
    if (!any(state, is_over))
        return;
    say(words, "; ");
    say(words, say_jobs(words, state, is_over, NULL) == 1 ? " is over" : " are over");
}

/* ------------------------------------------------------------------------------------- verdicts */

/* Says how long a job has been in no op, and where its program is, if the job tells that. */
static void say_no_op(struct words *words, const struct model_multi_job_entry *job)
{
    const struct model_identity *who = model_job_identity(job->job);
    /* A job that counts in windows does not know what began before a window. */
    say(words, who->share < 1 ? "in no op that it has seen" : "in no op");
    if (job->quiet_ns != MODEL_UNKNOWN)
        say(words, " for %.1fs", seconds(job->quiet_ns));
}

static void say_line(struct words *words, const struct model_multi_job_entry *job)
{
    char safe[LINE_SIZE];
    size_t size = 0;
    const char *line = job->job ? model_fact(model_job_identity(job->job), "at", &size) : NULL;
    for (size_t i = size; line && i > 0; i--)
        if (line[i - 1] == '/') { /* the screen has no room for its folder */
            line += i;
            size -= i;
            break;
        }
    if (line && model_text_safe(line, size, safe, sizeof safe) > 0)
        say(words, ", at %s", safe);
}

/* Says which collective a job waits in that has a flight recorder, and the latest one of the job
 * that is missing. Groups of ranks count their own collectives. Returns false if `who` tells
 * none. */
static bool say_recorded(struct words *words, const struct model_identity *who,
                         const struct model_identity *missing)
{
    static const char open[] = "collective_open.";
    enum { OPEN = sizeof(open) - 1, GROUP_MAX = 60, NAME_SIZE = 80 };
    size_t from = 0, size;
    const char *line;
    while ((line = model_fact_line(who, &from, &size)) != NULL) {
        const char *end = size > OPEN ? memchr(line, '=', size) : NULL;
        char name[NAME_SIZE], group[NAME_SIZE];
        const int length = end ? (int)(end - line) - OPEN : 0;
        if (length <= 0 || length > GROUP_MAX || memcmp(line, open, OPEN) != 0)
            continue;
        snprintf(name, sizeof(name), "collective.%.*s", length, line + OPEN);
        const uint64_t number = strtoull(end + 1, NULL, 10), at = model_fact_number(missing, name);
        model_text_safe(line + OPEN, (size_t)length, group, sizeof(group));
        say(words, ", number %" PRIu64 " of group %s", number, group);
        if (at != MODEL_UNKNOWN)
            say(words, " (the missing one is at %" PRIu64 ")", at);
        return true;
    }
    return false;
}

/* Says what a job does that the others wait for. */
static void say_missing(struct words *words, const struct model_multi_job_state *state)
{
    static const char *const does[] = {
        [MODEL_STARVED_UNKNOWN] = "hangs or gets no processor in",
        [MODEL_STARVED_NO] = "hangs in",
        [MODEL_STARVED_YES] = "gets no processor in",
    };
    const struct model_multi_job_entry *job = &state->job[state->hung.job];
    const char *op =
        job->open == MODEL_NONE ? "no op" : model_job_apply(job->job, job->open)->label.shown;
    const bool is_silent = job->link != MODEL_LIVE && job->link != MODEL_LAGGING;
    if (is_silent)
        say(words, "%s is silent, last seen in %.100s", job->label, op);
    else if (job->open != MODEL_NONE)
        say(words, "%s %s %.100s for %.1fs", job->label, does[state->hung.starved], op,
            seconds(job->open_ns));
    else
        say(words, "%s is ", job->label);
    if (job->open == MODEL_NONE && !is_silent)
        say_no_op(words, job);
    if (!is_silent)
        say_line(words, job);
    if (any(state, is_missing_too)) {
        say(words, "; ");
        say(words, say_jobs(words, state, is_missing_too, NULL) == 1 ? " is missing too"
                                                                     : " are missing too");
    }
    if (state->hung.waiting == 0)
        return;
    say(words, "; ");
    say(words, say_jobs(words, state, is_waiting, NULL) == 1 ? " waits for it" : " wait for it");
    say_where(words, state);
    for (size_t i = 0; i < state->jobs; i++)
        if (is_waiting(state, i, NULL) && job->job &&
            say_recorded(words, model_job_identity(state->job[i].job),
                         model_job_identity(job->job)))
            return;
}

/* Says what the last rank does after others are over. */
static void say_last(struct words *words, const struct model_multi_job_state *state)
{
    const struct model_multi_job_entry *job = &state->job[state->hung.job];
    say(words, "%s still runs, ", job->label);
    if (job->lingers)
        say(words, "as process %" PRIu64 ", although it has said goodbye",
            model_job_identity(job->job)->pid);
    else if (job->waits_in != MODEL_NONE)
        say(words, "and waits in %.100s for %.1fs", op_of(job), seconds(job->waits_in_ns));
    else if (job->open != MODEL_NONE)
        say(words, "in %.100s for %.1fs", model_job_apply(job->job, job->open)->label.shown,
            seconds(job->open_ns));
    else
        say_no_op(words, job);
    if (!job->lingers)
        say_line(words, job);
    say_over(words, state);
}

bool model_multi_job_trouble(const struct model_multi_job_state *state, char *out, size_t capacity)
{
    struct words words = {out, capacity, 0};
    if (capacity > 0)
        out[0] = '\0';
    if (state->hung.all) {
        say(&words, "all %zu that are heard wait", state->hung.waiting);
        say_where(&words, state);
        say_over(&words, state);
        return true;
    }
    if (state->hung.job < state->jobs) {
        if (state->hung.last)
            say_last(&words, state);
        else
            say_missing(&words, state);
        return !state->hung.last && state->hung.starved != MODEL_STARVED_YES;
    }
    if (state->slow.job < state->jobs)
        say(&words, "%s is slow: it waits %.0f%% of its time, the others %.0f%%",
            state->job[state->slow.job].label, 100 * state->slow.waits, 100 * state->slow.others);
    return false;
}

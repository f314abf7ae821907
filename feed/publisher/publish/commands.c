/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * commands.c: executes viewers' commands with the calls of proftop_control.h, and reports which
 * viewer asked.
 */
#include "config.h"

#include "feed/publisher/publish/program_commands.h"
#include "feed/publisher/publish/report.h"
#include "feed/publisher/publish/timeline.h"
#include "feed/publisher/record/count_filter.h"
#include "feed/publisher/publish/commands.h"
#include "feed/publisher/record/clock.h"
#include "feed/shared/command_table.h"
#include "proftop_control.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WORDS_MAX = SHARED_COMMAND_WIRE_WORDS, SHOWN_MAX = 64 };
_Static_assert(WORDS_MAX == 2 * PUBLISHER_KEYS, "set_config may set each key once");

/* The words of a request as strings, with NULL after the last; `text` receives a report, and `why`
 * a formatted error. */
struct words {
    struct publisher_text *text;
    char *why;
    const char *word[WORDS_MAX + 1];
    size_t count;
    char bytes[WIRE_REQUEST_MAX + 1];
};

/* Splits the text into words, one a line. Returns false if there are too many, or if one contains a
 * 0 byte. `bytes` is large enough for any request that was read. */
static bool take_words(struct words *words, const struct wire_text *text)
{
    char *at = words->bytes, *end = at + text->size;
    words->count = 0;
    if (text->size > 0)
        memcpy(at, text->data, text->size);
    *end = 0;
    if (memchr(words->bytes, 0, text->size) != NULL)
        return false;
    while (at < end && words->count < WORDS_MAX) {
        words->word[words->count++] = at;
        at += strcspn(at, "\n");
        *at++ = 0;
    }
    words->word[words->count] = NULL;
    return at >= end;
}

/* ---------------------------------------------------------------------------------- commands */

/* Each function returns NULL, or an error sentence. */
static const char *run_pause(struct publisher *p, const struct words *words)
{
    (void)words;
    return proftop_pause(p->core->handle, NULL);
}

static const char *run_resume(struct publisher *p, const struct words *words)
{
    (void)words;
    return proftop_resume(p->core->handle, NULL);
}

static const char *run_reset(struct publisher *p, const struct words *words)
{
    (void)words;
    publisher_sum_all(p);
    return publisher_reset(p) ? NULL : "there is no memory for a reset";
}

static const char *run_set_state(struct publisher *p, const struct words *words)
{
    return proftop_set_state(p->core->handle, words->word[0], NULL);
}

static const char *run_set_config(struct publisher *p, const struct words *words)
{
    if (words->count % 2 != 0)
        return "each key of set_config needs a value";
    for (size_t i = 0; i < words->count; i += 2)
        if (publisher_settings_names_file(words->word[i]))
            return "a job writes no file that a viewer names";
    return proftop_set_config(p->core->handle, words->word);
}

static const char *run_functions(struct publisher *p, const struct words *words)
{
    bool taken = publisher_count_filter_functions(p->core, words->count == 0 ? "" : words->word[0]);
    return taken ? NULL : "functions must be " PUBLISHER_PATTERNS;
}

/* Sets the format of a report. Returns false if the word is not a format. */
static bool take_form(struct publisher_program_command *command, const char *word)
{
    command->form.json = strcmp(word, "json") == 0;
    command->kind = strcmp(word, "trace") == 0 ? PUBLISHER_TRACE : PUBLISHER_DUMPS;
    return command->form.json || command->kind == PUBLISHER_TRACE || strcmp(word, "table") == 0;
}

static bool take_word(struct publisher_program_command *command, const char *word)
{
    const enum shared_order order = shared_order_find(word);
    if (strcmp(word, "ascending") == 0)
        command->form.ascending = true;
    else if (strcmp(word, "finished") == 0)
        command->finished = true;
    else if (strcmp(word, "reset") == 0)
        command->reset = true;
    else if (order < SHARED_ORDERS)
        command->form.order = order;
    else
        return false;
    return true;
}

/* With a format: makes a report that the viewer fetches. Without one the viewer makes its own. */
static const char *run_dump(struct publisher *p, const struct words *words)
{
    struct publisher_program_command command = {0};
    if (words->count == 0)
        return NULL;
    if (words->count == 1 && strcmp(words->word[0], "finished") == 0)
        return proftop_set_state(p->core->handle, "stop", NULL);
    bool good = take_form(&command, words->word[0]);
    for (size_t i = 1; i < words->count; i++)
        good = good && take_word(&command, words->word[i]);
    if (!good)
        return "dump takes the word finished, or none; or table, json or trace, and then total, "
               "avg, min, max, count, ascending, finished or reset";
    publisher_program_command_run(p, &command, NULL);
    if (command.text == NULL) {
        snprintf(words->why, PUBLISHER_ERROR_SIZE, "%s", command.why);
        return words->why;
    }
    free(words->text->data);
    *words->text = (struct publisher_text){command.text, strlen(command.text), command.rows};
    return NULL;
}

/* Reads a number above 0, in billionths. */
static bool read_number(const char *word, uint64_t most, uint64_t *billionths)
{
    const char *end = publisher_read_decimal(word, most, billionths);
    return end != NULL && *end == 0 && *billionths != 0;
}

/* Begins a trace of so many seconds and events, or ends the one that runs. */
static const char *run_trace(struct publisher *p, const struct words *words)
{
    uint64_t ns, events;
    if (words->count == 1 && strcmp(words->word[0], "stop") == 0) {
        publisher_timeline_stop(p);
        return NULL;
    }
    if (words->count != 2 || !read_number(words->word[0], WIRE_TRACE_MAX_S, &ns) ||
        !read_number(words->word[1], WIRE_TRACE_EVENTS_MAX, &events) ||
        events % PUBLISHER_SECOND_NS != 0)
        return "trace takes seconds, up to 600, and a number of events, up to 10000000; or stop";
    if (publisher_timeline_start(p, ns, events / PUBLISHER_SECOND_NS))
        return NULL;
    snprintf(words->why, PUBLISHER_ERROR_SIZE,
             "a trace runs already, and ends in %u s at the latest",
             (unsigned)publisher_timeline_left_s(p));
    return words->why;
}

/* The rows of the table of commands, as far as the job needs them. */
#define ROW(name, words, least, most, wire_least, wire_most, help, done, way)                      \
    {#name, wire_least, wire_most, run_##name},
#define NAME(name, words, least, most, wire_least, wire_most, help, done, way) " " #name
static const struct op {
    const char *name;
    size_t least, most; /* number of words */
    const char *(*act)(struct publisher *p, const struct words *words);
} ops[] = {SHARED_COMMANDS(ROW) SHARED_MORE_COMMANDS(ROW)};
enum { OPS = sizeof ops / sizeof ops[0] };

static const struct op *find_op(const struct wire_text *name)
{
    for (size_t i = 0; i < OPS; i++)
        if (name->size == strlen(ops[i].name) && memcmp(name->data, ops[i].name, name->size) == 0)
            return &ops[i];
    return NULL;
}

/* --------------------------------------------------------------------------------- the peer */

/* Bytes of a name that are shown; 0 for a missing name. */
static int shown(const struct wire_text *text)
{
    return text->size < SHOWN_MAX ? (int)text->size : SHOWN_MAX;
}

/* Describes the peer: as the viewer states, and as the kernel says unless that is the same. */
static void format_peer(char *out, const struct wire_frame *request,
                        const struct publisher_peer *peer)
{
    const struct wire_text *user = &request->field[WIRE_F_USER].text;
    const struct wire_text *host = &request->field[WIRE_F_HOST].text;
    const uint64_t pid = request->field[WIRE_F_PID].u;
    const bool same = peer->local && peer->pid == pid;
    int size = snprintf(out, PUBLISHER_BY_SIZE, "%.*s, process %" PRIu64 " on %.*s%s", shown(user),
                        user->data, pid, shown(host), host->data, same ? "" : " as stated");
    if (peer->local && !same)
        snprintf(out + size, PUBLISHER_BY_SIZE - (size_t)size,
                 "; user %" PRIu32 ", process %" PRIu32 " by the kernel", peer->user, peer->pid);
    else if (peer->may != 0)
        snprintf(out + size, PUBLISHER_BY_SIZE - (size_t)size, "; by the key of %s",
                 peer->name[0] != 0 ? peer->name : "the job's user");
}

/* Notifies every viewer of the command and of the new state of the collection. */
static void notify(struct publisher *p, const struct op *op, const struct words *words,
                   const char *who)
{
    char text[PUBLISHER_NOTICE_SIZE], what[PUBLISHER_NOTICE_SIZE / 2] = "";
    struct publisher_control *control = &p->core->control;
    for (size_t i = 0, size = 0; i < words->count && size < sizeof what; i++)
        size += (size_t)snprintf(what + size, sizeof what - size, " %s", words->word[i]);
    snprintf(text, sizeof text, "control: %s%s (asked by %s)", op->name, what, who);
    proftop_notice(p->core->handle, 1, text);
    pthread_mutex_lock(&p->core->handle->lock);
    if (control->paused || control->stopped)
        memcpy(control->by, who, sizeof control->by);
    pthread_mutex_unlock(&p->core->handle->lock);
    p->sent.hello_ns = 0;
}

/* Rate-limits control requests. */
static bool is_too_often(struct publisher_control *control)
{
    uint64_t now = publisher_clock_ns();
    if (now - control->second_ns >= PUBLISHER_SECOND_NS) {
        control->second_ns = now;
        control->controls_in_second = 0;
    }
    return control->controls_in_second++ >= WIRE_CONTROLS_MAX;
}

const char *publisher_run_command(struct publisher *p, const struct publisher_peer *peer,
                                  const struct wire_frame *request, struct publisher_text *made,
                                  char *why)
{
    struct words words = {.text = made, .why = why};
    struct publisher_control *control = &p->core->control;
    const struct op *op = find_op(&request->field[WIRE_F_WHAT].text);
    const char *no = "refused", *text = publisher_authorize_control(&control->grants, peer);
    if (text == NULL && op == NULL) {
        no = "unsupported";
        text = "this job knows only:" SHARED_COMMANDS(NAME) SHARED_MORE_COMMANDS(NAME);
    } else if (text == NULL && (!take_words(&words, &request->field[WIRE_F_ARG].text) ||
                                words.count < op->least || words.count > op->most)) {
        no = "wrong";
        text = "this takes another number of words, and no 0 byte in them";
    } else if (text == NULL && is_too_often(control)) {
        no = "busy";
        text = "a job does at most 10 of these in a second: ask again";
    } else if (text == NULL) {
        text = op->act(p, &words);
        no = (op->least == op->most && op->most == 0) || text == why ? "failed" : "wrong";
    }
    if (text != NULL) {
        if (text != why)
            snprintf(why, PUBLISHER_ERROR_SIZE, "%s", text);
        return no;
    }
    char who[PUBLISHER_BY_SIZE] = "";
    format_peer(who, request, peer);
    notify(p, op, &words, who);
    return NULL;
}

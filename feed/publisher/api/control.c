/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * control.c: the calls of proftop_control.h that control the collection and print its results.
 */
#include "config.h"

#include "feed/publisher/record/clock.h"
#include "feed/publisher/record/count_filter.h"
#include "feed/publisher/record/lock.h"
#include "proftop_control.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Longest wait for a command, since a feed's thread whose disk is gone never answers. A command may
 * take seconds: it may write a file, or the machine may be overloaded. */
enum { COMMAND_S = 10 };

static pthread_once_t answers_once = PTHREAD_ONCE_INIT;
static pthread_key_t answers;
static bool have_answers;

static void make_answers(void)
{
    have_answers = pthread_key_create(&answers, free) == 0;
}

/* Returns the buffer for the sentences that calls return. Each thread has its own, so no thread
 * overwrites the text of another; out of memory, they share one. The buffer is no thread-local
 * array: libc has only about 2 KB of static TLS for libraries loaded into a running program, so the
 * library could not be loaded there. */
static char *answer(void)
{
    static char last[PUBLISHER_ERROR_SIZE];
    pthread_once(&answers_once, make_answers);
    char *text = have_answers ? pthread_getspecific(answers) : NULL;
    if (text != NULL || !have_answers)
        return text != NULL ? text : last;
    text = calloc(1, PUBLISHER_ERROR_SIZE);
    if (text != NULL && pthread_setspecific(answers, text) == 0)
        return text;
    free(text);
    return last;
}

static const char *answer_text(const char *text)
{
    snprintf(answer(), PUBLISHER_ERROR_SIZE, "%s", text);
    return answer();
}

/* Returns the core, locked; or NULL, with the reason as the answer. */
static struct publisher_core *enter(struct proftop *feed)
{
    struct publisher_core *core = publisher_lock(feed);
    if (core == NULL)
        answer_text(proftop_reason(feed));
    return core;
}

/* -------------------------------------------------------------------------------- settings */

const char *proftop_set_config(struct proftop *feed, const char *const *pairs)
{
    struct publisher_core *core = enter(feed);
    if (core == NULL)
        return answer();
    bool taken =
        publisher_settings_set(&core->control.settings, core->me.place.role, pairs, answer());
    if (taken) {
        publisher_control_apply(core);
        publisher_count_filter_apply(core);
    }
    publisher_unlock(core);
    return taken ? NULL : answer();
}

const char *proftop_get_config(struct proftop *feed, const char *key)
{
    struct publisher_core *core = enter(feed);
    if (core == NULL || key == NULL) {
        if (core != NULL)
            publisher_unlock(core);
        return NULL;
    }
    bool known =
        publisher_settings_get(&core->control.settings, key, answer(), PUBLISHER_ERROR_SIZE);
    publisher_unlock(core);
    return known ? answer() : NULL;
}

/* Returns the core, locked, if `process` means this process; else NULL, with the reason as the
 * answer. */
static struct publisher_core *enter_here(struct proftop *feed, const char *process)
{
    struct publisher_core *core = enter(feed);
    if (core == NULL || publisher_settings_is_here(process, core->me.place.role, answer()))
        return core;
    publisher_unlock(core);
    return NULL;
}

static void set_switch(struct publisher_core *core, bool *which, bool to)
{
    *which = to;
    core->control.by[0] = 0;
    publisher_control_apply(core);
}

const char *proftop_set_state(struct proftop *feed, const char *state, const char *process)
{
    bool run = state != NULL && strcmp(state, "run") == 0;
    if (!run && (state == NULL || strcmp(state, "stop") != 0)) {
        snprintf(answer(), PUBLISHER_ERROR_SIZE,
                 "the state can't be '%.64s': it must be run or stop", state == NULL ? "" : state);
        return answer();
    }
    struct publisher_core *core = enter_here(feed, process);
    if (core == NULL)
        return answer();
    set_switch(core, &core->control.stopped, !run);
    publisher_unlock(core);
    return NULL;
}

static const char *set_pause(struct proftop *feed, bool paused, const char *process)
{
    struct publisher_core *core = enter_here(feed, process);
    if (core == NULL)
        return answer();
    set_switch(core, &core->control.paused, paused);
    publisher_unlock(core);
    return NULL;
}

const char *proftop_pause(struct proftop *feed, const char *process)
{
    return set_pause(feed, true, process);
}

const char *proftop_resume(struct proftop *feed, const char *process)
{
    return set_pause(feed, false, process);
}

/* -------------------------------------------------------------------------------- commands */

/* Waits for a change. Returns false if the feed is being closed, or at the deadline. */
static bool wait_for_change(struct publisher_core *core, uint64_t deadline_ns)
{
    struct timespec until = {.tv_sec = (time_t)(deadline_ns / PUBLISHER_SECOND_NS),
                             .tv_nsec = (long)(deadline_ns % PUBLISHER_SECOND_NS)};
    return !core->life.stop &&
           pthread_cond_timedwait(&core->life.changed, &core->handle->lock, &until) == 0;
}

/* Hands the command to the feed's thread, and waits until it is done. Returns false if the wait
 * ended earlier. Under the feed's lock. */
static bool run_command(struct publisher_core *core, struct publisher_program_command *command)
{
    struct publisher_control *control = &core->control;
    uint64_t deadline = publisher_clock_ns() + COMMAND_S * PUBLISHER_SECOND_NS;
    while (control->command != NULL)
        if (!wait_for_change(core, deadline))
            return false;
    control->command = command;
    publisher_life_wake(&core->life);
    while (!command->done && wait_for_change(core, deadline))
        continue;
    command->abandoned = command->running;
    if (!command->done && !command->running)
        control->command = NULL;
    return command->done;
}

/* Writes as the answer why the command is not done. A running command still completes, but its
 * result is dropped. */
static void answer_undone(bool closing, bool running)
{
    if (closing)
        answer_text("the feed is closed");
    else
        snprintf(answer(), PUBLISHER_ERROR_SIZE,
                 "the feed's thread %s after %d s: the disk or the machine is overloaded",
                 running ? "is still at it" : "has not begun", COMMAND_S);
}

/* As send_errand(). Cancellation must be off. */
static const char *deliver(struct proftop *feed, const struct publisher_program_command *what,
                           const char *process, char **text)
{
    struct publisher_core *core = enter_here(feed, process);
    if (core == NULL)
        return answer();
    struct publisher_program_command *command = malloc(sizeof *command);
    if (command == NULL) {
        publisher_unlock(core);
        return answer_text("there is no memory for the feed");
    }
    *command = *what;
    core->control.waiters++;
    const bool done = run_command(core, command), abandoned = command->abandoned;
    const bool closing = core->life.stop;
    core->control.waiters--;
    pthread_cond_broadcast(&core->life.changed);
    publisher_unlock(core);
    if (!done)
        answer_undone(closing, abandoned);
    else
        answer_text(command->why);
    if (text != NULL)
        *text = done ? command->text : NULL;
    if (!abandoned)
        free(command);
    return answer()[0] == 0 ? NULL : answer();
}

/* Runs a command on the feed's thread. Returns NULL, or a sentence that says why it failed. `*text`
 * becomes the command's text, which the caller frees. */
static const char *send_command(struct proftop *feed, const struct publisher_program_command *what,
                                const char *process, char **text)
{
    const int was = publisher_cancel_disable();
    const char *why = deliver(feed, what, process, text);
    publisher_cancel_restore(was);
    return why;
}

const char *proftop_reset(struct proftop *feed)
{
    struct publisher_program_command command = {.kind = PUBLISHER_RESET, .reset = true};
    return send_command(feed, &command, NULL, NULL);
}

const char *proftop_dump(struct proftop *feed, int finished, const char *process)
{
    struct publisher_program_command command = {.kind = PUBLISHER_DUMP, .finished = finished != 0};
    return send_command(feed, &command, process, NULL);
}

/* Returns the index of a word; NULL means the first. Returns `count` if it is not in the list. */
static size_t find_word(const char *word, const char *const *words, size_t count)
{
    size_t at = 0;
    if (word == NULL)
        return 0;
    while (at < count && strcmp(word, words[at]) != 0)
        at++;
    return at;
}

static const char *answer_words(const char *what, const char *value, const char *const *words,
                                size_t count)
{
    int size =
        snprintf(answer(), PUBLISHER_ERROR_SIZE, "%s can't be '%.64s': it must be", what, value);
    for (size_t at = 0; at < count; at++)
        size += snprintf(answer() + size, PUBLISHER_ERROR_SIZE - (size_t)size, "%s %s",
                         at == 0           ? ""
                         : at + 1 == count ? " or"
                                           : ",",
                         words[at]);
    return answer();
}

static const char *answer_switch(const char *what, int value)
{
    static const char *const switches[] = {"0", "1"};
    char text[12];
    snprintf(text, sizeof text, "%d", value);
    return answer_words(what, text, switches, 2);
}

const char *proftop_dumps(struct proftop *feed, const struct proftop_dumps_options *options,
                          char **text)
{
    static const char *const formats[] = {"table", "json"};
    struct proftop_dumps_options known = {0};
    if (text == NULL)
        return answer_text("there is no place to put the text");
    *text = NULL;
    if (options != NULL && !publisher_take_options(&known, sizeof known, options))
        return answer_text(
            "the options have no size: set it to sizeof(struct proftop_dumps_options)");
    size_t format = find_word(known.format, formats, 2);
    size_t order = find_word(known.sort_by, shared_order_words(), SHARED_ORDERS);
    if (format == 2)
        return answer_words("format", known.format, formats, 2);
    if (order == SHARED_ORDERS)
        return answer_words("sort_by", known.sort_by, shared_order_words(), SHARED_ORDERS);
    if (known.ascending != 0 && known.ascending != 1)
        return answer_switch("ascending", known.ascending);
    if (known.reset != 0 && known.reset != 1)
        return answer_switch("reset", known.reset);
    struct publisher_program_command command = {.kind = PUBLISHER_DUMPS,
                                                .reset = known.reset == 1,
                                                .form = {.json = format == 1,
                                                         .order = (enum shared_order)order,
                                                         .ascending = known.ascending == 1}};
    return send_command(feed, &command, NULL, text);
}

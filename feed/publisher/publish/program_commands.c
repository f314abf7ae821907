/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * program_commands.c: executes the program's own commands on the feed's thread, and writes the dump
 * of each period.
 */
#include "config.h"

#include "feed/publisher/publish/publisher.h"
#include "feed/publisher/publish/program_commands.h"
#include "feed/publisher/publish/report.h"
#include "feed/publisher/record/lock.h"
#include "proftop_control.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The end of the feed cuts off commands: they fail for that reason, not for another. */
static bool is_cut_off(const struct publisher *p)
{
    return p->core->life.stop;
}

static void print_report(struct publisher *p, struct publisher_program_command *command,
                         struct shared_text *out)
{
    struct shared_report report = {0};
    publisher_dump_collect(p, &report);
    if (!is_cut_off(p))
        shared_report_print(&report, &command->form, out);
    out->failed = out->failed || report.failed;
    command->rows = report.count;
    shared_report_release(&report);
}

static bool print_text(struct publisher *p, struct publisher_program_command *command)
{
    struct shared_text out = {.stop = &p->core->life.stop};
    if (command->kind == PUBLISHER_TRACE)
        command->rows = publisher_dump_print(p, &out);
    else
        print_report(p, command, &out);
    out.failed = out.failed || is_cut_off(p);
    command->text = shared_text_take(&out);
    if (command->text == NULL)
        snprintf(command->why, sizeof command->why, "there is no memory for the text");
    return command->text != NULL;
}

static bool is_stopped(struct publisher_core *core)
{
    pthread_mutex_lock(&core->handle->lock);
    const bool stopped = core->control.stopped;
    pthread_mutex_unlock(&core->handle->lock);
    return stopped;
}

/* Makes the command's result, except a reset. Returns false with a sentence in `why`. */
static bool make(struct publisher *p, struct publisher_program_command *command,
                 const struct publisher_settings *settings)
{
    if (command->kind == PUBLISHER_DUMP)
        return publisher_dump_write(p, settings, command->why);
    return command->kind == PUBLISHER_RESET || print_text(p, command);
}

/* A command that stops the collection first wants all data in its dump: if the dump fails, the
 * collection goes on. */
void publisher_program_command_run(struct publisher *p, struct publisher_program_command *command,
                                   const struct publisher_settings *settings)
{
    struct proftop *feed = p->core->handle;
    const bool stops = command->finished && !is_stopped(p->core);
    if (stops)
        proftop_set_state(feed, "stop", NULL);
    publisher_sum_all(p);
    bool made = make(p, command, settings);
    if (command->why[0] != 0 && is_cut_off(p))
        snprintf(command->why, sizeof command->why, "the feed is closed");
    if (made && command->reset && command->why[0] == 0 && !publisher_reset(p)) {
        snprintf(command->why, sizeof command->why, "there is no memory for a reset");
        free(command->text); /* a command that fails returns no text */
        command->text = NULL;
        made = false;
    }
    if (!made && stops)
        proftop_set_state(feed, "run", NULL);
}

/* Takes the pending command, or returns NULL. */
static struct publisher_program_command *take_command(struct publisher_core *core,
                                                      struct publisher_settings *settings)
{
    pthread_mutex_lock(&core->handle->lock);
    struct publisher_program_command *command = core->control.command;
    if (command != NULL)
        command->running = true;
    *settings = core->control.settings;
    pthread_mutex_unlock(&core->handle->lock);
    return command;
}

/* Returns the command to its caller, or frees it if the caller has given up. */
static void give_back(struct publisher_core *core, struct publisher_program_command *command)
{
    pthread_mutex_lock(&core->handle->lock);
    bool abandoned = command->abandoned;
    command->running = false;
    command->done = true;
    core->control.command = NULL;
    pthread_cond_broadcast(&core->life.changed);
    pthread_mutex_unlock(&core->handle->lock);
    if (!abandoned)
        return;
    free(command->text);
    free(command);
}

bool publisher_dump_is_due(struct publisher_control *control,
                           const struct publisher_settings *settings, uint64_t now_ns)
{
    uint64_t since_ns = now_ns - control->dump_ns, period_ns = settings->period_ns;
    if (!settings->on[PUBLISHER_KEY_CONTINUOUS] || since_ns < period_ns)
        return false;
    control->dump_ns = since_ns / 2 < period_ns ? control->dump_ns + period_ns : now_ns;
    return true;
}

/* No caller waits for this dump: a failure is reported to viewers, once. Having nothing to write is
 * no failure. */
static void dump_again(struct publisher *p, const struct publisher_settings *settings,
                       char *last_error)
{
    char why[PUBLISHER_ERROR_SIZE], text[PUBLISHER_ERROR_SIZE + 32];
    publisher_sum_all(p);
    if (publisher_dump_write(p, settings, why) || is_cut_off(p))
        why[0] = 0;
    snprintf(text, sizeof text, "continuous_dump: %s", why);
    if (why[0] != 0 && strcmp(why, last_error) != 0)
        proftop_notice(p->core->handle, 1, text);
    memcpy(last_error, why, sizeof why);
}

void publisher_program_commands_serve(struct publisher_core *core, struct publisher *p,
                                      uint64_t now_ns)
{
    struct publisher_settings settings;
    struct publisher_program_command *command = take_command(core, &settings);
    if (command != NULL) {
        publisher_program_command_run(p, command, &settings);
        give_back(core, command);
    }
    if (!settings.on[PUBLISHER_KEY_CONTINUOUS]) /* when it is on again, a failure is reported
                                                 * again */
        core->control.dump_error[0] = 0;
    if (publisher_dump_is_due(&core->control, &settings, now_ns))
        dump_again(p, &settings, core->control.dump_error);
}

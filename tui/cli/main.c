/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * main.c: proftop: reads the command line and starts the command.
 */
#include "config.h"

#include <errno.h>
#include <langinfo.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tui/app/picker.h"
#include "tui/app/record.h"
#include "tui/app/remote_connect.h"
#include "tui/app/replay.h"
#include "feed/viewer/launch/inject.h"
#include "tui/app/signals.h"
#include "tui/cli/ctl.h"
#include "tui/cli/diff.h"
#include "tui/cli/gate.h"
#include "tui/cli/doctor.h"
#include "tui/cli/prom.h"
#include "tui/cli/record.h"
#include "tui/cli/report.h"
#include "tui/cli/sentence.h"
#include "tui/cli/last.h"
#include "tui/cli/trace.h"

static void write_words(const struct tui_options *options, FILE *file)
{
    if (options->command == TUI_COMMAND_HELP)
        tui_options_help(file, options->about);
    else if (options->command == TUI_COMMAND_COMPLETION)
        tui_completion_print(file, options->shell);
    else if (options->command == TUI_COMMAND_MAN)
        tui_man_print(file);
    else
        fputs(PACKAGE_STRING "\n", file);
}

/* Prints help, manual or version, all at once: the error of an earlier write would be lost. */
static int print_words(const struct tui_options *options)
{
    char *text = NULL;
    size_t size = 0;
    FILE *file = open_memstream(&text, &size);
    if (file)
        write_words(options, file);
    if (!file || fclose(file) != 0)
        size = 0;
    errno = ENOMEM;
    const bool done = size > 0 && fwrite(text, 1, size, stdout) == size && fflush(stdout) == 0;
    const int error = errno;
    free(text);
    if (done)
        return TUI_EXIT_FINE;
    if (tui_exit_of_write(error) == TUI_EXIT_WRITE)
        tui_sentence(stderr, "proftop: standard output cannot be written: %s", strerror(error));
    return tui_exit_of_write(error);
}

static int make_key(const struct tui_options *options)
{
    const char *name = options->new_key ? options->new_key : "id";
    char place[SHARED_PATH_MAX], public[SHARED_KEY_SIZE], why[512];
    if (!shared_key_place(place, why, sizeof why) ||
        !shared_key_make(place, name, public, why, sizeof why)) {
        tui_sentence(stderr, "proftop: %s", why);
        return TUI_EXIT_USAGE;
    }
    tui_sentence(stdout, "%s/%s.key is the new key; %s/%s.pub can be handed out:", place, name,
                 place, name);
    printf("%s\n", public);
    return fflush(stdout) == 0 ? TUI_EXIT_FINE : TUI_EXIT_WRITE;
}

/* Sets the command of `demo`, or the recording of `demo NAME`. On the screen it runs until it is
 * ended, and without one for some seconds. */
static bool set_demo(struct tui_options *options, char *why, size_t capacity)
{
    static char program[SHARED_PATH_MAX], quiet[] = "--quiet", steps[] = "--steps", some[] = "2000";
    static char *argv[] = {program, quiet, NULL, some, NULL};
    if (options->demo_of) {
        options->command = TUI_COMMAND_ATTACH;
        options->job = program;
        options->demo = false;
        options->plays = true;
        options->count = options->count_given ? options->count : 1;
        return viewer_demo_recording(options->demo_of, program, sizeof program, why, capacity);
    }
    if (options->batch && !options->count_given)
        argv[2] = steps;
    options->argv = argv;
    return viewer_demo_program(program, sizeof program, why, capacity);
}

/* True if the locale is UTF-8. In others, names are still measured as UTF-8, and shown in ASCII. */
static bool locale_is_utf8(void)
{
    setlocale(LC_CTYPE, "");
    if (strcmp(nl_langinfo(CODESET), "UTF-8") == 0)
        return true;
    setlocale(LC_CTYPE, "C.UTF-8");
    return false;
}

static int run(struct tui_session *session)
{
    char why[512];
    if (session->options->command == TUI_COMMAND_RECORD)
        return tui_record_run(session);
    if (session->options->record) {
        const int code = tui_record_open(session, why, sizeof why);
        if (code != TUI_EXIT_FINE) {
            tui_sentence(stderr, "proftop: %s", why);
            return code;
        }
    }
    if (session->options->command == TUI_COMMAND_CTL)
        return tui_ctl_run(session);
    if (session->options->command == TUI_COMMAND_DIFF)
        return session->options->gate ? tui_gate_run(session) : tui_versus_run(session);
    if (session->options->command == TUI_COMMAND_DOCTOR)
        return tui_doctor_run(session);
    if (session->options->command == TUI_COMMAND_PROM)
        return tui_prom_run(session);
    if (session->options->command == TUI_COMMAND_TRACE)
        return tui_trace_run(session);
    return session->options->batch ? tui_batch_run(session) : tui_app_run(session);
}

int main(int argc, char **argv)
{
    struct tui_options options;
    struct tui_session session;
    char why[512];
    bool utf8 = locale_is_utf8();
    tui_signals_begin();
    if (!tui_options_parse(&options, argc, argv, why, sizeof why)) {
        tui_sentence(stderr, "proftop: %s", why);
        return TUI_EXIT_USAGE;
    }
    options.ascii = options.ascii || !utf8;
    if (options.command >= TUI_COMMAND_HELP)
        return print_words(&options);
    bool list = options.command == TUI_COMMAND_LIST, afar = options.host_count || options.slurm;
    if (list && !afar)
        return tui_pick_print(&options, NULL, stdout);
    if (options.command == TUI_COMMAND_KEYGEN)
        return make_key(&options);
    if (options.command == TUI_COMMAND_LAST) {
        const int code = options.list ? tui_last_print(stdout) : tui_last_choose(&options);
        if (options.list || code != TUI_EXIT_FINE)
            return code;
    }
    /* Without a terminal there is no screen: one report, or under `run` all of them. */
    options.batch = options.batch || !isatty(STDOUT_FILENO);
    if ((options.demo && !set_demo(&options, why, sizeof why)) ||
        !tui_session_open(&session, &options, why, sizeof why)) {
        tui_sentence(stderr, "proftop: %s", why);
        tui_session_close(&session);
        return TUI_EXIT_USAGE;
    }
    int code = afar ? tui_remote_open(&session) : TUI_EXIT_FINE;
    if (code == TUI_EXIT_FINE)
        code = list ? tui_pick_print(&options, session.remote, stdout) : run(&session);
    tui_record_close(&session);
    tui_replay_close(&session.replay);
    tui_session_close(&session);
    return code;
}

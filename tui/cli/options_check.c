/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * options_check.c: detects options that are valid alone and wrong together.
 */
#include "config.h"

#include "tui/cli/options.h"

#include <string.h>

/* `words`: there are operands behind --. */
static const char *wrong_operands(const struct tui_options *options, bool words)
{
    if (words && !options->gate)
        return "diff compares two; several of each, A ... -- B ..., are of --fail-above";
    if (words && options->operand_count == 0)
        return "no run of A is named: proftop diff --fail-above 10% A ... -- B ...";
    for (char *const *word = options->argv; words && *word; word++)
        if ((*word)[0] == '-' && (*word)[1])
            return "options of diff stand before --; a file whose name begins so is ./-NAME";
    if (!words && options->gate && options->operand_count > 2)
        return "which are runs of A, and which of B? proftop diff --fail-above 10% A ... -- B ...";
    if (!words && options->operand_count != 2)
        return "diff compares two: proftop diff A B, each a file, or a job by its process id, "
               "endpoint or name";
    return NULL;
}

static const char *wrong_diff(const struct tui_options *options, bool words)
{
    const char *wrong = wrong_operands(options, words);
    if (wrong)
        return wrong;
    if (options->gate_options && !options->gate)
        return "--min-time, --by and --per-call are of diff --fail-above PERCENT";
    if (options->pid || options->all || options->children || options->listen)
        return "diff compares the two that are named; leave out -p, --all, --children and --listen";
    if (options->host_count || options->slurm)
        return "diff compares jobs of this machine; save a report of those elsewhere with -b -H";
    if (!tui_format_is(options->format, TUI_FORMAT_DIFFS))
        return "diff prints text or json: proftop diff --format json A B";
    if (options->pane != TUI_PANE_ANY || options->sort || options->filter)
        return "diff compares classes, ops and applies, the largest difference first; leave out "
               "--pane, --sort and --filter";
    return options->count_given ? "diff prints once; leave out -n" : NULL;
}

/* A file is no job: nothing is looked for, waited for or asked. */
static const char *wrong_load(const struct tui_options *options)
{
    if (!options->load)
        return NULL;
    if (options->command != TUI_COMMAND_ATTACH)
        return "--load shows a file; proftop diff A B takes files as they are, and other commands "
               "take none";
    if (options->pid || options->endpoint || options->job || options->all || options->children ||
        options->listen || options->host_count || options->slurm)
        return "--load shows a file in the place of a job; leave out -p, names, endpoints, --all, "
               "--listen and -H";
    return options->reset ? "--reset is of reports of a job that runs; leave out --load" : NULL;
}

static const char *wrong_last(const struct tui_options *options)
{
    if (options->endpoint || options->all || options->children || options->listen ||
        options->host_count || options->slurm || options->pid_count > 1 || options->reset)
        return "last shows what one job of this machine left behind: proftop last, proftop last "
               "PID "
               "or proftop last NAME";
    if (options->list && options->format != TUI_FORMAT_TEXT)
        return "last -l prints text";
    return NULL;
}

static const char *wrong_ctl(const struct tui_options *options)
{
    if (!options->control)
        return "ctl wants a control: proftop ctl pause -p PID; proftop --help lists them";
    if (options->all || options->children)
        return "ctl steers the jobs that are named; leave out --all and --children";
    if (options->count_given)
        return "ctl asks once; leave out -n";
    if (!tui_format_is(options->format, TUI_FORMAT_DUMPS))
        return "ctl dump writes mxnet, mxnet-json or, as json, a trace";
    if (options->out && options->control->way != SHARED_COMMAND_SAVES)
        return "ctl prints a sentence for each job; leave out -o";
    return options->out && options->words > 0 ? "dump writes one file; leave out -o" : NULL;
}

static const char *wrong_trace(const struct tui_options *options)
{
    if (options->pid_count + options->endpoint_count + (options->job != NULL) > 1 || options->all ||
        options->children)
        return "trace writes one job: choose it with -p PID or its name";
    if (options->listen)
        return "trace looks at a job that runs; leave out --listen";
    return options->count_given || options->format != TUI_FORMAT_TEXT
               ? "trace writes one file in Chrome's trace format; leave out -n and --format"
               : NULL;
}

/* Checks the formats of MXNet's profiler: their reports are always about the whole job. */
static const char *wrong_statistics(const struct tui_options *options)
{
    const bool saves = options->control && options->control->way == SHARED_COMMAND_SAVES;
    if (!tui_format_is(options->format, TUI_FORMAT_STATISTICS))
        return options->reset ? "--reset is of reports of --format mxnet and mxnet-json"
               : (options->order || options->ascending) && !saves
                   ? "--sort-by and --ascending are of --format mxnet, mxnet-json and ctl dump"
                   : NULL;
    if (options->reset && (saves || options->summary))
        return "--reset is of reports of a job that runs; leave out ctl and --summary";
    if (options->function_count > 0 || options->group)
        return "mxnet and mxnet-json print the whole job; leave out --function and --group";
    return options->sort ? "mxnet and mxnet-json have the order of --sort-by; leave out --sort"
                         : NULL;
}

static const char *wrong_prom(const struct tui_options *options)
{
    if (!options->listen || strstr(options->serve, "://"))
        return "prom wants the address where Prometheus reads: proftop prom --listen "
               "127.0.0.1:PORT, or unix:/path";
    if (options->format != TUI_FORMAT_TEXT || options->pane != TUI_PANE_ANY || options->sort ||
        options->filter)
        return "prom serves all tables in one format; leave out --format, --pane, --sort and "
               "--filter";
    return options->reports ? "prom serves until it is ended; leave out -n, -o and --summary"
                            : NULL;
}

static const char *wrong_listen(const struct tui_options *options)
{
    if (options->command == TUI_COMMAND_PROM)
        return NULL;
    if (options->job)
        return "--listen waits for the jobs that come; leave out names";
    if (!strstr(options->serve, "://"))
        return "--listen takes an endpoint; only prom serves at an address";
    return options->endpoint_count != 1 ? "--listen waits at one endpoint; leave out others" : NULL;
}

static const char *wrong_record(const struct tui_options *options)
{
    if (!options->record)
        return "record wants a file: proftop record -o FILE.ptrec -p PID";
    if (options->record[0] == '-' && options->record[1] == '\0')
        return "a recording is a file, not standard output: proftop record -o FILE.ptrec";
    if (options->count_given || options->format != TUI_FORMAT_TEXT || options->dialect ||
        options->pane != TUI_PANE_ANY || options->sort || options->filter || options->at)
        return "record writes all that a job tells; leave out options of reports and panes";
    return NULL;
}

/* Options about recordings, elsewhere. */
static const char *wrong_recording(const struct tui_options *options)
{
    const bool watches =
        options->command == TUI_COMMAND_ATTACH || options->command == TUI_COMMAND_RUN;
    if (options->command == TUI_COMMAND_RECORD)
        return wrong_record(options);
    if (options->record && !watches)
        return "--record goes with a screen, with -b and with run; proftop record needs none";
    if (options->window_ns && options->command != TUI_COMMAND_TRACE)
        return "--seconds is of trace and record: proftop record --seconds 60 -o FILE.ptrec";
    if ((options->record_bytes || options->every_ns) && !options->record)
        return "--size and --every are of record and --record FILE";
    if (options->at && options->command == TUI_COMMAND_RUN)
        return "--at is of a recording: proftop -b --at SECONDS FILE.ptrec";
    return NULL;
}

/* Options of one command, and of others. */
static const char *wrong_command(const struct tui_options *options, bool words)
{
    const char *wrong = NULL;
    if (options->gate || options->gate_options)
        return "--fail-above, --min-time, --by and --per-call are of diff: proftop diff "
               "--fail-above 10% A B";
    if (options->command == TUI_COMMAND_CTL && !words && (wrong = wrong_ctl(options)))
        return wrong;
    if (options->command == TUI_COMMAND_TRACE && !words && (wrong = wrong_trace(options)))
        return wrong;
    if (options->command == TUI_COMMAND_LAST && !words && (wrong = wrong_last(options)))
        return wrong;
    if (options->keep && options->command != TUI_COMMAND_RUN)
        return "--keep is of run; a job that is started otherwise wants PROFTOP_KEEP=1 in its "
               "environment";
    if (options->command != TUI_COMMAND_TRACE && options->trace_events)
        return "--events is of trace: proftop trace --events 100000 -p PID";
    if ((wrong = wrong_statistics(options)) || (!words && (wrong = wrong_recording(options))))
        return wrong;
    if (tui_format_is(options->format, TUI_FORMAT_ONCE) && options->count != 1 && !options->summary)
        return options->format == TUI_FORMAT_PROM
                   ? "--format prom prints once: with run add --summary or -n 1; proftop prom "
                     "serves it"
                   : "--format chrome prints once: with run add --summary or -n 1";
    return options->command == TUI_COMMAND_PROM && !words ? wrong_prom(options) : NULL;
}

const char *tui_options_wrong(const struct tui_options *options, bool words)
{
    const char *wrong = wrong_load(options);
    bool run = options->command == TUI_COMMAND_RUN;
    bool afar = options->host_count > 0 || options->slurm;
    const char *listen = NULL;
    if (wrong)
        return wrong;
    if (options->command == TUI_COMMAND_DIFF)
        return wrong_diff(options, words);
    if ((wrong = wrong_command(options, words)))
        return wrong;
    if (options->command == TUI_COMMAND_DOCTOR &&
        (afar || options->endpoint || options->all || options->children || options->count_given ||
         !tui_format_is(options->format, TUI_FORMAT_DOCTOR)))
        wrong = "doctor takes -p, --format json and, behind --, an interpreter alone, and looks at "
                "this machine";
    else if (afar && (run || options->endpoint))
        wrong = "-H, ssh:// and --slurm look for jobs elsewhere; leave out run and endpoints";
    else if (options->host_count > 0 && options->slurm)
        wrong = "--slurm knows its machines; leave out -H and ssh://";
    else if (run && (options->pid || options->endpoint || options->all))
        wrong = "run starts its own job; leave out -p, --all and endpoints";
    else if (options->group && options->function_count > 0)
        wrong = "--group shows the functions that belong to one; leave out --function";
    else if (options->all && (options->pid || options->endpoint || options->job))
        wrong = "--all is all there are; leave out -p, names and endpoints";
    else if (options->job && options->command != TUI_COMMAND_ATTACH &&
             options->command != TUI_COMMAND_PROM && options->command != TUI_COMMAND_TRACE &&
             options->command != TUI_COMMAND_RECORD && options->command != TUI_COMMAND_LAST)
        wrong = "a job is named to attach to it: proftop NAME; elsewhere -p PID names one";
    else if (options->listen && (listen = wrong_listen(options)))
        wrong = listen;
    else if (options->demo && words)
        wrong = "demo has a command of its own: proftop run -- COMMAND starts another";
    else if (run && !words && !options->demo)
        wrong = "run wants a command: proftop run -- COMMAND";
    else if (!run && (options->linker || options->optimizer))
        wrong = "--linker and --optimizer are of run: they are set before a command starts";
    else if (!run && words && options->command != TUI_COMMAND_DOCTOR)
        wrong = "words after -- belong to run and doctor: proftop run -- COMMAND";
    else if (!tui_format_is(options->format, TUI_FORMAT_REPORTS) &&
             options->command != TUI_COMMAND_LIST)
        wrong = "--format info is one of lists: proftop -l --format info";
    else if (!tui_format_is(options->format, TUI_FORMAT_LISTS) &&
             options->command == TUI_COMMAND_LIST)
        wrong = "lists are text, json or info: proftop -l --format json";
    else if (options->summary && !run)
        wrong = "--summary is of run: proftop run --summary -- COMMAND";
    else if (options->summary && options->count_given)
        wrong = "--summary is one report, when the command has ended; leave out -n";
    else if (options->role &&
             (options->command != TUI_COMMAND_CTL || options->pid || options->endpoint))
        wrong = "--role is of ctl, and stands for -p or an endpoint";
    else if ((options->finished || options->force) &&
             !(options->control && options->control->way == SHARED_COMMAND_SAVES))
        wrong = "--finished and --force are of ctl dump";
    return wrong;
}

bool tui_options_several(const struct tui_options *options)
{
    unsigned named = options->pid_count + options->endpoint_count + (options->job != NULL);
    return options->all || options->children || named > 1;
}

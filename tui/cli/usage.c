/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * usage.c: the forms of the command line, the exit codes, and the text of --help.
 */
#include "config.h"

#include "tui/cli/options.h"

#include <errno.h>
#include <string.h>

#include "tui/ui/screen.h"

enum { HELP_INDENT = 26, HELP_COLS = 79 };

const struct tui_words tui_forms[] = {
    {"proftop [OPTION ...]", "attach to the only job of this machine, or choose one from a list"},
    {"proftop [OPTION ...] PID|-p PID ...",
     "attach to the jobs with these process ids, also to Python jobs that were started without it"},
    {"proftop [OPTION ...] NAME",
     "attach to the job with this name, as proftop -l lists it; .py may be left out"},
    {"proftop [OPTION ...] --all", "attach to all jobs, and show their sum"},
    {"proftop [OPTION ...] ENDPOINT ...",
     "attach to a feed: ipc:///path/x.pub, tcp://host:port, or FACTS,CONTROL"},
    {"proftop [OPTION ...] -H HOST | ssh://HOST | --slurm JOBID",
     "the same for jobs of another machine, or of the nodes of a batch job, through ssh"},
    {"proftop -l [--format json]", "list the jobs of this user; proftop PID attaches to one"},
    {"proftop -b [OPTION ...]", "print reports as text, JSON, CSV or for Prometheus"},
    {"proftop [-b] [OPTION ...] --load FILE",
     "show a profile that was printed or saved as a job that has ended"},
    {"proftop run [OPTION ...] [--] COMMAND [ARGUMENT ...]",
     "start a job with its adapter loaded and attach to it; or print reports (-b, --format)"},
    {"proftop demo [OPTION ...]", "the same with a small training job that comes with proftop"},
    {"proftop demo pytensor|mxnet", "play the recording of a job of that framework"},
    {"proftop [OPTION ...] --listen ENDPOINT",
     "wait for a job that comes by itself: PROFTOP_CONNECT=ENDPOINT in its environment"},
    {"proftop diff [OPTION ...] A B",
     "compare two jobs, B - A: each a file as --load reads it, a recording, a process id, an "
     "endpoint or a name"},
    {"proftop diff --fail-above PERCENT [OPTION ...] A B | A ... -- B ...",
     "judge whether B is slower than A, row by row; A and B are several runs each (ten is a good "
     "number), or folders of reports"},
    {"proftop prom --listen unix:/PATH|127.0.0.1:PORT [OPTION ...] [PID|NAME|ENDPOINT ...]",
     "serve what these jobs count, or all of this user, at /metrics in the format of Prometheus"},
    {"proftop trace [--seconds S] [-o FILE] [PID|NAME|ENDPOINT]",
     "write each call of some seconds of a running job (default trace.json), for Perfetto and "
     "chrome://tracing"},
    {"proftop record [OPTION ...] -o FILE.ptrec [-p PID|NAME|ENDPOINT ...]",
     "record jobs without a screen, until Ctrl-C, their end, --seconds or --size"},
    {"proftop [OPTION ...] FILE.ptrec", "show a recording as the job was shown; -b reports on it"},
    {"proftop last [OPTION ...] [PID|NAME]",
     "show what a job left behind that was killed: one of run --keep, or with PROFTOP_KEEP=1"},
    {"proftop keygen [NAME]", "make a pair of keys for tcp (default id)"},
    {"proftop doctor [--format json] [-p PID ...] [-- PYTHON [ARGUMENT ...]]",
     "say what there is to see on this machine, of these processes and in this Python, and what "
     "hinders"},
    {"proftop ctl VERB [WORD ...] -p PID|ENDPOINT ...|--role ROLE",
     "ask jobs to change what they collect; every viewer of one is told who did"},
    {"proftop help [COMMAND]", "print the options, or the forms of a command"},
    {"proftop version", "print the version"},
};
const unsigned tui_forms_count = sizeof tui_forms / sizeof tui_forms[0];

const struct tui_words tui_exits[] = {
    {"0", "fine"},
    {"1", "diff with a threshold: a row is slower in B than allowed"},
    {"2", "the command line or the terminal cannot be used"},
    {"3", "no such job, or no file that can be read, or it may not be watched or controlled; "
          "doctor found a "
          "fault"},
    {"4", "without a screen: the job ended without saying so, or before anything was shown"},
    {"5", "a report could not be written"},
    {"6", "diff with a threshold: it cannot be told whether a row is slower than allowed"},
    {"141", "the reader of standard output went away, as of a pipe into head"},
};
const unsigned tui_exits_count = sizeof tui_exits / sizeof tui_exits[0];

enum tui_exit tui_exit_of_write(int error)
{
    return error == EPIPE ? TUI_EXIT_PIPE : TUI_EXIT_WRITE;
}

/* Prints the column names for --sort, in lines of at most 79 columns. */
static void print_columns(FILE *file)
{
    int at = 0;
    fputs("\nColumns of --sort:\n", file);
    for (unsigned i = 0; i < model_columns_count; i++) {
        bool shown = false;
        for (unsigned k = 0; k < TUI_PANES; k++)
            shown |= model_column_find(model_columns[i].id, tui_panes[k].table) == (int)i;
        if (!shown)
            continue;
        int size = (int)strlen(model_columns[i].id);
        if (at > 0 && at + 1 + size > HELP_COLS) {
            fputc('\n', file);
            at = 0;
        }
        at += fprintf(file, "%s%s", at ? " " : "  ", model_columns[i].id);
    }
    fputc('\n', file);
}

static void print_controls(FILE *file)
{
    fputs("\nVerbs of ctl:\n", file);
    for (unsigned i = 0; i < tui_controls_count; i++) {
        char words[64];
        snprintf(words, sizeof words, "%s %s", tui_controls[i].name, tui_controls[i].words);
        fprintf(file, "  %-*s %s\n", HELP_INDENT, words, tui_controls[i].help);
    }
}

static void print_option(FILE *file, const struct tui_option *option)
{
    char words[64], letter[8] = "    ";
    if (option->letter)
        snprintf(letter, sizeof letter, "-%c, ", option->letter);
    snprintf(words, sizeof words, "%s--%s%s%s", letter, option->name, option->value ? " " : "",
             option->value ? option->value : "");
    fprintf(file, "  %-*s %s\n", HELP_INDENT, words, option->help);
}

/* True if a text has this word. */
static bool speaks_of(const char *text, const char *word)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz-";
    const size_t size = strlen(word);
    for (const char *at = text; (at = strstr(at, word)) != NULL; at++) {
        const bool begins = at == text || !strchr(letters, at[-1]);
        if (begins && (at[size] == '\0' || !strchr(letters, at[size])))
            return true;
    }
    return false;
}

/* Prints the forms of a command, and the options whose help speaks of it. */
static void print_about(FILE *file, const char *command)
{
    const size_t size = strlen("proftop ");
    const size_t length = strlen(command);
    for (unsigned i = 0; i < tui_forms_count; i++) {
        const char *word = tui_forms[i].words + size;
        if (strncmp(word, command, length) == 0 && (word[length] == ' ' || word[length] == '\0'))
            fprintf(file, "  %s\n      %s\n", tui_forms[i].words, tui_forms[i].help);
    }
    bool any = false;
    for (unsigned i = 0; i < tui_options_count; i++) {
        const struct tui_option *option = &tui_options_table[i];
        if (!speaks_of(option->help, command))
            continue;
        fputs(any ? "" : "\nOptions that speak of it:\n", file);
        print_option(file, option);
        any = true;
    }
    if (strcmp(command, "ctl") == 0)
        print_controls(file);
    fputs("\nproftop --help prints all options, and man proftop explains them.\n", file);
}

void tui_options_help(FILE *file, const char *about)
{
    if (about) {
        print_about(file, about);
        return;
    }
    fputs("proftop shows where a running graph program spends its time.\n\n", file);
    for (unsigned i = 0; i < tui_forms_count; i++)
        fprintf(file, "  %s\n      %s\n", tui_forms[i].words, tui_forms[i].help);
    fputs("\nOptions:\n", file);
    for (unsigned i = 0; i < tui_options_count; i++)
        print_option(file, &tui_options_table[i]);
    print_columns(file);
    print_controls(file);
    fputs("\nExit codes (run passes on that of its command):\n", file);
    for (unsigned i = 0; i < tui_exits_count; i++)
        fprintf(file, "  %s  %s\n", tui_exits[i].words, tui_exits[i].help);
    fputs("\nOn the screen, F1 lists the keys.\n", file);
}

/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * options.h: the command line. One table of options is what is parsed, what --help prints and what
 * the manual says; so are the tables of forms and of exit codes.
 */
#ifndef TUI_CLI_OPTIONS_H
#define TUI_CLI_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "model/summary.h"
#include "tui/cli/verbs.h"
#include "tui/ui/words.h"

enum tui_exit {
    TUI_EXIT_FINE = 0,
    TUI_EXIT_USAGE = 2,
    TUI_EXIT_NO_JOB = 3,
    TUI_EXIT_JOB_LOST = 4,
    TUI_EXIT_WRITE = 5,
    TUI_EXIT_PIPE = 141, /* as of a program that SIGPIPE ended */
};

/* Code for a write that failed: a reader that went away is no fault to speak of. */
enum tui_exit tui_exit_of_write(int error);

enum tui_command {
    TUI_COMMAND_ATTACH,
    TUI_COMMAND_LIST,
    TUI_COMMAND_RUN,
    TUI_COMMAND_KEYGEN,
    TUI_COMMAND_CTL,
    TUI_COMMAND_DIFF,
    TUI_COMMAND_DOCTOR,
    TUI_COMMAND_HELP,
    TUI_COMMAND_VERSION,
    TUI_COMMAND_MAN,
};

enum tui_format {
    TUI_FORMAT_TEXT,
    TUI_FORMAT_JSON,
    TUI_FORMAT_INFO,    /* of lists alone */
    TUI_FORMAT_DIALECT, /* of reports alone, as those that follow */
    TUI_FORMAT_MXNET,   /* what mxnet.profiler.dumps() prints: a table, */
    TUI_FORMAT_MXNET_JSON,
};

enum { TUI_PANE_ANY = -1, TUI_NAMED_MAX = 256, TUI_HOSTS_MAX = 64 };

/* What of several jobs is shown. */
enum tui_show {
    TUI_SHOW_ONE, /* one of them alone, as if it were attached alone */
    TUI_SHOW_SUM,
    TUI_SHOW_RANKS,
    TUI_SHOW_EACH,
    TUI_SHOWS
};

/* What was asked for. Texts are borrowed from argv. */
struct tui_options {
    enum tui_command command;
    uint64_t pid;         /* 0: none */
    const char *endpoint; /* NULL: none */
    const struct tui_verb *verb;     /* of `ctl`, with its words; of `diff` the words alone */
    const char *word[TUI_WORDS_MAX];
    unsigned words;
    bool finished, force; /* of `ctl dump` */
    const char *order;    /* of MXNet's formats: total, avg, min, max or count; NULL: total */
    bool ascending;       /* of these too, */
    bool reset;           /* and after each of these reports all counts of the job begin anew */
    const char *role; /* of the jobs that are meant; NULL: any */
    const char *hosts[TUI_HOSTS_MAX]; /* machines to reach by ssh */
    unsigned host_count;
    const char *slurm;    /* batch job whose nodes these are, or NULL */
    /* Several: of each the first is the one above. */
    uint64_t pids[TUI_NAMED_MAX];
    const char *endpoints[TUI_NAMED_MAX];
    unsigned pid_count, endpoint_count;
    const char *job;     /* name of a job to attach to, or NULL */
    bool all;            /* every job of this machine */
    bool children;       /* worker processes of what is attached to as well */
    enum tui_show look;  /* of several jobs */
    char *const *argv;    /* of `run`; ends with NULL */
    const char *linker, *optimizer; /* same, if it is of Theano's family; NULL: as it has them */
    bool batch;
    bool reports; /* an option was given that only reports have */
    bool count_given;
    uint64_t count;    /* 0: until the job ends */
    uint64_t delay_ns; /* between two reports */
    bool wait_given;
    uint64_t wait_ns;
    const char *out; /* NULL: the default stream, "-": stdout */
    enum tui_format format;
    const struct model_dialect *dialect; /* of TUI_FORMAT_DIALECT */
    struct model_summary_rows rows;      /* same */
    bool summary; /* one report, when the job ends */
    const char *functions[TUI_NAMED_MAX]; /* to show, together */
    unsigned function_count;
    const char *aliases[TUI_NAMED_MAX]; /* NAME=ALIAS of functions */
    unsigned alias_count;
    const char *group; /* that of this function; NULL: none */
    int pane;     /* index in tui_panes, or TUI_PANE_ANY */
    uint32_t top; /* 0: all rows */
    const char *sort, *filter;
    uint64_t refresh_ms;
    const char *color;
    bool ascii, sync, clock;
    bool listen;            /* wait at `endpoint` for jobs that come */
    const char *key, *peer; /* names of keys for tcp; NULL: as usual */
    bool insecure;          /* tcp without keys */
    const char *new_key;    /* of `keygen` */
};

/* One row of THE option table. */
struct tui_option {
    const char *name;  /* after the two dashes */
    char letter;       /* after one dash, or 0 */
    const char *value; /* name of what it takes, or NULL */
    const char *help;  /* one line, lower case, no full stop */
    bool (*take)(struct tui_options *options, const char *value, char *why, size_t capacity);
};
extern const struct tui_option tui_options_table[];
extern const unsigned tui_options_count;

/* A form of the command line, and an exit code, with what each means. */
extern const struct tui_words tui_forms[];
extern const unsigned tui_forms_count;
extern const struct tui_words tui_exits[];
extern const unsigned tui_exits_count;

/* Whether more than one job may be attached to. */
bool tui_options_several(const struct tui_options *options);

/* What is wrong with them together, as a sentence; or NULL. `words`: some stand behind them. */
const char *tui_options_wrong(const struct tui_options *options, bool words);

/* Reads argv. False with a sentence in `why`: a usage error. */
bool tui_options_parse(struct tui_options *options, int argc, char *const argv[], char *why,
                       size_t capacity);
/* What --help prints (usage.c), and the manual as mdoc (manpage.c). */
void tui_options_help(FILE *file);
void tui_man_print(FILE *file);

/* A whole number in decimal; false if it is none, or above `max`. */
bool tui_number_parse(const char *text, uint64_t max, uint64_t *number);
/* Duration in seconds ("1", "0.25") to ns; false if it is none or above a day. */
bool tui_seconds_parse(const char *text, uint64_t *ns);

#endif

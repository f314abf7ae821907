/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * options.h: the command line. The parser, --help and the manual all use one table of options;
 * likewise for command forms and exit codes.
 */
#ifndef TUI_CLI_OPTIONS_H
#define TUI_CLI_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "model/gate.h"
#include "model/summary.h"
#include "tui/cli/controls.h"
#include "tui/cli/formats.h"
#include "tui/ui/words.h"

enum tui_exit {
    TUI_EXIT_FINE = 0,
    TUI_EXIT_SLOWER = 1, /* of diff --fail-above */
    TUI_EXIT_USAGE = 2,
    TUI_EXIT_NO_JOB = 3,
    TUI_EXIT_JOB_LOST = 4,
    TUI_EXIT_WRITE = 5,
    /* Of diff --fail-above. A code of its own: a CI may let it pass, but not a full disk. */
    TUI_EXIT_CANNOT_TELL = 6,
    TUI_EXIT_PIPE = 141, /* as for a program killed by SIGPIPE */
};

/* Returns the code for a failed write: a closed pipe is no error worth a message. */
enum tui_exit tui_exit_of_write(int error);

enum tui_command {
    TUI_COMMAND_ATTACH,
    TUI_COMMAND_LIST,
    TUI_COMMAND_RUN,
    TUI_COMMAND_KEYGEN,
    TUI_COMMAND_CTL,
    TUI_COMMAND_DIFF,
    TUI_COMMAND_DOCTOR,
    TUI_COMMAND_PROM,
    TUI_COMMAND_TRACE,
    TUI_COMMAND_RECORD,
    TUI_COMMAND_LAST,
    TUI_COMMAND_HELP, /* this and those behind it print words and end */
    TUI_COMMAND_VERSION,
    TUI_COMMAND_MAN,
    TUI_COMMAND_COMPLETION,
};

/* One row of the table of commands: the words that may stand in the place of a job. */
struct tui_command_word {
    const char *word;
    enum tui_command command;
    const char *help; /* a few words, for the completion of shells */
};
extern const struct tui_command_word tui_commands[];
extern const unsigned tui_commands_count;

enum { TUI_PANE_ANY = -1, TUI_NAMED_MAX = 256, TUI_HOSTS_MAX = 64 };

/* View of several jobs. */
enum tui_show {
    TUI_SHOW_ONE, /* one job alone, as if only it were attached */
    TUI_SHOW_SUM,
    TUI_SHOW_RANKS,
    TUI_SHOW_EACH,
    TUI_SHOWS
};

/* The parsed command line. Texts are borrowed from argv. */
struct tui_options {
    enum tui_command command;
    uint64_t pid;                      /* 0: none */
    const char *endpoint;              /* NULL: none */
    const struct tui_control *control; /* for `ctl`, with its words; `diff` has only words */
    const char *word[SHARED_COMMAND_WORDS];
    unsigned words;
    /* For `diff`: the operands before --. Those behind it are in argv. */
    const char *operands[TUI_NAMED_MAX];
    unsigned operand_count;
    bool gate;         /* --fail-above was given */
    bool gate_options; /* an option that only --fail-above has was given */
    struct model_gate_rule rule;
    bool finished, force; /* for `ctl dump` */
    bool list;            /* for `last`: list what there is */
    bool keep;            /* for `run`: the job keeps its counts where they outlive it */
    const char *order;    /* for MXNet's formats: total, avg, min, max or count; NULL: total */
    bool ascending;       /* for MXNet's formats */
    bool reset;           /* for MXNet's formats: each report resets all counts of the job */
    const char *role;     /* role of the requested jobs; NULL: any */
    const char *hosts[TUI_HOSTS_MAX]; /* machines to reach by ssh */
    unsigned host_count;
    const char *slurm; /* batch job whose nodes to reach, or NULL */
    /* All values given; the first is also the single member above. */
    uint64_t pids[TUI_NAMED_MAX];
    const char *endpoints[TUI_NAMED_MAX];
    unsigned pid_count, endpoint_count;
    const char *load;   /* file to show in the place of a job, or NULL */
    const char *job;    /* name of a job to attach to, or NULL */
    bool all;           /* every job of this machine */
    bool children;      /* also child processes of attached jobs */
    enum tui_show look; /* view of several jobs */
    char *const *argv;  /* for `run`; ends with NULL */
    /* For `run`, for a command of Theano's family; NULL: its own setting. */
    const char *linker, *optimizer;
    bool batch;
    bool reports; /* an option that only reports have was given */
    bool count_given;
    uint64_t count;    /* number of reports; 0: until the job ends */
    uint64_t delay_ns; /* time between two reports */
    bool wait_given;
    uint64_t wait_ns;
    uint64_t window_ns;    /* for `trace` and `record`: how long; 0: not given */
    uint64_t trace_events; /* for `trace`; 0: not given */
    const char *out;       /* NULL: the default stream, "-": stdout */
    enum tui_format format;
    const struct model_dialect *dialect;  /* for TUI_FORMAT_PROFILE; NULL: another format */
    struct model_summary_rows rows;       /* for TUI_FORMAT_PROFILE */
    bool summary;                         /* one report, when the job ends */
    const char *functions[TUI_NAMED_MAX]; /* functions to show together */
    unsigned function_count;
    const char *aliases[TUI_NAMED_MAX]; /* NAME=ALIAS of functions */
    unsigned alias_count;
    const char *group; /* show the group of this function; NULL: none */
    int pane;          /* index in tui_panes, or TUI_PANE_ANY */
    bool top_given;
    uint32_t top; /* 0: all rows */
    const char *sort, *filter;
    uint64_t refresh_ms;
    const char *record;    /* file of the recording, or NULL */
    uint64_t record_bytes; /* how large; 0: no limit */
    uint64_t every_ns;     /* moments of that time are added up; 0: each tick is one */
    const char *at;        /* the moment of a recording to show, or NULL */
    size_t history;        /* bytes that the screen keeps of the past; 0: none */
    const char *color;
    bool ascii, sync, clock;
    bool listen;            /* wait at `endpoint` for jobs that connect; `prom`: at `serve` */
    const char *serve;      /* value of --listen; for `prom` where scrapers connect */
    const char *key, *peer; /* names of keys for tcp; NULL: the default */
    bool insecure;          /* tcp without keys */
    const char *new_key;    /* for `keygen` */
    bool plays;             /* a recording is played from its begin, again and again */
    const char *demo_of;    /* `demo NAME`: the name of a recording, or NULL */
    bool demo;              /* `demo`: the command of run is the job that comes with proftop */
    const char *about;      /* for `help`: a command; NULL: all */
    const char *shell;      /* for --print-completion */
};

/* One row of THE option table. */
struct tui_option {
    const char *name;  /* after the two dashes */
    char letter;       /* after one dash, or 0 */
    const char *value; /* name of its value, or NULL */
    const char *help;  /* one line, lower case, no full stop */
    const char *words; /* values that it takes, separated by blanks; NULL: others */
    bool (*take)(struct tui_options *options, const char *value, char *why, size_t capacity);
};
extern const struct tui_option tui_options_table[];
extern const unsigned tui_options_count;

/* Forms of the command line and exit codes, each with its meaning. */
extern const struct tui_words tui_forms[];
extern const unsigned tui_forms_count;
extern const struct tui_words tui_exits[];
extern const unsigned tui_exits_count;

/* True if more than one job may be attached to. */
bool tui_options_several(const struct tui_options *options);

/* Returns a sentence about a conflict between options, or NULL. `words`: there are words after the
 * options. */
const char *tui_options_wrong(const struct tui_options *options, bool words);

/* Parses argv. Returns false with a sentence in `why`: a usage error. */
bool tui_options_parse(struct tui_options *options, int argc, char *const argv[], char *why,
                       size_t capacity);
/* Prints the text of --help (usage.c), or the forms of the command `about`. */
void tui_options_help(FILE *file, const char *about);
/* Prints the manual as mdoc (manpage.c). */
void tui_man_print(FILE *file);
/* Prints the completion of a shell: bash, zsh or fish (completion.c). */
void tui_completion_print(FILE *file, const char *shell);

/* Parses a whole decimal number; false if it is none, or above `max`. */
bool tui_number_parse(const char *text, uint64_t max, uint64_t *number);
/* Parses a duration in seconds ("1", "0.25") to ns; false if it is none or above a day. */
bool tui_seconds_parse(const char *text, uint64_t *ns);
/* Parses a duration with its unit ("1ms", "0.5s") to ns, rounded; false if it is none or above a
 * day. */
bool tui_duration_parse(const char *text, uint64_t *ns);
/* Parses a percentage ("10%", "10", "0.5%") to a ratio; false if it is none, 0, or above a
 * million. */
bool tui_percent_parse(const char *text, double *ratio);

#endif

/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * options.c: THE option table and the one parser that reads it.
 */
#include "config.h"

#include "tui/cli/options.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "feed/protocol/limits.h"
#include "tui/cli/framework_flags.h"
#include "tui/cli/http_listen.h"
#include "tui/ui/screen.h"

enum { NS_PER_MS = 1000000, REFRESH_MIN_MS = 100, REFRESH_MAX_MS = 10000 };
enum { HISTORY_MIB = 64, HISTORY_MIB_MAX = 1 << 20 };

/* ------------------------------------------------------------------------------- reading values */

static bool refuse(char *why, size_t capacity, const char *option, const char *value,
                   const char *expected)
{
    char safe[128];
    model_text_safe(value, strlen(value), safe, sizeof safe);
    snprintf(why, capacity, "%s takes %s, not '%s'", option, expected, safe);
    return false;
}

static bool too_many(char *why, size_t capacity)
{
    snprintf(why, capacity, "at most %d jobs can be named; --all takes any number",
             (int)TUI_NAMED_MAX);
    return false;
}

/* Position of a value among words that are separated by blanks; -1: it is none of them. */
static int word_at(const char *words, const char *value)
{
    const size_t size = strlen(value);
    for (int at = 0; *words; at++) {
        const size_t length = strcspn(words, " ");
        if (length == size && memcmp(words, value, size) == 0)
            return at;
        words += length + (words[length] == ' ');
    }
    return -1;
}

/* Words of options, as the completion of shells offers them. Their order is that of the enum, where
 * there is one. */
#define WORDS_JOBS    "one sum ranks each"
#define WORDS_SORT_BY "total avg min max count"
#define WORDS_PANE    "class op apply line memory compile"
#define WORDS_COLOR   "auto never 8 256"
#define WORDS_CLOCK   "on off"
#define WORDS_SHELL   "bash zsh fish"
#define WORDS_BY      "op class apply function memory"

/* Adds one process id each time. */
static bool take_pid(struct tui_options *options, const char *value, char *why, size_t capacity)
{
    uint64_t pid;
    if (!tui_number_parse(value, INT32_MAX, &pid) || pid == 0)
        return refuse(why, capacity, "--pid", value, "the number of a process");
    if (options->pid_count == TUI_NAMED_MAX)
        return too_many(why, capacity);
    options->pids[options->pid_count++] = pid;
    options->pid = options->pids[0];
    return true;
}

static bool take_jobs(struct tui_options *options, const char *value, char *why, size_t capacity)
{
    const int at = word_at(WORDS_JOBS, value);
    if (at < 0)
        return refuse(why, capacity, "--jobs", value, "sum, ranks, each or one");
    options->look = (enum tui_show)at;
    return true;
}

static bool take_host(struct tui_options *options, const char *value, char *why, size_t capacity)
{
    if (options->host_count < TUI_HOSTS_MAX) {
        options->hosts[options->host_count++] = value;
        return true;
    }
    snprintf(why, capacity, "at most %d machines can be named", (int)TUI_HOSTS_MAX);
    return false;
}

static bool take_list(struct tui_options *options, const char *value, char *why, size_t capacity)
{
    (void)value, (void)why, (void)capacity;
    if (options->command != TUI_COMMAND_LAST)
        options->command = TUI_COMMAND_LIST;
    options->list = true;
    return true;
}

static bool take_count(struct tui_options *options, const char *value, char *why, size_t capacity)
{
    options->count_given = options->reports = true;
    if (tui_number_parse(value, UINT32_MAX, &options->count))
        return true;
    return refuse(why, capacity, "--count", value, "a number of reports (0: until the job ends)");
}

static bool take_delay(struct tui_options *options, const char *value, char *why, size_t capacity)
{
    if (tui_seconds_parse(value, &options->delay_ns) &&
        options->delay_ns >= (uint64_t)REFRESH_MIN_MS * NS_PER_MS)
        return true;
    return refuse(why, capacity, "--delay", value, "seconds, at least 0.1");
}

static bool take_seconds(struct tui_options *options, const char *value, char *why, size_t capacity)
{
    const bool trace = options->command == TUI_COMMAND_TRACE;
    const uint64_t most_ns = (uint64_t)WIRE_TRACE_MAX_S * 1000 * NS_PER_MS;
    if (tui_seconds_parse(value, &options->window_ns) && options->window_ns > 0 &&
        (!trace || options->window_ns <= most_ns))
        return true;
    return refuse(why, capacity, "--seconds", value, trace ? "seconds, up to 600" : "seconds");
}

static bool take_events(struct tui_options *options, const char *value, char *why, size_t capacity)
{
    if (tui_number_parse(value, WIRE_TRACE_EVENTS_MAX, &options->trace_events) &&
        options->trace_events > 0)
        return true;
    return refuse(why, capacity, "--events", value, "a number of events, up to 10000000");
}

static bool take_wait(struct tui_options *options, const char *value, char *why, size_t capacity)
{
    options->wait_given = true;
    if (tui_seconds_parse(value, &options->wait_ns))
        return true;
    return refuse(why, capacity, "--wait", value, "seconds");
}

static bool take_output(struct tui_options *options, const char *value, char *why, size_t capacity)
{
    options->out = value;
    options->reports = true;
    return *value || refuse(why, capacity, "--output", value, "a file, or - for standard output");
}

static bool take_format(struct tui_options *options, const char *value, char *why, size_t capacity)
{
    char reports[200], lists[64], expected[300];
    if (tui_format_find(value, &options->format)) {
        const bool profile = tui_format_is(options->format, TUI_FORMAT_PROFILE);
        options->dialect = profile ? model_dialect_find(value) : NULL;
        options->reports |= tui_format_is(options->format, TUI_FORMAT_BATCH);
        return true;
    }
    snprintf(expected, sizeof expected, "%s (-l: %s)",
             tui_format_names(TUI_FORMAT_REPORTS, reports, sizeof reports),
             tui_format_names(TUI_FORMAT_LISTS, lists, sizeof lists));
    return refuse(why, capacity, "--format", value, expected);
}

static bool take_order(struct tui_options *options, const char *value, char *why, size_t capacity)
{
    options->order = value;
    return word_at(WORDS_SORT_BY, value) >= 0 ||
           refuse(why, capacity, "--sort-by", value, "total, avg, min, max or count");
}

static bool take_rows(const char *name, uint32_t *rows, const char *value, char *why,
                      size_t capacity)
{
    uint64_t number;
    if (!tui_number_parse(value, MODEL_SUMMARY_USUAL - 1, &number))
        return refuse(why, capacity, name, value, "a number of rows");
    *rows = (uint32_t)number;
    return true;
}

static bool take_n_apply(struct tui_options *options, const char *value, char *why, size_t capacity)
{
    return take_rows("--n-apply", &options->rows.applies, value, why, capacity);
}

static bool take_n_ops(struct tui_options *options, const char *value, char *why, size_t capacity)
{
    return take_rows("--n-ops", &options->rows.ops, value, why, capacity);
}

static bool take_least_bytes(struct tui_options *options, const char *value, char *why,
                             size_t capacity)
{
    if (!tui_number_parse(value, INT64_MAX, &options->rows.least_bytes))
        return refuse(why, capacity, "--min-memory-size", value, "a number of bytes");
    return true;
}

static bool take_fail_above(struct tui_options *options, const char *value, char *why,
                            size_t capacity)
{
    options->gate = true;
    return tui_percent_parse(value, &options->rule.fail_above) ||
           refuse(why, capacity, "--fail-above", value, "a percentage above 0, as 10%");
}

static bool take_min_time(struct tui_options *options, const char *value, char *why,
                          size_t capacity)
{
    options->gate_options = true;
    return tui_duration_parse(value, &options->rule.min_ns) ||
           refuse(why, capacity, "--min-time", value, "a time with its unit: 1ms, 500us, 0.1s");
}

static bool take_by(struct tui_options *options, const char *value, char *why, size_t capacity)
{
    const int at = word_at(WORDS_BY, value);
    options->gate_options = true;
    if (at < 0)
        return refuse(why, capacity, "--by", value, "op, class, apply, function or memory");
    options->rule.by = (enum model_gate_by)at;
    return true;
}

static bool take_per_call(struct tui_options *options, const char *value, char *why,
                          size_t capacity)
{
    (void)value, (void)why, (void)capacity;
    options->gate_options = options->rule.per_call = true;
    return true;
}

static bool take_summary(struct tui_options *options, const char *value, char *why, size_t capacity)
{
    (void)value, (void)why, (void)capacity;
    options->summary = options->reports = true;
    return true;
}

static bool take_pane(struct tui_options *options, const char *value, char *why, size_t capacity)
{
    for (int i = 0; i < TUI_PANES; i++) {
        bool named =
            strlen(value) > 1 && strncasecmp(value, tui_panes[i].title, strlen(value)) == 0;
        if (named || (value[0] == tui_panes[i].key && value[1] == '\0')) {
            options->pane = i;
            return true;
        }
    }
    return refuse(why, capacity, "--pane", value, "class, op, apply, line, memory or compile");
}

static bool take_top(struct tui_options *options, const char *value, char *why, size_t capacity)
{
    uint64_t rows;
    if (!tui_number_parse(value, UINT32_MAX, &rows))
        return refuse(why, capacity, "--top", value, "a number of rows (0: all)");
    options->top_given = true;
    options->top = (uint32_t)rows;
    return true;
}

static bool take_sort(struct tui_options *options, const char *value, char *why, size_t capacity)
{
    options->sort = value;
    for (int i = 0; i < TUI_PANES; i++) {
        if (model_column_find(value, tui_panes[i].table) >= 0)
            return true;
    }
    return refuse(why, capacity, "--sort", value, "a column (proftop --help lists them)");
}

static bool take_refresh(struct tui_options *options, const char *value, char *why, size_t capacity)
{
    uint64_t ns;
    if (tui_seconds_parse(value, &ns)) {
        options->refresh_ms = ns / NS_PER_MS;
        if (options->refresh_ms >= REFRESH_MIN_MS && options->refresh_ms <= REFRESH_MAX_MS)
            return true;
    }
    return refuse(why, capacity, "--refresh", value, "seconds from 0.1 to 10");
}

static bool take_history(struct tui_options *options, const char *value, char *why, size_t capacity)
{
    uint64_t mib;
    if (!tui_number_parse(value, HISTORY_MIB_MAX, &mib))
        return refuse(why, capacity, "--history", value, "a number of MiB");
    options->history = (size_t)mib << 20;
    return true;
}

static bool take_size(struct tui_options *options, const char *value, char *why, size_t capacity)
{
    uint64_t mib;
    if (!tui_number_parse(value, HISTORY_MIB_MAX, &mib) || mib == 0)
        return refuse(why, capacity, "--size", value, "a number of MiB");
    options->record_bytes = mib << 20;
    return true;
}

static bool take_every(struct tui_options *options, const char *value, char *why, size_t capacity)
{
    if (tui_seconds_parse(value, &options->every_ns))
        return true;
    return refuse(why, capacity, "--every", value, "seconds (0: each tick)");
}

static bool take_color(struct tui_options *options, const char *value, char *why, size_t capacity)
{
    options->color = value;
    return word_at(WORDS_COLOR, value) >= 0 ||
           refuse(why, capacity, "--color", value, "auto, never, 8 or 256");
}

static bool take_no_sync(struct tui_options *options, const char *value, char *why, size_t capacity)
{
    (void)value, (void)why, (void)capacity;
    options->sync = false;
    return true;
}

static bool take_clock(struct tui_options *options, const char *value, char *why, size_t capacity)
{
    options->clock = strcmp(value, "on") == 0;
    return options->clock || strcmp(value, "off") == 0 ||
           refuse(why, capacity, "--clock", value, "on or off");
}

static bool take_listen(struct tui_options *options, const char *value, char *why, size_t capacity)
{
    options->listen = true;
    options->serve = value;
    return strstr(value, "://") || tui_listen_is_address(value) ||
           refuse(why, capacity, "--listen", value,
                  "an endpoint, or with prom unix:/path or 127.0.0.1:PORT");
}

static bool take_help(struct tui_options *options, const char *value, char *why, size_t capacity)
{
    (void)value, (void)why, (void)capacity;
    options->command = TUI_COMMAND_HELP;
    return true;
}

static bool take_version(struct tui_options *options, const char *value, char *why, size_t capacity)
{
    (void)value, (void)why, (void)capacity;
    options->command = TUI_COMMAND_VERSION;
    return true;
}

static bool take_completion(struct tui_options *options, const char *value, char *why,
                            size_t capacity)
{
    options->command = TUI_COMMAND_COMPLETION;
    options->shell = value;
    return word_at(WORDS_SHELL, value) >= 0 ||
           refuse(why, capacity, "--print-completion", value, "bash, zsh or fish");
}

static bool take_man(struct tui_options *options, const char *value, char *why, size_t capacity)
{
    (void)value, (void)why, (void)capacity;
    options->command = TUI_COMMAND_MAN;
    return true;
}

/* Options that keep a valid text. */
#define TEXT(name, member, good, option, expected)                                                 \
    static bool name(struct tui_options *options, const char *value, char *why, size_t capacity)   \
    {                                                                                              \
        options->member = value;                                                                   \
        return (good) || refuse(why, capacity, option, value, expected);                           \
    }
TEXT(take_role, role, *value, "--role", "a role: worker, server, ...")
TEXT(take_slurm, slurm, *value, "--slurm", "the number of a batch job")
TEXT(take_group, group, *value, "--group", "the name of a function")
TEXT(take_load, load, *value, "--load", "a file, or - for standard input")
TEXT(take_key, key, *value, "--key", "the name of a key")
TEXT(take_peer, peer, *value, "--peer", "the name of a key")
TEXT(take_record, record, *value, "--record", "a file")
TEXT(take_at, at, *value, "--at",
     "seconds since a recording began or, below 0, before it ends, or a time as 14:07:30")
TEXT(take_filter, filter, strlen(value) < MODEL_FILTER_MAX, "--filter",
     "a text of at most 255 bytes")
/* Passed on to a command of Theano's family. */
TEXT(take_linker, linker, tui_flags_value(value), "--linker",
     "the name of a linker: py, c|py, cvm, numba, ...")
TEXT(take_optimizer, optimizer, tui_flags_value(value), "--optimizer",
     "a set of rewrites: fast_run, fast_compile, None")

/* Options that may be repeated; all values are kept. */
#define LIST(name, member, count, good, option, expected)                                          \
    static bool name(struct tui_options *options, const char *value, char *why, size_t capacity)   \
    {                                                                                              \
        if (!(good) || options->count == TUI_NAMED_MAX)                                            \
            return refuse(why, capacity, option, value, expected ", 256 times at most");           \
        options->member[options->count++] = value;                                                 \
        return true;                                                                               \
    }
LIST(take_function, functions, function_count, *value, "--function", "the name of a function")
LIST(take_alias, aliases, alias_count,
     *value &&strrchr(value + 1, '=') && strrchr(value + 1, '=')[1], "--alias", "NAME=ALIAS")

/* Options without a value. */
#define SWITCH(name, member)                                                                       \
    static bool name(struct tui_options *options, const char *value, char *why, size_t capacity)   \
    {                                                                                              \
        (void)value, (void)why, (void)capacity;                                                    \
        options->member = true;                                                                    \
        return true;                                                                               \
    }
SWITCH(take_all, all)
SWITCH(take_children, children)
SWITCH(take_keep, keep)
SWITCH(take_finished, finished)
SWITCH(take_force, force)
SWITCH(take_ascending, ascending)
SWITCH(take_reset, reset)
SWITCH(take_batch, batch)
SWITCH(take_ascii, ascii)
SWITCH(take_insecure, insecure)

/* ----------------------------------------------------------------------------------- the tables */

const struct tui_option tui_options_table[] = {
    {"pid", 'p', "PID",
     "attach to the job with this process id; a Python job that publishes nothing yet is made "
     "to; several times: to several",
     NULL, take_pid},
    {"role", 0, "ROLE", "with ctl: every job of this machine with this role, as worker or server",
     NULL, take_role},
    {"host", 'H', "HOST", "look for jobs on this machine, by ssh; several times: on several", NULL,
     take_host},
    {"slurm", 0, "JOBID", "look for jobs on the nodes of this SLURM job, by ssh", NULL, take_slurm},
    {"finished", 0, NULL, "with ctl dump: let the job stop counting first", NULL, take_finished},
    {"force", 0, NULL, "with ctl dump: replace a file that is there", NULL, take_force},
    {"all", 0, NULL, "attach to all jobs of this user, and to those that are started later", NULL,
     take_all},
    {"children", 0, NULL,
     "attach to the worker processes of the jobs as well; with -p or NAME also to workers that run "
     "already and publish nothing",
     NULL, take_children},
    {"keep", 0, NULL,
     "with run: the job keeps its counts where they outlive it, for proftop last (PROFTOP_KEEP=1)",
     NULL, take_keep},
    {"jobs", 0, "HOW", "of several jobs show their sum, ranks (least, median, most), each, or one",
     WORDS_JOBS, take_jobs},
    {"list", 'l', NULL, "list the jobs of this user and end; with last: what jobs left behind",
     NULL, take_list},
    {"batch", 'b', NULL, "print reports instead of the screen; also when stdout is no terminal",
     NULL, take_batch},
    {"count", 'n', "N", "print N reports, as -b (default 1, under run 0; 0: until the job ends)",
     NULL, take_count},
    {"delay", 'd', "SECONDS", "time between two reports (default 1)", NULL, take_delay},
    {"seconds", 0, "SECONDS",
     "with trace: length of the window (default 5); with record: end after so many seconds", NULL,
     take_seconds},
    {"events", 0, "N", "with trace: keep N events at most, and count the others (default 1000000)",
     NULL, take_events},
    {"output", 'o', "FILE", "write reports to FILE; - is stdout (default; under run: stderr)", NULL,
     take_output},
    {"format", 0, "FORMAT",
     "text; json: objects as docs/json.schema (-l: jobs.schema, doctor: doctor.schema) says; "
     "csv: the same as one table; md: a summary to show to others; prom: for Prometheus; "
     "chrome: the report as bars, for Perfetto; "
     "theano, aesara, pytensor, profilemode: the profile as that prints it; mxnet, mxnet-json: "
     "what mxnet.profiler.dumps() would print, in milliseconds and kB, of a job of any framework",
     TUI_FORMAT_WORDS, take_format},
    {"load", 0, "FILE",
     "show a saved profile in the place of a job: what Theano, Aesara, PyTensor, ProfileMode, "
     "torch.profiler or MXNet printed, a Chrome trace, or json; - is standard input",
     NULL, take_load},
    {"sort-by", 0, "KEY",
     "order of mxnet and mxnet-json within a category: total (default), avg, min, max or count",
     WORDS_SORT_BY, take_order},
    {"ascending", 0, NULL, "with these, the smallest first", NULL, take_ascending},
    {"reset", 0, NULL,
     "with these, let the job make each report and begin all counts anew, with nothing lost "
     "between",
     NULL, take_reset},
    {"n-apply", 0, "N",
     "rows of Apply in a profile or diff (default: as the job's flags say, or 20; profilemode and "
     "diff 15)",
     NULL, take_n_apply},
    {"n-ops", 0, "N", "rows of Class and of Ops, same (default: as the job's flags say, or 20)",
     NULL, take_n_ops},
    {"min-memory-size", 0, "BYTES",
     "with memory, list no apply with smaller outputs (default: as the job's flags "
     "say, or 1024)",
     NULL, take_least_bytes},
    {"fail-above", 0, "PERCENT",
     "with diff: judge each row of several runs of A and B, and end with 1 if one is more than "
     "PERCENT slower in B, with 6 if that cannot be told, else with 0",
     NULL, take_fail_above},
    {"min-time", 0, "TIME",
     "with diff --fail-above: judge rows of at least TIME, as 500us (default 1ms)", NULL,
     take_min_time},
    {"by", 0, "ROWS",
     "with diff --fail-above: judge op (default), class, apply or function, or memory: the bytes "
     "of ops",
     WORDS_BY, take_by},
    {"per-call", 0, NULL,
     "with diff --fail-above: compare the time of each call of a row; else that of each call of "
     "its function",
     NULL, take_per_call},
    {"summary", 0, NULL, "with run: print one report when the job ends, as its framework does",
     NULL, take_summary},
    {"linker", 0, "NAME",
     "with run: py, c|py, cvm, ...: the linker of Theano, Aesara or PyTensor, among its flags",
     NULL, take_linker},
    {"optimizer", 0, "NAME", "with run: None, fast_compile, ...: its rewrites, in the same manner",
     NULL, take_optimizer},
    {"function", 0, "NAME",
     "show this function alone (#ID: by its id in JSON); several times: these, as one", NULL,
     take_function},
    {"group", 0, "NAME",
     "show, as one, the functions that share a profile or a mode with this function", NULL,
     take_group},
    {"alias", 0, "NAME=ALIAS", "call the functions of this name so; the job is not touched", NULL,
     take_alias},
    {"pane", 0, "PANE",
     "class, op, apply, line, memory or compile: begin with it; in reports print it alone",
     WORDS_PANE, take_pane},
    {"top", 0, "K",
     "print at most K rows of each pane as text; of each table as prom (default 50, 0: 5000)", NULL,
     take_top},
    {"sort", 0, "COLUMN", "sort by this column where a pane has it", NULL, take_sort},
    {"filter", 0, "TEXT", "show rows alone whose name contains TEXT", NULL, take_filter},
    {"wait", 0, "SECONDS", "wait so long for the first figures (default 10; run: until it ends)",
     NULL, take_wait},
    {"history", 0, "MIB",
     "memory for the past of the jobs on the screen, in MiB (default 64; 0: keep none)", NULL,
     take_history},
    {"record", 0, "FILE",
     "record the jobs into FILE meanwhile, on the screen, with -b and with run", NULL, take_record},
    {"size", 0, "MIB", "with record and --record: end it when the file is as large, in MiB", NULL,
     take_size},
    {"every", 0, "S", "record one moment each S seconds (default 0: each tick)", NULL, take_every},
    {"at", 0, "TIME",
     "of a recording, with -b and diff: show one moment: 90 (seconds after its start), -10 "
     "(seconds before its end) or 14:07:30",
     NULL, take_at},
    {"refresh", 0, "SECONDS", "time between two states on the screen, 0.1 to 10 (default 1)", NULL,
     take_refresh},
    {"color", 0, "WHEN", "auto, never, 8 or 256 colours (default auto)", WORDS_COLOR, take_color},
    {"ascii", 0, NULL, "use ASCII signs alone", NULL, take_ascii},
    {"no-sync", 0, NULL, "do not bracket frames as synchronised output", NULL, take_no_sync},
    {"clock", 0, "ON", "on or off: whether times that pass by themselves are shown (default on)",
     WORDS_CLOCK, take_clock},
    {"listen", 0, "ENDPOINT",
     "wait there for a job that PROFTOP_CONNECT sends; with prom unix:/path or 127.0.0.1:PORT: "
     "serve metrics there",
     NULL, take_listen},
    {"key", 0, "NAME", "show this key over tcp (default id; proftop keygen makes one)", NULL,
     take_key},
    {"peer", 0, "NAME", "over tcp, expect this key of the job (default: our own)", NULL, take_peer},
    {"insecure", 0, NULL,
     "use tcp without keys: anybody may read along, and lie; with prom: serve at any address", NULL,
     take_insecure},
    {"help", 'h', NULL, "print this and end", NULL, take_help},
    {"version", 'V', NULL, "print the version and end", NULL, take_version},
    {"print-completion", 0, "SHELL", "print the completion of bash, zsh or fish and end",
     WORDS_SHELL, take_completion},
    {"print-man", 0, NULL, "print the manual in mdoc and end", NULL, take_man},
};
const unsigned tui_options_count = sizeof tui_options_table / sizeof tui_options_table[0];

/* -------------------------------------------------------------------------------------- parsing */

/* Position of the parser in argv. */
struct walk {
    char *const *argv;
    int argc, at;
    char *why;
    size_t capacity;
};

/* Finds an option by its name, or by the beginning of it if no other option begins so. Returns NULL
 * if there is none, or with a sentence in `why` if there are several. */
static const struct tui_option *find_name(const char *name, size_t size, char *why, size_t capacity)
{
    const struct tui_option *found = NULL;
    unsigned several = 0;
    for (unsigned i = 0; size > 0 && i < tui_options_count; i++) {
        const struct tui_option *option = &tui_options_table[i];
        if (strncmp(option->name, name, size) != 0)
            continue;
        if (option->name[size] == '\0')
            return option;
        if (several++ == 1)
            snprintf(why, capacity, "--%.*s may be --%s or --%s; write more of it", (int)size, name,
                     found->name, option->name);
        found = several == 1 ? option : found;
    }
    return several == 1 ? found : NULL;
}

static const struct tui_option *find_letter(char letter)
{
    for (unsigned i = 0; i < tui_options_count; i++) {
        if (tui_options_table[i].letter == letter)
            return &tui_options_table[i];
    }
    return NULL;
}

static bool unknown(struct walk *walk, const char *word)
{
    char safe[128];
    model_text_safe(word, strlen(word), safe, sizeof safe);
    snprintf(walk->why, walk->capacity, "there is no option '%s'; see proftop --help", safe);
    return false;
}

/* `value`: the value from the same word, or NULL: then it is the next word of argv. */
static bool apply(struct walk *walk, struct tui_options *options, const struct tui_option *option,
                  const char *value)
{
    if (option->value && !value) {
        if (walk->at + 1 >= walk->argc) {
            snprintf(walk->why, walk->capacity, "--%s wants a value: %s", option->name,
                     option->value);
            return false;
        }
        value = walk->argv[++walk->at];
    }
    if (!option->value && value) {
        snprintf(walk->why, walk->capacity, "--%s takes no value", option->name);
        return false;
    }
    return option->take(options, value, walk->why, walk->capacity);
}

static bool take_long(struct walk *walk, struct tui_options *options, const char *word)
{
    const char *name = word + 2, *equal = strchr(name, '=');
    walk->why[0] = '\0';
    const struct tui_option *option =
        find_name(name, equal ? (size_t)(equal - name) : strlen(name), walk->why, walk->capacity);
    if (!option)
        return walk->why[0] ? false : unknown(walk, word);
    return apply(walk, options, option, equal ? equal + 1 : NULL);
}

static bool take_letters(struct walk *walk, struct tui_options *options, const char *word)
{
    for (const char *letter = word + 1; *letter; letter++) {
        const struct tui_option *option = find_letter(*letter);
        if (!option)
            return unknown(walk, word);
        if (option->value)
            return apply(walk, options, option, letter[1] ? letter + 1 : NULL);
        if (!apply(walk, options, option, NULL))
            return false;
    }
    return true;
}

/* The first word of `ctl` is its control; an endpoint is recognised by its slashes. */
static bool take_ctl(struct walk *walk, struct tui_options *options, const char *word)
{
    char names[256], safe[128];
    if (!options->control) {
        options->control = tui_control_find(word);
        tui_control_names(names, sizeof names);
        model_text_safe(word, strlen(word), safe, sizeof safe);
        snprintf(walk->why, walk->capacity, "ctl knows %s, not '%s'", names, safe);
        return options->control != NULL;
    }
    if (options->words == SHARED_COMMAND_WORDS) {
        snprintf(walk->why, walk->capacity, "ctl takes %d words at most",
                 (int)SHARED_COMMAND_WORDS);
        return false;
    }
    options->word[options->words++] = word;
    return true;
}

/* Takes a process id, or the name of a job. */
static bool take_job(struct walk *walk, struct tui_options *options, const char *word)
{
    if (*word && strspn(word, "0123456789") == strlen(word))
        return take_pid(options, word, walk->why, walk->capacity);
    char safe[128];
    model_text_safe(word, strlen(word), safe, sizeof safe);
    const bool name = *word && word[0] != '-';
    if (!name)
        snprintf(walk->why, walk->capacity,
                 "'%s' is no job: proftop PID, proftop NAME or proftop ENDPOINT attaches to one",
                 safe);
    else if (options->job)
        snprintf(walk->why, walk->capacity,
                 "'%s' is one name too many: several jobs are named by their process ids", safe);
    if (!name || options->job)
        return false;
    options->job = word;
    return true;
}

static bool take_word(struct walk *walk, struct tui_options *options, const char *word)
{
    if (options->command == TUI_COMMAND_DIFF) {
        if (options->operand_count == TUI_NAMED_MAX)
            return too_many(walk->why, walk->capacity);
        options->operands[options->operand_count++] = word;
        return true; /* tui_options_wrong() requires two */
    }
    if (options->command == TUI_COMMAND_CTL && (!strstr(word, "://") || strchr(word, '=')))
        return take_ctl(walk, options, word);
    if (strncmp(word, "ssh://", strlen("ssh://")) == 0)
        return take_host(options, word, walk->why, walk->capacity);
    if (!strstr(word, "://"))
        return take_job(walk, options, word);
    if (options->endpoint_count >= TUI_NAMED_MAX)
        return too_many(walk->why, walk->capacity);
    options->endpoints[options->endpoint_count++] = word;
    options->endpoint = options->endpoints[0];
    return true;
}

/* True after --help and similar options: the words after them are ignored. */
static bool asks_for_words(const struct tui_options *options)
{
    return options->command >= TUI_COMMAND_HELP;
}

const struct tui_command_word tui_commands[] = {
    {"run", TUI_COMMAND_RUN, "start a job and attach to it"},
    {"demo", TUI_COMMAND_RUN, "watch a small job that comes with proftop"},
    {"ctl", TUI_COMMAND_CTL, "ask jobs to change what they collect"},
    {"diff", TUI_COMMAND_DIFF, "compare two jobs"},
    {"trace", TUI_COMMAND_TRACE, "write the single calls of some seconds, for Perfetto"},
    {"record", TUI_COMMAND_RECORD, "record jobs into a file, without a screen"},
    {"last", TUI_COMMAND_LAST, "show what a job left behind that was killed"},
    {"doctor", TUI_COMMAND_DOCTOR, "say what there is to see, and what hinders"},
    {"prom", TUI_COMMAND_PROM, "serve what jobs count to Prometheus"},
    {"keygen", TUI_COMMAND_KEYGEN, "make a pair of keys for tcp"},
    {"help", TUI_COMMAND_HELP, "print the options, or a command's forms"},
    {"version", TUI_COMMAND_VERSION, "print the version"},
};
const unsigned tui_commands_count = sizeof tui_commands / sizeof tui_commands[0];

static const struct tui_command_word *find_command(const char *word)
{
    for (unsigned i = 0; i < tui_commands_count; i++)
        if (strcmp(tui_commands[i].word, word) == 0)
            return &tui_commands[i];
    return NULL;
}

/* True if a word is a command; sets it. */
static bool is_command(struct tui_options *options, const char *word)
{
    const struct tui_command_word *command = find_command(word);
    if (!command)
        return false;
    options->command = command->command;
    options->demo = strcmp(word, "demo") == 0;
    return true;
}

/* Takes the word behind `help`. */
static bool take_about(struct walk *walk, struct tui_options *options, const char *word)
{
    char safe[128];
    options->about = word;
    if (find_command(word))
        return true;
    model_text_safe(word, strlen(word), safe, sizeof safe);
    snprintf(walk->why, walk->capacity, "there is no command '%s'; see proftop --help", safe);
    return false;
}

/* Takes the word behind `demo`. */
static bool takes_demo(struct tui_options *options, const char *word)
{
    if (!options->demo || options->demo_of)
        return false;
    options->demo_of = word;
    return true;
}

/* Parses options and words up to the end, or up to the command of `run`. */
static bool walk_words(struct walk *walk, struct tui_options *options)
{
    for (; walk->at < walk->argc && !asks_for_words(options); walk->at++) {
        const char *word = walk->argv[walk->at];
        bool good = true;
        bool option = word[0] == '-' && word[1] != '\0';
        if (option && strcmp(word, "--") == 0) {
            walk->at++;
            return true;
        }
        if (option && word[1] == '-')
            good = take_long(walk, options, word);
        else if (option)
            good = take_letters(walk, options, word);
        else if (options->command == TUI_COMMAND_RUN && takes_demo(options, word))
            continue;
        else if (options->command == TUI_COMMAND_RUN)
            return true;
        else if (options->command == TUI_COMMAND_ATTACH && is_command(options, word)) {
            if (options->command == TUI_COMMAND_HELP && walk->at + 1 < walk->argc)
                return take_about(walk, options, walk->argv[walk->at + 1]);
            continue;
        } else if (options->command == TUI_COMMAND_KEYGEN && !options->new_key)
            options->new_key = word;
        else
            good = take_word(walk, options, word);
        if (!good)
            return false;
    }
    return true;
}

/* The value of --listen is the only endpoint, except for `prom`, which serves all jobs if none is
 * named. */
static void place_listen(struct tui_options *options)
{
    if (options->command == TUI_COMMAND_PROM) {
        options->all |= !options->pid && !options->endpoint && !options->job;
    } else if (options->listen) {
        options->endpoints[0] = options->endpoint = options->serve;
        options->endpoint_count++;
    }
}

bool tui_options_parse(struct tui_options *options, int argc, char *const argv[], char *why,
                       size_t capacity)
{
    struct walk walk = {argv, argc, 1, why, capacity};
    *options = (struct tui_options){
        .pane = TUI_PANE_ANY,
        .look = TUI_SHOW_SUM,
        .count = 1,
        .rows = {MODEL_SUMMARY_USUAL, MODEL_SUMMARY_USUAL, MODEL_SUMMARY_USUAL_BYTES},
        .rule = {.min_ns = NS_PER_MS},
        .delay_ns = 1000000000,
        .wait_ns = 10000000000,
        .refresh_ms = 1000,
        .history = (size_t)HISTORY_MIB << 20,
        .color = "auto",
        .sync = true,
        .clock = true};
    if (!walk_words(&walk, options))
        return false;
    if (options->command == TUI_COMMAND_RUN && !options->count_given)
        options->count = 0;
    place_listen(options);
    if (options->command == TUI_COMMAND_RECORD) {
        options->record = options->out;
        options->out = NULL;
    }
    options->batch = options->batch || options->reports;
    options->argv = argv + walk.at;
    const char *wrong = asks_for_words(options) ? NULL : tui_options_wrong(options, walk.at < argc);
    if (wrong)
        snprintf(why, capacity, "%s", wrong);
    return !wrong;
}

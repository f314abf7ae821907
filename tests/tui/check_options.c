/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * check_options.c: the command line, valid and invalid. Help and manual contain every row of the
 * tables.
 */
#include "config.h"

#include "tui/cli/options.h"

#include <stdlib.h>
#include <string.h>

#include "model/column.h"
#include "tui/ui/screen.h"
#include "../tap.h"

enum { WORDS_MAX = 16 };

static int count_words(const char *const words[WORDS_MAX])
{
    int count = 0;
    while (count < WORDS_MAX && words[count])
        count++;
    return count;
}

static bool parse(const char *const words[WORDS_MAX], struct tui_options *options, char *why,
                  size_t capacity)
{
    static char *argv[WORDS_MAX + 2];
    int count = count_words(words);
    argv[0] = (char *)(uintptr_t) "proftop";
    for (int i = 0; i < count; i++)
        argv[i + 1] = (char *)(uintptr_t)words[i];
    argv[count + 1] = NULL;
    why[0] = '\0';
    return tui_options_parse(options, count + 1, argv, why, capacity);
}

/* ---------------------------------------------------------------------------------- good lines */

START_TEST(defaults)
{
    struct tui_options o;
    char why[256];
    ck_assert(parse((const char *const[WORDS_MAX]){NULL}, &o, why, sizeof why));
    ck_assert_int_eq(o.command, TUI_COMMAND_ATTACH);
    ck_assert(!o.batch && !o.ascii && o.sync && o.clock);
    ck_assert_uint_eq(o.pid, 0);
    ck_assert_ptr_null(o.endpoint);
    ck_assert_uint_eq(o.count, 1);
    ck_assert_uint_eq(o.delay_ns, 1000000000u);
    ck_assert_uint_eq(o.wait_ns, 10000000000u);
    ck_assert_uint_eq(o.refresh_ms, 1000);
    ck_assert_int_eq(o.pane, TUI_PANE_ANY);
    ck_assert_int_eq(o.format, TUI_FORMAT_TEXT);
    ck_assert_str_eq(o.color, "auto");
}
END_TEST

START_TEST(reports)
{
    static const char *const words[][WORDS_MAX] = {
        {"-b", "-n", "3", "-d", "0.25", "-o", "f", "--format", "json", "-p", "77"},
        {"-bn3", "-d0.25", "-of", "--format=json", "-p77"},
        {"--batch", "--count=3", "--delay=.25", "--output=f", "--format=json", "--pid", "77"},
        {"-p77", "--format", "json", "-n3", "-d.25", "-o", "f"},
    };
    struct tui_options o;
    char why[256];
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        ck_assert_msg(parse(words[i], &o, why, sizeof why), "%zu: %s", i, why);
        ck_assert(o.batch && o.count_given);
        ck_assert_uint_eq(o.count, 3);
        ck_assert_uint_eq(o.delay_ns, 250000000u);
        ck_assert_str_eq(o.out, "f");
        ck_assert_int_eq(o.format, TUI_FORMAT_JSON);
        ck_assert_uint_eq(o.pid, 77);
    }
}
END_TEST

START_TEST(look)
{
    static const char *const words[WORDS_MAX] = {
        "tcp://h:1", "--pane", "OP",        "--top=5", "--sort",    "calls",
        "--filter",  "dot",    "--color=8", "--ascii", "--no-sync", "--clock=off"};
    struct tui_options o;
    char why[256];
    ck_assert_msg(parse(words, &o, why, sizeof why), "%s", why);
    ck_assert_str_eq(o.endpoint, "tcp://h:1");
    ck_assert_int_eq(o.pane, 1);
    ck_assert_uint_eq(o.top, 5);
    ck_assert_str_eq(o.sort, "calls");
    ck_assert_str_eq(o.filter, "dot");
    ck_assert_str_eq(o.color, "8");
    ck_assert(o.ascii && !o.sync && !o.clock && !o.batch);
}
END_TEST

/* Words after the command belong to the command. */
START_TEST(several)
{
    struct tui_options o;
    char why[256];
    ck_assert(parse((const char *const[WORDS_MAX]){"-p", "7", "tcp://a:1"}, &o, why, sizeof why));
    ck_assert(tui_options_several(&o) && o.pid == 7 && o.look == TUI_SHOW_SUM);
    ck_assert(parse((const char *const[WORDS_MAX]){"-p", "7", "-p8"}, &o, why, sizeof why));
    ck_assert(o.pid_count == 2 && o.pids[1] == 8 && o.pid == 7 && tui_options_several(&o));
    ck_assert(parse((const char *const[WORDS_MAX]){"tcp://a:1", "tcp://b:1"}, &o, why, sizeof why));
    ck_assert(o.endpoint_count == 2 && tui_options_several(&o));
    ck_assert_str_eq(o.endpoint, "tcp://a:1");
    ck_assert_str_eq(o.endpoints[1], "tcp://b:1");
    ck_assert(parse((const char *const[WORDS_MAX]){"--all", "--jobs=ranks"}, &o, why, sizeof why));
    ck_assert(o.all && o.look == TUI_SHOW_RANKS && tui_options_several(&o));
    ck_assert(parse((const char *const[WORDS_MAX]){"--children", "-p7"}, &o, why, sizeof why));
    ck_assert(o.children && tui_options_several(&o));
    ck_assert(parse((const char *const[WORDS_MAX]){"-p7"}, &o, why, sizeof why));
    ck_assert(!tui_options_several(&o));
}
END_TEST

START_TEST(jobs_are_named_by_a_word)
{
    struct tui_options o;
    char why[256];
    ck_assert(parse((const char *const[WORDS_MAX]){"1120"}, &o, why, sizeof why));
    ck_assert(o.pid == 1120 && o.pid_count == 1 && !o.job && !tui_options_several(&o));
    ck_assert(parse((const char *const[WORDS_MAX]){"-b", "1120", "7", "-n", "2"}, &o, why,
                    sizeof why));
    ck_assert(o.pid_count == 2 && o.pids[1] == 7 && o.batch && tui_options_several(&o));
    ck_assert(parse((const char *const[WORDS_MAX]){"train"}, &o, why, sizeof why));
    ck_assert(o.pid == 0 && !tui_options_several(&o));
    ck_assert_str_eq(o.job, "train");
    ck_assert(parse((const char *const[WORDS_MAX]){"train.py", "7"}, &o, why, sizeof why));
    ck_assert(o.pid == 7 && tui_options_several(&o));
}
END_TEST

START_TEST(run)
{
    static const struct {
        const char *words[WORDS_MAX];
        bool batch;
        const char *command;
        uint64_t count;
    } row[] = {
        {{"run", "--", "-x", "-b"}, false, "-x", 0},
        {{"run", "job", "-b", "--help"}, false, "job", 0},
        {{"run", "-b", "-n", "2", "job"}, true, "job", 2},
        {{"-b", "run", "--", "job", "run"}, true, "job", 0},
        {{"run", "--refresh=0.5", "job", "tcp://x:1"}, false, "job", 0},
    };
    struct tui_options o;
    char why[256];
    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        ck_assert_msg(parse(row[i].words, &o, why, sizeof why), "%zu: %s", i, why);
        ck_assert_int_eq(o.command, TUI_COMMAND_RUN);
        ck_assert_int_eq(o.batch, row[i].batch);
        ck_assert_str_eq(o.argv[0], row[i].command);
        ck_assert_uint_eq(o.count, row[i].count);
    }
}
END_TEST

START_TEST(gates)
{
    struct tui_options o;
    char why[256];
    ck_assert_msg(
        parse((const char *const[WORDS_MAX]){"diff", "main", "branch", "--fail-above", "12.5%"}, &o,
              why, sizeof why),
        "%s", why);
    ck_assert(o.gate && o.operand_count == 2 && !o.argv[0]);
    ck_assert_double_eq(o.rule.fail_above, 0.125);
    ck_assert_uint_eq(o.rule.min_ns, 1000000);
    ck_assert(o.rule.by == MODEL_BY_OP && !o.rule.per_call);
    ck_assert(parse((const char *const[WORDS_MAX]){"diff", "--fail-above=5", "--min-time", "2.5us",
                                                   "--by", "memory", "--per-call", "a1", "a2", "--",
                                                   "b1", "b2", "b3"},
                    &o, why, sizeof why));
    ck_assert_uint_eq(o.operand_count, 2);
    ck_assert_str_eq(o.operands[1], "a2");
    ck_assert(strcmp(o.argv[0], "b1") == 0 && strcmp(o.argv[2], "b3") == 0 && !o.argv[3]);
    ck_assert_double_eq(o.rule.fail_above, 0.05);
    ck_assert_uint_eq(o.rule.min_ns, 2500);
    ck_assert(o.rule.by == MODEL_BY_MEMORY && o.rule.per_call);
    ck_assert(parse((const char *const[WORDS_MAX]){"diff", "a", "b"}, &o, why, sizeof why));
    ck_assert(!o.gate && o.operand_count == 2);
}
END_TEST

START_TEST(words_alone)
{
    static const struct {
        const char *words[WORDS_MAX];
        enum tui_command command;
    } row[] = {
        {{"--help"}, TUI_COMMAND_HELP},        {{"-h", "whatever"}, TUI_COMMAND_HELP},
        {{"run", "--help"}, TUI_COMMAND_HELP}, {{"-V"}, TUI_COMMAND_VERSION},
        {{"--print-man"}, TUI_COMMAND_MAN},    {{"-l", "--format", "json"}, TUI_COMMAND_LIST},
    };
    struct tui_options o;
    char why[256];
    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        ck_assert_msg(parse(row[i].words, &o, why, sizeof why), "%zu: %s", i, why);
        ck_assert_int_eq(o.command, row[i].command);
    }
}
END_TEST

/* ----------------------------------------------------------------------------------- bad lines */

static const struct {
    const char *words[WORDS_MAX];
    const char *says; /* each message names the fault */
} bad[] = {
    {{"--nonsense"}, "--nonsense"},
    {{"-y"}, "-y"},
    {{"-"}, "'-'"},
    {{"-p"}, "--pid wants a value"},
    {{"-p", "0"}, "'0'"},
    {{"-p", "12x"}, "'12x'"},
    {{"-p", "-4"}, "'-4'"},
    {{"-p", "99999999999999999999"}, "99999999999999999999"},
    {{"-n", "many"}, "'many'"},
    {{"-n", ""}, "''"},
    {{"-d", "0"}, "at least 0.1"},
    {{"-d", "1e99"}, "'1e99'"},
    {{"-d", "nan"}, "'nan'"},
    {{"-d", "."}, "'.'"},
    {{"--wait", "soon"}, "'soon'"},
    {{"--wait", "999999"}, "'999999'"},
    {{"--format", "xml"}, "mxnet or mxnet-json (-l: text, json or info), not 'xml'"},
    {{"--format", ""}, "not ''"},
    {{"-l", "--format", "theano"}, "proftop -l --format json"},
    {{"-l", "--format", "mxnet"}, "proftop -l --format json"},
    {{"diff", "--format", "mxnet", "a", "b"}, "diff prints text or json"},
    {{"diff", "--fail-above", "0%", "a", "b"}, "--fail-above takes a percentage above 0"},
    {{"diff", "--fail-above", "0", "a", "b"}, "a percentage above 0, as 10%, not '0'"},
    {{"diff", "--fail-above", "-5%", "a", "b"}, "not '-5%'"},
    {{"diff", "--fail-above", "nan", "a", "b"}, "not 'nan'"},
    {{"diff", "--fail-above", "inf%", "a", "b"}, "not 'inf%'"},
    {{"diff", "--fail-above", "1e3%", "a", "b"}, "not '1e3%'"},
    {{"diff", "--fail-above", "10%%", "a", "b"}, "not '10%%'"},
    {{"diff", "--fail-above", "%", "a", "b"}, "not '%'"},
    {{"diff", "--fail-above", "", "a", "b"}, "not ''"},
    {{"diff", "--fail-above", "1000001%", "a", "b"}, "not '1000001%'"},
    {{"diff", "--fail-above", "1..5%", "a", "b"}, "not '1..5%'"},
    {{"diff", "a", "b", "--fail-above"}, "--fail-above wants a value: PERCENT"},
    {{"diff", "--fail-above", "10%", "a"}, "diff compares two"},
    {{"diff", "--fail-above", "10%"}, "diff compares two"},
    {{"diff", "--fail-above", "10%", "a", "b", "c"}, "which are runs of A, and which of B?"},
    {{"diff", "--fail-above", "10%", "--", "b"}, "no run of A is named"},
    {{"diff", "--fail-above", "10%", "a", "--", "b", "--by"}, "options of diff stand before --"},
    {{"diff", "a", "--", "b"}, "are of --fail-above"},
    {{"diff", "--by", "line", "--fail-above", "9", "a", "b"},
     "apply, function or memory, not 'line'"},
    {{"diff", "--min-time", "1", "--fail-above", "9", "a", "b"},
     "its unit: 1ms, 500us, 0.1s, not '1'"},
    {{"diff", "--min-time", "-1ms", "--fail-above", "9", "a", "b"}, "not '-1ms'"},
    {{"diff", "--min-time", "2days", "--fail-above", "9", "a", "b"}, "not '2days'"},
    {{"diff", "--min-time", "86401s", "--fail-above", "9", "a", "b"}, "not '86401s'"},
    {{"diff", "--per-call", "a", "b"}, "are of diff --fail-above PERCENT"},
    {{"diff", "--min-time", "1ms", "a", "b"}, "are of diff --fail-above PERCENT"},
    {{"diff", "--fail-above", "9", "-n", "3", "a", "b"}, "leave out -n"},
    {{"-b", "--fail-above", "10%"}, "are of diff: proftop diff --fail-above 10% A B"},
    {{"ctl", "pause", "--by", "op", "-p", "1"}, "are of diff"},
    {{"-b", "--sort-by", "beauty", "--format", "mxnet"}, "total, avg, min, max or count"},
    {{"-b", "--sort-by", "min"}, "are of --format mxnet"},
    {{"-b", "--ascending", "--format", "json"}, "are of --format mxnet"},
    {{"-b", "--format", "mxnet", "--function", "f"}, "leave out --function"},
    {{"-b", "--format", "mxnet-json", "--sort", "calls"}, "leave out --sort"},
    {{"--summary"}, "--summary is of run: proftop run --summary"},
    {{"run", "--summary", "-b", "-n", "1", "job"}, "leave out -n"},
    {{"-b", "--n-ops", "-1"}, "--n-ops takes a number of rows, not '-1'"},
    {{"-b", "--format", "info"}, "proftop -l --format info"},
    {{"-b", "-n", "2", "--format", "prom"}, "--format prom prints once"},
    {{"-b", "-n", "2", "--format", "chrome"}, "--format chrome prints once"},
    {{"run", "-b", "--format", "chrome", "job"}, "add --summary or -n 1"},
    {{"run", "-b", "--format", "prom", "job"}, "add --summary or -n 1"},
    {{"prom"}, "wants the address"},
    {{"prom", "--listen", "127.0.0.1"}, "--listen takes an endpoint, or with prom"},
    {{"prom", "--listen", "tcp://127.0.0.1:1"}, "wants the address"},
    {{"prom", "--listen", "127.0.0.1:1", "-o", "f"}, "leave out -n, -o"},
    {{"prom", "--listen", "127.0.0.1:1", "--pane", "op"}, "leave out --format, --pane"},
    {{"--listen", "unix:/x"}, "only prom serves at an address"},
    {{"ctl", "dump", "--format", "csv", "-p", "1"}, "ctl dump writes mxnet"},
    {{"--pane", "gpu"}, "class, op, apply, line, memory or compile, not 'gpu'"},
    {{"--pane", "11"}, "'11'"},
    {{"--sort", "beauty"}, "'beauty'"},
    {{"--top", "x"}, "'x'"},
    {{"--refresh", "0.05"}, "from 0.1 to 10"},
    {{"--refresh", "11"}, "from 0.1 to 10"},
    {{"--color", "red"}, "'red'"},
    {{"--clock", "maybe"}, "'maybe'"},
    {{"--function", ""}, "--function"},
    {{"run", "--linker", "py,floatX=float16", "job"}, "a linker: py, c|py"},
    {{"run", "--optimizer", "", "job"}, "--optimizer takes a set of rewrites"},
    {{"--linker", "py"}, "are of run"},
    {{"-o", ""}, "--output"},
    {{"--batch=yes"}, "--batch takes no value"},
    {{"train", "eval"}, "'eval' is one name too many"},
    {{""}, "'' is no job"},
    {{"--all", "train"}, "leave out -p, names and endpoints"},
    {{"-l", "train"}, "proftop NAME"},
    {{"0"}, "number of a process"},
    {{"99999999999999999999"}, "99999999999999999999"},
    {{"--listen", "tcp://a:1", "train"}, "leave out names"},
    {{"--all", "tcp://b:1"}, "leave out -p"},
    {{"-p", "7", "--all"}, "leave out -p"},
    {{"run", "--all", "job"}, "run starts its own job"},
    {{"-p", "7", "-p", "0"}, "number of a process"},
    {{"--jobs", "both"}, "sum, ranks, each or one, not 'both'"},
    {{"run"}, "run wants a command"},
    {{"run", "--"}, "run wants a command"},
    {{"run", "-p", "7", "job"}, "run starts its own job"},
    {{"--", "job"}, "belong to run"},
    {{"--\x1b[2J"}, "there is no option"},
};

START_TEST(one_sentence_names_the_fault)
{
    struct tui_options o;
    char why[256];
    ck_assert(!parse(bad[_i].words, &o, why, sizeof why));
    ck_assert_msg(strstr(why, bad[_i].says), "%s: %s", bad[_i].words[0], why);
    for (const char *at = why; *at; at++)
        ck_assert_msg((unsigned char)*at >= 0x20, "a raw control reached the sentence");
}
END_TEST

START_TEST(long_texts_are_refused_or_cut)
{
    char filter[5000];
    memset(filter, 'x', sizeof filter - 1);
    filter[sizeof filter - 1] = '\0';
    struct tui_options o;
    char why[256];
    ck_assert(!parse((const char *const[WORDS_MAX]){"--filter", filter}, &o, why, sizeof why));
    ck_assert_uint_lt(strlen(why), sizeof why);
}
END_TEST

START_TEST(long_options_may_be_abbreviated)
{
    struct tui_options o;
    char why[256];
    ck_assert(parse((const char *const[WORDS_MAX]){"--refr", "2", "--fin", "ctl", "dump", "--fi=x",
                                                   "-p", "1"},
                    &o, why, sizeof why) == false);
    ck_assert_str_eq(why, "--fi may be --finished or --filter; write more of it");
    ck_assert(
        parse((const char *const[WORDS_MAX]){"--refr", "2", "--filt=x"}, &o, why, sizeof why));
    ck_assert_uint_eq(o.refresh_ms, 2000);
    ck_assert_str_eq(o.filter, "x");
    /* A whole name is no abbreviation of a longer one. */
    ck_assert(parse((const char *const[WORDS_MAX]){"--sort", "calls"}, &o, why, sizeof why));
    ck_assert_str_eq(o.sort, "calls");
    ck_assert(!parse((const char *const[WORDS_MAX]){"--=x"}, &o, why, sizeof why));
    ck_assert(!parse((const char *const[WORDS_MAX]){"--refreshing", "2"}, &o, why, sizeof why));
    ck_assert_ptr_nonnull(strstr(why, "there is no option '--refreshing'"));
}
END_TEST

START_TEST(help_and_version_are_commands)
{
    struct tui_options o;
    char why[256];
    ck_assert(parse((const char *const[WORDS_MAX]){"help"}, &o, why, sizeof why));
    ck_assert(o.command == TUI_COMMAND_HELP && !o.about);
    ck_assert(parse((const char *const[WORDS_MAX]){"help", "run"}, &o, why, sizeof why));
    ck_assert_int_eq(o.command, TUI_COMMAND_HELP);
    ck_assert_str_eq(o.about, "run");
    ck_assert(!parse((const char *const[WORDS_MAX]){"help", "walk"}, &o, why, sizeof why));
    ck_assert_ptr_nonnull(strstr(why, "'walk'"));
    ck_assert(parse((const char *const[WORDS_MAX]){"version"}, &o, why, sizeof why));
    ck_assert_int_eq(o.command, TUI_COMMAND_VERSION);
}
END_TEST

/* ------------------------------------------------------------------------- what the tables make */

static char *printed(void (*print)(FILE *))
{
    static char *text; /* static: gcc 12 mistakes open_memstream()'s text for its address */
    static size_t size;
    FILE *file = open_memstream(&text, &size);
    print(file);
    fclose(file);
    return text;
}

static void print_help(FILE *file)
{
    tui_options_help(file, NULL);
}

static void print_help_of_ctl(FILE *file)
{
    tui_options_help(file, "ctl");
}

static void print_help_of_diff(FILE *file)
{
    tui_options_help(file, "diff");
}

START_TEST(help_of_a_command_has_its_options)
{
    char *help = printed(print_help_of_diff);
    ck_assert_ptr_nonnull(strstr(help, "  proftop diff [OPTION ...] A B\n"));
    ck_assert_ptr_nonnull(strstr(help, "  --fail-above PERCENT "));
    ck_assert_ptr_nonnull(strstr(help, "  --min-time TIME "));
    ck_assert_ptr_nonnull(strstr(help, "  --at TIME "));
    ck_assert_ptr_null(strstr(help, "--keep"));
    ck_assert_ptr_null(strstr(help, "--listen"));
    free(help);
}
END_TEST

START_TEST(help_and_manual_hold_every_option)
{
    char *help = printed(print_help), *manual = printed(tui_man_print), flag[64];
    for (unsigned i = 0; i < tui_options_count; i++) {
        snprintf(flag, sizeof flag, "--%s", tui_options_table[i].name);
        ck_assert_msg(strstr(help, flag), "help has no %s", flag);
        snprintf(flag, sizeof flag, "Fl \\&-%s", tui_options_table[i].name);
        ck_assert_msg(strstr(manual, flag), "manual has no %s", flag);
    }
    const char *columns = strstr(help, "Columns of --sort:");
    ck_assert_ptr_nonnull(columns);
    for (unsigned i = 0; i < model_columns_count; i++) {
        bool shown = model_column_find(model_columns[i].id, MODEL_APPLY) == (int)i ||
                     model_column_find(model_columns[i].id, MODEL_OP) == (int)i ||
                     model_column_find(model_columns[i].id, MODEL_CLASS) == (int)i;
        ck_assert_msg(!shown || strstr(columns, model_columns[i].id), "help has no column %s",
                      model_columns[i].id);
    }
    for (unsigned i = 0; i < tui_exits_count; i++)
        ck_assert(strstr(help, tui_exits[i].help) && strstr(manual, tui_exits[i].help));
    free(help);
    free(manual);
}
END_TEST

START_TEST(manual_holds_every_key_and_column)
{
    char *manual = printed(tui_man_print);
    const struct tui_help_row *row;
    size_t count = tui_help_rows(&row);
    ck_assert_uint_gt(count, 30);
    ck_assert_ptr_nonnull(strstr(manual, "Pq \\&percent"));
    for (unsigned i = 0; i < model_columns_count; i++) {
        const struct model_column *column = &model_columns[i];
        char id[64];
        snprintf(id, sizeof id, "Pq \\&%s\n", column->id);
        if (column->title && column->title[0])
            ck_assert_msg(strstr(manual, id), "manual has no column %s", column->id);
    }
    ck_assert_ptr_nonnull(strstr(manual, ".It \\&Space , \\&Z , \\&p\n"));
    free(manual);
}
END_TEST

START_TEST(help_of_a_command_has_its_forms_alone)
{
    char *help = printed(print_help_of_ctl);
    ck_assert_ptr_nonnull(strstr(help, "proftop ctl VERB"));
    ck_assert_ptr_nonnull(strstr(help, "\nVerbs of ctl:\n  pause "));
    ck_assert_ptr_null(strstr(help, "proftop run"));
    free(help);
}
END_TEST

START_TEST(options_are_unique)
{
    for (unsigned i = 0; i < tui_options_count; i++) {
        for (unsigned j = 0; j < i; j++) {
            const struct tui_option *a = &tui_options_table[i], *b = &tui_options_table[j];
            ck_assert_str_ne(a->name, b->name);
            ck_assert(!a->letter || a->letter != b->letter);
        }
    }
}
END_TEST

/* Each command takes the formats whose row of the table says so, and no others. */
START_TEST(formats_are_of_the_commands_that_their_rows_say)
{
    static const struct {
        unsigned property;
        const char *word[4]; /* NULL: the format */
    } commands[] = {{TUI_FORMAT_LISTS, {"-l", "--format", NULL}},
                    {TUI_FORMAT_REPORTS, {"-b", "--format", NULL}},
                    {TUI_FORMAT_DIFFS, {"diff", "--format", NULL}},
                    {TUI_FORMAT_DOCTOR, {"doctor", "--format", NULL}}};
    for (unsigned i = 0; i < TUI_FORMAT_COUNT; i++) {
        const enum tui_format format = (enum tui_format)i;
        for (unsigned j = 0; j < sizeof commands / sizeof commands[0]; j++) {
            const char *const *word = commands[j].word;
            const bool diff = commands[j].property == TUI_FORMAT_DIFFS;
            struct tui_options o;
            char why[256];
            const bool taken =
                parse((const char *const[WORDS_MAX]){word[0], word[1], tui_format_word(format),
                                                     diff ? "a" : NULL, "b"},
                      &o, why, sizeof why);
            ck_assert_msg(taken == tui_format_is(format, commands[j].property), "%s %s: %s",
                          word[0], tui_format_word(format), why);
            ck_assert(!taken || o.format == format);
            ck_assert(!taken || !!o.dialect == tui_format_is(format, TUI_FORMAT_PROFILE));
        }
    }
}
END_TEST

START_TEST(prom_serves_all_jobs_unless_some_are_named)
{
    struct tui_options o;
    char why[256];
    ck_assert(
        parse((const char *const[WORDS_MAX]){"prom", "--listen", "[::1]:0"}, &o, why, sizeof why));
    ck_assert_int_eq(o.command, TUI_COMMAND_PROM);
    ck_assert_str_eq(o.serve, "[::1]:0");
    ck_assert(o.all && o.endpoint_count == 0);
    ck_assert(parse((const char *const[WORDS_MAX]){"prom", "--listen=unix:/x", "train", "--top=0"},
                    &o, why, sizeof why));
    ck_assert(!o.all && o.top_given && o.top == 0);
    ck_assert_str_eq(o.job, "train");
    ck_assert(parse((const char *const[WORDS_MAX]){"--listen", "127.0.0.1:1", "prom", "77"}, &o,
                    why, sizeof why));
    ck_assert(!o.all && o.pid == 77);
}
END_TEST

START_TEST(formats_that_no_screen_has_ask_for_reports)
{
    for (unsigned i = 0; i < TUI_FORMAT_COUNT; i++) {
        const enum tui_format format = (enum tui_format)i;
        struct tui_options o;
        char why[256];
        if (!tui_format_is(format, TUI_FORMAT_REPORTS))
            continue;
        ck_assert(parse((const char *const[WORDS_MAX]){"--format", tui_format_word(format)}, &o,
                        why, sizeof why));
        ck_assert_int_eq(o.batch, tui_format_is(format, TUI_FORMAT_BATCH));
    }
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("options");
    tap_add(s, "defaults", defaults);
    tap_add(s, "reports", reports);
    tap_add(s, "look", look);
    tap_add(s, "several", several);
    tap_add(s, "jobs_are_named_by_a_word", jobs_are_named_by_a_word);
    tap_add(s, "run", run);
    tap_add(s, "gates", gates);
    tap_add(s, "words_alone", words_alone);
    tap_add_loop(s, "one_sentence_names_the_fault", one_sentence_names_the_fault, TAP_ROWS(bad));
    tap_add(s, "long_texts_are_refused_or_cut", long_texts_are_refused_or_cut);
    tap_add(s, "long_options_may_be_abbreviated", long_options_may_be_abbreviated);
    tap_add(s, "help_and_version_are_commands", help_and_version_are_commands);
    tap_add(s, "help_of_a_command_has_its_options", help_of_a_command_has_its_options);
    tap_add(s, "help_and_manual_hold_every_option", help_and_manual_hold_every_option);
    tap_add(s, "manual_holds_every_key_and_column", manual_holds_every_key_and_column);
    tap_add(s, "help_of_a_command_has_its_forms_alone", help_of_a_command_has_its_forms_alone);
    tap_add(s, "options_are_unique", options_are_unique);
    tap_add(s, "formats_are_of_the_commands_that_their_rows_say",
            formats_are_of_the_commands_that_their_rows_say);
    tap_add(s, "prom_serves_all_jobs_unless_some_are_named",
            prom_serves_all_jobs_unless_some_are_named);
    tap_add(s, "formats_that_no_screen_has_ask_for_reports",
            formats_that_no_screen_has_ask_for_reports);
    return s;
}

TAP_MAIN(suite)

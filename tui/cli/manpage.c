/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * manpage.c: the manual in mdoc, generated from the tables of options, keys, columns and exit
 * codes.
 */
#include "config.h"

#include "tui/app/action.h"
#include "tui/cli/options.h"

#include <string.h>

/* Writes text in a macro line or paragraph; escapes characters that are commands for roff. */
static void put(FILE *file, const char *text)
{
    for (const char *at = text; *at; at++) {
        if (*at == '\\')
            fputs("\\e", file);
        else if (at == text && (*at == '.' || *at == '\''))
            fprintf(file, "\\&%c", *at);
        else if (*at == '-')
            fputs("\\-", file);
        else
            fputc(*at, file);
    }
}

/* Writes each key as a word that mdoc cannot mistake for a macro or a delimiter. */
static void put_keys(FILE *file, const char *keys)
{
    for (const char *at = keys; *at; at++) {
        bool first = at == keys || at[-1] == ' ';
        if (first && *at != ' ')
            fputs("\\&", file);
        if (*at == '\\')
            fputs("\\e", file);
        else if (*at == ' ')
            fputs(" , ", file);
        else
            fputc(*at, file);
    }
}

static void print_options(FILE *file)
{
    fputs(".Bl -tag -width Ds\n", file);
    for (unsigned i = 0; i < tui_options_count; i++) {
        const struct tui_option *option = &tui_options_table[i];
        fputs(".It", file);
        if (option->letter) {
            fprintf(file, " Fl %c", option->letter);
            if (option->value)
                fprintf(file, " Ar %s", option->value);
            fputs(" ,", file);
        }
        fprintf(file, " Fl \\&-%s", option->name);
        if (option->value)
            fprintf(file, " Ar %s", option->value);
        fputc('\n', file);
        put(file, option->help);
        fputs(".\n", file);
    }
    fputs(".El\n", file);
}

static void print_keys(FILE *file)
{
    const struct tui_help_row *row;
    size_t count = tui_help_rows(&row);
    const char *group = NULL;
    for (size_t i = 0; i < count; i++) {
        if (!group || strcmp(group, row[i].group) != 0) {
            fprintf(file, "%s.Ss %s\n.Bl -tag -width Ds\n", group ? ".El\n" : "", row[i].group);
            group = row[i].group;
        }
        fputs(".It ", file);
        put_keys(file, row[i].keys);
        fputc('\n', file);
        put(file, row[i].text);
        fputs(".\n", file);
    }
    if (group)
        fputs(".El\n", file);
}

static void print_controls(FILE *file)
{
    fputs(".Bl -tag -width Ds\n", file);
    for (unsigned i = 0; i < tui_controls_count; i++) {
        fprintf(file, ".It Ic %s", tui_controls[i].name);
        if (*tui_controls[i].words) {
            fputs(" \\&", file);
            put(file, tui_controls[i].words);
        }
        fputc('\n', file);
        put(file, tui_controls[i].help);
        fputs(".\n", file);
    }
    fputs(".El\n", file);
}

static void print_panes(FILE *file)
{
    fputs(".Bl -tag -width Ds\n", file);
    for (unsigned i = 0; i < TUI_PANES; i++) {
        fprintf(file, ".It \\&%c %s\n", tui_panes[i].key, tui_panes[i].title);
        put(file, tui_panes[i].help);
        fputs(".\n", file);
    }
    fputs(".El\n", file);
}

static void print_columns(FILE *file)
{
    fputs("The letter sorts by the column; pressed again it reverses the order.\n"
          ".Bl -tag -width Ds\n",
          file);
    for (unsigned i = 0; i < model_columns_count; i++) {
        const struct model_column *column = &model_columns[i];
        if (!column->title || !column->title[0])
            continue;
        fputs(".It ", file);
        put_keys(file, column->title);
        if (column->key)
            fprintf(file, " , Ic \\&%c", column->key);
        fprintf(file, " Pq \\&%s\n", column->id);
        put(file, column->help);
        fputs(".\n", file);
    }
    fputs(".El\n", file);
}

#define COUNT(table) ((unsigned)(sizeof(table) / sizeof(table)[0]))

static const struct tui_words environment[] = {
    {"PROFTOP_DIR", "an absolute path: where jobs announce themselves, before the usual places; "
                    "proftop looks there and in the usual places, see FILES; processes that "
                    "publish nothing are listed if they have the same PROFTOP_DIR, or none as "
                    "proftop"},
    {"PROFTOP_ADAPTERS", "the folder of the adapters for run and -p, instead of that of the "
                         "installation or, without one, that beside the program"},
    {"PROFTOP_PYTHON", "the Python that runs a command of run which is a script, SCRIPT.py: python "
                       "-m proftop sets it to itself"},
    {"PROFTOP_SSH", "the ssh command for -H, ssh:// and --slurm, with options, as a shell would "
                    "read it (default ssh)"},
    {"XDG_RUNTIME_DIR", "see FILES"},
    {"TMPDIR", "instead of /tmp, also for what a job of run prints; see FILES"},
    {"COLUMNS",
     "width of reports as text (default: that of the terminal; into a file or a pipe names "
     "are not cut)"},
    {"NO_COLOR", "if set, the screen has no colours"},
};

static const struct tui_words of_jobs[] = {
    {"PROFTOP", "0 keeps every feed off; 1 asks adapters and engines to publish, as run does"},
    {"PROFTOP_RUN", "a token by which run finds its job; run alone sets it"},
    {"PROFTOP_CHILDREN", "1: workers that are forked wait for the viewer, as the job does, so that "
                         "it sees them whole; run --children alone sets it"},
    {"PROFTOP_FUNCTIONS", "count only functions of these names (name,glob*,...), and what runs in "
                          "them; read from the environment of the job when its feed opens: of one "
                          "that runs already, proftop ctl functions chooses them"},
    {"PROFTOP_ON_DEMAND", "1 counts applies only while somebody watches"},
    {"PROFTOP_BUDGET", "percent of run time that counting may cost (2) before only some calls of "
                       "very short ops are timed; 0: time every call"},
    {"PROFTOP_KEEP",
     "1: the job keeps its counts in a file in memory (tmpfs), so that proftop last "
     "can show them however it ends; run --keep sets it"},
    {"PROFTOP_CONTROL", "0: no viewer may change what is collected"},
    {"PROFTOP_BIND", "tcp://host:port: viewers with a key that is let in may come there too; "
                     "control is the next port"},
    {"PROFTOP_KEYS", "the directory of keys for tcp, of jobs and of proftop, instead of "
                     "$XDG_CONFIG_HOME/proftop/keys or ~/.config/proftop/keys"},
    {"PROFTOP_KEY", "the name of the job's key (id)"},
    {"PROFTOP_CONNECT", "an endpoint where proftop --listen waits: the job goes there by itself, "
                        "and stays in its directory as well"},
    {"PROFTOP_PEER", "the name of the key that whoever listens there has to have (its own)"},
    {"PROFTOP_INSECURE", "1: the job uses tcp without keys; anybody may read along, and lie"},
    {"PROFTOP_CLOCK", "monotonic: take the system's clock in any case"},
    {"INTEL_LIBITTNOTIFY64",
     "the library that a program's ITT loads: run sets it to libproftop-itt.so "
     "of the installation, unless it is set"},
    {"NVTX_INJECTION64_PATH", "the library that a program's NVTX loads: run sets it to "
                              "libproftop-nvtx.so of the installation, unless it is set"},
};

/* Words in the lines above the panes that no heading explains. */
static const struct tui_words header[] = {
    {"vm, thunks",
     "what the code that runs the nodes took, and of that the nodes; their shares are of the time "
     "in calls, with those that are open, whose vm is told when they end"},
    {"waiting", "time in nodes that wait for other work or for other jobs, as the job says; the "
                "percentages are made of work alone: a row that only waits has wait in the place "
                "of one, and a w marks one that leaves out a part of the row's time"},
    {"aside",
     "in the place of a percentage: the row neither works nor waits, for other rows count what "
     "happens in it, as the job says; an a marks a percentage that leaves out such a part"},
    {"steps/s, samples/s, tokens/s",
     "how often the frame named step ends, from step to step in the interval, and how fast the "
     "counters named samples and tokens of its domain grow; of several jobs those of all"},
    {"lag", "how late the newest frame came, after the quickest of the last minute; of several "
            "jobs that of the latest, without the tenth of a second (half, of many) at which they "
            "are read"},
    {"profiling", "what counting and the feed take of the job's time now, in percent; from the "
                  "least to the most, as far as that is known; if the part that sampling can't "
                  "lower is above the budget (PROFTOP_BUDGET), that part too"},
};

static const struct tui_words files[] = {
    {"$PROFTOP_DIR", "if set"},
    {"$XDG_RUNTIME_DIR/proftop", "if set"},
    {"/run/user/UID/proftop", "the same of a login, where the variable was not passed on"},
    {"$TMPDIR/proftop-UID", "if set"},
    {"/tmp/proftop-UID", "the last resort"},
    {"PID-START.info", "in one of these: what a job says of itself; PID-START-N.pub and .ctl are "
                       "its sockets"},
    {"PID-START-N.box",
     "the counts of a job with PROFTOP_KEEP=1: in the first of these that lies in "
     "memory, or in /dev/shm/proftop-UID; removed when the job ends in order, "
     "and once 8 younger ones lie there"},
    {"/tmp/proftop-UID/PID-START.out",
     "what the job of run with a screen prints, and .err for its errors (TMPDIR stands for /tmp); "
     "removed when the job has ended and all was copied to the terminal, kept when the job is left "
     "running, when the terminal goes away, and when proftop is killed"},
};

static const struct tui_words examples[] = {
    {"proftop run -- python train.py", "start a job, unchanged, and watch it"},
    {"proftop -p 4711", "attach to a job that runs, of Theano, Aesara or PyTensor however it was "
                        "started"},
    {"proftop ctl detach -p 4711", "leave that job as if nobody had come"},
    {"proftop -b -n 3 -d 1 --pane op --top 10", "print the ten ops that cost most, three times"},
    {"proftop run -b --format json -o report.json -- ./train",
     "keep a report each second, and the last one, while the job has its terminal"},
    {"proftop run --summary -- python train.py",
     "print the profile when the job ends, in the words of its framework; what the feed does not "
     "tell (of a job attached to late, most times of compilations) has no line"},
    {"proftop run -b --format json -o a.json -- python train.py; proftop diff a.json 4711",
     "what a job that has ended did otherwise than one that runs"},
    {"proftop -b --format csv -o a.csv -p 4711", "one table for pandas, DuckDB or a spreadsheet"},
    {"proftop -b --format md -p 4711", "a summary for an issue or an assistant"},
    {"proftop prom --listen 127.0.0.1:9123",
     "serve what all jobs count at http://127.0.0.1:9123/metrics, for Prometheus"},
    {"proftop diff --fail-above 10% main branch",
     "in a CI: fail if an op is slower in the runs that are saved in the folder branch"},
    {"PROFTOP_FUNCTIONS='train*' proftop run -- python train.py", "count some functions alone"},
    {"proftop doctor -- python train.py",
     "whether that Python would be seen, and by which route: each framework in it compiles one "
     "small function; the program does not run"},
    {"proftop ctl pause -p 4711", "let a job count nothing, until proftop ctl resume -p 4711"},
    {"proftop trace --seconds 5 -o t.json -p 4711",
     "write each call of five seconds; ui.perfetto.dev and chrome://tracing open the file"},
    {"proftop -H gpu7 -p 4711", "attach to a job of another machine"},
    {"proftop -l --slurm 4711", "list the processes of a batch job, with their ranks"},
    {"proftop -l --format json", "for a script: who publishes, and where"},
};

/* `macro`: mdoc macro for the words, "" for none. */
static void print_words(FILE *file, const char *macro, const struct tui_words *words,
                        unsigned count)
{
    fputs(".Bl -tag -width Ds\n", file);
    for (unsigned i = 0; i < count; i++) {
        fprintf(file, ".It %s%s", macro, *macro ? " " : "");
        put(file, words[i].words);
        fputc('\n', file);
        put(file, words[i].help);
        fputs(".\n", file);
    }
    fputs(".El\n", file);
}

static void print_afar(FILE *file)
{
    fputs(".Pp\nJobs of other machines are reached through\n.Xr ssh 1 ,\nwhich forwards the two\n"
          "Unix sockets of a job, and asks what it has to ask before the screen opens.\n"
          "Without a terminal it asks nothing, and of several machines only the first may ask.\n"
          "No port is opened, nothing changes in the job, and proftop need not be installed\n"
          "there.\n",
          file);
}

static void print_profiles(FILE *file)
{
    fputs(".Sh PROFILES\nWith\n.Fl \\&-format\ntheano, aesara or pytensor, and with\n"
          ".Fl \\&-summary ,\na job of that framework has the profile that its release prints\n"
          "itself, line by line, but:\n"
          "what the feed does not tell has no line: of functions that were there before proftop,\n"
          "what it took to import them, and to compile and link them, unless they have a profile\n"
          "of their own; tips of functions whose nodes are not seen, or of so many kinds that\n"
          "they would take more than 2 kB;\n"
          "the memory section is there without a flag in the job;\n"
          "sections and lines that other flags add are not: the profile of the rewriters\n"
          "(profile_optimizer; the compile pane has their times and nodes), the least peak of\n"
          "memory (min_peak_memory) and the graphs (debugprint);\n"
          "the rate of flops below a flag of the job counts every call, and not one of them;\n"
          "the time of a Scan, in its own profile and in the overhead, is that of its node;\n"
          "a function without a name is called by its file and line, also where a release says\n"
          "None;\n"
          "functions that share one profile are printed each, and together where they are asked\n"
          "for as a group;\n"
          "the number of nodes is\n.Ql \\-\nwhere nobody sees them, as those of a function\n"
          "whose first call is left out (profiling.ignore_first_call), up to its second one;\n"
          "there are tables also where the job does not time its nodes (profiling.time_thunks),\n"
          "and what was never called, and compiled within a second, is left out without a word;\n"
          "the sum of all functions is there in every release, and what fails in some of them at\n"
          "the end of a job is printed.\n"
          "Of any other job the profile is in the words of the documents.\n"
          "profilemode has all functions as one, in fractions of their time;\n"
          "a row has a star if all its nodes run C code.\n"
          ".Pp\nWith\n.Fl \\&-format\nmxnet or mxnet-json, a job of any framework has the\n"
          "statistics that mxnet.profiler.dumps() prints, as its own proftop_dumps() prints them:\n"
          "ops in the category\n.Ql operator ,\n"
          "those with\n.Ql ::\nin their names in\n.Ql Custom Operator ,\n"
          "calls of an interface in\n.Ql API ,\n"
          "pools of memory in\n.Ql Device Storage ,\n"
          "tasks and counters in their domain, frames in\n.Ql DOMAIN,frame .\n"
          "Counters have a table and, in JSON, a key Value of their own.\n"
          "Whole numbers have all their digits, and a mean is that of the values.\n"
          ".Fl \\&-sort-by\nand\n.Fl \\&-ascending\nset the order within a category; rows that\n"
          "are equal go by their names backwards, as there.\n"
          "With\n.Fl \\&-reset\nthe job makes each report itself and begins all counts anew in\n"
          "one step, so what is counted beside is in this report or in the next.\n"
          "This takes the right to control the job.\n"
          "Other viewers are told who asked, and see the new counts.\n"
          "A report is lost if the connection breaks after that step: then the exit code is 4.\n",
          file);
}

static void print_places(FILE *file)
{
    fputs(".Sh FILES\n"
          "Jobs announce themselves in the first of these directories that they can use,\n"
          "which is made if need be, but not the directories above it.\n.Nm\nreads all of them:\n"
          "another\n.Ev PROFTOP_DIR\ndoes not hide jobs that announced themselves in one of them.\n"
          "Without that variable it also finds jobs in any other directory, by the kernel's list\n"
          "of sockets.\n"
          "Each has to belong to its user, with mode 0700.\n",
          file);
    print_words(file, "Pa", files, COUNT(files));
}

static void print_description(FILE *file)
{
    fputs(".Sh DESCRIPTION\n.Nm\n"
          "attaches to a job, a program that publishes the timings of its ops, and shows its\n"
          "classes, ops and apply nodes live: sortable, searchable, and frozen on request while\n"
          "nothing is lost.\nJobs of this user on this machine are found by themselves.\n"
          ".Pp\nTimes are elapsed time by the clock of the job, not processor time.\n"
          "A value that is not known is shown as\n.Ql \\- ,\nnever as 0;\n.Ql ~\n"
          "marks an estimate, or what may be behind.\n"
          "Where not every call of a row was timed, its times are estimates, and MIN, MAX, LAST,\n"
          "P50, P90 and P99 are of the timed calls alone: a rare long call may be missing there.\n"
          "All of them bear the mark; in JSON such a row has\n.Ql sampled\ntrue, and printed\n"
          "profiles say it in a line above their tables.\n"
          "A list to choose from holds at most 256 entries.\n"
          "The last figures of a job that is gone stay on the screen.\n"
          "When its program is started again, that is said, and\n.Ic a\nattaches to the new one.\n"
          ".Pp\nA Python program publishes rows of its own too: counters, spans, markers, and\n"
          "memory in named scopes, by\n.Ql proftop.publish .\n"
          "Its module also takes the calls of\n.Ql mxnet.profiler .\n",
          file);
}

void tui_man_print(FILE *file)
{
    fputs(".\\\" Made by proftop --print-man from its own tables.\n"
          ".Dd " PROFTOP_RELEASE_DATE "\n.Dt PROFTOP 1\n.Os\n.Sh NAME\n.Nm proftop\n"
          ".Nd where a running graph program spends its time\n.Sh SYNOPSIS\n",
          file);
    for (unsigned i = 0; i < tui_forms_count; i++) {
        fputs(".Nm\n", file);
        const char *rest = tui_forms[i].words + strlen("proftop");
        rest += strspn(rest, " ");
        if (*rest) {
            put(file, rest);
            fputs("\n.br\n", file);
        }
    }
    print_description(file);
    print_afar(file);
    for (unsigned i = 0; i < tui_forms_count; i++) {
        fputs(".Pp\n", file);
        put(file, tui_forms[i].words);
        fputs(":\n", file);
        put(file, tui_forms[i].help);
        fputs(".\n", file);
    }
    fputs(".Pp\nOptions:\n", file);
    print_options(file);
    print_profiles(file);
    fputs(".Sh CONTROL\n.Nm\n.Cm ctl\n"
          "asks each job that is named to change what it collects, and prints what became of it.\n"
          "All have to be there before one is asked; the exit status tells of the first that did\n"
          "not do it.\n"
          "The job tells every viewer, with who asked, on the screen and in JSON.\n"
          "It does so for its own user, and over tcp for keys that may control, unless\n"
          ".Ev PROFTOP_CONTROL\nis 0 in its environment.\n",
          file);
    print_controls(file);
    fputs(".Sh PANES\nThe key shows the pane.\n", file);
    print_panes(file);
    fputs(".Sh HEADER\nAbove the panes stand the job, its calls, its set-up, and beside what runs\n"
          "now:\n",
          file);
    print_words(file, "", header, COUNT(header));
    fputs(".Sh KEYS\n", file);
    print_keys(file);
    fputs(".Sh COLUMNS\n", file);
    print_columns(file);
    fputs(".Sh SAMPLERS\nOf a job of PyMC\n.Ic e\nshows, for each chain that is a process of its"
          " own:\n",
          file);
    print_words(file, "", tui_sampler_words, tui_sampler_words_count);
    fputs(".Sh ENVIRONMENT\n", file);
    print_words(file, "Ev", environment, COUNT(environment));
    fputs(".Ss Of jobs\nThese are read by libproftop in a program that publishes.\n", file);
    print_words(file, "Ev", of_jobs, COUNT(of_jobs));
    print_places(file);
    fputs(".Sh EXIT STATUS\n", file);
    print_words(file, "", tui_exits, tui_exits_count);
    fputs(".Pp\nproftop run passes on the exit code of its command,\n"
          "128 and the number of the signal if one ended it.\n"
          "A signal ends\n.Nm\nin order; after 2 seconds in which nobody takes what it writes,"
          " at once.\n.Sh EXAMPLES\n",
          file);
    print_words(file, "Ic", examples, COUNT(examples));
    fputs(".Sh SEE ALSO\n.Xr top 1 ,\n.Xr libproftop 3\n.Pp\nThe protocol and the schema of "
          "reports as JSON are in\n.Pa " PROFTOP_DOCDIR "/docs .\n",
          file);
}

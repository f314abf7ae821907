/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * help.c: the help, generated from the tables of panes, keys and columns, so that it agrees with
 * them.
 */
#include "tui/ui/draw.h"

#include <stdio.h>
#include <string.h>

enum { KEYS_WIDTH = 18, KEYS_SIZE = 96 };

const struct tui_words tui_faults[TUI_FAULTS] = {
    [TUI_FAULT_INSECURE] = {"INSECURE",
        "the feed comes over tcp without keys: others may read it, or send false "
        "figures"},
    [TUI_FAULT_HEALING] = {"~healing",
        "frames were lost, and the figures may be behind until the next snapshot, "
        "which brings all of them"},
    [TUI_FAULT_GAPS] = {"gaps", "frames that never came; a snapshot brings what was in them"},
    [TUI_FAULT_MALFORMED] = {"malformed",
        "frames that are not as docs/protocol.md says: left out"},
    [TUI_FAULT_FALLS] = {"falls", "rows left out because a count or a time in them went down"},
    [TUI_FAULT_NAMES] = {"names left out",
        "names that the viewer had no room for; it shows ... in their place"},
    [TUI_FAULT_PHASES] = {"phases left out",
        "phases of compilations that the viewer had no room for"},
    [TUI_FAULT_DETAILS] = {"details left out", "details of nodes that the viewer had no room for"},
    [TUI_FAULT_LIMIT] = {"over limit", "other frames that the viewer had no room for"},
    [TUI_FAULT_VERSION] = {"other version",
        "frames of a protocol that this proftop does not speak"},
    [TUI_FAULT_RECONNECTS] = {"reconnects", "how often the connection was lost and made again"},
    [TUI_FAULT_DROPPED] = {"job dropped",
        "values that the job could not keep; lost N names their kind"},
    [TUI_FAULT_MISUSE] = {"job misuse",
        "calls of libproftop with a wrong id or argument, which did nothing"},
    [TUI_FAULT_INVALID] = {"job invalid", "times that the job did not add: backward or absurd"},
};

/* Figures of the header. */
static const struct tui_words figures[] = {
    {"calls", "calls of the functions, and how many a second"},
    {"in calls", "time in calls; open: in calls that have not ended"},
    {"vm", "time of the machine that runs the nodes of a graph, nodes included (PyTensor: "
           "Function.vm.__call__); programs that have none do not show it"},
    {"vm alone", "time of that machine without the nodes"},
    {"thunks", "time in the nodes: a thunk is the code that runs one of them"},
    {"ops", "time in the nodes of a program that uses no framework of the Theano family; more than "
            "in calls where threads of an engine run them, several at once"},
    {"waiting", "time in nodes that wait and do no work; no part of ops, thunks or the 100 %"},
    {"steps/s", "how often the frame named step ends; samples/s, tokens/s: how fast the counters "
                "named samples and tokens of its domain grow"},
    {"rest", "time in calls outside vm and nodes: arguments, results; - if nodes of some calls "
             "were not seen"},
    {"compile", "time to compile the functions: rewrite (validate: part of it), link, other"},
    {"feed", "frames that came from the job, and how late they are (lag)"},
    {"profiling", "share of its time that the job spends on being watched (PROFTOP_BUDGET: 2%)"},
};

static const struct tui_words object_words[] = {
    {"JOB", "of several jobs: the job of the row; rows of one name stand together"},
    {"RUNNING", "for how long it has been running"},
    {"RATE", "runs a second, from the begin of the first to the end of the last"},
    {"+RATE", "runs a second in the last interval"},
    {"UPDATES", "how often the counter was set"},
    {"PEAK, LIMIT", "the most bytes that were in use, and what there is"},
    {"AGO", "how long ago the instant was"},
};
enum { OBJECT_WORDS = sizeof(object_words) / sizeof(object_words[0]) };

/* Columns of the list of jobs. */
static const struct tui_words job_words[] = {
    {"CALLS/S", "calls of the job's functions in the last second; - where the job does not answer, "
                "is on another machine, not among the first 32 of the list, or very large"},
    {"HOTTEST OP", "the op that took the most time so far; - likewise"},
    {"FEED", "of processes that publish nothing: whether they can be attached to all the same"},
};
enum { JOB_WORDS = sizeof(job_words) / sizeof(job_words[0]) };

const struct tui_words tui_sampler_words[] = {
    {"tune", "a frame: one draw while the sampler tunes itself; such draws are not kept"},
    {"draw", "a frame: one draw of a chain that is kept"},
    {"evaluations per draw", "calls of the model's functions that the last draw took"},
    {"divergences", "draws kept so far at which the sampler lost its way (diverging); results "
                    "with more than a few of them are not to be trusted"},
    {"draws left", "draws until the chain ends, those that tune included"},
    {"time left", "how long these take, at the pace of this phase: tuning, or drawing"},
};
const unsigned tui_sampler_words_count = sizeof(tui_sampler_words) / sizeof(tui_sampler_words[0]);

static void add_panes(struct tui_page *page)
{
    tui_page_line(page, TUI_TITLE, "Panes");
    for (unsigned i = 0; i < TUI_PANES; i++) {
        char head[KEYS_SIZE];
        snprintf(head, sizeof(head), "%c %s", tui_panes[i].key, tui_panes[i].title);
        tui_page_wrap(page, TUI_PLAIN, KEYS_WIDTH, head, tui_panes[i].help);
    }
}

/* Over the panes, adds all keys, also of other modes; over a list, adds the keys that work in
 * it. */
static void add_keys(struct tui_page *page, enum tui_mode under)
{
    const struct tui_help_row *row;
    const char *group = "";
    size_t count = tui_help_rows(&row);
    for (size_t i = 0; i < count; i++) {
        if (under != TUI_MODE_TABLE && !(row[i].in >> under & 1))
            continue;
        if (row[i].group && strcmp(row[i].group, group)) {
            group = row[i].group;
            if (page->line > 0)
                tui_page_line(page, TUI_PLAIN, "");
            tui_page_line(page, TUI_TITLE, group);
        }
        tui_page_wrap(page, TUI_PLAIN, KEYS_WIDTH, row[i].keys, row[i].text);
    }
}

static void add_columns(struct tui_page *page)
{
    tui_page_line(page, TUI_PLAIN, "");
    tui_page_line(page, TUI_TITLE, "Columns, with the letter that sorts by them; again: reversed");
    for (unsigned i = 0; i < model_columns_count; i++) {
        const struct model_column *column = &model_columns[i];
        char head[KEYS_SIZE];
        if (!column->title[0])
            continue;
        snprintf(head, sizeof(head), "%c %s", column->key ? column->key : ' ', column->title);
        tui_page_wrap(page, TUI_PLAIN, KEYS_WIDTH, head, column->help);
    }
    char head[KEYS_SIZE];
    snprintf(head, sizeof(head), "  %d s", MODEL_STRIP_BINS);
    tui_page_wrap(page, TUI_PLAIN, KEYS_WIDTH, head,
                  "a curve of the last seconds: time or calls a second, or time per call, by the "
                  "column that sorts; each against its own largest value: two rows do not compare");
}

static void add_word(struct tui_page *page, const char *word, const char *help)
{
    tui_page_wrap(page, TUI_PLAIN, KEYS_WIDTH, word, help);
}

static void add_section(struct tui_page *page, const char *title, const struct tui_words *word,
                        unsigned count)
{
    tui_page_line(page, TUI_PLAIN, "");
    tui_page_line(page, TUI_TITLE, title);
    for (unsigned i = 0; i < count; i++)
        add_word(page, word[i].words, word[i].help);
}

static void add_words(struct tui_page *page)
{
    tui_page_line(page, TUI_PLAIN, "");
    tui_page_line(page, TUI_TITLE, "Words of the header");
    for (unsigned i = 0; i < TUI_CONDITIONS; i++)
        add_word(page, tui_conditions[i].word, tui_conditions[i].help);
    for (unsigned i = 0; i < sizeof(figures) / sizeof(figures[0]); i++)
        add_word(page, figures[i].words, figures[i].help);
    for (unsigned i = 0; i < TUI_FAULTS; i++)
        add_word(page, tui_faults[i].words, tui_faults[i].help);
    add_section(page, "Columns of e", object_words, OBJECT_WORDS);
    add_section(page, "Words of e, of jobs of PyMC", tui_sampler_words, tui_sampler_words_count);
    add_section(page, "Columns of the list of jobs (a)", job_words, JOB_WORDS);
}

static void add_signs(struct tui_page *page)
{
    tui_page_line(page, TUI_PLAIN, "");
    tui_page_line(page, TUI_TITLE, "Signs");
    tui_page_wrap(page, TUI_PLAIN, KEYS_WIDTH, "-", "not known");
    tui_page_wrap(page, TUI_PLAIN, KEYS_WIDTH, "~",
                  "not every call was timed: a time is an estimate, and MIN, MAX, LAST, P50, P90 "
                  "and P99 are of the timed calls alone");
    tui_page_wrap(page, TUI_PLAIN, KEYS_WIDTH, "counts 31% of the time",
                  "in the header: TIME and CALLS are of that part of the run, not of all of it, so "
                  "every row has ~; percentages compare well");
    tui_page_wrap(page, TUI_PLAIN, KEYS_WIDTH, "wait",
                  "in place of a percentage: the row does no work, it only waits");
    tui_page_wrap(page, TUI_PLAIN, KEYS_WIDTH, "aside",
                  "in place of a percentage: other rows count what happens in its time");
    tui_page_wrap(page, TUI_PLAIN, KEYS_WIDTH, "w, a",
                  "behind a percentage: it leaves out a part of the row's time that is waiting, or "
                  "aside");
    tui_page_wrap(page, TUI_PLAIN, KEYS_WIDTH, "#", "too large for its place; the detail has it");
}

static void help_text(const struct tui_screen *screen, struct tui_page *page)
{
    if (screen->under != TUI_MODE_TABLE) {
        add_keys(page, screen->under);
        if (screen->under == TUI_MODE_PICKER)
            add_section(page, "Columns", job_words, JOB_WORDS);
        return;
    }
    add_panes(page);
    add_keys(page, screen->under);
    add_columns(page);
    add_words(page);
    add_signs(page);
}

bool tui_help_find(struct tui_screen *screen, const char *text, uint32_t from)
{
    struct tui_page page = {
        .cols = screen->shape.cols, .find = text, .find_from = from, .found = -1};
    if (text[0])
        help_text(screen, &page);
    if (page.found >= 0)
        screen->scroll = (uint32_t)page.found;
    if (page.found >= 0 || from == 0)
        screen->found = (uint32_t)(page.found + 1);
    return page.found >= 0;
}

void tui_help_draw(struct tui_screen *screen, struct tui_grid *grid, struct tui_area area)
{
    tui_page_draw(screen, grid, area, help_text);
}

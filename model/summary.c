/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * summary.c: prints profiles line by line, in the words of a dialect.
 */
#include "model/summary.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/job_info.h"
#include "model/node_detail.h"
#include "model/summary_private.h"

/* The originals print this many characters of a line, less the width of the columns before a
 * name. */
enum {
    LINE_WIDTH = 512,
    TITLES_WIDTH = 70,
    APPLY_TITLES_WIDTH = 59,
    FLOPS_TITLES_WIDTH = 79,
    COMPILED_NS = 1000000000
};

/* --------------------------------------------------------------------------------------- text */

void model_summary_printf(struct model_summary *s, const char *format, ...)
{
    char text[512];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof(text), format, list);
    va_end(list);
    model_put_word(&s->out, text);
}

void model_summary_name(struct model_summary *s, const struct model_text *text, size_t width)
{
    size_t size = 0;
    for (; size < text->shown_size; size++) {
        bool begins = ((uint8_t)text->shown[size] & 0xC0) != 0x80;
        if (begins && width-- == 0)
            break;
    }
    model_put_bytes(&s->out, text->shown, size);
    model_put_bytes(&s->out, "\n", 1);
}

const struct model_text *model_summary_text(const struct model_summary *s, enum model_table table,
                                            uint32_t id)
{
    const struct model_job *job = s->state->job;
    if (table == MODEL_CLASS)
        return &model_job_class(job, id)->name;
    return table == MODEL_OP ? &model_job_op(job, id)->text : &model_job_apply(job, id)->text;
}

static double seconds(uint64_t ns)
{
    return (double)ns / 1e9;
}

static double percent(uint64_t part, uint64_t whole)
{
    return whole > 0 ? (double)part * 100 / (double)whole : 0;
}

/* Prints the shortest digits that read back as the same number, in Python's form. */
static void put_repr(struct model_summary *s, double value)
{
    char text[64] = "";
    bool plain = value == 0 || (value >= 1e-4 && value < 1e16);
    for (int digits = plain; digits <= 17 && (!*text || strtod(text, NULL) != value); digits++)
        snprintf(text, sizeof(text), plain ? "%.*f" : "%.*e", digits, value);
    model_put_word(&s->out, text);
}

void model_summary_seconds(struct model_summary *s, uint64_t ns, bool repr)
{
    if (ns == MODEL_UNKNOWN)
        model_put_word(&s->out, "-");
    else if (repr)
        put_repr(s, seconds(ns));
    else
        model_summary_printf(s, "%e", seconds(ns));
    if (ns != MODEL_UNKNOWN)
        model_put_word(&s->out, "s");
}

static uint32_t fewer(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

/* ------------------------------------------------------------------------------ global section */

static void put_share(struct model_summary *s, const char *what, uint64_t ns)
{
    model_summary_printf(s, "  Time in %s: ", what);
    model_summary_seconds(s, ns, s->dialect->repr);
    model_summary_printf(s, " (%.3f%%)\n", percent(ns, s->value.call_ns));
}

static void put_calls(struct model_summary *s)
{
    const struct model_function_value *value = &s->value;
    char calls[24] = "-";
    if (value->calls != MODEL_UNKNOWN)
        snprintf(calls, sizeof(calls), "%llu", (unsigned long long)value->calls);
    model_summary_printf(s, "  Time in %s calls to Function.__call__: ", calls);
    model_summary_seconds(s, value->call_ns, false);
    model_put_word(&s->out, "\n");
    if (value->call_ns == 0 || value->call_ns == MODEL_UNKNOWN)
        return;
    if (value->vm_ns != MODEL_UNKNOWN)
        put_share(s, s->dialect->vm, value->vm_ns);
    if (s->ns > 0 && !s->untimed)
        put_share(s, "thunks", s->ns);
}

/* Prints "    Theano " "validate time" ": " seconds. */
static void put_setup(struct model_summary *s, const char *indent, const char *what, uint64_t ns,
                      bool repr)
{
    if (ns == MODEL_UNKNOWN)
        return;
    model_summary_printf(s, "%s%s: ", indent, what);
    model_summary_seconds(s, ns, repr);
    model_put_word(&s->out, "\n");
}

/* Prints "       Import time 1.2e-03s". */
static void put_detail(struct model_summary *s, const char *what, uint64_t ns)
{
    if (ns != MODEL_UNKNOWN)
        model_summary_printf(s, "       %s %es\n", what, seconds(ns));
}

/* Time to make a node ready to run. */
struct made {
    uint64_t ns;
    uint32_t apply;
};
enum { MADE_SHOWN = 5 };

/* Keeps the longest, in descending order, up to MADE_SHOWN. Equal ones stay in order. */
static void keep_longest(struct made most[MADE_SHOWN], uint32_t kept, struct made one)
{
    uint32_t at = kept;
    for (; at > 0 && most[at - 1].ns < one.ns; at--)
        if (at < MADE_SHOWN)
            most[at] = most[at - 1];
    if (at < MADE_SHOWN)
        most[at] = one;
}

/* Returns the time of all nodes together; unknown if any node's time is. */
static uint64_t gather_making(const struct model_summary *s, struct made most[MADE_SHOWN])
{
    uint64_t sum = s->nodes ? 0 : MODEL_UNKNOWN;
    uint32_t seen = 0;
    for (uint32_t i = 0; i < s->gathered_count; i++) {
        const uint32_t f = s->gathered[i];
        for (uint32_t at = s->first[f]; at < s->first[f + 1]; at++, seen++) {
            const struct model_about *about = model_job_about(s->state->job, s->apply[at]);
            if (!about || about->thunk_ns == MODEL_UNKNOWN)
                return MODEL_UNKNOWN;
            sum = model_state_plus(sum, about->thunk_ns);
            keep_longest(most, fewer(seen, MADE_SHOWN),
                         (struct made){about->thunk_ns, s->apply[at]});
        }
    }
    return sum;
}

static void put_making(struct model_summary *s)
{
    struct made most[MADE_SHOWN] = {{0}};
    const uint64_t sum = gather_making(s, most);
    if (sum == MODEL_UNKNOWN)
        return;
    put_detail(s, "Node make_thunk time", sum);
    for (uint32_t i = 0; i < fewer(s->nodes, MADE_SHOWN); i++) {
        const struct model_text *text = model_summary_text(s, MODEL_APPLY, most[i].apply);
        model_put_word(&s->out, "           Node ");
        model_put_bytes(&s->out, text->shown, text->shown_size);
        model_summary_printf(s, " time %es\n", seconds(most[i].ns));
    }
}

/* Times of the whole job. Prints nothing for a fact that the job does not report. */
static void put_clocks(struct model_summary *s)
{
    const struct model_identity *who = model_job_identity(s->state->job);
    const uint64_t grad_ns = model_fact_number(who, "grad_ns");
    const uint64_t imported_ns = model_fact_number(who, "imported_ns");
    if (grad_ns != MODEL_UNKNOWN)
        model_summary_printf(s, "Time in all call to %s.grad() %es\n", s->dialect->word,
                             seconds(grad_ns));
    if (imported_ns < s->state->mono_ns)
        model_summary_printf(s, "Time since %s import %.3fs\n", s->dialect->word,
                             seconds(s->state->mono_ns - imported_ns));
}

/* A function without visible nodes has unknown nodes, not none. */
static void put_nodes(struct model_summary *s)
{
    bool known = s->gathered_count > 0;
    for (uint32_t i = 0; i < s->gathered_count; i++)
        known &= s->first[s->gathered[i]] < s->first[s->gathered[i] + 1];
    model_put_word(&s->out, "    Number of Apply nodes: ");
    if (known)
        model_summary_printf(s, "%u\n", s->nodes);
    else
        model_put_word(&s->out, "-\n");
}

static void put_global(struct model_summary *s)
{
    const struct model_dialect *d = s->dialect;
    const struct model_function_value *value = &s->value;
    char own[64];
    put_calls(s);
    put_setup(s, "  ", d->compile, value->compile_ns, false);
    if (d->nodes)
        put_nodes(s);
    snprintf(own, sizeof(own), "%s %s", d->framework, d->rewrite);
    put_setup(s, "    ", own, value->rewrite_ns, false);
    snprintf(own, sizeof(own), "%s validate time", d->framework);
    put_setup(s, "       ", own, value->validate_ns, false);
    snprintf(own, sizeof(own), "    %s Linker time ", d->framework);
    put_setup(s, own, "(includes C, CUDA code generation/compiling)", value->link_ns, d->repr);
    if (d->cache)
        put_detail(s, "C-cache preloading", s->loading_ns[MODEL_LOAD_CACHE]);
    put_detail(s, "Import time", s->loading_ns[MODEL_LOAD_IMPORT]);
    put_making(s);
    model_put_word(&s->out, "\n");
    put_clocks(s);
}

/* -------------------------------------------------------------------------------------- tables */

/* Wording and layout of the tables. */
struct section {
    enum model_table table;
    const char *title;
    const char *columns; /* titles between the times and the name */
    const char *rest;    /* name of the rows that the trailer counts */
    int calls, applies;  /* width of the numbers, with the blanks before them */
    size_t titles;       /* width of the columns, subtracted from the name's width */
    bool values;         /* inputs and outputs follow each row: one of two Apply sections */
};

static const struct section sections[] = {
    {MODEL_CLASS, "Class\n---\n", "<type> <#call> <#apply> <Class name>", "Classes", 6, 5,
     TITLES_WIDTH, false},
    {MODEL_OP, "Ops\n---\n", "<type> <#call> <#apply> <Op name>", "Ops", 6, 6,
     TITLES_WIDTH, false},
    {MODEL_APPLY, "Apply\n------\n", "<#call> <id> <Apply name>", "Apply instances", 5, 3,
     APPLY_TITLES_WIDTH, false},
    {MODEL_APPLY, "Apply\n------\n", "<#call> <id> <Mflops> <Gflops/s> <Apply name>",
     "Apply instances", 5, 3, FLOPS_TITLES_WIDTH, true},
};

static uint32_t rows_of(const struct model_summary *s, enum model_table table)
{
    return table == MODEL_APPLY ? s->rows.applies : s->rows.ops;
}

static uint64_t work_of(const struct model_summary_line *line)
{
    return line->ns - line->idle_ns;
}

static void put_times(struct model_summary *s, const struct model_summary_line *line, uint64_t sum)
{
    const double each = seconds(line->ns) / (double)line->calls;
    if (s->untimed)
        model_summary_printf(s, "  %5s  %7s     %7s      %9s  ", "-", "-", "-", "-");
    else if (!(line->does & MODEL_DOES_WORK))
        model_summary_printf(s, "  %5s  %7s     %7.3fs       %8.2es ", model_summary_word(line),
                             "-", seconds(line->ns), each);
    else
        model_summary_printf(s, "  %4.1f%%   %5.1f%%     %7.3fs       %8.2es ",
                             percent(work_of(line), s->ns - s->wait_ns),
                             percent(sum, s->ns - s->wait_ns), seconds(line->ns), each);
}

/* Width of a name. The job may have set the line length. */
static size_t name_width(const struct model_summary *s, const struct section *section)
{
    const struct model_identity *who = model_job_identity(s->state->job);
    const uint64_t fact_value = model_fact_number(who, "profiling.output_line_width");
    const size_t line = fact_value == MODEL_UNKNOWN ? LINE_WIDTH : fact_value;
    return line > section->titles ? line - section->titles : 0;
}

static void put_line(struct model_summary *s, const struct section *section,
                     const struct model_summary_line *line, size_t width)
{
    const unsigned long long calls = line->calls;
    if (section->table == MODEL_APPLY)
        model_summary_printf(s, " %*llu   %*u %s", section->calls, calls, section->applies,
                             model_job_apply(s->state->job, line->id)->index,
                             section->values ? "" : "  ");
    else
        model_summary_printf(s, "    %2s  %*llu   %*u   ", line->impl, section->calls, calls,
                             section->applies, line->applies);
    if (section->values)
        model_summary_flops(s, line);
    model_summary_name(s, model_summary_text(s, section->table, line->id), width);
    if (section->values)
        model_summary_values(s, line->id);
}

static void put_trailer(struct model_summary *s, const struct section *section, uint64_t rest_ns)
{
    const struct model_summary_table *table = &s->table[section->table];
    const uint32_t rows = rows_of(s, section->table);
    model_summary_printf(s, "   ... (remaining %u %s account for ",
                         table->count - fewer(rows, table->count), section->rest);
    if (s->untimed)
        model_put_word(&s->out, "- of the runtime)\n\n");
    else
        model_summary_printf(
            s, "%*.2f%s(%.2fs) of the runtime)\n\n", section->table == MODEL_APPLY ? 0 : 6,
            percent(rest_ns, s->ns - s->wait_ns),
            section->table == MODEL_APPLY ? s->dialect->percent : s->dialect->percent_of_sums,
            seconds(rest_ns));
}

void model_summary_notes(struct model_summary *s)
{
    const unsigned nodes = s->table[MODEL_APPLY].count;
    if (s->waits > 0)
        model_summary_printf(
            s,
            "wait: %u of %u Apply nodes wait: their %.3fs are no work, and no part "
            "of the 100%%.\n\n",
            s->waits, nodes, seconds(s->wait_ns));
    if (s->asides > 0)
        model_summary_printf(
            s,
            "aside: other nodes count the %.3fs of %u of %u Apply nodes: they are no "
            "part of the 100%%.\n\n",
            seconds(s->aside_ns), s->asides, nodes);
    if (s->sampled > 0)
        model_summary_printf(s,
                             "~ Not every call of %u of %u Apply nodes was timed: their times are "
                             "estimates, and a rare long call may be missing.\n\n",
                             s->sampled, nodes);
}

/* A node that never ran uses up a row but is not printed, as in the originals. */
static void put_table(struct model_summary *s, const struct section *section)
{
    const struct model_summary_table *table = &s->table[section->table];
    const uint32_t rows = fewer(rows_of(s, section->table), table->count);
    const size_t width = name_width(s, section);
    uint64_t sum = 0, rest = 0;
    model_put_word(&s->out, section->title);
    model_summary_printf(s, "<%% time> <sum %%> <apply time> <time per call> %s\n",
                         section->columns);
    for (uint32_t i = 0; i < rows; i++) {
        sum = model_state_plus(sum, work_of(&table->line[i]));
        if (table->line[i].calls == 0)
            continue;
        put_times(s, &table->line[i], sum);
        put_line(s, section, &table->line[i], width);
    }
    for (uint32_t i = rows; i < table->count; i++)
        rest = model_state_plus(rest, work_of(&table->line[i]));
    put_trailer(s, section, rest);
}

/* ------------------------------------------------------------------------------------ profiles */

static void put_message(struct model_summary *s, uint32_t function)
{
    const struct model_function_def *def = model_job_function(s->state->job, function);
    model_put_word(&s->out, "  Message: ");
    if (def->name.raw_size || def->alias.raw_size)
        model_put_bytes(&s->out, def->name.shown, def->name.shown_size);
    else if (def->file.shown_size && def->line)
        model_summary_printf(s, "%s:%u", def->file.shown, def->line);
    else
        model_put_word(&s->out, "None");
    model_put_word(&s->out, "\n");
}

/* Prints everything after the head. */
static void put_body(struct model_summary *s)
{
    const bool values = model_summary_has_values(s);
    const bool any = s->ns > 0 || s->aside_ns > 0 || s->untimed;
    model_summary_notes(s);
    for (size_t i = 0; i < sizeof(sections) / sizeof(sections[0]) && any; i++)
        if (sections[i].table != MODEL_APPLY || sections[i].values == values)
            put_table(s, &sections[i]);
    if (!any && model_summary_any_called(s))
        model_summary_printf(s, "  No execution time accumulated (hint: try config %s)\n",
                             s->dialect->hint);
    s->failed |= !model_summary_memory(s);
    model_summary_scans(s);
    model_summary_tips(s);
}

static const char profile_title[] = "Function profiling\n==================\n";

static bool is_worth(const struct model_summary *s, uint32_t function)
{
    const struct model_function_value *value = &s->state->function[function];
    return s->state->scope != MODEL_ALL ||
           model_summary_was_called(s, function) ||
           (value->compile_ns != MODEL_UNKNOWN && value->compile_ns > COMPILED_NS);
}

/* Prints the head of one function, the current profile. */
static void put_head(struct model_summary *s, uint32_t function)
{
    const uint32_t scan = model_summary_scan(s, function);
    if (scan != MODEL_NONE) {
        model_summary_scan_head(s, scan);
        return;
    }
    model_put_word(&s->out, profile_title);
    put_message(s, function);
    put_global(s);
}

/* Prints a group or a chosen set as one profile. */
static void put_together(struct model_summary *s)
{
    char label[MODEL_SCOPE_LABEL];
    model_summary_gather(s, s->function, model_summary_outermost(s));
    model_put_word(&s->out, profile_title);
    model_put_word(&s->out, "  Message: ");
    model_put_word(&s->out, model_scope_label(s->state->job, s->state->scope, label));
    model_put_word(&s->out, "\n");
    put_global(s);
    put_body(s);
}

/* The time of an inner function is already in its node, so the sum covers only the other
 * functions. */
void model_summary_profiles(struct model_summary *s)
{
    uint32_t printed = 0;
    if (s->state->scope != MODEL_ALL && model_scope_several(s->state->scope)) {
        put_together(s);
        return;
    }
    for (uint32_t i = 0; i < s->functions; i++) {
        const uint32_t function = s->function[i];
        if (!is_worth(s, function))
            continue;
        model_summary_gather(s, &function, 1);
        put_head(s, function);
        put_body(s);
        if (model_job_function(s->state->job, function)->parent == MODEL_NONE)
            s->function[printed++] = function;
    }
    if (printed < 2)
        return;
    model_summary_gather(s, s->function, printed);
    model_put_word(&s->out, profile_title);
    model_summary_printf(s, "  Message: Sum of all(%u) %s\n", printed, s->dialect->sum);
    put_global(s);
    put_body(s);
}

/* Returns the number of rows of the job's own profile, or the default. */
static uint32_t fact_or(const struct model_identity *who, const char *fact, uint32_t usual)
{
    uint64_t fact_value = model_fact_number(who, fact);
    return fact_value < MODEL_SUMMARY_USUAL ? (uint32_t)fact_value : usual;
}

uint64_t model_summary_least_bytes(const struct model_identity *who)
{
    uint64_t fact_value = model_fact_number(who, "profiling.min_memory_size");
    return fact_value == MODEL_UNKNOWN ? MODEL_SUMMARY_LEAST_BYTES : fact_value;
}

bool model_summary_write(const struct model_dialect *dialect, const struct model_state *state,
                         struct model_summary_rows rows, const struct model_sink *sink)
{
    struct model_summary s = {.out.sink = sink, .state = state, .rows = rows};
    const struct model_identity *who = model_job_identity(state->job);
    s.dialect = model_dialect_in(dialect, who);
    if (rows.applies == MODEL_SUMMARY_USUAL)
        s.rows.applies = fact_or(who, dialect->applies_fact, dialect->applies);
    if (rows.ops == MODEL_SUMMARY_USUAL)
        s.rows.ops = fact_or(who, dialect->ops_fact, dialect->ops);
    if (rows.least_bytes == MODEL_SUMMARY_USUAL_BYTES)
        s.rows.least_bytes = model_summary_least_bytes(who);
    bool good = model_summary_init(&s);
    if (good) {
        dialect->write(&s);
        model_put_flush(&s.out);
        good = !s.failed;
    }
    model_summary_release(&s);
    return good;
}

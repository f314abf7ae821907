/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * summary_rows.c: gathers the rows of one profile, in the frameworks' sort order.
 */
#include <stdlib.h>
#include <string.h>

#include "model/rewrite.h"
#include "model/summary_private.h"

/* ------------------------------------------------------------------------------------- memory */

static bool table_init(struct model_summary_table *table, uint32_t count)
{
    table->line = calloc((size_t)count + 1, sizeof(*table->line));
    table->slot = malloc(((size_t)count + 1) * sizeof(*table->slot));
    if (table->slot)
        memset(table->slot, 0xFF, ((size_t)count + 1) * sizeof(*table->slot));
    return table->line && table->slot;
}

static uint64_t known(uint64_t value)
{
    return value == MODEL_UNKNOWN ? 0 : value;
}

static uint64_t length_ns(const struct model_summary *s, uint32_t function)
{
    const struct model_function_value *value = &s->state->function[function];
    return model_state_plus(known(value->compile_ns), known(value->call_ns));
}

/* qsort() cannot pass the state, so the keys are copied. */
struct ranked {
    uint64_t ns;
    uint32_t function;
};

static int by_length(const void *a, const void *b)
{
    const struct ranked *x = a, *y = b;
    if (x->ns != y->ns)
        return x->ns < y->ns ? 1 : -1;
    return x->function < y->function ? 1 : -1; /* later first, as in the originals */
}

static bool sort_functions(struct model_summary *s)
{
    const struct model_state *state = s->state;
    struct ranked *ranked = calloc((size_t)state->count[MODEL_FUNCTION] + 1, sizeof(*ranked));
    for (uint32_t f = 0; ranked && f < state->count[MODEL_FUNCTION]; f++)
        if (state->row[MODEL_FUNCTION][f].in_scope)
            ranked[s->functions++] = (struct ranked){length_ns(s, f), f};
    if (s->functions)
        qsort(ranked, s->functions, sizeof(*ranked), by_length);
    for (uint32_t i = 0; i < s->functions; i++)
        s->function[i] = ranked[i].function;
    free(ranked);
    return ranked != NULL;
}

/* Loading is unknown for a function without an import phase. With one, a missing cache phase means
 * 0. */
static bool load_phases(struct model_summary *s)
{
    static const char *const name[MODEL_LOADINGS] = {"cache", "import"};
    const uint32_t functions = s->state->count[MODEL_FUNCTION];
    uint32_t phases;
    const struct model_phase *phase = model_job_phases(s->state->job, &phases);
    for (unsigned i = 0; i < MODEL_LOADINGS; i++) {
        s->loading[i] = malloc(((size_t)functions + 1) * sizeof(**s->loading));
        if (!s->loading[i])
            return false;
        memset(s->loading[i], 0xFF, ((size_t)functions + 1) * sizeof(**s->loading));
        for (uint32_t p = 0; p < phases; p++)
            if (phase[p].rev && phase[p].kind == MODEL_PHASE_LINK &&
                phase[p].function < functions && strcmp(phase[p].name.shown, name[i]) == 0)
                s->loading[i][phase[p].function] = phase[p].total_ns;
    }
    for (uint32_t f = 0; f < functions; f++)
        if (s->loading[MODEL_LOAD_IMPORT][f] == MODEL_UNKNOWN)
            s->loading[MODEL_LOAD_CACHE][f] = MODEL_UNKNOWN;
        else if (s->loading[MODEL_LOAD_CACHE][f] == MODEL_UNKNOWN)
            s->loading[MODEL_LOAD_CACHE][f] = 0;
    return true;
}

bool model_summary_init(struct model_summary *s)
{
    static const enum model_table used[] = {MODEL_CLASS, MODEL_OP, MODEL_APPLY};
    const uint32_t *count = s->state->count;
    bool good = true;
    for (size_t i = 0; i < sizeof(used) / sizeof(used[0]); i++)
        good = table_init(&s->table[used[i]], count[used[i]]) && good;
    good = model_state_by_function(s->state, &s->apply, &s->first) && good;
    s->function = calloc((size_t)count[MODEL_FUNCTION] + 1, sizeof(*s->function));
    return good && s->function && load_phases(s) && sort_functions(s);
}

uint32_t model_summary_outermost(struct model_summary *s)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < s->functions; i++)
        if (s->state->part[s->function[i]] == MODEL_PART_OUTER)
            s->function[kept++] = s->function[i];
    return s->functions = kept;
}

void model_summary_release(struct model_summary *s)
{
    for (unsigned i = 0; i < MODEL_ROW_TABLES; i++) {
        free(s->table[i].line);
        free(s->table[i].slot);
    }
    for (unsigned i = 0; i < MODEL_LOADINGS; i++)
        free(s->loading[i]);
    free(s->apply);
    free(s->first);
    free(s->function);
}

/* ----------------------------------------------------------------------------------- gathering */

static void forget(struct model_summary_table *table)
{
    for (uint32_t i = 0; i < table->count; i++)
        table->slot[table->line[i].id] = MODEL_NONE;
    table->count = 0;
}

static void add_words(struct model_summary_line *line, uint8_t impls)
{
    static const char *const word[MODEL_IMPLS] = {"  ", "C ", "Py", "JIT"};
    for (unsigned i = 0; i < MODEL_IMPLS; i++)
        if (impls >> i & 1)
            strncat(line->impl, word[i], sizeof(line->impl) - strlen(line->impl) - 1);
}

/* The originals list the implementations of all nodes of a class, but only the last node's of an
 * op. */
static void add_impl(struct model_summary_line *line, uint8_t impls, bool all)
{
    if (!all)
        line->impl[0] = '\0';
    add_words(line, all ? (uint8_t)(impls & ~line->impls) : impls);
    line->impls |= impls;
}

const char *model_summary_word(const struct model_summary_line *line)
{
    const struct model_row row = {.does = line->does};
    return model_left_out_words[model_row_left_out(&row)];
}

/* `all`: lists the implementations of all nodes, not only the last. */
static void add(struct model_summary_table *table, uint32_t id, const struct model_row *row,
                bool all)
{
    if (table->slot[id] == MODEL_NONE) {
        table->slot[id] = table->count;
        table->line[table->count++] = (struct model_summary_line){.id = id};
    }
    struct model_summary_line *line = &table->line[table->slot[id]];
    line->applies++;
    line->calls = model_state_plus(line->calls, known(row->calls));
    line->ns = model_state_plus(line->ns, known(model_row_closed(row)));
    if (model_row_left_out(row))
        line->idle_ns = model_state_plus(line->idle_ns, known(model_row_closed(row)));
    line->does |= row->does;
    line->untimed |= row->total_ns == MODEL_UNKNOWN && row->calls > 0;
    add_impl(line, row->impls, all);
}

/* By work, calls and nodes. Equal rows stay in order of appearance. Rows that do not work come
 * last. */
static int by_time(const void *a, const void *b)
{
    const struct model_summary_line *x = a, *y = b;
    const bool x_works = x->does & MODEL_DOES_WORK, y_works = y->does & MODEL_DOES_WORK;
    const uint64_t x_ns = x->ns - (x_works ? x->idle_ns : 0);
    const uint64_t y_ns = y->ns - (y_works ? y->idle_ns : 0);
    if (x_works != y_works)
        return x_works ? -1 : 1;
    if (x_ns != y_ns)
        return x_ns < y_ns ? 1 : -1;
    if (x->calls != y->calls)
        return x->calls < y->calls ? 1 : -1;
    if (x->applies != y->applies)
        return x->applies < y->applies ? 1 : -1;
    return x->id < y->id ? -1 : x->id > y->id;
}

/* Nodes sort by graph position where classes and ops sort by number of nodes. */
static void sort_nodes(struct model_summary *s)
{
    struct model_summary_table *table = &s->table[MODEL_APPLY];
    const struct model_job *job = s->state->job;
    /* During the sort `applies` holds the position: by time, then by position, last first. */
    for (uint32_t i = 0; i < table->count; i++) {
        table->line[i].applies = model_job_apply(job, table->line[i].id)->index;
        table->line[i].calls = 0;
    }
    if (table->count)
        qsort(table->line, table->count, sizeof(*table->line), by_time);
    for (uint32_t i = 0; i < table->count; i++) {
        struct model_summary_line *line = &table->line[i];
        line->calls = known(s->state->row[MODEL_APPLY][line->id].calls);
        line->applies = 1;
    }
}

/* Adds a part. A part never looks like the whole. A function that was not called adds nothing. */
static uint64_t plus(uint64_t sum, uint64_t part, bool counts)
{
    if (!counts)
        return sum;
    if (sum == MODEL_UNKNOWN || part == MODEL_UNKNOWN)
        return MODEL_UNKNOWN;
    return model_state_plus(sum, part);
}

static void add_value(struct model_function_value *sum, const struct model_function_value *one)
{
    const bool called = one->calls != 0;
    sum->calls = plus(sum->calls, one->calls, true);
    sum->call_ns = plus(sum->call_ns, one->call_ns, called);
    sum->vm_ns = plus(sum->vm_ns, one->vm_ns, called);
    sum->compile_ns = plus(sum->compile_ns, one->compile_ns, true);
    sum->rewrite_ns = plus(sum->rewrite_ns, one->rewrite_ns, true);
    sum->validate_ns = plus(sum->validate_ns, one->validate_ns, true);
    sum->link_ns = plus(sum->link_ns, one->link_ns, true);
}

/* Returns the figures of a function. Its calls are unknown if the program counts only its nodes. */
static struct model_function_value value_of(const struct model_summary *s, uint32_t function)
{
    struct model_function_value value = s->state->function[function];
    uint64_t *figure[] = {&value.calls, &value.call_ns, &value.vm_ns};
    const bool counted = value.calls > 0 || value.open_since_ns != MODEL_UNKNOWN;
    for (size_t i = 0; !counted && i < sizeof(figure) / sizeof(figure[0]); i++)
        if (*figure[i] == 0 && model_summary_was_called(s, function))
            *figure[i] = MODEL_UNKNOWN;
    return value;
}

/* True if an apply has calls, or has a time whose calls nobody counted. */
static bool has_run(const struct model_row *row)
{
    return row->calls == MODEL_UNKNOWN ? row->total_ns != MODEL_UNKNOWN : row->calls != 0;
}

bool model_summary_was_called(const struct model_summary *s, uint32_t function)
{
    const uint64_t calls = s->state->function[function].calls;
    const uint32_t begin = s->first[function], end = s->first[function + 1];
    bool called = calls != MODEL_UNKNOWN ? calls > 0 : begin == end;
    for (uint32_t at = begin; !called && at < end; at++)
        called = has_run(&s->state->row[MODEL_APPLY][s->apply[at]]);
    return called;
}

bool model_summary_any_called(const struct model_summary *s)
{
    for (uint32_t i = 0; i < s->gathered_count; i++)
        if (model_summary_was_called(s, s->gathered[i]))
            return true;
    return false;
}

/* Adds the time of a node. All of it is of one kind. */
static void add_time(struct model_summary *s, const struct model_row *row)
{
    const enum model_left_out left_out = model_row_left_out(row);
    const uint64_t ns = known(model_row_closed(row));
    uint64_t *sum = left_out == MODEL_LEFT_ASIDE ? &s->aside_ns : &s->ns;
    *sum = model_state_plus(*sum, ns);
    if (left_out == MODEL_LEFT_WAITING)
        s->wait_ns = model_state_plus(s->wait_ns, ns);
    s->waits += left_out == MODEL_LEFT_WAITING;
    s->asides += left_out == MODEL_LEFT_ASIDE;
}

static void add_apply(struct model_summary *s, uint32_t id)
{
    const struct model_row *row = &s->state->row[MODEL_APPLY][id];
    const uint32_t op = model_job_apply(s->state->job, id)->op;
    add(&s->table[MODEL_APPLY], id, row, false);
    add(&s->table[MODEL_OP], op, row, false);
    add(&s->table[MODEL_CLASS], model_job_op(s->state->job, op)->op_class, row, true);
    add_time(s, row);
    s->untimed |= row->total_ns == MODEL_UNKNOWN && row->calls > 0;
    s->sampled += row->estimated && row->total_ns != MODEL_UNKNOWN;
}

void model_summary_gather(struct model_summary *s, const uint32_t *function, uint32_t count)
{
    forget(&s->table[MODEL_CLASS]);
    forget(&s->table[MODEL_OP]);
    forget(&s->table[MODEL_APPLY]);
    s->value = (struct model_function_value){0};
    s->ns = s->wait_ns = s->aside_ns = 0;
    s->untimed = false;
    s->sampled = s->waits = s->asides = 0;
    s->nodes = 0;
    s->gathered = function;
    s->gathered_count = count;
    memset(s->loading_ns, 0, sizeof(s->loading_ns));
    for (uint32_t i = 0; i < count; i++) {
        const struct model_function_value value = value_of(s, function[i]);
        add_value(&s->value, &value);
        for (unsigned part = 0; part < MODEL_LOADINGS; part++)
            s->loading_ns[part] = plus(s->loading_ns[part], s->loading[part][function[i]], true);
        s->nodes += s->first[function[i] + 1] - s->first[function[i]];
        if (!model_summary_was_called(s, function[i]))
            continue;
        for (uint32_t at = s->first[function[i]]; at < s->first[function[i] + 1]; at++)
            add_apply(s, s->apply[at]);
    }
    static const enum model_table merged[] = {MODEL_CLASS, MODEL_OP};
    for (size_t i = 0; i < sizeof(merged) / sizeof(merged[0]); i++) {
        struct model_summary_table *table = &s->table[merged[i]];
        if (table->count)
            qsort(table->line, table->count, sizeof(*table->line), by_time);
    }
    sort_nodes(s);
}

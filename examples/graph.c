/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * graph.c: builds functions, and runs them between proftop's begin and end. */
#include "graph.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

void graph_die(const char *format, ...)
{
    va_list arguments;

    fputs("graph: ", stderr);
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    putc('\n', stderr);
    exit(1);
}

void *graph_need(size_t count, size_t size)
{
    void *memory = calloc(count, size);

    if (!memory)
        graph_die("out of memory for %zu x %zu bytes: choose a smaller network", count, size);
    return memory;
}

uint64_t graph_now_ns(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/* ------------------------------------------------------------------------------------ building */

void engine_init(struct engine *engine, struct proftop *feed, struct truth *truth)
{
    memset(engine, 0, sizeof *engine);
    engine->feed = feed;
    engine->truth = truth;
}

static const struct op *op_of(struct engine *engine, enum op_code code, float param)
{
    for (size_t i = 0; i < engine->ops_count; i++)
        if (engine->ops[i].code == code && engine->ops[i].param == param)
            return &engine->ops[i];
    if (engine->ops_count == GRAPH_OPS_MAX)
        graph_die("more than %d ops: raise GRAPH_OPS_MAX", GRAPH_OPS_MAX);

    struct op *op = &engine->ops[engine->ops_count++];
    *op = (struct op){.code = code, .param = param, .id = PROFTOP_NONE};
    /* Formats come only from the table of ops; each op with a parameter has a %g in its format. */
    if (op_kinds[code].has_param) {
        const char *percent = strchr(op_kinds[code].format, '%');
        int stem = (int)(percent - op_kinds[code].format);
        snprintf(op->text, sizeof op->text, "%.*s%g%s", stem, op_kinds[code].format, (double)param,
                 percent + 2);
    } else {
        snprintf(op->text, sizeof op->text, "%s", op_kinds[code].format);
    }
    return op;
}

void function_init(struct function *function, struct engine *engine, const char *name)
{
    memset(function, 0, sizeof *function);
    function->engine = engine;
    function->name = name;
    function->id = PROFTOP_NONE;
    function->truth_row = UINT32_MAX;
}

void function_release(struct function *function)
{
    for (size_t i = 0; i < function->variables_count; i++) {
        if (function->variables[i]->storage_owned)
            free(function->variables[i]->value.data);
        free(function->variables[i]);
    }
    for (size_t i = 0; i < function->applies_count; i++)
        free(function->applies[i]);
    memset(function, 0, sizeof *function);
}

static struct variable *new_variable(struct function *function, const char *name,
                                     struct matrix value)
{
    if (function->variables_count == GRAPH_VARIABLES_MAX)
        graph_die("%s has more than %d variables: raise GRAPH_VARIABLES_MAX", function->name,
                  GRAPH_VARIABLES_MAX);

    struct variable *variable = graph_need(1, sizeof *variable);
    snprintf(variable->name, sizeof variable->name, "%s", name);
    variable->value = value;
    return function->variables[function->variables_count++] = variable;
}

struct variable *function_input(struct function *function, const char *name, struct matrix value)
{
    return new_variable(function, name, value);
}

struct variable *function_constant(struct function *function, float value)
{
    char name[32];

    snprintf(name, sizeof name, "%g", (double)value);
    struct variable *variable = new_variable(function, name, (struct matrix){1, 1, NULL});
    variable->value.data = graph_need(1, sizeof(float));
    variable->value.data[0] = value;
    variable->storage_owned = true;
    variable->constant = true;
    return variable;
}

struct variable *function_apply(struct function *function, enum op_code code, float param,
                                struct variable *a, struct variable *b)
{
    const struct op_kind *kind = &op_kinds[code];
    const struct matrix *const in[GRAPH_INPUTS_MAX] = {&a->value, b ? &b->value : NULL};
    struct matrix value = {0, 0, NULL};

    if ((kind->inputs == 2) != (b != NULL))
        graph_die("%s in %s takes %d inputs", kind->format, function->name, kind->inputs);
    if (!kind->shape(in, &value, param))
        graph_die("%s in %s: the shapes %zu x %zu and %zu x %zu do not fit", kind->format,
                  function->name, in[0]->rows, in[0]->cols, b ? in[1]->rows : 0,
                  b ? in[1]->cols : 0);

    struct apply *apply = graph_need(1, sizeof *apply);
    *apply = (struct apply){.op = op_of(function->engine, code, param),
                            .in = {a, b},
                            .out = new_variable(function, "", value),
                            .id = PROFTOP_NONE,
                            .truth_row = UINT32_MAX};
    apply->out->owner = apply;
    function->applies[function->applies_count++] = apply;
    return apply->out;
}

size_t function_output(struct function *function, struct variable *variable)
{
    if (function->outputs_count == GRAPH_OUTPUTS_MAX)
        graph_die("%s has more than %d outputs: raise GRAPH_OUTPUTS_MAX", function->name,
                  GRAPH_OUTPUTS_MAX);
    function->outputs[function->outputs_count] = variable;
    return function->outputs_count++;
}

bool function_replace(struct function *function, const struct variable *from, struct variable *to)
{
    bool found = false;

    for (size_t i = 0; i < function->applies_count; i++)
        for (size_t j = 0; j < GRAPH_INPUTS_MAX; j++)
            if (function->applies[i]->in[j] == from) {
                function->applies[i]->in[j] = to;
                found = true;
            }
    for (size_t i = 0; i < function->outputs_count; i++)
        if (function->outputs[i] == from) {
            function->outputs[i] = to;
            found = true;
        }
    return found;
}

/* ------------------------------------------------------------------------------------- sorting */

struct sorting {
    struct function *function;
    struct apply **order;
    size_t count;
};

static void sort_variable(struct sorting *sorting, struct variable *variable, size_t depth);

/* An apply that overwrites a variable must run after everything else that reads it. */
static void sort_readers(struct sorting *sorting, const struct apply *writer, size_t depth)
{
    struct function *function = sorting->function;

    for (size_t i = 0; i < function->applies_count; i++) {
        struct apply *reader = function->applies[i];
        for (size_t j = 0; j < GRAPH_INPUTS_MAX; j++)
            if (reader != writer && reader->in[j] == writer->in[0])
                sort_variable(sorting, reader->out, depth);
    }
}

static void sort_variable(struct sorting *sorting, struct variable *variable, size_t depth)
{
    struct apply *apply = variable->owner;

    if (!apply || apply->sorted)
        return;
    if (depth > sorting->function->applies_count)
        graph_die("%s has a cycle at %s", sorting->function->name, apply->op->text);
    for (size_t i = 0; i < GRAPH_INPUTS_MAX; i++)
        if (apply->in[i])
            sort_variable(sorting, apply->in[i], depth + 1);
    if (op_kinds[apply->op->code].in_place)
        sort_readers(sorting, apply, depth + 1);
    apply->sorted = true;
    sorting->order[sorting->count++] = apply;
}

size_t function_sort(struct function *function, struct apply *order[GRAPH_VARIABLES_MAX])
{
    struct sorting sorting = {function, order, 0};

    for (size_t i = 0; i < function->applies_count; i++)
        function->applies[i]->sorted = false;
    for (size_t i = 0; i < function->outputs_count; i++)
        sort_variable(&sorting, function->outputs[i], 0);
    return sorting.count;
}

/* ------------------------------------------------------------------------------------- running */

void function_warm(const struct function *function)
{
    struct proftop *feed = function->engine->feed;
    struct proftop_token call = proftop_call_begin(feed, function->id);

    for (size_t i = 0; i < function->order_count; i++) {
        proftop_id apply = function->order[i]->id;
        proftop_fail(feed, apply, proftop_begin(feed, apply));
    }
    proftop_call_fail(feed, function->id, call);
}

static void run_kernel(const struct apply *apply)
{
    op_kinds[apply->op->code].kernel(apply->args, &apply->out->value, apply->op->param);
}

static void run_plain(const struct function *function)
{
    struct proftop *feed = function->engine->feed;

    for (size_t i = 0; i < function->order_count; i++) {
        const struct apply *apply = function->order[i];
        struct proftop_token token = proftop_begin(feed, apply->id);
        run_kernel(apply);
        proftop_end(feed, apply->id, token);
    }
}

/* function_run() with the truth around it. Nothing stands between its clock and the library's
 * calls. */
static void run_with_truth(const struct function *function, struct truth_thread *truth)
{
    struct proftop *feed = function->engine->feed;

    for (size_t i = 0; i < function->order_count; i++) {
        const struct apply *apply = function->order[i];
        uint64_t start_ns = graph_now_ns();
        struct proftop_token token = proftop_begin(feed, apply->id);
        run_kernel(apply);
        proftop_end(feed, apply->id, token);
        truth_add(truth, apply->truth_row, graph_now_ns() - start_ns);
    }
}

void function_run(struct function *function, struct worker *worker)
{
    struct proftop *feed = function->engine->feed;
    uint64_t before_ns = worker->truth ? graph_now_ns() : 0;
    struct proftop_token call = proftop_call_begin(feed, function->id);
    uint64_t start_ns = graph_now_ns();

    if (worker->truth)
        run_with_truth(function, worker->truth);
    else
        run_plain(function);

    uint64_t loop_ns = graph_now_ns() - start_ns;
    proftop_vm(feed, function->id, loop_ns);
    proftop_call_end(feed, function->id, call);
    if (worker->truth)
        truth_add(worker->truth, function->truth_row, graph_now_ns() - before_ns);
    worker->loop_ns += loop_ns;
    worker->calls++;
}

/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * bypass.c: runs an untimed call by the tables and thunks that the framework made.
 *
 * The sampling budget leaves most calls of a function inside an apply untimed (each step of a Scan
 * is one). For such a call the clocks of the nodes would yield only their number of runs, which is
 * known: unless a node is lazy, each node runs once in a call that ends normally. So the C VM gets
 * its own tables and thunks back for the call. The call is counted at each node later: before the
 * next call that is begun, when the outermost call ends, and before the adapter is removed. Further
 * untimed calls in the same outer function are not even begun; meanwhile the VM keeps its own
 * tables. */
#include <stdlib.h>
#include <string.h>

#include "adapters/theano/bypass.h"

/* A list, linked by `next`. The GIL guards both variables. */
struct graph *bypass_pending;
unsigned bypass_forks;

/* ---------------------------------------------------------------------------------- switching */

/* True if the words of the VM are unchanged since they were patched. */
static int is_as_left(const struct graph *graph, void *const *words)
{
    const struct bypass *bypass = graph->bypass;
    return bypass->runs && words[bypass->tables] == graph->runs &&
           words[bypass->tables + 1] == graph->datas &&
           (!bypass->thunks || words[bypass->list] == bypass->patched);
}

void bypass_switch(struct graph *graph, PyObject *vm)
{
    struct bypass *bypass = graph->bypass;
    void **words = (void **)vm;
    if (!is_as_left(graph, words))
        return;
    bypass->vm = vm;
    words[bypass->tables] = bypass->runs;
    words[bypass->tables + 1] = bypass->datas;
    if (!bypass->thunks)
        return;
    Py_INCREF(bypass->thunks);
    words[bypass->list] = bypass->thunks;
}

/* A word that other code has changed meanwhile stays as it is. */
void bypass_switch_back(struct graph *graph)
{
    struct bypass *bypass = graph->bypass;
    void **words = (void **)bypass->vm;
    bypass->vm = NULL;
    bypass->left = 0;
    if (words[bypass->tables] == bypass->runs && words[bypass->tables + 1] == bypass->datas) {
        words[bypass->tables] = graph->runs;
        words[bypass->tables + 1] = graph->datas;
    }
    if (!bypass->thunks || words[bypass->list] != bypass->thunks)
        return;
    words[bypass->list] = bypass->patched;
    Py_DECREF(bypass->thunks);
}

/* The threads that were in calls belong to the parent: their calls never end here. */
void bypass_anew(struct graph *graph)
{
    struct bypass *bypass = graph->bypass;
    if (bypass->vm)
        bypass_switch_back(graph);
    bypass->inside = 0;
    bypass->forks = bypass_forks;
}

/* ----------------------------------------------------------------------------------- counting */

static void unlink_pending(struct graph *graph)
{
    struct graph **at = &bypass_pending;
    while (*at && *at != graph)
        at = &(*at)->bypass->next;
    if (*at)
        *at = graph->bypass->next;
}

/* Counts `calls` untimed calls that ended normally. */
static void count_untimed(proftop_id apply, uint64_t calls)
{
    const struct proftop_token untimed = {PROFTOP_UNTIMED, 0};
#if defined(__x86_64__)
    if (proftop_try_untimed(proftop_py.feed, apply, calls))
        return;
    proftop_refresh_cache(
        proftop_py.feed); /* the first use of the feed by this file on this thread */
    if (proftop_try_untimed(proftop_py.feed, apply, calls))
        return;
#endif
    for (; calls; calls--)
        proftop_end(proftop_py.feed, apply, untimed);
}

static void forget(struct graph *graph)
{
    unlink_pending(graph);
    graph->bypass->passes = graph->bypass->unbegun = 0;
}

static void count_calls(proftop_id function, uint64_t calls)
{
    const struct proftop_token untimed = {PROFTOP_UNTIMED, 0};
    for (; calls; calls--)
        proftop_call_end(proftop_py.feed, function, untimed);
}

/* While no viewer watches, a feed may count calls only. */
static int takes_calls(proftop_id function)
{
    const struct proftop_token token = proftop_call_begin(proftop_py.feed, function);
    proftop_call_fail(proftop_py.feed, function, token);
    return token.start != 0;
}

/* Counts the calls only. The counts of the nodes are kept. */
static void count_in_pause(struct graph *graph)
{
    const uint64_t unbegun = graph->bypass->unbegun;
    if (!unbegun || !takes_calls(graph->function))
        return;
    graph->bypass->unbegun = 0;
    count_calls(graph->function, unbegun);
}

void bypass_count(struct graph *graph)
{
    struct bypass *bypass = graph->bypass;
    const uint64_t passes = bypass->passes, unbegun = bypass->unbegun;
    const int is_of_it = proftop_py.feed && bypass->feeds == proftop_py.feeds;
    bypass->left = 0;
    if (bypass->vm && !bypass->inside)
        bypass_switch_back(graph);
    if (!passes)
        return;
    if (is_of_it && bypass_is_paused(proftop_py.feed)) {
        count_in_pause(graph);
        return;
    }
    forget(graph);
    if (!is_of_it)
        return;
    for (Py_ssize_t i = 0; i < graph->n_nodes; i++)
        count_untimed(bypass->applies[i], passes);
    count_calls(graph->function, unbegun);
}

void bypass_count_all(void)
{
    struct graph *graph = bypass_pending, *next;
    for (; graph; graph = next) {
        next = graph->bypass->next;
        bypass_count(graph);
    }
}

void bypass_forget_all(void)
{
    for (struct graph *graph = bypass_pending; graph; graph = graph->bypass->next)
        graph->bypass->passes = graph->bypass->unbegun = 0;
    bypass_pending = NULL;
    bypass_forks++;
}

int bypass_pass(struct graph *graph)
{
    struct bypass *bypass = graph->bypass;
    if (!proftop_py.feed || !bypass->applies)
        return 0; /* the adapter was removed meanwhile */
    if (bypass->passes && bypass->feeds != proftop_py.feeds)
        bypass_count(graph); /* the feed of these calls is closed: drops them */
    if (!bypass->passes++) {
        bypass->feeds = proftop_py.feeds;
        bypass->next = bypass_pending;
        bypass_pending = graph;
    }
    return 1;
}

/* ------------------------------------------------------------------------------ start and stop */

/* The index of the VM's only word that points to the object; 0 if there is none, or several. */
static Py_ssize_t word_of(PyObject *vm, Py_ssize_t words, const PyObject *object)
{
    Py_ssize_t found = 0;
    for (Py_ssize_t i = 2; i < words; i++) {
        if (((void **)vm)[i] != object)
            continue;
        if (found)
            return 0;
        found = i;
    }
    return found;
}

static void **copy_of(void **table, Py_ssize_t n)
{
    void **copy = malloc((size_t)n * sizeof *copy);
    if (copy)
        memcpy(copy, table, (size_t)n * sizeof *copy);
    return copy;
}

static void release(struct bypass *bypass)
{
    free(bypass->runs);
    free(bypass->datas);
    free(bypass->applies);
    bypass->runs = bypass->datas = NULL;
    bypass->applies = NULL;
    Py_CLEAR(bypass->thunks);
}

/* If every node has C code, the list of thunks stays the framework's own. */
static int has_python_nodes(void *const *runs, Py_ssize_t n)
{
    for (Py_ssize_t i = 0; i < n; i++)
        if (!runs[i])
            return 1;
    return 0;
}

static struct bypass *bypass_new(void)
{
    struct bypass *bypass = calloc(1, sizeof *bypass);
    if (bypass)
        bypass->forks = bypass_forks;
    return bypass;
}

void bypass_start(struct graph *graph, PyObject *vm, Py_ssize_t tables, PyObject *thunks)
{
    const Py_ssize_t n = PyList_Size(thunks);
    struct bypass *bypass = graph->bypass;
    if (!bypass)
        bypass = graph->bypass = bypass_new();
    if (!bypass || !graph->runs || bypass->runs || n < 1)
        return;
    bypass->tables = tables;
    bypass->list = word_of(vm, tables, thunks);
    bypass->patched = thunks;
    bypass->runs = copy_of(graph->runs, n);
    bypass->datas = copy_of(graph->datas, n);
    bypass->applies = calloc((size_t)n, sizeof *bypass->applies);
    int whole = bypass->runs && bypass->datas && bypass->applies;
    if (whole && has_python_nodes(bypass->runs, n)) {
        bypass->thunks = bypass->list ? PyList_GetSlice(thunks, 0, n) : NULL;
        whole = bypass->thunks != NULL;
        PyErr_Clear();
    }
    if (!whole)
        release(bypass);
}

PyObject *bypass_stop(struct graph *graph, PyObject *thunks)
{
    struct bypass *bypass = graph->bypass;
    if (!bypass)
        return thunks;
    if (bypass->vm && thunks == bypass->thunks)
        thunks = bypass->patched;
    if (bypass->vm)
        bypass_switch_back(graph);
    if (bypass->passes)
        bypass_count(graph);
    forget(graph); /* calls that a pause has kept */
    release(bypass);
    return thunks;
}

void bypass_free(struct graph *graph)
{
    bypass_stop(graph, NULL);
    free(graph->bypass);
    graph->bypass = NULL;
}

/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * _spare.c: runs an untimed call by the tables and thunks that the framework made.
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

#include "adapters/python/proftop/_spare.h"

/* A list, linked by `next`. The GIL guards both variables. */
struct graph *spare_pending;
unsigned spare_forks;

/* ---------------------------------------------------------------------------------- switching */

/* True if the words of the VM are unchanged since they were patched. */
static int is_as_left(const struct graph *graph, void *const *words)
{
    const struct spare *spare = graph->spare;
    return spare->runs && words[spare->tables] == graph->runs &&
           words[spare->tables + 1] == graph->datas &&
           (!spare->thunks || words[spare->list] == spare->patched);
}

void spare_switch(struct graph *graph, PyObject *vm)
{
    struct spare *spare = graph->spare;
    void **words = (void **)vm;
    if (!is_as_left(graph, words))
        return;
    spare->vm = vm;
    words[spare->tables] = spare->runs;
    words[spare->tables + 1] = spare->datas;
    if (!spare->thunks)
        return;
    Py_INCREF(spare->thunks);
    words[spare->list] = spare->thunks;
}

/* A word that other code has changed meanwhile stays as it is. */
void spare_switch_back(struct graph *graph)
{
    struct spare *spare = graph->spare;
    void **words = (void **)spare->vm;
    spare->vm = NULL;
    spare->left = 0;
    if (words[spare->tables] == spare->runs && words[spare->tables + 1] == spare->datas) {
        words[spare->tables] = graph->runs;
        words[spare->tables + 1] = graph->datas;
    }
    if (!spare->thunks || words[spare->list] != spare->thunks)
        return;
    words[spare->list] = spare->patched;
    Py_DECREF(spare->thunks);
}

/* The threads that were in calls belong to the parent: their calls never end here. */
void spare_anew(struct graph *graph)
{
    struct spare *spare = graph->spare;
    if (spare->vm)
        spare_switch_back(graph);
    spare->inside = 0;
    spare->forks = spare_forks;
}

/* ----------------------------------------------------------------------------------- counting */

static void unlink_pending(struct graph *graph)
{
    struct graph **at = &spare_pending;
    while (*at && *at != graph)
        at = &(*at)->spare->next;
    if (*at)
        *at = graph->spare->next;
}

/* Counts `calls` untimed calls that ended normally. */
static void count_untimed(proftop_id apply, uint64_t calls)
{
    const struct proftop_token untimed = {PROFTOP_UNTIMED, 0};
#if defined(__x86_64__)
    if (proftop_try_untimed(proftop_py.feed, apply, calls))
        return;
    proftop_meet(proftop_py.feed); /* the first use of the feed by this file on this thread */
    if (proftop_try_untimed(proftop_py.feed, apply, calls))
        return;
#endif
    for (; calls; calls--)
        proftop_end(proftop_py.feed, apply, untimed);
}

static void forget(struct graph *graph)
{
    unlink_pending(graph);
    graph->spare->passes = graph->spare->unbegun = 0;
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
    const uint64_t unbegun = graph->spare->unbegun;
    if (!unbegun || !takes_calls(graph->function))
        return;
    graph->spare->unbegun = 0;
    count_calls(graph->function, unbegun);
}

void spare_count(struct graph *graph)
{
    struct spare *spare = graph->spare;
    const uint64_t passes = spare->passes, unbegun = spare->unbegun;
    const int is_of_it = proftop_py.feed && spare->feeds == proftop_py.feeds;
    spare->left = 0;
    if (spare->vm && !spare->inside)
        spare_switch_back(graph);
    if (!passes)
        return;
    if (is_of_it && spare_is_paused(proftop_py.feed)) {
        count_in_pause(graph);
        return;
    }
    forget(graph);
    if (!is_of_it)
        return;
    for (Py_ssize_t i = 0; i < graph->n_nodes; i++)
        count_untimed(spare->applies[i], passes);
    count_calls(graph->function, unbegun);
}

void spare_count_all(void)
{
    struct graph *graph = spare_pending, *next;
    for (; graph; graph = next) {
        next = graph->spare->next;
        spare_count(graph);
    }
}

void spare_forget_all(void)
{
    for (struct graph *graph = spare_pending; graph; graph = graph->spare->next)
        graph->spare->passes = graph->spare->unbegun = 0;
    spare_pending = NULL;
    spare_forks++;
}

int spare_pass(struct graph *graph)
{
    struct spare *spare = graph->spare;
    if (!proftop_py.feed || !spare->applies)
        return 0; /* the adapter was removed meanwhile */
    if (spare->passes && spare->feeds != proftop_py.feeds)
        spare_count(graph); /* the feed of these calls is closed: drops them */
    if (!spare->passes++) {
        spare->feeds = proftop_py.feeds;
        spare->next = spare_pending;
        spare_pending = graph;
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

static void release(struct spare *spare)
{
    free(spare->runs);
    free(spare->datas);
    free(spare->applies);
    spare->runs = spare->datas = NULL;
    spare->applies = NULL;
    Py_CLEAR(spare->thunks);
}

/* If every node has C code, the list of thunks stays the framework's own. */
static int has_python_nodes(void *const *runs, Py_ssize_t n)
{
    for (Py_ssize_t i = 0; i < n; i++)
        if (!runs[i])
            return 1;
    return 0;
}

static struct spare *spare_new(void)
{
    struct spare *spare = calloc(1, sizeof *spare);
    if (spare)
        spare->forks = spare_forks;
    return spare;
}

void spare_start(struct graph *graph, PyObject *vm, Py_ssize_t tables, PyObject *thunks)
{
    const Py_ssize_t n = PyList_Size(thunks);
    struct spare *spare = graph->spare;
    if (!spare)
        spare = graph->spare = spare_new();
    if (!spare || !graph->runs || spare->runs || n < 1)
        return;
    spare->tables = tables;
    spare->list = word_of(vm, tables, thunks);
    spare->patched = thunks;
    spare->runs = copy_of(graph->runs, n);
    spare->datas = copy_of(graph->datas, n);
    spare->applies = calloc((size_t)n, sizeof *spare->applies);
    int whole = spare->runs && spare->datas && spare->applies;
    if (whole && has_python_nodes(spare->runs, n)) {
        spare->thunks = spare->list ? PyList_GetSlice(thunks, 0, n) : NULL;
        whole = spare->thunks != NULL;
        PyErr_Clear();
    }
    if (!whole)
        release(spare);
}

PyObject *spare_stop(struct graph *graph, PyObject *thunks)
{
    struct spare *spare = graph->spare;
    if (!spare)
        return thunks;
    if (spare->vm && thunks == spare->thunks)
        thunks = spare->patched;
    if (spare->vm)
        spare_switch_back(graph);
    if (spare->passes)
        spare_count(graph);
    forget(graph); /* calls that a pause has kept */
    release(spare);
    return thunks;
}

void spare_free(struct graph *graph)
{
    spare_stop(graph, NULL);
    free(graph->spare);
    graph->spare = NULL;
}

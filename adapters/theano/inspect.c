/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * inspect.c: inspects the inputs and outputs of a graph's nodes from time to time, while they run.
 *
 * The first call of a graph is inspected. Between two inspections lies at least a second, and at
 * least 1000 times the time of the last inspection. In an inspected call the nodes run through
 * functions of their own, so other calls pay nothing. */
#include "adapters/theano/theano.h"
#include "adapters/theano/bypass.h"
#include "proftop_adapter.h"

enum { PAUSE_NS = 1000000000, PAUSE_COSTS = 1000 };

/* Takes a few ns and is milliseconds off: enough to see whether a second has passed. */
static uint64_t coarse_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/* ---------------------------------------------------------------------------------- one value */

/* True for an array or scalar type of numpy itself: reading its shape runs no code of the job. */
static int is_plain(PyObject *value)
{
    return (PyObject *)Py_TYPE(value) == proftop_py.array_type ||
           (proftop_py.scalar_type &&
            PyType_IsSubtype(Py_TYPE(value), (PyTypeObject *)proftop_py.scalar_type));
}

/* (shape, bytes, strides) of the value in a storage cell, or None. A new reference; NULL if out of
 * memory. */
static PyObject *inspect_into(PyObject *cell)
{
    PyObject *value = PyList_Check(cell) && PyList_Size(cell) == 1 ? PyList_GetItem(cell, 0) : NULL;
    if (!value || !is_plain(value)) {
        Py_INCREF(Py_None);
        return Py_None;
    }
    Py_INCREF(value);
    PyObject *shape = PyObject_GetAttrString(value, "shape");
    PyObject *bytes = shape ? PyObject_GetAttrString(value, "nbytes") : NULL;
    PyObject *strides = bytes ? PyObject_GetAttrString(value, "strides") : NULL;
    PyObject *all = strides ? PyTuple_Pack(3, shape, bytes, strides) : NULL;
    Py_XDECREF(strides);
    Py_XDECREF(bytes);
    Py_XDECREF(shape);
    Py_DECREF(value);
    return all;
}

static PyObject *inspect_into_all(PyObject *cells)
{
    Py_ssize_t n = PyList_Check(cells) ? PyList_Size(cells) : 0;
    PyObject *all = PyTuple_New(n);
    for (Py_ssize_t i = 0; all && i < n; i++) {
        PyObject *one = inspect_into(PyList_GetItem(cells, i));
        if (!one || PyTuple_SetItem(all, i, one) < 0)
            Py_CLEAR(all);
    }
    return all;
}

/* ----------------------------------------------------------------------------------- one node */

/* Side 0 is a node's inputs, side 1 its outputs. */
static PyObject *inspect_at_side(const struct graph *graph, Py_ssize_t i, Py_ssize_t side)
{
    PyObject *cells = graph->cells ? PyList_GetItem(graph->cells, i) : NULL;
    PyObject *all = cells ? inspect_into_all(PyTuple_GetItem(cells, side)) : NULL;
    if (!all)
        PyErr_Clear();
    return all;
}

PyObject *inspect_inputs(struct graph *graph, Py_ssize_t i)
{
    uint64_t start = clock_ns();
    PyObject *inputs = inspect_at_side(graph, i, 0);
    graph->inspect_cost += clock_ns() - start;
    return inputs;
}

/* Another thread may have ended the inspection while the node ran. */
void inspect_outputs(struct graph *graph, Py_ssize_t i, PyObject *inputs)
{
    uint64_t start = clock_ns();
    PyObject *outputs = inputs && graph->seen ? inspect_at_side(graph, i, 1) : NULL;
    PyObject *both = outputs ? PyTuple_Pack(2, inputs, outputs) : NULL;
    if (!both || PyList_SetItem(graph->seen, i, both) < 0)
        PyErr_Clear();
    Py_XDECREF(outputs);
    Py_XDECREF(inputs);
    graph->inspect_cost += clock_ns() - start;
}

/* ----------------------------------------------------------------------------------- one call */

static PyObject *nothing_seen(Py_ssize_t n)
{
    PyObject *seen = PyList_New(n);
    for (Py_ssize_t i = 0; seen && i < n; i++) {
        Py_INCREF(Py_None);
        PyList_SetItem(seen, i, Py_None);
    }
    if (!seen)
        PyErr_Clear();
    return seen;
}

/* Runs the nodes that have C code with inspection of their values, or without. */
static void switch_nodes(struct graph *graph, int inspecting)
{
    for (Py_ssize_t i = 0; graph->runs && i < graph->n_nodes; i++)
        if (graph_is_ours(graph, i))
            memcpy(&graph->runs[i], &graph->node_run[inspecting], sizeof graph->runs[i]);
}

int inspect_is_time(const struct graph *graph)
{
    return !graph->inspecting && coarse_now() >= graph->inspect_at;
}

int inspect_begin(struct graph *graph)
{
    uint64_t start = clock_ns();
    graph->seen = nothing_seen(PyList_Size(graph->cells));
    if (!graph->seen)
        return 0;
    graph->inspecting = 1;
    graph->inspect_forks = bypass_forks;
    switch_nodes(graph, 1);
    graph->inspect_cost = clock_ns() - start;
    return 1;
}

/* Ends the inspection. Returns the seen values. */
static PyObject *inspect_away(struct graph *graph)
{
    PyObject *seen = graph->seen;
    switch_nodes(graph, 0);
    graph->inspecting = 0;
    graph->seen = NULL;
    return seen;
}

void inspect_anew(struct graph *graph)
{
    if (graph->inspect_forks == bypass_forks)
        return;
    PyObject *seen = inspect_away(graph);
    Py_XDECREF(seen);
}

/* Keeps a pending exception of the job. */
void inspect_end(struct graph *graph, int whole)
{
    if (!graph->seen)
        return; /* in a forked child: a later call ended the inspection of the call that forked */
    uint64_t start = clock_ns();
    PyObject *type, *value, *traceback, *seen = inspect_away(graph);
    PyErr_Fetch(&type, &value, &traceback);
    PyObject *describe = graph->describe;
    Py_XINCREF(describe);
    PyObject *good = whole && !type ? Py_True : Py_False;
    PyObject *result = describe ? PyObject_CallFunctionObjArgs(describe, seen, good, NULL) : NULL;
    if (!result)
        clear_error();
    Py_XDECREF(result);
    Py_XDECREF(describe);
    Py_XDECREF(seen);
    PyErr_Restore(type, value, traceback);
    uint64_t now = clock_ns(), cost = graph->inspect_cost + (now - start);
    uint64_t pause = cost * PAUSE_COSTS;
    graph->inspect_at = now + (pause > PAUSE_NS ? pause : PAUSE_NS);
    proftop_spent(proftop_py.feed, cost);
}

/* ----------------------------------------------------------------------------------- beginning */

/* Finds numpy's types. A job of this family has imported numpy. */
static void find_types(void)
{
    PyObject *name = proftop_py.array_type ? NULL : PyUnicode_FromString("numpy");
    PyObject *numpy = name ? PyImport_GetModule(name) : NULL;
    if (numpy) {
        proftop_py.array_type = PyObject_GetAttrString(numpy, "ndarray");
        proftop_py.scalar_type = PyObject_GetAttrString(numpy, "generic");
    }
    PyErr_Clear();
    Py_XDECREF(numpy);
    Py_XDECREF(name);
}

static int are_cells(PyObject *cells, Py_ssize_t n)
{
    int good = PyList_Check(cells) && PyList_Size(cells) == n;
    for (Py_ssize_t i = 0; good && i < n; i++) {
        PyObject *pair = PyList_GetItem(cells, i);
        good = PyTuple_Check(pair) && PyTuple_Size(pair) == 2;
    }
    return good;
}

/* look(cells, describe): `cells` has for each node its lists of storage cells, (inputs, outputs).
 * describe(seen, good): `seen` has for each node None or (inputs, outputs), each a tuple of None or
 * (shape, bytes, strides). `good`: the call computed all of its results, so nodes did run. */
PyObject *inspect_start(PyObject *self, PyObject *args)
{
    struct graph *graph = (struct graph *)self;
    PyObject *cells, *describe;
    if (!PyArg_ParseTuple(args, "OO", &cells, &describe))
        return NULL;
    if (graph->cells || !are_cells(cells, graph->n_nodes))
        return PyErr_Format(PyExc_ValueError, "cells of %zd nodes are needed, once",
                            graph->n_nodes);
    find_types();
    Py_INCREF(cells);
    Py_INCREF(describe);
    graph->cells = cells;
    graph->describe = describe;
    Py_RETURN_NONE;
}

/* inspect_away(): ends what look() began. */
PyObject *inspect_leave(PyObject *self, PyObject *unused)
{
    (void)unused;
    inspect_stop((struct graph *)self);
    Py_RETURN_NONE;
}

void inspect_stop(struct graph *graph)
{
    Py_CLEAR(graph->cells);
    Py_CLEAR(graph->describe);
}

/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * _steps.c: how far a Scan is. Each step of it is a call of the VM of the function inside, which is
 * counted anyway; what the node has come to is told when it begins, now and then, and at its end.
 */
#include "adapters/python/proftop/_feed.h"

#include "proftop_detail.h"

PER_THREAD struct turn *proftop_py_turn;

/* Metrics of the feed that is open, by its number. */
static struct {
    unsigned feeds;
    proftop_id step, steps;
} metrics;

void steps_declare(void)
{
    if (metrics.feeds == proftop_py.feeds)
        return;
    metrics.feeds = proftop_py.feeds;
    metrics.step = proftop_metric(proftop_py.feed, "step", "steps", PROFTOP_LAST);
    metrics.steps = proftop_metric(proftop_py.feed, "steps", "steps", PROFTOP_LAST);
}

void steps_tell(proftop_id apply, uint64_t step, uint64_t steps)
{
    if (!proftop_py.feed)
        return;
    steps_declare();
    proftop_metric_add(proftop_py.feed, metrics.step, apply, step);
    if (steps != PROFTOP_UNKNOWN)
        proftop_metric_add(proftop_py.feed, metrics.steps, apply, steps);
}

static void tell(struct turn *turn, uint64_t now_ns)
{
    turn->told_ns = now_ns;
    steps_tell(turn->apply, turn->step, turn->steps);
}

/* The number in a storage cell; unknown if it is none. Leaves no exception. */
static uint64_t read_steps(PyObject *cell)
{
    PyObject *value = PyList_Check(cell) && PyList_Size(cell) == 1 ? PyList_GetItem(cell, 0) : NULL;
    PyObject *number = value && value != Py_None ? PyNumber_Index(value) : NULL;
    long long steps = number ? PyLong_AsLongLong(number) : -1;
    Py_XDECREF(number);
    PyErr_Clear();
    return steps >= 0 ? (uint64_t)steps : PROFTOP_UNKNOWN;
}

void turn_begin(struct turn *turn, proftop_id apply, PyObject *cell)
{
    *turn = (struct turn){.apply = apply, .steps = read_steps(cell)};
    tell(turn, clock_ns()); /* else the last call's would stand there until a step has ended */
}

void turn_tell(struct turn *turn)
{
    uint64_t now_ns = clock_ns();
    if (now_ns - turn->told_ns >= TELL_NS)
        tell(turn, now_ns);
}

void turn_end(struct turn *turn)
{
    tell(turn, turn->told_ns);
}

/* steps(thunk, cell): this node of ours has steps; how many is in the cell when it begins, or the
 * cell is None, and nobody knows. What is no node of ours stays as it is. */
PyObject *steps_set(PyObject *module, PyObject *args)
{
    (void)module;
    PyObject *thunk, *cell;
    if (!PyArg_ParseTuple(args, "OO", &thunk, &cell))
        return NULL;
    if (Py_TYPE(thunk) == proftop_py.thunk_type)
        thunk_has_steps(thunk, cell);
    Py_RETURN_NONE;
}

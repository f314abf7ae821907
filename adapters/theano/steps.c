/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * steps.c: the progress of a Scan. Each of its steps is a call of the inner function's VM, which
 * is counted anyway. The progress is sent when the node begins, from time to time, and when it
 * ends. */
#include "adapters/theano/theano.h"

#include "proftop_adapter.h"

PER_THREAD struct turn *proftop_py_turn;

/* Metrics of the open feed, by the feed's number. */
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

void steps_report(proftop_id apply, uint64_t step, uint64_t steps)
{
    if (!proftop_py.feed)
        return;
    steps_declare();
    proftop_metric_add(proftop_py.feed, metrics.step, apply, step);
    if (steps != PROFTOP_UNKNOWN)
        proftop_metric_add(proftop_py.feed, metrics.steps, apply, steps);
}

static void report(struct turn *turn, uint64_t now_ns)
{
    turn->reported_ns = now_ns;
    steps_report(turn->apply, turn->step, turn->steps);
}

/* The number in a storage cell, or PROFTOP_UNKNOWN. Leaves no exception. */
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
    report(turn, clock_ns()); /* replaces the values of the last call */
}

void turn_send(struct turn *turn)
{
    uint64_t now_ns = clock_ns();
    if (now_ns - turn->reported_ns >= REPORT_NS)
        report(turn, now_ns);
}

void turn_end(struct turn *turn)
{
    report(turn, turn->reported_ns);
}

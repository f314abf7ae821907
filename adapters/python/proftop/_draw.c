/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * _draw.c: the draws of PyMC's samplers: each is a frame, and a counter has the calls of functions
 * that it took (sampling.py).
 */
#include "_feed.h"
#include "proftop_objects.h"

PER_THREAD uint64_t proftop_py_calls;

/* Of the feed that the rows were defined in: a forked child has another. Under the GIL. */
static struct {
    struct proftop *feed;
    proftop_id frame, evaluations;
} rows;

/* A step that consists of others is one draw. */
static PER_THREAD int inside;

static void define(struct proftop *feed)
{
    proftop_id domain = proftop_domain(feed, "PyMC");
    rows.feed = feed;
    rows.frame = proftop_frame(feed, domain, "draw");
    rows.evaluations = proftop_counter(feed, domain, "evaluations per draw", "calls");
}

PyObject *draw_run(PyObject *step, PyObject *args, PyObject *kwargs)
{
    struct proftop *feed = inside ? NULL : proftop_py_feed();
    if (!feed)
        return PyObject_Call(step, args, kwargs);
    if (rows.feed != feed)
        define(feed);
    uint64_t before = proftop_py_calls;
    struct proftop_run run = proftop_frame_start(feed, rows.frame);
    inside = 1;
    PyObject *result = PyObject_Call(step, args, kwargs);
    inside = 0;
    proftop_frame_stop(feed, run);
    if (result)
        proftop_counter_set(feed, rows.evaluations, (int64_t)(proftop_py_calls - before));
    return result;
}

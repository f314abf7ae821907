/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * pymc_draws.c: counts the draws of PyMC's samplers (pymc_draws.py). Each draw is a frame; tuning
 * draws have another frame. Counters show the function calls of each draw, the divergences of the
 * kept draws, and the draws and the time that the chain has left. */
#include "adapters/theano/theano.h"
#include "proftop_objects.h"

/* The rows, and the feed that has them: a forked child has another feed. Guarded by the GIL. A
 * figure that the sampler does not report has no row. */
static struct {
    struct proftop *feed;
    proftop_id domain, tune, draw, evaluations, divergences, left, seconds;
} rows;

/* This thread's chain, as far as the sampler reports it. It is read again every ASK_AGAIN draws,
 * since the thread may have begun another chain. */
enum { ASK_AGAIN = 64 };
static PER_THREAD struct {
    PyObject *step;              /* only compared, never used */
    uint64_t made, tuned, total; /* draws made, tuning draws, all draws; total 0: unknown */
    uint64_t first, begun_ns;    /* start of this phase: draws made, time */
    unsigned turn;
} chain;

/* Set during a draw: a compound step counts as one draw. */
static PER_THREAD int inside;

static void define(struct proftop *feed)
{
    rows.feed = feed;
    rows.domain = proftop_domain(feed, "PyMC");
    rows.draw = proftop_frame(feed, rows.domain, "draw");
    rows.evaluations = proftop_counter(feed, rows.domain, "evaluations per draw", "calls");
    rows.tune = rows.divergences = rows.left = rows.seconds = PROFTOP_NONE;
}

/* Reads the chain. before() returns (draws made, tuning draws, all draws), or None. */
static void read_draws(PyObject *before, PyObject *step)
{
    unsigned long long made = 0, tuned = 0, total = 0;
    if (chain.step == step && ++chain.turn < ASK_AGAIN &&
        (chain.total == 0 || chain.made < chain.total))
        return;
    PyObject *draws = PyObject_CallObject(before, NULL);
    if (!draws || (draws != Py_None && !PyArg_ParseTuple(draws, "KKK", &made, &tuned, &total)))
        clear_error();
    Py_XDECREF(draws);
    if (chain.step != step || made != chain.made || total != chain.total) {
        chain.first = made;
        chain.begun_ns = clock_ns();
    }
    chain.step = step;
    chain.made = made;
    chain.tuned = tuned;
    chain.total = total;
    chain.turn = 0;
}

/* `diverging` in the statistics of a step: 1, 0, or -1 if it is missing. */
static int diverged(PyObject *statistics)
{
    PyObject *value =
        PyDict_Check(statistics) ? PyDict_GetItemString(statistics, "diverging") : NULL;
    const int is = value ? PyObject_IsTrue(value) : -1;
    if (value && is < 0)
        PyErr_Clear();
    return is;
}

/* `result`: (point, [statistics of each step]). */
static void count_divergences(struct proftop *feed, PyObject *result)
{
    PyObject *steps =
        PyTuple_Check(result) && PyTuple_Size(result) == 2 ? PyTuple_GetItem(result, 1) : NULL;
    const Py_ssize_t n = steps && PyList_Check(steps) ? PyList_Size(steps) : 0;
    for (Py_ssize_t i = 0; i < n; i++) {
        const int is = diverged(PyList_GetItem(steps, i));
        if (is < 0)
            continue;
        if (rows.divergences == PROFTOP_NONE)
            rows.divergences =
                proftop_counter_from(feed, rows.domain, "divergences", "draws", 0);
        if (is)
            proftop_counter_add(feed, rows.divergences, 1);
    }
}

/* Ends a draw. The time left is the number of draws left at the pace of this phase. */
static void count_left(struct proftop *feed, int tunes)
{
    chain.made++;
    if (chain.total == 0)
        return;
    if (rows.left == PROFTOP_NONE) {
        rows.left = proftop_counter(feed, rows.domain, "draws left", "draws");
        rows.seconds = proftop_counter_f64(feed, rows.domain, "time left", "s");
    }
    const uint64_t now_ns = clock_ns();
    const uint64_t left = chain.made < chain.total ? chain.total - chain.made : 0;
    const double each_ns = (double)(now_ns - chain.begun_ns) / (double)(chain.made - chain.first);
    proftop_counter_set(feed, rows.left, (int64_t)left);
    proftop_counter_set_f64(feed, rows.seconds, (double)left * each_ns / 1e9);
    if (tunes && chain.made == chain.tuned) {
        chain.first = chain.made;
        chain.begun_ns = now_ns;
    }
}

static proftop_id frame_of(struct proftop *feed, int tunes)
{
    if (tunes && rows.tune == PROFTOP_NONE)
        rows.tune = proftop_frame(feed, rows.domain, "tune");
    return tunes ? rows.tune : rows.draw;
}

PyObject *sampler_run(PyObject *step, PyObject *before, PyObject *args, PyObject *kwargs)
{
    struct proftop *feed = inside ? NULL : proftop_py_feed();
    if (!feed)
        return PyObject_Call(step, args, kwargs);
    if (rows.feed != feed)
        define(feed);
    if (before && PyTuple_Size(args) > 0)
        read_draws(before, PyTuple_GetItem(args, 0));
    const int tunes = chain.made < chain.tuned;
    uint64_t calls = proftop_py_calls;
    struct proftop_run run = proftop_frame_start(feed, frame_of(feed, tunes));
    inside = 1;
    PyObject *result = PyObject_Call(step, args, kwargs);
    inside = 0;
    proftop_frame_stop(feed, run);
    if (!result)
        return NULL;
    proftop_counter_set(feed, rows.evaluations, (int64_t)(proftop_py_calls - calls));
    if (!tunes)
        count_divergences(feed, result);
    count_left(feed, tunes);
    return result;
}

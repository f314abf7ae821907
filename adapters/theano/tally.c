/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * tally.c: counts the nodes of a C VM with unknown tables, by the VM's own lists.
 *
 * A VM that times its thunks adds the seconds and calls of each to two lists that Python sees.
 * After a call, the adapter takes the amounts that the call added and restores the lists. So a
 * profile of the framework never contains these amounts. If the VM times its thunks for such a
 * profile, its lists stay as they are. */
#include <stdlib.h>

#include "adapters/theano/theano.h"
#include "proftop_adapter.h"

struct sum {
    proftop_id apply;
    int moved; /* changed since the last report */
    uint64_t calls;
    double seconds;
    double base_calls, base_seconds; /* values of the lists when the call began */
};

struct tally {
    PyObject *seconds, *calls;         /* the VM's lists, */
    PyObject *old_seconds, *old_calls; /* and copies to restore; NULL: not restored */
    const struct proftop *feed;        /* has the sums; a forked child's starts at 0 */
    Py_ssize_t n;
    struct sum sums[];
};

void tally_free(struct graph *graph)
{
    struct tally *tally = graph->tally;
    graph->tally = NULL;
    if (!tally)
        return;
    Py_XDECREF(tally->seconds);
    Py_XDECREF(tally->calls);
    Py_XDECREF(tally->old_seconds);
    Py_XDECREF(tally->old_calls);
    free(tally);
}

/* A number of a list; 0 if the item is no number. */
static double number_at(PyObject *list, Py_ssize_t i)
{
    PyObject *item = PyList_GetItem(list, i);
    double number = item ? PyFloat_AsDouble(item) : 0;
    if (number == -1 && PyErr_Occurred())
        number = 0;
    PyErr_Clear();
    return number;
}

static void put_back(PyObject *list, PyObject *old, Py_ssize_t i)
{
    PyObject *item = PyList_GetItem(old, i);
    Py_XINCREF(item);
    if (!item || PyList_SetItem(list, i, item) < 0)
        PyErr_Clear();
}

static int is_whole(const struct tally *tally)
{
    return PyList_Size(tally->seconds) == tally->n && PyList_Size(tally->calls) == tally->n;
}

static void set_bases(struct tally *tally)
{
    for (Py_ssize_t i = 0; i < tally->n; i++) {
        tally->sums[i].base_calls = number_at(tally->calls, i);
        tally->sums[i].base_seconds = number_at(tally->seconds, i);
    }
}

void tally_note(struct tally *tally)
{
    if (!tally->old_calls && is_whole(tally))
        set_bases(tally); /* the framework's profile empties the lists between calls */
}

/* The VM's clock is the time of day, which may be set back. */
static void add(struct sum *sum, double calls, double seconds)
{
    sum->calls += (uint64_t)calls;
    if (seconds > 0)
        sum->seconds += seconds;
    sum->moved = 1;
}

static void take(struct tally *tally)
{
    const int anew = tally->feed != proftop_py.feed;
    tally->feed = proftop_py.feed;
    for (Py_ssize_t i = 0; i < tally->n; i++) {
        struct sum *sum = &tally->sums[i];
        if (anew)
            sum->calls = 0, sum->seconds = 0;
        double calls = number_at(tally->calls, i) - sum->base_calls;
        if (!(calls > 0 && calls < 1e15))
            continue;
        add(sum, calls, number_at(tally->seconds, i) - sum->base_seconds);
        if (tally->old_calls) {
            put_back(tally->calls, tally->old_calls, i);
            put_back(tally->seconds, tally->old_seconds, i);
        }
    }
}

/* Sets the sums in the feed. The feed accounts the overhead of each call itself. */
static void set_sums(struct tally *tally)
{
    for (Py_ssize_t i = 0; i < tally->n; i++) {
        struct sum *sum = &tally->sums[i];
        if (sum->moved)
            proftop_set(proftop_py.feed, sum->apply, sum->calls,
                        (uint64_t)(sum->seconds * 1e9 + 0.5));
        sum->moved = 0;
    }
}

/* Counts a call. Keeps a pending exception of the job. */
void tally_take(struct tally *tally)
{
    PyObject *type, *value, *traceback;
    if (!is_whole(tally))
        return;
    uint64_t start = clock_ns();
    PyErr_Fetch(&type, &value, &traceback);
    take(tally);
    PyErr_Restore(type, value, traceback);
    proftop_spent(proftop_py.feed, clock_ns() - start);
    set_sums(tally);
}

static PyObject *copy_of(PyObject *list)
{
    return PyList_GetSlice(list, 0, PyList_Size(list));
}

static struct tally *tally_new(PyObject *seconds, PyObject *calls, PyObject *applies, int keeps)
{
    Py_ssize_t n = PyList_Size(applies);
    struct tally *tally = calloc(1, sizeof *tally + (size_t)n * sizeof tally->sums[0]);
    if (!tally) {
        PyErr_NoMemory();
        return NULL;
    }
    Py_INCREF(seconds);
    Py_INCREF(calls);
    tally->seconds = seconds;
    tally->calls = calls;
    tally->n = n;
    if (!keeps) {
        tally->old_seconds = copy_of(seconds);
        tally->old_calls = copy_of(calls);
    }
    for (Py_ssize_t i = 0; i < n; i++)
        tally->sums[i].apply = (proftop_id)PyLong_AsUnsignedLong(PyList_GetItem(applies, i));
    if (is_whole(tally))
        set_bases(tally);
    else
        PyErr_SetString(PyExc_ValueError, "the lists must have a place for each apply");
    return tally;
}

/* tally(seconds, calls, applies, keeps): counts by these lists from the VM's next call on. `keeps`:
 * the framework's own profile fills and reads the lists. */
PyObject *tally_start(PyObject *self, PyObject *args)
{
    struct graph *graph = (struct graph *)self;
    PyObject *seconds, *calls, *applies;
    int keeps;
    if (!PyArg_ParseTuple(args, "O!O!O!p", &PyList_Type, &seconds, &PyList_Type, &calls,
                          &PyList_Type, &applies, &keeps))
        return NULL;
    tally_free(graph);
    graph->tally = tally_new(seconds, calls, applies, keeps);
    if (!PyErr_Occurred())
        Py_RETURN_NONE;
    tally_free(graph);
    return NULL;
}

/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * timed.c: nodes and calls of graphs that a Python program defines itself (user_graphs.py). `with`
 * calls the two methods here directly, so a run costs little more than a lock.
 *
 * An object keeps the tokens of its open runs. Each has the thread that began it: the end of a run
 * belongs to the latest run of its thread. So recursion and threads need no other place. If tasks
 * of asyncio overlap in one object on one thread, each end takes the latest of their tokens: the
 * sum of their times is right, and single times may be exchanged. */
#include <string.h>

#include "adapters/python/module/module.h"

/* Room for the open runs of an object that is neither entered again inside itself nor by others. */
enum { FIRST = 2 };

struct open_run {
    struct proftop_token token;
    const void *thread; /* address of a variable of the thread that began it */
    unsigned feed;      /* 0: begun without a feed, so nothing is counted at its end */
    unsigned adoptions; /* forks before it: a run of a parent process is not ended here */
};

struct timed {
    PyObject_HEAD struct open_run *run; /* the open runs, in the order of their begins */
    struct open_run first[FIRST];
    unsigned runs, room;
    unsigned feed; /* the feed (proftop_py.feeds) that `id` belongs to; 0: none */
    proftop_id id; /* of the apply or of the function; PROFTOP_NONE: its feed does not take it */
    int is_call;   /* 1: calls of a function; 0: runs of an apply */
};

/* Calls define() of the Python class, which returns the id in the current feed, or None. Returns
 * PROFTOP_NONE if it cannot. The program gets no error. */
static proftop_id define(struct timed *timed)
{
    PyObject *found = PyObject_CallMethod((PyObject *)timed, "define", NULL);
    unsigned long id = PROFTOP_NONE;
    if (found && found != Py_None)
        id = PyLong_AsUnsignedLong(found);
    Py_XDECREF(found);
    if (PyErr_Occurred()) {
        clear_error();
        return PROFTOP_NONE;
    }
    return (proftop_id)id;
}

/* Makes room for one more open run. Returns 0 without memory. */
static int make_room(struct timed *timed)
{
    if (timed->runs < timed->room)
        return 1;
    const unsigned room = timed->room ? 2 * timed->room : FIRST;
    struct open_run *run = timed->first;
    if (timed->room) {
        run = PyMem_Malloc(room * sizeof *run);
        if (!run)
            return 0;
        memcpy(run, timed->run, timed->runs * sizeof *run);
        if (timed->run != timed->first)
            PyMem_Free(timed->run);
    }
    timed->run = run;
    timed->room = room;
    return 1;
}

/* __enter__() */
static PyObject *timed_enter(PyObject *self, PyObject *unused)
{
    (void)unused;
    struct timed *timed = (struct timed *)self;
    struct proftop *feed = proftop_py_feed();
    if (feed && timed->feed != proftop_py.feeds) {
        const unsigned now = proftop_py.feeds;
        timed->id = define(timed);
        timed->feed = now;
        feed = proftop_py_feed(); /* Python ran: the feed may have been closed */
    }
    if (!make_room(timed))
        return PyErr_NoMemory();
    struct open_run run = {.thread = &proftop_py_calls};
    if (feed && timed->id != PROFTOP_NONE && timed->feed == proftop_py.feeds) {
        run.feed = timed->feed;
        run.adoptions = proftop_py.adoptions;
        run.token =
            timed->is_call ? proftop_call_begin(feed, timed->id) : proftop_begin(feed, timed->id);
    }
    timed->run[timed->runs++] = run;
    Py_INCREF(self);
    return self;
}

/* Takes the latest open run of this thread, or the latest of all: a generator or a coroutine may
 * end on another thread. A run of no feed if there is none. */
static struct open_run take_run(struct timed *timed)
{
    struct open_run taken = {.feed = 0};
    unsigned at = timed->runs;
    while (at > 0 && timed->run[at - 1].thread != &proftop_py_calls)
        at--;
    if (at == 0)
        at = timed->runs;
    if (at == 0)
        return taken;
    taken = timed->run[at - 1];
    timed->runs--;
    for (unsigned i = at - 1; i < timed->runs; i++)
        timed->run[i] = timed->run[i + 1];
    return taken;
}

/* __exit__(type, value, traceback): a run that ends by an exception is not counted. */
static PyObject *timed_exit(PyObject *self, PyObject *args)
{
    struct timed *timed = (struct timed *)self;
    const struct open_run run = take_run(timed);
    struct proftop *feed = proftop_py.feed;
    const int failed = PyTuple_Size(args) > 0 && PyTuple_GetItem(args, 0) != Py_None;
    if (feed && run.feed != 0 && run.feed == proftop_py.feeds &&
        run.adoptions == proftop_py.adoptions) {
        static void (*const ends[2][2])(struct proftop *, proftop_id, struct proftop_token) = {
            {proftop_end, proftop_fail}, {proftop_call_end, proftop_call_fail}};
        ends[timed->is_call][failed](feed, timed->id, run.token);
    }
    Py_RETURN_NONE;
}

/* Timed(is_call) */
static int timed_init(PyObject *self, PyObject *args, PyObject *kwargs)
{
    int is_call;
    (void)kwargs;
    if (!PyArg_ParseTuple(args, "p", &is_call))
        return -1;
    ((struct timed *)self)->is_call = is_call;
    return 0;
}

static void timed_free(PyObject *self)
{
    struct timed *timed = (struct timed *)self;
    PyTypeObject *type = Py_TYPE(self);
    if (timed->run != timed->first)
        PyMem_Free(timed->run);
    freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);
    release(self);
    Py_DECREF((PyObject *)type);
}

static PyMethodDef timed_methods[] = {
    {"__enter__", timed_enter, METH_NOARGS, NULL},
    {"__exit__", timed_exit, METH_VARARGS, NULL},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot timed_slots[] = {
    {Py_tp_methods, timed_methods},
    {Py_tp_init, timed_init},
    {Py_tp_new, PyType_GenericNew},
    {Py_tp_dealloc, timed_free},
    {0, NULL},
};
static PyType_Spec timed_spec = {"proftop._feed.Timed", sizeof(struct timed), 0,
                                 Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE, timed_slots};

PyObject *timed_type(void)
{
    return PyType_FromSpec(&timed_spec);
}

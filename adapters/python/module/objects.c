/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * objects.c: counters, spans, markers and memory of the program itself (user_objects.py). Ids
 * belong to one feed; own_feed() distinguishes feeds. */
#include <string.h>

#include "adapters/python/module/module.h"
#include "proftop_objects.h"

/* own_feed(): a number that differs from those of earlier feeds; 0: there is no feed. */
PyObject *own_feed(PyObject *module, PyObject *unused)
{
    (void)module, (void)unused;
    struct proftop *feed = proftop_py_feed();
    return PyLong_FromUnsignedLongLong(
        feed ? (unsigned long long)(uintptr_t)feed + proftop_py.feeds : 0);
}

/* The kinds of objects, by user_objects.py's words. */
static const struct kind {
    const char *word;
    proftop_id (*define)(struct proftop *feed, proftop_id domain, const char *name);
    proftop_id (*define_alone)(struct proftop *feed, const char *name); /* has no domain */
    proftop_id (*define_counter)(struct proftop *feed, proftop_id domain, const char *name,
                                 const char *unit);
    proftop_id (*define_memory)(struct proftop *feed, const char *device, const char *pool,
                                const char *scope);
    struct proftop_run (*start)(struct proftop *feed, proftop_id span);
    void (*stop)(struct proftop *feed, struct proftop_run run);
} kinds[] = {
    {.word = "int", .define_counter = proftop_counter},
    {.word = "float", .define_counter = proftop_counter_f64},
    {.word = "memory", .define_memory = proftop_memory},
    {.word = "task",
     .define = proftop_task,
     .start = proftop_task_start,
     .stop = proftop_task_stop},
    {.word = "frame",
     .define = proftop_frame,
     .start = proftop_frame_start,
     .stop = proftop_frame_stop},
    {.word = "event",
     .define_alone = proftop_event,
     .start = proftop_event_start,
     .stop = proftop_event_stop},
    {.word = "marker", .define = proftop_marker},
};

/* Returns NULL with an exception if no kind has this word, or if `span` is set and it is no
 * span. */
static const struct kind *find_kind(const char *word, int span)
{
    for (unsigned i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (strcmp(kinds[i].word, word) == 0 && (!span || kinds[i].start))
            return &kinds[i];
    PyErr_Format(PyExc_ValueError, "there is no kind %s here", word);
    return NULL;
}

/* own_define(kind, domain, name, unit): returns the id; the same words give the same id. `kind`:
 * int, float (counters), memory, task, frame, event or marker. The unit may be None. For memory the
 * other three are device, pool and scope. */
PyObject *own_define(PyObject *module, PyObject *args)
{
    (void)module;
    const char *word, *domain, *name, *unit;
    if (!PyArg_ParseTuple(args, "sssz", &word, &domain, &name, &unit))
        return NULL;
    const struct kind *kind = find_kind(word, 0);
    if (!kind)
        return NULL;
    struct proftop *feed = proftop_py_feed();
    if (kind->define_memory)
        return PyLong_FromUnsignedLong(kind->define_memory(feed, domain, name, unit));
    if (kind->define_alone)
        return PyLong_FromUnsignedLong(kind->define_alone(feed, name));
    proftop_id group = proftop_domain(feed, domain);
    return PyLong_FromUnsignedLong(kind->define
                                       ? kind->define(feed, group, name)
                                       : kind->define_counter(feed, group, name, unit));
}

/* Sets a counter or adds to it. An int is for an int counter. Returns -1 with an exception. */
static int count(unsigned counter, PyObject *value, int add)
{
    struct proftop *feed = proftop_py_feed();
    if (PyLong_Check(value)) {
        long long number = PyLong_AsLongLong(value);
        if (number == -1 && PyErr_Occurred())
            return -1;
        (add ? proftop_counter_add : proftop_counter_set)(feed, counter, number);
    } else {
        double number = PyFloat_AsDouble(value);
        if (PyErr_Occurred())
            return -1;
        (add ? proftop_counter_add_f64 : proftop_counter_set_f64)(feed, counter, number);
    }
    return 0;
}

/* own_count(counter, value, add) */
PyObject *own_count(PyObject *module, PyObject *args)
{
    (void)module;
    unsigned counter;
    PyObject *value;
    int add;
    if (!PyArg_ParseTuple(args, "IOp", &counter, &value, &add) || count(counter, value, add) < 0)
        return NULL;
    Py_RETURN_NONE;
}

/* own_keep(cell, value, add, counter): sets the int in a list of one item, or adds to it, and sets
 * the counter to the result. No thread or signal handler can interrupt it. The counter may be None.
 * A value that does not fit into the counter counts as an error of the feed, and stays in the
 * cell. */
PyObject *own_keep(PyObject *module, PyObject *args)
{
    (void)module;
    PyObject *cell, *value, *counter;
    int add, beyond = 0;
    if (!PyArg_ParseTuple(args, "O!O!pO", &PyList_Type, &cell, &PyLong_Type, &value, &add,
                          &counter))
        return NULL;
    PyObject *before = add ? PyList_GetItem(cell, 0) : PyLong_FromLong(0);
    if (!before)
        return NULL;
    PyObject *after = PyNumber_Add(before, value);
    if (!add)
        Py_DECREF(before);
    long long number = after ? PyLong_AsLongLongAndOverflow(after, &beyond) : -1;
    if (!after || (number == -1 && PyErr_Occurred()) || PyList_SetItem(cell, 0, after) < 0)
        return NULL;
    if (counter == Py_None)
        Py_RETURN_NONE;
    unsigned long id = PyLong_AsUnsignedLong(counter);
    if (PyErr_Occurred())
        return NULL;
    if (beyond)
        proftop_counter_set_f64(proftop_py_feed(), (proftop_id)id, Py_NAN);
    else
        proftop_counter_set(proftop_py_feed(), (proftop_id)id, number);
    Py_RETURN_NONE;
}

/* own_start(kind, span): returns the run for own_stop(). */
PyObject *own_start(PyObject *module, PyObject *args)
{
    (void)module;
    const char *word;
    unsigned span;
    if (!PyArg_ParseTuple(args, "sI", &word, &span))
        return NULL;
    const struct kind *kind = find_kind(word, 1);
    if (!kind)
        return NULL;
    struct proftop_run run = kind->start(proftop_py_feed(), span);
    return Py_BuildValue("(KKII)", (unsigned long long)run.start, (unsigned long long)run.number,
                         run.place, run.thread);
}

/* own_stop(kind, run) */
PyObject *own_stop(PyObject *module, PyObject *args)
{
    (void)module;
    const char *word;
    unsigned long long start, number;
    unsigned place, thread;
    if (!PyArg_ParseTuple(args, "s(KKII)", &word, &start, &number, &place, &thread))
        return NULL;
    const struct kind *kind = find_kind(word, 1);
    if (!kind)
        return NULL;
    kind->stop(proftop_py_feed(), (struct proftop_run){start, number, place, thread});
    Py_RETURN_NONE;
}

/* own_mark(marker, scope): returns None, or an error message for the scope. */
PyObject *own_mark(PyObject *module, PyObject *args)
{
    (void)module;
    unsigned marker;
    const char *scope;
    if (!PyArg_ParseTuple(args, "Is", &marker, &scope))
        return NULL;
    const char *wrong = proftop_mark(proftop_py_feed(), marker, scope);
    if (!wrong)
        Py_RETURN_NONE;
    return PyUnicode_FromString(wrong);
}

/* own_scope(around, name, append): the full name of a scope inside another one. The thread's own
 * scope does not change. */
PyObject *own_scope(PyObject *module, PyObject *args)
{
    (void)module;
    const char *around, *name;
    int append;
    if (!PyArg_ParseTuple(args, "ssp", &around, &name, &append))
        return NULL;
    struct proftop *feed = proftop_py_feed();
    proftop_scope_push(feed, around, 0);
    PyObject *full = PyUnicode_FromString(proftop_scope_push(feed, name, append));
    proftop_scope_pop(feed);
    proftop_scope_pop(feed);
    return full;
}

/* own_memory(memory, what, bytes): `what` is alloc, free or limit. */
PyObject *own_memory(PyObject *module, PyObject *args)
{
    (void)module;
    static const struct {
        const char *word;
        void (*report)(struct proftop *feed, proftop_id memory, uint64_t bytes);
    } ways[] = {{"alloc", proftop_memory_alloc},
                {"free", proftop_memory_free},
                {"limit", proftop_memory_limit}};
    unsigned memory;
    const char *what;
    unsigned long long bytes;
    if (!PyArg_ParseTuple(args, "IsK", &memory, &what, &bytes))
        return NULL;
    for (unsigned i = 0; i < sizeof ways / sizeof ways[0]; i++)
        if (strcmp(ways[i].word, what) == 0)
            ways[i].report(proftop_py_feed(), memory, bytes);
    Py_RETURN_NONE;
}

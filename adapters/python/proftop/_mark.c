/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * _mark.c: what code that Numba compiled calls after each of its nodes (marking.py).
 *
 * A node has no begin of its own: it took the time since the node before, without what was charged
 * to nodes that ran inside it. With `charged`, what this thread has charged so far, a function
 * remembers one number, now - charged at its start: it stays the same from mark to mark, so no
 * exception, nested function or other thread can bring it out of step.
 *
 * These two functions run without the GIL, on threads that Python may not know.
 */
#include <stdlib.h>

#include "_feed.h"

enum { CHUNK = 1024, CHUNKS = 1024 };

/* Apply of each mark, plus 1; 0: not defined yet. The code is compiled before its function is
 * defined, and holds the number of the mark. Chunks never move and are never freed: the code may
 * run until the process ends. Added to with the GIL held. */
static uint32_t *marks[CHUNKS];
static uint32_t marks_used;
static int marks_off;

static _Thread_local uint64_t charged;

static int64_t mark_enter(void)
{
    return (int64_t)(clock_ns() - charged);
}

static void mark_node(int64_t number, int64_t entered)
{
    struct proftop *feed = proftop_py_feed();
    if (feed == NULL || __atomic_load_n(&marks_off, __ATOMIC_RELAXED))
        return;
    const uint32_t *chunk = __atomic_load_n(&marks[number / CHUNK], __ATOMIC_ACQUIRE);
    uint32_t apply = __atomic_load_n(&chunk[number % CHUNK], __ATOMIC_ACQUIRE);
    uint64_t self_ns = clock_ns() - charged - (uint64_t)entered;
    charged += self_ns;
    if (apply != 0)
        proftop_record(feed, apply - 1, self_ns);
}

/* mark_reserve(n): the number of the first of n marks, or None if there is no room. */
PyObject *mark_reserve(PyObject *module, PyObject *args)
{
    (void)module;
    unsigned n;
    if (!PyArg_ParseTuple(args, "I", &n))
        return NULL;
    if (n > CHUNK * CHUNKS - marks_used)
        Py_RETURN_NONE;
    for (uint32_t i = marks_used / CHUNK; i * CHUNK < marks_used + n; i++) {
        uint32_t *chunk = marks[i] ? marks[i] : calloc(CHUNK, sizeof *chunk);
        if (chunk == NULL)
            return PyErr_NoMemory();
        __atomic_store_n(&marks[i], chunk, __ATOMIC_RELEASE);
    }
    marks_used += n;
    return PyLong_FromUnsignedLong(marks_used - n);
}

/* mark_apply(number, function, op, index, text): defines the apply that a mark counts. */
PyObject *mark_apply(PyObject *module, PyObject *args)
{
    (void)module;
    struct proftop_apply_info info = {.size = sizeof info,
                                      .source = PROFTOP_GIVEN,
                                      .kind = PROFTOP_SYMBOLIC,
                                      .impl = PROFTOP_IMPL_JIT,
                                      .exclusive = 1};
    unsigned number, function, op, index;
    if (!PyArg_ParseTuple(args, "IIIIs", &number, &function, &op, &index, &info.text))
        return NULL;
    if (number >= marks_used)
        return PyErr_Format(PyExc_ValueError, "there is no mark %u", number);
    info.function = function;
    info.op = op;
    info.index = index;
    proftop_id apply = proftop_apply(proftop_py.feed, &info);
    if (apply == PROFTOP_NONE)
        return PyErr_Format(PyExc_RuntimeError, "the feed takes no more definitions");
    __atomic_store_n(&marks[number / CHUNK][number % CHUNK], apply + 1, __ATOMIC_RELEASE);
    return PyLong_FromUnsignedLong(apply);
}

/* mark_count(yes): whether marks count. Code that has them keeps them. */
PyObject *mark_count(PyObject *module, PyObject *yes)
{
    (void)module;
    int off = PyObject_Not(yes);
    if (off < 0)
        return NULL;
    __atomic_store_n(&marks_off, off, __ATOMIC_RELAXED);
    Py_RETURN_NONE;
}

/* mark_addresses(): of (enter, mark), for those who link the code. */
PyObject *mark_addresses(PyObject *module, PyObject *unused)
{
    (void)module, (void)unused;
    return Py_BuildValue("(KK)", (unsigned long long)(uintptr_t)mark_enter,
                         (unsigned long long)(uintptr_t)mark_node);
}

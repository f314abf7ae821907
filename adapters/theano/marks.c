/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * marks.c: functions that Numba's compiled code calls after each of its nodes (numba_marks.py).
 *
 * A node has no begin of its own. It took the time since the previous node, without the time
 * charged to nodes that ran inside it. `charged` is the time that this thread has charged so far. A
 * function keeps one number: now - charged at its start. The number stays the same from mark to
 * mark, so no exception, nested function or other thread can put it out of step.
 *
 * A function may be called without the class that counts its calls: samplers call its code on
 * threads of their own. Such a call begins where the code begins, and ends with the mark of its
 * last node.
 *
 * These functions run without the GIL, on threads that Python may not know. */
#include <stdlib.h>

#include "adapters/theano/theano.h"

enum { CHUNK = 1024, CHUNKS = 1024 };

/* Ids are stored plus 1; 0: none, or not defined yet. The code is compiled before its function is
 * defined, and contains the numbers of its marks. */
struct mark {
    uint32_t apply;
    uint32_t begins, ends; /* the function that this mark begins or ends */
    uint32_t turns;        /* the Scan, if this is the first mark of its steps */
    uint64_t later;        /* of that first mark: for may_be_later() */
    union {
        uint64_t reported_ns; /* of that first mark: time of the last report */
        uint64_t entered; /* of a function's first mark: 1 once the function has been called */
    };
};

/* Chunks never move and are never freed: the code may run until the process ends. The GIL guards
 * additions. */
static struct mark *marks[CHUNKS];
static uint32_t marks_used;
static int marks_off;

/* In time stamps of the processor, and in ns. A function keeps the clock that it began with, even
 * if the feed learns the length of a stamp meanwhile. `last`: time of the last charge, by either
 * clock. */
static PER_THREAD struct {
    uint64_t ticks, ns, last;
} charged;
enum { NS_BIT = 63 }; /* set in a function's number: its clock is in ns */

/* This thread's open call, if no other code counts it. */
static PER_THREAD struct {
    struct proftop *feed; /* NULL: none */
    proftop_id function;
    struct proftop_token token;
} call;

static struct mark *mark_at(int64_t number)
{
    const uint64_t at = (uint64_t)number;
    struct mark *chunk = __atomic_load_n(&marks[at / CHUNK], __ATOMIC_ACQUIRE);
    return &chunk[at % CHUNK];
}

/* The feed if marks count, else NULL. */
static struct proftop *counting(void)
{
    return __atomic_load_n(&marks_off, __ATOMIC_RELAXED) ? NULL : proftop_py_feed();
}

/* ns per stamp, as in struct proftop_front; 0: not known, so stamps are not used. */
static inline uint32_t tick_ns(const struct proftop *feed)
{
#if defined(__x86_64__)
    return __atomic_load_n(&((const struct proftop_front *)feed)->tick_ns, __ATOMIC_RELAXED);
#else
    (void)feed;
    return 0;
#endif
}

static inline uint64_t stamp(void)
{
#if defined(__x86_64__)
    return __builtin_ia32_rdtsc();
#else
    return 0; /* never called */
#endif
}

static inline uint64_t stamped_ns(void)
{
    return clock_ns() | UINT64_C(1) << NS_BIT;
}

/* Charges the time since the previous node. Returns ns, or PROFTOP_UNKNOWN if the feed no longer
 * uses stamps. */
static inline uint64_t charge(const struct proftop *feed, uint64_t entered)
{
    if (entered >> NS_BIT) {
        uint64_t ns = (charged.last = stamped_ns()) - charged.ns - entered;
        charged.ns += ns;
        return ns;
    }
    uint64_t ticks = (charged.last = stamp()) - charged.ticks - entered;
    uint32_t factor = tick_ns(feed);
    charged.ticks += ticks;
    return factor ? (uint64_t)((unsigned __int128)ticks * factor >> PROFTOP_TICK_SHIFT)
                  : PROFTOP_UNKNOWN;
}

/* Begins a call. A call that is still open has failed. */
static void call_begin(struct proftop *feed, int64_t number)
{
    struct mark *mark = mark_at(number);
    uint32_t function = __atomic_load_n(&mark->begins, __ATOMIC_ACQUIRE);
    if (!__atomic_load_n(&mark->entered, __ATOMIC_RELAXED))
        __atomic_store_n(&mark->entered, 1, __ATOMIC_RELAXED);
    if (function == 0 || proftop_py_is_running(function - 1))
        return;
    if (call.feed == feed)
        proftop_call_fail(feed, call.function, call.token);
    call.feed = feed;
    call.function = function - 1;
    proftop_py_calls++;
    call.token = proftop_call_begin(feed, function - 1);
}

static void call_end(struct proftop *feed, proftop_id function)
{
    if (call.feed == feed && call.function == function)
        proftop_call_end(feed, function, call.token);
    call.feed = NULL;
}

/* `number`: the first mark of a function; -1: this is a graph inside a node. */
static int64_t mark_enter(int64_t number)
{
    struct proftop *feed = counting();
    if (feed && number >= 0)
        call_begin(feed, number);
    return (int64_t)(feed && tick_ns(feed) ? stamp() - charged.ticks : stamped_ns() - charged.ns);
}

static void mark_node(int64_t number, int64_t entered)
{
    struct proftop *feed = counting();
    if (feed == NULL)
        return;
    const struct mark *mark = mark_at(number);
    uint32_t apply = __atomic_load_n(&mark->apply, __ATOMIC_ACQUIRE);
    uint32_t ends = __atomic_load_n(&mark->ends, __ATOMIC_ACQUIRE);
    uint64_t self_ns = charge(feed, (uint64_t)entered);
    if (apply != 0)
        proftop_record(feed, apply - 1, self_ns);
    if (ends != 0 && call.feed != NULL)
        call_end(feed, ends - 1);
}

/* Reports that `step` of `steps` have ended; steps is -1 if the total is not known. With `now` it
 * always reports. Else it reports now and then, by the end time of the last node inside: reading
 * the clock takes longer than the rest. Two threads in one Scan report the steps of both. */
static void mark_step(int64_t number, int64_t step, int64_t steps, int64_t now)
{
    struct mark *mark = mark_at(number);
    uint32_t turns = __atomic_load_n(&mark->turns, __ATOMIC_ACQUIRE);
    uint64_t later = __atomic_load_n(&mark->later, __ATOMIC_RELAXED);
    if (turns == 0 || (!may_be_later(charged.last, &later) && !now) || counting() == NULL)
        return;
    __atomic_store_n(&mark->later, later, __ATOMIC_RELAXED);
    uint64_t now_ns = clock_ns();
    if (!now && now_ns - __atomic_load_n(&mark->reported_ns, __ATOMIC_RELAXED) < REPORT_NS)
        return;
    __atomic_store_n(&mark->reported_ns, now_ns, __ATOMIC_RELAXED);
    steps_report(turns - 1, (uint64_t)step, steps < 0 ? PROFTOP_UNKNOWN : (uint64_t)steps);
}

/* mark_steps(first, apply): sets the Scan that has these marks inside. */
PyObject *mark_steps(PyObject *module, PyObject *args)
{
    (void)module;
    unsigned first, apply;
    if (!PyArg_ParseTuple(args, "II", &first, &apply))
        return NULL;
    if (first >= marks_used)
        return PyErr_Format(PyExc_ValueError, "there is no mark %u", first);
    steps_declare(); /* here, where the GIL is held */
    __atomic_store_n(&mark_at(first)->turns, apply + 1, __ATOMIC_RELEASE);
    Py_RETURN_NONE;
}

/* mark_reserve(n): the number of the first of n marks, or None if no more marks are free. */
PyObject *mark_reserve(PyObject *module, PyObject *args)
{
    (void)module;
    unsigned n;
    if (!PyArg_ParseTuple(args, "I", &n))
        return NULL;
    if (n > CHUNK * CHUNKS - marks_used)
        Py_RETURN_NONE;
    for (uint32_t i = marks_used / CHUNK; i * CHUNK < marks_used + n; i++) {
        struct mark *chunk = marks[i] ? marks[i] : calloc(CHUNK, sizeof *chunk);
        if (chunk == NULL)
            return PyErr_NoMemory();
        __atomic_store_n(&marks[i], chunk, __ATOMIC_RELEASE);
    }
    marks_used += n;
    return PyLong_FromUnsignedLong(marks_used - n);
}

/* mark_apply(number, function, op, index, text, location): defines the apply that a mark counts.
 * The location may be None. */
PyObject *mark_apply(PyObject *module, PyObject *args)
{
    (void)module;
    struct proftop_apply_info info = {.size = sizeof info,
                                      .source = PROFTOP_GIVEN,
                                      .kind = PROFTOP_SYMBOLIC,
                                      .impl = PROFTOP_IMPL_JIT,
                                      .exclusive = 1};
    unsigned number, function, op, index;
    if (!PyArg_ParseTuple(args, "IIIIsz", &number, &function, &op, &index, &info.text,
                          &info.location))
        return NULL;
    if (number >= marks_used)
        return PyErr_Format(PyExc_ValueError, "there is no mark %u", number);
    info.function = function;
    info.op = op;
    info.index = index;
    proftop_id apply = proftop_apply(proftop_py.feed, &info);
    if (apply == PROFTOP_NONE)
        return PyErr_Format(PyExc_RuntimeError, "the feed takes no more definitions");
    __atomic_store_n(&mark_at(number)->apply, apply + 1, __ATOMIC_RELEASE);
    return PyLong_FromUnsignedLong(apply);
}

/* mark_function(first, n, function): sets the function whose nodes these n marks count. */
PyObject *mark_function(PyObject *module, PyObject *args)
{
    (void)module;
    unsigned first, n, function;
    if (!PyArg_ParseTuple(args, "III", &first, &n, &function))
        return NULL;
    if (n == 0 || n > marks_used || first > marks_used - n)
        return PyErr_Format(PyExc_ValueError, "there are no marks %u to %u", first, first + n);
    __atomic_store_n(&mark_at(first + n - 1)->ends, function + 1, __ATOMIC_RELEASE);
    __atomic_store_n(&mark_at(first)->begins, function + 1, __ATOMIC_RELEASE);
    Py_RETURN_NONE;
}

/* mark_count(yes): switches counting on or off. Compiled code keeps its marks. Switching off
 * forgets what they count, since the next feed has other applies. */
PyObject *mark_count(PyObject *module, PyObject *yes)
{
    (void)module;
    int off = PyObject_Not(yes);
    if (off < 0)
        return NULL;
    __atomic_store_n(&marks_off, off, __ATOMIC_RELAXED);
    for (uint32_t i = 0; off && i < marks_used; i++) {
        struct mark *mark = mark_at(i);
        __atomic_store_n(&mark->apply, 0, __ATOMIC_RELAXED);
        __atomic_store_n(&mark->begins, 0, __ATOMIC_RELAXED);
        __atomic_store_n(&mark->ends, 0, __ATOMIC_RELAXED);
        __atomic_store_n(&mark->turns, 0, __ATOMIC_RELAXED);
    }
    Py_RETURN_NONE;
}

/* mark_entered(number): True if the function that begins with this mark has run its marked code. */
PyObject *mark_entered(PyObject *module, PyObject *number)
{
    (void)module;
    const unsigned long first = PyLong_AsUnsignedLong(number);
    if (PyErr_Occurred())
        return NULL;
    if (first >= marks_used)
        return PyErr_Format(PyExc_ValueError, "there is no mark %lu", first);
    struct mark *mark = mark_at((int64_t)first);
    return PyBool_FromLong(__atomic_load_n(&mark->entered, __ATOMIC_RELAXED) != 0);
}

/* mark_addresses(): the addresses of (enter, mark, step), for linking the code. */
PyObject *mark_addresses(PyObject *module, PyObject *unused)
{
    (void)module, (void)unused;
    return Py_BuildValue("(KKK)", (unsigned long long)(uintptr_t)mark_enter,
                         (unsigned long long)(uintptr_t)mark_node,
                         (unsigned long long)(uintptr_t)mark_step);
}

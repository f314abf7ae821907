/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * wrap.c: callables that replace the framework's own.
 *
 * They are C objects, not Python functions. So tracebacks of the job, the stack that the framework
 * inspects and the locations in its warnings stay the same as without proftop. */
#include <stdarg.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "adapters/theano/call.h"
#include "adapters/theano/wrap.h"

/* ------------------------------------------------------------------------ hooks in Python */

/* Calls a hook of the adapter. `format` and its arguments are as for Py_BuildValue(). Errors of the
 * hook are dropped; a pending exception of the job is kept. */
static void hook(PyObject *callable, const char *format, ...)
{
    PyObject *type, *value, *traceback;
    va_list list;
    if (!callable)
        return;
    PyErr_Fetch(&type, &value, &traceback);
    va_start(list, format);
    PyObject *args = Py_VaBuildValue(format, list);
    va_end(list);
    PyObject *result = args ? PyObject_CallObject(callable, args) : NULL;
    if (!result)
        clear_error();
    Py_XDECREF(result);
    Py_XDECREF(args);
    PyErr_Restore(type, value, traceback);
}

static PyObject *run_hooked(struct wrap *self, PyObject *args, PyObject *kwargs)
{
    hook(self->before, "(OO)", args, kwargs ? kwargs : Py_None);
    uint64_t start = clock_ns();
    PyObject *result = PyObject_Call(self->wrapped, args, kwargs);
    uint64_t ns = clock_ns() - start;
    hook(self->after, "(OOK)", args, result ? Py_True : Py_False, (unsigned long long)ns);
    return result;
}

/* Runs a callable whose after-hook needs the result. */
static PyObject *run_seen(struct wrap *self, PyObject *args, PyObject *kwargs)
{
    PyObject *result = PyObject_Call(self->wrapped, args, kwargs);
    if (result)
        hook(self->after, "(OOO)", args, kwargs ? kwargs : Py_None, result);
    return result;
}

/* ------------------------------------------------------------------- functions and their VMs */

/* Defines a function that was compiled inside another one, at its first call. Its parent is the
 * node that is open then. */
static void first_call(struct graph *graph, PyObject *object)
{
    PyObject *define = graph->define;
    graph->define = NULL;
    if (proftop_py_open)
        hook(define, "(OOI)", (PyObject *)graph, object, (unsigned)(proftop_py_open - 1));
    else
        hook(define, "(OOO)", (PyObject *)graph, object, Py_None);
    Py_DECREF(define);
}

/* The graph of a VM, or of a function by its VM (functions may not support weak references). A new
 * reference, or NULL. */
static struct graph *graph_by(const struct wrap *self, PyObject *object)
{
    PyObject *vm = object;
    if (self->vm && !(vm = PyObject_GetAttr(object, self->vm))) {
        PyErr_Clear();
        return NULL;
    }
    struct graph *graph = watch_find(vm);
    Py_XINCREF((PyObject *)graph);
    if (self->vm)
        Py_DECREF(vm);
    return graph;
}

/* Returns the graph if its calls are to be counted, else NULL and drops the reference. A function
 * whose first call comes while no node is open is defined later, at a call whose node is known. */
static struct graph *counted(struct graph *graph, PyObject *object)
{
    if (!graph)
        return NULL;
    if (graph->define && bypass_is_on(proftop_py_running))
        proftop_py_running->never_bypass = 1;
    else if (graph->define)
        first_call(graph, object);
    if (graph->function != PROFTOP_NONE)
        return graph;
    Py_DECREF((PyObject *)graph);
    return NULL;
}

/* The graph whose calls are to be counted here, or NULL. A new reference. */
static struct graph *graph_of(const struct wrap *self, PyObject *args)
{
    PyObject *object = PyTuple_Size(args) > 0 ? PyTuple_GetItem(args, 0) : NULL;
    return object && proftop_py_feed() ? counted(graph_by(self, object), object) : NULL;
}

static PyObject *run_original(PyObject *wrap, PyObject *args, PyObject *kwargs)
{
    struct wrap *self = (struct wrap *)wrap;
    if (!self->raw)
        return PyObject_Call(self->wrapped, args, kwargs);
    Py_ssize_t n = PyTuple_Size(args);
    if (n == 1)
        return self->raw(PyTuple_GetItem(args, 0), proftop_py.no_args, kwargs);
    PyObject *rest = PyTuple_GetSlice(args, 1, n);
    PyObject *result = rest ? self->raw(PyTuple_GetItem(args, 0), rest, kwargs) : NULL;
    Py_XDECREF(rest);
    return result;
}

/* The innermost function call on this thread (not of a VM alone). */
static PER_THREAD struct call *calling;

/* Runs the VM inside a call of its function. Steals the reference to the graph. */
static PyObject *run_inside(struct graph *graph, ternaryfunc run, PyObject *self, PyObject *args,
                            PyObject *kwargs)
{
    const unsigned feeds = proftop_py.feeds;
    bypass_settle(graph);
    tally_begin(graph);
    uint64_t start = clock_ns();
    PyObject *result = run(self, args, kwargs);
    uint64_t ns = clock_ns() - start;
    tally_end(graph);
    if (result && feeds == proftop_py.feeds)
        proftop_vm(proftop_py.feed, graph->function, ns);
    Py_DECREF((PyObject *)graph);
    return result;
}

/* Function.__call__ */
static PyObject *run_function(struct wrap *self, PyObject *args, PyObject *kwargs)
{
    struct call call, *outer = calling;
    struct graph *graph = graph_of(self, args);
    if (!graph)
        return PyObject_Call(self->wrapped, args, kwargs);
    proftop_py_calls++;
    call_begin(&call, graph);
    calling = &call;
    if (call.looks && kwargs && PyDict_GetItemString(kwargs, "output_subset"))
        call.partial = 1;
    PyObject *result = PyObject_Call(self->wrapped, args, kwargs);
    calling = outer;
    call_finish(&call, result ? proftop_call_end : proftop_call_fail);
    return result;
}

/* This thread's innermost call if it is a call of this function, else NULL. */
static struct call *call_of(PyObject *function)
{
    const unsigned long number = PyLong_AsUnsignedLong(function);
    const int found = !PyErr_Occurred() && calling && !calling->ended &&
                      calling->feeds == proftop_py.feeds && calling->graph->function == number;
    return found ? calling : NULL;
}

/* call_stop(function): stops the clock of this thread's call, because compile time follows. While
 * the clock is stopped, the call is not open. The call's time so far is dropped: in it the
 * framework and Numba inspected the arguments. If the clock never restarts, the call counts without
 * a time. */
PyObject *wrap_call_stop(PyObject *module, PyObject *function)
{
    (void)module;
    struct call *call = call_of(function);
    if (PyErr_Occurred())
        return NULL;
    if (call && call->stops++ == 0 && call->token.start != 0) {
        proftop_call_fail(proftop_py.feed, call->graph->function, call->token);
        call->token.start = PROFTOP_UNTIMED;
    }
    Py_RETURN_NONE;
}

/* call_go_on(function): restarts the clock once it was called as often as call_stop(). */
PyObject *wrap_call_go_on(PyObject *module, PyObject *function)
{
    (void)module;
    struct call *call = call_of(function);
    if (PyErr_Occurred())
        return NULL;
    if (call && call->stops > 0 && --call->stops == 0)
        call->token = proftop_call_begin(proftop_py.feed, call->graph->function);
    Py_RETURN_NONE;
}

/* Replaces update_profile() of a class of VMs, which adds times to the framework's own profile. A
 * function calls it last, and it takes longer than many nodes. The framework's clock of the call
 * has stopped before it, so the adapter's clock stops here. The VM inside a Scan calls it in the
 * middle of another call; then the clock of that other call continues. */
static PyObject *run_profile(struct wrap *self, PyObject *args, PyObject *kwargs)
{
    PyObject *vm = PyTuple_Size(args) > 0 ? PyTuple_GetItem(args, 0) : NULL;
    if (calling && vm && watch_find(vm) == calling->graph)
        call_count(calling, proftop_call_end);
    return PyObject_Call(self->wrapped, args, kwargs);
}

/* The original tp_call of the class of C VMs. There is one such class, and it lives as long as the
 * process. Calls of it may last as long. */
static ternaryfunc direct;

/* True if the call runs all nodes: a call with arguments may run a part of them. Python has only
 * one empty tuple. */
static inline int is_of_all_nodes(PyObject *args, PyObject *kwargs)
{
    return !kwargs && args == proftop_py.no_args;
}

static inline enum bypass_way way_of(const struct call *call, PyObject *vm, PyObject *args,
                                     PyObject *kwargs)
{
    struct graph *graph = call->graph;
    const int untimed = call->token.start == PROFTOP_UNTIMED && is_of_all_nodes(args, kwargs);
    const enum bypass_way way = bypass_enter(graph, vm, untimed);
    if (untimed && call->outer)
        bypass_allow(graph, way, call->outer, proftop_untimed_after(call->token, BYPASS_LEFT_MOST));
    return way;
}

/* Runs the VM's code, and counts it. A VM that is not called by its function counts as a call of
 * the function. Each step of a Scan is one, so nanoseconds matter. Steals the reference to the
 * graph. */
static PyObject *run_counted(struct graph *graph, ternaryfunc run, PyObject *self, PyObject *args,
                             PyObject *kwargs)
{
    struct call call;
    if (graph == proftop_py_running)
        return run_inside(graph, run, self, args, kwargs);
    call_begin(&call, graph);
    tally_begin(graph);
    const enum bypass_way way = run == direct ? way_of(&call, self, args, kwargs) : BYPASS_NONE;
    PyObject *result = run(self, args, kwargs);
    bypass_leave(graph, way, result != NULL, call.feeds);
    tally_end(graph);
    if (result && proftop_py_turn)
        turn_step(call.token.start);
    call_finish(&call, result ? proftop_call_end_in_vm : proftop_call_fail);
    return result;
}

/* Runs a VM whose call is known to be untimed without reading the feed. It keeps only the number of
 * the call. Code inside finds the enclosing graph. */
static PyObject *run_unbegun(struct graph *graph, PyObject *vm)
{
    struct graph *outer = proftop_py_running;
    const unsigned feeds = proftop_py.feeds;
    Py_INCREF((PyObject *)graph);
    bypass_enter_unbegun(graph);
    proftop_py_running = graph;
    PyObject *result = direct(vm, proftop_py.no_args, NULL);
    proftop_py_running = outer;
    const int slow = bypass_leave_unbegun(graph, result != NULL, feeds);
    if (result && proftop_py_turn)
        turn_step(slow ? 0 : PROFTOP_UNTIMED);
    Py_DECREF((PyObject *)graph);
    return result;
}

static inline int passes_unbegun(const struct graph *graph, PyObject *args, PyObject *kwargs)
{
    const struct graph *outer = proftop_py_running;
    return bypass_is_allowed(graph, outer) && is_of_all_nodes(args, kwargs) && !proftop_py_between;
}

/* ----------------------------------------------------------------------- classes of VMs */

/* __call__ of a class of VMs. */
static PyObject *run_vm(struct wrap *self, PyObject *args, PyObject *kwargs)
{
    struct graph *graph = graph_of(self, args);
    if (graph)
        return run_counted(graph, run_original, (PyObject *)self, args, kwargs);
    return self->raw && PyTuple_Size(args) < 1 ? PyObject_Call(self->wrapped, args, kwargs)
                                               : run_original((PyObject *)self, args, kwargs);
}

/* Fast variant of run_vm(), in the class's tp_call. Skips Python's lookup of __call__ and its
 * tuples of arguments: they take longer than everything that is counted. */
static PyObject *run_directly(PyObject *vm, PyObject *args, PyObject *kwargs)
{
    struct graph *graph = proftop_py_feed() ? watch_find(vm) : NULL;
    if (graph && passes_unbegun(graph, args, kwargs))
        return run_unbegun(graph, vm);
    Py_XINCREF((PyObject *)graph);
    graph = counted(graph, vm);
    return graph ? run_counted(graph, direct, vm, args, kwargs) : direct(vm, args, kwargs);
}

/* Runs a wrapper that the job still calls after the adapter was removed. */
static PyObject *run_ended(struct wrap *self, PyObject *args, PyObject *kwargs)
{
    return PyObject_Call(self->wrapped, args, kwargs);
}

/* ------------------------------------------------------------------------------- the type */

static PyObject *wrap_run(PyObject *self, PyObject *args, PyObject *kwargs)
{
    struct wrap *wrap = (struct wrap *)self;
    Py_INCREF(self); /* the class may drop it while it runs */
    PyObject *result = wrap->run(wrap, args, kwargs);
    Py_DECREF(self);
    return result;
}

/* Looked up on an instance, the wrapper becomes a bound method. */
static PyObject *wrap_bind(PyObject *self, PyObject *instance, PyObject *owner)
{
    (void)owner;
    if (!instance || instance == Py_None) {
        Py_INCREF(self);
        return self;
    }
    return PyObject_CallFunctionObjArgs(proftop_py.method_type, self, instance, NULL);
}

static PyObject *wrap_get(PyObject *self, PyObject *name)
{
    PyObject *wrapped = ((struct wrap *)self)->wrapped;
    if (PyUnicode_CompareWithASCIIString(name, "__wrapped__") == 0) {
        Py_INCREF(wrapped);
        return wrapped;
    }
    return PyObject_GetAttr(wrapped, name);
}

static int wrap_set(PyObject *self, PyObject *name, PyObject *value)
{
    return PyObject_SetAttr(((struct wrap *)self)->wrapped, name, value);
}

static PyObject *wrap_repr(PyObject *self)
{
    return PyObject_Repr(((struct wrap *)self)->wrapped);
}

static void wrap_free(PyObject *self)
{
    struct wrap *wrap = (struct wrap *)self;
    PyTypeObject *type = Py_TYPE(self);
    Py_CLEAR(wrap->wrapped);
    Py_CLEAR(wrap->before);
    Py_CLEAR(wrap->after);
    Py_CLEAR(wrap->vm);
    freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);
    release(self);
    Py_DECREF((PyObject *)type);
}

static PyType_Slot wrap_slots[] = {
    {Py_tp_call, wrap_run},
    {Py_tp_descr_get, wrap_bind},
    {Py_tp_getattro, wrap_get},
    {Py_tp_setattro, wrap_set},
    {Py_tp_repr, wrap_repr},
    {Py_tp_dealloc, wrap_free},
    {0, NULL},
};
static PyType_Spec wrap_spec = {"proftop._feed.Wrap", sizeof(struct wrap), 0,
                                Py_TPFLAGS_DEFAULT | Py_TPFLAGS_METHOD_DESCRIPTOR, wrap_slots};

int wrap_types(void)
{
    proftop_py.wrap_type = (PyTypeObject *)PyType_FromSpec(&wrap_spec);
    return proftop_py.wrap_type ? 0 : -1;
}

struct wrap *wrap_new(PyObject *wrapped, wrap_run_fn *run)
{
    allocfunc alloc = (allocfunc)PyType_GetSlot(proftop_py.wrap_type, Py_tp_alloc);
    struct wrap *wrap = (struct wrap *)alloc(proftop_py.wrap_type, 0);
    if (!wrap)
        return NULL;
    Py_INCREF(wrapped);
    wrap->wrapped = wrapped;
    wrap->run = run;
    return wrap;
}

static PyObject *unless_none(PyObject *object)
{
    if (object == Py_None)
        return NULL;
    Py_INCREF(object);
    return object;
}

/* Makes a wrapper from (callable, before) or (callable, before, after). */
static PyObject *wrap_hooks(PyObject *args, wrap_run_fn *run)
{
    PyObject *wrapped, *before, *after = Py_None;
    if (!PyArg_ParseTuple(args, "OO|O", &wrapped, &before, &after))
        return NULL;
    struct wrap *wrap = wrap_new(wrapped, run);
    if (!wrap)
        return NULL;
    wrap->before = unless_none(before);
    wrap->after = unless_none(after);
    return (PyObject *)wrap;
}

/* wrap(callable, before, after) */
PyObject *wrap_make(PyObject *module, PyObject *args)
{
    (void)module;
    return wrap_hooks(args, run_hooked);
}

/* wrap_result(callable, None, after): after(args, kwargs, result), unless the callable raised */
PyObject *wrap_result(PyObject *module, PyObject *args)
{
    (void)module;
    return wrap_hooks(args, run_seen);
}

/* wrap_function(callable, name): replaces __call__ of the class of functions. `name`: attribute
 * that holds the VM. */
PyObject *wrap_call(PyObject *module, PyObject *args)
{
    (void)module;
    PyObject *wrapped, *name;
    if (!PyArg_ParseTuple(args, "OU", &wrapped, &name))
        return NULL;
    struct wrap *wrap = wrap_new(wrapped, run_function);
    if (!wrap)
        return NULL;
    Py_INCREF(name);
    wrap->vm = name;
    return (PyObject *)wrap;
}

static PyObject *run_draw(struct wrap *self, PyObject *args, PyObject *kwargs)
{
    return sampler_run(self->wrapped, self->before, args, kwargs);
}

/* wrap_draw(step, before): replaces `step`, the method by which a PyMC class draws. before()
 * returns the length of the chain (sampler.c). */
PyObject *wrap_draw(PyObject *module, PyObject *args)
{
    (void)module;
    return wrap_hooks(args, run_draw);
}

/* Runs the thunk that before() returns. An error of before() is dropped; then the original runs. */
static PyObject *run_first(struct wrap *self, PyObject *args, PyObject *kwargs)
{
    PyObject *thunk = PyObject_CallObject(self->before, NULL);
    if (!thunk)
        clear_error();
    PyObject *result = PyObject_Call(thunk ? thunk : self->wrapped, args, kwargs);
    Py_XDECREF(thunk);
    return result;
}

/* wrap_end(wrap): from now on the wrapper only calls the original. */
PyObject *wrap_end(PyObject *module, PyObject *wrap)
{
    (void)module;
    if (Py_TYPE(wrap) == proftop_py.wrap_type)
        ((struct wrap *)wrap)->run = run_ended;
    Py_RETURN_NONE;
}

/* wrap_first(thunk, before): replaces the first thunk of a list (first_calls.py). before() returns
 * the thunk to run instead. */
PyObject *wrap_first(PyObject *module, PyObject *args)
{
    (void)module;
    return wrap_hooks(args, run_first);
}

/* wrap_profile(callable): replaces update_profile() of a class of VMs. */
PyObject *wrap_profile(PyObject *module, PyObject *callable)
{
    (void)module;
    return (PyObject *)wrap_new(callable, run_profile);
}

/* wrap_vm(callable, cls): replaces __call__ of a class of VMs. `cls` is the class if its __call__
 * is written in C, else None. */
PyObject *wrap_vm(PyObject *module, PyObject *args)
{
    (void)module;
    PyObject *wrapped, *cls;
    if (!PyArg_ParseTuple(args, "OO", &wrapped, &cls))
        return NULL;
    struct wrap *wrap = wrap_new(wrapped, run_vm);
    if (!wrap)
        return NULL;
    if (cls != Py_None)
        wrap->raw = (ternaryfunc)PyType_GetSlot((PyTypeObject *)cls, Py_tp_call);
    return (PyObject *)wrap;
}

/* Indices of the slots of a type object, in words: the same in each CPython from 3.8 on. */
enum { PLACE_OF_HASH = 15, PLACE_OF_CALL, PLACE_OF_STR };

static int is_laid_out_so(PyTypeObject *cls)
{
    static const struct {
        int place, slot;
    } known[] = {
        {PLACE_OF_HASH, Py_tp_hash}, {PLACE_OF_CALL, Py_tp_call}, {PLACE_OF_STR, Py_tp_str}};
    int good = (PyType_GetFlags(cls) & Py_TPFLAGS_HEAPTYPE) != 0;
    for (size_t i = 0; good && i < sizeof known / sizeof known[0]; i++)
        good = ((void **)cls)[known[i].place] == PyType_GetSlot(cls, known[i].slot);
    return good;
}

/* wrap_directly(cls): lets calls of the class's objects run run_directly() without Python's lookup.
 * __call__ of the class must be a wrap_vm() of a C function. Python undoes this when __call__ is
 * removed from the class. Returns whether it was possible; if not, everything counts as well. */
PyObject *wrap_directly(PyObject *module, PyObject *cls)
{
    (void)module;
    PyTypeObject *type = (PyTypeObject *)cls;
    PyObject *wrap = PyType_Check(cls) ? PyObject_GetAttrString(cls, "__call__") : NULL;
    ternaryfunc ours = run_directly, raw = NULL;
    if (wrap && Py_TYPE(wrap) == proftop_py.wrap_type)
        raw = ((struct wrap *)wrap)->raw;
    PyErr_Clear();
    Py_XDECREF(wrap);
    if (!raw || (direct && direct != raw) || !is_laid_out_so(type))
        Py_RETURN_FALSE;
    direct = raw;
    memcpy((void **)cls + PLACE_OF_CALL, &ours, sizeof ours);
    Py_RETURN_TRUE;
}

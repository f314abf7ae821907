/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * _wrap.c: callables that stand in the place of the framework's own.
 *
 * They are C objects, not Python functions, so that the job's tracebacks, the stack that the
 * framework inspects and the places its warnings name stay what they are without proftop.
 */
#include <stdarg.h>

#include "_feed.h"

struct wrap {
    PyObject_HEAD PyObject *wrapped; /* the framework's callable; every attribute is its own */
    PyObject *before;                /* before(args, kwargs), or NULL */
    PyObject *after;                 /* after(args, ok, ns), or NULL */
    ternaryfunc raw;                 /* the C function behind `wrapped`, or NULL */
    PyObject *vm;                    /* name under which a function has its VM, or NULL */
    PyObject *(*run)(struct wrap *self, PyObject *args, PyObject *kwargs);
};

_Thread_local struct graph *proftop_py_running;

int proftop_py_is_running(proftop_id function)
{
    return proftop_py_running && proftop_py_running->function == function;
}

/* ------------------------------------------------------------------------ hooks in Python */

void wrap_clear_error(void)
{
    if (PyErr_ExceptionMatches(PyExc_KeyboardInterrupt))
        PyErr_SetInterrupt();
    PyErr_Clear();
}

/* Calls a hook of ours with arguments as Py_BuildValue() takes them. What goes wrong in it stays in
 * it, and an exception of the job that is on its way goes on. */
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
        wrap_clear_error();
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

/* ------------------------------------------------------------------- functions and their VMs */

/* A function that was compiled inside another is defined at its first call: the node that is open
 * then is its parent. */
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

/* The graph of a VM, or of a function by the VM that it has (functions need not take weak
 * references). A new reference, or NULL. */
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

/* The graph whose calls are to be counted here, or NULL. A new reference. */
static struct graph *graph_of(const struct wrap *self, PyObject *args)
{
    PyObject *object = PyTuple_Size(args) > 0 ? PyTuple_GetItem(args, 0) : NULL;
    struct graph *graph = object && proftop_py_feed() ? graph_by(self, object) : NULL;
    if (!graph)
        return NULL;
    if (graph->define)
        first_call(graph, object);
    if (graph->function != PROFTOP_NONE)
        return graph;
    Py_DECREF((PyObject *)graph);
    return NULL;
}

static PyObject *run_original(struct wrap *self, PyObject *args, PyObject *kwargs)
{
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

/* `feeds`: of the feed in which it began. */
static void call_finish(const struct graph *graph, struct proftop_token token, unsigned feeds,
                        int ok)
{
    if (feeds != proftop_py.feeds)
        return;
    if (ok)
        proftop_call_end(proftop_py.feed, graph->function, token);
    else
        proftop_call_fail(proftop_py.feed, graph->function, token);
}

/* Function.__call__ */
static PyObject *run_function(struct wrap *self, PyObject *args, PyObject *kwargs)
{
    struct graph *graph = graph_of(self, args);
    if (!graph)
        return PyObject_Call(self->wrapped, args, kwargs);
    struct graph *outer = proftop_py_running;
    const unsigned feeds = proftop_py.feeds;
    int looks = look_begin(graph);
    proftop_py_running = graph;
    proftop_py_calls++;
    struct proftop_token token = proftop_call_begin(proftop_py.feed, graph->function);
    PyObject *result = PyObject_Call(self->wrapped, args, kwargs);
    call_finish(graph, token, feeds, result != NULL);
    if (looks)
        look_end(graph);
    proftop_py_running = outer;
    Py_DECREF((PyObject *)graph);
    return result;
}

/* __call__ of a VM's class. A VM that is called by something else than its function (Scan does so)
 * is a call of the function as well. */
static PyObject *run_vm(struct wrap *self, PyObject *args, PyObject *kwargs)
{
    struct graph *graph = graph_of(self, args);
    if (!graph)
        return self->raw && PyTuple_Size(args) < 1 ? PyObject_Call(self->wrapped, args, kwargs)
                                                   : run_original(self, args, kwargs);
    struct graph *outer = proftop_py_running;
    const unsigned feeds = proftop_py.feeds;
    struct proftop_token token = {0};
    int alone = outer != graph, looks = alone && look_begin(graph);
    proftop_py_running = graph;
    if (alone)
        token = proftop_call_begin(proftop_py.feed, graph->function);
    uint64_t start = clock_ns();
    PyObject *result = run_original(self, args, kwargs);
    uint64_t now = clock_ns();
    if (result && feeds == proftop_py.feeds)
        proftop_vm(proftop_py.feed, graph->function, now - start);
    if (result && alone && proftop_py_turn)
        turn_step(now);
    if (alone)
        call_finish(graph, token, feeds, result != NULL);
    if (looks)
        look_end(graph);
    proftop_py_running = outer;
    Py_DECREF((PyObject *)graph);
    return result;
}

/* ------------------------------------------------------------------------------- the type */

static PyObject *wrap_run(PyObject *self, PyObject *args, PyObject *kwargs)
{
    struct wrap *wrap = (struct wrap *)self;
    Py_INCREF(self); /* it may be taken out of its class while it runs */
    PyObject *result = wrap->run(wrap, args, kwargs);
    Py_DECREF(self);
    return result;
}

/* Looked up on an instance, it is a method of it. */
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

static struct wrap *wrap_new(PyObject *wrapped)
{
    allocfunc alloc = (allocfunc)PyType_GetSlot(proftop_py.wrap_type, Py_tp_alloc);
    struct wrap *wrap = (struct wrap *)alloc(proftop_py.wrap_type, 0);
    if (!wrap)
        return NULL;
    Py_INCREF(wrapped);
    wrap->wrapped = wrapped;
    return wrap;
}

static PyObject *unless_none(PyObject *object)
{
    if (object == Py_None)
        return NULL;
    Py_INCREF(object);
    return object;
}

/* wrap(callable, before, after) */
PyObject *wrap_make(PyObject *module, PyObject *args)
{
    (void)module;
    PyObject *wrapped, *before, *after;
    if (!PyArg_ParseTuple(args, "OOO", &wrapped, &before, &after))
        return NULL;
    struct wrap *wrap = wrap_new(wrapped);
    if (!wrap)
        return NULL;
    wrap->before = unless_none(before);
    wrap->after = unless_none(after);
    wrap->run = run_hooked;
    return (PyObject *)wrap;
}

/* wrap_function(callable, name): __call__ of the class of functions, which have their VM under this
 * name. */
PyObject *wrap_call(PyObject *module, PyObject *args)
{
    (void)module;
    PyObject *wrapped, *name;
    if (!PyArg_ParseTuple(args, "OU", &wrapped, &name))
        return NULL;
    struct wrap *wrap = wrap_new(wrapped);
    if (!wrap)
        return NULL;
    Py_INCREF(name);
    wrap->vm = name;
    wrap->run = run_function;
    return (PyObject *)wrap;
}

static PyObject *run_draw(struct wrap *self, PyObject *args, PyObject *kwargs)
{
    return draw_run(self->wrapped, args, kwargs);
}

/* wrap_draw(step): the method by which a class of PyMC's draws. */
PyObject *wrap_draw(PyObject *module, PyObject *step)
{
    (void)module;
    struct wrap *wrap = wrap_new(step);
    if (wrap)
        wrap->run = run_draw;
    return (PyObject *)wrap;
}

/* wrap_vm(callable, cls): __call__ of a class of VMs. `cls` is the class when its __call__ is
 * written in C, else None. */
PyObject *wrap_vm(PyObject *module, PyObject *args)
{
    (void)module;
    PyObject *wrapped, *cls;
    if (!PyArg_ParseTuple(args, "OO", &wrapped, &cls))
        return NULL;
    struct wrap *wrap = wrap_new(wrapped);
    if (!wrap)
        return NULL;
    wrap->run = run_vm;
    if (cls != Py_None)
        wrap->raw = (ternaryfunc)PyType_GetSlot((PyTypeObject *)cls, Py_tp_call);
    return (PyObject *)wrap;
}

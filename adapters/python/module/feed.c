/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * feed.c: libproftop for the Python side of the adapter.
 *
 * Counts live in libproftop. Its own thread publishes them, without the GIL. The GIL is released
 * around the two calls that may wait, open and close. */
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "adapters/python/module/module.h"
#include "adapters/theano/bypass.h"
#include "adapters/theano/theano.h"

/* ------------------------------------------------------------------------------ open, close */

/* open(framework, version, program, asked): returns None if the feed is on, else the reason why
 * not. Unless `requested`, the environment decides whether a feed is wanted. */
static PyObject *publisher_open(PyObject *module, PyObject *args)
{
    (void)module;
    struct proftop_options options = {.size = sizeof options};
    int requested;
    if (!PyArg_ParseTuple(args, "zzzp", &options.framework, &options.framework_version,
                          &options.program, &requested))
        return NULL;
    options.flags = requested ? 0 : PROFTOP_IF_ASKED;
    if (proftop_py.feed)
        return PyUnicode_FromString("a feed is open already");
    struct proftop *feed;
    Py_BEGIN_ALLOW_THREADS feed = proftop_open(&options);
    Py_END_ALLOW_THREADS if (proftop_is_on(feed))
    {
        proftop_py.feeds++;
        proftop_py.feed = feed;
        proftop_py.opened_by = getpid();
        Py_RETURN_NONE;
    }
    PyObject *reason = PyUnicode_FromString(proftop_reason(feed));
    proftop_close(feed);
    return reason;
}

/* close(): sends the last values. Running calls find no feed at their end. */
static PyObject *feed_close(PyObject *module, PyObject *unused)
{
    (void)module, (void)unused;
    bypass_count_all();
    struct proftop *feed = proftop_py.feed;
    proftop_py.feed = NULL;
    proftop_py.inherited = NULL;
    if (feed && proftop_py.opened_by == getpid()) {
        Py_BEGIN_ALLOW_THREADS proftop_close(feed);
        Py_END_ALLOW_THREADS
    }
    Py_RETURN_NONE;
}

/* forked(): called in a child that has one thread now. */
static PyObject *feed_forked(PyObject *module, PyObject *unused)
{
    (void)module, (void)unused;
    proftop_py_forked();
    bypass_forget_all();
    Py_RETURN_NONE;
}

/* unmap(address, size): unmaps the memory of a text that has been read. */
static PyObject *publisher_unmap(PyObject *module, PyObject *args)
{
    (void)module;
    unsigned long long address, size;
    if (!PyArg_ParseTuple(args, "KK", &address, &size))
        return NULL;
    if (munmap((void *)(uintptr_t)address, (size_t)size) != 0)
        return PyErr_SetFromErrno(PyExc_OSError);
    Py_RETURN_NONE;
}

/* ------------------------------------------------------------------------------ definitions */

static PyObject *id_or_error(proftop_id id)
{
    if (id == PROFTOP_NONE)
        return PyErr_Format(PyExc_RuntimeError, "the feed takes no more definitions");
    return PyLong_FromUnsignedLong(id);
}

/* op_class(name) */
static PyObject *feed_class(PyObject *module, PyObject *args)
{
    (void)module;
    const char *name;
    if (!PyArg_ParseTuple(args, "s", &name))
        return NULL;
    return id_or_error(proftop_class(proftop_py.feed, name));
}

/* op(class, text, display): display may be None */
static PyObject *feed_op(PyObject *module, PyObject *args)
{
    (void)module;
    const char *text, *display;
    unsigned op_class;
    if (!PyArg_ParseTuple(args, "Isz", &op_class, &text, &display))
        return NULL;
    return id_or_error(proftop_op_displayed(proftop_py.feed, op_class, text, display));
}

/* function(name, file, line, parent, counted=True, group=0): texts and parent may be None.
 * `counted`: the adapter sees its calls. */
static PyObject *feed_function(PyObject *module, PyObject *args)
{
    (void)module;
    struct proftop_function_info info = {.size = sizeof info, .source = PROFTOP_TIMED};
    PyObject *parent;
    unsigned line, group = 0;
    int counted = 1;
    if (!PyArg_ParseTuple(args, "zzIO|pI", &info.name, &info.file, &line, &parent, &counted,
                          &group))
        return NULL;
    info.line = line;
    info.group = group;
    if (!counted)
        info.source = PROFTOP_ABSENT;
    if (parent != Py_None)
        info.parent_plus_1 = (uint32_t)PyLong_AsUnsignedLong(parent) + 1;
    if (PyErr_Occurred())
        return NULL;
    return id_or_error(proftop_function(proftop_py_feed(), &info));
}

/* function_unseen(function): the adapter cannot see its calls, as it turned out later. */
static PyObject *feed_function_unseen(PyObject *module, PyObject *args)
{
    (void)module;
    unsigned function;
    if (!PyArg_ParseTuple(args, "I", &function))
        return NULL;
    proftop_function_unseen(proftop_py.feed, function);
    Py_RETURN_NONE;
}

/* apply(function, op, index, text, impl, location, given=False): the location may be None. `impl`:
 * a value of enum proftop_impl. `given`: its sums are set after each call (tally.c). */
static PyObject *feed_apply(PyObject *module, PyObject *args)
{
    (void)module;
    struct proftop_apply_info info = {
        .size = sizeof info, .source = PROFTOP_TIMED, .kind = PROFTOP_SYMBOLIC};
    unsigned function, op, index, impl;
    int given = 0;
    if (!PyArg_ParseTuple(args, "IIIsIz|p", &function, &op, &index, &info.text, &impl,
                          &info.location, &given))
        return NULL;
    if (given)
        info.source = PROFTOP_SET;
    info.function = function;
    info.op = op;
    info.index = index;
    info.impl = (enum proftop_impl)impl;
    return id_or_error(proftop_apply(proftop_py.feed, &info));
}

/* ------------------------------------------------------------------------------ compilation */

/* compile_begin(function) */
static PyObject *feed_compile_begin(PyObject *module, PyObject *args)
{
    (void)module;
    unsigned function;
    if (!PyArg_ParseTuple(args, "I", &function))
        return NULL;
    proftop_compile_begin(proftop_py.feed, function);
    Py_RETURN_NONE;
}

/* Converts a time; None: not measured. */
static int nanoseconds(PyObject *value, void *to)
{
    uint64_t *ns = to;
    *ns = value == Py_None ? PROFTOP_UNKNOWN : PyLong_AsUnsignedLongLong(value);
    return !PyErr_Occurred();
}

/* compile_end(function, compile, rewrite, validate, link) */
static PyObject *feed_compile_end(PyObject *module, PyObject *args)
{
    (void)module;
    struct proftop_compile_times times = {.size = sizeof times};
    unsigned function;
    if (!PyArg_ParseTuple(args, "IO&O&O&O&", &function, nanoseconds, &times.compile_ns, nanoseconds,
                          &times.rewrite_ns, nanoseconds, &times.validate_ns, nanoseconds,
                          &times.link_ns))
        return NULL;
    proftop_compile_end(proftop_py.feed, function, &times);
    Py_RETURN_NONE;
}

/* ------------------------------------------------------------------------- words to viewers */

/* route(text) */
static PyObject *feed_route(PyObject *module, PyObject *args)
{
    (void)module;
    const char *text;
    if (!PyArg_ParseTuple(args, "s", &text))
        return NULL;
    proftop_route(proftop_py.feed, text);
    Py_RETURN_NONE;
}

/* facts(text) */
static PyObject *feed_facts(PyObject *module, PyObject *args)
{
    (void)module;
    const char *text;
    if (!PyArg_ParseTuple(args, "s", &text))
        return NULL;
    proftop_facts(proftop_py.feed, text);
    Py_RETURN_NONE;
}

/* rank(number, size) */
static PyObject *shared_rank(PyObject *module, PyObject *args)
{
    (void)module;
    unsigned long long number, size;
    if (!PyArg_ParseTuple(args, "KK", &number, &size))
        return NULL;
    proftop_rank(proftop_py.feed, number, size);
    Py_RETURN_NONE;
}

/* notice(level, text) */
static PyObject *publisher_notice(PyObject *module, PyObject *args)
{
    (void)module;
    const char *text;
    int level;
    if (!PyArg_ParseTuple(args, "is", &level, &text))
        return NULL;
    proftop_notice(proftop_py.feed, level, text);
    Py_RETURN_NONE;
}

/* opened(): how many feeds this process and its parents have opened. A forked child goes on with
 * the ids of its parent's feed. */
static PyObject *feed_opened(PyObject *module, PyObject *unused)
{
    (void)module, (void)unused;
    return PyLong_FromUnsignedLong(proftop_py.feeds);
}

/* open_apply(): the Python node that this thread runs, or None. */
static PyObject *feed_open_apply(PyObject *module, PyObject *unused)
{
    (void)module, (void)unused;
    if (!proftop_py_open)
        Py_RETURN_NONE;
    return PyLong_FromUnsignedLong(proftop_py_open - 1);
}

/* ------------------------------------------------------------------------------- the module */

static PyMethodDef feed_methods[] = {
    {"open", publisher_open, METH_VARARGS, NULL},
    {"close", feed_close, METH_NOARGS, NULL},
    {"forked", feed_forked, METH_NOARGS, NULL},
    {"unmap", publisher_unmap, METH_VARARGS, NULL},
    {"op_class", feed_class, METH_VARARGS, NULL},
    {"op", feed_op, METH_VARARGS, NULL},
    {"function", feed_function, METH_VARARGS, NULL},
    {"apply", feed_apply, METH_VARARGS, NULL},
    {"function_unseen", feed_function_unseen, METH_VARARGS, NULL},
    {"compile_begin", feed_compile_begin, METH_VARARGS, NULL},
    {"compile_end", feed_compile_end, METH_VARARGS, NULL},
    {"route", feed_route, METH_VARARGS, NULL},
    {"facts", feed_facts, METH_VARARGS, NULL},
    {"rank", shared_rank, METH_VARARGS, NULL},
    {"notice", publisher_notice, METH_VARARGS, NULL},
    {"steps", steps_set, METH_VARARGS, NULL},
    {"phase", send_phase, METH_VARARGS, NULL},
    {"phase_begin", send_phase_begin, METH_VARARGS, NULL},
    {"phase_end", send_phase_end, METH_VARARGS, NULL},
    {"detail", send_detail, METH_VARARGS, NULL},
    {"opened", feed_opened, METH_NOARGS, NULL},
    {"open_apply", feed_open_apply, METH_NOARGS, NULL},
    {"mark_reserve", mark_reserve, METH_VARARGS, NULL},
    {"mark_apply", mark_apply, METH_VARARGS, NULL},
    {"mark_function", mark_function, METH_VARARGS, NULL},
    {"mark_steps", mark_steps, METH_VARARGS, NULL},
    {"mark_count", mark_count, METH_O, NULL},
    {"mark_entered", mark_entered, METH_O, NULL},
    {"mark_addresses", mark_addresses, METH_NOARGS, NULL},
    {"own_feed", own_feed, METH_NOARGS, NULL},
    {"own_define", own_define, METH_VARARGS, NULL},
    {"own_count", own_count, METH_VARARGS, NULL},
    {"own_keep", own_keep, METH_VARARGS, NULL},
    {"own_start", own_start, METH_VARARGS, NULL},
    {"own_stop", own_stop, METH_VARARGS, NULL},
    {"own_mark", own_mark, METH_VARARGS, NULL},
    {"own_scope", own_scope, METH_VARARGS, NULL},
    {"own_memory", own_memory, METH_VARARGS, NULL},
    {"control_config", control_config, METH_O, NULL},
    {"control_state", control_state, METH_VARARGS, NULL},
    {"control_pause", control_pause, METH_VARARGS, NULL},
    {"control_resume", control_resume, METH_VARARGS, NULL},
    {"control_dump", control_dump, METH_VARARGS, NULL},
    {"control_dumps", control_dumps, METH_VARARGS, NULL},
    {"mxnet_find", mxnet_py_find, METH_NOARGS, NULL},
    {"mxnet_attach", mxnet_py_attach, METH_O, NULL},
    {"mxnet_detach", mxnet_py_detach, METH_NOARGS, NULL},
    {"mxnet_publish", mxnet_py_publish, METH_NOARGS, NULL},
    {"mxnet_function_name", mxnet_py_function_name, METH_VARARGS, NULL},
    {"mxnet_node_scope", mxnet_py_node_scope, METH_VARARGS, NULL},
    {"mxnet_custom_begin", mxnet_py_custom_begin, METH_VARARGS, NULL},
    {"mxnet_custom_end", mxnet_py_custom_end, METH_NOARGS, NULL},
    {"mxnet_set", mxnet_py_set, METH_VARARGS, NULL},
    {"mxnet_state", mxnet_py_state, METH_NOARGS, NULL},
    {"torch_find", torch_py_find, METH_NOARGS, NULL},
    {"torch_library", torch_py_library, METH_NOARGS, NULL},
    {"torch_self_test", torch_py_self_test, METH_NOARGS, NULL},
    {"torch_run_unseen", torch_py_run_unseen, METH_VARARGS, NULL},
    {"torch_attach", torch_py_attach, METH_VARARGS, NULL},
    {"torch_device", torch_py_device, METH_NOARGS, NULL},
    {"torch_step_aside", torch_py_step_aside, METH_O, NULL},
    {"torch_memory", torch_py_memory, METH_NOARGS, NULL},
    {"torch_compiling", torch_py_compiling, METH_O, NULL},
    {"torch_use_device", torch_py_use_device, METH_NOARGS, NULL},
    {"torch_detach", torch_py_detach, METH_NOARGS, NULL},
    {"torch_lines", torch_py_lines, METH_O, NULL},
    {"torch_often", torch_py_often, METH_O, NULL},
    {"torch_optimizers", torch_py_optimizers, METH_O, NULL},
    {"torch_still", torch_py_still, METH_O, NULL},
    {"torch_wrap_modules", torch_py_wrap_modules, METH_VARARGS, NULL},
    {"watch", watch_add, METH_VARARGS, NULL},
    {"watched", watch_get, METH_O, NULL},
    {"wrap", wrap_make, METH_VARARGS, NULL},
    {"wrap_result", wrap_result, METH_VARARGS, NULL},
    {"wrap_function", wrap_call, METH_VARARGS, NULL},
    {"wrap_vm", wrap_vm, METH_VARARGS, NULL},
    {"wrap_directly", wrap_directly, METH_O, NULL},
    {"wrap_draw", wrap_draw, METH_VARARGS, NULL},
    {"wrap_first", wrap_first, METH_VARARGS, NULL},
    {"wrap_end", wrap_end, METH_O, NULL},
    {"wrap_profile", wrap_profile, METH_O, NULL},
    {"call_stop", wrap_call_stop, METH_O, NULL},
    {"call_go_on", wrap_call_go_on, METH_O, NULL},
    {NULL, NULL, 0, NULL},
};
static struct PyModuleDef feed_module = {
    .m_base = PyModuleDef_HEAD_INIT, .m_name = "_feed", .m_size = -1, .m_methods = feed_methods};

static int state_init(void)
{
    PyObject *types = PyImport_ImportModule("types");
    proftop_py.method_type = types ? PyObject_GetAttrString(types, "MethodType") : NULL;
    Py_XDECREF(types);
    proftop_py.no_args = PyTuple_New(0);
    if (!proftop_py.method_type || !proftop_py.no_args)
        return -1;
    return graph_types() < 0 || wrap_types() < 0 ? -1 : 0;
}

PyMODINIT_FUNC PyInit__feed(void);
PyMODINIT_FUNC PyInit__feed(void)
{
    PyObject *module = state_init() < 0 ? NULL : PyModule_Create(&feed_module);
    if (!module)
        return NULL;
    Py_INCREF((PyObject *)proftop_py.graph_type);
    PyObject *timed = timed_type();
    if (!timed || PyModule_AddObject(module, "Timed", timed) < 0 ||
        PyModule_AddStringConstant(module, "version", PROFTOP_VERSION) < 0 ||
        PyModule_AddObject(module, "Graph", (PyObject *)proftop_py.graph_type) < 0)
        Py_CLEAR(module);
    return module;
}

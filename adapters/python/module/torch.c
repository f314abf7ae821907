/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * torch.c: module functions for PyTorch (adapters/torch). */
#include "adapters/torch/torch.h"

#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "adapters/common/nested.h"
#include "adapters/common/unseen.h"
#include "adapters/python/module/module.h"
#include "adapters/theano/wrap.h"

static PyObject *words_or_none(const char *words)
{
    if (!words)
        Py_RETURN_NONE;
    return PyUnicode_FromString(words);
}

/* torch_find(): None, or the reason why ops cannot be counted. */
PyObject *torch_py_find(PyObject *module, PyObject *unused)
{
    (void)module, (void)unused;
    return words_or_none(torch_find());
}

/* torch_library(): (path, build id) of the library, after torch_find(). */
PyObject *torch_py_library(PyObject *module, PyObject *unused)
{
    (void)module, (void)unused;
    PyObject *path = PyUnicode_DecodeFSDefault(torch_library());
    return path ? Py_BuildValue("Ns", path, torch_build()) : NULL;
}

/* torch_self_test(): (None or the reason why not, ns of an event). */
PyObject *torch_py_self_test(PyObject *module, PyObject *unused)
{
    (void)module, (void)unused;
    double event_ns = 0;
    const char *lacks = torch_self_test(&event_ns);
    return Py_BuildValue("zd", lacks, event_ns);
}

/* The items of a tuple of bytes, with NULL; NULL: an error is set. free() it. */
static char **words_of(PyObject *tuple)
{
    const Py_ssize_t count = PyTuple_Size(tuple);
    char **words = count >= 0 ? calloc((size_t)count + 1, sizeof *words) : NULL;
    for (Py_ssize_t i = 0; words && i < count; i++)
        if (!(words[i] = PyBytes_AsString(PyTuple_GetItem(tuple, i)))) {
            free(words);
            return NULL;
        }
    return words || PyErr_Occurred() ? words : (char **)PyErr_NoMemory();
}

/* torch_run_unseen(argv, env, seconds): runs a program, given by tuples of bytes, as unseen.h says.
 * Returns (status, or why there is none; what it printed). */
PyObject *torch_py_run_unseen(PyObject *module, PyObject *args)
{
    (void)module;
    char out[8192];
    const char *why = NULL;
    PyObject *argv, *env;
    unsigned seconds;
    if (!PyArg_ParseTuple(args, "OOI", &argv, &env, &seconds))
        return NULL;
    char **words = words_of(argv), **variables = words ? words_of(env) : NULL;
    int status = -1;
    if (words && variables) {
        PyThreadState *state = PyEval_SaveThread();
        status = unseen_run(words, variables, seconds, out, sizeof out, &why);
        PyEval_RestoreThread(state);
    }
    free(variables);
    free(words);
    if (PyErr_Occurred())
        return NULL;
    return why ? Py_BuildValue("sy", why, out) : Py_BuildValue("iy", status, out);
}

/* torch_attach(ops, budget, event_ns, why GPUs are left alone or None): None, or the reason why
 * not. */
PyObject *torch_py_attach(PyObject *module, PyObject *args)
{
    (void)module;
    int ops;
    double budget, event_ns;
    static char no_device[256];
    const char *why = NULL;
    if (!PyArg_ParseTuple(args, "pddz", &ops, &budget, &event_ns, &why))
        return NULL;
    proftop_py_on_adopt(torch_forked);
    snprintf(no_device, sizeof no_device, "%s", why ? why : "");
    return words_or_none(torch_attach(ops, budget, event_ns, why ? no_device : NULL));
}

/* torch_device(): how times of GPUs are known, or None: none is in use. */
PyObject *torch_py_device(PyObject *module, PyObject *unused)
{
    (void)module, (void)unused;
    return words_or_none(torch_device_route());
}

/* torch_step_aside(starts): a profiler of the job starts, or has ended. */
PyObject *torch_py_step_aside(PyObject *module, PyObject *starts)
{
    (void)module;
    const int is_start = PyObject_IsTrue(starts);
    if (is_start < 0)
        return NULL;
    PyThreadState *state = PyEval_SaveThread();
    torch_step_aside(is_start);
    PyEval_RestoreThread(state);
    Py_RETURN_NONE;
}

/* torch_memory(): None, or the reason why bytes of ops are not counted. */
PyObject *torch_py_memory(PyObject *module, PyObject *unused)
{
    (void)module, (void)unused;
    return words_or_none(torch_memory_lacks());
}

/* torch_compiling(begins): a compilation begins on this thread, or ends. */
PyObject *torch_py_compiling(PyObject *module, PyObject *begins)
{
    (void)module;
    const int is_begin = PyObject_IsTrue(begins);
    if (is_begin < 0)
        return NULL;
    torch_compiling(is_begin);
    Py_RETURN_NONE;
}

/* torch_use_device(): the job uses a device. */
PyObject *torch_py_use_device(PyObject *module, PyObject *unused)
{
    (void)module, (void)unused;
    torch_use_device();
    Py_RETURN_NONE;
}

PyObject *torch_py_detach(PyObject *module, PyObject *unused)
{
    (void)module, (void)unused;
    torch_detach();
    Py_RETURN_NONE;
}

/* ------------------------------------------------------------------------------------ modules */

enum { MODULES = 64 };
static PER_THREAD void *open_module[MODULES]; /* ids: greenlets may leave in another order */
static PER_THREAD unsigned open_modules;

/* The name of a module: from the dictionary, or by a function of the adapter, which gets the module
 * and the id of the module that calls it, and adds the name. A new reference; NULL: it has none. */
static PyObject *name_of_module(struct wrap *self, PyObject *module)
{
    PyObject *key = PyLong_FromVoidPtr(module);
    PyObject *name = key ? PyDict_GetItemWithError(self->after, key) : NULL;
    Py_XINCREF(name);
    Py_XDECREF(key);
    if (!name && !PyErr_Occurred()) {
        const unsigned depth = open_modules < MODULES ? open_modules : MODULES;
        PyObject *caller = depth > 0 ? PyLong_FromVoidPtr(open_module[depth - 1]) : Py_None;
        name = caller ? PyObject_CallFunctionObjArgs(self->before, module, caller, NULL) : NULL;
        if (depth > 0)
            Py_XDECREF(caller);
    }
    if (name && PyBytes_Check(name))
        return name;
    Py_XDECREF(name);
    if (PyErr_Occurred())
        clear_error();
    return NULL;
}

static PyObject *reader_of_inputs;

/* Takes (dtype, shape, bytes); each may be None. */
static void take_value(PyObject *tuple, struct nested_value *value)
{
    const char *dtype = NULL;
    PyObject *shape, *bytes;
    *value = (struct nested_value){.rank = PROFTOP_NONE, .bytes = PROFTOP_UNKNOWN};
    if (!PyArg_ParseTuple(tuple, "zOO", &dtype, &shape, &bytes))
        return;
    snprintf(value->dtype, sizeof value->dtype, "%s", dtype ? dtype : "");
    const Py_ssize_t rank = shape == Py_None ? -1 : PyTuple_Size(shape);
    for (Py_ssize_t i = 0; i < rank && rank <= NESTED_RANK; i++)
        value->shape[i] = PyLong_AsUnsignedLongLong(PyTuple_GetItem(shape, i));
    if (rank >= 0 && rank <= NESTED_RANK && !PyErr_Occurred())
        value->rank = (uint32_t)rank;
    if (bytes != Py_None && !PyErr_Occurred())
        value->bytes = PyLong_AsUnsignedLongLong(bytes);
}

/* Tells the shapes of the tensors that a run of a module gets. */
static void tell_inputs(PyObject *args, PyObject *kwargs)
{
    struct nested_value value[NESTED_VALUES];
    const uint64_t begun = clock_ns();
    PyObject *list =
        PyObject_CallFunctionObjArgs(reader_of_inputs, args, kwargs ? kwargs : Py_None, NULL);
    Py_ssize_t count = list && PyList_Check(list) ? PyList_Size(list) : -1;
    if (count > NESTED_VALUES)
        count = NESTED_VALUES;
    for (Py_ssize_t i = 0; i < count; i++)
        take_value(PyList_GetItem(list, i), &value[i]);
    Py_XDECREF(list);
    if (PyErr_Occurred())
        clear_error();
    else if (count >= 0)
        torch_module_inputs(value, (unsigned)count, clock_ns() - begun);
}

/* torch.nn.Module.__call__ */
static PyObject *run_module(struct wrap *self, PyObject *args, PyObject *kwargs)
{
    PyObject *module = PyTuple_Size(args) > 0 ? PyTuple_GetItem(args, 0) : NULL;
    PyObject *name = module && torch_is_open() ? name_of_module(self, module) : NULL;
    if (open_modules < MODULES)
        open_module[open_modules] = module;
    open_modules++;
    if (name)
        torch_module_begin(PyBytes_AsString(name), module);
    if (name && torch_module_inputs_due(module))
        tell_inputs(args, kwargs);
    PyObject *result = PyObject_Call(self->wrapped, args, kwargs);
    if (name)
        torch_module_end(module);
    if (--open_modules == 0 && module)
        torch_outermost_end(module);
    Py_XDECREF(name);
    return result;
}

/* torch_wrap_modules(callable, namer, names, reader): replaces __call__ of the class of modules.
 * `names`: {id of a module: its name, as bytes}. reader(args, kwargs) returns the tensors of a call
 * as a list of (dtype, shape, bytes), or None: not now. */
PyObject *torch_py_wrap_modules(PyObject *module, PyObject *args)
{
    (void)module;
    PyObject *wrapped, *namer, *names, *reader, *before = reader_of_inputs;
    if (!PyArg_ParseTuple(args, "OOOO", &wrapped, &namer, &names, &reader))
        return NULL;
    struct wrap *wrap = wrap_new(wrapped, run_module);
    if (!wrap)
        return NULL;
    Py_INCREF(namer);
    Py_INCREF(names);
    wrap->before = namer;
    wrap->after = names;
    Py_INCREF(reader);
    reader_of_inputs = reader;
    Py_XDECREF(before);
    return (PyObject *)wrap;
}

/* --------------------------------------------------------------------------------- optimizers */

enum { CALLERS = 3 };                 /* from the end of the range to Optimizer.step() */
static PyTypeObject *optimizer_class; /* torch.optim.Optimizer; NULL: not asked for */

/* The optimizer among the variables of a frame of Python, or 0. */
static uintptr_t optimizer_in(PyObject *frame)
{
    PyObject *locals = PyObject_GetAttrString(frame, "f_locals");
    PyObject *values = locals ? PyMapping_Values(locals) : NULL;
    uintptr_t found = 0;
    for (Py_ssize_t i = 0; values && !found && i < PyList_Size(values); i++) {
        PyObject *value = PyList_GetItem(values, i);
        if (PyType_IsSubtype(Py_TYPE(value), optimizer_class))
            found = (uintptr_t)value;
    }
    Py_XDECREF(values);
    Py_XDECREF(locals);
    return found;
}

/* Called without the GIL, by a call of PyTorch's that has let it go. No line of Python runs, since
 * torch.compile might trace it. */
static uintptr_t find_optimizer(void)
{
    const PyGILState_STATE before = PyGILState_Ensure();
    PyObject *type, *value, *traceback;
    PyErr_Fetch(&type, &value, &traceback);
    PyObject *frame = optimizer_class ? (PyObject *)PyEval_GetFrame() : NULL;
    uintptr_t found = 0;
    Py_XINCREF(frame);
    for (int i = 0; frame && frame != Py_None && !found && i < CALLERS; i++) {
        found = optimizer_in(frame);
        PyObject *caller = PyObject_GetAttrString(frame, "f_back");
        Py_DECREF(frame);
        frame = caller;
    }
    Py_XDECREF(frame);
    PyErr_Restore(type, value, traceback); /* an error of ours is gone */
    PyGILState_Release(before);
    return found;
}

/* torch_optimizers(class or None): the class whose objects are told apart. */
PyObject *torch_py_optimizers(PyObject *module, PyObject *class)
{
    (void)module;
    PyObject *before = (PyObject *)optimizer_class;
    torch_ask_optimizer(PyType_Check(class) ? find_optimizer : NULL);
    if (PyType_Check(class))
        Py_INCREF(class);
    optimizer_class = PyType_Check(class) ? (PyTypeObject *)class : NULL;
    Py_XDECREF(before);
    Py_RETURN_NONE;
}

/* -------------------------------------------------------------------------------------- often */

static PyObject *often;

/* Runs on the first thread, between two instructions of Python. */
static int do_often(void *unused)
{
    (void)unused;
    PyObject *done = often ? PyObject_CallObject(often, NULL) : NULL;
    Py_XDECREF(done);
    if (PyErr_Occurred())
        clear_error();
    torch_answered(TORCH_OFTEN);
    return 0;
}

/* On the adapter's thread, without the GIL. A full queue of calls: not this time. */
static void ask_often(int state)
{
    (void)state;
    if (Py_AddPendingCall(do_often, NULL) != 0)
        torch_answered(TORCH_OFTEN);
}

/* torch_often(callable or None): what is called ten times a second on the first thread. */
PyObject *torch_py_often(PyObject *module, PyObject *callable)
{
    (void)module;
    PyObject *before = often;
    torch_ask(TORCH_OFTEN, callable == Py_None ? NULL : ask_often);
    if (callable != Py_None)
        Py_INCREF(callable);
    often = callable == Py_None ? NULL : callable;
    Py_XDECREF(before);
    Py_RETURN_NONE;
}

/* -------------------------------------------------------------------------------------- looking
 *
 * The first thread is in a call of PyTorch's that has let the GIL go, and may not return from it. A
 * thread of its own looks where it is, which cannot change while that thread has the GIL. It may
 * wait for the GIL for ever. The first thread itself could not tell: it is asked behind the next
 * call alone, and an operator is none. */

static struct looker {
    const enum torch_question question;
    PyObject *callable; /* gets `state`; may return the line of the first thread, as bytes */
    _Atomic int may;
    int state;
} lines = {.question = TORCH_LINE}, still = {.question = TORCH_STILL};

static void *look(void *of)
{
    struct looker *looker = of;
    if (looker->may && Py_IsInitialized()) {
        PyGILState_STATE state = PyGILState_Ensure();
        PyObject *line =
            looker->may ? PyObject_CallFunction(looker->callable, "i", looker->state) : NULL;
        if (line && PyBytes_Check(line))
            nested_line(PyBytes_AsString(line));
        Py_XDECREF(line);
        if (PyErr_Occurred())
            clear_error();
        PyGILState_Release(state);
    }
    torch_answered(looker->question);
    return NULL;
}

/* On the adapter's thread, without the GIL. */
static void start_look(struct looker *looker, int state)
{
    sigset_t all, before;
    pthread_t thread;
    looker->state = state;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    if (pthread_create(&thread, NULL, look, looker) == 0)
        pthread_detach(thread);
    else
        torch_answered(looker->question);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

static void ask_line(int state)
{
    start_look(&lines, state);
}

static void ask_still(int state)
{
    start_look(&still, state);
}

/* Waits a moment for a thread that looks now. */
static int looks_on(const struct looker *looker)
{
    const struct timespec pause = {.tv_nsec = 1000000};
    Py_BEGIN_ALLOW_THREADS for (int i = 0; torch_is_asked(looker->question) && i < 100; i++)
        nanosleep(&pause, NULL);
    Py_END_ALLOW_THREADS return torch_is_asked(looker->question);
}

static PyObject *set_looker(struct looker *looker, PyObject *callable, void (*ask)(int))
{
    const int is_set = callable != Py_None;
    looker->may = 0;
    torch_ask(looker->question, NULL);
    if (torch_is_asked(looker->question) && looks_on(looker))
        Py_RETURN_NONE; /* it may still use the callable */
    Py_XDECREF(looker->callable);
    looker->callable = is_set ? callable : NULL;
    Py_XINCREF(looker->callable);
    looker->may = is_set;
    torch_ask(looker->question, is_set ? ask : NULL);
    Py_RETURN_NONE;
}

/* torch_lines(callable or None): who names the line in which the first thread is. It gets 1. */
PyObject *torch_py_lines(PyObject *module, PyObject *callable)
{
    (void)module;
    return set_looker(&lines, callable, ask_line);
}

/* torch_still(callable or None): who looks where a process is that stands still. It gets 1, and 0
 * once the process goes on. */
PyObject *torch_py_still(PyObject *module, PyObject *callable)
{
    (void)module;
    return set_looker(&still, callable, ask_still);
}

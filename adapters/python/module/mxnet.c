/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * mxnet.c: module functions for MXNet (adapters/mxnet). */
#include "adapters/mxnet/mxnet.h"
#include "adapters/python/module/module.h"

static PyObject *words_or_none(const char *words)
{
    if (!words)
        Py_RETURN_NONE;
    return PyUnicode_FromString(words);
}

/* mxnet_find(): None, or the reason why the engine cannot be watched. */
PyObject *mxnet_py_find(PyObject *module, PyObject *unused)
{
    (void)module, (void)unused;
    return words_or_none(mxnet_find());
}

/* mxnet_attach(features): None, or the reason why not. */
PyObject *mxnet_py_attach(PyObject *module, PyObject *features)
{
    (void)module;
    unsigned long mask = PyLong_AsUnsignedLong(features);
    if (mask == (unsigned long)-1 && PyErr_Occurred())
        return NULL;
    proftop_py_on_adopt(mxnet_forked);
    return words_or_none(mxnet_attach((unsigned)mask));
}

PyObject *mxnet_py_detach(PyObject *module, PyObject *unused)
{
    (void)module, (void)unused;
    mxnet_detach();
    Py_RETURN_NONE;
}

/* mxnet_publish(): publishes the sums now. */
PyObject *mxnet_py_publish(PyObject *module, PyObject *unused)
{
    (void)module, (void)unused;
    mxnet_publish_queue();
    Py_RETURN_NONE;
}

/* mxnet_function_name(address, name): names a CachedOp or Executor. */
PyObject *mxnet_py_function_name(PyObject *module, PyObject *args)
{
    (void)module;
    unsigned long long address;
    const char *name;
    if (!PyArg_ParseTuple(args, "Ks", &address, &name))
        return NULL;
    mxnet_function_name((const void *)(uintptr_t)address, name);
    Py_RETURN_NONE;
}

/* mxnet_node_scope(address, node, scope): sets the scope of a node of a CachedOp. */
PyObject *mxnet_py_node_scope(PyObject *module, PyObject *args)
{
    (void)module;
    unsigned long long address;
    const char *node, *scope;
    if (!PyArg_ParseTuple(args, "Kss", &address, &node, &scope))
        return NULL;
    mxnet_node_scope((const void *)(uintptr_t)address, node, scope);
    Py_RETURN_NONE;
}

/* mxnet_state(): (active features, slots, slots that hold the library's own function, build). */
PyObject *mxnet_py_state(PyObject *module, PyObject *unused)
{
    (void)module, (void)unused;
    struct mxnet_slots slots = mxnet_slots();
    return Py_BuildValue("IIIs", mxnet_attached(), slots.all, slots.original, mxnet_build());
}

/* mxnet_custom_begin(name), mxnet_custom_end(): around the Python code of a custom operator. */
PyObject *mxnet_py_custom_begin(PyObject *module, PyObject *args)
{
    (void)module;
    const char *name;
    if (!PyArg_ParseTuple(args, "s", &name))
        return NULL;
    mxnet_custom_begin(name);
    Py_RETURN_NONE;
}
PyObject *mxnet_py_custom_end(PyObject *module, PyObject *unused)
{
    (void)module, (void)unused;
    mxnet_custom_end();
    Py_RETURN_NONE;
}

/* mxnet_set(op, calls, ns): sets an operator's sums from the profiler's table. */
PyObject *mxnet_py_set(PyObject *module, PyObject *args)
{
    (void)module;
    const char *op;
    unsigned long long calls, ns;
    if (!PyArg_ParseTuple(args, "sKK", &op, &calls, &ns))
        return NULL;
    mxnet_set(op, calls, ns);
    Py_RETURN_NONE;
}

/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * torch.c: module functions for PyTorch (adapters/torch). */
#include "adapters/torch/torch.h"
#include "adapters/python/module/module.h"

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

/* torch_attach(budget, event_ns): None, or the reason why not. */
PyObject *torch_py_attach(PyObject *module, PyObject *args)
{
    (void)module;
    double budget, event_ns;
    if (!PyArg_ParseTuple(args, "dd", &budget, &event_ns))
        return NULL;
    proftop_py_on_adopt(torch_forked);
    return words_or_none(torch_attach(budget, event_ns));
}

PyObject *torch_py_detach(PyObject *module, PyObject *unused)
{
    (void)module, (void)unused;
    torch_detach();
    Py_RETURN_NONE;
}

/* torch_publish(): publishes the sums now. */
PyObject *torch_py_publish(PyObject *module, PyObject *unused)
{
    (void)module, (void)unused;
    torch_publish();
    Py_RETURN_NONE;
}

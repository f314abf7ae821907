/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * control.c: the functions of proftop_control.h for Python (control.py). Each returns None, or an
 * error message. Each releases the GIL while it waits for the feed: the handle is safe to use after
 * a close. */
#include <stdlib.h>
#include <string.h>

#include "adapters/python/module/module.h"
#include "proftop_control.h"

static PyObject *sentence(const char *wrong)
{
    if (!wrong)
        Py_RETURN_NONE;
    return PyUnicode_DecodeUTF8(wrong, (Py_ssize_t)strlen(wrong), "replace");
}

/* control_config(pairs): a list of bytes, key, value, ... */
PyObject *control_config(PyObject *module, PyObject *pairs)
{
    (void)module;
    Py_ssize_t size = PyList_Check(pairs) ? PyList_Size(pairs) : -1;
    if (size < 0)
        return PyErr_Format(PyExc_TypeError, "the pairs are no list");
    const char **texts = calloc((size_t)size + 1, sizeof *texts);
    if (!texts)
        return PyErr_NoMemory();
    for (Py_ssize_t i = 0; i < size; i++) {
        char *text;
        if (PyBytes_AsStringAndSize(PyList_GetItem(pairs, i), &text, NULL) < 0) {
            free(texts);
            return NULL;
        }
        texts[i] = text;
    }
    PyObject *wrong = sentence(proftop_set_config(proftop_py_feed(), texts));
    free(texts);
    return wrong;
}

/* control_state(state, process) */
PyObject *control_state(PyObject *module, PyObject *args)
{
    (void)module;
    const char *state, *process;
    if (!PyArg_ParseTuple(args, "ss", &state, &process))
        return NULL;
    return sentence(proftop_set_state(proftop_py_feed(), state, process));
}

/* control_pause(process) */
PyObject *control_pause(PyObject *module, PyObject *args)
{
    (void)module;
    const char *process;
    if (!PyArg_ParseTuple(args, "s", &process))
        return NULL;
    return sentence(proftop_pause(proftop_py_feed(), process));
}

/* control_resume(process) */
PyObject *control_resume(PyObject *module, PyObject *args)
{
    (void)module;
    const char *process;
    if (!PyArg_ParseTuple(args, "s", &process))
        return NULL;
    return sentence(proftop_resume(proftop_py_feed(), process));
}

/* control_dump(finished, process) */
PyObject *control_dump(PyObject *module, PyObject *args)
{
    (void)module;
    int finished;
    const char *process, *wrong;
    if (!PyArg_ParseTuple(args, "ps", &finished, &process))
        return NULL;
    struct proftop *feed = proftop_py_feed();
    Py_BEGIN_ALLOW_THREADS wrong = proftop_dump(feed, finished, process);
    Py_END_ALLOW_THREADS return sentence(wrong);
}

/* control_dumps(reset, format, sort_by, ascending): (text or None, sentence or None) */
PyObject *control_dumps(PyObject *module, PyObject *args)
{
    (void)module;
    struct proftop_dumps_options options = {.size = sizeof options};
    if (!PyArg_ParseTuple(args, "issi", &options.reset, &options.format, &options.sort_by,
                          &options.ascending))
        return NULL;
    struct proftop *feed = proftop_py_feed();
    const char *wrong;
    char *text = NULL;
    Py_BEGIN_ALLOW_THREADS wrong = proftop_dumps(feed, &options, &text);
    Py_END_ALLOW_THREADS PyObject *error = sentence(wrong);
    PyObject *given = sentence(text);
    free(text);
    return error && given ? Py_BuildValue("(NN)", given, error) : NULL;
}

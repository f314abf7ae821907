/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * details.c: sends phases of compilations, and inputs and outputs of nodes, for Python. */
#include <stdlib.h>
#include <string.h>

#include "adapters/python/module/module.h"
#include "proftop_adapter.h"

enum { RANK_MAX = 32, VALUES_MAX = 1024 };

static enum proftop_phase_kind kind_of(const char *word)
{
    static const char *const words[] = {[PROFTOP_PHASE_REWRITE] = "rewrite",
                                        [PROFTOP_PHASE_LINK] = "link",
                                        [PROFTOP_PHASE_CODEGEN] = "codegen",
                                        [PROFTOP_PHASE_THUNKS] = "thunks"};
    for (unsigned i = 0; i < sizeof words / sizeof words[0]; i++)
        if (words[i] && strcmp(words[i], word) == 0)
            return (enum proftop_phase_kind)i;
    return PROFTOP_PHASE_OTHER;
}

/* Converts a number; None: unknown. The caller checks for an exception. */
static uint64_t known(PyObject *number)
{
    return number == Py_None ? PROFTOP_UNKNOWN : PyLong_AsUnsignedLongLong(number);
}

/* phase_begin(function, parent, kind, name, nodes): returns the id of a phase. `parent` and `nodes`
 * (the number of nodes) may be None. */
PyObject *send_phase_begin(PyObject *module, PyObject *args)
{
    (void)module;
    const char *name, *kind;
    unsigned function;
    PyObject *parent, *count;
    if (!PyArg_ParseTuple(args, "IOssO", &function, &parent, &kind, &name, &count))
        return NULL;
    uint64_t nodes = known(count);
    proftop_id above = parent == Py_None ? PROFTOP_NONE : (proftop_id)PyLong_AsUnsignedLong(parent);
    if (PyErr_Occurred())
        return NULL;
    return PyLong_FromUnsignedLong(
        proftop_phase_begin(proftop_py.feed, function, above, kind_of(kind), name, nodes));
}

/* phase_end(phase, validate_ns, nodes): the last two may be None. */
PyObject *send_phase_end(PyObject *module, PyObject *args)
{
    (void)module;
    unsigned long phase;
    PyObject *validate, *count;
    if (!PyArg_ParseTuple(args, "kOO", &phase, &validate, &count))
        return NULL;
    uint64_t nodes = known(count);
    uint64_t ns = known(validate);
    if (PyErr_Occurred())
        return NULL;
    if (phase != PROFTOP_NONE) /* else the feed had no space for it */
        proftop_phase_end(proftop_py.feed, (proftop_id)phase, ns, nodes);
    Py_RETURN_NONE;
}

/* phase(function, kind, name, ns): reports a call of a phase that has ended and took `ns`. */
PyObject *send_phase(PyObject *module, PyObject *args)
{
    (void)module;
    const char *name, *kind;
    unsigned function;
    unsigned long long ns;
    if (!PyArg_ParseTuple(args, "IssK", &function, &kind, &name, &ns))
        return NULL;
    const struct proftop_phase_times times = {.size = sizeof times,
                                              .calls = 1,
                                              .total_ns = ns,
                                              .validate_ns = PROFTOP_UNKNOWN,
                                              .nodes_before = PROFTOP_UNKNOWN,
                                              .nodes_after = PROFTOP_UNKNOWN};
    proftop_phase(proftop_py.feed, function, PROFTOP_NONE, kind_of(kind), name, &times);
    Py_RETURN_NONE;
}

/* Reads a tuple of sizes; None: unknown. */
static int take_shape(PyObject *shape, struct proftop_value_info *value, uint64_t *sizes)
{
    value->rank = PROFTOP_NONE;
    if (shape == Py_None)
        return 1;
    Py_ssize_t rank = PyTuple_Size(shape);
    if (rank < 0 || rank > RANK_MAX)
        return rank >= 0;
    for (Py_ssize_t i = 0; i < rank; i++)
        sizes[i] = PyLong_AsUnsignedLongLong(PyTuple_GetItem(shape, i));
    if (PyErr_Occurred())
        return 0;
    value->rank = (uint32_t)rank;
    value->shape = sizes;
    return 1;
}

/* Reads a tuple of strides, one for each size; None: unknown. */
static int take_strides(PyObject *strides, struct proftop_value_info *value, int64_t *steps)
{
    if (strides == Py_None)
        return 1;
    Py_ssize_t rank = PyTuple_Size(strides);
    if (rank < 0 || rank != (Py_ssize_t)value->rank)
        return rank >= 0;
    for (Py_ssize_t i = 0; i < rank; i++)
        steps[i] = PyLong_AsLongLong(PyTuple_GetItem(strides, i));
    if (PyErr_Occurred())
        return 0;
    value->strides = steps;
    return 1;
}

/* The axes of one value. */
struct axes {
    uint64_t size[RANK_MAX];
    int64_t step[RANK_MAX];
};

/* Reads (dtype, shape, bytes, source, output, alias, result, strides); the first four and the last
 * may be None. */
static int take_value(PyObject *tuple, struct proftop_value_info *value, struct axes *axes)
{
    PyObject *shape, *bytes, *source, *strides;
    unsigned output, alias, result;
    if (!PyArg_ParseTuple(tuple, "zOOOIIIO", &value->dtype, &shape, &bytes, &source, &output,
                          &alias, &result, &strides))
        return 0;
    value->bytes = known(bytes);
    value->source_plus_1 = source == Py_None ? 0 : (uint32_t)PyLong_AsUnsignedLong(source) + 1;
    value->output = output;
    value->alias = alias;
    value->result_plus_1 = result;
    return !PyErr_Occurred() && take_shape(shape, value, axes->size) &&
           take_strides(strides, value, axes->step);
}

/* detail(apply, inputs, outputs, thunk_ns, rewrite, library, flops): inputs and outputs are tuples
 * of tuples; the last four may be None. */
PyObject *send_detail(PyObject *module, PyObject *args)
{
    (void)module;
    struct proftop_apply_detail_info info = PROFTOP_APPLY_DETAIL;
    PyObject *inputs, *outputs, *ready, *flops;
    unsigned apply;
    if (!PyArg_ParseTuple(args, "IO!O!OzzO", &apply, &PyTuple_Type, &inputs, &PyTuple_Type,
                          &outputs, &ready, &info.rewrite, &info.library, &flops))
        return NULL;
    info.thunk_ns = known(ready);
    info.flops = known(flops);
    if (PyErr_Occurred())
        return NULL;
    Py_ssize_t in = PyTuple_Size(inputs), n = in + PyTuple_Size(outputs);
    if (n > VALUES_MAX)
        Py_RETURN_NONE;
    struct proftop_value_info *value = calloc((size_t)n + 1, sizeof *value);
    struct axes *axes = calloc((size_t)n + 1, sizeof *axes);
    int good = value != NULL && axes != NULL;
    for (Py_ssize_t i = 0; good && i < n; i++)
        good = take_value(i < in ? PyTuple_GetItem(inputs, i) : PyTuple_GetItem(outputs, i - in),
                          &value[i], &axes[i]);
    if (good) {
        info.input = value;
        info.inputs = (uint32_t)in;
        info.output = value + in;
        info.outputs = (uint32_t)(n - in);
        proftop_apply_detail(proftop_py.feed, apply, &info);
    }
    free(value);
    free(axes);
    if (!good)
        return PyErr_Occurred() ? NULL : PyErr_NoMemory();
    Py_RETURN_NONE;
}

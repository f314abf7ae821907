/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * wrap.h: callables that replace the framework's own. Other adapters make some as well. */
#ifndef PROFTOP_THEANO_WRAP_H
#define PROFTOP_THEANO_WRAP_H

#include "adapters/common/state.h"

struct wrap;
typedef PyObject *wrap_run_fn(struct wrap *self, PyObject *args, PyObject *kwargs);

struct wrap {
    PyObject_HEAD PyObject *wrapped; /* the framework's callable; attribute access goes to it */
    PyObject *before;                /* before(args, kwargs), or NULL */
    PyObject *after;                 /* after(args, ok, ns), or NULL */
    ternaryfunc raw;                 /* the C function behind `wrapped`, or NULL */
    PyObject *vm;                    /* attribute of a function that holds its VM, or NULL */
    wrap_run_fn *run;
};

/* Makes a wrapper that calls run(). It has no hooks yet. A new reference; NULL: an error is set. */
struct wrap *wrap_new(PyObject *wrapped, wrap_run_fn *run);

#endif

/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * novm.c: counts calls of functions without a VM, by their first and last nodes. */
#include <stdlib.h>

#include "adapters/theano/call.h"

/* alone(): counts from the next call on. */
PyObject *novm_start(PyObject *self, PyObject *unused)
{
    (void)unused;
    ((struct graph *)self)->novm = 1;
    Py_RETURN_NONE;
}

void novm_begin(struct graph *graph)
{
    if (proftop_py_between)
        novm_leave();
    if (proftop_py_running == graph || graph->function == PROFTOP_NONE || !proftop_py_feed())
        return;
    struct call *call = malloc(sizeof *call);
    if (!call)
        return;
    Py_INCREF((PyObject *)graph);
    call_begin(call, graph);
    proftop_py_between = call;
}

void novm_end(struct graph *graph, int good)
{
    struct call *call = proftop_py_between;
    if (!call || call->graph != graph)
        return;
    proftop_py_between = NULL;
    if (good && proftop_py_turn)
        turn_step(call->token.start);
    call_finish(call, good ? proftop_call_end : proftop_call_fail);
    free(call);
}

void novm_stop(struct graph *graph)
{
    graph->novm = 0;
    if (proftop_py_between && proftop_py_between->graph == graph)
        novm_leave();
}

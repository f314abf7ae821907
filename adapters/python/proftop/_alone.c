/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * _alone.c: counts calls of functions without a VM, by their first and last nodes. */
#include <stdlib.h>

#include "adapters/python/proftop/_call.h"

PER_THREAD struct call *proftop_py_between;

/* alone(): counts from the next call on. */
PyObject *alone_start(PyObject *self, PyObject *unused)
{
    (void)unused;
    ((struct graph *)self)->alone = 1;
    Py_RETURN_NONE;
}

/* Ends a call that was left. Its caller may have ended since and have reset the running graph. */
__attribute__((cold, noinline)) void alone_leave(void)
{
    struct call *call = proftop_py_between;
    struct graph *running = proftop_py_running;
    if (running == call->graph)
        running = call->outer;
    proftop_py_between = NULL;
    call_finish(call, proftop_call_fail);
    proftop_py_running = running;
    free(call);
}

void alone_begin(struct graph *graph)
{
    if (proftop_py_between)
        alone_leave();
    if (proftop_py_running == graph || graph->function == PROFTOP_NONE || !proftop_py_feed())
        return;
    struct call *call = malloc(sizeof *call);
    if (!call)
        return;
    Py_INCREF((PyObject *)graph);
    call_begin(call, graph);
    proftop_py_between = call;
}

void alone_end(struct graph *graph, int good)
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

void alone_stop(struct graph *graph)
{
    graph->alone = 0;
    if (proftop_py_between && proftop_py_between->graph == graph)
        alone_leave();
}

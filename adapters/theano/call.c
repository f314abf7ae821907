/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * call.c: the calls that a thread is in. */
#include <stdlib.h>

#include "adapters/theano/call.h"

PER_THREAD struct graph *proftop_py_running;
PER_THREAD struct call *proftop_py_between;

int proftop_py_is_running(proftop_id function)
{
    return proftop_py_running && proftop_py_running->function == function;
}

/* Ends a call that was left. Its caller may have ended since and have reset the running graph. */
__attribute__((cold, noinline)) void novm_leave(void)
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

void call_inspect(struct call *call)
{
    struct proftop *feed = proftop_py.feed;
    const proftop_id function = call->graph->function;
    proftop_call_fail(feed, function, call->token);
    call->looks = inspect_begin(call->graph);
    call->token = proftop_call_begin(feed, function);
}

/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * call.h: a counted call of a function, from its begin to its end. */
#ifndef PROFTOP_THEANO_CALL_H
#define PROFTOP_THEANO_CALL_H

#include "adapters/theano/theano.h"
#include "adapters/theano/bypass.h"

/* A counted call, on the stack of the thread that runs it. */
struct call {
    struct graph *graph, *outer; /* the graph that the call runs inside */
    struct proftop_token token;
    unsigned feeds; /* number of the feed in which the call began */
    unsigned stops; /* number of call_go_on() until its clock runs again */
    int looks;
    int partial; /* the job asked for some of the results only: perhaps no node runs */
    int ended;   /* the call has been counted */
};
typedef void end_call(struct proftop *feed, proftop_id function, struct proftop_token token);

/* Prepares an inspection. The time for it is no part of the call's time. */
__attribute__((cold, noinline)) void call_inspect(struct call *call);

/* Steals the reference to the graph. */
static inline void call_begin(struct call *call, struct graph *graph)
{
    if (proftop_py_between)
        novm_leave();
    bypass_settle(graph);
    call->graph = graph;
    call->outer = proftop_py_running;
    call->feeds = proftop_py.feeds;
    call->stops = 0;
    call->looks = 0;
    call->partial = 0;
    call->ended = 0;
    proftop_py_running = graph;
    if (call->outer)
        call->outer->never_bypass = 1;
    call->token = proftop_call_begin(proftop_py.feed, graph->function);
    if (inspect_is_due(graph, call->token.start))
        call_inspect(call);
}

static inline void call_count(struct call *call, end_call *end)
{
    if (!call->ended && call->feeds == proftop_py.feeds)
        end(proftop_py.feed, call->graph->function, call->token);
    call->ended = 1;
}

static inline void call_finish(struct call *call, end_call *end)
{
    call_count(call, end);
    if (call->looks)
        inspect_end(call->graph, !call->partial);
    proftop_py_running = call->outer;
    if (bypass_pending && !call->outer)
        bypass_count_all();
    Py_DECREF((PyObject *)call->graph);
}

#endif

/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * bypass.h: runs untimed calls without the adapter's clocks (bypass.c). */
#ifndef PROFTOP_THEANO_BYPASS_H
#define PROFTOP_THEANO_BYPASS_H

#include "adapters/theano/theano.h"

/* The nodes of a C VM as they were before they were exchanged. */
struct bypass {
    Py_ssize_t tables, list; /* words of the VM: the first of its two tables, its list of thunks */
    void **runs, **datas;    /* copies of the original tables; NULL: the VM is never switched */
    PyObject *thunks;        /* a copy of the original list; NULL: the list is not patched */
    PyObject *patched;       /* the patched list, borrowed from the VM */
    proftop_id *applies;
    PyObject *vm;        /* the VM that runs by the copies now, or NULL; reset before it is freed */
    unsigned inside;     /* running calls, */
    unsigned forks;      /* in the process with this number of forks */
    uint32_t left;       /* coming calls that pass unbegun; 0 without `vm`. They pass only */
    struct graph *outer; /* inside calls of this graph (a pointer that is only compared), */
    uint64_t let_ns;     /* and soon after this time */
    uint64_t passes;     /* calls that have passed and are not yet counted at the nodes, */
    uint64_t unbegun;    /* and those of them that are not yet counted as calls, */
    unsigned feeds;      /* in the feed with this number */
    struct graph *next;  /* next graph that has such calls */
};

/* At most BYPASS_LEFT_MOST calls pass unbegun in a row. Every BYPASS_ASKS-th of them checks whether
 * calls have become slow. If so, calls are begun again, so that viewers lag no further behind. */
enum { BYPASS_LEFT_MOST = 63, BYPASS_ASKS = 8, BYPASS_NS = 5000000 };

/* The first graph with calls to be counted at its nodes, or NULL. */
extern struct graph *bypass_pending;
/* Forks between the first process and this one. */
extern unsigned bypass_forks;

/* How a call runs. */
enum bypass_way {
    BYPASS_NONE,    /* this VM has only one way */
    BYPASS_WATCHED, /* nodes count themselves */
    BYPASS_PASSES,  /* nodes do not: the call must be counted at each node later */
};

/* Copies the tables and the thunks, if all nodes run in each call. Call it before they are
 * exchanged. `tables`: the word of the VM. Does without whatever it cannot get. */
void bypass_start(struct graph *graph, PyObject *vm, Py_ssize_t tables, PyObject *thunks);
/* Ends the switching, before the tables are restored. A running call is not disturbed. `thunks` is
 * the list that the VM shows. Returns the list that the VM has when it runs by none of the copies.
 * Both are borrowed. */
PyObject *bypass_stop(struct graph *graph, PyObject *thunks);
void bypass_free(struct graph *graph);
/* Counts the calls that have passed, of one graph or of all. A pause keeps them for later. From
 * then on no call passes unbegun. */
void bypass_count(struct graph *graph);
void bypass_count_all(void);
/* Drops the passed calls in a forked child: they belong to the parent, as do the threads that were
 * in calls. */
void bypass_forget_all(void);

void bypass_switch(struct graph *graph, PyObject *vm);
void bypass_switch_back(struct graph *graph);
/* Resets the state at the VM's first call in a forked child. */
void bypass_anew(struct graph *graph);
int bypass_pass(struct graph *graph); /* returns 1 if the call is counted later */

/* True if the VM now runs the framework's own tables, so that it begins no node of the adapter. */
static inline int bypass_is_on(const struct graph *graph)
{
    return graph && graph->bypass && graph->bypass->vm;
}

/* True if the feed takes no counts now but may do so again. */
static inline int bypass_is_paused(const struct proftop *feed)
{
    return __atomic_load_n(&((const struct proftop_front *)feed)->on, __ATOMIC_ACQUIRE) == 0;
}

/* A call of the function begins, and it may be timed. That depends on the number of earlier calls,
 * and its nodes are to be counted. So this counts the passed calls first. */
static inline void bypass_settle(struct graph *graph)
{
    const struct bypass *bypass = graph->bypass;
    if (!bypass)
        return;
    if (bypass->forks != bypass_forks)
        bypass_anew(graph);
    if ((bypass->passes || bypass->vm) && !bypass->inside)
        bypass_count(graph);
}

/* Begins a call of the VM, after bypass_rest(). `untimed`: its nodes need not be timed. While
 * several threads are in calls of one VM, all go the way of the first. */
static inline enum bypass_way bypass_enter(struct graph *graph, PyObject *vm, int untimed)
{
    struct bypass *bypass = graph->bypass;
    if (!bypass)
        return BYPASS_NONE;
    if (!bypass->inside++ && untimed && !graph->never_bypass)
        bypass_switch(graph, vm);
    return bypass->vm ? BYPASS_PASSES : BYPASS_WATCHED;
}

/* This call is not timed, and runs by the VM's own tables. Lets the next `left` calls of the VM
 * inside `outer` run so too, without a begin: they are known to be untimed. */
static inline void bypass_allow(struct graph *graph, enum bypass_way way, struct graph *outer,
                                uint32_t left)
{
    if (way != BYPASS_PASSES || !left)
        return;
    graph->bypass->outer = outer;
    graph->bypass->left = left;
    graph->bypass->let_ns = clock_ns();
}

/* True if a call of the graph's VM inside a call of `outer` passes unbegun. Needs a feed. */
static inline int bypass_is_allowed(const struct graph *graph, const struct graph *outer)
{
    const struct bypass *bypass = graph->bypass;
    return bypass && bypass->left && bypass->outer == outer && bypass->forks == bypass_forks &&
           !graph->never_bypass && !bypass_is_paused(proftop_py.feed);
}

/* Ends a call. `whole`: it ended normally, so each node has run. Else it is not known which nodes
 * ran, so the VM is not switched again. `feeds`: number of the feed in which the call began.
 * Returns 1 if the call has passed and is counted later. */
static inline int bypass_leave(struct graph *graph, enum bypass_way way, int whole, unsigned feeds)
{
    struct bypass *bypass = graph->bypass;
    if (way == BYPASS_NONE)
        return 0;
    const int passed =
        way == BYPASS_PASSES && whole && feeds == proftop_py.feeds && bypass_pass(graph);
    if (!passed)
        bypass->left = 0;
    if (way == BYPASS_PASSES && !whole)
        graph->never_bypass = 1;
    if (bypass->inside && !--bypass->inside && bypass->vm && !bypass->left)
        bypass_switch_back(graph);
    return passed;
}

/* Begins a call that passes unbegun. */
static inline void bypass_enter_unbegun(struct graph *graph)
{
    graph->bypass->left--;
    graph->bypass->inside++;
}

/* Ends a call that passed unbegun. Returns 1 if such calls have become slow. */
static inline int bypass_leave_unbegun(struct graph *graph, int whole, unsigned feeds)
{
    struct bypass *bypass = graph->bypass;
    const int slow = bypass->left % BYPASS_ASKS == 0 && clock_ns() - bypass->let_ns > BYPASS_NS;
    if (slow)
        bypass->left = 0;
    const int passed = bypass_leave(graph, BYPASS_PASSES, whole, feeds);
    bypass->unbegun += (uint64_t)passed;
    return slow;
}

#endif

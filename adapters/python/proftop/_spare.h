/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * _spare.h: lets calls that are not timed run as if nobody looked at their nodes (_spare.c).
 */
#ifndef PROFTOP_PYTHON_SPARE_H
#define PROFTOP_PYTHON_SPARE_H

#include "_feed.h"

/* How a C VM ran its nodes before they were exchanged for ours. */
struct spare {
    Py_ssize_t tables, list; /* words of the VM: the first of its two tables, its list of thunks */
    void **runs, **datas;    /* copies of the tables as they were; NULL: the VM is left alone */
    PyObject *thunks;        /* a copy of the list; NULL: nothing of ours is in there */
    PyObject *patched;       /* the list itself, borrowed from the VM */
    proftop_id *applies;
    PyObject *vm;       /* which runs by these copies now, borrowed from who calls it; or NULL */
    unsigned inside;    /* calls that are under way, */
    unsigned forks;     /* in the process that had so many ancestors */
    uint64_t passes;    /* calls that ran so, and are not counted at its nodes yet, */
    unsigned feeds;     /* of the feed with this number */
    struct graph *next; /* which has such calls, too */
};

/* The first graph that has calls to be counted at its nodes, or NULL. */
extern struct graph *spare_pending;
/* How often a process was forked on the way from the first to this one. */
extern unsigned spare_forks;

/* How a call runs. */
enum spare_way {
    SPARE_NONE,   /* there is one way alone */
    SPARE_WATCHED, /* nodes count themselves */
    SPARE_PASSES, /* they do not: the call has to be counted at each of them */
};

/* Before the tables and the thunks are exchanged: copies them, if all nodes run in each call.
 * `tables`: the word of the VM. What cannot be had is done without. */
void spare_start(struct graph *graph, PyObject *vm, Py_ssize_t tables, PyObject *thunks);
/* Before they are put back, which a call that is under way does not mind. `thunks` is the list that
 * the VM shows; gives the one that it has when it runs by none of these copies. Both borrowed. */
PyObject *spare_stop(struct graph *graph, PyObject *thunks);
void spare_free(struct graph *graph);
/* Counts at the nodes what has passed, of one graph or of all. A pause keeps it for later. */
void spare_count(struct graph *graph);
void spare_count_all(void);
/* In a forked child: what has passed is its parent's, and so are the threads that were in calls. */
void spare_forget_all(void);

void spare_switch(struct graph *graph, PyObject *vm);
void spare_switch_back(struct graph *graph);
/* The first call of the VM in a forked child. */
void spare_anew(struct graph *graph);
void spare_pass(struct graph *graph);

/* Whether its VM runs as the framework made it now, so that no node of ours is begun there. */
static inline int spare_is_on(const struct graph *graph)
{
    return graph && graph->spare && graph->spare->vm;
}

/* A call of the VM begins. `untimed`: its nodes need not be timed. While several threads are in
 * calls of one VM, all go the way of the first. */
static inline enum spare_way spare_enter(struct graph *graph, PyObject *vm, int untimed)
{
    struct spare *spare = graph->spare;
    if (!spare)
        return SPARE_NONE;
    if (spare->forks != spare_forks)
        spare_anew(graph);
    if (!spare->inside++ && untimed && !graph->watched)
        spare_switch(graph, vm);
    if (spare->passes && !spare->vm)
        spare_count(graph);
    return spare->vm ? SPARE_PASSES : SPARE_WATCHED;
}

/* It has ended; `whole`: in order, so that each node has run. Else nobody knows which of them have,
 * and so it should not happen again. `feeds`: the feed in which it began, by its number. */
static inline void spare_leave(struct graph *graph, enum spare_way way, int whole, unsigned feeds)
{
    struct spare *spare = graph->spare;
    if (way == SPARE_NONE)
        return;
    if (spare->inside && !--spare->inside && spare->vm)
        spare_switch_back(graph);
    if (way != SPARE_PASSES)
        return;
    if (!whole)
        graph->watched = 1;
    else if (feeds == proftop_py.feeds)
        spare_pass(graph);
}

#endif

/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * _spare.h: lets calls that are not timed run as if nobody looked at them (_spare.c).
 */
#ifndef PROFTOP_PYTHON_SPARE_H
#define PROFTOP_PYTHON_SPARE_H

#include "adapters/python/proftop/_feed.h"

/* How a C VM ran its nodes before they were exchanged for ours. */
struct spare {
    Py_ssize_t tables, list; /* words of the VM: the first of its two tables, its list of thunks */
    void **runs, **datas;    /* copies of the tables as they were; NULL: the VM is left alone */
    PyObject *thunks;        /* a copy of the list; NULL: nothing of ours is in there */
    PyObject *patched;       /* the list itself, borrowed from the VM */
    proftop_id *applies;
    PyObject *vm;        /* which runs by these copies now, or NULL. Before it goes we let it go */
    unsigned inside;     /* calls that are under way, */
    unsigned forks;      /* in the process that had so many ancestors */
    uint32_t left;       /* calls to come that run so, and are not begun; 0 unless there is `vm`, */
    struct graph *outer; /* if they are inside calls of this one, which is only compared, */
    uint64_t let_ns;     /* and soon after this time */
    uint64_t passes;     /* calls that ran so, and are not counted at its nodes yet, */
    uint64_t unbegun;    /* and those of them that are not counted as calls either, */
    unsigned feeds;      /* of the feed with this number */
    struct graph *next;  /* which has such calls, too */
};

/* So many pass unbegun in a row, at most. Of each so many the last one asks whether they have
 * become slow: then they are begun, and what is shown of them lags behind no further. */
enum { SPARE_LEFT_MOST = 63, SPARE_ASKS = 8, SPARE_NS = 5000000 };

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
/* Counts what has passed, of one graph or of all. A pause keeps it for later. None passes unbegun
 * from then on. */
void spare_count(struct graph *graph);
void spare_count_all(void);
/* In a forked child: what has passed is its parent's, and so are the threads that were in calls. */
void spare_forget_all(void);

void spare_switch(struct graph *graph, PyObject *vm);
void spare_switch_back(struct graph *graph);
/* The first call of the VM in a forked child. */
void spare_anew(struct graph *graph);
int spare_pass(struct graph *graph); /* gives whether it is counted later */

/* Whether its VM runs as the framework made it now, so that no node of ours is begun there. */
static inline int spare_is_on(const struct graph *graph)
{
    return graph && graph->spare && graph->spare->vm;
}

/* The feed takes no counts now, but may do so again. */
static inline int spare_is_paused(const struct proftop *feed)
{
    return __atomic_load_n(&((const struct proftop_front *)feed)->on, __ATOMIC_ACQUIRE) == 0;
}

/* A call of the function begins, of which it is not known whether it is timed: that is asked by how
 * many there were, and its nodes are to be counted. */
static inline void spare_rest(struct graph *graph)
{
    const struct spare *spare = graph->spare;
    if (!spare)
        return;
    if (spare->forks != spare_forks)
        spare_anew(graph);
    if ((spare->passes || spare->vm) && !spare->inside)
        spare_count(graph);
}

/* A call of the VM begins, behind spare_rest(). `untimed`: its nodes need not be timed. While
 * several threads are in calls of one VM, all go the way of the first. */
static inline enum spare_way spare_enter(struct graph *graph, PyObject *vm, int untimed)
{
    struct spare *spare = graph->spare;
    if (!spare)
        return SPARE_NONE;
    if (!spare->inside++ && untimed && !graph->watched)
        spare_switch(graph, vm);
    return spare->vm ? SPARE_PASSES : SPARE_WATCHED;
}

/* Lets so many calls pass behind the one that has this way, inside calls of `outer`. */
static inline void spare_let(struct graph *graph, enum spare_way way, struct graph *outer,
                             uint32_t left)
{
    if (way != SPARE_PASSES || !left)
        return;
    graph->spare->outer = outer;
    graph->spare->left = left;
    graph->spare->let_ns = clock_ns();
}

/* Whether a call of the graph's VM inside one of `outer` passes unbegun. There is a feed. */
static inline int spare_lets(const struct graph *graph, const struct graph *outer)
{
    const struct spare *spare = graph->spare;
    return spare && spare->left && spare->outer == outer && spare->forks == spare_forks &&
           !graph->watched && !spare_is_paused(proftop_py.feed);
}

/* It has ended; `whole`: in order, so that each node has run. Else nobody knows which of them have,
 * and so it should not happen again. `feeds`: the feed in which it began, by its number. Gives
 * whether it has passed, and is counted later. */
static inline int spare_leave(struct graph *graph, enum spare_way way, int whole, unsigned feeds)
{
    struct spare *spare = graph->spare;
    if (way == SPARE_NONE)
        return 0;
    const int passed =
        way == SPARE_PASSES && whole && feeds == proftop_py.feeds && spare_pass(graph);
    if (!passed)
        spare->left = 0;
    if (way == SPARE_PASSES && !whole)
        graph->watched = 1;
    if (spare->inside && !--spare->inside && spare->vm && !spare->left)
        spare_switch_back(graph);
    return passed;
}

/* One that passes unbegun. */
static inline void spare_enter_unbegun(struct graph *graph)
{
    graph->spare->left--;
    graph->spare->inside++;
}

/* Gives whether such calls have become slow. */
static inline int spare_leave_unbegun(struct graph *graph, int whole, unsigned feeds)
{
    struct spare *spare = graph->spare;
    const int slow = spare->left % SPARE_ASKS == 0 && clock_ns() - spare->let_ns > SPARE_NS;
    if (slow)
        spare->left = 0;
    const int passed = spare_leave(graph, SPARE_PASSES, whole, feeds);
    spare->unbegun += (uint64_t)passed;
    return slow;
}

#endif

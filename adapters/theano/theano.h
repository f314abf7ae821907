/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * theano.h: the adapter of Theano and its successors: declarations that its files share.
 * Every function here runs with the GIL held and releases the GIL only to wait. Exceptions: the two
 * functions that compiled code calls (marks.c), and the function that opens a feed for them in a
 * forked child. So the state below stays consistent. The limited API, which the extension uses,
 * does not exist for builds of Python without a GIL. */
#ifndef PROFTOP_THEANO_H
#define PROFTOP_THEANO_H

#include <string.h>

#include "adapters/common/state.h"
#include "proftop_adapter.h"

/* Sits between the C VM and one node: the VM calls node_run() with it. */
struct node {
    void *error; /* first word of the node's own data: the VM reads it after a failure */
    int (*run)(void *);
    void *data;
    proftop_id apply;
};

/* One compiled function: its row in the feed and, when the C VM runs it, its patched tables. */
struct graph {
    /* Fields that each call reads come first, in as few cache lines as possible. */
    PyObject_HEAD proftop_id function; /* PROFTOP_NONE until it is defined */
    int never_bypass;      /* in each call: another function ran in a call, or a call failed */
    PyObject *define;      /* called before the first call of a function not yet defined, or NULL */
    struct bypass *bypass; /* how the VM runs untimed calls (bypass.c), or NULL */
    struct tally *tally;   /* counts its nodes by the VM's own lists (tally.c), or NULL */
    void **runs;           /* the VM's tables, or NULL; they live as long as the VM */
    void **datas;
    Py_ssize_t n_nodes;
    struct node *nodes;
    int (*node_run[2])(void *); /* run a node with C code; [1]: with inspection of its values */
    int novm;                   /* the adapter does not wrap its calls (novm.c) */
    /* Inspection of values (inspect.c). */
    PyObject *cells;    /* each node's lists of storage cells; NULL: values are not inspected */
    PyObject *describe; /* callable that takes `seen` */
    PyObject *seen;     /* values of the inspected call */
    int inspecting;
    unsigned inspect_forks;            /* number of forks in the process that inspects */
    uint64_t inspect_at, inspect_cost; /* ns: earliest next inspection; spent on this one */
    uint64_t inspect_later;            /* state of may_be_later() */
};

/* True if the VM runs node i, which has C code, by one of the adapter's functions. */
static inline int graph_is_ours(const struct graph *graph, Py_ssize_t i)
{
    return memcmp(&graph->runs[i], &graph->node_run[0], sizeof graph->runs[i]) == 0 ||
           memcmp(&graph->runs[i], &graph->node_run[1], sizeof graph->runs[i]) == 0;
}

struct call; /* a counted call (call.h) */

/* The graph whose function this thread calls. Calls of its VM are part of that function call. */
extern PER_THREAD struct graph *proftop_py_running;

/* graph.c: the nodes of a VM. */
int graph_types(void);
PyObject *steps_set(PyObject *module, PyObject *args);
PyObject *watch_add(PyObject *module, PyObject *args);
PyObject *watch_get(PyObject *module, PyObject *object);

/* steps.c: a call of a node with steps, on the stack of the thread that runs it. */
struct turn {
    proftop_id apply;
    uint64_t step;    /* steps that have ended */
    uint64_t steps;   /* total, or PROFTOP_UNKNOWN */
    uint64_t reported_ns; /* time of the last report */
    uint64_t later;       /* state of may_be_later() */
};
/* The turn of the node that this thread runs; NULL: the node has no steps. */
extern PER_THREAD struct turn *proftop_py_turn;
void turn_begin(struct turn *turn, proftop_id apply, PyObject *cell);
void turn_send(struct turn *turn); /* unless the last report is recent */
/* Ends a step of this thread's turn. `stamp`: start of the step. */
static inline void turn_step(uint64_t stamp)
{
    struct turn *turn = proftop_py_turn;
    turn->step++;
    if (may_be_later(stamp, &turn->later))
        turn_send(turn);
}
void turn_end(struct turn *turn);
/* Reports the progress of a Scan: `step` of `steps`, or of PROFTOP_UNKNOWN. Needs no GIL once the
 * metrics of the feed are declared. */
enum { REPORT_NS = 10000000 }; /* minimum interval: viewers cannot ask more often */
void steps_declare(void);
void steps_report(proftop_id apply, uint64_t step, uint64_t steps);

/* tally.c: counts nodes by the VM's own lists. Called around each call of a VM that has a
 * tally. */
PyObject *tally_start(PyObject *graph, PyObject *args);
void tally_note(struct tally *tally); /* reads the lists before a call */
void tally_take(struct tally *tally); /* reads the lists after a call */
void tally_free(struct graph *graph);
static inline void tally_begin(const struct graph *graph)
{
    if (graph->tally)
        tally_note(graph->tally);
}
static inline void tally_end(const struct graph *graph)
{
    if (graph->tally)
        tally_take(graph->tally);
}

/* inspect.c: inspection of values. */
PyObject *inspect_start(PyObject *graph, PyObject *args);
void inspect_stop(struct graph *graph);
PyObject *inspect_leave(PyObject *graph, PyObject *unused);
int inspect_is_time(const struct graph *graph);
/* Resets the inspection in a forked child: another thread, which the child lacks, may have begun
 * it. */
void inspect_anew(struct graph *graph);
/* True if the call that began at this stamp is to be inspected. */
static inline int inspect_is_due(struct graph *graph, uint64_t stamp)
{
    if (graph->inspecting)
        inspect_anew(graph);
    return graph->cells && may_be_later(stamp, &graph->inspect_later) && inspect_is_time(graph);
}
/* Begins the inspection. Returns 0 if out of memory; else inspect_end() ends it. */
int inspect_begin(struct graph *graph);
/* Passes the seen values to the adapter, and reports the time spent. `whole`: the call computed all
 * of its results. */
void inspect_end(struct graph *graph, int whole);
/* Takes the inputs of a node before it runs, since it may overwrite them. A new reference, or
 * NULL. */
PyObject *inspect_inputs(struct graph *graph, Py_ssize_t i);
/* Takes the outputs of a node after it ran, and keeps both. Steals the reference to the inputs. */
void inspect_outputs(struct graph *graph, Py_ssize_t i, PyObject *inputs);

/* wrap.c: callables that replace the framework's. */
/* True if this thread is in a counted call of the function. No GIL needed. */
int proftop_py_is_running(proftop_id function);
int wrap_types(void);
PyObject *wrap_make(PyObject *module, PyObject *args);
PyObject *wrap_result(PyObject *module, PyObject *args);
PyObject *wrap_call(PyObject *module, PyObject *args);
PyObject *wrap_vm(PyObject *module, PyObject *args);
PyObject *wrap_directly(PyObject *module, PyObject *cls);
PyObject *wrap_draw(PyObject *module, PyObject *args);
PyObject *wrap_first(PyObject *module, PyObject *args);
PyObject *wrap_end(PyObject *module, PyObject *wrap);
PyObject *wrap_profile(PyObject *module, PyObject *callable);
PyObject *wrap_call_stop(PyObject *module, PyObject *function);
PyObject *wrap_call_go_on(PyObject *module, PyObject *function);

/* novm.c. A linker without a VM makes a Python function. Scan calls it directly, not through the
 * framework's class of functions. Such a call runs from the first node to the last, or to one that
 * fails. It can also be left between two nodes: a signal handler may raise there. */
PyObject *novm_start(PyObject *graph, PyObject *unused);
void novm_begin(struct graph *graph);         /* its first node begins */
void novm_end(struct graph *graph, int good); /* its last node has ended, or one has failed */
void novm_stop(struct graph *graph);          /* none of its nodes is wrapped any more */
/* The call that is between two of its nodes on this thread, or NULL. A wrapped node sets it aside
 * while it runs. So a call found here when another call begins or a node ends has been left. */
extern PER_THREAD struct call *proftop_py_between;
void novm_leave(void); /* ends the call */

/* sampler.c: one call of a PyMC step. before() returns the length of the chain; it may be NULL. */
PyObject *sampler_run(PyObject *step, PyObject *before, PyObject *args, PyObject *kwargs);

/* watch.c: finds the graph of a VM by the VM's address, without keeping the VM alive. Guarded by
 * the GIL. */
struct watch {
    const PyObject *object; /* NULL: empty slot */
    PyObject *reference;    /* weak reference; its callback removes the entry */
    struct graph *graph;    /* a reference */
};
struct graph *watch_find(const PyObject *object);
/* Adds an entry for an object that has none. Returns -1 with an exception if out of memory. */
int watch_insert(struct watch entry);
/* Removes the entry of an object. Returns 0 if there is none. */
int watch_take(const PyObject *object, struct watch *taken);

/* Module functions for marks in compiled code (marks.c). */
PyObject *mark_reserve(PyObject *module, PyObject *args);
PyObject *mark_apply(PyObject *module, PyObject *args);
PyObject *mark_function(PyObject *module, PyObject *args);
PyObject *mark_steps(PyObject *module, PyObject *args);
PyObject *mark_count(PyObject *module, PyObject *yes);
PyObject *mark_entered(PyObject *module, PyObject *number);
PyObject *mark_addresses(PyObject *module, PyObject *unused);

#endif

/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * _feed.h: declarations shared by the files of the Python extension.
 *
 * Every function here runs with the GIL held and releases the GIL only to wait. Exceptions: the two
 * functions that compiled code calls (_mark.c), and the function that opens a feed for them in a
 * forked child. So the state below stays consistent. The limited API, which the extension uses,
 * does not exist for builds of Python without a GIL. */
#ifndef PROFTOP_PYTHON_FEED_H
#define PROFTOP_PYTHON_FEED_H

#define PY_SSIZE_T_CLEAN
#define Py_LIMITED_API 0x03080000
#include <Python.h>
#include <stdint.h>
#include <time.h>

#include "proftop.h"
#include "proftop_detail.h"

/* CLOCK_MONOTONIC. Needs neither a feed nor the GIL. */
static inline uint64_t clock_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/* Thread-local variable at a fixed offset from the thread pointer: access needs no call. */
#define PER_THREAD _Thread_local __attribute__((tls_model("initial-exec")))

/* Saves reading a clock. Returns 1 if some milliseconds may have passed since the last call with
 * this `seen` that returned 1. `stamp` is the start of a libproftop token; 0 means unknown. */
static inline int may_be_later(uint64_t stamp, uint64_t *seen)
{
    if (stamp == PROFTOP_UNTIMED || (stamp != 0 && stamp >> 23 == *seen))
        return 0;
    *seen = stamp >> 23;
    return 1;
}

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
    int watched;         /* in each call: another function ran in a call, or a call failed */
    PyObject *define;    /* called before the first call of a function not yet defined, or NULL */
    struct spare *spare; /* how the VM runs untimed calls (_spare.c), or NULL */
    struct tally *tally; /* counts its nodes by the VM's own lists (_tally.c), or NULL */
    void **runs;         /* the VM's tables, or NULL; they live as long as the VM */
    void **datas;
    Py_ssize_t n_nodes;
    struct node *nodes;
    int alone; /* the adapter does not wrap its calls (_alone.c) */
    /* Inspection of values (_look.c). */
    PyObject *cells;    /* each node's lists of storage cells; NULL: values are not inspected */
    PyObject *describe; /* callable that takes `seen` */
    PyObject *seen;     /* values of the inspected call */
    int looking;
    unsigned look_forks;         /* number of forks in the process that inspects */
    uint64_t look_at, look_cost; /* ns: earliest next inspection; spent on this one */
    uint64_t look_asked;         /* state of may_be_later() */
};

struct call; /* a counted call (_call.h) */

/* State of this process. It is mutable and global because the C VM passes a node only the node's
 * data, and because there is one interpreter with one feed. Changes need the GIL. */
struct state {
    struct proftop *feed;      /* NULL: closed, or in a forked child */
    struct proftop *inherited; /* the parent's feed, in a forked child that has counted nothing */
    unsigned feeds;     /* feeds opened so far: code begun under one must not end under another */
    unsigned adoptions; /* forks between the process of the first feed and this one */
    PyTypeObject *graph_type;
    PyTypeObject *thunk_type;
    PyTypeObject *wrap_type;
    PyObject *method_type; /* types.MethodType */
    PyObject *no_args;     /* () */
    PyObject *array_type, *scalar_type; /* numpy's types, or NULL */
};
extern struct state proftop_py;

/* Returns the feed, or NULL. A forked child opens its own feed here when it first runs a function.
 * Until then it publishes nothing, like a child that only executes another program. Any thread may
 * call this; no GIL needed. */
struct proftop *proftop_py_adopt(void);
static inline struct proftop *proftop_py_feed(void)
{
    struct proftop *feed = __atomic_load_n(&proftop_py.feed, __ATOMIC_ACQUIRE);
    return feed || !__atomic_load_n(&proftop_py.inherited, __ATOMIC_ACQUIRE) ? feed
                                                                            : proftop_py_adopt();
}

/* The apply of the Python node that this thread runs, plus 1; 0: none. A function called inside
 * becomes a child of that apply. */
extern PER_THREAD uint32_t proftop_py_open;
/* The graph whose function this thread calls. Calls of its VM are part of that function call. */
extern PER_THREAD struct graph *proftop_py_running;

/* _graph.c: the nodes of a VM. */
int graph_types(void);
void graph_forget(struct graph *graph);
/* Runs the nodes that have C code with inspection of their values, or without. */
void graph_switch(struct graph *graph, int looking);

/* Declares that a node (a Python object of the adapter) has steps (_steps.c). */
void thunk_has_steps(PyObject *thunk, PyObject *cell);

/* _steps.c: a call of a node with steps, on the stack of the thread that runs it. */
struct turn {
    proftop_id apply;
    uint64_t step;    /* steps that have ended */
    uint64_t steps;   /* total, or PROFTOP_UNKNOWN */
    uint64_t told_ns; /* time of the last report */
    uint64_t asked;   /* state of may_be_later() */
};
/* The turn of the node that this thread runs; NULL: the node has no steps. */
extern PER_THREAD struct turn *proftop_py_turn;
void turn_begin(struct turn *turn, proftop_id apply, PyObject *cell);
void turn_tell(struct turn *turn); /* unless the last report is recent */
/* Ends a step of this thread's turn. `stamp`: start of the step. */
static inline void turn_step(uint64_t stamp)
{
    struct turn *turn = proftop_py_turn;
    turn->step++;
    if (may_be_later(stamp, &turn->asked))
        turn_tell(turn);
}
void turn_end(struct turn *turn);
/* Reports the progress of a Scan: `step` of `steps`, or of PROFTOP_UNKNOWN. Needs no GIL once the
 * metrics of the feed are declared. */
enum { TELL_NS = 10000000 }; /* minimum interval: viewers cannot ask more often */
void steps_declare(void);
void steps_tell(proftop_id apply, uint64_t step, uint64_t steps);
PyObject *steps_set(PyObject *module, PyObject *args);

/* _tally.c: counts nodes by the VM's own lists. Called around each call of a VM that has a
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

/* _look.c: inspection of values. */
PyObject *look_start(PyObject *graph, PyObject *args);
void look_stop(struct graph *graph);
PyObject *look_leave(PyObject *graph, PyObject *unused);
int look_is_time(const struct graph *graph);
/* Resets the inspection in a forked child: another thread, which the child lacks, may have begun
 * it. */
void look_anew(struct graph *graph);
/* True if the call that began at this stamp is to be inspected. */
static inline int look_is_due(struct graph *graph, uint64_t stamp)
{
    if (graph->looking)
        look_anew(graph);
    return graph->cells && may_be_later(stamp, &graph->look_asked) && look_is_time(graph);
}
/* Begins the inspection. Returns 0 if out of memory; else look_end() ends it. */
int look_begin(struct graph *graph);
/* Passes the seen values to the adapter, and reports the time spent. `whole`: the call computed all
 * of its results. */
void look_end(struct graph *graph, int whole);
/* Takes the inputs of a node before it runs, since it may overwrite them. A new reference, or
 * NULL. */
PyObject *look_inputs(struct graph *graph, Py_ssize_t i);
/* Takes the outputs of a node after it ran, and keeps both. Steals the reference to the inputs. */
void look_outputs(struct graph *graph, Py_ssize_t i, PyObject *inputs);

/* _wrap.c: callables that replace the framework's. */
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

/* _alone.c. A linker without a VM makes a Python function. Scan calls it directly, not through the
 * framework's class of functions. Such a call runs from the first node to the last, or to one that
 * fails. It can also be left between two nodes: a signal handler may raise there. */
PyObject *alone_start(PyObject *graph, PyObject *unused);
void alone_begin(struct graph *graph);         /* its first node begins */
void alone_end(struct graph *graph, int good); /* its last node has ended, or one has failed */
void alone_stop(struct graph *graph);          /* none of its nodes is wrapped any more */
/* The call that is between two of its nodes on this thread, or NULL. A wrapped node sets it aside
 * while it runs. So a call found here when another call begins or a node ends has been left. */
extern PER_THREAD struct call *proftop_py_between;
void alone_leave(void); /* ends the call */

/* _draw.c: one call of a PyMC step. before() returns the length of the chain; it may be NULL. */
PyObject *draw_run(PyObject *step, PyObject *before, PyObject *args, PyObject *kwargs);
/* Calls of functions that this thread began, including calls counted by marks. */
extern PER_THREAD uint64_t proftop_py_calls;

/* Clears an error of the adapter's code. An error that is no Exception is the job's: SystemExit
 * from a signal handler that ran meanwhile, or from another thread that ends this one. It is raised
 * again later, in this thread. */
void wrap_clear_error(void);

/* _watch.c: maps a VM of the job to its graph, without keeping the VM alive. */
struct graph *watch_find(const PyObject *object);
PyObject *watch_add(PyObject *module, PyObject *args);
PyObject *watch_get(PyObject *module, PyObject *object);

/* Module functions for marks in compiled code (_mark.c). */
PyObject *mark_reserve(PyObject *module, PyObject *args);
PyObject *mark_apply(PyObject *module, PyObject *args);
PyObject *mark_function(PyObject *module, PyObject *args);
PyObject *mark_steps(PyObject *module, PyObject *args);
PyObject *mark_count(PyObject *module, PyObject *yes);
PyObject *mark_entered(PyObject *module, PyObject *number);
PyObject *mark_addresses(PyObject *module, PyObject *unused);

/* Module functions that send phases and details of nodes (_tell.c). */
PyObject *tell_phase(PyObject *module, PyObject *args);
PyObject *tell_phase_begin(PyObject *module, PyObject *args);
PyObject *tell_phase_end(PyObject *module, PyObject *args);
PyObject *tell_detail(PyObject *module, PyObject *args);

/* Module functions for the program's own objects (_own.c). */
PyObject *own_feed(PyObject *module, PyObject *unused);
PyObject *own_define(PyObject *module, PyObject *args);
PyObject *own_count(PyObject *module, PyObject *args);
PyObject *own_keep(PyObject *module, PyObject *args);
PyObject *own_start(PyObject *module, PyObject *args);
PyObject *own_stop(PyObject *module, PyObject *args);
PyObject *own_mark(PyObject *module, PyObject *args);
PyObject *own_scope(PyObject *module, PyObject *args);
PyObject *own_memory(PyObject *module, PyObject *args);

/* Module functions that control the collection (_control.c). */
PyObject *control_config(PyObject *module, PyObject *pairs);
PyObject *control_state(PyObject *module, PyObject *args);
PyObject *control_pause(PyObject *module, PyObject *args);
PyObject *control_resume(PyObject *module, PyObject *args);
PyObject *control_dump(PyObject *module, PyObject *args);
PyObject *control_dumps(PyObject *module, PyObject *args);

/* Module functions for MXNet (_mxnet.c). */
PyObject *mxnet_py_find(PyObject *module, PyObject *unused);
PyObject *mxnet_py_attach(PyObject *module, PyObject *features);
PyObject *mxnet_py_detach(PyObject *module, PyObject *unused);
PyObject *mxnet_py_publish(PyObject *module, PyObject *unused);
PyObject *mxnet_py_function_name(PyObject *module, PyObject *args);
PyObject *mxnet_py_node_scope(PyObject *module, PyObject *args);
PyObject *mxnet_py_custom_begin(PyObject *module, PyObject *args);
PyObject *mxnet_py_custom_end(PyObject *module, PyObject *unused);
PyObject *mxnet_py_find_stats(PyObject *module, PyObject *unused);
PyObject *mxnet_py_set(PyObject *module, PyObject *args);
PyObject *mxnet_py_state(PyObject *module, PyObject *unused);

#endif

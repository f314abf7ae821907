/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * _feed.h: what the files of the Python extension share.
 *
 * Every function here, but the two that compiled code calls (_mark.c) and what opens a feed for
 * them in a forked child, runs with the GIL held, and gives it up to wait alone. That keeps the
 * state below consistent: the limited API, in which this is written, does not exist for builds of
 * Python without a GIL.
 */
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

/* Known by its distance from the thread's own place, without a call. */
#define PER_THREAD _Thread_local __attribute__((tls_model("initial-exec")))

/* Whether some milliseconds may have gone by since this was asked with the same `seen` and said so.
 * `stamp` is where a token of libproftop's begins; 0 tells nothing. It spares a clock. */
static inline int may_be_later(uint64_t stamp, uint64_t *seen)
{
    if (stamp == PROFTOP_UNTIMED || (stamp != 0 && stamp >> 23 == *seen))
        return 0;
    *seen = stamp >> 23;
    return 1;
}

/* What stands between the C VM and one node: the VM calls node_run() with it. */
struct node {
    void *error; /* first word of the node's own data: the VM reads it after a failure */
    int (*run)(void *);
    void *data;
    proftop_id apply;
};

/* One compiled function: its row in the feed and, when the C VM runs it, its patched tables. */
struct graph {
    /* What each call reads comes first, in as few cache lines as it takes. */
    PyObject_HEAD proftop_id function; /* PROFTOP_NONE until it is defined */
    int watched;         /* in each call: another function ran in one, or one has failed */
    PyObject *define;    /* called before the first call of a function not yet defined, or NULL */
    struct spare *spare; /* how its VM runs calls that are not timed (_spare.c), or NULL */
    struct tally *tally; /* its nodes are counted by lists of the VM's own (_tally.c), or NULL */
    void **runs;         /* the VM's tables, or NULL; they live as long as the VM */
    void **datas;
    Py_ssize_t n_nodes;
    struct node *nodes;
    int alone; /* nothing of ours stands around its calls (_alone.c) */
    /* Looking at values (_look.c). */
    PyObject *cells;    /* of each node: its lists of storage cells; NULL: they are not looked at */
    PyObject *describe; /* takes what was seen */
    PyObject *seen;     /* in the call that is looked at */
    int looking;
    unsigned look_forks; /* in the process that had so many ancestors */
    uint64_t look_at, look_cost; /* ns: not before; of the call that is looked at */
    uint64_t look_asked;         /* of may_be_later() */
};

struct call; /* one that is counted (_call.h) */

/* State of this process. Mutable and global because the C VM hands a node nothing but its data,
 * and because there is one interpreter with one feed. Changed only with the GIL held. */
struct state {
    struct proftop *feed;      /* NULL: closed, or in a forked child */
    struct proftop *inherited; /* in a forked child that has counted nothing: its parent's */
    unsigned feeds; /* how many were opened: what one began, the next must not end */
    unsigned adoptions; /* how many forks lie between the first of them and this process's */
    PyTypeObject *graph_type;
    PyTypeObject *thunk_type;
    PyTypeObject *wrap_type;
    PyObject *method_type; /* types.MethodType */
    PyObject *no_args;     /* () */
    PyObject *array_type, *scalar_type; /* numpy's own, or NULL */
};
extern struct state proftop_py;

/* The feed, or NULL. A child that was forked gets its own here, when it first runs something: until
 * then it is as silent as one that only executes another program. On any thread; no GIL needed. */
struct proftop *proftop_py_adopt(void);
static inline struct proftop *proftop_py_feed(void)
{
    struct proftop *feed = __atomic_load_n(&proftop_py.feed, __ATOMIC_ACQUIRE);
    return feed || !__atomic_load_n(&proftop_py.inherited, __ATOMIC_ACQUIRE) ? feed
                                                                            : proftop_py_adopt();
}

/* The apply that a Python node of this thread is in, plus 1; 0: none. Functions that run inside it
 * are its children. */
extern PER_THREAD uint32_t proftop_py_open;
/* The graph whose function call this thread is in; its VM's calls are part of that call. */
extern PER_THREAD struct graph *proftop_py_running;

/* _graph.c: the nodes of a VM. */
int graph_types(void);
void graph_forget(struct graph *graph);
/* Lets the nodes that have C code run with a look at their values, or without. */
void graph_switch(struct graph *graph, int looking);

/* A node of ours, a Python object, has steps (_steps.c). */
void thunk_has_steps(PyObject *thunk, PyObject *cell);

/* _steps.c: a call of a node that has steps, on the stack of the thread that is in it. */
struct turn {
    proftop_id apply;
    uint64_t step;    /* how many have ended */
    uint64_t steps;   /* there will be; or PROFTOP_UNKNOWN */
    uint64_t told_ns; /* when that was told last */
    uint64_t asked;   /* of may_be_later() */
};
/* That of the node that this thread is in; NULL: it has no steps. */
extern PER_THREAD struct turn *proftop_py_turn;
void turn_begin(struct turn *turn, proftop_id apply, PyObject *cell);
void turn_tell(struct turn *turn); /* unless it was told lately */
/* A step of the turn that this thread is in has ended; `stamp`: when it began. */
static inline void turn_step(uint64_t stamp)
{
    struct turn *turn = proftop_py_turn;
    turn->step++;
    if (may_be_later(stamp, &turn->asked))
        turn_tell(turn);
}
void turn_end(struct turn *turn);
/* Says how far a Scan is, of so many steps, or PROFTOP_UNKNOWN. Needs no GIL once the metrics of
 * the feed are declared. */
enum { TELL_NS = 10000000 }; /* how often, at most: as often as a viewer can ask */
void steps_declare(void);
void steps_tell(proftop_id apply, uint64_t step, uint64_t steps);
PyObject *steps_set(PyObject *module, PyObject *args);

/* _tally.c: counting by lists of a VM's own, if it has a tally; around each call of it. */
PyObject *tally_start(PyObject *graph, PyObject *args);
void tally_note(struct tally *tally); /* what the lists hold before a call */
void tally_take(struct tally *tally); /* what they hold behind it */
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

/* _look.c: looking at values. */
PyObject *look_start(PyObject *graph, PyObject *args);
void look_stop(struct graph *graph);
PyObject *look_leave(PyObject *graph, PyObject *unused);
int look_is_time(const struct graph *graph);
/* In a forked child, the call that was looked at may be that of a thread which it has not. */
void look_anew(struct graph *graph);
/* Whether a call that began at this stamp is one to be looked at. */
static inline int look_is_due(struct graph *graph, uint64_t stamp)
{
    if (graph->looking)
        look_anew(graph);
    return graph->cells && may_be_later(stamp, &graph->look_asked) && look_is_time(graph);
}
/* Whether it is looked at, for which there may be no memory: then look_end() ends it. */
int look_begin(struct graph *graph);
/* Gives what was seen to the adapter, and says what it cost. `whole`: the call was asked for all of
 * its results. */
void look_end(struct graph *graph, int whole);
/* The inputs of a node before it runs: it may overwrite them. A new reference, or NULL. */
PyObject *look_inputs(struct graph *graph, Py_ssize_t i);
/* Its outputs when it has run; both are kept. Takes the inputs. */
void look_outputs(struct graph *graph, Py_ssize_t i, PyObject *inputs);

/* _wrap.c: callables put in the place of others. */
/* Whether this thread is in a call of the function that is counted there. No GIL needed. */
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

/* _alone.c. A linker without a VM makes a function of Python's. Where that is called past its
 * framework's class, as Scan does, it runs from its first node to its last, or to one that fails;
 * unless it is left between two, as by the handler of a signal that raises. */
PyObject *alone_start(PyObject *graph, PyObject *unused);
void alone_begin(struct graph *graph);         /* its first node begins */
void alone_end(struct graph *graph, int good); /* its last has ended, or one has failed */
void alone_stop(struct graph *graph);          /* no node of it is ours any more */
/* The call that is between two of its nodes on this thread, or NULL. A node of ours puts it aside
 * while it runs, so what stands there when another call begins, or a node ends, was left. */
extern PER_THREAD struct call *proftop_py_between;
void alone_leave(void); /* ends it */

/* _draw.c: one call of a step of PyMC's. before() tells how long the chain is; it may be NULL. */
PyObject *draw_run(PyObject *step, PyObject *before, PyObject *args, PyObject *kwargs);
/* Calls of functions that this thread began, those included that were counted by marks. */
extern PER_THREAD uint64_t proftop_py_calls;

/* Forgets what went wrong in code of ours. What is no Exception is the job's, as the SystemExit of
 * a handler of signals that ran meanwhile, or of whoever ends a thread from another: it is raised
 * again where this thread goes on. */
void wrap_clear_error(void);

/* _watch.c: from a VM of the job to its graph, without keeping it alive. */
struct graph *watch_find(const PyObject *object);
PyObject *watch_add(PyObject *module, PyObject *args);
PyObject *watch_get(PyObject *module, PyObject *object);

/* Calls of the module for marks in compiled code (_mark.c). */
PyObject *mark_reserve(PyObject *module, PyObject *args);
PyObject *mark_apply(PyObject *module, PyObject *args);
PyObject *mark_function(PyObject *module, PyObject *args);
PyObject *mark_steps(PyObject *module, PyObject *args);
PyObject *mark_count(PyObject *module, PyObject *yes);
PyObject *mark_entered(PyObject *module, PyObject *number);
PyObject *mark_addresses(PyObject *module, PyObject *unused);

/* Calls of the module that tell of phases and nodes (_tell.c). */
PyObject *tell_phase(PyObject *module, PyObject *args);
PyObject *tell_phase_begin(PyObject *module, PyObject *args);
PyObject *tell_phase_end(PyObject *module, PyObject *args);
PyObject *tell_detail(PyObject *module, PyObject *args);

/* Calls of the module for objects of the program's own (_own.c). */
PyObject *own_feed(PyObject *module, PyObject *unused);
PyObject *own_define(PyObject *module, PyObject *args);
PyObject *own_count(PyObject *module, PyObject *args);
PyObject *own_keep(PyObject *module, PyObject *args);
PyObject *own_start(PyObject *module, PyObject *args);
PyObject *own_stop(PyObject *module, PyObject *args);
PyObject *own_mark(PyObject *module, PyObject *args);
PyObject *own_scope(PyObject *module, PyObject *args);
PyObject *own_memory(PyObject *module, PyObject *args);

/* Calls of the module that steer the collection (_control.c). */
PyObject *control_config(PyObject *module, PyObject *pairs);
PyObject *control_state(PyObject *module, PyObject *args);
PyObject *control_pause(PyObject *module, PyObject *args);
PyObject *control_resume(PyObject *module, PyObject *args);
PyObject *control_dump(PyObject *module, PyObject *args);
PyObject *control_dumps(PyObject *module, PyObject *args);

/* Calls of the module for MXNet (_mxnet.c). */
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

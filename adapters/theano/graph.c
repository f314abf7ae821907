/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * graph.c: puts a clock around every node of a VM, in place, and removes it again.
 *
 * The C VM (CLazyLinker) runs a node that has C code through two tables of pointers, function and
 * data, which lie before its member call_times. It calls any other node as the Python object in its
 * list of thunks. Both are exchanged while the GIL is held. The VM loads function and data
 * together, so a VM in the middle of a call sees only valid pairs. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

#include "adapters/theano/theano.h"
#include "adapters/theano/bypass.h"

/* ---------------------------------------------------------------- a node that has C code */

static int node_run(void *data)
{
    struct node *node = data;
    const unsigned feeds = proftop_py.feeds;
    struct proftop_token token = proftop_begin(proftop_py.feed, node->apply);
    int error = node->run(node->data);
    if (feeds != proftop_py.feeds)
        token = proftop_no_token();
    if (!error) {
        proftop_end(proftop_py.feed, node->apply, token);
        return 0;
    }
    node->error = *(void **)node->data;
    proftop_fail(proftop_py.feed, node->apply, token);
    return error;
}

/* node_run() for a call in which values are inspected. A node of another graph, or of a call that
 * this thread did not begin, just runs. */
static int node_inspect(void *data)
{
    struct node *node = data;
    struct graph *graph = proftop_py_running;
    if (!graph || !graph->inspecting || node < graph->nodes ||
        node >= graph->nodes + graph->n_nodes)
        return node_run(data);
    const Py_ssize_t i = node - graph->nodes;
    Py_INCREF((PyObject *)graph);
    PyObject *inputs = inspect_inputs(graph, i);
    int error = node_run(data);
    if (!error)
        inspect_outputs(graph, i, inputs);
    else
        Py_XDECREF(inputs);
    Py_DECREF((PyObject *)graph);
    return error;
}

/* ------------------------------------------------------- a node that is a Python object */

/* Replaces a thunk in a VM's list of thunks, and behaves like it. */
struct thunk {
    PyObject_HEAD PyObject *thunk;
    struct graph *graph; /* the graph of this node, */
    Py_ssize_t index;    /* and its index there */
    proftop_id apply;
    PyObject *steps; /* cell with the number of its steps when it begins; NULL: it has no steps */
};

static PyObject *thunk_call(PyObject *self, PyObject *args, PyObject *kwargs)
{
    struct thunk *thunk = (struct thunk *)self;
    proftop_id apply = thunk->apply;
    const int novm = thunk->graph->novm, ends = thunk->index == thunk->graph->n_nodes - 1;
    uint32_t outer = proftop_py_open;
    struct turn turn, *before = proftop_py_turn;
    const unsigned feeds = proftop_py.feeds;
    Py_INCREF(self); /* the VM borrows it from a list that may change meanwhile */
    if (novm && thunk->index == 0)
        novm_begin(thunk->graph);
    struct graph *running = proftop_py_running;
    struct call *between = proftop_py_between;
    proftop_py_between = NULL;
    proftop_py_open = apply + 1;
    int looks = thunk->graph->inspecting && proftop_py_running == thunk->graph;
    PyObject *inputs = looks ? inspect_inputs(thunk->graph, thunk->index) : NULL;
    proftop_py_turn = thunk->steps ? &turn : NULL;
    if (proftop_py_turn)
        turn_begin(&turn, apply, thunk->steps);
    struct proftop_token token = proftop_no_token();
    if (!thunk->graph->tally) /* else the VM counts the node */
        token = proftop_begin(proftop_py.feed, apply);
    PyObject *result = PyObject_Call(thunk->thunk, args, kwargs);
    if (proftop_py_between)
        novm_leave();
    if (feeds != proftop_py.feeds)
        token = proftop_no_token();
    if (result)
        proftop_end(proftop_py.feed, apply, token);
    else
        proftop_fail(proftop_py.feed, apply, token);
    if (result && looks)
        inspect_outputs(thunk->graph, thunk->index, inputs);
    else
        Py_XDECREF(inputs);
    if (proftop_py_turn && feeds == proftop_py.feeds)
        turn_end(&turn);
    proftop_py_turn = before;
    proftop_py_open = outer;
    proftop_py_running = running;
    proftop_py_between = between;
    if (novm && (!result || ends || !thunk->graph->novm)) /* removed while this node ran */
        novm_end(thunk->graph, result && ends);
    Py_DECREF(self);
    return result;
}

static PyObject *thunk_get(PyObject *self, PyObject *name)
{
    return PyObject_GetAttr(((struct thunk *)self)->thunk, name);
}

static int thunk_set(PyObject *self, PyObject *name, PyObject *value)
{
    return PyObject_SetAttr(((struct thunk *)self)->thunk, name, value);
}

static PyObject *thunk_repr(PyObject *self)
{
    return PyObject_Repr(((struct thunk *)self)->thunk);
}

static int thunk_traverse(PyObject *self, visitproc visit, void *arg)
{
    Py_VISIT(((struct thunk *)self)->thunk);
    Py_VISIT(((struct thunk *)self)->steps);
    Py_VISIT((PyObject *)((struct thunk *)self)->graph);
    return 0;
}

static int thunk_clear(PyObject *self)
{
    Py_CLEAR(((struct thunk *)self)->thunk);
    Py_CLEAR(((struct thunk *)self)->steps);
    return 0;
}

static void thunk_free(PyObject *self)
{
    PyTypeObject *type = Py_TYPE(self);
    PyObject_GC_UnTrack(self);
    thunk_clear(self);
    Py_CLEAR(((struct thunk *)self)->graph);
    PyObject_GC_Del(self);
    Py_DECREF((PyObject *)type);
}

static PyType_Slot thunk_slots[] = {
    {Py_tp_call, thunk_call},         {Py_tp_getattro, thunk_get},
    {Py_tp_setattro, thunk_set},      {Py_tp_repr, thunk_repr},
    {Py_tp_clear, thunk_clear},       {Py_tp_dealloc, thunk_free},
    {Py_tp_traverse, thunk_traverse}, {0, NULL},
};
static PyType_Spec thunk_spec = {"proftop._feed.Thunk", sizeof(struct thunk), 0,
                                 Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC, thunk_slots};

static PyObject *thunk_new(PyObject *inner, struct graph *graph, Py_ssize_t index, proftop_id apply)
{
    struct thunk *thunk = PyObject_GC_New(struct thunk, proftop_py.thunk_type);
    if (!thunk)
        return NULL;
    Py_INCREF(inner);
    thunk->thunk = inner;
    Py_INCREF((PyObject *)graph);
    thunk->graph = graph;
    thunk->index = index;
    thunk->apply = apply;
    thunk->steps = NULL;
    PyObject_GC_Track(thunk);
    return (PyObject *)thunk;
}

static void thunk_has_steps(PyObject *self, PyObject *cell)
{
    struct thunk *thunk = (struct thunk *)self;
    PyObject *old = thunk->steps;
    Py_INCREF(cell);
    thunk->steps = cell;
    thunk->graph->never_bypass = 1;
    Py_XDECREF(old);
}

/* steps(thunk, cell): declares that this node has steps. The cell holds their number when the node
 * begins; if the cell is None, the number is not known. Ignores an object that is no node of the
 * adapter. */
PyObject *steps_set(PyObject *module, PyObject *args)
{
    (void)module;
    PyObject *thunk, *cell;
    if (!PyArg_ParseTuple(args, "OO", &thunk, &cell))
        return NULL;
    if (Py_TYPE(thunk) == proftop_py.thunk_type)
        thunk_has_steps(thunk, cell);
    Py_RETURN_NONE;
}

/* -------------------------------------------------------------------- finding the tables */

/* A VM as seen from Python, and the tables found inside it. */
struct layout {
    PyObject *thunks;
    PyObject *call_times;
    PyObject *call_counts;
    Py_ssize_t size; /* of the VM object, in bytes */
    Py_ssize_t n_nodes;
    Py_ssize_t tables; /* index of the word that points to the first table */
    void **runs;
    void **datas;
};

static void layout_release(struct layout *layout)
{
    Py_CLEAR(layout->thunks);
    Py_CLEAR(layout->call_times);
    Py_CLEAR(layout->call_counts);
}

/* Copies memory that may not be mapped. Returns -1 if it is not. */
static int readable(const void *from, void *to, size_t size)
{
    struct iovec local = {to, size};
    struct iovec remote = {(void *)(uintptr_t)from, size};
    errno = 0;
    if (process_vm_readv(getpid(), &local, 1, &remote, 1, 0) == (ssize_t)size)
        return 0;
    if (errno == EFAULT || errno == 0)
        return -1;
    /* A sandbox forbids the system call. The words around it have been checked. */
    memcpy(to, from, size);
    return 0;
}

/* Copies one table; the caller frees it. NULL if it cannot be a table, or if out of memory. */
static void **table_copy(void **table, Py_ssize_t n)
{
    if (!table || (uintptr_t)table % sizeof(void *))
        return NULL;
    size_t size = (size_t)n * sizeof(void *);
    void **copy = malloc(size);
    if (copy && readable(table, copy, size) < 0) {
        free(copy);
        copy = NULL;
    }
    return copy;
}

/* The function and data that the framework would put in the tables for this thunk. */
static void thunk_code(PyObject *thunk, void **run, void **data)
{
    *run = *data = NULL;
    PyObject *code = PyObject_GetAttrString(thunk, "cthunk");
    if (code && PyCapsule_CheckExact(code)) {
        *run = PyCapsule_GetPointer(code, PyCapsule_GetName(code));
        *data = PyCapsule_GetContext(code);
    }
    PyErr_Clear();
    Py_XDECREF(code);
}

static const char *layout_describe(struct layout *layout, PyObject *vm)
{
    layout->thunks = PyObject_GetAttrString(vm, "thunks");
    layout->call_times = PyObject_GetAttrString(vm, "call_times");
    layout->call_counts = PyObject_GetAttrString(vm, "call_counts");
    PyObject *size = PyObject_GetAttrString((PyObject *)Py_TYPE(vm), "__basicsize__");
    layout->size = size ? PyLong_AsSsize_t(size) : -1;
    Py_XDECREF(size);
    PyErr_Clear();
    if (!layout->thunks || !layout->call_times || !layout->call_counts || layout->size < 0)
        return "it lacks a member that a C VM has";
    if (!PyList_Check(layout->thunks))
        return "its thunks are no list";
    layout->n_nodes = PyList_Size(layout->thunks);
    return NULL;
}

/* call_times and call_counts are adjacent members. The two tables lie directly before them. */
static const char *layout_search(struct layout *layout, PyObject *vm)
{
    void **words = (void **)vm;
    Py_ssize_t n = layout->size / (Py_ssize_t)sizeof(void *);
    Py_ssize_t found = 0;
    for (Py_ssize_t i = 4; i + 1 < n; i++) {
        if (words[i] != layout->call_times || words[i + 1] != layout->call_counts)
            continue;
        if (found)
            return "its times are found twice";
        found = i;
    }
    if (!found)
        return "its times are not where they were expected";
    layout->tables = found - 2;
    layout->runs = words[found - 2];
    layout->datas = words[found - 1];
    return NULL;
}

static const char *layout_compare(const struct layout *layout)
{
    void **runs = table_copy(layout->runs, layout->n_nodes);
    void **datas = table_copy(layout->datas, layout->n_nodes);
    const char *reason = runs && datas ? NULL : "its tables cannot be read";
    for (Py_ssize_t i = 0; !reason && i < layout->n_nodes; i++) {
        void *run, *data;
        thunk_code(PyList_GetItem(layout->thunks, i), &run, &data);
        if (runs[i] != run || datas[i] != data || (run && !data))
            reason = "its tables do not hold what its thunks say";
    }
    free(runs);
    free(datas);
    return reason;
}

/* NULL, or the reason why this VM must stay unpatched. The caller releases the layout either
 * way. */
static const char *layout_check(struct layout *layout, PyObject *vm)
{
    *layout = (struct layout){0};
    const char *reason = layout_describe(layout, vm);
    if (!reason)
        reason = layout_search(layout, vm);
    if (!reason && layout->n_nodes)
        reason = layout_compare(layout);
    return reason;
}

/* --------------------------------------------------------------------- patch and unpatch */

static int is_lazy(PyObject *thunk)
{
    PyObject *lazy = PyObject_GetAttrString(thunk, "lazy");
    int yes = lazy ? PyObject_IsTrue(lazy) : 0;
    Py_XDECREF(lazy);
    PyErr_Clear();
    return yes > 0;
}

static int has_lazy(PyObject *thunks)
{
    for (Py_ssize_t i = 0; i < PyList_Size(thunks); i++)
        if (is_lazy(PyList_GetItem(thunks, i)))
            return 1;
    return 0;
}

/* Exchanges one node. Returns -1 with an exception if out of memory. */
static int patch_node(struct graph *graph, PyObject *thunks, Py_ssize_t i, proftop_id apply)
{
    PyObject *thunk = PyList_GetItem(thunks, i);
    if (graph->runs && graph->runs[i] && !is_lazy(thunk)) {
        struct node *node = &graph->nodes[i];
        node->error = *(void **)graph->datas[i];
        memcpy(&node->run, &graph->runs[i], sizeof node->run);
        node->data = graph->datas[i];
        node->apply = apply;
        int (*run)(void *) = node_run;
        graph->datas[i] = node;
        memcpy(&graph->runs[i], &run, sizeof run);
        return 0;
    }
    PyObject *ours = thunk_new(thunk, graph, i, apply);
    return ours ? PyList_SetItem(thunks, i, ours) : -1;
}

/* Restores the VM's tables, and forgets them. */
static void restore_tables(struct graph *graph)
{
    for (Py_ssize_t i = 0; graph->runs && i < graph->n_nodes; i++) {
        if (!graph_is_ours(graph, i))
            continue;
        graph->datas[i] = graph->nodes[i].data;
        memcpy(&graph->runs[i], &graph->nodes[i].run, sizeof graph->runs[i]);
    }
    graph->runs = graph->datas = NULL;
}

static void restore_thunks(PyObject *thunks)
{
    for (Py_ssize_t i = 0; i < PyList_Size(thunks); i++) {
        PyObject *item = PyList_GetItem(thunks, i);
        if (Py_TYPE(item) != proftop_py.thunk_type)
            continue;
        PyObject *inner = ((struct thunk *)item)->thunk;
        Py_INCREF(inner);
        PyList_SetItem(thunks, i, inner);
    }
}

/* The VM is being freed. Restores its tables, in case a caller still runs it, and frees the graph's
 * own memory. */
static void graph_forget(struct graph *graph)
{
    bypass_free(graph);
    restore_tables(graph);
    inspect_stop(graph);
    tally_free(graph);
    free(graph->nodes);
    graph->nodes = NULL;
    graph->n_nodes = 0;
}

/* ------------------------------------------------------------------------ watching the VM */

/* Called before the object is freed: no code runs it any more, but its memory is still intact. */
static PyObject *forget(PyObject *key, PyObject *reference)
{
    (void)reference;
    PyObject *object = PyLong_AsVoidPtr(key);
    struct watch gone;
    if (watch_take(object, &gone)) {
        graph_forget(gone.graph);
        Py_DECREF((PyObject *)gone.graph);
        Py_DECREF(gone.reference);
    }
    Py_RETURN_NONE;
}

static PyMethodDef forget_def = {"forget", forget, METH_O, NULL};

static PyObject *weak_reference(PyObject *object)
{
    PyObject *key = PyLong_FromVoidPtr(object);
    PyObject *callback = key ? PyCFunction_NewEx(&forget_def, key, NULL) : NULL;
    PyObject *reference = callback ? PyWeakref_NewRef(object, callback) : NULL;
    Py_XDECREF(callback);
    Py_XDECREF(key);
    return reference;
}

/* watch(vm, graph): calls of the VM, and of its function, count as calls of the graph. */
PyObject *watch_add(PyObject *module, PyObject *args)
{
    (void)module;
    struct watch entry = {0};
    PyObject *object;
    if (!PyArg_ParseTuple(args, "OO!", &object, proftop_py.graph_type, &entry.graph))
        return NULL;
    if (watch_find(object))
        return PyErr_Format(PyExc_ValueError, "the object is watched already");
    entry.object = object;
    entry.reference = weak_reference(object);
    if (!entry.reference)
        return NULL;
    if (watch_insert(entry) < 0) {
        Py_DECREF(entry.reference);
        return NULL;
    }
    Py_INCREF((PyObject *)entry.graph);
    Py_RETURN_NONE;
}

/* watched(vm): its graph, or None. */
PyObject *watch_get(PyObject *module, PyObject *object)
{
    (void)module;
    PyObject *graph = (PyObject *)watch_find(object);
    graph = graph ? graph : Py_None;
    Py_INCREF(graph);
    return graph;
}

/* ---------------------------------------------------------------------------- patching */

static int read_ids(PyObject *list, Py_ssize_t n, proftop_id *ids)
{
    if (!PyList_Check(list) || PyList_Size(list) != n) {
        PyErr_Format(PyExc_ValueError, "%zd applies are needed", n);
        return -1;
    }
    for (Py_ssize_t i = 0; i < n; i++)
        ids[i] = (proftop_id)PyLong_AsUnsignedLong(PyList_GetItem(list, i));
    return PyErr_Occurred() ? -1 : 0;
}

static int patch_all(struct graph *graph, PyObject *thunks, const proftop_id *ids)
{
    for (Py_ssize_t i = 0; i < PyList_Size(thunks); i++) {
        if (patch_node(graph, thunks, i, ids[i]) < 0) {
            bypass_stop(graph, thunks);
            restore_tables(graph);
            restore_thunks(thunks);
            return -1;
        }
    }
    return 0;
}

static PyObject *patch(struct graph *graph, PyObject *thunks, PyObject *applies)
{
    Py_ssize_t n = PyList_Size(thunks);
    if (graph->nodes && graph->n_nodes != n)
        return PyErr_Format(PyExc_RuntimeError, "the VM had %zd nodes before", graph->n_nodes);
    proftop_id *ids = calloc((size_t)n + 1, sizeof *ids);
    if (graph->runs && !graph->nodes)
        graph->nodes = calloc((size_t)n + 1, sizeof *graph->nodes);
    PyObject *result = NULL;
    if (!ids || (graph->runs && !graph->nodes)) {
        PyErr_NoMemory();
    } else if (read_ids(applies, n, ids) == 0) {
        graph->n_nodes = n;
        if (graph->bypass && graph->bypass->applies)
            memcpy(graph->bypass->applies, ids, (size_t)n * sizeof *ids);
        result = patch_all(graph, thunks, ids) == 0 ? Py_None : NULL;
    }
    free(ids);
    Py_XINCREF(result);
    return result;
}

/* patch_tables(vm, applies): patches a C VM that passes the check. */
static PyObject *graph_patch_tables(PyObject *self, PyObject *args)
{
    struct graph *graph = (struct graph *)self;
    struct layout layout;
    PyObject *vm, *applies, *result = NULL;
    if (!PyArg_ParseTuple(args, "OO", &vm, &applies))
        return NULL;
    const char *reason = layout_check(&layout, vm);
    if (reason) {
        PyErr_SetString(PyExc_RuntimeError, reason);
    } else if (watch_find(vm) != graph) {
        PyErr_SetString(PyExc_RuntimeError, "the VM must be watched for this graph");
    } else {
        graph->runs = layout.n_nodes ? layout.runs : NULL;
        graph->datas = layout.n_nodes ? layout.datas : NULL;
        if (graph->runs && !has_lazy(layout.thunks))
            bypass_start(graph, vm, layout.tables, layout.thunks);
        result = patch(graph, layout.thunks, applies);
    }
    layout_release(&layout);
    return result;
}

/* patch_list(thunks, applies): patches a VM written in Python, or one with unknown tables. */
static PyObject *graph_patch_list(PyObject *self, PyObject *args)
{
    struct graph *graph = (struct graph *)self;
    PyObject *thunks, *applies;
    if (!PyArg_ParseTuple(args, "O!O", &PyList_Type, &thunks, &applies))
        return NULL;
    if (graph->runs)
        return PyErr_Format(PyExc_RuntimeError, "the tables of this VM are patched");
    return patch(graph, thunks, applies);
}

/* unpatch(thunks): restores everything. The graph's memory lives until the VM is freed: the VM may
 * be running. */
static PyObject *graph_unpatch(PyObject *self, PyObject *thunks)
{
    struct graph *graph = (struct graph *)self;
    if (!PyList_Check(thunks))
        return PyErr_Format(PyExc_TypeError, "thunks must be a list");
    thunks = bypass_stop(graph, thunks);
    restore_tables(graph);
    restore_thunks(thunks);
    inspect_stop(graph);
    tally_free(graph);
    novm_stop(graph);
    Py_RETURN_NONE;
}

/* check(vm): None, or the reason why this VM's tables must stay unpatched. */
static PyObject *graph_check(PyObject *self, PyObject *vm)
{
    (void)self;
    struct layout layout;
    const char *reason = layout_check(&layout, vm);
    layout_release(&layout);
    if (reason)
        return PyUnicode_FromString(reason);
    Py_RETURN_NONE;
}

/* define(function, callback): sets the graph's function in the feed, or a callback that defines it
 * at its first call. */
static PyObject *graph_define(PyObject *self, PyObject *args)
{
    struct graph *graph = (struct graph *)self;
    PyObject *function, *callback;
    if (!PyArg_ParseTuple(args, "OO", &function, &callback))
        return NULL;
    proftop_id id = PROFTOP_NONE;
    if (function != Py_None)
        id = (proftop_id)PyLong_AsUnsignedLong(function);
    if (PyErr_Occurred())
        return NULL;
    PyObject *old = graph->define;
    graph->function = id;
    graph->define = callback == Py_None ? NULL : callback;
    Py_XINCREF(graph->define);
    Py_XDECREF(old);
    Py_RETURN_NONE;
}

static PyObject *graph_new(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
    (void)args, (void)kwargs;
    allocfunc alloc = (allocfunc)PyType_GetSlot(type, Py_tp_alloc);
    struct graph *graph = (struct graph *)alloc(type, 0);
    if (graph) {
        graph->function = PROFTOP_NONE;
        graph->node_run[0] = node_run;
        graph->node_run[1] = node_inspect;
    }
    return (PyObject *)graph;
}

static void graph_free(PyObject *self)
{
    struct graph *graph = (struct graph *)self;
    PyTypeObject *type = Py_TYPE(self);
    Py_CLEAR(graph->define);
    graph_forget(graph);
    freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);
    release(self);
    Py_DECREF((PyObject *)type);
}

static PyMethodDef graph_methods[] = {
    {"define", graph_define, METH_VARARGS, NULL},
    {"check", graph_check, METH_O, NULL},
    {"patch_tables", graph_patch_tables, METH_VARARGS, NULL},
    {"patch_list", graph_patch_list, METH_VARARGS, NULL},
    {"tally", tally_start, METH_VARARGS, NULL},
    {"unpatch", graph_unpatch, METH_O, NULL},
    {"alone", novm_start, METH_NOARGS, NULL},
    {"look", inspect_start, METH_VARARGS, NULL},
    {"look_away", inspect_leave, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL},
};
static PyType_Slot graph_slots[] = {
    {Py_tp_new, graph_new},
    {Py_tp_dealloc, graph_free},
    {Py_tp_methods, graph_methods},
    {0, NULL},
};
static PyType_Spec graph_spec = {"proftop._feed.Graph", sizeof(struct graph), 0, Py_TPFLAGS_DEFAULT,
                                 graph_slots};

int graph_types(void)
{
    proftop_py.graph_type = (PyTypeObject *)PyType_FromSpec(&graph_spec);
    proftop_py.thunk_type = (PyTypeObject *)PyType_FromSpec(&thunk_spec);
    return proftop_py.graph_type && proftop_py.thunk_type ? 0 : -1;
}

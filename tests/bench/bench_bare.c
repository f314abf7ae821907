/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * bench_bare.c: the floor of the overhead at a framework's nodes: two clock reads and nothing else.
 * theano_nodes.py loads this file and installs it in place of an adapter.
 */
#include "adapters/theano/theano.h"
#include "floor.h"

/* The tables of the one VM that is measured. They live as long as the VM. */
static struct {
    void **runs, **datas;
    struct node *nodes;
    Py_ssize_t n;
} vm;

static int bare_run(void *data)
{
    struct node *node = data;
    uint64_t start = floor_stamp();
    int error = node->run(node->data);
    floor_keep(floor_stamp() - start);
    if (error)
        node->error = *(void **)node->data;
    return error;
}

/* theano_nodes.py calls these functions. bare_note() returns -1 if out of memory. bare_thunk()
 * returns the callable that replaces a thunk, or NULL with an error set. */
int bare_note(PyObject *graph);
void bare_put(void);
void bare_take(void);
PyObject *bare_thunk(PyObject *inner);
/* Called by compiled code. */
int64_t bare_enter(int64_t number);
void bare_mark(int64_t number, int64_t entered);
void bare_step(int64_t number, int64_t step, int64_t steps, int64_t now);

/* Remembers the tables of a VM to be patched. */
int bare_note(PyObject *graph)
{
    const struct graph *patched = (struct graph *)graph;
    vm.runs = patched->runs;
    vm.datas = patched->datas;
    vm.n = patched->n_nodes;
    vm.nodes = malloc((size_t)vm.n * sizeof *vm.nodes);
    if (vm.nodes)
        memcpy(vm.nodes, patched->nodes, (size_t)vm.n * sizeof *vm.nodes);
    return vm.nodes ? 0 : -1;
}

/* Requires that the tables hold none of our entries. */
void bare_put(void)
{
    int (*run)(void *) = bare_run;
    for (Py_ssize_t i = 0; i < vm.n; i++) {
        vm.datas[i] = &vm.nodes[i];
        memcpy(&vm.runs[i], &run, sizeof run);
    }
}

void bare_take(void)
{
    for (Py_ssize_t i = 0; i < vm.n; i++) {
        vm.datas[i] = vm.nodes[i].data;
        memcpy(&vm.runs[i], &vm.nodes[i].run, sizeof vm.nodes[i].run);
    }
}

struct bare {
    PyObject_HEAD
    PyObject *thunk; /* a reference */
};

static PyObject *bare_call(PyObject *self, PyObject *args, PyObject *kwargs)
{
    uint64_t start = floor_stamp();
    PyObject *result = PyObject_Call(((struct bare *)self)->thunk, args, kwargs);
    floor_keep(floor_stamp() - start);
    return result;
}

static void bare_free(PyObject *self)
{
    PyTypeObject *type = Py_TYPE(self);
    Py_DECREF(((struct bare *)self)->thunk);
    PyObject_Free(self);
    Py_DECREF((PyObject *)type);
}

static PyType_Slot bare_slots[] = {
    {Py_tp_call, bare_call}, {Py_tp_dealloc, bare_free}, {0, NULL}};
static PyType_Spec bare_spec = {"bare.Thunk", sizeof(struct bare), 0, Py_TPFLAGS_DEFAULT,
                                bare_slots};

PyObject *bare_thunk(PyObject *inner)
{
    static PyObject *type;
    if (!type)
        type = PyType_FromSpec(&bare_spec);
    struct bare *thunk = type ? PyObject_New(struct bare, (PyTypeObject *)type) : NULL;
    if (!thunk)
        return NULL;
    Py_INCREF(inner);
    thunk->thunk = inner;
    return (PyObject *)thunk;
}

/* Called by compiled code in place of the functions of marks.c. */
int64_t bare_enter(int64_t number)
{
    return (int64_t)floor_stamp() + number;
}

void bare_mark(int64_t number, int64_t entered)
{
    uint64_t start = floor_stamp();
    floor_keep(floor_stamp() - start + (uint64_t)(number + entered));
}

void bare_step(int64_t number, int64_t step, int64_t steps, int64_t now)
{
    floor_keep((uint64_t)(number + step + steps + now));
}

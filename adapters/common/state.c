/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * state.c: keeps the feed of the Python extension, across forks. */
#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "adapters/common/state.h"

struct state proftop_py;
PER_THREAD uint32_t proftop_py_open;
PER_THREAD uint64_t proftop_py_calls;

/* In a forked child one thread opens the feed; the other threads wait for it. */
static pthread_mutex_t adopting = PTHREAD_MUTEX_INITIALIZER;

void proftop_py_forked(void)
{
    if (proftop_py.feed)
        proftop_py.inherited = proftop_py.feed;
    proftop_py.feed = NULL;
    pthread_mutex_init(&adopting, NULL);
}

void proftop_py_on_adopt(void (*adopted)(void))
{
    int i = 0;
    while (i < STATE_ADOPTED - 1 && proftop_py.adopted[i] && proftop_py.adopted[i] != adopted)
        i++;
    proftop_py.adopted[i] = adopted;
}

struct proftop *proftop_py_adopt(void)
{
    pthread_mutex_lock(&adopting);
    struct proftop *parents = proftop_py.inherited;
    if (parents) {
        struct proftop *feed = proftop_open_child(parents);
        proftop_py.opened_by = getpid();
        if (proftop_is_on(feed)) {
            __atomic_fetch_add(&proftop_py.adoptions, 1, __ATOMIC_RELAXED);
            __atomic_store_n(&proftop_py.feed, feed, __ATOMIC_RELEASE);
            for (int i = 0; i < STATE_ADOPTED && proftop_py.adopted[i]; i++)
                proftop_py.adopted[i]();
        } else {
            proftop_close(feed);
        }
        __atomic_store_n(&proftop_py.inherited, NULL, __ATOMIC_RELEASE);
    }
    pthread_mutex_unlock(&adopting);
    return proftop_py.feed;
}

/* ---------------------------------------------------------------------------------- errors */

static int raise_again(void *error)
{
    PyErr_SetObject((PyObject *)Py_TYPE((PyObject *)error), error);
    Py_DECREF((PyObject *)error);
    return -1;
}

/* Compares by system calls: correct after a fork, too, whichever thread forked. */
static int is_main_thread(void)
{
    return syscall(SYS_gettid) == getpid();
}

/* Pending calls run in the main thread, so it gets the very exception object, with its exit code.
 * For another thread Python accepts only a class, which ends the thread and not the job. */
static void raise_later(PyObject *type, PyObject *error)
{
    if (!is_main_thread())
        PyThreadState_SetAsyncExc(PyThread_get_thread_ident(), type);
    else if (Py_AddPendingCall(raise_again, error) == 0)
        Py_INCREF(error);
}

void clear_error(void)
{
    PyObject *type, *error, *traceback;
    const int ours = PyErr_ExceptionMatches(PyExc_Exception);
    PyErr_Fetch(&type, &error, &traceback);
    PyErr_NormalizeException(&type, &error, &traceback);
    if (error && traceback)
        PyException_SetTraceback(error, traceback);
    if (!ours && error)
        raise_later(type, error);
    Py_XDECREF(type);
    Py_XDECREF(error);
    Py_XDECREF(traceback);
}

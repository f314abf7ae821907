# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""whose.py hook|thread|load|places|vm|thunk|child|worker|second: a job whose own actions coincide
with proftop's.

hook: a signal arrives while a hook runs. thread: another thread ends a thread that is in a hook.
load: a signal arrives while proftop is loaded into the running job; its handler ends the job.
places: the job puts its own objects in proftop's places, and is attached to again after a detach.
vm: it keeps only a VM, and is attached to again. thunk: it changes a VM in between.
child: it forks. worker: multiprocessing forks. second: it has a second framework."""
import ctypes
import gc
import multiprocessing
import os
import signal
import sys
import threading

import numpy as np
import pytensor
from arrival import attached, await_attach
from pytensor.compile.function.types import Function

CODE, CALLS = 5, 7
what = sys.argv[1]
x = pytensor.tensor.dvector("x")


def compiled(name):
    return pytensor.function([x], pytensor.tensor.exp(x) + 1, name=name)


def end(*unused):
    sys.exit(CODE)


def signal_me(*unused):
    os.kill(os.getpid(), signal.SIGTERM)


class Finder:
    @staticmethod
    def find_spec(name, *unused):
        if name == "_proftop.attach_running":
            signal_me()


def again():
    """Waits until proftop has detached and attached again."""
    while attached():
        pass
    await_attach()


def hook():
    adapter = sys.modules["_proftop.theano_family"].module_state["adapter"]
    adapter.tell_facts = signal_me
    compiled("f")


def thread():
    adapter = sys.modules["_proftop.theano_family"].module_state["adapter"]
    held, asked, told = threading.Event(), threading.Event(), adapter.tell_facts

    def hold():
        adapter.tell_facts = told
        held.set()
        asked.wait()

    def work():
        try:
            compiled("f")
            print("went on", flush=True)
        except KeyboardInterrupt:
            print("ended", flush=True)

    adapter.tell_facts = hold
    worker = threading.Thread(target=work)
    worker.start()
    held.wait()
    ident, error = ctypes.c_ulong(worker.ident), ctypes.py_object(KeyboardInterrupt)
    assert ctypes.pythonapi.PyThreadState_SetAsyncExc(ident, error) == 1
    asked.set()
    worker.join()


def load():
    sys.meta_path.insert(0, Finder)
    await_attach()


def places():
    f, calls, ours = compiled("f"), [], None

    def counts(self, *args):
        calls.append(self)
        return ours(self, *args)
    await_attach()
    ours, Function.__call__ = Function.__call__, counts
    again()
    assert vars(Function)["__call__"].__wrapped__ is counts
    for _ in range(CALLS):
        f(np.ones(3))
    assert calls == [f] * CALLS, calls


def vm():
    f = compiled("f")
    await_attach()
    alone, storage = f.vm, f.input_storage[0].storage
    storage[0] = np.ones(3)
    del f
    gc.collect()
    g = compiled("g")
    g(np.ones(3))
    again()
    for _ in range(CALLS):
        g(np.ones(3))
        alone()
        alone()


def thunk():
    """Changes a VM's data of a node after the detach."""
    f = compiled("f")
    await_attach()
    f(np.ones(3))
    while attached():
        pass
    theirs = f.vm.thunks[0]
    f.vm.thunks[0] = lambda: theirs()
    await_attach()
    for _ in range(CALLS):
        f(np.ones(3))


def child():
    """Calls nothing, and ends with the job."""
    f = compiled("f")
    await_attach()
    job = os.getpid()
    number = os.fork()
    if not number:
        while os.getppid() == job:
            pass
        os._exit(f is None)
    print(number, flush=True)


def work(f, over):
    while not attached():
        pass
    for _ in range(CALLS):
        f(np.ones(3))
    over.wait()


def worker():
    """proftop attaches to a multiprocessing process. It ends on the job's request."""
    context = multiprocessing.get_context("fork")
    over = context.Event()
    one = context.Process(target=work, args=(compiled("f"), over))
    one.start()
    print("ready", one.pid, sep="\n", flush=True)
    sys.stdin.readline()
    over.set()
    one.join()


def second():
    """The second framework is imported before the attach, or after it."""
    f = compiled("f")
    import aesara.compile.function.types  # noqa: F401
    await_attach()
    f(np.ones(3))


signal.signal(signal.SIGTERM, end)
globals()[what]()
print("counted", flush=True)
sys.stdin.readline()
print("not ended")

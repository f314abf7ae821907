# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""recursive.py: sends Numba's events of code that needs itself for other types, and of a
compilation without an end event, outside calls of the function and in them. Prints for each
function its name, the time to make it, the time in the events and calls, its calls, and the
compilations that ended."""
import threading
import time

import numpy as np

import pytensor
import pytensor.tensor as pt
from numba.core import event

v = pt.dvector("v")


def make(name):
    begun = time.perf_counter_ns()
    function = pytensor.function([v], pt.exp(v).sum(), name=name)
    return {"dispatcher": function.vm.jit_fn}, time.perf_counter_ns() - begun


listener = event.RecordingListener()
event.register("numba:compile", listener)


def say(name, told, made, begun, calls):
    took = time.perf_counter_ns() - begun
    ended = sum(one.is_end and one.data["dispatcher"] is told["dispatcher"]
                for _, one in listener.buffer)
    print(name, made, took, calls, ended)


def busy():
    begun = time.perf_counter_ns()
    while time.perf_counter_ns() - begun < 500_000_000:
        pass


def nested(told):
    with event.trigger_event("numba:compile", data=told):
        busy()
        with event.trigger_event("numba:compile", data=told):
            busy()


make("first")  # the first one is slower and not measured
for name in ("nested", "lost"):
    told, made = make(name)
    begun = time.perf_counter_ns()
    if name == "lost":
        event.start_event("numba:compile", data=told)
    nested(told)
    say(name, told, made, begun, 0)


def call(function, *args):
    try:
        function(*args)
    except Exception:
        return 0
    return 1


def in_calls(name, first):
    """Makes four calls. In the second one `first(told)` runs before the code."""
    begun = time.perf_counter_ns()
    function = pytensor.function([v], pt.exp(v).sum(), name=name)
    code, *rest = function.vm.__defaults__
    told = {"dispatcher": code}
    code(np.ones(3))  # already compiled; a call, too
    firsts = [first]

    def run(*args):
        if firsts:
            firsts.pop()(told)
        return code(*args)

    function.vm.__defaults__ = (run, *rest)
    calls = 1 + sum(call(function, np.ones(3)) for _ in range(3))
    say(name, told, 0, begun, calls)
    return function


def fails(told):
    with event.trigger_event("numba:compile", data=told):
        busy()
        raise ValueError("it can't be compiled")


def lost(told):
    event.start_event("numba:compile", data=told)
    nested(told)


def on_a_thread(told):
    """Another thread compiles. Its time is in no call of this thread."""
    thread = threading.Thread(target=nested, args=(told,))
    thread.start()
    thread.join()


inner = in_calls("called", nested)
in_calls("failed", fails)
in_calls("lost in a call", lost)
in_calls("elsewhere", on_a_thread)
in_calls("outer", lambda told: (nested(told), inner(np.ones(3)), nested(told)))
thread = threading.Thread(target=in_calls, args=("threaded", nested))
thread.start()
thread.join()

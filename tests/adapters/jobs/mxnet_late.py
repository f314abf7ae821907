# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""mxnet_late.py: publishes by mxnet.profiler until its input ends. It starts without proftop, so
its objects are older than the attach. Prints the final state of MXNet's classes."""
import sys
import threading

from mxnet import profiler

over = threading.Event()
domain = profiler.Domain("job")
task, event = domain.new_task("old"), profiler.Event("old")
counter, marker = domain.new_counter("old", 7), domain.new_marker("old")
adds = domain.new_counter("adds", 7)


def read():
    sys.stdin.read()
    over.set()


threading.Thread(target=read).start()
print("ready", flush=True)
while not over.is_set():
    for span in (task, event, profiler.Task(domain, "new")):
        span.start()
        span.stop()
    counter.set_value(5000000000)
    counter.increment()
    adds.increment()
    marker.mark()
    domain.new_counter("new", -3)
    over.wait(0.01)
print([name for cls in (profiler.Task, profiler.Event, profiler.Counter, profiler.Marker)
       for name, one in vars(cls).items() if hasattr(one, "__wrapped__")])

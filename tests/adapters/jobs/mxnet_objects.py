# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""mxnet_objects.py [run]: an MXNet job that publishes by mxnet.profiler, as its page describes;
with `run`, while that profiler runs. Prints MXNet's own statistics."""
import json
import sys
import threading

import mxnet as mx
from mxnet import profiler

RUNS = sys.argv[1:] == ["run"]
if RUNS:
    profiler.set_config(aggregate_stats=True, filename="", profile_api=False,
                        profile_memory=False, continuous_dump=True, dump_period=0.1)
    profiler.set_state("run")
    mx.nd.zeros((2,)).wait_to_read()

domain = profiler.Domain("job")
task, frame = domain.new_task("task"), domain.new_frame("frame")
event, marker = profiler.Event("event"), domain.new_marker("marker")
for span, times in ((task, 3), (frame, 4), (event, 5)):
    for _ in range(times):
        span.start()
        span.stop()
task.start()
threading.Thread(target=task.stop).start()  # MXNet does not know the thread of a run
twice = profiler.Task(domain, "twice")
twice.start()
twice.start()
twice.stop()
twice.stop()
marker.mark()
marker.mark(scope="thread")
try:
    marker.mark("nowhere")
except mx.MXNetError:
    pass
else:
    raise AssertionError("MXNet takes any scope")

large, small = domain.new_counter("large", 5000000000), profiler.Counter(domain, "small", value=0)
large.set_value(3000000000)
large.set_value(value=5000000000)
small.decrement()
steps = domain.new_counter("steps", 10)
steps += 5
steps -= 2
steps.increment()
steps.increment(delta=10)
steps.decrement(4)
floats = domain.new_counter("floats")
floats.set_value(2.9)
floats.set_value(mx.nd.array([4]).asscalar())
for _ in range(2):  # each begins at 0, in one row
    again = domain.new_counter("again")
    again.increment(3)
for call in (lambda: floats.set_value("much"), lambda: floats.set_value(), lambda: task.start(1)):
    try:
        call()
    except (TypeError, ValueError):
        pass
    else:
        raise AssertionError("MXNet takes anything")
odd = profiler.Domain("odd \"domain\"\nof two lines")
for name in ("quotes \" and '", "lines\nof\ttext", "long " + 10000 * "x", "caf\u00e9"):
    with_name = profiler.Task(odd, name)
    assert str(with_name) == with_name.name == name
    with_name.start()
    with_name.stop()


class Custom(profiler.Task):
    """A subclass, as in some programs."""

    def __init__(self, name):
        super().__init__(domain, name)

    def __enter__(self):
        self.start()

    def __exit__(self, *unused):
        self.stop()


with Custom("subclass"):
    pass
if hasattr(profiler, "scope"):
    import proftop

    with profiler.scope("net") as outer:
        with profiler.scope("layer:") as inner:
            proftop.Domain("job").memory("cpu/0", "job's").alloc(4096)
    assert (outer, inner) == ("net:", "net:layer:"), (outer, inner)
if RUNS:
    # 1.9.1 keeps 127 bytes of a name. Quotes would break its JSON: no odd names there.
    table = profiler.dumps()
    profiler.set_state("stop")
    print(table)

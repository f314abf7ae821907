# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""mxnet_sums.py: for an unknown build of MXNet, publishes the sums of MXNet's own profiler.

proftop starts that profiler. A hook takes each event that the profiler sums. If even the place for
this hook is not found, a thread reads the table that dumps() prints. The profiler changes the job:
it switches bulking off, and costs some microseconds per operator."""
import atexit
import threading

from . import feed

STATS = 128  # enum mxnet_feature
SECONDS = 0.1
# Without calls of the C interface: switching them on while another thread is in such a call ends
# the process.
CONFIG = {"aggregate_stats": True, "continuous_dump": True, "dump_period": SECONDS,
          "profile_api": False, "profile_memory": False, "profile_imperative": True,
          "profile_symbolic": True, "filename": ""}
HOOKED = "the events that its own profiler adds up"
PRINTED = "the table that its own profiler prints"
LACKS = "which runs for that and switches bulking off: no nodes, no queue, no waits, no memory"


def rows_of(table):
    """(operator, calls, ns) of each row of dumps()."""
    within = False
    for line in table.splitlines():
        words = line.rsplit(None, 5)
        if len(words) == 1:
            within = words[0] in ("operator", "Custom Operator") or (
                within and set(words[0]) == {"="})
        elif within and len(words) == 6 and words[1].isdigit():
            yield words[0].strip(), int(words[1]), round(float(words[2]) * 1e6)


class Sums:
    """Active from its creation until stop()."""

    def __init__(self):
        self.profiler = self.reader = None
        self.end = threading.Event()
        self.reads = feed.mxnet_attach(STATS) is not None

    def route(self):
        return "%s, %s" % (PRINTED if self.reads else HOOKED, LACKS)

    def run(self, profiler):
        """Starts the profiler. The module mxnet.profiler has been imported."""
        self.profiler = profiler
        profiler.set_config(**CONFIG)
        profiler.set_state("run")
        atexit.register(self.finish)
        if self.reads:
            self.reader = threading.Thread(target=self.read_on, name="proftop-mxnet", daemon=True)
            self.reader.start()

    def read(self):
        for name, calls, ns in rows_of(self.profiler.dumps(reset=False, format="table")):
            feed.mxnet_set(name, calls, ns)

    def read_on(self):
        while not self.end.wait(SECONDS):
            try:
                self.read()
            except Exception:
                return  # the interpreter ends, or the job has configured the profiler

    def finish(self):
        """Takes the last events and stops the profiler: MXNet 2.0 does not exit while it runs."""
        self.end.set()
        try:
            if self.reader is not None:
                self.reader.join(1)  # else an older table could follow the last one
            self.profiler.set_state("stop")
            if self.reads:
                self.read()
            else:
                self.profiler.dumps(reset=False)
        except Exception:
            pass

    def stop(self):
        if self.profiler is not None:
            atexit.unregister(self.finish)
            self.finish()

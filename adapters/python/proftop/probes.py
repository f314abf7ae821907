# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""probes.py: asks a framework, whatever its version, whether it has what the adapter needs.

A probe that fails costs one thing. Viewers are told which probe failed, what is missing, and what
is therefore not known.
"""
from . import feed

# The consequence if a probe fails.
COSTS = {
    "functions": "nothing of it is seen",
    "compilation": "what a function took to compile is known in part only",
    "rewriting": "what was spent on rewriting a function is not known",
    "validation": "what was spent on validation is not known",
    "rewriters": "rewriters are not shown",
    "loading": "what is read from the cache of compiled C is not told apart",
    "linking": "what was spent on linking a function is not known",
    "Numba": "functions that Numba compiles are shown without their nodes",
    "source of Numba": "functions that Numba compiles so are shown without their nodes",
    "source of Scan": "the steps of a Scan that Numba compiles are not shown while it runs",
    "counted once": "nodes are not counted in this way any more",
}


class Probes:
    def __init__(self):
        self.failed = {}  # name: what is missing

    def fail(self, name, lacks):
        """`lacks` is a sentence without the full stop."""
        if name not in self.failed:
            self.failed[name] = lacks
            feed.notice(1, "the probe '%s' failed: %s; %s" % (name, lacks, COSTS[name]))

    def has(self, name, owner, attribute, where):
        """Whether the owner has the attribute. Notices call the owner `where`."""
        if owner is not None and hasattr(owner, attribute):
            return True
        self.fail(name, "there is no %s.%s" % (where, attribute))
        return False

    def told(self):
        """For the header; empty if no probe failed."""
        return "probes failed: " + ", ".join(self.failed) if self.failed else ""

# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""probes.py: checks that a framework of any version has the parts that the adapter needs.

A failed probe disables one feature. A notice tells viewers which probe failed, which part is
missing, and which facts are therefore unknown."""
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
        self.failed = {}  # name -> the missing part

    def fail(self, name, lacks):
        """Reports a failed probe. `lacks` is a sentence without the full stop."""
        if name not in self.failed:
            self.failed[name] = lacks
            feed.notice(1, "the probe '%s' failed: %s; %s" % (name, lacks, COSTS[name]))

    def has(self, name, owner, attribute, where):
        """True if the owner has the attribute. `where` is the owner's name in notices."""
        if owner is not None and hasattr(owner, attribute):
            return True
        self.fail(name, "there is no %s.%s" % (where, attribute))
        return False

    def told(self):
        """Text for the header; empty if no probe failed."""
        return "probes failed: " + ", ".join(self.failed) if self.failed else ""

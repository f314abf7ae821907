# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""sampling.py: the draws of PyMC's own samplers, each of which is one call of a method `step`.

nutpie draws in code of its own, which nobody sees; viewers are told so.
"""
import os
import sys

from . import feed
from .kinds import with_subclasses

WHERE, CLASSES, METHOD = "pymc.step_methods.compound", ("BlockedStep", "CompoundStep"), "step"
NUTPIE = os.path.join("nutpie", "compile_pymc.py")


class Sampling:
    """Hooks in the step methods that there are."""

    def __init__(self, adapter):
        self.adapter = adapter
        self.seen = set()
        self.told = False

    def install(self):
        """Also in classes that were made since the last time: they come before what they sample."""
        module = sys.modules.get(WHERE)
        bases = [getattr(module, name) for name in CLASSES if hasattr(module, name)]
        for cls in with_subclasses(*bases):
            step = vars(cls).get(METHOD)
            if cls in self.seen or not callable(step):
                continue
            self.seen.add(cls)
            if not getattr(step, "__isabstractmethod__", False):
                self.adapter.replace(cls, METHOD, feed.wrap_draw)

    def asked_from(self, file):
        """A function is compiled for this file of the job's."""
        if file and file.endswith(NUTPIE) and not self.told:
            self.told = True
            feed.notice(0, "nutpie draws on threads of its own: its evaluations are counted, but "
                           "its draws, and what it does between evaluations, are not seen")

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


def under_way(code):
    """Whether this thread is in a call of it."""
    frame = sys._getframe()
    while frame is not None and frame.f_code is not code:
        frame = frame.f_back
    return frame is not None


class Sampling:
    """Hooks in the step methods that there are."""

    def __init__(self, adapter):
        self.adapter = adapter
        self.seen = set()
        self.told = False

    def arrive(self):
        """A sampler may run already. The steps of a draw that is under way are no draws: they get
        their hooks with what is compiled next, for a step that consists of others hides them."""
        whole = getattr(getattr(sys.modules.get(WHERE), CLASSES[-1], None), METHOD, None)
        self.install(CLASSES[-1:] if under_way(getattr(whole, "__code__", None)) else CLASSES)

    def install(self, names=CLASSES):
        """Also in classes that were made since the last time: they come before what they sample."""
        module = sys.modules.get(WHERE)
        bases = [getattr(module, name) for name in names if hasattr(module, name)]
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

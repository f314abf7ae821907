# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""sampling.py: the draws of PyMC's own samplers, each of which is one call of a method `step`, and
how long the chain is.

nutpie draws in code of its own, which nobody sees; viewers are told so.
"""
import contextlib
import gc
import os
import sys
import types
import weakref

from . import feed
from .kinds import with_subclasses
from .remarking import defaults_of

WHERE, CLASSES, METHOD = "pymc.step_methods.compound", ("BlockedStep", "CompoundStep"), "step"
NUTPIE = os.path.join("nutpie", "compile_pymc.py")
# The functions of PyMC that draw a chain, in the process itself and in a child process, and how to
# find (draws made, tuning draws, all draws) in their locals. `draws` has all draws in the first;
# `_draws` has the kept draws alone in the second.
WHO, DEPTH = "pymc.", 8
DRAWERS = {
    "_iter_sample": lambda its: (its["i"], its["tune"], its["draws"]),
    "_start_loop": lambda its: (its["draw"], its["self"]._tune,
                                its["self"]._tune + its["self"]._draws),
}
TAKEN = "nutpie took its code out of it before proftop came"
ALL_TAKEN = "unseen, as nutpie took their code before"


def under_way(code):
    """Whether this thread is in a call of it."""
    frame = sys._getframe()
    while frame is not None and frame.f_code is not code:
        frame = frame.f_back
    return frame is not None


def chain():
    """(draws made, tuning draws, all draws) of the chain that this thread draws, or None."""
    frame = sys._getframe(1)
    for _ in range(DEPTH):
        if frame is None:
            return None
        find = DRAWERS.get(frame.f_code.co_name)
        if find and WHO in frame.f_globals.get("__name__", ""):
            return find(frame.f_locals)
        frame = frame.f_back
    return None


class Sampling:
    """Hooks in the step methods that there are."""

    def __init__(self, adapter):
        self.adapter = adapter
        self.seen = set()
        self.told = False
        self.taken = weakref.WeakSet()  # VMs whose code nutpie had when proftop came

    def look_for_nutpie(self, vms):
        """What it took out of a function is in a closure of its own; nobody counts its calls."""
        if "nutpie" not in sys.modules:
            return
        codes = {id(vm.jit_fn): vm for vm in vms if defaults_of(vm)}
        for thing in gc.get_referrers(*[vm.jit_fn for vm in codes.values()]):
            if isinstance(thing, types.CellType):
                with contextlib.suppress(KeyError, ValueError):  # it is another's by now
                    self.taken.add(codes[id(thing.cell_contents)])
        feed.notice(0, "nutpie is imported: a sampler that it compiled before proftop came is not "
                       "seen, one that it compiles from now on is")

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
                self.adapter.replace(cls, METHOD, lambda step: feed.wrap_draw(step, chain))

    def asked_from(self, file):
        """A function is compiled for this file of the job's."""
        if file and file.endswith(NUTPIE) and not self.told:
            self.told = True
            feed.notice(0, "nutpie draws on threads of its own: its evaluations are counted, but "
                           "its draws, and what it does between evaluations, are not seen")

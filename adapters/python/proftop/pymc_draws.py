# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""pymc_draws.py: the draws of PyMC's own samplers, and the length of the chain. A draw is one call
of a method `step`.

nutpie draws in code of its own, which the adapter cannot see. A notice tells viewers so."""
import contextlib
import gc
import os
import sys
import types
import weakref

from . import feed
from .kinds import with_subclasses
from .user_lines import OURS
from .numba_recompile import defaults_of, swaps

WHERE, CLASSES, METHOD = "pymc.step_methods.compound", ("BlockedStep", "CompoundStep"), "step"
NUTPIE = os.path.join("nutpie", "compile_pymc.py")
# Functions of PyMC that draw a chain, in the process itself and in a child process, and how to find
# (draws made, tuning draws, all draws) in their locals. In the first, `draws` counts all draws. In
# the second, `_draws` counts the kept draws only.
WHO, DEPTH = "pymc.", 8
DRAWERS = {
    "_iter_sample": lambda its: (its["i"], its["tune"], its["draws"]),
    "_start_loop": lambda its: (its["draw"], its["self"]._tune,
                                its["self"]._tune + its["self"]._draws),
}
TAKEN = "nutpie took its code out of it before proftop came"
TAKES = "nutpie takes its code out of it, which has no marks"
ALL_TAKEN = "unseen, as nutpie calls code without marks"
FEW = 16  # longest tuple or list that is searched for arguments of a call


def under_way(code):
    """True if this thread is in a call of this code."""
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


def in_hands_of_nutpie():
    """ids of the objects in the locals of nutpie's running calls, and of the calls inside them.
    nutpie may take code out of these objects later."""
    held = set()
    for frame in sys._current_frames().values():
        inside = []
        while frame is not None:
            file = frame.f_code.co_filename
            if not file.startswith(OURS):
                inside.append(frame)
            if file.endswith(NUTPIE):
                for one in inside:
                    held.update(ids_of(one.f_locals))
                inside = []
            frame = frame.f_back
    return held


def ids_of(its):
    for value in list(its.values()):
        yield id(value)
        if isinstance(value, (list, tuple)) and len(value) <= FEW:
            yield from map(id, value)


def codes_of(vm):
    """The code of a linker that compiles a graph as one piece, and JAX's function inside it."""
    code = vm.jit_fn if defaults_of(vm) else None
    return [one for one in (code, getattr(code, "_fun", None)) if one is not None]


class Sampling:
    """Hooks in the existing step methods."""

    def __init__(self, adapter):
        self.adapter = adapter
        self.seen = set()
        self.told = False
        self.taken = weakref.WeakKeyDictionary()  # VM -> why unseen: nutpie has its code

    def look_for_nutpie(self, functions):
        """Finds functions whose code nutpie has taken: a closure of nutpie's holds the code, and
        its calls cannot be counted. If a running call of nutpie holds a function, nutpie takes its
        code later."""
        if "nutpie" not in sys.modules:
            return
        held, codes = in_hands_of_nutpie(), {}
        for function in functions:
            vm = self.adapter.vm_of(function)
            its = codes_of(vm)
            codes.update((id(code), vm) for code in its)
            if its and not held.isdisjoint(map(id, (function, vm, *its))):
                self.taken[vm] = TAKES
        for thing in gc.get_referrers(*[code for vm in codes.values() for code in codes_of(vm)]):
            if isinstance(thing, types.CellType):
                with contextlib.suppress(KeyError, ValueError):  # the cell was reused
                    self.taken[codes[id(thing.cell_contents)]] = TAKEN
        feed.notice(0, "nutpie is imported: a sampler that it compiled before proftop came is not "
                       "seen, and what it compiles just now may have no calls (-); a sampler that "
                       "it begins to compile by Numba from now on is seen")

    def why_unseen(self, vm, compilation, marked):
        """Why the calls of a function are not seen, because nutpie has or gets its code; or
        None."""
        if vm in self.taken and (not marked or vm in swaps):
            return self.taken[vm]
        gets = str(compilation.library).endswith(NUTPIE) and codes_of(vm)
        return TAKES if gets and not marked else None

    def arrive(self):
        """Installs the hooks in a job that may be sampling. Steps inside a running draw are no
        draws: a compound step hides its parts. So these get their hooks at the next compilation."""
        whole = getattr(getattr(sys.modules.get(WHERE), CLASSES[-1], None), METHOD, None)
        self.install(CLASSES[-1:] if under_way(getattr(whole, "__code__", None)) else CLASSES)

    def install(self, names=CLASSES):
        """Installs the hooks, also in classes that were made since the last time: a class exists
        before it samples."""
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
        """Notes a function that is compiled for this file of the job."""
        if file and file.endswith(NUTPIE) and not self.told:
            self.told = True
            feed.notice(0, "nutpie draws on threads of its own: its draws, and what it does "
                           "between evaluations, are not seen")

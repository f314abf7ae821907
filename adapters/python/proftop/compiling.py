# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""compiling.py: what each thread compiles, and how long the parts of it take.

The framework keeps these times only for functions that it profiles, so a clock of ours reads them
at the same places. What we do ourselves meanwhile is not counted.
"""
import contextlib
import threading
import time

from . import feed
from .moving import why_moved
from .ops import plain


# Our parts of a compilation, and what the framework's profiles call them, now and before Aesara.
PROFILED = {"spent_ns": ("compile_time",), "rewrite_ns": ("rewriting_time", "optimizer_time"),
            "validate_ns": ("validate_time",), "link_ns": ("linker_time",)}


class Compilation:
    """The making of one function, from the call that asks for it to its end."""

    def __init__(self, name, file, line, origins, maker=None, group=0):
        self.name = name and plain(str(name))
        self.stand_in = None   # its name if nothing else gives it one
        self.library = None    # file of the library that asked for it
        self.file, self.line = file and plain(file), line
        self.group = group     # functions that belong together (groups.py); 0: none
        self.maker = maker     # id of the maker, once it is known
        self.mode = None       # in words (modes.py), once the function is there
        self.owner = None      # the hook that ends it
        self.function = None   # id in the feed; None: defined at its first call
        self.late = False      # over before we came
        self.nested = False    # made while another was compiled, or inside a running node
        self.own_ns = 0        # of ours, by the clock that stands still;
        self.own_before_ns = 0  # of which so much lies before this stretch
        self.stopped_ns = None  # since when it does
        self.spent_ns = 0      # of earlier stretches; None: one of them was before we came
        self.rewrite_ns = None
        self.validate_ns = None
        self.link_ns = None
        self.told_ns = {}      # what of these the feed knows
        self.marks = {}
        self.around = None     # if it is nested: the function whose phases its own are,
        self.part_of = None    # and which of them they are inside
        self.phases = []       # rewriters at work, the innermost last
        self.converting = []   # graphs that become source for Numba, the innermost last
        self.marked = None     # the last of them that got marks (marking.py),
        self.whole = None      # and that of the function
        self.imported = None   # what imports had taken when it began to link
        self.cached = False    # the cache has been read for it
        self.making = None     # the node that a linker makes ready,
        self.thunk_ns = {}     # and how long that took of those that are
        self.rewriter = None   # the outermost at work, how often it is entered, and its origins
        self.origins = origins  # lines of its nodes

    def before_us(self, profile):
        """Of its times there are those of a profile that is certainly of this function, if any."""
        self.late, self.spent_ns = True, None
        seconds = {part: next((getattr(profile, name) for name in names if hasattr(profile, name)),
                              None) for part, names in PROFILED.items()}
        if seconds["spent_ns"]:  # a copy of a function was not compiled
            for part, spent in seconds.items():
                setattr(self, part, None if spent is None else round(spent * 1e9))

    def called(self):
        return self.name or self.stand_in or "a function"

    def now(self):
        """A clock that stands still while we work."""
        return (self.stopped_ns or time.perf_counter_ns()) - self.own_ns

    def stop(self):
        """Our work begins. False: it has begun already."""
        if self.stopped_ns is not None:
            return False
        self.stopped_ns = time.perf_counter_ns()
        return True

    def told_of(self):
        """The function whose phases its own are; None: nobody knows."""
        return self.around if self.function is None else self.function

    def open_phase(self):
        """The innermost that is open, of those that others may be inside; or None."""
        if self.phases:
            return self.phases[-1].number
        return self.making.phase if self.making else self.part_of

    def begin_phase(self, kind, name, nodes=None):
        """Gives its number; None where nobody knows whose it is."""
        function = self.told_of()
        if function is None:
            return None
        return feed.phase_begin(function, self.open_phase(), kind, name, nodes)

    def mark(self, what):
        self.marks[what] = self.now()

    def since(self, what):
        """ns since the mark, which is taken away; None without one."""
        mark = self.marks.pop(what, None)
        return None if mark is None else self.now() - mark

    def add(self, part, ns):
        if ns is not None:
            setattr(self, part, (getattr(self, part) or 0) + ns)

    def untold(self):
        """Its times without what the feed was told before, to which it adds them."""
        times = []
        for part in PROFILED:
            ns = getattr(self, part)
            times.append(None if ns is None else ns - self.told_ns.get(part, 0))
            self.told_ns[part] = ns or 0
        return times


class Stack(threading.local):
    """The compilations of this thread, the innermost last."""

    def __init__(self):
        self.items = []

    def top(self):
        return self.items[-1] if self.items else None

    def push(self, compilation, owner):
        """Starts it, or goes on with it. The function is shown as compiling from here on."""
        compilation.owner = owner
        compilation.own_before_ns = compilation.own_ns
        if compilation.function is None and not compilation.nested:
            compilation.nested = bool(self.items) or feed.open_apply() is not None
        around = self.top() if compilation.nested else None
        compilation.around = around and around.told_of()
        compilation.part_of = around and around.open_phase()
        self.items.append(compilation)
        if not compilation.nested:
            if compilation.function is None:
                compilation.function = feed.function(
                    compilation.name or compilation.stand_in, compilation.file, compilation.line,
                    None, not why_moved(), compilation.group)
            feed.compile_begin(compilation.function)
        compilation.mark("whole")

    @contextlib.contextmanager
    def inside(self, compilation):
        """What is made meanwhile is of this one, whose times nobody asks for."""
        self.items.append(compilation)
        try:
            yield
        finally:
            self.items.remove(compilation)

    def go_on(self, compilation):
        """Our work ends: its clock goes on. If it has ended meanwhile, the one around it has no
        part of this work either."""
        ns = time.perf_counter_ns() - compilation.stopped_ns
        compilation.stopped_ns = None
        compilation.own_ns += ns
        if self.items and compilation not in self.items:
            self.items[-1].own_ns += ns

    def pop(self, owner):
        """Ends the innermost one if `owner` started it, and gives it."""
        compilation = self.top()
        if compilation is None or compilation.owner != owner:
            return None
        self.items.pop()
        spent_ns = compilation.since("whole") or 0
        if compilation.spent_ns is not None:
            compilation.spent_ns += spent_ns
        if self.items:
            self.items[-1].own_ns += compilation.own_ns - compilation.own_before_ns
        if compilation.function is not None:
            feed.compile_end(compilation.function, *compilation.untold())
        return compilation

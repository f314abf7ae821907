# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""compiling.py: the functions that each thread compiles, and how long each part takes.

The framework keeps these times only for functions that it profiles. So the adapter reads its own
clock at the same places. The adapter's own work is not counted."""
import contextlib
import threading
import time

from . import feed
from .greenlet_guard import why_moved
from .ops import plain


# Parts of a compilation -> their names in the framework's profiles, now and before Aesara.
PROFILED = {"spent_ns": ("compile_time",), "rewrite_ns": ("rewriting_time", "optimizer_time"),
            "validate_ns": ("validate_time",), "link_ns": ("linker_time",)}


class Compilation:
    """The compilation of one function, from the call that requests it to its end."""

    def __init__(self, name, file, line, origins, maker=None, group=0):
        self.name = name and plain(str(name))
        self.stand_in = None   # its name if nothing else gives it one
        self.library = None    # file of the library that requested it
        self.file, self.line = file and plain(file), line
        self.group = group     # group of functions (groups.py); 0: none
        self.maker = maker     # id of the maker, once it is known
        self.mode = None       # in words (modes.py), once the function exists
        self.owner = None      # the hook that ends it
        self.function = None   # id in the feed; None: defined at its first call
        self.late = False      # ended before the adapter was installed
        self.nested = False    # compiled during another compilation, or in a running node
        self.own_ns = 0        # adapter's own time, which now() leaves out
        self.own_before_ns = 0  # own_ns at the begin of this stretch
        self.stopped_ns = None  # start of the adapter's work; None: not at work
        self.spent_ns = 0      # earlier stretches; None: one predates the adapter
        self.rewrite_ns = None
        self.validate_ns = None
        self.link_ns = None
        self.reported_ns = {}  # part -> ns that the feed already has
        self.marks = {}
        self.around = None     # if nested: the function that its phases belong to,
        self.part_of = None    # and the phase that they are inside
        self.phases = []       # running rewriters, the innermost last
        self.converting = []   # graphs being converted to Numba source, the innermost last
        self.marked = None     # the last of these that got marks (numba_marks.py),
        self.whole = None      # and the one of the function
        self.imported = None   # import time when it began to link
        self.cached = False    # its cache entry has been read
        self.making = None     # the node that a linker prepares,
        self.thunk_ns = {}     # and the ns that prepared nodes took
        self.rewriter = None   # outermost running rewriter, its depth, and its origins
        self.origins = origins  # origins of its nodes (origins.py)

    def before_us(self, profile):
        """Marks a function as compiled before the adapter. Takes the times of the framework's
        profile, if that profile is certainly of this function."""
        self.late, self.spent_ns = True, None
        seconds = {part: next((getattr(profile, name) for name in names if hasattr(profile, name)),
                              None) for part, names in PROFILED.items()}
        if seconds["spent_ns"]:  # a copy of a function was not compiled
            for part, spent in seconds.items():
                setattr(self, part, None if spent is None else round(spent * 1e9))

    def called(self):
        return self.name or self.stand_in or "a function"

    def now(self):
        """Time in ns, without the time that the adapter itself works."""
        return (self.stopped_ns or time.perf_counter_ns()) - self.own_ns

    def stop(self):
        """The adapter begins to work: stops now(). Returns False if it is at work already."""
        if self.stopped_ns is not None:
            return False
        self.stopped_ns = time.perf_counter_ns()
        return True

    def told_of(self):
        """The function that its phases belong to; None: not known."""
        return self.around if self.function is None else self.function

    def open_phase(self):
        """The innermost open phase that another can be nested in, or None."""
        if self.phases:
            return self.phases[-1].number
        return self.making.phase if self.making else self.part_of

    def begin_phase(self, kind, name, nodes=None):
        """Begins a phase and returns its number, or None if its function is not known."""
        function = self.told_of()
        if function is None:
            return None
        return feed.phase_begin(function, self.open_phase(), kind, name, nodes)

    def mark(self, what):
        self.marks[what] = self.now()

    def since(self, what):
        """Removes a mark and returns the ns since then, or None without that mark."""
        mark = self.marks.pop(what, None)
        return None if mark is None else self.now() - mark

    def add(self, part, ns):
        if ns is not None:
            setattr(self, part, (getattr(self, part) or 0) + ns)

    def untold(self):
        """The times that the feed does not have yet. Records them as sent."""
        times = []
        for part in PROFILED:
            ns = getattr(self, part)
            times.append(None if ns is None else ns - self.reported_ns.get(part, 0))
            self.reported_ns[part] = ns or 0
        return times


class Stack(threading.local):
    """The compilations of this thread, the innermost last."""

    def __init__(self):
        self.items = []

    def top(self):
        return self.items[-1] if self.items else None

    def push(self, compilation, owner):
        """Starts or continues a compilation. From here on viewers show the function as
        compiling."""
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
        """Makes this compilation the parent of others made meanwhile. Its own times are not
        needed."""
        self.items.append(compilation)
        try:
            yield
        finally:
            self.items.remove(compilation)

    def go_on(self, compilation):
        """The adapter's work ends: restarts now(). If the compilation has ended meanwhile, the time
        is left out of the surrounding compilation as well."""
        ns = time.perf_counter_ns() - compilation.stopped_ns
        compilation.stopped_ns = None
        compilation.own_ns += ns
        if self.items and compilation not in self.items:
            self.items[-1].own_ns += ns

    def pop(self, owner):
        """Ends the innermost compilation and returns it, if `owner` started it. Else returns
        None."""
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

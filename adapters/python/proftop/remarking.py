# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""remarking.py: marks for what Numba compiled before proftop came.

Compiled code has no place for marks. So a copy of the function's graph is made into source and
compiled again, with marks and for the types it was called with, by a thread of its own; then the
function runs that in the place of its own code, which stays, and comes back when proftop leaves.
Who took the code out of the function earlier, as a sampler does that runs already, keeps what it
has.
"""
import _thread
import atexit
import threading
import weakref
from collections import deque

from . import feed
from .compiling import Compilation
from .hushing import hushed

UNKNOWN = "Numba's source of it is written in a way that is not known"
FORKED = "this process was forked before Numba had compiled it again"

# VM: the graph that its marks are of, and its defaults as they were and with marks. What was
# compiled once is used at the next attach too. Code that was compiled under our eyes has no other
# defaults.
marked = weakref.WeakKeyDictionary()
swaps = weakref.WeakKeyDictionary()
# Held while a function is compiled. A fork waits for it, as a child would inherit the locks of a
# compiler whose thread it has not; and so does the end of the interpreter.
compiling = threading.RLock()


def defaults_of(vm):
    """Those of a function that runs the code of a linker which compiles a graph as one piece, the
    first of them that code; or None."""
    defaults = getattr(vm, "__defaults__", None)
    code = getattr(vm, "jit_fn", None)
    return defaults if code is not None and defaults and defaults[0] is code else None


def copy_of(graph):
    """To make source of a graph rewrites those inside its nodes; the job's stay as they are. The
    order of its nodes depends on what overwrites what."""
    copy, _ = graph.clone_get_equiv(check_integrity=False, attach_feature=False,
                                    clone_inner_graphs=True)
    for feature in graph._features:
        if type(feature).__name__ == "DestroyHandler":
            copy.attach_feature(feature.clone())
    return copy


class Waiting:
    """A function that is to be compiled again."""

    def __init__(self, vm, maker, number, compilation):
        self.vm, self.maker = weakref.ref(vm), weakref.ref(maker)
        self.number, self.name, self.origins = number, compilation.called(), compilation.origins


class Remarking:
    def __init__(self, adapter):
        self.adapter = adapter
        self.waiting = deque()
        self.swapping = threading.Lock()
        self.ended = False

    def takes(self, function, vm, number, compilation):
        """Whether it will be compiled again."""
        linker = self.adapter.numba_linker()
        maker = getattr(function, "maker", None)
        if (linker is None or not isinstance(getattr(maker, "linker", None), linker)
                or defaults_of(vm) is None or not self.adapter.marks()):
            return False
        self.waiting.append(Waiting(vm, maker, number, compilation))
        return True

    def start(self):
        """Gives how many functions. We may be between two instructions of the main thread, which
        may hold a lock that a thread of the module threading needs to begin: this is a bare one."""
        count = len(self.waiting)  # before the thread takes one away
        if count:
            atexit.unregister(self.end)
            atexit.register(self.end)
            _thread.start_new_thread(self.run, ())
        return count

    def run(self):
        while self.waiting:
            with compiling:
                if self.ended or not self.waiting:
                    return
                one = self.waiting.popleft()
                vm, maker = one.vm(), one.maker()
                try:
                    with hushed("numba", self.adapter.member.package):
                        reason = vm and maker and self.compile(one, vm, maker)
                except Exception as error:
                    reason = "%s: %s" % (type(error).__name__, error)
                if reason and not self.ended:
                    self.adapter.unseen_nodes(one.name, reason)

    def forked(self):
        """In a child there is no thread that goes on with it."""
        if self.waiting:
            feed.own_feed()
        while self.waiting:
            self.adapter.unseen_nodes(self.waiting.popleft().name, FORKED)

    def end(self):
        """What is compiled right now comes to nothing, and is waited for."""
        self.ended = True
        with compiling:
            pass

    def compile(self, one, vm, maker):
        """None, or why it was not done."""
        before = defaults_of(vm)
        if vm not in swaps:
            compilation = Compilation(one.name, None, 0, one.origins)
            compilation.function = one.number
            with self.adapter.stack.inside(compilation):
                converted = maker.linker.fgraph_convert(copy_of(maker.fgraph), input_storage=None,
                                                        output_storage=None, storage_map={})
                code = maker.linker.jit_compile(converted)
            if compilation.whole is None:
                return UNKNOWN
            self.adapter.marking.compiles(code, one.number)
            for signature in before[0].nopython_signatures:
                code.compile(signature.args)
            marked[vm] = compilation.whole
            swaps[vm] = before, (code, *before[1:])
        with self.swapping:
            if not self.ended:
                self.adapter.define_marked(vm, one.number, marked[vm], one.origins)
                self.put(vm)
                self.adapter.prove_marks(vm)
        return None

    def code_of(self, vm):
        """What it runs, or will run once put() has been called."""
        return swaps[vm][1][0] if vm in swaps else vm.jit_fn

    def put(self, vm):
        """Marks in the place of code without them, if there are any."""
        before, after = swaps.get(vm, (None, None))
        if before is not None and vm.__defaults__ is before:
            vm.__defaults__ = after

    def remove(self):
        """Everything runs its own code again. What is compiled right now comes to nothing."""
        self.ended = True
        atexit.unregister(self.end)
        with self.swapping:
            for vm, (before, after) in list(swaps.items()):
                if vm.__defaults__ is after:
                    vm.__defaults__ = before

# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""numba_recompile.py: adds marks to code that Numba compiled before the adapter was installed.

Compiled code has no space for marks. So a thread of the adapter copies the function's graph, makes
source of the copy and compiles that with marks, for the types that the function was called with.
Then the function runs the marked code. Its own code is kept and restored when the adapter is
removed. A caller that took the code out of the function earlier, such as a running sampler, keeps
the old code."""
import _thread
import atexit
import threading
import weakref
from collections import deque

from . import feed
from .compiling import Compilation
from .suppress_warnings import suppressed

UNKNOWN = "Numba's source of it is written in a way that is not known"
FORKED = "this process was forked before Numba had compiled it again"

# VM -> the graph of its marks; VM -> (its original defaults, its defaults with marks). The next
# attach reuses code that was compiled here. Code compiled under the adapter has no other defaults.
marked = weakref.WeakKeyDictionary()
swaps = weakref.WeakKeyDictionary()
# Held while a function is compiled. A fork waits for it: a child would inherit locks of the
# compiler without the thread that holds them. The end of the interpreter waits for it as well.
compiling = threading.RLock()


def defaults_of(vm):
    """The defaults of a VM's function whose first default is the code of a linker that compiles a
    graph as one piece; else None."""
    defaults = getattr(vm, "__defaults__", None)
    code = getattr(vm, "jit_fn", None)
    return defaults if code is not None and defaults and defaults[0] is code else None


def copy_of(graph):
    """Copies a graph. Making source rewrites the graphs inside its nodes, and the job's must stay
    as they are. The order of the nodes depends on the nodes that overwrite values."""
    copy, _ = graph.clone_get_equiv(check_integrity=False, attach_feature=False,
                                    clone_inner_graphs=True)
    for feature in graph._features:
        if type(feature).__name__ == "DestroyHandler":
            copy.attach_feature(feature.clone())
    return copy


class Waiting:
    """A function to be compiled again."""

    def __init__(self, vm, maker, number, compilation):
        self.vm, self.maker = weakref.ref(vm), weakref.ref(maker)
        self.number, self.name, self.origins = number, compilation.called(), compilation.origins


class NumbaRecompile:
    def __init__(self, adapter):
        self.adapter = adapter
        self.waiting = deque()
        self.swapping = threading.Lock()
        self.ended = False

    def takes(self, function, vm, number, compilation):
        """Queues a function to be compiled again. Returns whether it can be."""
        linker = self.adapter.numba_linker()
        maker = getattr(function, "maker", None)
        if (linker is None or not isinstance(getattr(maker, "linker", None), linker)
                or defaults_of(vm) is None or not self.adapter.marks()):
            return False
        self.waiting.append(Waiting(vm, maker, number, compilation))
        return True

    def start(self):
        """Starts the compilations, and returns their number. Uses a bare thread: this code may run
        between two instructions of the main thread, which may hold a lock that a threading.Thread
        needs to start."""
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
                    with suppressed("numba", self.adapter.member.package):
                        reason = vm and maker and self.compile(one, vm, maker)
                except Exception as error:
                    reason = "%s: %s" % (type(error).__name__, error)
                if reason and not self.ended:
                    self.adapter.unseen_nodes(one.name, reason)

    def forked(self):
        """Gives up in a forked child: it has no thread to compile."""
        if self.waiting:
            feed.own_feed()
        while self.waiting:
            self.adapter.unseen_nodes(self.waiting.popleft().name, FORKED)

    def end(self):
        """Waits for the running compilation, and drops its result."""
        self.ended = True
        with compiling:
            pass

    def compile(self, one, vm, maker):
        """Compiles a function again. Returns None, or why it could not."""
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
            self.adapter.numba_marks.compiles(code, one.number)
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
        """The code that the VM runs, or will run after put()."""
        return swaps[vm][1][0] if vm in swaps else vm.jit_fn

    def put(self, vm):
        """Replaces code without marks by marked code, if there is any."""
        before, after = swaps.get(vm, (None, None))
        if before is not None and vm.__defaults__ is before:
            vm.__defaults__ = after

    def remove(self):
        """Restores the code of all functions, and drops the result of the running compilation."""
        self.ended = True
        atexit.unregister(self.end)
        with self.swapping:
            for vm, (before, after) in list(swaps.items()):
                if vm.__defaults__ is after:
                    vm.__defaults__ = before

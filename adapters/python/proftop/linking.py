# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""linking.py: publishes how each node is made ready to run, while a linker works.

Linkers ask the op of each node for its thunk. This generates, compiles and loads the node's code.
The current node is shown as a phase of its op. The time of each node is published with the node. It
excludes the adapter's own time, like the function's times."""
from . import feed
from .ops import text_of

METHOD = "make_thunk"


class Making:
    """A node that is being made ready. Nested calls of a base class's method count once."""

    def __init__(self, node, phase, begun):
        self.node, self.phase, self.begun = node, phase, begun
        self.depth = 1


def node_of(args):
    return args[1] if len(args) > 1 else None


class Linking:
    """Hooks in the classes of ops that are linked."""

    def __init__(self, adapter):
        self.adapter = adapter
        self.seen = set()  # classes that were checked

    def install(self, graph):
        """Hooks the classes of this graph's ops, and their base classes."""
        for node in getattr(graph, "apply_nodes", ()):
            if type(node.op) not in self.seen:
                for cls in type(node.op).__mro__:
                    self.hook(cls)

    def hook(self, cls):
        if cls not in self.seen and METHOD in vars(cls):
            self.adapter.hook(cls, METHOD, self.before, self.after)
        self.seen.add(cls)

    def before(self, args, kwargs):
        compilation = self.adapter.stack.top()
        node = node_of(args)
        if compilation is None or node is None or "link" not in compilation.marks:
            return  # rewriters make thunks to fold constants
        making = compilation.making
        if making is not None:
            making.depth += making.node is node  # else a helper that the current op asks
            return
        phase = compilation.begin_phase("thunks", text_of(node.op))
        compilation.making = Making(node, phase, compilation.now())

    def after(self, args, ok, ns):
        compilation = self.adapter.stack.top()
        making = compilation.making if compilation is not None else None
        if making is None or making.node is not node_of(args):
            return
        making.depth -= 1
        if making.depth > 0:
            return
        compilation.making = None
        if making.phase is not None:
            feed.phase_end(making.phase, None, None)
        if ok:
            compilation.thunk_ns[making.node] = compilation.now() - making.begun

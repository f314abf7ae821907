# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""origins.py: where the nodes of a graph come from: the program line that wrote them, and the
rewriter that made them.

The framework keeps with each value the stack of the call that made it (the tag `trace`), to a
limited depth. A node that a rewriter makes has no stack, or one inside the framework. It takes the
lines of the node that it replaces, which the graph reports to its features. A node that a library
makes for the user has the line that pymc_models.py knows, or else the user's line that called the
library."""
from . import pymc_models
from .ops import plain
from .user_lines import OURS, line_text, owner


class Stack:
    """The lines of a kept stack: the line that called the framework, whether that line is a
    library's, and the innermost line of the user. Each line may be None."""

    def __init__(self, trace, home):
        self.caller = self.user = None
        self.by_library = False
        for frame in reversed(trace):
            file, line = frame[0], frame[1]
            if not isinstance(file, str) or not line or file.startswith((home, OURS)):
                continue
            whose = owner(file)
            if whose == "python":
                continue
            if self.caller is None:
                self.caller, self.by_library = line_text(file, line), whose == "library"
            if whose == "user":
                self.user = line_text(file, line)
                return


def traces_of(node):
    for value in node.outputs:
        for trace in getattr(value.tag, "trace", None) or ():
            yield trace


def name_of(reason):
    """The name of the rewriter. `reason` is given with each change of the graph: a name, or the
    rewriter itself."""
    name = reason if isinstance(reason, str) else getattr(reason, "name", None)
    if not name:
        nameless = type(reason).__str__ is object.__str__  # str() would give its address
        name = type(reason).__name__ if nameless else str(reason)
    return plain(str(name))


def is_revert(reason):
    """True if the change undoes a rewrite: an earlier node comes back."""
    return isinstance(reason, tuple) and reason[:1] == ("Revert",)


class Origins:
    """Lines of the nodes of one compilation. feature() makes the class that graphs accept as a
    feature while they are rewritten. No method may raise: an exception would end the job."""

    def __init__(self, home):
        self.home = home
        self.asked = None  # the user's line that requested the function
        self.unknown = None  # called if a node needs `asked` and it is not known
        self.graph = None  # the graph that this is attached to
        self.made = {}     # node made by a rewriter -> lines of the node that it replaces, or None
        self.makers = {}   # node -> name of that rewriter
        self.fresh = []    # made nodes that have not replaced another one yet

    def attach(self, graph):
        try:
            graph.attach_feature(self)
        except Exception:
            return False
        self.graph = graph
        self.fill(graph)
        return True

    def fill(self, graph):
        """Gives a library's node the line of its inputs if they share one model line: the sum of a
        term, for example."""
        try:
            for node in graph.toposort() if pymc_models.known else ():
                if any(map(pymc_models.line_of, traces_of(node))) or not self.only_asked(node):
                    continue
                lines = {line for value in node.inputs for line in [self.other_line(value)] if line}
                if len(lines) == 1:
                    pymc_models.keep(node.outputs, *lines)
        except Exception:
            pass

    def only_asked(self, node):
        return self.lines_of(node)[0] in (None, self.asked)

    def other_line(self, value):
        """The line of an input, unless it is the line that requested the function."""
        line = self.lines_of(value.owner)[0] if value.owner is not None else None
        return None if line == self.asked else line

    def detach(self):
        """Detaches from the graph and forgets nodes that have left the graph."""
        try:
            self.graph.remove_feature(self)
            self.graph.execute_callbacks_times.pop(self, None)
            live = [node for node in self.graph.apply_nodes if node in self.made]
            self.made = {node: self.made[node] for node in live}
            self.makers = {node: self.makers[node] for node in live if node in self.makers}
        except Exception:
            self.made, self.makers = {}, {}
        self.graph, self.fresh = None, []

    def remember(self):
        """Keeps the lines of the made nodes, since their graph is compiled later."""
        for node, lines in self.made.items():
            if lines and lines[0]:
                pymc_models.keep(node.outputs, lines[0])

    def on_attach(self, graph):
        pass

    def on_detach(self, graph):
        pass

    def on_prune(self, graph, node, reason=None):
        pass

    def on_import(self, graph, node, reason=None):
        if reason is not None and not is_revert(reason):
            self.made[node] = None
            self.fresh.append(node)
            try:
                self.makers[node] = name_of(reason)
            except Exception:
                pass

    def on_change_input(self, graph, node, index, old, new, reason=None):
        if not self.fresh:
            return
        try:
            lines, _ = self.found(old.owner) if old.owner is not None else (None, None)
            self.made.update((made, lines) for made in self.fresh)
        except Exception:
            pass
        self.fresh = []

    def rewrite_of(self, node):
        """The name of the rewriter that made a node, or None."""
        return self.makers.get(node)

    def lines_of(self, node):
        """FILE:LINE of a node, and FILE:LINE of the library that made the node for the user. Either
        may be None. A node with a library's line only belongs to the line that requested the
        function."""
        lines, behind = self.found(node)
        if lines or behind is None:
            return lines or (None, None)
        if self.unknown:
            self.unknown()
            return None, behind
        return (self.asked, behind) if self.asked else (behind, None)

    def found(self, node):
        """The lines as lines_of() gives them but without `asked`, or None; and the library's line
        of a node without lines, or None. The stack of a rewriter's node leads to `asked`, though
        the node does not belong to that line."""
        made, behind = node in self.made, None
        for trace in traces_of(node):
            stack = Stack(trace, self.home)
            library = stack.caller if stack.by_library else None
            given = pymc_models.line_of(trace) if library or stack.caller is None else None
            if given:
                return (given, library), None
            if stack.user and not (made and stack.user == self.asked):
                return (stack.user, library), None
            if not stack.user:
                behind = behind or library
        return self.made.get(node), behind

    def of(self, node):
        """FILE:LINE of a node, or None."""
        return self.lines_of(node)[0]

    def library_of(self, node):
        """FILE:LINE of the library that made a node for the line that of() gives, or None."""
        return self.lines_of(node)[1]


def feature(base):
    """Makes the Origins class that derives from the framework's class of features."""
    return type("Origins", (Origins, base), {})

# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""origins.py: where the nodes of a graph come from: the line of the program that wrote them, and
the rewrite that made them.

The framework keeps, with each value, the stack of the call that made it (the tag `trace`), to a
depth. A node that a rewriter makes has a stack inside the framework or none: its lines are those of
the node that it replaces, which the graph tells its features. A node that a library makes for the
user has the line that models.py knows, else the user's line that called the library.
"""
from . import models
from .ops import plain
from .places import OURS, line_text, owner


class Stack:
    """The lines of a kept stack: the line that called the framework, whether it is a library's, and
    the innermost line of the user; each line may be None."""

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
    """What a graph is told why it changes: the name of a rewriter, or the rewriter."""
    name = reason if isinstance(reason, str) else getattr(reason, "name", None)
    if not name:
        nameless = type(reason).__str__ is object.__str__  # an address, which says nothing
        name = type(reason).__name__ if nameless else str(reason)
    return plain(str(name))


def is_revert(reason):
    """What a rewriter did is taken back: a node that was there before comes again."""
    return isinstance(reason, tuple) and reason[:1] == ("Revert",)


class Origins:
    """Lines of the nodes of one compilation. feature() makes one that graphs take as a feature of
    theirs while they are rewritten. No method may fail: the job would."""

    def __init__(self, home):
        self.home = home
        self.asked = None  # the user's line that asked for the function
        self.unknown = None  # called if `asked` would be a node's line and is not known
        self.graph = None  # that it is attached to
        self.made = {}     # node that a rewriter made: lines of the node that it replaces, or None
        self.makers = {}   # and the name of that rewriter
        self.fresh = []    # of these, the ones that stand in for nothing yet

    def attach(self, graph):
        try:
            graph.attach_feature(self)
        except Exception:
            return False
        self.graph = graph
        self.fill(graph)
        return True

    def fill(self, graph):
        """If all inputs of a library's node are of one line of a model, the node is of that line:
        the sum of a term, for example."""
        try:
            for node in graph.toposort() if models.known else ():
                if any(map(models.line_of, traces_of(node))) or not self.only_asked(node):
                    continue
                lines = {line for value in node.inputs for line in [self.other_line(value)] if line}
                if len(lines) == 1:
                    models.keep(node.outputs, *lines)
        except Exception:
            pass

    def only_asked(self, node):
        return self.lines_of(node)[0] in (None, self.asked)

    def other_line(self, value):
        """The line of an input, unless it is the line that asked for the function."""
        line = self.lines_of(value.owner)[0] if value.owner is not None else None
        return None if line == self.asked else line

    def detach(self):
        """The graph is as it was. Of nodes that have gone nothing is kept."""
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
        """The nodes that were made are in a graph that will be compiled later."""
        for node, lines in self.made.items():
            if lines and lines[0]:
                models.keep(node.outputs, lines[0])

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
        """FILE:LINE of a node, and FILE:LINE of the library that made it for the user; either may
        be None. A node with a library's line alone is of the line that asked for the function."""
        lines, behind = self.found(node)
        if lines or behind is None:
            return lines or (None, None)
        if self.unknown:
            self.unknown()
            return None, behind
        return (self.asked, behind) if self.asked else (behind, None)

    def found(self, node):
        """The lines as lines_of() gives them, but without the line that asked, or None; and a
        library's line for a node without lines, or None. The stack of a node that a rewriter made
        leads to the line that asked, though the node is not of that line."""
        made, behind = node in self.made, None
        for trace in traces_of(node):
            stack = Stack(trace, self.home)
            library = stack.caller if stack.by_library else None
            given = models.line_of(trace) if library or stack.caller is None else None
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
        """FILE:LINE of the library that made a node for the line of(), or None."""
        return self.lines_of(node)[1]


def feature(base):
    """The class of the origins of a framework whose features are of this class."""
    return type("Origins", (Origins, base), {})

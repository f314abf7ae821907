# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""user_graphs.py: graphs that a Python program runs itself, such as an engine of its own.

A Graph is what viewers show as a function; its nodes are the rows of the Apply pane. Runs are timed
in C (timed.c). Ids belong to one feed. A forked child keeps the ids of its parent; a feed that was
closed and opened again gets the definitions anew."""
import sys
import threading

from . import feed
from .ops import IMPLS, plain
from .user_objects import decorated, ensure

# Held while something is defined: two threads may enter a node for the first time at once.
defining = threading.RLock()
# Ids of classes and ops in the feed that was opened last, by their names.
known = {"feed": 0, "classes": {}, "ops": {}}


def callers_line(depth):
    """File and line of the code that called the function `depth` frames above this one."""
    frame = sys._getframe(depth + 1)
    return frame.f_code.co_filename, frame.f_lineno


def text_of(what, value):
    if not isinstance(value, str) or not value:
        raise ValueError("%s is %r: it must be a text of one character or more" % (what, value))
    return plain(value)


def op_id(op_class, op):
    """The id of an op. Equal names give the same class and the same op."""
    opened = feed.opened()
    if known["feed"] != opened:
        known.update(feed=opened, classes={}, ops={})
    classes, ops = known["classes"], known["ops"]
    if op_class not in classes:
        classes[op_class] = feed.op_class(op_class)
    if (op_class, op) not in ops:
        ops[op_class, op] = feed.op(classes[op_class], op, None)
    return ops[op_class, op]


class Timed(feed.Timed):
    """What `with` times. Works as a decorator, too."""

    def __init__(self, is_call):
        super().__init__(is_call)
        self.found = (0, None)

    def define(self):
        """Returns the id in the current feed. timed.c calls this once for each feed."""
        with defining:
            opened = feed.opened()
            if self.found[0] != opened:
                self.found = (opened, self._define())
            return self.found[1]

    def __call__(self, function):
        """`@node` times each call of a function, until its coroutine or generator has ended."""
        return decorated(self, function)


class Node(Timed):
    """A node of a graph: `with node: ...` is one run of it. A run that ends by an exception is not
    counted. Made by Graph.node()."""

    def __init__(self, graph, index, op_class, op, text, impl, location):
        super().__init__(False)
        self.graph, self.index, self.location = graph, index, location
        self.op_class, self.op, self.text, self.impl = op_class, op, text, impl

    def __repr__(self):
        return "<proftop node %s of %s>" % (self.text, self.graph.name)

    def _define(self):
        return feed.apply(self.graph.calls.define(), op_id(self.op_class, self.op), self.index,
                          self.text, self.impl, self.location)


class Calls(Timed):
    """The calls of a graph."""

    def __init__(self, graph):
        super().__init__(True)
        self.graph = graph

    def _define(self):
        graph = self.graph
        return feed.function(graph.name, graph.file, graph.line,
                             graph.parent and graph.parent.define())


class Graph:
    """A graph of this program: a function with nodes.

        step = proftop.Graph("step")
        product = step.node("Dot", text="Dot(x, w)")
        with step.call():
            with product:
                ...

    name: distinguishes it from other graphs.
    file, line: where the graph is defined. Default: the line that makes it.
    parent: the node that runs this graph inside itself, such as a loop. That node's own time then
    excludes the time of this graph's nodes.

    Without a feed (PROFTOP=0) nothing is counted."""

    def __init__(self, name, file=None, line=None, parent=None):
        self.name = text_of("the name of a graph", name)
        if parent is not None and not isinstance(parent, Node):
            raise TypeError("the parent of a graph is a node, not %r" % (parent,))
        if file is None:
            file, here = callers_line(1)
            line = here if line is None else line
        self.file, self.line, self.parent = plain(file), line or 0, parent
        self.calls, self.size = Calls(self), 0
        ensure()

    def __repr__(self):
        return "<proftop graph %s>" % self.name

    def call(self):
        """`with graph.call(): ...` is one call of the graph."""
        return self.calls

    def node(self, op_class, op=None, text=None, impl=None, location=None):
        """Returns a new node, after the ones before.

        op_class: the class of its op, such as "Elemwise". op: the op, such as "Elemwise{add}";
        default: its class. text: the op with its inputs, "add(x, 1)"; default: the op. impl: what
        computes it: "C", "Py" or "JIT"; default: unknown. location: source line or scope that it
        belongs to, "model.py:12"; default: the line that makes it."""
        if impl not in IMPLS:
            raise ValueError("impl is %r: it must be C, Py, JIT or None" % (impl,))
        op_class = text_of("the class of a node", op_class)
        op = op_class if op is None else text_of("the op of a node", op)
        text = op if text is None else text_of("the text of a node", text)
        location = "%s:%d" % callers_line(1) if location is None else location
        with defining:
            index, self.size = self.size, self.size + 1
        return Node(self, index, op_class, op, text, IMPLS[impl], plain(location))

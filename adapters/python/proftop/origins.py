# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""origins.py: where the nodes of a graph come from: the line of the program that wrote them, and
the rewrite that made them.

The framework keeps, with each value, the stack of the call that made it (the tag `trace`). What a
rewriter makes has a stack inside the framework or none: it comes from where that comes from which
it stands in for, which the graph tells its features.
"""
import functools
import os
import sysconfig

from .ops import plain

OURS = os.path.dirname(__file__) + os.sep


def folders(*names):
    paths = sysconfig.get_paths()
    return tuple({os.path.abspath(paths[name]) + os.sep for name in names})


# Files of libraries, which a program calls, and those of Python itself, among which the others may
# lie; its own are anywhere else. Other installations than this Python's own (a user's, a system's
# below a virtual environment) are known by the names that all of them have.
LIBRARIES = folders("purelib", "platlib")
PACKAGES = tuple(os.sep + name + os.sep for name in ("site-packages", "dist-packages"))
PYTHONS = folders("stdlib", "platstdlib")


@functools.lru_cache(maxsize=1024)  # of stacks, which have few files
def packaged(file):
    """What a file of a library is called in its installation; None: it is of no library."""
    for folder in LIBRARIES:
        if file.startswith(folder):
            return file[len(folder):]
    at, folder = max((file.rfind(folder), folder) for folder in PACKAGES)
    return file[at + len(folder):] if at >= 0 else None


def line_of(trace, home):
    """FILE:LINE of the innermost frame of the program's own; else of a library that uses the
    framework; None if there is no such frame: a stack is kept to a depth, below which there may be
    nothing but the framework and what of Python it calls. `home` is the framework's folder."""
    outside = None
    for frame in reversed(trace):
        file, line = frame[0], frame[1]
        if not isinstance(file, str) or not line or file.startswith((home, OURS, "<frozen ")):
            continue
        is_library = packaged(file) is not None
        if not is_library and file.startswith(PYTHONS):
            continue
        outside = outside or (file, line)
        if not is_library:
            outside = file, line
            break
    return plain("%s:%d" % outside) if outside else None


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
        self.asked = None  # line that asked for the function: what is made there is not of it
        self.graph = None  # that it is attached to
        self.made = {}     # node that a rewriter made: the line of what it stands in for, or None
        self.makers = {}   # and the name of that rewriter
        self.fresh = []    # of these, the ones that stand in for nothing yet

    def attach(self, graph, asked):
        try:
            graph.attach_feature(self)
        except Exception:
            return False
        self.graph, self.asked = graph, asked
        return True

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
            line = self.of(old.owner) if old.owner is not None else None
            self.made.update((made, line) for made in self.fresh)
        except Exception:
            pass
        self.fresh = []

    def rewrite_of(self, node):
        """The name of the rewriter that made a node, or None."""
        return self.makers.get(node)

    def of(self, node):
        """FILE:LINE of a node, or None."""
        for trace in traces_of(node):
            line = line_of(trace, self.home)
            if line and not (line == self.asked and node in self.made):
                return line
        return self.made.get(node)


def feature(base):
    """The class of the origins of a framework whose features are of this class."""
    return type("Origins", (Origins, base), {})

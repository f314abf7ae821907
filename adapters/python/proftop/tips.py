# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""tips.py: the tips that the framework itself prints at the end of a profile.

The framework's own method is run on the nodes of each function. So the texts and conditions are
those of the job's release. It runs as a copy that can neither import nor print: some releases would
load their GPU code, or write to the job's output. No node has a class of a module that the job has
not loaded."""
import builtins
import sys
import types

from .facts import profiling
from .ranges import Ranges

MOST = 2048  # bytes of all tips: all facts together may have 4095
NO_TIP = "  Sorry"
GPU = ".gpuarray"  # its tips go to the job's output, never to a profile


class Missing(type):
    """Every attribute is missing as well."""

    def __getattr__(cls, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return cls

    def __call__(cls, *unused):
        return False


class Absent(metaclass=Missing):
    """Replaces a module that is not loaded, and its attributes."""


def loaded(name, *more):
    if name in sys.modules and not name.endswith(GPU):
        return builtins.__import__(name, *more)
    return Absent


def printed(*words, file=None, **more):
    if file is not None:
        builtins.print(*words, file=file, **more)


class Page:
    """Collects the printed lines: (line number in the method, text)."""

    def __init__(self, code):
        self.code, self.lines, self.begun = code, [], ""

    def place(self):
        frame = sys._getframe(1)
        while frame is not None and frame.f_code is not self.code:
            frame = frame.f_back
        return frame.f_lineno if frame is not None else 0

    def write(self, text):
        *whole, self.begun = (self.begun + text).split("\n")
        place = self.place() if whole else 0
        self.lines += [(place, line) for line in whole]


class Profile:
    """The part of a profile that the method reads."""

    def __init__(self, keys):
        self.apply_time = dict.fromkeys(keys, 0.0)


class Tips:
    """The lines of all functions, in the order in which the method prints them."""

    def __init__(self, package, by_node):
        self.package, self.by_node = package, by_node
        self.title = []
        self.functions = Ranges()
        self.lines = {}  # (place, number among equal lines, text) -> functions
        self.idle = []  # lines for functions that were not called: then the method sees no node

    def ask(self, nodes):
        """(place, text) of each line. The title comes first, and has its own place."""
        method = getattr(getattr(profiling(self.package), "ProfileStats", None), "print_tips", None)
        code = method.__code__
        page = Page(code)
        inside = dict(vars(builtins), __import__=loaded, print=printed)
        tame = types.FunctionType(code, dict(method.__globals__, __builtins__=inside))
        tame(Profile(nodes if self.by_node else [(None, node) for node in nodes]), page)
        return page.lines

    def take(self, function, nodes):
        """Adds a function that the feed has defined. Does nothing if the method has an unknown
        form."""
        try:
            lines = self.ask(nodes)
            self.idle = self.idle or self.ask([])
        except Exception:  # pylint: disable=broad-except
            return
        if not lines:
            return
        self.title = [text for place, text in lines if place == lines[0][0]]
        self.functions.add(function)
        seen = {}
        for line in lines[len(self.title):]:
            seen[line] = seen.get(line, 0) + 1
            place, text = line
            self.lines.setdefault((place, seen[line], text), Ranges()).add(function)

    def facts(self):
        """tip.N=FUNCTIONS:TEXT. `*` marks the title, with all functions asked; `!` marks a text for
        functions without another tip, `~` one for functions that were not called. Returns all or
        none: a part would look complete."""
        rows = [("*" + self.functions.told(MOST), text) for text in self.title]
        for (_, _, text), functions in sorted(self.lines.items(), key=lambda row: row[0][0]):
            rows.append(("!" * text.startswith(NO_TIP) + functions.told(MOST), text))
        rows += [("~" + self.functions.told(MOST), text)
                 for _, text in self.idle[len(self.title):]]
        told = ["tip.%d=%s:%s" % (number, *row) for number, row in enumerate(rows, 1)]
        return told if sum(len(line.encode()) + 1 for line in told) <= MOST else []

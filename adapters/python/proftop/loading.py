# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""loading.py: what it takes to load code that was compiled to C: reading what the cache holds, and
importing the modules. Each is a phase of the compilation that asked for it; reports print the two
by these names.
"""
import sys

from . import feed

CACHE, IMPORT = "cache", "import"


class Loading:
    """Beside the module that loads. It keeps the time of all imports itself."""

    def __init__(self, adapter, where):
        self.adapter, self.where = adapter, where
        self.installed = False

    def module(self):
        return sys.modules.get(self.where)

    def install(self):
        """Once that module is there: it comes after the one that brought us."""
        if self.installed or self.module() is None:
            return
        self.installed = True
        cache = getattr(self.module(), "ModuleCache", None)
        if hasattr(cache, "refresh"):
            self.adapter.hook(cache, "refresh", None, self.after_refresh)

    def imported(self):
        """ns of all imports so far; None: it keeps no such time."""
        seconds = getattr(self.module(), "import_time", None)
        return round(seconds * 1e9) if isinstance(seconds, (int, float)) else None

    def begin(self, compilation):
        """It begins to link."""
        compilation.imported = self.imported()

    def end(self, compilation):
        before, now = compilation.imported, self.imported()
        compilation.imported = None
        if None not in (before, now, compilation.function) and now >= before:
            feed.phase(compilation.function, "link", IMPORT, now - before)

    def after_refresh(self, args, ok, ns):
        """Before a graph is rewritten, which only a function with a profile has, this is for the
        linker, and the framework takes it for a part of that. What is read again while it links
        is a part of the linking, as there."""
        compilation = self.adapter.stack.top()
        if compilation is None:
            return
        if not compilation.marks.keys() & {"link", "rewrite"}:
            compilation.add("link_ns", ns)
        if compilation.function is not None and not compilation.cached:
            compilation.cached = True
            feed.phase(compilation.function, "link", CACHE, ns)

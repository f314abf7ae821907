# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""loading.py: what it takes to load code that was compiled to C: reading what the cache holds, and
importing the modules. Each is a phase of the compilation that asked for it; reports print the two,
if they are phases of its linking, by these names.
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
        if self.adapter.probes.has("loading", cache, "refresh", "ModuleCache"):
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
        linker: some members take it for a part of that, others for one of the whole alone. What is
        read again while it links is a part of the linking, as there."""
        compilation = self.adapter.stack.top()
        if compilation is None:
            return
        early = not compilation.marks.keys() & {"link", "rewrite"}
        if early and self.adapter.member.preloads:
            compilation.add("link_ns", ns)
        if compilation.function is not None and not compilation.cached:
            compilation.cached = True
            part = "other" if early and not self.adapter.member.preloads else "link"
            feed.phase(compilation.function, part, CACHE, ns)

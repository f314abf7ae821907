# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""loading.py: the time to load code compiled from C: to read the cache, and to import the modules.

Each is a phase of the compilation that requested it. Reports print both by these names, if they are
phases of linking."""
import sys

from . import feed

CACHE, IMPORT = "cache", "import"


class Loading:
    """Hooks in the module that loads. That module itself keeps the time of all imports."""

    def __init__(self, adapter, where):
        self.adapter, self.where = adapter, where
        self.installed = False

    def module(self):
        return sys.modules.get(self.where)

    def install(self):
        """Installs the hook once that module is imported. It comes after the module that loads the
        adapter."""
        if self.installed or self.module() is None:
            return
        self.installed = True
        cache = getattr(self.module(), "ModuleCache", None)
        if self.adapter.probes.has("loading", cache, "refresh", "ModuleCache"):
            self.adapter.hook(cache, "refresh", None, self.after_refresh)

    def imported(self):
        """ns of all imports so far; None: the module keeps no such time."""
        seconds = getattr(self.module(), "import_time", None)
        return round(seconds * 1e9) if isinstance(seconds, (int, float)) else None

    def begin(self, compilation):
        """Linking begins."""
        compilation.imported = self.imported()

    def end(self, compilation):
        before, now = compilation.imported, self.imported()
        compilation.imported = None
        if None not in (before, now, compilation.function) and now >= before:
            feed.phase(compilation.function, "link", IMPORT, now - before)

    def after_refresh(self, args, ok, ns):
        """The cache was read. A function with a profile reads it before its graph is rewritten, for
        the linker. Some members count that as linking, others only as part of the whole. A later
        read during linking is part of the linking, as in the framework."""
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

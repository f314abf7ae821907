# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""torch_hooks.py: wraps methods of packages that use PyTorch, and publishes counters by their name.

The wrappers are objects of C: they add no line to tracebacks, and an error of a hook is dropped."""
import sys

from . import feed
from .user_objects import Thing

MOST = 64  # objects of one package; names that come later have none


def argument(args, kwargs, position, name):
    """An argument of a method, by its position (0: self), or by its name; None: not given."""
    given = kwargs or {}
    return args[position] if len(args) > position else given.get(name)


class Hooks:
    """The hooks in one package. `module`: once its import has ended, `hooks` are installed: rows of
    (module, class, method, function that is called before it with args and kwargs)."""

    def __init__(self, module, *hooks):
        self.module, self.hooks = module, hooks
        self.wrapped = []  # (class, name of the method, original, ours)
        self.things = {}  # (kind, domain, name) -> Thing

    def start(self, ended=False):
        """Wraps the methods. One that is missing costs what it would tell. `ended`: the import has
        just ended, though Python does not know yet."""
        module = sys.modules.get(self.module)
        imports = getattr(getattr(module, "__spec__", None), "_initializing", False)
        if self.wrapped or module is None or (imports and not ended):
            return
        for where, name, method, before in self.hooks:
            owner = getattr(sys.modules.get(where), name, None)
            there = getattr(owner, "__dict__", {}).get(method)
            if callable(there):
                ours = feed.wrap(there, before, None)
                self.wrapped.append((owner, method, there, ours))
                setattr(owner, method, ours)

    def stop(self):
        """Puts the originals back, unless somebody else has replaced them since."""
        wrapped, self.wrapped = self.wrapped, []
        for owner, method, there, ours in reversed(wrapped):
            feed.wrap_end(ours)
            if vars(owner).get(method) is ours:
                setattr(owner, method, there)

    def id(self, kind, domain, name, unit=None):
        """The id of an object in the current feed, or None."""
        key = (kind, domain, name)
        if key not in self.things:
            if len(self.things) >= MOST:
                return None
            self.things[key] = Thing(kind, domain, name, unit)
        return self.things[key].id()

    def count(self, domain, name, value, add=False, unit=None):
        """Sets a counter of this name to an int or a float, or adds to it."""
        counter = self.id("int" if isinstance(value, int) else "float", domain, name, unit)
        if counter is not None:
            feed.own_count(counter, value, add)

# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""kinds.py: classes of a framework, and those that were derived from them."""
import sys


def with_subclasses(*classes):
    """Each once. More may be derived later."""
    found = list(dict.fromkeys(classes))
    known = set(found)
    for cls in found:
        fresh = [sub for sub in cls.__subclasses__() if sub not in known]
        known.update(fresh)
        found.extend(fresh)
    return found


class Hooked:
    """Hooks, before() and after(), in a method of a class and of all that are derived from it."""

    def __init__(self, adapter, where, cls, method):
        self.adapter, self.where, self.cls, self.method = adapter, where, cls, method
        self.seen = set()  # classes that have a hook

    def install(self):
        """Also in classes that were made since the last time."""
        base = getattr(sys.modules.get(self.where), self.cls, None)
        for cls in with_subclasses(base) if base else ():
            if self.method in vars(cls) and cls not in self.seen:
                self.seen.add(cls)
                self.adapter.hook(cls, self.method, self.before, self.after)

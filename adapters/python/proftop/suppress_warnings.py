# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""suppress_warnings.py: suppresses warnings of a compiler in a thread of the adapter.

All threads of a process share the filters of warnings. Numba enters `warnings.catch_warnings` at
each step of its types, and that is not safe for two threads: one restores the filters that the
other had set, and the job's warnings are lost for good. Besides, the warnings were shown when the
job compiled."""
import contextlib
import sys
import threading
import warnings


def nothing(*unused, **unused_too):
    pass


class Hush:
    """Replaces the module `warnings`. For all threads but its own it behaves like the module."""

    def __init__(self):
        self.thread = threading.get_ident()
        self.own = {"warn": nothing, "warn_explicit": nothing, "simplefilter": nothing,
                    "filterwarnings": nothing, "catch_warnings": self.catch_warnings}

    def __getattr__(self, name):
        if threading.get_ident() == self.thread and name in self.own:
            return self.own[name]
        return getattr(warnings, name)

    @staticmethod
    def catch_warnings(record=False, **unused):
        return contextlib.nullcontext([] if record else None)


@contextlib.contextmanager
def suppressed(*packages):
    """Suppresses the warnings that this thread causes in modules of these packages."""
    hush = Hush()
    modules = [module for name, module in list(sys.modules.items())
               if name.partition(".")[0] in packages
               and getattr(module, "__dict__", {}).get("warnings") is warnings]
    for module in modules:
        module.warnings = hush
    try:
        yield
    finally:
        for module in modules:
            if module.warnings is hush:
                module.warnings = warnings

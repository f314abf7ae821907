# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""hushing.py: what a compiler does for us in a thread of ours, it does without a warning.

Which warnings are shown is one for all threads of a process, and `warnings.catch_warnings`, which
Numba stands in at each step of its types, is not made for two of them: one puts back what the other
had put there, and the job's warnings are gone for good. Besides, what they say was said when the
job compiled.
"""
import contextlib
import sys
import threading
import warnings


def nothing(*unused, **unused_too):
    pass


class Hush:
    """Stands in the place of the module `warnings`, which it is for all threads but its own."""

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
def hushed(*packages):
    """Meanwhile the modules of these packages warn of nothing that this thread does."""
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

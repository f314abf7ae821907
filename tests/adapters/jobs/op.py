# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""op.py: the names that a job needs to define an op, from the package that is its argument. Each
release has them in another module."""
import importlib
import sys


def part(name, *modules):
    for module in modules:
        try:
            return getattr(importlib.import_module(sys.argv[1] + module), name)
        except (ImportError, AttributeError):
            pass
    raise AttributeError(name)


Op = part("Op", ".graph.op", ".gof")
Apply = part("Apply", ".graph.basic", ".gof")

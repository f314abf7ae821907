# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""op.py: what a job needs for an op of its own, of the package that the job is told: each release
has it in another module."""
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

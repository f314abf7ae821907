# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""moving.py: libraries of threads that are none, as greenlets are: they copy the stack of a call
that is under way away, and back later. What is kept of a call lies there, so none is counted.

The module greenlet tells nothing, as libraries import it that hardly ever use it.
"""
import sys

MOVERS = ("gevent", "eventlet")
WHY = "%s moves calls that are under way off their stack, so that they cannot be counted"


def why_moved():
    """Why no calls are counted; or None."""
    mover = next((name for name in MOVERS if name in sys.modules), None)
    return mover and WHY % mover

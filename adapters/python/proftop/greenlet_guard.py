# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""greenlet_guard.py: finds libraries of green threads, such as greenlets. They copy the stack of a
running call away, and back later. The state of a counted call lies on that stack, so no call is
counted.

The module greenlet alone proves nothing: libraries import it that hardly ever use it."""
import sys

MOVERS = ("gevent", "eventlet")
WHY = "%s moves calls that are under way off their stack, so that they cannot be counted"


def why_moved():
    """Why no calls are counted; or None."""
    mover = next((name for name in MOVERS if name in sys.modules), None)
    return mover and WHY % mover

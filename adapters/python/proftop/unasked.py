# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""unasked.py: functions that the job did not ask for as functions of its own: scan() makes some to
look at a graph, and pickle makes copies.
"""
from collections import Counter

SCAN, COPY = "scan", "copy"


def made_by(code, home):
    """SCAN or COPY, if this code of the framework makes such functions; else None. `home`: the
    folder of the framework."""
    if code.co_name.startswith("_constructor_Function"):
        return COPY
    if code.co_name == "scan" and code.co_filename[len(home):].startswith("scan"):
        return SCAN
    return None


class Copies:
    """Numbers the copies of each name: two rows of one name would be taken for one."""

    def __init__(self):
        self.counts = Counter()

    def named(self, name):
        self.counts[name] += 1
        number = self.counts[name]
        return "%s (copy%s)" % (name or "a function", "" if number == 1 else " %d" % number)

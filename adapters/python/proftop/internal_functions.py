# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""internal_functions.py: functions that the framework makes by itself: scan() makes some to inspect
a graph, and pickle makes copies."""
from collections import Counter

SCAN, COPY = "scan", "copy"


def made_by(code, home):
    """SCAN or COPY, if this code of the framework makes such functions; else None. `home`: the
    framework's folder."""
    if code.co_name.startswith("_constructor_Function"):
        return COPY
    if code.co_name == "scan" and code.co_filename[len(home):].startswith("scan"):
        return SCAN
    return None


class Copies:
    """Numbers the copies of each name. Two rows of one name would look like one function."""

    def __init__(self):
        self.counts = Counter()

    def named(self, name):
        self.counts[name] += 1
        number = self.counts[name]
        return "%s (copy%s)" % (name or "a function", "" if number == 1 else " %d" % number)

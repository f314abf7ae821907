# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""unasked.py: functions that the job did not ask for as a function of its own: those that scan()
makes of a graph to see what it consists of, and copies that pickle makes.
"""
import os
import sys
from collections import Counter

OURS = os.path.dirname(__file__) + os.sep
SCAN, COPY = "scan", "copy"


def why(home):
    """SCAN, COPY, or None: the job asked. `home`: the folder of the framework."""
    frame = sys._getframe(1)
    while frame is not None:
        file, name = frame.f_code.co_filename, frame.f_code.co_name
        if file.startswith(home):
            if name.startswith("_constructor_Function"):
                return COPY
            if name == "scan" and file[len(home):].startswith("scan"):
                return SCAN
        elif not file.startswith(OURS):
            return None
        frame = frame.f_back
    return None


class Copies:
    """Numbers the copies of each name: two rows of one name would be taken for one."""

    def __init__(self):
        self.counts = Counter()

    def named(self, name):
        self.counts[name] += 1
        number = self.counts[name]
        return "%s (copy%s)" % (name or "a function", "" if number == 1 else " %d" % number)

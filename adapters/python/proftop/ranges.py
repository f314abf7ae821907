# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""ranges.py: the functions that a fact applies to: `0-3,7` (docs/protocol.md 3.13)."""
import bisect


class Ranges:
    """A set of whole numbers, as the first and last of each run of consecutive ones. It is
    formatted again for each function, of which a job may have thousands, so the runs are kept
    sorted."""

    def __init__(self):
        self.first, self.last = [], []

    def add(self, number):
        at = bisect.bisect(self.first, number)
        if at > 0 and number <= self.last[at - 1]:
            return
        after = at > 0 and self.last[at - 1] == number - 1
        before = at < len(self.first) and self.first[at] == number + 1
        if after and before:
            del self.first[at], self.last[at - 1]
        elif after:
            self.last[at - 1] = number
        elif before:
            self.first[at] = number
        else:
            self.first.insert(at, number)
            self.last.insert(at, number)

    def told(self, most):
        """Formats 1, 2, 3 and 7 as "1-3,7". Stops after `most` ranges."""
        return ",".join("%d" % a if a == b else "%d-%d" % (a, b)
                        for a, b in zip(self.first[:most], self.last))

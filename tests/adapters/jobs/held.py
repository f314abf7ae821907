# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""held.py: a compilation in which one rewriter blocks until a line arrives on stdin."""
import sys

import pytensor
import pytensor.tensor as pt
from pytensor.compile.mode import get_mode
from pytensor.graph.rewriting.basic import GraphRewriter


class Held(GraphRewriter):
    def apply(self, fgraph):
        sys.stdin.readline()


x = pt.fvector("x")
mode = get_mode(None).register((Held(), 1.7))
function = pytensor.function([x], x * 2 + 1, name="f", mode=mode)
print(float(function([1])[0]))

# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""makers.py: makes a function by the two steps inside pytensor.function(). Prints the seconds of
the whole, and the framework's times of rewriting and linking."""
import time

import pytensor
import pytensor.tensor as pt
from pytensor.compile.function.types import FunctionMaker
from pytensor.compile.io import In, Out
from pytensor.compile.mode import get_mode
from pytensor.compile.profiling import ProfileStats

x = pt.dmatrix("x")
cost = pytensor.grad(pt.exp(pt.dot(pt.tanh(x), x)).sum(), x)
profile = ProfileStats(message="made")
begun = time.perf_counter()
maker = FunctionMaker([In(x)], [Out(cost)], mode=get_mode("FAST_RUN"), profile=profile, name="made")
function = maker.create()
print(time.perf_counter() - begun, profile.rewriting_time, profile.linker_time)

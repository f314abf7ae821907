# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""late_child.py ADAPTERS: attaches to itself, and forks before the thread starts that has Numba
compile its function again. Prints the child's pid after the child has called the function. When the
input has ended, prints the child's exit."""
import os
import sys

import numpy as np
import pytensor
import pytensor.tensor as pt

sys.path.insert(0, sys.argv[1])
from proftop import attach_running, numba_recompile  # noqa: E402

v = pt.dvector("v")
f = pytensor.function([v], pt.exp(v).sum(), name="f")
f(np.zeros(3))
start = numba_recompile.NumbaRecompile.start
numba_recompile.NumbaRecompile.start = lambda self: len(self.waiting)
done, said, _ = attach_running.attach()
assert done and "compiles 1 again" in said, said
ends, until = os.pipe()
child = os.fork()
if child == 0:
    os.close(until)
    f(np.zeros(3))
    print("ready", os.getpid(), sep="\n", flush=True)
    os.read(ends, 1)
    os._exit(0)
sys.stdin.readline()
os.close(until)
print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))

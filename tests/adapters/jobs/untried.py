# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""untried.py: a C VM whose tables and thunks disagree, as in an unknown layout. With a number it
exits with that code; with 1 by a function that fails."""
import sys

import numpy as np
import pytensor
import pytensor.tensor as pt
from pytensor.link.vm import VMLinker

x = pt.dvector("x")
spare = pytensor.function([x], pt.exp(x) - 2)
kept = []
make_vm = VMLinker.make_vm


def alter(self, *args, **kwargs):
    vm = make_vm(self, *args, **kwargs)
    code = [thunk for thunk in vm.thunks if hasattr(thunk, "cthunk")]
    kept.append(code[0].cthunk)
    code[0].cthunk = next(thunk.cthunk for thunk in spare.vm.thunks if hasattr(thunk, "cthunk"))
    return vm


VMLinker.make_vm = alter
functions = [pytensor.function([x], pt.tanh(x) + 1, name="altered")]
VMLinker.make_vm = make_vm
functions.append(pytensor.function([x], pt.tanh(x) + 2, name="plain"))
for step in range(3):
    for function in functions:
        print(function(np.full(2, float(step))))
if len(sys.argv) > 1:
    if sys.argv[1] == "1":
        functions[-1]("no vector")
    raise SystemExit(int(sys.argv[1]))

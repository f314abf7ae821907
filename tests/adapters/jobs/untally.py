# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""untally.py: C VMs that count themselves (unlike/sitecustomize.py) while proftop attaches,
detaches and attaches again. Nothing of it is left in them, nor in the framework's own profile."""
import sys

import numpy as np
import pytensor
import pytensor.tensor as pt
from pytensor.compile.ops import as_op


@as_op(itypes=[pt.dvector], otypes=[pt.dvector])
def double(x):
    return x * 2


def lists(function):
    return list(function.vm.call_times), list(function.vm.call_counts)


def counted(function):
    return sorted(function.profile.apply_callcount.values())


x = pt.dvector("x")
f = pytensor.function([x], double(pt.exp(x)) + 1, name="f")
g = pytensor.function([x], double(pt.tanh(x)) - 1, name="g", profile=True)
# A profile without times of nodes has none.
bare = pytensor.compile.profiling.ProfileStats(flag_time_thunks=False)
h = pytensor.function([x], double(pt.sin(x)) - 1, name="h", profile=bare)
FUNCTIONS = f, g, h
package = sys.modules["_proftop.theano_family"]
adapter = package.module_state["adapter"]
assert all(type(thunk).__name__ == "Thunk" for one in FUNCTIONS for thunk in one.vm.thunks)
before = [function(np.ones(3)) for function in FUNCTIONS for step in range(4)]
assert [int(one.vm.time_thunks) for one in FUNCTIONS] == [1, 1, 1]
nothing = [0.0] * 3, [0] * 3
assert [lists(one) for one in FUNCTIONS] == [nothing] * 3, [lists(one) for one in FUNCTIONS]

adapter.remove()
assert [int(one.vm.time_thunks) for one in FUNCTIONS] == [0, 1, 0]
assert [lists(one) for one in FUNCTIONS] == [nothing] * 3
assert not [thunk for one in FUNCTIONS for thunk in one.vm.thunks
            if type(thunk).__name__ == "Thunk"]
after = [function(np.ones(3)) for function in FUNCTIONS for step in range(4)]
assert all((one == other).all() for one, other in zip(before, after))
assert lists(f) == nothing
assert counted(g) == [8] * 3, counted(g)
assert set(counted(h)) <= {0}, counted(h)
assert h.profile.fct_callcount == 8
print("clean", before[0])

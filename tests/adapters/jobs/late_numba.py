# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""late_numba.py: has Numba compile one function before it is attached to, and one while it is; then
is left, attached to again, calls both, and says so until its input ends."""
import sys

import numpy as np
import pytensor
import pytensor.tensor as pt


def attached():
    state = getattr(sys.modules.get("_proftop.theano_family"), "module_state", {})
    return "adapter" in state


def say(word):
    print(word, flush=True)


v = pt.dvector("v")
early = pytensor.function([v], pt.exp(v).sum(), name="early")
before = early(np.ones(3))
say("ready")
while not attached():
    pass
later = pytensor.function([v], pt.exp(v).sum(), name="later")
assert later(np.ones(3)) == before
say("later")
while attached():
    pass
say("left")
while not attached():
    pass
for step in range(50):
    assert early(np.ones(3)) == later(np.ones(3)) == before
say("counted")
sys.stdin.readline()
say(len(later.maker.fgraph.toposort()))

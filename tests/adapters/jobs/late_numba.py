# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""late_numba.py [brief|alone]: has Numba compile functions before an attach, one of them uncalled
until then, and one during it. Then proftop detaches and attaches again. The job calls all, and
says so until its input ends.

brief  forks right after the attach, while Numba compiles, and exits with its child's code.
alone  waits neither for input nor for an attach."""
import os
import sys

import numpy as np
import pytensor
import pytensor.tensor as pt
from arrival import attached
from pytensor.compile.builders import OpFromGraph

CALLS, STEPS = 50, 10


def wait_for(done):
    while sys.argv[1:] != ["alone"] and not done():
        pass


def say(*words):
    print(*words, flush=True)


def runs_its_own(function):
    return function.vm.__defaults__[0] is function.vm.jit_fn


def inner_graphs():
    return [str(node.op.fgraph.toposort()) for function in functions.values()
            for node in function.maker.fgraph.toposort() if hasattr(node.op, "fgraph")]


def got(name):
    result = functions[name](value)
    return [one.tobytes() for one in (result if isinstance(result, list) else [result])]


v = pt.dvector("v")
box = OpFromGraph([v], [pt.exp(v) * v], name="box")
value = np.linspace(0.1, 0.9, 7)
states = pytensor.scan(lambda before: pt.tanh(before) + 0.1, outputs_info=[v], n_steps=STEPS,
                       name="steps", return_updates=False)
functions = {"early": pytensor.function([v], pt.exp(v).sum(), name="early"),
             "looped": pytensor.function([v], states[-1], name="looped"),
             "whole": pytensor.function([v], [states, states * 2], name="whole"),
             "boxed": pytensor.function([v], [box(v), box(v * 2).sum()], name="boxed"),
             "unused": pytensor.function([v], pt.log(v).sum(), name="unused")}
inner = inner_graphs()
before = {name: got(name) for name in functions if name != "unused"}
plain = {name: function.vm.__defaults__ for name, function in functions.items()}
say("ready")
wait_for(attached)
if sys.argv[1:] == ["brief"]:
    child = os.fork()
    if child == 0:
        wrong = got("early") != before["early"]
        pytensor.function([v], pt.cos(v), name="own")(value)  # the whole compilation is inside it
        os._exit(7 + wrong)
    raise SystemExit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
wait_for(lambda: not any(map(runs_its_own, functions.values())))
functions["later"] = pytensor.function([v], pt.sinh(v).sum(), name="later")
before["later"] = got("later")
say("later")
wait_for(lambda: not attached())
assert all(functions[name].vm.__defaults__ is defaults for name, defaults in plain.items())
say("left")
wait_for(attached)
for step in range(CALLS):
    for name in functions:
        again = got(name)
        assert before.setdefault(name, again) == again
assert inner == inner_graphs()
say("counted")
sys.stdin.readline()
say({name: [str(node) for node in function.maker.fgraph.toposort()]
     for name, function in functions.items()})

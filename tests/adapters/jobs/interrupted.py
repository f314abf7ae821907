# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""interrupted.py ADAPTERS: attaches and detaches. The detach is interrupted at two places. Another
detach or attach then removes the rest."""
import sys

import numpy as np
import pytensor
import pytensor.tensor as pt
from pytensor.compile.function.types import Function, FunctionMaker

sys.path.insert(0, sys.argv[1])
from proftop import feed, attach_running, theano_family  # noqa: E402

v = pt.dvector("v")
f = pytensor.function([v], pt.exp(v).sum(), name="f")


def interrupt():
    raise KeyboardInterrupt


def attach():
    done, said, _ = attach_running.attach()
    assert done and "1 function with" in said, said
    f(np.zeros(3))
    graph = theano_family.module_state["adapter"].patched[f.vm]
    assert graph.check(f.vm) is not None
    return graph


def interrupted(thing, name):
    """A detach that is interrupted here."""
    setattr(thing, name, interrupt)
    try:
        attach_running.detach()
    except KeyboardInterrupt:
        delattr(thing, name)
        return
    raise AssertionError("it was not interrupted")


def is_left(graph):
    assert "adapter" not in theano_family.module_state
    assert graph.check(f.vm) is None, graph.check(f.vm)
    assert {type(vars(cls)[name]).__name__ for cls, name in (
        (Function, "__call__"), (FunctionMaker, "create"))} == {"function"}
    assert not feed.own_feed()


for again in attach_running.detach, attach:
    for part, name in (("first_calls", "remove"), (None, "forget")):
        graph = attach()
        adapter = theano_family.module_state["adapter"]
        interrupted(getattr(adapter, part) if part else adapter, name)
        again()
        if again is attach:
            assert theano_family.module_state["adapter"] is not adapter
            attach_running.detach()
        is_left(graph)
print("left")

# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""late_inner.py PACKAGE [between|inside]: calls a function with a Scan and a graph made an op in a
loop. proftop attaches between two calls, or inside a step of one. Prints the results, and the nodes
of the function and of the functions inside, in order of execution."""
import importlib
import json
import sys

import numpy as np
from arrival import await_attach

package, where = sys.argv[1], "".join(sys.argv[2:])
family = importlib.import_module(package)
tensor = importlib.import_module(package + ".tensor")
as_op = importlib.import_module(package + ".compile.ops").as_op
OpFromGraph = importlib.import_module(package + ".compile.builders").OpFromGraph
BEFORE, AFTER, STEPS, AT = 3, 20, 10, 4
steps = 0


@as_op(itypes=[tensor.dvector], otypes=[tensor.dvector])
def here(x):
    global steps
    steps += 1
    if where == "inside" and steps == BEFORE * STEPS + AT:
        await_attach()
    return x + 0.0


h, a = tensor.dvector("h"), tensor.dvector("a")
states, _ = family.scan(lambda before: tensor.tanh(here(tensor.exp(before) * 0.5)),
                        outputs_info=[h], n_steps=STEPS, name="steps")
boxed = OpFromGraph([a], [tensor.exp(a) / tensor.exp(a).sum()])
outer = family.function([h, a], [states[-1], boxed(a)], name="outer")
results = []
for call in range(BEFORE + 1 + AFTER):
    if where == "between" and call == BEFORE + 1:
        await_attach()
    results.append([value.tobytes().hex() for value in outer(np.ones(3) * call, np.arange(3.0))])


def nodes_of(function):
    """A linker without a VM makes a Python function with them in a cell."""
    vm = getattr(function, "vm", None) or function.fn
    names = getattr(getattr(vm, "__code__", None), "co_freevars", ())
    return list(map(str, vm.__closure__[names.index("order")].cell_contents if names
                    else vm.nodes))


assert steps == (BEFORE + 1 + AFTER) * STEPS, steps
if where:
    print("counted", flush=True)
    sys.stdin.readline()
inner = [getattr(node.op, "_fn", None) or node.op.fn for node in outer.maker.fgraph.toposort()
         if hasattr(node.op, "fn")]
print(json.dumps({"results": results, "outer": nodes_of(outer),
                  "inner": sorted(map(nodes_of, inner))}))

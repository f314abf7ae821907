# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""left.py PACKAGE between|inside: aborts calls of functions without a VM between two nodes, as a
signal handler that raises does. They must count as before. So must a function interrupted during
its definition. At last proftop detaches, between two nodes or inside one."""
import importlib
import signal
import sys

import numpy as np

package, where = sys.argv[1:]
family = importlib.import_module(package)
tensor = importlib.import_module(package + ".tensor")
Mode = importlib.import_module(package + ".compile.mode").Mode
as_op = importlib.import_module(package + ".compile.ops").as_op
PLAIN = Mode("py", "fast_run")
GOOD, STEPS = 3, 4  # calls after an aborted one; steps of the Scan
adapter = sys.modules["_proftop.theano_family"].module_state["adapter"]
inside = []  # called in the first node that runs


@as_op(itypes=[tensor.dvector], otypes=[tensor.dvector])
def double(x):
    while inside:
        inside.pop()()
    return x * 2


def vm_of(function):
    return getattr(function, "vm", None) or function.fn


def between(nodes, action, call):
    """Runs the action in the framework's loop over these nodes: before the second."""
    def trace(frame, event, arg):
        given = frame.f_locals
        if event == "line" and given.get("order") == nodes and given.get("node") is nodes[1]:
            sys.settrace(None)
            frame.f_trace = None
            action()
        return trace
    sys.settrace(trace)
    try:
        call()
    finally:
        assert sys.gettrace() is None, "it did not come there"


def interrupt():
    raise KeyboardInterrupt


def leave(nodes, call):
    try:
        between(nodes, interrupt, call)
    except KeyboardInterrupt:
        return
    raise AssertionError("it was not left")


def order_of(vm):
    return vm.__closure__[vm.__code__.co_freevars.index("order")].cell_contents


def references(vm):
    """References to proftop's data of it."""
    return sys.getrefcount(adapter.patched[vm])


def made(name):
    """A function's VM that can be called, since its argument is there."""
    x = tensor.dvector("x")
    function = family.function([x], double(double(x)) + 1, name=name, mode=PLAIN)
    function.input_storage[0].storage[0] = np.ones(3)
    return function, vm_of(function)


(f, vm), (other, _), (last, last_vm) = [made(name) for name in ("f", "other", "last")]
leave(order_of(vm), vm)
for step in range(GOOD):
    vm()
leave(order_of(vm), vm)
assert (other(np.ones(3)) == 5).all()  # outside the calls of f
leave(order_of(vm), vm)
assert (f(np.ones(3)) == 5).all()

x = tensor.dvector("x")
steps, _ = family.scan(lambda before: double(double(before)) * 0.25, outputs_info=[x],
                       n_steps=STEPS, mode=PLAIN, name="steps")
outer = family.function([x], steps[-1], name="outer", mode=PLAIN)
[inner] = [vm_of(node.op.fn) for node in outer.maker.fgraph.toposort() if hasattr(node.op, "fn")]


def interrupted(*unused):
    del adapter.define
    raise KeyboardInterrupt


# The interrupt reaches the caller. The next call defines the inner function.
signal.signal(signal.SIGINT, signal.default_int_handler)
adapter.define = interrupted
try:
    outer(np.ones(3))
    raise AssertionError("it was not interrupted")
except KeyboardInterrupt:
    assert "define" not in vars(adapter)
leave(order_of(inner), lambda: outer(np.ones(3)))
left = references(inner)
for step in range(GOOD):
    assert (outer(np.ones(3)) == 1).all()
assert references(inner) == left, (references(inner), left)
leave(order_of(inner), lambda: outer(np.ones(3)))

last_vm()
if where == "inside":
    inside.append(adapter.remove)
    last_vm()
else:
    between(order_of(last_vm), adapter.remove, last_vm)
assert references(last_vm) == references(vm), (references(last_vm), references(vm))
print("left")

# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""unpatch.py: detaches proftop in the middle of a job, and checks that nothing of it is left."""
import ctypes
import sys

import numpy as np
import pytensor
import pytensor.tensor as pt
from pytensor.compile.function.types import Function, FunctionMaker, orig_function
from pytensor.compile.mode import Mode
from pytensor.compile.ops import as_op
from pytensor.graph.features import Validator
from pytensor.link.c.cvm import CVM

PLACES = (Function.__init__, Function.__call__, FunctionMaker.__init__, FunctionMaker.create,
          FunctionMaker.prepare_fgraph, Validator.validate_, orig_function, CVM.__call__)


@as_op(itypes=[pt.dvector], otypes=[pt.dvector])
def double(x):
    return x * 2


x = pt.dvector("x")
f = pytensor.function([x], double(pt.exp(x)) + 1, name="f")
for step in range(4):
    before = f(np.ones(3))
CLOSURES = [pytensor.function([x], double(pt.exp(x)) + 1, name=name, mode=Mode(name, "fast_run"))
            for name in ("py", "c|py")]
for step in range(4):
    assert all((function(np.ones(3)) == before).all() for function in CLOSURES)
# A VM in which nothing has run before the detach.
with pytensor.config.change_flags(allow_gc=False):
    plain = Mode("c|py", "fast_run")
    steps, _ = pytensor.scan(lambda before: pt.exp(before) * 0.5, outputs_info=[x], n_steps=3,
                             mode=plain)
    later = pytensor.function([x], steps[-1], name="later", mode=plain)
[inner] = [node.op.fn for node in later.maker.fgraph.toposort() if hasattr(node.op, "fn")]


def thunks_of(closure):
    return closure.__closure__[closure.__code__.co_freevars.index("thunks")].cell_contents


def place_of_calls(cls):
    """The function that the class runs when one of its objects is called."""
    return ctypes.c_void_p.from_address(id(cls) + 16 * ctypes.sizeof(ctypes.c_void_p)).value


class Callable:
    def __call__(self):
        pass


# Calls the VM directly. It is found without a search for its __call__, and with one.
f.input_storage[0].storage[0] = np.ones(3)
assert place_of_calls(CVM) not in (place_of_calls(CVM.__base__), place_of_calls(Callable))
f.vm()
f.vm()
f.vm.__call__()
try:
    f.vm(False, -1, "no list")
    assert False, "what it is given comes to it"
except RuntimeError as error:
    assert "not a list" in str(error), error

package = sys.modules["_proftop.theano_family"]
feed, adapter = package.feed, package.module_state["adapter"]
graph = adapter.patched[f.vm]
kinds = [type(thunk) for thunk in f.vm.thunks]
assert any(kind.__name__ == "Thunk" for kind in kinds), kinds
assert type(thunks_of(inner.vm)[0]).__name__ == "Wrap", thunks_of(inner.vm)
assert graph.check(f.vm) is not None, "a patched VM must not pass the check"
assert all(type(thunk).__name__ == "Thunk" for function in CLOSURES
           for thunk in thunks_of(function.vm))

adapter.remove()
assert graph.check(f.vm) is None, graph.check(f.vm)
assert not {"Thunk", "Wrap"} & {type(thunk).__name__ for thunks in (
    f.vm.thunks, *(thunks_of(function.vm) for function in (*CLOSURES, later, inner)))
                                 for thunk in thunks}
for cls, name in ((Function, "__init__"), (Function, "__call__"), (FunctionMaker, "__init__"),
                  (FunctionMaker, "create"), (FunctionMaker, "prepare_fgraph"),
                  (Validator, "validate_")):
    assert type(getattr(cls, name)).__name__ == "function", (cls, name)
assert isinstance(vars(FunctionMaker)["prepare_fgraph"], staticmethod)
assert "__call__" not in vars(CVM)
assert place_of_calls(CVM) == place_of_calls(CVM.__base__)
for path in ("types", "pfunc"):
    module = sys.modules["pytensor.compile.function." + path]
    assert type(module.orig_function).__name__ == "function", module
for step in range(7):
    assert all((function(np.ones(3)) == before).all() for function in (f, *CLOSURES))
expected = np.ones(3)
for step in range(3):
    expected = np.exp(expected) * 0.5
assert np.allclose(later(np.ones(3)), expected)

# An unexpected layout is refused, whatever differs.
times = f.vm.call_times
code = next(thunk for thunk in f.vm.thunks if hasattr(thunk, "cthunk"))
other = pytensor.function([x], pt.tanh(x) - 1)
capsule, code.cthunk = code.cthunk, next(
    thunk.cthunk for thunk in other.vm.thunks if hasattr(thunk, "cthunk"))
assert "do not hold" in feed.Graph().check(f.vm)
code.cthunk = capsule
assert feed.Graph().check(f.vm) is None


class Imposter:
    thunks, call_times, call_counts = f.vm.thunks, f.vm.call_times, f.vm.call_counts


assert "not where" in feed.Graph().check(Imposter())
assert "lacks" in feed.Graph().check(object())
print("clean", before)

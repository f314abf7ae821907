# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""values.py: the inputs and outputs of a node.

Before a run the graph shows types, fixed shapes, the node that made each value, memory aliases, and
results. While the node runs, the adapter inspects the actual values."""
import math

from . import feed

# Indices in the tuple of a value that details.c takes.
SHAPE, BYTES = 1, 2
# Largest count in 64 bits that is not PROFTOP_UNKNOWN.
FLOPS_MAX = 2**64 - 2


def itemsize(dtype):
    """Bytes of one element, from the digits at the end of the type's name; None without such
    digits."""
    digits = dtype[len(dtype.rstrip("0123456789")):] if dtype else ""
    if dtype == "bool":
        return 1
    return int(digits) // 8 if digits and int(digits) % 8 == 0 else None


def is_number(variable):
    """True for a bare number: the framework gives it a size but no shape."""
    return type(variable.type).__module__.endswith(".scalar.basic")


def described(variable, source=None, output=0, alias=0, result=0):
    dtype = getattr(variable.type, "dtype", None)
    dtype = dtype if isinstance(dtype, str) else None
    shape = getattr(variable.type, "shape", None)
    if not isinstance(shape, tuple) or not all(isinstance(size, int) for size in shape):
        shape = None
    size = itemsize(dtype)
    if is_number(variable):
        return dtype, None, size, source, output, alias, result, None
    # The shape of a sparse matrix does not give its size.
    known = shape is not None and size is not None and not hasattr(variable.type, "format")
    return (dtype, shape, math.prod(shape) * size if known else None, source, output, alias,
            result, None)


def inputs_of(node, ids):
    """The inputs of a node. `ids` maps the nodes of this graph to their applies."""
    return tuple(described(variable, ids.get(variable.owner), variable.index or 0)
                 if variable.owner is not None else described(variable)
                 for variable in node.inputs)


def outputs_of(node, results):
    """The outputs of a node. Alias 2k + 1 is a view of input k, alias 2k + 2 overwrites it.
    `results` maps results of the function to their places, from 1."""
    alias = {}
    for name, step in (("view_map", 1), ("destroy_map", 2)):
        for output, inputs in (getattr(node.op, name, None) or {}).items():
            if inputs:
                alias[output] = 2 * inputs[0] + step
    return tuple(described(variable, alias=alias.get(index, 0),
                           result=results.get(variable, 0))
                 for index, variable in enumerate(node.outputs))


def with_look(told, look):
    """A value with its inspected (shape, bytes, strides). `look` may be None."""
    if look is None:
        return told
    shape, size, strides = look
    if told[SHAPE] is None and told[BYTES] is not None and shape == ():
        shape = strides = None  # a bare number, which numpy shows as an array without dimensions
    return told[:SHAPE] + (shape, size) + told[BYTES + 1:-1] + (strides,)


def seen_in(told, seen):
    if len(told) != len(seen):
        return told
    return tuple(with_look(*both) for both in zip(told, seen))


def flops_of(op):
    """The method of an op that computes the flops of a call from the shapes of its inputs and
    outputs, or None. Some ops have one for the framework's own profile: convolutions, and a user's
    own ops."""
    flops = getattr(op, "flops", None)
    return flops if callable(flops) else None


def counted(flops, inputs, outputs):
    """The flops of a call. None if the op does not know them, or if a shape is not known.
    Exceptions are dropped, since the job did not ask: AbstractConv of three dimensions raises."""
    shapes = [[told[SHAPE] for told in side] for side in (inputs, outputs)]
    if flops is None or None in shapes[0] + shapes[1]:
        return None
    try:
        count = flops(*shapes)
        return int(count) if 0 <= count <= FLOPS_MAX else None
    except Exception:
        return None


def tell(apply, flops, inputs, outputs, thunk_ns, rewrite, library):
    feed.detail(apply, inputs, outputs, thunk_ns, rewrite, library,
                counted(flops, inputs, outputs))


class Values:
    """The published values of one graph's nodes. Holds only texts and numbers, and the ops' flops
    methods, so it keeps no other object of the job alive."""

    def __init__(self, nodes, ids, results, thunk_ns, origins):
        self.nodes = [(ids[node], flops_of(node.op), inputs_of(node, ids),
                       outputs_of(node, results), thunk_ns.get(node), origins.rewrite_of(node),
                       origins.library_of(node))
                      for node in nodes]
        self.seen = [None] * len(self.nodes)
        for told in self.nodes:
            tell(*told)

    def look(self, seen):
        """Takes the values that inspect.c has seen at each node; None: it has seen none."""
        for index, look in enumerate(seen):
            if look is None or look == self.seen[index]:
                continue
            self.seen[index] = look
            apply, flops, inputs, outputs, *more = self.nodes[index]
            tell(apply, flops, seen_in(inputs, look[0]), seen_in(outputs, look[1]), *more)

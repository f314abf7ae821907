# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""values.py: the inputs and outputs of a node as far as its graph knows them before it runs: types,
shapes that are fixed, which node made what, and whose memory it is."""
import math


def itemsize(dtype):
    """Bytes of one element, by the number at the end of the name; None if that is not one."""
    digits = dtype[len(dtype.rstrip("0123456789")):] if dtype else ""
    if dtype == "bool":
        return 1
    return int(digits) // 8 if digits and int(digits) % 8 == 0 else None


def described(variable, source=None, output=0, alias=0):
    dtype = getattr(variable.type, "dtype", None)
    dtype = dtype if isinstance(dtype, str) else None
    shape = getattr(variable.type, "shape", None)
    if not isinstance(shape, tuple) or not all(isinstance(size, int) for size in shape):
        shape = None
    size = itemsize(dtype)
    known = shape is not None and size is not None
    return dtype, shape, math.prod(shape) * size if known else None, source, output, alias


def inputs_of(node, ids):
    """`ids` maps the nodes of this graph to their applies."""
    return tuple(described(variable, ids.get(variable.owner), variable.index or 0)
                 if variable.owner is not None else described(variable)
                 for variable in node.inputs)


def outputs_of(node):
    """2k + 1 is a view of input k, 2k + 2 overwrites it."""
    alias = {}
    for name, step in (("view_map", 1), ("destroy_map", 2)):
        for output, inputs in (getattr(node.op, name, None) or {}).items():
            if inputs:
                alias[output] = 2 * inputs[0] + step
    return tuple(described(variable, alias=alias.get(index, 0))
                 for index, variable in enumerate(node.outputs))

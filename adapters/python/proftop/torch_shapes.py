# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""torch_shapes.py: the tensors that a call of a module gets.

To read the shape of a tensor may be seen by the program: torch.jit.trace records it, a
TorchFunctionMode is called, and a subclass may run code or add a guard. None of these is asked."""
import math
import sys

MOST = 8  # NESTED_VALUES in adapters/common/nested.h


def is_plain():
    """True if nothing sees that a tensor is read. False in a release where this is not known."""
    torch_c = sys.modules.get("torch._C")
    has_mode = getattr(torch_c, "_is_torch_function_mode_enabled", None)
    tracing = getattr(torch_c, "_get_tracing_state", None)
    return has_mode is not None and tracing is not None and not has_mode() and tracing() is None


def about(tensor):
    """(dtype, shape, bytes) of a tensor; None: unknown."""
    try:
        dtype, shape = str(tensor.dtype).rpartition(".")[2], tuple(tensor.shape)
        known = all(type(size) is int for size in shape)
        dense = known and str(tensor.layout) == "torch.strided"
        return (dtype, shape if known else None,
                math.prod(shape) * tensor.element_size() if dense else None)
    except RuntimeError:
        return None, None, None  # a tensor of tensors has no shape


def inputs(args, kwargs):
    """[(dtype, shape, bytes)] of the tensors among the arguments of a module, in their order; None:
    they cannot be read now. `args`: with the module. Called ten times a second at most, and once
    for each row."""
    torch = sys.modules.get("torch")
    if torch is None or not is_plain():
        return None
    given = list(args[1:]) + list((kwargs or {}).values())
    return [about(value) for value in given
            if type(value) is torch.Tensor or type(value) is torch.nn.Parameter][:MOST]

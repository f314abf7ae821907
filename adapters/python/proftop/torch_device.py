# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""torch_device.py: steps aside while the job's own profiler runs.

CUPTI has one subscription for a process. If proftop has it when kineto, which is inside
torch.profiler, asks for it, the job's profiler has no times of GPUs until the process ends. So the
functions that start and stop a profiler are replaced, where Python's callers look them up."""
import functools
import os
import sys

from . import feed

MODULES = ("torch.autograd.profiler", "torch.autograd", "torch._C._autograd")
NEEDED = ("_prepare_profiler", "_enable_profiler", "_disable_profiler")  # of the first one
state = {"replaced": [], "aside": False}  # replaced: [(module, name, the original, ours)]


def step_aside(starts):
    state["aside"] = starts
    feed.torch_step_aside(starts)


def starting(original):
    """Steps aside before a profiler starts, until it stops."""
    @functools.wraps(original)
    def start_profiler(*args, **kwargs):
        before = state["aside"]
        step_aside(True)
        try:
            return original(*args, **kwargs)
        except BaseException:
            step_aside(before)
            raise
    return start_profiler


def stopping(original):
    """Goes on once a profiler has stopped."""
    @functools.wraps(original)
    def stop_profiler(*args, **kwargs):
        try:
            return original(*args, **kwargs)
        finally:
            step_aside(False)
    return stop_profiler


def start():
    """Watches for the job's profiler. Returns None, or why GPUs have to be left alone."""
    if os.environ.get("KINETO_USE_DAEMON"):
        return "KINETO_USE_DAEMON is set, and may start a profiler at any time"
    if os.environ.get("TEARDOWN_CUPTI") == "1":
        return "TEARDOWN_CUPTI is set: a profiler of the job may end CUPTI at any time"
    known = vars(sys.modules.get(MODULES[0], os))
    if not all(callable(known.get(name)) for name in NEEDED):
        return "it is not known when the profiler of the job starts"
    step_aside(bool(known.get("_is_profiler_enabled")))
    for module in map(sys.modules.get, MODULES):
        for name in NEEDED:
            original = getattr(module, name, None)
            if original is not None:
                ours = (stopping if name == "_disable_profiler" else starting)(original)
                setattr(module, name, ours)
                state["replaced"].append((module, name, original, ours))
    return None


def stop():
    """Puts the originals back, unless somebody else has replaced them since."""
    replaced, state["replaced"] = state["replaced"], []
    for module, name, original, ours in replaced:
        if getattr(module, name, None) is ours:
            setattr(module, name, original)

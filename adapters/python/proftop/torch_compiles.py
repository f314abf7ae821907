# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""torch_compiles.py: compilations of torch.compile, by the callbacks of torch._dynamo.callback.

Each frame of Python that is compiled is a function; a recompilation adds its time. The notices have
the reasons of recompilations and graph breaks, as torch._dynamo.utils keeps them.

Kernels that Inductor fuses for the CPU have rows if its setting cpp.enable_kernel_profile is on.
The setting is a part of the key under which compiled code is cached, so it is turned on only where
nothing is cached."""
import os
import sys
import time

from . import feed
from .user_lines import line_text

NAME = "torch._dynamo.callback"
SETTINGS = "torch._inductor.config"
KERNELS = "TORCHINDUCTOR_CPP_ENABLE_KERNEL_PROFILE"  # the user's own choice
REASONS = 64  # notices of reasons; then one says that there are more
MOST = 256  # frames with functions of their own
LONGEST = 300  # characters of a reason
# handler: torch's, once the callbacks are in it. functions: {name: id} in the feed of this number.
# begun: {compile id: (function, ns)}. waiting: [(compile id, ns)], ended, not told yet. breaks:
# {reason: how often}, as notified.
state = {"handler": None, "feeds": 0, "functions": {}, "begun": {}, "waiting": [],
         "breaks": {}, "said": 0}


def quietly(function):
    """Keeps errors of the adapter away from a compilation. Older releases give no arguments: then
    nothing is known of the compilation."""
    def run(*args):
        try:
            function(*args)
        except Exception:
            pass
    return run


def function_of(compile_id):
    """The function of the frame: compile ids are FRAME/TIMES."""
    if state["feeds"] != feed.opened():
        state.update(feeds=feed.opened(), functions={})
    name = "torch.compile %s" % str(compile_id).partition("/")[0]
    if name not in state["functions"] and len(state["functions"]) >= MOST:
        name = "torch.compile (other)"
    if name not in state["functions"]:
        state["functions"][name] = feed.function(name, None, 0, None, False)
    return state["functions"][name]


def say(level, text):
    state["said"] += 1
    if state["said"] <= REASONS:
        feed.notice(level, " ".join(text.split())[:LONGEST])
    elif state["said"] == REASONS + 1:
        feed.notice(1, "torch.compile: more recompilations and graph breaks are not told")


def utils():
    return sys.modules.get("torch._dynamo.utils")


def say_breaks():
    breaks = dict(getattr(utils(), "counters", {}).get("graph_break", {}))
    for reason, count in breaks.items():
        if count > state["breaks"].get(reason, 0):
            say(1, "torch.compile: graph break: %s" % reason)
    state["breaks"] = breaks


def metrics_of(compile_id):
    """What torch has noted of this compilation, or None."""
    for one in reversed(list(getattr(utils(), "get_compilation_metrics", list)())):
        if str(getattr(one, "compile_id", None)) == str(compile_id):
            return one
    return None


@quietly
def begins(args):
    function = function_of(args.compile_id)
    feed.compile_begin(function)
    feed.torch_compiling(True)
    state["begun"][args.compile_id] = (function, time.perf_counter_ns())


@quietly
def ends(args):
    function, begun = state["begun"].pop(args.compile_id, (None, 0))
    if function is None:
        return
    took = time.perf_counter_ns() - begun
    feed.torch_compiling(False)
    feed.compile_end(function, took, None, None, None)
    state["waiting"].append((args.compile_id, took))
    say_breaks()


def tell():
    """Tells what torch has noted of compilations, which it does after their end."""
    while state["waiting"]:
        compile_id, took = state["waiting"].pop(0)
        known = metrics_of(compile_id)
        if known is None or not known.co_filename:
            continue
        reason = getattr(known, "recompile_reason", None)
        say(0, "torch.compile %s: %s at %s, %.2f s%s" % (
            compile_id, known.co_name,
            line_text(known.co_filename, known.co_firstlineno or 0), took / 1e9,
            ": again, since %s" % reason if reason else ""))


def name_kernels():
    """Called at the end of the import of Inductor's settings, before anything is compiled."""
    module = sys.modules.get(SETTINGS)
    kernels = getattr(module, "cpp", None)
    if getattr(module, "force_disable_caches", None) is True and KERNELS not in os.environ and \
            getattr(kernels, "enable_kernel_profile", None) is False:
        kernels.enable_kernel_profile = True
        feed.notice(0, "torch.compile: fused kernels have rows: the job keeps no compiled code, so "
                       "proftop has turned on cpp.enable_kernel_profile")


def start():
    """Tells of compilations from now on, if torch.compile is loaded."""
    handler = getattr(sys.modules.get(NAME), "callback_handler", None)
    if state["handler"] is None and hasattr(handler, "register_start_callback"):
        handler.register_start_callback(begins)
        handler.register_end_callback(ends)
        state["handler"] = handler
        state["breaks"] = dict(getattr(utils(), "counters", {}).get("graph_break", {}))


def stop():
    handler, state["handler"] = state["handler"], None
    if handler is not None:
        for remove, callback in ((handler.remove_start_callback, begins),
                                 (handler.remove_end_callback, ends)):
            try:
                remove(callback)
            except ValueError:
                pass  # somebody has cleared the lists
    state["begun"].clear()

# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""torch_modules.py: counts the calls of modules of PyTorch, around their ops.

Module.__call__ is replaced. torch.compile reads that function when it traces a model, and would
then trace another one. So before torch.compile traces anything, the original is put back, for
good."""
import sys
import weakref

from . import feed, torch_shapes

# names: {id of a module: its name}; refs: keeps the names as long as their modules.
# captures: [(name of a function of CONVERT, original, ours)]
state = {"original": None, "ours": None, "tracers": [], "names": {}, "refs": {}, "compiles": False,
         "captures": []}
EVAL_FRAME = ("torch._C._dynamo.eval_frame", "torch._dynamo.eval_frame")
# What traces ahead of time, as vLLM and torch.export do, turns no tracing on, but calls these.
CONVERT = "torch._dynamo.convert_frame"
CAPTURES = ("compile_frame", "fullgraph_capture")
# Where Dynamo keeps Module.__call__ as it was at its import, to recognise it.
KEPT = ("torch._dynamo.utils", "torch._dynamo.variables.nn_module")
MOST = 2048  # modules with names of their own; others share one for each class


def forget(key):
    state["names"].pop(key, None)
    state["refs"].pop(key, None)


def keep(module, path, anew):
    key, kind = id(module), type(module).__name__
    is_known = key in state["names"]
    if is_known and not anew:
        return
    path = path if is_known or len(state["names"]) < MOST else "(other)"
    words = path if path == kind else "%s (%s)" % (path, kind)
    if not is_known:
        state["refs"][key] = weakref.ref(module, lambda _: forget(key))
    state["names"][key] = words.encode("utf-8", "replace")


def path_inside(module, caller):
    """The path of a module that was added to its caller after the caller got its names, or None.
    `caller`: its id, or None."""
    known, ref = state["names"].get(caller), state["refs"].get(caller)
    caller = ref() if ref else None
    known = known if caller is not None else None
    name = next((name for name, one in caller._modules.items() if one is module), None) \
        if known else None
    return "%s.%s" % (known.decode().partition(" (")[0], name) if name else None


def name_module(module, caller):
    """Names a module and those inside: by the path from the outermost module, which has the name of
    its class. If proftop came amid a call, modules inside were called first, and took themselves
    for outermost ones: they get their paths with the next call. Replicas of DataParallel are new
    ones at each call, and have no name."""
    if getattr(module, "_is_replica", False):
        return None
    inside = path_inside(module, caller)
    root = inside or type(module).__name__
    for path, one in module.named_modules():
        keep(one, "%s.%s" % (root, path) if path else root, inside is None)
    return state["names"].get(id(module))


def has_compiled():
    """True if torch.compile has traced something in this process."""
    counters = getattr(sys.modules.get("torch._dynamo.utils"), "counters", {})
    return bool(counters.get("frames"))


def watch_tracer(owner, there):
    """Replaces a function that turns tracing on or off (with None)."""
    def set_eval_frame(callback):
        if callback is not None and callback is not False:
            state["compiles"] = True
            stop()
        return there(callback)

    owner.set_eval_frame = set_eval_frame
    state["tracers"].append((owner, there, set_eval_frame))


def traces(*unused):
    """Something is about to be traced."""
    state["compiles"] = True
    stop()


def watch_captures():
    """Watches CAPTURES once that module is imported."""
    owner = sys.modules.get(CONVERT)
    if state["ours"] is None or state["captures"]:
        return
    for name in CAPTURES:
        there = getattr(owner, name, None)
        if callable(there):
            ours = feed.wrap(there, traces, None)
            state["captures"].append((name, there, ours))
            setattr(owner, name, ours)


def class_of_modules():
    return getattr(sys.modules.get("torch.nn.modules.module"), "Module", None)


def loaded(name):
    """A module that is loaded, or None. Some that PyTorch makes in C are attributes alone; others
    would be imported by getattr()."""
    package, _, last = name.rpartition(".")
    inside = loaded(package) if package and name not in sys.modules else None
    return sys.modules.get(name, vars(inside).get(last) if inside else None)


def tracers():
    """Modules with the function that turns tracing on."""
    return [one for one in map(loaded, EVAL_FRAME) if one is not None]


def lacks():
    """Why calls of modules can't be counted, or None."""
    if "__call__" not in vars(class_of_modules() or object):
        return "PyTorch has no torch.nn.Module.__call__"
    if state["compiles"] or has_compiled():
        return "torch.compile is used"
    compiles = hasattr(sys.modules["torch"], "compile")
    if compiles and not (tracers() and all(callable(getattr(one, "set_eval_frame", None))
                                           for one in tracers())):
        return "it is not known when torch.compile begins"
    return None


def start():
    """Counts calls of modules, if that is possible."""
    if lacks() is not None:
        return
    module = class_of_modules()
    for owner in tracers():
        watch_tracer(owner, owner.set_eval_frame)
    state["original"] = vars(module)["__call__"]
    state["ours"] = feed.torch_wrap_modules(state["original"], name_module, state["names"],
                                            torch_shapes.inputs)
    module.__call__ = state["ours"]
    watch_captures()


def mend():
    """Dynamo was imported while ours was in place: gives it the original to recognise."""
    for name in KEPT:
        module = sys.modules.get(name)
        if state["ours"] is not None and \
                getattr(module, "unpatched_nn_module_call", None) is state["ours"]:
            module.unpatched_nn_module_call = state["original"]


def stop():
    """Puts the originals back, unless somebody else has replaced them since."""
    module = class_of_modules()
    watched, state["tracers"] = state["tracers"], []
    for _, there, ours in watched:
        for owner in tracers():  # a module that was imported since has ours as well
            if getattr(owner, "set_eval_frame", None) is ours:
                owner.set_eval_frame = there
    captures, state["captures"] = state["captures"], []
    for name, there, ours in captures:
        feed.wrap_end(ours)
        if getattr(sys.modules.get(CONVERT), name, None) is ours:
            setattr(sys.modules[CONVERT], name, there)
    mend()
    ours, state["ours"] = state["ours"], None
    if ours is None:
        return
    feed.wrap_end(ours)  # somebody may still call it
    if vars(module).get("__call__") is ours:
        module.__call__ = state["original"]

# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""torch_trainer.py: publishes what the Trainer of the package transformers logs, and the samples
and tokens of its batches.

Three methods are wrapped. The Trainer's list of callbacks, its state, and what it prints stay as
they are. Nothing here waits for a device: sizes of batches are known without their values."""
import math
import numbers
import sys

from . import feed
from .user_objects import Thing

NAME = "transformers.trainer"
# Domain of the steps: viewers show how fast its counters `samples` and `tokens` grow.
STEPS = "torch"
DOMAIN = "Trainer"
MOST = 64  # counters; names that come later have none
# hooks: [(class, name of the method, original, ours)]. things: {(kind, domain, name): Thing}.
# said: names of values that were reported as not finite.
state = {"hooks": [], "things": {}, "said": set()}


def thing(kind, domain, name):
    """The id of an object in the current feed, or None."""
    key = (kind, domain, name)
    if key not in state["things"]:
        if len(state["things"]) >= MOST:
            return None
        state["things"][key] = Thing(kind, domain, name)
    return state["things"][key].id()


def count(kind, domain, name, value, add):
    counter = thing(kind, domain, name)
    if counter is not None:
        feed.own_count(counter, value, add)


def argument(args, kwargs, position, name):
    """An argument of a method, by its position behind `self`, or by its name; None: not given."""
    given = kwargs or {}
    return args[position] if len(args) > position else given.get(name)


def logs(args, kwargs):
    """CallbackHandler.on_log(args, state, control, logs)"""
    for name, value in list(argument(args, kwargs, 4, "logs").items()):
        if not isinstance(value, numbers.Real) or isinstance(value, bool):
            continue
        if math.isfinite(value):
            count("float", DOMAIN, name, float(value), False)
        elif name not in state["said"] and len(state["said"]) < MOST:
            state["said"].add(name)
            step = getattr(argument(args, kwargs, 2, "state"), "global_step", "-")
            feed.notice(1, "Trainer: %s is %s at step %s" % (name, value, step))


def begins_epoch(args, kwargs):  # pylint: disable=unused-argument
    """CallbackHandler.on_epoch_begin(args, state, control)"""
    marker = thing("marker", DOMAIN, "epoch")
    if marker is not None:
        feed.own_mark(marker, "process")


def takes_batch(args, kwargs):
    """Trainer.training_step(model, inputs): a batch, of which a step may accumulate several."""
    inputs = argument(args, kwargs, 2, "inputs")
    shapes = [one.shape for one in inputs.values() if getattr(one, "shape", ())]
    if shapes:
        count("int", STEPS, "samples", int(shapes[0][0]), True)
    words = inputs.get("input_ids")
    if words is not None:
        count("int", STEPS, "tokens", math.prod(map(int, words.shape)), True)


# (module, class, method, what is called before it)
HOOKS = (
    ("transformers.trainer_callback", "CallbackHandler", "on_log", logs),
    ("transformers.trainer_callback", "CallbackHandler", "on_epoch_begin", begins_epoch),
    (NAME, "Trainer", "training_step", takes_batch),
)


def start(ended=False):
    """Wraps the methods of HOOKS, once the import of the Trainer has ended. One that is missing
    costs what it would tell. `ended`: it just has, though Python does not know yet."""
    module = sys.modules.get(NAME)
    imports = getattr(getattr(module, "__spec__", None), "_initializing", False)
    if state["hooks"] or module is None or (imports and not ended):
        return
    for where, name, method, before in HOOKS:
        owner = getattr(sys.modules.get(where), name, None)
        there = getattr(owner, "__dict__", {}).get(method)
        if callable(there):
            ours = feed.wrap(there, before, None)
            state["hooks"].append((owner, method, there, ours))
            setattr(owner, method, ours)


def stop():
    """Puts the originals back, unless somebody else has replaced them since."""
    hooks, state["hooks"] = state["hooks"], []
    for owner, method, there, ours in reversed(hooks):
        feed.wrap_end(ours)
        if vars(owner).get(method) is ours:
            setattr(owner, method, there)

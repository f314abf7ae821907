# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""torch_trainer.py: publishes what the Trainer of the package transformers logs, and the samples
and tokens of its batches.

Three methods are wrapped. The Trainer's list of callbacks, its state, and what it prints stay as
they are. Nothing here waits for a device: sizes of batches are known without their values."""
import math
import numbers

from . import feed
from .torch_hooks import MOST, Hooks, argument

NAME = "transformers.trainer"
# Domain of the steps: viewers show how fast its counters `samples` and `tokens` grow.
STEPS = "torch"
DOMAIN = "Trainer"
said = set()  # names of values that were reported as not finite


def logs(args, kwargs):
    """CallbackHandler.on_log(args, state, control, logs)"""
    for name, value in list(argument(args, kwargs, 4, "logs").items()):
        if not isinstance(value, numbers.Real) or isinstance(value, bool):
            continue
        if math.isfinite(value):
            hooks.count(DOMAIN, name, float(value))
        elif name not in said and len(said) < MOST:
            said.add(name)
            step = getattr(argument(args, kwargs, 2, "state"), "global_step", "-")
            feed.notice(1, "Trainer: %s is %s at step %s" % (name, value, step))


def begins_epoch(args, kwargs):  # pylint: disable=unused-argument
    """CallbackHandler.on_epoch_begin(args, state, control)"""
    marker = hooks.id("marker", DOMAIN, "epoch")
    if marker is not None:
        feed.own_mark(marker, "process")


def takes_batch(args, kwargs):
    """Trainer.training_step(model, inputs): one batch. A step may have several."""
    inputs = argument(args, kwargs, 2, "inputs")
    shapes = [one.shape for one in inputs.values() if getattr(one, "shape", ())]
    if shapes:
        hooks.count(STEPS, "samples", int(shapes[0][0]), add=True)
    words = inputs.get("input_ids")
    if words is not None:
        hooks.count(STEPS, "tokens", math.prod(map(int, words.shape)), add=True)


hooks = Hooks(NAME, ("transformers.trainer_callback", "CallbackHandler", "on_log", logs),
              ("transformers.trainer_callback", "CallbackHandler", "on_epoch_begin", begins_epoch),
              (NAME, "Trainer", "training_step", takes_batch))

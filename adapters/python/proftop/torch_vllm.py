# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""torch_vllm.py: publishes what the scheduler of a vLLM engine knows: its requests, its KV cache,
the tokens of prefill and decode, and the time to the first token.

The process of the engine publishes it. The model runs in its workers, which are processes of their
own. A step is an engine step: from a schedule to its output. Whether the engine logs statistics of
its own makes no difference."""
import time

from . import feed
from .torch_hooks import Hooks, argument

NAME = "vllm.v1.core.sched.scheduler"
DOMAIN = "vLLM"
# prefills: {id of a request: when it arrived, by time.time()}, until its first token. run: of the
# step that has begun, or None; feed: the number of its feed.
state = {"prefills": {}, "run": None, "feed": 0}


def begins_step(args, kwargs):  # pylint: disable=unused-argument
    """Scheduler.schedule(). It may be called for the next step before the output of this one."""
    frame = hooks.id("frame", DOMAIN, "step")
    if frame is not None and (state["run"] is None or state["feed"] != feed.own_feed()):
        state.update(run=feed.own_start("frame", frame), feed=feed.own_feed())


def ends_step():
    if state["run"] is not None and state["feed"] == feed.own_feed():
        feed.own_stop("frame", state["run"])
    state["run"] = None


def count_tokens(requests, planned, output):
    """Prefill is what a request computes before its first token."""
    prefills, now, prompt = state["prefills"], time.time(), 0
    sampled = output.sampled_token_ids  # of each request; empty while it has none
    for new in planned.scheduled_new_reqs:
        arrived = getattr(requests.get(new.req_id), "arrival_time", None)
        prefills.setdefault(new.req_id, arrived)
    for name in [name for name in prefills if name not in requests]:
        del prefills[name]  # it has ended without a token
    for name in list(prefills):
        prompt += planned.num_scheduled_tokens.get(name, 0)
        index = output.req_id_to_index.get(name)
        if index is not None and len(sampled) > index and len(sampled[index]) > 0:
            arrived = prefills.pop(name)
            if arrived is not None:
                hooks.count(DOMAIN, "time to first token", float(now - arrived), unit="s")
    hooks.count(DOMAIN, "prefill tokens", prompt, add=True)
    hooks.count(DOMAIN, "decode tokens", planned.total_num_scheduled_tokens - prompt, add=True)
    hooks.count(DOMAIN, "tokens", sum(map(len, sampled)), add=True)


def has_output(args, kwargs):
    """Scheduler.update_from_output(scheduler_output, model_runner_output), of each step in turn."""
    scheduler, planned = args[0], argument(args, kwargs, 1, "scheduler_output")
    try:
        hooks.count(DOMAIN, "requests running", len(scheduler.running))
        hooks.count(DOMAIN, "requests waiting", len(scheduler.waiting))
        hooks.count(DOMAIN, "KV cache used", 100 * float(scheduler.kv_cache_manager.usage),
                    unit="%")
        if planned.total_num_scheduled_tokens > 0:
            count_tokens(scheduler.requests, planned,
                         argument(args, kwargs, 2, "model_runner_output"))
    finally:
        ends_step()


hooks = Hooks(NAME, (NAME, "Scheduler", "schedule", begins_step),
              (NAME, "Scheduler", "update_from_output", has_output))

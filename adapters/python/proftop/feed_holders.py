# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""feed_holders.py: the one feed of this process. Its holders are adapters of frameworks, and the
program itself. The first holder opens the feed, the last one closes it."""
import atexit
import os
import sys

from . import feed, program

# holders: in the order of their arrival. names: a name for each. opener: the holder after which the
# feed is named. routes, facts: the text of each holder; a feed has one text of either kind. exit:
# the original os._exit while it is replaced. forks: fork hooks are registered; they stay for ever.
state = {"holders": [], "names": {}, "opener": None, "routes": {}, "facts": {}, "exit": None,
         "forks": False}


def is_worker():
    """True if multiprocessing started this process."""
    process = sys.modules.get("multiprocessing.process")
    return getattr(process, "parent_process", lambda: None)() is not None


def close_before_exit():
    """Closes the feed before os._exit, by which multiprocessing ends its workers without atexit. So
    the last values of a worker are sent."""
    if state["exit"] is None:
        state["exit"] = os._exit
        os._exit = feed.wrap(os._exit, lambda *unused: feed.close(), None)


def exit_as_before():
    if state["exit"] is not None:
        os._exit, state["exit"] = state["exit"], None


def forked():
    """Runs in the child after a fork. The child publishes nothing until it counts something."""
    if state["holders"]:
        feed.forked()
        close_before_exit()


def hold(holder, framework, version, asked):
    """Opens the feed unless it is open. Returns None, or why the feed is off. Unless `asked`, the
    environment decides whether a feed is wanted."""
    if not (state["holders"] and feed.own_feed()):
        reason = feed.open(framework, version, program(), asked)
        if reason is not None:
            return reason
        for known in ("holders", "names", "routes", "facts"):
            state[known].clear()
        state["opener"] = holder
        atexit.register(feed.close)
        if hasattr(os, "register_at_fork") and not state["forks"]:
            os.register_at_fork(after_in_child=forked)
            state["forks"] = True
        if is_worker():
            close_before_exit()
    if holder not in state["holders"]:
        state["holders"].append(holder)
        state["names"][holder] = " ".join(filter(None, (framework, version)))
    return None


def tell_routes():
    """Sends the routes of all holders. A route of another framework than the feed's begins with its
    name."""
    routes = state["routes"]
    named = list(routes) != [state["opener"]]
    feed.route("; ".join("%s: %s" % (state["names"][holder], routes[holder]) if named
                         else routes[holder] for holder in state["holders"] if holder in routes))


def tell_facts():
    feed.facts("\n".join(state["facts"].values()))


def say_route(holder, text):
    """Sets how this holder gets its numbers, for the header."""
    state["routes"][holder] = text
    tell_routes()


def say_facts(holder, text):
    """Sets the settings of this holder: lines of name=value."""
    state["facts"][holder] = text
    tell_facts()


def release(holder, asker=None):
    """Closes the feed if it has no other holder, and returns whether it did. The last notice then
    says who asked. Can run again after an interruption."""
    if holder in state["holders"]:
        state["holders"].remove(holder)
    for known in ("names", "routes", "facts"):
        state[known].pop(holder, None)
    if state["holders"]:
        tell_routes()
        tell_facts()
        return False
    if asker:
        feed.notice(1, "control: detach (asked by %s)" % asker)
    atexit.unregister(feed.close)
    feed.close()
    exit_as_before()
    return True

# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""holding.py: the one feed of this process, for all that publish through it: adapters of
frameworks, and the program itself. The first opens it, the last closes it."""
import atexit
import os
import sys

from . import feed, program

# Who has it, and what each is called; who opened it, whose name the feed has. What each says of its
# route and of its settings: a feed has one text of either. What os._exit was, while it closes the
# feed first; whether forks are watched, which nothing takes back.
state = {"holders": [], "names": {}, "opener": None, "routes": {}, "facts": {}, "exit": None,
         "forks": False}


def is_worker():
    """Whether multiprocessing started this process."""
    process = sys.modules.get("multiprocessing.process")
    return getattr(process, "parent_process", lambda: None)() is not None


def close_before_exit():
    """multiprocessing ends its workers by os._exit, past atexit: their last values go first."""
    if state["exit"] is None:
        state["exit"] = os._exit
        os._exit = feed.wrap(os._exit, lambda *unused: feed.close(), None)


def exit_as_before():
    if state["exit"] is not None:
        os._exit, state["exit"] = state["exit"], None


def forked():
    """In a child, which is silent until it counts something."""
    if state["holders"]:
        feed.forked()
        close_before_exit()


def hold(holder, framework, version, asked):
    """Opens the feed unless it is open. Gives None, or why it is off. Unless `asked`, the
    environment says whether anybody wants it."""
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
    """The route of a framework that the feed isn't named after says which one it is of."""
    routes = state["routes"]
    named = list(routes) != [state["opener"]]
    feed.route("; ".join("%s: %s" % (state["names"][holder], routes[holder]) if named
                         else routes[holder] for holder in state["holders"] if holder in routes))


def tell_facts():
    feed.facts("\n".join(state["facts"].values()))


def say_route(holder, text):
    """How it gets its numbers, for the header."""
    state["routes"][holder] = text
    tell_routes()


def say_facts(holder, text):
    """Its settings: lines of name=value."""
    state["facts"][holder] = text
    tell_facts()


def is_held(holder):
    return holder in state["holders"]


def release(holder, asker=None):
    """Closes the feed if nobody else has it, and gives whether it did. Its last notice then says
    who asked for it. One that was interrupted may be done again."""
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

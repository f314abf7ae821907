# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""control.py: the calls of mxnet.profiler. A program controls its own feed and prints its
statistics.

A call that cannot do its work raises ValueError with a message of libproftop. Without a feed
(PROFTOP=0, or no libzmq) each call does nothing, and the first one warns with the reason."""
import os
import warnings

from . import feed
from .user_objects import ensure, state as opened

# Keys of the notices that this process has given.
given = set()
# The handle of a kvstore. A single process has none and needs none.
profiler_kvstore_handle = None


def set_kvstore_handle(handle):  # pylint: disable=unused-argument
    """Accepted and ignored: a process controls only itself. `proftop ctl pause --role server`
    controls the servers of a kvstore, on any machine."""


def notice(key, text):
    """Warns once per process, at the program's own line."""
    if key not in given:
        given.add(key)
        warnings.warn(text, stacklevel=4)


def has_feed():
    ensure()
    if feed.own_feed():
        return True
    notice("off", "proftop collects nothing here: %s" % (opened["reason"] or "the feed was closed"))
    return False


def check(sentence):
    if sentence is not None:
        raise ValueError(sentence)


def switch(what, value):
    if value not in (False, True):
        raise ValueError("%s can't be %r: it must be True or False" % (what, value))
    return int(value)


def as_text(value):
    """Formats the value of a key for libproftop, which reads no exponents."""
    text = str(value)
    return "%.9f" % value if isinstance(value, float) and "e" in text else text


def set_config(**kwargs):
    """Sets keys: all of them, or none if one is wrong. Other keys keep their values.

    filename="profile.json": file that dump() writes; "": none
    gpu_memory_profile_filename_prefix="gpu_memory_profile": prefix of the file of memory by scope;
        "": none
    profile_symbolic=True: count applies of compiled graphs
    profile_imperative=True: count applies that are called one by one
    profile_api=True: count calls of an interface
    profile_memory=True: count memory events
    profile_all=False: True turns on the four above, except those that the call names
    continuous_dump=False: True rewrites the file every dump_period
    dump_period=1: in seconds
    aggregate_stats=False: accepted; dumps() works with either
    profile_process="worker": or "server", if this process is a server"""
    if has_feed():
        check(feed.control_config([os.fsencode(text) for key, value in kwargs.items()
                                   for text in (key, as_text(value))]))


def set_state(state="stop", profile_process="worker"):
    """Starts or stops counting. Viewers show the state.

    state: "run" counts, and is the initial state of a feed; "stop" stops counting and keeps the
    totals.
    profile_process: "worker" is this process, whatever its role; "server" takes effect only if
    this process is a server of a kvstore (DMLC_ROLE)."""
    if has_feed():
        check(feed.control_state(str(state), str(profile_process)))


def pause(profile_process="worker"):
    """Stops counting until resume(), and leaves the state as it is. Does not nest: one resume()
    ends all pauses."""
    if has_feed():
        check(feed.control_pause(str(profile_process)))


def resume(profile_process="worker"):
    """Ends pause()."""
    if has_feed():
        check(feed.control_resume(str(profile_process)))


def dump(finished=True, profile_process="worker"):
    """Writes the file `filename` of set_config(): a trace that Chrome opens, and the totals. They
    cover the time since the last reset.

    finished: True also stops counting, as set_state("stop") does. More dumps may follow.

    Raises ValueError if it cannot write the file, or if nothing has been counted."""
    if has_feed():
        check(feed.control_dump(bool(finished), str(profile_process)))


def dumps(reset=False, format="table", sort_by="total", ascending=False):
    """Returns the statistics of everything counted, by category, as text.

    reset: True sets the counts to 0 afterwards; no event in between is lost
    format: table or json
    sort_by: total, avg, min, max or count"""
    reset, ascending = switch("reset", reset), switch("ascending", ascending)
    if not has_feed():
        return ""
    text, wrong = feed.control_dumps(reset, str(format), str(sort_by), ascending)
    check(wrong)
    return text


def deprecated(name, call):
    notice(name, "proftop.%s() is deprecated: call proftop.%s" % (name, call))


def profiler_set_config(mode="symbolic", filename="profile.json"):
    """Deprecated: set_config(profile_symbolic=True, filename=...), or profile_all with "all"."""
    deprecated("profiler_set_config",
               "set_config(profile_%s=True, filename=%r)" % (mode, filename))
    set_config(**{"profile_" + mode: True, "filename": filename})


def profiler_set_state(state="stop"):
    """Deprecated: set_state(state)."""
    deprecated("profiler_set_state", "set_state(%r)" % (state,))
    set_state(state)


def dump_profile():
    """Deprecated: dump(True)."""
    deprecated("dump_profile", "dump(True)")
    dump(True)

# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""control.py: what a program steers and prints of its own feed, by the calls of mxnet.profiler.

A call that can't do what it says raises ValueError with the sentence of libproftop. Without a feed
(PROFTOP=0, or no libzmq) each does nothing, and the first one warns and says why."""
import os
import warnings

from . import feed
from .own import ensure, state as opened

# Notices that this process has given.
given = set()
# A process of its own gets no handle, and needs none.
profiler_kvstore_handle = None


def set_kvstore_handle(handle):  # pylint: disable=unused-argument
    """Accepted and ignored: a process steers itself alone. `proftop ctl pause --role server` asks
    the servers of a kvstore, wherever they run."""


def notice(key, text):
    """Once in a process, at the line of the program."""
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
    """A value of a key, as libproftop reads it: it knows no exponents."""
    text = str(value)
    return "%.9f" % value if isinstance(value, float) and "e" in text else text


def set_config(**kwargs):
    """Sets keys, all or none of them; those that are not named keep their values.

    filename="profile.json": file of dump(); "": none
    gpu_memory_profile_filename_prefix="gpu_memory_profile": of a file of memory by scope; "": none
    profile_symbolic=True: count applies of compiled graphs
    profile_imperative=True: count applies that are called one by one
    profile_api=True: count calls of an interface
    profile_memory=True: count what happens to memory
    profile_all=False: True turns on these four, but for those that are named beside it
    continuous_dump=False: write the file anew every dump_period
    dump_period=1: in seconds
    aggregate_stats=False: accepted; dumps() works with either
    profile_process="worker": or "server", which this process must be then"""
    if has_feed():
        check(feed.control_config([os.fsencode(text) for key, value in kwargs.items()
                                   for text in (key, as_text(value))]))


def set_state(state="stop", profile_process="worker"):
    """state: "run" counts, as a feed does from its beginning; "stop" counts nothing more, and the
    totals stay. Viewers show it.
    profile_process: "worker" is this process, whatever its role; "server" acts if this process is a
    server of a kvstore (DMLC_ROLE)."""
    if has_feed():
        check(feed.control_state(str(state), str(profile_process)))


def pause(profile_process="worker"):
    """Counts nothing until resume(), beside the state. Not nested: one resume() ends them all."""
    if has_feed():
        check(feed.control_pause(str(profile_process)))


def resume(profile_process="worker"):
    """Ends pause()."""
    if has_feed():
        check(feed.control_resume(str(profile_process)))


def dump(finished=True, profile_process="worker"):
    """Writes what was counted since the last reset to the file `filename` of set_config(), as a
    trace that Chrome opens, with the totals beside it.

    finished: also stops, as set_state("stop"). There may be any number of dumps, also after that.
    ValueError says why the file was not written, or that nothing has been counted."""
    if has_feed():
        check(feed.control_dump(bool(finished), str(profile_process)))


def dumps(reset=False, format="table", sort_by="total", ascending=False):
    """Gives the statistics of all that was counted, by category, as text.

    reset: counting begins again at 0; nothing is lost between
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

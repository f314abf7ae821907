# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""own.py: counters, spans, markers and memory that a program publishes of itself
(proftop.publish)."""
import atexit
import contextlib
import contextvars
import operator
import os
import sys
import threading

from . import feed, program
from .ops import plain

# What a counter of int holds, as the feed keeps it.
SMALLEST, LARGEST = -2 ** 63, 2 ** 63 - 1
NAN = float("nan")
# Bytes that the feed refuses and counts.
REFUSED = 2 ** 64 - 1

# Full name of the scope that the running task is in, or the thread if it runs none. (One of the
# feed's own would be that of all tasks of a thread.)
current = contextvars.ContextVar("proftop scope", default="<unk>:")

# Whether the feed was opened here, before any adapter needed it; why it was not; and what os._exit
# was, while it closes the feed first.
state = {"ours": False, "reason": None, "exit": None}


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
    """In a child."""
    feed.forked()
    close_before_exit()


def ensure():
    """The feed of this process: the adapter's if there is one, else one of our own."""
    if feed.own_feed():
        return
    state["reason"] = feed.open(None, None, program(), True)
    if state["reason"] is None:
        state["ours"] = True
        atexit.register(feed.close)
        if hasattr(os, "register_at_fork"):
            os.register_at_fork(after_in_child=forked)
        if is_worker():
            close_before_exit()


class Thing:
    """What has an id in the feed there is: a forked child, or an attach anew, has another feed."""

    def __init__(self, kind, domain, name, unit=None):
        self.words = tuple(plain(word) if isinstance(word, str) else word
                           for word in (kind, domain, name, unit))
        self.known = (0, 0)

    def id(self):
        """None: there is no feed."""
        now = feed.own_feed()
        known, number = self.known
        if now != known:
            number = feed.own_define(*self.words) if now else None
            self.known = (now, number)
        return number if now else None


class Counter(Thing):
    """A value that goes up and down, of int or float. What it can't hold (64 bits, and no infinity
    or NaN) leaves it as it was and is counted as an error of the feed: a value must not stop the
    program that it is of. What is no number raises, as int() and float() do."""

    def _fitting(self, value):
        """What the feed takes; for what does not fit NaN, which it refuses and counts."""
        if self.words[0] != "int":
            try:
                return float(value)
            except OverflowError:
                return NAN
        try:
            number = int(value)
        except OverflowError:  # an infinity, of whatever type
            return NAN
        except ValueError:
            if value == value:  # as nothing but a NaN, of whatever type, does not
                raise
            return NAN
        return number if SMALLEST <= number <= LARGEST else NAN

    def _count(self, value, add):
        counter = self.id()
        if counter is not None:
            feed.own_count(counter, value, add)

    def set(self, value):
        self._count(self._fitting(value), False)

    def add(self, value=1):
        self._count(self._fitting(value), True)

    def __iadd__(self, value):
        self.add(value)
        return self

    def __isub__(self, value):
        self.add(-self._fitting(value))  # numbers of numpy that have no sign have no negative
        return self


class Span(Thing):
    """A named duration: `with span: ...`, in any thread, nested or not; or start() and stop()."""

    def __init__(self, kind, domain, name):
        super().__init__(kind, domain, name)
        self.open = threading.local()

    def start(self):
        """Begins a run, which stop() ends, in this thread or another."""
        span = self.id()
        return None if span is None else (self.known[0], feed.own_start(self.words[0], span))

    def stop(self, run):
        if run is not None and run[0] == feed.own_feed():
            feed.own_stop(self.words[0], run[1])

    def __enter__(self):
        self.open.__dict__.setdefault("runs", []).append(self.start())
        return self

    def __exit__(self, *unused):
        self.stop(self.open.runs.pop())


class Marker(Thing):
    """A name for instants."""

    def mark(self, scope="process"):
        marker = self.id()
        wrong = None if marker is None else feed.own_mark(marker, scope)
        if wrong:
            raise ValueError(wrong)


class Memory(Thing):
    """What is allocated of a device's pool, in one scope. Sizes are ints, in bytes; what is none
    raises, what is below 0 or beyond 64 bits is counted as an error of the feed."""

    def _tell(self, what, size):
        memory, size = self.id(), operator.index(size)
        if memory is None:
            return
        fits = 0 <= size <= LARGEST
        feed.own_memory(memory, what if fits else "alloc", size if fits else REFUSED)

    def alloc(self, size):
        self._tell("alloc", size)

    def free(self, size):
        self._tell("free", size)

    def limit(self, size):
        """How much there can be."""
        self._tell("limit", size)


class Domain:
    """The group in which they stand. The same words give the same row."""

    def __init__(self, name):
        if not isinstance(name, str) or not name:
            raise ValueError("a domain has a name")
        self.name = name

    @property
    def reason(self):
        """Why nothing is published, or None."""
        return None if feed.own_feed() else state["reason"] or "the feed was closed"

    def counter(self, name, unit=None, kind=float):
        return Counter("int" if kind is int else "float", self.name, name, unit)

    def task(self, name):
        """A piece of work, on one row whichever thread does it."""
        return Span("task", self.name, name)

    def frame(self, name):
        """One pass of what comes again and again: numbered, with a rate."""
        return Span("frame", self.name, name)

    def event(self, name):
        """A stretch of code; it stands in no domain."""
        return Span("event", self.name, name)

    def marker(self, name):
        return Marker("marker", self.name, name)

    @contextlib.contextmanager
    def scope(self, name, append=True):
        """`with scope("net"): ...` is what memory() in the block belongs to, in this thread or this
        task of asyncio alone. Inside another its name stands behind that one's, unless `append`
        is false. Gives the full name. Scopes stand in no domain. A block that is left in another
        context than it was entered in, as an async generator that asyncio closes in a task of its
        own, leaves the scope there as it is: the context it was entered in goes with its own."""
        token = current.set(feed.own_scope(current.get(), plain(name), append))
        try:
            yield current.get()
        finally:
            with contextlib.suppress(ValueError):  # another context, which has no such token
                current.reset(token)

    def memory(self, device, pool=None, scope=None):
        """Memory of a device ("gpu/0") in one of its pools, of the scope that this is called in; or
        of the one of this name, or with "" of the pool as a whole. It stands in no domain."""
        return Memory("memory", device, pool or "", current.get() if scope is None else scope)


def publish(domain):
    ensure()
    return Domain(domain)

# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""own.py: counters, spans, markers and memory that a program publishes of itself
(proftop.publish). The classes and scope() take the calls of mxnet.profiler, too."""
import contextlib
import contextvars
import operator
import sys
import threading

from . import feed, holding
from .ops import plain

# What a counter of int holds, as the feed keeps it.
SMALLEST, LARGEST = -2 ** 63, 2 ** 63 - 1
NAN = float("nan")
# Bytes that the feed refuses and counts.
REFUSED = 2 ** 64 - 1
NO_RUN = (0, 0, 0, 0)

# Full name of the scope that the running task is in, or the thread if it runs none. (One of the
# feed's own would be that of all tasks of a thread.)
current = contextvars.ContextVar("proftop scope", default="<unk>:")

# Why there is no feed.
state = {"reason": None}


def framework():
    """Name and version of the framework that this program has imported, the first of several;
    (None, None): of none."""
    from .members import packages

    known = dict(packages(), mxnet="MXNet")
    package = next((name for name in list(sys.modules) if name in known), None)
    return known.get(package), getattr(sys.modules.get(package), "__version__", None)


def ensure():
    """The feed of this process: the adapter's if there is one, else one of our own."""
    if feed.own_feed():
        return
    state["reason"] = holding.hold("program", *framework(), True)


class Thing:
    """What has an id in the feed there is: a forked child, or an attach anew, has another feed."""

    def __init__(self, kind, domain, name, unit=None):
        self.words = tuple(plain(word) if isinstance(word, str) else word
                           for word in (kind, domain, name, unit))
        self.name = name
        self.known = (0, 0)

    def __str__(self):
        return self.name

    def id(self):
        """None: there is no feed."""
        now = feed.own_feed()
        known, number = self.known
        if now != known:
            number = feed.own_define(*self.words) if now else None
            self.known = (now, number)
        return number if now else None


def name_of(domain):
    """The name of a Domain, also of mxnet.profiler's."""
    name = getattr(domain, "name", None)
    if not isinstance(name, str) or not name:
        raise ValueError("%r is no domain: make one by proftop.Domain(name)" % (domain,))
    return name


class Counter(Thing):
    """A value that goes up and down, of int or float (`kind`). What it can't hold (64 bits, and no
    infinity or NaN) leaves it as it was and is counted as an error of the feed: a value must not
    stop the program that it is of. What is no number raises, as int() and float() do. `value` is
    its first value."""

    def __init__(self, domain, name, value=None, unit=None, kind=int):
        super().__init__("int" if kind is int else "float", name_of(domain), name, unit)
        if value is not None:
            self.set_value(value)

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

    def set_value(self, value):
        self._count(self._fitting(value), False)

    def increment(self, delta=1):
        self._count(self._fitting(delta), True)

    def decrement(self, delta=1):
        # Fitted before and after: numbers of numpy that have no sign have no negative, and the
        # smallest one has none of 64 bits.
        self.increment(-self._fitting(delta))

    def set(self, value):
        """The same as set_value()."""
        self.set_value(value)

    def add(self, value=1):
        """The same as increment()."""
        self.increment(value)

    def __iadd__(self, delta):
        self.increment(delta)
        return self

    def __isub__(self, delta):
        self.decrement(delta)
        return self


class Run:
    """What start() gives. While it is open, it is among the runs of the thread that started it."""

    __slots__ = ("feed", "token", "among")

    def __init__(self, number, token, among):
        self.feed, self.token, self.among = number, token, among
        among[self] = None


class Span(Thing):
    """A named duration: `with span: ...`, in any thread, nested or not; or start() and stop()."""

    def __init__(self, kind, domain, name):
        super().__init__(kind, domain, name)
        self.mine = threading.local()

    def runs(self):
        """The open runs of this span that this thread has started, the latest last."""
        return self.mine.__dict__.setdefault("runs", {})

    def start(self):
        """Starts a run. Gives what stop() takes to end this very run, in any thread."""
        span = self.id()
        if span is None:
            return Run(0, None, self.runs())
        return Run(self.known[0], feed.own_start(self.words[0], span), self.runs())

    def stop(self, run=None):
        """Ends a run; without one, the latest that this thread has started by this object and not
        ended yet. If there is none, the call is counted as an error of the feed."""
        if run is None:
            try:
                run = self.runs().popitem()[0]
            except KeyError:
                self._stop(feed.own_feed(), NO_RUN)
                return
        else:
            run.among.pop(run, None)
        self._stop(run.feed, run.token)

    def _stop(self, number, token):
        """A run of a feed that was closed since, or is a parent's, has ended with that."""
        if number and number == feed.own_feed():
            feed.own_stop(self.words[0], token)

    def __enter__(self):
        self.mine.__dict__.setdefault("entered", []).append(self.start())
        return self

    def __exit__(self, *unused):
        self.stop(self.mine.entered.pop())


class Task(Span):
    """A piece of work, on one row whichever thread does it."""

    def __init__(self, domain, name):
        super().__init__("task", name_of(domain), name)


class Frame(Span):
    """One pass of what comes again and again: numbered, with a rate."""

    def __init__(self, domain, name):
        super().__init__("frame", name_of(domain), name)


class Event(Span):
    """A stretch of code; it stands in no domain."""

    def __init__(self, name):
        if state["reason"] is None:
            ensure()
        super().__init__("event", "", name)


class Marker(Thing):
    """A name for instants."""

    def __init__(self, domain, name):
        super().__init__("marker", name_of(domain), name)

    def mark(self, scope="process"):
        """`scope` says whom it is meant for: global, process, thread, task or marker."""
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


@contextlib.contextmanager
def scope(name="<unk>:", append_mode=True):
    """`with scope("net"): ...` is what memory() in the block belongs to, in this thread or this
    task of asyncio alone. Inside another its name stands behind that one's, unless `append_mode`
    is false. Gives the full name. Scopes stand in no domain. A block that is left in another
    context than it was entered in, as an async generator that asyncio closes in a task of its
    own, leaves the scope there as it is: the context it was entered in goes with its own."""
    token = current.set(feed.own_scope(current.get(), plain(name), append_mode))
    try:
        yield current.get()
    finally:
        with contextlib.suppress(ValueError):  # another context, which has no such token
            current.reset(token)


class Domain:
    """The group in which they stand. The same words give the same row."""

    def __init__(self, name):
        if not isinstance(name, str) or not name:
            raise ValueError("a domain has a name")
        ensure()
        self.name = name

    def __str__(self):
        return self.name

    @property
    def reason(self):
        """Why nothing is published, or None."""
        return None if feed.own_feed() else state["reason"] or "the feed was closed"

    def counter(self, name, unit=None, kind=float):
        return Counter(self, name, None, unit, kind)

    def task(self, name):
        return Task(self, name)

    def frame(self, name):
        return Frame(self, name)

    def event(self, name):
        return Event(name)

    def marker(self, name):
        return Marker(self, name)

    def scope(self, name, append=True):
        return scope(name, append)

    def memory(self, device, pool=None, scope=None):
        """Memory of a device ("gpu/0") in one of its pools, of the scope that this is called in; or
        of the one of this name, or with "" of the pool as a whole. It stands in no domain."""
        return Memory("memory", device, pool or "", current.get() if scope is None else scope)

    def new_task(self, name):
        return Task(self, name)

    def new_frame(self, name):
        return Frame(self, name)

    def new_counter(self, name, value=None):
        """A counter of whole numbers."""
        return Counter(self, name, value)

    def new_marker(self, name):
        return Marker(self, name)


def publish(domain):
    return Domain(domain)

# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""user_objects.py: counters, spans, markers and memory that a program publishes itself
(proftop.publish).

The classes and scope() take the calls of mxnet.profiler as well."""
import contextlib
import contextvars
import functools
import inspect
import operator
import sys
import threading

from . import feed, feed_holders
from .ops import plain

# Range of an int counter in the feed.
SMALLEST, LARGEST = -2 ** 63, 2 ** 63 - 1
NAN = float("nan")
# A size that the feed rejects, and counts as an error.
REFUSED = 2 ** 64 - 1
NO_RUN = (0, 0, 0, 0)

# Full name of the current scope of this asyncio task, or of this thread if it runs no task. The
# feed's own current scope would be shared by all tasks of a thread.
current = contextvars.ContextVar("proftop scope", default="<unk>:")

# (span, run) of each `with span` that this task or thread has entered.
entered = contextvars.ContextVar("proftop spans", default=())

# The reason why there is no feed.
state = {"reason": None}


def framework():
    """Name and version of the first framework that this program has imported; (None, None) if it
    has imported none."""
    from .members import packages

    known = dict(packages(), mxnet="MXNet")
    package = next((name for name in list(sys.modules) if name in known), None)
    return known.get(package), getattr(sys.modules.get(package), "__version__", None)


def ensure():
    """Opens a feed for this process, unless it has one already, such as the adapter's."""
    if feed.own_feed():
        return
    state["reason"] = feed_holders.hold("program", *framework(), True)


class Thing:
    """An object with an id in the current feed. A forked child has another feed, and so does a
    process that is attached to again: the object is then defined anew."""

    def __init__(self, kind, domain, name, unit=None):
        self.words = tuple(plain(word) if isinstance(word, str) else word
                           for word in (kind, domain, name, unit))
        self.name = name
        self.known = (0, 0)

    def __str__(self):
        return self.name

    def id(self):
        """The id in the current feed, or None without a feed."""
        now = feed.own_feed()
        known, number = self.known
        if now != known:
            number = feed.own_define(*self.words) if now else None
            self.known = (now, number)
        return number if now else None


def name_of(domain):
    """The name of a Domain, of this module or of mxnet.profiler."""
    name = getattr(domain, "name", None)
    if not isinstance(name, str) or not name:
        raise ValueError("%r is no domain: make one by proftop.Domain(name)" % (domain,))
    return name


class Counter(Thing):
    """A value that goes up and down, of type int or float (`kind`). `value` is the first value.
    Viewers show the text `unit` beside it, such as "rows". Any thread may change it.

    A value that does not fit (64 bits, no infinity, no NaN) leaves the counter unchanged and counts
    as an error of the feed: a bad value must not stop the program. A value that is not a number
    raises, as int() and float() do."""

    def __init__(self, domain, name, value=None, unit=None, kind=int):
        super().__init__("int" if kind is int else "float", name_of(domain), name, unit)
        if value is not None:
            self.set_value(value)

    def _fitting(self, value):
        """Converts a value for the feed. Returns NaN for one that does not fit: the feed rejects
        NaN and counts an error."""
        if self.words[0] != "int":
            try:
                return float(value)
            except OverflowError:
                return NAN
        try:
            number = int(value)
        except OverflowError:  # infinity, of any type
            return NAN
        except ValueError:
            if value == value:  # false only for NaN, of any type
                raise
            return NAN
        return number if SMALLEST <= number <= LARGEST else NAN

    def _count(self, value, add):
        counter = self.id()
        if counter is not None:
            feed.own_count(counter, value, add)

    def set_value(self, value):
        """Sets the value, in the unit of the counter."""
        self._count(self._fitting(value), False)

    def increment(self, delta=1):
        """Adds `delta` to the value. Additions of several threads are all kept."""
        self._count(self._fitting(delta), True)

    def decrement(self, delta=1):
        """Subtracts `delta` from the value."""
        # Converts before and after the negation: unsigned numpy numbers have no negative, and the
        # smallest 64-bit integer has none in 64 bits.
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
    """The result of start(). While it is open, it is in the runs of the thread that started it."""

    __slots__ = ("feed", "token", "among")

    def __init__(self, number, token, among):
        self.feed, self.token, self.among = number, token, among
        among[self] = None


def decorated(span, function):
    """Returns a function that runs `function` within `with span`: until its coroutine or generator
    has ended, if it makes one."""
    if inspect.iscoroutinefunction(function):
        async def run(*args, **kwargs):
            with span:
                return await function(*args, **kwargs)
    elif inspect.isasyncgenfunction(function):
        raise TypeError("%r is an asynchronous generator: use `with` inside it" % (function,))
    elif inspect.isgeneratorfunction(function):
        def run(*args, **kwargs):
            with span:
                return (yield from function(*args, **kwargs))
    else:
        def run(*args, **kwargs):
            with span:
                return function(*args, **kwargs)
    return functools.wraps(function)(run)


class Span(Thing):
    """A named duration: `with span: ...`, `@span` above a function, or start() and stop(). Any
    thread may use it, nested or not."""

    def __init__(self, kind, domain, name):
        super().__init__(kind, domain, name)
        self.mine = threading.local()
        self.entered = {}  # runs of all threads that `with` has entered

    def runs(self):
        """The open runs of this span that this thread started, the latest last."""
        return self.mine.__dict__.setdefault("runs", {})

    def start(self):
        """Starts a run. Returns a handle with which stop() ends this run, in any thread."""
        span = self.id()
        if span is None:
            return Run(0, None, self.runs())
        return Run(self.known[0], feed.own_start(self.words[0], span), self.runs())

    def stop(self, run=None):
        """Ends a run. Without an argument, ends the latest open run that this thread started by
        this object. If there is none, the call counts as an error of the feed."""
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
        """Ends a run if its feed is still open. A run ends with its feed; a run of a parent process
        is not ended here."""
        if number and number == feed.own_feed():
            feed.own_stop(self.words[0], token)

    def __enter__(self):
        run = self.start()
        self.entered[run] = None
        entered.set((*[one for one in entered.get() if one[1] in one[0].entered], (self, run)))
        return self

    def __exit__(self, *unused):
        """Ends the latest run that this thread or task entered. A generator may be ended by another
        one than entered it: then ends the latest of all."""
        runs = [run for span, run in entered.get() if span is self and run in self.entered]
        for run in runs[-1:] or list(self.entered)[-1:]:
            self.entered.pop(run, None)
            self.stop(run)

    def __call__(self, function):
        return decorated(self, function)


class Task(Span):
    """A piece of work. All threads share its row."""

    def __init__(self, domain, name):
        super().__init__("task", name_of(domain), name)


class Frame(Span):
    """One pass of a repeated piece of work: numbered, and shown with a rate."""

    def __init__(self, domain, name):
        super().__init__("frame", name_of(domain), name)


class Event(Span):
    """A stretch of code. It belongs to no domain."""

    def __init__(self, name):
        if state["reason"] is None:
            ensure()
        super().__init__("event", "", name)


class Marker(Thing):
    """A named instant."""

    def __init__(self, domain, name):
        super().__init__("marker", name_of(domain), name)

    def mark(self, scope="process"):
        """Marks now. `scope` is the range that the marker concerns: global, process, thread, task
        or marker."""
        marker = self.id()
        wrong = None if marker is None else feed.own_mark(marker, scope)
        if wrong:
            raise ValueError(wrong)


class Memory(Thing):
    """Bytes allocated in a device's pool by one scope. Made by Domain.memory(). Sizes are ints, in
    bytes. Another type raises TypeError; a size below 0 or beyond 64 bits counts as an error of the
    feed."""

    def _tell(self, what, size):
        memory, size = self.id(), operator.index(size)
        if memory is None:
            return
        fits = 0 <= size <= LARGEST
        feed.own_memory(memory, what if fits else "alloc", size if fits else REFUSED)

    def alloc(self, size):
        """Adds `size` bytes to what is in use."""
        self._tell("alloc", size)

    def free(self, size):
        """Subtracts `size` bytes from what is in use."""
        self._tell("free", size)

    def limit(self, size):
        """Sets the upper limit in bytes."""
        self._tell("limit", size)


@contextlib.contextmanager
def scope(name="<unk>:", append_mode=True):
    """`with scope("net"): ...` sets the scope of memory() in the block, in this thread or this
    asyncio task only. Yields the full name.

    A nested scope appends its name to the outer one's, unless `append_mode` is false. Scopes belong
    to no domain. A block may be left in another context than it was entered in: asyncio closes an
    async generator in a task of its own. Then the scope of that context stays unchanged; the
    entered context ends with its own scope."""
    token = current.set(feed.own_scope(current.get(), plain(name), append_mode))
    try:
        yield current.get()
    finally:
        with contextlib.suppress(ValueError):  # this context does not have the token
            current.reset(token)


class Domain:
    """A group of rows. The same names give the same row. A name that is empty or no text raises
    ValueError."""

    def __init__(self, name):
        if not isinstance(name, str) or not name:
            raise ValueError("a domain has a name")
        ensure()
        self.name = name

    def __str__(self):
        return self.name

    @property
    def reason(self):
        """The reason why nothing is published, or None."""
        return None if feed.own_feed() else state["reason"] or "the feed was closed"

    def counter(self, name, unit=None, kind=float):
        """Returns a counter: a number that viewers show with its last changes. See Counter."""
        return Counter(self, name, None, unit, kind)

    def task(self, name):
        """Returns a task: `with task: ...` is one run. See Task."""
        return Task(self, name)

    def frame(self, name):
        """Returns a frame: one pass of a loop. See Frame."""
        return Frame(self, name)

    def event(self, name):
        """Returns an event. It belongs to no domain. See Event."""
        return Event(name)

    def marker(self, name):
        """Returns a marker: marker.mark() records an instant. See Marker."""
        return Marker(self, name)

    def scope(self, name, append=True):
        """`with domain.scope("net"): ...` is scope() of this module."""
        return scope(name, append)

    def memory(self, device, pool=None, scope=None):
        """Returns the memory of a device ("gpu/0") in one of its pools, for the current scope, or
        for the scope of this name; "" is the pool as a whole. Belongs to no domain."""
        return Memory("memory", device, pool or "", current.get() if scope is None else scope)

    def new_task(self, name):
        """The same as task(), as in mxnet.profiler."""
        return Task(self, name)

    def new_frame(self, name):
        """The same as frame(), as in mxnet.profiler."""
        return Frame(self, name)

    def new_counter(self, name, value=None):
        """Returns a counter of whole numbers."""
        return Counter(self, name, value)

    def new_marker(self, name):
        """The same as marker(), as in mxnet.profiler."""
        return Marker(self, name)


def publish(domain):
    return Domain(domain)

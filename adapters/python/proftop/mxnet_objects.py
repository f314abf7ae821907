# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""mxnet_objects.py: publishes the objects of mxnet.profiler that a job uses (Task, Frame, Event,
Counter, Marker, scope), whether MXNet's profiler runs or not. Also publishes the steps of its
Trainer or Module, and its waits for the next batch.

The methods of MXNet's own classes are wrapped, so existing objects and subclasses are seen, too.
Each wrapper calls the original with the job's arguments and returns its result. A call that MXNet
rejects is not published. No error of the adapter reaches the job."""
import contextlib
import functools
import numbers
import sys
import threading
import types

# Domain of the rows that are not named by a call of the job.
DOMAIN = "MXNet"
# Domain of a task, frame or counter that is older than the adapter: MXNet does not keep its domain.
UNKNOWN = "(domain not known)"
# Attribute of an MXNet object that holds its row.
OURS = "_proftop"
# Maximum of open runs of one object. MXNet keeps only the latest start.
RUNS_MAX = 1000
NO_RUN = (0, 0, 0, 0)
# Per thread: is it in a step, does it wait for a batch? All installations share this, since modules
# of MXNet call each other.
inside = threading.local()


def quietly(call, *words, **named):
    try:
        return call(*words, **named)
    except Exception:  # pylint: disable=broad-except
        return None


class Span:
    """The runs of one task, frame or event of MXNet."""

    def __init__(self, to, kind, domain, name):
        self.to, self.feed, self.kind = to, to.api.feed, kind
        self.thing = to.api.Thing(kind, domain, name)
        self.open = {}  # run -> the thread that started it; the latest last

    def start(self):
        span = self.thing.id()
        if span is not None and len(self.open) < RUNS_MAX:
            run = self.thing.known[0], self.feed.own_start(self.kind, span)
            self.open[run] = threading.get_ident()

    def stop(self):
        """Ends the latest run of this thread. If it has none, ends the latest run of any thread, as
        MXNet does."""
        here, number = threading.get_ident(), self.feed.own_feed()
        known = list(self.open.items())
        runs = [run for run, thread in known if thread == here] or [run for run, _ in known]
        run = runs[-1] if runs else (number, NO_RUN)
        self.open.pop(run, None)
        if number and number == run[0]:
            self.feed.own_stop(self.kind, run[1])


class Value:
    """One counter of MXNet. It has its own value, though another counter may share its row."""

    def __init__(self, to, domain, name, known):
        self.to, self.keep = to, to.api.feed.own_keep
        self.thing = to.api.Thing("int", domain, name)
        self.cell = [0]
        self.known = known  # True if `cell` has MXNet's value

    def change(self, number, add):
        if not add:
            self.known = True
        if self.known:
            self.keep(self.cell, number, add, self.thing.id())


class Mark:
    def __init__(self, to, domain, name):
        self.to, self.thing = to, to.api.Thing("marker", domain, name)

    def mark(self, scope):
        marker = self.thing.id()
        if marker is not None:
            self.to.api.feed.own_mark(marker, scope)


class Installation:
    """The installed wrappers, and the originals."""

    def __init__(self, api):
        self.api = api
        self.replaced = []  # (owner, name, original, ours)
        self.late = {}  # class of MXNet -> function that makes the row of an older object
        self.scopes = []  # (original, ours): functions that modules import by name
        self.wait = api.Span("task", DOMAIN, "wait for batch")
        self.step = api.Span("frame", DOMAIN, "step")
        self.samples = api.Thing("int", DOMAIN, "samples")

    # ------------------------------------------------------------------- install and remove

    def wrap(self, owner, name, make):
        """Replaces an attribute with make(original), if it exists."""
        there = vars(owner).get(name) if owner is not None else None
        if there is None:
            return
        ours = functools.wraps(there)(make(there))
        self.replaced.append((owner, name, there, ours))
        setattr(owner, name, ours)

    def uninstall(self):
        """Restores everything. Any thread may call it at any time: a running call ends as it
        began."""
        for owner, name, there, ours in reversed(self.replaced):
            if vars(owner).get(name) is ours:
                setattr(owner, name, there)
        self.replaced.clear()
        while self.scopes:
            there, ours = self.scopes.pop()
            rename_in_mxnet(ours, there)

    # -------------------------------------------------------------------------- rows of objects

    def row(self, thing):
        """The row of an MXNet object. Makes one for an object that is older than the adapter: its
        domain and value are not known. An earlier installation did not see everything that happened
        since."""
        ours = vars(thing).get(OURS)
        if ours is None or ours.to is not self:
            cls = next(cls for cls in type(thing).__mro__ if cls in self.late)
            ours = vars(thing)[OURS] = self.late[cls](thing)
        return ours

    def wrap_init(self, cls, make):
        """Wraps __init__ with make(domain, name). The row exists before MXNet sets a first
        value."""
        def known(this, domain, name, value=None):  # pylint: disable=unused-argument
            vars(this)[OURS] = make(domain.name or UNKNOWN, name)

        def wrapper(there):
            def __init__(this, *args, **kwargs):
                quietly(known, this, *args, **kwargs)
                return there(this, *args, **kwargs)

            return __init__

        self.wrap(cls, "__init__", wrapper)

    def wrap_span(self, cls, kind):
        def start(there):
            def start(this):
                given = there(this)
                try:
                    self.row(this).start()
                except Exception:  # pylint: disable=broad-except
                    pass
                return given

            return start

        def stop(there):
            def stop(this):
                try:
                    self.row(this).stop()
                except Exception:  # pylint: disable=broad-except
                    pass
                return there(this)

            return stop

        self.late[cls] = lambda this: Span(self, kind, UNKNOWN, this.name)
        if kind != "event":
            self.wrap_init(cls, functools.partial(Span, self, kind))
        self.wrap(cls, "start", start)
        self.wrap(cls, "stop", stop)

    def wrap_counter(self, cls):
        """Wraps the methods of Counter. MXNet takes int() of each number; the wrappers call int()
        once, since it may run code of the job."""
        def changed(this, number, add):
            try:
                self.row(this).change(number, add)
            except Exception:  # pylint: disable=broad-except
                pass

        def set_value(there):
            def set_value(this, value):
                number = int(value)
                given = there(this, number)
                changed(this, number, False)
                return given

            return set_value

        def increment(there):
            def increment(this, delta=1):
                number = int(delta)
                given = there(this, number)
                changed(this, number, True)
                return given

            return increment

        def decrement(there):
            def decrement(this, delta=1):
                number = int(delta)
                given = there(this, number)
                changed(this, -number, True)
                return given

            return decrement

        self.late[cls] = lambda this: Value(self, UNKNOWN, this.name, False)
        self.wrap_init(cls, lambda domain, name: Value(self, domain, name, True))
        for wrapper in (set_value, increment, decrement):
            self.wrap(cls, wrapper.__name__, wrapper)

    def wrap_marker(self, cls):
        def mark(there):
            def mark(this, scope="process"):
                given = there(this, scope)
                try:
                    self.row(this).mark(scope)
                except Exception:  # pylint: disable=broad-except
                    pass
                return given

            return mark

        self.late[cls] = lambda this: Mark(self, this.domain.name or UNKNOWN, this.name)
        self.wrap(cls, "mark", mark)

    def wrap_scope(self, module):
        """Wraps scope(). Memory that the program publishes in such a block belongs to the scope."""
        there = vars(module).get("scope")
        if there is None:  # MXNet 1
            return

        def entered(full):
            stack = contextlib.ExitStack()
            stack.enter_context(self.api.scope(full, False))
            return stack

        @contextlib.contextmanager
        def scope(*args, **kwargs):
            with there(*args, **kwargs) as full:
                ours = quietly(entered, full)
                try:
                    yield full
                finally:
                    if ours is not None:
                        quietly(ours.close)

        ours = functools.wraps(there)(scope)
        self.scopes.append((there, ours))
        rename_in_mxnet(there, ours)

    # ----------------------------------------------------------------------- steps and batches

    def once(self, what, there, *args, **kwargs):
        """Runs a call as a run of a span. Calls inside it are part of it. Also returns whether the
        call was the outermost."""
        span, running = getattr(self, what), inside.__dict__
        if running.get(what):
            return there(*args, **kwargs), False
        running[what] = True
        run = quietly(span.start)
        try:
            return there(*args, **kwargs), True
        finally:
            running[what] = False
            if run is not None:
                quietly(span.stop, run)

    def wrap_step(self, cls, name, samples_of):
        def count(this, args, kwargs):
            samples = samples_of(this, *args, **kwargs)
            counter = self.samples.id()
            if counter is not None and isinstance(samples, numbers.Real):
                self.api.feed.own_count(counter, int(samples), True)

        def wrapper(there):
            def step(this, *args, **kwargs):
                given, outermost = self.once("step", there, this, *args, **kwargs)
                if outermost:
                    quietly(count, this, args, kwargs)
                return given

            return step

        self.wrap(cls, name, wrapper)

    def timed(self, batches):
        """Yields the batches of a generator. Each wait for a batch is a span, and so is the last
        one, which gets none."""
        try:
            while True:
                try:
                    batch, _ = self.once("wait", next, batches)
                except StopIteration:
                    return
                yield batch
        finally:
            batches.close()

    def wrap_loader(self, cls):
        def wrapper(there):
            def __iter__(this, *args, **kwargs):
                batches = there(this, *args, **kwargs)
                generator = isinstance(batches, types.GeneratorType)
                return self.timed(batches) if generator else batches

            return __iter__

        self.wrap(cls, "__iter__", wrapper)

    def wrap_next(self, cls):
        def wrapper(there):
            def __next__(this, *args, **kwargs):
                return self.once("wait", there, this, *args, **kwargs)[0]

            return __next__

        self.wrap(cls, "__next__", wrapper)


def rename_in_mxnet(there, ours):
    """Replaces a function in all modules of MXNet that have it."""
    for path, module in list(sys.modules.items()):
        if path.startswith("mxnet.") and module is not None:
            for name in [name for name, value in list(vars(module).items()) if value is there]:
                setattr(module, name, ours)


def batch_size(trainer, batch_size, ignore_stale_grad=False):  # pylint: disable=unused-argument
    return batch_size


def size_of_first_input(module):
    """The size of a Module's batch: its first input along the batch axis of the layout."""
    data = module.data_shapes[0]
    axis = data.layout.find("N") if getattr(data, "layout", None) else 0
    return data.shape[axis] if axis >= 0 else None


def profiler(to, module):
    for name in ("Task", "Frame", "Event"):
        to.wrap_span(getattr(module, name), name.lower())
    to.wrap_counter(module.Counter)
    to.wrap_marker(module.Marker)
    to.wrap_scope(module)


def trainer(to, module):
    for name in ("step", "update"):
        to.wrap_step(module.Trainer, name, batch_size)


def symbolic_module(name):
    def wrap(to, module):
        to.wrap_step(getattr(module, name), "update", size_of_first_input)

    return wrap


def loader(to, module):
    to.wrap_loader(module.DataLoader)
    to.wrap_next(module._MultiWorkerIter)


# Module of MXNet -> function that wraps its classes. MXNet 2 has no `mxnet.module`.
MODULES = {
    "mxnet.profiler": profiler,
    "mxnet.gluon.trainer": trainer,
    "mxnet.gluon.data.dataloader": loader,
    "mxnet.module.module": symbolic_module("Module"),
    "mxnet.module.bucketing_module": symbolic_module("BucketingModule"),
    "mxnet.module.sequential_module": symbolic_module("SequentialModule"),
}


def wrap_module(to, module):
    """Wraps the classes of a module of MODULES; given `mxnet`, those of all imported modules."""
    for name, wrap in MODULES.items():
        found = sys.modules.get(name)
        if found is not None and module.__name__ in ("mxnet", name):
            quietly(wrap, to, found)


def install(module, feed_api):
    """Calls wrap_module(). `feed_api`: the module user_objects.py. Returns a function that restores
    everything."""
    to = Installation(feed_api)
    wrap_module(to, module)
    return to.uninstall

# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""mxnet_objects.py: what a job says of itself by mxnet.profiler (Task, Frame, Event, Counter,
Marker, scope) is published as well, whether MXNet's profiler runs or not; and so are the steps of
its Trainer or Module, and its waits for the next batch.

The methods of MXNet's own classes are wrapped, so objects and subclasses that are there already are
seen, too. Each wrapper calls what it wraps with the job's arguments and gives what that gives. What
MXNet refuses is not published. Nothing that goes wrong in code of ours reaches the job.
"""
import contextlib
import functools
import numbers
import sys
import threading
import types

# Domain of the rows that no call of the job names.
DOMAIN = "MXNet"
# Domain of a task, frame or counter that was made before we came: MXNet does not keep its domain.
UNKNOWN = "(domain not known)"
# Name of the attribute by which an object of MXNet's has its row.
OURS = "_proftop"
# Runs of one object that may be open. MXNet forgets all but the latest start.
RUNS_MAX = 1000
NO_RUN = (0, 0, 0, 0)
# Of each thread: whether it is in a step, or waits for a batch. Of all installations: a module of
# MXNet calls another.
inside = threading.local()


def quietly(call, *words, **named):
    try:
        return call(*words, **named)
    except Exception:  # pylint: disable=broad-except
        return None


class Span:
    """The runs of one task, frame or event of MXNet's."""

    def __init__(self, to, kind, domain, name):
        self.to, self.feed, self.kind = to, to.api.feed, kind
        self.thing = to.api.Thing(kind, domain, name)
        self.open = {}  # run: the thread that started it; the latest last

    def start(self):
        span = self.thing.id()
        if span is not None and len(self.open) < RUNS_MAX:
            run = self.thing.known[0], self.feed.own_start(self.kind, span)
            self.open[run] = threading.get_ident()

    def stop(self):
        """The latest run of this thread; of any thread if this has none, as MXNet takes it."""
        here, number = threading.get_ident(), self.feed.own_feed()
        known = list(self.open.items())
        runs = [run for run, thread in known if thread == here] or [run for run, _ in known]
        run = runs[-1] if runs else (number, NO_RUN)
        self.open.pop(run, None)
        if number and number == run[0]:
            self.feed.own_stop(self.kind, run[1])


class Value:
    """One counter of MXNet's. It has a value of its own, though another may have the same row."""

    def __init__(self, to, domain, name, known):
        self.to, self.keep = to, to.api.feed.own_keep
        self.thing = to.api.Thing("int", domain, name)
        self.cell = [0]
        self.known = known  # whether `cell` is MXNet's value

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
    """What is in force, and what was there before."""

    def __init__(self, api):
        self.api = api
        self.replaced = []  # (owner, name, what was there, ours)
        self.late = {}  # class of MXNet's: what makes the row of an object that was there before
        self.scopes = []  # (what was there, ours): functions, which modules import by name
        self.wait = api.Span("task", DOMAIN, "wait for batch")
        self.step = api.Span("frame", DOMAIN, "step")
        self.samples = api.Thing("int", DOMAIN, "samples")

    # ------------------------------------------------------------------- in place, and out again

    def wrap(self, owner, name, make):
        """Puts make(what is there) in the place of an attribute, if there is one."""
        there = vars(owner).get(name) if owner is not None else None
        if there is None:
            return
        ours = functools.wraps(there)(make(there))
        self.replaced.append((owner, name, there, ours))
        setattr(owner, name, ours)

    def uninstall(self):
        """Any thread may call it at any time: a call that is under way ends as it began."""
        for owner, name, there, ours in reversed(self.replaced):
            if vars(owner).get(name) is ours:
                setattr(owner, name, there)
        self.replaced.clear()
        while self.scopes:
            there, ours = self.scopes.pop()
            rename_in_mxnet(ours, there)

    # -------------------------------------------------------------------------- rows of objects

    def row(self, thing):
        """That of an object of MXNet's, as it is when that was made before: nobody told its domain,
        nor its value. An installation before this one did not see all that happened since."""
        ours = vars(thing).get(OURS)
        if ours is None or ours.to is not self:
            cls = next(cls for cls in type(thing).__mro__ if cls in self.late)
            ours = vars(thing)[OURS] = self.late[cls](thing)
        return ours

    def wrap_init(self, cls, make):
        """`make(domain, name)`. The row is there before MXNet sets a first value."""
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
        """MXNet takes int() of each number. It is made once, as it may be code of the job."""
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
        """What the program publishes of its memory in such a block belongs to the scope."""
        there = vars(module).get("scope")
        if there is None:  # version 1
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
        """A call as a run of a span; calls inside it are part of it. Gives also whether it was the
        outermost."""
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
        """What a generator gives, and each wait for it as a span: also the last, for nothing."""
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
    """Puts one function in the place of another, in all modules of MXNet that have it."""
    for path, module in list(sys.modules.items()):
        if path.startswith("mxnet.") and module is not None:
            for name in [name for name, value in list(vars(module).items()) if value is there]:
                setattr(module, name, ours)


def batch_size(trainer, batch_size, ignore_stale_grad=False):  # pylint: disable=unused-argument
    return batch_size


def size_of_first_input(module):
    """Of a batch of a Module: what its first input has along the axis of its layout."""
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


# Of each module of MXNet: what is wrapped in it. Version 2 has no `mxnet.module`.
MODULES = {
    "mxnet.profiler": profiler,
    "mxnet.gluon.trainer": trainer,
    "mxnet.gluon.data.dataloader": loader,
    "mxnet.module.module": symbolic_module("Module"),
    "mxnet.module.bucketing_module": symbolic_module("BucketingModule"),
    "mxnet.module.sequential_module": symbolic_module("SequentialModule"),
}


def wrap_module(to, module):
    """Wraps what is in a module of MODULES, or, given `mxnet`, in all of them that are imported."""
    for name, wrap in MODULES.items():
        found = sys.modules.get(name)
        if found is not None and module.__name__ in ("mxnet", name):
            quietly(wrap, to, found)


def install(module, feed_api):
    """As wrap_module(). `feed_api`: the module own.py. Gives what puts all back as it was."""
    to = Installation(feed_api)
    wrap_module(to, module)
    return to.uninstall

# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""rewriting.py: the rewriters of a compilation as its phases, one inside the other, live.

Every rewriter of a graph has a method that applies it; a clock of the library's stands around each.
"""
import threading

from . import feed, models
from .kinds import with_subclasses
from .members import find


def nodes_of(graph):
    return len(getattr(graph, "apply_nodes", ()))


class Phase:
    """A rewriter at work. One that calls another method, or that of its base class, is at work
    once."""

    def __init__(self, rewriter, number):
        self.rewriter, self.number = rewriter, number
        self.depth = 1
        self.validate_ns = None


class Loose(threading.local):
    """The place of the outermost rewriter that runs outside a compilation."""

    rewriter = None


class Rewriting:
    """Hooks in the rewriters of one framework."""

    def __init__(self, adapter, where, cls, *methods):
        self.adapter, self.where, self.cls, self.methods = adapter, where, cls, methods
        self.seen = set()  # classes that have hooks
        self.loose = Loose()

    def install(self):
        """Also in classes that were made since the last time."""
        base = find(self.adapter.member.package, self.where, self.cls)
        for method in self.methods:
            if not self.adapter.probes.has("rewriters", base, method, self.cls):
                return
        for cls in with_subclasses(base):
            if cls in self.seen:
                continue
            self.seen.add(cls)
            for method in self.methods:
                if method in vars(cls):
                    self.adapter.hook(cls, method, self.before, self.after)

    def phases(self):
        """Those of the compilation under way; None where it is not known which function that is."""
        compilation = self.adapter.stack.top()
        if compilation is None or compilation.told_of() is None:
            return None
        return compilation.phases

    def before(self, args, kwargs):
        self.follow(args)
        phases = self.phases()
        if phases is None:
            return
        rewriter = args[0]
        if phases and phases[-1].rewriter is rewriter:
            phases[-1].depth += 1
            return
        name = getattr(rewriter, "name", None) or type(rewriter).__name__
        number = self.adapter.stack.top().begin_phase(
            "rewrite", str(name), nodes_of(args[1] if len(args) > 1 else None))
        phases.append(Phase(rewriter, number))
        if self.adapter.validates:
            phases[-1].validate_ns = 0

    def follow(self, args):
        """If it is the outermost rewriter that begins: where do its nodes come from?"""
        place = self.adapter.stack.top() or self.loose
        if place.rewriter is None and len(args) > 1 and self.is_followed(place):
            origins = self.origins_of(place)
            if origins.attach(args[1]):
                place.rewriter = [args[0], 0, origins]
        if place.rewriter:
            place.rewriter[1] += place.rewriter[0] is args[0]

    def is_followed(self, place):
        """A linker may rewrite graphs of its own. PyMC and nutpie rewrite the terms of a model
        before they ask for a function."""
        known = models.known if place is self.loose else "rewrite" in place.marks
        return known and self.adapter.follows()

    def origins_of(self, place):
        return self.adapter.origins(self.adapter.asked()) if place is self.loose else place.origins

    def let_go(self, args):
        place = self.adapter.stack.top() or self.loose
        if not place.rewriter or place.rewriter[0] is not args[0]:
            return
        place.rewriter[1] -= 1
        if place.rewriter[1] == 0:
            origins, place.rewriter = place.rewriter[2], None
            origins.detach()
            if place is self.loose:
                origins.remember()

    def after(self, args, ok, ns):
        self.let_go(args)
        phases = self.phases()
        if not phases or phases[-1].rewriter is not args[0]:
            return
        phase = phases[-1]
        phase.depth -= 1
        if phase.depth == 0:
            phases.pop()
            feed.phase_end(phase.number, phase.validate_ns,
                           nodes_of(args[1] if len(args) > 1 else None))

    def validated(self, ns):
        """A validation took so long: in each phase that is open."""
        for phase in self.phases() or ():
            phase.validate_ns = (phase.validate_ns or 0) + ns

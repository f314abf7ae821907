# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""rewriting.py: publishes the rewriters of a compilation as nested phases, while they run.

Every rewriter of a graph has a method that applies it. The adapter times each call of that
method."""
import threading

from . import feed, pymc_models
from .kinds import with_subclasses
from .members import find


def nodes_of(graph):
    return len(getattr(graph, "apply_nodes", ()))


class Phase:
    """A running rewriter. Nested calls of its other methods, or of its base class, count once."""

    def __init__(self, rewriter, number):
        self.rewriter, self.number = rewriter, number
        self.depth = 1
        self.validate_ns = None


class Loose(threading.local):
    """The outermost rewriter that runs outside a compilation."""

    rewriter = None


class Rewriting:
    """Hooks in the rewriters of one framework."""

    def __init__(self, adapter, where, cls, *methods):
        self.adapter, self.where, self.cls, self.methods = adapter, where, cls, methods
        self.seen = set()  # classes with hooks
        self.loose = Loose()

    def install(self):
        """Installs the hooks, also in classes that were made since the last time."""
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
        """The phases of the current compilation, or None if its function is not known."""
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
        """Follows the origins of nodes from the outermost rewriter on."""
        place = self.adapter.stack.top() or self.loose
        if place.rewriter is None and len(args) > 1 and self.is_followed(place):
            origins = self.origins_of(place)
            if origins.attach(args[1]):
                place.rewriter = [args[0], 0, origins]
        if place.rewriter:
            place.rewriter[1] += place.rewriter[0] is args[0]

    def is_followed(self, place):
        """True if nodes are followed. A linker may rewrite graphs of its own; these are not
        followed. PyMC and nutpie rewrite the terms of a model before they request a function."""
        known = pymc_models.known if place is self.loose else "rewrite" in place.marks
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
        """Adds the time of a validation to each open phase."""
        for phase in self.phases() or ():
            phase.validate_ns = (phase.validate_ns or 0) + ns

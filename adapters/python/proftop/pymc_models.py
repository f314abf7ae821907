# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""pymc_models.py: the line of a PyMC model for each node of its logp and gradient.

PyMC makes the term of a random variable long after the user has written the variable. So the stacks
of the term's nodes lead into PyMC, and to the call of the sampler. The adapter watches two steps of
PyMC. When PyMC makes the terms, the nodes of a term get the line of their variable. When it makes
the gradient, the gradient of a node gets the line of that node. A node is identified by its stack:
copies of the node, and nodes that replace it, have the same stack. The graphs stay as they are."""
import sys
import threading

from . import feed
from .user_lines import owner

# The module and its function that makes the terms: {variable: value} -> {value: term}.
TERMS = "pymc.logprob.basic"
MAKE_TERMS = "conditional_logp"
# In the framework's module `gradient`: the function that asks each node's op for its gradient, and
# the method that it calls, now and before PyTensor 3.1.
GRADIENT, ASK = ".gradient", "_populate_grad_dict"
METHODS = "pullback", "L_op"
MOST = 1 << 16  # known stacks; beyond, the oldest are forgotten

known = {}  # id of a stack -> (the stack, which is kept alive, and its line)
lock = threading.Lock()


def line_of(trace):
    """The line known for nodes with this stack; None: the stack itself tells their line."""
    return known.get(id(trace), (None, None))[1]


def traces_of(variable):
    return getattr(variable.tag, "trace", None) or ()


def keep(variables, line):
    with lock:
        for variable in variables:
            for trace in traces_of(variable):
                known.setdefault(id(trace), (trace, line))
        while len(known) > MOST:
            del known[next(iter(known))]


def ancestors(variables, ends):
    """The variables that a node made, among these and their ancestors. Variables in `ends` and
    their ancestors are left out."""
    seen, left = set(ends), list(variables)
    while left:
        variable = left.pop()
        node = getattr(variable, "owner", None)
        if variable in seen or node is None:
            continue
        seen.add(variable)
        yield variable
        left += node.inputs


class PymcModels:
    """Hooks in PyMC and in the gradient."""

    def __init__(self, adapter):
        self.adapter = adapter
        self.seen = set()  # classes with hooks
        self.watched = False

    def install(self):
        """Installs the hooks once PyMC is imported, which happens after the framework. Until then
        each call does nothing."""
        module = sys.modules.get(TERMS)
        if self.watched or not hasattr(module, MAKE_TERMS):
            return
        self.watched = True
        self.adapter.rewriting.install()
        gradient = sys.modules.get(self.adapter.member.package + GRADIENT)
        self.see(module, MAKE_TERMS, self.terms_made)
        if hasattr(gradient, ASK):
            self.adapter.hook(gradient, ASK, self.before_gradient, None)

    def see(self, owner, name, made):
        """Makes made(args, kwargs, result) run after each call of the attribute."""
        self.adapter.replace(owner, name, lambda original: feed.wrap_result(
            original, None, self.adapter.quiet(made)))

    def line_of(self, variable):
        """The user's line that made a variable, or None."""
        for trace in traces_of(variable):
            line = line_of(trace) or self.adapter.user_line(trace)
            if line:
                return line
        return None

    def terms_made(self, args, kwargs, terms):
        """Gives the nodes of the terms their lines. The user's own expressions in the model have
        stacks of their own, and keep them."""
        [variables] = args or [kwargs["rv_values"]]
        own = {id(trace) for variable in ancestors(variables, ()) for trace in traces_of(variable)}
        for variable, value in variables.items():
            line = self.line_of(variable)
            if line and value in terms:
                keep([made for made in ancestors([terms[value]], [value])
                      if not any(id(trace) in own for trace in traces_of(made))], line)

    def before_gradient(self, args, kwargs):
        for variable, nodes in args[0].items():
            for node in nodes:
                for cls in type(node.op).__mro__:
                    self.hook(cls)

    def hook(self, cls):
        if cls in self.seen:
            return
        self.seen.add(cls)
        file = getattr(sys.modules.get(cls.__module__), "__file__", None)
        if not file or not (file.startswith(self.adapter.home) or owner(file) == "library"):
            return  # an op of the user: the stacks have its lines, and the job may pickle it
        for method in METHODS:
            if method in vars(cls):
                self.see(cls, method, self.gradient_made)

    def gradient_made(self, args, kwargs, made):
        _, inputs, outputs, given = args
        line = next(filter(None, map(self.line_of, outputs)), None)
        if line:
            ends = [*inputs, *outputs, *given]
            keep(ancestors(made, ends), line)

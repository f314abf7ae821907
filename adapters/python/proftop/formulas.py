# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""formulas.py: writes the formula that a fused op computes, in the usual notation: `sqr(i0) + i1`.

The framework calls all but the shortest `Composite{...}`. A value that is used more than once gets
a name, as in code: `t0 = exp(i0); t0 / (1 + t0)`."""
FUSED = "Composite{", "FusedElemwise{"  # ops with one of these in their text get a formula
MOST_NODES, MOST_BYTES = 1000, 3000
ATOM, UNARY, LEAST = 9, 7, 0
# Class of a scalar op, in lower case -> its sign, and its precedence.
SIGNS = {"add": ("+", 5), "sub": ("-", 5), "mul": ("*", 6), "truediv": ("/", 6),
         "true_div": ("/", 6), "truedivide": ("/", 6), "intdiv": ("//", 6),
         "int_div": ("//", 6), "mod": ("%", 6),
         "pow": ("**", 8), "lt": ("<", 3), "gt": (">", 3), "le": ("<=", 3), "ge": (">=", 3),
         "eq": ("==", 3), "neq": ("!=", 3), "and": ("&", 2), "or": ("|", 1), "xor": ("^", 1)}
EITHER_WAY = "+", "*", "&", "|"  # a + (b + c) needs no brackets
# Ops that change no element: a formula leaves them out.
PASSED = "dimshuffle", "specifyshape", "tensorfromscalar", "scalarfromtensor"


class TooLong(Exception):
    pass


def called(op):
    return type(op).__name__.lower()


def scalar_of(op):
    """The scalar op that an op applies to each element. For an op on scalars it is the op
    itself."""
    return getattr(op, "scalar_op", op)


def is_composite(op):
    return type(op).__name__ == "Composite"


def number(value):
    try:
        return "%.6g" % value if getattr(value, "size", 1) == 1 else "array"
    except TypeError:
        return str(value)


class Writer:
    """Writes one graph. A value is (text, precedence)."""

    def __init__(self, names, outputs, shared=None):
        self.names = dict(names)  # variable -> its (text, precedence)
        self.shared = [] if shared is None else shared  # lines before the formula
        self.uses = {}
        self.inside = {}  # node with a graph inside -> the writer of that graph
        self.count(outputs)

    def count(self, outputs):
        left, nodes = list(outputs), set()
        while left:
            variable = left.pop()
            self.uses[variable] = self.uses.get(variable, 0) + 1
            node = variable.owner
            if node is not None and node not in nodes and variable not in self.names:
                nodes.add(node)
                left += node.inputs
        if len(nodes) > MOST_NODES:
            raise TooLong

    def write(self, variable):
        """Writes deep graphs from their inputs up, so recursion is at most one node deep."""
        left = [variable]
        while left:
            one = left[-1]
            if one in self.names:
                left.pop()
                continue
            missing = [] if one.owner is None else \
                [value for value in one.owner.inputs if value not in self.names]
            if missing:
                left += missing
                continue
            left.pop()
            self.name(one)
        return self.names[variable]

    def name(self, variable):
        made = self.made(variable)
        if len(made[0]) > MOST_BYTES:
            raise TooLong
        if self.uses.get(variable, 0) > 1 and made[1] < ATOM:
            line = "t%d" % len(self.shared)
            self.shared.append("%s = %s" % (line, made[0]))
            made = line, ATOM
        self.names[variable] = made

    def made(self, variable):
        node = variable.owner
        if node is None:
            value = getattr(variable, "data", None)
            return (number(value) if value is not None else variable.name or "?"), ATOM
        args = [self.names[value] for value in node.inputs]
        op = scalar_of(node.op)
        if is_composite(op):
            if node not in self.inside:
                self.inside[node] = Writer(zip(op.inputs, args), op.outputs, self.shared)
            return self.inside[node].write(op.outputs[variable.index or 0])
        if is_reduction(node.op):
            return reduced(node.op, args), ATOM
        return applied(called(op), args)


def axes(op):
    return "" if op.axis is None else ", axis=%s" % ",".join(map(str, op.axis))


def is_reduction(op):
    return hasattr(op, "scalar_op") and hasattr(op, "axis")


def reduced(op, args):
    """A reduction of an array along some of its axes."""
    return "%s(%s%s)" % (called(op), args[0][0], axes(op))


def bracketed(value, least):
    return value[0] if value[1] >= least else "(%s)" % value[0]


def applied(name, args):
    sign, binds = SIGNS.get(name, (None, ATOM))
    if sign and len(args) > 1:
        more = binds if sign in EITHER_WAY else binds + 1
        first = binds + 1 if sign == "**" else binds
        return (" %s " % sign).join(
            [bracketed(args[0], first), *(bracketed(arg, more) for arg in args[1:])]), binds
    if name == "neg":
        return "-" + bracketed(args[0], UNARY), UNARY
    if name in ("identity", *PASSED):
        return args[0]
    if name.startswith("advancedsubtensor") and len(args) > 1:
        return "%s[%s]" % (bracketed(args[0], ATOM), ", ".join(arg[0] for arg in args[1:])), ATOM
    return "%s(%s)" % (name, ", ".join(arg[0] for arg in args)), ATOM


def formula_of(op, text):
    """The formula of an op with this text; None if the text says it already, or if there is
    none."""
    if not any(word in text for word in FUSED):
        return None
    scalar = scalar_of(op)
    graph = scalar if is_composite(scalar) else getattr(op, "fgraph", None)
    try:
        outputs = list(graph.outputs)
        names = {variable: ("i%d" % place, ATOM) for place, variable in enumerate(graph.inputs)}
        writer = Writer(names, outputs)
        made = ", ".join([writer.write(variable)[0] for variable in outputs])
        written = "; ".join([*writer.shared, made])
        if is_reduction(op):  # i0 is the result so far, i1 the next element
            written = "reduce(%s%s)" % (written, axes(op))
        return written if len(written) <= MOST_BYTES else None
    except Exception:
        return None  # another release keeps graphs differently, or the formula is too long

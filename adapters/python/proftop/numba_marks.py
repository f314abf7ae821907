# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""numba_marks.py: counts the nodes of functions that PyTensor compiles by Numba.

PyTensor writes a graph as the source of a Python function, with one assignment for each node, and
Numba compiles that source. The adapter inserts a mark after each assignment: a call of marks.c by
symbol, so that Numba can cache the code. Code with marks has cache keys of its own, so a job
without proftop never loads it. numba_recompile.py adds marks to code that was compiled before."""
import ast
import contextlib
import importlib
import threading
import time
import weakref

from . import feed
from .ops import ends_early, name_of, text_of
from .values import flops_of, inputs_of, outputs_of, tell

SALT = "proftop3"  # change the number when the calls of the marks change
ENTER, MARK, STEP = "_proftop_enter", "_proftop_mark", "_proftop_step"
UNLIKE = "it is written in another way than is known"
PHASE = "Numba compiles the source with marks"


class Marked:
    """A graph that gets marks. Its first mark has the number `first`."""

    def __init__(self, first, order):
        self.first, self.order = first, order
        self.node = None  # the node being converted
        self.inner = []   # (node, the graph that runs inside it)


class Compiled:
    """One compilation by Numba. Each one reports only its own time. A compilation that was
    interrupted and has no end takes no time from another."""

    def __init__(self):
        self.phase, self.begun, self.inside_ns = None, time.perf_counter_ns(), 0


def intrinsics():
    """The mark calls as Numba compiles them: by symbol, since the addresses may differ in the
    process that loads the code from the cache."""
    import llvmlite.binding
    from llvmlite import ir
    from numba import types
    from numba.core import cgutils
    from numba.extending import intrinsic

    for name, address in zip((ENTER, MARK, STEP), feed.mark_addresses()):
        llvmlite.binding.add_symbol(name, address)
    word = ir.IntType(64)

    def call(builder, result, name, args):
        kind = ir.FunctionType(result, [word] * len(args))
        return builder.call(cgutils.get_or_insert_function(builder.module, kind, name), args)

    @intrinsic
    def enter(typing, number):
        return types.int64(types.int64), lambda context, builder, signature, args: call(
            builder, word, ENTER, args)

    def silent(name, count):
        def code(context, builder, signature, args):
            call(builder, ir.VoidType(), name, args)
            return context.get_dummy_value()
        return types.void(*[types.int64] * count), code

    @intrinsic
    def mark(typing, number, entered):
        return silent(MARK, 2)

    @intrinsic
    def step(typing, number, ended, steps, now):
        return silent(STEP, 4)

    return {ENTER: enter, MARK: mark, STEP: step}


def quietly(call, function):
    """Calls a hook and drops its exceptions: a fault of the adapter must not reach the job."""
    try:
        if function is not None:
            call(function)
    except Exception:
        pass


def statement(text, like):
    [made] = ast.parse(text).body
    for node in ast.walk(made):
        ast.copy_location(node, like)
    return made


def with_marks(source, first, count, whole):
    """The syntax tree of a source with marks, or None if the source has an unknown form. `whole`:
    the source is a function's, not that of a graph inside a node."""
    tree = ast.parse(source)
    if ENTER in source or len(tree.body) != 1 or not isinstance(tree.body[0], ast.FunctionDef):
        return None
    [function] = tree.body
    *assigned, last = function.body
    if (len(assigned) != count or not isinstance(last, ast.Return)
            or not all(isinstance(one, ast.Assign) for one in assigned)):
        return None
    body = [statement("_proftop_entered = %s(%d)" % (ENTER, first if whole else -1),
                      assigned[0])]
    for number, one in enumerate(assigned, first):
        body += [one, statement("%s(%d, _proftop_entered)" % (MARK, number), one)]
    function.body = body + [last]
    return tree


def with_steps(source, first, early):
    """The source of a Scan with calls that report its progress. Raises ValueError if the source has
    an unknown form."""
    tree = ast.parse(source)
    [function] = tree.body
    [at] = [index for index, one in enumerate(function.body) if isinstance(one, ast.While)]
    loop, last = function.body[at], function.body[-1]
    if ast.unparse(loop.body[-1]) != "i += 1" or not isinstance(last, ast.Return):
        raise ValueError(source)
    steps = "-1" if early else "n_steps.item()"
    begins, goes_on, ends = (
        statement("%s(%d, %s, %s, %d)" % (STEP, first, step, steps, now), loop)
        for step, now in (("0", 1), ("i", 0), ("i", 1)))
    loop.body.append(goes_on)
    function.body[at:] = [begins, *function.body[at:-1], ends, last]
    return ast.unparse(tree)


class NumbaMarks:
    """Hooks in PyTensor's conversion of graphs to Numba."""

    def __init__(self, adapter, package):
        self.adapter = adapter
        self.basic = importlib.import_module(package + ".link.numba.dispatch.basic")
        self.scalar = importlib.import_module(package + ".scalar.basic").ScalarOp
        graphs = importlib.import_module(package + ".graph.fg")
        self.graph = getattr(graphs, "AbstractFunctionGraph", None) or graphs.FunctionGraph
        self.funcify = self.basic.numba_funcify_and_cache_key
        # Ops with a graph inside derive their cache key from it, so marked code stays separate.
        self.scan, self.carriers = importlib.import_module(package + ".scan.op").Scan, [
            self.funcify.dispatch(importlib.import_module(package + module).__dict__[name])
            for module, name in ((".scan.op", "Scan"), (".compile.builders", "OpFromGraph"))]
        self.scans = importlib.import_module(package + ".link.numba.dispatch.scan")
        self.keyed = self.funcify.dispatch(self.graph)
        self.names = intrinsics()
        self.functions = weakref.WeakKeyDictionary()  # compiled code -> id of its function
        self.phases = {}  # (function's id, thread) -> its compilations there, the innermost last

    def install(self):
        self.adapter.replace(self.basic, "fgraph_to_python", self.converter)
        if hasattr(self.scans, "compile_numba_function_src"):
            self.adapter.replace(self.scans, "compile_numba_function_src", self.stepper)
        else:
            self.adapter.probes.fail("source of Scan", "there is no compile_numba_function_src")
        self.funcify.register(self.graph, self.salted)
        self.listen()
        feed.mark_count(True)

    def remove(self):
        """Removes the hooks. Compiled code keeps its marks, which no longer count."""
        from numba.core import event
        with contextlib.suppress(ValueError):  # remove() was interrupted before and runs again
            event.unregister("numba:compile", self.listener)
        self.funcify.register(self.graph, self.keyed)
        feed.mark_count(False)

    def salted(self, fgraph, *args, **kwargs):
        compilation = self.adapter.stack.top()
        before = compilation.marked if compilation else None
        made, key = self.keyed(fgraph, *args, **kwargs)
        after = compilation.marked if compilation else None
        if key is not None and after is not before:
            key = "%s-%d-%s" % (SALT, after.first, key)
        return made, key

    # ------------------------------------------------------------------------------ conversion

    def converter(self, original):
        def fgraph_to_python(fgraph, op_conversion_fn, **options):
            compilation = self.adapter.stack.top()
            if compilation is None:
                return original(fgraph, op_conversion_fn=op_conversion_fn, **options)
            order = options.get("order") or fgraph.toposort()
            graph = self.begin(compilation, order)

            def convert(op, *args, node=None, **rest):
                if graph is not None:
                    graph.node = node
                return op_conversion_fn(op, *args, node=node, **rest)

            compilation.converting.append(graph)
            try:
                made = original(fgraph, op_conversion_fn=convert, **dict(options, order=order))
            finally:
                compilation.converting.pop()
            return self.end(compilation, graph, made)
        return fgraph_to_python

    def begin(self, compilation, order):
        """The graph to be marked, or None if it gets no marks."""
        if not order or any(one is None for one in compilation.converting):
            return None
        if compilation.converting and not self.is_carried(compilation.converting[-1], order):
            return None
        first = feed.mark_reserve(len(order))
        return None if first is None else Marked(first, order)

    def is_carried(self, outer, order):
        """True if the graph runs inside a node and is not a formula of scalars."""
        op = getattr(outer.node, "op", None)
        return (self.funcify.dispatch(type(op)) in self.carriers
                and not all(isinstance(node.op, self.scalar) for node in order))

    def end(self, compilation, graph, made):
        if graph is None:
            return made
        try:
            tree = with_marks(made.__source__, graph.first, len(graph.order),
                              not compilation.converting)
            found = {}
            exec(compile(tree, made.__code__.co_filename, "exec"),
                 dict(made.__globals__, **self.names), found)
            marked = found[made.__name__]
            marked.__source__ = made.__source__
        except Exception:
            self.adapter.probes.fail("source of Numba", UNLIKE)
            return made
        if compilation.converting:
            outer = compilation.converting[-1]
            outer.inner.append((outer.node, graph))
        else:
            compilation.whole = graph
        compilation.marked = graph
        return marked

    def stepper(self, original):
        """Adds step reports to Scan's source. The cache key derives from the graph inside, which
        has marks."""
        def compile_numba_function_src(source, name, names=None, *args, **kwargs):
            compilation = self.adapter.stack.top()
            outer = compilation.converting[-1] if compilation and compilation.converting else None
            if outer is not None and outer.inner and outer.inner[-1][0] is outer.node:
                try:
                    source = with_steps(source, outer.inner[-1][1].first, ends_early(outer.node.op))
                    names = dict(names or {}, **self.names)
                except Exception:
                    self.adapter.probes.fail("source of Scan", UNLIKE)
            return original(source, name, names, *args, **kwargs)
        return compile_numba_function_src

    # ------------------------------------------------------------------------------ definition

    def define(self, graph, function, origins, whole=True):
        adapter, applies = self.adapter, {}
        for index, node in enumerate(graph.order):
            applies[node] = feed.mark_apply(
                graph.first + index, function, adapter.ops.id_of(node.op), index, text_of(node),
                origins.of(node))
        for node, apply in applies.items():
            tell(apply, flops_of(node.op), inputs_of(node, applies), outputs_of(node, {}), None,
                 origins.rewrite_of(node), origins.library_of(node))
        for node, inner in graph.inner:
            number = feed.function(name_of(node.op), None, 0, applies[node], False)
            self.define(inner, number, origins, False)
            if isinstance(node.op, self.scan):
                feed.mark_steps(inner.first, applies[node])
        if whole:
            feed.mark_function(graph.first, len(graph.order), function)

    def compiles(self, code, function):
        """Records the function of this code: Numba compiles the code at the first call."""
        try:
            self.functions[code] = function
        except TypeError:
            pass  # no weak references: the compilation is shown as part of the call

    def listen(self):
        """Listens to Numba's compile events. Numba sends none when it loads code from its cache."""
        from numba.core import event

        class Listener(event.Listener):
            """Reports a compilation when it begins, since it takes seconds."""

            def on_start(_, told):
                quietly(self.begin_compile, self.functions.get(told.data["dispatcher"]))

            def on_end(_, told):
                quietly(self.end_compile, self.functions.get(told.data["dispatcher"]))

        self.listener = Listener()
        event.register("numba:compile", self.listener)

    def begin_compile(self, function):
        """Numba compiles a function in its first call with new argument types, unless it was
        compiled for them before. The time counts as compile time, so this stops the clock of the
        call. A recursive function may compile itself for other types meanwhile."""
        feed.call_stop(function)
        one = Compiled()
        self.phases.setdefault((function, threading.get_ident()), []).append(one)
        feed.compile_begin(function)
        one.phase = feed.phase_begin(function, None, "codegen", PHASE, None)

    def end_compile(self, function):
        place = function, threading.get_ident()
        nested = self.phases[place]
        one = nested.pop()
        ns = time.perf_counter_ns() - one.begun
        if nested:
            nested[-1].inside_ns += ns
        else:
            del self.phases[place]
        own_ns = ns - one.inside_ns
        with contextlib.ExitStack() as last:  # run all, even if one fails
            last.callback(feed.call_go_on, function)
            last.callback(feed.compile_end, function, own_ns, None, None, own_ns)
            feed.phase_end(one.phase, None, None)

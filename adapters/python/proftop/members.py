# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""members.py: the members of Theano's family, and where each keeps what we stand beside.

One row for each layout of the modules, by the module whose import ends with all of it in place. No
row names a release: a release that has the names of a row is taken for that row. If a name is in
another module of the package, find() finds it there. A name that is missing costs one thing alone
(probes.py).
"""
import sys
from collections import namedtuple

# framework  as it is called in the header
# package    whose __version__ and folder are asked
# functions  module that defines Function
# vm         name under which a function has what runs its nodes
# entry      what the module itself calls to make a function: the whole of a compilation
# rewrites   method of FunctionMaker that rewrites a graph; None: a part of its __init__, between
#            std_fgraph() and insert_deepcopy()
# validate   module, class and method that validates a graph
# rewriters  module, class and method that applies a rewriter to a graph; and one that calls it,
#            where some rewriters have it as an attribute of their own
# loads      module that loads what was compiled to C
# numba      module, class and method that makes Numba's source of a graph; None: no such linker
# preloads   whether it counts as linking that the cache of C is read before anything is rewritten
# public     whether jobs have the entry under names of their own: nothing of ours stands there then
#            (they may pickle it, or look it up), and a compilation begins with its maker, as the
#            framework's own time of it does
Member = namedtuple(
    "Member", "framework package functions vm entry rewrites validate rewriters loads numba "
    "preloads public", defaults=(None, False, False))

# Linker that has no list of what it runs, for it hands the whole graph to another compiler or calls
# nodes in a way of its own: what to say of these. Any other makes one function of them.
UNLISTED = {
    "JAXLinker": "JAX compiles them into one function, whose calls return before it has done their "
                 "work",
    "WrapLinker": "a function calls each of them by itself, as MonitorMode's does",
    "_Linker": "DebugMode runs each of them in several ways, to compare what they give",
}


def whole(function):
    """Why the nodes of a function, or of a VM, that has no list of them are not seen."""
    linker = getattr(getattr(function, "maker", None), "linker", None)
    return UNLISTED.get(type(linker).__name__, "they are compiled into one function")


def find(package, where, name):
    """The object of this name in that module; else in the module of the package that defines it."""
    found = getattr(sys.modules.get(where), name, None)
    if found is not None:
        return found
    for path, module in list(sys.modules.items()):
        if path == package or path.startswith(package + "."):
            found = getattr(module, "__dict__", {}).get(name)
            if getattr(found, "__module__", None) == path:
                return found
    return None


def row_of(package):
    """The module that makes functions, and its row of MEMBERS. In a release that has moved things,
    the newest row with its names. If nothing is found, the package itself."""
    rows = [(name, member) for name, member in MEMBERS.items() if member.package == package]
    for name, member in rows:
        if name in sys.modules:
            return sys.modules[name], member
    maker = find(package, None, "FunctionMaker")
    function = find(package, None, "Function")
    if maker is None or function is None:
        return sys.modules[package], rows[0][1]
    module = sys.modules[maker.__module__]
    member = next((member for _, member in rows if member.entry in vars(module)), rows[0][1])
    return module, member._replace(functions=function.__module__)


def packages():
    """{package: name of its framework}. Several members may have the same package."""
    return {member.package: member.framework for member in MEMBERS.values()}


MEMBERS = {
    "pytensor.compile.maker": Member(
        framework="PyTensor",
        package="pytensor",
        functions="pytensor.compile.executor",
        vm="vm",
        entry="function",
        rewrites="prepare_fgraph",
        validate=("pytensor.graph.features", "Validator", "validate"),
        rewriters=("pytensor.graph.rewriting.basic", "GraphRewriter", "apply"),
        loads="pytensor.link.c.cmodule",
        numba=("pytensor.link.numba.linker", "NumbaLinker", "fgraph_convert"),
        preloads=True,
        public=True,
    ),
    "pytensor.compile.function.types": Member(
        framework="PyTensor",
        package="pytensor",
        functions="pytensor.compile.function.types",
        vm="vm",
        entry="orig_function",
        rewrites="prepare_fgraph",
        validate=("pytensor.graph.features", "Validator", "validate_"),
        rewriters=("pytensor.graph.rewriting.basic", "GraphRewriter", "apply"),
        loads="pytensor.link.c.cmodule",
        numba=("pytensor.link.numba.linker", "NumbaLinker", "fgraph_convert"),
        preloads=True,
    ),
    "aesara.compile.function.types": Member(
        framework="Aesara",
        package="aesara",
        functions="aesara.compile.function.types",
        vm="vm",
        entry="orig_function",
        rewrites="prepare_fgraph",
        validate=("aesara.graph.features", "Validator", "validate_"),
        rewriters=("aesara.graph.rewriting.basic", "GraphRewriter", "apply"),
        loads="aesara.link.c.cmodule",
    ),
    "theano.compile.function.types": Member(
        framework="Theano-PyMC",
        package="theano",
        functions="theano.compile.function.types",
        vm="fn",
        entry="orig_function",
        rewrites=None,
        validate=("theano.graph.toolbox", "Validator", "validate_"),
        rewriters=("theano.graph.opt", "GlobalOptimizer", "apply"),
        loads="theano.link.c.cmodule",
    ),
    "theano.compile.function_module": Member(
        framework="Theano",
        package="theano",
        functions="theano.compile.function_module",
        vm="fn",
        entry="orig_function",
        rewrites=None,
        validate=("theano.gof.toolbox", "Validator", "validate_"),
        rewriters=("theano.gof.opt", "Optimizer", "apply", "optimize"),
        loads="theano.gof.cmodule",
    ),
}

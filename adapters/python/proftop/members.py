# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""members.py: the members of Theano's family, and the places that the adapter hooks in each.

There is one row for each layout of the modules. Its key is the module whose import completes the
layout. No row names a release: a release with the names of a row uses that row. find() finds a name
that is in another module of the package. A missing name disables only one feature (probes.py)."""
import sys
from collections import namedtuple

# framework  name shown in the header
# package    has __version__, and the folder of the framework
# functions  module that defines Function
# vm         attribute of a function that runs its nodes (the VM)
# entry      function of the module that makes a function: the whole of a compilation
# rewrites   method of FunctionMaker that rewrites a graph; None: a part of its __init__, between
#            std_fgraph() and insert_deepcopy()
# validate   module, class and method that validates a graph
# rewriters  module, class and method that applies a rewriter to a graph; and one that calls it,
#            where some rewriters have it as an attribute of their own
# loads      module that loads code compiled from C
# numba      module, class and method that makes Numba's source of a graph; None: no such linker
# preloads   True if reading the cache of C code before any rewriting counts as linking
# public     True if jobs hold the entry under names of their own. Then the entry is not hooked
#            (a job may pickle it, or look it up), and a compilation begins with its maker, as
#            the framework's own compile time does
Member = namedtuple(
    "Member", "framework package functions vm entry rewrites validate rewriters loads numba "
    "preloads public", defaults=(None, False, False))

# Linkers without a list of nodes, and the reason for viewers: they pass the whole graph to another
# compiler, or call nodes in their own way. Any other linker makes one function of the nodes.
UNLISTED = {
    "JAXLinker": "JAX compiles them into one function, whose calls return before it has done their "
                 "work",
    "WrapLinker": "a function calls each of them by itself, as MonitorMode's does",
    "_Linker": "DebugMode runs each of them in several ways, to compare what they give",
}


def whole(function):
    """Why the nodes of a function, or of a VM, without a list of nodes are not seen."""
    linker = getattr(getattr(function, "maker", None), "linker", None)
    return UNLISTED.get(type(linker).__name__, "they are compiled into one function")


def find(package, where, name):
    """The object of this name in that module, or else in the module of the package that defines
    it."""
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
    """The module that makes functions, and its row of MEMBERS. For a release that has moved things:
    the newest row with its names. If nothing is found: the package itself."""
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
    """{package: name of its framework}. Several members may share a package."""
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

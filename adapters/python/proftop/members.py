# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""members.py: the members of Theano's family, and where each keeps what we stand beside.

One row for each layout of the modules, by the module whose import ends with all of it in place. A
new member, or a release that moved things, is a row more here and nothing elsewhere.
"""
from collections import namedtuple

# framework  as it is called in the header
# package    whose __version__ and folder are asked
# versions   those that the routes below were tried on; all others: functions only
# functions  module that defines Function
# vm         name under which a function has what runs its nodes
# entry      what the module itself calls to make a function: the whole of a compilation
# rewrites   method of FunctionMaker that rewrites a graph; None: a part of its __init__, between
#            std_fgraph() and insert_deepcopy()
# validate   module, class and method that validates a graph
# rewriters  module, class and method that applies a rewriter to a graph; and one that calls it,
#            where some rewriters have it as an attribute of their own
# loads      module that loads what was compiled to C
# vms        class of VM: the route to its nodes
# numba      module, class and method that makes Numba's source of a graph; None: no such linker, or
#            one that keeps no cache
# preloads   whether it counts as linking that the cache of C is read before anything is rewritten
# public     whether jobs have the entry under names of their own: nothing of ours stands there then
#            (they may pickle it, or look it up), and a compilation begins with its maker, as the
#            framework's own time of it does
Member = namedtuple(
    "Member", "framework package versions functions vm entry rewrites validate rewriters loads vms "
    "numba preloads public", defaults=(None, False, False))

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


def virtual_machines(cvm, python):
    """`python`: the module of the VMs that are written in it. Those that linkers without a VM
    make are closures (streamline), of the class of all functions."""
    return {cvm: "tables", python + ".Loop": "thunks", python + ".LoopGC": "thunks",
            python + ".Stack": "thunks", "function": "closure"}


MEMBERS = {
    "pytensor.compile.maker": Member(
        framework="PyTensor",
        package="pytensor",
        versions=("3.0.",),
        functions="pytensor.compile.executor",
        vm="vm",
        entry="function",
        rewrites="prepare_fgraph",
        validate=("pytensor.graph.features", "Validator", "validate"),
        rewriters=("pytensor.graph.rewriting.basic", "GraphRewriter", "apply"),
        loads="pytensor.link.c.cmodule",
        vms=virtual_machines("pytensor.link.c.cvm.CVM", "pytensor.link.vm"),
        numba=("pytensor.link.numba.linker", "NumbaLinker", "fgraph_convert"),
        preloads=True,
        public=True,
    ),
    "pytensor.compile.function.types": Member(
        framework="PyTensor",
        package="pytensor",
        versions=("2.25.", "2.31.", "2.38."),
        functions="pytensor.compile.function.types",
        vm="vm",
        entry="orig_function",
        rewrites="prepare_fgraph",
        validate=("pytensor.graph.features", "Validator", "validate_"),
        rewriters=("pytensor.graph.rewriting.basic", "GraphRewriter", "apply"),
        loads="pytensor.link.c.cmodule",
        vms=virtual_machines("pytensor.link.c.cvm.CVM", "pytensor.link.vm"),
        numba=("pytensor.link.numba.linker", "NumbaLinker", "fgraph_convert"),
        preloads=True,
    ),
    "aesara.compile.function.types": Member(
        framework="Aesara",
        package="aesara",
        versions=("2.9.",),
        functions="aesara.compile.function.types",
        vm="vm",
        entry="orig_function",
        rewrites="prepare_fgraph",
        validate=("aesara.graph.features", "Validator", "validate_"),
        rewriters=("aesara.graph.rewriting.basic", "GraphRewriter", "apply"),
        loads="aesara.link.c.cmodule",
        vms=virtual_machines("aesara.link.c.cvm.CVM", "aesara.link.vm"),
    ),
    "theano.compile.function.types": Member(
        framework="Theano-PyMC",
        package="theano",
        versions=("1.1.",),
        functions="theano.compile.function.types",
        vm="fn",
        entry="orig_function",
        rewrites=None,
        validate=("theano.graph.toolbox", "Validator", "validate_"),
        rewriters=("theano.graph.opt", "GlobalOptimizer", "apply"),
        loads="theano.link.c.cmodule",
        vms=virtual_machines("theano.link.c.cvm.CVM", "theano.link.vm"),
    ),
    "theano.compile.function_module": Member(
        framework="Theano",
        package="theano",
        versions=("1.0.",),
        functions="theano.compile.function_module",
        vm="fn",
        entry="orig_function",
        rewrites=None,
        validate=("theano.gof.toolbox", "Validator", "validate_"),
        rewriters=("theano.gof.opt", "Optimizer", "apply", "optimize"),
        loads="theano.gof.cmodule",
        vms=virtual_machines("theano.gof.vm.CVM", "theano.gof.vm"),
    ),
}

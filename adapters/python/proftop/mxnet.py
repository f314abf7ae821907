# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""mxnet.py: the adapter of MXNet, by hooks in its engine (adapters/mxnet).

A server or scheduler of a kvstore never returns from `import mxnet`: it works inside that import.
So the hooks are installed once `mxnet.base` has loaded the library. Python code is replaced when
its module has been imported."""
import atexit
import ctypes
import functools
import gc
import json
import os
import sys
import time
import weakref

from . import feed, feed_holders, mxnet_objects, mxnet_sums, user_objects

HOLDER = "MXNet"
ALL, QUEUE = 127, 8  # enum mxnet_feature
ROUTE = "hooks in its engine; its own profiler is not used"
NAIVE = "MXNET_ENGINE_TYPE=NaiveEngine: each operator runs at once, in the thread that calls it. " \
        "There is no queue, and asynchronous operators are not seen: those of a kvstore, and of " \
        "custom operators all but their Python code"
NAIVE_ROUTE = "; NaiveEngine: no queue, no asynchronous operators"
# `objects`: everything replaced in Python (mxnet_objects). `sums`: publishes the sums of MXNet's
# own profiler, for an unknown build (mxnet_sums).
state = {"objects": None, "sums": None, "attached": False, "reason": None,
         "route": None}


def version():
    return getattr(sys.modules.get("mxnet.libinfo"), "__version__", "") or ""


def is_imported():
    return "mxnet.base" in sys.modules


def is_attached():
    return state["attached"]


def is_naive():
    return os.environ.get("MXNET_ENGINE_TYPE") == "NaiveEngine"


def settings():
    """Environment variables of MXNet and of its kvstore, as facts."""
    return "\n".join("%s=%s" % (name, value) for name, value in sorted(os.environ.items())
                     if name.startswith(("MXNET_", "DMLC_")) and "\n" not in value)


def numpy_lacks():
    """Why MXNet cannot be imported with this numpy, or None. Reading numpy.bool would warn, so it
    looks elsewhere. A job may have set numpy.bool itself."""
    numpy = sys.modules.get("numpy")
    if "bool" in vars(numpy or sys) or "bool" not in getattr(numpy, "__former_attrs__", ()):
        return None
    return "numpy %s has no numpy.bool, which MXNet %s needs. Install an older one: pip install " \
        "numpy==1.23.5 (it has wheels for Python 3.8 to 3.11)" % (numpy.__version__, version())


def replace(owner, name, make):
    """Replaces an attribute with make(original)."""
    state["objects"].wrap(owner, name, make)


def safely(function):
    """Keeps errors of the adapter away from the job."""
    return functools.wraps(function)(functools.partial(mxnet_objects.quietly, function))


# -------------------------------------------------------------------------------------- the kvstore


@safely
def tell_rank(store):
    """Sends the rank of a worker, once it has a distributed kvstore. A server has no rank here:
    MXNet assigns it inside, when the server runs."""
    if os.environ.get("DMLC_ROLE") == "worker" and "dist" in store.type:
        feed.rank(store.rank, store.num_workers)


def watch_stores(module):
    def make(there):
        def __init__(self, *args, **kwargs):
            there(self, *args, **kwargs)
            tell_rank(self)

        return __init__

    replace(module.KVStore, "__init__", make)


# ------------------------------------------------------------------------------- names of functions


def address_of(handle):
    """Address of the C++ object. The handle of a CachedOp is the address of a shared_ptr."""
    return ctypes.cast(handle, ctypes.POINTER(ctypes.c_void_p))[0] or 0


def name_of_block(block):
    """The name of a Gluon block: its own name in MXNet 1, its class in MXNet 2, which has no
    names."""
    return str(getattr(block, "name", None) or type(block).__name__)


def blocks_inside(block, scope):
    """Yields (block, scope) for a Gluon block and all blocks inside. MXNet 2 keeps children by weak
    references, and names a child by its class and a number within that class."""
    yield block, scope
    numbers = {}
    for child in list(block._children.values()):
        child = child() if isinstance(child, weakref.ref) else child
        name = getattr(child, "name", None)
        if name is None:
            kind = type(child).__name__.lower()
            numbers[kind] = numbers.get(kind, -1) + 1
            name = "%s%d" % (kind, numbers[kind])
        yield from blocks_inside(child, "%s%s:" % (scope, name))


def scopes_of_nodes(block):
    """Yields (node, scope) for the nodes of a CachedOp whose block is known. In MXNet 1 the name of
    a node begins with the name of its block. In MXNet 2 names are numbers: a node belongs to the
    block of the parameters that it takes; without parameters its scope is not known."""
    name = getattr(block, "name", None) or type(block).__name__.lower()
    inside = list(blocks_inside(block, name + ":"))
    nodes = json.loads(block._cached_graph[1].tojson())["nodes"]
    if hasattr(block, "prefix"):
        prefixes = sorted(((one.prefix, scope) for one, scope in inside),
                          key=lambda row: len(row[0]), reverse=True)
        places = [next((scope for prefix, scope in prefixes
                        if prefix and node["name"].startswith(prefix)), None) for node in nodes]
    else:
        owners = {value.var().name: scope for one, scope in inside
                  for value in one._reg_params.values()}
        places = [next((owners[nodes[source[0]]["name"]] for source in node["inputs"]
                        if nodes[source[0]]["name"] in owners), None) for node in nodes]
    for node, scope in zip(nodes, places):
        if scope is not None and node["op"] != "null":
            yield node["name"], scope


@safely
def name_block(block):
    cached = getattr(block, "_cached_op", None)
    if cached is not None:
        address = address_of(cached.handle)
        feed.mxnet_function_name(address, name_of_block(block))
        for node, scope in scopes_of_nodes(block):
            feed.mxnet_node_scope(address, node, scope)


@safely
def name_executor(executor, symbol):
    outputs = symbol.list_outputs()
    name = outputs[0] if outputs else "executor"
    name = name[:-len("_output")] if name.endswith("_output") else name
    feed.mxnet_function_name(executor.handle.value or 0, name)


def watch_blocks(module):
    def make(there):
        def _build_cache(self, *args, **kwargs):
            result = there(self, *args, **kwargs)
            name_block(self)
            return result

        return _build_cache

    replace(module.HybridBlock, "_build_cache", make)


def watch_executors(module):
    def make(there):
        def __init__(self, handle, symbol, *args, **kwargs):
            there(self, handle, symbol, *args, **kwargs)
            name_executor(self, symbol)

        return __init__

    if version().startswith("1."):  # in MXNet 2 they are CachedOps
        replace(module.Executor, "__init__", make)


@safely
def name_what_is_there():
    """Names blocks, Executors and kvstores that are older than the adapter. Tests types only: an
    object may be a proxy of a dead one, and raise."""
    block = getattr(sys.modules.get("mxnet.gluon.block"), "HybridBlock", None)
    executor = getattr(sys.modules.get("mxnet.executor"), "Executor", None)
    store = getattr(sys.modules.get("mxnet.kvstore.kvstore"), "KVStore", None)
    for thing in gc.get_objects():
        if block is not None and issubclass(type(thing), block):
            name_block(thing)
        elif executor is not None and type(thing) is executor and version().startswith("1."):
            name_executor(thing, thing._symbol)
        elif store is not None and type(thing) is store:
            tell_rank(thing)


# --------------------------------------------------------------------------------- custom operators


def watch_custom(module):
    """Gives the Python code of a custom operator a row beside the operator's run in the engine.
    That run includes the operators that the code calls."""
    def make(there):
        def register(*args, **kwargs):
            decorate = there(*args, **kwargs)
            name = args[0] if args else kwargs.get("reg_name")

            def do_register(prop):
                watch_prop(prop, name)
                return decorate(prop)

            return do_register

        return register

    replace(module, "register", make)


@safely
def watch_prop(prop, name):
    create = prop.create_operator

    @functools.wraps(create)
    def create_operator(self, *args, **kwargs):
        operator = create(self, *args, **kwargs)
        time_operator(operator, name)
        return operator

    prop.create_operator = create_operator


@safely
def begin_custom(label):
    feed.mxnet_custom_begin(label)
    return True


def timed(method, label):
    method = getattr(method, "_proftop_times", method)

    @functools.wraps(method)
    def run(*args, **kwargs):
        begun = begin_custom(label)
        try:
            return method(*args, **kwargs)
        finally:
            if begun:
                feed.mxnet_custom_end()

    run._proftop_times = method
    return run


@safely
def time_operator(operator, name):
    """Times an operator under the name that it was made by. A base class may be registered as well;
    then create_operator() of the base class ran before."""
    for method, label in (("forward", name), ("backward", "_backward_" + name)):
        setattr(operator, method, timed(getattr(operator, method), label))


# --------------------------------------------------------------------------------------- begin, end

# Module of MXNet -> function that wraps its classes after the import. The import hook waits for
# these modules, and for those in mxnet_objects.
MODULES = {
    "mxnet.gluon.block": watch_blocks,
    "mxnet.executor": watch_executors,
    "mxnet.kvstore.kvstore": watch_stores,
    "mxnet.operator": watch_custom,
}


@safely
def install(module):
    if module.__name__ in MODULES:
        MODULES[module.__name__](module)
    if module.__name__ == "mxnet.profiler" and state["sums"]:
        state["sums"].run(module)
    if module.__name__ in mxnet_objects.MODULES:
        mxnet_objects.wrap_module(state["objects"], module)


def install_imported():
    for name in {**MODULES, **mxnet_objects.MODULES}:
        module = sys.modules.get(name)
        if module is not None and not getattr(module.__spec__, "_initializing", False):
            install(module)


def start(asked):
    """Installs the hooks, or for an unknown build the sums of MXNet's profiler. Returns None, or
    why it could not."""
    lacks = feed.mxnet_find()
    reason = feed_holders.hold(HOLDER, "MXNet", version(), asked)
    if reason is not None:
        return reason
    if lacks is None:
        lacks = feed.mxnet_attach(ALL & ~QUEUE if is_naive() else ALL)
    state["attached"] = True
    state["objects"] = mxnet_objects.Installation(user_objects)
    if lacks is None:
        route = ROUTE + (NAIVE_ROUTE if is_naive() else "")
        atexit.register(feed.mxnet_publish)
        if is_naive():
            feed.notice(1, NAIVE)
    else:
        state["sums"] = mxnet_sums.Sums()
        route = "%s: so it sees %s" % (lacks, state["sums"].route())
    feed_holders.say_facts(HOLDER, settings())
    state["route"] = route
    feed_holders.say_route(HOLDER, route)
    install_imported()
    return None


def stop(asker=None):
    """Removes everything. Queued operators still pass through the hooks, which then do nothing."""
    if state["sums"]:
        state["sums"].stop()
    feed.mxnet_detach()
    state["objects"].uninstall()
    atexit.unregister(feed.mxnet_publish)
    feed_holders.release(HOLDER, asker)
    state["attached"], state["sums"] = False, None


def attach():
    """Attaches to a running job. Returns success, a message, and a function that undoes it, or
    None."""
    begun = time.perf_counter()
    if state["attached"]:
        return True, "it was attached to already", None
    if getattr(sys.modules["mxnet.base"].__spec__, "_initializing", False):
        return False, "MXNet is just being imported: try again", None
    reason = start(True)
    if reason is not None:
        return False, "MXNet can't be seen: %s" % reason, None
    name_what_is_there()
    return True, "attached to MXNet %s, in %.0f ms of its main thread" % (
        version(), (time.perf_counter() - begun) * 1e3), stop


def adapt(module):
    """Called when a module that the import hook waits for has been imported."""
    if module.__name__ == "mxnet.base":
        state["reason"] = start(False)
        if state["attached"] and numpy_lacks():
            feed.notice(2, "import mxnet fails: " + numpy_lacks())
    elif state["attached"]:
        install(module)

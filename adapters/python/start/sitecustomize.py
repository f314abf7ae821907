# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""sitecustomize.py: what Python runs first in a job that `proftop run` starts.

It waits for the module that an adapter knows, and hands over once that module has been imported.
Until then it costs one dictionary look-up per import. A sitecustomize of the user's own, which
this one stands in front of, runs as it would without us. Nothing here prints, and nothing that
goes wrong here reaches the job.
"""
import os
import sys

# Module to wait for: the module of ours that adapts it. A release with other modules inside is
# known by its package.
ADAPTERS = {
    "aesara": "theano_family",
    "pytensor": "theano_family",
    "theano": "theano_family",
    "aesara.compile.function.types": "theano_family",
    "mxnet.base": "mxnet",
    "mxnet.executor": "mxnet",
    "mxnet.gluon.block": "mxnet",
    "mxnet.gluon.data.dataloader": "mxnet",
    "mxnet.gluon.trainer": "mxnet",
    "mxnet.kvstore.kvstore": "mxnet",
    "mxnet.module.bucketing_module": "mxnet",
    "mxnet.module.module": "mxnet",
    "mxnet.module.sequential_module": "mxnet",
    "mxnet.operator": "mxnet",
    "mxnet.profiler": "mxnet",
    "pymc.logprob.basic": "models",
    "pytensor.compile.function.types": "theano_family",
    "pytensor.compile.maker": "theano_family",
    "theano.compile.function.types": "theano_family",
    "theano.compile.function_module": "theano_family",
}
HERE = os.path.dirname(__file__)
# An older Python asks finders by other names, and fails at each import if they have none. No
# adapter knows it, so it is left alone; it may be a tool of a job that is seen.
ASKS_FOR_SPECS = sys.version_info >= (3, 4)


def found_by_others(finder, name, path, target):
    for other in list(sys.meta_path):
        find = None if other is finder else getattr(other, "find_spec", None)
        spec = find(name, path, target) if find else None
        if spec is not None:
            return spec
    return None


class Finder:
    """Finds the modules of ADAPTERS as everybody else would, but sees the end of their import."""

    def find_spec(self, name, path=None, target=None):
        if name not in ADAPTERS:
            return None
        spec = found_by_others(self, name, path, target)
        if spec is not None:
            see_end(name, spec.loader)
        return spec


class Public:
    """Finds `import proftop` where nothing else of this name is found but folders without code of
    their own, such as a clone of the project beside the script. What lies in them is found, too."""

    def find_spec(self, name, path=None, target=None):
        if name != "proftop":
            return None
        spec = found_by_others(self, name, path, target)
        if spec is not None and spec.loader is not None:
            return spec
        import importlib.util

        file = os.path.join(os.path.dirname(HERE), "proftop", "public.py")
        return importlib.util.spec_from_file_location(
            name, file, submodule_search_locations=spec and list(spec.submodule_search_locations))


def see_end(name, loader):
    run = getattr(loader, "exec_module", None)

    def exec_module(module):
        del loader.exec_module
        run(module)
        try:
            adapt(name, module)
        except Exception:
            pass

    try:
        loader.exec_module = exec_module
    except AttributeError:
        pass  # a loader that lets nobody in; the job goes on unseen


def adapt(name, module):
    """Loads our package from where it lies: it is on no path, so no name of the job can clash."""
    import importlib.util

    if "_proftop." + ADAPTERS[name] not in sys.modules:
        home = os.path.join(os.path.dirname(HERE), "proftop")
        spec = importlib.util.spec_from_file_location(
            "_proftop", os.path.join(home, "__init__.py"), submodule_search_locations=[home])
        package = importlib.util.module_from_spec(spec)
        sys.modules["_proftop"] = package
        spec.loader.exec_module(package)
    importlib.import_module("_proftop." + ADAPTERS[name]).adapt(module)


def make_way():
    """Takes us off the path and runs the sitecustomize that we hide, if there is one."""
    ours = sys.modules.pop("sitecustomize", None)
    sys.path[:] = [entry for entry in sys.path if entry != HERE]
    try:
        import sitecustomize  # noqa: F401
    except ImportError as error:
        # An older one does not say which is missing, and tells nobody of any.
        if ASKS_FOR_SPECS and error.name != "sitecustomize":
            raise
        if ours is not None:
            sys.modules["sitecustomize"] = ours


if ASKS_FOR_SPECS and os.environ.get("PROFTOP") == "1":
    sys.meta_path.insert(0, Finder())
    sys.meta_path.insert(0, Public())
make_way()

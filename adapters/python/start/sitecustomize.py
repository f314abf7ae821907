# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""sitecustomize.py: the first module that Python runs in a job of `proftop run`.

It waits for the modules that the adapters know, and calls the adapter when one has been imported.
Until then it costs one dictionary look-up per import. It hides a sitecustomize of the user, and
runs that as Python would have. Nothing here prints, and no error here reaches the job."""
import os
import sys

# Module to wait for -> the adapter's module for it. A release with other modules inside is
# recognised by its package.
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
    "torch": "torch",
    "torch._dynamo.callback": "torch",
    "torch._dynamo.convert_frame": "torch",
    "torch._dynamo.utils": "torch",
    "torch._dynamo.variables.nn_module": "torch",
    "torch._inductor.config": "torch",
    "transformers.trainer": "torch",
    "vllm.v1.core.sched.scheduler": "torch",
    "pymc.logprob.basic": "pymc_hook",
    "pytensor.compile.function.types": "theano_family",
    "pytensor.compile.maker": "theano_family",
    "theano.compile.function.types": "theano_family",
    "theano.compile.function_module": "theano_family",
}
HERE = os.path.dirname(__file__)
# An older Python calls finders by other names, and fails at each import if they have none. No
# adapter supports it, so this file does nothing there: such a Python may be a tool of a watched
# job.
ASKS_FOR_SPECS = sys.version_info >= (3, 4)


def found_by_others(finder, name, path, target):
    for other in list(sys.meta_path):
        find = None if other is finder else getattr(other, "find_spec", None)
        spec = find(name, path, target) if find else None
        if spec is not None:
            return spec
    return None


class Finder:
    """Finds the modules of ADAPTERS by the other finders, and hooks the end of their import."""

    def find_spec(self, name, path=None, target=None):
        if name not in ADAPTERS:
            return None
        spec = found_by_others(self, name, path, target)
        if spec is not None:
            see_end(name, spec.loader)
        return spec


class Public:
    """Finds `import proftop` if the other finders find nothing, or only folders without code of
    their own, such as a clone of the project beside the script. Modules in these folders are found
    as well."""

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
        pass  # a loader without settable attributes: the job runs unwatched


def adapt(name, module):
    """Loads the adapters' package by its file. It is on no path, so it cannot clash with names of
    the job."""
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
    """Removes this file from the path, and runs the hidden sitecustomize, if there is one."""
    ours = sys.modules.pop("sitecustomize", None)
    sys.path[:] = [entry for entry in sys.path if entry != HERE]
    try:
        import sitecustomize  # noqa: F401
    except ImportError as error:
        # An older Python does not name the missing module; all errors are ignored there.
        if ASKS_FOR_SPECS and error.name != "sitecustomize":
            raise
        if ours is not None:
            sys.modules["sitecustomize"] = ours


if ASKS_FOR_SPECS and os.environ.get("PROFTOP") == "1":
    sys.meta_path.insert(0, Finder())
    sys.meta_path.insert(0, Public())
make_way()

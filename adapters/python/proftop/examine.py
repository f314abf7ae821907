# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""examine.py: runs in place of a program for `proftop doctor -- python ...`. Reports what proftop
could show of a program in this interpreter.

Prints lines of level, subject and text, separated by tabs. It imports each installed framework, and
compiles and calls one small function: only that shows the route for its nodes. It also runs in
versions of Python that the adapters do not support, to say so."""
import importlib
import importlib.util
import os
import platform
import sys
import sysconfig

HERE = os.path.dirname(os.path.abspath(__file__))
OLDEST = (3, 8)


def adapter_of(package):
    family = sys.modules.get("_proftop.theano_family")
    adapter = getattr(family, "module_state", {}).get("adapter")
    return adapter if adapter is not None and adapter.member.package == package else None


def compile_one(package):
    tensor = importlib.import_module(package + ".tensor")
    x = tensor.dvector("x")
    function = sys.modules[package].function([x], tensor.exp(x) * 2)
    function([1.0])


# Hooked parts of MXNet's engine, by the bits of enum mxnet_feature.
MXNET_FEATURES = ("operators", "operators inside bulks", "nodes of executors", "queue", "memory",
                  "waits", "calls of the C interface")


class Examination:
    def __init__(self, out):
        self.out = out

    def find(self, level, what, text):
        self.out.write("%s\t%s\t%s\n" % (level, what, " ".join(str(text).split())))
        self.out.flush()

    def python(self):
        """Returns whether adapters can work here at all."""
        lacks = ""
        if sys.version_info < OLDEST:
            lacks = ": the adapters need %d.%d or later" % OLDEST
        elif sysconfig.get_config_var("Py_GIL_DISABLED"):
            lacks = ": a Python without a GIL, which the adapters do not know yet"
        known = not lacks
        self.find("fine" if known else "fault", "python", "%s %s, %s%s" % (
            platform.python_implementation(), platform.python_version(), sys.executable, lacks))
        hook = any(type(finder).__module__ == "sitecustomize" and type(finder).__name__ == "Finder"
                   for finder in sys.meta_path)
        if hook:
            self.find("fine", "hook", "that of the adapters runs when this Python starts")
        else:
            self.find("fault", "hook", "that of the adapters does not run when this Python starts: "
                      "its options -I, -E and -S keep it away; leave them out, or attach to the "
                      "process with -p")
        return known and hook

    def extension(self):
        """Loads the extension as the adapters do."""
        spec = importlib.util.spec_from_file_location(
            "_proftop", os.path.join(HERE, "__init__.py"), submodule_search_locations=[HERE])
        package = importlib.util.module_from_spec(spec)
        sys.modules["_proftop"] = package
        try:
            spec.loader.exec_module(package)
        except Exception as error:
            self.find("fault", "extension", "%s: %s" % (type(error).__name__, error))
            return False
        finally:
            del sys.modules["_proftop"]
        self.find("fine", "extension", package.feed.__file__)
        return True

    def framework(self, package, framework, row_of):
        try:
            module = importlib.import_module(package)
        except Exception as error:
            self.find("fault", "framework", "%s is here and cannot be imported: %s: %s" % (
                framework, type(error).__name__, error))
            return
        version = getattr(module, "__version__", "") or "-"
        (_, member), adapter = row_of(package), adapter_of(package)
        self.find("fine", "framework", "%s %s, %s" % (member.framework, version,
                                                      os.path.dirname(module.__file__)))
        if adapter is None:
            self.find("fault", "route", "the adapter does not stand beside it: another framework "
                      "came first, or PROFTOP=0 keeps it off")
        else:
            self.route(package, adapter)
            for name, lacks in adapter.probes.failed.items():
                self.find("fault" if name == "functions" else "note", "probe",
                          "%s failed: %s" % (name, lacks))

    def route(self, package, adapter):
        try:
            compile_one(package)
        except Exception as error:
            self.find("fault", "route", "a function of one node cannot be compiled and called: "
                      "%s: %s" % (type(error).__name__, error))
            return
        for fact in (adapter.told or "").split("\n"):
            self.find("fine", "fact", fact)
        for route in adapter.routes:
            reason = adapter.reasons.get(route)
            self.find("note" if reason else "fine", "route",
                      "%s: %s" % (route, reason) if reason else route)

    def attached(self, package, framework, what, lacks=lambda: None):
        """Imports the package. Returns it and the adapter, or None, None if the adapter can't do
        `what`, which is then found. `lacks`: a reason why the import fails, or None."""
        try:
            module = importlib.import_module(package)
        except Exception as error:
            self.find("fault", "framework", "%s is here and cannot be imported: %s" % (
                framework, lacks() or "%s: %s" % (type(error).__name__, error)))
            return None, None
        self.find("fine", "framework", "%s %s, %s" % (framework, module.__version__,
                                                      os.path.dirname(module.__file__)))
        adapter = sys.modules.get("_proftop." + package)
        if adapter is not None and adapter.is_attached():
            return module, adapter
        reason = adapter and adapter.state["reason"]
        self.find("fault", "route", "%s: %s" % (
            what, reason or "the adapter does not stand beside it"))
        return None, None

    def mxnet(self):
        role = os.environ.pop("DMLC_ROLE", None)  # a server never returns from the import
        module, adapter = self.attached(
            "mxnet", "MXNet", "its engine cannot be watched", lambda: getattr(
                sys.modules.get("_proftop.mxnet"), "numpy_lacks", lambda: None)())
        if adapter is None:
            return
        self.engine(module, adapter)
        if role in ("server", "scheduler"):
            self.find("note", "route", "DMLC_ROLE=%s: such a process is seen if proftop run starts "
                      "it; it cannot be attached to while it runs" % role)

    def engine(self, module, adapter):
        try:
            module.nd.ones((2, 2)).asnumpy()
        except Exception as error:
            self.find("fault", "route", "an operator cannot be run: %s: %s" % (
                type(error).__name__, error))
            return
        for fact in adapter.settings().split("\n"):
            self.find("fine", "fact", fact)
        if adapter.state["sums"]:
            self.find("note", "route", adapter.state["route"])
            return
        features, slots, original, build = sys.modules["_proftop"].feed.mxnet_state()
        self.find("fine", "route", "%s (build %s)" % (adapter.ROUTE, build))
        seen = [name for bit, name in enumerate(MXNET_FEATURES) if features >> bit & 1]
        self.find("fine", "route", "seen: " + ", ".join(seen))
        if adapter.is_naive():
            self.find("note", "route", adapter.NAIVE)
        if original and not adapter.is_naive():
            self.find("fault", "route", "%d of %d places of the library are not hooked" % (
                original, slots))

    def torch(self):
        _, adapter = self.attached("torch", "PyTorch", "its ops cannot be counted")
        if adapter is None:
            return
        if adapter.state["lacks"]:
            self.find("note", "route", adapter.state["route"])
            return
        _, event_ns = adapter.tested()
        self.find("fine", "route", adapter.state["route"])
        self.find("fine", "route", "an op pays %.0f ns for a callback that does nothing" % event_ns)

    def run(self):
        if not self.python() or not self.extension():
            return
        spec = importlib.util.spec_from_file_location("members", os.path.join(HERE, "members.py"))
        known = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(known)
        packages = known.packages()
        here = [package for package in packages if importlib.util.find_spec(package)]
        for package in here:
            self.framework(package, packages[package], known.row_of)
        has_mxnet = importlib.util.find_spec("mxnet") is not None
        if has_mxnet:
            self.mxnet()
        has_torch = importlib.util.find_spec("torch") is not None
        if has_torch:
            self.torch()
        if not here and not has_mxnet and not has_torch:
            self.find("fault", "framework", "none of %s can be imported here; "
                      "a program with graphs of its own (proftop.Graph) needs none" % ", ".join(
                sorted({member.framework for member in known.MEMBERS.values()} |
                       {"MXNet", "PyTorch"})))


def main():
    """Sends the output of other code to stderr."""
    out = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    sys.path[:] = [entry for entry in sys.path if os.path.abspath(entry or ".") != HERE]
    Examination(out).run()


if __name__ == "__main__":
    main()

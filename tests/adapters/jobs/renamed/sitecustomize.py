# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""sitecustomize.py: simulates a future release, 99.1. RENAME=old=new,... renames words of PyTensor
everywhere, and its modules (a.b=a.c). It works as before. NEXT=decoy: its Python VMs run other
thunks than those in their list. NEXT=source: its source for Numba has one more statement.
NEXT=cached: it compiles that source without the marks."""
import importlib.util
import os
import re
import sys
from importlib.machinery import PathFinder, SourceFileLoader

PACKAGE, NEXT = "pytensor", os.environ.get("NEXT")
WORDS = dict(word.split("=") for word in os.environ.get("RENAME", "").split(",") if word)
MODULES = {new: old for old, new in WORDS.items() if old.startswith(PACKAGE + ".")}


def renamed(text):
    for old, new in WORDS.items():
        text = re.sub(r"(?<![\w.])%s\b" % re.escape(old) if old in MODULES.values()
                      else r"\b%s\b" % old, new, text)
    return text.replace("\n__version__: str =", "\n__version__: str = '99.1' or")


class Renaming(SourceFileLoader):
    def get_code(self, name):
        with open(self.path, encoding="utf-8") as file:
            return self.source_to_code(renamed(file.read()), self.path)

    def exec_module(self, module):
        super().exec_module(module)
        alter = ALTER.get((NEXT, module.__name__))
        if alter:
            alter(module)


def decoy(module):
    """Makes VMs run their first thunks, whatever is put into their list."""
    for cls in filter(None, (vars(module).get(name) for name in ("Loop", "LoopGC", "Stack"))):
        call = cls.__call__

        def run(self, *args, call=call, **kwargs):
            shown, self.thunks = self.thunks, self.real
            try:
                return call(self, *args, **kwargs)
            finally:
                self.thunks = shown
        cls.__call__ = run
    init = module.VM.__init__

    def begin(self, *args, **kwargs):
        init(self, *args, **kwargs)
        self.real = list(self.thunks)
    module.VM.__init__ = begin


def source(module):
    made = module.compile_function_src
    module.compile_function_src = lambda text, *args, **kwargs: made(
        text.replace(":\n", ":\n    pass\n", 1), *args, **kwargs)


def cached(module):
    compiled = module.numba_njit

    def numba_njit(*args, **kwargs):
        function = args[0] if args else None
        if "_proftop_enter" in getattr(function, "__globals__", ()):
            code, found = compile(function.__source__, function.__code__.co_filename, "exec"), {}
            exec(code, function.__globals__, found)
            args = found[function.__name__], *args[1:]
        return compiled(*args, **kwargs)
    module.numba_njit = numba_njit


ALTER = {("decoy", "pytensor.link.vm"): decoy, ("source", "pytensor.link.utils"): source,
         ("cached", "pytensor.link.numba.dispatch.basic"): cached}


class Finder:
    @staticmethod
    def find_spec(name, path=None, target=None):
        if name.partition(".")[0] != PACKAGE:
            return None
        spec = PathFinder.find_spec(MODULES.get(name, name), path)
        if spec is None or type(spec.loader) is not SourceFileLoader:
            return None
        return importlib.util.spec_from_file_location(
            name, spec.origin, loader=Renaming(name, spec.origin),
            submodule_search_locations=spec.submodule_search_locations)


sys.meta_path.insert(sys.meta_path.index(PathFinder), Finder)  # after proftop's finder

# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""sitecustomize.py: makes every C VM of the family differ from the known layout: a thunk with C
code says that it has none, so the VM's tables and its thunks disagree. The VM itself runs as
before. With UNLIKE=switch it has no switch for its times either."""
import importlib.util
import os
import sys

LINKERS = {"pytensor.link.vm": "VMLinker", "aesara.link.vm": "VMLinker",
           "theano.link.vm": "VMLinker", "theano.gof.vm": "VM_Linker"}
kept = []


def alter(make_vm):
    def made(*args, **kwargs):
        vm = make_vm(*args, **kwargs)
        coded = [thunk for thunk in vm.thunks if hasattr(thunk, "cthunk")]
        if coded and type(vm).__name__ == "CVM":
            kept.append(coded[0].cthunk)
            coded[0].cthunk = None
            if os.environ.get("UNLIKE") == "switch":
                type(vm).time_thunks = property(lambda self: None, lambda self, value: None)
        return vm
    return made


class Waiting:
    @staticmethod
    def find_spec(name, path=None, target=None):
        if name not in LINKERS:
            return None
        linker = LINKERS.pop(name)
        spec = importlib.util.find_spec(name)
        run = spec.loader.exec_module

        def exec_module(module):
            run(module)
            cls = getattr(module, linker)
            cls.make_vm = alter(cls.make_vm)
        spec.loader.exec_module = exec_module
        return spec


sys.meta_path.insert(0, Waiting)

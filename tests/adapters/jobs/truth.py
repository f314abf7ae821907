# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""truth.py: writes the framework's own counts to the file that TRUTH names."""
import json
import os


def tell(**functions):
    """For each name=function, compiled with profile=True: its nodes in order of execution, and the
    time of its calls in seconds."""
    told, calls = {}, {}
    for name, function in functions.items():
        profile = function.profile
        calls[name] = [profile.fct_call_time, profile.vm_call_time]
        told[name] = []
        vm = getattr(function, "vm", None) or function.fn
        for node in vm.nodes:
            key = (function.maker.fgraph, node)
            if node in profile.apply_callcount:
                key = node  # as in members older than PyTensor
            told[name].append([str(node), profile.apply_callcount.get(key, 0),
                               profile.apply_time.get(key, 0.0),
                               profile.linker_make_thunk_time.get(node)])
    with open(os.environ["TRUTH"], "w", encoding="utf-8") as file:
        json.dump({"nodes": told, "calls": calls}, file)
